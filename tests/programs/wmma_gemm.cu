// SPDX-License-Identifier: MIT
// nvcuda::wmma in every shape and type that the emulator has: loads in both orders from global and
// shared memory, a product over two steps of K, stores in both orders. Whole numbers: exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "program.cuh"

using namespace nvcuda;

// The type of A and B in memory is Stored; a fragment of Element.
template <int M, int N, int K, class Element, class Stored, class Sum, class OrderA, class OrderB>
__global__ void multiply(const Stored* A, const Stored* B, Sum* D) {
  constexpr bool kRowA = std::is_same_v<OrderA, wmma::row_major>;
  constexpr bool kRowB = std::is_same_v<OrderB, wmma::row_major>;
  __shared__ __align__(32) Stored tile[K * N];
  wmma::fragment<wmma::accumulator, M, N, K, Sum> d;
  wmma::fill_fragment(d, static_cast<Sum>(1.0f));
  for (int step = 0; step < 2; ++step) {
    // B is 2K x N, its half goes through shared memory.
    for (int i = threadIdx.x; i < K * N; i += 32)
      tile[i] = kRowB ? B[step * K * N + i] : B[i / K * 2 * K + step * K + i % K];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, M, N, K, Element, OrderA> a;
    wmma::fragment<wmma::matrix_b, M, N, K, Element, OrderB> b;
    wmma::load_matrix_sync(a, A + (kRowA ? step * K : step * K * M), kRowA ? 2 * K : M);
    wmma::load_matrix_sync(b, tile, kRowB ? N : K);
    wmma::mma_sync(d, a, b, d);
    __syncwarp();
  }
  wmma::fragment<wmma::accumulator, M, N, K, Sum> again;
  wmma::store_matrix_sync(D, d, N, wmma::mem_row_major);
  __syncwarp();
  wmma::load_matrix_sync(again, D, N, wmma::mem_row_major);
  for (int i = 0; i < again.num_elements; ++i) again.x[i] = again.x[i] + d.x[i];
  wmma::store_matrix_sync(D + M * N, again, M, wmma::mem_col_major);
}

template <int M, int N, int K, class Element, class Stored, class Sum, class OrderA, class OrderB>
int check_order(const char* name) {
  constexpr bool kRowA = std::is_same_v<OrderA, wmma::row_major>;
  constexpr bool kRowB = std::is_same_v<OrderB, wmma::row_major>;
  Numbers numbers;
  std::vector<Stored> A(M * 2 * K), B(2 * K * N);
  const auto draw = [&] {
    const int value = numbers.next(4);
    return std::is_same_v<Stored, unsigned char> ? (value < 0 ? -value : value) : value;
  };
  std::vector<float> a(A.size()), b(B.size());
  for (std::size_t i = 0; i < A.size(); ++i) A[i] = static_cast<Stored>(a[i] = draw());
  for (std::size_t i = 0; i < B.size(); ++i) B[i] = static_cast<Stored>(b[i] = draw());
  Sum* device_D = to_device(std::vector<Sum>(2 * M * N));
  multiply<M, N, K, Element, Stored, Sum, OrderA, OrderB>
      <<<1, 32>>>(to_device(A), to_device(B), device_D);
  CHECK(cudaDeviceSynchronize());
  const std::vector<Sum> D = from_device(device_D, 2 * M * N);
  int wrong = 0;
  for (int row = 0; row < M; ++row) {
    for (int col = 0; col < N; ++col) {
      float sum = 1;
      for (int k = 0; k < 2 * K; ++k)
        sum += a[kRowA ? row * 2 * K + k : k * M + row] * b[kRowB ? k * N + col : col * 2 * K + k];
      wrong += static_cast<float>(D[row * N + col]) != sum;
      wrong += static_cast<float>(D[M * N + col * M + row]) != 2 * sum;
    }
  }
  return wrong == 0 ? 0 : verdict(name, wrong, 2 * M * N);
}

template <int M, int N, int K, class Element, class Stored, class Sum>
int check(const char* name) {
  using Row = wmma::row_major;
  using Col = wmma::col_major;
  const int failed = check_order<M, N, K, Element, Stored, Sum, Row, Row>(name) +
                     check_order<M, N, K, Element, Stored, Sum, Row, Col>(name) +
                     check_order<M, N, K, Element, Stored, Sum, Col, Row>(name) +
                     check_order<M, N, K, Element, Stored, Sum, Col, Col>(name);
  return failed == 0 ? verdict(name, 0, 0) : 1;
}

template <int M, int N>
int check_shape(const char* half_name, const char* narrow, const char* bf16, const char* s8,
                const char* u8) {
  return check<M, N, 16, __half, __half, float>(half_name) +
         check<M, N, 16, __half, __half, __half>(narrow) +
         check<M, N, 16, __nv_bfloat16, __nv_bfloat16, float>(bf16) +
         check<M, N, 16, signed char, signed char, int>(s8) +
         check<M, N, 16, unsigned char, unsigned char, int>(u8);
}

int main() {
  int failed =
      check_shape<16, 16>("16x16 f16", "16x16 f16 in f16", "16x16 bf16", "16x16 s8", "16x16 u8") +
      check_shape<32, 8>("32x8 f16", "32x8 f16 in f16", "32x8 bf16", "32x8 s8", "32x8 u8") +
      check_shape<8, 32>("8x32 f16", "8x32 f16 in f16", "8x32 bf16", "8x32 s8", "8x32 u8") +
      check<16, 16, 8, wmma::precision::tf32, float, float>("16x16x8 tf32") +
      check<8, 8, 4, double, double, double>("8x8x4 f64");
  return failed != 0;
}
