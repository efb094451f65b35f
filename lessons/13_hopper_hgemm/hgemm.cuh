// SPDX-License-Identifier: MIT
// D = A * B by the tensor cores of Hopper, as fast as the card allows: f16 or bf16 in and out, sums
// in f32. For sm_90a only. Needs this file, tile.cuh and common/device; nothing at link time.
//
//     const hgemm::Gemm gemm(hgemm::Type::kF16, {M, N, K}, A, B, D);   // pointers on the card
//     gemm.launch(stream);                                             // as often as one likes
//
//     A  M x K, row-major     B  K x N, column by column     D  M x N, row-major
//     any M; N and K multiples of 8; A, B and D at multiples of 16 bytes
//
// How it works, and what each part of it gains: README.md, rungs.cuh, docs/performance.md.
// Source: PTX ISA 9.2, 9.7.15 (wgmma), 9.7.9.25.5 (TMA), 9.7.13.15 (mbarrier), 9.7.19.5.
#pragma once

#include <algorithm>

#include "check.cuh"
#include "ptx/cluster.cuh"
#include "ptx/ldmatrix.cuh"
#include "tensor_map.cuh"
#include "tile.cuh"
#include "watch.cuh"

namespace hgemm {

// ---- A way to cut the work ----------------------------------------------------------------------

/// Of a block: a producer warpgroup and two consumers. They share a tile of kBlockM x kBlockN, or
/// (kPingPong) take turns with whole ones, so that one multiplies while the other stores. Blocks of
/// a cluster have neighbouring tiles: kClusterM of them below each other share B, kClusterN beside
/// each other share A.
template <int kM, int kN, int kStageCount, int kDownwards, int kSideways, bool kTakeTurns,
          int kStoreBuffers>
struct Shape {
  static constexpr int kBlockM = kM, kBlockN = kN, kStages = kStageCount;
  static constexpr int kClusterM = kDownwards, kClusterN = kSideways,
                       kCluster = kClusterM * kClusterN;
  static constexpr bool kPingPong = kTakeTurns;
  static constexpr int kBuffers = kStoreBuffers;
  static constexpr int kConsumers = 2, kThreads = 128 * (1 + kConsumers);
  static constexpr int kRows = kPingPong ? kBlockM : kBlockM / kConsumers;  // of a consumer's tile
  static constexpr int kStageBytes = (kBlockM + kBlockN) * kRowBytes;
  // Who reads a stage before it is empty again: the block's consumers, and those of the blocks that
  // its tiles go to.
  static constexpr int kReaders = (kPingPong ? 1 : kConsumers) * (kClusterM + kClusterN - 1);
};

/// A piece of D on its way out: of one warp, 16 rows of 64 columns, swizzled as TMA wants it.
constexpr int kPieceRows = 16, kPieceCols = 64;
struct Piece {
  alignas(1024) std::uint16_t rows[kPieceRows * kPieceCols];
};

template <class S>
struct Shared {
  alignas(1024) std::uint16_t a[S::kStages][S::kBlockM * kBlockK];
  alignas(1024) std::uint16_t b[S::kStages][S::kBlockN * kBlockK];
  Piece pieces[S::kConsumers * 4][S::kBuffers];
  std::uint64_t full[S::kStages], empty[S::kStages];
};

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

struct Work {
  CUtensorMap a, b, d;
  TileOrder order;
  int steps;  // of kBlockK
};

/// This block among those of its cluster.
template <class S>
struct Member {
  int rank = S::kCluster > 1 ? ptx::cluster_ctarank() : 0;
  int down = rank % S::kClusterM, right = rank / S::kClusterM;
  int first = static_cast<int>(blockIdx.x) / S::kCluster;
  int stride = static_cast<int>(gridDim.x) / S::kCluster;

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

/// All threads of the block, or of the cluster.
template <int kCluster>
__device__ void meet() {
  if constexpr (kCluster > 1)
    ptx::cluster_sync();
  else
    __syncthreads();
}

/// The blocks of the next kernel of a stream may come while these still run (start() allows it):
/// they make their barriers ready, and wait here until all that came before is done and visible.
/// Only the producer has to: consumers store what it has loaded.
__device__ __forceinline__ void wait_for_earlier_kernels() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
__device__ __forceinline__ void let_later_kernels_come() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// ---- The producer -------------------------------------------------------------------------------

/// A box of A or B: into this block, or into all of `blocks`.
template <bool kShared>
__device__ __forceinline__ void load(std::uint16_t* tile, const CUtensorMap& map, int k, int row,
                                     std::uint64_t* full, int blocks = 0) {
  if constexpr (kShared)
    ptx::
        cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes_multicast_cluster(
            tile, &map, k, row, full, blocks);
  else
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
        tile, &map, k, row, full);
}

/// One thread keeps the ring full. Of what blocks of the cluster share, each loads its part, for
/// all of them; so it waits until the stage is empty in all of them. Every other tile is done from
/// its last k to its first: what was read last is still in the L2.
template <class S>
__device__ void produce(Shared<S>& shared, const Work& work) {
  constexpr int kPartA = S::kBlockM / S::kClusterN, kPartB = S::kBlockN / S::kClusterM;
  const Member<S> me;
  const int same_a = me.same_a(), same_b = me.same_b();
  Place<S::kStages> at;
  bool backwards = false;
  wait_for_earlier_kernels();
  for (int index = me.first; index < work.order.count(); index += me.stride) {
    const int2 tile = work.order.at(index);
    const int row = me.row(tile) + me.right * kPartA, col = me.col(tile) + me.down * kPartB;
    const int stride = backwards ? -kBlockK : kBlockK;
    int k = backwards ? (work.steps - 1) * kBlockK : 0;
    backwards = !backwards;
    for (int step = 0; step < work.steps; ++step, k += stride, at.next()) {
      std::uint64_t* full = &shared.full[at.stage];
      ptx::mbarrier_wait_parity(&shared.empty[at.stage], at.parity ^ 1);  // round 0: at once
      ptx::mbarrier_arrive_expect_tx_shared_b64(full, S::kStageBytes);
      load<(S::kClusterN > 1)>(shared.a[at.stage] + me.right * kPartA * kBlockK, work.a, k, row,
                               full, same_a);
      load<(S::kClusterM > 1)>(shared.b[at.stage] + me.down * kPartB * kBlockK, work.b, k, col,
                               full, same_b);
    }
  }
}

// ---- The consumers ------------------------------------------------------------------------------

/// Says that this consumer has read a stage: thread i of it to the i-th block that loads for it.
/// Only to them: each of their barriers waits for S::kReaders.
///
/// Without .release.cluster, which costs a fence of all memory every time: nothing was written, and
/// that the wgmmas have read the stage wgmma.wait_group has made sure of.
template <class S>
__device__ __forceinline__ void release(std::uint64_t* empty, const Member<S>& me, int thread) {
  if constexpr (S::kCluster == 1) {
    if (thread == 0) ptx::mbarrier_arrive_shared_b64(empty);
  } else if (thread < S::kClusterM + S::kClusterN - 1) {
    const int i = thread - S::kClusterM;  // from 0 on: those beside this one, without itself
    const int rank = thread < S::kClusterM ? me.right * S::kClusterM + thread
                                           : (i + (i >= me.right)) * S::kClusterM + me.down;
    ptx::mbarrier_arrive_shared_cluster_b64(empty, rank);
  }
}

/// d = A * B, for one tile. While the tensor cores are busy with one step the next one is in line
/// already, so a stage is released one step later.
template <class S, Type kType, int kBlocks, int kRegisters>
__device__ __forceinline__ void multiply_tile(float (&d)[kBlocks][kRegisters], Shared<S>& shared,
                                              const Member<S>& me, int steps, int first_row,
                                              Place<S::kStages>& at) {
  const int thread = static_cast<int>(threadIdx.x) % 128;
  int before = 0;
  for (int step = 0; step < steps; ++step, at.next()) {
    ptx::mbarrier_wait_parity(&shared.full[at.stage], at.parity);
    multiply<kType>(d, shared.a[at.stage] + first_row * kBlockK, shared.b[at.stage], step > 0);
    ptx::wgmma_wait_group_sync_aligned<1>();
    if (step > 0) release<S>(&shared.empty[before], me, thread);
    before = at.stage;
  }
  ptx::wgmma_wait_group_sync_aligned<0>();
  release<S>(&shared.empty[before], me, thread);
}

/// A warp's part of d, 64 columns at a time: stmatrix into a swizzled piece, and TMA stores that,
/// and leaves out what is not in D. The buffers are used in turn; one is free when at most
/// kBuffers - 1 later stores have yet to read theirs.
template <class S, Type kType, int kBlocks, int kRegisters>
__device__ __forceinline__ void store_tile(const float (&d)[kBlocks][kRegisters],
                                           Piece (&pieces)[S::kBuffers], int& buffer,
                                           const CUtensorMap& map, int row, int col) {
  const int lane = static_cast<int>(threadIdx.x) % 32, piece_row = lane % 16, half = lane / 16;
#pragma unroll
  for (int i = 0; i < kBlocks; ++i)
#pragma unroll
    for (int piece = 0; piece < S::kBlockN / kPieceCols; ++piece) {
      std::uint16_t* rows = pieces[buffer].rows;
      if (lane == 0) ptx::cp_async_bulk_wait_group_read<S::kBuffers - 1>();
      __syncwarp();
#pragma unroll
      for (int j = 0; j < kPieceCols / 16; ++j) {
        const float* sums = &d[i][piece * 32 + j * 8];
        const std::uint32_t r[4] = {pack<kType>(sums[0], sums[1]), pack<kType>(sums[2], sums[3]),
                                    pack<kType>(sums[4], sums[5]), pack<kType>(sums[6], sums[7])};
        const int chunk = (j * 2 + half) ^ (piece_row % 8);  // of 16 bytes; the swizzle of TMA
        ptx::stmatrix_sync_aligned_m8n8_x4_shared_b16(&rows[piece_row * kPieceCols + chunk * 8], r);
      }
      ptx::fence_proxy_async_shared_cta();
      __syncwarp();
      if (lane == 0) {
        ptx::cp_async_bulk_tensor_2d_global_shared_cta_tile_bulk_group(
            &map, col + piece * kPieceCols, row + i * 64, rows);
        ptx::cp_async_bulk_commit_group();
      }
      buffer = buffer + 1 < S::kBuffers ? buffer + 1 : 0;
    }
}

/// Whose turn it is to multiply, where consumers take turns. Needed although the ring hands out the
/// tiles in order: a parity tells odd rounds from even ones, and no more. A consumer that waits for
/// a full stage must not be two rounds early.
template <class S>
struct Turns {
  int consumer;
  __device__ void begin() const {
    if (S::kPingPong) asm volatile("bar.sync %0, 256;" ::"r"(1 + consumer) : "memory");
  }
  __device__ void pass_on() const {
    if (S::kPingPong) asm volatile("bar.arrive %0, 256;" ::"r"(2 - consumer) : "memory");
  }
};

template <class S, Type kType>
__device__ void consume(Shared<S>& shared, const Work& work, int consumer) {
  const Member<S> me;
  const int warp = static_cast<int>(threadIdx.x) / 32 % 4;
  const int first_row = S::kPingPong ? 0 : consumer * S::kRows;  // in the block's tile
  const int count = work.order.count(), others = S::kPingPong ? work.steps : 0;
  const Turns<S> turns{consumer};
  if (consumer == 1 && me.first < count) turns.pass_on();
  Place<S::kStages> at;
  if (consumer == 1) at.skip(others);
  int buffer = 0;
  const int every = S::kPingPong ? S::kConsumers * me.stride : me.stride;
  for (int index = me.first + (S::kPingPong ? consumer * me.stride : 0); index < count;
       index += every) {
    float d[S::kRows / 64][S::kBlockN / 2];
    turns.begin();
    multiply_tile<S, kType>(d, shared, me, work.steps, first_row, at);
    if (index + me.stride < count) turns.pass_on();
    at.skip(others);
    const int2 tile = work.order.at(index);
    store_tile<S, kType>(d, shared.pieces[consumer * 4 + warp], buffer, work.d,
                         me.row(tile) + first_row + warp * 16, me.col(tile));
  }
  if (threadIdx.x % 32 == 0) ptx::cp_async_bulk_wait_group_read<0>();
}

// ---- The kernel ---------------------------------------------------------------------------------

template <class S, Type kType>
__global__ void __launch_bounds__(S::kThreads, 1)
    multiply_matrices(const __grid_constant__ Work work) {
  extern __shared__ __align__(1024) unsigned char raw[];
  auto& shared = *reinterpret_cast<Shared<S>*>(raw);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < S::kStages; ++stage) {
      ptx::mbarrier_init_shared_b64(&shared.full[stage], 1);
      ptx::mbarrier_init_shared_b64(&shared.empty[stage], S::kReaders);
    }
    WATCH_SHARED("full", shared.full);
    WATCH_SHARED("empty", shared.empty);
    ptx::fence_mbarrier_init_release_cluster();
  }
  meet<S::kCluster>();
  let_later_kernels_come();
  // 64512 registers are there, 168 for each thread; 24 * 128 + 240 * 256 are as many.
  const int warpgroup = static_cast<int>(threadIdx.x) / 128;
  if (warpgroup == 0) {
    ptx::setmaxnreg_dec_sync_aligned<24>();
    if (threadIdx.x == 0) produce<S>(shared, work);
  } else {
    ptx::setmaxnreg_inc_sync_aligned<240>();
    consume<S, kType>(shared, work, warpgroup - 1);
  }
  meet<S::kCluster>();  // nobody leaves while others may write to its memory
}

// ---- The host -----------------------------------------------------------------------------------

using Shape192Pair = Shape<256, 192, 3, 1, 2, false, 3>;    // two beside each other share A
using Shape256Pair = Shape<128, 256, 4, 2, 1, false, 2>;    // two below each other share B
using Shape256Beside = Shape<128, 256, 4, 1, 2, false, 2>;  // share A
using Shape256 = Shape<128, 256, 4, 1, 1, false, 2>;
using Shape192 = Shape<128, 192, 4, 1, 1, false, 3>;
using ShapePingPong = Shape<128, 128, 6, 1, 1, true, 1>;
using Shape64 = Shape<128, 64, 8, 1, 1, false, 1>;

inline int multiprocessors() {
  int device = 0, count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

/// Do the rows of A and B, which TMA loads in pieces of 128 bytes, begin where lines of the L2 do?
/// If not, each piece is in two lines, and the L2 is not to be asked for whole ones as well.
inline bool has_whole_lines(const Problem& p) { return p.K * 2 % 128 == 0; }

/// Tiles of a problem, those that only fill up a cluster, too.
template <class S>
int tiles(const Problem& p) {
  return divide_up(p.M, S::kBlockM * S::kClusterM) * divide_up(p.N, S::kBlockN * S::kClusterN) *
         S::kCluster;
}
/// How much one multiprocessor has to multiply: its tiles times their size.
template <class S>
double cost(const Problem& p) {
  const int at_a_time = std::max(multiprocessors() / S::kCluster, 1) * S::kCluster;
  return double(divide_up(tiles<S>(p), at_a_time)) * S::kBlockM * S::kBlockN;
}

/// How much longer a shape took on an H200 for as many products as 128 x 256 (docs/performance.md).
constexpr double kPace192Pair = 0.94, kPace192 = 1.04, kPacePingPong = 1.08, kPace64 = 1.45;
/// What a second launch costs, which waits for the first: 1.5 us, as elements of D times K.
constexpr double kSecondLaunch = 3.6e6;

/// D in two parts: the first `rows` of it, as many as whole rounds of 256 x 192 in pairs have, and
/// below them what is left, by 128 x 256. No multiprocessor waits for a last round that is nearly
/// empty, and most products have the shape that fetches least.
struct Parts {
  int rows = 0;  // 0: there is no such cut
  double time = 0;
};
inline Parts two_parts(const Problem& p) {
  Parts best;
  for (int rows = Shape192Pair::kBlockM; rows < p.M; rows += Shape192Pair::kBlockM) {
    const double time = kPace192Pair * cost<Shape192Pair>({rows, p.N, p.K}) +
                        cost<Shape256>({p.M - rows, p.N, p.K}) + kSecondLaunch / p.K;
    if (best.rows == 0 || time < best.time) best = {rows, time};
  }
  return best;
}

class Gemm {
 public:
  /// Rows of tiles in a band, so that 132 of them are about as high as wide.
  template <class S>
  static constexpr int kBand = S::kBlockM == 256 ? 12 : 16;

  /// The shape that is through first: its rounds times the size of a tile times its pace. Or two of
  /// them, one below the other, if that is 2 % less.
  Gemm(Type type, Problem problem, const void* A, const void* B, void* D) {
    double least = 0;
    Gemm (*make)(Type, Problem, const void*, const void*, void*) = nullptr;
    const auto consider = [&](auto shape, double pace) {
      using S = decltype(shape);
      const double time = pace * cost<S>(problem);
      if (make != nullptr && time >= least) return;
      least = time;
      make = [](Type t, Problem p, const void* a, const void* b, void* d) {
        return with<S>(t, p, a, b, d);
      };
    };
    if (has_whole_lines(problem)) {
      consider(Shape256{}, 1.00);
      consider(Shape192Pair{}, kPace192Pair);
      consider(Shape192{}, kPace192);
      consider(ShapePingPong{}, kPacePingPong);
    } else {
      // Pieces of lines are dear, and only pairs fetch few enough of them.
      consider(Shape256Pair{}, 1.00);
      consider(Shape256Beside{}, 1.05);
      consider(Shape192Pair{}, 0.97);
    }
    consider(Shape64{}, kPace64);
    const Parts parts = has_whole_lines(problem) ? two_parts(problem) : Parts{};
    if (parts.rows > 0 && parts.time < 0.98 * least)
      *this = in_parts(type, problem, A, B, D, parts.rows);
    else
      *this = make(type, problem, A, B, D);
  }

  /// The first `rows` by 256 x 192 in pairs, what is below by 128 x 256.
  static Gemm in_parts(Type type, Problem problem, const void* A, const void* B, void* D,
                       int rows) {
    const auto [M, N, K] = problem;
    const auto below = [rows](auto* matrix, int cols) {
      return static_cast<std::uint16_t*>(const_cast<void*>(matrix)) + std::size_t(rows) * cols;
    };
    Gemm gemm = with<Shape192Pair>(type, {rows, N, K}, A, B, D);
    const Gemm rest = with<Shape256>(type, {M - rows, N, K}, below(A, K), B, below(D, N));
    gemm.parts_[1] = rest.parts_[0];
    return gemm;
  }

  /// A shape of your choice; the band of TileOrder; and on how many multiprocessors, 0 being all.
  template <class S>
  static Gemm with(Type type, Problem problem, const void* A, const void* B, void* D,
                   int band = kBand<S>, int multiprocessors = 0) {
    Gemm gemm;
    Part& part = gemm.parts_[0];
    part.multiprocessors = multiprocessors;
    const auto map = [&](const void* matrix, int rows, int cols, int box_rows, int box_cols) {
      return tensor_map_2d(
          type == Type::kF16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
          const_cast<void*>(matrix), std::uint64_t(cols), std::uint64_t(rows),
          std::uint64_t(cols) * 2, std::uint32_t(box_cols), std::uint32_t(box_rows),
          CU_TENSOR_MAP_SWIZZLE_128B,
          has_whole_lines(problem) ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
                                   : CU_TENSOR_MAP_L2_PROMOTION_NONE);
    };
    const auto [M, N, K] = problem;
    part.work.a = map(A, M, K, S::kBlockM / S::kClusterN, kBlockK);
    part.work.b = map(B, N, K, S::kBlockN / S::kClusterM, kBlockK);
    part.work.d = map(D, M, N, kPieceRows, kPieceCols);
    part.work.steps = divide_up(K, kBlockK);
    part.work.order = {divide_up(M, S::kBlockM * S::kClusterM),
                       divide_up(N, S::kBlockN * S::kClusterN), std::max(1, band / S::kClusterM)};
    part.start = type == Type::kF16 ? start<S, Type::kF16> : start<S, Type::kBf16>;
    return gemm;
  }

  /// How many kernels launch() starts: one, or one for each part.
  int kernels() const { return parts_[1].start != nullptr ? 2 : 1; }

  void launch(cudaStream_t stream = nullptr) const {
    for (const Part& part : parts_)
      if (part.start != nullptr) part.start(part, stream);
  }

 private:
  struct Part {
    Work work{};
    int multiprocessors = 0;
    void (*start)(const Part&, cudaStream_t) = nullptr;  // nullptr: there is no such part
  };
  Part parts_[2];

  Gemm() = default;

  template <class S, Type kType>
  static void start(const Part& part, cudaStream_t stream) {
    static const int all = prepare<S, kType>();
    const int blocks = part.multiprocessors > 0 ? part.multiprocessors : all;
    const int grid = std::min(blocks / S::kCluster, part.work.order.count()) * S::kCluster;
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {S::kCluster, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(grid));
    config.blockDim = dim3(S::kThreads);
    config.dynamicSmemBytes = sizeof(Shared<S>);
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = S::kCluster > 1 ? 2 : 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, multiply_matrices<S, kType>, part.work));
  }
  template <class S, Type kType>
  static int prepare() {
    CUDA_CHECK(cudaFuncSetAttribute(multiply_matrices<S, kType>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    sizeof(Shared<S>)));
    return multiprocessors();
  }
};

}  // namespace hgemm
