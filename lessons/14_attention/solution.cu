// SPDX-License-Identifier: MIT
// Exercise 14: from one product to the next, without leaving the registers.
//
// Attention, 16 keys at a time, as in the lesson. The weights of this lane are there: p[0] is a
// fragment of D, 16 queries x keys 0 to 7, p[1] the one of keys 8 to 15. They are 2^(score -
// largest), where largest is the largest score of the row so far. When it has grown, what was added
// up before is too large: the row's factor, 2^(largest before - largest now), makes it right. A
// lane has two rows: lane / 4 is row 0 of everything here, lane / 4 + 8 is row 1.
//
//     o[n]      a fragment of D: the sums of 16 queries x columns 8 * n to 8 * n + 7
//     sum[row]  what this lane has added up of its row's weights; the four lanes that share a row
//               put theirs together at the very end
//     a         the fragment of A, 16 queries x 16 keys, that the next product multiplies by V
//
// Fill the gap in add_block, then:  ./learn check 14
// Everything outside the gap is there already and stays as it is.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/ldmatrix.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kQueries = 16, kDim = 32;  // rows of Q; elements of a row of Q, K and V
constexpr int kStride = kDim + 8;        // elements from row to row of a tile in shared memory

// Two numbers as f16 in one register.
__device__ std::uint32_t pack(float low, float high) {
  std::uint32_t packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

// Makes o and sum smaller by each row's factor, adds the weights to sum, and puts them into a.
__device__ void add_block([[maybe_unused]] const float (&p)[2][4],
                          [[maybe_unused]] const float (&factor)[2],
                          [[maybe_unused]] float (&o)[kDim / 8][4],
                          [[maybe_unused]] float (&sum)[2],
                          [[maybe_unused]] std::uint32_t (&a)[4]) {
  // ---- your code begins (about nine lines) ----
  for (float(&part)[4] : o)
    for (int i = 0; i < 4; ++i) part[i] *= factor[i / 2];
  for (int row = 0; row < 2; ++row)
    sum[row] = sum[row] * factor[row] + p[0][row * 2] + p[0][row * 2 + 1] + p[1][row * 2] +
               p[1][row * 2 + 1];
  a[0] = pack(p[0][0], p[0][1]);
  a[1] = pack(p[0][2], p[0][3]);
  a[2] = pack(p[1][0], p[1][1]);
  a[3] = pack(p[1][2], p[1][3]);
  // ---- your code ends ----
}

// 16 rows of a matrix to shared memory.
__device__ void load(std::uint16_t* tile, const std::uint16_t* rows) {
  for (int i = static_cast<int>(threadIdx.x); i < 16 * kDim / 8; i += 32)
    *reinterpret_cast<uint4*>(&tile[i / (kDim / 8) * kStride + i % (kDim / 8) * 8]) =
        reinterpret_cast<const uint4*>(rows)[i];
}

// s = Q * K^T for 16 keys, and then 2^(s - largest); the largest score so far comes and goes.
__device__ void weigh(float (&s)[2][4], float (&factor)[2], float (&largest)[2],
                      const std::uint32_t (&q)[kDim / 16][4], const std::uint16_t* keys) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int half = 0; half < 2; ++half)
    for (int k = 0; k < kDim; k += 16) {
      std::uint32_t b[2];
      ptx::ldmatrix_sync_aligned_m8n8_x2_shared_b16(
          b, &keys[(half * 8 + lane % 8) * kStride + k + lane / 8 % 2 * 8]);
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(s[half], q[k / 16], b, s[half]);
    }
  for (int row = 0; row < 2; ++row) {
    float most = largest[row];
    for (int i = 0; i < 4; ++i) most = fmaxf(most, s[i / 2][row * 2 + i % 2]);
    for (const int others : {1, 2}) most = fmaxf(most, __shfl_xor_sync(~0u, most, others));
    factor[row] = exp2f(largest[row] - most);
    largest[row] = most;
    for (int i = 0; i < 4; ++i) {
      float& weight = s[i / 2][row * 2 + i % 2];
      weight = exp2f(weight - most);
    }
  }
}

// The sums o, and behind them what is nobody's: a loop that goes on there is told so by the check.
struct Sums {
  static constexpr int kBehind = kDim - kDim / 8;
  float o[kDim / 8][4], behind[kBehind][4];

  __device__ Sums() {
    for (int i = 0; i < kDim / 2; ++i) o[i / 4][i % 4] = 0;
    for (int i = 0; i < kBehind * 4; ++i) behind[i / 4][i % 4] = -1;
  }
  // As many fragments behind o as it takes to have the last one that any lane has changed.
  __device__ int changed() const {
    int last = 0;
    for (int i = 0; i < kBehind * 4; ++i)
      if (behind[i / 4][i % 4] != -1) last = i / 4 + 1;
    for (int others = 16; others > 0; others /= 2)
      last = max(last, __shfl_xor_sync(~0u, last, others));
    return last;
  }
};

// The weights of the last 16 keys also go to `weights`, 16 x 16, for `./learn diagnose`.
__global__ void attend(const std::uint16_t* Q, const std::uint16_t* K, const std::uint16_t* V,
                       float* O, float* sums, std::uint16_t* weights, int keys,
                       DeviceRecorder recorder) {
  __shared__ __align__(16) std::uint16_t tile_k[16 * kStride], tile_v[16 * kStride];
  const int lane = static_cast<int>(threadIdx.x);
  std::uint32_t q[kDim / 16][4];
  load(tile_k, Q);
  __syncwarp();
  for (int k = 0; k < kDim; k += 16)
    ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(q[k / 16],
                                                  &tile_k[lane % 16 * kStride + lane / 16 * 8 + k]);
  Sums all;
  float(&o)[kDim / 8][4] = all.o, largest[2] = {-INFINITY, -INFINITY}, sum[2] = {};
  for (int key = 0; key < keys; key += 16) {
    __syncwarp();
    load(tile_k, K + key * kDim);
    load(tile_v, V + key * kDim);
    __syncwarp();
    float p[2][4] = {}, factor[2];
    weigh(p, factor, largest, q, tile_k);
    std::uint32_t a[4] = {};
    add_block(p, factor, o, sum, a);
    for (int col = 0; col < kDim; col += 8) {
      std::uint32_t b[2];
      ptx::ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(b, &tile_v[lane % 16 * kStride + col]);
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(o[col / 8], a, b, o[col / 8]);
    }
    if (key + 16 < keys) continue;
    RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
    RECORD(recorder, "D", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", p[0]);
    RECORD(recorder, "D n=8", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", p[1]);
    for (int i = 0; i < 8; ++i)
      weights[((lane >> 2) + i / 2 % 2 * 8) * 16 + i / 4 * 8 + lane % 4 * 2 + i % 2] =
          static_cast<std::uint16_t>(pack(p[i / 4][i % 4], 0));
  }
  for (int row = 0; row < 2; ++row) {
    for (const int others : {1, 2}) sum[row] += __shfl_xor_sync(~0u, sum[row], others);
    sums[(lane >> 2) + row * 8] = sum[row];
  }
  for (int i = 0; i < kDim / 2; ++i)
    O[((lane >> 2) + i / 2 % 2 * 8) * kDim + i / 4 * 8 + lane % 4 * 2 + i % 2] =
        o[i / 4][i % 4] / sum[i / 2 % 2];
  sums[kQueries] = static_cast<float>(all.changed());
}

// check.cpp calls this: O, 16 x 32, of Q, 16 x 32, and K and V, `keys` x 32; and the sum that each
// of its rows was divided by; and how many fragments behind o your code has changed.
std::pair<std::vector<float>, std::vector<float>> attend_on_device(
    const std::vector<std::uint16_t>& Q, const std::vector<std::uint16_t>& K,
    const std::vector<std::uint16_t>& V, int keys, const char* trace) {
  Recorder recorder(trace, "14_attention");
  recorder.view("14 Attention, your exercise", {"fragments", "lanes"}, "A 0,0",
                "The weights of the last 16 keys, and the A that you made of them.");
  DeviceArray<std::uint16_t> device_q(Q), device_k(K), device_v(V), weights(16 * 16);
  DeviceArray<float> O(kQueries * kDim), sums(kQueries + 1);
  attend<<<1, 32>>>(device_q.data(), device_k.data(), device_v.data(), O.data(), sums.data(),
                    weights.data(), keys, recorder.launch("attend", 1, 32));
  recorder.memory("A", "f16", 16, 16, weights.data(), 16 * 2, 16 * 2);
  return {O.get(), sums.get()};
}
