// SPDX-License-Identifier: MIT
// Decoding tcgen05.mma: its kind, where its operands are, which forms there are. What the 32 bits
// of its instruction descriptor say is known when it runs.
//
// Source: PTX ISA 9.2, 9.7.16.10.9.1 (mma), 9.7.16.10.9.2 (mma.sp).
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

// .block_scale{.scale_vec::NX | .block16 | .block32}: table 54, without the K of 96. 0 for kinds
// that are not scaled.
int Decoder::take_scale_vectors(layout::Tcgen05Kind kind) {
  using layout::Tcgen05Kind;
  struct Spelling {
    std::string_view name;
    int vectors;
    bool mxf8f6f4, mxf4, mxf4nvf4;
  };
  static constexpr Spelling kSpellings[] = {
      {"scale_vec::1X", 1, true, false, false}, {"block32", 1, true, false, false},
      {"scale_vec::2X", 2, false, true, true},  {"block32", 2, false, true, true},
      {"scale_vec::4X", 4, false, false, true}, {"block16", 4, false, false, true}};
  const bool is_scaled = take("block_scale");
  if (kind <= Tcgen05Kind::i8 && !is_scaled) return 0;
  const std::string_view name = layout::kTcgen05Kinds[static_cast<std::size_t>(kind)];
  if (kind <= Tcgen05Kind::i8)
    refuse(fmt::format(".kind::{} has no .block_scale", name), ErrorCode::invalid_ptx);
  if (!is_scaled) refuse(fmt::format(".kind::{} needs .block_scale", name), ErrorCode::invalid_ptx);
  for (const Spelling& one : kSpellings)
    if ((kind == Tcgen05Kind::mxf8f6f4 ? one.mxf8f6f4
         : kind == Tcgen05Kind::mxf4   ? one.mxf4
                                       : one.mxf4nvf4) &&
        take(one.name))
      return one.vectors;
  for (const Spelling& one : kSpellings)
    if (has(*statement_, one.name))
      refuse(fmt::format(".kind::{} has no .{}", name, one.name), ErrorCode::invalid_ptx);
  if (kind == Tcgen05Kind::mxf4nvf4)
    refuse(".kind::mxf4nvf4 needs .scale_vec::2X or ::4X (.block32, .block16)",
           ErrorCode::invalid_ptx);
  return kind == Tcgen05Kind::mxf8f6f4 ? 1 : 2;
}

// "{, scale-input-d}": D * 2^-n is added to.
int Decoder::take_input_scale(layout::Tcgen05Kind kind, const PtxOperand& operand) {
  using layout::Tcgen05Kind;
  if (kind != Tcgen05Kind::f16 && kind != Tcgen05Kind::tf32)
    refuse(fmt::format("scale-input-d is for .kind::f16 and .kind::tf32, not .kind::{}",
                       layout::kTcgen05Kinds[static_cast<std::size_t>(kind)]),
           ErrorCode::invalid_ptx);
  if (parse_target(program_.module.target).number == 110) check_target("sm_100a or sm_103a");
  const std::int64_t value = integer(operand);
  if (value < 0 || value > 15)
    refuse(fmt::format("scale-input-d is {}: it is 0 to 15", value), ErrorCode::invalid_ptx);
  return static_cast<int>(value);
}

// tcgen05.mma{.sp}.cta_group.kind [d], a-desc | [a], b-desc{, [metadata]}, idesc
// {, {disable-output-lane}}, enable-input-d{, scale-input-d}; tcgen05.mma.ws{.sp} likewise, without
// disable-output-lane, and with zero-column-mask-desc in the place of scale-input-d; with
// .block_scale [d], a, b-desc {, [metadata]}, idesc, [scale-A], [scale-B], enable-input-d.
void Decoder::tensor_multiply() {
  Tcgen05Plan plan;
  if (take("ashift")) refuse("tcgen05.mma with .ashift is not modelled");
  plan.is_sparse = take("sp");
  bool known = false;
  for (std::size_t k = 0; k < layout::kTcgen05Kinds.size() && !known; ++k) {
    known = take(fmt::format("kind::{}", layout::kTcgen05Kinds[k]));
    plan.kind = static_cast<layout::Tcgen05Kind>(k);
  }
  if (!known) refuse_form();
  if (plan.kind == layout::Tcgen05Kind::i8 && parse_target(program_.module.target).number == 103)
    check_target("sm_100a or sm_110a");
  plan.scale_vectors = take_scale_vectors(plan.kind);
  plan.is_stationary = take("ws");
  plan.ctas = made_.detail;
  if (plan.is_stationary && plan.ctas == 2)
    refuse("tcgen05.mma.ws is .cta_group::1's", ErrorCode::invalid_ptx);
  const bool is_scaled = plan.scale_vectors > 0;
  if (plan.is_stationary && is_scaled)
    refuse("tcgen05.mma.ws has no block-scaled kinds", ErrorCode::invalid_ptx);
  // What the collector keeps of A, or with .ws of B, changes no result.
  for (const std::string_view what : {"fill", "use", "lastuse", "discard"})
    for (const std::string_view buffer : {"a", "b0", "b1", "b2", "b3"})
      if ((buffer != "a") == plan.is_stationary)
        take(fmt::format("collector::{}::{}", buffer, what));
  operands(5, 8);
  plan.tensor = row_address(operand(0));
  plan.a_in_tensor = operand(1).kind == OperandKind::address;
  if (plan.a_in_tensor)
    plan.a_tensor = row_address(operand(1));
  else
    plan.a_descriptor = source(operand(1), Type::b64);
  plan.b_descriptor = source(operand(2), Type::b64);
  std::size_t next = 3;
  if (plan.is_sparse) plan.metadata = row_address(operand(next++));
  plan.instruction = source(operand(next++), Type::b32);
  if (is_scaled) {
    operands(next + 3, next + 3);
    plan.a_scales = row_address(operand(next++));
    plan.b_scales = row_address(operand(next++));
  }
  if (operand(next).kind == OperandKind::list && !plan.is_stationary) {
    const auto masks = items(operand(next++));
    if (masks.size() != static_cast<std::size_t>(4 * plan.ctas))
      refuse(fmt::format("disable-output-lane has {} registers with .cta_group::{}", 4 * plan.ctas,
                         plan.ctas),
             ErrorCode::invalid_ptx);
    for (const PtxOperand* mask : masks) plan.disabled_lanes.push_back(source(*mask, Type::b32));
  }
  operands(next + 1, next + 2);
  plan.adds = predicate_source(operand(next++), plan.adds_flip);
  if (next < statement_->operands.size() && plan.is_stationary)
    plan.zero_columns = source(operand(next), Type::b64);
  else if (next < statement_->operands.size())
    plan.input_shift = take_input_scale(plan.kind, operand(next));
  keep(std::move(plan));
  set(&run_tensor_multiply);
}

}  // namespace lanescope::emulator
