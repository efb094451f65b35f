// SPDX-License-Identifier: MIT
// One question to im2col mode: a tensor, its map, and what is copied.
//
//     tensor [N][D][H][W][C]: pixels of C channels; an element's value is its number + 1, 0 is
//     outside
#pragma once

#include <array>
#include <string>

#include "../../tensor_map.cuh"
#include "../any_tensor_copy.cuh"
#include "../numbers.cuh"

struct Question {
  Way way = kLoad;
  int rank = 3;
  int bytes = 4;                           // of an element
  std::array<int, 5> size{8, 6, 1, 1, 1};  // C, W{, H{, D}}, N
  std::array<int, 3> lower{}, upper{};     // W, H, D
  std::array<int, 5> step{1, 1, 1, 1, 1};
  int channels = 4, pixels = 8;
  int swizzle = 0;
  std::array<int, 5> at{};
  std::array<int, 3> offset{};
  bool tiled = false;  // the map
};

inline CUresult make(const Question& q, void* tensor, CUtensorMap& map, int interleave = 0) {
  static const CUtensorMapDataType types[] = {
      CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
      CU_TENSOR_MAP_DATA_TYPE_UINT64};
  std::uint64_t size[6] = {}, stride[6] = {}, bytes = static_cast<std::uint64_t>(q.bytes);
  std::uint32_t step[6] = {};
  for (std::size_t d = 0; d < 5; ++d) {
    size[d] = static_cast<std::uint64_t>(q.size[d]);
    stride[d] = bytes *= size[d];
    step[d] = static_cast<std::uint32_t>(q.step[d]);
  }
  const CUtensorMapDataType type = types[q.bytes == 8 ? 3 : q.bytes / 2];
  if (q.tiled) {
    const std::uint32_t box[5] = {
        static_cast<std::uint32_t>(q.channels), static_cast<std::uint32_t>(q.pixels),
        static_cast<std::uint32_t>(q.upper[0] > 0 ? q.upper[0] : 1), 1, 1};
    return tensor_map_encoder()(&map, type, static_cast<std::uint32_t>(q.rank), tensor, size,
                                stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                static_cast<CUtensorMapSwizzle>(q.swizzle),
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  return im2col_map_encoder()(
      &map, type, static_cast<std::uint32_t>(q.rank), tensor, size, stride, q.lower.data(),
      q.upper.data(), static_cast<std::uint32_t>(q.channels), static_cast<std::uint32_t>(q.pixels),
      step, static_cast<CUtensorMapInterleave>(interleave),
      static_cast<CUtensorMapSwizzle>(q.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

inline void print(const Question& q) {
  const int inner = q.rank - 2;
  std::printf("%s%s %dd of %d bytes, size %s lower %s upper %s step %s box %dx%d swizzle %d at %s",
              kWays[q.way], q.tiled ? " by a tiled map" : "", q.rank, q.bytes,
              list(q.size, q.rank).c_str(), list(q.lower, inner).c_str(),
              list(q.upper, inner).c_str(), list(q.step, q.rank).c_str(), q.pixels, q.channels,
              q.swizzle, list(q.at, q.rank).c_str());
  if (q.way == kLoad) std::printf(" offset %s", list(q.offset, inner).c_str());
  std::printf(":");
}
