// SPDX-License-Identifier: MIT
// Decoding what runs as several instructions; see execute_composite.cpp.
//
// Source: PTX ISA 9.2, 9.7.6.1 (set), 9.7.8.6 (lop3), 9.7.13.5 and 9.7.13.7 (vectors of atomics).
#include <array>
#include <vector>

#include "emulator/decode/decode.hpp"
#include "emulator/execute/atomic.hpp"

namespace lanescope::emulator {

// What was made so far is one part; the next begins.
void Decoder::next_part() {
  parts_.push_back(made_);
  Instruction fresh;
  fresh.guard = made_.guard;
  fresh.guard_flip = made_.guard_flip;
  made_ = fresh;
}

// The statement is its parts.
void Decoder::composite() {
  next_part();
  made_.immediate = static_cast<std::int64_t>(program_.composites.size());
  program_.composites.push_back(std::move(parts_));
  parts_.clear();
  set(&run_composite);
}

// A register of 64 bits where the source has fewer: its low bits.
void Decoder::narrow_source() {
  Instruction whole = made_;
  const std::uint32_t narrow = new_row(4 * kLanes);
  made_.d = narrow;
  set(&run_narrow);
  next_part();
  whole.a = narrow;
  whole.bytes = 4;
  made_ = whole;
  composite();
}

// set.lt.and.u32.s32 d, a, b, c: the predicate that setp would give, as a value.
void Decoder::compare_and_combine(Comparison comparison, std::string_view combination, bool flush,
                                  Type to, Type type) {
  made_.d = new_row(4);
  made_.list = kNoRow;
  compare_sources(comparison, combination, flush, type);
  const std::uint32_t result = made_.d;
  next_part();
  const std::uint64_t one = to == Type::f32       ? 0x3f800000
                            : to == Type::f16     ? 0x3c00
                            : to == Type::bf16    ? 0x3f80
                            : info(to).bits == 16 ? 0xffff
                                                  : 0xffffffff;
  const Type bits = info(to).bits == 16 ? Type::b16 : Type::b32;
  made_.d = destination(operand(0), to);
  made_.a = constant(one, 4);
  made_.b = constant(0, 4);
  made_.c = result;
  set(handlers().integer(Operation::selp, bits));
  composite();
}

// lop3.or.b32 d|p, a, b, c, table, q: p is whether the result is not zero, combined with q.
void Decoder::lop3_predicate(bool is_or) {
  operands(6, 6);
  const PtxOperand& result = operand(0);
  if (result.pair < 0 || register_bits(result.pair) != 1)
    refuse("the second destination is not a predicate", ErrorCode::invalid_ptx);
  const std::uint32_t value =
      result.kind == OperandKind::reg ? register_row(result.reg) : new_row(4 * kLanes);
  made_.d = value;
  made_.a = source(operand(1), Type::b32);
  made_.b = source(operand(2), Type::b32);
  made_.c = source(operand(3), Type::b32);
  made_.immediate = integer(operand(4));
  set(handlers().integer(Operation::lop3, Type::b32));
  next_part();
  std::uint32_t flip = 0;
  made_.d = register_row(result.pair);
  made_.list = kNoRow;
  made_.a = value;
  made_.b = constant(0, 4);
  made_.c = predicate_source(operand(5), flip);
  made_.immediate = flip;
  made_.detail = static_cast<std::uint16_t>(is_or ? Boolean::bool_or : Boolean::bool_and);
  set(handlers().compare(Comparison::ne, Type::u32, false));
  composite();
}

// {d0, d1, ...}, [a], {b0, b1, ...}: one atomic after another. The ISA promises no more.
void Decoder::vector_atomic(AtomicOperation operation, Type type, std::size_t count, bool returns) {
  const bool halves = type == Type::f16 || type == Type::bf16;
  const bool pairs = type == Type::f16x2 || type == Type::bf16x2;
  const bool exists = type == Type::f32 ? operation == AtomicOperation::add && count <= 4
                      : halves          ? count <= 8
                                        : pairs && count <= 4;
  const bool operates = operation == AtomicOperation::add || operation == AtomicOperation::min ||
                        operation == AtomicOperation::max;
  if (!exists || !operates) refuse_form();
  const std::size_t at = returns ? 1 : 0;
  const auto values = items(operand(at + 1));
  const auto results = items(operand(0));
  if (values.size() != count || (returns && results.size() != count))
    refuse("the registers are not as many as the vector has", ErrorCode::invalid_ptx);
  // A register of the results may be one of the values, too: it is written when all are read.
  std::vector<std::uint32_t> before;
  for (std::size_t k = 0; k < count; ++k) {
    address(operand(at));
    made_.immediate += static_cast<std::int64_t>(k) * bytes_of(type);
    if (returns) before.push_back(made_.d = new_row(4 * kLanes));
    made_.b = source(*values[k], type);
    made_.space = Space::global;
    made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
    made_.detail = 1;
    made_.count = static_cast<std::uint16_t>(operation);
    made_.target = static_cast<std::uint32_t>(type);
    set(&run_atomic);
    if (k + 1 < count) next_part();
  }
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (results[k]->kind == OperandKind::sink) continue;
    next_part();
    made_.d = destination(*results[k], type);
    made_.a = before[k];
    set(handlers().integer(Operation::move, halves ? Type::b16 : Type::b32));
  }
  function_.is_ordered = true;
  composite();
}

// testp.finite.f32 p, a.
void Decoder::testp() {
  constexpr std::array<std::string_view, 6> kProperties{"finite",     "infinite", "number",
                                                        "notanumber", "normal",   "subnormal"};
  bool found = false;
  for (std::size_t k = 0; k < kProperties.size(); ++k) {
    if (!take(kProperties[k])) continue;
    made_.detail = static_cast<std::uint16_t>(k);
    found = true;
  }
  const Type type = take_type();
  if (!found || (type != Type::f32 && type != Type::f64)) refuse_form();
  operands(2, 2);
  made_.d = predicate_destination(operand(0));
  made_.a = source(operand(1), type);
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  set(&run_testp);
}

}  // namespace lanescope::emulator
