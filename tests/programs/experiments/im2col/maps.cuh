// SPDX-License-Identifier: MIT
// What the driver says to a map: "map NAME: RESULT".
#pragma once

#include "question.cuh"

inline void tell(char* tensor, const std::string& what, const Question& q, int interleave = 0) {
  CUtensorMap map;
  std::printf("map %s: %d\n", what.c_str(), static_cast<int>(make(q, tensor, map, interleave)));
}

inline void tell_ranks_and_corners(char* tensor, const Question& base) {
  tell(tensor, "as it is", base);
  for (int rank = 2; rank <= 6; ++rank) {
    Question q = base;
    q.rank = rank;
    tell(tensor, "of rank " + std::to_string(rank), q);
  }
  for (int rank = 3; rank <= 5; ++rank)
    for (const int corner :
         {-32769, -32768, -129, -128, -17, -16, 15, 16, 127, 128, 32767, 32768}) {
      Question q = base;
      q.rank = rank;
      q.size = {64, 40000, rank == 3 ? 2 : 300, rank == 4 ? 2 : 40, 2};
      q.lower[0] = corner;
      tell(tensor, "rank " + std::to_string(rank) + " lower " + std::to_string(corner), q);
      q.lower[0] = 0;
      q.upper[0] = corner;
      tell(tensor, "rank " + std::to_string(rank) + " upper " + std::to_string(corner), q);
    }
  for (const int upper : {-4, -5, -6, -7}) {
    Question q = base;
    q.upper[0] = upper;
    tell(tensor, "upper " + std::to_string(upper) + " of 6", q);
    q.upper = {0, upper + 2, 0};
    tell(tensor, "second upper " + std::to_string(upper + 2) + " of 4", q);
  }
}

inline void tell_boxes(char* tensor, const Question& base) {
  for (const int channels : {0, 1, 2, 3, 4, 5, 60, 64, 68, 128, 256, 260, 512}) {
    Question q = base;
    q.channels = channels;
    tell(tensor, "channels " + std::to_string(channels), q);
  }
  for (const int pixels : {0, 1, 256, 257, 1023, 1024, 1025}) {
    Question q = base;
    q.pixels = pixels;
    tell(tensor, "pixels " + std::to_string(pixels), q);
    q.channels = 64;
    tell(tensor, "pixels " + std::to_string(pixels) + " of 64 channels", q);
  }
  for (const int bytes : {4, 8}) {  // of the whole box: 64 or 32 channels of 256 bytes
    for (const int pixels : {904, 907, 908, 909, 912, 913, 960, 1000, 1016, 1022}) {
      Question q = base;
      q.bytes = bytes;
      q.channels = 256 / bytes;
      q.pixels = pixels;
      tell(tensor,
           std::to_string(pixels) + " pixels of 256 bytes, elements of " + std::to_string(bytes),
           q);
    }
  }
  for (const int rows : {1, 4, 14, 15, 16, 32, 64, 256}) {  // a tile of 64 KiB in two dimensions
    Question q = base;
    q.tiled = true;
    q.size = {64, 256, 256, 2, 2};
    q.channels = 64;
    q.pixels = 256;
    q.upper[0] = rows;  // the third dimension of the box
    tell(tensor, "tile of 256 x 256 bytes x " + std::to_string(rows), q);
  }
}

inline void tell_the_rest(char* tensor, const Question& base) {
  for (std::size_t d = 0; d < 4; ++d)
    for (const int step : {0, 8, 9}) {
      Question q = base;
      q.step[d] = step;
      tell(tensor, "step " + std::to_string(step) + " of " + std::to_string(d), q);
    }
  for (int swizzle = 0; swizzle <= 8; ++swizzle)
    for (const int channels : {4, 8, 12, 16, 32, 36}) {
      Question q = base;
      q.swizzle = swizzle;
      q.channels = channels;
      tell(tensor, "swizzle " + std::to_string(swizzle) + " channels " + std::to_string(channels),
           q);
    }
  for (int interleave = 0; interleave <= 3; ++interleave)
    for (const int swizzle : {0, 1}) {
      Question q = base;
      q.swizzle = swizzle;
      tell(tensor,
           "interleave " + std::to_string(interleave) + " swizzle " + std::to_string(swizzle), q,
           interleave);
    }
  for (const int off : {4, 8, 16}) tell(tensor + off, "address + " + std::to_string(off), base);
  for (const int channels : {0, 1, 6, 8}) {
    Question q = base;
    q.size[0] = channels;
    tell(tensor, "tensor of " + std::to_string(channels) + " channels", q);
  }
}

inline void tell_maps() {
  char* tensor = nullptr;
  CHECK(cudaMalloc(&tensor, 1 << 20));
  Question base;
  base.rank = 4;
  base.size = {64, 6, 4, 2, 2};
  base.pixels = 16;
  tell_ranks_and_corners(tensor, base);
  tell_boxes(tensor, base);
  tell_the_rest(tensor, base);
}
