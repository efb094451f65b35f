// SPDX-License-Identifier: MIT
// Lesson 22, attention the Hopper way: lesson 14's two products by wgmma, out of tiles that TMA
// brings. The softmax between them takes nearly as long as they do, in other units: whoever makes
// it may not keep the tensor cores waiting. Four kernels: one warpgroup, which does one thing after
// the other; two; two whose next scores are under way meanwhile; and two that take turns as well.
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.15 (wgmma), 9.7.13.1 (bar.sync, bar.arrive), 9.7.19.5 (setmaxnreg);
//             Shah and others, FlashAttention-3.
//   Steps:    kernel=attend,launch=3   (the fourth kernel)
#include <vector>

#include "arguments.cuh"
#include "bench_attention.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "ptx/cluster.cuh"
#include "record.cuh"
#include "this_device.cuh"
#include "tiles.cuh"

// ---- A softmax between them ---------------------------------------------------------------------

// The four lanes of a group have a row among them (lesson 14).
template <class Join>
__device__ float of_row(float x, Join join) {
  x = join(x, __shfl_xor_sync(~0u, x, 1));
  return join(x, __shfl_xor_sync(~0u, x, 2));
}

// A thread has two rows, sums 0 and 1 of every four belong to the first.
struct Rows {
  float largest[2] = {-INFINITY, -INFINITY}, sum[2] = {}, shrink[2] = {};

  // Scores become weights, 2^(scale * (s - largest)); what was added up before is to shrink.
  __device__ void soften(Sums& s, float scale) {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      float now = largest[row];
      for (int i = 0; i < 64; ++i)
        if (i / 2 % 2 == row) now = fmaxf(now, s[i]);
      now = of_row(now, [](float a, float b) { return fmaxf(a, b); });
      shrink[row] = power_of_two((largest[row] - now) * scale);
      largest[row] = now;
      sum[row] *= shrink[row];
      for (int i = 0; i < 64; ++i)
        if (i / 2 % 2 == row) {
          s[i] = power_of_two(fmaf(s[i], scale, -now * scale));
          sum[row] += s[i];
        }
    }
  }
};

// ---- Whose turn it is ---------------------------------------------------------------------------

// A named barrier a warpgroup. To take a turn, its 128 threads wait at it, until the other's 128
// have arrived there: they pass it on, and do not wait. Barrier 0 is that of __syncthreads().
template <bool kTurns>
struct Turns {
  int mine, other;
  __device__ explicit Turns(int group) : mine(1 + group), other(2 - group) {
    if (group == 1) pass();  // the first turn is group 0's
  }
  __device__ void take() const {
    if (kTurns) asm volatile("bar.sync %0, 256;" ::"r"(mine) : "memory");
  }
  __device__ void pass() const {
    if (kTurns) asm volatile("bar.arrive %0, 256;" ::"r"(other) : "memory");
  }
};

// D of lesson 09: a warp has 16 rows of 64, a lane two of them, and two columns of every eight.
__device__ void store(float* O, const Sums& o, const float (&sum)[2]) {
  const int thread = static_cast<int>(threadIdx.x) % 128, lane = thread % 32;
  const float share[2] = {1 / sum[0], 1 / sum[1]};  // not 64 divisions
  float* to = O + (thread / 32 * 16 + lane / 4) * kDim + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < 64; i += 2)
    *reinterpret_cast<float2*>(to + i / 2 % 2 * 8 * kDim + i / 4 * 8) =
        make_float2(o[i] * share[i / 2 % 2], o[i + 1] * share[i / 2 % 2]);
}

// ---- A warpgroup of queries ---------------------------------------------------------------------

#define WGMMA "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"

template <int kConsumers, bool kAhead, bool kTurns, class AnyRecorder>
__device__ void consume(Shared<kConsumers>& shared, const Size& size, float scale, float* O,
                        AnyRecorder recorder) {
  const int group = static_cast<int>(threadIdx.x) / 128;
  const auto come = [&](Which which, int block) -> const Tile<kBlockKeys>& {
    ptx::mbarrier_wait_parity(&shared.full[which][block % kStages], block / kStages % 2);
    return shared.tile[which][block % kStages];
  };
  const auto release = [&](Which which, int block) {  // one thread speaks for its warpgroup
    if (threadIdx.x % 128 == 0)
      ptx::mbarrier_arrive_shared_b64(&shared.empty[which][block % kStages]);
  };
  const Turns<kTurns> turns(group);
  Sums s, o = {};
  Weights p;
  Rows rows;
  ptx::mbarrier_wait_parity(&shared.q_full, 0);
  const Tile<kBlockKeys>& first = come(kKeysTile, 0);
  turns.take();
  ptx::wgmma_fence_sync_aligned();
  multiply_by_keys(s, shared.q[group], first);
  turns.pass();
  ptx::wgmma_wait_group_sync_aligned<0>();
  release(kKeysTile, 0);
  if (blockIdx.x + blockIdx.y == 0 && group == 0) RECORD_WARPGROUP(recorder, "D", WGMMA, s);
  rows.soften(s, scale);
  to_weights(p, s);
  if (blockIdx.x + blockIdx.y == 0 && group == 0) RECORD_WARPGROUP(recorder, "A", WGMMA, p[0]);
#pragma unroll 1
  for (int block = 1; block < size.blocks(); ++block) {
    const Tile<kBlockKeys>&k = come(kKeysTile, block), &v = come(kValuesTile, block - 1);
    turns.take();
    ptx::settle(o), ptx::settle(s);
    for (auto& of : p) ptx::settle(of);
    ptx::wgmma_fence_sync_aligned();
    multiply_by_keys(s, shared.q[group], k);  // of this block
    multiply_by_values(o, p, v);              // of the one before
    turns.pass();
    ptx::wgmma_wait_group_sync_aligned<kAhead ? 1 : 0>();  // 1: the values may be under way
    release(kKeysTile, block);
    rows.soften(s, scale);
    if (kAhead) ptx::wgmma_wait_group_sync_aligned<0>();  // o and p are ours again
    release(kValuesTile, block - 1);
#pragma unroll
    for (int i = 0; i < 64; ++i) o[i] *= rows.shrink[i / 2 % 2];
    to_weights(p, s);
  }
  const Tile<kBlockKeys>& v = come(kValuesTile, size.blocks() - 1);
  turns.take();
  ptx::settle(o);
  for (auto& of : p) ptx::settle(of);
  ptx::wgmma_fence_sync_aligned();
  multiply_by_values(o, p, v);
  if (group == 0) turns.pass();  // nobody waits for group 1 any more
  ptx::wgmma_wait_group_sync_aligned<0>();
#pragma unroll
  for (float& sum : rows.sum) sum = of_row(sum, [](float a, float b) { return a + b; });
  const int row = (static_cast<int>(blockIdx.x) * kConsumers + group) * kGroupQueries;
  store(O + (size_t(blockIdx.y) * size.queries + row) * kDim, o, rows.sum);
}

template <int kConsumers, bool kAhead, bool kTurns, class AnyRecorder>
__global__ void __launch_bounds__(128 * (1 + kConsumers), 1)
    attend(const __grid_constant__ Maps maps, Size size, float scale, float* O,
           AnyRecorder recorder) {
  extern __shared__ __align__(1024) unsigned char raw[];
  auto& shared = *reinterpret_cast<Shared<kConsumers>*>(raw);
  if (threadIdx.x == 0) prepare(shared);
  __syncthreads();
  if (threadIdx.x < 128 * kConsumers) {
    if constexpr (kConsumers == 2) ptx::setmaxnreg_inc_sync_aligned<240>();
    consume<kConsumers, kAhead, kTurns>(shared, size, scale, O, recorder);
  } else {
    if constexpr (kConsumers == 2) ptx::setmaxnreg_dec_sync_aligned<24>();
    if (threadIdx.x == 128 * kConsumers) produce(shared, maps, size);
  }
}

// ---- The lesson ---------------------------------------------------------------------------------

template <int kConsumers, bool kAhead, bool kTurns, class AnyRecorder = NoRecorder>
Rung<AnyRecorder> rung(const char* does) {
  return {does, kConsumers, attend<kConsumers, kAhead, kTurns, AnyRecorder>,
          sizeof(Shared<kConsumers>)};
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--bench", "--zeros"});
  Recorder recorder(argc, argv, "22_hopper_attention");
  recorder.view("22 Attention the Hopper way", {"fragments", "lanes"}, "D 41,9",
                "64 x 128 scores of 128 threads, and the weights that they become: A.");
  const ThisDevice device = introduce("Attention the Hopper way");
  if (device.arch != "sm_90a") return device.lacks("wgmma is an instruction of sm_90a alone", 22);
  const std::vector<Rung<NoRecorder>> rungs{
      rung<1, false, false>("one warpgroup, one thing after the other"),
      rung<2, false, false>("two"),
      rung<2, true, false>("two, whose next scores are under way meanwhile"),
      rung<2, true, true>("and who take turns")};
  if (argument_given(argc, argv, "--bench"))
    return bench_attention::run<Rows>(rungs, argument_given(argc, argv, "--zeros"));

  const Problem p({2, 128, 512});
  print_head(p.size);
  DeviceArray<uint16_t> Q(p.Q), K(p.K), V(p.V);
  const Maps maps = maps_of(Q.data(), K.data(), V.data(), p.size);
  const auto right = [&](const auto& rung, auto how) {
    DeviceArray<float> O(p.Q.size());
    rung.launch(maps, p.size, 1, O.data(), how);
    return p.right(O.get());
  };
  bool good = true;
  for (const Rung<NoRecorder>& rung : rungs) {
    recorder.launch("attend", p.size.heads * p.size.queries / rung.queries(), rung.threads());
    good = print_rung(rung.does, right(rung, NoRecorder()), p) && good;
  }
  // Once more, to be looked at.
  const auto shown = rung<2, true, true, DeviceRecorder>("");
  good = right(shown, recorder.launch("attend", p.size.heads, shown.threads())) == p.elements() &&
         good;
  if (!good) std::printf("\nSomething above is not as it should be.\n");
  return recorder.write() && good ? 0 : 1;
}
