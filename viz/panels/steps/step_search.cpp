// SPDX-License-Identifier: MIT
#include "panels/steps/step_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/sector_facts.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kHow =
    "write step 17, warp 2, line 38, %r9, A.r0, conflict, sectors, report, or next tensor";

bool read_number(std::string_view text, std::int64_t& number) {
  if (text.empty() || text.size() > 15) return false;
  number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + (c - '0');
  }
  return true;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool writes(const trace::Step& step, std::string_view name) {
  for (const trace::Write& write : step.writes)
    if (write.name == name || write.watch == name ||
        write.watch.starts_with(std::string(name) + "."))
      return true;
  return false;
}

// Calls visit with what the words ask of a step; what to say when there is none.
template <class Visit>
std::string ask(std::string_view words, Visit visit_warp) {
  const auto visit = [&](auto wanted) {
    visit_warp([&](const StepWarp& warp, int at) {
      return wanted(warp.items[static_cast<std::size_t>(at)]);
    });
  };
  std::int64_t number = 0;
  if (words.starts_with("line ") && read_number(without_blanks(words.substr(5)), number)) {
    visit([number](const StepItem& i) { return i.step->source.line == number; });
    return fmt::format("no step is of line {}", number);
  }
  if (words == "conflict") {
    visit([](const StepItem& i) { return has_conflict(i.access); });
    return "no step has a bank conflict";
  }
  if (words == "sectors") {
    Writers writers;
    const StepWarp* of = nullptr;
    visit_warp([&](const StepWarp& warp, int at) {
      if (of != &warp) writers = writers_of(warp), of = &warp;
      return loses_sectors(warp, writers, at);
    });
    return "no step goes to more sectors of global memory than would do";
  }
  if (words == "report") {
    visit([](const StepItem& i) { return i.said != nullptr; });
    return "the checker says nothing of these steps";
  }
  if (words == "next tensor") {
    visit([](const StepItem& i) { return is_tensor(*i.step); });
    return "no step is of the tensor cores";
  }
  if (words.starts_with("next ")) {
    const std::string opcode(without_blanks(words.substr(5)));
    visit([&opcode](const StepItem& i) { return mnemonic_of(i.step->ptx).starts_with(opcode); });
    return fmt::format("no instruction begins with '{}'", opcode);
  }
  visit([words](const StepItem& i) { return writes(*i.step, words); });
  return fmt::format("no step writes '{}'; {}", words, kHow);
}

// The first of that number or a later one.
auto numbered(const std::vector<StepItem>& items, std::int64_t number) {
  return std::lower_bound(
      items.begin(), items.end(), number,
      [](const StepItem& item, std::int64_t wanted) { return item.step->step < wanted; });
}

// Within the warp that `from` names; where that step is not recorded, says which are.
void go_to_number(const StepList& steps, StepPlace& from, std::int64_t number) {
  const StepWarp& warp = steps.warps[static_cast<std::size_t>(from.warp)];
  const auto found = numbered(warp.items, number);
  if (found == warp.items.end() || found->step->step != number)
    from.error =
        fmt::format("no step {}: steps {} to {} of {} are recorded", number,
                    warp.items.front().step->step, warp.items.back().step->step, name_of(warp));
  else
    from.item = static_cast<int>(found - warp.items.begin());
}

// The next step of this warp that the words mean, round to where it began; else another warp's
// first.
void go_to_next(const StepList& steps, StepPlace& from, std::string_view words) {
  bool found = false;
  const std::string none = ask(words, [&](auto wanted) {
    const StepWarp& here = steps.warps[static_cast<std::size_t>(from.warp)];
    const int count = static_cast<int>(here.items.size());
    for (int offset = 1; offset <= count && !found; ++offset) {
      const int at = (from.item + offset) % count;
      if (!wanted(here, at)) continue;
      found = true;
      from.item = at;
    }
    for (std::size_t warp = 0; warp < steps.warps.size() && !found; ++warp)
      for (int at = 0; at < static_cast<int>(steps.warps[warp].items.size()) && !found; ++at) {
        if (!wanted(steps.warps[warp], at)) continue;
        found = true;
        from = {static_cast<int>(warp), at, {}};
      }
  });
  if (!found) from.error = none;
}

// "2", "2 step 17": the beginning of that warp, or what is looked for from there.
StepPlace find_in_warp(const StepList& steps, StepPlace from, std::string_view words) {
  std::int64_t number = 0;
  const std::size_t end = std::min(words.find(' '), words.size());
  if (!read_number(words.substr(0, end), number)) return from.error = kHow, from;
  for (std::size_t at = 0; at < steps.warps.size(); ++at) {
    if (steps.warps[at].warp != number) continue;
    const StepPlace there{static_cast<int>(at), 0, {}};
    const std::string_view rest = without_blanks(words.substr(end));
    return rest.empty() ? there : find_step(steps, there, rest);
  }
  return from.error = fmt::format("no steps of warp {} are recorded", number), from;
}

}  // namespace

StepPlace first_tensor(const StepList& steps) {
  StepPlace place;
  const trace::Step* first = nullptr;  // of the trace: its events lie in the order they happened
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp) {
    const std::vector<StepItem>& items = steps.warps[warp].items;
    // Not at a wgmma.fence: what it is for comes a dozen steps later.
    const auto found = std::find_if(items.begin(), items.end(), [](const StepItem& item) {
      return is_tensor(*item.step) && !mnemonic_of(item.step->ptx).starts_with("wgmma.fence");
    });
    if (found == items.end() || (first != nullptr && !std::less<>()(found->step, first))) continue;
    first = found->step;
    place = {static_cast<int>(warp), static_cast<int>(found - items.begin()), {}};
  }
  // Of warps that come to the same line, the one that is written first: the last to arrive at a
  // wgmma is the first to go on.
  for (std::size_t warp = 0; first != nullptr && warp < steps.warps.size(); ++warp)
    for (std::size_t item = 0; item < steps.warps[warp].items.size(); ++item) {
      const trace::Step& step = *steps.warps[warp].items[item].step;
      if (is_tensor(step) && step.ptx_line == first->ptx_line && step.ptx == first->ptx)
        return {static_cast<int>(warp), static_cast<int>(item), {}};
    }
  return place;
}

StepPlace find_step(const StepList& steps, StepPlace from, std::string_view words) {
  from.error.clear();
  words = without_blanks(words);
  std::int64_t number = 0;
  if (steps.empty())
    from.error = "the trace has no steps";
  else if (words.empty())
    from.error = kHow;
  else if (words.starts_with("warp "))
    return find_in_warp(steps, from, without_blanks(words.substr(5)));
  else if (words.starts_with("step ") && read_number(without_blanks(words.substr(5)), number))
    go_to_number(steps, from, number);
  else
    go_to_next(steps, from, words);
  return from;
}

StepPlace written_by(const StepList& steps, const trace::Place& of, int warp,
                     std::string_view watch, bool is_sum) {
  StepPlace found = StepPlace::none();
  const std::vector<std::uint64_t>* sums = nullptr;
  for (std::size_t at = 0; at < steps.warps.size(); ++at) {
    const StepWarp& one = steps.warps[at];
    if (one.launch != of.launch || one.block != of.block || one.warp != warp) continue;
    for (std::size_t item = 0; item < one.items.size(); ++item)
      for (const trace::Write& write : one.items[item].step->writes) {
        if (write.watch != watch) continue;
        const bool multiplied = is_sum && multiplies(mnemonic_of(one.items[item].step->ptx));
        if (!multiplied && sums != nullptr && *sums == write.lanes) continue;
        found = {static_cast<int>(at), static_cast<int>(item), {}};
        sums = multiplied ? &write.lanes : nullptr;
      }
  }
  return found;
}

StepPlace step_of(const StepList& steps, int launch, const std::array<int, 3>& block, int warp,
                  std::int64_t number) {
  for (std::size_t at = 0; at < steps.warps.size(); ++at) {
    const StepWarp& one = steps.warps[at];
    if (one.launch != launch || one.block != block || one.warp != warp) continue;
    const auto found = numbered(one.items, number);
    if (found == one.items.end() || found->step->step != number) continue;
    return {static_cast<int>(at), static_cast<int>(found - one.items.begin()), {}};
  }
  return StepPlace::none();
}

StepPlace counterpart(const StepList& steps, const StepPlace& of, int warp) {
  const auto items_of = [&](int at) -> const std::vector<StepItem>& {
    return steps.warps[static_cast<std::size_t>(at)].items;
  };
  const trace::Step& here = *items_of(of.warp)[static_cast<std::size_t>(of.item)].step;
  const std::vector<StepItem>& there = items_of(warp);
  const int count = static_cast<int>(there.size());
  int found = -1;
  for (int item = 0; item < count; ++item) {
    const trace::Step& step = *there[static_cast<std::size_t>(item)].step;
    if (step.ptx_line != here.ptx_line || step.ptx != here.ptx) continue;
    if (found < 0 || std::abs(item - of.item) < std::abs(found - of.item)) found = item;
  }
  return {warp, found < 0 ? std::min(of.item, count - 1) : found, {}};
}

}  // namespace lanescope::viz
