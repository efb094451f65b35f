// SPDX-License-Identifier: MIT
// wmma: whole fragments between memory and registers, and their product.
//
// Source: PTX ISA 9.1, 9.7.14.4.
#include <fmt/format.h>

#include <cstring>

#include "emulator/cluster.hpp"
#include "emulator/handlers.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

bool whole_warp(Warp& w, std::uint32_t active) {
  w.required = kAllLanes;
  return active == kAllLanes;
}

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

// Calls move(register bytes of an element, its index in the matrix).
template <class Move>
void each_element(const Warp& w, const WmmaOperand& plan, const std::uint32_t* rows, Move move) {
  const auto per = static_cast<std::size_t>(plan.per_register());
  const std::uint32_t* element = plan.elements.data();
  for (int reg = 0; reg < plan.registers; ++reg) {
    std::byte* lanes = w.rows + rows[reg];
    for (std::size_t k = 0; k < kLanes * per; ++k)
      move(lanes + k * static_cast<std::size_t>(plan.element_bytes), *element++);
  }
}

void gather(const Warp& w, const WmmaOperand& plan, const std::uint32_t* rows, std::byte* matrix) {
  const auto bytes = static_cast<std::size_t>(plan.element_bytes);
  each_element(w, plan, rows, [&](const std::byte* lane, std::uint32_t element) {
    std::memcpy(matrix + element * bytes, lane, bytes);
  });
}

// Words of eight 4-bit elements become eight bytes: along the row (A), or down the column (B).
void unpack(std::byte* matrix, int rows, int cols, bool along_row) {
  std::byte words[1024];
  std::memcpy(words, matrix, static_cast<std::size_t>(rows * cols) * 4);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      for (int k = 0; k < 8; ++k) {
        const auto both = static_cast<unsigned>(words[(row * cols + col) * 4 + k / 2]);
        const int to = along_row ? (row * cols + col) * 8 + k : (row * 8 + k) * cols + col;
        matrix[to] = static_cast<std::byte>(k % 2 == 0 ? both & 0xf : both >> 4);
      }
}

void widen(const std::byte* halves, std::byte* words, int count) {
  for (int k = 0; k < count; ++k) {
    std::uint16_t half;
    std::memcpy(&half, halves + 2 * k, 2);
    const auto value = static_cast<float>(numeric::decode(numeric::kF16, half));
    std::memcpy(words + 4 * k, &value, 4);
  }
}

}  // namespace

Flow run_wmma_transfer(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Program& program = *w.cta->launch->program;
  const WmmaPlan& plan = program.wmmas[i.target];
  const WmmaOperand& operand = plan.D;
  const auto inner = static_cast<std::uint64_t>(plan.row_major ? operand.cols : operand.rows);
  const auto outer = static_cast<std::uint64_t>(plan.row_major ? operand.rows : operand.cols);
  std::uint64_t stride = inner;
  if (plan.stride != kNoRow)
    stride = row<std::uint32_t>(w, plan.stride)[0] / static_cast<unsigned>(operand.together);
  const auto bytes = static_cast<std::uint64_t>(operand.element_bytes);
  const std::uint64_t address = address_of(w, {i.a, i.immediate, i.wide_address}, 0);
  for (int lane = 1; lane < kLanes; ++lane)
    if (address_of(w, {i.a, i.immediate, i.wide_address}, lane) != address)
      return fail(w, ErrorCode::illegal_instruction, "wmma", lane,
                  "the lanes of the warp give wmma different addresses",
                  "all of them must give the address of the matrix's first element");
  if (address % bytes != 0) {
    refuse_alignment(w, 0, i.space, address, operand.element_bytes);
    return Flow::fault;
  }
  std::byte* memory = find_bytes(w, i, address, ((outer - 1) * stride + inner) * bytes);
  if (memory == nullptr) return Flow::fault;
  const auto cols = static_cast<std::uint32_t>(operand.cols);
  each_element(
      w, operand, program.rows.data() + i.list, [&](std::byte* lane, std::uint32_t element) {
        const std::uint64_t row = element / cols;
        const std::uint64_t col = element % cols;
        std::byte* at = memory + (plan.row_major ? row * stride + col : col * stride + row) * bytes;
        if (i.detail == 0)
          std::memcpy(lane, at, bytes);
        else
          std::memcpy(at, lane, bytes);
      });
  return Flow::next;
}

Flow run_wmma_multiply(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Program& program = *w.cta->launch->program;
  const WmmaPlan& plan = program.wmmas[i.target];
  alignas(64) std::byte a[1024];  // 32 x 16 of 2 bytes
  alignas(64) std::byte b[1024];
  alignas(64) std::byte c[1024];  // 256 of 4 bytes
  alignas(64) std::byte narrow[1024];
  const std::uint32_t* rows = program.rows.data() + i.list;
  const std::uint32_t* from = rows + plan.D.registers;
  gather(w, plan.A, from, a);
  from += plan.A.registers;
  gather(w, plan.B, from, b);
  from += plan.B.registers;
  gather(w, plan.C, from, plan.widens_c ? narrow : c);
  if (plan.A.together == 8) {
    unpack(a, plan.shape.M, plan.shape.K / 8, true);
    unpack(b, plan.shape.K / 8, plan.shape.N, false);
  }
  if (plan.widens_c) widen(narrow, c, plan.shape.M * plan.shape.N);
  multiply_packed(*plan.arithmetic, plan.shape, a, b, c, c);
  const auto bytes = static_cast<std::size_t>(plan.D.element_bytes);
  each_element(w, plan.D, rows, [&](std::byte* lane, std::uint32_t element) {
    std::memcpy(lane, c + element * bytes, bytes);
  });
  return Flow::next;
}

}  // namespace lanescope::emulator
