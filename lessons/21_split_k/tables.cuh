// SPDX-License-Identifier: MIT
// The tables of lesson 21, on the host: who has how many steps, which products are right, and what
// another order of the same parts makes of their sum. No instruction is in here.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "counts.cuh"
#include "problem.cuh"

// ---- 1. Rounds ----------------------------------------------------------------------------------

/// The most steps that a block has, and the most parts of a tile.
template <class Row>
int most_steps(const Row& row) {
  int most = 0;
  for (int block = 0; block < row.blocks; ++block)
    most = std::max(most, row.first_step(block + 1) - row.first_step(block));
  return most;
}
template <class Row>
int most_parts(const Row& row) {
  int most = 0;
  for (int tile = 0; tile < row.tiles; ++tile) most = std::max(most, row.parts(tile));
  return most;
}

/// In rounds: an SM takes the next block when it is done with one.
template <class Row>
void print_rounds() {
  constexpr int kSms = 132;
  std::printf(
      "1. Tiles of %d steps on %d SMs, a block each at a time: steps until the last SM is done,\n"
      "   and how much of the SMs' time is work\n\n"
      "   tiles   one block a tile      split by 4     split by 16        stream-K   parts\n",
      kSteps, kSms);
  for (const int tiles : {8, 33, 132, 143, 297}) {
    const auto print = [&](const Row& row) {
      const int time = (row.blocks + kSms - 1) / kSms * most_steps(row);
      std::printf("%9d %4.0f %%", time, 100.0 * tiles * kSteps / kSms / time);
    };
    std::printf("   %5d ", tiles);
    for (const int split : {1, 4, 16}) print({tiles, kSteps, tiles * split});
    const Row stream_k{tiles, kSteps, kSms};
    print(stream_k);
    std::printf("%8d\n", most_parts(stream_k));
  }
}

// ---- 2. Products --------------------------------------------------------------------------------

inline void print_head_of_products() {
  std::printf(
      "\n2. D = A * B, %d x %d by %d x %d: %d tiles of %d x %d, %d steps each\n\n"
      "                              blocks   most steps   parts of a tile     exact in D%s\n",
      kRows, kK, kK, kCols, kTiles, kTileRows, kTileCols, kSteps,
      counts::there() ? "   block 0's mma" : "");
}
/// `counted`: what the emulator says of the first block.
template <class Row>
bool print_product(const char* name, const Row& row, const Problem& p, const std::vector<float>& D,
                   bool counted, const counts::Block& block) {
  int exact = 0;
  for (size_t i = 0; i < D.size(); ++i) exact += D[i] == p.D[i];
  std::printf("   %-24s %8d %12d %17d %6d of %zu", name, row.blocks, most_steps(row),
              most_parts(row), exact, D.size());
  if (counted) std::printf("%16d", static_cast<int>(block.mma));
  std::printf("\n");
  return p.right(D);
}

// ---- 3. Orders ----------------------------------------------------------------------------------

inline uint32_t bits_of(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

/// The parts of every element, part after part in the order of k, out of the workspace.
template <class Row>
std::vector<std::vector<float>> parts_of_elements(const Row& row, const std::vector<float4>& parts,
                                                  Place (*place_of)(int, int, int)) {
  std::vector<std::vector<float>> all(kRows * kCols);
  for (int tile = 0; tile < row.tiles; ++tile)
    for (int part = 0; part < row.parts(tile); ++part)
      for (int thread = 0; thread < kThreads; ++thread) {
        const int place = row.place(row.first_block(tile) + part, tile);
        const float4& d = parts[static_cast<size_t>(place * kThreads + thread)];
        const float sums[4] = {d.x, d.y, d.z, d.w};
        for (int i = 0; i < 4; ++i) {
          const Place at = place_of(tile, thread, i);
          all[static_cast<size_t>(at.row * kCols + at.col)].push_back(sums[i]);
        }
      }
  return all;
}

using Order = std::vector<size_t>;
inline float sum_in(const Order& order, const std::vector<float>& parts) {
  float sum = 0;
  for (const size_t part : order) sum += parts[part];
  return sum;
}

/// What a way to add gave, launch after launch.
struct Launches {
  std::vector<std::vector<float>> all;
  size_t different() const {
    std::set<std::vector<uint32_t>> found;
    for (const std::vector<float>& D : all) {
      std::vector<uint32_t> bits;
      for (const float number : D) bits.push_back(bits_of(number));
      found.insert(bits);
    }
    return found.size();
  }
};

struct Orders {
  const Problem& problem;
  std::vector<std::vector<float>> parts;  // of every element
  size_t shown;                           // an element

  std::vector<float> D_in(const Order& order) const {
    std::vector<float> D;
    for (const std::vector<float>& of : parts) D.push_back(sum_in(order, of));
    return D;
  }
  void print() const {
    const auto line = [this](const char* name, const Order& order) {
      print(name, D_in(order));
      std::printf("\n");
    };
    std::printf(
        "\n3. The same with numbers whose sums f32 rounds, split by 4. D[%zu][%zu]'s parts "
        "are\n\n ",
        shown / kCols, shown % kCols);
    for (const float part : parts[shown]) std::printf("  %.9g", static_cast<double>(part));
    std::printf(
        "\n\n   added                        D[%zu][%zu]   elements with other bits       off by   "
        "launches\n",
        shown / kCols, shown % kCols);
    line("in the order 0, 1, 2, 3", {0, 1, 2, 3});
    line("in the order 3, 2, 1, 0", {3, 2, 1, 0});
    line("in the order 1, 3, 0, 2", {1, 3, 0, 2});
  }
  void print(const char* name, const std::vector<float>& D) const {
    const std::vector<float> straight = D_in({0, 1, 2, 3});
    int others = 0;
    for (size_t i = 0; i < D.size(); ++i) others += bits_of(D[i]) != bits_of(straight[i]);
    std::printf("   %-24s %12.9g %17d of %zu %12.1e", name, static_cast<double>(D[shown]), others,
                D.size(), problem.off(D));
  }
  void print(const char* name, const Launches& launches) const {
    print(name, launches.all.front());
    std::printf("   %zu: %zu D%s\n", launches.all.size(), launches.different(),
                launches.different() == 1 ? "" : "s");
  }
  /// Whether every element of D is the sum of its parts in some order.
  bool in_some_order(const std::vector<float>& D) const {
    for (size_t i = 0; i < D.size(); ++i) {
      bool found = false;
      Order order{0, 1, 2, 3};
      do found = found || D[i] == sum_in(order, parts[i]);
      while (std::next_permutation(order.begin(), order.end()));
      if (!found) return false;
    }
    return true;
  }
};
