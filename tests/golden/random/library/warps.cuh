// SPDX-License-Identifier: MIT
// What warps, groups of lanes and single threads do by the toolkit's libraries: the second half of
// blocks.cuh.
#pragma once
#include "blocks.cuh"

// ---- CUB's warps, whole ones and parts of any size
/// Of parts whose size is no power of two a warp has one: the mask that CUB makes is that of the
/// first.
template <int kLanes>
__device__ bool is_one_of() {
  return (kLanes & (kLanes - 1)) == 0 || lane() < kLanes;
}
template <int kLanes, class Op, class T>
__device__ void warp_reduce(void* room, T& item, unsigned flag, int how) {
  using Tool = cub::WarpReduce<T, kLanes>;
  __syncthreads();
  char* mine = static_cast<char*>(of_warp(room)) +
               lane() / kLanes * ((sizeof(typename Tool::TempStorage) + 15) / 16 * 16);
  T sum = item;
  if (is_one_of<kLanes>()) {
    Tool tool(storage<Tool>(mine));
    if (how == 0) sum = tool.Reduce(item, Op());
    if (how == 1) sum = tool.Reduce(item, Op(), kLanes / 2 + 1);
    if (how == 2) sum = tool.HeadSegmentedReduce(item, flag & 1, Op());
    if (how == 3) sum = tool.TailSegmentedReduce(item, flag & 1, Op());
    const bool begins = lane() % kLanes == 0 || (how == 2 && (flag & 1) != 0);
    if (begins) item = sum;
  }
  __syncthreads();
}
template <int kLanes, class Op, class T>
__device__ void warp_scan(void* room, T& item, int how) {
  using Tool = cub::WarpScan<T, kLanes>;
  __syncthreads();
  char* mine = static_cast<char*>(of_warp(room)) +
               lane() / kLanes * ((sizeof(typename Tool::TempStorage) + 15) / 16 * 16);
  if (is_one_of<kLanes>()) {
    Tool tool(storage<Tool>(mine));
    T all = item, other = item, first = item;
    if (how == 0) tool.InclusiveScan(item, item, Op(), all);
    if (how == 1) tool.ExclusiveScan(item, item, T{}, Op(), all);
    if (how == 2) tool.Scan(item, other, item, T{}, Op());
    if (how == 3) item = tool.Broadcast(first, kLanes - 1);
    if (how < 3 && (lane() & 3) == 1) item = how == 2 ? other : all;
  }
  __syncthreads();
}
template <int kLanes, class K, class V, int N>
__device__ void warp_sort(void* room, K (&keys)[N], V (&values)[N]) {
  using Tool = cub::WarpMergeSort<K, N, kLanes, V>;
  __syncthreads();
  char* mine = static_cast<char*>(of_warp(room)) +
               lane() / kLanes * ((sizeof(typename Tool::TempStorage) + 15) / 16 * 16);
  Tool(storage<Tool>(mine)).StableSort(keys, values, Less<K>());
  __syncthreads();
}
template <int kLanes, class T, int N>
__device__ void warp_exchange(void* room, T (&items)[N], int how) {
  using Tool = cub::WarpExchange<T, N, kLanes>;
  __syncthreads();
  char* mine = static_cast<char*>(of_warp(room)) +
               lane() / kLanes * ((sizeof(typename Tool::TempStorage) + 15) / 16 * 16);
  Tool tool(storage<Tool>(mine));
  if (how == 0) tool.BlockedToStriped(items, items);
  if (how == 1) tool.StripedToBlocked(items, items);
  __syncthreads();
}

// ---- cooperative groups, of lanes that a branch made, too
template <class T>
__device__ void groups(T& item, unsigned word, int how) {
  const cg::coalesced_group here = cg::coalesced_threads();
  if (how == 0) {
    const auto some = cg::labeled_partition(here, static_cast<int>(word & 3));
    item = cg::reduce(some, item, cg::plus<T>());
  } else if (how == 1) {
    const auto some = cg::binary_partition(here, (word & 2) != 0);
    item = cg::inclusive_scan(some, item, cg::plus<T>());
  } else if (how == 2) {
    item = here.shfl(item, static_cast<int>(word % here.size()));
  } else if (how == 3) {
    item = here.shfl_up(item, word & 3) + here.shfl_down(item, 1);
  } else if (how == 4) {
    item = cg::invoke_one_broadcast(
        here, [&] { return static_cast<T>(item + static_cast<T>(here.size())); });
  } else {
    item = static_cast<T>(item + static_cast<T>(here.match_any(word & 1) & 0x7f) +
                          static_cast<T>(here.ballot((word & 4) != 0) & 31));
  }
  here.sync();
}
template <int kLanes, class T>
__device__ void tiles(T& item, unsigned word, int how) {
  const auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
  if (how == 0) item = cg::reduce(tile, item, cg::less<T>());
  if (how == 1) item = cg::exclusive_scan(tile, item, cg::plus<T>());
  if (how == 2) item = tile.shfl_xor(item, word % kLanes == 0 ? 1 : kLanes / 2);
  if (how == 3) item = tile.shfl(item, static_cast<int>(word % kLanes));
  if (how == 4)
    item = static_cast<T>(item + static_cast<T>(tile.meta_group_rank() * 8 + tile.thread_rank() +
                                                (tile.any((word & 8) != 0) ? 64 : 0)));
  if (how == 5) item = cg::inclusive_scan(tile, item, [](T a, T b) { return b > a ? b : a; });
}

// ---- atomics of every width whose order nobody sees
template <class T, cuda::thread_scope kScope>
__device__ void sums(void* cells, T value, unsigned word, int how, T& to) {
  __syncthreads();
  T* cell = static_cast<T*>(cells) + (word & 3);
  for (int n = 0; n < 4; ++n)
    if (threadIdx.x == static_cast<unsigned>(n))
      static_cast<T*>(cells)[n] = static_cast<T>(how == 4 ? 0 : n);
  __syncthreads();
  cuda::atomic_ref<T, kScope> a(*cell);
  if (how == 0) a.fetch_add(value, cuda::memory_order_relaxed);
  if (how == 1) a.fetch_min(value);
  if (how == 2) a.fetch_max(value, cuda::memory_order_acq_rel);
  if (how == 3) {  // by exchanges alone
    T seen = a.load(cuda::memory_order_acquire);
    while (!a.compare_exchange_weak(seen, static_cast<T>(seen + value), cuda::memory_order_release,
                                    cuda::memory_order_relaxed)) {
    }
  }
  if constexpr (cuda::std::is_integral_v<T>) {
    if (how == 4) a.fetch_or(value, cuda::memory_order_release);
    if (how == 5) a.fetch_xor(value, cuda::memory_order_acquire);
    if (how == 6) a.fetch_and(value);
    if (how == 7) a.fetch_sub(value, cuda::memory_order_seq_cst);
  }
  __syncthreads();
  to = static_cast<T>(to + static_cast<T*>(cells)[threadIdx.x & 3]);
  __syncthreads();
}

// ---- copies: by a barrier, by a pipeline, by a group
__device__ inline unsigned copied(void* room, const Word* from, unsigned word, int how, int bytes) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> stages;
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, kThreads);
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // what others read or wrote in the room
  block.sync();
  char* to = static_cast<char*>(room);
  const char* source = reinterpret_cast<const char*>(from);
  const auto at = [&](unsigned n) {
    return *reinterpret_cast<const unsigned*>(to + n % static_cast<unsigned>(bytes / 4) * 4);
  };
  unsigned got = 0;
  if (how == 0) {
    cuda::memcpy_async(block, to, source, cuda::aligned_size_t<16>(static_cast<size_t>(bytes)),
                       bar);
    bar.arrive_and_wait();
  } else if (how == 1) {
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(to, source,
                                    cuda::aligned_size_t<16>(static_cast<size_t>(bytes)), bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, bytes);
    } else {
      token = bar.arrive();
    }
    bar.wait(cuda::std::move(token));
  } else if (how == 2) {
    auto pipe = cuda::make_pipeline(block, &stages);
    for (int n = 0; n < 3; ++n) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, to + n % 2 * bytes, source + n * 64, static_cast<size_t>(bytes),
                         pipe);
      pipe.producer_commit();
      pipe.consumer_wait();
      got = got * 3 + *reinterpret_cast<const unsigned*>(
                          to + n % 2 * bytes + threadIdx.x * 4 % static_cast<unsigned>(bytes));
      pipe.consumer_release();
    }
  } else if (how == 3) {
    cg::memcpy_async(block, to, source, static_cast<size_t>(bytes));
    cg::wait(block);
  } else {
    auto own = cuda::make_pipeline();
    own.producer_acquire();
    cuda::memcpy_async(to + threadIdx.x * 16, source + (word & 63) * 16,
                       cuda::aligned_size_t<16>(16), own);
    own.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(own);
    own.consumer_release();
    block.sync();
  }
  block.sync();
  got ^= how == 2 ? 0 : how == 4 ? *reinterpret_cast<unsigned*>(to + (word & 511) * 4) : at(word);
  block.sync();
  if (threadIdx.x == 0) bar.~barrier();
  block.sync();
  return got;
}
__device__ inline unsigned phases(unsigned word, int turns) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ unsigned cell;
  if (threadIdx.x == 0) init(&bar, kThreads), cell = 1;
  __syncthreads();
  unsigned got = 0;
  for (int n = 0; n < turns; ++n) {
    atomicAdd(&cell, word >> n & 7);
    auto token = bar.arrive();
    while (!bar.try_wait_for(cuda::std::move(token), cuda::std::chrono::microseconds(50))) {
    }
    got = got * 5 + cell;
    if (n == 1 && threadIdx.x % 4 == 1) {  // these go
      bar.arrive_and_drop();
      break;
    }
    bar.arrive_and_wait();
  }
  __syncthreads();
  return got;
}

// ---- a thread's own
template <class T>
__device__ void complex_numbers(T& x, T& y, int how) {
  using Complex = cuda::std::complex<T>;
  Complex a(x, y), b(y, static_cast<T>(T(1) + x * x));
  if (how == 0) a *= b;
  if (how == 1) a /= b;
  if (how == 2) a = cuda::std::exp(Complex(x * T(0.0625), y * T(0.0625)));
  if (how == 3) a = cuda::std::sqrt(a);
  if (how == 4) a = cuda::std::log(b);
  if (how == 5) a = Complex(cuda::std::abs(a), cuda::std::arg(b));
  if (how == 6) a = cuda::std::sin(Complex(x * T(0.0625), y * T(0.0625)));
  if (how == 7) a = cuda::std::tanh(Complex(x * T(0.0625), y * T(0.0625)));
  if (how == 8) a = cuda::std::pow(b, T(3));
  if (how == 9) a = cuda::std::polar(cuda::std::norm(b), y);
  if (how == 10) a = cuda::std::acosh(b);
  if (how == 11) a = cuda::std::asin(b);
  x = a.real();
  y = a.imag();
}
template <class T>
__device__ T bits_of(T a, unsigned b, int how) {
  if (how == 0) return static_cast<T>(cuda::std::popcount(a) + cuda::std::countl_zero(a) * 100);
  if (how == 1) return cuda::std::rotl(a, static_cast<int>(b & 127));
  if (how == 2) return cuda::std::rotr(a, -static_cast<int>(b & 127));
  if (how == 3) return cuda::std::bit_floor(a);
  if (how == 4) return static_cast<T>(cuda::std::countr_one(a) + cuda::std::bit_width(a) * 64);
  if (how == 5) return static_cast<T>(cuda::std::byteswap(a));
  if (how == 6) return cuda::bit_reverse(a);
  if (how == 7)
    return cuda::bitfield_insert(a, static_cast<T>(b), static_cast<int>(b & 3),
                                 static_cast<int>(b >> 2 & 3) + 1);
  if (how == 8)
    return cuda::bitfield_extract(a, static_cast<int>(b & 3), static_cast<int>(b >> 2 & 3) + 1);
  if (how == 9) return cuda::bitmask<T>(static_cast<int>(b & 3), static_cast<int>(b >> 2 & 3));
  if (how == 10)
    return static_cast<T>(cuda::ilog2(static_cast<T>(a | 1)) +
                          cuda::ceil_div(a, static_cast<T>((b & 15) + 1)));
  return cuda::round_up(static_cast<T>(a >> 5), static_cast<T>((b & 15) + 1));
}
template <class T>
__device__ void lanes_of(T& item, unsigned word, int how) {
  if (how == 0) item = cuda::device::warp_shuffle_idx(item, static_cast<int>(word & 31)).data;
  if (how == 1) item = cuda::device::warp_shuffle_up<8>(item, 3).data;
  if (how == 2) {
    const auto got = cuda::device::warp_shuffle_down<16>(item, 5);
    if (got.pred) item = got.data;
  }
  if (how == 3) item = cuda::device::warp_shuffle_xor<4>(item, 2).data;
}
