// SPDX-License-Identifier: MIT
// D = A * B^T on Blackwell's tensor memory where A keeps two of every four: tcgen05.mma.sp of f16
// and of e4m3, by one CTA and by pairs (.cta_group::2). Metadata comes by tcgen05.cp.128x128b, lane
// after lane as the kernel wants it. Whole numbers, so that every sum is exact; the host multiplies
// the whole A. Every tcgen05 is a function of ptx/tcgen05.cuh. No card has run this.
//
//     a step: 128 bytes of kept elements of a row of A, 256 bytes of a row of B, four mma
//
//     f16     4 columns of metadata, one for each mma: columns 0 and 1 by sel, then 2 and 3
//     e4m3    8 columns, two for each mma
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>

#include "blackwell.cuh"
#include "ptx/tcgen05.cuh"

constexpr int kRows = 128, kTileN = 64, kStepBytes = 128, kColumns = 128;
constexpr int kMetadata = kTileN;  // its first column, behind D's

enum Kind { kF16, kE4m3 };
constexpr int bytes_of(Kind kind) { return kind == kF16 ? 2 : 1; }
__host__ __device__ constexpr int words_of(Kind kind) {
  return kind == kF16 ? 4 : 8;
}  // of metadata: lane and step

template <Kind kind>
struct Shared {
  alignas(1024) uint4 a[kRows * 8];
  alignas(1024) uint4 b[2][kTileN * 8];  // of K the first 128 bytes, and the next
  alignas(128) uint4 metadata[words_of(kind) / 4][kRows];
  alignas(8) std::uint64_t done;
  std::uint32_t columns;
};

template <Kind kind, int ctas>
__device__ void multiply(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t metadata,
                         std::uint32_t what, int part, int adds) {
  if constexpr (kind == kF16) {  // sel is in the low bits
    metadata += part / 2 * 2, what |= part % 2;
    if constexpr (ctas == 1)
      ptx::tcgen05_mma_sp_cta_group_1_kind_f16(d, a, b, metadata, what, adds);
    else
      ptx::tcgen05_mma_sp_cta_group_2_kind_f16(d, a, b, metadata, what, adds);
  } else {
    metadata += part * 2;
    if constexpr (ctas == 1)
      ptx::tcgen05_mma_sp_cta_group_1_kind_f8f6f4(d, a, b, metadata, what, adds);
    else
      ptx::tcgen05_mma_sp_cta_group_2_kind_f8f6f4(d, a, b, metadata, what, adds);
  }
}

// By one thread, of the even CTA: the metadata of a step, and its four products.
template <Kind kind, int ctas>
__device__ void work(Shared<kind>& shared, std::uint32_t what, int step) {
  for (int piece = 0; piece < words_of(kind) / 4; ++piece) {
    const std::uint32_t to = shared.columns + kMetadata + 4 * piece;
    const std::uint64_t from = ptx::tcgen05_matrix_descriptor(shared.metadata[piece], 16, 128, 0);
    if constexpr (ctas == 1) ptx::tcgen05_cp_cta_group_1_128x128b(to, from);
    if constexpr (ctas == 2) ptx::tcgen05_cp_cta_group_2_128x128b(to, from);
  }
  for (int part = 0; part < 4; ++part)
    multiply<kind, ctas>(
        shared.columns, ptx::tcgen05_matrix_descriptor(shared.a + part * 2, 16, 1024, 2),
        ptx::tcgen05_matrix_descriptor(shared.b[part / 2] + part % 2 * 4, 16, 1024, 2),
        shared.columns + kMetadata, what, part, step + part > 0);
  if constexpr (ctas == 1)
    ptx::tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(&shared.done);
  else
    ptx::tcgen05_commit_cta_group_2_mbarrier_arrive_one_shared_cluster_multicast_cluster_b64(
        &shared.done, 3);
}

// A row of 128 bytes, its units of 16 swizzled.
__device__ void store(uint4* tile, int row, const uint4* from) {
  for (int unit = 0; unit < 8; ++unit) tile[row * 8 + (unit ^ row % 8)] = from[unit];
}

template <Kind kind, int ctas>
__global__ void __launch_bounds__(kRows) gemm(const uint4* a, const uint4* b, const uint4* metadata,
                                              float* D, int steps, std::uint32_t what) {
  __shared__ Shared<kind> shared;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, part = rank();
  const int row = static_cast<int>(blockIdx.x) * kRows + thread;
  if (warp == 0 && ctas == 1)
    ptx::tcgen05_alloc_cta_group_1_sync_aligned_shared_cta_b32(&shared.columns, kColumns);
  if (warp == 0 && ctas == 2)
    ptx::tcgen05_alloc_cta_group_2_sync_aligned_shared_cta_b32(&shared.columns, kColumns);
  if (thread == 0) init(&shared.done, 1);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  for (int step = 0; step < steps; ++step) {
    store(shared.a, thread, a + (row * steps + step) * 8);
    if (thread < kTileN / ctas)
      for (int half = 0; half < 2; ++half)
        store(shared.b[half], thread,
              b + (((part * kTileN / ctas + thread) * steps + step) * 2 + half) * 8);
    for (int piece = 0; piece < words_of(kind) / 4; ++piece)
      shared.metadata[piece][thread] =
          metadata[(row * steps + step) * (words_of(kind) / 4) + piece];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    ptx::tcgen05_fence_before_thread_sync();
    meet();
    ptx::tcgen05_fence_after_thread_sync();
    if (thread == 0 && part == 0) work<kind, ctas>(shared, what, step);
    wait(&shared.done, step & 1);
  }
  ptx::tcgen05_fence_after_thread_sync();
  for (int col = 0; col < kTileN; col += 16) {
    float d[16];
    ptx::tcgen05_ld_sync_aligned_32x32b_x16_b32(d, shared.columns + (warp * 32 << 16) + col);
    ptx::tcgen05_wait_ld_sync_aligned();
    ptx::settle(d);
    for (int i = 0; i < 16; ++i) D[row * kTileN + col + i] = d[i];
  }
  ptx::tcgen05_fence_before_thread_sync();
  meet();
  ptx::tcgen05_fence_after_thread_sync();
  if (warp == 0 && ctas == 1)
    ptx::tcgen05_dealloc_cta_group_1_sync_aligned_b32(shared.columns, kColumns);
  if (warp == 0 && ctas == 2)
    ptx::tcgen05_dealloc_cta_group_2_sync_aligned_b32(shared.columns, kColumns);
}

template <Kind kind>
void put(std::vector<unsigned char>& bytes, int at, int value) {
  if (kind == kE4m3) {
    bytes[at] = __nv_fp8_e4m3(static_cast<float>(value)).__x;
  } else {
    const __half half = __float2half(static_cast<float>(value));
    std::memcpy(&bytes[at * 2], &half, 2);
  }
}

// A lane's word of metadata, and its lowest bit, for the four bits of a chunk: 9.7.16.10.8.4 has it
// in figures; this is how CUTLASS says it.
struct Place {
  int lane, word, bit;
};
Place place_of(Kind kind, int row, int chunk) {
  if (kind == kE4m3) return {row, chunk / 8, chunk % 8 * 4};
  return {row / 16 * 16 + chunk % 8 / 4 * 8 + row % 8, chunk / 8,
          row % 16 / 8 * 16 + chunk % 4 * 4};
}

template <Kind kind, int ctas>
int run(const char* name) {
  constexpr int M = 256, kSteps = 2, kBytes = bytes_of(kind), kWords = words_of(kind);
  constexpr int kKept = kSteps * kStepBytes / kBytes, K = 2 * kKept;
  static constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  Numbers numbers;
  std::vector<int> A(M * K), B(kTileN * K);
  std::vector<unsigned char> kept(M * kKept * kBytes), b(kTileN * K * kBytes);
  std::vector<std::uint32_t> metadata(M * kSteps * kWords);
  for (int row = 0; row < M; ++row)
    for (int chunk = 0; chunk < K / 4; ++chunk) {
      const int* pair = kPairs[(numbers.next(3) + 3) % 6];
      const int step = chunk / (kWords * 8), in_step = chunk % (kWords * 8);
      const Place at = place_of(kind, row % kRows, in_step);
      metadata[((row / kRows * kRows + at.lane) * kSteps + step) * kWords + at.word] |=
          static_cast<std::uint32_t>(pair[0] | pair[1] << 2) << at.bit;
      for (int k = 0; k < 2; ++k) {
        const int value = numbers.next(4);
        A[row * K + chunk * 4 + pair[k]] = value;
        put<kind>(kept, row * kKept + chunk * 2 + k, value);
      }
    }
  for (int i = 0; i < kTileN * K; ++i) put<kind>(b, i, B[i] = numbers.next(4));
  const auto units = [](const auto& values) {
    return reinterpret_cast<const uint4*>(to_device(values));
  };
  float* device_D = to_device(std::vector<float>(M * kTileN, -1.0f));
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {ctas, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = {M / kRows, 1, 1};
  config.blockDim = {kRows, 1, 1};
  config.attrs = &cluster;
  config.numAttrs = 1;
  const std::uint32_t what =
      kind == kF16 ? ptx::tcgen05_instruction_sparse_f32_f16_f16(ctas * kRows, kTileN, 0)
                   : ptx::tcgen05_instruction_sparse_f32_e4m3_e4m3(ctas * kRows, kTileN);
  CHECK(cudaLaunchKernelEx(&config, gemm<kind, ctas>, units(kept), units(b), units(metadata),
                           device_D, kSteps, what));
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, M * kTileN);
  int wrong = 0;
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < kTileN; ++col) {
      int sum = 0;
      for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[col * K + k];
      wrong += D[row * kTileN + col] != static_cast<float>(sum);
    }
  print_bits(D);
  std::printf("%s, %d CTA%s: %d x %d x %d, %d wrong\n", name, ctas, ctas == 1 ? "" : "s", M, kTileN,
              K, wrong);
  return wrong;
}

int main() {
  const int wrong =
      run<kF16, 1>("f16") + run<kE4m3, 1>("e4m3") + run<kF16, 2>("f16") + run<kE4m3, 2>("e4m3");
  return verdict("tensor_sparse", wrong, 0);
}
