// SPDX-License-Identifier: MIT
// The course: runs a lesson, checks an exercise, says what comes next. Lessons are built by CMake
// and run as the programs they are, on the GPU or under the emulator; nothing of them is in this
// process.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/project.hpp"
#include "guide/course.hpp"
#include "guide/progress.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using guide::Lesson;

const fs::path kProject = project_folder();
const fs::path kTraces = traces_folder();
const fs::path kBuild = LANESCOPE_BUILD_DIR;

int refuse(const std::string& why, int code = 2) {
  std::fflush(stdout);
  fmt::print(stderr, "lanescope: {}\n", why);
  return code;
}

// ---- Paths, as the reader would type them -----------------------------------------------------

std::string quoted(const std::string& path) {
  return path.find_first_of(" \t'\"$&()") == std::string::npos ? path : "\"" + path + "\"";
}

std::string relative_if_below(const fs::path& path) {
  std::error_code error;
  const fs::path relative = path.lexically_proximate(fs::current_path(error));
  const bool outside = relative.empty() || relative.begin()->string() == "..";
  return (error || outside ? path : relative).string();
}
std::string shown(const fs::path& path) { return quoted(relative_if_below(path)); }

std::string learn() {
  const std::string script = shown(kProject / "learn");
  return script == "learn" ? "./learn" : script;
}

fs::path progress_file() { return kProject / "progress.txt"; }

// ---- Building ---------------------------------------------------------------------------------

/// Whether CMake found nvcc when this build was configured.
bool has_toolkit() {
  std::ifstream cache(kBuild / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);)
    if (line.rfind("LANESCOPE_NVCC:", 0) == 0) return line.find("NOTFOUND") == std::string::npos;
  return false;
}

int no_toolkit(const Lesson& lesson) {
  return refuse(fmt::format(
      "lesson {} needs the CUDA toolkit, and there was no nvcc when this was built; install it, "
      "remove the folder {} and run {} again. What the lesson records can be looked at without: "
      "{} view {}",
      lesson.number, shown(kBuild), learn(), learn(),
      shown(kProject / "lessons" / lesson.name / "recorded.lanes")));
}

/// Builds one target. Quiet when it works; the compiler's words when it does not.
bool build(const std::string& target) {
  const std::string command =
      fmt::format("cmake --build '{}' --target '{}' 2>&1", kBuild.string(), target);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  std::string output;
  char part[4096];
  while (const std::size_t count = std::fread(part, 1, sizeof part, pipe))
    output.append(part, count);
  if (pclose(pipe) == 0) return true;
  // Ninja's own lines say nothing to a learner: "[1/2] ...", "FAILED: ...", the nvcc command.
  std::size_t begin = 0;
  while (begin < output.size()) {
    const std::size_t end = std::min(output.find('\n', begin), output.size());
    const std::string line = output.substr(begin, end - begin);
    const bool noise = line.rfind("[", 0) == 0 || line.rfind("FAILED: ", 0) == 0 ||
                       line.rfind("ninja: ", 0) == 0 || line.find("/nvcc ") != std::string::npos;
    if (!noise) fmt::print(stderr, "{}\n", line);
    begin = end + 1;
  }
  return false;
}

// ---- Running ----------------------------------------------------------------------------------

/// A card and its driver; the toolkit alone is not enough.
bool has_gpu() {
  std::error_code error;
  if (!fs::exists("/dev/nvidia0", error) && !fs::exists("/dev/dxg", error)) return false;
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver != nullptr) dlclose(driver);
  return driver != nullptr;
}

/// Where NVIDIA's libcudart.so lies, as CMake found it.
fs::path toolkit_libraries() {
  std::ifstream cache(kBuild / "CMakeCache.txt");
  constexpr const char* kKey = "LANESCOPE_CUDART:FILEPATH=";
  for (std::string line; std::getline(cache, line);)
    if (line.rfind(kKey, 0) == 0) return fs::path(line.substr(std::strlen(kKey))).parent_path();
  return {};
}

/// "cpu" or "gpu" for what was asked for; "" when that is not there, which has been said.
std::string choose_device(const std::string& wanted) {
  if (wanted == "cpu") return "cpu";
  const bool gpu = has_gpu();
  if (wanted == "auto") return gpu ? "gpu" : "cpu";
  if (!gpu) refuse("no GPU here (no /dev/nvidia0, or no driver); use --device cpu");
  return gpu ? "gpu" : "";
}

/// Runs a program to its end. Its exit code, or 1 when it was killed, which has been said.
int run_program(const std::vector<std::string>& words, const std::string& device,
                const std::string& arch) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return refuse(fmt::format("cannot start a process: {}", std::strerror(errno)), 1);
  if (child == 0) {
    if (device == "cpu") _exit(run({words, arch, ""}));  // comes back only when it fails
    const char* old = std::getenv("LD_LIBRARY_PATH");
    const std::string libraries =
        toolkit_libraries().string() + (old && *old ? std::string(":") + old : "");
    setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(words[0].c_str(), arguments.data());
    _exit(refuse(fmt::format("cannot run {}: {}", words[0], std::strerror(errno))));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return refuse(fmt::format("{} was stopped by signal {} ({})", words[0], WTERMSIG(status),
                            strsignal(WTERMSIG(status))),
                1);
}

/// In traces/, made when it is not there yet. A check's trace lies in a folder of its own: `view 1`
/// means the lesson's.
fs::path trace_path(const fs::path& name) {
  const fs::path path = kTraces / name;
  std::error_code ignored;  // the program that writes it will say
  fs::create_directories(path.parent_path(), ignored);
  return path;
}

/// Builds and runs `lesson`, without a word about what comes next.
int run_lesson(const Lesson& lesson, const LessonOptions& options, fs::path& trace) {
  if (!lesson.here)
    return refuse(fmt::format("lesson {} ({}) is still to come", lesson.number, lesson.title));
  const std::string device = choose_device(options.device);
  if (device.empty()) return 2;
  if (!has_toolkit()) return no_toolkit(lesson);
  if (!build(lesson.name + "_program"))
    return refuse(fmt::format("{} does not compile; the compiler says why above",
                              shown(kProject / "lessons" / lesson.name / "lesson.cu")),
                  1);
  trace = trace_path(fmt::format("{}.{}.lanes", lesson.name, device));
  const fs::path program = kBuild / "lessons" / lesson.name / lesson.name;
  return run_program({program.string(), "--trace", relative_if_below(trace)}, device, options.arch);
}

// ---- What there is, and what comes next -------------------------------------------------------

/// The lessons and what has been passed of them. `error` says why the progress file is unreadable.
struct Course {
  std::vector<Lesson> lessons = guide::course(kProject / "lessons");
  std::string error;  // before progress, whose reader sets it
  guide::Progress progress = guide::read_progress(progress_file(), error);
  const Lesson* next() const { return guide::next_lesson(lessons, progress); }
};

/// The lesson with this number (0: the next, or the first when all are passed), or nullptr, said.
const Lesson* choose_lesson(const Course& course, int number) {
  const Lesson* lesson = number == 0 ? course.next() : guide::find(course.lessons, number);
  if (number == 0 && lesson == nullptr) lesson = guide::find(course.lessons, 1);
  if (lesson == nullptr)
    refuse(fmt::format("there is no lesson {}; `{}` alone lists them", number,
                       shown(kBuild / "bin" / "lanescope")));
  return lesson;
}

void say_what_to_try(const Lesson& lesson) {
  const fs::path folder = kProject / "lessons" / lesson.name;
  fmt::print("\nThree things to try next:\n");
  fmt::print("  1. See it:   {} view {}          (in the terminal: {} view {} --text)\n", learn(),
             lesson.number, learn(), lesson.number);
  fmt::print("  2. Read it:  {}\n", shown(folder / "README.md"));
  fmt::print("  3. Do it:    fill the gap in {}, then {} check {}\n", shown(folder / "exercise.cu"),
             learn(), lesson.number);
}

}  // namespace

int lesson(const LessonOptions& options) {
  const Course course;
  const Lesson* lesson = choose_lesson(course, options.number);
  if (lesson == nullptr) return 2;
  fs::path trace;
  const int result = run_lesson(*lesson, options, trace);
  if (result == 0)
    fmt::print("\nTrace: {}\nLook at it: {} view {}, or {} view {} --text\n", shown(trace), learn(),
               lesson->number, learn(), lesson->number);
  return result;
}

int check(int number) {
  Course course;
  const Lesson* lesson = guide::find(course.lessons, number);
  if (lesson == nullptr || !lesson->here)
    return refuse(fmt::format("there is no lesson {} to check yet", number));
  if (!course.error.empty()) return refuse(course.error);
  if (!has_toolkit()) return no_toolkit(*lesson);
  const fs::path exercise = kProject / "lessons" / lesson->name / "exercise.cu";
  if (!build(lesson->name + "_check_exercise"))
    return refuse(fmt::format("{} does not compile; the compiler says why above", shown(exercise)),
                  1);

  fmt::print("Checking {} ...\n", shown(exercise));
  const fs::path trace = trace_path(fs::path("check") / (lesson->name + ".lanes"));
  setenv("LANESCOPE_CHECK_TRACE", relative_if_below(trace).c_str(), 1);
  const fs::path program = kBuild / "lessons" / lesson->name / "check_exercise";
  const int result = run_program({program.string()}, choose_device("auto"), LessonOptions{}.arch);
  if (result != 0) return refuse(fmt::format("lesson {} is not passed yet", number), 1);

  course.progress.pass(lesson->name);
  const std::string problem = guide::write_progress(progress_file(), course.progress);
  if (!problem.empty()) return refuse(problem, 1);
  fmt::print("\nPassed: lesson {}, {}.\n", number, lesson->title);
  if (const Lesson* next = course.next())
    fmt::print("Next: {} lesson {}\n", learn(), next->number);
  else
    fmt::print("That was the last lesson there is so far. `{}` alone shows the ladder.\n",
               shown(kBuild / "bin" / "lanescope"));
  return 0;
}

int start() {
  const Course course;
  if (!course.error.empty()) return refuse(course.error);
  const Lesson* lesson = choose_lesson(course, 0);
  if (lesson == nullptr) return 2;
  if (!has_toolkit()) {
    no_toolkit(*lesson);
    fmt::print("\nWithout it you can still:\n");
    fmt::print("  1. see what lesson {} records:  {} view {}\n", lesson->number, learn(),
               shown(kProject / "lessons" / lesson->name / "recorded.lanes"));
    fmt::print("  2. ask the atlas:               {} layout --list\n", learn());
    fmt::print("  3. read the lesson:             {}\n",
               shown(kProject / "lessons" / lesson->name / "README.md"));
    return 0;
  }
  fmt::print("Lesson {}: {}\n\n", lesson->number, lesson->title);
  fs::path trace;
  const int result = run_lesson(*lesson, {}, trace);
  if (result != 0) return result;
  fmt::print("\nTrace: {}\n", shown(trace));
  say_what_to_try(*lesson);
  return 0;
}

int progress() {
  const Course course;
  if (!course.error.empty()) return refuse(course.error);
  const Lesson* next = course.next();
  fmt::print("Lanescope shows which lane holds which matrix element.\n\n");
  for (const Lesson& lesson : course.lessons) {
    const bool passed = course.progress.passed(lesson.name);
    const char* state = !lesson.here      ? "to come"
                        : passed          ? "passed"
                        : &lesson == next ? "next"
                                          : "";
    fmt::print("  {:02} {:<52} {}\n", lesson.number, lesson.title, state);
  }
  if (next != nullptr)
    fmt::print("\nNext: {} lesson {}, then {} check {}\n", learn(), next->number, learn(),
               next->number);
  else
    fmt::print("\nAll lessons that are here are passed; the others are still to come.\n");
  fmt::print("Help: {} --help\n", learn());
  return 0;
}

}  // namespace lanescope::cli
