// SPDX-License-Identifier: MIT
#include "panels/matrix/scaled.hpp"

#include <fmt/format.h>

#include "numeric/format.hpp"

namespace lanescope::viz {
namespace {

const trace::Fragment* data_of(const Multiplication& in, char operand) {
  return in.scales[operand == 'S' ? 0 : 1];
}
// The map with the selectors that the trace has; nullptr where it has none of this side.
const layout::Fragment* map_of(const Multiplication& in, char operand) {
  return in.scaled == nullptr || data_of(in, operand) == nullptr ? nullptr
                                                                 : in.scaled->operand(operand);
}

std::string value_of(const Multiplication& in, char operand, const layout::Holder& holder) {
  const layout::Fragment& map = *map_of(in, operand);
  const std::uint64_t word =
      data_of(in, operand)->registers[0][static_cast<std::size_t>(holder.thread)];
  return numeric::to_text(layout::name(map.type), word >> holder.bit & 0xff).value_or("?");
}

// "k 0 to 31" of chunk 0.
std::string chunk_words(const Multiplication& in, int chunk) {
  const int each = in.instruction->K / in.instruction->SFA.cols;
  return fmt::format("k {} to {}", chunk * each, (chunk + 1) * each - 1);
}

// "row 9, k 0 to 31" of an element of SFA, "column 3, ..." of one of SFB.
std::string element_words(const Multiplication& in, char operand, const layout::Element& e) {
  return operand == 'S' ? fmt::format("row {}, {}", e.row, chunk_words(in, e.col))
                        : fmt::format("column {}, {}", e.col, chunk_words(in, e.row));
}

// "SFA[9][0] = 2^-3, lane 5 SFA.r0, byte 0"
std::optional<std::string> scale_text(const Multiplication& in, char operand, int line, int chunk) {
  const layout::Fragment* map = map_of(in, operand);
  if (map == nullptr) return std::nullopt;
  const layout::Element e =
      operand == 'S' ? layout::Element{line, chunk} : layout::Element{chunk, line};
  const std::vector<layout::Holder> found = layout::holders(*map, e);
  if (found.empty()) return std::nullopt;
  const std::string_view name = layout::operand_name(operand);
  return fmt::format("{}[{}][{}] = {}, lane {} {}.r0, byte {}", name, e.row, e.col,
                     value_of(in, operand, found.front()), found.front().thread, name,
                     found.front().bit / 8);
}

// "SFA thread-id 0 byte-id 2": the map with the trace's selectors, as the search box finds it.
std::string selectors_text(const Multiplication& in, char operand) {
  const layout::Fragment& map = *map_of(in, operand);
  return fmt::format("{} thread-id {} byte-id {}", layout::operand_name(operand),
                     operand == 'S' ? map.thread_match / 2 : map.thread_match, map.low_padding / 8);
}

}  // namespace

std::vector<std::string> scale_lines(const Multiplication& in, char operand, int thread) {
  const layout::Fragment* map = map_of(in, operand);
  if (map == nullptr) return {};
  if (!map->provided_by(thread))
    return {fmt::format("not read by thread-id {}",
                        operand == 'S' ? map->thread_match / 2 : map->thread_match)};
  std::vector<std::string> lines;
  for (const layout::Held& held : layout::elements(*map, thread, 0))
    lines.push_back(fmt::format("byte {}: {}: {}", held.holder.bit / 8,
                                element_words(in, operand, held.element),
                                value_of(in, operand, held.holder)));
  return lines;
}

std::optional<ScaleOf> scale_of(const Multiplication& in, const Selection& s) {
  if (s.picked != Picked::element || in.scaled == nullptr) return std::nullopt;
  const int each = in.instruction->K / in.instruction->SFA.cols;
  std::optional<int> k;
  if (s.operand == 'A') k = in.k_of(s.element.row, s.element.col);
  if (s.operand == 'B') k = s.element.row;
  if (!k) return std::nullopt;
  const char operand = s.operand == 'A' ? 'S' : 'T';
  const int line = s.operand == 'A' ? s.element.row : s.element.col;
  const auto text = scale_text(in, operand, line, *k / each);
  if (!text) return std::nullopt;
  const int row = s.operand == 'A' ? line : *k / each, col = s.operand == 'A' ? *k / each : line;
  return ScaleOf{*text, fmt::format("{} {},{}", selectors_text(in, operand), row, col)};
}

std::vector<std::string> scales_of_sum(const Multiplication& in, const Selection& s) {
  std::vector<std::string> lines;
  if (s.picked != Picked::element || in.scaled == nullptr || s.operand == 'A' || s.operand == 'B')
    return lines;
  const auto add = [&](char operand, int line, int chunk) {
    if (const auto text = scale_text(in, operand, line, chunk)) lines.push_back(*text);
  };
  for (int chunk = 0; chunk < in.instruction->SFA.cols; ++chunk) {
    lines.push_back(chunk_words(in, chunk) + ":");
    add('S', s.element.row, chunk);
    add('T', s.element.col, chunk);
  }
  return lines;
}

std::vector<std::string> said_by_scales(const Multiplication& in, const layout::Fragment& map,
                                        bool is_element, const layout::Element& element, int lane) {
  const layout::Fragment* recorded = map_of(in, map.operand);
  if (recorded == nullptr || recorded->thread_match != map.thread_match ||
      recorded->low_padding != map.low_padding)
    return {};
  if (!is_element) return scale_lines(in, map.operand, lane);
  const bool of_a = map.operand == 'S';
  const auto text = scale_text(in, map.operand, of_a ? element.row : element.col,
                               of_a ? element.col : element.row);
  return {element_words(in, map.operand, element), text.value_or("")};
}

std::string scale_search(const Multiplication& in, char operand, int thread) {
  if (map_of(in, operand) == nullptr) return {};
  return fmt::format("{} lane {}", selectors_text(in, operand), thread);
}

}  // namespace lanescope::viz
