// SPDX-License-Identifier: MIT
// Decoding what leaves no trace here: prefetches, cache policies, hints about caches, performance
// events. They change nothing, and are read as ptxas reads them all the same.
//
// Source: PTX ISA 9.2, 9.7.9.16 to 9.7.9.19 (prefetch, applypriority, discard, createpolicy),
// 9.7.9.25.5 (prefetches of bulk and tensor copies), 9.7.19.3 (pmevent); what ptxas 13.0 takes of
// them (tests/emulator/hint_test.cpp).
#include <fmt/format.h>

#include <cstring>

#include "emulator/decode/decode.hpp"
#include "emulator/ptx/target.hpp"

namespace lanescope::emulator {

void Decoder::hint() {
  set(&run_nothing);
  if (statement_->opcode == "pmevent") {
    const bool is_mask = take("mask");
    operands(1, 1);
    integer(operand(0));
    return number_within(operand(0), 0, is_mask ? 65535 : 15, is_mask ? "the mask" : "the event");
  }
  take_space(Space::none);
  take_cache_hints();
  take("L2");
  operands(2, 2);
  address(operand(0));
  integer(operand(1));
  number_within(operand(1), 128, 128, "the size");
}

void Decoder::prefetch() {
  const Space space = take_space(Space::generic);
  if (take("tensormap")) {
    if (space != Space::generic && space != Space::parameter && space != Space::constant)
      refuse("a tensor map is prefetched from .param, .const or by a generic address",
             ErrorCode::invalid_ptx);
  } else if (take_any({"L1", "L2", "L2::evict_last", "L2::evict_normal"}).empty()) {
    refuse("the cache that is meant is missing: .L1 or .L2", ErrorCode::invalid_ptx);
  }
  operands(1, 1);
  address(operand(0));
  set(&run_nothing);
}

// cp.async.bulk.prefetch.L2.global [source], size; .tensor: [map, {coordinates}]{, offsets}; and a
// cache policy.
void Decoder::bulk_prefetch(BulkPlan& plan) {
  const bool hinted = take("L2::cache_hint");
  const bool is_wide = !take_any({"im2col::w", "im2col::w::128"}).empty();
  if (!take("L2") || !take("global"))
    refuse("a prefetch of a bulk copy says .L2.global", ErrorCode::invalid_ptx);
  if ((is_wide || plan.has_four_rows) && parse_target(program_.module.target).number >= 120)
    check_target("sm_100a, sm_103a or sm_110a");
  const bool has_offsets = plan.is_im2col || is_wide;
  const std::size_t count = 1u + (plan.rank == 0 || has_offsets ? 1u : 0u) + (hinted ? 1u : 0u);
  operands(count, count);
  address(operand(0));
  if (plan.rank == 0) {
    const PtxOperand& size = operand(1);
    source(size, Type::u32);
    if (size.kind == OperandKind::integer && (size.value < 0 || size.value % 16 != 0))
      refuse(fmt::format("the size is {}; ptxas wants a multiple of 16", size.value),
             ErrorCode::invalid_ptx);
  } else {
    tensor_coordinates(plan, operand(0));
    if (is_wide && items(operand(1)).size() != 2)
      refuse("im2col::w has two offsets", ErrorCode::invalid_ptx);
    if (plan.is_im2col) im2col_offsets(plan, operand(1));
  }
  if (hinted) source(statement_->operands.back(), Type::u64);
  set(&run_nothing);
}

// createpolicy.fractional, .range, .cvt: a policy is a hint that nobody reads.
void Decoder::create_policy() {
  const std::string_view way = take_any({"fractional", "range", "cvt"});
  if (way.empty()) refuse_form();
  if (way == "cvt" ? !take("L2") : !takes_priorities())
    refuse(way == "cvt" ? "createpolicy.cvt says .L2"
                        : "a policy names one of .L2::evict_last, _normal, _first, _unchanged, and "
                          "behind it .L2::evict_first or _unchanged",
           ErrorCode::invalid_ptx);
  if (take_type() != Type::b64) refuse("a policy is .b64", ErrorCode::invalid_ptx);
  operands(way == "range" ? 4 : way == "cvt" ? 2 : 1, way == "range" ? 4 : 2);
  if (operand(0).kind == OperandKind::sink)
    refuse("the destination is not a register", ErrorCode::invalid_ptx);
  const std::uint32_t policy = destination(operand(0), Type::u64);
  if (way == "cvt") source(operand(1), Type::u64);
  if (way == "range") policy_range();
  if (way == "fractional" && statement_->operands.size() == 2) policy_fraction(operand(1));
  made_.d = policy;
  made_.a = constant(0, 8);
  set(handlers().integer(Operation::move, Type::b64));
}

bool Decoder::takes_priorities() {
  const auto is_any = [](std::string_view word) { return word.substr(0, 10) == "L2::evict_"; };
  std::vector<std::string_view> found;
  for (const std::string_view modifier : statement_->modifiers)
    if (is_any(modifier)) found.push_back(modifier);
  for (const std::string_view modifier : found) take(modifier);
  return found.size() == 1 || (found.size() == 2 && (found[1] == "L2::evict_first" ||
                                                     found[1] == "L2::evict_unchanged"));
}

void Decoder::policy_fraction(const PtxOperand& operand) {
  source(operand, Type::f32);
  if (operand.kind != OperandKind::real) return;
  const auto bits = static_cast<std::uint32_t>(literal(operand, Type::f32));
  float fraction;
  std::memcpy(&fraction, &bits, 4);
  if (!(fraction > 0.0f && fraction <= 1.0f))
    refuse(fmt::format("the fraction is {}; ptxas wants more than 0.0, at most 1.0", fraction),
           ErrorCode::invalid_ptx);
}

void Decoder::policy_range() {
  if (const Space space = take_space(Space::generic);
      space != Space::generic && space != Space::global)
    refuse("a policy's range is in global memory", ErrorCode::invalid_ptx);
  address(operand(1));
  for (const std::size_t k : {2u, 3u}) source(operand(k), Type::u32);
  const PtxOperand &primary = operand(2), &total = operand(3);
  if (primary.kind == OperandKind::integer && total.kind == OperandKind::integer &&
      static_cast<std::uint32_t>(primary.value) > static_cast<std::uint32_t>(total.value))
    refuse(fmt::format("the first size is {}; ptxas wants at most the whole, {}", primary.value,
                       total.value),
           ErrorCode::invalid_ptx);
}

}  // namespace lanescope::emulator
