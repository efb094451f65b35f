// SPDX-License-Identifier: MIT
#include "panels/pipeline/pipeline_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {
namespace {

std::string ticks_text(double ticks) {
  return fmt::format("{:.0f} tick{}", ticks, ticks == 1 ? "" : "s");
}

std::string name_of(StageState state) {
  return state == StageState::filling ? "being filled"
         : state == StageState::full  ? "full"
                                      : "in use";
}

std::string cause_text(const Pipeline& pipeline, int cause, bool by_copy, bool for_ever) {
  if (for_ever) return "ever: the trace ends first";
  if (cause < 0) return by_copy ? "a copy of another CTA" : "another CTA";
  return (by_copy ? "a copy of " : "") + warp_name(pipeline, cause);
}

// "warp 3", "warps 0 to 3", "warps 0, 2 and 5"
std::string warps_text(const Pipeline& p, const std::vector<int>& indices) {
  std::vector<int> warps;
  for (const int index : indices) warps.push_back(p.warps[static_cast<std::size_t>(index)].warp);
  if (warps.size() == 1) return fmt::format("warp {}", warps[0]);
  const bool run = warps.back() - warps.front() + 1 == static_cast<int>(warps.size());
  if (run) return fmt::format("warps {} to {}", warps.front(), warps.back());
  std::string text = "warps ";
  for (std::size_t k = 0; k < warps.size(); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : k + 1 == warps.size() ? " and " : ", ", warps[k]);
  return text;
}

void fill_cells(std::string& line, double begin, double end, double all, char mark) {
  const auto columns = static_cast<double>(line.size());
  const auto first = static_cast<std::size_t>(std::clamp(begin / all * columns, 0.0, columns - 1));
  auto last = static_cast<std::size_t>(std::clamp(end / all * columns, 0.0, columns));
  last = std::max(last, first + 1);
  for (std::size_t k = first; k < last; ++k) line[k] = mark;
}

// An mbarrier and a bar have phases; copies of one warp are counted in groups.
const char* counted_in(const std::string& object) {
  return object.compare(0, 8, "cp.async") == 0 || object == "bulk" ? "group" : "phase";
}

}  // namespace

std::string warp_name(const Pipeline& pipeline, int index) {
  if (index < 0 || index >= static_cast<int>(pipeline.warps.size())) return "nobody";
  return fmt::format("warp {}", pipeline.warps[static_cast<std::size_t>(index)].warp);
}

std::string wait_text(const Pipeline& pipeline, const WarpLine& line, const WaitSpan& span) {
  return fmt::format("warp {} waits for {}, {} {}: for {}, {}", line.warp, span.object,
                     counted_in(span.object), span.phase,
                     cause_text(pipeline, span.cause, span.by_copy, span.for_ever),
                     ticks_text(span.end - span.begin));
}

std::string stage_text(const Pipeline& pipeline, const StageLine& line, const StageSpan& span) {
  const std::string who = span.warp < 0 ? "" : warp_name(pipeline, span.warp);
  std::string text =
      fmt::format("{}, {} {}: {} for {}", line.name, counted_in(line.name), span.phase,
                  name_of(span.state), ticks_text(span.end - span.begin));
  if (span.state == StageState::filling) text += fmt::format(", {} bytes by {}", span.bytes, who);
  if (span.state == StageState::consumed) text += fmt::format(", first by {}", who);
  return text;
}

std::string sum_text(const Pipeline& p, const WaitSum& sum) {
  return fmt::format("{} for {}, {}: {} time{}, {}", warps_text(p, sum.warps),
                     cause_text(p, sum.cause, sum.by_copy, sum.for_ever), sum.object, sum.count,
                     sum.count == 1 ? "" : "s", ticks_text(sum.ticks));
}

std::string title_of(const Pipeline& p) {
  const auto count = [](std::size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  return fmt::format("{}launch {}, block {},{},{}: {}{}", p.kernel.empty() ? "" : p.kernel + ", ",
                     p.launch, p.block[0], p.block[1], p.block[2], count(p.warps.size(), "warp"),
                     p.stages.empty() ? "" : ", " + count(p.stages.size(), "stage"));
}

std::string unstepped_text(const Pipeline& p) {
  std::vector<int> unstepped;
  for (std::size_t k = 0; k < p.warps.size(); ++k)
    if (!p.warps[k].stepped) unstepped.push_back(static_cast<int>(k));
  if (unstepped.empty()) return "";
  return fmt::format("Of {} the trace has no steps: {} ends with the last wait or arrival.",
                     warps_text(p, unstepped), unstepped.size() == 1 ? "its line" : "each line");
}

std::vector<std::string> state_at(const Pipeline& p, double tick) {
  const auto at = [tick](const auto& spans) {
    return std::find_if(spans.begin(), spans.end(),
                        [tick](const auto& span) { return span.begin <= tick && tick < span.end; });
  };
  std::size_t names = 7;
  for (const StageLine& line : p.stages) names = std::max(names, line.name.size());
  std::vector<std::string> lines;
  for (const WarpLine& line : p.warps) {
    const auto wait = at(line.waits);
    std::string does = tick < line.end ? "runs"
                       : line.stepped  ? "has ended"
                                       : "no more is known of it";
    if (wait != line.waits.end())
      does = fmt::format("waits for {}, for {}", wait->object,
                         cause_text(p, wait->cause, wait->by_copy, wait->for_ever));
    lines.push_back(fmt::format("{:<{}}  {}", fmt::format("warp {}", line.warp), names, does));
  }
  for (const StageLine& line : p.stages) {
    const auto span = at(line.spans);
    lines.push_back(fmt::format(
        "{:<{}}  {}", line.name, names,
        span == line.spans.end()
            ? "empty"
            : fmt::format("{}, {} {}", name_of(span->state), counted_in(line.name), span->phase)));
  }
  return lines;
}

std::string pipeline_text(const Pipeline& p, int columns) {
  if (p.empty()) return "no sync events: record them with lanescope run --steps\n";
  std::size_t names = 8;
  for (const StageLine& line : p.stages) names = std::max(names, line.name.size());
  const auto room = static_cast<std::size_t>(std::max(20, columns - static_cast<int>(names) - 2));
  const double all = std::max(p.end, 1.0);
  std::string text = title_of(p) + "\n";
  text += fmt::format("time: {} from left to right; an instruction takes one{}; no card's clock\n",
                      ticks_text(p.end), p.copies ? ", a copy " + ticks_text(p.copy_ticks) : "");
  text += "warps: = runs, . waits, ! waits for ever\n";
  for (const WarpLine& line : p.warps) {
    std::string cells(room, ' ');
    fill_cells(cells, 0, line.end, all, '=');
    for (const WaitSpan& wait : line.waits)
      fill_cells(cells, wait.begin, wait.end, all, wait.for_ever ? '!' : '.');
    text += fmt::format("{:<{}}  {}\n", fmt::format("warp {}", line.warp), names, cells);
  }
  if (const std::string unstepped = unstepped_text(p); !unstepped.empty()) text += unstepped + "\n";
  if (!p.stages.empty()) text += "stages: > being filled, # full, = in use, empty otherwise\n";
  for (const StageLine& line : p.stages) {
    std::string cells(room, ' ');
    for (const StageSpan& span : line.spans)
      fill_cells(cells, span.begin, span.end, all,
                 span.state == StageState::filling ? '>'
                 : span.state == StageState::full  ? '#'
                                                   : '=');
    text += fmt::format("{:<{}}  {}\n", line.name, names, cells);
  }
  text += p.sums.empty() ? "nobody waits\n" : "who waits for whom, most first:\n";
  constexpr std::size_t kMostSums = 12;
  for (std::size_t k = 0; k < std::min(kMostSums, p.sums.size()); ++k) {
    const WaitSum& sum = p.sums[k];
    text += "  " + sum_text(p, sum) + "\n";
  }
  if (p.sums.size() > kMostSums) text += fmt::format("  and {} more\n", p.sums.size() - kMostSums);
  return text;
}

}  // namespace lanescope::viz
