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
// Source: PTX ISA 9.1, 9.7.15.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/cluster.hpp"
#include "emulator/handlers.hpp"
#include "layout/descriptor.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kMostBytes = 64 * 256 * 4;  // D of m64n256

struct Operands {
  alignas(64) std::byte a[64 * 32];   // 64 rows of 32 bytes
  alignas(64) std::byte b[256 * 64];  // twice as long where A is sparse
};

const std::uint32_t* rows_at(const Warp& w, std::uint32_t list) {
  return w.cta->launch->program->rows.data() + list;
}

// Registers of one warp <-> dense matrix.
template <class Move>
void each_element(const WarpgroupOperand& operand, int warp, const std::uint32_t* rows,
                  std::byte* base, Move move) {
  const auto per = static_cast<std::size_t>(operand.per_register);
  const auto bytes = static_cast<std::size_t>(operand.element_bytes);
  const std::uint32_t* offset =
      operand.offsets.data() + static_cast<std::size_t>(warp * operand.registers) * kLanes * per;
  for (int reg = 0; reg < operand.registers; ++reg) {
    std::byte* lane = base + rows[reg];
    for (std::size_t k = 0; k < kLanes * per; ++k) move(lane + k * bytes, *offset++);
  }
}

template <std::size_t kBytes>
void copy_elements(const WarpgroupOperand& operand, int warp, const std::uint32_t* rows,
                   std::byte* base, std::byte* matrix, bool to_registers) {
  each_element(operand, warp, rows, base, [&](std::byte* lane, std::uint32_t offset) {
    if (to_registers)
      std::memcpy(lane, matrix + offset, kBytes);
    else
      std::memcpy(matrix + offset, lane, kBytes);
  });
}

void copy_warp(const WarpgroupOperand& operand, int warp, const std::uint32_t* rows,
               std::byte* base, std::byte* matrix, bool to_registers) {
  if (operand.element_bytes == 4)
    copy_elements<4>(operand, warp, rows, base, matrix, to_registers);
  else if (operand.element_bytes == 2)
    copy_elements<2>(operand, warp, rows, base, matrix, to_registers);
  else
    copy_elements<1>(operand, warp, rows, base, matrix, to_registers);
}

void hand_over(Accumulators& entry, int warp) {
  copy_warp(*entry.operand, warp, entry.rows.data(), entry.base[warp], entry.matrix.data(), true);
  entry.waiting &= ~(1u << warp);
}

void drop_finished(Warpgroup& group) {
  auto& all = group.pending;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const Accumulators& entry) { return entry.waiting == 0; }),
            all.end());
}

// One operand out of shared memory: `outer` rows of M or N, 32 bytes of K each.
class Fetcher {
 public:
  Fetcher(Warp& warp, std::uint64_t bits, int element_bits, bool mn_major, const Actor* reader)
      : warp_(warp),
        reader_(reader),
        descriptor_(layout::decode(bits)),
        major_(mn_major ? layout::Major::MN : layout::Major::K),
        bits_(element_bits) {}

  // K-contiguous: matrix[mn][k]; otherwise matrix[k][mn].
  bool fetch(int mn_count, int k_count, bool k_contiguous, std::byte* matrix) {
    if (const std::string why = layout::problem(descriptor_); !why.empty()) {
      fail(warp_, ErrorCode::illegal_instruction, "descriptor", 0,
           fmt::format("the matrix descriptor is not valid: {}", why),
           "lanescope descriptor shows what its bits mean");
      return false;
    }
    const bool along_k = major_ == layout::Major::K;
    const int per_unit = 128 / bits_;
    const int outer = along_k ? mn_count : k_count;
    const int units = (along_k ? k_count : mn_count) / per_unit;
    for (int row = 0; row < outer; ++row) {
      for (int unit = 0; unit < units; ++unit) {
        const std::byte* from = along_k ? find(row, unit * per_unit) : find(unit * per_unit, row);
        if (from == nullptr) return false;
        if (along_k == k_contiguous)
          std::memcpy(matrix + (row * units + unit) * 16, from, 16);
        else
          spread(from, matrix, row, unit * per_unit, outer);
      }
    }
    return true;
  }

 private:
  const std::byte* find(int mn, int k) {
    // Single bits lie as bytes of eight do.
    const std::uint32_t at = bits_ == 1 ? layout::fetched_byte(descriptor_, major_, 8, mn, k / 8)
                                        : layout::fetched_byte(descriptor_, major_, bits_, mn, k);
    const auto limit = static_cast<std::uint64_t>(warp_.cta->launch->shared_bytes);
    if (std::uint64_t{at} + 16 <= limit) {
      if (reader_ != nullptr) warp_.cta->check->operand_read(*reader_, *warp_.cta, at);
      return warp_.cta->shared.get() + at;
    }
    fail(warp_, ErrorCode::illegal_address, "out-of-bounds", 0,
         fmt::format("the matrix descriptor leads to shared address 0x{:x}, {} bytes are there", at,
                     limit),
         "check its start address and the two offsets");
    return nullptr;
  }

  // 16 bytes of one row become a column: element e of them is element (first + e, row).
  void spread(const std::byte* from, std::byte* matrix, int row, int first, int outer) const {
    if (bits_ == 1) return spread_as<std::uint32_t>(from, matrix, row, first / 32, outer);
    if (bits_ == 8) return spread_as<std::uint8_t>(from, matrix, row, first, outer);
    if (bits_ == 16) return spread_as<std::uint16_t>(from, matrix, row, first, outer);
    spread_as<std::uint32_t>(from, matrix, row, first, outer);
  }
  template <class T>
  static void spread_as(const std::byte* from, std::byte* matrix, int row, int first, int outer) {
    for (int e = 0; e < 16 / static_cast<int>(sizeof(T)); ++e)
      std::memcpy(matrix + static_cast<std::size_t>((first + e) * outer + row) * sizeof(T),
                  from + static_cast<std::size_t>(e) * sizeof(T), sizeof(T));
  }

  Warp& warp_;
  const Actor* reader_;  // where the launch is checked
  layout::Descriptor descriptor_;
  layout::Major major_;
  int bits_;
};

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

bool overlaps(const Accumulators& entry, const std::uint32_t* rows, std::size_t count) {
  for (const std::uint32_t mine : entry.rows)
    if (std::find(rows, rows + count, mine) != rows + count) return true;
  return false;
}

// The accumulators in flight on exactly these registers, or new ones that hold what the registers
// do.
Accumulators& accumulators(Warp& w, Warpgroup& group, const WgmmaPlan& plan, std::uint32_t list) {
  const std::uint32_t* rows = rows_at(w, list);
  const auto count = static_cast<std::size_t>(plan.D.registers);
  Accumulators* found = nullptr;
  for (Accumulators& entry : group.pending) {
    const bool same = entry.rows.size() == count &&
                      std::equal(rows, rows + count, entry.rows.begin()) &&
                      entry.operand->element_bytes == plan.D.element_bytes &&
                      std::equal(group.rows, group.rows + 4, entry.base);
    if (same) found = &entry;
    if (same || !overlaps(entry, rows, count)) continue;
    for (int warp = 0; warp < 4; ++warp)
      if (((entry.waiting >> warp) & 1) != 0) hand_over(entry, warp);
  }
  if (found == nullptr) {
    found = &group.pending.emplace_back();
    found->rows.assign(rows, rows + count);
    found->matrix.resize(kMostBytes);
    std::copy(group.rows, group.rows + 4, found->base);
  }
  found->operand = &plan.D;
  for (int warp = 0; warp < 4; ++warp) {
    if (((found->waiting >> warp) & 1) == 0)
      copy_warp(plan.D, warp, rows, group.rows[warp], found->matrix.data(), false);
    found->group[warp] = group.commits[warp];
  }
  found->waiting = 15;
  return *found;
}

bool fetch_a(Warp& w, const Warpgroup& group, const WgmmaPlan& plan, int bits, std::byte* matrix,
             const Actor* reader) {
  if (plan.a_in_registers) {
    for (int warp = 0; warp < 4; ++warp)
      copy_warp(plan.A, warp, rows_at(w, plan.a_list), group.rows[warp], matrix, false);
    return true;
  }
  std::uint64_t descriptor = 0;
  return same_descriptor(w, group, plan.a_descriptor, descriptor) &&
         Fetcher(w, descriptor, bits, plan.a_is_mn_major, reader)
             .fetch(plan.shape.M, plan.shape.K, true, matrix);
}

bool multiply_warpgroup(Warp& w, Warpgroup& group, const WgmmaPlan& plan, const Instruction& i) {
  static thread_local Operands operands;
  const int bits = plan.instruction->A.element_bits;
  std::uint64_t descriptor = 0;
  const Actor* reader = w.cta->check == nullptr ? nullptr : &w.cta->check->wgmma_reads(w);
  if (!fetch_a(w, group, plan, bits, operands.a, reader) ||
      !same_descriptor(w, group, plan.b_descriptor, descriptor) ||
      !Fetcher(w, descriptor, bits, plan.b_is_mn_major, reader)
           .fetch(plan.shape.N, plan.instruction->K, false, operands.b))
    return false;
  if (plan.negates_a) negate(operands.a, 64 * 32, bits / 8);
  const bool sparse = plan.sparse.sparse();
  const auto b_bytes = static_cast<std::size_t>(plan.shape.N * (sparse ? 64 : 32));
  if (plan.negates_b) negate(operands.b, b_bytes, bits / 8);
  Accumulators& entry = accumulators(w, group, plan, i.list);
  const std::uint32_t adds = predicate(w, plan.scale_d) ^ plan.scale_d_flip;
  if ((adds & 1) == 0) std::memset(entry.matrix.data(), 0, entry.matrix.size());
  if (sparse) {
    const std::byte* metadata[4];
    for (int warp = 0; warp < 4; ++warp) metadata[warp] = group.rows[warp] + plan.metadata;
    multiply_sparse(*plan.arithmetic, plan.shape, plan.sparse, metadata, operands.a, operands.b,
                    entry.matrix.data());
  } else {
    multiply_packed(*plan.arithmetic, plan.shape, operands.a, operands.b, entry.matrix.data(),
                    entry.matrix.data());
  }
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
  w.required = kAllLanes;
  if (active != kAllLanes) return Flow::converge;
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
  const auto& plans = w.cta->launch->program->wgmmas;
  if (!multiply_warpgroup(w, *group, plans[static_cast<std::size_t>(i.immediate)], i))
    return Flow::fault;
  group->here = 0;
  group->done = 15 & ~me;
  release_warpgroup(*w.cta, w.index - member);
  return Flow::next;
}

Flow run_wgmma_commit(Warp& w, const Instruction&, std::uint32_t active) {
  w.required = kAllLanes;
  if (active != kAllLanes) return Flow::converge;
  Warpgroup* group = warpgroup_of(w);
  if (group == nullptr) return Flow::fault;
  ++group->commits[w.index % 4];
  return Flow::next;
}

Flow run_wgmma_wait(Warp& w, const Instruction& i, std::uint32_t active) {
  w.required = kAllLanes;
  if (active != kAllLanes) return Flow::converge;
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

// mov of a register that is the accumulator of some wgmma of this function.
Flow run_accumulator_move(Warp& w, const Instruction& i, std::uint32_t active) {
  const auto index = static_cast<std::size_t>(w.index / 4);
  if (index < w.cta->async->warpgroups.size()) {
    Warpgroup& group = w.cta->async->warpgroups[index];
    const int member = w.index % 4;
    for (Accumulators& entry : group.pending)
      if (((entry.waiting >> member) & 1) != 0 && entry.base[member] == w.rows &&
          std::find(entry.rows.begin(), entry.rows.end(), i.a) != entry.rows.end())
        hand_over(entry, member);
    drop_finished(group);
  }
  const auto* from = row<std::uint32_t>(w, i.a);
  auto* to = row<std::uint32_t>(w, i.d);
  for (int lane = 0; lane < kLanes; ++lane)
    if (((active >> lane) & 1) != 0) to[lane] = from[lane];
  return Flow::next;
}

}  // namespace lanescope::emulator
