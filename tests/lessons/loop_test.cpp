// SPDX-License-Identifier: MIT
// The exercise loop with the real command, a turn at a time: hint, solution, reset, check, check
// all. It runs on a copy of the lessons (loop_project.hpp). `watch` goes round it: watch_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "guide/exercise.hpp"
#include "guide/hints.hpp"
#include "tests/lessons/loop_project.hpp"
#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;
using namespace lanescope;

namespace fs = std::filesystem;

namespace {

/// The number of the answer's first line.
std::string first_line(const Answer& parts) {
  return std::to_string(1 + std::count(parts.before.begin(), parts.before.end(), '\n'));
}

}  // namespace

TEST_CASE("hint shows one step at a time, and remembers which") {
  const Project project("loop_hint");
  const auto hints = guide::hints_of(read(project.lesson() / "hints.md"));
  REQUIRE(hints.size() == 4);
  for (std::size_t step = 0; step < 5; ++step) {
    const Ran ran = project.lanescope("hint 1");
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    for (std::size_t other = 0; other < 4; ++other)
      CHECK(says(ran, hints[other]) == (other == step % 4));
    CHECK(says(ran, "Hint " + std::to_string(step % 4 + 1) + " of 4 for lesson 1:"));
  }
  CHECK(says(project.lanescope("hint 2"), "Hint 1 of 4 for lesson 2:"));
  CHECK(says(project.lanescope("hint 1"), "Hint 2 of 4"));
  CHECK(!says(project.lanescope("progress"), "passed"));  // a hint is no pass
}

TEST_CASE("the solution comes after a pass, not before") {
  const Project project("loop_solution");
  const Ran before = project.lanescope("solution 1");
  CAPTURE(before.output);
  CHECK(before.status == 1);
  CHECK(before.output.rfind("lanescope: the solution comes after a pass: ", 0) == 0);
  CHECK(!says(before, "pack("));
  write(project.folder / "progress.txt", std::string(kLoopLesson) + "\n");
  const Ran after = project.lanescope("solution 1");
  CHECK(after.status == 0);
  CHECK(says(after, guide::take_apart(read(project.lesson() / "solution.cu"))->gap));
}

TEST_CASE("reset puts the exercise back as it was shipped, and keeps what was there") {
  const Project project("loop_reset");
  for (const char* name : {kLoopLesson, "02_data_types"}) {
    const std::string number = name[1] == '1' ? "1" : "2", fresh = read(project.exercise(name));
    CHECK(says(project.lanescope("reset " + number), "as it was shipped already"));
    write(project.exercise(name), "my first attempt\n");
    const Ran ran = project.lanescope("reset " + number);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "exercise.cu.backup"));
    CHECK(read(project.exercise(name)) == fresh);
    CHECK(read(project.lesson(name) / "exercise.cu.backup") == "my first attempt\n");
    write(project.exercise(name), "my second attempt\n");
    CHECK(project.lanescope("reset " + number).status == 0);
    CHECK(read(project.lesson(name) / "exercise.cu.backup") == "my first attempt\n");
    CHECK(read(project.lesson(name) / "exercise.cu.backup2") == "my second attempt\n");
    fs::remove(project.exercise(name));
    CHECK(project.lanescope("reset " + number).status == 0);
    CHECK(read(project.exercise(name)) == fresh);
  }
}

TEST_CASE(
    "whatever is in the name of the folder, the loop goes round, and says paths to be pasted") {
  const Project project("it's a test $HOME \xc3\xbc");
  const Ran shipped = project.lanescope("check 1");
  CAPTURE(shipped.output);
  CHECK(shipped.status == 1);
  CHECK(says(shipped, "The gap is still empty"));
  CHECK(says(shipped, "/it'\\''s a test $HOME \xc3\xbc/lessons/01_fragment_layout/exercise.cu'"));
  CHECK(project.lanescope("hint 1").status == 0);
  project.solve();
  CHECK(project.lanescope("check 1").status == 0);
  const Ran view =
      project.lanescope("view --text " + shell_word(project.folder / "traces/check/" /
                                                    (std::string(kLoopLesson) + ".lanes")));
  CAPTURE(view.output);
  CHECK(view.status == 0);
  CHECK(project.lanescope("reset 1").status == 0);
}

TEST_CASE("what keeps an exercise from being compiled at all is no mistake in it") {
  const Project project("loop_tools");
  const auto refused = [&](const std::string& command, const std::string& why) {
    const Ran ran = run(command);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.rfind("lanescope: ", 0) == 0);
    CHECK(count(ran, "\n") == 1);
    CHECK(says(ran, why));
  };
  const fs::path cmake = project.folder / "tools" / "cmake";
  write(cmake,
        "#!/bin/sh\necho 'ninja: error: opening build log: Read-only file system'\nexit 1\n");
  refused(project.command("check 1"), ": opening build log: Read-only file system; ");
  const auto says = [&](const std::string& words) {
    write(cmake, "#!/bin/sh\necho '[1/3] nvcc'\n" + words + "\nexit 1\n");
  };
  says("echo 'nvcc fatal   : Could not open output file /t/x'");
  refused("TMPDIR=/t/none " + project.command("check 1"),
          ": Could not open output file /t/x; may you write there, and in /t/none, the folder for");
  says("echo \"nvcc fatal   : Unsupported gpu architecture 'compute_100a'\"");
  refused(project.command("check 1"),
          ": Unsupported gpu architecture 'compute_100a'; a newer CUDA");
  says("echo '/usr/bin/ld: final link failed: No space left on device'; echo 'ld: error'");
  refused(project.command("check 1"), ": No space left on device; make room there");
  says("echo '/bin/sh: 1: /c/nvcc: not found'");
  refused(project.command("check 1"), ": /c/nvcc: not found; if the CUDA toolkit has changed, ");
  says("");
  refused(project.command("check 1"), ": the compiler ended without a word; if the CUDA toolkit");
  fs::remove(cmake);
  std::string command = project.command("check 1");
  const std::string path = ":\"$PATH\"";
  command.erase(command.find(path), path.size());
  refused(command, "cannot run cmake: No such file or directory; ./learn installs");
}

TEST_CASE("an exercise without what the check calls is said to lack it, in one line") {
  const Project project("loop_lacks");
  write(project.exercise(), "");
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, " has no load_a_on_device, which the check calls; "));
  CHECK(says(ran, " reset 01_fragment_layout brings back "));
  CHECK(count(ran, "\n") == 1);
  CHECK(project.lanescope("reset 01_fragment_layout").status == 0);
  CHECK(fs::exists(project.lesson() / "exercise.cu.backup"));
}

TEST_CASE("an exercise with a main of its own is told so, in one line") {
  const Project project("loop_main");
  write(project.exercise(), read(project.exercise()) + "int main() { return 0; }\n");
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  // Its path stands in quotes where a folder's name has a blank.
  CHECK(says(ran, "exercise.cu"));
  CHECK(says(ran, " defines main, which the check does, too: take it out, "));
  CHECK(count(ran, "\n") == 1);
}

TEST_CASE("an exercise that goes while it is compiled is said to have gone") {
  const Project project("loop_going");
  write(project.folder / "tools" / "cmake",
        "#!/bin/sh\nrm " + shell_word(project.exercise()) +
            "\necho 'cc1plus: fatal error: exercise.cu: No such file'\nexit 1\n");
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, " has gone while it was compiled; "));
  CHECK(count(ran, "\n") == 1);
}

TEST_CASE("a folder where the exercise should be is no exercise, and not lost") {
  const Project project("loop_folder");
  fs::remove(project.exercise());
  fs::create_directory(project.exercise());
  write(project.exercise() / "mine", "kept");
  for (const char* command : {"check 1", "watch 1", "reset 1"}) {
    const Ran ran = project.lanescope(command);
    CAPTURE(ran.output);
    CHECK(ran.status == (std::string(command) == "check 1" ? 1 : 2));
    CHECK(says(ran, " is no file; move it away"));
    CHECK(count(ran, "\n") == 1);
  }
  CHECK(read(project.exercise() / "mine") == "kept");
}

TEST_CASE("of two checks at once one waits for the other") {
  const Project project("loop_two");
  project.solve();
  const fs::path cmake = project.folder / "tools" / "cmake", log = project.folder / "log";
  std::string script = read(cmake);
  script.insert(script.find('\n') + 1, "echo begin >>" + shell_word(log) + "; sleep 0.3\n");
  write(cmake, script + "echo end >>" + shell_word(log) + "\n");
  const std::string check = project.command("check 1");
  const Ran both = run("(" + check + " & one=$!; " + check + " || exit 9; wait $one)");
  CAPTURE(both.output);
  CHECK(both.status == 0);
  CHECK(count(both, "Passed: lesson 1") == 2);
  CHECK(count(both, "Waiting for another command that compiles or checks here") == 1);
  CHECK(read(log) == "begin\nend\nbegin\nend\n");
}

TEST_CASE("where no trace can be written a check says so once, and checks") {
  const Project project("loop_no_trace");
  write(project.folder / "traces", "a file\n");
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(count(ran, "There will be no picture of it: cannot write ") == 1);
  CHECK(count(ran, "cannot write") == 1);
  CHECK(says(ran, "The gap is still empty"));
  CHECK(!says(ran, "learn view"));
}

TEST_CASE("the commands that a check names are there where it was called") {
  const Project project("loop elsewhere");  // in quotes, as it has a blank
  write(project.folder / "learn", "");
  const auto from = [&](const fs::path& folder) {
    return run("cd " + shell_word(folder) + " && " + project.command("check 1"));
  };
  const std::string trace = "traces/check/01_fragment_layout.lanes\"";
  const Ran inside = from(project.folder), outside = from(project.lesson());
  CAPTURE(inside.output);
  CAPTURE(outside.output);
  CHECK(says(inside, "What you loaded: ./learn view \"" + trace));
  const std::string learn = shell_word(fs::canonical(project.folder) / "learn");
  CHECK(says(outside, "What belongs there: " + learn + " layout mma.sync"));
  CHECK(says(outside, "What you loaded: " + learn + " view \"" +
                          (fs::canonical(project.folder) / trace).string()));
  CHECK(!says(outside, "./learn"));
}

TEST_CASE("check fails as shipped, passes when solved, and notes it") {
  const Project project("loop_check");
  const Ran before = project.lanescope("check 1");
  CAPTURE(before.output);
  CHECK(before.status == 1);
  CHECK(says(before, "The gap is still empty"));
  CHECK(says(before, "lanescope: lesson 1 is not passed yet"));
  CHECK(says(before, "hint 1"));
  CHECK(project.progress().empty());
  project.solve();
  const Ran after = project.lanescope("check 1");
  CAPTURE(after.output);
  CHECK(after.status == 0);
  CHECK(says(after, "Passed: lesson 1"));
  CHECK(says(after, " solution 1\n"));
  CHECK(says(after, " quiz 1\n"));
  CHECK(says(after, " lesson 2\n"));
  CHECK(project.progress().find("\n01_fragment_layout\n") != std::string::npos);
}

TEST_CASE("an exercise that does not compile fails its check with the compiler's words") {
  const Project project("loop_compile");
  write(project.exercise(), "this is no CUDA\n");
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "error"));
  CHECK(says(ran, "does not compile"));
}

TEST_CASE("what is missing at the end of an answer shows behind it, and that is said") {
  const Project project("loop_stumbles");
  const Answer parts = take_apart(read(project.exercise()));
  const std::string behind = ", at a line behind your code: does that lack a ; or a }, ";
  for (const char* lacking : {"  a[0] = 1\n", "  if (lane == 0) {\n", "  }\n"}) {
    write(project.exercise(), parts.before + lacking + parts.after);
    const Ran ran = project.lanescope("check 1");
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "does not compile; the compiler says why above" + behind));
  }
  write(project.exercise(), parts.before + "  a[0] = nothing;\n" + parts.after);
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(says(ran, "does not compile; the compiler says why above\n"));
}

TEST_CASE("an exercise that is not there is said to be missing, and how it comes back") {
  const Project project("loop_gone");
  fs::remove(project.exercise());
  for (const char* command : {"check 1", "watch 1"}) {
    const Ran ran = project.lanescope(command);
    CAPTURE(ran.output);
    CHECK(ran.status == (std::string(command) == "check 1" ? 1 : 2));
    CHECK(says(ran, "/lessons/01_fragment_layout/exercise.cu"));  // in quotes, with blanks
    CHECK(says(ran, " is not there; "));
    CHECK(says(ran, " reset 1 brings it back\n"));
    CHECK(!says(ran, "compile"));
  }
}

TEST_CASE("a warning is shown, with the file's name as the reader has it, and stops nobody") {
  const Project project("loop_warning");
  project.solve();
  const Answer parts = take_apart(read(project.exercise()));
  write(project.exercise(),
        parts.before + "  const int not_needed = 7;\n" + parts.gap + parts.after);
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "lessons/01_fragment_layout/exercise.cu(" + first_line(parts) +
                      "): warning #177-D: variable"));
  CHECK(!says(ran, "../lessons"));
  CHECK(!says(ran, "nvcc"));
  CHECK(!says(ran, "diag-suppress"));
  CHECK(says(ran,
             "Passed: lesson 1, Fragment layout: who holds which element\n"));  // one is a question
}

TEST_CASE("an error that the compiler finds in a macro of ours is not kilobytes long") {
  const Project project("loop_macro");
  const Answer parts = take_apart(read(project.exercise()));
  write(project.exercise(), parts.before + "  a[0] = tile[lane\n" + parts.after);
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "error: expected a \"]\""));
  CHECK(ran.output.size() < 1000);
}

TEST_CASE("a kernel that stops is reported once, by its line") {
  const Project project("loop_fault");
  const Answer parts = take_apart(read(project.exercise()));
  write(project.exercise(), parts.before + "  a[0] = tile[lane * 1000000];\n" + parts.after);
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(count(ran, "is out of bounds") == 1);
  CHECK(!says(ran, "exit()"));
  CHECK(says(ran, "exercise.cu:" + first_line(parts)));
  CHECK(!says(ran, "cudaErrorIllegalAddress"));
}

TEST_CASE("an attempt that leaves no picture is not looked at in the one before it") {
  const Project project("loop_old_picture");
  const fs::path picture = project.folder / "traces/check" / (std::string(kLoopLesson) + ".lanes");
  project.solve();
  const Answer solved = take_apart(read(project.exercise()));
  CHECK(project.lanescope("check 1").status == 0);
  REQUIRE(fs::exists(picture));
  write(project.exercise(), solved.before + "  a[0] = tile[lane * 1000000];\n" + solved.after);
  CHECK(project.lanescope("check 1").status == 1);
  CHECK(!fs::exists(picture));
  const Ran ran = project.lanescope("diagnose 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 2);
}

TEST_CASE("who starts it with SIGCHLD ignored does not make a check that failed a pass") {
  const Project project("loop_children");
  write(project.exercise(), "this is no CUDA\n");
  for (const char* gap : {"no CUDA", "empty"}) {
    CAPTURE(gap);
    const Ran ran = run("exec env --ignore-signal=CHLD " + project.command("check 1"));
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(project.progress().empty());
    CHECK(project.lanescope("reset 1").status == 0);
  }
}

TEST_CASE("check all checks every exercise and counts" * doctest::test_suite("twice")) {
  const Project project("loop_all");
  project.solve("02_data_types");
  const Ran one = project.lanescope("check all");
  CAPTURE(one.output);
  CHECK(one.status == 1);
  CHECK(says(one, "\n1 of 2 exercises pass.\n"));
  CHECK(project.progress().find("02_data_types") != std::string::npos);
  CHECK(project.progress().find("01_fragment_layout") == std::string::npos);
  project.solve();
  const Ran both = project.lanescope("check all");
  CHECK(both.status == 0);
  CHECK(says(both, "\n2 of 2 exercises pass.\n"));
}

TEST_CASE("the last pass shows what was learned and what to read next; so does progress then") {
  const Project project("loop_end");
  CHECK(!says(project.lanescope("progress"), "You have passed every exercise"));
  write(project.folder / "progress.txt", "02_data_types\n");
  project.solve();
  const Ran last = project.lanescope("check 1");
  CAPTURE(last.output);
  CHECK(last.status == 0);
  CHECK(says(last, "Passed: lesson 1"));
  CHECK(says(last, "You have passed every exercise, 2 of 2. You have learned\n"));
  CHECK(says(last, "  02  what a type keeps of a number"));
  CHECK(says(last, "What to read next:\n"));
  CHECK(says(project.lanescope("progress"), "You have passed every exercise, 2 of 2."));
}

TEST_CASE("progress is what lanescope alone shows") {
  const Project project("loop_progress");
  const Ran named = project.lanescope("progress"), alone = project.lanescope("");
  CHECK(named.status == 0);
  CHECK(named.output == alone.output);
  CHECK(says(named, "01 Fragment layout"));
}

TEST_CASE("the loop refuses lessons that are not there in one line") {
  const Project project("loop_missing");
  for (const char* arguments :
       {"hint 98", "solution 98", "reset 98", "watch 98", "check nine", "hint 0", "watch all"}) {
    const Ran ran = project.lanescope(arguments);
    CAPTURE(arguments);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.rfind("lanescope: ", 0) == 0);
    CHECK(ran.output.find('\n') == ran.output.size() - 1);
  }
}
