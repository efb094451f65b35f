// SPDX-License-Identifier: MIT
// The check of an exercise in PTX (guide/ptx_task.hpp): solution.ptx and the answer are launched on
// the emulator, by `lanescope run`, with the same words, and what they left in memory is compared.
// The first launch of the answer is recorded; of a wrong one it says what went wrong on the way.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/printable.hpp"
#include "cli/process_group.hpp"
#include "cli/processes.hpp"
#include "cli/terminal.hpp"
#include "guide/file.hpp"
#include "guide/ptx_task.hpp"
#include "panels/look/shell_word.hpp"
#include "panels/matrix/model.hpp"
#include "panels/steps/steps.hpp"
#include "panels/way/in_short.hpp"
#include "trace/reader.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A folder of its own while it lives.
class Scratch {
 public:
  Scratch() : path_(temporary_folder()) {}
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }  // empty: there is none

 private:
  fs::path path_;
};

struct Launched {
  Printed printed;
  bool too_long = false;
};

/// `lanescope run WORDS`, within the time that a check has.
Launched launch(const std::string& arch, const Words& words, const Stopped& stopped) {
  Words all{"/proc/self/exe", "run", "--arch", arch};
  all.insert(all.end(), words.begin(), words.end());
  Launched launched;
  const auto end = std::chrono::steady_clock::now() + bounds_of_checks(stopped).time;
  launched.printed = printed_by(all, [&] {
    launched.too_long = launched.too_long || std::chrono::steady_clock::now() > end;
    return launched.too_long || (stopped && stopped());
  });
  return launched;
}

void say_case(const std::string& name, const std::string& wrong) {
  fmt::print("  {:<60} {}\n", name, wrong.empty() ? "right" : "WRONG");
  if (!wrong.empty()) print("\n{}", wrong);
}

/// Of what the answer has recorded: the mistakes in its products, where there is one, and how to
/// look at it.
void say_recorded(const fs::path& trace, bool is_wrong) {
  trace::ReadResult result = trace::read_file(trace.string());
  if (!result.ok()) return;  // it did not come to its end
  make_printable(result.trace);
  const viz::Model model = viz::make_model(std::move(result.trace));
  const viz::StepList steps = viz::make_steps(model.trace);
  if (steps.empty()) return;
  int right = 0;
  const std::string mistakes =
      is_wrong ? viz::mistakes_in_short(model, steps, right) : std::string();
  if (!mistakes.empty()) print("\n{}", mistakes);
  fmt::print("\nLook at it: {} view {}\n", learn(), shown(trace));
}

/// What is wrong with a launch of the answer, each "" when nothing is. `code`: not 0 where it could
/// not be found out, which has been said.
struct Judged {
  std::string memory, conflicts;
  int code = 0;
};
Judged judge(const guide::PtxTask& task, const std::string& how, const Exercise& exercise,
             const fs::path& trace, const Stopped& stopped) {
  const Scratch right;
  if (right.path().empty())
    return {{}, {}, refuse("no folder for temporary files can be made; is there room?")};
  const Words words = viz::shell_words(how);
  const std::string& arch = exercise.lesson.arch;
  const auto with = [&words](Words all, const std::string& option, const fs::path& folder) {
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {option, folder.string()});
    return all;
  };
  const Launched ours =
      launch(arch, with({exercise.solution().string()}, "--write", right.path()), stopped);
  if (stopped && stopped()) return {};
  if (!ours.printed.good)
    return {{},
            {},
            refuse(fmt::format("{} does not run: {}", shown(exercise.solution()),
                               guide::wrong_with(false, ours.printed.text)))};
  Words options{task.is_strict ? "--strict" : "--check", "--banks"};
  if (!trace.empty()) options.insert(options.end(), {"--steps", "all", "--trace", trace.string()});
  options.push_back(relative_if_below(exercise.file()));
  const Launched theirs = launch(arch, with(options, "--like", right.path()), stopped);
  if (theirs.too_long)
    return {fmt::format("stopped after {} s: does a loop or a wait never end?\n",
                        bounds_of_checks(stopped).time.count()),
            {}};
  return {guide::wrong_with(theirs.printed.good, theirs.printed.text),
          guide::conflicts_in(task, theirs.printed.text)};
}

}  // namespace

int run_ptx_check(const Exercise& exercise, const Stopped& stopped) {
  const std::optional<std::string> answer = guide::contents_of(exercise.file());
  if (!answer) return refuse(fmt::format("cannot read {}", shown(exercise.file())));
  const guide::PtxTask task = guide::ptx_task(guide::contents_of(exercise.solution()).value_or(""));
  if (task.launches.empty())
    return refuse(fmt::format("{} does not say how it is run; `git checkout {}` brings it back",
                              shown(exercise.solution()), shown(exercise.solution())));
  fmt::print("Checking {} ...\n", shown(exercise.file()));
  std::fflush(stdout);
  fs::path trace = exercise.trace();
  std::error_code ignored;
  fs::remove(trace, ignored);  // of another answer
  if (!can_record(trace)) trace.clear();
  const std::size_t count = task.launches.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Judged judged =
        judge(task, task.launches[i], exercise, i == 0 ? trace : fs::path(), stopped);
    if (judged.code != 0) return judged.code;
    if (stopped && stopped()) return 1;
    const std::string which =
        count > 1 ? fmt::format(", launch {} of {}", i + 1, count) : std::string();
    say_case("leaves in memory what it should" + which, judged.memory);
    if (task.no_conflicts && judged.memory.empty())
      say_case("without bank conflicts" + which, judged.conflicts);
    if (judged.memory.empty() && judged.conflicts.empty()) continue;
    if (count > 1) print("  launched with {}\n", task.launches[i]);
    if (i == 0 && !trace.empty()) say_recorded(trace, !judged.memory.empty());
    return 1;
  }
  for (const std::string& name : task.uses) {
    const bool is_used = guide::not_used(task, *answer) != name;
    say_case("uses " + name,
             is_used ? "" : fmt::format("the answer has no {}, which the task asks for\n", name));
    if (!is_used) return 1;
  }
  return 0;
}

}  // namespace lanescope::cli
