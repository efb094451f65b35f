// SPDX-License-Identifier: MIT
// What the driver says to an interleaved map: "map NAME: RESULT".
#pragma once

#include "question.cuh"

inline void tell(char* tensor, const std::string& what, const Question& q) {
  CUtensorMap map;
  std::printf("map %s interleave %d %s: %d\n", is_tile(q) ? "tile" : "im2col", slice_bytes(q),
              what.c_str(), static_cast<int>(make(q, tensor, map)));
}

inline void tell_shapes(char* tensor, const Question& base) {
  for (int rank = 1; rank <= 5; ++rank) {
    Question q = base;
    q.rank = rank;
    tell(tensor, "rank " + std::to_string(rank), q);
  }
  for (int swizzle = 0; swizzle <= 6; ++swizzle) {
    Question q = base;
    q.swizzle = swizzle;
    tell(tensor, "swizzle " + std::to_string(swizzle), q);
    q.box[0] = 256;
    tell(tensor, "swizzle " + std::to_string(swizzle) + " of 512 bytes", q);
  }
  for (const int off : {4, 8, 16, 32}) tell(tensor + off, "address + " + std::to_string(off), base);
  for (std::size_t d = 0; d < 3; ++d)
    for (const int bytes : {0, 8, 16, 32}) {
      Question q = base;
      q.stride[d] = bytes;
      tell(tensor, "stride " + std::to_string(d) + " of " + std::to_string(bytes), q);
    }
  for (std::size_t d = 0; d < 4; ++d)
    for (const int step : {0, 8, 9}) {
      Question q = base;
      q.step[d] = step;
      tell(tensor, "step " + std::to_string(d) + " of " + std::to_string(step), q);
    }
}

inline void tell_boxes(char* tensor, const Question& base) {
  for (const int bytes : {1, 2, 4, 8})
    for (const int channels : {0, 1, 2, 4, 8, 12, 16, 17, 24, 256, 257}) {
      Question q = base;
      q.bytes = bytes;
      q.box[0] = channels;
      tell(tensor, std::to_string(channels) + " of " + std::to_string(bytes) + " bytes", q);
    }
  for (const int rows : {57, 58, 228, 229}) {
    Question q = base;
    q.box = {64, rows, 32, 1, 1};
    q.pixels = 4 * rows;
    tell(tensor, "box of 64 x " + std::to_string(rows) + " x 32", q);
    q.box[0] = 256;
    tell(tensor, "box of 256 x " + std::to_string(rows) + " x 32", q);
  }
  for (const int size : {0, 1, 7, 40}) {
    Question q = base;
    q.size[0] = size;
    tell(tensor, "tensor of " + std::to_string(size), q);
  }
}

inline void tell_maps() {
  char* tensor = nullptr;
  CHECK(cudaMalloc(&tensor, 1 << 20));
  for (const Way way : {kTileLoad, kLoad})
    for (int interleave = 1; interleave <= 2; ++interleave) {
      Question base;
      base.way = way;
      base.interleave = interleave;
      tell_shapes(tensor, base);
      tell_boxes(tensor, base);
    }
}
