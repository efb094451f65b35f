// SPDX-License-Identifier: MIT
// One question to an interleaved tensor map: a tensor, its map, and what is copied.
#pragma once

#include <array>
#include <string>

#include "../../tensor_map.cuh"
#include "../any_tensor_copy.cuh"
#include "../numbers.cuh"

struct Question {
  Way way = kTileLoad;
  int rank = 4, bytes = 2;  // of an element
  int interleave = 1;       // CUtensorMapInterleave
  int swizzle = 0;
  std::array<int, 5> size{16, 4, 3, 3, 2};
  std::array<int, 4> stride{0x400, 0x2000, 0x10000, 0x40000};  // bytes
  std::array<int, 5> box{8, 2, 2, 2, 2};
  std::array<int, 5> step{1, 1, 1, 1, 1};
  std::array<int, 3> lower{}, upper{};  // im2col
  int pixels = 6;
  std::array<int, 5> at{};
  std::array<int, 3> offset{};
  int type = -1;  // CUtensorMapDataType, where it is no unsigned integer
  bool fills_nan = false;
  bool is_replaced = false;  // a map without interleave, changed by tensormap.replace
};
inline bool is_tile(const Question& q) { return q.way >= kTileLoad; }
inline int slice_bytes(const Question& q) { return 16 * q.interleave; }

inline CUresult make(const Question& q, void* tensor, CUtensorMap& map) {
  static const CUtensorMapDataType types[] = {
      CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
      CU_TENSOR_MAP_DATA_TYPE_UINT64};
  std::uint64_t size[6] = {}, stride[6] = {};
  std::uint32_t step[6] = {}, box[6] = {};
  for (std::size_t d = 0; d < 5; ++d) {
    size[d] = static_cast<std::uint64_t>(q.size[d]);
    if (d < 4) stride[d] = static_cast<std::uint64_t>(q.stride[d]);
    step[d] = static_cast<std::uint32_t>(q.step[d]);
    box[d] = static_cast<std::uint32_t>(q.box[d]);
  }
  const CUtensorMapDataType type = q.type >= 0 ? static_cast<CUtensorMapDataType>(q.type)
                                               : types[q.bytes == 8 ? 3 : q.bytes / 2];
  const auto rank = static_cast<std::uint32_t>(q.rank);
  const auto interleave = static_cast<CUtensorMapInterleave>(q.is_replaced ? 0 : q.interleave);
  const auto swizzle = static_cast<CUtensorMapSwizzle>(q.swizzle);
  const auto fill = q.fills_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  if (is_tile(q))
    return tensor_map_encoder()(&map, type, rank, tensor, size, stride, box, step, interleave,
                                swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  return im2col_map_encoder()(&map, type, rank, tensor, size, stride, q.lower.data(),
                              q.upper.data(), box[0], static_cast<std::uint32_t>(q.pixels), step,
                              interleave, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
}

inline void print(const Question& q) {
  const int inner = q.rank - 2;
  std::printf("%s %dd of %d bytes", kWays[q.way], q.rank, q.bytes);
  if (q.type >= 0) std::printf(" type %d", q.type);
  if (q.fills_nan) std::printf(" nan");
  if (q.is_replaced) std::printf(" replaced");
  std::printf(" interleave %d swizzle %d size %s stride %s box %s", slice_bytes(q), q.swizzle,
              list(q.size, q.rank).c_str(), list(q.stride, q.rank - 1).c_str(),
              is_tile(q) ? list(q.box, q.rank).c_str()
                         : (std::to_string(q.pixels) + "x" + std::to_string(q.box[0])).c_str());
  std::printf(" step %s", list(q.step, q.rank).c_str());
  if (!is_tile(q))
    std::printf(" lower %s upper %s", list(q.lower, inner).c_str(), list(q.upper, inner).c_str());
  std::printf(" at %s", list(q.at, q.rank).c_str());
  if (q.way == kLoad) std::printf(" offset %s", list(q.offset, inner).c_str());
  std::printf(":");
}
