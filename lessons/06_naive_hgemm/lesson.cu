// SPDX-License-Identifier: MIT
// Lesson 06, a naive HGEMM: C = A*B for matrices of any size, with all that the lessons before
// taught and nothing that makes it fast. One warp for each 16 x 8 tile of C. Three things to see:
// what happens at ragged edges, how right "right" is, and what it costs to store C too often.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5.8; Higham, Accuracy and Stability of Numerical Algorithms, 3.1.
//   Steps:    kernel=hgemm,block=1,1,0   (the tile at the corner)
#include <vector>

#include "bench.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- The kernel ---------------------------------------------------------------------------------

enum Store { kOnce, kSharedEveryStep, kGlobalEveryStep };

constexpr int kStride = 24;  // elements from row to row of A's tile: no bank conflicts

// 16 rows and kCols columns of a matrix to shared memory, from row `row0`, column `col0` on.
// Outside of the matrix no memory is read: the tile has 0 there, which adds nothing to a sum.
template <int kCols>
__device__ void load_tile(__half* tile, int stride, const __half* matrix, int row0, int col0,
                          int rows, int cols) {
  const int lane = static_cast<int>(threadIdx.x);
  if (cols % 8 == 0) {  // 16 bytes at a time: rows begin at multiples of 16, and units are whole
    if (lane >= 2 * kCols) return;
    const int row = lane / (kCols / 8), col = lane % (kCols / 8) * 8;
    const bool inside = row0 + row < rows && col0 + col < cols;
    const __half* from = matrix + static_cast<size_t>(row0 + row) * cols + col0 + col;
    *reinterpret_cast<uint4*>(tile + row * stride + col) =
        inside ? *reinterpret_cast<const uint4*>(from) : uint4{};
  } else {
    for (int i = lane; i < 16 * kCols; i += 32) {
      const int row = i / kCols, col = i % kCols;
      const bool inside = row0 + row < rows && col0 + col < cols;
      tile[row * stride + col] =
          inside ? matrix[static_cast<size_t>(row0 + row) * cols + col0 + col] : __half(0.0f);
    }
  }
}

// A is M x K, B is K x N, C is M x N, all row-major. The grid is N/8 x M/16 blocks, rounded up.
template <Store kStore>
__global__ void hgemm(const __half* A, const __half* B, __half* C, int M, int N, int K,
                      DeviceRecorder recorder) {
  __shared__ __align__(16) __half tile_a[16 * kStride], tile_b[16 * 8], tile_c[16 * 8];
  const int lane = static_cast<int>(threadIdx.x), group = lane >> 2, thread = lane % 4;
  const int first_row = static_cast<int>(blockIdx.y) * 16;
  const int first_col = static_cast<int>(blockIdx.x) * 8;

  // Each lane has four sums of the tile: lesson 01's map.
  const auto row_of = [&](int i) { return group + i / 2 * 8; };
  const auto col_of = [&](int i) { return thread * 2 + i % 2; };
  const auto store = [&](const float(&d)[4]) {
    for (int i = 0; i < 4; ++i) {
      const int row = first_row + row_of(i), col = first_col + col_of(i);
      if (row < M && col < N) C[static_cast<size_t>(row) * N + col] = __float2half_rn(d[i]);
    }
  };

  float d[4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    load_tile<16>(tile_a, kStride, A, first_row, k0, M, K);
    load_tile<8>(tile_b, 8, B, k0, first_col, K, N);
    __syncwarp();
    uint32_t a[4], b[2];
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, &tile_a[lane % 16 * kStride + lane / 16 * 8]);
    ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &tile_b[lane % 16 * 8]);
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
    __syncwarp();  // all have read the tiles
    if (kStore == kSharedEveryStep)
      for (int i = 0; i < 4; ++i)
        reinterpret_cast<volatile __half&>(tile_c[row_of(i) * 8 + col_of(i)]) =
            __float2half_rn(d[i]);
    if (kStore == kGlobalEveryStep) store(d);
    if (k0 + 16 >= K) {
      RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
      RECORD(recorder, "B", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", b);
      RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d);
    }
  }
  if (kStore != kGlobalEveryStep) store(d);
}

// ---- How right is it? ---------------------------------------------------------------------------

template <Store kStore>
std::vector<__half> run(const Problem& p, Recorder& recorder) {
  DeviceArray<__half> A(p.A), B(p.B), C(size_t(p.M) * p.N);
  const dim3 grid((p.N + 7) / 8, (p.M + 15) / 16);
  const DeviceRecorder device = recorder.launch("hgemm", grid, 32);
  hgemm<kStore><<<grid, 32>>>(A.data(), B.data(), C.data(), p.M, p.N, p.K, device);
  return C.get();
}

// ---- What does it cost to store too often? ------------------------------------------------------

// Milliseconds of a second run: the first one warms up.
template <Store kStore>
float milliseconds_of(const Problem& p) {
  DeviceArray<__half> A(p.A), B(p.B), C(size_t(p.M) * p.N);
  const dim3 grid((p.N + 7) / 8, (p.M + 15) / 16);
  bench::Stopwatch watch;
  for (int turn = 0; turn < 2; ++turn) {
    watch.start();
    hgemm<kStore><<<grid, 32>>>(A.data(), B.data(), C.data(), p.M, p.N, p.K, DeviceRecorder{});
    watch.stop();
  }
  return static_cast<float>(watch.seconds() * 1e3);
}

bool stores(bool gpu) {
  Recorder off(nullptr, "");
  const Problem ragged(20, 12, 24);
  const bool same = worst_error(ragged, run<kSharedEveryStep>(ragged, off)) <= 1 &&
                    worst_error(ragged, run<kGlobalEveryStep>(ragged, off)) <= 1;
  print_head_of_stores(same, gpu);
  constexpr int kSize = 2048, kTile = 256, kSteps = 1024 / 16;  // bytes of a tile; steps of k
  float milliseconds[3] = {};
  if (gpu) {
    const Problem big(kSize, kSize, kSize);
    milliseconds[0] = milliseconds_of<kOnce>(big);
    milliseconds[1] = milliseconds_of<kSharedEveryStep>(big);
    milliseconds[2] = milliseconds_of<kGlobalEveryStep>(big);
  }
  print_stores("once, behind the loop", kTile, milliseconds[0], kSize);
  print_stores("to shared memory in every step", kSteps * kTile + kTile, milliseconds[1], kSize);
  print_stores("to global memory in every step", kSteps * kTile, milliseconds[2], kSize);
  return same;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "06_naive_hgemm");
  recorder.view("06 A naive HGEMM", {"fragments", "lanes"}, "A 9,5",
                "The tile at C's corner, in the last step of k: the edge is filled with zeros.");
  const ThisDevice device = introduce("C = A*B, one warp a tile");
  const bool gpu = !device.emulator;

  print_head_of_sizes();
  bool good = true;
  Recorder off(nullptr, "");
  const int sizes[][3] = {{20, 12, 24}, {64, 64, 64}, {1, 1, 1}, {17, 9, 33}, {100, 60, 250}};
  for (const auto& size : sizes) {
    const Problem problem(size[0], size[1], size[2]);
    good = print_size(problem, run<kOnce>(problem, &size == sizes ? recorder : off)) && good;
  }
  good = stores(gpu) && good;
  if (!gpu) std::printf("\nThe emulator counts, it has no clock; a GPU is timed.\n");
  if (!good) std::printf("Something above is wrong: no error may be more than 1.\n");
  return recorder.write() && good ? 0 : 1;
}
