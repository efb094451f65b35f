// SPDX-License-Identifier: MIT
// Decoding branches, barriers and fences; calls are in decode_call.cpp.
//
// Source: PTX ISA 9.2, 9.7.12 (control flow), 9.7.13 (synchronisation).
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/warp_operation.hpp"

namespace lanescope::emulator {

void Decoder::branch() {
  take("uni");
  operands(1, 1);
  if (operand(0).kind != OperandKind::label)
    refuse(fmt::format("the label {} is not in this function", operand(0).name),
           ErrorCode::invalid_ptx);
  made_.target = function_.first + static_cast<std::uint32_t>(operand(0).value);
  set(&run_branch);
}

void Decoder::leave() {
  take("uni");
  operands(0, 0);
  set(statement_->opcode == "ret" ? &run_ret : &run_exit);
}

void Decoder::trap() {
  operands(0, 0);
  set(statement_->opcode == "trap" ? &run_trap : &run_breakpoint);
}

void Decoder::nanosleep() {
  take_type();
  operands(1, 1);
  source(operand(0), Type::u32);
  set(&run_yield);
}

// Everybody sees memory in program order here, so a fence has nothing left to do; that one is
// missing does not show.
void Decoder::fence() {
  bool is_of_map = false;  // the checker looks at which one
  if (take("proxy")) {
    is_of_map = take("tensormap::generic");
    take_any({"async", "async.global", "async.shared::cta", "alias", "async::generic"});
    take_any({"global", "shared::cta", "shared::cluster"});
  }
  take("mbarrier_init");
  take_any({"sync_restrict::shared::cluster", "sync_restrict::shared::cta"});
  take_any({"sc", "acq_rel", "acquire", "release"});
  take_any({"cta", "gl", "sys", "gpu", "cluster"});
  const std::size_t count = is_of_map && has(*statement_, "acquire") ? 2 : 0;
  operands(count, count);
  if (count > 0) {
    made_.space = Space::generic;
    address(operand(0));
    number_within(operand(1), 128, 128, "the size of a tensor map");
  }
  set(&run_nothing);
}

// brx.idx index, list: to one of the labels in the list.
void Decoder::indexed_branch() {
  if (!take("idx")) refuse_form();
  take("uni");
  operands(2, 2);
  made_.a = source(operand(0), Type::u32);
  if (operand(1).kind != OperandKind::label)
    refuse("the list of branch targets is not in this function", ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> targets;
  for (const PtxOperand& target :
       parsed_.branch_targets[static_cast<std::size_t>(operand(1).value)]) {
    if (target.kind != OperandKind::label)
      refuse(fmt::format("the label {} is not in this function", target.name),
             ErrorCode::invalid_ptx);
    targets.push_back(function_.first + static_cast<std::uint32_t>(target.value));
  }
  made_.list = list(targets);
  made_.count = static_cast<std::uint16_t>(targets.size());
  if (targets.size() > 0xffff) refuse("a list of more than 65535 branch targets");
  set(&run_indexed_branch);
}

// alloca.u64 d, size{, alignment}; stacksave.u64 d; stackrestore.u64 a.
void Decoder::stack() {
  const std::string_view opcode = statement_->opcode;
  const Type type = take_type();
  const bool allocates = opcode == "alloca";
  operands(allocates ? 2 : 1, allocates ? 3 : 1);
  if (info(type).bits != 64 && info(type).bits != 32) refuse_form();
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  made_.immediate = statement_->operands.size() == 3 ? integer(operand(2)) : 8;
  if (made_.immediate < 1 || (made_.immediate & (made_.immediate - 1)) != 0)
    refuse("an alignment should be a power of two", ErrorCode::invalid_ptx);
  if (opcode == "stackrestore")
    made_.a = source(operand(0), type);
  else
    made_.d = destination(operand(0), type);
  if (allocates) made_.a = source(operand(1), type);
  program_.has_alloca = function_.needs_stack = true;
  set(allocates ? &run_alloca : opcode == "stacksave" ? &run_stack_save : &run_stack_restore);
}

// bar.sync a{, b}; barrier.sync; bar.arrive a, b; bar.red.popc.u32 d, a, p; bar.warp.sync mask.
void Decoder::barrier() {
  if (take("warp")) {
    take("sync");
    operands(1, 1);
    made_.a = source(operand(0), Type::b32);
    return set(&run_warp_barrier);
  }
  if (take("cluster")) return cluster_barrier();
  take("cta");
  const bool arrives = take("arrive");
  const bool reduces = take("red");
  const bool aligned = take("aligned") || statement_->opcode == "bar";
  take("sync");
  if (reduces) {
    const std::string_view how = take_any({"popc", "and", "or"});
    const Type type = take_type();
    operands(3, 4);
    std::uint32_t flip = 0;
    made_.d = how == "popc" ? destination(operand(0), type) : predicate_destination(operand(0));
    made_.detail = how == "popc" ? kBarrierCounts : how == "and" ? kBarrierAll : kBarrierAny;
    made_.c = predicate_source(statement_->operands.back(), flip);
    if (flip != 0) made_.detail |= kBarrierNegated;
  } else {
    operands(1, 2);
  }
  const std::size_t first = reduces ? 1 : 0;
  number_within(operand(first), 0, 15, "the barrier's number");
  made_.a = source(operand(first), Type::u32);
  if (statement_->operands.size() > first + (reduces ? 2u : 1u)) {
    const PtxOperand& threads = operand(first + 1);
    if (threads.kind == OperandKind::integer && threads.value % kLanes != 0)
      refuse("the number of threads at a barrier is a multiple of 32", ErrorCode::invalid_ptx);
    if (arrives) number_within(threads, kLanes, 4096, "the number of threads");
    made_.b = source(threads, Type::u32);
  }
  if (arrives && made_.b == kNoRow) refuse("bar.arrive needs a number of threads");
  made_.detail |=
      static_cast<std::uint16_t>((aligned ? kBarrierAligned : 0) | (arrives ? kBarrierArrives : 0));
  set(&run_barrier);
}

}  // namespace lanescope::emulator
