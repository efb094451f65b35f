// SPDX-License-Identifier: MIT
// See places.hpp.
#include "panels/way/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "panels/matrix/facts.hpp"
#include "panels/way/origins.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

constexpr int kAround = 4;  // times the fragment's size: what else may have come
constexpr std::uint64_t kNowhere = 0xfffe;

std::uint64_t number_of(const layout::Fragment& map, const Element& e) {
  if (e.row >= kAround * map.rows || e.col >= kAround * map.cols) return kNowhere;
  return static_cast<std::uint64_t>(e.row * kAround * map.cols + e.col + 1);
}

// Eight bits, and for a large D sixteen, are too few for as many numbers as there are elements:
// every element and every register is taken twice as wide.
layout::Fragment numbers_map(layout::Fragment map) {
  const bool large =
      number_of(map, {kAround * map.rows - 1, kAround * map.cols - 1, 0}) >= kNowhere;
  if (map.element_bits != 8 && (map.element_bits != 16 || !large)) return map;
  map.type = map.element_bits == 8 ? layout::ElementType::f16 : layout::ElementType::f32;
  map.element_bits *= 2;
  map.register_bits *= 2;
  map.low_padding = 0;
  return map;
}

trace::Trace numbered(const Multiplication& in, char operand, const layout::Fragment& map,
                      const std::vector<Element>& came) {
  trace::Memory memory;
  memory.place = in.place;
  memory.name = std::string(1, operand);
  memory.space = "global";
  memory.type = layout::name(map.type);
  memory.rows = kAround * map.rows;
  memory.cols = kAround * map.cols;
  for (int row = 0; row < memory.rows; ++row)
    for (int col = 0; col < memory.cols; ++col)
      for (int byte = 0; byte < map.element_bits / 8; ++byte)
        memory.bytes.push_back(
            static_cast<std::uint8_t>(number_of(map, {row, col, 0}) >> (8 * byte) & 0xff));
  trace::Fragment fragment = *in.fragment(operand);
  fragment.register_bits = map.register_bits;
  for (auto& lanes : fragment.registers) std::fill(lanes.begin(), lanes.end(), 0);
  for (const layout::Held& held : layout::register_layout(map))
    fragment.registers[static_cast<std::size_t>(held.holder.register_index)]
                      [static_cast<std::size_t>(held.holder.thread)] |=
        number_of(map,
                  came[static_cast<std::size_t>(held.element.row * map.cols + held.element.col)])
        << held.holder.bit;
  trace::Trace trace;
  trace.events.emplace_back(std::move(memory));
  trace.events.emplace_back(std::move(fragment));
  return trace;
}

}  // namespace

ByteMap in_bytes(const layout::Fragment& map) {
  ByteMap bytes{map, 1, 1};
  if (map.element_bits >= 8 || map.element_bits <= 0) return bytes;
  const int each = 8 / map.element_bits;
  const bool A = map.operand == 'A';
  (A ? bytes.col : bytes.row) = each;
  bytes.map.type = layout::ElementType::b8;
  bytes.map.element_bits = 8;
  bytes.map.values /= each;
  (A ? bytes.map.cols : bytes.map.rows) /= each;
  bytes.map.value = {};
  int dropped = 0;
  for (int inside = each; inside > 1; inside /= 2) ++dropped;
  for (int bit = dropped; bit < map.value.count; ++bit)
    bytes.map.value.bits[static_cast<std::size_t>(bytes.map.value.count++)] =
        map.value.bits[static_cast<std::size_t>(bit)];
  for (layout::Moves* moves : {&bytes.map.thread, &bytes.map.value})
    for (layout::Move& move : moves->bits) (A ? move.col : move.row) /= each;
  return bytes;
}

trace::Diagnosis diagnose_places(const Multiplication& in, char operand,
                                 const std::vector<Element>& came) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  const layout::Fragment numbers = numbers_map(bytes.map);
  trace::Diagnosis d = trace::diagnose(numbered(in, operand, numbers, came), 1, numbers);
  const int each = bytes.row * bytes.col;
  constexpr std::string_view kUnit = " elements of k";
  if (const std::size_t at = d.mistake.find(kUnit); each > 1 && at != std::string::npos)
    d.mistake.replace(at, kUnit.size(), " bytes of k");
  // Of wmma's .f16 every element is held twice or four times: it is one all the same.
  const int copies = std::max(d.elements / (numbers.rows * numbers.cols), 1);
  d.elements = d.elements / copies * each;
  d.wrong = d.wrong / copies * each;
  return d;
}

std::string first_misplaced(const Multiplication& in, char operand,
                            const std::vector<Element>& came, std::optional<Element>& which) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  const layout::Fragment& map = bytes.map;
  for (const layout::Held& held : layout::register_layout(map)) {
    const Element& at = held.element;
    const Element& from = came[static_cast<std::size_t>(at.row * map.cols + at.col)];
    if (from.row == at.row && from.col == at.col) continue;
    which = Element{at.row * bytes.row, at.col * bytes.col, 0};
    const std::string part = part_name(map, held.holder.value % map.values_per_register());
    const std::string is =
        from.row >= kElsewhere || from.col >= kElsewhere
            ? "something else"
            : fmt::format("{}[{}][{}]", operand, from.row * bytes.row, from.col * bytes.col);
    return fmt::format("lane {}, {}.r{}{}: {}[{}][{}] belongs there, it is {}", held.holder.thread,
                       operand, held.holder.register_index, part.empty() ? "" : "." + part, operand,
                       at.row * bytes.row, at.col * bytes.col, is);
  }
  return {};
}

}  // namespace lanescope::viz
