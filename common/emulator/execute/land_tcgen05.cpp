// SPDX-License-Identifier: MIT
// What tcgen05.mma, cp and commit do when somebody waits for them: A and B are read, D is added to,
// mbarriers hear of it. What they may be is execute_tcgen05_mma.cpp's.
//
// Source: PTX ISA 9.2, 9.7.16.9 (cp), 9.7.16.10 (mma), 9.7.16.12 (commit).
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/execute/unpack_unit.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kSlabs = 2;                                       // of 16 bytes of K
constexpr std::size_t kMostRows = 256;                          // of a pair; a CTA has half as many
constexpr std::size_t kMostA = kMostRows / 8 * kSlabs;          // registers, of 8 rows each
constexpr std::size_t kMostB = kMaxN / kTileCols * kSlabs;      // ... of 8 columns
constexpr std::size_t kMostD = kMostRows / 16 * kMaxN / 8 * 4;  // ... of C and D

struct Operands {
  alignas(64) std::byte a[kMostA * kRegisterBytes];
  alignas(64) std::byte b[kMostB * kRegisterBytes];
  alignas(64) std::byte d[kMostD * kRegisterBytes];
};

void negate(std::byte* elements, std::size_t bytes, int element_bytes, int element_bits) {
  const auto sign = static_cast<std::byte>(1u << (element_bits - 1) % 8);
  for (auto k = static_cast<std::size_t>(element_bytes) - 1; k < bytes;
       k += static_cast<std::size_t>(element_bytes))
    elements[k] ^= sign;
}

// Where D begins in the tensor memory of each CTA.
std::array<std::uint32_t*, 2> begins_of(const TensorCtas& ctas, const TensorWork& work) {
  std::array<std::uint32_t*, 2> all{};
  std::size_t k = 0;
  for (Cta* cta : ctas)
    all[k++] = tensor_memory(*cta).words.data() + work.d.column * kTensorLanes + work.d.lane;
  return all;
}

// D as the arithmetic takes it, out of the columns and back into them.
template <class Word>
void take_d(const TensorCtas& ctas, const TensorWork& work, std::byte* to) {
  const auto from = begins_of(ctas, work);
  auto* elements = reinterpret_cast<Word*>(to);
  for (const std::uint32_t place : work.form->places)
    *elements++ =
        work.adds ? static_cast<Word>(from[place / kTensorPlaces][place % kTensorPlaces]) : Word{0};
}
template <class Word>
void give_d(const TensorCtas& ctas, const TensorWork& work, const std::byte* from) {
  const auto begins = begins_of(ctas, work);
  const auto* elements = reinterpret_cast<const Word*>(from);
  for (const std::uint32_t place : work.form->places) {
    const std::uint32_t cta = place / kTensorPlaces;
    const auto lane = place % kTensorLanes + static_cast<std::uint32_t>(work.d.lane);
    const std::uint32_t disabled = work.disabled_lanes[4 * cta + lane / kLanes];
    std::uint32_t& to = begins[cta][place % kTensorPlaces];
    // Of f16 only the low half of a column is D's.
    if (((disabled >> (lane % kLanes)) & 1) == 0)
      to = sizeof(Word) == 4 ? *elements : (to & 0xffff0000u) | *elements;
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
  for (int m = 0; m < work.form->M / work.form->ctas; ++m) {
    const int lane = work.form->M == 64 ? m % 16 + m / 16 * 32 : m;
    for (int column = 0; column < 8; ++column) {
      const int reg = (m / kPanelRows * kSlabs + column / 4) * 2 + m % kPanelRows / 8;
      words[reg * kFragmentLanes + m % 8 * 4 + column % 4] = memory.words[static_cast<std::size_t>(
          (work.a.column + column) * kTensorLanes + work.a.lane + lane)];
    }
  }
}

void unpack(std::byte* units, std::size_t bytes, int bits) {
  for (std::size_t unit = 0; unit < bytes && bits < 8; unit += 16) unpack_unit(units + unit, bits);
}

// Into each CTA from its own shared memory.
void copy_into(Warp& issuer, Cta& cta, const TensorWork& work) {
  const Tcgen05Plan& plan = *work.plan;
  TensorMemory& memory = tensor_memory(cta);
  alignas(16) std::byte rows[kMostRows / 2 * 32];
  Fetcher(issuer, cta, layout::decode_tcgen05(work.a_descriptor), 8, false, nullptr)
      .fetch_dense(plan.copy_rows, plan.copy_bytes, true, rows);
  for (const std::vector<int>& lanes : plan.copy_lanes)
    for (std::size_t row = 0; row < lanes.size(); ++row)
      for (int column = 0; column < plan.columns; ++column)
        std::memcpy(&memory.words[static_cast<std::size_t>((work.d.column + column) * kTensorLanes +
                                                           work.d.lane + lanes[row])],
                    rows + row * static_cast<std::size_t>(plan.copy_bytes) +
                        static_cast<std::size_t>(4 * column),
                    4);
}
void copy(Warp& issuer, const TensorCtas& ctas, const TensorWork& work) {
  for (Cta* cta : ctas) copy_into(issuer, *cta, work);
}

// A's rows and B's, of each CTA its part, one behind the other.
void take_operands(Warp& issuer, const TensorCtas& ctas, const TensorWork& work,
                   Operands& operands) {
  const Tcgen05Form& form = *work.form;
  const int bits = element_bits(form.shape.a);
  const int rows_a = form.M / form.ctas, rows_b = form.shape.N / form.ctas;
  std::byte *a = operands.a, *b = operands.b;
  for (Cta* cta : ctas) {
    if (work.plan->a_in_tensor)
      take_a(tensor_memory(*cta), work, a);
    else
      Fetcher(issuer, *cta, layout::decode_tcgen05(work.a_descriptor), bits, form.a_is_mn_major,
              nullptr)
          .fetch_registers(rows_a, kSlabs, true, a);
    Fetcher(issuer, *cta, layout::decode_tcgen05(work.b_descriptor), bits, form.b_is_mn_major,
            nullptr)
        .fetch_registers(rows_b, kSlabs, false, b);
    a += static_cast<std::size_t>(rows_a / 8 * kSlabs) * kRegisterBytes;
    b += static_cast<std::size_t>(rows_b / kTileCols * kSlabs) * kRegisterBytes;
  }
}

void multiply(Warp& issuer, const TensorCtas& ctas, const TensorWork& work) {
  static thread_local Operands operands;
  const Tcgen05Form& form = *work.form;
  const int bits = element_bits(form.shape.a);
  take_operands(issuer, ctas, work, operands);
  unpack(operands.a, sizeof operands.a, form.a_bits);
  unpack(operands.b, sizeof operands.b, form.b_bits);
  if (form.negates_a) negate(operands.a, sizeof operands.a, bits / 8, form.a_bits);
  if (form.negates_b) negate(operands.b, sizeof operands.b, bits / 8, form.b_bits);
  const bool halves = form.shape.accumulator == TensorType::f16;
  if (halves)
    take_d<std::uint16_t>(ctas, work, operands.d);
  else
    take_d<std::uint32_t>(ctas, work, operands.d);
  std::uint32_t *a[kMostA], *b[kMostB], *d[kMostD];
  point(a, operands.a, kMostA);
  point(b, operands.b, kMostB);
  point(d, operands.d, kMostD);
  const int a_registers = form.shape.M / 8 * kSlabs;
  const int d_registers = form.shape.M / kPanelRows * (form.shape.N / kTileCols) *
                          tile_registers(form.shape.accumulator);
  for (int panel = 0; panel < form.M / form.shape.M; ++panel) {
    std::uint32_t** sums = d + panel * d_registers;
    multiply_fragments(*form.arithmetic, form.shape, {a + panel * a_registers, b, sums, sums},
                       issuer.cta->launch->program->host);
  }
  if (halves)
    give_d<std::uint16_t>(ctas, work, operands.d);
  else
    give_d<std::uint32_t>(ctas, work, operands.d);
}

void arrive(Cta& cta, const TensorWork& commit) {
  for (std::uint32_t rest = commit.targets; rest != 0; rest &= rest - 1) {
    Cta& target = *cta.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
    MemoryBarrier* barrier = barrier_at(target, commit.barrier);
    if (barrier == nullptr) continue;  // invalidated while under way
    if (target.check != nullptr)
      target.check->tensor_committed(commit.time, target, commit.barrier);
    barrier->pending -= std::min<std::int64_t>(1, barrier->pending);
    settle_barrier(*cta.cluster, *barrier);
  }
}

bool is_awaited(const Cta& cta, const TensorWork& commit) {
  for (std::uint32_t rest = commit.targets; rest != 0; rest &= rest - 1) {
    const Cta& target = *cta.cluster->ctas[static_cast<std::size_t>(__builtin_ctz(rest))];
    const MemoryBarrier* barrier = barrier_at(target, commit.barrier);
    if (barrier != nullptr && barrier->is_awaited) return true;
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
    if (const TensorWork& one = memory.work[k]; !one.is_commit())
      (one.form == nullptr ? copy : multiply)(cta.warps[one.thread / kLanes],
                                              tensor_ctas(cta, one.plan->ctas), one);
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

}  // namespace lanescope::emulator
