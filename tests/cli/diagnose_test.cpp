// SPDX-License-Identifier: MIT
// diagnose as a user calls it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>

#include "tests/cli/course_folder.hpp"
#include "tests/contents.hpp"

using namespace lanescope;
using namespace lanescope::test;

TEST_CASE("diagnose names the mistake, where, and what to do; exit code 1") {
  const Folder folder;
  const Outcome outcome = run_lanescope({"diagnose", folder.put("a.lanes", trace_of(true, true))});
  CAPTURE(outcome.out);
  CHECK(outcome.code == 1);
  CHECK(has(outcome.out,
            "A of launch 0, block 0,0,0, warp 0: registers A.r1 and A.r2 are exchanged\n"));
  CHECK(has(outcome.out, "128 of 256 elements are not where \"A in shared memory\" has them"));
  CHECK(has(outcome.out, "lane 0, A.r1, low half: expected A[8][0] = "));
  CHECK(has(outcome.out, "Recorded at kernel.cu:12.\n"));
  CHECK(has(outcome.out, "What to do: "));
  CHECK(has(outcome.out, "1 of 1 fragments compared; one is wrong\n"));
}

TEST_CASE("diagnose says of how many operands it says nothing") {
  const std::string lessons = LANESCOPE_SOURCE_DIR "/lessons/", steps = "/recorded.steps.lanes.zst";
  const char* words = " not compared, for the reasons above: they may be right or wrong\n";
  CHECK(has(run_lanescope({"diagnose", lessons + "10_descriptors" + steps}).out, words));
  CHECK_FALSE(has(run_lanescope({"diagnose", lessons + "14_attention" + steps}).out, words));
  CHECK_FALSE(has(run_lanescope({"diagnose", lessons + "03_ldmatrix" + steps}).out, words));
  const Outcome tensor = run_lanescope({"diagnose", lessons + "17_tensor_memory" + steps});
  CHECK(tensor.code == 0);
  CHECK(has(tensor.out, "B of sum 1, of 12 tcgen05.mma, lesson.cu:"));
  CHECK(has(tensor.out, "D of sum 1, of 12 tcgen05.mma, lesson.cu:"));
  CHECK(has(tensor.out, "3 operands compared, by where their elements came from; all are right"));
}

TEST_CASE("a number is an exercise to diagnose, what its last check recorded") {
  const Folder folder;
  put_lessons(folder);
  const Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  const Outcome none = run_lanescope({"diagnose", "3"}, setting);
  CHECK(none.code == 2);
  CHECK(
      has(none.err, "lanescope: 3 is no file, and exercise 3 has left no trace: `lanescope check"));
  CHECK(none.err.find('\n') == none.err.size() - 1);
  CHECK(has(run_lanescope({"diagnose", "98"}, setting).err, "there is no lesson 98"));
  folder.put("traces/03_ldmatrix.cpu.lanes", trace_of(false, true));  // the lesson's is another
  folder.put("traces/check/03_ldmatrix.lanes", trace_of(true, true));
  const Outcome found = run_lanescope({"diagnose", "3"}, setting);
  CHECK(found.code == 1);
  CHECK(has(found.out, "registers A.r1 and A.r2 are exchanged"));
  // An exercise that records no matrix: nobody can add one to it.
  folder.put("traces/check/11_wgmma_types.lanes", trace_of(true, false));
  const Outcome without = run_lanescope({"diagnose", "11"}, setting);
  CHECK(without.code == 2);
  CHECK(without.out == "");
  CHECK(has(without.err, "lanescope: exercise 11 records no matrix to compare with: its check"));
  CHECK(has(without.err, " check 11\n"));
}

TEST_CASE("diagnose says of steps without a product that another kernel may have one") {
  const Folder folder;
  std::string lanes;
  for (int lane = 0; lane < 32; ++lane) lanes += lane == 0 ? "00000007" : " 00000007";
  const std::string text =
      R"({"lanescope_trace":1,"producer":"emulator","device":"Lanescope emulator","arch":"sm_90a","program":"p","command":"./p"})"
      "\n"
      R"({"event":"launch","launch":0,"kernel":"fill","grid":[1,1,1],"block":[32,1,1],"shared_bytes":0})"
      "\n"
      R"({"event":"step","launch":0,"block":[0,0,0],"warp":0,"step":0,"ptx":"mov.u32 %r1, 7;","active":"ffffffff","writes":[{"name":"%r1","bits":32,"lanes":")" +
      lanes + "\"}]}\n";
  const Outcome outcome = run_lanescope({"diagnose", folder.put("fill.lanes", text)});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 2);
  CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  CHECK(has(outcome.err, "has steps, but none of them multiplies by mma, wmma or wgmma"));
  CHECK(has(outcome.err,
            "lanescope run --steps mma takes the first kernel that does, kernel=NAME,launch=N,... "
            "chooses"));
}

TEST_CASE("diagnose lists what it knows; without a trace it wants one") {
  const Outcome outcome = run_lanescope({"diagnose", "--list"});
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out,
            "  registers-exchanged    two registers exchanged, such as A.r1 and A.r2\n"));
  CHECK(has(outcome.out,
            "  descriptor-stride      LBO or SBO of a descriptor wrong, or exchanged\n"));
  CHECK(run_lanescope({"diagnose"}).code == 2);
  CHECK(run_lanescope({"diagnose", "--list", "a.lanes"}).code == 2);
}

TEST_CASE("diagnose lists every mistake that the sources have a name for") {
  const std::string listed = run_lanescope({"diagnose", "--list"}).out;
  const std::string root = LANESCOPE_SOURCE_DIR;
  const std::regex name("\\{\"([a-z-]+)\",");
  int names = 0;
  for (const char* folder : {"/common/trace", "/viz/panels/way"})
    for (const auto& file : std::filesystem::directory_iterator(root + folder)) {
      const std::string source = tests::contents_of(file.path());
      const std::size_t begin = source.find("KnownMistake> all{");
      if (begin == std::string::npos) continue;
      const std::string list = source.substr(begin, source.find("return all;", begin) - begin);
      for (std::sregex_iterator one(list.begin(), list.end(), name), end; one != end; ++one) {
        ++names;
        CHECK_MESSAGE(has(listed, "  " + one->str(1) + " "), one->str(1));
      }
    }
  CHECK(names == std::count(listed.begin(), listed.end(), '\n'));
}

TEST_CASE("diagnose gives the same advice once") {
  const Folder folder;
  std::string text = trace_of(true, true);
  const std::size_t at = text.find("{\"event\":\"fragment\"");
  std::string second = text.substr(at, text.find('\n', at) + 1 - at);
  second.replace(second.find("\"name\":\"A\""), 10, "\"name\":\"A again\"");
  text.insert(text.find('\n', at) + 1, second);
  const Outcome outcome = run_lanescope({"diagnose", folder.put("a.lanes", text)});
  CAPTURE(outcome.out);
  CHECK(outcome.code == 1);
  CHECK(has(outcome.out, "A of launch 0"));
  CHECK(has(outcome.out, "A again of launch 0"));
  const std::size_t advice = outcome.out.find("What to do: ");
  REQUIRE(advice != std::string::npos);
  CHECK(outcome.out.find("What to do: ", advice + 1) == std::string::npos);
  CHECK(has(outcome.out, "2 of 2 fragments compared; 2 are wrong\n"));
}

TEST_CASE("diagnose calls right what is right; exit code 0") {
  const Folder folder;
  const Outcome outcome = run_lanescope({"diagnose", folder.put("a.lanes", trace_of(false, true))});
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "right, all 256 elements of \"A in shared memory\"\n"));
  CHECK(has(outcome.out, "1 of 1 fragments compared; all are right\n"));
}

TEST_CASE("diagnose says what is missing when there is nothing to compare with") {
  const Folder folder;
  const Outcome outcome = run_lanescope({"diagnose", folder.put("a.lanes", trace_of(true, false))});
  CHECK(outcome.code == 2);
  CHECK(has(outcome.out, "not compared: the trace has no matrix A of type f16"));
  CHECK(has(outcome.err, "record that too, with RECORD_TILE"));
  const Outcome nothing = run_lanescope({"diagnose", folder / "nowhere.lanes"});
  CHECK(nothing.code == 2);
  CHECK(nothing.err.find("lanescope: ") == 0);
}
