// SPDX-License-Identifier: MIT
// `lanescope watch` at work: files are saved, keys are typed, and what it says is waited for.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

#include "guide/exercise.hpp"
#include "tests/lessons/loop_project.hpp"
#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;
using namespace lanescope;

namespace {

namespace fs = std::filesystem;

/// `watch` at work: keys go in, what it says is waited for.
class Watch {
 public:
  explicit Watch(const Project& project, const std::string& environment = "")
      : output_(project.folder / "watch.txt"), group_(project.folder / "watch.group") {
    // A group of its own, as a terminal would make one: Ctrl-C is for all that are in it.
    fs::remove(output_);  // of another one before
    const fs::path script = project.folder / "watch.sh";
    write(script, "echo $$ > " + shell_word(group_) + "\nexec env " + environment + " " +
                      project.command("watch 1") + " > " + shell_word(output_) + " 2>&1\n");
    const std::string line = "cd / && exec setsid --wait sh " + shell_word(script);
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
  void press_ctrl_c() const { kill(-std::stoi(read(group_)), SIGINT); }
  void kill_it_alone(int signal = SIGTERM) const { kill(std::stoi(read(group_)), signal); }
  /// Its exit code.
  int end(const char* keys = "") {
    type(keys);
    const int status = pclose(keys_);
    keys_ = nullptr;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  fs::path output_, group_;
  FILE* keys_ = nullptr;
};

/// Within a minute; a loaded machine is slow.
template <class What>
bool comes_true(What&& what) {
  for (int tenths = 0; tenths < 600; ++tenths) {
    if (what()) return true;
    usleep(100'000);
  }
  return false;
}

/// Also where another file has taken its place since: then it is "PROGRAM (deleted)".
bool is_running(const fs::path& program) {
  std::error_code ignored;  // processes come and go
  for (const auto& entry : fs::directory_iterator("/proc", ignored))
    if (fs::read_symlink(entry.path() / "exe", ignored).string().find(program.string()) == 0)
      return true;
  return false;
}

/// An exercise that never ends.
void write_endless(const Project& project) {
  const auto answer = guide::take_apart(read(project.exercise()));
  write(project.exercise(), answer->before + kEndless + answer->after);
}

/// A compiler that is at work for ten minutes; it has begun when the file is there.
fs::path slow_compiler(const Project& project) {
  fs::path begun = project.folder / "begun";
  write(project.folder / "tools" / "cmake",
        "#!/bin/sh\ntouch " + shell_word(begun) + "\nsleep 600\nexit 1\n");
  return begun;
}

fs::path check_program(const Project& project) {
  return project.folder / "build" / "lessons" / kLoopLesson / "check_exercise";
}

}  // namespace

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
  CHECK(watch.says(" lines more: "));
  CHECK(watch.says("traces/check/01_fragment_layout.lanes"));  // in quotes where a name has a blank
  CHECK(watch.says(" --text\n"));

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

TEST_CASE("watch says that its exercise has gone, and goes on when it is back") {
  const Project project("loop_vanished");
  Watch watch(project);
  REQUIRE(watch.says("q quit"));
  fs::remove(project.exercise());
  CHECK(watch.says(" is empty or not there any more; "));
  CHECK(watch.says(" reset 1 brings it back.\n"));
  project.solve();
  CHECK(watch.says("Passed: lesson 1"));
  CHECK(watch.end() == 0);
  CHECK(count({0, read(project.folder / "watch.txt")}, "not there any more") == 1);
}

TEST_CASE("watch ends at Ctrl-C, whatever it is doing, and calls nothing wrong that was not") {
  const Project project("loop_interrupt");
  write_endless(project);
  const fs::path check = check_program(project);
  for (const bool compiling : {false, true}) {
    CAPTURE(compiling);
    const fs::path begun = compiling ? slow_compiler(project) : "";
    Watch watch(project);
    REQUIRE(comes_true([&] { return compiling ? fs::exists(begun) : is_running(check); }));
    usleep(300'000);
    watch.press_ctrl_c();
    CHECK(watch.end() == 1);
    const Ran ran{0, read(project.folder / "watch.txt")};
    CAPTURE(ran.output);
    CHECK(says(ran, "\nStopped; "));
    CHECK(says(ran, "Checking ") == !compiling);
    CHECK(!says(ran, "WRONG"));
    CHECK(!says(ran, "lanescope: "));
    CHECK(!says(ran, "h hint"));
    CHECK(!is_running(check));
  }
}

TEST_CASE("a save ends the check of what was there before, and all that it has started") {
  const Project project("loop_anew");
  const auto parts = guide::take_apart(read(project.exercise()));
  std::string source = "#include <unistd.h>\n" + parts->before + kEndless + parts->after;
  write(
      project.exercise(),  // and a child of it never ends, either
      source.insert(source.find("  load_a<<<1, 32>>>"), "  if (fork() == 0) for (;;) pause();\n"));
  const fs::path check = check_program(project);
  Watch watch(project, "LANESCOPE_CHECK_SECONDS=600");
  REQUIRE(comes_true([&] { return is_running(check); }));
  usleep(300'000);
  write(project.exercise(), parts->before + "  a[0] = 7;\n" + parts->after);
  CHECK(watch.says("\nSaved anew: what was there before is not checked any more.\n"));
  CHECK(watch.says("lesson 1 is not passed yet"));
  CHECK(!is_running(check));
  project.solve();
  CHECK(watch.says("Passed: lesson 1"));
  CHECK(watch.end() == 0);
  const Ran ran{0, read(project.folder / "watch.txt")};
  CAPTURE(ran.output);
  CHECK(count(ran, "Saved anew") == 1);
  CHECK(!says(ran, "was stopped"));  // nobody's mistake
}

TEST_CASE("a save ends the compiling of what was there before") {
  const Project project("loop_compiling");
  const std::string compiler = read(project.folder / "tools" / "cmake");
  const fs::path begun = slow_compiler(project);
  Watch watch(project);
  REQUIRE(comes_true([&] { return fs::exists(begun); }));
  write(project.folder / "tools" / "cmake", compiler);
  project.solve();
  CHECK(watch.says("Passed: lesson 1"));
  CHECK(watch.end() == 0);
  const Ran ran{0, read(project.folder / "watch.txt")};
  CAPTURE(ran.output);
  CHECK(says(ran, "Saved anew"));
  CHECK(count(ran, "Checking ") == 1);
  CHECK(!says(ran, "lanescope: "));
}

TEST_CASE("watch ends at Ctrl-C while it waits for another command, and checks nothing any more") {
  const Project project("loop_waiting");
  const int other = open((project.folder / "build").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(flock(other, LOCK_EX) == 0);
  Watch watch(project);
  CHECK(watch.says("Waiting for another command that compiles or checks here"));
  watch.press_ctrl_c();
  CHECK(watch.end() == 1);
  const Ran ran{0, read(project.folder / "watch.txt")};
  CAPTURE(ran.output);
  CHECK(says(ran, "\nStopped; "));
  CHECK(!says(ran, "Checking "));
  close(other);
}

TEST_CASE("who kills watch kills the exercise that it runs, too") {
  const Project project("loop_killed");
  write_endless(project);
  const fs::path check = check_program(project);
  Watch watch(project);
  REQUIRE(comes_true([&] { return is_running(check); }));
  watch.kill_it_alone();
  CHECK(comes_true([&] { return !is_running(check); }));
  watch.end();
  const Ran ran{0, read(project.folder / "watch.txt")};
  CAPTURE(ran.output);
  CHECK(!says(ran, "WRONG"));  // nobody's mistake
}

TEST_CASE("whatever ends watch ends the compiling, too, and leaves no temporary file") {
  const Project project("loop_left");
  const fs::path begun = project.folder / "begun", temporary = project.folder / "temporary";
  // As cmake, which waits when it is told to end, ninja, whose compilers have groups of their own,
  // and nvcc, which leaves its files where they are.
  write(project.folder / "tools" / "cmake",
        "#!/bin/sh\ntrap : TERM INT\nsetsid --wait sh -c 'echo > \"$TMPDIR/half\"; "
        "echo $$ > \"$1\"; exec sleep 600' - " +
            shell_word(begun) + " &\ncompiler=$!\ntrap 'kill -- -$compiler' INT\n" +
            "while kill -0 $compiler 2>/dev/null; do wait; done\n");
  for (const int signal : {SIGHUP, SIGTERM, SIGKILL, SIGINT}) {
    CAPTURE(signal);
    fs::remove(begun);
    fs::create_directory(temporary);
    Watch watch(project, "TMPDIR=" + shell_word(temporary));
    REQUIRE(comes_true([&] { return fs::exists(begun) && !read(begun).empty(); }));
    const pid_t compiler = std::stoi(read(begun));
    REQUIRE(kill(compiler, 0) == 0);
    watch.kill_it_alone(signal);
    CHECK(comes_true([&] { return kill(compiler, 0) != 0; }));
    CHECK(comes_true([&] { return fs::is_empty(temporary); }));
    watch.end();
  }
}

TEST_CASE("whatever ends or stops watch, the terminal echoes again") {
  const Project project("loop_terminal");
  const std::string line = "exec " + project.command("watch 1") + " >/dev/null 2>&1";
  int keyboard = -1, terminal = -1;
  REQUIRE(openpty(&keyboard, &terminal, nullptr, nullptr, nullptr) == 0);
  const auto echoes = [terminal] {
    termios how{};
    tcgetattr(terminal, &how);
    return (how.c_lflag & ECHO) != 0;
  };
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGINT, SIGTSTP}) {
    CAPTURE(signal);
    REQUIRE(echoes());
    const pid_t watch = fork();
    if (watch == 0) {
      dup2(terminal, STDIN_FILENO);
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    REQUIRE(comes_true([&] { return !echoes(); }));
    kill(watch, signal);
    int status = 0;
    waitpid(watch, &status, WUNTRACED);
    CHECK(echoes());
    CHECK(WIFEXITED(status) == (signal == SIGINT));
    if (signal != SIGTSTP) continue;
    CHECK(WIFSTOPPED(status));
    kill(watch, SIGCONT);  // `fg`
    CHECK(comes_true([&] { return !echoes(); }));
    CHECK(write(keyboard, "q", 1) == 1);
    waitpid(watch, &status, 0);
    CHECK(echoes());
  }
  close(keyboard);
  close(terminal);
}
