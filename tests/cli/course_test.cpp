// SPDX-License-Identifier: MIT
// quiz and diagnose as a user calls them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>

#include "layout/instruction.hpp"
#include "tests/cli/process.hpp"
#include "tests/contents.hpp"

using namespace lanescope;
using test::Outcome;
using test::run_lanescope;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Outcome quiz(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "quiz");
  return run_lanescope(arguments);
}

/// What the quiz reveals of its first question: "lane 6, A.r1, high half".
std::string first_answer(const std::string& out) {
  const std::size_t lane = out.find(": lane ");
  REQUIRE(lane != std::string::npos);
  return out.substr(lane + 2, out.find('\n', lane) - lane - 2);
}

/// A trace with A's fragment of m16n8k16 as `lanes` says, and A itself.
std::string trace_of(bool exchanged, bool with_matrix) {
  const layout::Fragment& map =
      layout::find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")->A;
  std::string registers, rows;
  char word[16];
  for (int reg = 0; reg < 4; ++reg) {
    const int from = !exchanged || reg == 0 || reg == 3 ? reg : 3 - reg;
    registers += reg == 0 ? "\"" : ",\"";
    for (int lane = 0; lane < 32; ++lane) {
      const layout::Element low = map.element(lane, from * 2),
                            high = map.element(lane, from * 2 + 1);
      std::snprintf(word, sizeof word, "%s%04x%04x", lane == 0 ? "" : " ",
                    0x3000 + high.row * 16 + high.col, 0x3000 + low.row * 16 + low.col);
      registers += word;
    }
    registers += "\"";
  }
  for (int row = 0; row < 16; ++row) {
    rows += row == 0 ? "\"" : ",\"";
    for (int col = 0; col < 16; ++col) {
      std::snprintf(word, sizeof word, "%02x30", row * 16 + col);
      rows += word;
    }
    rows += "\"";
  }
  std::string text =
      "{\"lanescope_trace\":1,\"producer\":\"emulator\",\"device\":\"d\",\"arch\":\"sm_90a\","
      "\"program\":\"p\",\"command\":\"c\"}\n"
      "{\"event\":\"launch\",\"launch\":0,\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[32,1,1],"
      "\"shared_bytes\":0}\n"
      "{\"event\":\"fragment\",\"launch\":0,\"block\":[0,0,0],\"warp\":0,\"name\":\"A\","
      "\"instruction\":\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32\",\"operand\":\"A\","
      "\"register_bits\":32,\"registers\":[" +
      registers + "],\"file\":\"kernel.cu\",\"line\":12}\n";
  if (with_matrix)
    text +=
        "{\"event\":\"memory\",\"launch\":0,\"block\":[0,0,0],\"warp\":0,\"name\":\"A in shared "
        "memory\",\"space\":\"shared\",\"type\":\"f16\",\"rows\":16,\"cols\":16,\"address\":"
        "\"0x0\","
        "\"row_stride_bytes\":32,\"bytes\":[" +
        rows + "]}\n";
  return text;
}

/// The lessons' folders, with their pages and nothing else in them.
void put_lessons(const test::Folder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/lessons"))
    if (const std::string name = entry.path().filename().string(); name.find('_') == 2)
      folder.put("lessons/" + name + "/README.md", tests::contents_of(entry.path() / "README.md"));
}

}  // namespace

TEST_CASE("quiz asks, marks and reveals, the same for the same seed") {
  const Outcome one = quiz({"1", "--seed", "42", "--questions", "2", "--answers", "0 0 0;"});
  CAPTURE(one.out);
  CHECK(one.code == 0);
  CHECK(one.err == "");
  CHECK(has(one.out, "2 questions about lesson 1, seed 42"));
  CHECK(has(one.out, "of 2 right, seed 42.\n"));
  CHECK(quiz({"1", "--seed", "42", "--questions", "2", "--answers", "0 0 0;"}).out == one.out);
  CHECK(quiz({"1", "--seed", "43", "--questions", "2", "--answers", "0 0 0;"}).out != one.out);
}

TEST_CASE("quiz takes the right answer for right") {
  const std::string shown = quiz({"3", "--seed", "5", "--questions", "1", "--answers", ""}).out;
  const std::string answer =
      first_answer(shown);  // "lane 6, A.r1, high half" or "lane 9 names ..."
  const std::string words = answer.substr(0, answer.find(" names"));
  const Outcome outcome = quiz({"3", "--seed", "5", "--questions", "1", "--answers", words});
  CAPTURE(shown);
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "Right."));
  CHECK(has(outcome.out, "1 of 1 right, seed 5."));
}

TEST_CASE("quiz marks nonsense as wrong, says why, and goes on") {
  const Outcome outcome =
      quiz({"1", "--seed", "1", "--questions", "3", "--answers", "banana; 99 0 0; \x1b[31m"});
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "'banana' is no part of an answer"));
  CHECK(has(outcome.out, "0 of 3 right"));
  CHECK(!has(outcome.out, "\x1b"));
}

TEST_CASE("quiz shows no answer before it has one") {
  const Outcome outcome = run_lanescope({"quiz", "1", "--seed", "9"});  // the keyboard is closed
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "1. mma.sync"));
  CHECK(!has(outcome.out, "groupID"));
  CHECK(has(outcome.out, "Nothing answered. The same questions again: --seed 9\n"));
}

TEST_CASE("a quiz ends at q, quit or exit, however they are written") {
  const test::Folder folder;
  for (const char* word : {"q", "Q ", " quit", "Exit\r"}) {
    test::Setting setting;
    setting.input_path = folder.put("answers", "0 0 0\n" + std::string(word) + "\n1 1 1\n");
    const Outcome outcome = run_lanescope({"quiz", "1", "--seed", "42"}, setting);
    CAPTURE(outcome.out);
    CHECK(outcome.code == 0);
    CHECK(!has(outcome.out, "is no part of an answer"));
    CHECK(has(outcome.out, "\n0 of 1 right, seed 42.\n"));
  }
}

TEST_CASE("a quiz repeats of a long answer no more than shows which one it was") {
  const std::string novel(300, 'x');
  const test::Folder folder;
  test::Setting setting;
  setting.input_path = folder.put("answers", novel + "\nq\n");
  for (const Outcome& outcome : {run_lanescope({"quiz", "1", "--seed", "42"}, setting),
                                 quiz({"1", "--seed", "42", "--answers", novel})}) {
    CAPTURE(outcome.out);
    CHECK(outcome.code == 0);
    CHECK(has(outcome.out, "   > xxxxx"));
    CHECK(has(outcome.out, "x ...' is no part of an answer"));
    CHECK(!has(outcome.out, novel.substr(0, 41)));
  }
}

TEST_CASE("answers from a file stand where somebody would have typed them") {
  const test::Folder folder;
  test::Setting setting;
  setting.input_path = folder.put("answers", "banana\n\x1b[31m 0 0\n0 0 0\nq\n");
  const Outcome outcome = run_lanescope({"quiz", "1", "--seed", "42"}, setting);
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "   > banana\n   'banana' is no part of an answer"));
  CHECK(has(outcome.out, "   > 0 0 0\n   "));
  CHECK(has(outcome.out, "   > q\n0 of 1 right, seed 42.\n"));
  CHECK(!has(outcome.out, "\x1b"));
}

// In a project that has lost all but the lessons' pages: each command says which it would take.
TEST_CASE("a lesson is called by its number, its name, or a part of it") {
  const test::Folder folder;
  put_lessons(folder);
  test::Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  folder.put("build/CMakeCache.txt", "");  // built, and there was no nvcc
  setting.environment["LANESCOPE_BUILD"] = folder / "build";
  for (const char* word : {"4", "04", "04_banks_and_swizzle", "swizzle", "Swizzle", "banks-and"}) {
    CAPTURE(std::string(word));
    for (const char* command : {"lesson", "check", "watch"})
      CHECK(has(run_lanescope({command, word}, setting).err, "lesson 4 needs the CUDA toolkit"));
    CHECK(has(run_lanescope({"hint", word}, setting).err, "/04_banks_and_swizzle/hints.md"));
    CHECK(has(run_lanescope({"solution", word}, setting).err, " hint 4"));
    CHECK(has(run_lanescope({"reset", word}, setting).err, "/04_banks_and_swizzle/solution.cu"));
    CHECK(has(run_lanescope({"view", "--text", word}, setting).err, "no trace of lesson 4 in "));
    CHECK(has(run_lanescope({"diff", word, "1"}, setting).err, "no trace of lesson 4 in "));
    CHECK(has(run_lanescope({"diagnose", word}, setting).err, "exercise 4 has left no trace"));
    CHECK(has(quiz({word, "--seed", "1", "--answers", ""}).out, "5 questions about lesson 4,"));
  }
  CHECK(
      has(run_lanescope({"lesson", "09_wgmma"}, setting).err, "lesson 9 needs"));  // the whole name
  folder.put("traces/04_banks_and_swizzle.cpu.lanes", trace_of(false, true));
  CHECK(run_lanescope({"diff", "swizzle", "banks"}, setting).code == 0);
  CHECK(run_lanescope({"view", "--text", "swizzle"}, setting).code == 0);
  folder.put("traces/check/04_banks_and_swizzle.lanes", trace_of(true, true));
  CHECK(has(run_lanescope({"diagnose", "swizzle"}, setting).out, "registers"));
}

// An installed command whose checkout was moved.
TEST_CASE("without a checkout each command of the course says so, and what to do") {
  const test::Folder folder;
  const test::Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  const auto refused = [&](const std::vector<std::string>& words) {
    const Outcome outcome = run_lanescope(words, setting);
    CAPTURE(words.empty() ? "" : words[0]);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err == "lanescope: '" + folder.path() +
                             "' has no lessons; LANESCOPE_PROJECT wants a checkout of Lanescope\n");
  };
  refused({});
  for (const char* command : {"lesson", "check", "watch", "hint", "solution", "reset"})
    refused({command, "4"});
  for (const char* command : {"start", "progress"}) refused({command});
  refused({"check", "all"});
  refused({"view", "--text"});
  for (const char* command : {"view", "diagnose"}) refused({command, "4"});
  // Nobody knows the lessons' names then, and no file is called so.
  const std::string gone = "'" + folder.path() + "' has no lessons; LANESCOPE_PROJECT wants a ";
  for (const char* command : {"lesson", "check", "watch", "hint", "solution", "reset", "quiz"})
    CHECK(has(run_lanescope({command, "swizzle"}, setting).err,
              "'swizzle' is no lesson's number, and " + gone));
  for (const char* command : {"view", "diagnose"})
    CHECK(has(run_lanescope({command, "swizzle"}, setting).err,
              "lanescope: swizzle is no file, and " + gone));
  CHECK(
      has(run_lanescope({"view", "x.lanes"}, setting).err, "x.lanes is neither a trace file nor"));
  // What needs no checkout is answered.
  CHECK(quiz({"4", "--seed", "1", "--answers", ""}).code == 0);
  CHECK(run_lanescope({"layout", "--list", "m16n8k16"}, setting).code == 0);
}

TEST_CASE("a checkout that nobody has built is told to, not that it has no nvcc") {
  const test::Folder folder;
  folder.put("lessons/01_layout/exercise.cu", "");
  test::Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  setting.environment["LANESCOPE_BUILD"] = folder / "build";
  for (const char* command : {"lesson", "check", "watch"}) {
    const Outcome outcome = run_lanescope({command, "1"}, setting);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.err == "lanescope: nothing is built in '" + folder.path() + "/build'; '" +
                             folder.path() + "/learn' build does it\n");
  }
}

TEST_CASE("a part of several names, or of none, is refused with those it may be") {
  const test::Folder folder;
  put_lessons(folder);
  const test::Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  for (const char* command :
       {"lesson", "check", "watch", "hint", "solution", "reset", "quiz", "view", "diagnose"}) {
    CAPTURE(std::string(command));
    const auto refused = [&](const char* word, const char* why) {
      const Outcome outcome = run_lanescope({command, word}, setting);
      CAPTURE(outcome.err);
      CHECK(outcome.code == 2);
      CHECK(outcome.out == "");
      CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
      CHECK(has(outcome.err, why));
    };
    refused("wgmma", "'wgmma' may be 09_wgmma or 11_wgmma_types");
    refused("hgemm", "'hgemm' may be 06_naive_hgemm, 07_fast_hgemm or 13_hopper_hgemm");
    refused("a", "'a' is a part of 15 lessons' names; write more of it, or a number");
    refused("swizle", "; did you mean 04_banks_and_swizzle?\n");
    refused("hgmem", "did you mean 06_naive_hgemm, 07_fast_hgemm or 13_hopper_hgemm?\n");
    refused("banks_and_swizle", "did you mean 04_banks_and_swizzle?\n");
  }
}

TEST_CASE("what is neither a file nor a lesson is answered with what to do, whoever is asked") {
  const auto refused = [](const std::vector<std::string>& words, const char* what) {
    const Outcome outcome = run_lanescope(words);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    CHECK(has(outcome.err, "xyzzy is neither a trace file nor "));
    CHECK(has(outcome.err, what));
  };
  refused({"view", "--text", "xyzzy"}, "`lanescope view 1` shows it");
  refused({"view", "--text", "1", "xyzzy"}, "`lanescope view 1` shows it");
  refused({"diff", "xyzzy", "1"}, "`lanescope view 1` shows it");
  refused({"diff", "1", "xyzzy"}, "`lanescope view 1` shows it");
  refused({"diagnose", "xyzzy"}, "`lanescope run --steps all --trace t.lanes PROGRAM`");
  // What the system does not say is missing is opened, and the reason told.
  const std::string too_long(300, 'x');
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"view", "--text", too_long},
        {"diff", too_long, "1"},
        {"diagnose", too_long}})
    CHECK(has(run_lanescope(words).err, "cannot be opened: File name too long"));
}

TEST_CASE("quiz refuses what it cannot ask in one line") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"20"},
        {"zero"},
        {"1", "--seed", "-1"},
        {"1", "--seed", "x"},
        {"1", "--questions", "0"},
        {"1", "--questions", "1", "--answers", "0 0 0; 1 1 1"}}) {
    const Outcome outcome = quiz(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.err.rfind("lanescope: ", 0) == 0);
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  }
}

TEST_CASE("diagnose names the mistake, where, and what to do; exit code 1") {
  const test::Folder folder;
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
  CHECK(has(run_lanescope({"diagnose", lessons + "14_attention" + steps}).out, words));
  CHECK_FALSE(has(run_lanescope({"diagnose", lessons + "03_ldmatrix" + steps}).out, words));
  const Outcome tensor = run_lanescope({"diagnose", lessons + "17_tensor_memory" + steps});
  CHECK(tensor.code == 0);
  CHECK(has(tensor.out, "B of sum 1, of 12 tcgen05.mma, lesson.cu:"));
  CHECK(has(tensor.out, "D of sum 1, of 12 tcgen05.mma, lesson.cu:"));
  CHECK(has(tensor.out, "3 operands compared, by where their elements came from; all are right"));
}

TEST_CASE("a number is an exercise to diagnose, what its last check recorded") {
  const test::Folder folder;
  put_lessons(folder);
  const test::Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  const Outcome none = run_lanescope({"diagnose", "3"}, setting);
  CHECK(none.code == 2);
  CHECK(
      has(none.err, "lanescope: 3 is no file, and exercise 3 has left no trace: `lanescope check"));
  CHECK(none.err.find('\n') == none.err.size() - 1);
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

TEST_CASE("numbers are lessons to diff") {
  const test::Folder folder;
  const test::Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", false};
  folder.put("traces/03_ldmatrix.cpu.lanes", trace_of(false, true));
  folder.put("traces/04_banks.cpu.lanes", trace_of(true, true));
  CHECK(run_lanescope({"diff", "3", "3"}, setting).code == 0);
  CHECK(run_lanescope({"diff", "3", "4"}, setting).code == 1);
  CHECK(run_lanescope({"diff", "3", "5"}, setting).code == 2);
}

TEST_CASE("diagnose says of steps without a product that another kernel may have one") {
  const test::Folder folder;
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

TEST_CASE("the list of lessons fits a narrow terminal") {
  const test::Folder folder;
  put_lessons(folder);
  test::Setting setting{{{"LANESCOPE_PROJECT", folder.path()}}, "", true};
  folder.put("progress.txt", "01_fragment_layout\n");
  const auto longest = [&](int columns) {
    setting.columns = columns;
    std::istringstream lines(run_lanescope({"progress"}, setting).out);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("  ", 0) == 0) most = std::max(most, line.find_last_not_of(" \r") + 1);
    return most;
  };
  CHECK(longest(40) <= 40);
  CHECK(longest(64) <= 64);
  CHECK(longest(80) > 60);
  setting.columns = 40;
  CHECK(has(run_lanescope({"progress"}, setting).out, "  06 A whole HGEMM"));
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
  const test::Folder folder;
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
  const test::Folder folder;
  const Outcome outcome = run_lanescope({"diagnose", folder.put("a.lanes", trace_of(false, true))});
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "right, all 256 elements of \"A in shared memory\"\n"));
  CHECK(has(outcome.out, "1 of 1 fragments compared; all are right\n"));
}

TEST_CASE("diagnose says what is missing when there is nothing to compare with") {
  const test::Folder folder;
  const Outcome outcome = run_lanescope({"diagnose", folder.put("a.lanes", trace_of(true, false))});
  CHECK(outcome.code == 2);
  CHECK(has(outcome.out, "not compared: the trace has no matrix A of type f16"));
  CHECK(has(outcome.err, "record that too, with RECORD_TILE"));
  const Outcome nothing = run_lanescope({"diagnose", folder / "nowhere.lanes"});
  CHECK(nothing.code == 2);
  CHECK(nothing.err.find("lanescope: ") == 0);
}

TEST_CASE("while it compiles, a terminal is told so, and the line is taken back") {
  const test::Folder folder;
  for (const char* name : {"README.md", "lesson.cu", "exercise.cu", "solution.cu", "check.cpp"})
    folder.put(std::string("lessons/01_layout/") + name, "# Lesson 01: layout\n");
  folder.put("build/CMakeCache.txt", "LANESCOPE_HAS_CUDA:INTERNAL=ON\n");
  folder.put("tools/cmake", "#!/bin/sh\necho 'exercise.cu(3): error: no'\nexit 1\n");
  std::filesystem::permissions(folder / "tools/cmake", std::filesystem::perms::owner_all);
  test::Setting setting;
  setting.environment = {{"LANESCOPE_PROJECT", folder.path()},
                         {"LANESCOPE_BUILD", folder / "build"},
                         {"PATH", folder / "tools" + ":/usr/bin:/bin"}};
  for (const char* command : {"check", "lesson"}) {
    CAPTURE(command);
    setting.terminal = false;
    const Outcome piped = run_lanescope({command, "1"}, setting);
    CAPTURE(piped.err);
    CHECK(piped.code == 1);
    CHECK(has(piped.err, "does not compile"));
    CHECK_FALSE(has(piped.out + piped.err, "Compiling"));
    setting.terminal = true;
    setting.columns = 300;
    const Outcome seen = run_lanescope({command, "1"}, setting);
    CAPTURE(seen.out);
    const std::size_t said = seen.out.find("Compiling ");
    REQUIRE(said != std::string::npos);
    const std::size_t end = seen.out.find(" ...\r", said);
    REQUIRE(end != std::string::npos);
    const std::string blanks(end + 4 - said, ' ');
    CHECK(seen.out.substr(end + 5, blanks.size() + 1) == blanks + "\r");
    setting.columns = 45;  // a line that is broken could not be taken back
    const Outcome narrow = run_lanescope({command, "1"}, setting);
    CHECK(narrow.out.find('\r') == 44);
  }
}
