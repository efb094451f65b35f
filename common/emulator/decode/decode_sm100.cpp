// SPDX-License-Identifier: MIT
// Decoding what sm_100 has beyond arithmetic and tensor memory: st.bulk, cvt.rs,
// clusterlaunchcontrol. No card has been asked by us.
//
// Source: PTX ISA 9.2, 9.7.9.13 (st.bulk), 9.7.9.21 (cvt), 9.7.13.17 (clusterlaunchcontrol).
#include <array>

#include "emulator/decode/blackwell.hpp"
#include "emulator/decode/decode.hpp"
#include "emulator/ptx/target.hpp"

namespace lanescope::emulator {

// st.bulk{.weak}{.shared::cta} [a], size, 0: zeros; `count` says how wide the size is.
void Decoder::bulk_store() {
  take("weak");
  made_.space = take_space(Space::generic);
  if (made_.space != Space::shared && made_.space != Space::generic) refuse_form();
  operands(3, 3);
  address(operand(0));
  const PtxOperand& size = operand(1);
  const bool wide = size.kind != OperandKind::reg || register_bits(size.reg) == 64;
  made_.b = source(size, wide ? Type::u64 : Type::u32);
  made_.count = wide ? 8 : 4;
  if (integer(operand(2)) != 0)
    refuse("st.bulk stores zeros: its last operand is 0", ErrorCode::invalid_ptx);
  set(&run_bulk_store);
}

// cvt.rs{.relu}{.satfinite}.f16x2.f32 d, a, b, rbits; cvt.rs{.relu}.satfinite.e4m3x4.f32
// d, {a, b, e, f}, rbits.
void Decoder::convert_stochastically() {
  static constexpr std::array<std::string_view, 7> kNames{"f16x2",  "bf16x2", "e4m3x4", "e5m2x4",
                                                          "e3m2x4", "e2m3x4", "e2m1x4"};
  std::size_t to = 0;
  while (to < kNames.size() && !take(kNames[to])) ++to;
  if (to == kNames.size() || take_type() != Type::f32) refuse_form();
  if (parse_target(program_.module.target).number >= 110) check_target("sm_100a or sm_103a");
  const bool is_pair = to < 2;
  made_.detail = static_cast<std::uint16_t>((take("relu") ? FloatMode::kRelu : 0) |
                                            (take("satfinite") ? FloatMode::kSaturateFinite : 0));
  if (!is_pair && (made_.detail & FloatMode::kSaturateFinite) == 0)
    refuse("cvt.rs to four elements needs .satfinite", ErrorCode::invalid_ptx);
  operands(is_pair ? 4 : 3, is_pair ? 4 : 3);
  made_.d = destination(operand(0), kNames[to] == "e2m1x4" ? Type::b16 : Type::b32);
  std::vector<std::uint32_t> rows;
  if (is_pair) {
    rows = {source(operand(1), Type::f32), source(operand(2), Type::f32)};
  } else {
    const auto parts = items(operand(1));
    if (parts.size() != 4) refuse("four f32 should stand here", ErrorCode::invalid_ptx);
    for (const PtxOperand* part : parts) rows.push_back(source(*part, Type::f32));
  }
  made_.list = list(rows);
  made_.b = source(statement_->operands.back(), Type::b32);
  made_.target = static_cast<std::uint32_t>(to);
  set(&run_stochastic);
}

// clusterlaunchcontrol.try_cancel asks for another cluster of the grid, query_cancel reads what
// came.
void Decoder::launch_control() {
  if (take("try_cancel")) return cancel_another();
  if (take("query_cancel")) return ask_cancelled();
  refuse_form();
}

// try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all}.b128
// [answer], [mbarrier]. Which cluster comes depends on who asks first.
void Decoder::cancel_another() {
  if (!take("async")) refuse_form();
  made_.space = take_space(Space::generic);
  if (made_.space != Space::shared && made_.space != Space::generic) refuse_form();
  if (!take("mbarrier::complete_tx::bytes")) refuse_form();
  made_.detail = take("multicast::cluster::all") ? 1 : 0;
  if (!take("b128")) refuse_form();
  operands(2, 2);
  BulkPlan plan;
  plan.destination = row_address(operand(0));
  plan.barrier = row_address(operand(1));
  made_.immediate = static_cast<std::int64_t>(program_.bulks.size());
  program_.bulks.push_back(plan);
  function_.is_ordered = true;
  set(&run_cancel_another);
}

// query_cancel.is_canceled.pred.b128 p, answer; .get_first_ctaid{.v4 | ::x | ::y | ::z}.b32.b128.
void Decoder::ask_cancelled() {
  const bool whether = take("is_canceled");
  const std::string_view what =
      whether ? "" : take_any({"get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"});
  const bool all = what.empty() && !whether && take("get_first_ctaid");
  if (!whether && what.empty() && !all) refuse_form();
  if (all && !take("v4")) refuse_form();
  if (!take(whether ? "pred" : "b32") || !take("b128")) refuse_form();
  operands(2, 2);
  made_.count = static_cast<std::uint16_t>(whether ? Cancelled::whether
                                           : all   ? Cancelled::all
                                                   : static_cast<Cancelled>(what.back() - 'x'));
  made_.a = wide_row(operand(1));
  if (whether) {
    made_.d = predicate_destination(operand(0));
  } else if (!all) {
    made_.d = destination(operand(0), Type::b32);
  } else {
    const auto parts = items(operand(0));
    if (parts.size() != 4) refuse("four registers should stand here", ErrorCode::invalid_ptx);
    std::vector<std::uint32_t> rows;
    for (const PtxOperand* part : parts)
      rows.push_back(part->kind == OperandKind::sink ? kNoRow : destination(*part, Type::b32));
    made_.list = list(rows);
  }
  set(&run_ask_cancelled);
}

}  // namespace lanescope::emulator
