// SPDX-License-Identifier: MIT
// The check of an exercise in PTX (guide/ptx_task.hpp): solution.ptx and the answer are launched on
// the emulator, by `lanescope run`, with the same words, and what they left in memory is compared.
// The first launch of the answer is recorded; of a wrong one it says what went wrong on the way.
// What is right there is launched on this machine's card as well.
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
#include "cli/this_card.hpp"
#include "guide/file.hpp"
#include "guide/ptx_task.hpp"
#include "launcher/kernel_text.hpp"
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
Launched launch(const Words& words, const Stopped& stopped) {
  Words all{"/proc/self/exe", "run"};
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
/// `where`: the options of `lanescope run` that both are launched with; `looks`: those for the
/// answer alone.
Judged judge(const guide::PtxTask& task, const std::string& how, const Exercise& exercise,
             const Words& where, const Words& looks, const Stopped& stopped) {
  const Scratch right;
  if (right.path().empty())
    return {{}, {}, refuse("no folder for temporary files can be made; is there room?")};
  const auto launched = [&](const Words& options, const fs::path& file, const char* memory) {
    Words all = where;
    all.insert(all.end(), options.begin(), options.end());
    all.push_back(relative_if_below(file));
    for (const std::string& word : viz::shell_words(how)) all.push_back(word);
    all.insert(all.end(), {memory, right.path().string()});
    return launch(all, stopped);
  };
  const Launched ours = launched({}, exercise.solution(), "--write");
  if (stopped && stopped()) return {};
  if (!ours.printed.good)
    return {{},
            {},
            refuse(fmt::format("{} does not run: {}", shown(exercise.solution()),
                               guide::wrong_with(false, ours.printed.text)))};
  const Launched theirs = launched(looks, exercise.file(), "--like");
  if (theirs.too_long)
    return {fmt::format("stopped after {} s: does a loop or a wait never end?\n",
                        bounds_of_checks(stopped).time.count()),
            {}};
  return {guide::wrong_with(theirs.printed.good, theirs.printed.text),
          guide::conflicts_in(task, theirs.printed.text)};
}

/// ", launch 2 of 3"; "" of the only one.
std::string which(std::size_t launch, std::size_t count) {
  return count > 1 ? fmt::format(", launch {} of {}", launch + 1, count) : std::string();
}

/// What was right on the emulator, on the card of this machine, if it has one that can run it: its
/// memory against what solution.ptx leaves there.
int check_on_card(const guide::PtxTask& task, const Exercise& exercise, const std::string& answer,
                  const Stopped& stopped) {
  const std::optional<ThisCard> card = this_card();
  if (!card || !obstacle(launcher::read_ptx(answer), *card).empty()) return 0;
  fmt::print("\nAnd on this machine's card, {}:\n", card->name);
  const std::size_t count = task.launches.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::fflush(stdout);
    const Judged judged = judge(task, task.launches[i], exercise, {"--device", "gpu"}, {}, stopped);
    if (judged.code != 0) return judged.code;
    if (stopped && stopped()) return 1;
    say_case("leaves in memory what it should" + which(i, count), judged.memory);
    if (!judged.memory.empty()) return wrong_on_card(card->name);
  }
  return 0;
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
  const Words where{"--arch", exercise.lesson.arch};
  const std::size_t count = task.launches.size();
  for (std::size_t i = 0; i < count; ++i) {
    Words looks{task.is_strict ? "--strict" : "--check", "--banks"};
    const bool is_recorded = i == 0 && !trace.empty();
    if (is_recorded) looks.insert(looks.end(), {"--steps", "all", "--trace", trace.string()});
    const Judged judged = judge(task, task.launches[i], exercise, where, looks, stopped);
    if (judged.code != 0) return judged.code;
    if (stopped && stopped()) return 1;
    say_case("leaves in memory what it should" + which(i, count), judged.memory);
    if (task.no_conflicts && judged.memory.empty())
      say_case("without bank conflicts" + which(i, count), judged.conflicts);
    if (judged.memory.empty() && judged.conflicts.empty()) continue;
    if (count > 1) print("  launched with {}\n", task.launches[i]);
    if (is_recorded) say_recorded(trace, !judged.memory.empty());
    return 1;
  }
  for (const std::string& name : task.uses) {
    const bool is_used = guide::not_used(task, *answer) != name;
    say_case("uses " + name,
             is_used ? "" : fmt::format("the answer has no {}, which the task asks for\n", name));
    if (!is_used) return 1;
  }
  return check_on_card(task, exercise, *answer, stopped);
}

}  // namespace lanescope::cli
