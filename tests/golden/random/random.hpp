// SPDX-License-Identifier: MIT
// Where the programs' chances come from: splitmix64, the same everywhere. Draws are made one a
// statement, since the order in which a call's arguments are computed is the compiler's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::golden::random {

class Random {
 public:
  explicit Random(std::uint64_t seed)
      : state_(seed * 0xd1342543de82ef95ull + 0x632be59bd9b4e019ull) {}

  std::uint64_t next() {
    std::uint64_t word = state_ += 0x9e3779b97f4a7c15ull;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
    return word ^ (word >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace lanescope::golden::random
