// SPDX-License-Identifier: MIT
// Decoding what execute_rare.cpp runs, and what is made of other instructions.
//
// Source: as there; PTX ISA 9.2.
#include <array>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/rare.hpp"
#include "emulator/execute/tensor_map.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

struct FieldName {
  std::string_view name;
  TensorMapField field;
  bool is_wide, has_ordinal;
};
constexpr std::array kFields{
    FieldName{"global_address", TensorMapField::address, true, false},
    FieldName{"rank", TensorMapField::rank, false, false},
    FieldName{"box_dim", TensorMapField::box, false, true},
    FieldName{"global_dim", TensorMapField::size, false, true},
    FieldName{"global_stride", TensorMapField::stride, true, true},
    FieldName{"element_stride", TensorMapField::element_stride, false, true},
    FieldName{"elemtype", TensorMapField::type, false, false},
    FieldName{"interleave_layout", TensorMapField::interleave, false, false},
    FieldName{"swizzle_mode", TensorMapField::swizzle, false, false},
    FieldName{"fill_mode", TensorMapField::fill, false, false},
};

}  // namespace

// setp.lt.and.f16x2 p|q, a, b, c: p is of the low halves, q of the high ones. Into a register
// (`to`): 1.0, or all ones, in each half.
void Decoder::compare_pair(Comparison comparison, std::string_view combination, bool flush, Type to,
                           Type type) {
  const PtxOperand& result = operand(0);
  made_.list = kNoRow;
  if (to == Type::none) {
    made_.d = predicate_destination(result);
    if (result.pair >= 0) {
      if (register_bits(result.pair) != 1) refuse("q is not a predicate", ErrorCode::invalid_ptx);
      made_.list = register_row(result.pair);
    }
  } else {
    made_.d = destination(result, Type::b32);
    made_.target = to == Type::f16x2 ? 0x3c00 : to == Type::bf16x2 ? 0x3f80 : 0xffff;
    if (info(to).bits != 32 || to == Type::f32) refuse_form();
  }
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), type);
  std::uint32_t flip = 0;
  if (!combination.empty()) made_.c = predicate_source(operand(3), flip);
  made_.immediate = flip;
  made_.count = static_cast<std::uint16_t>(comparison);
  const Boolean how = combination.empty()    ? Boolean::none
                      : combination == "and" ? Boolean::bool_and
                      : combination == "or"  ? Boolean::bool_or
                                             : Boolean::bool_xor;
  made_.detail = static_cast<std::uint16_t>(static_cast<int>(how) | (flush ? kPairFlushes : 0) |
                                            (type == Type::bf16x2 ? kPairBf16 : 0) |
                                            (to != Type::none ? kPairToValue : 0));
  set(&run_compare_pair);
}

// cvt.pack.sat.u8.s32.b32 d, a, b, c.
void Decoder::convert_pack() {
  if (!take("sat")) refuse_form();
  constexpr std::array<std::string_view, 8> kTypes{"u16", "s16", "u8", "s8",
                                                   "u4",  "s4",  "u2", "s2"};
  const std::string_view* found = nullptr;
  for (const std::string_view& name : kTypes)
    if (take(name)) found = &name;
  if (found == nullptr || !take("s32")) refuse_form();
  made_.count = static_cast<std::uint16_t>(16 >> ((found - kTypes.data()) / 2));
  made_.detail = found->front() == 's' ? 1 : 0;
  const bool has_c = take("b32");
  operands(has_c ? 4 : 3, has_c ? 4 : 3);
  if (has_c == (made_.count == 16)) refuse_form();
  made_.d = destination(operand(0), Type::b32);
  made_.a = source(operand(1), Type::s32);
  made_.b = source(operand(2), Type::s32);
  if (has_c) made_.c = source(operand(3), Type::b32);
  set(&run_cvt_pack);
}

void Decoder::find_nth_set() {
  if (take_type() != Type::b32) refuse_form();
  operands(4, 4);
  made_.d = destination(operand(0), Type::b32);
  made_.a = source(operand(1), Type::b32);
  made_.b = source(operand(2), Type::b32);
  made_.c = source(operand(3), Type::b32);
  set(&run_find_nth_set);
}

// min.relu and max.relu of integers: and then max with 0.
void Decoder::relu(Operation operation, Type type) {
  three(operation, type, 2);
  const std::uint32_t result = made_.d;
  next_part();
  made_.d = made_.a = result;
  made_.b = constant(0, 4);
  set(handlers().integer(Operation::max, type));
  composite();
}

// fma.rn.oob{.relu}: the result is 0 where a factor lies outside of its tensor.
void Decoder::out_of_bounds_fma(Type type) {
  three(Operation::fma, type, 3);
  const Instruction product = made_;
  const std::uint32_t result = new_row(4 * kLanes);
  made_.d = result;
  next_part();
  made_.d = result;
  made_.a = product.a;
  made_.b = product.b;
  made_.count = info(type).bits == 32 ? 2 : 1;
  set(&run_clear_out_of_bounds);
  next_part();
  made_.d = product.d;
  made_.a = result;
  set(handlers().integer(Operation::move, info(type).bits == 32 ? Type::b32 : Type::b16));
  composite();
}

// atom.cas.b128 d, [a], b, c; atom.exch.b128 d, [a], b.
void Decoder::wide_atomic(bool swaps, Space space) {
  made_.d = wide_row(operand(0));
  address(operand(1));
  made_.b = wide_row(operand(2));
  if (swaps) made_.c = wide_row(operand(3));
  made_.space = space;
  made_.bytes = 16;
  made_.detail = 1;
  if (space != Space::shared) function_.is_ordered = true;
  set(&run_wide_atomic);
}

// tensormap.replace.tile.FIELD{.space}.b1024.TYPE [map], {ordinal,} value; tensormap.cp_fenceproxy.
void Decoder::tensor_map() {
  if (take("cp_fenceproxy")) return tensor_map_copy();
  if (!take("replace") || !take("tile")) refuse_form();
  const FieldName* found = nullptr;
  for (const FieldName& entry : kFields)
    if (take(entry.name)) found = &entry;
  made_.space = take_space(Space::generic);
  if (found == nullptr || !take("b1024") || !take(found->is_wide ? "b64" : "b32")) refuse_form();
  operands(found->has_ordinal ? 3 : 2, found->has_ordinal ? 3 : 2);
  address(operand(0));
  if (found->has_ordinal) made_.target = static_cast<std::uint32_t>(integer(operand(1)));
  made_.b = source(statement_->operands.back(), found->is_wide ? Type::b64 : Type::b32);
  made_.count = found->is_wide ? 64 : 32;
  made_.detail = static_cast<std::uint16_t>(static_cast<int>(found->field) << 1 | 1);
  set(&run_tensor_map_replace);
}

void Decoder::tensor_map_copy() {
  if (!take("global") || !take("shared::cta") || !take("tensormap::generic") || !take("release") ||
      !take("sync") || !take("aligned"))
    refuse_form();
  take_any({"cta", "cluster", "gpu", "sys"});
  operands(3, 3);
  if (integer(operand(2)) != 128) refuse("a tensor map has 128 bytes", ErrorCode::invalid_ptx);
  BulkPlan plan;
  plan.destination = row_address(operand(0));
  plan.source = row_address(operand(1));
  made_.immediate = static_cast<std::int64_t>(program_.bulks.size());
  program_.bulks.push_back(plan);
  set(&run_tensor_map_copy);
}

}  // namespace lanescope::emulator
