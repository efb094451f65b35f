// SPDX-License-Identifier: MIT
// Attention forward as it is written for Hopper. One thread of a producer warpgroup fetches
// queries, and keys and values in blocks of 64 through two stages each, with TMA; two consumer
// warpgroups have 64 queries each. The next block's scores are multiplied while this one's softmax
// is made, P stays in registers as the A operand of the second wgmma, and named barriers let the
// consumers take turns with the tensor cores. Causal, from the diagonal backwards; the length fills
// no block. Queries and keys are eighths up to 2, so that scores are exact: see `tolerance` for
// what is left.
#include <cuda_fp16.h>

#include <cmath>

#include "attention.cuh"
#include "hopper.cuh"

constexpr int kHead = 64, kBlock = 64, kConsumers = 2, kTile = kConsumers * 64, kStages = 2;
constexpr int kBlockBytes = kBlock * kHead * 2;
constexpr float kScale = 0.125f * 1.44269504f;  // 1 / sqrt(kHead), and log2(e) for powers of two

struct Shared {
  alignas(1024) unsigned char q[kConsumers][kBlockBytes];  // and the output, at the end
  alignas(1024) unsigned char k[kStages][kBlockBytes];
  alignas(1024) unsigned char v[kStages][kBlockBytes];
  alignas(8) std::uint64_t q_full, k_full[kStages], k_empty[kStages], v_full[kStages],
      v_empty[kStages];
};

struct Maps {
  CUtensorMap q, k, v, out;  // [head][row][dimension], boxes of 64 rows
};

struct Softmax {
  float maximum[2] = {-INFINITY, -INFINITY};  // of rows lane / 4 and 8 + lane / 4
  float sum[2] = {0, 0};                      // this lane's share
};

// Q * K^T: both K-major in shared memory. 32 bytes further on: the next 16 dimensions.
__device__ void multiply_by_keys(float (&d)[32], std::uint64_t q, std::uint64_t k) {
  for (int step = 0; step < kHead / 16; ++step)
    asm volatile(
        "{ .reg .pred adds; setp.ne.b32 adds, %34, 0; "
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" REGISTERS_32
        "}, %32, %33, adds, 1, 1, 0, 0; }"
        : ACCUMULATORS_32(d, 0)
        : "l"(q + step * 2), "l"(k + step * 2), "r"(step));
}
// P * V: V lies with its dimensions side by side, so B is MN-major; 16 keys are 2048 bytes.
__device__ void multiply_by_values(float (&d)[32], const std::uint32_t (&p)[16], std::uint64_t v) {
  for (int step = 0; step < kBlock / 16; ++step)
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" REGISTERS_32
                 "}, {%32,%33,%34,%35}, %36, 1, 1, 1, 1;"
                 : ACCUMULATORS_32(d, 0)
                 : "r"(p[4 * step]), "r"(p[4 * step + 1]), "r"(p[4 * step + 2]),
                   "r"(p[4 * step + 3]), "l"(v + step * (2048 >> 4)));
}

__device__ void produce(Shared& shared, const Maps& maps, int blocks) {
  const int tile = blockIdx.x, head = blockIdx.y;
  expect_bytes(&shared.q_full, kConsumers * kBlockBytes);
  for (int group = 0; group < kConsumers; ++group)
    fetch_3d(shared.q[group], &maps.q, 0, tile * kTile + group * 64, head, &shared.q_full);
#pragma unroll 1
  for (int turn = 0; turn < blocks; ++turn) {
    const int stage = turn % kStages, first = (blocks - 1 - turn) * kBlock;
    wait(&shared.k_empty[stage], (turn / kStages & 1) ^ 1);
    expect_bytes(&shared.k_full[stage], kBlockBytes);
    fetch_3d(shared.k[stage], &maps.k, 0, first, head, &shared.k_full[stage]);
    wait(&shared.v_empty[stage], (turn / kStages & 1) ^ 1);
    expect_bytes(&shared.v_full[stage], kBlockBytes);
    fetch_3d(shared.v[stage], &maps.v, 0, first, head, &shared.v_full[stage]);
  }
}

// Scores become their powers in place; `shrink` is what sums so far are to be multiplied by.
__device__ void soften(Softmax& softmax, float (&scores)[32], float (&shrink)[2], int row,
                       int first) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float maximum = softmax.maximum[half];
    for (int i = 2 * half; i < 32; i += i % 2 == 0 ? 1 : 3) {
      if (first + i / 4 * 8 + lane % 4 * 2 + i % 2 > row + half * 8) scores[i] = -INFINITY;
      maximum = fmaxf(maximum, scores[i]);
    }
    maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, 1));
    maximum = fmaxf(maximum, __shfl_xor_sync(~0u, maximum, 2));
    const float scaled = maximum == -INFINITY ? 0.0f : maximum * kScale;  // nothing seen yet
    shrink[half] = power_of_two(softmax.maximum[half] * kScale - scaled);
    softmax.maximum[half] = maximum;
    softmax.sum[half] *= shrink[half];
    for (int i = 2 * half; i < 32; i += i % 2 == 0 ? 1 : 3) {
      scores[i] = power_of_two(scores[i] * kScale - scaled);
      softmax.sum[half] += scores[i];
    }
  }
}

// Accumulators of 16 columns are, as pairs of halves, the A operand of one wgmma.
__device__ void to_halves(std::uint32_t (&p)[16], const float (&scores)[32]) {
  for (int i = 0; i < 16; ++i) p[i] = pack(scores[2 * i], scores[2 * i + 1]);
}

__device__ void consume(Shared& shared, const Maps& maps, int group, int blocks) {
  const int thread = threadIdx.x % 128, lane = thread % 32;
  const int row = blockIdx.x * kTile + group * 64 + thread / 32 * 16 + lane / 4;
  const int mine = 2 + group, other = 2 + (group ^ 1);  // named barriers: whose turn it is
  const std::uint64_t q = descriptor(shared.q[group]);
  float scores[32], sums[32], shrink[2];
  for (float& sum : sums) sum = 0;
  std::uint32_t p[16];
  Softmax softmax;
  if (group == 1) named_arrive(other, kTile * 2);
  wait(&shared.q_full, 0);
  wait(&shared.k_full[0], 0);
  named_sync(mine, kTile * 2);
  wgmma_fence();
  multiply_by_keys(scores, q, descriptor(shared.k[0]));
  wgmma_commit();
  named_arrive(other, kTile * 2);
  wgmma_wait<0>();
  arrive(&shared.k_empty[0]);
  soften(softmax, scores, shrink, row, (blocks - 1) * kBlock);
  to_halves(p, scores);
#pragma unroll 1
  for (int turn = 1; turn < blocks; ++turn) {
    const int stage = turn % kStages, before = (turn - 1) % kStages;
    wait(&shared.k_full[stage], turn / kStages & 1);
    named_sync(mine, kTile * 2);
    wgmma_fence();
    multiply_by_keys(scores, q, descriptor(shared.k[stage]));
    wgmma_commit();
    wait(&shared.v_full[before], (turn - 1) / kStages & 1);
    multiply_by_values(sums, p, descriptor(shared.v[before]));
    wgmma_commit();
    named_arrive(other, kTile * 2);
    wgmma_wait<1>();
    arrive(&shared.k_empty[stage]);
    soften(softmax, scores, shrink, row, (blocks - 1 - turn) * kBlock);
    wgmma_wait<0>();
    arrive(&shared.v_empty[before]);
    for (int i = 0; i < 32; ++i) sums[i] *= shrink[i / 2 % 2];
    to_halves(p, scores);
  }
  // The last arrival for the first consumer has nobody who waits: it takes it itself.
  if (group == 0) named_sync(mine, kTile * 2);
  wait(&shared.v_full[(blocks - 1) % kStages], (blocks - 1) / kStages & 1);
  wgmma_fence();
  multiply_by_values(sums, p, descriptor(shared.v[(blocks - 1) % kStages]));
  wgmma_commit();
  wgmma_wait<0>();
  for (int half = 0; half < 2; ++half) {
    softmax.sum[half] += __shfl_xor_sync(~0u, softmax.sum[half], 1);
    softmax.sum[half] += __shfl_xor_sync(~0u, softmax.sum[half], 2);
  }
  for (int i = 0; i < 32; ++i) sums[i] /= softmax.sum[i / 2 % 2];
  // Where the queries were, with the same swizzle: only this warpgroup has read them, and all of it
  // has waited.
  named_sync(4 + group, 128);
  unsigned char* rows = shared.q[group] + thread / 32 * 16 * 128;
  for (int i = 0; i < 4; ++i) {
    const int at = lane % 16 * 128 + ((i * 2 + lane / 16) ^ lane % 8) * 16;
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(
            shared_address(rows + at)),
        "r"(pack(sums[8 * i], sums[8 * i + 1])), "r"(pack(sums[8 * i + 2], sums[8 * i + 3])),
        "r"(pack(sums[8 * i + 4], sums[8 * i + 5])), "r"(pack(sums[8 * i + 6], sums[8 * i + 7]))
        : "memory");
  }
  fence_async_proxy();
  named_sync(4 + group, 128);
  if (thread == 0) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::
            "l"(&maps.out),
        "r"(0), "r"(row), "r"(static_cast<int>(blockIdx.y)), "r"(shared_address(shared.q[group]))
        : "memory");
    bulk_commit();
    bulk_wait();
  }
}

__global__ void __launch_bounds__(384, 1) attention(const __grid_constant__ Maps maps, int length) {
  extern __shared__ __align__(1024) unsigned char raw[];
  Shared& shared = *reinterpret_cast<Shared*>(raw);
  const int end = min((static_cast<int>(blockIdx.x) + 1) * kTile, length);
  const int blocks = (end + kBlock - 1) / kBlock;  // none above the diagonal
  if (threadIdx.x == 0) {
    init(&shared.q_full, 1);
    for (int stage = 0; stage < kStages; ++stage) {
      init(&shared.k_full[stage], 1);
      init(&shared.v_full[stage], 1);
      init(&shared.k_empty[stage], kTile * 2);
      init(&shared.v_empty[stage], kTile * 2);
    }
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    keep_registers<24>();
    if (threadIdx.x < 32 && elect()) produce(shared, maps, blocks);
  } else {
    get_registers<240>();
    consume(shared, maps, threadIdx.x / 128 - 1, blocks);
  }
}

int main() {
  constexpr int kLength = 330, kHeads = 2, kCount = kHeads * kLength * kHead;
  Numbers numbers;
  std::vector<__half> q(kCount), k(kCount), v(kCount);
  for (auto* tensor : {&q, &k, &v})
    for (__half& value : *tensor) value = __float2half(static_cast<float>(numbers.next(16)) / 8);
  __half* device_out = to_device(std::vector<__half>(kCount, __float2half(-9.0f)));
  Maps maps;
  const std::uint64_t size[3] = {kHead, kLength, kHeads};
  const std::uint32_t box[3] = {kHead, kBlock, 1};
  const auto make = [&](CUtensorMap& map, void* tensor) {
    return make_map<3>(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, tensor, size, box,
                       CU_TENSOR_MAP_SWIZZLE_128B);
  };
  if (!make(maps.q, to_device(q)) || !make(maps.k, to_device(k)) || !make(maps.v, to_device(v)) ||
      !make(maps.out, device_out))
    return verdict("tensor maps", 1, 1);
  CHECK(
      cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  attention<<<dim3((kLength + kTile - 1) / kTile, kHeads), 384, sizeof(Shared)>>>(maps, kLength);
  CHECK(cudaGetLastError());
  const std::vector<__half> out = from_device(device_out, kCount);
  print_bits(out);
  return verdict("flash_wgmma", count_wrong(q, k, v, out, kLength), kCount);
}
