// SPDX-License-Identifier: MIT
// Work stealing as Blackwell's kernels do it (clusterlaunchcontrol, sm_100): a block that runs
// takes the place of one that has not begun, while it works. Alone, in one dimension, with the
// names of cuda::ptx; and in clusters of two, which both hear the answer, in three. Every element,
// every block must be worked on once. By the ISA; no card has been asked.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "program.cuh"

namespace {

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int kThreads = 128;

// What was read of the answer must not be overwritten before; and the other way round.
__device__ void before_the_answer() {
  ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster,
                                               ptx::scope_cluster);
}
__device__ void behind_the_answer() {
  ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_release, ptx::space_shared,
                                               ptx::scope_cluster);
}

__global__ void doubled(float* data, int count, int* taken) {
  __shared__ uint4 answer;
  __shared__ uint64_t arrived;
  if (threadIdx.x == 0) ptx::mbarrier_init(&arrived, 1);
  int block = blockIdx.x;
  for (int phase = 0;; phase ^= 1) {
    __syncthreads();
    if (threadIdx.x == 0) {
      before_the_answer();
      ptx::clusterlaunchcontrol_try_cancel(&answer, &arrived);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &arrived,
                                     sizeof answer);
    }
    if (const int i = block * kThreads + threadIdx.x; i < count) data[i] *= 2;
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &arrived, phase)) {
    }
    const uint4 words = answer;
    __int128 opaque;
    memcpy(&opaque, &words, sizeof opaque);
    if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(opaque)) return;
    block = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(opaque);
    if (threadIdx.x == 0) atomicAdd(taken, 1);
    behind_the_answer();
  }
}

// {x, y, z, whether there was one}
__device__ uint4 read_answer(unsigned at) {
  uint4 first;
  asm volatile(
      "{\n.reg .b128 answer;\n.reg .pred taken;\n"
      "mov.u32 %0, 0;\nmov.u32 %1, 0;\nmov.u32 %2, 0;\n"
      "ld.shared.b128 answer, [%4];\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 taken, answer;\n"
      "selp.u32 %3, 1, 0, taken;\n"
      "@taken clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%0, %1, %2, _}, "
      "answer;\n}"
      : "=&r"(first.x), "=&r"(first.y), "=&r"(first.z), "=&r"(first.w)
      : "r"(at)
      : "memory");
  return first;
}

__global__ void __cluster_dims__(2, 1, 1) counted(int* visits, int* taken) {
  __shared__ uint4 answer;
  __shared__ uint64_t arrived;
  const cg::cluster_group cluster = cg::this_cluster();
  const auto at = [](const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  };
  if (threadIdx.x == 0) ptx::mbarrier_init(&arrived, 1);
  dim3 block = blockIdx;
  for (int phase = 0;; phase ^= 1) {
    if (threadIdx.x == 0)
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                     sizeof answer);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
      before_the_answer();
      asm volatile(
          "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
          ".multicast::cluster::all.b128 [%0], [%1];" ::"r"(at(&answer)),
          "r"(at(&arrived))
          : "memory");
    }
    if (threadIdx.x == 0)
      atomicAdd(&visits[(block.z * gridDim.y + block.y) * gridDim.x + block.x], 1);
    while (!ptx::mbarrier_try_wait_parity(&arrived, phase)) {
    }
    const uint4 first = read_answer(at(&answer));
    behind_the_answer();
    if (first.w == 0) break;
    block = dim3(first.x + cluster.block_rank(), first.y, first.z);
    if (threadIdx.x == 0) atomicAdd(taken, 1);
  }
  cluster.sync();  // the other one may still be waiting for the answer
}

int wrong_of_grid(dim3 grid, int* taken) {
  const std::vector<int> none(grid.x * grid.y * grid.z);
  int* visits = to_device(none);
  *taken = 0;
  counted<<<grid, 64>>>(visits, taken);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (const int times : from_device(visits, none.size())) wrong += times != 1;
  std::printf("%d x %d x %d: %s taken, %d wrong\n", grid.x, grid.y, grid.z,
              *taken > 0 ? "some" : "none", wrong);
  return wrong;
}

}  // namespace

int main() {
  const int count = kThreads * 3000 - 5;
  std::vector<float> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<float>(i);
  float* data = to_device(numbers);
  int* taken;
  CHECK(cudaMallocManaged(&taken, sizeof *taken));
  doubled<<<3000, kThreads>>>(data, count, taken);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> now = from_device(data, count);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += now[i] != 2 * numbers[i];
  std::printf("%d elements: %s taken, %d wrong\n", count, *taken > 0 ? "some" : "none", wrong);
  wrong += wrong_of_grid(dim3(24, 50, 4), taken);
  return verdict("launch_control", wrong, count);
}
