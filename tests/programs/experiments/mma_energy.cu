// SPDX-License-Identifier: MIT
// What does a product cost, in which order, of which numbers? Eight warps on a multiprocessor
// multiply by mma.sync what is in their registers, 64 x 64 a warp: two sets of four fragments of A
// and eight of B. First of normal random numbers in several orders, then row by row of several
// kinds of numbers. On all multiprocessors power may be the limit, and the speed tells; on half of
// them it is not, and the watts do. Then, of the same kinds, two warpgroups by wgmma.m64n256k16, on
// four stages that stay in shared memory; and cuBLASLt at 8192.
//
//     mma_energy [mma | wgmma | cublas]
//
// PTX ISA 9.2, 9.7.14.5 (mma), 9.7.15 (wgmma). The answer is docs/experiments/mma_energy.md.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "../program.cuh"
#include "bench_cublas.cuh"
#include "ptx/mma.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

constexpr int kBlocksM = 4, kBlocksN = 8, kSets = 2, kRounds = 4000, kThreads = 256, kSms = 132;
constexpr int kWordsA = kSets * kBlocksM * 4, kWordsB = kSets * kBlocksN * 2;

// ---- The products -------------------------------------------------------------------------------

enum class Order { serpentine, rows, columns, diagonals, one };

struct Blocks {
  int i, j;  // of A's blocks, and of B's
};

/// What is multiplied nth of a set's 32 products.
template <Order order>
__device__ constexpr Blocks blocks(int n) {
  const int row = n / kBlocksN, col = n % kBlocksN;
  if (order == Order::serpentine) return {row, row % 2 == 0 ? col : kBlocksN - 1 - col};
  if (order == Order::columns) return {n % kBlocksM, n / kBlocksM};
  if (order == Order::diagonals) return {n % kBlocksM, (col + row) % kBlocksN};
  return {row, col};
}

template <Order order>
__global__ void __launch_bounds__(kThreads, 1)
    multiply(const std::uint32_t* a_words, const std::uint32_t* b_words, float* out) {
  std::uint32_t a[kSets][kBlocksM][4], b[kSets][kBlocksN][2];
#pragma unroll
  for (int n = 0; n < kWordsA; ++n)
    a[n / 4 / kBlocksM][n / 4 % kBlocksM][n % 4] = a_words[n * kThreads + threadIdx.x];
#pragma unroll
  for (int n = 0; n < kWordsB; ++n)
    b[n / 2 / kBlocksN][n / 2 % kBlocksN][n % 2] = b_words[n * kThreads + threadIdx.x];
  float sums[kBlocksM][kBlocksN][4] = {};
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round)
#pragma unroll
    for (int n = 0; n < kSets * kBlocksM * kBlocksN; ++n) {
      constexpr bool kOne = order == Order::one;
      const int set = kOne ? 0 : n / (kBlocksM * kBlocksN);
      const Blocks at = blocks<order>(n % (kBlocksM * kBlocksN));
      const Blocks of = kOne ? Blocks{0, 0} : at;
      float(&sum)[4] = sums[at.i][at.j];
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(sum, a[set][of.i], b[set][of.j], sum);
    }
  float all = 0;
#pragma unroll
  for (int n = 0; n < kBlocksM * kBlocksN * 4; ++n)
    all += sums[n / 4 / kBlocksN][n / 4 % kBlocksN][n % 4];
  out[blockIdx.x * kThreads + threadIdx.x] = all;
}

constexpr int kStages = 4, kTileA = 64 * 64 * 2, kTileB = 256 * 64 * 2;
constexpr int kStageBytes = 2 * kTileA + kTileB;  // a tile of A for each warpgroup

/// Numbers that are drawn lie anywhere in a tile: no swizzle has to be kept.
__global__ void __launch_bounds__(kThreads, 1)
    multiply_wgmma(const std::uint32_t* a_words, const std::uint32_t* b_words, float* out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char tiles[];
  auto* words = reinterpret_cast<std::uint32_t*>(tiles);
  for (int n = static_cast<int>(threadIdx.x); n < kStages * kStageBytes / 4; n += kThreads)
    words[n] = (n % (kStageBytes / 4) < 2 * kTileA / 4 ? a_words : b_words)[n];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  float sums[128] = {};
#pragma unroll 1
  for (int round = 0; round < kRounds / 10; ++round)
#pragma unroll 1
    for (int stage = 0; stage < kStages; ++stage) {
      const unsigned char* tile = tiles + stage * kStageBytes;
      ptx::wgmma_fence_sync_aligned();
#pragma unroll
      for (int k = 0; k < 4; ++k)
        ptx::wgmma_mma_async_sync_aligned_m64n256k16_f32_f16_f16(
            sums, ptx::matrix_descriptor(tile + threadIdx.x / 128 * kTileA + k * 32, 16, 1024, 1),
            ptx::matrix_descriptor(tile + 2 * kTileA + k * 32, 16, 1024, 1), 1);
      ptx::wgmma_commit_group_sync_aligned();
      ptx::wgmma_wait_group_sync_aligned<0>();
    }
  float all = 0;
#pragma unroll
  for (const float sum : sums) all += sum;
  out[blockIdx.x * kThreads + threadIdx.x] = all;
#else
  (void)a_words, (void)b_words, (void)out;
#endif
}

// ---- The numbers --------------------------------------------------------------------------------

using Kind = double (*)(Numbers&);

double uniform(Numbers& numbers) { return (numbers.next(1 << 20) + 0.5) / (1 << 20); }
double from_0_to_1(Numbers& numbers) { return std::abs(uniform(numbers)); }
double normal(Numbers& numbers) {
  const double radius = std::sqrt(-2 * std::log(from_0_to_1(numbers)));
  return radius * std::cos(std::acos(-1.0) * uniform(numbers));
}
double magnitude(Numbers& numbers) { return std::abs(normal(numbers)); }
double relu(Numbers& numbers) { return std::max(normal(numbers), 0.0); }
double whole(Numbers& numbers) { return numbers.next(2); }
double sign(Numbers& numbers) { return uniform(numbers) < 0 ? -1 : 1; }
double one(Numbers&) { return 1; }
double zero(Numbers&) { return 0; }
double of_8_bits(Numbers& numbers) {  // an f16's significand has 11
  const std::uint16_t bits = __half_as_ushort(__float2half(static_cast<float>(normal(numbers))));
  return __half2float(__ushort_as_half(static_cast<std::uint16_t>(bits & 0xfff8)));
}

const struct {
  const char* name;
  Kind a, b;
} kKinds[] = {{"normal", normal, normal},
              {"uniform from -1 to 1", uniform, uniform},
              {"uniform from 0 to 1", from_0_to_1, from_0_to_1},
              {"A normal, B from 0 to 1", normal, from_0_to_1},
              {"normal without its sign", magnitude, magnitude},
              {"normal, cut off to 8 bits", of_8_bits, of_8_bits},
              {"A normal, B normal where above 0", normal, relu},
              {"-2, -1, 0, 1, 2", whole, whole},
              {"-1 and 1", sign, sign},
              {"1", one, one},
              {"A normal, B 1", normal, one},
              {"A 1, B normal", one, normal},
              {"A normal, B 0", normal, zero},
              {"A 0, B normal", zero, normal},
              {"0", zero, zero}};

/// `words` of two halves each for every thread of a block.
std::vector<std::uint32_t> halves(int words, Kind kind) {
  Numbers numbers;
  std::vector<std::uint32_t> result(static_cast<std::size_t>(words) * kThreads);
  for (std::uint32_t& word : result)
    for (int shift = 0; shift < 32; shift += 16) {
      const __half half = __float2half(static_cast<float>(kind(numbers)));
      word |= static_cast<std::uint32_t>(__half_as_ushort(half)) << shift;
    }
  return result;
}

// ---- The questions ------------------------------------------------------------------------------

template <Order order>
bench::Contestant contestant(const char* name, int multiprocessors, Kind a, Kind b) {
  const std::uint32_t *a_words = to_device(halves(kWordsA, a)),
                      *b_words = to_device(halves(kWordsB, b));
  float* out = to_device(std::vector<float>(kSms * kThreads));
  return {name,
          [=](int) { multiply<order><<<multiprocessors, kThreads>>>(a_words, b_words, out); }};
}

/// NVML's watts are a mean of about a second: they are asked for when a contestant has run longer.
void ask(const std::vector<bench::Contestant>& contestants, double flop,
         const bench::Monitor& monitor) {
  bench::Options options;
  options.rounds = 2, options.settle_seconds = 1.2, options.seconds = 0.4;
  for (const bench::Measured& one : bench::race(contestants, options, monitor))
    std::printf("  %-33s %6.1f TFLOP/s +-%.1f%%, %4.0f MHz, %3.0f W\n", one.name.c_str(),
                flop / one.seconds.median * 1e-12, bench::spread_percent(one.seconds), one.mhz,
                one.watts);
}

void ask_mma(int multiprocessors, const bench::Monitor& monitor) {
  std::printf("mma.sync on %d multiprocessors\n", multiprocessors);
  std::vector<bench::Contestant> contestants{
      contestant<Order::rows>("row by row: A stays", multiprocessors, normal, normal),
      contestant<Order::serpentine>("every other row back", multiprocessors, normal, normal),
      contestant<Order::columns>("column by column: B stays", multiprocessors, normal, normal),
      contestant<Order::diagonals>("diagonals: neither stays", multiprocessors, normal, normal),
      contestant<Order::one>("one A, one B for all", multiprocessors, normal, normal)};
  for (const auto& kind : kKinds)
    contestants.push_back(contestant<Order::rows>(kind.name, multiprocessors, kind.a, kind.b));
  const double products = 1.0 * kBlocksM * kBlocksN * kSets * kRounds * (kThreads / 32);
  ask(contestants, 2.0 * 16 * 8 * 16 * products * multiprocessors, monitor);
}

void ask_wgmma(int multiprocessors, const bench::Monitor& monitor) {
  std::printf("wgmma on %d multiprocessors\n", multiprocessors);
  CHECK(cudaFuncSetAttribute(multiply_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kStages * kStageBytes));
  constexpr int kWords = kStages * kStageBytes / 4 / kThreads;
  float* out = to_device(std::vector<float>(kSms * kThreads));
  std::vector<bench::Contestant> contestants;
  for (const auto& kind : kKinds) {
    const std::uint32_t *a = to_device(halves(kWords, kind.a)),
                        *b = to_device(halves(kWords, kind.b));
    contestants.push_back({kind.name, [=](int) {
                             multiply_wgmma<<<multiprocessors, kThreads, kStages * kStageBytes>>>(
                                 a, b, out);
                           }});
  }
  const double products = 2.0 * kStages * 4 * (kRounds / 10);
  ask(contestants, 2.0 * 64 * 256 * 16 * products * multiprocessors, monitor);
}

/// Numbers of `table`, drawn.
__global__ void fill(std::uint16_t* out, std::size_t count, const std::uint16_t* table,
                     unsigned entries) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    out[i] = table[bench::mixed(i) % entries];
}

void ask_cublas(int size, const bench::Monitor& monitor) {
  const bench::Problem problem{size, size, size};
  bench::GemmBuffers normals(problem, bench::Type::kF16, bench::Order::kColumns);
  bench::Cublas cublas(normals);  // its plan is the fastest for these
  std::printf("cuBLASLt at %d%s\n", size, cublas.there() ? "" : (": " + cublas.why_not()).c_str());
  for (const auto& kind : kKinds) {
    for (const bool is_a : {true, false}) {
      constexpr int kWords = 1024;
      const std::uint32_t* table = to_device(halves(kWords, is_a ? kind.a : kind.b));
      fill<<<1024, 256>>>(is_a ? normals.A(0) : normals.B(0), std::size_t(size) * size,
                          reinterpret_cast<const std::uint16_t*>(table), kWords * kThreads * 2);
      CHECK(cudaGetLastError());
    }
    if (cublas.there()) ask({{kind.name, [&](int) { cublas.launch(0); }}}, problem.flop(), monitor);
  }
}

int main(int argc, char** argv) {
  if (bench::on_emulator()) {
    std::printf("needs a GPU: on the emulator time means nothing\n");
    return 0;
  }
  const bench::Monitor monitor;
  const auto wanted = [&](const char* part) { return argc < 2 || std::string(argv[1]) == part; };
  for (const int multiprocessors : {kSms, kSms / 2})
    if (wanted("mma")) ask_mma(multiprocessors, monitor);
  for (const int multiprocessors : {kSms, kSms / 2})
    if (wanted("wgmma")) ask_wgmma(multiprocessors, monitor);
  if (wanted("cublas")) ask_cublas(8192, monitor);
  return 0;
}
