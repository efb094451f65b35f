// SPDX-License-Identifier: MIT
// A fragment map: which element of a matrix each register bit of each lane holds, and back.
//
// A map is written as the ISA's formulas read, one move per index bit. For C/D of m16n8k16,
//
//     thread bits   0: col 2   1: col 4   2: row 1   3: row 2   4: row 4
//     value bits    0: col 1   1: row 8
//
// says row = (lane >> 2) + 8*((i >> 1) & 1) and col = 2*(lane % 4) + (i & 1): the element's place
// is the sum of the moves of the bits that are set in the thread and in the value index. Every
// fragment of every tensor-core instruction has this form (PTX ISA 9.1, sections 9.7.14
// and 9.7.15).
//
// Matrices are as PTX names them: A is M x K, B is K x N (row = k, col = n), C and D are M x N.
// `value` counts a thread's elements from the low bits of its first register upwards.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "layout/element_type.hpp"

namespace lanescope::layout {

/// A place in a matrix. `matrix` is the index of the matrix where one instruction multiplies
/// several (mma.m8n8k4 .f16: one per quad-pair), else 0.
struct Element {
  int row = 0;
  int col = 0;
  int matrix = 0;
  friend constexpr bool operator==(const Element&, const Element&) = default;
};

/// How far one index bit moves the element.
using Move = Element;
constexpr Move row(int rows) { return {rows, 0, 0}; }
constexpr Move col(int cols) { return {0, cols, 0}; }
constexpr Move matrix(int matrices) { return {0, 0, matrices}; }
constexpr Move stay() { return {}; }  // the bit makes a copy: two threads hold the same element

/// The moves of an index, lowest bit first.
struct Moves {
  std::array<Move, 8> bits{};
  int count = 0;

  constexpr Moves() = default;
  constexpr Moves(std::initializer_list<Move> moves) {
    for (const Move& move : moves) bits[static_cast<std::size_t>(count++)] = move;
  }
  constexpr Element at(int index) const {
    Element sum;
    for (int bit = 0; bit < count; ++bit) {
      if (((index >> bit) & 1) == 0) continue;
      const Move& move = bits[static_cast<std::size_t>(bit)];
      sum.row += move.row;
      sum.col += move.col;
      sum.matrix += move.matrix;
    }
    return sum;
  }
};

/// Where a thread keeps one element. `bit` is the element's lowest bit in `register_index`.
struct Holder {
  int thread = 0;
  int value = 0;
  int register_index = 0;
  int bit = 0;
  friend constexpr bool operator==(const Holder&, const Holder&) = default;
};

/// One operand of an instruction, spread over the registers of a warp (32) or warpgroup (128).
struct Fragment {
  char operand = '?';  // 'A', 'B', 'C', 'D', 'E' (metadata), 'S' and 'T' (scales of A and of B)
  ElementType type = ElementType::f32;
  int rows = 0;
  int cols = 0;
  int matrices = 1;
  int element_bits = 0;    // the container: tf32 takes 32, e2m1 of kind::f8f6f4 takes 8
  int register_bits = 32;  // 64 for .f64
  int values = 0;          // per thread
  Moves thread;
  Moves value;
  // Operands that a selector takes from some lanes only (sparsity metadata, scales): the lanes with
  // (thread & thread_mask) == thread_match. Every lane when the mask is 0.
  int thread_mask = 0;
  int thread_match = 0;
  int low_padding = 0;  // e2m1 in an 8-bit container sits in bits 5:2 (9.7.14.5.14)

  constexpr int threads() const { return 1 << thread.count; }
  constexpr bool provided_by(int thread_index) const {
    return (thread_index & thread_mask) == thread_match;
  }
  constexpr int values_per_register() const { return register_bits / element_bits; }
  constexpr int registers() const {
    return (values + values_per_register() - 1) / values_per_register();
  }
  /// How many bits of its container an element really uses, from the holder's `bit` up.
  constexpr int payload_bits() const {
    return element_bits == 8 && info(type).bits < 8 ? info(type).bits : element_bits;
  }

  /// The element that `value` of `thread` is. 0 <= thread < threads(), 0 <= value < values.
  constexpr Element element(int thread_index, int value_index) const {
    const Element a = thread.at(thread_index);
    const Element b = value.at(value_index);
    return {a.row + b.row, a.col + b.col, a.matrix + b.matrix};
  }
  constexpr Holder holder(int thread_index, int value_index) const {
    const int per_register = values_per_register();
    return {thread_index, value_index, value_index / per_register,
            (value_index % per_register) * element_bits + low_padding};
  }
  constexpr bool contains(Element e) const {
    return e.row >= 0 && e.row < rows && e.col >= 0 && e.col < cols && e.matrix >= 0 &&
           e.matrix < matrices;
  }
};

// Lists, too, are made while compiling, where the standard library lets them (Clang 14's does not).
#ifdef __cpp_lib_constexpr_vector
#define LANESCOPE_CONSTEXPR constexpr
#else
#define LANESCOPE_CONSTEXPR inline
#endif

struct Held {
  Holder holder;
  Element element;
};

/// Element -> holders: every (thread, register, bit) that keeps it, in thread order. Empty when the
/// element lies outside the matrix.
LANESCOPE_CONSTEXPR std::vector<Holder> holders(const Fragment& fragment, Element element) {
  std::vector<Holder> found;
  if (!fragment.contains(element)) return found;
  for (int thread = 0; thread < fragment.threads(); ++thread) {
    if (!fragment.provided_by(thread)) continue;
    const Element from = fragment.thread.at(thread);  // the values' moves only lead onwards
    if (from.row > element.row || from.col > element.col || from.matrix > element.matrix) continue;
    const Element left{element.row - from.row, element.col - from.col,
                       element.matrix - from.matrix};
    for (int value = 0; value < fragment.values; ++value)
      if (fragment.value.at(value) == left) found.push_back(fragment.holder(thread, value));
  }
  return found;
}

/// Thread and register -> elements, from the low bits up. Empty when there is no such register, or
/// when the thread provides nothing of this operand.
LANESCOPE_CONSTEXPR std::vector<Held> elements(const Fragment& fragment, int thread,
                                               int register_index) {
  std::vector<Held> found;
  if (thread < 0 || thread >= fragment.threads()) return found;
  if (register_index < 0 || register_index >= fragment.registers()) return found;
  if (!fragment.provided_by(thread)) return found;
  const int first = register_index * fragment.values_per_register();
  for (int i = 0; i < fragment.values_per_register() && first + i < fragment.values; ++i)
    found.push_back({fragment.holder(thread, first + i), fragment.element(thread, first + i)});
  return found;
}

/// The whole fragment in register order: thread by thread, value by value.
LANESCOPE_CONSTEXPR std::vector<Held> register_layout(const Fragment& fragment) {
  std::vector<Held> all;
  for (int thread = 0; thread < fragment.threads(); ++thread) {
    if (!fragment.provided_by(thread)) continue;
    for (int value = 0; value < fragment.values; ++value)
      all.push_back({fragment.holder(thread, value), fragment.element(thread, value)});
  }
  return all;
}

/// The whole fragment in matrix order (matrix, row, col): the first holder of each element.
/// An element that nobody holds (a broken map) has thread -1.
LANESCOPE_CONSTEXPR std::vector<Held> matrix_layout(const Fragment& fragment) {
  std::vector<Held> all;
  for (int m = 0; m < fragment.matrices; ++m)
    for (int r = 0; r < fragment.rows; ++r)
      for (int c = 0; c < fragment.cols; ++c) all.push_back({{-1, -1, -1, -1}, {r, c, m}});
  for (const Held& held : register_layout(fragment)) {
    const Element& e = held.element;
    if (!fragment.contains(e)) continue;
    Held& slot =
        all[static_cast<std::size_t>((e.matrix * fragment.rows + e.row) * fragment.cols + e.col)];
    if (slot.holder.thread < 0) slot.holder = held.holder;
  }
  return all;
}

#undef LANESCOPE_CONSTEXPR

}  // namespace lanescope::layout
