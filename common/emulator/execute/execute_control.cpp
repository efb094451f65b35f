// SPDX-License-Identifier: MIT
// Branches, calls, ends, and the stack of alloca. What they mean for the groups of a warp is the
// scheduler's business.
//
// Source: PTX ISA 9.2, 9.7.12 (control flow), 9.7.15 (stack manipulation).
#include <fmt/format.h>

#include "emulator/execute/handlers.hpp"
#include "emulator/memory.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

Flow run_branch(Warp&, const Instruction&, std::uint32_t) { return Flow::branch; }
Flow run_exit(Warp&, const Instruction&, std::uint32_t) { return Flow::exit; }
Flow run_ret(Warp&, const Instruction&, std::uint32_t) { return Flow::ret; }
Flow run_call(Warp&, const Instruction&, std::uint32_t) { return Flow::call; }
Flow run_nothing(Warp&, const Instruction&, std::uint32_t) { return Flow::next; }

Flow run_refused(Warp& w, const Instruction&, std::uint32_t active) {
  const Function* function = w.cta->launch->program->function_at(w.pc);
  return fail(w, ErrorCode::unsupported_instruction, "unsupported", __builtin_ctz(active),
              "a call of " + function->name + ", which cannot run: " + function->refusal.message,
              "docs/emulator.md lists what is modelled");
}

Flow run_trap(Warp& w, const Instruction&, std::uint32_t active) {
  return fail(w, ErrorCode::assertion, "trap", __builtin_ctz(active), "the kernel executed trap",
              "look at the condition in front of it");
}

// Without a debugger a card gives the launch up, as at a trap (tried on an H200).
Flow run_breakpoint(Warp& w, const Instruction&, std::uint32_t active) {
  return fail(w, ErrorCode::assertion, "trap", __builtin_ctz(active), "the kernel executed brkpt",
              "there is no debugger to stop in: take __brkpt() out");
}

std::uint32_t lane_target(const Warp& w, const Instruction& i, int lane) {
  const Program& program = *w.cta->launch->program;
  if (i.handler == &run_indexed_branch)
    return program.rows[i.list + row<std::uint32_t>(w, i.a)[lane]];
  const std::uint64_t address = row<std::uint64_t>(w, i.a)[lane];
  return static_cast<std::uint32_t>(program.function_of_address(address));
}

Flow run_indexed_branch(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto* indices = row<std::uint32_t>(w, i.a);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (indices[lane] >= i.count)
      return fail(w, ErrorCode::illegal_instruction, "branch-target", lane,
                  fmt::format("brx.idx {} in a list of {} labels", indices[lane], i.count),
                  "the index must be below the number of labels");
  }
  return Flow::jump;
}

Flow run_pointer_call(Warp& w, const Instruction& i, std::uint32_t active) {
  const Program& program = *w.cta->launch->program;
  const Call& call = program.calls[i.list];
  const auto* addresses = row<std::uint64_t>(w, i.a);
  std::uint64_t checked = 0;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (addresses[lane] == checked && checked != 0) continue;
    checked = addresses[lane];
    const int index = program.function_of_address(checked);
    const Function* callee =
        index < 0 ? nullptr : &program.functions[static_cast<std::size_t>(index)];
    if (callee == nullptr ||
        program.module.functions[static_cast<std::size_t>(callee->index)].is_entry)
      return fail(w, ErrorCode::illegal_address, "wild-call", lane,
                  fmt::format("a call of 0x{:x}, which is no function{}", checked,
                              checked == 0 ? " but a null pointer" : ""),
                  "the pointer must be made in device code: a host's pointer to a __device__ "
                  "function, or a virtual function of an object made by the host, is another");
    if (call.arguments.size() != callee->parameters.size() ||
        call.returns.size() != callee->returns.size())
      return fail(w, ErrorCode::illegal_instruction, "wild-call", lane,
                  fmt::format("a call with {} arguments of {}, which has {}", call.arguments.size(),
                              callee->name, callee->parameters.size()),
                  "the function's type is another than the pointer's");
  }
  return Flow::call;
}

namespace {
void write_address(const Warp& w, const Instruction& i, int lane, std::int64_t value) {
  if (i.bytes == 8)
    row<std::int64_t>(w, i.d)[lane] = value;
  else
    row<std::int32_t>(w, i.d)[lane] = static_cast<std::int32_t>(value);
}
std::int64_t read_address(const Warp& w, const Instruction& i, int lane) {
  return i.bytes == 8 ? row<std::int64_t>(w, i.a)[lane]
                      : std::int64_t{row<std::uint32_t>(w, i.a)[lane]};
}
}  // namespace

Flow run_alloca(Warp& w, const Instruction& i, std::uint32_t active) {
  const std::int64_t floor = w.frame->local_base + w.frame->function->local_bytes;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    std::int64_t& top = w.stack_top[static_cast<std::size_t>(lane)];
    const std::int64_t size = read_address(w, i, lane);
    if (size < 0 || size > top - floor || ((top - size) & -i.immediate) < floor)
      return fail(w, ErrorCode::illegal_address, "stack-overflow", lane,
                  fmt::format("alloca of {} bytes where {} are left", size, top - floor),
                  "allocate less, or raise cudaLimitStackSize");
    top = (top - size) & -i.immediate;
    write_address(w, i, lane, top);
  }
  return Flow::next;
}

Flow run_stack_save(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    write_address(w, i, lane, w.stack_top[static_cast<std::size_t>(lane)]);
  }
  return Flow::next;
}

Flow run_stack_restore(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    std::int64_t& top = w.stack_top[static_cast<std::size_t>(lane)];
    const std::int64_t saved = read_address(w, i, lane);
    if (saved < top || saved > w.local_bytes)
      return fail(w, ErrorCode::illegal_address, "stack-overflow", lane,
                  fmt::format("stackrestore of 0x{:x}, the stack is at 0x{:x}", saved, top),
                  "restore what stacksave gave");
    top = saved;
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
