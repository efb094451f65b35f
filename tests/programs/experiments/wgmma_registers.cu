// SPDX-License-Identifier: MIT
// Registers and wgmma: what comes of it when the fence before it is missing, when A's registers are
// changed while it runs, when D is read before the wait? All of it written so that ptxas sees it as
// plainly as a program can say it; its SASS says what it made of it (cuobjdump -sass).
//
// PTX ISA 9.2, 9.7.15.5 ("accessing the registers ... is undefined behaviour"), 9.7.15.7.1. The
// answer is docs/experiments/wgmma_registers.md.
#include <cuda_fp16.h>

#include "../program.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

constexpr int kTurns = 1000;

__device__ std::uint64_t ones(__half* tile, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += 128) tile[i] = __float2half(1.0f);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  return ptx::matrix_descriptor(tile, 128, 256, 0);
}

// D's registers are written by ordinary instructions, then used as they are: D = A*B + turn.
template <bool kFence>
__global__ void sums_without_fence(unsigned long long* wrong) {
  __shared__ __align__(1024) __half a[64 * 16], b[256 * 16];
  const std::uint64_t da = ones(a, 64 * 16), db = ones(b, 256 * 16);
  unsigned long long bad = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    float d[128];
    for (float& sum : d) {
      sum = static_cast<float>(turn);
      asm volatile("add.f32 %0, %0, 1.0;" : "+f"(sum));
    }
    if (kFence) ptx::wgmma_fence_sync_aligned();
    ptx::wgmma_mma_async_sync_aligned_m64n256k16_f32_f16_f16(d, da, db, 1);
    ptx::wgmma_commit_group_sync_aligned();
    ptx::wgmma_wait_group_sync_aligned<0>();
    for (const float sum : d) bad += sum != static_cast<float>(turn + 17);
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

// A's registers get new values right after the wgmma that reads them.
template <bool kWait>
__global__ void a_changes_in_flight(unsigned long long* wrong) {
  __shared__ __align__(1024) __half b[256 * 16];
  const std::uint64_t db = ones(b, 256 * 16);
  unsigned long long bad = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    std::uint32_t a[4];
    float d[128];
    for (float& sum : d) sum = 0;
    for (std::uint32_t& pair : a) asm volatile("mov.b32 %0, 0x3c003c00;" : "=r"(pair));
    ptx::wgmma_fence_sync_aligned();
    ptx::wgmma_mma_async_sync_aligned_m64n256k16_f32_f16_f16(d, a, db, 1);
    ptx::wgmma_commit_group_sync_aligned();
    if (kWait) ptx::wgmma_wait_group_sync_aligned<0>();
    for (std::uint32_t& pair : a) asm volatile("xor.b32 %0, %0, 0x80008000;" : "+r"(pair));
    ptx::wgmma_wait_group_sync_aligned<0>();
    for (const float sum : d) bad += sum != 16;
    for (const std::uint32_t pair : a) bad += pair != 0xbc00bc00;
  }
  if (bad != 0) atomicAdd(wrong, bad);
}

// A copy of D is made between commit_group and wait_group.
template <bool kWait>
__global__ void d_read_in_flight(unsigned long long* old_values, unsigned long long* new_values) {
  __shared__ __align__(1024) __half a[64 * 16], b[256 * 16];
  const std::uint64_t da = ones(a, 64 * 16), db = ones(b, 256 * 16);
  unsigned long long olds = 0, news = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    float d[128], copy[128];
    for (float& sum : d) asm volatile("mov.b32 %0, 0f41A80000;" : "=f"(sum));  // 21
    ptx::wgmma_fence_sync_aligned();
    ptx::wgmma_mma_async_sync_aligned_m64n256k16_f32_f16_f16(d, da, db, 1);
    ptx::wgmma_commit_group_sync_aligned();
    if (kWait) ptx::wgmma_wait_group_sync_aligned<0>();
    for (int i = 0; i < 128; ++i) asm volatile("add.f32 %0, %1, 1.0;" : "=f"(copy[i]) : "f"(d[i]));
    ptx::wgmma_wait_group_sync_aligned<0>();
    for (const float sum : copy) olds += sum == 22, news += sum == 38;
  }
  atomicAdd(old_values, olds);
  atomicAdd(new_values, news);
}

// The same in one asm statement, of which nvcc knows nothing: m64n8k16, four registers.
__global__ void d_read_in_flight_in_asm(unsigned long long* old_values,
                                        unsigned long long* new_values) {
  __shared__ __align__(1024) __half a[64 * 16], b[256 * 16];
  const std::uint64_t da = ones(a, 64 * 16), db = ones(b, 256 * 16);
  unsigned long long olds = 0, news = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    float d[4] = {21, 21, 21, 21}, copy[4];
    asm volatile(
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %8, %9, 1, 1, 1, 0, "
        "0;\n"
        "wgmma.commit_group.sync.aligned;\n"
        "add.f32 %4, %0, 1.0; add.f32 %5, %1, 1.0; add.f32 %6, %2, 1.0; add.f32 %7, %3, 1.0;\n"
        "wgmma.wait_group.sync.aligned 0;\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "=&f"(copy[0]), "=&f"(copy[1]),
          "=&f"(copy[2]), "=&f"(copy[3])
        : "l"(da), "l"(db)
        : "memory");
    for (const float sum : copy) olds += sum == 22, news += sum == 38;
  }
  atomicAdd(old_values, olds);
  atomicAdd(new_values, news);
}

int main() {
  constexpr int kBlocks = 132;
  constexpr unsigned long long kOf = 1ull * kBlocks * kTurns * 128;
  unsigned long long* device = to_device(std::vector<unsigned long long>(2));
  const auto read = [device] {
    CHECK(cudaDeviceSynchronize());
    const std::vector<unsigned long long> counts = from_device(device, 2);
    CHECK(cudaMemset(device, 0, 16));
    return counts;
  };
  sums_without_fence<true><<<kBlocks, 128>>>(device);
  std::printf("D written, then wgmma, with wgmma.fence:    %llu of %llu sums wrong\n", read()[0],
              kOf * 128);
  sums_without_fence<false><<<kBlocks, 128>>>(device);
  std::printf("D written, then wgmma, without:             %llu of %llu sums wrong\n", read()[0],
              kOf * 128);
  a_changes_in_flight<true><<<kBlocks, 128>>>(device);
  std::printf("A changed after the wait:                   %llu of %llu wrong\n", read()[0],
              kOf * 132);
  a_changes_in_flight<false><<<kBlocks, 128>>>(device);
  std::printf("A changed before the wait:                  %llu of %llu wrong\n", read()[0],
              kOf * 132);
  for (const int which : {0, 1, 2}) {
    if (which == 0) d_read_in_flight<true><<<kBlocks, 128>>>(device, device + 1);
    if (which == 1) d_read_in_flight<false><<<kBlocks, 128>>>(device, device + 1);
    if (which == 2) d_read_in_flight_in_asm<<<kBlocks, 128>>>(device, device + 1);
    const std::vector<unsigned long long> counts = read();
    constexpr const char* kWhen[] = {"after the wait", "before the wait",
                                     "before the wait, one asm statement"};
    std::printf("D read %-36s %llu old, %llu new, of %llu\n", kWhen[which], counts[0], counts[1],
                which == 2 ? kOf * 4 : kOf * 128);
  }
}
