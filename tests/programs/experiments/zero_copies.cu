// SPDX-License-Identifier: MIT
// When are the zeros of a cp.async there that copies nothing? A src-size of 0, or ignore-src, has
// the whole destination filled with zeros, by a copy that is as asynchronous as any, says the ISA.
// Beside it the same of a copy that fetches.
//
//     at once        a load right behind it
//     a store        stores right behind it, then waits: does the copy come over what was stored?
//     one, another   a copy that fetches and one that does not, to the same place, in that order,
//                    then waits: which one is there in the end?
//
// 4096 threads each; numbers only, to be compared with diff. PTX ISA 9.2, 9.7.9.25.3.1. The answer
// is docs/experiments/zero_copies.md.
#include "../program.cuh"

constexpr int kBlocks = 32, kThreads = 128;
constexpr unsigned kOld = 7, kStored = 9, kFetched = 5;
enum Copy { kFetches, kSizeZero, kIgnored };
constexpr const char* kCopies[] = {"src-size 16", "src-size 0", "ignore-src"};
enum Then { kLoads, kStores, kFetchedBefore };
constexpr const char* kThens[] = {"at once", "a store", "one, another"};

__device__ void copy(int kind, unsigned to, const uint4* from, int yes) {
  if (kind == kIgnored) {
    asm volatile(
        "{\n.reg .pred ignored;\nsetp.ne.u32 ignored, %2, 0;\n"
        "cp.async.cg.shared.global [%0], [%1], 16, ignored;\n}" ::"r"(to),
        "l"(from), "r"(yes)
        : "memory");
  } else {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(kind == kFetches ? 16 : 0)
                 : "memory");
  }
}

__global__ void ask(int kind, int then, const uint4* from, unsigned* seen, int yes) {
  __shared__ uint4 place[kThreads];
  const unsigned thread = blockIdx.x * kThreads + threadIdx.x;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&place[threadIdx.x]));
  place[threadIdx.x] = {kOld, kOld, kOld, kOld};
  __syncthreads();
  if (then == kFetchedBefore) copy(kFetches, to, from + thread, yes);
  copy(kind, to, from + thread, yes);
  if (then == kStores) asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(kStored) : "memory");
  if (then != kLoads) asm volatile("cp.async.wait_all;" ::: "memory");
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(to) : "memory");
  seen[thread] = value;
  asm volatile("cp.async.wait_all;" ::: "memory");
}

int main() {
  const std::vector<uint4> numbers(kBlocks * kThreads,
                                   uint4{kFetched, kFetched, kFetched, kFetched});
  const uint4* from = to_device(numbers);
  unsigned* seen = to_device(std::vector<unsigned>(kBlocks * kThreads, 1));
  std::printf("%-14s%-14s%8s%8s%8s%8s\n", "copy", "then", "as was", "stored", "zeros", "fetched");
  for (int then = kLoads; then <= kFetchedBefore; ++then)
    for (int kind = kFetches; kind <= kIgnored; ++kind) {
      ask<<<kBlocks, kThreads>>>(kind, then, from, seen, 1);
      CHECK(cudaDeviceSynchronize());
      int old = 0, stored = 0, zeros = 0, fetched = 0;
      for (const unsigned value : from_device(seen, kBlocks * kThreads)) {
        old += value == kOld;
        stored += value == kStored;
        zeros += value == 0;
        fetched += value == kFetched;
      }
      std::printf("%-14s%-14s%8d%8d%8d%8d\n", kCopies[kind], kThens[then], old, stored, zeros,
                  fetched);
    }
  return 0;
}
