// SPDX-License-Identifier: MIT
#include "panels/steps/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <unordered_map>

#include "panels/pipeline/mbarrier_names.hpp"
#include "panels/steps/step_reports.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::viz {
namespace {

using WarpKey = std::tuple<int, std::array<int, 3>, int>;
WarpKey key_of(const trace::Place& place) { return {place.launch, place.block, place.warp}; }

// As the reader gives them: 32 lanes; others cannot be drawn.
bool is_whole(const trace::Step& step) {
  return std::all_of(step.writes.begin(), step.writes.end(),
                     [](const trace::Write& write) { return write.lanes.size() == 32; });
}

// Steps are of one CTA; where its mbarriers lie, the trace says in words.
void name_mbarriers(StepList& list, const trace::Trace& trace) {
  if (list.empty()) return;
  trace::Place cta;
  cta.launch = list.warps.front().launch;
  cta.block = list.warps.front().block;
  for (const auto& [object, name] : mbarrier_names(trace, cta))
    list.mbarriers.emplace(std::strtoull(object.c_str() + 9, nullptr, 16), name);
}

}  // namespace

int first_lane(const trace::Step& step) {
  return step.active == 0 ? 0 : __builtin_ctz(step.active);
}

bool is_tensor(const trace::Step& step) {
  const std::string_view mnemonic = mnemonic_of(step.ptx);
  for (const std::string_view opcode :
       {"ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "wgmma", "cp.async", "tcgen05.mma",
        "tcgen05.ld", "tcgen05.st", "tcgen05.cp"})
    if (mnemonic.starts_with(opcode)) return true;
  return false;
}

const std::vector<std::string>& StepList::parameters() const {
  static const std::vector<std::string> none;
  return launch == nullptr ? none : launch->parameters;
}

StepList make_steps(const trace::Trace& trace) {
  StepList list;
  std::map<WarpKey, std::size_t> index;
  std::vector<std::unordered_map<std::string, int>> last;  // by warp: who wrote a register
  std::size_t at = 0;                                      // of the warp of the step before
  for (const trace::Event& event : trace.events) {
    if (const auto* launch = std::get_if<trace::Launch>(&event)) {
      // Those that are recorded say what memory there was.
      if (!launch->allocations.empty() || !launch->parameters.empty()) list.launch = launch;
    } else if (const auto* step = std::get_if<trace::Step>(&event)) {
      if (!is_whole(*step)) continue;
      const auto [found, is_new] = index.emplace(key_of(step->place), list.warps.size());
      at = found->second;
      if (is_new) {
        list.warps.push_back({step->place.launch, step->place.block, step->place.warp, {}});
        last.emplace_back();
      }
      std::vector<StepItem>& items = list.warps[at].items;
      items.push_back({step, nullptr, list.previous.size()});
      for (const trace::Write& write : step->writes) {
        const auto known = last[at].emplace(write.name, -1).first;
        list.previous.push_back(known->second);
        known->second = static_cast<int>(items.size()) - 1;
      }
    } else if (const auto* access = std::get_if<trace::Access>(&event)) {
      const auto found = index.find(key_of(access->place));
      if (found == index.end() || access->addresses.empty() || access->addresses.size() % 32 != 0)
        continue;
      StepItem& item = list.warps[found->second].items.back();
      if (item.step->step == access->step) item.access = access;
    }
  }
  name_mbarriers(list, trace);
  note_reports(list, trace);
  return list;
}

const trace::Write* before(const StepList& steps, const StepWarp& warp, int item,
                           std::size_t write) {
  const StepItem& now = warp.items[static_cast<std::size_t>(item)];
  const int previous = steps.previous[now.first_previous + write];
  if (previous < 0) return nullptr;
  for (const trace::Write& old : warp.items[static_cast<std::size_t>(previous)].step->writes)
    if (old.name == now.step->writes[write].name) return &old;
  return nullptr;
}

std::uint32_t changed_lanes(const StepList& steps, const StepWarp& warp, int item,
                            std::size_t write) {
  const trace::Step& step = *warp.items[static_cast<std::size_t>(item)].step;
  const trace::Write* old = before(steps, warp, item, write);
  if (old == nullptr) return step.active;
  std::uint32_t changed = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (step.writes[write].lanes[lane] != old->lanes[lane]) changed |= 1u << lane;
  return changed;
}

std::string step_name(const StepList& steps, const StepPlace& place) {
  const trace::Step& step = *steps.warps[static_cast<std::size_t>(place.warp)]
                                 .items[static_cast<std::size_t>(place.item)]
                                 .step;
  const std::string_view name = mnemonic_of(step.ptx);
  std::size_t end = std::min(name.find('.'), name.size());
  if (name.starts_with("wgmma.")) end = std::min(name.find('.', end + 1), name.size());
  return fmt::format("step {}: {}", step.step, name.substr(0, end));
}

std::string words_of(const StepList& steps, const StepPlace& place) {
  if (steps.empty()) return {};
  const StepWarp& warp = steps.warps[static_cast<std::size_t>(place.warp)];
  return fmt::format("warp {} step {}", warp.warp,
                     warp.items[static_cast<std::size_t>(place.item)].step->step);
}

bool StepWarp::ends() const {
  const std::string_view last = items.empty() ? "" : mnemonic_of(items.back().step->ptx);
  return last.starts_with("ret") || last.starts_with("exit");
}

std::string name_of(const StepWarp& warp) {
  std::string text = fmt::format("warp {}", warp.warp);
  if (warp.block != std::array<int, 3>{0, 0, 0})
    text += fmt::format(" of block {},{},{}", warp.block[0], warp.block[1], warp.block[2]);
  if (warp.launch != 0) text += fmt::format(", launch {}", warp.launch);
  return text;
}

const trace::Launch* launch_of(const trace::Trace& trace, int launch) {
  for (const trace::Event& event : trace.events)
    if (const auto* one = std::get_if<trace::Launch>(&event); one && one->launch == launch)
      return one;
  return nullptr;
}

std::string kernel_of(const trace::Trace& trace, int launch) {
  const trace::Launch* one = launch_of(trace, launch);
  return one == nullptr ? std::string() : trace::as_written(one->kernel);
}

std::string source_text(const trace::SourceLine& source) {
  if (source.line <= 0) return {};
  return fmt::format("{}:{}", source.file.substr(source.file.find_last_of("/\\") + 1), source.line);
}

std::string where_text(const trace::Step& step) {
  std::string text = source_text(step.source);
  if (!text.empty()) text += ", ";
  if (step.ptx_line > 0) text += fmt::format("PTX line {}, ", step.ptx_line);
  const int lanes = __builtin_popcount(step.active);
  return text + (lanes == 32 ? "all 32 lanes" : fmt::format("{} of 32 lanes", lanes));
}

}  // namespace lanescope::viz
