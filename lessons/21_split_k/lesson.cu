// SPDX-License-Identifier: MIT
// Lesson 21, split K: D has fewer tiles than the card has SMs, and k is long. So several blocks
// share the k of a tile, each sums a part, and somebody adds the parts: whoever comes, by atomics,
// in the order of coming; or the last to come, in an order that never changes. Then the steps of
// all tiles are shared out alike, to as many blocks as there is room for: stream-K.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 8 (memory consistency), 9.7.13.4 (fence), 9.7.13.5 (atom), 9.7.14.5.8
//             (D of m16n8k16); CUDA C++ Programming Guide, memory fence functions.
//   Steps:    kernel=multiply,launch=25,block=3,0,0,warp=0   (the last part of tile 0)
#include <string>
#include <vector>

#include "bench_split.cuh"
#include "counts.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- Which steps are whose ----------------------------------------------------------------------

// A step is 16 of k of a tile. The steps of all tiles make a row, tile after tile, and block after
// block takes its share of the row: none is left out, none is anybody else's, and two shares differ
// by one step at most. With as many blocks as tiles each has a tile; with four times as many, a
// quarter of one; with any other number a block may end one tile and begin the next:
//
//   tile    |         0         |         1         |         2         |
//   block   |      0     |     1      |      2      |      3     |    ...
struct Row {
  int tiles, steps, blocks;  // steps: of a tile
  __host__ __device__ int first_step(int block) const {
    return static_cast<int>(int64_t{tiles} * steps * block / blocks);
  }
  __host__ __device__ int block_of(int step) const {
    return static_cast<int>((int64_t{step + 1} * blocks - 1) / (int64_t{tiles} * steps));
  }
  __host__ __device__ int first_block(int tile) const { return block_of(tile * steps); }
  __host__ __device__ int parts(int tile) const {
    return block_of((tile + 1) * steps - 1) - first_block(tile) + 1;
  }
  // Where a part lies in the workspace. From one part to the next in the row the block grows, or
  // the tile, or both: no two have the same number.
  __host__ __device__ int place(int block, int tile) const { return block + tile; }
};

// ---- A part: d += A * B for a step --------------------------------------------------------------

using FragA = uint32_t[4];
using FragB = uint32_t[2];
using FragD = float[4];
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

// Four warps make a tile of 32 x 16, one mma each. Where a thread's sum i belongs in D:
__host__ __device__ Place place_of(int tile, int thread, int i) {
  const int warp = thread / 32, lane = thread % 32;
  return {tile / kTilesAcross * kTileRows + warp % 2 * 16 + lane / 4 + i / 2 * 8,
          tile % kTilesAcross * kTileCols + warp / 2 * 8 + lane % 4 * 2 + i % 2};
}

__device__ uint32_t two(const uint16_t* from) { return *reinterpret_cast<const uint32_t*>(from); }
// A lies row after row, B column after column: neighbours along k are side by side.
__device__ void add_product(FragD& d, FragA& a, FragB& b, const uint16_t* A, const uint16_t* B,
                            int tile, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32, k = step * 16 + lane % 4 * 2;
  const Place at = place_of(tile, static_cast<int>(threadIdx.x), 0);
  for (int reg = 0; reg < 4; ++reg) a[reg] = two(A + (at.row + reg % 2 * 8) * kK + k + reg / 2 * 8);
  for (int reg = 0; reg < 2; ++reg)
    b[reg] = two(B + (at.col - lane % 4 * 2 + lane / 4) * kK + k + reg * 8);
  ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
}

// ---- The sum of the parts -----------------------------------------------------------------------

// Whether this block is the last of `count` to come here. What the others stored before they came,
// all of its threads may load.
struct LastBlock {
  __device__ static bool is_this(int* came, int count) {
    __shared__ bool last;
    __threadfence();  // what this thread stored is there for whoever learns that it came
    __syncthreads();  // ... and so are all the block's stores; the old `last` is read
    if (threadIdx.x == 0) {
      last = atomicAdd(came, 1) == count - 1;
      if (last) *came = 0;  // for the next launch
    }
    __syncthreads();
    __threadfence();  // now I know who came: load what was stored before
    return last;
  }
};

// In the order of k, whoever came last: the same sum always. A thread loads what the same thread of
// the other blocks stored, 16 bytes each: nobody asks which element it is.
__device__ void add_up(FragD& sums, const float4* parts, const Row& row, int tile) {
  for (int part = 0; part < row.parts(tile); ++part) {
    const int place = row.place(row.first_block(tile) + part, tile);
    const float4 d = parts[place * kThreads + threadIdx.x];
    sums[0] += d.x, sums[1] += d.y, sums[2] += d.z, sums[3] += d.w;
  }
}

enum class Adds { kAtomics, kLastBlock };

template <Adds kAdds, class AnyRecorder>
__global__ void multiply(const uint16_t* A, const uint16_t* B, float* D, Row row, float4* parts,
                         int* came, AnyRecorder recorder) {
  const int thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  const int end = row.first_step(block + 1);
  for (int step = row.first_step(block); step < end;) {
    const int tile = step / row.steps, tile_end = min((tile + 1) * row.steps, end);
    FragA a;
    FragB b;
    FragD d = {}, sums = {};
    for (; step < tile_end; ++step) add_product(d, a, b, A, B, tile, step % row.steps);
    const auto to = [&](int i) {
      const Place at = place_of(tile, thread, i);
      return D + at.row * kCols + at.col;
    };
    if (row.parts(tile) == 1) {  // nobody else's
      for (int i = 0; i < 4; ++i) *to(i) = d[i];
    } else if (kAdds == Adds::kAtomics) {
      for (int i = 0; i < 4; ++i) atomicAdd(to(i), d[i]);  // D was 0
    } else {
      const bool shown = tile == 0 && thread < 32;
      if (shown && block == 3) {        // the last quarter of tile 0
        RECORD(recorder, "A", MMA, a);  // of its last step
        RECORD(recorder, "B", MMA, b);
        RECORD(recorder, "D", MMA, d);
      }
      parts[row.place(block, tile) * kThreads + thread] = make_float4(d[0], d[1], d[2], d[3]);
      if (!LastBlock::is_this(came + tile, row.parts(tile))) continue;
      add_up(sums, parts, row, tile);
      for (int i = 0; i < 4; ++i) *to(i) = sums[i];
      if (shown) RECORD(recorder, "D of all parts", MMA, sums);
    }
  }
}

// ---- The lesson ---------------------------------------------------------------------------------

struct Product {
  DeviceArray<uint16_t> A, B;
  DeviceArray<float> D{kRows * kCols};
  DeviceArray<float4> parts{kMostParts * kThreads};
  DeviceArray<int> came{std::vector<int>(kTiles, 0)};
  explicit Product(const Problem& p) : A(p.A), B(p.B) {}
  template <class AnyRecorder>
  std::vector<float> run(Adds adds, const Row& row, const AnyRecorder& recorder) {
    const bool atomics = adds == Adds::kAtomics;
    CUDA_CHECK(cudaMemset(D.data(), atomics ? 0 : 0xff, kRows * kCols * 4));  // else: NaN
    const auto kernel =
        atomics ? multiply<Adds::kAtomics, AnyRecorder> : multiply<Adds::kLastBlock, AnyRecorder>;
    kernel<<<row.blocks, kThreads>>>(A.data(), B.data(), D.data(), row, parts.data(), came.data(),
                                     recorder);
    return D.get();
  }
};

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--bench"});
  if (argument_given(argc, argv, "--bench")) return bench_split::run<Row, LastBlock>();
  Recorder recorder(argc, argv, "21_split_k");
  recorder.view("21 Split K", {"fragments", "lanes", "memory"}, "D 5,1",
                "The last of four parts of D[5][1]; the next product: all four, added up.");
  introduce("Split K");
  const Row whole{kTiles, kSteps, kTiles}, quarters{kTiles, kSteps, kTiles * 4};
  const auto launch = [&](Row row) { return recorder.launch("multiply", row.blocks, kThreads); };
  print_rounds<Row>();

  const Problem exact(true), rough(false);
  Product product(exact), again(rough);
  print_head_of_products();
  bool good = true;
  const auto use = [&](const char* name, Adds adds, const Row& row) {
    counts::Block block;
    counts::start(), launch(row);
    const std::vector<float> D = product.run(adds, row, NoRecorder());
    good = print_product(name, row, exact, D, counts::of_last_launch(block), block) && good;
  };
  use("one block a tile", Adds::kLastBlock, whole);
  use("split by 4, atomics", Adds::kAtomics, quarters);
  use("split by 4, last block", Adds::kLastBlock, quarters);
  use("stream-K, last block", Adds::kLastBlock, {kTiles, kSteps, 6});

  const auto launches = [&](Adds adds, const Row& row, int count) {
    Launches all;
    while (count-- > 0) launch(row), all.all.push_back(again.run(adds, row, NoRecorder()));
    return all;
  };
  const Launches by_last = launches(Adds::kLastBlock, quarters, 10);
  const auto parts = parts_of_elements(quarters, again.parts.get(), place_of);
  const Orders orders{rough, parts, 5 * kCols + 1};
  const Launches by_atomics = launches(Adds::kAtomics, quarters, 10);
  orders.print();
  orders.print("by the last block", by_last);
  orders.print("by atomics", by_atomics);
  orders.print("one block a tile", launches(Adds::kLastBlock, whole, 1));
  good = by_last.different() == 1 && by_last.all[0] == orders.D_in({0, 1, 2, 3}) && good;
  for (const auto& D : by_atomics.all) good = orders.in_some_order(D) && good;

  // Once more, to be looked at: what records would be counted, too.
  good = exact.right(product.run(Adds::kLastBlock, quarters, launch(quarters))) && good;
  for (int part = 0; part < 4; ++part)
    recorder.memory("part " + std::to_string(part) + ", a row a lane", "f32", 32, 4,
                    product.parts.data() + quarters.place(part, 0) * kThreads, 16, 16);
  if (!good) std::printf("\nSomething above is not as it should be.\n");
  return recorder.write() && good ? 0 : 1;
}
