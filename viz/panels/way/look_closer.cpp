// SPDX-License-Identifier: MIT
#include "panels/way/look_closer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {
namespace {

// The launches that have steps, in their order.
std::vector<int> launches_of(const StepList& steps) {
  std::vector<int> launches;
  for (const StepWarp& warp : steps.warps)
    if (std::find(launches.begin(), launches.end(), warp.launch) == launches.end())
      launches.push_back(warp.launch);
  return launches;
}

std::string of_others(const Model& model, int launch, const std::vector<int>& recorded) {
  const std::string kernel = kernel_of(model.trace, recorded.front());
  return fmt::format(
      "not told: this is of launch {}, and the steps in this trace are of launch {}{}{}", launch,
      recorded.front(), kernel.empty() ? "" : ", " + kernel,
      recorded.size() > 1 ? ", and of others" : "");
}

}  // namespace

std::string why_no_way(const Model& model, const StepList& steps, const Multiplication& in,
                       const Selection& selection, const std::string& recorder) {
  if (selection.picked != Picked::element) return {};
  if (steps.empty())
    return fmt::format("not told: {}; {}",
                       model.from_emulator() ? "this trace has no steps" : "a GPU tells no steps",
                       recorder);
  const std::vector<int> recorded = launches_of(steps);
  if (std::find(recorded.begin(), recorded.end(), in.place.launch) == recorded.end())
    return of_others(model, in.place.launch, recorded);
  const bool block =
      std::any_of(steps.warps.begin(), steps.warps.end(), [&in](const StepWarp& warp) {
        return warp.launch == in.place.launch && warp.block == in.place.block;
      });
  return block ? "not told: no step that is recorded writes it"
               : "not told: the steps of its block are not recorded";
}

std::vector<CloserLook> closer_looks(const Multiplication& in, const Selection& s) {
  if (s.picked != Picked::element) return {};
  const layout::Instruction& i = *in.instruction;
  const auto there = [&in](const CloserLook& look) { return parse_selection(look.words, in).ok(); };
  std::vector<CloserLook> all;
  const int row = s.element.row, col = s.element.col;
  if (s.operand == 'A')
    all.push_back(
        {fmt::format("D {},0", row), fmt::format("the first of {} sums it goes into", i.N)});
  if (s.operand == 'B')
    all.push_back(
        {fmt::format("D 0,{}", col), fmt::format("the first of {} sums it goes into", i.M)});
  if (s.operand == 'C' || s.operand == 'D') {
    all.push_back({fmt::format("A {},0", row), "the first factor of its row"});
    all.push_back({fmt::format("B 0,{}", col), "the first factor of its column"});
  }
  if (s.thread >= 0) all.push_back({holder_name(in, s.thread), "all that it holds"});
  all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& look) { return !there(look); }),
            all.end());
  return all;
}

}  // namespace lanescope::viz
