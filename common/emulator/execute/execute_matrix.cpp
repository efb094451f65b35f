// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix, movmatrix and mma.sync.
//
//     8x8 matrix of b16: lane 4r+c holds row r, columns 2c and 2c+1; .trans: rows 2c and 2c+1 of
//     column r. Lane 8m+r gives the address of row r of matrix m.
//
// With a lane of the warp missing an H200 does nothing at all (docs/experiments/missing_lanes.md);
// here the kernel ends.
//
// Source: PTX ISA 9.2, 9.7.14.5.15 to 9.7.14.5.17, 9.7.14.5.14.
#include <array>
#include <cstring>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

using Matrix = std::uint16_t[8][8];

// The addresses come from the first 8 lanes a matrix.
bool row_pointers(Warp& w, const Instruction& i, std::uint64_t* hosts) {
  const int rows = 8 * i.count;
  return handlers(w).resolve(w, i, rows == kLanes ? kAllLanes : (1u << rows) - 1, hosts);
}

}  // namespace

Flow run_matrix_load(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  std::uint64_t hosts[kLanes];
  if (!row_pointers(w, i, hosts)) return Flow::fault;
  // Addresses may sit in a destination register: all rows are read before any is written.
  Matrix matrices[4];
  for (int row = 0; row < 8 * i.count; ++row)
    std::memcpy(matrices[row / 8][row % 8], reinterpret_cast<const void*>(hosts[row]), 16);
  const std::uint32_t* rows = rows_at(w, i.list);
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
  if (!row_pointers(w, i, hosts)) return Flow::fault;
  const std::uint32_t* rows = rows_at(w, i.list);
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

constexpr std::size_t kRegisterBytes = 4 * kFragmentLanes;
constexpr std::size_t kMostImageBytes = 4 * 4 * kRegisterBytes;  // mma.m8n8k4: C of four matrices
constexpr std::size_t kMostOperandRegisters = 4;

// Register after register of an image.
template <class Pointers>
void point(Pointers& registers, std::byte* image) {
  for (std::size_t k = 0; k < registers.size(); ++k)
    registers[k] = reinterpret_cast<std::uint32_t*>(image + k * kRegisterBytes);
}

// The registers are what the arithmetic takes. D has a place of its own until all is read: its
// registers may be others' too.
void multiply_registers(const MatrixPlan& plan, std::byte* const* rows, Host host) {
  std::array<std::uint32_t*, 16> registers;
  const int operands = plan.A.registers + plan.B.registers + plan.C.registers;
  for (int k = 0; k < operands; ++k)
    registers[static_cast<std::size_t>(k)] =
        reinterpret_cast<std::uint32_t*>(rows[plan.D.registers + k]);
  alignas(64) std::byte image[4 * kRegisterBytes];
  std::array<std::uint32_t*, 4> d;
  point(d, image);
  std::uint32_t* const* a = registers.data();
  std::uint32_t* const* b = a + plan.A.registers;
  multiply_fragments(*plan.arithmetic, plan.shape, {a, b, b + plan.B.registers, d.data()}, host);
  for (int k = 0; k < plan.D.registers; ++k)
    std::memcpy(rows[k], d[static_cast<std::size_t>(k)], kRegisterBytes);
}

// M = 8: the other half of the panel is zero.
void multiply_fragment_images(const MatrixPlan& plan, std::byte* a, std::byte* b, std::byte* c,
                              Host host) {
  TensorShape panel = plan.shape;
  panel.M = kPanelRows;
  std::array<std::uint32_t*, kMostOperandRegisters> a_rows, b_rows, c_rows;
  for (int m = 0; m < plan.matrices; ++m) {
    const auto at = static_cast<std::size_t>(m);
    point(a_rows, a + at * plan.A.image_bytes);
    point(b_rows, b + at * plan.B.image_bytes);
    point(c_rows, c + at * plan.D.image_bytes);
    multiply_fragments(*plan.arithmetic, panel,
                       {a_rows.data(), b_rows.data(), c_rows.data(), c_rows.data()}, host);
  }
}

void multiply_images(const MatrixPlan& plan, std::byte* const* rows, const std::byte* metadata,
                     Host host) {
  alignas(64) std::byte a[kMostImageBytes] = {};
  alignas(64) std::byte b[kMostImageBytes] = {};
  alignas(64) std::byte c[kMostImageBytes] = {};
  alignas(64) std::byte narrow[kMostImageBytes] = {};
  std::byte* const* from = rows + plan.D.registers;
  gather(plan.A, from, a);
  from += plan.A.registers;
  gather(plan.B, from, b);
  from += plan.B.registers;
  gather(plan.C, from, plan.widens_c ? narrow : c);
  for (std::size_t m = 0; plan.widens_c && m < static_cast<std::size_t>(plan.matrices); ++m)
    widen_c(plan.shape, narrow + m * plan.C.image_bytes, c + m * plan.D.image_bytes);
  if (plan.sparse.sparse())
    multiply_sparse(*plan.arithmetic, plan.shape, plan.sparse, &metadata, a, b, c, host);
  else if (plan.image == Image::dense)
    multiply_packed(*plan.arithmetic, plan.shape, a, b, c, c, host);
  else
    multiply_fragment_images(plan, a, b, c, host);
  scatter(plan.D, c, rows);
}

}  // namespace

Flow run_mma(Warp& w, const Instruction& i, std::uint32_t active) {
  if (!whole_warp(w, active)) return Flow::converge;
  const Program& program = *w.cta->launch->program;
  const MatrixPlan& plan = program.matrices[static_cast<std::size_t>(i.immediate)];
  std::byte* rows[24];
  const std::uint32_t* list = rows_at(w, i.list);
  const int count = plan.D.registers + plan.A.registers + plan.B.registers + plan.C.registers;
  for (int k = 0; k < count; ++k) rows[k] = w.rows + list[k];
  if (plan.image == Image::none)
    multiply_registers(plan, rows, program.host);
  else
    multiply_images(plan, rows, plan.sparse.sparse() ? w.rows + list[count] : nullptr,
                    program.host);
  return Flow::next;
}

}  // namespace lanescope::emulator
