// SPDX-License-Identifier: MIT
// See course_tools.hpp. Lessons are built by CMake and run as the programs they are, on the GPU or
// under the emulator; nothing of them is in this process.
#include "cli/course_tools.hpp"
#include "guide/ending.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/commands.hpp"
#include "cli/processes.hpp"
#include "cli/project.hpp"
#include "cli/terminal.hpp"
#include "panels/look/shell_word.hpp"

namespace lanescope::cli {

namespace fs = std::filesystem;

constexpr const char* kSecondsVariable = "LANESCOPE_CHECK_SECONDS";

// ---- Paths, as the reader would type them -----------------------------------------------------

std::string relative_if_below(const fs::path& path) {
  std::error_code error;
  const fs::path relative = path.lexically_proximate(fs::current_path(error));
  const bool outside = relative.empty() || relative.begin()->string() == "..";
  return (error || outside ? path : relative).string();
}
std::string shown(const fs::path& path) { return viz::shell_word(relative_if_below(path)); }

std::string learn() {
  const std::string script = shown(fs::path(project_folder()) / "learn");
  return script == "learn" ? "./learn" : script;
}

fs::path progress_file() { return fs::path(project_folder()) / "progress.txt"; }

fs::path lesson_folder(const guide::Lesson& lesson) {
  return fs::path(project_folder()) / "lessons" / lesson.name;
}

// ---- Running ----------------------------------------------------------------------------------

/// A card and its driver; the toolkit alone is not enough.
static bool has_gpu() {
  std::error_code error;
  if (!fs::exists("/dev/nvidia0", error) && !fs::exists("/dev/dxg", error)) return false;
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver != nullptr) dlclose(driver);
  return driver != nullptr;
}

/// Where NVIDIA's libcudart.so lies, as CMake found it.
static fs::path toolkit_libraries() { return fs::path(cached("LANESCOPE_CUDART")).parent_path(); }

std::string choose_device(const std::string& wanted) {
  if (wanted == "cpu") return "cpu";
  const bool gpu = has_gpu();
  if (wanted == "auto") return gpu ? "gpu" : "cpu";
  if (!gpu) refuse("no GPU here (no /dev/nvidia0, or no driver); use --device cpu");
  return gpu ? "gpu" : "";
}

/// What a check may do. How long: LANESCOPE_CHECK_SECONDS in the environment, or twenty times what
/// the longest one takes. How much it may print: nobody reads more.
static Bounds bounds_of_checks() {
  const char* words = std::getenv(kSecondsVariable);
  const int seconds = words == nullptr ? 0 : std::atoi(words);
  return {std::chrono::seconds(seconds > 0 ? seconds : 20), std::size_t{1} << 20};
}

/// Stops a child that has reached a bound.
static int stop(pid_t child, const std::string& program, Ended why, const Bounds& bounds) {
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (why == Ended::too_much) {
    std::fputs("\n", stderr);  // it was in the middle of a line
    return refuse(fmt::format("{} was stopped when it had printed {} KiB: does a loop that prints "
                              "never end?",
                              shown(program), bounds.printed_bytes >> 10),
                  1);
  }
  return refuse(fmt::format("{} was stopped after {} s: does a loop or a wait never end? ({}=N in "
                            "the environment gives it N seconds)",
                            shown(program), bounds.time.count(), kSecondsVariable),
                1);
}

int run_program(const std::vector<std::string>& words, const std::string& device,
                const std::string& arch, const StepsWanted& steps, const Bounds& bounds) {
  const Output output(bounds);
  const pid_t child = fork_bound();
  if (child < 0) return refuse(fmt::format("cannot start a process: {}", std::strerror(errno)), 1);
  if (child == 0) {
    output.take_over_in_child();
    if (device == "cpu") {
      RunOptions options;
      options.program = words;
      options.arch = arch;
      options.with_steps = !steps.words.empty();
      options.steps = steps.words;
      options.trace = steps.path;
      if (options.with_steps && std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
      _exit(run(options));  // comes back only when it fails
    }
    const char* old = std::getenv("LD_LIBRARY_PATH");
    const std::string libraries =
        toolkit_libraries().string() + (old && *old ? std::string(":") + old : "");
    setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
    become(words);
    _exit(refuse(fmt::format("cannot run {}: {}", words[0], std::strerror(errno))));
  }
  int status = 0;
  if (const Ended ended = ends_in(bounds, child, status, output); ended != Ended::by_itself)
    return stop(child, words[0], ended, bounds);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (WTERMSIG(status) == SIGPIPE) raise(SIGPIPE);      // nobody reads on: `| head` wants no word
  if (WTERMSIG(status) == SIGINT) return 128 + SIGINT;  // who pressed Ctrl-C knows
  return refuse(fmt::format("{} was stopped by signal {} ({})", shown(words[0]), WTERMSIG(status),
                            strsignal(WTERMSIG(status))),
                1);
}

fs::path trace_path(const fs::path& name) {
  const fs::path path = fs::path(traces_folder()) / name;
  std::error_code ignored;  // the program that writes it will say
  fs::create_directories(path.parent_path(), ignored);
  return path;
}

std::string not_writable(const fs::path& trace) {
  std::error_code error, ignored;
  fs::create_directories(trace.parent_path(), error);  // fails where there is none, and says why
  const fs::path touched = fs::exists(trace, ignored) ? trace : trace.parent_path();
  if (!error && access(touched.c_str(), W_OK) != 0) error.assign(errno, std::generic_category());
  return error ? fmt::format("cannot write {}: {}", shown(trace), error.message()) : "";
}

// ---- The learner --------------------------------------------------------------------------------

Course::Course()
    : lessons(guide::course(fs::path(project_folder()) / "lessons")),
      progress(guide::read_progress(progress_file(), error)) {
  if (std::string gone = missing_checkout(); !gone.empty()) error = std::move(gone);
}

/// Whether the checkout is there; if not, that is said.
static bool has_lessons() {
  const std::string gone = missing_checkout();
  if (!gone.empty()) refuse(gone);
  return gone.empty();
}

const guide::Lesson* choose_lesson(const Course& course, int number) {
  if (!has_lessons()) return nullptr;
  const guide::Lesson* lesson = number == 0 ? course.next() : guide::find(course.lessons, number);
  if (number == 0 && lesson == nullptr) lesson = guide::find(course.lessons, 1);
  if (lesson == nullptr)
    refuse(fmt::format("there is no lesson {}; `{}` alone lists them", number,
                       shown(build_folder() / "bin" / "lanescope")));
  return lesson;
}

const guide::Lesson* exercise_of(const Course& course, int number) {
  if (!has_lessons()) return nullptr;
  const guide::Lesson* lesson = guide::find(course.lessons, number);
  if (lesson != nullptr && lesson->here) return lesson;
  refuse(
      fmt::format("there is no exercise {} yet; `{} progress` lists the lessons", number, learn()));
  return nullptr;
}

bool has_exercise(const guide::Lesson& lesson) {
  const fs::path exercise = lesson_folder(lesson) / "exercise.cu";
  std::error_code error;
  if (fs::is_regular_file(exercise, error)) return true;
  if (fs::exists(exercise, error)) {
    refuse(fmt::format("{} is no file; move it away, then {} reset {} brings the exercise back",
                       shown(exercise), learn(), lesson.number));
    return false;
  }
  refuse(fmt::format("{} is not there; {} reset {} brings it back", shown(exercise), learn(),
                     lesson.number));
  return false;
}

/// Where the check's trace goes; nowhere, and it says so once, where it cannot be written.
static void set_trace(const fs::path& trace) {
  if (const std::string why = not_writable(trace); !why.empty()) {
    fmt::print("There will be no picture of it: {}\n", why);
    unsetenv("LANESCOPE_CHECK_TRACE");
    return;
  }
  setenv("LANESCOPE_CHECK_TRACE", relative_if_below(trace).c_str(), 1);
}

int run_check(const guide::Lesson& lesson, const Stopped& stopped) {
  if (!has_toolkit()) return no_toolkit(lesson);
  if (!has_exercise(lesson)) return 1;
  const OneAtATime alone(stopped);
  const fs::path exercise = lesson_folder(lesson) / "exercise.cu";
  if (const int code = build(lesson.name + "_check_exercise", exercise, stopped); code != 0)
    return code;
  fmt::print("Checking {} ...\n", shown(exercise));
  set_trace(trace_path(fs::path("check") / (lesson.name + ".lanes")));
  const fs::path program = build_folder() / "lessons" / lesson.name / "check_exercise";
  // A card that has what such a lesson needs is rare: its check is for the emulator.
  const std::string device = lesson.arch == guide::kLessonArch ? choose_device("auto") : "cpu";
  const int result = run_program({program.string()}, device, lesson.arch, {}, bounds_of_checks());
  if (result != 0 && stopped && stopped()) return 1;
  if (result == 2) return 2;  // it was never begun: no hint helps
  if (result != 0)
    return refuse(fmt::format("lesson {} is not passed yet; `{} hint {}` helps", lesson.number,
                              learn(), lesson.number),
                  1);
  return 0;
}

int check_and_note(Course& course, const guide::Lesson& lesson, const Stopped& stopped) {
  const int result = run_check(lesson, stopped);
  if (result != 0) return result;
  const std::string problem =
      guide::change_progress(progress_file(), [&](guide::Progress& progress) {
        progress.pass(lesson.name);
        course.progress = progress;
      });
  if (!problem.empty()) return refuse(problem);
  fmt::print(
      "\nPassed: lesson {}, {}.\nOurs, to compare with: {} solution {}\nFive questions on it: {} "
      "quiz "
      "{}\n",
      lesson.number, lesson.title, learn(), lesson.number, learn(), lesson.number);
  if (const guide::Lesson* next = course.next())
    fmt::print("Next: {} lesson {}\n", learn(), next->number);
  else
    fmt::print("\n{}", guide::ending(course.lessons, course.progress));
  return 0;
}

}  // namespace lanescope::cli
