// SPDX-License-Identifier: MIT
// Which keys an event has and what may be in them: what else is there is refused, with its line and
// the reason. Lines and files: reader_test.cpp.

#include "tests/trace/refused.hpp"
#include "trace/diff.hpp"

using namespace lanescope::trace;

TEST_CASE("keys: missing, twice, too many") {
  refuses(R"({"event":"view"})", "\"title\" is missing");
  refuses(R"({"event":"view","title":"a","title":"a"})", "\"title\" is there twice");
  refuses(R"({"event":"view","title":"a","event":"launch"})", "\"event\" is there twice");
  std::string many = R"({"event":"view","title":"a")";
  for (int i = 0; i < 63; ++i) many += ",\"key" + std::to_string(i) + "\":0";
  refuses(many + "}", "more than 64 keys");
  const Event events[] = {sample::fragment(),   sample::memory(), sample::step(), sample::access(),
                          sample::diagnostic(), sample::sync(),   Launch{}};
  for (const Event& event : events) {
    refuses(event, "\"launch\":", "\"lunch\":", "\"launch\" is missing");
    refuses(event, "\"block\":", "\"brick\":", "\"block\" is missing");
  }
}

TEST_CASE("a sync with strange numbers") {
  refuses(sample::sync(), "\"phase\":-1", "\"phase\":-2", "\"phase\" is not from -1");
  refuses(sample::sync(), "\"0x0\"", "\"zero\"", "\"address\" is not 0x");
  refuses(sample::sync(), "\"0x0\"", "\"0xffffffffffffffff\"", "\"address\" is not 0x");
  refuses(sample::sync(), "\"0x0\"", "\"\"", "\"address\" is not 0x");
  refuses(sample::sync(), "\"0x7f3a40000100\"", "\"there\"", "\"global\" is not 0x");
  refuses(sample::sync(), "\"128B\"", "\"256B\"", "\"swizzle\" is not none, 32B, 64B or 128B");
  refuses(sample::sync(), "[64,8]", "[64]", "\"size\", \"box\" and \"at\" are not of one length");
  refuses(sample::sync(), "[144]", "[144,288]", "\"strides\" one less");
  refuses(sample::sync(), "[64,8]", "[64,257]",
          "\"box\" has a value that is no whole number from 1");
  refuses(sample::sync(), "[144]", "[1,2,3,4,5]", "\"strides\" has 5 entries, more than 4");
}

TEST_CASE("of another access a warp has a block, and 32 lanes") {
  const Diagnostic said = sample::diagnostic();
  refuses(said, "\"lane\":31", "\"lane\":32", "\"lane\" is not from 0 to 31");
  refuses(said, "\"warp\":3,", "\"warp\":32,", "\"warp\" is not from 0 to 31");
  refuses(said, "[{\"block\":[1,0,0]", "[{\"block\":[1,0]", "\"block\" has 2 numbers, not 3");
  refuses(said, "\"against\":[", "\"against\":[1,",
          "an entry of \"against\" is a whole number, not an object");
}

TEST_CASE("every required key is missed") {
  for (const Event& event : sample::trace().events) {
    const std::string line = to_line(event);
    for (std::size_t at = 0; (at = line.find("\":", at)) != std::string::npos; ++at) {
      const std::size_t start = line.rfind('"', at - 1) + 1;
      const std::string key = line.substr(start, at - start);
      const bool optional = key == "file" || key == "line" || key == "ptx_line" || key == "watch" ||
                            key == "writes" || key == "details" || key == "panels" ||
                            key == "selection" || key == "caption" || key == "against" ||
                            key == "allocations" || key == "parameters" || key == "lane" ||
                            (key == "warp" && start > line.find("against")) ||
                            (std::holds_alternative<Sync>(event) &&
                             (key == "count" || key == "bytes" || key == "address" ||
                              key == "global" || key == "box"));
      std::string changed = line;
      changed.insert(start, "_");
      if (optional)
        CHECK_MESSAGE(read_lines({kHeader, changed}).ok(), key);
      else
        refuses(changed, "\"" + key + "\" is missing");
    }
  }
}

TEST_CASE("every value is refused when it has another type") {
  for (const Event& event : sample::trace().events) {
    const std::string line = to_line(event);
    for (std::size_t at = 0; (at = line.find("\":", at)) != std::string::npos; ++at) {
      CAPTURE(line.substr(0, at));
      // `"key":true,"_":` takes the value away from the key and gives it to another.
      for (const char* value : {"true", "null", "{}", "0.5", "1e3"}) {
        std::string changed = line;
        changed.insert(at + 2, std::string(value) + ",\"_\":");
        const ReadResult result = read_lines({kHeader, changed});
        REQUIRE_FALSE(result.ok());
        CHECK(result.error->line == 2);
      }
    }
  }
}

TEST_CASE("places out of range") {
  const Event f = sample::fragment();
  refuses(f, "\"launch\":2", "\"launch\":-1", "\"launch\" is not from 0 to 2147483647");
  refuses(f, "\"launch\":2", "\"launch\":2147483648", "\"launch\" is not from 0");
  refuses(f, "\"launch\":2", "\"launch\":99999999999999999999", "no JSON");
  refuses(f, "\"launch\":2", "\"launch\":18446744073709551615", "\"launch\" is not from 0");
  refuses(f, "\"launch\":2", "\"launch\":NaN", "no JSON");
  refuses(f, "\"launch\":2", "\"launch\":Infinity", "no JSON");
  refuses(f, "\"warp\":7", "\"warp\":32", "\"warp\" is not from 0 to 31");
  refuses(f, "[3,4,5]", "[3,4]", "\"block\" has 2 numbers, not 3");
  refuses(f, "[3,4,5]", "[3,4,5,6]", "\"block\" has 4 entries, more than 3");
  refuses(f, "[3,4,5]", "[3,-4,5]", "\"block\" has a value");
  refuses(f, "[3,4,5]", "[3,4.5,5]", "\"block\" has a value");
  refuses(f, "[3,4,5]", "[3,\"4\",5]", "\"block\" has a value");
  refuses(f, "\"line\":41", "\"line\":-1", "\"line\" is not from 0");
}

TEST_CASE("launches out of range") {
  const Event launch = Launch{0, "k", {2, 3, 4}, {32, 2, 1}, 64, {}};
  refuses(launch, "[2,3,4]", "[0,3,4]", "\"grid\" has a value that is no whole number from 1");
  refuses(launch, "[32,2,1]", "[1025,2,1]",
          "\"block\" has a value that is no whole number from 1 to 1024");
  refuses(launch, "bytes\":64", "bytes\":-1", "\"shared_bytes\" is not from 0");
  const Event with_memory = Launch{0, "k", {2, 3, 4}, {32, 2, 1}, 64, {{0x200, 7}}};
  refuses(with_memory, "0x200", "512", "\"address\" is not 0x and 1 to 16");
  refuses(with_memory, "\"bytes\":7", "\"bytes\":-7", "\"bytes\" is not from 0");
  refuses(with_memory, "[{", "[3,{", "an entry of \"allocations\" is a whole number");
}

TEST_CASE("registers") {
  const Event f = sample::fragment();
  refuses(f, "bits\":32", "bits\":16", "\"register_bits\" is 16, not 32 or 64");
  refuses(f, "bits\":32", "bits\":64", "register 0: lane 0: not 16 lower-case hexadecimal digits");
  refuses(f, "3c003c00 ", "", "register 0: 31 words, one for each of 32 or 128 lanes");
  refuses(f, "3c003c00 ", "3c003c00 3c003c00 ", "register 0: 33 words");
  refuses(f, "3c013c01", "3c013c0", "register 0: lane 1: not 8");
  refuses(f, "3c013c01", "3c013c011", "register 0: lane 1: not 8");
  refuses(f, "3c013c01", "3C013c01", "register 0: lane 1: not 8 lower-case hexadecimal digits");
  refuses(f, "3c013c01", "3c013cg1", "register 0: lane 1: not 8");
  refuses(f, "3c013c01", "0x013c01", "register 0: lane 1: not 8");
  refuses(f, "3c013c01 ", "3c013c01  ", "register 0: lane 2: not 8");
  refuses(f, "3c013c01 ", "3c013c01\\t", "register 0: lane 1: not 8");
  refuses(f, "3c013c01 ", "3c013c01,", "register 0: lane 1: not 8");
  refuses(f, "[\"3c003c00", "[\" 3c003c00", "register 0: lane 0: not 8");
  refuses(f, "\",\"3c003c01", " \",\"3c003c01", "register 0: lane 32: not 8");
  refuses(f, "\",\"3c003c01", "\",17,\"3c003c01",
          "\"registers\" has a whole number where a string");
  refuses(f, "\",\"3c003c01", "\",\"\",\"3c003c01", "register 1: lane 0: not 8");
  Fragment none = sample::fragment();
  none.registers.resize(1);
  std::string line = to_line(Event{none});
  const std::size_t start = line.find("[\""), end = line.find("\"]");
  line.replace(start, end + 2 - start, "[]");
  refuses(line, "\"registers\" is empty");
}

TEST_CASE("no more than 256 registers, all of as many lanes") {
  Fragment f = sample::fragment();
  f.registers.assign(256, f.registers[0]);
  REQUIRE(read_lines({kHeader, to_line(Event{f})}).ok());
  f.registers.push_back(f.registers[0]);
  refuses(to_line(Event{f}), "\"registers\" has 257 entries, more than 256");

  Fragment wide = sample::warpgroup_fragment();
  wide.register_bits = 32;
  wide.registers = {sample::counted(128, 0, 1)};
  Fragment narrow = sample::fragment();
  const std::string narrow_line = to_line(Event{narrow});
  const std::size_t from = narrow_line.find("[\"") + 1, to = narrow_line.find("\"", from + 1) + 1;
  refuses(with(to_line(Event{wide}), "\"]", "\"," + narrow_line.substr(from, to - from) + "]"),
          "register 1 has 32 lanes, register 0 has 128");
}

TEST_CASE("a warpgroup starts at a multiple of four") {
  refuses(Event{sample::warpgroup_fragment()}, "\"warp\":4", "\"warp\":6",
          "\"warp\" is 6, a warpgroup starts at a multiple of 4");
}

TEST_CASE("tiles") {
  const Event m = sample::memory();
  refuses(m, "\"shared\"", "\"local\"", "\"space\" is neither shared nor global");
  refuses(m, "\"rows\":3", "\"rows\":2", "\"bytes\" has 3 rows, \"rows\" says 2");
  refuses(m, "\"rows\":3", "\"rows\":0", "\"rows\" is not from 1");
  refuses(m, "\"rows\":3", "\"rows\":1000000000", "\"rows\" is not from 1 to 1048576");
  refuses(m, "\"cols\":5", "\"cols\":4", "row 0 has 10 bytes");
  refuses(m, "\"cols\":5", "\"cols\":2000000000", "\"cols\" is not from 1 to 1048576");
  refuses(m, "\"bf16\"", "\"f32\"", "row 0 has 10 bytes, 5 of type f32 do not");
  refuses(m, "[\"00", "[\"0", "row 0: not two lower-case hexadecimal digits a byte");
  refuses(m, "[\"00", "[\"0G", "row 0: not two");
  refuses(m, "[\"00", "[\"", "row 0 has 9 bytes");
  refuses(m, "\"0x410\"", "\"410\"", "\"address\" is not 0x");
  refuses(m, "\"0x410\"", "\"0x\"", "\"address\" is not 0x");
  refuses(m, "\"0x410\"", "\"0x11112222333344445\"", "\"address\" is not 0x");
  refuses(m, "\"0x410\"", "1040", "\"address\" is a whole number, not a string");
  refuses(m, "_bytes\":-64", "_bytes\":-6.4", "\"row_stride_bytes\" is a fraction");
}

TEST_CASE("rows of narrow types: dense, or a byte an element") {
  const auto reads = [](const char* type, int cols, int row_bytes) {
    Memory m = sample::memory();
    m.type = type;
    m.rows = 2;
    m.cols = cols;
    m.bytes.assign(static_cast<std::size_t>(2 * row_bytes), 0x21);
    return read_lines({kHeader, to_line(Event{m})}).ok();
  };
  CHECK(reads("e2m1", 5, 3));
  CHECK(reads("e2m1", 5, 5));
  CHECK_FALSE(reads("e2m1", 5, 4));
  CHECK(reads("b1", 17, 3));
  CHECK_FALSE(reads("b1", 17, 2));
  CHECK(reads("tf32", 2, 8));
  CHECK_FALSE(reads("tf32", 2, 6));
  CHECK_FALSE(reads("f16", 2, 2));
  CHECK(reads("a type of tomorrow", 7, 3));
  CHECK(reads("a type of tomorrow", 7, 1));
}

TEST_CASE("steps") {
  const Event s = sample::step();
  refuses(s, "\"step\":123456789012", "\"step\":-1", "\"step\" is not from 0");
  refuses(s, "\"0000ffff\"", "\"ffff\"", "\"active\" is not eight lower-case");
  refuses(s, "\"0000ffff\"", "\"0000FFFF\"", "\"active\" is not eight lower-case");
  refuses(s, "\"0000ffff\"", "65535", "\"active\" is a whole number");
  refuses(s, "\"bits\":1,", "\"bits\":2,", "\"bits\" is 2, not 1, 8, 16, 32 or 64");
  refuses(s, "\"bits\":16,", "\"bits\":32,", "\"lanes\": lane 0: not 8");
  refuses(s, "\"0 0 0", "\"2 0 0", "a word has more than 1 bits");
  refuses(s, "\"0 0 0", "\"0 0", "\"lanes\": 31 words");
  refuses(s, "\"writes\":[", "\"writes\":[5,",
          "an entry of \"writes\" is a whole number, not an object");
  refuses(s, "\"name\":\"%p2\",", "", "\"name\" is missing");
  Step wide = sample::step();
  std::string line = to_line(Event{wide});
  std::string words = "0";
  for (int i = 1; i < 128; ++i) words += " 0";
  const std::size_t start = line.find("\"0 0 0"), end = line.find('"', start + 1);
  refuses(line.replace(start, end + 1 - start, "\"" + words + "\""),
          "\"lanes\" has 128 words, not 32");
}

TEST_CASE("accesses") {
  const Event a = sample::access();
  refuses(a, "lane\":16", "lane\":3", "\"bytes_per_lane\" is 3, not 1, 2, 4, 8 or 16");
  refuses(a, "lane\":16", "lane\":0", "\"bytes_per_lane\" is 0");
  refuses(a, "lane\":16", "lane\":32", "\"bytes_per_lane\" is not from 0 to 16");
  refuses(a, "0000fff0 ", "", "\"addresses\": 31 words");
  refuses(a, "0000fff0", "fff0", "\"addresses\": lane 0");
}

TEST_CASE("an access of several pieces a lane, as wmma has them") {
  Access pieces = sample::access();
  pieces.addresses.insert(pieces.addresses.end(), 32, 0x10);
  pieces.addresses.insert(pieces.addresses.end(), 32, 0x20);
  const std::string line = to_line(Event{pieces});
  CHECK(line.find(",\"more\":[\"00000010 ") != std::string::npos);
  const ReadResult result = read_lines({kHeader, line});
  REQUIRE(result.ok());
  CHECK(result.trace.events[0] == Event{pieces});
  refuses(pieces, "\"more\":[\"00000010 ", "\"more\":[\"", "an entry of \"more\": 31 words");
  refuses(pieces, "\"more\":[\"00000010", "\"more\":[\"10", "an entry of \"more\": lane 0");
  Trace one = sample::trace(), other = one;
  one.events = {pieces};
  pieces.addresses.back() = 0x24;
  other.events = {pieces};
  const auto found = differences(one, other, 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text.ends_with("lane 31, address: 00000020 in a, 00000024 in b"));
}
