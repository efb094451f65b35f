// SPDX-License-Identifier: MIT
// Decoding comparison and selection.
//
// Source: PTX ISA 9.2, 9.7.6 and 9.7.7 (set, setp, selp, slct).
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {

void Decoder::select() {
  const Type type = take_type();
  operands(4, 4);
  made_.d = destination(operand(0), type);
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), type);
  std::uint32_t flip = 0;
  made_.c = predicate_source(operand(3), flip);
  made_.immediate = flip;
  set(handlers().integer(Operation::selp, type));
}

// slct.f32.s32 d, a, b, c: a where c >= 0.
void Decoder::select_by_sign() {
  const bool flush = take("ftz");
  const Type type = take_type();
  const Type by = take_type();
  operands(4, 4);
  made_.d = destination(operand(0), type);
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), type);
  made_.c = source(operand(3), by);
  made_.detail = static_cast<std::uint16_t>((by == Type::f32 ? 1 : 0) | (flush ? 2 : 0));
  set(info(type).bits == 64 ? &run_slct64 : &run_slct32);  // 16 bits sit in 32
}

namespace {

constexpr std::array<std::string_view, 18> kComparisons{"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                                        "equ", "neu", "ltu", "leu", "gtu", "geu",
                                                        "num", "nan", "lo",  "ls",  "hi",  "hs"};
constexpr std::array<Comparison, 4> kUnsignedComparisons{Comparison::lt, Comparison::le,
                                                         Comparison::gt, Comparison::ge};

}  // namespace

Comparison Decoder::take_comparison() {
  for (std::size_t k = 0; k < kComparisons.size(); ++k) {
    if (modifiers_.empty() || modifiers_.front() != kComparisons[k]) continue;
    modifiers_.erase(modifiers_.begin());
    return k < 14 ? static_cast<Comparison>(k) : kUnsignedComparisons[k - 14];
  }
  refuse("the comparison is missing", ErrorCode::invalid_ptx);
}

// Operands a, b and, for a combination, c of setp and set; where the answer goes is set before.
void Decoder::compare_sources(Comparison comparison, std::string_view combination, bool flush,
                              Type type) {
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), type);
  std::uint32_t flip = 0;
  if (!combination.empty()) made_.c = predicate_source(operand(3), flip);
  made_.immediate = flip;
  const Boolean how = combination.empty()    ? Boolean::none
                      : combination == "and" ? Boolean::bool_and
                      : combination == "or"  ? Boolean::bool_or
                                             : Boolean::bool_xor;
  made_.detail = static_cast<std::uint16_t>(static_cast<int>(how) | (flush ? 4 : 0));
  set(handlers().compare(comparison, type, flush));
}

// setp.lt.and.s32 p|q, a, b, c: p = (a < b) and c, q = !(a < b) and c.
void Decoder::compare() {
  const Comparison comparison = take_comparison();
  const std::string_view combination = take_any({"and", "or", "xor"});
  const bool flush = take("ftz");
  const Type type = take_type();
  operands(combination.empty() ? 3 : 4, combination.empty() ? 3 : 4);
  if (type == Type::f16x2 || type == Type::bf16x2)
    return compare_pair(comparison, combination, flush, Type::none, type);
  const PtxOperand& result = operand(0);
  made_.d = predicate_destination(result);
  made_.list = kNoRow;
  if (result.pair >= 0) {
    if (register_bits(result.pair) != 1) refuse("q is not a predicate", ErrorCode::invalid_ptx);
    made_.list = register_row(result.pair);
  }
  compare_sources(comparison, combination, flush, type);
}

// set.lt.u32.s32 d, a, b: all ones (1.0 for a .f32 d) where it holds. Runs as a comparison into a
// predicate of its own, from which `finish` makes the value.
void Decoder::compare_to_value() {
  const Comparison comparison = take_comparison();
  const std::string_view combination = take_any({"and", "or", "xor"});
  const bool flush = take("ftz");
  const Type to = take_type();
  const Type type = take_type();
  operands(combination.empty() ? 3 : 4, combination.empty() ? 3 : 4);
  if (type == Type::f16x2 || type == Type::bf16x2)
    return compare_pair(comparison, combination, flush, to, type);
  if (!combination.empty() || info(to).bits == 16)
    return compare_and_combine(comparison, combination, flush, to, type);
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), type);
  if (info(to).bits != 32) refuse_form();
  const std::uint32_t result = destination(operand(0), to);
  made_.d = new_row(4);
  made_.list = kNoRow;
  made_.target = result;
  made_.immediate = to == Type::f32 ? 0x3f800000 : 0xffffffff;
  made_.detail = static_cast<std::uint16_t>(flush ? 4 : 0);
  set(handlers().compare_value(comparison, type, flush));
}

}  // namespace lanescope::emulator
