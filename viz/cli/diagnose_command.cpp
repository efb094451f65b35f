// SPDX-License-Identifier: MIT
// `diagnose TRACE`, or of an exercise's last check its number: the name of the mistake. Exit code 0
// when every fragment that could be compared is right, 1 when one is not, 2 when there was nothing
// to compare.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/printable.hpp"
#include "cli/project.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "trace/diagnose.hpp"
#include "trace/reader.hpp"

namespace lanescope::cli {
namespace {

using trace::Diagnosis;
using trace::Verdict;

std::string where(const trace::Place& place) {
  return fmt::format("launch {}, block {},{},{}, warp {}", place.launch, place.block[0],
                     place.block[1], place.block[2], place.warp);
}

/// In full, or where the same was said of another fragment, its first line alone.
void say(const trace::Trace& trace, const Diagnosis& d, bool again) {
  const auto& fragment =
      std::get<trace::Fragment>(trace.events[static_cast<std::size_t>(d.fragment)]);
  const std::string head =
      fmt::format("{} of {}: ", one_line(fragment.name), where(fragment.place));
  if (d.verdict == Verdict::not_compared) {
    print("{}not compared: {}\n", head, one_line(d.mistake));
    return;
  }
  const auto& matrix = std::get<trace::Memory>(trace.events[static_cast<std::size_t>(d.matrix)]);
  if (d.verdict == Verdict::right) {
    print("{}right, all {} elements of \"{}\"\n", head, d.elements, one_line(matrix.name));
    if (!d.note.empty()) print("  but {}\n", d.note);
    return;
  }
  print("{}{}\n", head, one_line(d.mistake));
  if (again) return;
  print("  {} of {} elements are not where \"{}\" has them; the first: {}\n", d.wrong, d.elements,
        one_line(matrix.name), d.first);
  if (fragment.source.line > 0)
    print("  Recorded at {}:{}.\n", one_line(fragment.source.file), fragment.source.line);
  const bool asks = !d.advice.empty() && d.advice.back() == '?';
  print("  What to do: {}{}\n", d.advice, asks ? "" : ".");
}

}  // namespace

int list_mistakes() {
  for (const trace::KnownMistake& one : trace::known_mistakes())
    print("  {:<20} {}\n", one.kind, one.words);
  return 0;
}

int diagnose(const std::string& target) {
  const FoundTrace found = find_checked(target);
  if (!found.problem.empty()) return refuse(found.problem);
  const std::string& path = found.path;
  trace::ReadResult result = trace::read_file(path);
  if (!result.ok()) return refuse(result.error->message(path));
  make_printable(result.trace);
  const std::vector<Diagnosis> all = trace::diagnose(result.trace);
  const bool of_exercise = path != target;
  if (of_exercise && std::all_of(all.begin(), all.end(), [](const Diagnosis& d) {
        return d.verdict == Verdict::not_compared;
      }))
    return refuse(fmt::format(
        "exercise {} records no matrix to compare with: its check names the mistake, {} check {}",
        target, learn(), target));
  int compared = 0, wrong = 0, not_compared_either = 0;
  std::set<std::string> said;  // advice that was given, reasons why nothing was compared
  for (const Diagnosis& d : all) {
    const bool is_compared = d.verdict != Verdict::not_compared;
    const bool again =
        d.verdict != Verdict::right && !said.insert(is_compared ? d.advice : d.mistake).second;
    if (is_compared || !again)
      say(result.trace, d, again);
    else
      ++not_compared_either;
    compared += d.verdict != Verdict::not_compared;
    wrong += d.verdict == Verdict::mistake || d.verdict == Verdict::unknown;
  }
  if (not_compared_either > 0)
    print("{} more not compared, for reasons given above\n", not_compared_either);
  if (compared == 0)
    return refuse(fmt::format(
        "{} has no fragment with a matrix to compare it with; record that too, with RECORD_TILE or "
        "Recorder::memory, by a name that begins with the operand's letter",
        shown(path)));
  print("{} of {} fragments compared; {}\n", compared, all.size(),
        wrong == 0   ? "all are right"
        : wrong == 1 ? "one is wrong"
                     : fmt::format("{} are wrong", wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace lanescope::cli
