// SPDX-License-Identifier: MIT
// D = A * B by the tensor cores of Hopper, as fast as the card allows: f16 or bf16 in and out, sums
// in f32. For sm_90a only. Needs this file, kernel.cuh, shape.cuh, tile.cuh and common/device;
// nothing at link time.
//
//     const hgemm::Gemm gemm(hgemm::Type::kF16, {M, N, K}, A, B, D);   // pointers on the card
//     gemm.launch(stream);                                             // as often as one likes
//
//     A  M x K, row-major     B  K x N, column by column     D  M x N, row-major
//     any M; N and K multiples of 8; A, B and D at multiples of 16 bytes
//
// The kernel is in kernel.cuh. Here it is launched, in a shape by docs/experiments/hgemm_shapes.md.
#pragma once

#include <algorithm>
#include <vector>

#include "check.cuh"
#include "kernel.cuh"
#include "tensor_map.cuh"

namespace hgemm {

inline int multiprocessors() {
  int device = 0, count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

/// Do the rows of A and B, which TMA loads in pieces of 128 bytes, begin where lines of the L2 do?
/// If not, each piece is in two lines, and the L2 is not to be asked for whole ones as well.
inline bool has_whole_lines(const Problem& p) { return p.K * 2 % 128 == 0; }

/// Do A, B and D fit into the L2 together? Then D is stored so that it leaves first: 1 % more at
/// 2048 (but 1.5 % less at 16384, where they do not).
inline bool fits_l2(const Problem& p) {
  int device = 0, bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
  return 2.0 * (double(p.M) * p.K + double(p.N) * p.K + double(p.M) * p.N) <= bytes;
}

class Gemm {
 public:
  /// The shape, or the two shapes one below the other, that will be through first.
  Gemm(Type type, Problem problem, const void* A, const void* B, void* D);

  /// Rows of tiles in a band, so that 132 of them are about as high as wide.
  template <class S>
  static constexpr int kBand = S::kBlockM == 256 ? 12 : 16;

  /// A shape of your choice; the band of TileOrder; and on how many multiprocessors, 0 being all.
  template <class S>
  static Gemm with(Type type, Problem problem, const void* A, const void* B, void* D,
                   int band = kBand<S>, int multiprocessors = 0) {
    Gemm gemm = above<S>(type, problem, A, B, D, problem.M, band, multiprocessors);
    gemm.start_ =
        type == Type::kF16 ? start<S, NoShape, Type::kF16> : start<S, NoShape, Type::kBf16>;
    return gemm;
  }

  /// D's first `rows` in one shape, what is below in another: alone, or in clusters as large.
  template <class Upper, class Lower>
  static Gemm with_two(Type type, Problem problem, const void* A, const void* B, void* D, int rows,
                       int multiprocessors = 0) {
    static_assert((Lower::kCluster == 1 || Lower::kCluster == Upper::kCluster) &&
                  !Upper::kPingPong && !Lower::kPingPong &&
                  Lower::kStageBytes <= Upper::kStageBytes &&
                  Upper::kReaders % Lower::kReaders == 0);
    const auto [M, N, K] = problem;
    const auto below = [rows](const void* matrix, int cols) {
      return static_cast<std::uint16_t*>(const_cast<void*>(matrix)) + std::size_t(rows) * cols;
    };
    const Problem rest{M - rows, N, K};
    Gemm gemm = above<Upper>(type, problem, A, B, D, rows, kBand<Upper>, multiprocessors);
    gemm.work_.lower = part<Lower>(type, rest, below(A, K), B, below(D, N), kBand<Lower>);
    gemm.work_.lower.before = gemm.tiles_;
    gemm.tiles_ += tiles<Lower>(rest);
    gemm.start_ =
        type == Type::kF16 ? start<Upper, Lower, Type::kF16> : start<Upper, Lower, Type::kBf16>;
    return gemm;
  }

  void launch(cudaStream_t stream = nullptr) const { start_(*this, stream); }

  /// Tiles of a problem, those that only fill up a cluster, too.
  template <class S>
  static int tiles(const Problem& p) {
    return divide_up(p.M, S::kBlockM * S::kClusterM) * divide_up(p.N, S::kBlockN * S::kClusterN) *
           S::kCluster;
  }

 private:
  Work work_{};
  int tiles_ = 0, multiprocessors_ = 0;
  void (*start_)(const Gemm&, cudaStream_t) = nullptr;

  Gemm() = default;

  /// D's first `rows` in this shape, so far without a kernel.
  template <class S>
  static Gemm above(Type type, Problem problem, const void* A, const void* B, void* D, int rows,
                    int band, int multiprocessors) {
    const Problem upper{rows, problem.N, problem.K};
    Gemm gemm;
    gemm.multiprocessors_ = multiprocessors;
    gemm.tiles_ = tiles<S>(upper);
    gemm.work_.steps = divide_up(problem.K, kBlockK);
    gemm.work_.fits_l2 = fits_l2(problem);
    gemm.work_.upper = part<S>(type, upper, A, B, D, band);
    return gemm;
  }

  template <class S>
  static Part part(Type type, Problem problem, const void* A, const void* B, void* D, int band) {
    const auto map = [&](const void* matrix, int rows, int cols, int box_rows, int box_cols,
                         CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B) {
      return tensor_map_2d(
          type == Type::kF16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
          const_cast<void*>(matrix), std::uint64_t(cols), std::uint64_t(rows),
          std::uint64_t(cols) * 2, std::uint32_t(box_cols), std::uint32_t(box_rows), swizzle,
          has_whole_lines(problem) ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
                                   : CU_TENSOR_MAP_L2_PROMOTION_NONE);
    };
    const auto [M, N, K] = problem;
    Part part{};
    part.a = map(A, M, K, S::kBlockM / S::kClusterN, kBlockK);
    part.b = map(B, N, K, S::kBlockN / S::kClusterM, kBlockK);
    part.d = map(D, M, N, kPieceRows, kPieceCols);
    if constexpr (constexpr int kRest = S::kBlockN % kPieceCols; kRest != 0)
      part.rest = map(D, M, N, kPieceRows, kRest, CU_TENSOR_MAP_SWIZZLE_NONE);
    part.order = {divide_up(M, S::kBlockM * S::kClusterM), divide_up(N, S::kBlockN * S::kClusterN),
                  std::max(1, band / S::kClusterM)};
    return part;
  }

  template <class Upper, class Lower, Type kType>
  static void start(const Gemm& gemm, cudaStream_t stream) {
    constexpr int kCluster = Upper::kCluster;
    static const int all = prepare<Upper, Lower, kType>();
    const int blocks = gemm.multiprocessors_ > 0 ? gemm.multiprocessors_ : all;
    const int grid = std::min(blocks / kCluster, divide_up(gemm.tiles_, kCluster)) * kCluster;
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {kCluster, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(grid));
    config.blockDim = dim3(Upper::kThreads);
    config.dynamicSmemBytes = sizeof(Ring<Upper>);
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = kCluster > 1 ? 2 : 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, multiply_matrices<Upper, Lower, kType>, gemm.work_));
  }
  template <class Upper, class Lower, Type kType>
  static int prepare() {
    CUDA_CHECK(cudaFuncSetAttribute(multiply_matrices<Upper, Lower, kType>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    sizeof(Ring<Upper>)));
    return multiprocessors();
  }
};

// ---- Which shape --------------------------------------------------------------------------------

/// What a second shape costs where the first ends, 1 us, as elements of D times K.
constexpr double kSecondShape = 2.4e6;

/// How long D keeps the card busy with `rows` of it in one shape and the others in another, as
/// elements of D that a multiprocessor makes. For the most part that is the longest that one has to
/// do. But whoever waits for him needs no power, and what he leaves makes the others faster: 0.7
/// and 0.3 are fitted.
template <class Upper, class Lower>
double time_of(const Problem& p, int rows, int multiprocessors) {
  const int blocks = std::max(multiprocessors / Upper::kCluster, 1) * Upper::kCluster;
  const double upper = Upper::kPace * Upper::kBlockM * Upper::kBlockN;
  const int above = Gemm::tiles<Upper>({rows, p.N, p.K});
  double lower = 0, change = 0;
  int below = 0;
  if constexpr (!std::is_same_v<Lower, NoShape>) {
    lower = Lower::kPace * Lower::kBlockM * Lower::kBlockN;
    below = Gemm::tiles<Lower>({p.M - rows, p.N, p.K});
    change = kSecondShape / p.K;
  }
  const auto load = [&](int block) {
    const int first = divide_up(above - block, blocks);
    return first * upper + (divide_up(above + below - block, blocks) - first) * lower;
  };
  // The first block has most, or the first of those that have one tile less above.
  const double longest = std::max(load(0), load(above % blocks));
  return 0.7 * longest + 0.3 * (above * upper + below * lower) / blocks + change;
}

/// A shape, or two, that Gemm may take.
struct Choice {
  int step;  // the upper part has a multiple of so many rows; 0: all rows are the upper part
  double (*time)(const Problem&, int rows, int multiprocessors);
  Gemm (*make)(Type, Problem, const void* A, const void* B, void* D, int rows);
};
template <class Upper, class Lower>
Choice choice() {
  if constexpr (std::is_same_v<Lower, NoShape>)
    return {0, time_of<Upper, Lower>,
            [](Type type, Problem p, const void* A, const void* B, void* D, int) {
              return Gemm::with<Upper>(type, p, A, B, D);
            }};
  else
    return {Upper::kBlockM * Upper::kClusterM, time_of<Upper, Lower>,
            [](Type type, Problem p, const void* A, const void* B, void* D, int rows) {
              return Gemm::with_two<Upper, Lower>(type, p, A, B, D, rows);
            }};
}

/// Pieces of lines are dear, and only pairs fetch few enough of them. Of two as fast the first is
/// taken: below, pairs of 128 x 256 where all rows pair, which gain 0.2 to 1.1 % at 4096.
inline const std::vector<Choice>& choices(const Problem& p) {
  static const std::vector<Choice> whole = {
      choice<Shape256, NoShape>(),          choice<Shape192Pair, NoShape>(),
      choice<Shape176Pair, NoShape>(),      choice<Shape160Pair, NoShape>(),
      choice<Shape224, NoShape>(),          choice<Shape192, NoShape>(),
      choice<Shape144, NoShape>(),          choice<Shape112, NoShape>(),
      choice<ShapePingPong, NoShape>(),     choice<Shape64, NoShape>(),
      choice<Shape192Pair, Shape256Pair>(), choice<Shape192Pair, Shape256>(),
      choice<Shape192Pair, Shape192>(),     choice<Shape256, Shape192>()};
  static const std::vector<Choice> pieces = {
      choice<Shape256Pair, NoShape>(), choice<Shape256Beside, NoShape>(),
      choice<Shape192Pair, NoShape>(), choice<Shape64, NoShape>()};
  return has_whole_lines(p) ? whole : pieces;
}

struct Plan {
  const Choice* choice = nullptr;
  int rows = 0;
  double time = 0;
};
/// The one that will be through first.
inline Plan plan(const Problem& p) {
  const int all = multiprocessors();
  Plan best;
  const auto consider = [&](const Choice& choice, int rows) {
    const double time = choice.time(p, rows, all);
    if (best.choice == nullptr || time < best.time) best = {&choice, rows, time};
  };
  for (const Choice& choice : choices(p)) {
    if (choice.step == 0) consider(choice, p.M);
    for (int rows = choice.step; choice.step > 0 && rows < p.M; rows += choice.step)
      consider(choice, rows);
  }
  return best;
}

inline Gemm::Gemm(Type type, Problem problem, const void* A, const void* B, void* D) {
  const Plan best = plan(problem);
  *this = best.choice->make(type, problem, A, B, D, best.rows);
}

}  // namespace hgemm
