// SPDX-License-Identifier: MIT
// setmaxnreg: the warps of a CTA hand registers to each other.
//
//     launch   every warp holds what its threads were launched with; nothing is free
//     .dec     what a warp gives up is free
//     .inc     waits until enough is free
//
// Source: PTX ISA 9.2, 9.7.19.5 (setmaxnreg).
#include "emulator/run/registers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kRegistersOfQuarter = 16384;
constexpr int kMostRegisters = 255;

int largest_asked(const PtxFunction& function) {
  std::int64_t most = 0;
  for (const PtxStatement& statement : function.statements)
    if (statement.opcode == "setmaxnreg" && !statement.operands.empty())
      most = std::max(most, statement.operands.front().value);
  return static_cast<int>(most);
}

}  // namespace

int launch_registers(const PtxModule& module, const PtxFunction& kernel) {
  int most = largest_asked(kernel);
  for (const PtxFunction& function : module.functions)
    if (!function.is_entry) most = std::max(most, largest_asked(function));
  if (most == 0) return 0;
  const auto& size = kernel.required_threads;
  const int threads = size[0] != 0 ? size[0] * size[1] * size[2] : kernel.max_threads;
  int registers = kernel.max_registers;
  if (kernel.min_ctas > 0 && threads > 0) {
    const int warps = (threads + kLanes - 1) / kLanes * kernel.min_ctas;
    const int bound = kRegistersOfQuarter / (kLanes * ((warps + 3) / 4)) / 8 * 8;
    registers = registers == 0 ? bound : std::min(registers, bound);
  }
  return std::min({registers, most, kMostRegisters});
}

Flow run_set_registers(Warp& w, const Instruction& i, std::uint32_t active) {
  w.required = w.alive;
  if ((w.alive & ~active) != 0) return Flow::converge;
  if (w.cta->launch->function->launch_registers == 0) return Flow::next;
  CtaAsync& async = *w.cta->async;
  int& held = async.registers[static_cast<std::size_t>(w.index)];
  const auto wanted = static_cast<int>(i.immediate);
  const bool more = i.detail != 0;
  if (more ? wanted <= held : wanted >= held) return Flow::next;
  const std::int64_t taken = std::int64_t{kLanes} * (wanted - held);
  if (taken > async.free_registers) return Flow::retry;
  async.free_registers -= taken;
  held = wanted;
  if (!more) ++w.cta->cluster->events;
  return Flow::next;
}

std::string describe_registers(const Cta& cta, const Warp& warp, const Group& group) {
  const Program& program = *cta.launch->program;
  const PtxStatement* at = program.statement(group.pc);
  const int held = cta.async->registers[static_cast<std::size_t>(warp.index)];
  const std::int64_t wanted = program.code[group.pc].immediate;
  const int launched = cta.launch->function->launch_registers;
  return fmt::format(
      "warp {} waits in setmaxnreg.inc {} (PTX line {}) for {} x 32 = {} registers, {} are free of "
      "the {} x {} = {} of the launch",
      warp.index, wanted, at == nullptr ? 0 : at->line, wanted - held, (wanted - held) * kLanes,
      cta.async->free_registers, launched, cta.launch->warps * kLanes,
      std::int64_t{launched} * cta.launch->warps * kLanes);
}

}  // namespace lanescope::emulator
