// SPDX-License-Identifier: MIT
// Lesson 14, attention: O = softmax(Q * K^T) * V is two products in a row, and what the first one
// leaves in D's registers is what the second one wants in A's. First: which elements have to change
// lanes? Then attention itself, 16 keys at a time, with nothing but registers between the products.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.5 (fragments); Milakov and Gimelshein, Online normalizer
//             calculation for softmax; Dao, FlashAttention-2.
//   Steps:    kernel=attend,launch=6   (with the running maximum)
#include <vector>

#include "at_home.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- Scores: D becomes A ------------------------------------------------------------------------

constexpr int kStride = kDim + 8;  // elements from row to row of a tile: no bank conflicts

// 16 rows of a matrix with rows of kDim, to shared memory.
__device__ void load(uint16_t* tile, const uint16_t* rows) {
  for (int i = static_cast<int>(threadIdx.x); i < 16 * kDim / 8; i += 32)
    *reinterpret_cast<uint4*>(&tile[i / (kDim / 8) * kStride + i % (kDim / 8) * 8]) =
        reinterpret_cast<const uint4*>(rows)[i];
}
// The 16 x 16 fragment of A that begins at column `col`.
__device__ void load_a(uint32_t (&a)[4], const uint16_t* tile, int col) {
  const int lane = static_cast<int>(threadIdx.x);
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a,
                                                &tile[lane % 16 * kStride + lane / 16 * 8 + col]);
}

// s = Q * K^T, 16 queries x 16 keys, as two fragments of D: keys 0 to 7 and 8 to 15. A row of K is
// a column of B, which lies as ldmatrix wants it without .trans.
__device__ void score(float (&s)[2][4], const uint32_t (&q)[kDim / 16][4], const uint16_t* keys) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int half = 0; half < 2; ++half)
    for (int k = 0; k < kDim; k += 16) {
      uint32_t b[2];
      ptx::ldmatrix_sync_aligned_m8n8_x2_shared_b16(
          b, &keys[(half * 8 + lane % 8) * kStride + k + lane / 8 % 2 * 8]);
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(s[half], q[k / 16], b, s[half]);
    }
}

// Two fragments of D are one of A, lane by lane, and this is all that it takes. Columns 0 to 7 of A
// are the left fragment, rows 0 to 7 the first two sums of either.
__device__ uint32_t pack(float low, float high) {
  uint32_t packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}
__device__ void as_a(uint32_t (&a)[4], const float (&s)[2][4]) {
  a[0] = pack(s[0][0], s[0][1]);  // row group,     columns 2 * thread and the next
  a[1] = pack(s[0][2], s[0][3]);  // row group + 8
  a[2] = pack(s[1][0], s[1][1]);  // row group,     columns 8 + 2 * thread and the next
  a[3] = pack(s[1][2], s[1][3]);  // row group + 8
}

// The same by way of shared memory, as if nothing were known: written where lesson 01 says that D's
// sums belong, read by ldmatrix. `out`: A's registers, four of the one way, four of the other.
__global__ void two_ways(const uint16_t* Q, const uint16_t* K, uint32_t* out,
                         DeviceRecorder recorder) {
  __shared__ __align__(16) uint16_t tile[16 * kStride];
  const int lane = static_cast<int>(threadIdx.x);
  uint32_t q[kDim / 16][4], direct[4], detour[4];
  load(tile, Q);
  __syncwarp();
  for (int k = 0; k < kDim; k += 16) load_a(q[k / 16], tile, k);
  __syncwarp();
  load(tile, K);
  __syncwarp();
  float s[2][4] = {};
  score(s, q, tile);
  as_a(direct, s);
  __syncwarp();
  for (int i = 0; i < 8; ++i) {
    const int row = (lane >> 2) + i / 2 % 2 * 8, col = i / 4 * 8 + lane % 4 * 2 + i % 2;
    tile[row * kStride + col] = static_cast<uint16_t>(pack(s[i / 4][i % 4], 0));
  }
  __syncwarp();
  load_a(detour, tile, 0);
  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", direct);
  RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", s[0]);
  RECORD(recorder, "D n=8", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", s[1]);
  for (int i = 0; i < 4; ++i) out[lane * 8 + i] = direct[i], out[lane * 8 + 4 + i] = detour[i];
}

int same_registers(Recorder& recorder) {
  DeviceArray<uint16_t> Q(numbered_queries()), K(numbered_keys());
  DeviceArray<uint32_t> out(32 * 8);
  two_ways<<<1, 32>>>(Q.data(), K.data(), out.data(), recorder.launch("two_ways", 1, 32));
  return print_registers(out.get());
}

// ---- Attention ----------------------------------------------------------------------------------

enum Softmax { kNoMaximum, kNotRescaled, kRunningMaximum };

// The four lanes of a group have a row among them.
__device__ float largest_of_row(float x) {
  x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
  return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}
__device__ float sum_of_row(float x) {
  x += __shfl_xor_sync(~0u, x, 1);
  return x + __shfl_xor_sync(~0u, x, 2);
}

// O = softmax(Q * K^T) * V for 16 queries, with powers of 2 for those of e. A weight is
// 2^(score - largest score), or f16 would not do; but the largest is known at the end only. So
// whenever a larger one comes, what has been added up so far is multiplied down to it.
template <Softmax kHow>
__global__ void attend(const uint16_t* Q, const uint16_t* K, const uint16_t* V, float* O,
                       int keys) {
  __shared__ __align__(16) uint16_t tile_k[16 * kStride], tile_v[16 * kStride];
  const int lane = static_cast<int>(threadIdx.x);
  uint32_t q[kDim / 16][4], a[4], b[2];
  load(tile_k, Q);
  __syncwarp();
  for (int k = 0; k < kDim; k += 16) load_a(q[k / 16], tile_k, k);
  float o[kDim / 8][4] = {}, largest[2] = {-INFINITY, -INFINITY}, sum[2] = {};  // of two rows
  for (int key = 0; key < keys; key += 16) {
    __syncwarp();  // all have read the tiles before
    load(tile_k, K + key * kDim);
    load(tile_v, V + key * kDim);
    __syncwarp();
    float s[2][4] = {};
    score(s, q, tile_k);
    for (int row = 0; row < 2; ++row) {  // of this lane's: group, group + 8
      float* const left = &s[0][row * 2];
      float* const right = &s[1][row * 2];
      const float before = largest[row];
      const float here = fmaxf(fmaxf(left[0], left[1]), fmaxf(right[0], right[1]));
      largest[row] = kHow == kNoMaximum ? 0 : fmaxf(before, largest_of_row(here));
      const float factor = kHow == kRunningMaximum ? exp2f(before - largest[row]) : 1;
      for (float(&part)[4] : o) part[row * 2] *= factor, part[row * 2 + 1] *= factor;
      for (float* p : {left, left + 1, right, right + 1}) *p = exp2f(*p - largest[row]);
      sum[row] = sum[row] * factor + left[0] + left[1] + right[0] + right[1];
    }
    as_a(a, s);
    for (int col = 0; col < kDim; col += 8) {  // V's rows are k: .trans, as in lesson 03
      ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &tile_v[lane % 16 * kStride + col]);
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(o[col / 8], a, b, o[col / 8]);
    }
  }
  for (int row = 0; row < 2; ++row) sum[row] = sum_of_row(sum[row]);
  for (int i = 0; i < kDim / 2; ++i) {
    const int row = i / 2 % 2, col = i / 4 * 8 + lane % 4 * 2 + i % 2;
    O[((lane >> 2) + row * 8) * kDim + col] = o[i / 4][i % 4] / sum[row];
  }
}

template <Softmax kHow>
int run(const char* name, const Problem& p) {
  DeviceArray<uint16_t> Q(p.Q), K(p.K), V(p.V);
  DeviceArray<float> O(kQueries * kDim);
  attend<kHow><<<1, 32>>>(Q.data(), K.data(), V.data(), O.data(), p.keys);
  return print_attention(name, p, O.get());
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "14_attention");
  recorder.view("14 Attention", {"fragments", "lanes"}, "A 9,5",
                "D of one product, A of the next: the same lane has the same numbers.");
  introduce("From D to A");

  bool good = print_at_home(at_home<16>(), at_home<32>(), at_home<8>());
  good = same_registers(recorder) == 128 && good;
  const Problem problem(64);
  print_head_of_attention(problem);
  good = run<kNoMaximum>("no maximum", problem) < kQueries * kDim && good;
  good =
      run<kNotRescaled>("a running one, what was added before stays", problem) < kQueries * kDim &&
      good;
  good = run<kRunningMaximum>("a running one, what was added before is made smaller", problem) ==
             kQueries * kDim &&
         good;
  if (!good) std::printf("\nSomething above is not as it should be.\n");
  return recorder.write() && good ? 0 : 1;
}
