// SPDX-License-Identifier: MIT
#include "panels/steps/step_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace lanescope::viz {
namespace {

int number_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return -1;
  const std::string digits(text.substr(at + words.size(), 9));
  char* end = nullptr;
  const long number = std::strtol(digits.c_str(), &end, 10);
  return end == digits.c_str() ? -1 : static_cast<int>(number);
}

// Of a trace that was written before reports had a field for it: "against warp 0 lane 3, line 19,
// PTX line 967 `st.shared.u32 [%r2], %r1`", where a long instruction ends in "...".
std::optional<trace::OtherAccess> in_words(const trace::Diagnostic& said) {
  for (const std::string_view detail : said.details) {
    const std::size_t quote = detail.find('`');
    if (!detail.starts_with("against ") || quote == std::string_view::npos) continue;
    trace::OtherAccess other;
    other.ptx_line = number_behind(detail, "PTX line ");
    if (other.ptx_line <= 0) continue;
    other.block = said.place.block;
    other.warp = number_behind(detail.substr(0, detail.find(',')), "warp ");
    other.ptx = detail.substr(quote + 1, detail.rfind('`') - quote - 1);
    return other;
  }
  return {};
}

std::optional<trace::OtherAccess> against(const trace::Diagnostic& said) {
  return said.against.empty() ? in_words(said) : said.against.front();
}

// That `step` is one of this instruction. Lines of two modules may be alike: what it does tells
// them apart, and the file, where it is known.
bool is_of(const trace::Step& step, const trace::OtherAccess& other) {
  std::string_view mnemonic = mnemonic_of(other.ptx);
  const bool cut = mnemonic.ends_with("...");
  if (cut) mnemonic.remove_suffix(3);
  const std::string_view here = mnemonic_of(step.ptx);
  if (step.ptx_line != other.ptx_line) return false;
  if (!other.source.file.empty() && other.source.file != step.source.file) return false;
  return cut ? here.starts_with(mnemonic) : here == mnemonic;
}

bool is_about(const trace::Step& step, const trace::Diagnostic& said) {
  return step.ptx_line == said.ptx_line && step.source.file == said.source.file;
}

const StepItem& item_at(const StepList& steps, const StepPlace& place) {
  return steps.warps[static_cast<std::size_t>(place.warp)]
      .items[static_cast<std::size_t>(place.item)];
}

// The step of the other access that is nearest to `here`: of the warp that the report names, then
// on the right side of it, then by distance. `is_other`: whether a step is one of that instruction.
template <class IsOther>
StepPlace nearest_of(const StepList& steps, const trace::Step& here, const trace::Place& named,
                     bool before, IsOther is_other) {
  StepPlace best{0, -1, {}};
  std::tuple<bool, bool> best_rank;
  const trace::Step* nearest = nullptr;
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp) {
    const StepWarp& whose = steps.warps[warp];
    const bool is_named = whose.warp == named.warp && whose.block == named.block;
    for (std::size_t at = 0; at < whose.items.size(); ++at) {
      const trace::Step& step = *whose.items[at].step;
      if (&step == &here || !is_other(step)) continue;
      const bool came_first = std::less<>()(&step, &here);
      const std::tuple rank{is_named, came_first == before};
      const bool nearer = nearest != nullptr && std::less<>()(nearest, &step) == came_first;
      if (nearest != nullptr && (rank < best_rank || (rank == best_rank && !nearer))) continue;
      best = {static_cast<int>(warp), static_cast<int>(at), {}};
      best_rank = rank;
      nearest = &step;
    }
  }
  return best;
}

}  // namespace

// Of the warps of a CTA the checker names one, and it names an instruction once: whoever executed
// it does what is said, so that it is marked in all steps, whichever launch they are of.
void note_reports(StepList& list, const trace::Trace& trace) {
  std::map<std::pair<int, std::string_view>, const trace::Diagnostic*> said;
  std::multimap<int, std::pair<trace::OtherAccess, const trace::Diagnostic*>> first;
  for (const trace::Event& event : trace.events)
    if (const auto* d = std::get_if<trace::Diagnostic>(&event); d != nullptr && d->ptx_line > 0) {
      list.reports.push_back(d);
      said.emplace(std::pair{d->ptx_line, std::string_view(d->source.file)}, d);
      if (auto other = against(*d)) first.emplace(other->ptx_line, std::pair{std::move(*other), d});
    }
  if (said.empty()) return;
  for (StepWarp& warp : list.warps)
    for (StepItem& item : warp.items) {
      const trace::Step& step = *item.step;
      if (const auto found = said.find({step.ptx_line, step.source.file}); found != said.end())
        item.said = found->second;
      const auto [begin, end] = first.equal_range(step.ptx_line);
      const auto found = std::find_if(
          begin, end, [&step](const auto& one) { return is_of(step, one.second.first); });
      if (found != end) item.against = found->second.second;
    }
}

StepPlace first_said(const StepList& steps) {
  StepPlace place{0, -1, {}};
  const trace::Step* first = nullptr;  // of the trace: its events lie in the order they happened
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp) {
    const std::vector<StepItem>& items = steps.warps[warp].items;
    const auto found = std::find_if(items.begin(), items.end(),
                                    [](const StepItem& item) { return item.said != nullptr; });
    if (found == items.end() || (first != nullptr && !std::less<>()(found->step, first))) continue;
    first = found->step;
    place = {static_cast<int>(warp), static_cast<int>(found - items.begin()), {}};
  }
  return place;
}

std::vector<StepReport> reports_at(const StepList& steps, const StepPlace& place) {
  const StepItem& item = item_at(steps, place);
  if (item.said == nullptr && item.against == nullptr) return {};
  const trace::Step& here = *item.step;
  std::vector<StepReport> all, of_others;
  for (const trace::Diagnostic* said : steps.reports) {
    const auto other = against(*said);
    if (is_about(here, *said)) {  // what a report is about came last
      all.push_back({said, true, {0, -1, {}}});
      if (other)
        all.back().other =
            nearest_of(steps, here, {0, other->block, other->warp}, true,
                       [&other](const trace::Step& step) { return is_of(step, *other); });
    } else if (other && is_of(here, *other)) {
      of_others.push_back(
          {said, false, nearest_of(steps, here, said->place, false, [said](const trace::Step& s) {
             return is_about(s, *said);
           })});
    }
  }
  all.insert(all.end(), of_others.begin(), of_others.end());
  return all;
}

std::string other_access_text(const StepList& steps, const StepPlace& other) {
  if (other.item < 0) return {};
  return fmt::format("the other access: {}, {}", words_of(steps, other),
                     mnemonic_of(item_at(steps, other).step->ptx));
}

std::string report_text(const StepList& steps, const StepPlace& place) {
  std::string text;
  for (const StepReport& report : reports_at(steps, place)) {
    text += fmt::format("{}{}: {}\n", report.own ? "" : "the other access of ", report.said->kind,
                        report.said->message);
    if (report.own)
      for (const std::string& detail : report.said->details) text += fmt::format("  {}\n", detail);
    if (report.other.item >= 0)
      text += fmt::format("  {}\n", other_access_text(steps, report.other));
  }
  return text;
}

}  // namespace lanescope::viz
