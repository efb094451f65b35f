// SPDX-License-Identifier: MIT
// Kernels as people write them, each right, and then with one mistake or another that its first
// lines name: `right_or_wrong NAME MISTAKE`, 0 for none. The kernels are in right_or_wrong/*.cuh.
// There, a comment "//! KIND 1 2; KIND 3" stands above the line that the checker must name for
// these mistakes. Whether the numbers are right is not the question: most mistakes show on a card
// alone.
#include <cstring>

#include "program.cuh"
#include "right_or_wrong/blocks.cuh"
#include "right_or_wrong/rings.cuh"

namespace {

struct Kernel {
  const char* name;
  int ctas, threads;
  void (*variants[5])(Given);
};

#define VARIANTS(name, ctas, threads, ...) \
  {                                        \
#name, ctas, threads, { __VA_ARGS__ }  \
  }
const Kernel kKernels[] = {
    VARIANTS(ring, 2, 160, ring<0>, ring<1>, ring<2>, ring<3>, ring<4>),
    VARIANTS(ring_of_cp_async, 1, 64, ring_of_cp_async<0>, ring_of_cp_async<1>),
    VARIANTS(ragged_end, 1, 128, ragged_end<0>, ragged_end<1>),
    VARIANTS(multicast, 2, 128, multicast<0>, multicast<1>, multicast<2>, multicast<3>),
    VARIANTS(epilogue, 1, 128, epilogue<0>, epilogue<1>, epilogue<2>, epilogue<3>),
    VARIANTS(ping_pong, 1, 256, ping_pong<0>, ping_pong<1>),
    VARIANTS(tickets, 1, 128, tickets<0>, tickets<1>),
    VARIANTS(stream_k, 4, 128, stream_k<0>, stream_k<1>, stream_k<2>, stream_k<3>),
    VARIANTS(split_k, 4, 128, split_k<0>, split_k<1>, split_k<2>),
    VARIANTS(in_turn, 4, 128, in_turn<0>, in_turn<1>),
    VARIANTS(handed_over, 4, 128, handed_over<0>, handed_over<1>, handed_over<2>),
    VARIANTS(global_ring, 2, 128, global_ring<0>, global_ring<1>, global_ring<2>),
    VARIANTS(grid_barrier, 4, 128, grid_barrier<0>, grid_barrier<1>),
    VARIANTS(table_for_all, 4, 128, table_for_all<0>, table_for_all<1>, table_for_all<2>),
};

}  // namespace

int main(int argc, char** argv) {
  const int mistake = argc > 2 ? std::atoi(argv[2]) : 0;
  for (const Kernel& kernel : kKernels) {
    if (argc < 2 || std::strcmp(kernel.name, argv[1]) != 0) continue;
    if (mistake < 0 || mistake >= 5 || kernel.variants[mistake] == nullptr) return 2;
    std::vector<int> in(8192);
    Numbers numbers;
    for (int& value : in) value = numbers.next(100);
    const std::vector<int> zeros(in.size());
    kernel.variants[mistake]<<<kernel.ctas, kernel.threads>>>(
        {to_device(in), to_device(zeros), to_device(zeros)});
    CHECK(cudaDeviceSynchronize());
    return 0;
  }
  return 2;
}
