// SPDX-License-Identifier: MIT
// Exercise 12: the parity of a 4-stage ring.
//
// The lesson's ring counts along: every time it has gone round, its parity changes. Here nobody can
// count along; only the number of the tile is known (as in a kernel whose warps take tiles in
// turn). Tile 0 goes into stage 0, tile 1 into stage 1, ..., tile 4 into stage 0 again.
//
//   stage          where tile number `tile` goes
//   full_parity    what the consumers wait for at full[stage]: that this tile has come
//   empty_parity   what the producer waits for at empty[stage] first: that the tile before it in
//                  this stage has been read. In the first round there was none: that wait must be
//                  over at once.
//
// Fill the gap in ring_position, then:  ./learn check 12
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "ptx/tma.cuh"
#include "record.cuh"

constexpr int kStages = 4, kMostTiles = 64, kTileBytes = 1024;

__device__ void ring_position(int tile, int& stage, int& full_parity, int& empty_parity) {
  // ---- your code begins (three lines) ----
  // ---- your code ends ----
  (void)tile, (void)stage, (void)full_parity, (void)empty_parity;
}

__global__ void tell(int* out) {
  const int tile = static_cast<int>(threadIdx.x);
  int position[3] = {-1, -1, -1};
  ring_position(tile, position[0], position[1], position[2]);
  for (int i = 0; i < 3; ++i) out[tile * 3 + i] = position[i];
}

// The ring itself: sums[tile] of the numbers in each tile.
__global__ void ring(const std::uint32_t* tiles, std::uint32_t* sums) {
  __shared__ __align__(128) std::uint32_t buffer[kStages][kTileBytes / 4];
  __shared__ __align__(8) std::uint64_t full[kStages], empty[kStages];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(&full[stage], 1);
      ptx::mbarrier_init_shared_b64(&empty[stage], 128);
    }
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  int stage, full_parity, empty_parity;
  if (thread == 128) {
    for (int tile = 0; tile < kMostTiles; ++tile) {
      ring_position(tile, stage, full_parity, empty_parity);
      ptx::mbarrier_wait_parity(&empty[stage], empty_parity);
      ptx::mbarrier_arrive_expect_tx_shared_b64(&full[stage], kTileBytes);
      ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(
          buffer[stage], tiles + tile * (kTileBytes / 4), kTileBytes, &full[stage]);
    }
  } else if (thread < 128) {
    for (int tile = 0; tile < kMostTiles; ++tile) {
      ring_position(tile, stage, full_parity, empty_parity);
      ptx::mbarrier_wait_parity(&full[stage], full_parity);
      std::uint32_t sum = 0;
      for (int i = thread; i < kTileBytes / 4; i += 128) sum += buffer[stage][i];
      ptx::mbarrier_arrive_shared_b64(&empty[stage]);
      atomicAdd(&sums[tile], sum);
    }
  }
}

// check.cpp calls this: first for the table alone, three numbers for each of 64 tiles; when they
// are right, for the ring, which a wrong parity would let wait for ever: 64 sums.
std::vector<std::uint32_t> ring_on_device(const std::vector<std::uint32_t>& tiles, bool runs,
                                          const char* trace) {
  Recorder recorder(runs ? trace : nullptr, "12_tma_mbarrier");
  recorder.view("12 TMA and mbarrier, your exercise", {"pipeline", "lanes"}, "", "Your ring.");
  if (!runs) {
    DeviceArray<int> out(kMostTiles * 3);
    tell<<<1, kMostTiles>>>(out.data());
    std::vector<std::uint32_t> table;
    for (const int number : out.get()) table.push_back(static_cast<std::uint32_t>(number));
    return table;
  }
  DeviceArray<std::uint32_t> device_tiles(tiles), sums(std::vector<std::uint32_t>(kMostTiles, 0));
  recorder.launch("ring", 1, 160);
  ring<<<1, 160>>>(device_tiles.data(), sums.data());
  return sums.get();
}
