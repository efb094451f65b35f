// SPDX-License-Identifier: MIT
// `lanescope run KERNEL.ptx` as somebody calls it who has a text of PTX and nothing else.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"
#include "trace/reader.hpp"

using namespace lanescope;

namespace {

const std::string kHead = ".version 8.7\n.target sm_80\n.address_size 64\n";
// out[i] = factor * in[i]
const std::string kScale =
    ".visible .entry scale(.param .u64 to, .param .u64 from, .param .f32 factor)\n"
    "{\n"
    ".reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<6>;\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
    "mad.lo.u32 %r4, %r2, %r3, %r1;\n"
    "ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from]; ld.param.f32 %f1, [factor];\n"
    "mad.wide.u32 %rd3, %r4, 4, %rd2; mad.wide.u32 %rd4, %r4, 4, %rd1;\n"
    "ld.global.f32 %f2, [%rd3]; mul.f32 %f3, %f1, %f2; st.global.f32 [%rd4], %f3;\n"
    "ret;\n}\n";

std::string written(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::temp_directory_path() / "lanescope launcher";
  std::filesystem::create_directories(folder);
  const auto path = folder / name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}
std::string scale() { return written("scale.ptx", kHead + kScale); }

void refused(const std::string& file, const std::vector<std::string>& words, const char* why) {
  const tests::Finished ran = tests::emulate(file, {}, words);
  CHECK_MESSAGE(ran.exit_code == 2, ran.err);
  CHECK_MESSAGE(ran.err.find(why) != std::string::npos, ran.err);
  CHECK(ran.err.rfind("lanescope: ", 0) == 0);
  CHECK_MESSAGE(ran.err.find('\n') == ran.err.size() - 1, ran.err);
  CHECK(ran.out == "");
}

}  // namespace

TEST_CASE("a kernel is launched, and what it left in memory is said") {
  const std::vector<std::string> words{"--grid",  "2",           "--block", "4",
                                       "f32:2x4", "f32:8=index", "f32=2.5"};
  const tests::Finished ran = tests::emulate(scale(), {}, words);
  CHECK(ran.err == "");
  CHECK(ran.exit_code == 0);
  CHECK(ran.out ==
        "parameter 0, f32:2x4: changed, bits 5c2a2d4a5bc52529, begins 0 2.5 5 7.5 10 12.5 ...\n"
        "parameter 1, f32:8: unchanged\n");
  std::vector<std::string> printed = words;
  printed.emplace_back("--print");
  CHECK(tests::emulate(scale(), {}, printed).out ==
        "parameter 0, f32:2x4: changed, bits 5c2a2d4a5bc52529\n  0 2.5 5 7.5\n  10 12.5 15 17.5\n"
        "parameter 1, f32:8: unchanged\n");
}

TEST_CASE("what a kernel leaves is compared with what another left, to the bit") {
  const auto folder = std::filesystem::temp_directory_path() / "lanescope launcher" / "left";
  std::filesystem::create_directories(folder);
  const std::vector<std::string> words{"--block", "4", "f32:2x2", "f32:4=index"};
  const auto with = [&](const std::string& factor, const std::string& option) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"f32=" + factor, option, folder});
    return tests::emulate(scale(), {}, all);
  };
  CHECK(with("2", "--write").exit_code == 0);
  const tests::Finished same = with("2", "--like");
  CHECK(same.exit_code == 0);
  CHECK_MESSAGE(
      same.out.find("\nall memory is as in " + folder.string() + "\n") != std::string::npos,
      same.out);
  const tests::Finished other = with("3", "--like");
  CHECK(other.exit_code == 1);
  CHECK(other.err == "lanescope: parameter 0, f32:2x2: 3 of 4 elements are not as in " +
                         folder.string() + "/parameter_0.bin, first [0][1]: 3 instead of 2\n");
  // 0 and -0 are not the same bits.
  CHECK(with("-0.0", "--write").exit_code == 0);
  CHECK(with("0", "--like").err.find("4 of 4 elements are not as in") != std::string::npos);
  refused(scale(), {"f32:2", "f32:2", "f32=1", "--like", "/nonexistent"},
          "--like '/nonexistent': no such folder; --write makes what is in it");
  const std::string empty = folder / "empty";
  std::filesystem::create_directories(empty);
  const tests::Finished none =
      tests::emulate(scale(), {}, {"--block", "2", "f32:2", "f32:2", "f32=1", "--like", empty});
  CHECK(none.exit_code == 2);
  CHECK(none.err == "lanescope: --like: there is no file " + empty +
                        "/parameter_0.bin; --write makes such files\n");
  const tests::Finished longer =
      tests::emulate(scale(), {}, {"--block", "2", "f32:2", "f32:2", "f32=1", "--like", folder});
  CHECK(longer.exit_code == 2);
  CHECK_MESSAGE(longer.err.find("parameter_0.bin has 16 bytes, f32:2 are 8") != std::string::npos,
                longer.err);
}

TEST_CASE("a trace has the names of parameters that do not say which they are") {
  const auto names = [](const std::string& file) {
    const std::string path =
        std::filesystem::temp_directory_path() / "lanescope launcher" / "names.lanes";
    const tests::Finished ran = tests::emulate(file, {"--steps", "all", "--trace", path},
                                               {"--block", "2", "f32:2", "f32:2", "f32=1"});
    CHECK_MESSAGE(ran.exit_code == 0, ran.err);
    const trace::ReadResult result = trace::read_file(path);
    REQUIRE(result.ok());
    for (const trace::Event& event : result.trace.events)
      if (const auto* launch = std::get_if<trace::Launch>(&event)) return launch->parameters;
    return std::vector<std::string>{"no launch"};
  };
  CHECK(names(scale()) == std::vector<std::string>{"to", "from", "factor"});
  std::string as_nvcc = kHead + kScale;
  for (const auto& [name, number] : {std::pair("to", "0"), {"from", "1"}, {"factor", "2"}})
    for (const std::string mark : {"[", "64 ", "32 "})
      for (const std::string behind : {"]", ",", ")"})
        if (const std::size_t at = as_nvcc.find(mark + name + behind); at != std::string::npos)
          as_nvcc.replace(at + mark.size(), std::string(name).size(),
                          std::string("scale_param_") + number);
  CHECK(names(written("as_nvcc.ptx", as_nvcc)).empty());
}

TEST_CASE("a text says in its first line how it is launched") {
  const std::string said =
      written("said.ptx", "// run: --block 4 f32:4 'f32:4=index'  f32=2\n" + kHead + kScale);
  CHECK(tests::emulate(said).out.find("begins 0 2 4 6\n") != std::string::npos);
  // Who says the parameters says all of it; options alone are added, or have the last word.
  CHECK(tests::emulate(said, {}, {"--block", "2", "f32:2", "f32:2=index", "f32=3"})
            .out.find("begins 0 3\n") != std::string::npos);
  CHECK(tests::emulate(said, {}, {"--print"}).out.find("\n  0 2 4 6\n") != std::string::npos);
  CHECK(tests::emulate(said, {}, {"--block", "2"}).out.find("begins 0 2 0 0\n") !=
        std::string::npos);
  refused(written("nonsense.ptx", "// run: f33:4\n" + kHead + kScale), {},
          "parameter 0, 'f33:4': 'f33' is no type");
}

TEST_CASE("memory comes from a file, which must be as long") {
  const std::string numbers = written("numbers", std::string("\0\0\x80\x3f\0\0\0\x40", 8));
  CHECK(tests::emulate(scale(), {}, {"--block", "2", "f32:2", "f32:2=@" + numbers, "f32=3"})
            .out.find("begins 3 6\n") != std::string::npos);
  refused(scale(), {"f32:4", "f32:4=@" + numbers, "f32=3"}, "numbers has 8 bytes, f32:4 are 16");
  refused(scale(), {"f32:4", "f32:4=@/nonexistent", "f32=3"},
          "parameter 1: there is no file /nonexistent");
}

TEST_CASE("parameters must be as many and as large as the kernel's") {
  refused(scale(), {}, "scale has 3 parameters (of 8, 8, 4 bytes), 0 given");
  refused(scale(), {"f32:4", "f32:4", "f64=1"},
          "parameter 2, 'f64': the kernel's has 4 bytes, as a number of so many has");
  refused(scale(), {"f32:4", "u32=1", "f32=1"}, "as a pointer (f16:64x128) or an s64 have");
  refused(scale(), {"f32:4", "map:f32:4:4", "f32=1"}, "as a pointer");
  refused(scale(), {"f32:4", "f32:4", "three"}, "parameter 2, 'three': write f16:64x128=random");
}

// to[i] = factor * from[i], of struct { float* to; const float* from; float factor; }, as nvcc has
// it
const std::string kStruct =
    ".visible .entry packed(.param .align 8 .b8 p[24], .param .u32 add)\n"
    "{\n"
    ".reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<6>;\n"
    "mov.u32 %r4, %tid.x;\n"
    "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [p+8]; ld.param.f32 %f1, [p+16];\n"
    "mad.wide.u32 %rd3, %r4, 4, %rd2; mad.wide.u32 %rd4, %r4, 4, %rd1;\n"
    "ld.global.f32 %f2, [%rd3]; mul.f32 %f3, %f1, %f2; st.global.f32 [%rd4], %f3;\n"
    "ret;\n}\n";

TEST_CASE("a struct is given by its members, or by the bytes of a file") {
  const std::string packed = written("packed.ptx", kHead + kStruct);
  const tests::Finished ran =
      tests::emulate(packed, {}, {"--block", "4", "f32:4,f32:4=index,f32=2.5", "u32=0"});
  CHECK(ran.err == "");
  CHECK(ran.exit_code == 0);
  CHECK(ran.out.find("parameter 0.0, f32:4: changed, bits ") == 0);
  CHECK(ran.out.find(", begins 0 2.5 5 7.5\nparameter 0.1, f32:4: unchanged\n") !=
        std::string::npos);
  refused(packed, {"f32:4,f32:4", "u32=0"}, "the kernel's has 24 bytes, this struct 16; b32=0 is");
  refused(packed, {"f32:4", "u32=0"},
          "'f32:4': the kernel's has 24 bytes, a struct's: f16:64x128,u32=5 are its members");
  refused(packed, {"f32:4,f32:4,f33=1", "u32=0"}, "parameter 0.1, 'f32:4,f33=1': ");
  const std::string bytes = written("bytes", std::string(24, '\0'));
  CHECK(tests::emulate(packed, {}, {"@" + bytes, "u32=0"}).err.find("global address 0x0") !=
        std::string::npos);
  refused(packed, {"@" + bytes, "@" + bytes}, "parameter 1: ");
  refused(packed, {"@" + bytes, "@" + bytes}, "bytes has 24 bytes, the kernel's are 4");
  refused(packed, {"@/nonexistent", "u32=0"}, "parameter 0: there is no file /nonexistent");
}

TEST_CASE("a launch that no card has is refused") {
  const std::vector<std::string> parameters{"f32:32", "f32:32", "f32=1"};
  const auto with = [&](const char* option, const char* value) {
    std::vector<std::string> words = parameters;
    words.insert(words.end(), {option, value});
    return words;
  };
  refused(scale(), with("--block", "1025"), "block (1025, 1, 1): each must be 1 to");
  refused(scale(), with("--grid", "1,65536"), "grid (1, 65536, 1): each must be 1 to");
  refused(scale(), with("--cluster", "3"), "cluster (3, 1, 1) does not divide grid (1, 1, 1)");
}

TEST_CASE("one of several kernels is chosen by its name") {
  std::string other = kScale;
  other.replace(other.find("scale("), 6, "other(");
  const std::string two = written("two.ptx", kHead + kScale + other);
  const std::vector<std::string> words{"f32:32", "f32:32", "f32=1"};
  refused(two, words, "has 2 kernels; choose one: --kernel scale (of scale, other)");
  std::vector<std::string> chosen = words;
  chosen.insert(chosen.end(), {"--kernel", "other"});
  CHECK(tests::emulate(two, {}, chosen).exit_code == 0);
  chosen.back() = "third";
  refused(two, chosen, "--kernel 'third': ");
}

TEST_CASE("48 KiB that the launch sizes are asked for beside a kernel's own shared memory") {
  std::string both = kScale;
  both.replace(both.find("ret;"), 4, "mov.u32 %r1, own; st.shared.b32 [%r1], %r4; ret;");
  const std::string file = written(
      "both.ptx",
      kHead + ".extern .shared .align 16 .b8 pool[];\n.shared .align 8 .b8 own[16];\n" + both);
  const tests::Finished ran =
      tests::emulate(file, {}, {"--block", "4", "--shared", "49152", "f32:4", "f32:4", "f32=1"});
  CHECK_MESSAGE(ran.exit_code == 0, ran.err);
}

TEST_CASE("shared memory that the launch sizes is asked for") {
  std::string dynamic = kScale;
  dynamic.replace(dynamic.find("ret;"), 4, "mov.u32 %r1, pool; st.shared.b32 [%r1+60], %r4; ret;");
  const std::string pool =
      written("pool.ptx", kHead + ".extern .shared .align 16 .b8 pool[];\n" + dynamic);
  const std::vector<std::string> words{"f32:32", "f32:32", "f32=1"};
  refused(pool, words, "--shared BYTES");
  std::vector<std::string> sized = words;
  sized.insert(sized.end(), {"--shared", "64"});
  CHECK(tests::emulate(pool, {}, sized).exit_code == 0);
  sized.back() = "60";
  const tests::Finished small = tests::emulate(pool, {}, sized);
  CHECK(small.exit_code == 1);
  CHECK(small.err.find("is out of bounds, ") != std::string::npos);
  sized.back() = "1000000";
  refused(pool, sized, "1000000 bytes of dynamic shared memory; sm_90 has ");
}

TEST_CASE("what is in memory afterwards is written to files, one each") {
  const std::string packed = written("packed.ptx", kHead + kStruct);
  const std::string folder = written("made", "") + ".d";
  std::filesystem::remove_all(folder);
  const std::vector<std::string> words{
      "f32:4,f32:4=index,f32=2.5", "u32=0", "--block", "4", "--write", folder};
  refused(packed, words, "made.d': no such folder; make it first");
  std::filesystem::create_directories(folder);
  const tests::Finished ran = tests::emulate(packed, {}, words);
  CHECK(ran.err == "");
  CHECK(ran.exit_code == 0);
  const auto numbers = [&](const char* name) {
    std::ifstream in(folder + "/" + name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::vector<float> all(text.size() / 4);
    std::memcpy(all.data(), text.data(), all.size() * 4);
    return all;
  };
  CHECK(numbers("parameter_0.0.bin") == std::vector<float>{0, 2.5, 5, 7.5});
  CHECK(numbers("parameter_0.1.bin") == std::vector<float>{0, 1, 2, 3});
  // What was written is read again.
  const std::string in = "f32:4,f32:4=@" + folder + "/parameter_0.0.bin,f32=2";
  CHECK(tests::emulate(packed, {}, {in, "u32=0", "--block", "4"}).out.find("begins 0 5 10 15") !=
        std::string::npos);
  std::filesystem::remove(folder + "/parameter_0.1.bin");
  std::filesystem::create_directories(folder + "/parameter_0.1.bin");
  CHECK(tests::emulate(packed, {}, words).err.find("parameter_0.1.bin cannot be written: Is a") !=
        std::string::npos);
}

TEST_CASE("output that cannot be written is no success, however much it is") {
  const std::string command = tests::build_folder() / "bin/lanescope";
  for (const char* print : {"", " --print"})
    for (const char* where : {" > /dev/full", " >&-"}) {
      CAPTURE(print);
      CAPTURE(where);
      const tests::Finished ran =
          tests::run_process({"/bin/sh", "-c",
                              "exec '" + command + "' run '" + scale() +
                                  "' --grid 128 f32:64x64 f32:64x64=1 f32=3" + print + where});
      CHECK(ran.exit_code == 2);
      CHECK(ran.err.rfind("lanescope: the output cannot be written: ", 0) == 0);
      CHECK(ran.err.find('\n') == ran.err.size() - 1);
    }
}

TEST_CASE("what is no PTX, or wrong, is told in a line") {
  refused(written("empty.ptx", ""), {}, "empty.ptx has no kernel");
  refused(written("picture.ptx", std::string("\x89PNG\r\n\x1a\n\0\0\0\r", 13)), {},
          "has no kernel");
  refused("/nonexistent/kernel.ptx", {}, "cannot read /nonexistent/kernel.ptx");
  refused(std::filesystem::temp_directory_path() / "lanescope launcher" / "none.ptx", {},
          "cannot read ");
  std::filesystem::create_directories(written("folder.ptx", "") + ".d/a.ptx");
  refused(written("folder.ptx", "") + ".d/a.ptx", {}, "cannot read ");
  std::string wrong = kScale;
  wrong.replace(wrong.find("mul.f32"), 7, "mul.f99");
  refused(written("wrong.ptx", kHead + wrong), {"f32:4", "f32:4", "f32=1"},
          "wrong.ptx:11:28, check it with ptxas");
}

TEST_CASE("a kernel that the usual card cannot run runs as its own") {
  std::string text = kHead + kScale;
  text.replace(text.find("sm_80"), 5, "sm_100a");
  const std::vector<std::string> words{"f32:32", "f32:32", "f32=1"};
  const std::string newer = written("newer.ptx", text);
  const tests::Finished ran = tests::emulate(newer, {}, words);
  CHECK(ran.exit_code == 0);
  CHECK(ran.err.find("it runs as sm_100a") != std::string::npos);
  CHECK(tests::emulate(newer, {"--arch", "sm_80"}, words).exit_code == 2);
}

TEST_CASE("its steps are recorded, and its mistakes found") {
  const std::string trace = written("scale.lanes", "");
  const std::vector<std::string> words{"f32:32", "f32:32=index", "f32=2"};
  const tests::Finished ran = tests::emulate(scale(), {"--steps", "all", "--trace", trace}, words);
  CHECK(ran.exit_code == 0);
  std::ifstream in(trace);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK(text.find("scale.ptx") != std::string::npos);
  CHECK(text.find("mul.f32 %f3, %f1, %f2") != std::string::npos);
  const tests::Finished checked =
      tests::emulate(scale(), {"--check"}, {"--grid", "2", "f32:32", "f32:64", "f32=2"});
  CHECK(checked.exit_code == 1);
  CHECK_MESSAGE(checked.err.find("out-of-bounds: ") != std::string::npos, checked.err);
}
