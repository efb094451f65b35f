// SPDX-License-Identifier: MIT
// wgmma: the last of the four warps to come computes for all of them; what it computed stays in
// flight until each warp's wait_group hands over its part.
//
//     warp 0 --.                              .--> warp 0's registers, at its wait_group
//     warp 1 --+--> A (64 x K) * B (K x N) ---+--> ...
//     warp 2 --+    + D in flight             |
//     warp 3 --'                              '--> warp 3's
//
// That the four warps meet is the default of Lanescope; PTX promises a warp only. Reading a
// register that is in flight finds its old value; a plain mov hands over first, since compilers put
// those between two wgmma and ptxas then waits.
//
// Source: PTX ISA 9.2, 9.7.15.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/per_thread.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"
#include "emulator/run/wgmma_flight.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kMostA = 4 * 4;            // registers of A, of all warps: 32 bytes a row
constexpr std::size_t kMostB = 256 / 8 * 4;      // of B; twice as long where A is sparse
constexpr std::size_t kMostD = 4 * 256 / 8 * 4;  // of D of m64n256, of all warps

struct Operands {
  alignas(64) std::byte a[kMostA * kRegisterBytes];
  alignas(64) std::byte b[kMostB * kRegisterBytes];
  alignas(64) std::byte dense[kMostD * kRegisterBytes];  // D, where A is sparse
};

// Registers of a warp, lane after lane and register after register <-> dense matrix.
void copy_dense(const WarpgroupOperand& operand, int warp, std::uint32_t* const* registers,
                std::byte* matrix, bool to_registers) {
  const auto each = static_cast<std::size_t>(kFragmentLanes * operand.per_register);
  const auto bytes = static_cast<std::size_t>(operand.element_bytes);
  const std::uint32_t* offset =
      operand.offsets.data() + static_cast<std::size_t>(warp * operand.registers) * each;
  for (int reg = 0; reg < operand.registers; ++reg) {
    auto* element = reinterpret_cast<std::byte*>(registers[reg]);
    for (std::size_t k = 0; k < each; ++k, element += bytes, ++offset) {
      if (to_registers)
        std::memcpy(element, matrix + *offset, bytes);
      else
        std::memcpy(matrix + *offset, element, bytes);
    }
  }
}

void negate(std::byte* matrix, std::size_t bytes, int element_bytes) {
  for (std::size_t k = static_cast<std::size_t>(element_bytes) - 1; k < bytes;
       k += static_cast<std::size_t>(element_bytes))
    matrix[k] ^= std::byte{0x80};
}

// The descriptor, which all lanes of all warps must agree on.
bool same_descriptor(Warp& w, const Warpgroup& group, std::uint32_t row_offset,
                     std::uint64_t& bits) {
  std::memcpy(&bits, group.rows[0] + row_offset, 8);
  for (const std::byte* rows : group.rows) {
    for (int lane = 0; lane < kLanes; ++lane) {
      std::uint64_t other;
      std::memcpy(&other, rows + row_offset + 8 * lane, 8);
      if (other == bits) continue;
      fail(w, ErrorCode::illegal_instruction, "descriptor", lane,
           fmt::format("the threads of the warpgroup give descriptors 0x{:x} and 0x{:x}", bits,
                       other),
           "all 128 threads must give the same matrix descriptor");
      return false;
    }
  }
  return true;
}

// What one wgmma multiplies: registers where they are, or fetched.
struct Sources {
  std::uint32_t* a[kMostA];
  std::uint32_t* b[kMostB];
  std::uint32_t* d[kMostD];
};

template <std::size_t kCount>
void point(std::uint32_t* (&registers)[kCount], std::byte* bytes) {
  for (std::size_t k = 0; k < kCount; ++k)
    registers[k] = reinterpret_cast<std::uint32_t*>(bytes + k * kRegisterBytes);
}

// A's registers of all warps: where they are, or, to be changed, copied.
void take_registers(const Warp& w, const Warpgroup& group, const WgmmaPlan& plan, Sources& in) {
  const std::uint32_t* rows = rows_at(w, plan.a_list);
  for (int warp = 0; warp < 4; ++warp)
    for (int reg = 0; reg < plan.A.registers; ++reg) {
      std::uint32_t*& taken = in.a[warp * plan.A.registers + reg];
      auto* from = reinterpret_cast<std::uint32_t*>(group.rows[warp] + rows[reg]);
      if (plan.negates_a)
        std::memcpy(taken, from, kRegisterBytes);
      else
        taken = from;
    }
}

bool fetch(Warp& w, const Warpgroup& group, const WgmmaPlan& plan, Operands& operands,
           Sources& in) {
  const int bits = plan.instruction->A.element_bits;
  const int slabs = slabs_of(plan.shape);
  const Actor* reader = w.cta->check == nullptr ? nullptr : &w.cta->check->warpgroups().reads(w);
  point(in.a, operands.a);
  point(in.b, operands.b);
  std::uint64_t descriptor = 0;
  if (plan.a_in_registers)
    take_registers(w, group, plan, in);
  else if (!same_descriptor(w, group, plan.a_descriptor, descriptor) ||
           !Fetcher(w, descriptor, bits, plan.a_is_mn_major, reader)
                .fetch_registers(plan.shape.M, slabs, true, operands.a))
    return false;
  if (!same_descriptor(w, group, plan.b_descriptor, descriptor)) return false;
  Fetcher fetcher(w, descriptor, bits, plan.b_is_mn_major, reader);
  const bool fetched =
      plan.sparse.sparse()
          ? fetcher.fetch_dense(plan.shape.N, plan.instruction->K, false, operands.b)
          : fetcher.fetch_registers(plan.shape.N, slabs, false, operands.b);
  if (!fetched) return false;
  if (plan.negates_a) negate(operands.a, sizeof operands.a, bits / 8);
  if (plan.negates_b) negate(operands.b, sizeof operands.b, bits / 8);
  return true;
}

// mma.sp's way, with dense matrices.
void multiply_sparse_warpgroup(const Warp& w, const Warpgroup& group, const WgmmaPlan& plan,
                               Operands& operands, const Sources& in) {
  alignas(64) std::byte a[kMostA * kRegisterBytes];
  const std::byte* metadata[4];
  for (int warp = 0; warp < 4; ++warp) {
    metadata[warp] = group.rows[warp] + plan.metadata;
    copy_dense(plan.A, warp, in.a + warp * plan.A.registers, a, false);
    copy_dense(plan.D, warp, in.d + warp * plan.D.registers, operands.dense, false);
  }
  multiply_sparse(*plan.arithmetic, plan.shape, plan.sparse, metadata, a, operands.b,
                  operands.dense, w.cta->launch->program->host);
  for (int warp = 0; warp < 4; ++warp)
    copy_dense(plan.D, warp, in.d + warp * plan.D.registers, operands.dense, true);
}

bool multiply_warpgroup(Warp& w, Warpgroup& group, const WgmmaPlan& plan, const Instruction& i) {
  auto& operands = per_thread<Operands>();
  Sources in;
  if (!fetch(w, group, plan, operands, in)) return false;
  Accumulators& entry = accumulators(w, group, plan, i.list);
  entry.pc = w.pc;
  const std::uint32_t adds = predicate(w, plan.scale_d) ^ plan.scale_d_flip;
  if ((adds & 1) == 0) std::fill(entry.registers.begin(), entry.registers.end(), 0);
  const auto count = static_cast<std::size_t>(4 * plan.D.registers);
  for (std::size_t reg = 0; reg < count; ++reg)
    in.d[reg] = entry.registers.data() + reg * kFragmentLanes;
  if (plan.sparse.sparse())
    multiply_sparse_warpgroup(w, group, plan, operands, in);
  else
    multiply_fragments(*plan.arithmetic, plan.shape, {in.a, in.b, in.d, in.d},
                       w.cta->launch->program->host);
  drop_finished(group);
  return true;
}

Warpgroup* warpgroup_of(Warp& w) {
  const auto index = static_cast<std::size_t>(w.index / 4);
  if (index < w.cta->async->warpgroups.size()) return &w.cta->async->warpgroups[index];
  fail(w, ErrorCode::illegal_instruction, "warpgroup", 0,
       "wgmma in a warp whose warpgroup is not complete",
       "a warpgroup is four warps of which the first has a number that is a multiple of 4");
  return nullptr;
}

void release_warpgroup(Cta& cta, int first) {
  for (int k = first; k < first + 4; ++k)
    for (Group& group : cta.warps[static_cast<std::size_t>(k)].groups)
      if (group.waiting == Waiting::warpgroup) group.waiting = Waiting::no;
}

}  // namespace

Flow run_wgmma(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  w.cta->multiplied = true;
  Warpgroup* group = warpgroup_of(w);
  if (group == nullptr) return Flow::fault;
  const int member = w.index % 4;
  const std::uint32_t me = 1u << member;
  if ((group->done & me) != 0) {
    group->done &= ~me;
    return Flow::next;
  }
  group->here |= me;
  group->pc[member] = w.pc;
  group->rows[member] = w.rows;
  if (group->here != 15) return Flow::gather;
  for (const std::uint32_t pc : group->pc)
    if (pc != w.pc)
      return fail(w, ErrorCode::illegal_instruction, "diverged-collective", 0,
                  "the warps of a warpgroup are at different wgmma instructions",
                  "all four must execute the same ones in the same order");
  const WgmmaPlan& plan = w.cta->launch->program->wgmmas[static_cast<std::size_t>(i.immediate)];
  if (!multiply_warpgroup(w, *group, plan, i)) return Flow::fault;
  if (plan.is_serialised) {
    for (Accumulators& entry : group->pending)
      for (int warp = 0; warp < 4; ++warp)
        if (((entry.waiting >> warp) & 1) != 0) hand_over(entry, warp);
    drop_finished(*group);
  }
  group->here = 0;
  group->done = 15 & ~me;
  release_warpgroup(*w.cta, w.index - member);
  return Flow::next;
}

Flow run_wgmma_commit(Warp& w, const Instruction&, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  Warpgroup* group = warpgroup_of(w);
  if (group == nullptr) return Flow::fault;
  ++group->commits[w.index % 4];
  return Flow::next;
}

Flow run_wgmma_wait(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  Warpgroup* group = warpgroup_of(w);
  if (group == nullptr) return Flow::fault;
  const int member = w.index % 4;
  for (Accumulators& entry : group->pending) {
    const bool waits = ((entry.waiting >> member) & 1) != 0;
    if (waits &&
        std::int64_t{entry.group[member]} < std::int64_t{group->commits[member]} - i.immediate)
      hand_over(entry, member);
  }
  drop_finished(*group);
  return Flow::next;
}

namespace {

// What is in flight for a register of this warp.
void hand_over_row(Warp& w, std::uint32_t register_row) {
  hand_over_loaded(w, register_row);
  const auto index = static_cast<std::size_t>(w.index / 4);
  if (index >= w.cta->async->warpgroups.size()) return;
  Warpgroup& group = w.cta->async->warpgroups[index];
  const int member = w.index % 4;
  for (Accumulators& entry : group.pending)
    if (((entry.waiting >> member) & 1) != 0 && entry.base[member] == w.rows &&
        std::find(entry.rows.begin(), entry.rows.end(), register_row) != entry.rows.end())
      hand_over(entry, member);
  drop_finished(group);
}

}  // namespace

// mov of a register that is the accumulator of some wgmma of this function, or a tcgen05.ld's; of
// one of f16 also into its two halves.
Flow run_accumulator_unpack(Warp& w, const Instruction& i, std::uint32_t active) {
  hand_over_row(w, i.a);
  return run_unpack(w, i, active);
}
Flow run_accumulator_move(Warp& w, const Instruction& i, std::uint32_t active) {
  hand_over_row(w, i.a);
  const auto* from = row<std::uint32_t>(w, i.a);
  auto* to = row<std::uint32_t>(w, i.d);
  for (int lane = 0; lane < kLanes; ++lane)
    if (((active >> lane) & 1) != 0) to[lane] = from[lane];
  return Flow::next;
}

}  // namespace lanescope::emulator
