// SPDX-License-Identifier: MIT
// --bench of lesson 22: what an SM takes for the products and for the softmax, each alone; then the
// four kernels against each other, on normal random numbers, for 16 heads of 16384 queries in all,
// in sequences of 1024 to 16384. The answers of each are compared with f64, in rows drawn at
// random.
//
// Method: common/device/bench.cuh. For GPUs only.
#pragma once

#include <vector>

#include "bench.cuh"
#include "bench_gemm.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "record.cuh"
#include "tiles.cuh"

/// One of the four kernels, and how it is launched.
template <class AnyRecorder>
struct Rung {
  const char* does;
  int consumers;
  void (*kernel)(Maps, Size, float, float*, AnyRecorder);
  size_t shared_bytes;

  int queries() const { return kGroupQueries * consumers; }  // of a block
  int threads() const { return 128 * (consumers + 1); }
  void launch(const Maps& maps, const Size& size, float scale, float* O,
              AnyRecorder recorder) const {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)));
    kernel<<<dim3(size.queries / queries(), size.heads), threads(), shared_bytes>>>(
        maps, size, scale, O, recorder);
    CUDA_CHECK(cudaGetLastError());
  }
};

namespace bench_attention {

constexpr float kScale = 0.08838834764831845f * 1.4426950408889634f;  // 1 / sqrt(128), log2 e
constexpr int kRows = 64;                                             // that are checked

/// A row of O by one block, a thread a column. What it allows: each weight is rounded to f16, by
/// 2^-11 of it or, below the normal ones, 2^-25; scores and powers are off by less than half of
/// that, as are the sums.
static __global__ void check_rows(const uint16_t* Q, const uint16_t* K, const uint16_t* V,
                                  const float* O, Size size, int* wrong) {
  extern __shared__ double weights[];
  const auto number = [](uint16_t bits) { return bench::decode(bits, bench::Type::kF16); };
  const int col = static_cast<int>(threadIdx.x);
  const size_t row = bench::mixed(blockIdx.x) % (size_t(size.heads) * size.queries);
  const size_t first = row / size.queries * size.keys;
  for (int key = col; key < size.keys; key += kDim) {
    double score = 0;
    for (int i = 0; i < kDim; ++i)
      score += number(Q[row * kDim + i]) * number(K[(first + key) * kDim + i]);
    weights[key] = score * kScale;
  }
  __syncthreads();
  double largest = -INFINITY, sum = 0, top = 0, lost = 0, below = 0;
  for (int key = 0; key < size.keys; ++key) largest = fmax(largest, weights[key]);
  for (int key = 0; key < size.keys; ++key) {
    const double weight = exp2(weights[key] - largest), v = number(V[(first + key) * kDim + col]);
    sum += weight, top += weight * v, lost += weight * fabs(v), below += fabs(v);
  }
  const double allowed = (2 * 0x1p-11 * lost + 0x1p-25 * below) / sum;
  if (!(fabs(O[row * kDim + col] - top / sum) <= allowed)) atomicAdd(wrong, 1);
}

// ---- What the parts take ------------------------------------------------------------------------

enum class Part { kProducts, kPowers, kSoftmax, kBoth };

/// One multiprocessor does a part again and again, on tiles that stay: clocks of a round.
template <class Rows, Part kPart>
static __global__ void __launch_bounds__(256, 1) time_part(float* clocks, float* seen) {
  extern __shared__ __align__(1024) unsigned char raw[];
  auto& q = *reinterpret_cast<Tile<kGroupQueries>*>(raw);
  auto& k = *reinterpret_cast<Tile<kBlockKeys>*>(raw + sizeof q);
  for (size_t i = threadIdx.x; i < (sizeof q + sizeof k) / 16; i += blockDim.x)
    reinterpret_cast<uint4*>(raw)[i] = {};
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  constexpr int kRounds = 64;
  Sums s = {}, o = {};
  Weights p = {};
  Rows rows;
  const long long begin = clock64();
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    ptx::settle(s), ptx::settle(o);
    for (auto& of : p) ptx::settle(of);
    if (kPart == Part::kProducts || kPart == Part::kBoth) {
      ptx::wgmma_fence_sync_aligned();
      multiply_by_keys(s, q, k);
      multiply_by_values(o, p, k);
      ptx::wgmma_wait_group_sync_aligned<0>();
    }
    if (kPart == Part::kPowers)
#pragma unroll
      for (float& power : s) power = power_of_two(power);
    if (kPart == Part::kSoftmax || kPart == Part::kBoth) {
      rows.soften(s, 1);
#pragma unroll
      for (int i = 0; i < 64; ++i) o[i] *= rows.shrink[i / 2 % 2];
      to_weights(p, s);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *clocks = static_cast<float>(clock64() - begin) / kRounds;
  for (int i = 0; i < 64; ++i)
    seen[threadIdx.x] += s[i] + o[i] + __uint_as_float(p[i / 8][i % 4]) + rows.sum[i % 2];
}

template <class Rows>
void print_clocks() {
  std::printf(
      "\nClocks of a multiprocessor for 64 queries and 128 keys, and for twice that by two "
      "warpgroups:\n");
  const auto print = [](const char* name, auto kernel) {
    constexpr int kBytes = sizeof(Tile<kGroupQueries>) + sizeof(Tile<kBlockKeys>);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
    DeviceArray<float> seen(256);
    float clocks[2];
    for (int groups = 1; groups <= 2; ++groups) {
      DeviceArray<float> measured(1);
      for (int turn = 0; turn < 2; ++turn)  // the first launch also loads the code
        kernel<<<1, 128 * groups, kBytes>>>(measured.data(), seen.data());
      clocks[groups - 1] = measured.get()[0];
    }
    std::printf("  %-46s %6.0f  %6.0f\n", name, clocks[0], clocks[1]);
  };
  print("both products", time_part<Rows, Part::kProducts>);
  print("8192 powers of two alone", time_part<Rows, Part::kPowers>);
  print("the softmax, all of it", time_part<Rows, Part::kSoftmax>);
  print("products and softmax, one after the other", time_part<Rows, Part::kBoth>);
}

// ---- The race -----------------------------------------------------------------------------------

inline bool race(const std::vector<Rung<NoRecorder>>& rungs, const Size& size, bool zeros,
                 const bench::Monitor& monitor) {
  const size_t queries = size_t(size.heads) * size.queries * kDim;
  const size_t keys = size_t(size.heads) * size.keys * kDim;
  DeviceArray<uint16_t> Q(queries), K(keys), V(keys);
  DeviceArray<float> O(queries);
  uint64_t seed = 0;
  for (auto* rows : {&Q, &K, &V})
    if (zeros)
      CUDA_CHECK(cudaMemset(rows->data(), 0, rows->size() * 2));
    else
      bench::fill_normal<<<1024, 256>>>(rows->data(), rows->size(), ++seed, bench::Type::kF16);
  const Maps maps = maps_of(Q.data(), K.data(), V.data(), size);
  std::vector<bench::Contestant> contestants;
  bool good = true;
  for (const auto& rung : rungs) {
    const auto start = [&rung, &maps, &size, &O](int) {
      rung.launch(maps, size, kScale, O.data(), NoRecorder());
    };
    DeviceArray<int> wrong(std::vector<int>{0});
    CUDA_CHECK(cudaMemset(O.data(), 0xff, O.size() * 4));
    start(0);
    CUDA_CHECK(cudaFuncSetAttribute(check_rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    size.keys * 8));
    check_rows<<<kRows, kDim, size.keys * 8>>>(Q.data(), K.data(), V.data(), O.data(), size,
                                               wrong.data());
    if (const int found = wrong.get()[0]; found != 0)
      std::printf("  %s: %d of %d elements are WRONG\n", rung.does, found, kRows * kDim),
          good = false;
    contestants.push_back({rung.does, start});
  }
  std::printf("\n%d heads, %d queries, %d keys each%s; O is %s\n", size.heads, size.queries,
              size.keys, zeros ? ", zeros" : "", good ? "right in all" : "WRONG");
  const double flop = 4.0 * size.heads * size.queries * size.keys * kDim;
  for (const bench::Measured& one : bench::race(contestants, {5, 0.3}, monitor)) {
    const double seconds = one.seconds.median;
    std::printf("  %-46s %8.1f us  %6.1f TFLOP/s  +-%.1f %%  %5.0f MHz  %4.0f W\n",
                one.name.c_str(), seconds * 1e6, flop / seconds * 1e-12,
                bench::spread_percent(one.seconds), one.mhz, one.watts);
  }
  return good;
}

template <class Rows>
int run(const std::vector<Rung<NoRecorder>>& rungs, bool zeros) {
  if (bench::needs_gpu()) return 0;
  std::printf("%s\n", bench::card().c_str());
  print_clocks<Rows>();
  const bench::Monitor monitor;
  bool good = true;
  for (const int length : {1024, 2048, 4096, 8192, 16384})
    good = race(rungs, {16 * 16384 / length, length, length}, zeros, monitor) && good;
  return good ? 0 : 1;
}

}  // namespace bench_attention
