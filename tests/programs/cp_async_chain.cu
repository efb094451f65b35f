// SPDX-License-Identifier: MIT
// The whole chain in one warp: cp.async brings a tile of A and of B into shared memory, two stages
// deep, ldmatrix distributes them, mma.sync multiplies. B is K x N row-major, so its ldmatrix
// transposes. A is no special matrix: a product with the wrong one transposed comes out wrong.
// Whole numbers up to 8, K = 64: sums below 2^13, exact.
#include <cuda_fp16.h>

#include "program.cuh"

constexpr int kM = 16, kN = 8, kK = 64, kStep = 16;

struct Stage {
  __half a[kM][kStep];
  __half b[kStep][kN];
};

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void copy_16_bytes(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}

__device__ void fetch(Stage& stage, const __half* A, const __half* B, int k) {
  const int lane = threadIdx.x;
  copy_16_bytes(&stage.a[lane / 2][lane % 2 * 8], A + lane / 2 * kK + k + lane % 2 * 8);
  if (lane < kStep) copy_16_bytes(&stage.b[lane][0], B + (k + lane) * kN);
  asm volatile("cp.async.commit_group;");
}

__global__ void chain(const __half* A, const __half* B, float* D) {
  __shared__ alignas(16) Stage stages[2];
  const int lane = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  fetch(stages[0], A, B, 0);
  for (int k = 0; k < kK; k += kStep) {
    if (k + kStep < kK) {
      fetch(stages[(k / kStep + 1) % 2], A, B, k + kStep);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncwarp();
    const Stage& stage = stages[k / kStep % 2];
    std::uint32_t a[4], b[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(shared_address(&stage.a[lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(shared_address(&stage.b[lane % 16][0])));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; ++i) D[(lane / 4 + i / 2 * 8) * kN + lane % 4 * 2 + i % 2] = d[i];
}

int main() {
  Numbers numbers;
  std::vector<__half> A(kM * kK), B(kK * kN);
  for (__half& value : A) value = __float2half(numbers.next(8));
  for (__half& value : B) value = __float2half(numbers.next(8));
  float* device_D = to_device(std::vector<float>(kM * kN, -1.0f));
  chain<<<1, 32>>>(to_device(A), to_device(B), device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kM * kN);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kK; ++k)
        sum += __half2float(A[row * kK + k]) * __half2float(B[k * kN + col]);
      wrong += D[row * kN + col] != sum;
    }
  return verdict("cp_async_chain", wrong, kM * kN);
}
