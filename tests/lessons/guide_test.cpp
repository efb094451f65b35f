// SPDX-License-Identifier: MIT
// The course: lessons from folders, progress that an interrupted write cannot lose.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "guide/course.hpp"
#include "guide/ending.hpp"
#include "guide/exercise.hpp"
#include "guide/hints.hpp"
#include "guide/progress.hpp"
#include "tests/lessons/workshop.hpp"

using namespace lanescope::guide;
using namespace lanescope::lessons_test;
namespace fs = std::filesystem;

namespace {

fs::path folder(const char* name) {
  const fs::path path = scratch() / name;
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

fs::path own_lessons() { return fs::path(LANESCOPE_SOURCE_DIR) / "lessons"; }
std::vector<Lesson> own_course() { return course(own_lessons()); }

}  // namespace

TEST_CASE("the steps a lesson asks for stand in the comment that it opens with") {
  CHECK(steps_of("// Lesson\n//   Source:   ISA\n//   Steps:    kernel=ring   (why)\n") ==
        "kernel=ring");
  CHECK(steps_of("// Lesson\n//   Steps:\n#include <x>\n") == "");
  CHECK(steps_of("// Lesson\n#include <x>\n//   Steps:    kernel=ring\n") == "");
}

TEST_CASE("a lesson's title is the first line of its README") {
  CHECK(title_of("# 01 Fragment layout: who\n\ntext") == "Fragment layout: who");
  CHECK(title_of("# Title") == "Title");
  CHECK(title_of("# 02 Data types\r\n") == "Data types");
  CHECK(title_of("no heading") == "");
  CHECK(title_of("") == "");
  CHECK(title_of("# 01 ") == "");
}

TEST_CASE("the course is the folders, by number") {
  const fs::path lessons = folder("course");
  fs::create_directories(lessons / "17_more_of_it");
  write(lessons / "17_more_of_it" / "lesson.cu", "// More.\n//   Arch:     sm_100a  (why)\n");
  fs::create_directories(lessons / "01_one");
  write(lessons / "01_one" / "README.md", "# 01 The first\n");
  fs::create_directories(lessons / "01_one_of_mine");  // a copy is no lesson of its own
  fs::create_directories(lessons / "guide");
  fs::create_directories(lessons / "00_nothing");
  write(lessons / "02_file", "not a folder");
  const std::vector<Lesson> all = course(lessons);
  REQUIRE(all.size() == 2);
  CHECK(all[0].number == 1);
  CHECK(all[0].name == "01_one");
  CHECK(all[0].title == "The first");
  CHECK(all[0].arch == "sm_90a");
  CHECK(all[1].number == 17);
  CHECK(all[1].name == "17_more_of_it");
  CHECK(all[1].title == "more of it");  // it has no README.md that says so
  CHECK(all[1].arch == "sm_100a");
  CHECK(find(all, 1) == &all[0]);
  CHECK(find(all, 17) == &all[1]);
  CHECK(find(all, 2) == nullptr);
  CHECK(find(all, 0) == nullptr);
  CHECK(course(lessons / "nowhere").empty());
}

TEST_CASE("Lanescope's own course has every number from 1 once, and a title for each") {
  const std::vector<Lesson> all = own_course();
  REQUIRE(all.size() >= 20);
  CHECK(all[0].name == "01_fragment_layout");
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].name);
    CHECK(all[i].number == static_cast<int>(i) + 1);
    CHECK(all[i].title == title_of(read(own_lessons() / all[i].name / "README.md")));
    CHECK(!all[i].title.empty());
  }
}

TEST_CASE("a lesson is found by what it is called") {
  const std::vector<Lesson> all = own_course();
  const auto names = [&](const char* words) {
    std::string text;
    for (const Lesson* lesson : called(all, words)) text += lesson->name + " ";
    return text;
  };
  CHECK(names("swizzle") == "04_banks_and_swizzle ");
  CHECK(names("Fast HGEMM") == "07_fast_hgemm ");
  CHECK(names("cp-async") == "05_cp_async ");
  CHECK(names("wgmma") == "09_wgmma 11_wgmma_types ");
  CHECK(names("09_wgmma") == "09_wgmma ");  // wgmma alone is two
  CHECK(names("1_") == "");                 // numbers are not asked for so
  CHECK(names("0") == "");
  CHECK(names("") == "");
  CHECK(names("-") == "");
  CHECK(names("nonsense") == "");
}

TEST_CASE("progress is kept in a file that people can read") {
  const fs::path file = folder("progress") / "progress.txt";
  std::string error = "x";
  Progress progress = read_progress(file, error);  // not there yet
  CHECK(error == "");
  CHECK(progress.lines.empty());
  progress.pass("01_one");
  progress.pass("01_one");
  CHECK(write_progress(file, progress) == "");
  CHECK(read(file) ==
        "# Lanescope: the lessons passed so far. One name a line.\n"
        "01_one\n");
  CHECK(read_progress(file, error).passed("01_one"));
  CHECK(!read_progress(file, error).passed("02_two"));
}

TEST_CASE("lines that progress does not understand are kept") {
  const fs::path file = folder("progress_kept") / "progress.txt";
  write(file, "# mine\n  01_one \r\nsomething else\n");
  std::string error;
  Progress progress = read_progress(file, error);
  CHECK(progress.passed("01_one"));
  progress.pass("02_two");
  CHECK(write_progress(file, progress) == "");
  CHECK(read(file) == "# mine\n  01_one \r\nsomething else\n02_two\n");
}

TEST_CASE("a write that is interrupted leaves the old progress") {
  const fs::path file = folder("progress_cut") / "progress.txt";
  Progress progress;
  progress.pass("01_one");
  CHECK(write_progress(file, progress) == "");
  // What a crash before the rename leaves behind: half a file beside the old one.
  write(file.string() + ".tmp", "01_o");
  std::string error;
  CHECK(read_progress(file, error).passed("01_one"));
  CHECK(write_progress(file, progress) == "");
  CHECK(!fs::exists(file.string() + ".tmp"));
}

TEST_CASE("a write that cannot be finished says so and leaves the old progress") {
  const fs::path file = folder("progress_full") / "progress.txt";
  Progress progress;
  progress.pass("01_one");
  CHECK(write_progress(file, progress) == "");
  fs::create_directories(file.string() + ".tmp");  // the new file cannot be written
  progress.pass("02_two");
  const std::string problem = write_progress(file, progress);
  CHECK(problem.find("cannot write") != std::string::npos);
  std::string error;
  CHECK(read_progress(file, error).passed("01_one"));
  CHECK(!read_progress(file, error).passed("02_two"));
}

TEST_CASE("of two that change the progress at the same time neither undoes the other's") {
  const fs::path file = folder("progress_two") / "progress.txt";
  constexpr int kProcesses = 4, kChanges = 40;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    for (int change = 0; change < kChanges; ++change)
      if (change_progress(file, [&](Progress& progress) {
            progress.pass(std::to_string(process) + "_" + std::to_string(change));
          }) != "")
        _exit(1);
    _exit(0);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  std::string error;
  CHECK(read_progress(file, error).lines.size() == 1 + kProcesses * kChanges);  // and the heading
}

TEST_CASE("what cannot be read is not changed") {
  const fs::path file = folder("progress_changed") / "progress.txt";
  fs::create_directories(file);
  CHECK(change_progress(file, [](Progress&) { FAIL("changed"); }).find("cannot read") == 0);
}

TEST_CASE("progress that is a pipe is refused: nobody waits for it") {
  const fs::path file = folder("progress_pipe") / "progress.txt";
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  std::string error;
  read_progress(file, error);
  CHECK(error.find("cannot read") != std::string::npos);
}

TEST_CASE("progress that is a link stays one, and what it leads to is changed") {
  const fs::path place = folder("progress_link");
  fs::create_directories(place / "elsewhere");
  write(place / "elsewhere" / "mine.txt", "01_one\n");
  fs::create_symlink("elsewhere/mine.txt", place / "progress.txt");
  CHECK(change_progress(place / "progress.txt",
                        [](Progress& progress) { progress.pass("02_two"); }) == "");
  CHECK(fs::is_symlink(place / "progress.txt"));
  CHECK(read(place / "elsewhere" / "mine.txt").find("01_one\n02_two\n") != std::string::npos);
  fs::remove(place / "elsewhere" / "mine.txt");  // a link that leads nowhere is replaced
  CHECK(change_progress(place / "progress.txt",
                        [](Progress& progress) { progress.pass("03_three"); }) == "");
  CHECK(read(place / "progress.txt").find("03_three\n") != std::string::npos);
}

TEST_CASE("progress that cannot be read is an error, not an empty course") {
  const fs::path file = folder("progress_folder") / "progress.txt";
  fs::create_directories(file);
  std::string error;
  read_progress(file, error);
  CHECK(error.find("cannot read") != std::string::npos);
}

TEST_CASE("the next lesson is the first that is not passed") {
  const std::vector<Lesson> all{{1, "01_a", ""}, {2, "02_b", ""}};
  Progress progress;
  CHECK(next_lesson(all, progress)->number == 1);
  progress.pass("02_b");
  CHECK(next_lesson(all, progress)->number == 1);
  progress.pass("01_a");
  CHECK(next_lesson(all, progress) == nullptr);
}

TEST_CASE("hints are taken apart at their headings") {
  CHECK(hints_of("") == std::vector<std::string>{});
  CHECK(hints_of("before\n## 1\n\none\ntwo\n\nthree\n\n## 2\r\nlast\r\n") ==
        std::vector<std::string>{"one\ntwo\n\nthree", "last"});
}

TEST_CASE("an exercise is taken apart at its gap, and nothing is lost") {
  const std::string source =
      "a\n  // ---- your code begins ----\n  x;\n  // ---- your code ends ----\nb\n";
  const auto parts = lanescope::guide::take_apart(source);
  REQUIRE(parts);
  CHECK(parts->gap == "  x;\n");
  CHECK(parts->before + parts->gap + parts->after == source);
  CHECK(!lanescope::guide::take_apart(""));
  CHECK(!lanescope::guide::take_apart("// ---- your code begins\n"));
  CHECK(!lanescope::guide::take_apart("// ---- your code begins // ---- your code ends\nb\n"));
  CHECK(!lanescope::guide::take_apart("// ---- your code ends\n// ---- your code begins\n"));
}

TEST_CASE("hints that were shown are counted, and are no pass") {
  Progress progress;
  progress.lines = {"# mine", "01_one", "02_two hint 3"};
  CHECK(progress.hints("01_one") == 0);
  CHECK(progress.hints("02_two") == 3);
  CHECK(!progress.passed("02_two"));
  progress.set_hints("02_two", 1);
  progress.set_hints("01_one", 2);
  progress.pass("02_two");
  CHECK(progress.lines ==
        std::vector<std::string>{"# mine", "01_one", "02_two hint 1", "01_one hint 2", "02_two"});
  CHECK(progress.hints("02_two") == 1);
}

TEST_CASE("the end is shown when every exercise has been passed, and not before") {
  const std::vector<Lesson> lessons{{1, "01_fragment_layout", "One"}, {2, "02_data_types", "Two"}};
  Progress progress;
  CHECK(ending(lessons, progress).empty());
  progress.pass("01_fragment_layout");
  CHECK(ending(lessons, progress).empty());
  progress.pass("02_data_types");
  const std::string text = ending(lessons, progress);
  CHECK(text.find("You have passed every exercise, 2 of 2.") == 0);
  CHECK(text.find("  01  " + learned(1) + "\n") != std::string::npos);
  CHECK(text.find("  02  " + learned(2) + "\n") != std::string::npos);
  CHECK(text.find(learned(3)) == std::string::npos);
  CHECK(text.find("What to read next:") != std::string::npos);
  CHECK(ending({}, progress).empty());
}

TEST_CASE("every lesson says what was learned in it, in one line of 100 columns") {
  const std::vector<Lesson> all = own_course();
  for (const Lesson& lesson : all) {
    CAPTURE(lesson.number);
    const std::string line = learned(lesson.number);
    CHECK(line.size() > 30);
    CHECK(line.size() < 94);
    CHECK(line.find('\n') == std::string::npos);
  }
  CHECK(learned(0).empty());
  CHECK(learned(static_cast<int>(all.size()) + 1).empty());
}
