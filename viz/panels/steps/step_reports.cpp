// SPDX-License-Identifier: MIT
#include "panels/steps/step_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <tuple>

namespace lanescope::viz {
namespace {

// "against warp 0 lane 3, line 19, PTX line 967 `st.shared.u32 [%r2], %r1`": how a report names the
// access that came first (common/emulator/check/findings.cpp).
struct Against {
  int ptx_line = 0;
  int warp = -1;              // -1: no warp's, a copy's say
  std::string_view mnemonic;  // or how it begins: long ones end in "..."
};

int number_behind(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return -1;
  const std::string digits(text.substr(at + words.size(), 9));
  char* end = nullptr;
  const long number = std::strtol(digits.c_str(), &end, 10);
  return end == digits.c_str() ? -1 : static_cast<int>(number);
}

std::optional<Against> against(const trace::Diagnostic& said) {
  for (const std::string_view detail : said.details) {
    const std::size_t quote = detail.find('`');
    if (!detail.starts_with("against ") || quote == std::string_view::npos) continue;
    const int line = number_behind(detail, "PTX line ");
    if (line <= 0) continue;
    std::string_view mnemonic =
        mnemonic_of(detail.substr(quote + 1, detail.rfind('`') - quote - 1));
    if (mnemonic.ends_with("...")) mnemonic.remove_suffix(3);
    return Against{line, number_behind(detail.substr(0, detail.find(',')), "warp "), mnemonic};
  }
  return {};
}

// The report that both accesses of `item` are of.
const trace::Diagnostic* report_of(const StepItem& item) {
  return item.said != nullptr ? item.said : item.against;
}

}  // namespace

// Of the warps of a CTA the checker names one, and it names an instruction once: whoever executed
// it does what is said, so that it is marked in all steps, whichever launch they are of.
void note_reports(StepList& list, const trace::Trace& trace) {
  std::map<std::pair<int, std::string_view>, const trace::Diagnostic*> said;
  // Its file is not in the report: what it does tells it from a line of another module.
  std::map<int, std::pair<std::string_view, const trace::Diagnostic*>> first;
  for (const trace::Event& event : trace.events)
    if (const auto* d = std::get_if<trace::Diagnostic>(&event); d != nullptr && d->ptx_line > 0) {
      said.emplace(std::pair{d->ptx_line, std::string_view(d->source.file)}, d);
      if (const auto other = against(*d))
        first.emplace(other->ptx_line, std::pair{other->mnemonic, d});
    }
  if (said.empty()) return;
  for (StepWarp& warp : list.warps)
    for (StepItem& item : warp.items) {
      const trace::Step& step = *item.step;
      if (const auto found = said.find({step.ptx_line, step.source.file}); found != said.end())
        item.said = found->second;
      if (const auto found = first.find(step.ptx_line);
          found != first.end() && mnemonic_of(step.ptx).starts_with(found->second.first))
        item.against = found->second.second;
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

StepPlace other_access(const StepList& steps, const StepPlace& of) {
  const StepItem& here =
      steps.warps[static_cast<std::size_t>(of.warp)].items[static_cast<std::size_t>(of.item)];
  const trace::Diagnostic* report = report_of(here);
  StepPlace best{0, -1, {}};
  if (report == nullptr) return best;
  const auto other = against(*report);
  if (!other) return best;
  const bool back = here.said != nullptr;  // what a report is about came last
  const int named = back ? other->warp : report->place.warp;
  // The warp that is named, then what was executed on the right side of `here`, then the nearest.
  std::tuple<bool, bool> best_rank;
  const trace::Step* nearest = nullptr;
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp)
    for (std::size_t at = 0; at < steps.warps[warp].items.size(); ++at) {
      const StepItem& item = steps.warps[warp].items[at];
      if (item.step == here.step || (back ? item.against : item.said) != report) continue;
      const bool before = std::less<>()(item.step, here.step);
      const std::tuple rank{steps.warps[warp].warp == named, before == back};
      const bool nearer = nearest != nullptr && std::less<>()(nearest, item.step) == before;
      if (nearest != nullptr && (rank < best_rank || (rank == best_rank && !nearer))) continue;
      best = {static_cast<int>(warp), static_cast<int>(at), {}};
      best_rank = rank;
      nearest = item.step;
    }
  return best;
}

std::string other_access_text(const StepList& steps, const StepPlace& other) {
  if (other.item < 0) return {};
  const StepItem& item =
      steps.warps[static_cast<std::size_t>(other.warp)].items[static_cast<std::size_t>(other.item)];
  return fmt::format("the other access: {}, {}", words_of(steps, other),
                     mnemonic_of(item.step->ptx));
}

std::string report_text(const StepList& steps, const StepPlace& place) {
  const StepItem& item =
      steps.warps[static_cast<std::size_t>(place.warp)].items[static_cast<std::size_t>(place.item)];
  const trace::Diagnostic* report = report_of(item);
  if (report == nullptr) return {};
  std::string text = fmt::format("{}{}: {}\n", item.said != nullptr ? "" : "the other access of ",
                                 report->kind, report->message);
  if (item.said != nullptr)
    for (const std::string& detail : report->details) text += fmt::format("  {}\n", detail);
  if (const std::string other = other_access_text(steps, other_access(steps, place));
      !other.empty())
    text += fmt::format("  {}\n", other);
  return text;
}

}  // namespace lanescope::viz
