// SPDX-License-Identifier: MIT
// Exercise 12: stage, parities and bytes of a 4-stage ring.
//
// The lesson's ring counts along: every time it has gone round, its parity changes. Here nobody can
// count along; only the number of the tile is known (as in a kernel whose warps take tiles in
// turn). Tile 0 goes into stage 0, tile 1 into stage 1, ..., tile 4 into stage 0 again. A stage has
// room for a tile of A and a tile of B: two copies, one phase.
//
//   stage          where tile number `tile` goes
//   full_parity    what the consumers wait for at full[stage]: that this tile has come
//   empty_parity   what the producer waits for at empty[stage] first: that the tile before it in
//                  this stage has been read. In the first round there was none: that wait must be
//                  over at once.
//   bytes          what the producer announces at full[stage], once, before it starts both copies
//
// Fill the gap in ring_position, then:  ./learn check 12
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "ptx/tma.cuh"
#include "record.cuh"

constexpr int kStages = 4, kMostTiles = 64;
constexpr int kRowsA = 40, kRowsB = 24, kColumns = 16;  // of a tile of A and of B; f16 numbers
struct Stage {
  std::uint16_t a[kRowsA * kColumns], b[kRowsB * kColumns];
};

__device__ void ring_position(int tile, int& stage, int& full_parity, int& empty_parity,
                              int& bytes) {
  // ---- your code begins (four lines) ----
  // ---- your code ends ----
  (void)tile, (void)stage, (void)full_parity, (void)empty_parity, (void)bytes;
}

__global__ void tell(int* out) {
  const int tile = static_cast<int>(threadIdx.x);
  int position[4] = {-99, -99, -99, -99};  // not set
  ring_position(tile, position[0], position[1], position[2], position[3]);
  for (int i = 0; i < 4; ++i) out[tile * 4 + i] = position[i];
}

// The ring itself: sums[tile] of the numbers in each tile of A and of B, as whole numbers.
__global__ void ring(const Stage* tiles, std::uint32_t* sums) {
  __shared__ __align__(128) Stage buffer[kStages];
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
  int stage, full_parity, empty_parity, bytes;
  if (thread == 128) {
    for (int tile = 0; tile < kMostTiles; ++tile) {
      ring_position(tile, stage, full_parity, empty_parity, bytes);
      ptx::mbarrier_wait_parity(&empty[stage], empty_parity);
      ptx::fence_proxy_async_shared_cta();  // what they read is read before it is overwritten
      ptx::mbarrier_arrive_expect_tx_shared_b64(&full[stage], bytes);
      ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(
          buffer[stage].a, tiles[tile].a, sizeof(Stage::a), &full[stage]);
      ptx::cp_async_bulk_shared_cluster_global_mbarrier_complete_tx_bytes(
          buffer[stage].b, tiles[tile].b, sizeof(Stage::b), &full[stage]);
    }
  } else if (thread < 128) {
    for (int tile = 0; tile < kMostTiles; ++tile) {
      ring_position(tile, stage, full_parity, empty_parity, bytes);
      ptx::mbarrier_wait_parity(&full[stage], full_parity);
      std::uint32_t sum = 0;
      for (int i = thread; i < kRowsA * kColumns; i += 128) sum += buffer[stage].a[i];
      for (int i = thread; i < kRowsB * kColumns; i += 128) sum += buffer[stage].b[i];
      ptx::mbarrier_arrive_shared_b64(&empty[stage]);
      atomicAdd(&sums[tile], sum);
    }
  }
}

// check.cpp calls this: first for the table alone, four numbers for each of 64 tiles; when they
// are right, for the ring, which a wrong parity would let wait for ever: 64 sums.
std::vector<std::uint32_t> ring_on_device(const std::vector<std::uint16_t>& tiles, bool runs,
                                          const char* trace) {
  Recorder recorder(runs ? trace : nullptr, "12_tma_mbarrier");
  recorder.view("12 TMA and mbarrier, your exercise", {"pipeline", "lanes"}, "", "Your ring.");
  if (!runs) {
    DeviceArray<int> out(kMostTiles * 4);
    tell<<<1, kMostTiles>>>(out.data());
    std::vector<std::uint32_t> table;
    for (const int number : out.get()) table.push_back(static_cast<std::uint32_t>(number));
    return table;
  }
  DeviceArray<std::uint16_t> device_tiles(tiles);
  DeviceArray<std::uint32_t> sums(std::vector<std::uint32_t>(kMostTiles, 0));
  recorder.launch("ring", 1, 160);
  ring<<<1, 160>>>(reinterpret_cast<const Stage*>(device_tiles.data()), sums.data());
  return sums.get();
}
