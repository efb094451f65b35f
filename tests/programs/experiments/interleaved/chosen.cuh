// SPDX-License-Identifier: MIT
// Chosen questions: one thing changed at a time, around a tile and around a column of pixels.
#pragma once

#include <vector>

#include "question.cuh"

struct Questions {
  std::vector<Question> all;
  template <class Change>
  void with(const Question& base, Change change) {
    Question q = base;
    change(q);
    all.push_back(q);
  }
};

inline void ask_around(Questions& to, const Question& base) {
  const int rank = base.rank;
  to.all.push_back(base);
  for (const int at : {-8, -1, 1, 5, 12, 16}) to.with(base, [&](Question& q) { q.at[0] = at; });
  for (std::size_t d = 1; d < static_cast<std::size_t>(rank); ++d)
    for (const int at : {-1, base.size[d] - 1, base.size[d]})
      to.with(base, [&](Question& q) { q.at[d] = at; });
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d)
    for (const int step : {2, 3})
      to.with(base, [&](Question& q) {
        q.step[d] = step;
        q.box[d] *= 2;
      });
  for (int swizzle = 0; swizzle <= 3; ++swizzle)
    to.with(base, [&](Question& q) { q.swizzle = swizzle; });
}

// How many make a box.
inline void ask_boxes(Questions& to, const Question& base) {
  for (const int channels : {0, 1, 4, 7, 9, 12, 16, 24, 256, 257})
    to.with(base, [&](Question& q) { q.box[0] = channels; });
  for (std::size_t d = 1; d < static_cast<std::size_t>(base.rank); ++d)
    for (const int many : {1, 3})
      to.with(base, [&](Question& q) { is_tile(q) ? q.box[d] = many : q.pixels = many; });
  for (const int less : {1, 9})
    to.with(base, [&](Question& q) {
      q.size[0] -= less;
      q.at[0] = 8;
    });
}

inline void ask_corners(Questions& to, const Question& base) {
  for (std::size_t s = 0; s < static_cast<std::size_t>(base.rank - 2); ++s) {
    for (const int corner : {-1, 1}) {
      to.with(base, [&](Question& q) { q.lower[s] = corner; });
      to.with(base, [&](Question& q) { q.upper[s] = corner; });
    }
    if (base.way != kLoad) continue;
    for (const int offset : {1, 33, 257}) to.with(base, [&](Question& q) { q.offset[s] = offset; });
  }
}

// What the copy does to elements, and maps that a kernel has made interleaved.
inline void ask_types(Questions& to, const Question& base) {
  for (const int type : {7, 10, 11, 12})  // f32, f32 ftz, tf32, tf32 ftz
    for (const bool fills_nan : {false, true})
      to.with(base, [&](Question& q) {
        q.bytes = 4;
        q.type = type;
        q.fills_nan = fills_nan;
        q.at[0] = -3;
        if (!is_tile(q)) q.at[0] = 14;
      });
  if (base.way != kTileLoad) return;
  for (const int at : {0, -1})
    to.with(base, [&](Question& q) {
      q.is_replaced = true;
      q.at[0] = at;
    });
}

inline void ask_chosen(Questions& to) {
  for (int interleave = 1; interleave <= 2; ++interleave)
    for (int rank = 3; rank <= 5; ++rank)
      for (const Way way : {kTileLoad, kTileStore, kTileAdd, kLoad, kStore, kAdd}) {
        Question q;
        q.way = way;
        q.rank = rank;
        q.interleave = interleave;
        q.swizzle = interleave == 2 ? 1 : 0;
        if (way == kAdd || way == kTileAdd) q.bytes = 4;
        if (way != kAdd && way != kTileAdd) ask_around(to, q);
        if (rank == 4) ask_boxes(to, q);
        if (!is_tile(q)) ask_corners(to, q);
        if (rank == 4 && is_load(way)) ask_types(to, q);
      }
}
