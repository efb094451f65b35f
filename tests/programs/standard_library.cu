// SPDX-License-Identifier: MIT
// libcu++ as people use it: cuda::atomic and atomic_ref, semaphore, barrier, latch and pipeline
// with memcpy_async, and pieces of cuda::std in device code.
#include <cooperative_groups.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>

#include "program.cuh"

// A barrier in shared memory is made by init(), not where it stands.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

constexpr int kThreads = 128;

__device__ cuda::atomic<int, cuda::thread_scope_device> counter;
__device__ cuda::binary_semaphore<cuda::thread_scope_device> turn{1};
__device__ int guarded;

__global__ void count(int* out, double* sum, unsigned long long* chain) {
  counter.fetch_add(2);
  cuda::atomic_ref<int, cuda::thread_scope_block>(out[0]).fetch_max(threadIdx.x);
  cuda::atomic_ref<double>(*sum).fetch_add(0.5);
  cuda::atomic_ref<unsigned long long> links(*chain);
  unsigned long long old = links.load();
  while (!links.compare_exchange_weak(old, old * 3 + 1)) {
  }
  // All lanes of a warp cannot: one has the semaphore, waits for the others where the loop of
  // acquire() ends, and never comes to release(). An H200 hangs there, with one warp alone.
  if (threadIdx.x % 32 == 0) {
    turn.acquire();
    guarded = guarded + 1;
    turn.release();
  }
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
  out[1] = 5;
}
__global__ void counted(int* out) {
  out[2] = counter.load();
  out[3] = guarded;
}

__global__ void barriers(int* out, const int* in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ alignas(16) int tile[kThreads];
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char room[sizeof(Latch)];
  auto* latch = reinterpret_cast<Latch*>(room);
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    new (latch) Latch(kThreads);
  }
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof tile, barrier);
  barrier.arrive_and_wait();
  const int other = tile[kThreads - 1 - threadIdx.x];
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  out[threadIdx.x] = other;
  latch->arrive_and_wait();
}

__global__ void pipelines(int* out, const int* in) {
  constexpr int kStages = 3, kTiles = 8;
  __shared__ alignas(16) int tile[kStages][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0, fetched = 0;
  for (int k = 0; k < kTiles; ++k) {
    for (; fetched < kTiles && fetched < k + kStages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % kStages], in + kThreads * fetched,
                         cuda::aligned_size_t<16>(sizeof tile[0]), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum = sum * 3 + tile[k % kStages][(threadIdx.x + k) % kThreads];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
  block.sync();  // others may still read the stage that the next pipeline fills
  auto own = cuda::make_pipeline();
  own.producer_acquire();
  cuda::memcpy_async(&tile[0][threadIdx.x], in + threadIdx.x, sizeof(int), own);
  own.producer_commit();
  own.consumer_wait();
  out[kThreads + threadIdx.x] = tile[0][threadIdx.x];
  own.consumer_release();
}

__global__ void values(float* all) {
  cuda::std::array<float, 4> four{1, 2, 3, 4};
  cuda::std::complex<float> z(1.5f, -0.5f);
  z = cuda::std::exp(z * z + cuda::std::complex<float>(0.1f, 0.2f));
  const auto pair = cuda::std::make_tuple(1, 2.5f);
  cuda::std::optional<int> odd;
  if (threadIdx.x & 1) odd = threadIdx.x;
  cuda::std::variant<int, float> either = 3.5f;
  if (threadIdx.x == 3) either = 7;
  const cuda::std::span<float> span(four.data(), 4);
  const cuda::std::mdspan<float, cuda::std::extents<int, 2, 2>> square(four.data());
  float* out = all + threadIdx.x * 12;
  out[0] = four[threadIdx.x % 4];
  out[1] = z.real();
  out[2] = z.imag();
  out[3] = cuda::std::get<1>(pair) + cuda::std::get<0>(pair);
  out[4] = odd.value_or(-1);
  out[5] = cuda::std::visit([](auto value) { return static_cast<float>(value) * 2; }, either);
  out[6] = span.back() + square(1, 0);
  out[7] = cuda::std::numeric_limits<float>::max();
  out[8] = cuda::std::popcount(threadIdx.x * 77u) + cuda::std::countl_zero(threadIdx.x + 1u) +
           cuda::std::bit_width(threadIdx.x);
  out[9] = cuda::std::abs(z);
  out[10] = cuda::ptx::get_sreg_laneid();
  out[11] = cuda::std::arg(z);
}

int main() {
  int* out = to_device(std::vector<int>(2 * kThreads));
  double* sum = to_device(std::vector<double>(1));
  auto* chain = to_device(std::vector<unsigned long long>(1));
  count<<<2, 64>>>(out, sum, chain);
  counted<<<1, 1>>>(out);
  const std::vector<int> found = from_device(out, 4);
  std::printf("%d %d %d %d %g %016llx\n", found[0], found[1], found[2], found[3],
              from_device(sum, 1)[0], from_device(chain, 1)[0]);
  std::vector<int> numbers(8 * kThreads);
  for (int i = 0; i < 8 * kThreads; ++i) numbers[i] = i * 7 + i / 3;
  const int* in = to_device(numbers);
  barriers<<<1, kThreads>>>(out, in);
  print_bits(from_device(out, kThreads));
  pipelines<<<1, kThreads>>>(out, in);
  print_bits(from_device(out, 2 * kThreads));
  float* floats = to_device(std::vector<float>(32 * 12));
  values<<<1, 32>>>(floats);
  print_bits(from_device(floats, 32 * 12));
  return 0;
}
