// SPDX-License-Identifier: MIT
// Do the four warps of a warpgroup meet at a wgmma instruction? One warp is late before one of
// fence, mma_async, commit_group, wait_group; each warp notes the clock around each of them. Who
// meets the late warp passes only after it came.
//
// Then the consequence: warp 0, as soon as its own wait_group 0 is over, replaces B in shared
// memory. Does a late warp, which starts its wgmma afterwards, still multiply with the old B?
//
// PTX ISA 9.2, 9.7.15.7: all of them are .sync.aligned, "all threads in the warp". The answer is
// docs/experiments/wgmma_rendezvous.md. Clocks, so nothing here is the same on the emulator.
#include <cuda_fp16.h>

#include <algorithm>

#include "../program.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"

constexpr int kSteps = 4, kDelay = 200000, kRepeats = 20;
constexpr const char* kNames[] = {"fence", "mma_async", "commit_group", "wait_group"};

struct Times {
  long long before[4][kSteps], after[4][kSteps];  // [warp][step]
  float d[4];                                     // an element of each warp's
};

__device__ long long now() {
  long long clock;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
  return clock;
}
__device__ void be_late() {
  const long long until = now() + kDelay;
  while (now() < until) {
  }
}

__device__ void fill(__half* tile, int count, float value) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += 128) tile[i] = __float2half(value);
}

// kRegisters: A from registers instead of shared memory.
template <int kLateStep, bool kRegisters>
__global__ void meet(int late, bool replace, Times* times) {
  __shared__ __align__(1024) __half a[64 * 16], b[256 * 16];
  fill(a, 64 * 16, 1.0f);
  fill(b, 256 * 16, 1.0f);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::uint64_t da = ptx::matrix_descriptor(a, 128, 256, 0);
  const std::uint64_t db = ptx::matrix_descriptor(b, 128, 256, 0);
  const std::uint32_t ones[4] = {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};
  float d[128];
  for (float& value : d) value = 0;
  long long t[2 * kSteps];
  if (kLateStep == 0 && warp == late) be_late();
  t[0] = now();
  ptx::wgmma_fence_sync_aligned();
  t[1] = now();
  if (kLateStep == 1 && warp == late) be_late();
  t[2] = now();
  for (int k = 0; k < 4; ++k)
    if constexpr (kRegisters)
      ptx::wgmma_mma_async_sync_aligned_m64n256k16_f32_f16_f16(d, ones, db, 1);
    else
      ptx::wgmma_mma_async_sync_aligned_m64n256k16_f32_f16_f16(d, da, db, 1);
  t[3] = now();
  if (kLateStep == 2 && warp == late) be_late();
  t[4] = now();
  ptx::wgmma_commit_group_sync_aligned();
  t[5] = now();
  if (kLateStep == 3 && warp == late) be_late();
  t[6] = now();
  ptx::wgmma_wait_group_sync_aligned<0>();
  t[7] = now();
  if (replace && warp == 0) {
    for (int i = static_cast<int>(threadIdx.x); i < 256 * 16; i += 32) b[i] = __float2half(2.0f);
    ptx::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    for (int step = 0; step < kSteps; ++step) {
      times->before[warp][step] = t[2 * step];
      times->after[warp][step] = t[2 * step + 1];
    }
    float least = d[0], most = d[0];
    for (const float value : d) least = fminf(least, value), most = fmaxf(most, value);
    times->d[warp] = least == most ? least : -1.0f;
  }
}

template <int kLateStep, bool kRegisters>
void run(Times* device) {
  for (int late = 0; late < 4; ++late) {
    // Of kRepeats runs the median: when each warp was through each step, after the late warp had
    // come to the step before which it was late.
    std::vector<long long> through[4][kSteps];
    std::vector<float> d[2];
    for (int repeat = 0; repeat < 2 * kRepeats; ++repeat) {
      const bool replace = repeat >= kRepeats;
      meet<kLateStep, kRegisters><<<1, 128>>>(late, replace, device);
      CHECK(cudaDeviceSynchronize());
      const Times times = from_device(device, 1)[0];
      for (int warp = 0; warp < 4; ++warp) {
        d[replace].push_back(times.d[warp]);
        for (int step = 0; step < kSteps && !replace; ++step)
          through[warp][step].push_back(times.after[warp][step] - times.before[late][kLateStep]);
      }
    }
    std::printf("A in %s, warp %d late by %d cycles before %s\n",
                kRegisters ? "registers" : "shared memory", late, kDelay, kNames[kLateStep]);
    for (int step = kLateStep; step < kSteps; ++step) {
      std::printf("  through %-12s cycles after the late warp came, warp 0 to 3:", kNames[step]);
      for (auto& of_warp : through) {
        std::vector<long long>& all = of_warp[step];
        std::sort(all.begin(), all.end());
        std::printf(" %8lld", all[all.size() / 2]);
      }
      std::printf("\n");
    }
    for (const bool replace : {false, true}) {
      std::printf("  %s: D = 64 in", replace ? "B replaced after warp 0's wait" : "B left alone");
      int right = 0;
      for (const float value : d[replace]) right += value == 64.0f;
      std::printf(" %d of %zu warps; others:", right, d[replace].size());
      std::vector<float> others;
      for (const float value : d[replace])
        if (value != 64.0f && std::find(others.begin(), others.end(), value) == others.end())
          others.push_back(value);
      for (const float value : others) std::printf(" %g", value);
      std::printf("\n");
    }
  }
}

int main() {
  Times* device = to_device(std::vector<Times>(1));
  run<0, false>(device);
  run<1, false>(device);
  run<2, false>(device);
  run<3, false>(device);
  run<0, true>(device);
  run<1, true>(device);
  run<2, true>(device);
  run<3, true>(device);
}
