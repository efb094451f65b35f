// SPDX-License-Identifier: MIT
// Does a kernel that runs beside the one that changes a tensor map see it as it was changed last?
// 132 warps have begun, and have used the map or not; another kernel changes it; they hear of that
// and use it, behind nothing or fence.proxy.tensormap::generic.acquire.
//
//     dependent        launched beside the kernel before it (programmatic stream serialization),
//                      heard of by griddepcontrol.wait
//     another stream   heard of by a flag: st.release.gpu, ld.acquire.gpu
//
// Who waits longer than 20 ms for the other gives up, and is counted apart: the two did not
// overlap. PTX ISA 9.2, 8.2 (proxies), 9.7.13.15. The answer is docs/experiments/map_fences.md.
#include <string>

#include "map_changes.cuh"

struct Meeting {
  unsigned begun;   // warps, over all turns
  unsigned flag;    // turns
  unsigned missed;  // who gave up
};

__device__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
__device__ void wait_until(const unsigned* there, unsigned enough, Meeting* meeting) {
  const unsigned long long begin = nanoseconds();
  for (unsigned seen = 0;;) {
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(there) : "memory");
    if (seen >= enough) return;
    if (nanoseconds() - begin > 20'000'000) break;
  }
  atomicAdd(&meeting->missed, 1);
}

__global__ void change_beside(Maps* maps, Change how, int turn, int warps, Meeting* meeting) {
  __shared__ Shared shared;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  if (threadIdx.x == 0) wait_until(&meeting->begun, (turn + 1) * warps, meeting);
  __syncwarp();
  change(shared, maps, how, turn % 2);
  __threadfence();
  if (threadIdx.x == 0)
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(&meeting->flag), "r"(turn + 1) : "memory");
}

// Before the change it uses the map, or does not.
__global__ void use_beside(const Maps* maps, bool before, bool acquires, bool depends, int turn,
                           Meeting* meeting, unsigned* stale) {
  __shared__ Shared shared;
  begin(shared);
  if (before) use(shared, &maps->used, false);
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&meeting->begun, 1);
    if (!depends) wait_until(&meeting->flag, turn + 1, meeting);
  }
  __syncwarp();
  if (depends) asm volatile("griddepcontrol.wait;" ::: "memory");
  const std::uint32_t seen = use(shared, &maps->used, acquires);
  if (threadIdx.x == 0 && seen != turn % 2 + 1u) atomicAdd(stale, 1);
}

struct Question {
  Change how;
  bool depends, before, acquires;
};

void ask(const Question& question, int blocks, int turns, cudaStream_t one, cudaStream_t other) {
  Maps* maps = make_maps(1);
  Meeting* meeting = to_device(std::vector<Meeting>(1));
  unsigned* stale = to_device(std::vector<unsigned>(1));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(32);
  config.stream = question.depends ? one : other;
  config.attrs = &attribute;
  config.numAttrs = question.depends ? 1 : 0;
  for (int turn = 0; turn < turns; ++turn) {
    change_beside<<<1, 32, 0, one>>>(maps, question.how, turn, blocks, meeting);
    CHECK(cudaLaunchKernelEx(&config, use_beside, static_cast<const Maps*>(maps), question.before,
                             question.acquires, question.depends, turn, meeting, stale));
    CHECK(cudaDeviceSynchronize());
  }
  const Meeting met = from_device(meeting, 1)[0];
  const std::string where = std::string(question.depends ? "dependent" : "another stream") +
                            (question.before ? ", used before" : ", not used before");
  if (met.missed != 0) std::printf("%u did not meet: ", met.missed);
  tell(where.c_str(), question.how, question.acquires, stale, turns * blocks);
}

int main() {
  constexpr int kBlocks = 64, kTurns = 200;  // all of them and the other kernel run at a time
  cudaStream_t one, other;
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  for (bool depends : {true, false})
    for (bool before : {false, true})
      for (int how = by_store; how <= by_copy; ++how)
        for (bool acquires : {false, true})
          ask({static_cast<Change>(how), depends, before, acquires}, kBlocks, kTurns, one, other);
}
