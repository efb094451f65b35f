// SPDX-License-Identifier: MIT
// tcgen05.mma and tcgen05.commit: one thread issues them, and nobody waits. They are checked here
// and put into a row; what stands before a commit is done when somebody waits at its mbarrier.
//
//     issue:  mma, mma, commit -> full[0], mma, commit -> full[1]
//     who polls full[0]: the first two are done, and full[0] hears of it; D has not changed before
//
// A commit stands for what its own thread has issued before it, and for nothing of others'.
//
// Source: PTX ISA 9.2, 9.7.16.10 (mma), 9.7.16.12 (commit), 9.7.16.6 (what is in order).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kSlabs = 2;  // of 16 bytes of K
constexpr std::size_t kMostRows = 128;
constexpr std::size_t kMostA = kMostRows / 8 * kSlabs;          // registers, of 8 rows each
constexpr std::size_t kMostB = kMaxN / kTileCols * kSlabs;      // ... of 8 columns
constexpr std::size_t kMostD = kMostRows / 16 * kMaxN / 8 * 4;  // ... of C and D

bool misuse(Warp& w, int lane, const char* kind, std::string what, const char* hint) {
  fail(w, ErrorCode::illegal_instruction, kind, lane, std::move(what), hint);
  return false;
}

std::uint64_t wide(const Warp& w, std::uint32_t row_offset, int lane) {
  return row<std::uint64_t>(w, row_offset)[lane];
}

const Tcgen05Form& form_of(Warp& w, layout::Tcgen05Kind kind, std::uint32_t bits) {
  auto& form = tensor_memory(*w.cta).forms[{static_cast<int>(kind), bits}];
  if (form == nullptr)
    form = std::make_unique<Tcgen05Form>(tcgen05_form(kind, bits, w.cta->launch->program->arch));
  return *form;
}

// Everything that an operand in shared memory consists of, looked at before it is read.
bool check_operand(Warp& w, int lane, std::uint64_t bits, const TensorShape& shape, int rows,
                   bool mn_major, const char* name) {
  const layout::Tcgen05Descriptor d = layout::decode_tcgen05(bits);
  const bool is_wide = d.mode == layout::kWideMode;
  std::string why = layout::problem(d);
  if (why.empty() && (bits & layout::kReservedTcgen05Bits) != 0) why = "a reserved bit is set";
  if (why.empty() && d.lbo_absolute) why = "bit 52, an absolute LBO, is sm_103a's";
  if (why.empty() && is_wide && (!mn_major || element_bits(shape.a) != 32))
    why = "atoms of 32 bytes are for MN-major matrices of 32-bit elements";
  if (why.empty() && is_wide && d.base_offset != 0) why = "a base offset with atoms of 32 bytes";
  if (why.empty() && mn_major && element_bits(shape.a) == 32 && !is_wide)
    why = "an MN-major matrix of 32-bit elements must have atoms of 32 bytes (mode 1)";
  if (!why.empty())
    return misuse(w, lane, "descriptor",
                  fmt::format("the matrix descriptor of {} is not valid: {}", name, why),
                  "lanescope descriptor --tcgen05 --decode shows what its bits mean");
  Fetcher fetcher(w, d, element_bits(shape.a), mn_major, nullptr);
  return fetcher.is_inside(rows, shape.K, lane);
}

bool check_tensor(Warp& w, int lane, const TensorAddress& at, int lanes, int columns,
                  const char* name) {
  if (at.lane + lanes > kTensorLanes)
    return misuse(
        w, lane, "tensor-memory",
        fmt::format("{} takes lanes {} to {} of tensor memory", name, at.lane, at.lane + lanes - 1),
        "it has 128: bits 16 and up of the address are a lane");
  if (tensor_memory(*w.cta).is_allocated(at.column, columns)) return true;
  return misuse(w, lane, "tensor-memory",
                fmt::format("{} takes columns {} to {} of tensor memory, which are not allocated",
                            name, at.column, at.column + columns - 1),
                "tcgen05.alloc writes the first of its columns into shared memory");
}

TensorAddress address_at(const Warp& w, const RowAddress& address, int lane) {
  return tensor_address(static_cast<std::uint32_t>(address_of(w, address, lane)));
}

bool issue(Warp& w, const Tcgen05Plan& plan, int lane) {
  const std::uint32_t bits = row<std::uint32_t>(w, plan.instruction)[lane];
  const Tcgen05Form& form = form_of(w, plan.kind, bits);
  if (!form.refusal.empty())
    return misuse(
        w, lane, "descriptor",
        fmt::format("the instruction descriptor 0x{:x} of .kind::{} is not valid: {}", bits,
                    layout::kTcgen05Kinds[static_cast<std::size_t>(plan.kind)], form.refusal),
        "lanescope descriptor --tcgen05 --instruction shows what its bits mean");
  TensorWork work;
  work.plan = &plan;
  work.form = &form;
  work.thread = static_cast<std::uint32_t>(w.index * kLanes + lane);
  work.pc = w.pc;
  work.d = address_at(w, plan.tensor, lane);
  work.adds = (((predicate(w, plan.adds) ^ plan.adds_flip) >> lane) & 1) != 0;
  if (!check_tensor(w, lane, work.d, form.lanes, form.columns, "D")) return false;
  const bool starts_low = work.d.lane == 0 || (form.M == 64 && work.d.lane == 16);
  if (!starts_low)
    return misuse(w, lane, "tensor-memory", fmt::format("D at lane {}", work.d.lane),
                  "lane 0; with M 64 lane 16, too");
  if (plan.a_in_tensor) {
    work.a = address_at(w, plan.a_tensor, lane);
    if (form.a_is_mn_major)
      return misuse(w, lane, "descriptor", "A in tensor memory, M-major by the descriptor",
                    "there it is K-major: bit 15 must be 0");
    if (!check_tensor(w, lane, work.a, form.lanes, 8, "A")) return false;
  } else {
    work.a_descriptor = wide(w, plan.a_descriptor, lane);
    if (!check_operand(w, lane, work.a_descriptor, form.shape, form.M, form.a_is_mn_major, "A"))
      return false;
  }
  work.b_descriptor = wide(w, plan.b_descriptor, lane);
  if (!check_operand(w, lane, work.b_descriptor, form.shape, form.shape.N, form.b_is_mn_major, "B"))
    return false;
  for (std::size_t k = 0; k < work.disabled_lanes.size(); ++k)
    if (plan.disabled_lanes[k] != Tcgen05Plan::kAbsent)
      work.disabled_lanes[k] = row<std::uint32_t>(w, plan.disabled_lanes[k])[lane];
  tensor_memory(*w.cta).work.push_back(work);
  return true;
}

struct Operands {
  alignas(64) std::byte a[kMostA * kRegisterBytes];
  alignas(64) std::byte b[kMostB * kRegisterBytes];
  alignas(64) std::byte d[kMostD * kRegisterBytes];
};

void negate(std::byte* elements, std::size_t bytes, int element_bytes) {
  for (auto k = static_cast<std::size_t>(element_bytes) - 1; k < bytes;
       k += static_cast<std::size_t>(element_bytes))
    elements[k] ^= std::byte{0x80};
}

// D as the arithmetic takes it, out of the columns and back into them.
template <class Word>
void take_d(const TensorMemory& memory, const TensorWork& work, std::byte* to) {
  const std::uint32_t* from = memory.words.data() + work.d.column * kTensorLanes + work.d.lane;
  auto* elements = reinterpret_cast<Word*>(to);
  for (const std::uint32_t place : work.form->places)
    *elements++ = work.adds ? static_cast<Word>(from[place]) : Word{0};
}
template <class Word>
void give_d(TensorMemory& memory, const TensorWork& work, const std::byte* from) {
  std::uint32_t* to = memory.words.data() + work.d.column * kTensorLanes + work.d.lane;
  const auto* elements = reinterpret_cast<const Word*>(from);
  for (const std::uint32_t place : work.form->places) {
    const auto lane = place % kTensorLanes + static_cast<std::uint32_t>(work.d.lane);
    const bool is_off = ((work.disabled_lanes[lane / kLanes] >> (lane % kLanes)) & 1) != 0;
    // Of f16 only the low half of a column is D's.
    if (!is_off) to[place] = sizeof(Word) == 4 ? *elements : (to[place] & 0xffff0000u) | *elements;
    ++elements;
  }
}

void point(std::uint32_t** registers, std::byte* bytes, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    registers[k] = reinterpret_cast<std::uint32_t*>(bytes + k * kRegisterBytes);
}

// Row m of A is in lane m, 32 bytes in 8 columns: register (panel, slab, upper half) of the
// arithmetic has 8 rows of 16 bytes.
void take_a(const TensorMemory& memory, const TensorWork& work, std::byte* to) {
  auto* words = reinterpret_cast<std::uint32_t*>(to);
  for (int m = 0; m < work.form->M; ++m) {
    const int lane = work.form->M == 64 ? m % 16 + m / 16 * 32 : m;
    for (int column = 0; column < 8; ++column) {
      const int reg = (m / kPanelRows * kSlabs + column / 4) * 2 + m % kPanelRows / 8;
      words[reg * kFragmentLanes + m % 8 * 4 + column % 4] = memory.words[static_cast<std::size_t>(
          (work.a.column + column) * kTensorLanes + work.a.lane + lane)];
    }
  }
}

void multiply(Cta& cta, TensorMemory& memory, const TensorWork& work) {
  static thread_local Operands operands;
  const Tcgen05Form& form = *work.form;
  const int bits = element_bits(form.shape.a);
  Warp& issuer = cta.warps[work.thread / kLanes];
  if (work.plan->a_in_tensor)
    take_a(memory, work, operands.a);
  else
    Fetcher(issuer, layout::decode_tcgen05(work.a_descriptor), bits, form.a_is_mn_major, nullptr)
        .fetch_registers(form.M, kSlabs, true, operands.a);
  Fetcher(issuer, layout::decode_tcgen05(work.b_descriptor), bits, form.b_is_mn_major, nullptr)
      .fetch_registers(form.shape.N, kSlabs, false, operands.b);
  if (form.negates_a) negate(operands.a, sizeof operands.a, bits / 8);
  if (form.negates_b) negate(operands.b, sizeof operands.b, bits / 8);
  const bool halves = form.shape.accumulator == TensorType::f16;
  if (halves)
    take_d<std::uint16_t>(memory, work, operands.d);
  else
    take_d<std::uint32_t>(memory, work, operands.d);
  std::uint32_t *a[kMostA], *b[kMostB], *d[kMostD];
  point(a, operands.a, kMostA);
  point(b, operands.b, kMostB);
  point(d, operands.d, kMostD);
  const int a_registers = kTensorPanel / 8 * kSlabs;
  const int d_registers = kTensorPanel / kPanelRows * (form.shape.N / kTileCols) *
                          tile_registers(form.shape.accumulator);
  for (int panel = 0; panel < form.M / kTensorPanel; ++panel) {
    std::uint32_t** sums = d + panel * d_registers;
    multiply_fragments(*form.arithmetic, form.shape, {a + panel * a_registers, b, sums, sums},
                       cta.launch->program->host);
  }
  if (halves)
    give_d<std::uint16_t>(memory, work, operands.d);
  else
    give_d<std::uint32_t>(memory, work, operands.d);
}

void arrive(Cta& cta, const TensorWork& commit) {
  for (std::uint32_t rest = commit.targets; rest != 0; rest &= rest - 1) {
    Cta& target = *cta.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
    const auto found = target.async->barriers.find(commit.barrier);
    if (found == target.async->barriers.end()) continue;  // invalidated while under way
    MemoryBarrier& barrier = found->second;
    barrier.pending -= std::min<std::int64_t>(1, barrier.pending);
    settle_barrier(*cta.cluster, barrier);
  }
}

bool is_awaited(const Cta& cta, const TensorWork& commit) {
  for (std::uint32_t rest = commit.targets; rest != 0; rest &= rest - 1) {
    const Cta& target = *cta.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
    const auto found = target.async->barriers.find(commit.barrier);
    if (found != target.async->barriers.end() && found->second.is_awaited) return true;
  }
  return false;
}

// How many of the row must be done: to the last of a thread's before its last awaited commit.
std::size_t needed(const Cta& cta, const std::deque<TensorWork>& work) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    if (!work[k].is_commit() || !is_awaited(cta, work[k])) continue;
    for (std::size_t before = k; before-- > count;)
      if (!work[before].is_commit() && work[before].thread == work[k].thread) {
        count = before + 1;
        break;
      }
  }
  return count;
}

bool land(Cta& cta) {
  TensorMemory& memory = *cta.tensor;
  const std::size_t count = needed(cta, memory.work);
  for (std::size_t k = 0; k < count; ++k)
    if (!memory.work[k].is_commit()) multiply(cta, memory, memory.work[k]);
  // Commits behind which nothing of their thread is left.
  std::deque<TensorWork> left;
  bool any = count > 0;
  for (std::size_t k = 0; k < memory.work.size(); ++k) {
    const TensorWork& one = memory.work[k];
    if (!one.is_commit() && k < count) continue;
    const bool waits = std::any_of(left.begin(), left.end(), [&](const TensorWork& other) {
      return other.thread == one.thread && !other.is_commit();
    });
    if (one.is_commit() && !waits) {
      arrive(cta, one);
      any = true;
    } else {
      left.push_back(one);
    }
  }
  memory.work = std::move(left);
  return any;
}

}  // namespace

bool land_tensor_work(Cluster& cluster) {
  bool any = false;
  for (const auto& cta : cluster.ctas)
    if (cta->tensor != nullptr && !cta->tensor->work.empty()) any = land(*cta) || any;
  return any;
}

Flow run_tensor_multiply(Warp& w, const Instruction& i, std::uint32_t active) {
  const Tcgen05Plan& plan = w.cta->launch->program->tcgen05s[static_cast<std::size_t>(i.immediate)];
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (!issue(w, plan, __builtin_ctz(rest))) return Flow::fault;
  return Flow::next;
}

Flow run_tensor_commit(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    SharedPlace place;
    if (!find_shared(w, lane, i.space, address_of(w, {i.a, i.immediate, i.wide_address}, lane), 8,
                     8, place, Reach::cluster))
      return Flow::fault;
    TensorWork commit;
    commit.thread = static_cast<std::uint32_t>(w.index * kLanes + lane);
    commit.pc = w.pc;
    commit.barrier = place.offset;
    commit.targets = 1u << place.cta->rank;
    if (i.c != kNoRow) commit.targets = row<std::uint32_t>(w, i.c)[lane] & 0xffff;
    const auto& ctas = w.cta->cluster->ctas;
    if (commit.targets >> ctas.size() != 0)
      return misuse(w, lane, "cluster-rank",
                    fmt::format("ctaMask 0x{:x} in a cluster of {}", commit.targets, ctas.size()),
                    "one bit for each CTA of the cluster"),
             Flow::fault;
    for (std::uint32_t targets = commit.targets; targets != 0; targets &= targets - 1) {
      place.cta = ctas[static_cast<std::size_t>(__builtin_ctz(targets))].get();
      if (find_barrier(w, lane, place) == nullptr) return Flow::fault;
    }
    tensor_memory(*w.cta).work.push_back(commit);
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
