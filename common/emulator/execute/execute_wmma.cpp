// SPDX-License-Identifier: MIT
// wmma: whole fragments between memory and registers, and their product.
//
// Source: PTX ISA 9.2, 9.7.14.4.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

// Host memory of `bytes` bytes at an address of any space, or nullptr with the fault recorded.
std::byte* find_bytes(Warp& w, const Instruction& i, std::uint64_t address, std::uint64_t bytes) {
  const bool shared = i.space == Space::shared ||
                      (i.space == Space::generic && address - kSharedWindow < kWindowBytes);
  if (shared) {
    SharedPlace place;
    return find_shared(w, 0, i.space, address, bytes, 1, place) ? place.host() : nullptr;
  }
  if (!check_global(w, 0, address, static_cast<int>(bytes), i.detail != 0)) return nullptr;
  return reinterpret_cast<std::byte*>(address);
}

// Calls move(piece of a register, its entry in a table that goes with the registers, bytes).
template <class Bytes, class Entry, class Move>
void each_piece(const Warp& w, const WmmaOperand& plan, const std::uint32_t* rows,
                const std::vector<Entry>& entries, Move move, Bytes bytes) {
  const auto per = static_cast<std::size_t>(plan.register_bytes) / bytes;
  const Entry* entry = entries.data();
  for (int reg = 0; reg < plan.registers; ++reg) {
    std::byte* lanes = w.rows + rows[reg];
    for (std::size_t k = 0; k < kLanes * per; ++k) move(lanes + k * bytes, *entry++, bytes);
  }
}

// The same with the bytes known to the compiler: a memcpy of them is a move, not a call.
template <class Entry, class Move>
void each_piece(const Warp& w, const WmmaOperand& plan, const std::uint32_t* rows,
                const std::vector<Entry>& entries, Move move) {
  using Size = std::size_t;
  switch (plan.piece_bytes) {
    case 1:
      return each_piece(w, plan, rows, entries, move, std::integral_constant<Size, 1>());
    case 2:
      return each_piece(w, plan, rows, entries, move, std::integral_constant<Size, 2>());
    case 4:
      return each_piece(w, plan, rows, entries, move, std::integral_constant<Size, 4>());
    default:
      return each_piece(w, plan, rows, entries, move, std::integral_constant<Size, 8>());
  }
}

void gather(const Warp& w, const WmmaOperand& plan, const std::uint32_t* rows, std::byte* image) {
  each_piece(w, plan, rows, plan.places,
             [&](const std::byte* piece, std::uint32_t place, auto bytes) {
               std::memcpy(image + place, piece, bytes);
             });
}

constexpr std::size_t kMostImageBytes = 2048;  // C of m8n32k16, half of its panel empty

// Registers one after another, as the arithmetic wants them pointed to.
struct Registers {
  explicit Registers(std::byte* image) {
    for (std::size_t k = 0; k < kCount; ++k)
      rows[k] = reinterpret_cast<std::uint32_t*>(image) + k * kFragmentLanes;
  }
  static constexpr std::size_t kCount = kMostImageBytes / 4 / kFragmentLanes;
  std::uint32_t* rows[kCount];
};

}  // namespace

std::uint64_t wmma_line_bytes(const Warp& w, const WmmaPlan& plan) {
  const WmmaOperand& operand = plan.D;
  const std::uint64_t elements =
      plan.stride != kNoRow
          ? row<std::uint32_t>(w, plan.stride)[0] / static_cast<unsigned>(operand.together)
          : static_cast<std::uint64_t>(plan.row_major ? operand.cols : operand.rows);
  return elements * static_cast<std::uint64_t>(operand.element_bytes);
}

Flow run_wmma_transfer(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Program& program = *w.cta->launch->program;
  const WmmaPlan& plan = program.wmmas[i.target];
  const WmmaOperand& operand = plan.D;
  const auto inner = static_cast<std::uint64_t>(plan.row_major ? operand.cols : operand.rows);
  const auto outer = static_cast<std::uint64_t>(plan.row_major ? operand.rows : operand.cols);
  const auto bytes = static_cast<std::uint64_t>(operand.element_bytes);
  const std::uint64_t line_bytes = wmma_line_bytes(w, plan);
  const std::uint64_t address = address_of(w, {i.a, i.immediate, i.wide_address}, 0);
  for (int lane = 1; lane < kLanes; ++lane)
    if (address_of(w, {i.a, i.immediate, i.wide_address}, lane) != address)
      return fail(w, ErrorCode::illegal_instruction, "wmma", lane,
                  "the lanes of the warp give wmma different addresses",
                  "all of them must give the address of the matrix's first element");
  if (address % static_cast<unsigned>(plan.alignment) != 0) {
    refuse_alignment(w, 0, i.space, address, plan.alignment);
    return Flow::fault;
  }
  if (plan.by_ldmatrix && line_bytes % 16 != 0)
    return fail(
        w, ErrorCode::misaligned_address, "misaligned-address", 0,
        fmt::format("lines of {} bytes: wmma.load from shared memory takes 16 bytes at once",
                    line_bytes),
        "make each line a multiple of 16 bytes, and let it begin at one");
  std::byte* memory = find_bytes(w, i, address, (outer - 1) * line_bytes + inner * bytes);
  if (memory == nullptr) return Flow::fault;
  const std::uint32_t* rows = program.rows.data() + i.list;
  if (i.detail == 0)
    each_piece(w, operand, rows, plan.moves, [&](std::byte* piece, WmmaMove at, auto size) {
      std::memcpy(piece, memory + at.line * line_bytes + at.byte, size);
    });
  else
    each_piece(w, operand, rows, plan.moves, [&](const std::byte* piece, WmmaMove at, auto size) {
      std::memcpy(memory + at.line * line_bytes + at.byte, piece, size);
    });
  return Flow::next;
}

Flow run_wmma_multiply(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  w.cta->multiplied = true;
  const Program& program = *w.cta->launch->program;
  const WmmaPlan& plan = program.wmmas[i.target];
  alignas(64) std::byte a[kMostImageBytes] = {};
  alignas(64) std::byte b[kMostImageBytes];
  alignas(64) std::byte c[kMostImageBytes] = {};
  alignas(64) std::byte narrow[kMostImageBytes];
  const std::uint32_t* rows = program.rows.data() + i.list;
  const std::uint32_t* from = rows + plan.D.registers;
  gather(w, plan.A, from, a);
  from += plan.A.registers;
  gather(w, plan.B, from, b);
  from += plan.B.registers;
  gather(w, plan.C, from, plan.widens_c ? narrow : c);
  if (plan.widens_c) widen_c(plan.shape, narrow, c);
  if (plan.shape.accumulator == TensorType::f64) {
    multiply_packed(*plan.arithmetic, plan.shape, a, b, c, c, program.host);
  } else {
    TensorShape panels = plan.shape;
    panels.M = std::max(panels.M, kPanelRows);
    const Registers sums(c);
    multiply_fragments(*plan.arithmetic, panels,
                       {Registers(a).rows, Registers(b).rows, sums.rows, sums.rows}, program.host);
  }
  each_piece(w, plan.D, rows, plan.D.places,
             [&](std::byte* piece, std::uint32_t place, auto bytes) {
               if (!plan.narrows_d) return static_cast<void>(std::memcpy(piece, c + place, bytes));
               float sum;
               std::memcpy(&sum, c + place, 4);
               const auto half = static_cast<std::uint16_t>(numeric::encode(numeric::kF16, sum));
               std::memcpy(piece, &half, 2);
             });
  return Flow::next;
}

}  // namespace lanescope::emulator
