// SPDX-License-Identifier: MIT
// One tensor copy of three to five dimensions, in either mode, in or out, as a question wants it.
//
// PTX ISA 9.2, 9.7.9.25.5 (cp.async.bulk.tensor, cp.reduce.async.bulk.tensor).
#pragma once

#include <cuda.h>

#include <cstdint>

#include "../tensor_map.cuh"

enum Way { kLoad, kStore, kAdd, kTileLoad, kTileStore, kTileAdd };  // the first three: im2col
inline constexpr const char* kWays[] = {"load",      "store",      "add",
                                        "tile load", "tile store", "tile add"};
__host__ __device__ constexpr bool is_load(Way way) { return way == kLoad || way == kTileLoad; }

struct TensorCopy {
  Way way;
  int rank, bytes;  // of an element
  int at[5];
  unsigned short offset[3];
};

// %0 the box, %1 the map, %2 the mbarrier of a load, then coordinates and offsets.
#define COORDINATES_3 "{%3, %4, %5}"
#define COORDINATES_4 "{%3, %4, %5, %6}"
#define COORDINATES_5 "{%3, %4, %5, %6, %7}"
#define OFFSETS_3 "{%6}"
#define OFFSETS_4 "{%7, %8}"
#define OFFSETS_5 "{%8, %9, %10}"
#define OPERANDS_3                                                                     \
  "r"(box), "l"(map), "r"(barrier), "r"(copy.at[0]), "r"(copy.at[1]), "r"(copy.at[2]), \
      "h"(copy.offset[0])
#define OPERANDS_4                                                                     \
  "r"(box), "l"(map), "r"(barrier), "r"(copy.at[0]), "r"(copy.at[1]), "r"(copy.at[2]), \
      "r"(copy.at[3]), "h"(copy.offset[0]), "h"(copy.offset[1])
#define OPERANDS_5                                                                     \
  "r"(box), "l"(map), "r"(barrier), "r"(copy.at[0]), "r"(copy.at[1]), "r"(copy.at[2]), \
      "r"(copy.at[3]), "r"(copy.at[4]), "h"(copy.offset[0]), "h"(copy.offset[1]),      \
      "h"(copy.offset[2])
#define LOAD(rank, mode, offsets)                                             \
  asm volatile("cp.async.bulk.tensor." #rank "d.shared::cluster.global." mode \
               ".mbarrier::complete_tx::bytes [%0], [%1, " COORDINATES_##rank \
               "], [%2]" offsets ";" ::OPERANDS_##rank                        \
               : "memory")
#define STORE(instruction, rank, mode)                                                         \
  asm volatile(instruction ".tensor." #rank "d.global.shared::cta" mode                        \
                           ".bulk_group [%1, " COORDINATES_##rank "], [%0];" ::OPERANDS_##rank \
               : "memory")
#define COPY(rank)                                                \
  switch (copy.way) {                                             \
    case kLoad:                                                   \
      LOAD(rank, "im2col", ", " OFFSETS_##rank);                  \
      break;                                                      \
    case kStore:                                                  \
      STORE("cp.async.bulk", rank, ".im2col_no_offs");            \
      break;                                                      \
    case kAdd:                                                    \
      STORE("cp.reduce.async.bulk", rank, ".add.im2col_no_offs"); \
      break;                                                      \
    case kTileLoad:                                               \
      LOAD(rank, "tile", "");                                     \
      break;                                                      \
    case kTileStore:                                              \
      STORE("cp.async.bulk", rank, ".tile");                      \
      break;                                                      \
    case kTileAdd:                                                \
      STORE("cp.reduce.async.bulk", rank, ".add.tile");           \
  }

/// By one thread; box and barrier are addresses of shared memory.
__device__ void start(const TensorCopy& copy, const CUtensorMap* map, std::uint32_t box,
                      std::uint32_t barrier) {
  if (copy.rank == 3) COPY(3)
  if (copy.rank == 4) COPY(4)
  if (copy.rank == 5) COPY(5)
}
