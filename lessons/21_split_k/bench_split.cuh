// SPDX-License-Identifier: MIT
// --bench of lesson 21: two products, one with far fewer tiles than the card has SMs and a long k,
// one whose last round of tiles is nearly empty. One block a tile against K split by 2, 4, 8 and
// 16, added by atomics or by the last block, and stream-K with a block for every SM, and with as
// many as the card holds at a time. The same loop for all: four warps make a tile of 64 x 64, and
// load their fragments of A and B, which lie in fragment order (lesson 19), straight into
// registers, the next steps' while they multiply. Whole numbers: every D has to be exact.
//
// Method: common/device/bench.cuh. For GPUs only.
#pragma once

#include <string>
#include <vector>

#include "bench.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "ptx/mma.cuh"

namespace bench_split {

constexpr int kTile = 64, kThreads = 128, kAhead = 4;  // steps of k on their way

struct Size {
  int M, N, K;
  __host__ __device__ int tiles() const { return M / kTile * (N / kTile); }
  __host__ __device__ int steps() const { return K / 16; }
};

// ---- Numbers: whole, from -2 to 2 ---------------------------------------------------------------

__host__ __device__ inline int number(int seed, int index, int k) {
  const uint32_t once = static_cast<uint32_t>(index * 65536 + k + seed) * 2654435761u;
  return static_cast<int>((once ^ once >> 15) * 2654435761u >> 16) % 5 - 2;
}
__device__ inline uint32_t two(int seed, int index, int k) {
  uint32_t both = 0;
  for (int half = 0; half < 2; ++half) {
    const int n = number(seed, index, k + half);
    both |= (F16::encode(n < 0 ? -n : n) | (n < 0 ? 0x8000u : 0u)) << half * 16;
  }
  return both;
}
constexpr int kSeedA = 0, kSeedB = 0x1234567;

// 16 rows of A, and 16 columns of B, are a piece of 512 bytes for every step: 16 bytes a lane.
static __global__ void fill(uint4* A, uint4* B, Size size) {
  const int lane = static_cast<int>(threadIdx.x), step = static_cast<int>(blockIdx.x);
  const int index = static_cast<int>(blockIdx.y) * 16 + lane / 4, k = step * 16 + lane % 4 * 2;
  const size_t at = (size_t(blockIdx.y) * size.steps() + step) * 32 + lane;
  if (index < size.M)  // registers 0 to 3
    A[at] = make_uint4(two(kSeedA, index, k), two(kSeedA, index + 8, k), two(kSeedA, index, k + 8),
                       two(kSeedA, index + 8, k + 8));
  if (index < size.N)  // two of column lane / 4, two of that eight further on
    B[at] = make_uint4(two(kSeedB, index, k), two(kSeedB, index, k + 8), two(kSeedB, index + 8, k),
                       two(kSeedB, index + 8, k + 8));
}
/// A thread an element, no tensor core.
static __global__ void count_wrong(const float* D, Size size, int* wrong) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y);
  int sum = 0;
  for (int k = 0; col < size.N && k < size.K; ++k)
    sum += number(kSeedA, row, k) * number(kSeedB, col, k);
  if (col < size.N && D[size_t(row) * size.N + col] != static_cast<float>(sum)) atomicAdd(wrong, 1);
}

// ---- The kernel ---------------------------------------------------------------------------------

/// A warp's quarter of a tile, 32 x 32: 2 x 4 mma.
struct Sums {
  float d[2][4][4];
};
struct Loaded {
  uint4 a[2], b[2];
};

__device__ inline Loaded load(const uint4* A, const uint4* B, const Size& size, int tile,
                              int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int across = size.N / kTile;
  const uint4* a = A + (size_t(tile / across * 4 + warp % 2 * 2) * size.steps() + step) * 32 + lane;
  const uint4* b = B + (size_t(tile % across * 4 + warp / 2 * 2) * size.steps() + step) * 32 + lane;
  return {{a[0], a[size.steps() * 32]}, {b[0], b[size.steps() * 32]}};
}
__device__ inline void multiply(Sums& sums, const Loaded& of) {
  for (int i = 0; i < 2; ++i) {
    const uint32_t a[4] = {of.a[i].x, of.a[i].y, of.a[i].z, of.a[i].w};
    for (int j = 0; j < 4; ++j) {
      const uint4& pair = of.b[j / 2];
      const uint32_t b[2] = {j % 2 == 0 ? pair.x : pair.z, j % 2 == 0 ? pair.y : pair.w};
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(sums.d[i][j], a, b, sums.d[i][j]);
    }
  }
}

template <class LastBlock, class Row, bool kAtomics>
__global__ void __launch_bounds__(kThreads)
    split(const uint4* A, const uint4* B, float* D, Size size, Row row, float4* parts, int* came) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int block = static_cast<int>(blockIdx.x), end = row.first_step(block + 1);
  for (int step = row.first_step(block); step < end;) {
    const int tile = step / row.steps, tile_end = min((tile + 1) * row.steps, end);
    Sums sums = {};
    Loaded ring[kAhead];
    const auto ask = [&](int of) {  // beyond the share: the last one again, which nobody uses
      return load(A, B, size, tile, min(of, tile_end - 1) % row.steps);
    };
#pragma unroll
    for (int i = 0; i < kAhead; ++i) ring[i] = ask(step + i);
    for (; step < tile_end; step += kAhead)
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        const Loaded now = ring[i];
        ring[i] = ask(step + i + kAhead);
        if (step + i < tile_end) multiply(sums, now);
      }
    step = tile_end;

    const int across = size.N / kTile;
    float* to = D + size_t(tile / across * kTile + warp % 2 * 32 + lane / 4) * size.N +
                tile % across * kTile + warp / 2 * 32 + lane % 4 * 2;
    const auto place = [&](int i, int j, int n) {
      return to + size_t(i * 16 + n / 2 * 8) * size.N + j * 8 + n % 2;
    };
    const int count = row.parts(tile);
    if (kAtomics && count > 1) {
      for (int i = 0; i < 32; ++i)
        atomicAdd(place(i / 16, i / 4 % 4, i % 4), sums.d[i / 16][i / 4 % 4][i % 4]);
      continue;
    }
    if (count > 1) {
      float4* mine = parts + size_t(row.place(block, tile)) * 8 * kThreads + thread;
      for (int i = 0; i < 8; ++i) {
        const float(&d)[4] = sums.d[i / 4][i % 4];
        mine[i * kThreads] = make_float4(d[0], d[1], d[2], d[3]);
      }
      if (!LastBlock::is_this(came + tile, count)) continue;
      sums = {};
      const float4* all =
          parts + size_t(row.place(row.first_block(tile), tile)) * 8 * kThreads + thread;
#pragma unroll 2
      for (int part = 0; part < count; ++part)
        for (int i = 0; i < 8; ++i) {
          const float4 d = all[(part * 8 + i) * kThreads];
          float(&sum)[4] = sums.d[i / 4][i % 4];
          sum[0] += d.x, sum[1] += d.y, sum[2] += d.z, sum[3] += d.w;
        }
    }
    for (int i = 0; i < 32; i += 2) {
      const float(&d)[4] = sums.d[i / 16][i / 4 % 4];
      *reinterpret_cast<float2*>(place(i / 16, i / 4 % 4, i % 4)) =
          make_float2(d[i % 4], d[i % 4 + 1]);
    }
  }
}

// ---- The race -----------------------------------------------------------------------------------

template <class Row, class LastBlock>
bool race(const Size& size, int sms, int slots, const bench::Monitor& monitor) {
  const auto bytes = [&size](int rows) { return size_t(rows) * size.K / 8; };  // in uint4
  const int most = std::max(size.tiles() * 16, slots) + size.tiles();
  DeviceArray<uint4> A(bytes(size.M)), B(bytes(size.N));
  DeviceArray<float> D(size_t(size.M) * size.N);
  DeviceArray<float4> parts(size_t(most) * 8 * kThreads);
  DeviceArray<int> came(std::vector<int>(static_cast<size_t>(size.tiles()), 0));
  fill<<<dim3(size.steps(), std::max(size.M, size.N) / 16), 32>>>(A.data(), B.data(), size);
  std::vector<bench::Contestant> contestants;
  bool good = true;
  const auto enter = [&](const std::string& name, bool atomics, int blocks) {
    const Row row{size.tiles(), size.steps(), blocks};
    const auto kernel = atomics ? split<LastBlock, Row, true> : split<LastBlock, Row, false>;
    const auto start = [&size, &A, &B, &D, &parts, &came, atomics, kernel, row](int) {
      if (atomics) CUDA_CHECK(cudaMemsetAsync(D.data(), 0, D.size() * 4));
      kernel<<<row.blocks, kThreads>>>(A.data(), B.data(), D.data(), size, row, parts.data(),
                                       came.data());
    };
    DeviceArray<int> wrong(std::vector<int>{0});
    CUDA_CHECK(cudaMemset(D.data(), 0xff, D.size() * 4));
    for (int turn = 0; turn < 2; ++turn) start(turn);  // the counters have to be ready again
    count_wrong<<<dim3((size.N + 127) / 128, size.M), 128>>>(D.data(), size, wrong.data());
    if (const int count = wrong.get()[0]; count != 0)
      std::printf("  %s: %d elements are WRONG\n", name.c_str(), count), good = false;
    contestants.push_back({name, start});
  };
  enter("one block a tile", false, size.tiles());
  for (const int by : {2, 4, 8, 16})
    enter("split by " + std::to_string(by) + ", atomics", true, size.tiles() * by);
  for (const int by : {2, 4, 8, 16})
    enter("split by " + std::to_string(by) + ", last block", false, size.tiles() * by);
  for (const int blocks : {sms, slots})
    enter("stream-K, " + std::to_string(blocks) + " blocks", false, blocks);
  std::printf("\nD = A * B, %d x %d by %d x %d: %d tiles of %d x %d; D is %s\n", size.M, size.K,
              size.K, size.N, size.tiles(), kTile, kTile, good ? "exact in all" : "WRONG");
  const double flop = 2.0 * size.M * size.N * size.K;
  for (const bench::Measured& one : bench::race(contestants, {3}, monitor)) {
    const double seconds = one.seconds.median;
    std::printf("  %-26s %8.1f us  %6.1f TFLOP/s  +-%.1f %%  %5.0f MHz  %4.0f W\n",
                one.name.c_str(), seconds * 1e6, flop / seconds * 1e-12,
                bench::spread_percent(one.seconds), one.mhz, one.watts);
  }
  return good;
}

template <class Row, class LastBlock>
int run() {
  if (bench::needs_gpu()) return 0;
  cudaDeviceProp properties{};
  int each = 0;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, split<LastBlock, Row, false>,
                                                           kThreads, 0));
  const int sms = properties.multiProcessorCount, slots = each * sms;
  std::printf("%s\n%d blocks on an SM at a time: room for %d\n", bench::card().c_str(), each,
              slots);
  const bench::Monitor monitor;
  bool good = race<Row, LastBlock>({128, 256, 16384}, sms, slots, monitor);
  // A tenth more tiles than there is room for.
  const int across = (slots + slots / 10 + 11) / 12;
  good = race<Row, LastBlock>({768, across * kTile, 4096}, sms, slots, monitor) && good;
  return good ? 0 : 1;
}

}  // namespace bench_split
