// SPDX-License-Identifier: MIT
// What came of a copy, 16 bytes at a time: the first of them in numbers, all of them as a hash.
//
//     memory's words are numbered; a place is bytes from the tensor's address on, in hexadecimal
#pragma once

#include <vector>

#include "question.cuh"

constexpr int kBoxBytes = 32768, kBoxWords = kBoxBytes / 4;
constexpr int kMemoryBytes = 2 << 20, kMemoryWords = kMemoryBytes / 4, kBase = 1 << 20;
constexpr int kShown = 8;

inline void print_place(long byte) {
  std::printf(byte < 0 ? "-%lx" : "%lx", byte < 0 ? -byte : byte);
}

// "-": nothing came; ".": zero; else the place, or the bits where it is none.
inline void print_word(std::uint32_t word) {
  if (word == 0xffffffffu)
    std::printf("-");
  else if (word == 0)
    std::printf(".");
  else if (word > static_cast<std::uint32_t>(kMemoryWords))
    std::printf("%08x?", word);
  else
    print_place(static_cast<long>(word - 1) * 4 - kBase);
}

inline void print_unit(const std::uint32_t* words) {
  bool same = true, follows = words[0] != 0xffffffffu && words[0] != 0;
  for (std::uint32_t k = 1; k < 4; ++k) {
    same = same && words[k] == words[0];
    follows = follows && words[k] == words[0] + k;
  }
  std::printf(" ");
  if (same || follows) return print_word(words[0]);
  for (int k = 0; k < 4; ++k) {
    if (k > 0) std::printf(",");
    print_word(words[k]);
  }
}

inline void print_hash(const std::vector<std::uint32_t>& words) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const std::uint32_t word : words) hash = (hash ^ word) * 1099511628211ull;
  std::printf(" bits %016llx", static_cast<unsigned long long>(hash));
}

/// `came`: bytes; `is_complete`: the mbarrier has heard of as many.
inline void show_load(const std::vector<std::uint32_t>& seen, int came, bool is_complete) {
  std::printf(" %d bytes%s:", came, is_complete ? "" : ", not what the mbarrier has heard of");
  for (int unit = 0; unit < kShown && 16 * unit < came; ++unit)
    print_unit(&seen[static_cast<std::size_t>(unit * 4)]);
  print_hash(seen);
}

/// "place<place in the box" for each 16 bytes that are stored.
inline void show_store(const std::vector<std::uint32_t>& now) {
  int units = 0;
  for (std::size_t i = 0; i < now.size(); i += 4) {
    if ((now[i] | now[i + 1] | now[i + 2] | now[i + 3]) == 0 || units++ >= kShown) continue;
    std::printf(" ");
    print_place(static_cast<long>(i) * 4 - kBase);
    std::printf("<%x", (now[i] - 1) * 4);
  }
  std::printf(" (%d)", units);
  print_hash(now);
}
