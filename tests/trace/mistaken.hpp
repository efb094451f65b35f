// SPDX-License-Identifier: MIT
// What the tests of diagnose share: a matrix of numbers that say where they belong, and a fragment
// of it into which a mistake is planted.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "trace/diagnose.hpp"

namespace lanescope::trace_test {

using trace::Diagnosis;
using trace::Verdict;

inline constexpr const char* kF16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
inline constexpr const char* kS8 = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
inline constexpr const char* kTf32 = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";

using Place = layout::Element;
/// The element a slot is given, in the coordinates of the matrix; by default where it belongs.
using Plant = std::function<Place(int lane, int reg, int part, Place home)>;

/// Element bits that differ all over the matrix as far as the width allows.
inline std::uint64_t pattern(int row, int col, int bits) {
  return bits >= 16 ? static_cast<std::uint64_t>(row * 131 + col * 7 + 1)
                    : static_cast<std::uint64_t>(row * 53 + col * 101 + row * col * 7 + 1) & 0xff;
}

inline trace::Memory matrix(const std::string& name, const layout::Fragment& map, int rows,
                            int cols, const char* space = "shared", bool transposed = false,
                            int salt = 0) {
  trace::Memory memory;
  memory.name = name;
  memory.space = space;
  memory.type = std::string(layout::name(map.type));
  memory.rows = transposed ? cols : rows;
  memory.cols = transposed ? rows : cols;
  memory.row_stride_bytes = memory.cols * map.element_bits / 8;
  for (int r = 0; r < memory.rows; ++r)
    for (int c = 0; c < memory.cols; ++c) {
      const std::uint64_t word = pattern(transposed ? c : r, transposed ? r : c, map.element_bits) +
                                 static_cast<std::uint64_t>(salt);
      for (int byte = 0; byte < map.element_bits / 8; ++byte)
        memory.bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
    }
  return memory;
}

inline trace::Fragment fragment(const char* instruction, char operand, const Plant& plant,
                                const std::string& name = "", int first_row = 0, int first_col = 0,
                                int salt = 0) {
  const layout::Fragment& map = *layout::find(instruction)->operand(operand);
  trace::Fragment f;
  f.name = name.empty() ? std::string(1, operand) : name;
  f.instruction = instruction;
  f.operand = std::string(1, operand);
  f.register_bits = map.register_bits;
  f.registers.assign(static_cast<std::size_t>(map.registers()),
                     std::vector<std::uint64_t>(static_cast<std::size_t>(map.threads()), 0));
  for (const layout::Held& held : layout::register_layout(map)) {
    const layout::Holder& h = held.holder;
    const Place home{first_row + held.element.row, first_col + held.element.col};
    const Place from = plant(h.thread, h.register_index, h.value % map.values_per_register(), home);
    std::uint64_t bits =
        pattern(from.row, from.col, map.element_bits) + static_cast<std::uint64_t>(salt);
    if (from.row < 0) bits = ~std::uint64_t{0};
    if (map.element_bits < 64) bits &= (std::uint64_t{1} << map.element_bits) - 1;
    f.registers[static_cast<std::size_t>(h.register_index)][static_cast<std::size_t>(h.thread)] |=
        bits << h.bit;
  }
  return f;
}

inline const Plant kRight = [](int, int, int, Place home) { return home; };

inline Diagnosis only(const trace::Trace& trace) {
  const std::vector<Diagnosis> all = trace::diagnose(trace);
  REQUIRE(all.size() == 1);
  const auto& known = trace::known_mistakes();
  if (all[0].verdict == Verdict::mistake)
    CHECK_MESSAGE(std::any_of(known.begin(), known.end(),
                              [&](const auto& one) { return all[0].kind == one.kind; }),
                  all[0].kind << " is not on its list");
  return all[0];
}

/// A planted mistake in a fragment that begins at first_row, first_col of a rows x cols matrix.
inline Diagnosis planted(const char* instruction, char operand, int rows, int cols,
                         const Plant& plant, const std::string& name = "", int first_row = 0,
                         int first_col = 0) {
  const layout::Fragment& map = *layout::find(instruction)->operand(operand);
  trace::Trace trace;
  trace.events.push_back(fragment(instruction, operand, plant, name, first_row, first_col));
  trace.events.push_back(matrix(std::string(1, operand) + " in shared memory", map, rows, cols));
  return only(trace);
}

inline Place element_of(const char* instruction, char operand, int lane, int reg, int part) {
  const layout::Fragment& map = *layout::find(instruction)->operand(operand);
  return map.element(lane, reg * map.values_per_register() + part);
}

}  // namespace lanescope::trace_test
