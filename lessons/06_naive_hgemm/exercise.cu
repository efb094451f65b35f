// SPDX-License-Identifier: MIT
// Exercise 06: the epilogue. C = alpha * (A*B) + beta * C for matrices of any size.
//
// The sums are there: the four of lane `lane` of the tile that begins at C[first_row][first_col]
// are d[0] to d[3]. C is f16, M x N, row-major, and its rows lie `ldc` elements apart, at least N:
// what lies between them belongs to somebody else, and so does everything beyond M and N. With
// beta = 0 the old C does not count, whatever it is; it may be NaN. All of it is computed in f32
// and rounded to f16 once.
//
// Fill the gap in epilogue, then:  ./learn check 6
// Everything outside the gap is there already and stays as it is.
#include <cuda_fp16.h>

#include <cstdint>
#include <vector>

#include "device_array.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

struct Output {
  __half* C;
  int M, N, ldc;
  float alpha, beta;
};

// __half2float(h) is h as a float, __float2half_rn(f) the f16 nearest to f.
__device__ void epilogue([[maybe_unused]] const float (&d)[4], [[maybe_unused]] const Output& out,
                         [[maybe_unused]] int first_row, [[maybe_unused]] int first_col,
                         [[maybe_unused]] int lane) {
  // ---- your code begins (about eight lines) ----
  // ---- your code ends ----
}

constexpr int kStride = 24;

__global__ void hgemm(const __half* A, const __half* B, Output out, int K,
                      DeviceRecorder recorder) {
  __shared__ __align__(16) __half tile_a[16 * kStride], tile_b[16 * 8];
  const int lane = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.y) * 16;
  const int first_col = static_cast<int>(blockIdx.x) * 8;
  float d[4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = lane; i < 16 * 16; i += 32) {
      const int row = first_row + i / 16, k = k0 + i % 16;
      tile_a[i / 16 * kStride + i % 16] = row < out.M && k < K ? A[row * K + k] : __half(0.0f);
    }
    for (int i = lane; i < 16 * 8; i += 32) {
      const int k = k0 + i / 8, col = first_col + i % 8;
      tile_b[i] = k < K && col < out.N ? B[k * out.N + col] : __half(0.0f);
    }
    __syncwarp();
    std::uint32_t a[4], b[2];
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, &tile_a[lane % 16 * kStride + lane / 16 * 8]);
    ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &tile_b[lane % 16 * 8]);
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
    __syncwarp();
  }
  if (first_row == 0 && first_col == 0)
    RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d);
  epilogue(d, out, first_row, first_col, lane);
}

// Which sums D the new C must have been made of, for `./learn diagnose`: D = (C - beta * old) /
// alpha.
void record_stored(Recorder& recorder, const std::vector<std::uint16_t>& before,
                   const std::vector<std::uint16_t>& after, int first, const Output& out) {
  std::vector<float> sums;
  const auto number = [](std::uint16_t bits) { return __half2float(__ushort_as_half(bits)); };
  for (int row = 0; row < out.M; ++row)
    for (int at = first + row * out.ldc; at < first + row * out.ldc + out.N; ++at) {
      const float old = out.beta == 0 ? 0 : out.beta * number(before[at]);
      sums.push_back((number(after[at]) - old) / out.alpha);
    }
  DeviceArray<float> stored(sums);
  recorder.memory("D as C has it", "f32", out.M, out.N, stored.data(), std::size_t(out.N) * 4,
                  std::size_t(out.N) * 4);
}

// check.cpp calls this. A and B are packed, `memory` is what lies where C lies and around it, and
// comes back as it is afterwards; C[0][0] is memory[first].
std::vector<std::uint16_t> hgemm_on_device(const std::vector<std::uint16_t>& A,
                                           const std::vector<std::uint16_t>& B,
                                           const std::vector<std::uint16_t>& memory, int first,
                                           const int (&mnk_ldc)[4], const float (&alpha_beta)[2],
                                           const char* trace) {
  Recorder recorder(trace, "06_naive_hgemm");
  recorder.view("06 A naive HGEMM, your exercise", {"fragments", "lanes"}, "D 0,0",
                "The sums of the first tile, as your epilogue gets them.");
  DeviceArray<std::uint16_t> device_a(A), device_b(B), device_c(memory);
  const Output out{reinterpret_cast<__half*>(device_c.data() + first),
                   mnk_ldc[0],
                   mnk_ldc[1],
                   mnk_ldc[3],
                   alpha_beta[0],
                   alpha_beta[1]};
  const dim3 grid((out.N + 7) / 8, (out.M + 15) / 16);
  hgemm<<<grid, 32>>>(reinterpret_cast<const __half*>(device_a.data()),
                      reinterpret_cast<const __half*>(device_b.data()), out, mnk_ldc[2],
                      recorder.launch("hgemm", grid, 32));
  const std::vector<std::uint16_t> after = device_c.get();
  record_stored(recorder, memory, after, first, out);
  return after;
}
