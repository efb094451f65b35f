// SPDX-License-Identifier: MIT
// The command line itself: help, versions, and every wrong usage told in one line with exit code 2.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <set>

#include "cli/suggest.hpp"
#include "tests/cli/process.hpp"
#include "tests/lines_of.hpp"

using namespace lanescope;
using lanescope::tests::lines_of;
using test::Outcome;
using test::run_lanescope;
using test::shell_words;

namespace {

const std::set<std::string> kCommands{"start", "lesson", "check", "view", "layout", "diff", "run"};

std::set<std::string> listed_commands() {
  std::set<std::string> listed;
  for (const std::string& line : lines_of(run_lanescope({"--help"}).out))
    if (line.substr(0, 2) == "  " && line[2] >= 'a' && line[2] <= 'z')
      listed.insert(line.substr(2, line.find(' ', 2) - 2));
  return listed;
}

void refused(const std::vector<std::string>& arguments, const std::string& reason) {
  std::string shown;
  for (const std::string& argument : arguments) shown += argument + "|";
  CAPTURE(shown);
  const Outcome outcome = run_lanescope(arguments, {{{"DISPLAY", ""}}, "", false});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 2);
  CHECK(outcome.out == "");
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(outcome.err.find("lanescope: ") == 0);
  CHECK(outcome.err.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("--version") {
  const Outcome outcome = run_lanescope({"--version"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out.find("lanescope ") == 0);
  CHECK(lines_of(outcome.out).size() == 1);
}

TEST_CASE("--help lists the commands, each with a line of its own, in 100 columns") {
  const Outcome outcome = run_lanescope({"--help"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  for (const std::string& line : lines_of(outcome.out)) CHECK(line.size() <= 100);
  const std::set<std::string> listed = listed_commands();
  for (const std::string& command : kCommands) CHECK_MESSAGE(listed.count(command) == 1, command);
}

TEST_CASE("every listed command has a help of its own") {
  for (const std::string& command : listed_commands()) {
    CAPTURE(command);
    const Outcome outcome = run_lanescope({command, "--help"});
    CHECK(outcome.code == 0);
    CHECK(outcome.err == "");
    CHECK(outcome.out.find("Usage: lanescope " + command) != std::string::npos);
    for (const std::string& line : lines_of(outcome.out)) CHECK(line.size() <= 100);
  }
}

TEST_CASE("the examples of every help work as they stand") {
  int tried = 0;
  for (const char* command : {"view", "layout", "output", "swizzle", "descriptor"}) {
    const std::string help = run_lanescope({command, "--help"}).out;
    const std::size_t examples = help.find("\nExamples:\n");
    REQUIRE_MESSAGE(examples != std::string::npos, command);
    for (const std::string& line : lines_of(help.substr(examples + 11))) {
      if (line.empty()) continue;
      CAPTURE(line);
      std::vector<std::string> words = shell_words(line);
      REQUIRE(words.size() > 2);
      CHECK(words[0] == "lanescope");
      CHECK(words[1] == command);
      words.erase(words.begin());
      const Outcome outcome = run_lanescope(words, {{{"DISPLAY", ""}}, "", false});
      CHECK(outcome.code == 0);
      CHECK(outcome.err == "");
      CHECK(lines_of(outcome.out).size() >= 3);
      ++tried;
    }
  }
  CHECK(tried == 19);
}

TEST_CASE("unknown commands: the nearest, or all of them") {
  refused({"veiw"}, "no command 'veiw'; did you mean 'view'?");
  refused({"lessen", "1"}, "did you mean 'lesson'?");
  refused({"lay"}, "did you mean 'layout'?");
  refused({"test"}, "no command 'test': that one is ./learn's, ./learn test");
  refused({"build"}, "./learn build in the project's folder");
  refused({"xyzzy"}, "no command 'xyzzy'; there are ");
  refused({""}, "no command ''; there are ");
  refused({"1"}, "no command '1'; there are ");
  refused({"two\nlines\x1b[31m"}, "no command 'two lines [31m'");
  refused({std::string(5000, 'x')}, "xxx...'; there are");
}

TEST_CASE("unknown options and too many words") {
  refused({"--bogus"}, "--bogus; see `lanescope --help`");
  refused({"view", "--bogus"}, "--bogus; see `lanescope view --help`");
  refused({"view", "a", "b", "c"},
          "view: 'c' is one word too many: lanescope view [TRACE] [OTHER]; see `lanescope view");
  refused({"view", "a", "b", "c", "d"}, "view: 'c' is one word too many");
  refused({"view", "a", "b", "c", "--bogus"}, "no option --bogus; see `lanescope view --help`");
  refused({"lesson", "1", "2"}, "lesson: '2' is one word too many: lanescope lesson [LESSON]; ");
  refused({"diff", "a", "b", "c"}, "diff: 'c' is one word too many: lanescope diff A B; ");
  refused({"progress", "x"}, "progress: 'x' is one word too many: lanescope progress; ");
  refused({"lesson", "view"}, "see `lanescope lesson --help`");
}

TEST_CASE("a mistyped option: the nearest of its command") {
  refused({"layout", "--elemnt", "9,5", "m16n8k16"}, "--elemnt; did you mean '--element'?");
  refused({"layout", "--elem=9,5", "m16n8k16"}, "did you mean '--element'?");
  refused({"view", "1", "--slect", "A 9,5"}, "did you mean '--select'?");
  refused({"run", "--chekc", "program"}, "did you mean '--check'?");
  refused({"--vesion"}, "did you mean '--version'?");
  refused({"descriptor", "--slect", "1"}, "--slect");  // another command's
  CHECK(run_lanescope({"descriptor", "--slect", "1"}).err.find("did you mean") ==
        std::string::npos);
}

TEST_CASE("help is asked for in two ways") {
  for (const char* command : {"layout", "run", "lesson"}) {
    CAPTURE(std::string(command));
    const Outcome outcome = run_lanescope({"help", command});
    CHECK(outcome.code == 0);
    CHECK(outcome.out == run_lanescope({command, "--help"}).out);
    CHECK(outcome.out.find(std::string("Usage: lanescope ") + command) != std::string::npos);
  }
  CHECK(run_lanescope({"help"}).out == run_lanescope({"--help"}).out);
  refused({"help", "layuot"}, "did you mean 'layout'?");
}

TEST_CASE("words that several instructions match: answered where all say the same") {
  const std::string exact =
      run_lanescope({"layout", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "--operand", "B",
                     "--element", "9,5"})
          .out;
  CHECK(exact.find("lane 22, B.r0.b1") != std::string::npos);
  const Outcome some =
      run_lanescope({"layout", "mma.m16n8k32", "s8", "--operand", "B", "--element", "9,5"});
  CHECK(some.code == 0);
  CHECK(some.out ==
        "3 instructions match, the same in all of them; shown: "
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32\n\n" +
            exact);
  // For programs there is no line more.
  CHECK(run_lanescope({"layout", "mma.m16n8k32", "s8", "--operand", "B", "--csv"}).out ==
        run_lanescope({"layout", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "--operand",
                       "B", "--csv"})
            .out);
  // f32 and f16 are another D.
  refused({"layout", "wgmma.m64n128k16", "--operand", "D"},
          "matches 3 instructions with 2 maps of D: ");
  refused({"layout", "wgmma.m64n128k16", "--operand", "D"}, "(and 1 alike)");
  refused({"layout", "wgmma.m64n128k16", "--operand", "B"}, "shared memory");  // of all three
  refused({"layout", "m16n8k32", "--operand", "Q"}, "matches ");
  // The examples begin with those that begin so: not with tcgen05.mma.
  refused({"layout", "mma"}, "such as mma.sync.aligned.");
}

TEST_CASE("what is printed has one form, what is asked is asked in one way") {
  refused({"layout", "--list", "--csv", "--json"}, "--csv and --json cannot be given together");
  refused({"swizzle", "64B", "--mode", "128B"},
          "swizzle: TILE and --mode cannot be given together;");
  refused({"descriptor", "128B", "--decode", "0x1"},
          "descriptor: WORDS and --decode cannot be given together; see `lanescope descriptor");
  refused({"layout", "m16n8k16", "--svg", "--markdown"},
          "--markdown and --svg cannot be given together");
}

TEST_CASE("a list of instructions is not asked about an element") {
  refused({"layout", "--list", "--element", "9,5"}, "; --element is asked of one, without them");
  refused({"layout", "m16n8k16", "--arch", "sm_80", "--lane", "3"}, "; --lane is asked of one");
  for (const char* option : {"--operand", "--register", "--selector", "--explain", "--becomes"})
    refused({"layout", "--type", "f16", option, "1"}, std::string(option) + " is asked of one");
  refused({"layout", "m16n8k16", "--explain", "9,5", "--csv"},
          "--explain and --csv cannot be given together");
  CHECK(run_lanescope({"layout", "mma.m16n8k16.f32.f16", "--element", "9,5", "--lane", "3"}).out ==
        "nothing: that lane or register does not hold this element\n");
}

TEST_CASE("missing words") {
  refused({"check"},
          "check: LESSON is missing: lanescope check LESSON; see `lanescope check --help`");
  refused({"diff"}, "diff: A is missing: lanescope diff A B; see `lanescope diff --help`");
  refused({"diff", "x.lanes"}, "diff: B is missing: lanescope diff A B;");
  refused({"diff", "x.lanes", "--colour"}, "no option --colour; see `lanescope diff --help`");
  refused({"diagnose"}, "diagnose: TRACE is missing: lanescope diagnose TRACE;");
  refused({"output"}, "output: INSTRUCTION is missing: lanescope output INSTRUCTION;");
  refused({"run"}, "run: PROGRAM is missing: lanescope run PROGRAM; see `lanescope run --help`");
  refused({"run", "--"}, "PROGRAM is missing");
  refused({"run", "--arch"}, "--arch: ARCH is missing; see `lanescope run --help`");
  refused({"run", "--bogus", "program"}, "--bogus; see `lanescope run --help`");
  refused({"view", "--screenshot"}, "--screenshot");
  refused({"view", "--screenshot", "t.lanes", "1"}, "'t.lanes' ends neither in .png nor in .svg");
  refused({"view", "--select"}, "--select: WORDS is missing; see");
  refused({"lesson", "--device"}, "--device: DEVICE is missing, one of auto gpu cpu; see");
  refused({"view", "--scale", "1", "--scale", "2"}, "--scale is given more than once; see");
}

TEST_CASE("a tile or a descriptor is told each thing once") {
  refused({"swizzle", "64B", "64B"}, "the swizzle is given twice: '64B' and '64B'");
  refused({"swizzle", "64B", "MN", "16", "64x16", "8"}, "the bits are given twice: '16' and '8'");
  refused({"swizzle", "K", "8x64", "MN"}, "the major is given twice: 'K' and 'MN'");
  refused({"view", "--swizzle", "8x64", "8x128", "--text"}, "the size is given twice: '8x64' and");
  refused({"descriptor", "128B", "sbo=512", "sbo=1024"}, "sbo is given twice: 'sbo=512' and 'sbo=");
  refused({"descriptor", "0x1", "0x2"}, "the descriptor is given twice: '0x1' and '0x2'");
  refused({"descriptor", "128B", "step=1", "32B"}, "the swizzle is given twice: '128B' and '32B'");
}

TEST_CASE("numbers that are none, or out of range") {
  for (const char* bad : {"0", "-1", "100", "abc", "1.5", "1x", "", " 1", "99999999999999999999"}) {
    refused({"check", bad}, "is neither a lesson's number, 1 to 23, nor a part of a lesson's name");
    if (*bad != '-') refused({"lesson", bad}, "is neither a lesson's number, 1 to 23");
  }
  refused({"lesson", "1", "--device", "tpu"}, "--device: 'tpu' is not one of auto gpu cpu");
  for (const char* bad : {"0", "0.4", "4.1", "nan", "inf", "big"})
    refused({"view", "--scale", bad}, "is not a number from 0.5 to 4");
  refused({"view", "--width", "10"}, "'10' is not a width in pixels, 320 to 16384");
  refused({"view", "--height", "1e9"}, "'1e9' is not a height in pixels, 240 to 16384");
  refused({"layout", "m16n8k16", "--lane", "x"}, "'x' is not a lane, 0 to 255");
  refused({"layout", "m16n8k16", "--register", "-1"}, "is not a register's index");
  refused({"run", "--seed", "2147483647"}, "PROGRAM is missing");  // that is one
  refused({"run", "--seed", "2147483648"}, "'2147483648' is not a seed, 1 to 2147483647");
  refused({"run", "--seed", "9999999999999999999999"}, "is not a seed, 1 to 2147483647");
  refused({"view", "--text", "--screenshot", "f.png"},
          "--text and --screenshot cannot be given together");
  refused({"view", "--atlas", "--swizzle"}, "--atlas and --swizzle cannot be given together");
  refused({"view", "--descriptor", "--swizzle", "--text"},
          "--swizzle and --descriptor cannot be given together");
  refused({"view", "--atlas", "--panel", "steps", "--text"},
          "--panel, --product and --tab are for");
  refused({"view", "--atlas", "movmatrix", "--select", "A 9,5", "--text"}, "--element 9,5");
  for (const char* option : {"--select", "--product", "--panel", "--tab", "--screenshot"})
    refused({"view", option, "", "1"}, "''");
  refused({"view", "--descriptor", "sbo=99999999999", "--text"}, "want a number");
}

TEST_CASE("architectures that nothing is, or that a GPU is not asked to be") {
  refused({"run", "--arch", "sm_999", "--", "/bin/true"},
          "--arch 'sm_999': the emulator can be sm_75, ");
  refused({"run", "--arch", "x", "--", "/bin/true"}, "--arch 'x': the emulator can be sm_75, ");
  refused({"lesson", "1", "--device", "gpu", "--arch", "sm_80"},
          "--arch says what the emulator is");
}

TEST_CASE("the words of a program are its own") {
  // Were --version or --help ours here, the exit code would be 0.
  refused({"run", "/nonexistent/program", "--version"}, "/nonexistent/program");
  refused({"run", "--", "/nonexistent/program", "--help"}, "/nonexistent/program");
  refused({"run", "--arch", "sm_80", "/nonexistent/program", "--bogus"}, "/nonexistent/program");
}

TEST_CASE("a trace does not take the place of a pipe or a device") {
  const test::Folder folder;
  const std::string pipe = folder / "pipe", file = folder / "file.lanes";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  folder.put("file.lanes", "an old trace");
  struct stat info {};
  for (const std::string& path : {pipe, file})
    run_lanescope({"run", "--trace", path, "--", "/bin/true"});
  REQUIRE(stat(pipe.c_str(), &info) == 0);
  CHECK(S_ISFIFO(info.st_mode));
  CHECK(stat(file.c_str(), &info) != 0);  // an old one must not pass for this run's
}

TEST_CASE("output that cannot be written is no success") {
  const Outcome outcome = run_lanescope({"--help"}, {{}, "/dev/full", false});
  CHECK(outcome.code == 2);
  CHECK(outcome.err.find("lanescope: the output cannot be written: No space left") == 0);
  CHECK(lines_of(outcome.err).size() == 1);
  const std::vector<std::string> more_than_a_buffer{"layout", "--list", "--json"};
  CHECK(run_lanescope(more_than_a_buffer, {{}, "/dev/full", false}).err == outcome.err);
}

TEST_CASE("edit distance: insertions, deletions, replacements, swaps") {
  CHECK(cli::edit_distance("", "") == 0);
  CHECK(cli::edit_distance("view", "view") == 0);
  CHECK(cli::edit_distance("", "abc") == 3);
  CHECK(cli::edit_distance("abc", "") == 3);
  CHECK(cli::edit_distance("veiw", "view") == 1);
  CHECK(cli::edit_distance("vew", "view") == 1);
  CHECK(cli::edit_distance("views", "view") == 1);
  CHECK(cli::edit_distance("viaw", "view") == 1);
  CHECK(cli::edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("a stream that is closed is no reason to crash, nor the first file that is opened") {
  const std::string lesson = LANESCOPE_SOURCE_DIR "/lessons/01_fragment_layout/recorded.lanes";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"nonsense"}, {"layout", "--nonsense"}, {"view", "--text", "/no"}})
    for (const std::vector<int>& closed : {std::vector<int>{2}, {1, 2}, {0, 1, 2}}) {
      const Outcome outcome = run_lanescope(arguments, {{}, "", false, 0, closed});
      CHECK(outcome.signal == 0);
      CHECK(outcome.code == 2);
      CHECK(outcome.out == "");
    }
  for (const std::vector<int>& closed : {std::vector<int>{1}, {0, 1}}) {
    const Outcome outcome = run_lanescope({"view", "--text", lesson}, {{}, "", false, 0, closed});
    CHECK(outcome.code == 2);
    CHECK(outcome.err == "lanescope: the output cannot be written: Bad file descriptor\n");
  }
  const Outcome quiet = run_lanescope({"view", "--text", lesson}, {{}, "", false, 0, {0, 2}});
  CHECK(quiet.code == 0);
  CHECK(quiet.out == run_lanescope({"view", "--text", lesson}).out);
}
