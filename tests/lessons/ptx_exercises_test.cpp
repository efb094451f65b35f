// SPDX-License-Identifier: MIT
// What holds of every exercise in PTX: its files, and that it is one.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "guide/hints.hpp"
#include "guide/ptx_task.hpp"
#include "tests/has_ptxas.hpp"
#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;
using namespace lanescope;

namespace fs = std::filesystem;

namespace {

std::vector<std::string> lessons_with_ptx() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / "lessons"))
    if (fs::exists(entry.path() / "solution.ptx")) names.push_back(entry.path().filename());
  REQUIRE(names.size() >= 23);
  return names;
}

}  // namespace

TEST_CASE("an exercise in PTX is its solution without what stands in the gap") {
  for (const std::string& lesson : lessons_with_ptx()) {
    CAPTURE(lesson);
    const std::string folder = "lessons/" + lesson + "/", number = lesson.substr(0, 2);
    const PtxExercise exercise(lesson);
    const std::string text = shipped(folder + "exercise.ptx");
    CHECK(text == exercise.parts().before + exercise.parts().after);
    CHECK(text.find("// Exercise " + number + " in PTX: ") != std::string::npos);
    const std::string typed = std::to_string(std::stoi(number)) + " --ptx\n";
    CHECK(text.find("// Fill the gap, then:  ./learn check " + typed) != std::string::npos);
    CHECK(guide::hints_of(shipped(folder + "hints_ptx.md")).size() >= 2);
    const std::string page = read(fs::path(LANESCOPE_SOURCE_DIR) / folder / "README.md");
    CHECK(page.find("watch " + typed.substr(0, typed.size() - 1)) != std::string::npos);
    std::istringstream lines(exercise.solution());
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 100, line);
  }
}

TEST_CASE("as it was shipped it is wrong, as it was solved it is right") {
  for (const std::string& lesson : lessons_with_ptx()) {
    CAPTURE(lesson);
    const PtxExercise exercise(lesson);
    exercise.fails("as shipped", "", "leaves in memory what it should");
    exercise.passes("solution", exercise.parts().gap);
  }
}

// No card is here: the emulator is put where its driver would be.
TEST_CASE("what is right on the emulator is launched on the card as well") {
  const PtxExercise exercise("01_fragment_layout");
  const int launches = static_cast<int>(exercise.launches().size());
  REQUIRE(launches > 1);
  const auto on_card = [&](const std::string& arch, const std::string& gap) {
    return exercise.check(exercise.parts().before + gap + exercise.parts().after,
                          with_driver(arch));
  };
  const std::string title = "\nAnd on this machine's card, Lanescope emulator:\n";
  const std::string gap = exercise.parts().gap;
  const Ran right = on_card("sm_89", gap);
  CHECK_MESSAGE(right.status == 0, right.output);
  CHECK(count(right, title) == 1);
  CHECK(count(right, " right\n") == 2 * launches);
  CHECK(count(right, "Passed: lesson 1") == 1);
  CHECK(count(on_card("sm_89", ""), title) == 0);
  CHECK(count(on_card("sm_75", gap), title) == 0);  // which cannot run it
  // Right where there are 132 multiprocessors.
  const Ran wrong = on_card("sm_80",
                            "{ .reg .pred %p; mov.u32 %t, %nsmid; setp.ne.u32 %p, %t, 132; "
                            "@%p ret; }\n" +
                                gap);
  CHECK_MESSAGE(wrong.status == 1, wrong.output);
  CHECK(count(wrong, title) == 1);
  CHECK(count(wrong, " right\n") == launches);
  CHECK(count(wrong, "WRONG\n") == 1);
  CHECK(count(wrong, "lanescope: right on the emulator and wrong on Lanescope emulator: ") == 1);
  CHECK(count(wrong, "Passed") == 0);
}

// record_ptx.sh has asked the card.
TEST_CASE("solutions leave what they left on an H200, to the bit") {
  std::map<std::string, std::string> left;  // of "03_ldmatrix 1", its lines
  std::istringstream recorded(
      read(fs::path(LANESCOPE_SOURCE_DIR) / "tests" / "lessons" / "ptx_h200.txt"));
  for (std::string line; std::getline(recorded, line);)
    if (line[0] != '#') {
      const std::size_t end = line.find(' ', line.find(' ') + 1);
      left[line.substr(0, end)] += line.substr(end + 1) + '\n';
    }
  std::size_t compared = 0;
  for (const std::string& lesson : lessons_with_ptx()) {
    const std::string path = "lessons/" + lesson + "/solution.ptx";
    if (read(fs::path(LANESCOPE_SOURCE_DIR) / path).find("\n.target sm_1") != std::string::npos)
      continue;  // for newer cards
    int launch = 0;
    for (const std::string& words : PtxExercise(lesson).launches()) {
      const std::string name = lesson + " " + std::to_string(++launch);
      CAPTURE(name);
      const Ran ran = run(lanescope_command() + " run " + path + " " + words);
      std::string changed;
      std::istringstream lines(ran.output);
      for (std::string line; std::getline(lines, line);)
        if (line.find(": changed, bits ") != std::string::npos)
          changed += line.substr(0, line.find(", begins")) + '\n';
      CHECK(changed == left[name]);
      ++compared;
    }
  }
  CHECK(compared == left.size());
  CHECK(compared >= 30);
}

TEST_CASE("ptxas takes solutions, and exercises as they were shipped") {
  if (!tests::has_ptxas()) return;
  for (const std::string& lesson : lessons_with_ptx()) {
    CAPTURE(lesson);
    for (const char* file : {"solution.ptx", "exercise.ptx"}) {
      const std::string path = "lessons/" + lesson + "/" + file, text = shipped(path);
      const std::size_t at = text.find("\n.target ") + 9;
      const std::string arch = text.substr(at, text.find('\n', at) - at);
      const fs::path copy = scratch() / "assembled.ptx";
      write(copy, text);
      const Ran ran = run("ptxas -arch=" + arch + " " + shell_word(copy) + " -o /dev/null");
      CHECK_MESSAGE(ran.status == 0, path << ": " << ran.output);
    }
  }
}

TEST_CASE("the exercise loop with --ptx: its own hints, solution, progress and backups") {
  const fs::path project = scratch() / "ptx_loop";
  for (const char* lesson : {"01_fragment_layout", "02_data_types"}) {
    const fs::path mine = project / "lessons" / lesson;
    fs::create_directories(mine);
    for (const char* file : {"README.md", "solution.ptx", "hints_ptx.md"})
      fs::copy_file(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson / file, mine / file);
    write(mine / "exercise.ptx", shipped("lessons/" + std::string(lesson) + "/exercise.ptx"));
  }
  fs::create_directories(project / "lessons" / "07_fast_hgemm");  // one that has none, here
  write(project / "lessons" / "07_fast_hgemm" / "README.md", "# 07 A lesson\n");
  const fs::path exercise = project / "lessons" / "01_fragment_layout" / "exercise.ptx";
  const std::string solved = read(exercise.parent_path() / "solution.ptx");
  const auto lanescope = [&](const std::string& arguments) {
    return run("LANESCOPE_PROJECT=" + shell_word(project) + " " + lanescope_command() + " " +
               arguments);
  };
  const auto says = [](const Ran& ran, int status, const std::string& words) {
    CHECK_MESSAGE(ran.status == status, ran.output);
    CHECK_MESSAGE(lessons_test::says(ran, words), ran.output);
  };
  says(lanescope("check 7 --ptx"), 2, "lesson 7 has no exercise in PTX; lessons 1, 2 do");
  says(lanescope("hint 1 --ptx"), 0, "Hint 1 of ");
  says(lanescope("hint fragment --ptx"), 0, "for lesson 1 in PTX:");
  says(lanescope("solution 1 --ptx"), 1, "the solution comes after a pass: ");
  says(lanescope("check 1 --ptx"), 1, "lesson 1 in PTX is not passed yet; ");
  write(exercise, solved);
  says(lanescope("check 1 --ptx"), 0, "Passed: lesson 1 in PTX, ");
  says(lanescope("check 1 --ptx"), 0, "watch 2 --ptx\n");
  CHECK(read(project / "progress.txt").find("\n01_fragment_layout.ptx hint 2\n") !=
        std::string::npos);
  CHECK(read(project / "progress.txt").find("\n01_fragment_layout.ptx\n") != std::string::npos);
  says(lanescope("progress"), 0, "next    PTX passed\n");  // the exercise in CUDA is another one
  says(lanescope("solution 1 --ptx"), 0, take_apart(solved).gap);
  says(lanescope("reset 1 --ptx"), 0, "is as it was shipped.");
  CHECK(read(exercise) == take_apart(solved).before + take_apart(solved).after);
  CHECK(read(exercise.string() + ".backup") == solved);
  says(lanescope("check all --ptx"), 1, "0 of 2 exercises pass.");
  write(exercise, solved);
  says(lanescope("check all --ptx"), 1, "1 of 2 exercises pass.");
  fs::remove(exercise);
  says(lanescope("check 1 --ptx"), 1, " is not there; ");
  says(lanescope("reset 1 --ptx"), 0, "is as it was shipped.");
}

TEST_CASE("answers that are no PTX, or never end, are told so in words") {
  const PtxExercise exercise("01_fragment_layout");
  const auto says = [&](const Ran& ran, const std::string& words) {
    CHECK_MESSAGE(ran.status == 1, ran.output);
    CHECK_MESSAGE(ran.output.find("WRONG\n\n" + words) != std::string::npos, ran.output);
    CHECK_MESSAGE(ran.output.find("Look at it") == std::string::npos, ran.output);  // at nothing
    CHECK_MESSAGE(ran.output.find("no kernel ran") == std::string::npos, ran.output);
  };
  const auto with = [&](const std::string& gap) {
    return exercise.check(exercise.parts().before + gap + "\n" + exercise.parts().after);
  };
  says(with("nonsense;"), "cuModuleLoad: the instruction 'nonsense' is not modelled");
  says(with("mov.u32 %t, %unknown;"), "cuModuleLoad: the register is neither declared nor a ");
  says(with("}"), "cuModuleLoad: 'mov' is no directive");
  says(with("/*"), "cuModuleLoad: this comment never ends");
  says(exercise.check(""), "");
  says(exercise.check(std::string("\0\x1b[2J", 5)), "");
  setenv("LANESCOPE_CHECK_SECONDS", "2", 1);
  says(with("again: bra again;"), "stopped after 2 s: does a loop or a wait never end?");
  unsetenv("LANESCOPE_CHECK_SECONDS");
}

TEST_CASE("what the head of a solution says") {
  const guide::PtxTask task = guide::ptx_task(
      "// run: --grid 2 f16:8=whole\n// uses: ldmatrix\n//\n// run: f16:8\r\n// banks: none\n"
      ".version 7.0\n// run: too late\n");
  CHECK(task.launches == std::vector<std::string>{"--grid 2 f16:8=whole", "f16:8"});
  CHECK(task.uses == std::vector<std::string>{"ldmatrix"});
  CHECK(task.no_conflicts);
  CHECK(!task.is_strict);
  CHECK(guide::ptx_task("// check: strict\n").is_strict);
  CHECK(guide::ptx_task("").launches.empty());
  CHECK(!guide::ptx_task("// banks: some\n").no_conflicts);
}

TEST_CASE("an instruction is used where it stands, not in a comment nor in another's name") {
  const guide::PtxTask task{{}, {"ldmatrix", "cp.async"}};
  CHECK(guide::not_used(task, "ldmatrix.sync x; cp.async.ca y;") == "");
  CHECK(guide::not_used(task, "// ldmatrix.sync x;\ncp.async.ca y;") == "ldmatrix");
  CHECK(guide::not_used(task, "ldmatrix; my_cp.async; %cp.async; nocp.async") == "cp.async");
  CHECK(guide::not_used(task, "") == "ldmatrix");
}

TEST_CASE("what is shown of a launch") {
  const std::string conflict = "lanescope: banks: PTX:36: 8.0-way\n  once PTX line 36 `ldmatrix`\n";
  const std::string fine =
      "parameter 0, f16:8: unchanged\nlanescope: banks: no conflicts\n"
      "lanescope: 1 launch checked, nothing to report\n";
  CHECK(guide::wrong_with(true, conflict) == "");
  CHECK(guide::wrong_with(false, "  1 2\n" + conflict +
                                     "lanescope: check: race: PTX:4: ld reads\n  warp 0\n"
                                     "lanescope: parameter 2, f32:8: 3 of 8 elements are not as in "
                                     "/a b/parameter_2.bin, first [1]: 2 instead of 3\n"
                                     "lanescope: 1 launch checked, 1 to look at\n") ==
        "check: race: PTX:4: ld reads\n  warp 0\n"
        "parameter 2, f32:8: 3 of 8 elements are not what the task wants, first [1]: 2 instead of "
        "3\n");
  // What is not Lanescope's has the last word where nothing else was said.
  CHECK(guide::wrong_with(false, "one\ntwo\n\n") == "two\n\n");
  CHECK(guide::wrong_with(false, fine) == "lanescope: 1 launch checked, nothing to report\n");
  CHECK(guide::wrong_with(false, "\n") == "it ended without a word\n");

  const guide::PtxTask any, none{{}, {}, true};
  CHECK(guide::conflicts_in(none, fine) == "");
  CHECK(guide::conflicts_in(any, conflict + fine) == "");
  CHECK(guide::conflicts_in(none, fine + conflict + "parameter 1, f16:8: unchanged\n") ==
        "banks: PTX:36: 8.0-way\n  once PTX line 36 `ldmatrix`\n");
}
