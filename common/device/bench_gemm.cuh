// SPDX-License-Identifier: MIT
// What a benchmark of C = A*B needs besides a kernel: random inputs in as many copies as it takes
// to leave the L2, and answers checked against f64 on sampled rows. To race: bench.cuh, and
// cuBLASLt is in bench_cublas.cuh.
//
//     A  M x K, row-major    B  K x N, row-major, or (kColumns) column by column    C  M x N,
//     row-major; all of 16-bit elements, f16 or bf16, sums in f32
//
//     bench::GemmBuffers buffers({M, N, K}, bench::Type::kF16, bench::Order::kRows);
//     buffers.poison();                          // every C is NaN
//     kernel(buffers.A(set), buffers.B(set), buffers.C(set));
//     const bench::Verdict verdict = buffers.check(set);
//
// Source: what rounding may lose: docs/arithmetic.md.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>

#include "bench.cuh"
#include "device_array.cuh"

namespace bench {

enum class Type { kF16, kBf16 };
enum class Order { kRows, kColumns };  // of B

struct Problem {
  int M, N, K;
  double flop() const { return 2.0 * M * N * K; }
};

// ---- Inputs -------------------------------------------------------------------------------------

__host__ __device__ inline std::uint64_t mixed(std::uint64_t n) {  // SplitMix64
  n += 0x9e3779b97f4a7c15ull;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ull;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebull;
  return n ^ (n >> 31);
}

/// A normal number (mean 0, variance 1) that depends on seed and index alone: Box and Muller.
__device__ inline float normal(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = mixed(mixed(seed) + index);
  const float u = (static_cast<float>(bits >> 40) + 1) * 0x1p-24f;  // in (0, 1]
  const float v = static_cast<float>(bits & 0xffffff) * 0x1p-24f;   // in [0, 1)
  return sqrtf(-2 * logf(u)) * cospif(2 * v);
}

__device__ inline std::uint16_t encode(float value, Type type) {
  return type == Type::kF16 ? __half_as_ushort(__float2half_rn(value))
                            : __bfloat16_as_ushort(__float2bfloat16_rn(value));
}
__device__ inline double decode(std::uint16_t bits, Type type) {
  return type == Type::kF16 ? __half2float(__ushort_as_half(bits))
                            : __bfloat162float(__ushort_as_bfloat16(bits));
}

static __global__ void fill_normal(std::uint16_t* out, std::size_t count, std::uint64_t seed,
                                   Type type) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    out[i] = encode(normal(seed, i), type);
}

// ---- The answer ---------------------------------------------------------------------------------

struct Verdict {
  unsigned long long checked = 0, wrong = 0, nan = 0;
  double worst = 0;  // largest error as a share of what is allowed; at most 1 when all is right
  bool good() const { return checked > 0 && wrong == 0 && nan == 0; }
};

/// One thread an element of the sampled rows. What it allows is what the arithmetic may lose:
///   * C's own rounding, half a unit in the last place: 2^-11 of an f16, 2^-8 of a bf16;
///   * for every 8 products 5.5 * 2^-23 of the largest of product and sum so far: nine terms each
///     cut off below 2^-24 of the largest, then the sum below 2^-23 (sm_80; Hopper loses less). The
///     sums grow with sqrt(K), so this does with K * sqrt(K) at worst; twice, for another order of
///     k.
static __global__ void check_rows(const std::uint16_t* A, const std::uint16_t* B,
                                  const std::uint16_t* C, Problem p, Type type, Order order,
                                  int rows, std::uint64_t seed, Verdict* verdict) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= p.N) return;
  // The last row always, the others drawn.
  const int sample = static_cast<int>(blockIdx.y);
  const int row = sample == 0 || rows >= p.M
                      ? p.M - 1 - sample
                      : static_cast<int>(mixed(seed + static_cast<std::uint64_t>(sample)) %
                                         static_cast<std::uint64_t>(p.M));
  double sum = 0, lost = 0;
  for (int k0 = 0; k0 < p.K; k0 += 8) {
    double largest = fabs(sum);
    for (int k = k0; k < p.K && k < k0 + 8; ++k) {
      const std::size_t at_b =
          order == Order::kRows ? std::size_t(k) * p.N + col : std::size_t(col) * p.K + k;
      const double product = decode(A[std::size_t(row) * p.K + k], type) * decode(B[at_b], type);
      sum += product;
      largest = fmax(largest, fmax(fabs(product), fabs(sum)));
    }
    lost += 5.5 * 0x1p-23 * largest;
  }
  const double found = decode(C[std::size_t(row) * p.N + col], type);
  const double half_unit = type == Type::kF16 ? 0x1p-11 : 0x1p-8;
  const double smallest = type == Type::kF16 ? 0x1p-25 : 0;  // half of the least f16
  const double allowed = 2 * lost + half_unit * (fabs(sum) + 2 * lost) + smallest;
  const double share = found == sum ? 0 : fabs(found - sum) / allowed;  // zeros: 0 / 0
  atomicAdd(&verdict->checked, 1ull);
  if (!(share <= 1)) atomicAdd(&verdict->wrong, 1ull);
  if (share == share)  // bits of positive doubles are ordered as the doubles are
    atomicMax(reinterpret_cast<unsigned long long*>(&verdict->worst),
              static_cast<unsigned long long>(__double_as_longlong(share)));
}

/// Counts what nobody wrote: C is poisoned with NaNs, and no sum of these inputs is one.
static __global__ void count_nan(const std::uint16_t* C, std::size_t count, Type type,
                                 unsigned long long* found) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const double value = decode(C[i], type);
    mine += value != value;
  }
  if (mine > 0) atomicAdd(found, mine);
}

class GemmBuffers {
 public:
  /// As many copies of A, B and C as fill three times the L2. `zeros`: inputs of zeros instead.
  GemmBuffers(Problem problem, Type type, Order order, bool zeros = false)
      : problem_(problem), type_(type), order_(order) {
    int device = 0, l2_bytes = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
    const std::size_t bytes = 2 * (size_a() + size_b() + size_c());
    // On the emulator nothing is timed: one copy will do.
    if (!on_emulator())
      sets_ = static_cast<int>(3 * static_cast<std::size_t>(l2_bytes) / bytes) + 1;
    CUDA_CHECK(cudaMalloc(&data_, bytes * static_cast<std::size_t>(sets_)));
    for (int set = 0; set < sets_; ++set) {
      if (zeros) {
        CUDA_CHECK(cudaMemset(A(set), 0, 2 * (size_a() + size_b())));
        continue;
      }
      const auto seed = static_cast<std::uint64_t>(1000 + set);
      fill_normal<<<blocks(size_a() + size_b()), 256>>>(A(set), size_a() + size_b(), seed, type);
      CUDA_CHECK(cudaGetLastError());
    }
    poison();
  }
  ~GemmBuffers() { cudaFree(data_); }
  GemmBuffers(const GemmBuffers&) = delete;
  GemmBuffers& operator=(const GemmBuffers&) = delete;

  int sets() const { return sets_; }
  Problem problem() const { return problem_; }
  Type type() const { return type_; }
  Order order() const { return order_; }
  std::uint16_t* A(int set) const { return data_ + (set % sets_) * (size_a() + size_b()); }
  std::uint16_t* B(int set) const { return A(set) + size_a(); }
  std::uint16_t* C(int set) const {  // behind all of the inputs
    return data_ + sets_ * (size_a() + size_b()) + (set % sets_) * size_c();
  }

  void poison() { CUDA_CHECK(cudaMemset(C(0), 0xff, 2 * size_c() * std::size_t(sets_))); }

  /// C of one set: NaNs are looked for everywhere, values compared on `rows` rows.
  Verdict check(int set, int rows = 64) const {
    rows = std::min(rows, problem_.M);
    DeviceArray<Verdict> verdict(std::vector<Verdict>(1));
    const dim3 grid(static_cast<unsigned>((problem_.N + 127) / 128), static_cast<unsigned>(rows));
    check_rows<<<grid, 128>>>(A(set), B(set), C(set), problem_, type_, order_, rows, 7,
                              verdict.data());
    CUDA_CHECK(cudaGetLastError());
    const std::size_t elements = std::size_t(problem_.M) * problem_.N;
    count_nan<<<blocks(elements), 256>>>(C(set), elements, type_, &verdict.data()->nan);
    return verdict.get()[0];
  }

 private:
  static unsigned blocks(std::size_t elements) {
    return static_cast<unsigned>(std::min<std::size_t>(elements / 256 + 1, 1024));
  }
  // Rounded up, so that every matrix begins at a multiple of 256 bytes.
  static std::size_t rounded(std::size_t elements) { return (elements + 127) / 128 * 128; }
  std::size_t size_a() const { return rounded(std::size_t(problem_.M) * problem_.K); }
  std::size_t size_b() const { return rounded(std::size_t(problem_.K) * problem_.N); }
  std::size_t size_c() const { return rounded(std::size_t(problem_.M) * problem_.N); }

  Problem problem_;
  Type type_;
  Order order_;
  int sets_ = 1;
  std::uint16_t* data_ = nullptr;
};

}  // namespace bench
