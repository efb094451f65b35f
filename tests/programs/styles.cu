// SPDX-License-Identifier: MIT
// Ways in which CTAs and warps hand work to each other, as programs write them: none of them is
// wrong, and the checker must say nothing. Each kernel's answer is compared with the CPU's.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <algorithm>

#include "program.cuh"

namespace cg = cooperative_groups;

// A block's barrier is made by hand: its constructor does nothing.
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int kThreads = 128, kBlocks = 12, kCount = kThreads * kBlocks;

// ---- Flags, counters and locks in global memory
// ---------------------------------------------------

// Decoupled look-back: each block's sum, then its prefix, behind a status word.
__device__ volatile int status[kBlocks], sums[kBlocks], prefixes[kBlocks];

__global__ void scan_by_look_back(const int* in, int* out) {
  __shared__ int warp_sums[kThreads / 32], before;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int block = blockIdx.x;
  int sum = in[block * kThreads + threadIdx.x];
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += left;
  }
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  int mine = 0, all = 0;
  for (int k = 0; k < kThreads / 32; ++k) {
    if (k < warp) mine += warp_sums[k];
    all += warp_sums[k];
  }
  if (threadIdx.x == 0) {
    sums[block] = all;
    __threadfence();
    status[block] = 1;
    int prefix = 0;
    for (int look = block - 1; look >= 0;) {
      int seen;
      while ((seen = status[look]) == 0) {
      }
      __threadfence();
      if (seen == 2) {
        prefix += prefixes[look];
        break;
      }
      prefix += sums[look--];
    }
    prefixes[block] = prefix + all;
    __threadfence();
    status[block] = 2;
    before = prefix;
  }
  __syncthreads();
  out[block * kThreads + threadIdx.x] = before + mine + sum;
}

// Split-K: partial sums in global memory, the last block of a tile adds them up in order.
__global__ void split_k_last_block(const int* in, int* partials, int* counter, int* out) {
  __shared__ bool is_last;
  partials[blockIdx.x * kThreads + threadIdx.x] = 3 * in[blockIdx.x * kThreads + threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(counter, 1) == kBlocks - 1;
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (int k = 0; k < kBlocks; ++k) sum += partials[k * kThreads + threadIdx.x];
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0) *counter = 0;
}

// Stream-K: a block that begins in the middle of a tile leaves its part for the tile's owner.
__global__ void stream_k_fixup(const int* in, int* workspace, int* flags, int* out) {
  const int block = blockIdx.x, at = block * kThreads + threadIdx.x;
  int sum = in[at];
  if (block % 2 == 1) {
    workspace[at] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[block]);
      flag.store(1, cuda::memory_order_release);
    }
    return;
  }
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[block + 1]);
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
  }
  __syncthreads();
  out[block / 2 * kThreads + threadIdx.x] = sum + workspace[at + kThreads];
}

// A barrier of the grid by hand, twice.
__device__ void meet(int* arrived, int goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*static_cast<volatile int*>(arrived) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void grid_barrier(int* data, int* arrived) {
  const int at = blockIdx.x * kThreads + threadIdx.x;
  data[at] = at;
  meet(arrived, kBlocks);
  const int other = data[(at + kThreads) % kCount];
  meet(arrived, 2 * kBlocks);
  data[at] = other;
}

__global__ void grid_group(int* data) {
  const cg::grid_group grid = cg::this_grid();
  const int at = grid.thread_rank();
  data[at] = at;
  grid.sync();
  const int other = data[(at + kThreads) % kCount];
  grid.sync();
  data[at] = other;
}

// Blocks add to the same numbers in turn; the last one clears the turn with a plain store.
__global__ void one_after_another(const int* in, int* turn, int* out) {
  if (threadIdx.x == 0) {
    int now = -1;
    while (now != static_cast<int>(blockIdx.x))
      asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(now) : "l"(turn) : "memory");
  }
  __syncthreads();
  out[threadIdx.x] += in[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (blockIdx.x == kBlocks - 1)
    *turn = 0;
  else
    asm volatile("fence.acq_rel.gpu; red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(turn)
                 : "memory");
}

__global__ void lock(int* mutex, int* total) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
    *total += 1;
    __threadfence();
    atomicExch(mutex, 0);
  }
}

__global__ void hash_insert(unsigned* keys, int* counts) {  // open addressing
  const unsigned key = 1 + (blockIdx.x * kThreads + threadIdx.x) * 7919u % 257;
  for (unsigned slot = key * 2654435761u % 1024;; slot = (slot + 1) % 1024) {
    const unsigned found = atomicCAS(&keys[slot], 0u, key);
    if (found != 0 && found != key) continue;
    atomicAdd(&counts[slot], 1);
    return;
  }
}

// What there is no instruction for, as the CUDA C++ Programming Guide has it: a plain load guesses,
// and atomicCAS finds out.
__device__ void add_by_swaps(double* sum, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
}

__device__ void raise_by_swaps(float* most, float value) {
  int *bits = reinterpret_cast<int*>(most), old = *bits;
  while (__int_as_float(old) < value) {
    const int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
}

__global__ void guess_and_swap(const int* in, double* sum, float* most) {
  __shared__ double block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  const int mine = in[blockIdx.x * kThreads + threadIdx.x];
  add_by_swaps(&block_sum, mine);
  raise_by_swaps(&most[threadIdx.x % 3], static_cast<float>(mine));
  __syncthreads();
  if (threadIdx.x == 0) add_by_swaps(sum, block_sum);
}

__global__ void everybody_says_so(const int* in, bool* found) {
  if (in[blockIdx.x * kThreads + threadIdx.x] >= 0) *found = true;  // the same value from all
}

__global__ void warp_ticket(int* next, int* owner) {  // a persistent kernel's work queue
  __shared__ int tile;
  while (true) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    const int mine = tile;
    __syncthreads();
    if (mine >= 40) return;
    owner[mine * kThreads + threadIdx.x] = mine;
  }
}

__global__ void own_memory(const int* in, int* out) {  // what one frees another gets
  const int at = blockIdx.x * kThreads + threadIdx.x;
  int* box = new int[4];
  for (int k = 0; k < 4; ++k) box[k] = in[at] + k;
  out[at] = box[0] + box[3];
  delete[] box;
}

// ---- Inside a block, with the library
// ---------------------------------------------------------------

__global__ void library_barrier(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> barriers[2];
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0)
    for (auto& barrier : barriers) init(&barrier, kThreads);
  block.sync();
  int sum = 0;
  for (int k = 0; k < kBlocks; ++k) {
    cuda::memcpy_async(block, tile[k % 2], in + k * kThreads, sizeof(tile[0]), barriers[k % 2]);
    barriers[k % 2].arrive_and_wait();
    sum += tile[k % 2][kThreads - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

__global__ void library_pipeline(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int fetched = 0, k = 0; k < kBlocks; ++k) {
    for (; fetched < kBlocks && fetched < k + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % 2], in + fetched * kThreads, sizeof(tile[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[k % 2][kThreads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void library_thread_pipeline(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int fetched = 0, k = 0; k < kBlocks; ++k) {
    for (; fetched < kBlocks && fetched < k + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[fetched % 2][threadIdx.x], in + fetched * kThreads + threadIdx.x,
                         sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[k % 2][threadIdx.x];
    pipe.consumer_release();
  }
  out[kThreads - 1 - threadIdx.x] = sum;
}

__global__ void library_groups(const int* in, int* out) {
  __shared__ int tile[kThreads], sums[kThreads / 32];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * kThreads, sizeof(tile));
  cg::wait(block);
  const auto warp = cg::tiled_partition<32>(block);
  const int sum = cg::reduce(warp, tile[kThreads - 1 - threadIdx.x], cg::plus<int>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
  block.sync();
  if (threadIdx.x == 0) atomicAdd(out, sums[0] + sums[1] + sums[2] + sums[3]);
}

// A tile of four warps: the library's lane 0 hears of the other warps, shuffles tell its lanes.
__global__ void library_wide_tile(const int* in, int* out) {
  __shared__ cg::block_tile_memory<kThreads> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<kThreads>(block);
  const int number = in[threadIdx.x];
  out[threadIdx.x] = cg::inclusive_scan(tile, number, cg::plus<int>());
  out[kThreads + threadIdx.x] = cg::reduce(tile, number, cg::plus<int>());
}

__global__ void __cluster_dims__(4) library_cluster(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const auto cluster = cg::this_cluster();
  tile[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  cluster.sync();
  const int next = (cluster.block_rank() + 1) % 4;
  const int other = *cluster.map_shared_rank(&tile[threadIdx.x], next);
  cluster.sync();
  out[blockIdx.x * kThreads + threadIdx.x] = other;
}

// A spin lock and a flag in shared memory.
__global__ void near_flags(int* out) {
  __shared__ int mutex, total;
  __shared__ volatile int ready;
  __shared__ int box[32];
  if (threadIdx.x == 0) mutex = total = ready = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence_block();
    total += 1;
    __threadfence_block();
    atomicExch(&mutex, 0);
  }
  if (threadIdx.x / 32 == 3) {
    box[threadIdx.x % 32] = threadIdx.x;
    __syncwarp();
    __threadfence_block();
    if (threadIdx.x % 32 == 0) ready = 1;
  } else if (threadIdx.x / 32 == 1) {
    while (ready == 0) {
    }
    __threadfence_block();
    __syncwarp();
    out[threadIdx.x % 32] = box[31 - threadIdx.x % 32];
  }
  __syncthreads();
  if (threadIdx.x == 0) out[32] = total;
}

// st.async: parts go to the first CTA of a cluster, where who has waited for their bytes reads
// them.
__global__ void __cluster_dims__(4) async_stores(const int* in, int* out) {
  __shared__ int parts[4][kThreads];
  __shared__ std::uint64_t full;
  const cg::cluster_group cluster = cg::this_cluster();
  const auto address = [](const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
  };
  if (threadIdx.x == 0)
    asm volatile(
        "mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster; "
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(&full)),
        "r"(static_cast<int>(sizeof parts))
        : "memory");
  cluster.sync();
  asm volatile(
      "{ .reg .b32 part, there; mapa.shared::cluster.u32 part, %0, 0; "
      "mapa.shared::cluster.u32 there, %1, 0; "
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.s32 [part], %2, [there]; }" ::"r"(
          address(&parts[cluster.block_rank()][threadIdx.x])),
      "r"(address(&full)), "r"(in[blockIdx.x * kThreads + threadIdx.x])
      : "memory");
  if (cluster.block_rank() == 0) {
    asm volatile(
        "{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%0], 0; @!done bra "
        "AGAIN; }" ::"r"(address(&full))
        : "memory");
    out[blockIdx.x / 4 * kThreads + threadIdx.x] = parts[0][threadIdx.x] + parts[1][threadIdx.x] +
                                                   parts[2][threadIdx.x] + parts[3][threadIdx.x];
  }
  cluster.sync();
}

// mbarriers that other CTAs arrive at, after a barrier of the cluster that orders nothing else.
__global__ void __cluster_dims__(2) relaxed_start(int* out) {
  __shared__ std::uint64_t met;
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&met));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(2 * kThreads) : "memory");
  asm volatile(
      "fence.mbarrier_init.release.cluster; barrier.cluster.arrive.relaxed.aligned; "
      "barrier.cluster.wait.aligned;" ::
          : "memory");
  for (int rank = 0; rank < 2; ++rank)
    asm volatile(
        "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(address),
        "r"(rank)
        : "memory");
  asm volatile(
      "{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared.b64 done, [%0], "
      "0; "
      "@!done bra AGAIN; }" ::"r"(address)
      : "memory");
  out[blockIdx.x * kThreads + threadIdx.x] = 1;
  cg::this_cluster().sync();
}

int main() {
  std::vector<int> in(kCount);
  Numbers numbers;
  for (int& value : in) value = numbers.next(100);
  int* device = to_device(in);
  int wrong = 0;
  const auto fresh = [](int count) { return to_device(std::vector<int>(count)); };
  const auto compare = [&](const char* name, const int* made, int count, auto expected) {
    const std::vector<int> got = from_device(made, count);
    int bad = 0;
    for (int k = 0; k < count; ++k) bad += got[k] != expected(k);
    wrong += verdict(name, bad, count);
  };
  const auto column = [&](int k) {
    int sum = 0;
    for (int block = 0; block < kBlocks; ++block) sum += in[block * kThreads + k];
    return sum;
  };
  int* out = fresh(kCount * 4);
  scan_by_look_back<<<kBlocks, kThreads>>>(device, out);
  std::vector<int> prefix(in);
  for (int k = 1; k < kCount; ++k) prefix[k] += prefix[k - 1];
  compare("scan_by_look_back", out, kCount, [&](int k) { return prefix[k]; });
  int *partials = fresh(kCount), *counter = fresh(1);
  for (int turn = 0; turn < 2; ++turn)
    split_k_last_block<<<kBlocks, kThreads>>>(device, partials, counter, out);
  compare("split_k_last_block", out, kThreads, [&](int k) { return 3 * column(k); });
  stream_k_fixup<<<kBlocks, kThreads>>>(device, fresh(kCount), fresh(kBlocks), out);
  compare("stream_k_fixup", out, kCount / 2, [&](int k) {
    return in[k / kThreads * 2 * kThreads + k % kThreads] +
           in[(k / kThreads * 2 + 1) * kThreads + k % kThreads];
  });
  const auto shifted = [](int k) { return (k + kThreads) % kCount; };
  grid_barrier<<<kBlocks, kThreads>>>(out, fresh(1));
  compare("grid_barrier", out, kCount, shifted);
  out = fresh(kCount * 4);
  void* arguments[] = {&out};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_group), kBlocks, kThreads,
                                    arguments, 0, nullptr));
  compare("grid_group", out, kCount, shifted);
  int* added = fresh(kThreads);
  one_after_another<<<kBlocks, kThreads>>>(device, fresh(1), added);
  compare("one_after_another", added, kThreads, column);
  int* total = fresh(1);
  lock<<<kBlocks, kThreads>>>(fresh(1), total);
  compare("lock", total, 1, [](int) { return kBlocks * kThreads / 32; });
  int* counts = fresh(1024);
  hash_insert<<<kBlocks, kThreads>>>(reinterpret_cast<unsigned*>(fresh(1024)), counts);
  int inserted = 0;
  for (const int count : from_device(counts, 1024)) inserted += count;
  wrong += verdict("hash_insert", inserted != kCount, 1);
  double* exact = to_device(std::vector<double>(1));
  float* most = to_device(std::vector<float>(3));
  guess_and_swap<<<kBlocks, kThreads>>>(device, exact, most);
  const std::vector<float> highest = from_device(most, 3);
  const bool is_highest = *std::max_element(highest.begin(), highest.end()) ==
                          static_cast<float>(*std::max_element(in.begin(), in.end()));
  wrong +=
      verdict("guess_and_swap", from_device(exact, 1)[0] != prefix[kCount - 1] || !is_highest, 1);
  everybody_says_so<<<kBlocks, kThreads>>>(device, reinterpret_cast<bool*>(fresh(1)));
  own_memory<<<kBlocks, kThreads>>>(device, out);
  compare("own_memory", out, kCount, [&](int k) { return 2 * in[k] + 3; });
  warp_ticket<<<kBlocks, kThreads>>>(fresh(1), out);
  compare("warp_ticket", out, 40 * kThreads, [](int k) { return k / kThreads; });
  const auto mirrored = [&](int k) { return column(kThreads - 1 - k); };
  library_barrier<<<1, kThreads>>>(device, out);
  compare("library_barrier", out, kThreads, mirrored);
  library_pipeline<<<1, kThreads>>>(device, out);
  compare("library_pipeline", out, kThreads, mirrored);
  library_thread_pipeline<<<1, kThreads>>>(device, out);
  compare("library_thread_pipeline", out, kThreads, mirrored);
  int* sum = fresh(1);
  library_groups<<<kBlocks, kThreads>>>(device, sum);
  compare("library_groups", sum, 1, [&](int) { return prefix[kCount - 1]; });
  library_wide_tile<<<1, kThreads>>>(device, out);
  compare("library_wide_tile", out, 2 * kThreads,
          [&](int k) { return prefix[k < kThreads ? k : kThreads - 1]; });
  library_cluster<<<kBlocks, kThreads>>>(device, out);
  compare("library_cluster", out, kCount, [&](int k) {
    const int block = k / kThreads;
    return in[(block / 4 * 4 + (block + 1) % 4) * kThreads + k % kThreads];
  });
  async_stores<<<kBlocks, kThreads>>>(device, out);
  compare("async_stores", out, kBlocks / 4 * kThreads, [&](int k) {
    int sum = 0;
    for (int rank = 0; rank < 4; ++rank)
      sum += in[(k / kThreads * 4 + rank) * kThreads + k % kThreads];
    return sum;
  });
  relaxed_start<<<kBlocks, kThreads>>>(out);
  compare("relaxed_start", out, kCount, [](int) { return 1; });
  near_flags<<<1, kThreads>>>(out);
  compare("near_flags", out, 33, [](int k) { return k == 32 ? 4 : 96 + 31 - k; });
  CHECK(cudaDeviceSynchronize());
  return wrong != 0;
}
