// SPDX-License-Identifier: MIT
// Physics and signals: a Jacobi solver whose blocks meet at the barrier of the grid and stop
// together when nothing changes much, bodies that attract each other in tiles of shared memory, and
// a fast Fourier transform of 1024 points, forth and back, in shared memory. Sums are in a fixed
// order, so a hash of every result can be printed.
#include <cooperative_groups.h>

#include <cmath>

#include "program.cuh"

namespace cg = cooperative_groups;

constexpr int kSide = 66, kTile = 16;

__global__ void jacobi(float* a, float* b, float* changes, int* rounds) {
  const cg::grid_group grid = cg::this_grid();
  __shared__ float tile[kTile + 2][kTile + 3];
  const int row = blockIdx.y * kTile + threadIdx.y + 1, col = blockIdx.x * kTile + threadIdx.x + 1;
  const int in_block = threadIdx.y * kTile + threadIdx.x;
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int round = 1; round <= 200; ++round) {
    for (int k = in_block; k < (kTile + 2) * (kTile + 2); k += kTile * kTile) {
      const int r = k / (kTile + 2), c = k % (kTile + 2);
      tile[r][c] = a[(blockIdx.y * kTile + r) * kSide + blockIdx.x * kTile + c];
    }
    __syncthreads();
    const int r = threadIdx.y + 1, c = threadIdx.x + 1;
    const float value = 0.25f * (tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1]);
    b[row * kSide + col] = value;
    float change = fabsf(value - tile[r][c]);
    for (int step = 16; step > 0; step /= 2)
      change = fmaxf(change, __shfl_xor_sync(~0u, change, step));
    if (in_block % 32 == 0)
      atomicMax(reinterpret_cast<int*>(&changes[block]), __float_as_int(change));
    grid.sync();
    float most = 0;
    for (int k = 0; k < gridDim.x * gridDim.y; ++k)
      most = fmaxf(most, *reinterpret_cast<volatile float*>(&changes[k]));
    grid.sync();
    if (in_block == 0) changes[block] = 0;
    if (block == 0 && in_block == 0) *rounds = round;
    if (most < 0.2f) break;
    float* const other = a;
    a = b;
    b = other;
    grid.sync();
  }
}

__global__ void attract(float4* bodies, float4* speeds, int count, float time) {
  __shared__ float4 tile[128];
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = bodies[at];
  float3 force = {0, 0, 0};
  for (int from = 0; from < count; from += blockDim.x) {
    tile[threadIdx.x] = bodies[from + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; ++k) {
      const float3 to = {tile[k].x - me.x, tile[k].y - me.y, tile[k].z - me.z};
      const float square = to.x * to.x + to.y * to.y + to.z * to.z + 0.01f;
      const float inverse = rsqrtf(square);
      const float by = tile[k].w * inverse * inverse * inverse;
      force.x += to.x * by, force.y += to.y * by, force.z += to.z * by;
    }
    __syncthreads();
  }
  float4 speed = speeds[at];
  speed.x += force.x * time, speed.y += force.y * time, speed.z += force.z * time;
  speed.w = sqrtf(speed.x * speed.x + speed.y * speed.y + speed.z * speed.z);
  speeds[at] = speed;
}
__global__ void drift(float4* bodies, const float4* speeds, float time) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  bodies[at].x = fmaf(speeds[at].x, time, bodies[at].x);
  bodies[at].y = fmaf(speeds[at].y, time, bodies[at].y);
  bodies[at].z = fmaf(speeds[at].z, time, bodies[at].z);
}

// A block a signal of 1024, each thread two points, Stockham's order.
__global__ void transform(float2* signals, bool back) {
  __shared__ float2 points[2][1024];
  float2* signal = signals + blockIdx.x * 1024;
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) points[0][k] = signal[k];
  int from = 0;
  for (int half = 1; half < 1024; half *= 2) {
    __syncthreads();
    const int k = threadIdx.x % half;
    const float2 a = points[from][threadIdx.x], b = points[from][threadIdx.x + 512];
    float sine, cosine;
    sincospif((back ? 1.0f : -1.0f) * k / half, &sine, &cosine);
    const float2 turned = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
    const int to = (threadIdx.x - k) * 2 + k;
    points[1 - from][to] = {a.x + turned.x, a.y + turned.y};
    points[1 - from][to + half] = {a.x - turned.x, a.y - turned.y};
    from = 1 - from;
  }
  __syncthreads();
  const float scale = back ? 1.0f / 1024 : 1.0f;
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    signal[k] = {points[from][k].x * scale, points[from][k].y * scale};
}

int main() {
  std::vector<float> field(kSide * kSide);
  for (int col = 0; col < kSide; ++col)
    field[col] = 100.0f, field[kSide * (kSide - 1) + col] = -20.0f;
  float *a = to_device(field), *b = to_device(field);
  float* changes = to_device(std::vector<float>(16));
  int* rounds = to_device(std::vector<int>(1));
  void* arguments[] = {&a, &b, &changes, &rounds};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(jacobi), dim3(4, 4), dim3(kTile, kTile),
                                    arguments));
  std::printf("%d rounds\n", from_device(rounds, 1)[0]);
  print_bits(from_device(a, kSide * kSide));
  print_bits(from_device(b, kSide * kSide));

  constexpr int kBodies = 512;
  Numbers numbers;
  std::vector<float4> start(kBodies);
  for (float4& body : start)
    body = {numbers.next(1000) / 100.0f, numbers.next(1000) / 100.0f, numbers.next(1000) / 100.0f,
            1.0f + (numbers.next(50) + 50) / 100.0f};
  float4 *bodies = to_device(start), *speeds = to_device(std::vector<float4>(kBodies));
  for (int k = 0; k < 3; ++k) {
    attract<<<kBodies / 128, 128>>>(bodies, speeds, kBodies, 0.01f);
    drift<<<kBodies / 128, 128>>>(bodies, speeds, 0.01f);
  }
  print_bits(from_device(bodies, kBodies));
  print_bits(from_device(speeds, kBodies));

  std::vector<float2> waves(3 * 1024);
  for (float2& point : waves) point = {numbers.next(1000) / 333.0f, numbers.next(1000) / 777.0f};
  float2* signals = to_device(waves);
  transform<<<3, 512>>>(signals, false);
  print_bits(from_device(signals, 3 * 1024));
  transform<<<3, 512>>>(signals, true);
  const std::vector<float2> again = from_device(signals, 3 * 1024);
  print_bits(again);
  int wrong = 0;
  for (int k = 0; k < 3 * 1024; ++k)
    wrong +=
        std::fabs(again[k].x - waves[k].x) > 1e-5f || std::fabs(again[k].y - waves[k].y) > 1e-5f;
  return verdict("there and back", wrong, 3 * 1024);
}
