// SPDX-License-Identifier: MIT
// Right kernels of PTX that multiply matrices by mma.sync, each written in another way: types,
// tiles, warps, blocks, how the matrices lie, how they come to the registers (straight from global
// memory, or through shared memory by cp.async or stores, padded, swizzled or neither, one buffer
// or two, by ldmatrix or by loads), in which order k is taken, whether there is a C, whether
// the last tiles are full, how D goes back. And mistakes in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanescope::tests {

/// One of A, B, D in global memory.
struct GemmMatrix {
  std::string type;  // f16, as the launcher has it
  int rows = 0, cols = 0;
  bool columns = false;  // column after column
  int line = 0;          // elements from line to line
  int bytes() const {    // of an element
    return type == "s8" || type == "e4m3" ? 1 : type == "f16" || type == "bf16" ? 2 : 4;
  }
  int lines() const { return columns ? cols : rows; }
  int index(int row, int col) const { return columns ? col * line + row : row * line + col; }
};

struct RandomGemm {
  std::string ptx;
  GemmMatrix a, b, d;  // parameters 0, 1 and d_at
  std::optional<GemmMatrix> c;
  int c_at = 0, d_at = 2;
  int alpha = 1, beta = 1;  // D = alpha * A * B + beta * C
  int blocks_m = 1, blocks_n = 1;
  int last_row = 0, last_col = 0;   // where the last block begins
  std::vector<std::string> launch;  // words behind the file
};

enum class GemmMistake {
  registers,  // two registers of an mma, or a wgmma, exchanged, of whichever operand
  strayed,    // a register of C that is another mma's
  halves,     // the two halves of a word
  trans,      // an ldmatrix without its .trans, a wgmma with another bit
  barrier,    // a barrier, or a wait, left out
  // Of how a kernel is thought of, made wherever it comes to that.
  c_place,    // C of another tile
  c_line,     // in lines of another length
  c_turned,   // read as its transpose
  c_half,     // the lower eight rows are the upper ones
  c_pair,     // the two elements of a lane exchanged
  c_again,    // added in every step of k
  d_half,     // the lower eight rows stored over the upper ones
  d_pair,     // the two elements of a lane exchanged
  d_pitch,    // read from shared memory in rows of another length
  d_swizzle,  // stored there with a swizzle, read without
  edge_off,   // D's bound is one more
  edge_none,  // a last step of k that is not filled up with zeros
};

/// The same for the same seed. With such a mistake; its PTX "" where there is no place for it.
RandomGemm random_gemm(unsigned seed, std::optional<GemmMistake> mistake = std::nullopt);
/// By wgmma and tensor copies.
RandomGemm random_wgmma(unsigned seed);

/// Its PTX with one mistake; "" where there is no place for it.
std::string with_mistake(const RandomGemm& gemm, GemmMistake mistake, unsigned seed);

}  // namespace lanescope::tests
