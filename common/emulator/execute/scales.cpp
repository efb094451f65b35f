// SPDX-License-Identifier: MIT
#include "emulator/execute/scales.hpp"

#include <fmt/format.h>

#include "layout/scales.hpp"

namespace lanescope::emulator {
namespace {

// A row of SFA, a column of SFB: so many of them, each with its chunks.
ScalePlan::Places places_of(const layout::Fragment& fragment) {
  const bool of_a = fragment.operand == 'S';
  const int chunks = of_a ? fragment.cols : fragment.rows;
  ScalePlan::Places places(static_cast<std::size_t>(fragment.rows * fragment.cols));
  for (const layout::Held& held : layout::register_layout(fragment)) {
    const layout::Element at = held.element;
    const int index = of_a ? at.row * chunks + at.col : at.col * chunks + at.row;
    places[static_cast<std::size_t>(index)] = {static_cast<std::uint8_t>(held.holder.thread),
                                               static_cast<std::uint8_t>(held.holder.bit)};
  }
  return places;
}

}  // namespace

ScalePlan plan_scales(const layout::Instruction& instruction) {
  ScalePlan plan;
  plan.type =
      instruction.SFA.type == layout::ElementType::ue4m3 ? ScaleType::ue4m3 : ScaleType::ue8m0;
  const auto index = [](const layout::ScaleSelector& selector) {
    return static_cast<std::size_t>(selector.thread_id * ScalePlan::kBytes + selector.byte_id);
  };
  for (const layout::ScaleSelector& selector : layout::scale_selectors(instruction, 'S'))
    plan.a[index(selector)] = places_of(layout::with_scales(instruction, selector).SFA);
  for (const layout::ScaleSelector& selector : layout::scale_selectors(instruction, 'T'))
    plan.b[index(selector)] = places_of(layout::with_scales(instruction, selector).SFB);
  return plan;
}

std::string selector_problem(const layout::Instruction& instruction, char operand, int byte_id,
                             int thread_id) {
  const int vectors = instruction.SFA.cols, threads = operand == 'S' ? 2 : 4;
  const bool has_thread = thread_id >= 0 && thread_id < threads;
  const bool has_byte = byte_id >= 0 && byte_id < 4 && byte_id % vectors == 0;
  if (has_thread && has_byte) return {};
  return fmt::format(
      "{} has {{byte-id, thread-id}} {{{}, {}}}: byte-ids are {}, thread-ids 0 to {}",
      layout::operand_name(operand), byte_id, thread_id,
      vectors == 1   ? "0 to 3"
      : vectors == 2 ? "0 and 2"
                     : "0 alone",
      threads - 1);
}

void take_scales(const ScalePlan::Places& places, const std::uint32_t* words,
                 std::uint8_t* scales) {
  for (const ScalePlan::Place& place : places)
    *scales++ = static_cast<std::uint8_t>(words[place.lane] >> place.shift);
}

}  // namespace lanescope::emulator
