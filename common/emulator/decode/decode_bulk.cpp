// SPDX-License-Identifier: MIT
// Decoding bulk copies and reductions, with and without a tensor map.
//
// Source: PTX ISA 9.2, 9.7.9.25 (bulk copies), 9.7.9.25.5 (tensor copies).
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

RowAddress Decoder::row_address(const PtxOperand& operand) {
  const Instruction kept = made_;
  address(operand);
  const RowAddress made{made_.a, made_.immediate, made_.wide_address};
  made_ = kept;
  return made;
}

// cp.async.bulk..., cp.reduce.async.bulk...: [destination], [source]{, size}{, [mbarrier]}{, mask}
// {, cache policy}; a tensor's side is [map, {coordinates}].
void Decoder::bulk_copy(bool reduces) {
  if (take("commit_group")) return operands(0, 0), set(&run_bulk_commit);
  if (take("wait_group")) {
    take("read");
    operands(1, 1);
    made_.immediate = integer(operand(0));
    return set(&run_bulk_wait);
  }
  BulkPlan plan;
  plan.reduces = reduces;
  const bool gathers = take("tile::gather4"), scatters = take("tile::scatter4");
  plan.has_four_rows = gathers || scatters;
  if (plan.has_four_rows && take("tile")) refuse_form();
  if (take("tensor")) plan.rank = tensor_rank();
  if (plan.has_four_rows && plan.rank != 2) refuse_form();
  const int target = parse_target(program_.module.target).number;
  if (scatters && target >= 120) check_target("sm_100a, sm_103a or sm_110a");
  const bool is_im2col = take("im2col"), has_no_offsets = take("im2col_no_offs");
  plan.is_im2col = is_im2col || has_no_offsets;
  if (plan.is_im2col && plan.rank < 3) refuse_form();
  if (take("prefetch")) return bulk_prefetch(plan);
  const bool hinted = take("L2::cache_hint");
  const bool multicast = take("multicast::cluster");
  const bool has_group = has(*statement_, "cta_group::1") || has(*statement_, "cta_group::2");
  if (has_group && parse_target(program_.module.target).number >= 120)
    check_target("sm_100a, sm_103a or sm_110a");
  if (plan.rank > 0 && take("cta_group::2"))
    plan.ctas = 2;
  else if (plan.rank > 0)
    take("cta_group::1");
  const bool signals = take("mbarrier::complete_tx::bytes");
  if (!signals && !take("bulk_group")) refuse_form();
  bulk_direction(plan, signals);
  if (is_im2col != (plan.is_im2col && plan.way == BulkPlan::Way::to_shared)) refuse_form();
  if ((gathers && plan.way != BulkPlan::Way::to_shared) ||
      (scatters && plan.way != BulkPlan::Way::to_global))
    refuse_form();
  const bool masked = take("cp_mask");
  if (masked && (reduces || plan.rank > 0 || plan.way != BulkPlan::Way::to_global)) refuse_form();
  if (reduces) bulk_reduction(plan);
  bulk_operands(plan, signals, multicast, hinted, masked);
  made_.immediate = static_cast<std::int64_t>(program_.bulks.size());
  program_.bulks.push_back(plan);
  set(&run_bulk_copy);
}

int Decoder::tensor_rank() {
  const std::string_view rank = take_any({"1d", "2d", "3d", "4d", "5d"});
  if (rank.empty()) refuse("the tensor's dimension is missing", ErrorCode::invalid_ptx);
  take("tile");  // im2col::w is left over, and refused by name
  return rank.front() - '0';
}

// The first space is the destination's, the second the source's.
void Decoder::bulk_direction(BulkPlan& plan, bool signals) {
  const auto space = [&]() {
    for (auto at = modifiers_.begin(); at != modifiers_.end(); ++at) {
      const Space found = find_space(*at);
      if (found == Space::none) continue;
      modifiers_.erase(at);
      return found;
    }
    refuse_form();
  };
  const Space to = space();
  const Space from = space();
  if (to == Space::shared && from == Space::global)
    plan.way = BulkPlan::Way::to_shared;
  else if (to == Space::global && from == Space::shared)
    plan.way = BulkPlan::Way::to_global;
  else if (to == Space::shared && from == Space::shared)
    plan.way = BulkPlan::Way::shared_to_shared;
  else
    refuse_form();
  if (signals != (plan.way != BulkPlan::Way::to_global)) refuse_form();
}

void Decoder::bulk_reduction(BulkPlan& plan) {
  bool found = false;
  for (const AtomicName& entry : kAtomics) {
    if (entry.operation == AtomicOperation::cas || entry.operation == AtomicOperation::exch ||
        !take(entry.name))
      continue;
    plan.operation = entry.operation;
    found = true;
  }
  if (!found) refuse_form();
  take("noftz");
  if (plan.way == BulkPlan::Way::to_global) function_.is_ordered = true;
  if (plan.rank > 0) return;  // the map has the type
  plan.type = take_type();
  if (!atomic_exists(plan.operation, plan.type)) refuse_form();
}

void Decoder::bulk_operands(BulkPlan& plan, bool signals, bool multicast, bool hinted,
                            bool masked) {
  const bool tensor = plan.rank > 0;
  const bool has_offsets = plan.is_im2col && plan.way == BulkPlan::Way::to_shared;
  const std::size_t count = 2u + (tensor ? 0u : 1u) + (signals ? 1u : 0u) +
                            (has_offsets ? 1u : 0u) + (multicast ? 1u : 0u) + (hinted ? 1u : 0u) +
                            (masked ? 1u : 0u);
  operands(count, count);
  plan.destination = row_address(operand(0));
  plan.source = row_address(operand(1));
  std::size_t at = 2;
  if (tensor) {
    tensor_coordinates(plan, operand(plan.way == BulkPlan::Way::to_shared ? 1 : 0));
  } else {
    plan.size = source(operand(at++), Type::u32);
  }
  if (signals) plan.barrier = row_address(operand(at++));
  if (has_offsets) im2col_offsets(plan, operand(at++));
  if (multicast) plan.mask = mask_row(operand(at++));
  if (hinted) source(operand(at++), Type::u64);
  if (masked) plan.byte_mask = mask_row(statement_->operands.back());
}

void Decoder::tensor_coordinates(BulkPlan& plan, const PtxOperand& side) {
  if (side.items.size() != 2) refuse("the coordinates are missing", ErrorCode::invalid_ptx);
  const auto parts = items(side.items[1]);
  const std::size_t wanted = plan.has_four_rows ? 5 : static_cast<std::size_t>(plan.rank);
  if (parts.size() != wanted)
    refuse(fmt::format("{} coordinates where {} should be", parts.size(), wanted),
           ErrorCode::invalid_ptx);
  for (std::size_t k = 0; k < parts.size(); ++k) plan.coordinates[k] = source(*parts[k], Type::u32);
}

void Decoder::im2col_offsets(BulkPlan& plan, const PtxOperand& operand) {
  const auto parts = items(operand);
  if (static_cast<int>(parts.size()) != plan.rank - 2)
    refuse(fmt::format("{} im2col offsets where {} should be", parts.size(), plan.rank - 2),
           ErrorCode::invalid_ptx);
  for (std::size_t k = 0; k < parts.size(); ++k) plan.offsets[k] = mask_row(*parts[k]);
}

// A 16-bit register or number, as a 32-bit row.
std::uint32_t Decoder::mask_row(const PtxOperand& operand) { return source(operand, Type::b16); }

}  // namespace lanescope::emulator
