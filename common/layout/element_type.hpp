// SPDX-License-Identifier: MIT
// The element types of tensor-core operands, by their PTX names, and how wide they are.
//
// Source: PTX ISA 9.2, sections 5.2.2 (fundamental types), 5.2.3 (alternate floating point).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::layout {

enum class ElementType : std::uint8_t {
  f64,
  f32,
  tf32,
  f16,
  bf16,
  e4m3,
  e5m2,
  e3m2,
  e2m3,
  e2m1,
  s32,
  s8,
  u8,
  s4,
  u4,
  b1,
  ue8m0,  // scales of the sm_120 kinds
  ue4m3,
  b2,   // sparsity metadata: an index among four
  b4,   // ... and .tf32's, an index among two written with four bits
  b16,  // what ldmatrix and its like move, whatever it means
  b8,
  b6,
  b32  // what tcgen05.ld and .st move
};

struct ElementTypeInfo {
  ElementType type;
  std::string_view name;  // the PTX spelling, without the dot
  int bits;               // as the type counts; a fragment's container may be wider (tf32: 32)
};

inline constexpr std::array<ElementTypeInfo, 24> kElementTypes{{
    {ElementType::f64, "f64", 64},    {ElementType::f32, "f32", 32},
    {ElementType::tf32, "tf32", 19},  {ElementType::f16, "f16", 16},
    {ElementType::bf16, "bf16", 16},  {ElementType::e4m3, "e4m3", 8},
    {ElementType::e5m2, "e5m2", 8},   {ElementType::e3m2, "e3m2", 6},
    {ElementType::e2m3, "e2m3", 6},   {ElementType::e2m1, "e2m1", 4},
    {ElementType::s32, "s32", 32},    {ElementType::s8, "s8", 8},
    {ElementType::u8, "u8", 8},       {ElementType::s4, "s4", 4},
    {ElementType::u4, "u4", 4},       {ElementType::b1, "b1", 1},
    {ElementType::ue8m0, "ue8m0", 8}, {ElementType::ue4m3, "ue4m3", 8},
    {ElementType::b2, "b2", 2},       {ElementType::b4, "b4", 4},
    {ElementType::b16, "b16", 16},    {ElementType::b8, "b8", 8},
    {ElementType::b6, "b6", 6},       {ElementType::b32, "b32", 32},
}};

constexpr const ElementTypeInfo& info(ElementType type) {
  return kElementTypes[static_cast<std::size_t>(type)];
}
constexpr std::string_view name(ElementType type) { return info(type).name; }

constexpr std::optional<ElementType> element_type(std::string_view name) {
  for (const ElementTypeInfo& entry : kElementTypes)
    if (entry.name == name) return entry.type;
  return std::nullopt;
}

}  // namespace lanescope::layout
