// SPDX-License-Identifier: MIT
// How the kernel of kernel.cuh cuts the work: the shapes that there are, what of shared memory a
// block has in a shape, which tiles it makes, and with which blocks it shares what it loads.
//
// What each shape is good for: docs/experiments/hgemm_shapes.md.
// Source: PTX ISA 9.2, 9.7.9.25.5 (TMA), 9.7.13.15 (mbarrier).
#pragma once

#include <cuda.h>

#include <cstdint>

#include "ptx/cluster.cuh"
#include "tile.cuh"

namespace hgemm {

/// Of a block: a producer warpgroup and two consumers. They share a tile of kBlockM x kBlockN, or
/// (kPingPong) take turns with whole ones, so that one multiplies while the other stores. Blocks of
/// a cluster have neighbouring tiles: kClusterM of them below each other share B, kClusterN beside
/// each other share A. kPace: how much longer it took on an H200 for as many products as 128 x 256
/// (docs/experiments/hgemm_shapes.md).
template <int kM, int kN, int kStageCount, int kDownwards, int kSideways, bool kTakeTurns,
          int kThousandths>
struct Shape {
  static constexpr int kBlockM = kM, kBlockN = kN, kStages = kStageCount;
  static constexpr int kClusterM = kDownwards, kClusterN = kSideways,
                       kCluster = kClusterM * kClusterN;
  static constexpr bool kPingPong = kTakeTurns;
  static constexpr double kPace = kThousandths / 1000.0;
  static constexpr int kConsumers = 2, kThreads = 128 * (1 + kConsumers);
  static constexpr int kRows = kPingPong ? kBlockM : kBlockM / kConsumers;  // of a consumer's tile
  static constexpr int kStageBytes = (kBlockM + kBlockN) * kRowBytes;
  // Who reads a stage before it is empty again: the block's consumers, and those of the blocks that
  // its tiles go to.
  static constexpr int kReaders = (kPingPong ? 1 : kConsumers) * (kClusterM + kClusterN - 1);
};

// Many widths, so that some shape's tiles fill their last round: 1536 is 12 x 11 tiles of 128 x
// 144, one for each of 132 multiprocessors, but 12 x 8 of 128 x 192.
using Shape192Pair = Shape<256, 192, 3, 1, 2, false, 960>;  // two beside each other share A
using Shape176Pair = Shape<256, 176, 4, 1, 2, false, 980>;
using Shape160Pair = Shape<256, 160, 4, 1, 2, false, 985>;
using Shape256Pair = Shape<128, 256, 4, 2, 1, false, 1000>;    // two below each other share B
using Shape256Beside = Shape<128, 256, 4, 1, 2, false, 1050>;  // share A
using Shape256 = Shape<128, 256, 4, 1, 1, false, 1000>;
using Shape224 = Shape<128, 224, 5, 1, 1, false, 1030>;
using Shape192 = Shape<128, 192, 5, 1, 1, false, 1035>;
using Shape144 = Shape<128, 144, 6, 1, 1, false, 1120>;
using Shape112 = Shape<128, 112, 7, 1, 1, false, 1150>;
using ShapePingPong = Shape<128, 128, 6, 1, 1, true, 1085>;
using Shape64 = Shape<128, 64, 9, 1, 1, false, 1500>;

/// D may have two shapes, one in its upper rows and another below them. This one: there is none
/// below.
struct NoShape {};

// ---- In shared memory ---------------------------------------------------------------------------

/// A piece of D on its way out: of one warp, 16 rows of 64 columns, swizzled as TMA wants it. It is
/// as large as the 16 rows of A that the warp multiplies in a step. When the last step of a tile is
/// done nobody reads those any more, and the pieces leave through their place in the ring. Not
/// where consumers take turns: the ring would wait for one's pieces while the other multiplies.
constexpr int kPieceRows = 16, kPieceCols = kBlockK;
template <bool kOwnPlace>
struct Pieces {};
template <>
struct Pieces<true> {
  alignas(1024) std::uint16_t pieces[2 * 4][kPieceRows * kPieceCols];  // one for each warp
};

/// Stages as large as the upper shape needs them; below it they are used in the same way, with A's
/// tile first and B's behind it.
template <class Upper>
struct Ring : Pieces<Upper::kPingPong> {
  static constexpr int kStages = Upper::kStages, kStageBytes = Upper::kStageBytes,
                       kReaders = Upper::kReaders;
  alignas(1024) unsigned char stages[kStages][kStageBytes];
  std::uint64_t full[kStages], empty[kStages];
};
template <class S, class R>
__device__ std::uint16_t* tile_a(R& ring, int stage) {
  return reinterpret_cast<std::uint16_t*>(ring.stages[stage]);
}
template <class S, class R>
__device__ std::uint16_t* tile_b(R& ring, int stage) {
  return tile_a<S>(ring, stage) + S::kBlockM * kBlockK;
}

// ---- Which tiles --------------------------------------------------------------------------------

/// The order of the tiles: down in bands of a few rows, on to the right, and back in the next band.
/// So what works at the same time is nearly a square of D, and finds in the L2 what it needs of A
/// and B, of what came before, too.
struct TileOrder {
  int rows, cols, band;  // of tiles of a whole cluster
  __host__ __device__ int count() const { return rows * cols; }
  __device__ int2 at(int index) const {  // col, row
    const int number = index / (band * cols), within = index % (band * cols);
    const int height = min(band, rows - number * band), col = within / height;
    return make_int2(number % 2 == 0 ? col : cols - 1 - col, number * band + within % height);
  }
};

/// What there is to do in one shape.
struct Part {
  CUtensorMap a, b, d, rest;  // rest: D in pieces as wide as a tile's last one, if that is narrow
  TileOrder order;
  int before;  // how many tiles blocks have been given in the part above
};
struct Work {
  Part upper, lower;
  int steps;     // of kBlockK
  bool fits_l2;  // all three matrices do: then D's lines are the first to make room
};

/// This block among those of its cluster.
template <class S>
struct Member {
  int rank = S::kCluster > 1 ? ptx::cluster_ctarank() : 0;
  int down = rank % S::kClusterM, right = rank / S::kClusterM;
  int first, stride;  // of its cluster's tiles

  /// Whoever has no tile in the last round of the part above has one of the first here.
  __device__ explicit Member(const Part& part) {
    const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
    first = (block + blocks - part.before % blocks) % blocks / S::kCluster;
    stride = blocks / S::kCluster;
  }

  __device__ int row(int2 tile) const { return (tile.y * S::kClusterM + down) * S::kBlockM; }
  __device__ int col(int2 tile) const { return (tile.x * S::kClusterN + right) * S::kBlockN; }
  /// Bit n: block n of the cluster multiplies the same rows of A, the same columns of B.
  __device__ int same_a() const {
    int blocks = 0;
    for (int i = 0; i < S::kClusterN; ++i) blocks |= 1 << (i * S::kClusterM + down);
    return blocks;
  }
  __device__ int same_b() const { return ((1 << S::kClusterM) - 1) << (right * S::kClusterM); }
};

}  // namespace hgemm
