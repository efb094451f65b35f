// SPDX-License-Identifier: MIT
#include "panels/steps/step_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
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

// "kernel sum, CTA (0,0,0), warp 1, lane 0, shared address 0x480"; -1: of no address.
std::int64_t address_of(const trace::Diagnostic& said) {
  constexpr std::string_view kWords = "shared address 0x";
  for (const std::string_view detail : said.details)
    if (const std::size_t at = detail.find(kWords); at != std::string_view::npos)
      return std::strtoll(std::string(detail.substr(at + kWords.size(), 8)).c_str(), nullptr, 16);
  return -1;
}

bool touches(const StepItem& item, std::int64_t address) {
  if (address < 0 || item.access == nullptr) return true;  // nothing speaks against it
  for (std::size_t k = 0; k < item.access->addresses.size(); ++k) {
    const std::int64_t first = item.access->addresses[k];
    if ((item.access->active >> k % 32 & 1) != 0 && address >= first &&
        address < first + item.access->bytes_per_lane)
      return true;
  }
  return false;
}

// One of the two accesses of a report: whose, at which address, before or behind the step that is
// looked at.
struct Sought {
  std::array<int, 3> block{0, 0, 0};
  int warp = -1;
  std::int64_t address = -1;
  bool before = true;

  bool names(const StepWarp& whose) const { return whose.warp == warp && whose.block == block; }
};

// The step of an access that is nearest to `here`: of the warp that the report names, then at its
// address, then on the right side, then by distance. `is_it`: whether a step is one of that
// instruction.
template <class IsIt>
StepPlace nearest_of(const StepList& steps, const trace::Step& here, const Sought& sought,
                     IsIt is_it) {
  StepPlace best = StepPlace::none();
  std::tuple<bool, bool, bool> best_rank;
  const trace::Step* nearest = nullptr;
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp) {
    const StepWarp& whose = steps.warps[warp];
    for (std::size_t at = 0; at < whose.items.size(); ++at) {
      const trace::Step& step = *whose.items[at].step;
      if (&step == &here || !is_it(step)) continue;
      const bool came_first = std::less<>()(&step, &here);
      const std::tuple rank{sought.names(whose), touches(whose.items[at], sought.address),
                            came_first == sought.before};
      const bool nearer = nearest != nullptr && std::less<>()(nearest, &step) == came_first;
      if (nearest != nullptr && (rank < best_rank || (rank == best_rank && !nearer))) continue;
      best = {static_cast<int>(warp), static_cast<int>(at), {}};
      best_rank = rank;
      nearest = &step;
    }
  }
  return best;
}

// Where the step at `place` is not one that the report may mean, the nearest that is; else nothing.
template <class IsIt>
StepPlace where_seen(const StepList& steps, const StepPlace& place, const Sought& sought,
                     IsIt is_it) {
  const auto may_be_meant = [&](const StepPlace& at) {
    return sought.names(steps.warps[static_cast<std::size_t>(at.warp)]) &&
           touches(item_at(steps, at), sought.address);
  };
  if (may_be_meant(place)) return StepPlace::none();
  const StepPlace found = nearest_of(steps, *item_at(steps, place).step, sought, is_it);
  return found.item >= 0 && may_be_meant(found) ? found : StepPlace::none();
}

// The first step of which `said_of` has a report, best in the warp that it names, at its address.
template <class SaidOf>
StepPlace first_where(const StepList& steps, SaidOf said_of) {
  StepPlace place = StepPlace::none();
  bool best = false;                   // it is the warp that the report names, at its address
  const trace::Step* first = nullptr;  // of the trace: its events lie in the order they happened
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp)
    for (std::size_t at = 0; at < steps.warps[warp].items.size(); ++at) {
      const StepItem& item = steps.warps[warp].items[at];
      const trace::Diagnostic* said = said_of(item);
      if (said == nullptr) continue;
      const trace::Place& of = said->place;
      const bool meant = Sought{of.block, of.warp, -1, true}.names(steps.warps[warp]) &&
                         touches(item, address_of(*said));
      if (first != nullptr && (meant < best || (meant == best && !std::less<>()(item.step, first))))
        continue;
      best = meant;
      first = item.step;
      place = {static_cast<int>(warp), static_cast<int>(at), {}};
    }
  return place;
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
  return first_where(steps, [](const StepItem& item) { return item.said; });
}

StepPlace first_of(const StepList& steps, const trace::Diagnostic& said) {
  return first_where(steps, [&said](const StepItem& item) {
    return said.ptx_line > 0 && is_about(*item.step, said) ? &said : nullptr;
  });
}

std::vector<StepReport> reports_at(const StepList& steps, const StepPlace& place) {
  const StepItem& item = item_at(steps, place);
  if (item.said == nullptr && item.against == nullptr) return {};
  const trace::Step& here = *item.step;
  std::vector<StepReport> all, of_others;
  for (const trace::Diagnostic* said : steps.reports) {
    const auto other = against(*said);
    const auto is_last = [said](const trace::Step& step) { return is_about(step, *said); };
    const auto is_first = [&other](const trace::Step& step) { return is_of(step, *other); };
    // What a report is about came last.
    const Sought last{said->place.block, said->place.warp, address_of(*said), false};
    const Sought first = other ? Sought{other->block, other->warp, last.address, true} : Sought{};
    if (is_last(here)) {
      all.push_back({said, true, where_seen(steps, place, last, is_last), StepPlace::none()});
      if (other) all.back().other = nearest_of(steps, here, first, is_first);
    } else if (other && is_first(here)) {
      of_others.push_back({said, false, where_seen(steps, place, first, is_first),
                           nearest_of(steps, here, last, is_last)});
    }
  }
  all.insert(all.end(), of_others.begin(), of_others.end());
  return all;
}

std::string seen_text(const StepList& steps, const StepPlace& seen) {
  if (seen.item < 0) return {};
  return fmt::format("seen in {}, {}", words_of(steps, seen),
                     mnemonic_of(item_at(steps, seen).step->ptx));
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
    if (report.seen.item >= 0) text += fmt::format("  {}\n", seen_text(steps, report.seen));
    if (report.other.item >= 0)
      text += fmt::format("  {}\n", other_access_text(steps, report.other));
  }
  return text;
}

}  // namespace lanescope::viz
