// SPDX-License-Identifier: MIT
// Tensor maps. Most arguments of a call are right ones, or nearly all maps would be refused for
// the first wrong one.
#pragma once

#include "parameters.cuh"

namespace calls {

/// What both ways of encoding are given, and a map that is there, or not quite.
struct Tensor {
  alignas(64) unsigned char room[256];
  void* map;
  CUtensorMapDataType type;
  unsigned rank;
  void* address;
  cuuint64_t size[6], strides[6];
  cuuint32_t steps[6];
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

inline unsigned element_bytes(int type) {
  const unsigned all[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return type >= 0 && type < 13 ? all[type] : 1;
}

inline void draw_sizes(Tensor& made) {
  const cuuint64_t odd[] = {0,   1,          17,         1ull << 31, (1ull << 32) - 1, 1ull << 32,
                            255, 1ull << 33, 1ull << 40, 4097,       1ull << 20,       3};
  const cuuint64_t usual[] = {8, 16, 64, 128, 256, 1024, 4, 2, 32};
  cuuint64_t stride = 16;
  for (unsigned d = 0; d < 6; ++d) {
    made.size[d] = d >= made.rank ? 1 : rarely(10) ? one_of(odd) : one_of(usual);
    const auto row = d == 0 ? made.size[0] * element_bytes(made.type) : made.size[d] * stride;
    const cuuint64_t wrong[] = {0,          8,          24,        1ull << 39, (1ull << 40) - 16,
                                1ull << 40, 1ull << 41, row / 2,   row + 8,    16,
                                row + 32,   48,         (row | 15)};
    stride = (row + 31) / 32 * 32;
    if (d + 1 < made.rank && rarely(12)) stride = one_of(wrong);
    made.strides[d] = stride;
  }
}

inline void draw(Tensor& made) {
  made.map = made.room;
  if (rarely(40)) made.map = made.room + one_of({0, 4, 8, 16, 32, 64});
  made.type = CUtensorMapDataType(rarely(20) ? small(-1, 17) : small(0, 12));
  made.rank = unsigned(rarely(20) ? small(0, 6) : small(1, 5));
  const CUdeviceptr odd[] = {dev + 8, dev + 1, 0, dev + 48, CUdeviceptr(1) << 48, dev + 4};
  const auto which = rarely(12) ? small(0, 5) : -1;
  made.address = at(which >= 0 ? odd[which] : rarely(4) ? named("dev+16", dev + 16) : dev);
  draw_sizes(made);
  for (auto& step : made.steps) step = cuuint32_t(rarely(24) ? small(0, 10) : 1);
  made.interleave = CUtensorMapInterleave(rarely(3) ? small(0, rarely(8) ? 4 : 2) : 0);
  made.swizzle = CUtensorMapSwizzle(small(0, rarely(16) ? 8 : 3));
  made.promotion = CUtensorMapL2promotion(small(0, rarely(16) ? 5 : 3));
  made.fill = CUtensorMapFloatOOBfill(rarely(3) ? small(0, rarely(8) ? 3 : 1) : 0);
}

inline void put_replaced(Tensor& made) {
  const CUdeviceptr all[] = {dev, dev + 16, dev + 8, dev + 32, 0, CUdeviceptr(1) << 48};
  const auto which = small(0, 5);
  put("replace", cuTensorMapReplaceAddress((CUtensorMap*)made.map, at(all[which])));
}

inline int encode_tiled() {
  Tensor t{};
  draw(t);
  cuuint32_t box[6];
  const cuuint32_t odd[] = {0, 257, 255, 3, 17, 1u << 31, 512};
  for (unsigned d = 0; d < 6; ++d) {
    const cuuint32_t inner[] = {8, 16, 32, 64, 128, 256, 4, 2};
    const cuuint32_t outer[] = {1, 2, 4, 8, 1, 1, 64, 256};
    box[d] = d >= t.rank ? 1 : rarely(12) ? one_of(odd) : one_of(d == 0 ? inner : outer);
  }
  // As much as the swizzle takes.
  const int swizzled = int(t.swizzle);
  if (swizzled > 0 && swizzled < 4 && below(3))
    box[0] = say_value((16u << swizzled) / element_bytes(t.type) / (1 + below(2)));
  const auto missing = rarely(30) ? small(0, 3) : -1;
  const auto e = cuTensorMapEncodeTiled(
      (CUtensorMap*)t.map, t.type, t.rank, t.address, missing == 0 ? nullptr : t.size,
      missing == 1 ? nullptr : t.strides, missing == 2 ? nullptr : box,
      missing == 3 ? nullptr : t.steps, t.interleave, t.swizzle, t.promotion, t.fill);
  if (!e) put_replaced(t);
  return e;
}

inline int encode_im2col() {
  Tensor t{};
  draw(t);
  if (t.rank < 3 && !rarely(8)) t.rank = unsigned(small(3, 5));
  int lower[4], upper[4];
  const int odd[] = {-129, 127, 128, -128, -32769, 32767, 15, -16, 16, -17};
  for (int k = 0; k < 3; ++k) {
    lower[k] = rarely(12) ? one_of(odd) : -small(0, 3);
    upper[k] = rarely(12) ? one_of(odd) : -small(0, 3);
  }
  const cuuint32_t channels[] = {8, 16, 32, 64, 128, 256, 4, 8, 16, 0, 257, 3};
  const cuuint32_t pixels[] = {1, 8, 64, 128, 1024, 1, 8, 0, 1025, 3, 256};
  const auto c = one_of(channels), p = one_of(pixels);
  const auto missing = rarely(30) ? small(0, 4) : -1;
  const auto e = cuTensorMapEncodeIm2col(
      (CUtensorMap*)t.map, t.type, t.rank, t.address, missing == 0 ? nullptr : t.size,
      missing == 1 ? nullptr : t.strides, missing == 2 ? nullptr : lower,
      missing == 3 ? nullptr : upper, c, p, missing == 4 ? nullptr : t.steps, t.interleave,
      t.swizzle, t.promotion, t.fill);
  if (!e) put_replaced(t);
  return e;
}

inline int replace_address() {
  alignas(64) unsigned char room[128] = {};
  return cuTensorMapReplaceAddress(
      rarely(3) ? named("null", (CUtensorMap*)nullptr) : (CUtensorMap*)room, at(dev));
}

// Drawn more often than others: there is most to ask.
#define LANESCOPE_TILED \
  { "cuTensorMapEncodeTiled", encode_tiled }
#define LANESCOPE_IM2COL \
  { "cuTensorMapEncodeIm2col", encode_im2col }
inline const Call kTensorMaps[] = {
    LANESCOPE_TILED,  LANESCOPE_TILED,  LANESCOPE_TILED,
    LANESCOPE_TILED,  LANESCOPE_TILED,  LANESCOPE_TILED,
    LANESCOPE_TILED,  LANESCOPE_TILED,  LANESCOPE_TILED,
    LANESCOPE_TILED,  LANESCOPE_TILED,  LANESCOPE_TILED,
    LANESCOPE_TILED,  LANESCOPE_TILED,  LANESCOPE_TILED,
    LANESCOPE_TILED,  LANESCOPE_TILED,  LANESCOPE_TILED,
    LANESCOPE_TILED,  LANESCOPE_TILED,  LANESCOPE_IM2COL,
    LANESCOPE_IM2COL, LANESCOPE_IM2COL, LANESCOPE_IM2COL,
    LANESCOPE_IM2COL, LANESCOPE_IM2COL, LANESCOPE_IM2COL,
    LANESCOPE_IM2COL, LANESCOPE_IM2COL, LANESCOPE_IM2COL,
    LANESCOPE_IM2COL, LANESCOPE_IM2COL, {"cuTensorMapReplaceAddress", replace_address},
};
#undef LANESCOPE_IM2COL
#undef LANESCOPE_TILED

}  // namespace calls
