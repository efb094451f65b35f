// SPDX-License-Identifier: MIT
#include "emulator/run/call.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "emulator/run/frame.hpp"

namespace lanescope::emulator {
namespace {

bool meets_alloca(const Warp& warp, const Group& group, std::int64_t local_end) {
  for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1)
    if (local_end > warp.stack_top[static_cast<std::size_t>(__builtin_ctz(rest))]) return true;
  return false;
}

void copy(const Call& call, const std::vector<Call::Copy>& copies,
          const std::vector<Function::Slot>& slots, Frame& caller, Frame& callee,
          std::uint32_t mask, bool into_callee) {
  for (std::size_t k = 0; k < copies.size(); ++k) {
    Call::Copy piece = copies[k];
    if (call.function < 0) {
      piece.callee_offset = slots[k].offset_bytes;
      piece.bytes = std::min(piece.bytes, slots[k].bytes);
    }
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      std::byte* outer =
          caller.parameters.data() + lane * caller.function->parameter_bytes + piece.caller_offset;
      std::byte* inner =
          callee.parameters.data() + lane * callee.function->parameter_bytes + piece.callee_offset;
      if (into_callee)
        std::memcpy(inner, outer, static_cast<std::size_t>(piece.bytes));
      else
        std::memcpy(outer, inner, static_cast<std::size_t>(piece.bytes));
    }
  }
}

void put_on_stack(Warp& warp, const Frame& frame, std::uint32_t mask) {
  const Function& function = *frame.function;
  for (const Function::OnStack& one : function.on_stack)
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      std::memcpy(warp.local.data() + lane * warp.local_bytes + frame.local_base + one.local_offset,
                  frame.parameters.data() + lane * function.parameter_bytes + one.parameter_offset,
                  static_cast<std::size_t>(one.bytes));
    }
}

}  // namespace

bool enter_function(Cta& cta, Warp& warp, Group& group, std::uint32_t target) {
  const Program& program = *cta.launch->program;
  const Instruction& i = program.code[group.pc];
  const Call& made = program.calls[i.list];
  const Function& callee = program.functions[target];
  const std::int64_t caller_end = group.frame->local_base + group.frame->function->local_bytes;
  const std::int64_t alignment = callee.local_alignment_bytes;  // a power of two
  const std::int64_t local_base = (caller_end + alignment - 1) & -alignment;
  const std::int64_t local_end = local_base + callee.local_bytes;
  if (local_end > warp.local_bytes || (program.has_alloca && meets_alloca(warp, group, local_end)))
    return false;
  Frame* frame = enter_frame(cta, warp, callee, local_base);
  frame->caller = group.frame;  // which keeps the user that the group was
  frame->call_pc = group.pc;
  frame->call = static_cast<int>(i.list);
  frame->depth = group.frame->depth + 1;
  if (program.has_alloca) frame->stack_top = warp.stack_top;
  copy(made, made.arguments, callee.parameters, *group.frame, *frame, group.mask, true);
  put_on_stack(warp, *frame, group.mask);
  group.frame = frame;
  group.pc = callee.first;
  return true;
}

void return_from_function(Cta& cta, Warp& warp, Group& group) {
  Frame* frame = group.frame;
  const Program& program = *cta.launch->program;
  const Call& made = program.calls[static_cast<std::size_t>(frame->call)];
  copy(made, made.returns, frame->function->returns, *frame->caller, *frame, group.mask, false);
  if (program.has_alloca)
    for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1)
      warp.stack_top[static_cast<std::size_t>(__builtin_ctz(rest))] =
          frame->stack_top[static_cast<std::size_t>(__builtin_ctz(rest))];
  group.frame = frame->caller;
  group.pc = frame->call_pc + 1;
  ++group.frame->users;
  leave_frame(cta, frame);
}

}  // namespace lanescope::emulator
