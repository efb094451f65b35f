// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix and movmatrix. mma.sync: execute_mma.cpp.
//
//     8x8 matrix of b16: lane 4r+c holds row r, columns 2c and 2c+1; .trans: rows 2c and 2c+1 of
//     column r. Lane 8m+r gives the address of row r of matrix m.
//     8x16 matrix of bytes: the same with four columns. 16x16, .trans: two registers, four rows of
//     columns r and r + 8; lane 16m+r gives the address of row r. Elements of 6 and 4 bits are
//     unpacked to a byte each.
//     stmatrix of bytes: 8 rows of 16, store_bytes below.
//
// With a lane of the warp missing an H200 does nothing at all (docs/experiments/missing_lanes.md);
// here the kernel ends.
//
// Source: PTX ISA 9.2, 9.7.14.5.15 to 9.7.14.5.17.
#include <cstring>

#include "emulator/decode/warp_operation.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/unpack_unit.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

using Matrix = std::uint16_t[8][8];

// The addresses come from the first 8 lanes a matrix.
bool row_pointers(Warp& w, const Instruction& i, std::uint64_t* hosts) {
  const int rows = 8 * i.count;
  return handlers(w).resolve(w, i, rows == kLanes ? kAllLanes : (1u << rows) - 1, hosts);
}

// A matrix of 16 rows of 16 bytes, which are two Matrix: register 0 of a lane has bytes of column
// lane / 4, register 1 of column lane / 4 + 8.
void turn_bytes(const Matrix* sixteen_rows, int reg, std::uint32_t* d) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(sixteen_rows);
  for (int lane = 0; lane < kLanes; ++lane) {
    d[lane] = 0;
    for (int k = 0; k < 4; ++k)
      d[lane] |= static_cast<std::uint32_t>(bytes[(lane % 4 * 4 + k) * 16 + lane / 4 + 8 * reg])
                 << 8 * k;
  }
}

// Lane 4c+r's bytes are of rows 2r and 2r+1: two of column c, two of column c + 8.
void store_bytes(const std::uint32_t* s, Matrix& eight_rows) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(eight_rows);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int k = 0; k < 4; ++k)
      bytes[(lane % 4 * 2 + k % 2) * 16 + lane / 4 + k / 2 * 8] =
          static_cast<std::uint8_t>(s[lane] >> 8 * k);
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
  for (int row = 0; row < 8 * i.count && i.target < 8; ++row)
    unpack_unit(reinterpret_cast<std::byte*>(matrices[row / 8][row % 8]),
                static_cast<int>(i.target));
  const std::uint32_t* rows = rows_at(w, i.list);
  const auto form = static_cast<MatrixForm>(i.detail);
  for (int m = 0; m < i.count; ++m) {
    auto* d = row<std::uint32_t>(w, rows[m]);
    const Matrix& matrix = matrices[m];
    if (form == MatrixForm::as_it_is && active == kAllLanes) {
      std::memcpy(d, matrix, sizeof(Matrix));
      continue;
    }
    if (form == MatrixForm::turned_bytes) {
      turn_bytes(&matrices[m / 2 * 2], m % 2, d);
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
  const auto form = static_cast<MatrixForm>(i.detail);
  for (int m = 0; m < i.count; ++m) {
    const auto* s = row<std::uint32_t>(w, rows[m]);
    Matrix matrix;
    if (form == MatrixForm::turned_bytes) store_bytes(s, matrix);
    for (int lane = 0; lane < kLanes && form != MatrixForm::turned_bytes; ++lane) {
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

}  // namespace lanescope::emulator
