// SPDX-License-Identifier: MIT
// The registers of a lane: the bits of each, and the elements that it packs.
#include <fmt/format.h>

#include "panels/matrix/facts.hpp"
#include "panels/matrix/kept.hpp"
#include "panels/matrix/scaled.hpp"

namespace lanescope::viz {
namespace {

std::string place_name(const layout::Fragment& map, const layout::Element& e) {
  return fmt::format("{}{},{}", map.matrices > 1 ? fmt::format("m{} ", e.matrix) : "", e.row,
                     e.col);
}

}  // namespace

std::string element_name(const layout::Fragment& map, const layout::Element& e) {
  return fmt::format("{}[{}][{}]{}", map.operand, e.row, e.col,
                     map.matrices > 1 ? fmt::format(" of matrix {}", e.matrix) : "");
}

RegisterFacts register_facts(const Multiplication& in, char operand, int thread, int index) {
  const layout::Fragment& map = *in.map(operand);
  RegisterFacts reg{
      operand, thread, index, map.register_bits, fmt::format("{}.r{}", operand, index), {},
      0,       {},     {}};
  if (const auto bits = register_bits(in, operand, thread, index)) {
    reg.pattern = *bits;
    reg.bits = hex(*bits, map.register_bits);
  }
  for (const layout::Held& held : layout::elements(map, thread, index)) {
    const int part = held.holder.bit / map.element_bits;
    const auto bits = element_bits(in, operand, held.holder);
    reg.parts.push_back({held.holder, held.element, element_name(map, held.element),
                         place_name(map, held.element), part_name(map, part),
                         bits ? hex(*bits, map.payload_bits()) : "",
                         value_text(in, operand, held.holder)});
  }
  return reg;
}

std::vector<RegisterFacts> lane_registers(const Multiplication& in, int thread) {
  std::vector<RegisterFacts> all;
  for (const char operand : kOperands) {
    const layout::Fragment* map = in.map(operand);
    if (map == nullptr || thread < 0 || thread >= map->threads()) continue;
    for (int index = 0; index < map->registers(); ++index)
      all.push_back(register_facts(in, operand, thread, index));
  }
  if (in.metadata != nullptr && thread >= 0 && thread < in.threads()) {
    const std::uint64_t word = in.metadata->registers[0][static_cast<std::size_t>(thread)];
    all.push_back(
        {'E', thread, 0, 32, "E.r0", hex(word, 32), word, {}, metadata_lines(in, thread)});
  }
  for (const char operand : {'S', 'T'})
    if (const trace::Fragment* scales = in.scales[operand == 'S' ? 0 : 1];
        scales != nullptr && thread >= 0 && thread < in.threads()) {
      const std::uint64_t word = scales->registers[0][static_cast<std::size_t>(thread)];
      all.push_back({operand,
                     thread,
                     0,
                     32,
                     fmt::format("{}.r0", layout::operand_name(operand)),
                     hex(word, 32),
                     word,
                     {},
                     scale_lines(in, operand, thread)});
    }
  return all;
}

}  // namespace lanescope::viz
