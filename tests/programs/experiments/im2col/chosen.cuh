// SPDX-License-Identifier: MIT
// Chosen questions, around the edges: where one may begin, offsets, steps, a store's bounding box.
#pragma once

#include "question.cuh"

using Questions = std::vector<Question>;

// Where a load begins: a row, an image, a channel.
inline void ask_places(Questions& all, const Question& base) {
  for (const int at : {-3, -2, -1, 0, 4, 5, 6, 7, 100})
    for (const std::size_t d : {1u, 2u}) {
      Question q = base;
      q.at[d] = at;
      all.push_back(q);
      q.step[1] = q.step[2] = 2;
      all.push_back(q);
    }
  for (const int at : {-2, -1, 1, 2, 3}) {  // images
    Question q = base;
    q.at[3] = at;
    all.push_back(q);
    q.step[3] = 2;
    all.push_back(q);
  }
  for (const int at : {-8, -4, -2, 1, 2, 4, 6, 8, 12}) {  // channels
    Question q = base;
    q.at[0] = at;
    all.push_back(q);
  }
}

inline void ask_steps_and_offsets(Questions& all, const Question& base) {
  for (const int step : {2, 3, 8}) {
    Question q = base;
    q.step[0] = step;
    all.push_back(q);
  }
  for (const int offset : {5, 100, 127, 128, 200, 255, 256, 300}) {
    Question q = base;
    q.offset[0] = offset;
    all.push_back(q);
    q.offset = {0, offset, 0};
    all.push_back(q);
  }
}

// Where a store begins; and the mode of the map beside that of the instruction.
inline void ask_stores_and_modes(Questions& all, const Question& base) {
  for (const Way way : {kStore, kAdd})
    for (const std::size_t d : {0u, 1u, 2u, 3u})
      for (const int at : {-4, -1, 2, 4, 6}) {
        Question q = base;
        q.way = way;
        q.at[d] = at;
        if (d != 1) q.at[1] = 0;
        all.push_back(q);
      }
  for (const bool tiled : {true, false})  // the mode of the map and that of the instruction
    for (const Way way : {kLoad, kStore, kAdd, kTileLoad, kTileStore}) {
      Question q = base;
      q.way = way;
      q.tiled = tiled;
      q.lower = q.upper = {};
      q.pixels = 8;
      all.push_back(q);
    }
}

inline void ask_stores(Questions& all, const Question& base) {
  // A store's bounding box, and where in it.
  for (const auto& [lower, upper, at, pixels] : {std::array{-1, 0, 0, 2},
                                                 {-1, 0, 0, 6},
                                                 {-1, 0, 0, 7},
                                                 {0, 1, 0, 2},
                                                 {0, 1, 5, 1},
                                                 {0, 1, 5, 2},
                                                 {0, 1, 6, 1},
                                                 {0, 2, 0, 30},
                                                 {1, -1, 1, 4},
                                                 {1, -1, 0, 1},
                                                 {1, -1, 4, 1},
                                                 {1, -1, 5, 1},
                                                 {2, 3, 2, 8}}) {
    Question q = base;
    q.way = kStore;
    q.lower = {lower, 0, 0};
    q.upper = {upper, 0, 0};
    q.at[1] = at;
    q.pixels = pixels;
    all.push_back(q);
    q.lower = {0, lower, 0};
    q.upper = {0, upper, 0};
    q.at = {0, 0, at, 0, 0};
    all.push_back(q);
  }
  for (const int image : {0, 1, 2, 3}) {  // images that a store may begin with
    Question q = base;
    q.way = kStore;
    q.lower = q.upper = {};
    q.at[3] = image;
    all.push_back(q);
    q.step[3] = 2;
    all.push_back(q);
  }
}

// Offsets too large for their bits; steps of the images.
inline void ask_large_offsets(Questions& all, const Question& base) {
  for (const int offset : {1, 15, 16, 31, 32, 33, 64, 255, 256, 32767, 32768, 65535})
    for (const int rank : {3, 5}) {
      Question q = base;
      q.rank = rank;
      q.size = {8, 6, rank == 3 ? 2 : 4, 2, 2};
      q.lower = {-1, 0, 0};
      q.pixels = 12;
      q.at = {};
      for (std::size_t d = 0; d < static_cast<std::size_t>(rank - 2); ++d) {
        q.offset = {};
        q.offset[d] = offset;
        all.push_back(q);
      }
    }
  for (const int rank : {3, 5})  // steps of the images
    for (const int step : {1, 2, 3}) {
      Question q = base;
      q.rank = rank;
      q.size = {8, 3, rank == 3 ? 5 : 1, 1, rank == 3 ? 1 : 5};
      q.lower = q.upper = {};
      q.step[static_cast<std::size_t>(rank - 1)] = step;
      q.pixels = 12;
      all.push_back(q);
    }
}

// Several at once: what one has too much of, the next may get.
inline void ask_offsets_together(Questions& all) {
  Numbers numbers;
  for (int k = 0; k < 48; ++k) {
    Question q;
    q.rank = k < 32 ? 5 : k < 40 ? 4 : 3;
    q.size = {4, 32, 32, 32, 1};
    if (q.rank == 4) q.size = {4, 256, 256, 1, 1};
    if (q.rank == 3) q.size = {4, 40000, 1, 1, 1};
    q.pixels = 1;
    const int most = k % 4 == 3 ? 65535 : k % 4 == 2 ? 1023 : 79;
    for (int d = 0; d < q.rank - 2; ++d)
      q.offset[static_cast<std::size_t>(d)] = between(numbers, 0, most);
    all.push_back(q);
  }
}

inline void ask_chosen(Questions& all) {
  Question base;  // 2 images of 4 x 6 pixels of 8 channels
  base.rank = 4;
  base.size = {8, 6, 4, 2, 1};
  base.lower = {-1, -1, 0};
  base.upper = {-1, -1, 0};
  base.pixels = 30;
  ask_places(all, base);
  ask_steps_and_offsets(all, base);
  ask_stores_and_modes(all, base);
  ask_stores(all, base);
  ask_large_offsets(all, base);
  for (const int pixels : {1, 256, 1024}) {
    Question q = base;
    q.pixels = pixels;
    all.push_back(q);
  }
  ask_offsets_together(all);
}
