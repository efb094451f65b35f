// SPDX-License-Identifier: MIT
// What a kernel of random_gemm.hpp is made of. The choices come first, then instruction after
// instruction; every part of it has several ways.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/gemm/ptx_writer.hpp"
#include "tests/fuzz/gemm/random_gemm.hpp"

namespace lanescope::tests {

/// What an mma of a type looks like.
struct Kind {
  const char* type;  // as the launcher has it
  const char* name;  // behind mma.sync.aligned.
  int bytes, k;
  bool whole = false;   // D of whole numbers
  bool halves = false;  // of f16, two in a register
};
using Names = std::vector<std::string>;

/// "{%r1, %r2}"
std::string list(const Names& names);

enum class Copy { none, asynchronous, vector, word };

/// Where C comes to the sums, if there is one: before the first product, or alpha * A * B + beta *
/// C behind the last one.
enum class Adds { nothing, first, last };

/// How a tile lies in shared memory: a line of the matrix after the other.
struct Tile {
  int lines = 0, stride = 0;  // in bytes
  bool swizzled = false;
  int bytes() const { return (lines * stride + 127) / 128 * 128; }
};

// Where the registers of A, of B begin in a tile: rows and k of the one, k of the other.
inline constexpr std::array<std::pair<int, int>, 4> kOfA{{{0, 0}, {8, 0}, {0, 1}, {8, 1}}};

class Generator {
 public:
  Generator(unsigned seed, std::optional<GemmMistake> mistake)
      : random_(seed), mistake_(mistake), w_(random_) {}
  RandomGemm made();

 private:
  // What is chosen first.
  Random random_;
  std::optional<GemmMistake> mistake_;
  bool is_made_ = false;
  int which_ = 0;  // of several mistakes of a kind
  Kind kind_{};
  int warps_m_ = 1, warps_n_ = 1, tiles_m_ = 1, tiles_n_ = 1, ks_ = 1, steps_ = 1;
  Copy copy_ = Copy::none;
  int stages_ = 1;
  bool a_by_ldmatrix_ = false, b_by_ldmatrix_ = false;
  GemmMatrix a_, b_, c_, d_;
  bool cut_m_ = false, cut_n_ = false, cut_k_ = false;  // their last tile is not full
  Adds adds_ = Adds::nothing;
  bool in_place_ = false;      // C is what lies in D
  bool factors_told_ = false;  // by parameters
  int alpha_ = 1, beta_ = 1;
  Tile a_tile_, b_tile_;
  // D goes through shared memory, where A and B were, or behind them.
  bool d_through_shared_ = false, d_by_stmatrix_ = false;
  int d_offset_ = 0;
  Tile d_tile_;

  // What the kernel has in registers.
  Writer w_;
  Value thread_, lane_, group_, in_group_, block_row_, block_col_, warp_row_, warp_col_;
  std::string a_base_, b_base_, c_base_, d_base_, tile_base_, alpha_reg_, beta_reg_;
  std::vector<std::vector<Names>> sums_;

  int threads() const { return 32 * warps_m_ * warps_n_; }
  int step() const { return ks_ * kind_.k; }
  int each() const { return std::max(4 / kind_.bytes, 1); }  // elements of a register
  Names fresh(char kind, int count);
  std::vector<int> in_some_order(int count);

  /// Whether this mistake is to be made, here.
  bool errs(GemmMistake mistake) {
    is_made_ = is_made_ || mistake_ == mistake;
    return mistake_ == mistake;
  }

  // Where an index ends: edges.cpp.
  enum class Edge { a_m, a_k, b_k, b_n, d_m, d_n };
  int bound(Edge edge);
  bool is_cut(Edge edge) const;
  bool is_padded_along_k() const;
  std::string inside(Edge one, const Value& at, Edge other, const Value& other_at);
  std::string both(const std::string& one, const std::string& other);
  std::string bytes_inside(Edge along, const Value& at, const std::string& inside);
  void zeros(const Names& names, const std::string& inside);

  void choose();
  void choose_c();
  void choose_tiles();
  void begin();
  void multiply(const std::vector<Names>& a, const std::vector<Names>& b);
  template <class Body>
  void along_k(const Body& body);

  // From global memory.
  std::string load(bool is_a, const Value& line, const Value& k);
  void straight(const Value& k);
  // Through shared memory.
  Value place(const Tile& tile, const Value& line, const Value& bytes, const Value& stage);
  void copy_in(bool is_a, const Value& k, const Value& stage);
  void fetch(const Value& k, const Value& stage);
  Names by_ldmatrix(bool is_a, int first, int k, int count, const Value& stage);
  std::string from_shared(bool is_a, const Value& line, const Value& k, const Value& stage);
  void compute(const Value& stage);
  void barrier();
  void commit();
  void wait(int pending);
  void staged();
  void in_two_stages();

  std::string packed(const Names& parts);
  // C and D: result.cpp.
  std::string address_of(const GemmMatrix& of, const std::string& base, const Value& row,
                         const Value& col);
  Value own_row(int i, int half);
  Value own_col(int j);
  bool lines_are_known() const;
  Names c_at(int i, int j, int half);
  void set_sums();
  void add_c();
  Names with_c(Names two, int i, int j, int half);
  Names parted(const std::string& both);
  bool pairs() const;
  void store_at(const std::string& type, const Value& row, const Value& col,
                const std::string& what);
  void store_two(const Names& two, const Value& row, const Value& col);
  void store();
  // D through shared memory: d_in_shared.cpp.
  void choose_d_tile();
  Value d_place(const Value& row, const Value& col, bool is_read);
  bool store_matrices(const Names& sums, int i, int j);
  void store_rows();
};

// `body` is told where a step begins, a number or a register.
template <class Body>
void Generator::along_k(const Body& body) {
  if (steps_ == 1 || random_.one_in(2)) {
    for (const int one : in_some_order(steps_)) body(number(one * step()));
    return;
  }
  const Value k{w_.fresh('r'), 0};
  const std::string again = w_.label(), more = w_.fresh('p');
  w_.put("mov.u32 {}, 0", k.reg);
  w_.place(again);
  body(k);
  w_.put("add.u32 {0}, {0}, {1}", k.reg, step());
  w_.put("setp.lt.u32 {}, {}, {}", more, k.reg, steps_ * step());
  w_.put("@{} bra {}", more, again);
}

}  // namespace lanescope::tests
