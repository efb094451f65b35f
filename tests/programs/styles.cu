// SPDX-License-Identifier: MIT
// Ways in which CTAs and warps hand work to each other, as programs write them: none of them is
// wrong, and the checker must say nothing. Each kernel's answer is compared with the CPU's.
#include <algorithm>

#include "program.cuh"
#include "styles_block.cuh"
#include "styles_copies.cuh"
#include "styles_early.cuh"
#include "styles_global.cuh"

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
  const auto pair = [&](int k) {
    return in[k / kThreads * 2 * kThreads + k % kThreads] +
           in[(k / kThreads * 2 + 1) * kThreads + k % kThreads];
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
  compare("stream_k_fixup", out, kCount / 2, pair);
  for (const Fences fences : {Fences::writers, Fences::teller, Fences::reader}) {
    handed_to_copies<<<kBlocks, kThreads>>>(device, fresh(kCount), fresh(kBlocks), out, fences);
    compare("handed_to_copies", out, kCount / 2, pair);
  }
  copied_on<<<kBlocks, kThreads>>>(device, fresh(kCount), fresh(kBlocks), out);
  compare("copied_on", out, kCount / 2, pair);
  zeroed_and_added<<<kBlocks, kThreads>>>(device, fresh(1), out);
  compare("zeroed_and_added", out, 2 * kThreads,
          [&](int k) { return column(k < kThreads ? k : 2 * kThreads - 1 - k); });
  int* doubled = to_device(in);
  for (const bool by_copies : {false, true}) {
    doubled_in_place<<<kBlocks, kThreads>>>(doubled, by_copies);
    compare("doubled_in_place", doubled, kCount,
            [&](int k) { return (by_copies ? 4 : 2) * in[k]; });
  }
  int *layers[] = {to_device(in), to_device(in), to_device(in)}, *turns = fresh(kBlocks);
  const auto launch_layers = [&](cudaStream_t stream) {
    launch_early(stream, next_layer, device, layers[0], layers[1]);
    launch_early(stream, next_layer, device, layers[1], layers[2]);
    launch_early(stream, next_layer_by_copies, layers[2], layers[0]);
    launch_early(stream, told_that_it_is_over, layers[0], turns);
  };
  const auto layer = [&](int k) {
    const auto at = [&](int blocks) { return in[(k + blocks * kThreads) % kCount]; };
    return 2 * (2 * at(0) + at(1) + at(2));
  };
  launch_layers(nullptr);
  compare("launch_early", layers[0], kCount, layer);
  layers[0] = to_device(in);
  turns = fresh(kBlocks);
  launch_as_graph(launch_layers);
  compare("launch_as_graph", layers[0], kCount, layer);
  launch_early(nullptr, doubled_in_place, layers[0],
               false);  // behind a copy, which waits for everything
  compare("launch_early", layers[0], kCount, [&](int k) { return 2 * layer(k); });
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
  shared_tables<<<1, kThreads>>>(device, out);
  compare("shared_tables", out, kThreads,
          [&](int k) { return in[kThreads - 1 - k] - in[kThreads + k]; });
  speculated<<<1, kThreads>>>(device, out);
  compare("speculated", out, kThreads,
          [&](int k) { return (k == 0 ? 2 : 1) * in[0] + (k < 64 ? in[k / 32 * 32] : 0); });
  pairs_sorted<<<1, kThreads>>>(out);
  compare("pairs_sorted", out, kThreads, [](int k) {
    int first = 0;
    while (first * 37 % kThreads != k) ++first;
    return k * 256 + first;
  });
  const std::uint64_t size[] = {kTensorCols, kTensorRows};
  const std::uint32_t box[] = {kBoxCols, kBoxRows};
  CUtensorMap map;
  if (!make_map(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, out, size, box, CU_TENSOR_MAP_SWIZZLE_128B))
    wrong += verdict("tensor_map", 1, 1);
  tensor_edges<<<2, kThreads>>>(map);
  compare("tensor_edges", out, kTensorRows * kTensorCols, [](int k) { return k; });
  library_barrier<<<1, kThreads>>>(device, out);
  compare("library_barrier", out, kThreads, mirrored);
  for (const bool readers_fence : {false, true}) {
    ring_of_copies<<<1, kThreads>>>(device, out, readers_fence);
    compare("ring_of_copies", out, kThreads, mirrored);
  }
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
  lanes_in_turn<<<1, kThreads>>>(device, out);
  compare("lanes_in_turn", out, 32, [&](int) { return prefix[kThreads - 1]; });
  std::vector<float> numbered(kCount * 8);
  for (int k = 0; k < kCount * 8; ++k) numbered[k] = static_cast<float>(k);
  float* sums = to_device(numbered);
  sums_in_place<<<kBlocks, kThreads>>>(sums);
  const std::vector<float> tripled = from_device(sums, kCount * 8);
  int bad = 0;
  for (int k = 0; k < kCount * 8; ++k) bad += tripled[k] != 3 * (numbered[k] + 2);
  wrong += verdict("sums_in_place", bad, kCount * 8);
  CHECK(cudaDeviceSynchronize());
  return wrong != 0;
}
