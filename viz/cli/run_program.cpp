// SPDX-License-Identifier: MIT
// Where a lesson or a check runs, on the GPU or under the emulator, and how it ends; see
// course_tools.hpp. They run as the programs they are: nothing of them is in this process.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/processes.hpp"
#include "cli/project.hpp"
#include "cli/terminal.hpp"
#include "cli/this_card.hpp"

namespace lanescope::cli {

namespace fs = std::filesystem;

constexpr const char* kSecondsVariable = "LANESCOPE_CHECK_SECONDS";

/// Where NVIDIA's libcudart.so lies, as CMake found it.
static fs::path toolkit_libraries() { return fs::path(cached("LANESCOPE_CUDART")).parent_path(); }

bool has_device(const std::string& wanted) {
  if (wanted != "gpu" || this_card()) return true;
  refuse("no GPU here (no driver, or it has no device); use --device cpu");
  return false;
}

std::string choose_device(const std::string& wanted, const fs::path& program) {
  if (wanted != "auto") return wanted;
  const std::optional<ThisCard> card = this_card();
  if (!card) return "cpu";
  const std::string why = obstacle(program, *card);
  if (why.empty()) return "gpu";
  fmt::print("On the emulator: {} {}.\n\n", card->name, why);
  std::fflush(stdout);
  return "cpu";
}

Bounds bounds_of_checks(const Stopped& stopped) {
  const char* words = std::getenv(kSecondsVariable);
  const int seconds = words == nullptr ? 0 : std::atoi(words);
  return {std::chrono::seconds(seconds > 0 ? seconds : 20), std::size_t{1} << 20, stopped};
}

/// Stops a child that has reached a bound.
static int stop(pid_t child, const std::string& program, Ended why, const Bounds& bounds) {
  kill(bounds.stopped ? -child : child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (why == Ended::not_wanted) return 1;
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

Ending run_program(const std::vector<std::string>& words, const std::string& device,
                   const std::string& arch, const StepsWanted& steps, const Bounds& bounds) {
  const Output output(bounds);
  const NotBegun not_begun;
  const pid_t child = fork_bound(bounds.stopped != nullptr);
  if (child < 0)
    return {refuse(fmt::format("cannot start a process: {}", std::strerror(errno)), 1), true};
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
      const int code = run(options);  // comes back only when it fails
      not_begun.tell();
      _exit(code);
    }
    prepend("LD_LIBRARY_PATH", toolkit_libraries().string());
    become(words);
    const int code = refuse(fmt::format("cannot run {}: {}", words[0], std::strerror(errno)));
    not_begun.tell();
    _exit(code);
  }
  int status = 0;
  if (const Ended ended = ends_in(bounds, child, status, output); ended != Ended::by_itself)
    return {stop(child, words[0], ended, bounds), true};
  if (WIFEXITED(status) && not_begun.told()) return {2, false};
  if (WIFEXITED(status)) return {WEXITSTATUS(status), true};
  if (WTERMSIG(status) == SIGPIPE) raise(SIGPIPE);  // nobody reads on: `| head` wants no word
  if (WTERMSIG(status) == SIGINT) return {128 + SIGINT, true};  // who pressed Ctrl-C knows
  const int code = refuse(fmt::format("{} was stopped by signal {} ({})", shown(words[0]),
                                      WTERMSIG(status), strsignal(WTERMSIG(status))),
                          1);
  return {code, true};
}

}  // namespace lanescope::cli
