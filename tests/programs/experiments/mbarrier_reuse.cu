// SPDX-License-Identifier: MIT
// The memory of an mbarrier is used for something else: a tile is written where mbarriers were, by
// threads or by a bulk copy, and read again. How often is it not what was written, with
// mbarrier.inval before and without?
//
// PTX ISA 9.2, 9.7.13.15.10 (mbarrier.inval: before the memory is used for any other purpose). The
// answer is docs/experiments/mbarrier_reuse.md.
#include <string>

#include "../hopper.cuh"

constexpr int kWords = 1024, kThreads = 128;
constexpr int kOthers = 64;  // mbarriers elsewhere, used between writing and reading

enum Ended { by_nothing, by_fence, by_proxy_fence, by_inval };
constexpr const char* kEnded[] = {"nothing between", "fence.mbarrier_init", "fence.proxy.async",
                                  "mbarrier.inval"};

struct Case {
  int barriers;  // at the beginning of the tile, 8 bytes each
  bool is_used;  // an arrival completes a phase, and a thread waits for it
  Ended ended;
  bool bulk_writes;  // else st.shared
  bool bulk_reads;   // else ld.shared
  int others;        // mbarriers that are used elsewhere meanwhile
};

struct Found {
  unsigned wrong_tiles, tiles;
  unsigned first_word, written, read;  // of one that was wrong
};

__global__ void reuse(Case c, const std::uint32_t* numbers, std::uint32_t* copies, Found* found) {
  __shared__ __align__(1024) std::uint32_t tile[kWords];
  __shared__ __align__(8) std::uint64_t full, others[kOthers];
  __shared__ unsigned wrong;
  const int thread = static_cast<int>(threadIdx.x);
  auto* barriers = reinterpret_cast<std::uint64_t*>(tile);
  if (thread == 0) {
    wrong = 0;
    init(&full, 1);
    for (int i = 0; i < kOthers; ++i) init(&others[i], 1);
    for (int i = 0; i < c.barriers; ++i) init(&barriers[i], 1);
    fence_init();
  }
  __syncthreads();
  if (thread == 0) {
    for (int i = 0; i < c.barriers && c.is_used; ++i) {
      arrive(&barriers[i]);
      wait(&barriers[i], 0);
    }
    if (c.ended == by_fence) fence_init();
    if (c.ended == by_proxy_fence) asm volatile("fence.proxy.async;" ::: "memory");
    for (int i = 0; i < c.barriers && c.ended == by_inval; ++i)
      asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(&barriers[i]))
                   : "memory");
    if (c.ended == by_inval) asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  if (c.bulk_writes) {
    if (thread == 0) {
      expect_bytes(&full, sizeof tile);
      fetch_bytes(tile, numbers, sizeof tile, &full);
    }
    wait(&full, 0);
  } else {
    for (int i = thread; i < kWords; i += kThreads) tile[i] = numbers[i];
    fence_async_proxy();
  }
  __syncthreads();
  if (thread == 0)
    for (int i = 0; i < c.others; ++i) {
      arrive(&others[i]);
      wait(&others[i], 0);
    }
  __syncthreads();
  std::uint32_t* copy = copies + blockIdx.x * kWords;
  if (c.bulk_reads) {
    if (thread == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(copy),
                   "r"(shared_address(tile)), "n"(sizeof(tile))
                   : "memory");
      bulk_commit();
      bulk_wait();
    }
    __syncthreads();
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  for (int i = thread; i < kWords; i += kThreads) {
    const std::uint32_t read = c.bulk_reads ? __ldcg(copy + i) : tile[i];
    if (read != numbers[i] && atomicExch(&wrong, 1) == 0) {
      found->first_word = static_cast<unsigned>(i);
      found->written = numbers[i];
      found->read = read;
    }
  }
  __syncthreads();
  if (thread == 0) {
    atomicAdd(&found->tiles, 1);
    atomicAdd(&found->wrong_tiles, wrong);
  }
}

// Ends without mbarrier.inval.
__global__ void leave(int barriers) {
  __shared__ __align__(1024) std::uint64_t tile[kWords / 2];
  if (threadIdx.x == 0)
    for (int i = 0; i < barriers; ++i) init(&tile[i], 1);
}

struct Inputs {
  const std::uint32_t* numbers;
  std::uint32_t* copies;
  int blocks, launches;
};

Found ask(const Inputs& in, const Case& c, int left_behind = 0) {
  Found* found = to_device(std::vector<Found>(1));
  for (int launch = 0; launch < in.launches; ++launch) {
    if (left_behind > 0) leave<<<in.blocks, kThreads>>>(left_behind);
    reuse<<<in.blocks, kThreads>>>(c, in.numbers, in.copies, found);
  }
  CHECK(cudaDeviceSynchronize());
  const Found answer = from_device(found, 1)[0];
  CHECK(cudaFree(found));
  return answer;
}

void ask_all_ways(const Inputs& in) {
  for (const bool is_used : {false, true})
    for (const Ended ended : {by_nothing, by_fence, by_proxy_fence, by_inval})
      for (const bool bulk_writes : {false, true})
        for (const bool bulk_reads : {false, true})
          for (const int others : {0, kOthers}) {
            const Found f = ask(in, {1, is_used, ended, bulk_writes, bulk_reads, others});
            std::printf("%s, %s; written by %s, read by %s, %2d others: %u of %u wrong",
                        is_used ? "used" : "initialised", kEnded[ended],
                        bulk_writes ? "cp.async.bulk" : "st.shared",
                        bulk_reads ? "cp.async.bulk" : "ld.shared", others, f.wrong_tiles, f.tiles);
            if (f.wrong_tiles != 0) std::printf(", word %u is %08x", f.first_word, f.read);
            std::printf("\n");
          }
}

void ask_how_many(const Inputs& in) {
  for (const int barriers : {1, 8, 16, 32}) {
    std::printf("%2d mbarriers, wrong tiles by how many others are used:", barriers);
    unsigned before = 0;
    for (int others = 0; others <= kOthers; ++others) {
      const Found f = ask(in, {barriers, false, by_nothing, false, false, others});
      if (others == 0 || f.wrong_tiles != before) std::printf(" from %d %u", others, f.wrong_tiles);
      before = f.wrong_tiles;
    }
    std::printf(" of %u\n", static_cast<unsigned>(in.blocks * in.launches));
  }
}

int main(int argc, char**) {
  const bool is_small = argc > 1;  // `small`: on the emulator
  std::vector<std::uint32_t> words(kWords);
  for (int i = 0; i < kWords; ++i) words[i] = 0x3c000000u + static_cast<std::uint32_t>(i);
  Inputs in{to_device(words), nullptr, is_small ? 2 : 132, is_small ? 2 : 100};
  in.copies = to_device(std::vector<std::uint32_t>(static_cast<std::size_t>(in.blocks) * kWords));
  ask_all_ways(in);
  ask_how_many(in);
  for (const int left : {1, 16}) {
    const Found f = ask(in, {0, false, by_nothing, false, false, kOthers}, left);
    std::printf("%2d that the kernel before has left: %u of %u wrong\n", left, f.wrong_tiles,
                f.tiles);
  }
}
