// SPDX-License-Identifier: MIT
// Exercise 22: the order of what a warpgroup does for a block of keys.
//
// Two warpgroups attend, 64 queries each, heads of 64, in blocks of 64 keys. What is there when
// they come to a block: o, what they have added up so far; p, the weights of the block before,
// whose values are not added yet; and the tiles of K and V. What each has to do for it, all 128
// threads together, each of these once and in which order is yours to find:
//
//     group.take_turn()          waits until it is this warpgroup's turn (bar.sync)
//     group.pass_turn()          now it is the other one's; does not wait (bar.arrive)
//     group.fence()              wgmma.fence: registers that were written are there for wgmma
//     group.start_scores()       s = Q * K^T of this block: wgmma and commit_group
//     group.start_values()       o += P * V of the block before: wgmma and commit_group
//     group.wait_all_but_last()  wait_group 1: all but the group committed last are done
//     group.wait_all()           wait_group 0: all are
//     group.release_keys()       nobody here reads this block's K any more: its stage may be filled
//     group.release_values()     nor the V of the block before
//     group.soften()             the softmax: makes weights of s, and finds how far o has to shrink
//     group.shrink()             o *= that
//     group.pack()               p = s in f16
//
// The two products are to be started in one turn, one right behind the other, and the softmax is to
// be made while the second of them is under way. A stage is given back as soon as it can be.
//
// Fill the gap in step, then:  ./learn check 22
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/settle.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"

constexpr int kDim = 64, kKeys = 64, kRowBytes = 128, kGroups = 2, kMostCalls = 40;

template <class Group>
__device__ void step([[maybe_unused]] Group& group) {
  // ---- your code begins (twelve lines) ----
  group.take_turn();
  group.fence();
  group.start_scores();
  group.start_values();
  group.pass_turn();
  group.wait_all_but_last();
  group.release_keys();
  group.soften();
  group.wait_all();
  group.release_values();
  group.shrink();
  group.pack();
  // ---- your code ends ----
}

// What step does, and nothing else: for the check, before anybody waits for anybody.
struct Order {
  int* calls;
  int count = 0;
  __device__ void note(int what) {
    if (count < kMostCalls) calls[count++] = what;
  }
  __device__ void take_turn() { note(0); }
  __device__ void pass_turn() { note(1); }
  __device__ void fence() { note(2); }
  __device__ void start_scores() { note(3); }
  __device__ void start_values() { note(4); }
  __device__ void wait_all_but_last() { note(5); }
  __device__ void wait_all() { note(6); }
  __device__ void release_keys() { note(7); }
  __device__ void release_values() { note(8); }
  __device__ void soften() { note(9); }
  __device__ void shrink() { note(10); }
  __device__ void pack() { note(11); }
};

__global__ void tell(int* calls) {
  Order order{calls + threadIdx.x * kMostCalls};
  step(order);
}

// All blocks of K and V are there from the beginning: nobody fills a stage anew, so that releasing
// one is not more than said.
constexpr int kMostBlocks = 8;
struct Shared {
  alignas(1024) unsigned char q[kGroups][64 * kRowBytes], k[kMostBlocks][kKeys * kRowBytes],
      v[kMostBlocks][kKeys * kRowBytes];
};

// Rows of 128 bytes, swizzled as TMA would have them (lesson 10).
__device__ void load(unsigned char* tile, const std::uint16_t* rows, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count * 8; i += 128 * kGroups) {
    const int row = i / 8, unit = i % 8 ^ row % 8;
    *reinterpret_cast<uint4*>(tile + row * kRowBytes + unit * 16) =
        reinterpret_cast<const uint4*>(rows)[i];
  }
}
__device__ std::uint64_t descriptor(const unsigned char* tile) {
  return ptx::matrix_descriptor(tile, 16, 8 * kRowBytes, 1);
}
__device__ std::uint32_t two(float low, float high) {
  std::uint32_t both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}
__device__ float power_of_two(float x) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}

struct Attending {
  const Shared& shared;
  int group, block = 0;
  float s[32] = {}, o[32] = {}, largest[2] = {-INFINITY, -INFINITY}, sum[2] = {}, less[2] = {};
  std::uint32_t p[4][4] = {};

  __device__ void take_turn() { asm volatile("bar.sync %0, 256;" ::"r"(1 + group) : "memory"); }
  __device__ void pass_turn() { asm volatile("bar.arrive %0, 256;" ::"r"(2 - group) : "memory"); }
  __device__ void fence() {
    ptx::settle(s), ptx::settle(o);
    for (auto& registers : p) ptx::settle(registers);
    ptx::wgmma_fence_sync_aligned();
  }
  __device__ void start_scores() {
    for (int i = 0; i < kDim / 16; ++i)
      ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16(
          s, descriptor(shared.q[group]) + i * 2, descriptor(shared.k[block]) + i * 2, i > 0);
    ptx::wgmma_commit_group_sync_aligned();
  }
  __device__ void start_values() {
    for (int i = 0; i < kKeys / 16; ++i)
      ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16<1, 1, 1>(
          o, p[i], descriptor(shared.v[block - 1] + i * 16 * kRowBytes), 1);
    ptx::wgmma_commit_group_sync_aligned();
  }
  __device__ void wait_all_but_last() { ptx::wgmma_wait_group_sync_aligned<1>(); }
  __device__ void wait_all() { ptx::wgmma_wait_group_sync_aligned<0>(); }
  __device__ void release_keys() {}
  __device__ void release_values() {}
  __device__ void soften() {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      float now = largest[row];
      for (int i = 0; i < 32; ++i)
        if (i / 2 % 2 == row) now = fmaxf(now, s[i]);
      for (int lanes = 1; lanes <= 2; lanes *= 2)
        now = fmaxf(now, __shfl_xor_sync(~0u, now, lanes));
      less[row] = power_of_two(largest[row] - now);
      largest[row] = now;
      sum[row] *= less[row];
      for (int i = 0; i < 32; ++i)
        if (i / 2 % 2 == row) sum[row] += s[i] = power_of_two(s[i] - now);
    }
  }
  __device__ void shrink() {
#pragma unroll
    for (int i = 0; i < 32; ++i) o[i] *= less[i / 2 % 2];
  }
  __device__ void pack() {
#pragma unroll
    for (int i = 0; i < 16; ++i) p[i / 4][i % 4] = two(s[2 * i], s[2 * i + 1]);
  }
};

#define WGMMA "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"

__global__ void __launch_bounds__(128 * kGroups, 1)
    attend(const std::uint16_t* Q, const std::uint16_t* K, const std::uint16_t* V, float* O,
           int blocks, DeviceRecorder recorder) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  load(shared.q[0], Q, 64 * kGroups);
  load(shared.k[0], K, blocks * kKeys);
  load(shared.v[0], V, blocks * kKeys);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  Attending my{shared, static_cast<int>(threadIdx.x) / 128};
  if (my.group == 1) my.pass_turn();  // the first turn is group 0's
  my.take_turn();
  my.fence();
  my.start_scores();
  my.pass_turn();
  my.wait_all();
  my.soften();
  my.pack();
  for (my.block = 1; my.block < blocks; ++my.block) step(my);
  my.take_turn();
  my.fence();
  my.start_values();
  if (my.group == 0) my.pass_turn();
  my.wait_all();
  if (my.group == 0) {
    RECORD_WARPGROUP(recorder, "A", WGMMA, my.p[0]);
    RECORD_WARPGROUP(recorder, "D", WGMMA, my.o);
  }
#pragma unroll
  for (float& sum : my.sum)
    for (int lanes = 1; lanes <= 2; lanes *= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
#pragma unroll
  for (int i = 0; i < 32; ++i)
    O[(thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8) * kDim + i / 4 * 8 + lane % 4 * 2 + i % 2] =
        my.o[i] / my.sum[i / 2 % 2];
}

// check.cpp calls this. Without numbers: what each of 256 threads calls in step, in its order, 40
// numbers each, -1 where there is none. With Q (128 rows of 64 f16), K and V (64 rows a block): O.
std::pair<std::vector<int>, std::vector<float>> attend_on_device(
    const std::vector<std::uint16_t>& Q, const std::vector<std::uint16_t>& K,
    const std::vector<std::uint16_t>& V, const char* trace) {
  if (Q.empty()) {
    DeviceArray<int> calls(128 * kGroups * kMostCalls);  // poisoned: -1
    tell<<<1, 128 * kGroups>>>(calls.data());
    return {calls.get(), {}};
  }
  Recorder recorder(trace, "22_hopper_attention");
  recorder.view("22 Attention the Hopper way, your exercise", {"fragments", "lanes"}, "D 41,9",
                "Group 0: the last block's first weights, and O before it is divided.");
  DeviceArray<std::uint16_t> device_q(Q), device_k(K), device_v(V);
  DeviceArray<float> O(Q.size());
  CUDA_CHECK(
      cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  attend<<<1, 128 * kGroups, sizeof(Shared)>>>(
      device_q.data(), device_k.data(), device_v.data(), O.data(),
      static_cast<int>(K.size()) / (kKeys * kDim), recorder.launch("attend", 1, 128 * kGroups));
  std::pair<std::vector<int>, std::vector<float>> result{{}, O.get()};
  recorder.write();
  return result;
}
