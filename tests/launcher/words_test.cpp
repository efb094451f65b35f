// SPDX-License-Identifier: MIT
// The words of a launch: what each of them means, and what is said of one that means nothing.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "launcher/argument.hpp"
#include "launcher/command.hpp"
#include "launcher/stop.hpp"

namespace lanescope::launcher {
namespace {

Argument argument(const std::string& word) {
  Argument read;
  const std::string why = read_argument(word, read);
  REQUIRE_MESSAGE(why.empty(), word, ": ", why);
  return read;
}

std::string why_not(const std::string& word) {
  Argument read;
  return read_argument(word, read);
}

// The elements of memory, as text.
std::string filled(const std::string& word, int number = 0) {
  const Argument read = argument(word);
  std::vector<std::byte> bytes;
  REQUIRE(fill(read, number, bytes) == "");
  REQUIRE(bytes.size() == read.bytes());
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(read.element->bytes))
    text += (at == 0 ? "" : " ") + text_of(*read.element, load(*read.element, &bytes[at]));
  return text;
}

std::string stopped(const std::vector<std::string>& words) {
  try {
    read_command(words);
  } catch (const Stop& stop) {
    CHECK(stop.code == kWrongUsage);
    return stop.why;
  }
  return "";
}

}  // namespace

TEST_CASE("a number is the pattern of its type") {
  CHECK(argument("u32=5").number == 5);
  CHECK(argument("s32=-1").number == 0xffffffff);
  CHECK(argument("s8=-128").number == 0x80);
  CHECK(argument("b64=0xffffffffffffffff").number == ~std::uint64_t{0});
  CHECK(argument("u32=010").number == 10);
  CHECK(argument("s32=-0X10").number == 0xfffffff0);
  CHECK(argument("f32=1.5").number == 0x3fc00000);
  CHECK(argument("f32=inf").number == 0x7f800000);
  CHECK(argument("f16=65519").number == 0x7bff);
  CHECK(argument("f64=1e-400").number == 0);
  CHECK(argument("f16=-2").number == 0xc000);
  CHECK(argument("bf16=1").number == 0x3f80);
  CHECK(argument("f64=1").number == 0x3ff0000000000000);
  CHECK(argument("e4m3=448").number == 0x7e);
  CHECK(argument("u16=5").parameter_bytes() == 2);
  CHECK(argument("u16=5").kind == Argument::Kind::number);
}

TEST_CASE("memory has a shape, and contents") {
  const Argument tile = argument("bf16:3x64x128=7");
  CHECK(tile.kind == Argument::Kind::memory);
  CHECK(tile.count() == 3 * 64 * 128);
  CHECK(tile.bytes() == 2 * 3 * 64 * 128);
  CHECK(tile.parameter_bytes() == 8);
  CHECK(tile.word == "bf16:3x64x128");
  CHECK(filled("f16:2x2") == "0 0 0 0");
  CHECK(filled("f16:3=1.5") == "1.5 1.5 1.5");
  CHECK(filled("s32:4=-2") == "-2 -2 -2 -2");
  CHECK(filled("u8:300=index").substr(0, 9) == "0 1 2 3 4");
  CHECK(filled("u8:258=index").substr(filled("u8:256=index").size()) == " 0 1");
  CHECK(filled("f32:4=index") == "0 1 2 3");
}

TEST_CASE("random numbers are the same again, others of another parameter or seed") {
  const std::string first = filled("f32:64=random", 0);
  CHECK(first == filled("f32:64=random", 0));
  CHECK(first != filled("f32:64=random", 1));
  CHECK(first != filled("f32:64=random:99", 0));
  CHECK(filled("f32:64=random:99", 0) == filled("f32:64=random:99", 5));
  // Real ones from -2 to 2, whole ones of any size.
  const Argument reals = argument("f32:4096=random");
  std::vector<std::byte> bytes;
  REQUIRE(fill(reals, 0, bytes) == "");
  float least = 0, most = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    float value = 0;
    std::memcpy(&value, &bytes[at], 4);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  CHECK(least >= -2);
  CHECK(least < -1.99);
  CHECK(most < 2);
  CHECK(most > 1.99);
  const Argument wholes = argument("u8:4096=random");
  REQUIRE(fill(wholes, 0, bytes) == "");
  CHECK(std::set<std::byte>(bytes.begin(), bytes.end()).size() == 256);
}

TEST_CASE("a tensor map has a box, and a swizzle") {
  const Argument map = argument("map:f16:64x128:32x64:128B=random");
  CHECK(map.kind == Argument::Kind::tensor_map);
  CHECK(map.shape == std::vector<std::uint64_t>{64, 128});
  CHECK(map.box == std::vector<std::uint32_t>{32, 64});
  CHECK(map.swizzle == 3);
  CHECK(map.parameter_bytes() == 128);
  CHECK(argument("map:f16:64x128:32x64").swizzle == 0);
}

TEST_CASE("a struct's members lie where C++ puts them") {
  Parameter read;
  REQUIRE(read_parameter("u8=1,f32:8x8=random,s16=-2,u32=3", 0, read) == "");
  REQUIRE(read.members.size() == 4);
  CHECK(read.members[1].kind == Argument::Kind::memory);
  CHECK(read.members[2].number == 0xfffe);
  struct Like {
    std::uint8_t a;
    float* b;
    std::int16_t c;
    std::uint32_t d;
  };
  CHECK(read.offsets() == std::vector<std::size_t>{offsetof(Like, a), offsetof(Like, b),
                                                   offsetof(Like, c), offsetof(Like, d),
                                                   sizeof(Like)});
  REQUIRE(read_parameter("u32=1,map:f16:64x64:8x8,u8=5", 0, read) == "");
  CHECK(read.offsets() == std::vector<std::size_t>{0, 64, 192, 256});
  // A file may have commas in its name.
  REQUIRE(read_parameter("f32:8=@a,b=c.bin,u32=5", 0, read) == "");
  REQUIRE(read.members.size() == 2);
  CHECK(read.members[0].contents.file == "a,b=c.bin");
  REQUIRE(read_parameter("@all,u32=5", 0, read) == "");
  CHECK(read.members.empty());
  CHECK(read.file == "all,u32=5");
  CHECK(read_parameter("f32=1,u8=256", 3, read) == "parameter 3.1, 'u8=256': '256' is no u8");
  CHECK(read_parameter("f32,u8=1", 3, read) == "parameter 3.0, 'f32': which number? write f32=5");
  CHECK(read_parameter("@", 3, read) == "parameter 3, '@': which file? write @FILE");
}

TEST_CASE("bits are shown as bits") {
  CHECK(filled("b16:3=index") == "0x0000 0x0001 0x0002");
  CHECK(filled("b32:1=0x3c00") == "0x00003c00");
  CHECK(filled("u16:1=0x3c00") == "15360");
}

TEST_CASE("whole numbers are from -8 to 8 in every type, none of them alike in a row") {
  for (const std::string type :
       {"f16", "bf16", "f32", "tf32", "f64", "e4m3", "e5m2", "s8", "s64", "u8", "u32"}) {
    CAPTURE(type);
    const Element& element = *find_element(type);
    const bool has_negative = element.kind != Element::Kind::natural;
    std::set<std::string> seen, wanted;
    for (int number = has_negative ? -8 : 0; number <= 8; ++number)
      wanted.insert(std::to_string(number));
    for (std::uint64_t place = 0; place < 1000; ++place)
      seen.insert(text_of(element, whole_pattern(element, 1, place)));
    CHECK(seen == wanted);
    int same = 0;  // as another seed: one of nine, or of seventeen
    for (std::uint64_t place = 0; place < 1000; ++place)
      same += whole_pattern(element, 1, place) == whole_pattern(element, 2, place) ? 1 : 0;
    CHECK(same > 20);
    CHECK(same < 200);
  }
}

TEST_CASE("a word that means nothing is answered with one that does") {
  CHECK(why_not("") == why_not("nonsense"));
  CHECK(why_not("nonsense").find("f16:64x128=random for memory") != std::string::npos);
  CHECK(why_not("f17:64").rfind("'f17' is no type; there are f16 bf16", 0) == 0);
  CHECK(why_not("u32") == "which number? write u32=5");
  CHECK(why_not("u32=") == "'' is no u32");
  CHECK(why_not("u32=1.5") == "'1.5' is no u32");
  CHECK(why_not("u8=256") == "'256' is no u8");
  CHECK(why_not("u8=-1") == "'-1' is no u8");
  CHECK(why_not("s8=128") == "'128' is no s8");
  CHECK(why_not("f32=one") == "'one' is no f32");
  CHECK(why_not("u32=- 5") == "'- 5' is no u32");
  CHECK(why_not("s32=- 5") == "'- 5' is no s32");
  CHECK(why_not("f16=65520") == "'65520' is no f16");
  CHECK(why_not("e4m3=1e6") == "'1e6' is no e4m3");
  CHECK(why_not("f32=1e39") == "'1e39' is no f32");
  CHECK(why_not("f64:4=-1e400").rfind("'-1e400' is no f64", 0) == 0);
  for (const char* shape : {"", "x", "4x", "x4", "4x0", "-4", "4xx4", "99999999999999999999"})
    CHECK(why_not(std::string("f16:") + shape).find("is no shape; write 64x128") !=
          std::string::npos);
  CHECK(why_not("f16:65536x65536") == "more than 4 GiB; ask for less");
  CHECK(why_not("f64:4294967296x4294967296x4294967296") == "more than 4 GiB; ask for less");
  CHECK(why_not("f16:4=many").rfind("'many' is no f16; write a number, index", 0) == 0);
  CHECK(why_not("f16:4=random:") == "'' is no seed; write random:7");
  CHECK(why_not("f16:4=random:x") == "'x' is no seed; write random:7");
  CHECK(why_not("f16:4=whole:-1") == "'-1' is no seed; write whole:7");
  CHECK(why_not("map:f16:64x128") == "'' is no box in 2 dimensions; write map:f16:64x128:64x64");
  CHECK(why_not("map:f16:64:8x8") == "'8x8' is no box in 1 dimension; write map:f16:64x128:64x64");
  CHECK(why_not("map:f16:64x128:8x8:256B") == "'256B' is no swizzle; write none, 32B, 64B or 128B");
}

TEST_CASE("a file fills memory to the byte") {
  std::vector<std::byte> bytes;
  CHECK(fill(argument("f16:4=@/nonexistent"), 0, bytes) == "there is no file /nonexistent");
  CHECK(fill(argument("f16:4=@/dev/null"), 0, bytes) == "there is no file /dev/null");
}

TEST_CASE("a command line") {
  const Wanted wanted = read_command({"a.ptx", "f32:8", "--grid", "4,2", "--block", "128", "u32=3",
                                      "--cluster", "2,1,1", "--shared", "0x400", "--kernel", "k"});
  CHECK(wanted.file == "a.ptx");
  CHECK(wanted.kernel == "k");
  CHECK(wanted.grid == std::array<unsigned, 3>{4, 2, 1});
  CHECK(wanted.block == std::array<unsigned, 3>{128, 1, 1});
  CHECK(wanted.cluster == std::array<unsigned, 3>{2, 1, 1});
  CHECK(wanted.shared_bytes == 1024);
  CHECK(wanted.parameters.size() == 2);
  CHECK(!wanted.prints);
  CHECK(read_command({"a.ptx", "--print"}).prints);
  CHECK(stopped({}) == "which file? KERNEL.ptx");
  CHECK(stopped({"a.ptx", "--grid"}) == "--grid: a value must follow");
  for (const char* size :
       {"", "0", "1,0", "a", "1,2,3,4", "1,", ",1", "-1", "2147483648", "99999999999"})
    CHECK_MESSAGE(stopped({"a.ptx", "--grid", size}).find("write --grid 4 or --grid 4,2,1") !=
                      std::string::npos,
                  size);
  CHECK(read_command({"a.ptx", "--grid", "2147483647"}).grid[0] == 2147483647);  // a card takes it
  for (const std::string bytes : {"lots", "-1", "1048577"})
    CHECK(stopped({"a.ptx", "--shared", bytes}) ==
          "--shared '" + bytes + "': write a number of bytes, 0 to 1048576");
  CHECK(stopped({"a.ptx", "--steps", "all"}).find("lanescope's own options come before the file") !=
        std::string::npos);
  CHECK(stopped({"a.ptx", "u32=1", "f17:4"}).rfind("parameter 1, 'f17:4': 'f17' is no type", 0) ==
        0);
}

}  // namespace lanescope::launcher
