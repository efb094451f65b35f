// SPDX-License-Identifier: MIT
// Mistakes of a wrong distance. A map goes on by a fixed step from register to register and from
// lane to lane; a + 8 that was forgotten, or a factor 2, is that step taken none, half or two
// times:
//
//     A.r0  col 2t       A.r2  col 2t + 8         right
//                        A.r2  col 2t             the step is missing
//                        A.r2  col 2t + 16        it is twice as long
#include <fmt/format.h>

#include <string>

#include "trace/mistakes.hpp"

namespace lanescope::trace {
namespace {

using layout::Element;
using layout::Held;

/// How much of a step was taken, in halves of it.
constexpr int kNone = 0, kHalf = 1, kAll = 2, kTwice = 4;

/// "8 columns": a step goes along rows or along columns.
std::string text_of(const Element& step, int halves) {
  const int count = (step.row != 0 ? step.row : step.col) * halves / kAll;
  return fmt::format("{} {}{}", count, step.row != 0 ? "row" : "column", count == 1 ? "" : "s");
}

Element step_between(const Element& from, const Element& to) {
  return {to.row - from.row, to.col - from.col};
}

/// Where an element would be from whose place is `home`, and without the step `without`.
Element taken(const Element& home, const Element& without, int halves) {
  const Element step = step_between(without, home);
  return {without.row + step.row * halves / kAll, without.col + step.col * halves / kAll};
}

/// Half a step, where there is one, and a step too many.
std::vector<int> lengths_of(const Element& step) {
  if (step.row % 2 == 0 && step.col % 2 == 0) return {kHalf, kTwice};
  return {kTwice};
}

/// The registers whose number has `bit`, "A.r1, A.r3", or those that do not.
std::string registers_with(const Case& c, int bit, bool set) {
  std::string list;
  for (int reg = 0; reg < c.map->registers(); ++reg)
    if (((reg & bit) != 0) == set)
      list += fmt::format("{}{}.r{}", list.empty() ? "" : ", ", c.fragment->operand, reg);
  return list;
}

Mistake of_registers(const Case& c, int bit, const Element& step, int halves) {
  const std::string these = registers_with(c, bit, true), others = registers_with(c, bit, false);
  const std::string words =
      halves == kNone ? fmt::format("the step of {} is missing between registers {} and {}",
                                    text_of(step, kAll), others, these)
                      : fmt::format("from registers {} to {} it is {}, not {}", others, these,
                                    text_of(step, halves), text_of(step, kAll));
  return {"register-step", words,
          "which block of the matrix is in which register? `lanescope layout` says it",
          [bit, halves](const Case& now, const Held& slot) {
            const Element home = now.home(slot.element);
            const int reg = slot.holder.register_index;
            if ((reg & bit) == 0) return home;
            const int value = (reg & ~bit) * now.parts() + part_of(now, slot);
            return taken(home, now.home_of(slot.holder.thread, value), halves);
          }};
}

Mistake of_lanes(const Element& step, int halves) {
  return {"lane-step",
          fmt::format("from lane to lane of a group of four it goes on by {}, not {}",
                      text_of(step, halves), text_of(step, kAll)),
          "how many elements that lie side by side has a register? A lane begins behind those of "
          "the lane before it",
          [halves](const Case& now, const Held& slot) {
            const int first = slot.holder.thread / 4 * 4;
            return taken(now.home(slot.element), now.home_of(first, slot.holder.value), halves);
          }};
}

Mistake all_as_lane_0() {
  return {"lane-step", "every lane holds what belongs to lane 0",
          "row and column depend on the lane: lane >> 2 and lane % 4",
          [](const Case& c, const Held& slot) { return c.home_of(0, slot.holder.value); }};
}

}  // namespace

std::vector<Mistake> wrong_steps(const Case& c) {
  std::vector<Mistake> all{all_as_lane_0()};
  const Element first = c.map->element(0, 0);
  const Element of_lane = step_between(first, c.map->element(1, 0));
  for (const int halves : lengths_of(of_lane)) all.push_back(of_lanes(of_lane, halves));
  for (int bit = 1; bit < c.map->registers() && c.map->registers() <= 8; bit *= 2) {
    const Element step = step_between(first, c.map->element(0, bit * c.parts()));
    all.push_back(of_registers(c, bit, step, kNone));
    for (const int halves : lengths_of(step)) all.push_back(of_registers(c, bit, step, halves));
  }
  return all;
}

}  // namespace lanescope::trace
