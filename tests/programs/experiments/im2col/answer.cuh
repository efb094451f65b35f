// SPDX-License-Identifier: MIT
// What came of a copy, in a line: the pixels of a load by their numbers, the places of a store.
#pragma once

#include "question.cuh"

inline long element(const std::vector<unsigned char>& bytes, std::size_t index, int each) {
  long value = 0;
  for (int b = each - 1; b >= 0; --b)
    value =
        value << 8 | bytes[index * static_cast<std::size_t>(each) + static_cast<std::size_t>(b)];
  return value;
}

// Pixels as "17" (from its first channel on), "17+4" from its channel 4 on, "." outside; "/" and a
// number: how many channels came, where that is not all of the box's.
inline void show_load(const Question& q, const std::vector<unsigned char>& seen) {
  if (q.swizzle != 0 || q.bytes == 1) {
    std::uint64_t hash = 14695981039346656037ull;
    for (const unsigned char byte : seen) hash = (hash ^ byte) * 1099511628211ull;
    std::printf(" bits %016llx", static_cast<unsigned long long>(hash));
    return;
  }
  for (int p = 0; p < q.pixels; ++p) {
    long first = 0;
    int came = 0, odd = 0, skipped = 0;
    for (int c = 0; c < q.channels; ++c) {
      const long value = element(seen, static_cast<std::size_t>(p * q.channels + c), q.bytes);
      if (value != 0 && came++ == 0) {
        first = value - 1;
        skipped = c;
      }
      odd += value != 0 && value - 1 != first + c - skipped;
    }
    if (came == 0)
      std::printf(" .");
    else
      std::printf(" %ld", first / q.size[0]);
    if (came != 0 && first % q.size[0] != 0) std::printf("+%ld", first % q.size[0]);
    if (came != 0 && came != q.channels) std::printf("/%d", came);
    if (skipped != 0) std::printf("(%d)", skipped);
    if (odd != 0) std::printf("?");
  }
  const std::size_t end = static_cast<std::size_t>(q.pixels * q.channels * q.bytes);
  if (end < seen.size() && seen[end] != 0xff) std::printf(" and more");
}

// What changed, element by element: "where=what" for the first channel of each pixel.
inline void show_store(const Question& q, const std::vector<unsigned char>& now, int elements) {
  int channels = 0, pixels = 0;
  for (int i = 0; i < elements; ++i) {
    const long value = element(now, static_cast<std::size_t>(i), q.bytes);
    const long old = i + 1;
    if (value == old) continue;
    ++channels;
    const long put = (q.way == kAdd ? value - old : value) - 1;
    if (put % q.channels == 0) {
      ++pixels;
      std::printf(" %d+%d=%ld", i / q.size[0], i % q.size[0], put / q.channels);
    }
  }
  std::printf(" (%d elements)", channels);
}
