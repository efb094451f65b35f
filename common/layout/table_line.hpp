// SPDX-License-Identifier: MIT
// What the lines of the instruction tables are made of: maps without a type, lists of types, and a
// line that says which types a shape takes and what it needs. Data only; instruction.cpp joins
// them.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "layout/fragment.hpp"

namespace lanescope::layout {

/// The map of one operand, before an element type is put to it.
struct Map {
  Moves thread;
  Moves value;
};

/// Element types that A and B may have. Every pair is an instruction.
struct TypeList {
  std::array<ElementType, 5> types{};
  std::size_t count = 0;
  constexpr TypeList() = default;
  constexpr TypeList(std::initializer_list<ElementType> list) {
    for (ElementType type : list) types[count++] = type;
  }
  constexpr const ElementType* begin() const { return types.data(); }
  constexpr const ElementType* end() const { return types.data() + count; }
};

struct Accumulators {
  ElementType d, c;
};
struct AccumulatorList {
  std::array<Accumulators, 4> pairs{{{ElementType::f32, ElementType::f32},
                                     {ElementType::f32, ElementType::f32},
                                     {ElementType::f32, ElementType::f32},
                                     {ElementType::f32, ElementType::f32}}};
  std::size_t count = 0;
  constexpr AccumulatorList() = default;
  constexpr AccumulatorList(std::initializer_list<Accumulators> list) {
    for (const Accumulators& pair : list) pairs[count++] = pair;
  }
  constexpr const Accumulators* begin() const { return pairs.data(); }
  constexpr const Accumulators* end() const { return pairs.data() + count; }
};

/// The types of one shape, the parts of the mnemonic around them, and what they need.
struct TypeLine {
  int M, N, K;
  TypeList inputs;  // of A and of B
  AccumulatorList accumulators;
  std::string_view infix;   // between the layouts and the types: ".kind::f8f6f4"
  std::string_view suffix;  // after the types: ".xor.popc"
  std::string_view ptx, target;
};

}  // namespace lanescope::layout
