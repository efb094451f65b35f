// SPDX-License-Identifier: MIT
// Decoding wmma.load, wmma.store and wmma.mma.
//
// Source: PTX ISA 9.2, 9.7.14.4.3 to 9.7.14.4.5.
#include <fmt/format.h>

#include <optional>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {
namespace {

std::optional<TensorType> tensor_type_of(Type type) {
  switch (type) {
    case Type::f16:
      return TensorType::f16;
    case Type::bf16:
      return TensorType::bf16;
    case Type::tf32:
      return TensorType::tf32;
    case Type::f32:
      return TensorType::f32;
    case Type::f64:
      return TensorType::f64;
    case Type::s8:
      return TensorType::s8;
    case Type::u8:
      return TensorType::u8;
    case Type::s4:
      return TensorType::s4;
    case Type::u4:
      return TensorType::u4;
    case Type::b1:
      return TensorType::b1;
    case Type::s32:
      return TensorType::s32;
    default:
      return std::nullopt;
  }
}

}  // namespace

void Decoder::wmma() {
  if (!take("sync") || !take("aligned")) refuse_form();
  WmmaPlan plan;
  if (take("mma"))
    wmma_multiply(plan);
  else
    wmma_transfer(plan);
  program_.wmmas.push_back(std::move(plan));
}

WmmaShape Decoder::take_wmma_shape() {
  for (auto at = modifiers_.begin(); at != modifiers_.end(); ++at) {
    const WmmaShape shape = parse_wmma_shape(*at);
    if (shape.M == 0) continue;
    modifiers_.erase(at);
    return shape;
  }
  refuse("the shape is missing", ErrorCode::invalid_ptx);
}

void Decoder::wmma_registers(const PtxOperand& operand, const WmmaOperand& plan, bool written,
                             std::vector<std::uint32_t>& rows) {
  const auto parts = items(operand);
  if (static_cast<int>(parts.size()) != plan.registers)
    refuse(fmt::format("{} registers where {} should be", parts.size(), plan.registers),
           ErrorCode::invalid_ptx);
  const Type type = plan.register_bytes == 8 ? Type::b64 : Type::b32;
  for (const PtxOperand* part : parts)
    rows.push_back(written ? destination(*part, type) : source(*part, type));
}

// wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {...}, [p]{, stride}; wmma.store.d [p], {...}
void Decoder::wmma_transfer(WmmaPlan& plan) {
  const bool loads = take("load");
  if (!loads && !take("store")) refuse_form();
  const std::string_view which = take_any({"a", "b", "c", "d"});
  const std::string_view order = take_any({"row", "col"});
  const WmmaShape shape = take_wmma_shape();
  made_.space = take_space(Space::generic);
  const Type type = take_type();
  if (which.empty() || order.empty() || loads == (which == "d") ||
      !plan_wmma_operand(shape, which.front(), type, plan.D))
    refuse_form();
  plan.row_major = order == "row";
  plan.of_sums = which == "c" || which == "d";
  // Words of small elements lie along K: .row of A, .col of B.
  if (plan.D.together > 1 && plan.row_major != (which == "a")) refuse_form();
  operands(2, 3);
  address(operand(loads ? 1 : 0));
  if (statement_->operands.size() == 3) plan.stride = source(operand(2), Type::b32);
  std::vector<std::uint32_t> rows;
  wmma_registers(operand(loads ? 0 : 1), plan.D, loads, rows);
  made_.list = list(rows);
  made_.target = static_cast<std::uint32_t>(program_.wmmas.size());
  made_.detail = loads ? 0 : 1;
  plan_wmma_moves(plan);
  plan_wmma_alignment(plan, which.front(), made_.space == Space::shared);
  set(&run_wmma_transfer);
}

// wmma.mma.sync.aligned.row.col.m16n16k16.dtype{.atype.btype}.ctype d, a, b, c
void Decoder::wmma_multiply(WmmaPlan& plan) {
  for (int k = 0; k < 2; ++k)  // where the elements lie in memory was the loads' business
    if (take_any({"row", "col"}).empty()) refuse_form();
  const WmmaShape shape = take_wmma_shape();
  const bool satfinite = take("satfinite");
  take("rn");
  const bool conjunction = take("and");
  if (!conjunction) take("xor");
  const bool counts = take("popc");
  std::vector<Type> types;
  while (!modifiers_.empty() && types.size() < 4) types.push_back(take_type());
  if (types.size() == 2) types = {types[0], Type::f16, Type::f16, types[1]};
  if (types.size() != 4) refuse_form();
  const auto a = tensor_type_of(types[1]), b = tensor_type_of(types[2]),
             d = tensor_type_of(types[0]);
  plan.widens_c = types[3] == Type::f16 && types[0] == Type::f32;
  plan.narrows_d = types[3] == Type::f32 && types[0] == Type::f16 && !satfinite;
  if (!a || !b || !d || !plan_wmma_operand(shape, 'd', types[0], plan.D) ||
      !plan_wmma_operand(shape, 'a', types[1], plan.A) ||
      !plan_wmma_operand(shape, 'b', types[2], plan.B) ||
      !plan_wmma_operand(shape, 'c', types[3], plan.C) ||
      (types[0] != types[3] && !plan.widens_c && !plan.narrows_d))
    refuse_form();
  if (counts != (*a == TensorType::b1)) refuse_form();
  plan.shape = {shape.M,  shape.N, shape.K, *a, *b, plan.narrows_d ? TensorType::f32 : *d,
                satfinite};
  if (conjunction) plan.shape.bit_operation = BitOperation::conjunction;
  plan.arithmetic = emulator::arithmetic(arch_, TensorUnit::wmma, plan.shape);
  if (plan.arithmetic == nullptr) refuse(why_no_arithmetic(arch_));
  TensorShape of_c = plan.shape;
  if (plan.widens_c) of_c.accumulator = TensorType::f16;
  place_wmma_operand(plan.shape, 'a', plan.A);
  place_wmma_operand(plan.shape, 'b', plan.B);
  place_wmma_operand(of_c, 'c', plan.C);
  place_wmma_operand(plan.shape, 'c', plan.D);
  operands(4, 4);
  std::vector<std::uint32_t> rows;
  wmma_registers(operand(0), plan.D, true, rows);
  wmma_registers(operand(1), plan.A, false, rows);
  wmma_registers(operand(2), plan.B, false, rows);
  wmma_registers(operand(3), plan.C, false, rows);
  made_.list = list(rows);
  made_.target = static_cast<std::uint32_t>(program_.wmmas.size());
  set(&run_wmma_multiply);
}

}  // namespace lanescope::emulator
