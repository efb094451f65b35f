// SPDX-License-Identifier: MIT
// The exercise loop with the real command: hint, solution, reset, check, check all, watch. It runs
// on a copy of the lessons: LANESCOPE_PROJECT is the copy, LANESCOPE_BUILD a build folder for it,
// and `cmake --build` a script that compiles an exercise as the build does.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "build_folder.hpp"
#include "guide/exercise.hpp"
#include "guide/hints.hpp"
#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;
using namespace lanescope;

namespace {

namespace fs = std::filesystem;

constexpr const char* kLesson = "01_fragment_layout";

struct Project {
  fs::path folder;

  explicit Project(const std::string& name) : folder(scratch() / name) {
    const fs::path build = folder / "build";
    for (const char* lesson : {kLesson, "02_data_types"}) {
      fs::create_directories(folder / "lessons");
      fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson, folder / "lessons" / lesson);
      for (const auto& entry : fs::directory_iterator(folder / "lessons" / lesson))
        if (entry.path().filename().string().find(".backup") != std::string::npos)
          fs::remove(entry.path());  // the reader's own
      write(folder / "lessons" / lesson / "exercise.cu",
            shipped("lessons/" + std::string(lesson) + "/exercise.cu"));
      fs::create_directories(build / "lessons" / lesson);
    }
    fs::copy_file(fs::path(LANESCOPE_BUILD_DIR) / "CMakeCache.txt", build / "CMakeCache.txt");
    fs::create_directories(folder / "tools");
    const fs::path objects = fs::path(LANESCOPE_BUILD_DIR) / "lessons" / "CMakeFiles";
    write(folder / "tools" / "cmake",  // cmake --build FOLDER --target LESSON_check_exercise
          "#!/bin/sh\nset -e\nlesson=${4%_check_exercise}\nobject=$2/$lesson.o\n"
          "cd \"$2/lessons\"\necho \"[1/3] nvcc $lesson.o\"\n" +
              std::string(LANESCOPE_TEST_NVCC) +
              " -O0 -gencode arch=compute_80,code=compute_80 -c"
              " ../../lessons/$lesson/exercise.cu -o \"$object\"\n" +
              LANESCOPE_TEST_LINK + " " + shell_word(objects) +
              "/${lesson}_check.dir/$lesson/check.cpp.o " + shell_word(objects) +
              "/lanescope_check_main.dir/guide/check_main.cpp.o \"$object\" " +
              LANESCOPE_TEST_LIBRARIES + " -o \"$2/lessons/$lesson/check_exercise\"\n");
    fs::permissions(folder / "tools" / "cmake", fs::perms::owner_all);
  }

  fs::path lesson(const std::string& name = kLesson) const { return folder / "lessons" / name; }
  fs::path exercise(const std::string& name = kLesson) const {
    return lesson(name) / "exercise.cu";
  }
  void solve(const std::string& name = kLesson) const {
    write(exercise(name), read(lesson(name) / "solution.cu"));
  }
  std::string command(const std::string& arguments) const {
    return "env -u DISPLAY -u WAYLAND_DISPLAY LANESCOPE_PROJECT=" + shell_word(folder) +
           " LANESCOPE_BUILD=" + shell_word(folder / "build") +
           " PATH=" + shell_word(folder / "tools") + ":\"$PATH\" " +
           shell_word(fs::path(LANESCOPE_BUILD_DIR) / "bin" / "lanescope") + " " + arguments;
  }
  Ran lanescope(const std::string& arguments) const { return run(command(arguments)); }
  std::string progress() const {
    return fs::exists(folder / "progress.txt") ? read(folder / "progress.txt") : "";
  }
};

/// `watch` at work: keys go in, what it says is waited for.
class Watch {
 public:
  explicit Watch(const Project& project) : output_(project.folder / "watch.txt") {
    const std::string line =
        "cd / && " + project.command("watch 1") + " > " + shell_word(output_) + " 2>&1";
    keys_ = popen(line.c_str(), "w");
    REQUIRE(keys_ != nullptr);
  }
  ~Watch() {
    if (keys_ != nullptr) end("q");
  }
  void type(const char* keys) {
    std::fputs(keys, keys_);
    std::fflush(keys_);
  }
  /// Whether it says so within a minute; a loaded machine is slow.
  bool says(const std::string& text, int times = 1) {
    for (int tenths = 0; tenths < 600; ++tenths) {
      const Ran so_far{0, fs::exists(output_) ? read(output_) : ""};
      if (count(so_far, text) >= times) return true;
      usleep(100'000);
    }
    MESSAGE(read(output_));
    return false;
  }
  /// Its exit code.
  int end(const char* keys = "") {
    type(keys);
    const int status = pclose(keys_);
    keys_ = nullptr;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  fs::path output_;
  FILE* keys_ = nullptr;
};

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
  write(project.folder / "progress.txt", std::string(kLesson) + "\n");
  const Ran after = project.lanescope("solution 1");
  CHECK(after.status == 0);
  CHECK(says(after, guide::take_apart(read(project.lesson() / "solution.cu"))->gap));
}

TEST_CASE("reset puts the exercise back as it was shipped, and keeps what was there") {
  const Project project("loop_reset");
  for (const char* name : {kLesson, "02_data_types"}) {
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

TEST_CASE("a warning is shown, with the file's name as the reader has it, and stops nobody") {
  const Project project("loop_warning");
  project.solve();
  const Answer parts = take_apart(read(project.exercise()));
  write(project.exercise(),
        parts.before + "  const int not_needed = 7;\n" + parts.gap + parts.after);
  const Ran ran = project.lanescope("check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "lessons/01_fragment_layout/exercise.cu(31): warning #177-D: variable"));
  CHECK(!says(ran, "../lessons"));
  CHECK(!says(ran, "nvcc"));
  CHECK(!says(ran, "diag-suppress"));
  CHECK(says(ran, "Passed: lesson 1"));
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
  CHECK(says(ran, "exercise.cu:31"));
  CHECK(!says(ran, "cudaErrorIllegalAddress"));
}

TEST_CASE("an exercise that never ends is stopped, and the loop goes on") {
  const Project project("loop_hang");
  const Answer parts = take_apart(read(project.exercise()));
  write(project.exercise(),
        parts.before + "  volatile int more = stride;\n  while (more > 0) a[0] += a[1];\n" +
            parts.after);
  const Ran ran = run("LANESCOPE_CHECK_SECONDS=1 " + project.command("check 1"));
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "was stopped after 1 s: does a loop or a wait never end?"));
  CHECK(says(ran, "hint 1` helps"));
}

TEST_CASE("check all checks every exercise and counts") {
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
  CHECK(says(last, "Lessons still to come: 11."));
  CHECK(says(project.lanescope("progress"), "You have passed every exercise, 2 of 2."));
}

TEST_CASE("progress is what lanescope alone shows") {
  const Project project("loop_progress");
  const Ran named = project.lanescope("progress"), alone = project.lanescope("");
  CHECK(named.status == 0);
  CHECK(named.output == alone.output);
  CHECK(says(named, "01 Fragment layout"));
}

TEST_CASE("watch checks at every save, obeys its keys, and ends with a pass") {
  const Project project("loop_watch");
  Watch watch(project);
  REQUIRE(watch.says("lesson 1 is not passed yet"));
  REQUIRE(watch.says("h hint   v picture   l list   q quit"));
  watch.type("h");
  CHECK(watch.says("Hint 1 of 4"));
  watch.type("l");
  CHECK(watch.says("02 Data types"));
  watch.type("v");
  CHECK(watch.says("What your lanes loaded."));

  const auto answer = guide::take_apart(read(project.exercise()));
  write(project.exercise(), answer->before + "  a[0] = a[1] = a[2] = a[3] = 7;\n" + answer->after);
  CHECK(watch.says("lesson 1 is not passed yet", 2));

  const auto saved = std::chrono::steady_clock::now();
  project.solve();
  CHECK(watch.says("Passed: lesson 1"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - saved;
  MESSAGE("from save to result: " << took.count() << " s");
  CHECK(watch.end() == 0);
  CHECK(project.progress().find("01_fragment_layout hint 1") != std::string::npos);
  CHECK(project.progress().find("\n01_fragment_layout\n") != std::string::npos);
}

TEST_CASE("watch stops at q, and says how to go on") {
  const Project project("loop_quit");
  Watch watch(project);
  REQUIRE(watch.says("q quit"));
  CHECK(watch.end("q") == 1);
  CHECK(read(project.folder / "watch.txt").find("Stopped; ") != std::string::npos);
  CHECK(project.progress().empty());
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
