// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix, movmatrix and mma.sync.
//
//     8x8 matrix of b16: lane 4r+c holds row r, columns 2c and 2c+1; .trans: rows 2c and 2c+1 of
//     column r. Lane 8m+r gives the address of row r of matrix m.
//
// Source: PTX ISA 9.1, 9.7.14.5.15 to 9.7.14.5.17, 9.7.14.5.14.
#include <fmt/format.h>

#include <cstring>

#include "emulator/handlers.hpp"
#include "emulator/warp.hpp"

namespace lanescope::emulator {
namespace {

// `.aligned`: every lane that is still alive has to be here.
bool whole_warp(Warp& w, std::uint32_t active) {
  w.required = w.alive;
  return (w.alive & ~active) == 0;
}

using Matrix = std::uint16_t[8][8];

// The addresses come from the first 8 lanes a matrix; those must be alive to give them.
bool row_pointers(Warp& w, const Instruction& i, std::uint32_t active, std::uint64_t* hosts) {
  const int rows = 8 * i.count;
  const std::uint32_t givers = rows == kLanes ? kAllLanes : (1u << rows) - 1;
  if ((givers & ~active) != 0) {
    fail(w, ErrorCode::illegal_instruction, "missing-lane", __builtin_ctz(givers & ~active),
         "a lane that gives the address of a matrix row has exited", "keep all 32 lanes alive");
    return false;
  }
  return handlers().resolve(w, i, givers, hosts);
}

const std::uint32_t* register_list(const Warp& w, const Instruction& i) {
  return w.cta->launch->program->rows.data() + i.list;
}

}  // namespace

Flow run_matrix_load(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  std::uint64_t hosts[kLanes];
  if (!row_pointers(w, i, active, hosts)) return Flow::fault;
  // Addresses may sit in a destination register: all rows are read before any is written.
  Matrix matrices[4];
  for (int row = 0; row < 8 * i.count; ++row)
    std::memcpy(matrices[row / 8][row % 8], reinterpret_cast<const void*>(hosts[row]), 16);
  const std::uint32_t* rows = register_list(w, i);
  for (int m = 0; m < i.count; ++m) {
    auto* d = row<std::uint32_t>(w, rows[m]);
    const Matrix& matrix = matrices[m];
    if (i.detail == 0 && active == kAllLanes) {
      std::memcpy(d, matrix, sizeof(Matrix));
      continue;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      if (((active >> lane) & 1) == 0) continue;
      const int r = lane / 4;
      const int c = lane % 4 * 2;
      const std::uint32_t low = i.detail == 0 ? matrix[r][c] : matrix[c][r];
      const std::uint32_t high = i.detail == 0 ? matrix[r][c + 1] : matrix[c + 1][r];
      d[lane] = low | high << 16;
    }
  }
  return Flow::next;
}

Flow run_matrix_store(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  std::uint64_t hosts[kLanes];
  if (!row_pointers(w, i, active, hosts)) return Flow::fault;
  const std::uint32_t* rows = register_list(w, i);
  for (int m = 0; m < i.count; ++m) {
    const auto* s = row<std::uint32_t>(w, rows[m]);
    Matrix matrix;
    for (int lane = 0; lane < kLanes; ++lane) {
      const int r = lane / 4;
      const int c = lane % 4 * 2;
      (i.detail == 0 ? matrix[r][c] : matrix[c][r]) = static_cast<std::uint16_t>(s[lane]);
      (i.detail == 0 ? matrix[r][c + 1] : matrix[c + 1][r]) =
          static_cast<std::uint16_t>(s[lane] >> 16);
    }
    for (int r = 0; r < 8; ++r)
      std::memcpy(reinterpret_cast<void*>(hosts[8 * m + r]), matrix[r], 16);
  }
  return Flow::next;
}

Flow run_matrix_move(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  Matrix matrix;
  std::memcpy(matrix, row<std::uint32_t>(w, i.a), sizeof(Matrix));
  auto* d = row<std::uint32_t>(w, i.d);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (((active >> lane) & 1) == 0) continue;
    const int r = lane / 4;
    const int c = lane % 4 * 2;
    d[lane] = matrix[c][r] | static_cast<std::uint32_t>(matrix[c + 1][r]) << 16;
  }
  return Flow::next;
}

namespace {

// Every finite f16 is an f32; the tensor cores' NaN is handled by the arithmetic itself.
float widened(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1f;
  const std::uint32_t mantissa = half & 0x3ff;
  float value;
  std::uint32_t bits = sign | (exponent + 112) << 23 | mantissa << 13;
  if (exponent == 0x1f) bits = sign | 0x7f800000u | mantissa << 13;
  std::memcpy(&value, &bits, 4);
  if (exponent == 0) value = (sign != 0 ? -1.0f : 1.0f) * static_cast<float>(mantissa) * 0x1p-24f;
  return value;
}

void widen(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    std::uint16_t half;
    std::memcpy(&half, from + 2 * k, 2);
    const float value = widened(half);
    std::memcpy(to + 4 * k, &value, 4);
  }
}

}  // namespace

Flow run_mma(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const MatrixPlan& plan = w.cta->launch->program->matrices[static_cast<std::size_t>(i.immediate)];
  constexpr std::size_t kMostBytes = 4096;  // m16n8k256 .b1 is 512 bytes, m16n8k64 .s4 1024
  alignas(64) std::byte a[kMostBytes];
  alignas(64) std::byte b[kMostBytes];
  alignas(64) std::byte c[kMostBytes];
  alignas(64) std::byte narrow[kMostBytes];
  std::byte* rows[24];
  const std::uint32_t* list = register_list(w, i);
  const int count = plan.D.registers + plan.A.registers + plan.B.registers + plan.C.registers;
  for (int k = 0; k < count; ++k) rows[k] = w.rows + list[k];
  std::byte* const* from = rows + plan.D.registers;
  gather(plan.A, from, a);
  from += plan.A.registers;
  gather(plan.B, from, b);
  from += plan.B.registers;
  gather(plan.C, from, plan.widens_c ? narrow : c);
  const auto matrices = static_cast<std::size_t>(plan.matrices);
  if (plan.widens_c) widen(narrow, c, plan.C.matrix_bytes * matrices / 2);
  if (plan.sparse.sparse()) {
    const std::byte* const metadata = w.rows + list[count];
    multiply_sparse(*plan.arithmetic, plan.shape, plan.sparse, &metadata, a, b, c);
  }
  for (std::size_t m = 0; !plan.sparse.sparse() && m < matrices; ++m) {
    std::byte* d = c + m * plan.D.matrix_bytes;
    multiply_packed(*plan.arithmetic, plan.shape, a + m * plan.A.matrix_bytes,
                    b + m * plan.B.matrix_bytes, d, d);
  }
  scatter(plan.D, c, rows);
  return Flow::next;
}

}  // namespace lanescope::emulator
