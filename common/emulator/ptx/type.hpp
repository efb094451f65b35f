// SPDX-License-Identifier: MIT
// The types and state spaces of PTX by their names. Not what an operation does with them.
//
// Source: PTX ISA 9.2, 5.1 (state spaces) and 5.2 (types).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanescope::emulator {

enum class Type : std::uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  bf16,
  f32,
  f64,
  tf32,
  f16x2,
  bf16x2,
  u16x2,
  s16x2,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  e3m2x2,
  e2m3x2,
  e2m1x2,
  ue8m0x2,
  s4,
  u4,
  b1,
  pred,
  f32x2,  // in a register of .b64; no declaration and no other statement has it
};

enum class TypeKind : std::uint8_t {
  none,
  bits,
  unsigned_integer,
  signed_integer,
  real,
  predicate
};

struct TypeInfo {
  Type type;
  std::string_view name;  // without the dot
  int bits;
  TypeKind kind;
};

inline constexpr std::array kTypes{
    TypeInfo{Type::none, "", 0, TypeKind::none},
    TypeInfo{Type::b8, "b8", 8, TypeKind::bits},
    TypeInfo{Type::b16, "b16", 16, TypeKind::bits},
    TypeInfo{Type::b32, "b32", 32, TypeKind::bits},
    TypeInfo{Type::b64, "b64", 64, TypeKind::bits},
    TypeInfo{Type::b128, "b128", 128, TypeKind::bits},
    TypeInfo{Type::u8, "u8", 8, TypeKind::unsigned_integer},
    TypeInfo{Type::u16, "u16", 16, TypeKind::unsigned_integer},
    TypeInfo{Type::u32, "u32", 32, TypeKind::unsigned_integer},
    TypeInfo{Type::u64, "u64", 64, TypeKind::unsigned_integer},
    TypeInfo{Type::s8, "s8", 8, TypeKind::signed_integer},
    TypeInfo{Type::s16, "s16", 16, TypeKind::signed_integer},
    TypeInfo{Type::s32, "s32", 32, TypeKind::signed_integer},
    TypeInfo{Type::s64, "s64", 64, TypeKind::signed_integer},
    TypeInfo{Type::f16, "f16", 16, TypeKind::real},
    TypeInfo{Type::bf16, "bf16", 16, TypeKind::real},
    TypeInfo{Type::f32, "f32", 32, TypeKind::real},
    TypeInfo{Type::f64, "f64", 64, TypeKind::real},
    TypeInfo{Type::tf32, "tf32", 32, TypeKind::real},
    TypeInfo{Type::f16x2, "f16x2", 32, TypeKind::real},
    TypeInfo{Type::bf16x2, "bf16x2", 32, TypeKind::real},
    TypeInfo{Type::u16x2, "u16x2", 32, TypeKind::unsigned_integer},
    TypeInfo{Type::s16x2, "s16x2", 32, TypeKind::signed_integer},
    TypeInfo{Type::e4m3, "e4m3", 8, TypeKind::real},
    TypeInfo{Type::e5m2, "e5m2", 8, TypeKind::real},
    TypeInfo{Type::e4m3x2, "e4m3x2", 16, TypeKind::real},
    TypeInfo{Type::e5m2x2, "e5m2x2", 16, TypeKind::real},
    TypeInfo{Type::e3m2x2, "e3m2x2", 16, TypeKind::real},
    TypeInfo{Type::e2m3x2, "e2m3x2", 16, TypeKind::real},
    TypeInfo{Type::e2m1x2, "e2m1x2", 8, TypeKind::real},
    TypeInfo{Type::ue8m0x2, "ue8m0x2", 16, TypeKind::real},
    TypeInfo{Type::s4, "s4", 4, TypeKind::signed_integer},
    TypeInfo{Type::u4, "u4", 4, TypeKind::unsigned_integer},
    TypeInfo{Type::b1, "b1", 1, TypeKind::bits},
    TypeInfo{Type::pred, "pred", 1, TypeKind::predicate},
    TypeInfo{Type::f32x2, "f32x2", 64, TypeKind::real},
};

constexpr const TypeInfo& info(Type type) { return kTypes[static_cast<std::size_t>(type)]; }
constexpr int bytes_of(Type type) { return info(type).bits / 8; }
constexpr bool is_signed(Type type) { return info(type).kind == TypeKind::signed_integer; }
constexpr bool is_real(Type type) { return info(type).kind == TypeKind::real; }

/// The type called `name` ("u32"), or Type::none; .f32x2, which four opcodes have, is none.
constexpr Type find_type(std::string_view name) {
  for (const TypeInfo& entry : kTypes)
    if (entry.name == name && entry.type != Type::f32x2) return entry.type;
  return Type::none;
}

enum class Space : std::uint8_t { none, generic, global, shared, local, parameter, constant };

/// The space called `name` ("shared::cta"), or Space::none.
constexpr Space find_space(std::string_view name) {
  if (name == "global") return Space::global;
  if (name == "shared" || name == "shared::cta" || name == "shared::cluster") return Space::shared;
  if (name == "local") return Space::local;
  if (name == "param" || name == "param::entry" || name == "param::func") return Space::parameter;
  if (name == "const") return Space::constant;
  return Space::none;
}

}  // namespace lanescope::emulator
