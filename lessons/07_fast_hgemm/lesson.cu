// SPDX-License-Identifier: MIT
// Lesson 07, a fast HGEMM: the ladder from lesson 06 to the speed of mma.sync itself. Ten kernels,
// one idea each, rung_0_naive.cuh to rung_9_epilogue.cuh, and three more for Hopper; here they are
// run, checked against f64, and measured.
//
//   --bench          TFLOP/s of every rung, of cuBLAS, of mma.sync alone; on the emulator counts
//   --top, --size M, --rounds N   only rungs 9 and up; only this size; N instead of 5 rounds
//   --zeros          with matrices of zeros instead of random ones
//   --rung N         runs one rung only, for a profiler or a trace of its steps
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//             (or -arch=native: then without rungs 10 to 12)
//   Source:   PTX ISA 9.2, 9.7.14.5 (mma, ldmatrix), 9.7.9.25.3 (cp.async).
//   Steps:    kernel=stages,launch=16,warp=0   (rung 3, nine tiles of k)
#include <cmath>
#include <cstdlib>
#include <string>

#include "arguments.cuh"
#include "bench_ladder.cuh"
#include "matrices.cuh"
#include "record.cuh"

// ---- Every rung is right ------------------------------------------------------------------------

struct Size {
  int M, N, K;
};
// Whole tiles; ragged everywhere; hardly anything; one row more than an mma has, and a long K.
const std::vector<Size> kSizes{{256, 256, 128}, {200, 392, 72}, {1, 8, 8}, {17, 264, 264}};

/// A and B, and for each element of C what f64 says and what it may differ by: half a unit in the
/// last place of an f16; and for every 8 products what the sums lose, nine terms cut off below
/// 2^-24 of the largest and the sum below 2^-23 (5.5 * 2^-23 together; the other order of k doubles
/// it).
struct Product {
  explicit Product(const Size& of) : size(of), A(matrix(of.M, of.K, 1)), B(matrix(of.K, of.N, 2)) {
    const std::vector<double> a = values(A), b = values(B);
    for (int row = 0; row < size.M; ++row)
      for (int col = 0; col < size.N; ++col) {
        double sum = 0, largest = 0, lost = 0;
        for (int k = 0; k < size.K; ++k) {
          const double product = a[static_cast<std::size_t>(row * size.K + k)] *
                                 b[static_cast<std::size_t>(k * size.N + col)];
          sum += product;
          largest = std::max({largest, std::fabs(product), std::fabs(sum)});
          if (k % 8 == 7) lost += 2 * 5.5 * 0x1p-23 * largest, largest = std::fabs(sum);
        }
        sums.push_back(sum);
        allowed.push_back(lost + 0x1p-11 * (std::fabs(sum) + lost) + 0x1p-25);
      }
  }
  int wrong_elements(const std::vector<std::uint16_t>& C) const {
    const std::vector<double> found = values(C);
    int wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      wrong += !(std::fabs(found[i] - sums[i]) <= allowed[i]);  // a NaN is wrong too
    return wrong;
  }
  Size size;
  std::vector<std::uint16_t> A, B;
  std::vector<double> sums, allowed;
};

/// Runs the rungs from `first` to `last` for every size: true when all of C is right, every time.
bool check_rungs(const std::vector<Rung>& rungs, std::size_t first, std::size_t last) {
  const std::vector<Product> products(kSizes.begin(), kSizes.end());
  std::printf("   rung           what is new               ");
  for (const Size& size : kSizes)
    std::printf("%13s", (std::to_string(size.M) + "x" + std::to_string(size.N) + "x" +
                         std::to_string(size.K))
                            .c_str());
  std::printf("\n");
  bool all_right = true;
  for (std::size_t n = first; n <= last; ++n) {
    const Rung& rung = rungs[n];
    std::printf("%2zu %-14s %-26s", n, rung.name, rung.what);
    for (const Product& product : products) {
      const Size& size = product.size;
      DeviceArray<std::uint16_t> device_a(product.A), device_b(product.B);
      DeviceArray<std::uint16_t> device_c(static_cast<std::size_t>(size.M) * size.N);  // NaNs
      // By two blocks, where the rung may choose: they have several tiles then, or share one.
      launch(rung, {device_a.data(), device_b.data(), device_c.data(), size.M, size.N, size.K}, 2);
      const int wrong = product.wrong_elements(device_c.get());
      all_right = all_right && wrong == 0;
      std::printf("%13s", wrong == 0 ? "right" : (std::to_string(wrong) + " wrong").c_str());
    }
    std::printf("\n");
  }
  return all_right;
}

// ---- What to look at ----------------------------------------------------------------------------

// One warp with the parts of the rungs: tiles swizzled by cp.async (rungs 2 and 3), fragments by
// ldmatrix (rung 4), and C before and after the quads transpose it (rung 9).
__global__ void parts(const std::uint16_t* A, const std::uint16_t* B, DeviceRecorder recorder) {
  using TileA = Tile<16, 64, kSwizzled>;
  using TileB = Tile<16, 64, kSwizzled>;
  __shared__ __align__(128) std::uint16_t a_tile[TileA::kElements], b_tile[TileB::kElements];
  __shared__ __align__(128) std::uint16_t c_tile[8 * 32];
  start_tile<TileA, 32>(a_tile, A, 16, 64, 0, 0);
  start_tile<TileB, 32>(b_tile, B, 16, 64, 0, 0);
  ptx::cp_async_commit_group();
  ptx::cp_async_wait_group<0>();
  __syncwarp();
  RECORD_TILE(recorder, "A swizzled", "f16", 16, 64, a_tile, 128, 128);
  std::uint32_t a[4], b[4][2];
  ldmatrix_a<TileA>(a, a_tile, 0, 0);
  for (int j = 0; j < 4; j += 2) ldmatrix_b<TileB>(b[j], b[j + 1], b_tile, 0, j * 8);
  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
  RECORD(recorder, "B", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b[0]);
  std::uint32_t words[4];
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    float d[4] = {};
    mma(d, a, b[n]);
    if (n == 0) RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d);
    words[n] = packed(d[0], d[1]);
  }
  rung_9::transpose_quad(words);
  const int row = lane_id() / 4, col = lane_id() % 4 * 8;
  *reinterpret_cast<uint4*>(&c_tile[row * 32 + col]) =
      make_uint4(words[0], words[1], words[2], words[3]);
  __syncwarp();
  RECORD_TILE(recorder, "C", "f16", 8, 32, c_tile, 64, 64);
}

void record_parts(Recorder& recorder) {
  std::vector<std::uint16_t> A, B;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 64; ++col) {
      A.push_back(__half_as_ushort(__float2half(static_cast<float>(64 * row + col))));
      // C's column n is A's column n % 16, doubled from column 16 on.
      const float factor = row != col % 16 ? 0.0f : col < 16 ? 1.0f : 2.0f;
      B.push_back(__half_as_ushort(__float2half(factor)));
    }
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  parts<<<1, 32>>>(device_a.data(), device_b.data(), recorder.launch("parts", 1, 32));
  CUDA_CHECK(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace", "--size", "--rounds", "--rung"},
                 {"--bench", "--top", "--zeros"});
  const std::vector<Rung> rungs = ladder();
  if (argument_given(argc, argv, "--bench")) {
    bench_ladder::Wishes wishes;
    wishes.size = argument_number(argc, argv, "--size", 0, 1, 1 << 20);
    wishes.top = argument_given(argc, argv, "--top");
    wishes.zeros = argument_given(argc, argv, "--zeros");
    wishes.rounds = argument_number(argc, argv, "--rounds", wishes.rounds, 1, 1000);
    return bench_ladder::run(rungs, wishes) ? 0 : 1;
  }
  const int top = static_cast<int>(rungs.size()) - 1;
  const int rung = argument_number(argc, argv, "--rung", -1, 0, top);
  const std::size_t first = static_cast<std::size_t>(rung < 0 ? 0 : rung);
  const std::size_t last = static_cast<std::size_t>(rung < 0 ? top : rung);
  std::printf("C = A*B by %zu kernels. Each element of C against f64, for M x N x K:\n\n",
              rungs.size());
  const bool right = check_rungs(rungs, first, last);
  Recorder recorder(argc, argv, "07_fast_hgemm");
  recorder.view("07 A fast HGEMM", {"memory", "fragments", "lanes"}, "A 9,5",
                "A's tile as cp.async put it down, swizzled; A[9][5] is 581.");
  record_parts(recorder);
  const bool written = recorder.write();
  std::printf("\nHow fast they are: --bench.\n");
  return right && written ? 0 : 1;
}
