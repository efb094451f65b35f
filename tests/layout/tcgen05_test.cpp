// SPDX-License-Identifier: MIT
// The descriptors of tcgen05.mma against shifts written down a second time from the ISA's tables
// 40 and 42 to 44, and there and back.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "layout/tcgen05.hpp"

namespace lanescope::layout {
namespace {

TEST_CASE("tcgen05's shared-memory descriptor: every field at its place (table 40)") {
  Tcgen05Descriptor d;
  d.start_bytes = 0x12340;
  d.lbo_bytes = 0x80;
  d.sbo_bytes = 0x400;
  d.base_offset = 5;
  d.lbo_absolute = true;
  d.mode = 6;
  const std::uint64_t expected =
      0x1234ull | 0x8ull << 16 | 0x40ull << 32 | 1ull << 46 | 5ull << 49 | 1ull << 52 | 6ull << 61;
  CHECK(encode(d) == expected);
  CHECK((decode_tcgen05(expected) == d));
  CHECK((expected & kReservedTcgen05Bits) == 0);
}

TEST_CASE("tcgen05's modes: numbered as nothing else") {
  const std::map<std::string, int> expected{
      {"none", 0}, {"128B/32B", 1}, {"128B", 2}, {"64B", 4}, {"32B", 6}};
  for (const auto& [name, mode] : expected) {
    CHECK(tcgen05_mode(name).value_or(-1) == mode);
    CHECK(std::string(tcgen05_mode_name(mode)) == name);
  }
  for (int none : {3, 5, 7}) {
    CHECK(tcgen05_mode_name(none).empty());
    Tcgen05Descriptor d;
    d.mode = none;
    CHECK(problem(d).find("0 none, 6 32B, 4 64B, 2 128B, 1 128B/32B") != std::string::npos);
    CHECK_FALSE(wgmma_of(d).has_value());
    CHECK_FALSE(fields_of(d).front().good);
  }
  CHECK_FALSE(tcgen05_mode("256B").has_value());
}

TEST_CASE("from wgmma's descriptor to tcgen05's and back") {
  for (Swizzle mode : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128})
    for (int base : {0, 3}) {
      const Descriptor d{1024, 16, 512, base, mode};
      const Tcgen05Descriptor t = tcgen05_of(d);
      CHECK(problem(t).empty());
      REQUIRE(wgmma_of(t).has_value());
      CHECK((*wgmma_of(t) == d));
      CHECK((encode(t) >> 46 & 7) == 1);
      // The low 46 bits are the same, what is above is another's.
      CHECK((encode(t) & 0x3FFFFFFFFFFFull) == (encode(d) & 0x3FFFFFFFFFFFull));
    }
  Tcgen05Descriptor atoms;
  atoms.mode = 1;
  CHECK_FALSE(wgmma_of(atoms).has_value());
  Tcgen05Descriptor absolute;
  absolute.lbo_absolute = true;
  CHECK_FALSE(wgmma_of(absolute).has_value());
}

TEST_CASE("mode 1 fetches every element of a tile with atoms of 32 bytes from where it lies") {
  const Tile tile = packed_wide(64, 16);
  for (int from : {0, 8}) {  // an instruction takes 8 of K
    Tcgen05Descriptor d = tcgen05_of(descriptor_for(tile, 1024 + linear_offset(tile, 0, from)));
    d.mode = kWideMode;
    CHECK(problem(d).empty());
    CHECK(fields_of(d, Major::MN)[5].means == "from 128 bytes along MN to the next 128");
    CHECK(fields_of(d, Major::MN)[4].means == "from 4 columns of K to the next 4");
    for (int mn = 0; mn < 64; ++mn)
      for (int k = 0; k < 8; ++k)
        CHECK(fetched_byte_wide(d, mn, k) == 1024 + byte_offset(tile, mn, from + k));
  }
}

// Bits `from` up of a value.
constexpr std::uint32_t at(int from, std::uint32_t value) { return value << from; }

TEST_CASE("the instruction descriptor: bf16 times bf16 into f32, M 128, N 256") {
  std::uint32_t bits = 0;
  CHECK(set_instruction_fields(Tcgen05Kind::f16, "d=f32 a=bf16 b=bf16 m=128 n=256", bits).empty());
  CHECK(bits == (at(4, 1) | at(7, 1) | at(10, 1) | at(17, 32) | at(24, 8)));
  CHECK(bits == 0x08400490);
}

TEST_CASE("the instruction descriptor: every type of every kind has the ISA's number") {
  struct Expected {
    const char* words;
    std::uint32_t bits;
  };
  const std::map<std::string, std::vector<Expected>> all{
      {"f16", {{"d=f16", 0}, {"d=f32", at(4, 1)}, {"a=f16", 0}, {"b=bf16", at(10, 1)}}},
      {"tf32", {{"d=f32", at(4, 1)}, {"a=tf32", at(7, 2)}, {"b=tf32", at(10, 2)}}},
      {"f8f6f4",
       {{"d=f16", 0},
        {"a=e4m3", 0},
        {"a=e5m2", at(7, 1)},
        {"a=e2m3", at(7, 3)},
        {"a=e3m2", at(7, 4)},
        {"b=e2m1", at(10, 5)}}},
      {"i8", {{"d=s32", at(4, 2)}, {"a=u8", 0}, {"b=s8", at(10, 1)}, {"sat=1", at(3, 1)}}},
      {"mxf8f6f4",
       {{"a=e3m2", at(7, 4)},
        {"scale=ue8m0", at(23, 1)},
        {"m=128", at(27, 1)},
        {"m=256", at(27, 2)},
        {"sfa=3", at(29, 3)},
        {"sfb=2", at(4, 2)}}},
      {"mxf4",
       {{"a=e2m1", at(7, 1)},
        {"b=e2m1", at(10, 1)},
        {"scale=ue8m0", at(23, 1)},
        {"k96=1", at(31, 1)}}},
      {"mxf4nvf4", {{"scale=ue4m3", 0}, {"scale=ue8m0", at(23, 1)}, {"sfb=2", at(4, 2)}}}};
  CHECK(all.size() == kTcgen05Kinds.size());
  for (const auto& [name, lines] : all) {
    const auto kind = tcgen05_kind(name);
    REQUIRE(kind.has_value());
    for (const Expected& line : lines) {
      CAPTURE(name);
      CAPTURE(line.words);
      std::uint32_t bits = 0;
      CHECK(set_instruction_fields(*kind, line.words, bits).empty());
      CHECK(bits == line.bits);
    }
  }
}

TEST_CASE("the instruction descriptor: its fields are all of its bits, once") {
  for (std::size_t k = 0; k < kTcgen05Kinds.size(); ++k) {
    const auto kind = static_cast<Tcgen05Kind>(k);
    std::uint32_t seen = 0;
    for (const DescriptorField& f : instruction_fields(kind, 0)) {
      const std::uint32_t mask = ((1u << f.width) - 1) << f.from;
      CHECK((seen & mask) == 0);
      seen |= mask;
    }
    CHECK(seen == 0xFFFFFFFFu);
  }
}

TEST_CASE("the instruction descriptor: decoded and encoded again is the same") {
  for (std::size_t k = 0; k < kTcgen05Kinds.size(); ++k) {
    const auto kind = static_cast<Tcgen05Kind>(k);
    const std::uint32_t usual = usual_instruction(kind);
    std::string words;
    for (const DescriptorField& f : instruction_fields(kind, usual)) {
      CAPTURE(f.name);
      CAPTURE(f.value);
      CHECK(f.good);
      if (f.name != "-") words += f.name + "=" + f.value + " ";
    }
    std::uint32_t again = 0;
    CHECK(set_instruction_fields(kind, words, again).empty());
    CHECK(again == usual);
  }
}

TEST_CASE(
    "the instruction descriptor: of a flag, and of nothing else, it is said what its 1 means") {
  for (const std::uint32_t bits : {0u, 1u << 16}) {
    int flags = 0;
    for (const DescriptorField& f : instruction_fields(Tcgen05Kind::f16, bits)) {
      CAPTURE(f.name);
      const bool is_flag = f.name == "sparse" || f.name == "sat" || f.name == "nega" ||
                           f.name == "negb" || f.name == "ta" || f.name == "tb";
      CHECK((f.means.compare(0, 3, "1: ") == 0) == is_flag);
      if (f.name == "tb") CHECK(f.means == "1: B is N-major, not K-major");
      flags += is_flag ? 1 : 0;
    }
    CHECK(flags == 6);
  }
  for (const DescriptorField& f : instruction_fields(Tcgen05Kind::mxf4, 0))
    if (f.name == "tb") CHECK(f.means == "B must be K-major");
}

TEST_CASE("the instruction descriptor: what cannot be is said") {
  const auto bad = [](const char* kind, std::uint32_t bits) {
    std::string names;
    for (const DescriptorField& f : instruction_fields(*tcgen05_kind(kind), bits))
      if (!f.good) names += f.name + " ";
    return names;
  };
  const std::uint32_t usual = usual_instruction(Tcgen05Kind::f16);
  CHECK(bad("f16", usual).empty());
  CHECK(bad("f16", usual | at(6, 1)) == "- ");    // reserved
  CHECK(bad("f16", usual | at(3, 1)) == "sat ");  // floating point does not saturate
  CHECK(bad("f16", usual | at(7, 2)) == "a ");    // tf32 is no type of .kind::f16
  CHECK(bad("i8", usual_instruction(Tcgen05Kind::i8) | at(13, 1)) == "nega ");
  CHECK(bad("mxf4", usual_instruction(Tcgen05Kind::mxf4) | at(15, 1)) == "ta ");
  CHECK(bad("mxf4", usual_instruction(Tcgen05Kind::mxf4) | at(29, 1)) == "sfa ");
  CHECK(bad("f16", usual & ~at(24, 31)) == "m ");
  std::uint32_t bits = usual;
  CHECK(set_instruction_fields(Tcgen05Kind::f16, "n=12", bits) ==
        "n '12': a multiple of 8 up to 256");
  CHECK(set_instruction_fields(Tcgen05Kind::f16, "a=e4m3", bits) == "a 'e4m3': f16, bf16");
  CHECK(set_instruction_fields(Tcgen05Kind::f16, "m=128 x=1", bits).rfind("no field 'x=1'", 0) ==
        0);
  CHECK(bits == usual);  // nothing of it was taken
}

TEST_CASE("the fields of a shared-memory descriptor stand where it has them") {
  const Tcgen05Descriptor d{0x12340, 0x80, 0x400, 1, 5, true, 6};
  std::uint64_t together = 0;
  for (const DescriptorField& field : fields_of(d)) together |= field.bits << field.from;
  CHECK(together == encode(d));
  // What strides mean depends on the major, and is not guessed.
  CHECK(fields_of({0, 16, 1024, 1, 0, false, 2})[5].means == "leading dimension");
  CHECK(fields_of({0, 16, 1024, 1, 0, false, 2}, Major::K)[5].means == "not used, taken as 1");
}

TEST_CASE("M is 32, 64, 128 or 256, N 8 to 256, and nothing else") {
  const auto good = [](int from, std::uint32_t number) {
    const std::uint32_t usual = usual_instruction(Tcgen05Kind::f16);
    const std::uint32_t mask = from == 24 ? 0x1fu << 24 : 0x3fu << 17;
    for (const DescriptorField& field :
         instruction_fields(Tcgen05Kind::f16, (usual & ~mask) | number << from))
      if (field.from == from) return field.good;
    return false;
  };
  for (std::uint32_t m = 0; m < 32; ++m)
    CHECK(good(24, m) == (m == 2 || m == 4 || m == 8 || m == 16));
  for (std::uint32_t n = 0; n < 64; ++n) CHECK(good(17, n) == (n >= 1 && n <= 32));
}

TEST_CASE("numbers that are none, or too large, set nothing") {
  for (const char* words : {"m=", "m=4x", "m=100", "m=512", "n=264", "ta=2", "sel=4", "d=0"}) {
    std::uint32_t bits = 0x1234;
    CAPTURE(words);
    CHECK_FALSE(set_instruction_fields(Tcgen05Kind::f16, words, bits).empty());
    CHECK(bits == 0x1234);
  }
}

}  // namespace
}  // namespace lanescope::layout
