// SPDX-License-Identifier: MIT
// What does a kernel find that begins before the one ahead of it has ended, with
// griddepcontrol.wait and without? The one ahead lets it begin at once, in the end, or never.
// Counted are words that the second kernel read before the first had stored them, and words that
// the first one read after the second had overwritten them, of 1,000 pairs of launches; with an
// argument, of two.
//
// Source: PTX ISA 9.2, 9.7.13.13 (griddepcontrol). What an H200 says: docs/experiments.
#include <cstdint>
#include <cstdio>

#include "../program.cuh"

constexpr int kBlocks = 66, kThreads = 128, kWords = kBlocks * kThreads;
enum Lets { kAtOnce, kInTheEnd, kNever };
template <Lets lets>
__global__ void first(uint32_t* made, const uint32_t* source, uint32_t turn, int pause,
                      unsigned long long* wrong) {
  const int at = blockIdx.x * kThreads + threadIdx.x;
  if (lets == kAtOnce) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  for (int k = 0; k < pause; ++k) __nanosleep(1000);
  const uint32_t found = *(volatile const uint32_t*)(source + at);  // the second one overwrites it
  if (found != turn - 1) atomicAdd(wrong + 1, 1ull);
  made[at] = turn;
  if (lets == kInTheEnd) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
template <bool waits>
__global__ void second(const uint32_t* made, uint32_t* source, uint32_t turn,
                       unsigned long long* wrong) {
  if (waits) asm volatile("griddepcontrol.wait;" ::: "memory");
  const int at = blockIdx.x * kThreads + threadIdx.x;
  uint32_t found;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(found) : "l"(made + at) : "memory");
  if (found != turn) atomicAdd(wrong, 1ull);
  source[at] = turn;
}
template <Lets lets, bool waits>
void run(const char* name, int pause, uint32_t turns, uint32_t* made, uint32_t* source,
         unsigned long long* wrong) {
  CHECK(cudaMemset(made, 0, 4 * kWords));
  CHECK(cudaMemset(source, 0, 4 * kWords));
  wrong[0] = wrong[1] = 0;
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.attrs = &early;
  config.numAttrs = 1;
  for (uint32_t turn = 1; turn <= turns; ++turn) {
    first<lets><<<kBlocks, kThreads>>>(made, source, turn, pause, wrong);
    CHECK(cudaLaunchKernelEx(&config, second<waits>, (const uint32_t*)made, source, turn, wrong));
    CHECK(cudaDeviceSynchronize());
  }
  printf(
      "lets others begin %-12s %-12s pause %2d us: %llu read too early, %llu overwritten too "
      "early, of %d\n",
      name, waits ? "waits" : "does not wait", pause, wrong[0], wrong[1],
      kWords * static_cast<int>(turns));
}
int main(int argc, char**) {
  const uint32_t turns = argc > 1 ? 2 : 1000;
  uint32_t *made, *source;
  unsigned long long* wrong;
  CHECK(cudaMalloc(&made, 4 * kWords));
  CHECK(cudaMalloc(&source, 4 * kWords));
  CHECK(cudaMallocManaged(&wrong, 16));
  for (const int pause : {0, 20}) {
    run<kAtOnce, false>("at once", pause, turns, made, source, wrong);
    run<kAtOnce, true>("at once", pause, turns, made, source, wrong);
    run<kInTheEnd, false>("in the end", pause, turns, made, source, wrong);
    run<kInTheEnd, true>("in the end", pause, turns, made, source, wrong);
    run<kNever, false>("never", pause, turns, made, source, wrong);
    run<kNever, true>("never", pause, turns, made, source, wrong);
  }
  return 0;
}
