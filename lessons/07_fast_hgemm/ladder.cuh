// SPDX-License-Identifier: MIT
// The ladder: every rung with its tile, and how it is launched. Not the kernels, which have a file
// each.
#pragma once

#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "rung_0_naive.cuh"
#include "rung_10_producer.cuh"
#include "rung_11_rolling.cuh"
#include "rung_12_halves.cuh"
#include "rung_1_tile.cuh"
#include "rung_2_swizzle.cuh"
#include "rung_3_stages.cuh"
#include "rung_4_ldmatrix.cuh"
#include "rung_5_warp_tile.cuh"
#include "rung_6_double_buffer.cuh"
#include "rung_7_serpentine.cuh"
#include "rung_8_raster.cuh"
#include "rung_9_epilogue.cuh"

enum class Grid { kPlane, kRow, kOwn };  // blocks by row and column; numbered; as the rung likes

struct Rung {
  const char* name;
  const char* what;
  void (*kernel)(Gemm);
  int M, N, K;  // of a block's tile
  int threads;
  int shared_bytes;  // dynamic
  Grid grid;
  void (*start)(const Gemm&, int blocks) = nullptr;  // Grid::kOwn: by at most so many blocks
};

inline int arch_of_card() {
  cudaDeviceProp properties{};
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  return properties.major * 100 + properties.minor * 10;
}

/// Rungs 10 to 12 need a Hopper and code for sm_90a.
inline bool has_rung_10() {
  if (arch_of_card() != 900) return false;
  DeviceArray<int> answer(1);
  rung_10::is_compiled<<<1, 1>>>(answer.data());
  return answer.get()[0] == 1;
}

inline std::vector<Rung> ladder() {
  constexpr int kFour = rung_3::kSharedBytes;
  const int big = rung_5::shared_bytes(arch_of_card());
  std::vector<Rung> rungs{
      {"naive", "16 x 8, global memory", rung_0::naive, 16, 8, 16, 32, 0, Grid::kPlane},
      {"tile", "128 x 128, shared memory", rung_1::tile, 128, 128, 32, 256, 0, Grid::kPlane},
      {"swizzle", "no bank conflicts", rung_2::swizzle, 128, 128, 32, 256, 0, Grid::kPlane},
      {"stages", "cp.async, four stages", rung_3::stages, 128, 128, 32, 256, kFour, Grid::kPlane},
      {"ldmatrix", "ldmatrix.x4", rung_4::ldmatrix, 128, 128, 32, 256, kFour, Grid::kPlane},
      {"warp tile", "128 x 256, 64 x 64 a warp", rung_5::warp_tile, 128, 256, 64, 256, big,
       Grid::kPlane},
      {"double buffer", "fragments loaded ahead", rung_6::double_buffer, 128, 256, 64, 256, big,
       Grid::kPlane},
      {"serpentine", "every other row backwards", rung_7::serpentine, 128, 256, 64, 256, big,
       Grid::kPlane},
      {"raster", "groups of 16 tile rows", rung_8::raster, 128, 256, 64, 256, big, Grid::kRow},
      {"epilogue", "C in 16-byte pieces", rung_9::epilogue, 128, 256, 64, 256, big, Grid::kRow},
  };
  for (const Rung& rung : rungs)
    CUDA_CHECK(cudaFuncSetAttribute(rung.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    rung.shared_bytes));
  if (has_rung_10()) {
    const auto allow = [](const void* kernel, int bytes) {
      CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    };
    allow(reinterpret_cast<const void*>(rung_10::producer), rung_10::kSharedBytes);
    allow(reinterpret_cast<const void*>(rung_11::rolling), rung_11::Whole::kSharedBytes);
    allow(reinterpret_cast<const void*>(rung_12::pieces<rung_11::Whole>),
          rung_11::Whole::kSharedBytes);
    allow(reinterpret_cast<const void*>(rung_12::pieces<rung_12::Half>),
          rung_12::Half::kSharedBytes);
    const auto add = [&](const char* name, const char* what, auto start, int M, int N, int bytes) {
      rungs.push_back(
          {name, what, nullptr, M, N, rung_10::kK, rung_10::kThreads, bytes, Grid::kOwn, start});
    };
    add("producer", "TMA, and no barrier", rung_10::launch, rung_10::kM, rung_10::kN,
        rung_10::kSharedBytes);
    add("rolling", "256 x 192, 64 x 96 a warp", rung_11::launch, rung_11::kM, rung_11::kN,
        rung_11::Whole::kSharedBytes);
    add("halves", "the last round in halves", rung_12::launch, rung_11::kM, rung_11::kN,
        rung_11::Whole::kSharedBytes);
  }
  return rungs;
}

/// `blocks`: at most so many, where the rung leaves that open; 0: as many as the card has room for.
inline void launch(const Rung& rung, const Gemm& g, int blocks = 0) {
  if (rung.grid == Grid::kOwn) {
    rung.start(g, blocks > 0 ? blocks : rung_10::multiprocessors());
  } else {
    const auto down = static_cast<unsigned>(blocks_along(g.M, rung.M));
    const auto across = static_cast<unsigned>(blocks_along(g.N, rung.N));
    const dim3 grid = rung.grid == Grid::kRow ? dim3(down * across) : dim3(across, down);
    rung.kernel<<<grid, static_cast<unsigned>(rung.threads),
                  static_cast<std::size_t>(rung.shared_bytes)>>>(g);
  }
  CUDA_CHECK(cudaGetLastError());
}
