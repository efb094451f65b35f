// SPDX-License-Identifier: MIT
// Every mistake that docs/checker.md names, once: `broken NAME` runs the kernel that makes it.
// The kernels are in broken/*.cuh. There, a comment "//! KIND" stands at the line that the checker
// must name, "//! KIND strict" where only --strict does. No program to learn from, except what not
// to do.
#include <cstring>

#include "broken/barriers.cuh"
#include "broken/early.cuh"
#include "broken/memory.cuh"
#include "broken/proxies.cuh"
#include "broken/threads.cuh"
#include "broken/wgmma.cuh"
#include "tensor_map.cuh"

namespace {

struct Mistake {
  const char* name;
  void (*kernel)(Arguments);
  int ctas, threads;
  bool is_early = false;  // it may begin before writes_and_reads has ended
  bool is_captured = false;
};

__global__ void writes_and_reads(Arguments a) {
  cudaTriggerProgrammaticLaunchCompletion();
  a.memory[threadIdx.x] = a.memory[threadIdx.x + 64] + 1;
}

void launch_early(const Mistake& mistake, const Arguments& arguments, cudaStream_t stream) {
  writes_and_reads<<<mistake.ctas, mistake.threads, 0, stream>>>(arguments);
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = mistake.ctas;
  config.blockDim = mistake.threads;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, mistake.kernel, arguments);
}

void launch(const Mistake& mistake, const Arguments& arguments) {
  if (!mistake.is_early) {
    mistake.kernel<<<mistake.ctas, mistake.threads>>>(arguments);
    return;
  }
  if (!mistake.is_captured) return launch_early(mistake, arguments, nullptr);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_early(mistake, arguments, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CHECK(cudaGraphLaunch(ready, stream));
}

#define MISTAKE(name, ctas, threads) \
  { #name, name, ctas, threads }
#define EARLY(name) \
  { #name, name, 1, 64, true }
#define CAPTURED(name) \
  { #name, name, 1, 64, true, true }
const Mistake kMistakes[] = {
    MISTAKE(uninitialised, 1, 64),
    MISTAKE(hole_in_vector, 1, 64),
    MISTAKE(read_after_write, 1, 64),
    MISTAKE(write_after_read, 1, 64),
    MISTAKE(write_after_write, 1, 64),
    MISTAKE(in_flight, 1, 64),
    MISTAKE(weak_wait, 1, 64),
    MISTAKE(neighbours, 8, 64),
    MISTAKE(no_fence, 8, 1),
    MISTAKE(never_looked, 2, 64),
    MISTAKE(no_acquire, 2, 64),
    MISTAKE(still_cached, 2, 64),
    MISTAKE(narrow_scope, 2, 64),
    MISTAKE(not_coherent, 1, 64),
    MISTAKE(out_of_bounds, 1, 64),
    MISTAKE(never_initialised, 1, 64),
    MISTAKE(before_init, 1, 64),
    MISTAKE(initialised_twice, 1, 64),
    MISTAKE(too_many_arrivals, 1, 64),
    MISTAKE(too_many_bytes, 1, 64),
    MISTAKE(used_after_inval, 1, 64),
    MISTAKE(ended_in_use, 1, 64),
    MISTAKE(written_without_inval, 1, 64),
    MISTAKE(before_second_init, 1, 64),
    MISTAKE(no_bulk_wait, 1, 64),
    MISTAKE(asks_once, 1, 64),
    MISTAKE(runs_ahead, 1, 64),
    MISTAKE(ends_in_flight, 1, 64),
    MISTAKE(wrong_parity, 1, 64),
    MISTAKE(never_completes, 1, 64),
    MISTAKE(no_proxy_fence, 1, 64),
    MISTAKE(no_proxy_fence_before_load, 1, 64),
    MISTAKE(no_proxy_fence_behind_reads, 1, 64),
    MISTAKE(no_commit, 1, 64),
    MISTAKE(no_init_fence, 1, 64),
    MISTAKE(fetched_without_fence, 1, 64),
    MISTAKE(fenced_for_shared_memory, 1, 64),
    MISTAKE(handed_over_without_fence, 2, 64),
    MISTAKE(fenced_before_the_stores, 2, 64),
    MISTAKE(overwritten_source, 1, 64),
    MISTAKE(waited_for_reads_alone, 1, 64),
    MISTAKE(added_to_stored_zeros, 1, 64),
    MISTAKE(stored_over_what_was_read, 1, 64),
    MISTAKE(map_half_written, 1, 32),
    MISTAKE(map_moved, 1, 32),
    MISTAKE(map_stored, 1, 32),
    MISTAKE(map_not_released, 1, 32),
    MISTAKE(map_acquired_elsewhere, 2, 32),
    MISTAKE(map_never_acquired, 1, 32),
    MISTAKE(no_wgmma_fence, 1, 128),
    MISTAKE(no_wgmma_commit, 1, 128),
    MISTAKE(no_wgmma_wait, 1, 128),
    MISTAKE(no_fence_before_wgmma, 1, 128),
    MISTAKE(overwritten_operand, 1, 128),
    MISTAKE(lockstep, 1, 128),
    MISTAKE(descriptor_outside, 1, 128),
    MISTAKE(descriptor_misaligned, 1, 128),
    MISTAKE(crooked_row, 1, 32),
    MISTAKE(diverged, 1, 32),
    MISTAKE(outside_mask, 1, 32),
    MISTAKE(missing_lane, 1, 32),
    MISTAKE(lanes_in_step, 1, 64),
    MISTAKE(lanes_in_half_a_step, 1, 64),
    MISTAKE(waits_forever, 1, 64),
    MISTAKE(shared_number, 1, 128),
    MISTAKE(too_early, 2, 64),
    MISTAKE(no_wait_for_stores, 2, 64),
    MISTAKE(stores_outlive, 2, 64),
    MISTAKE(barrier_at_home, 2, 64),
    MISTAKE(no_fence_before_relaxed, 2, 64),
    MISTAKE(relaxed_orders_nothing, 2, 64),
    MISTAKE(too_late, 2, 64),
    EARLY(never_waits),
    EARLY(waits_too_late),
    EARLY(one_warp_waits),
    EARLY(clears_too_early),
    EARLY(overwrites_its_source),
    CAPTURED(never_waits_in_a_graph),
};

}  // namespace

int main(int argc, char** argv) {
  for (const Mistake& mistake : kMistakes) {
    if (argc < 2) std::printf("%s\n", mistake.name);
    if (argc < 2 || std::strcmp(mistake.name, argv[1]) != 0) continue;
    const Arguments arguments{to_device(std::vector<int>(1024)), mistake.threads};
    CUtensorMap map;
    if (!make_map<1>(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, arguments.memory, {64}, {64},
                     CU_TENSOR_MAP_SWIZZLE_NONE))
      return 2;
    CHECK(cudaMemcpy(arguments.memory + kMap, &map, sizeof map, cudaMemcpyHostToDevice));
    launch(mistake, arguments);
    cudaDeviceSynchronize();  // whether it goes well is not the question
    return 0;
  }
  return argc < 2 ? 0 : 2;
}
