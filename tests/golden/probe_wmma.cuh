// SPDX-License-Identifier: MIT
// wmma: matrices of unique numbers are loaded, and the registers tell which element each part got;
// unique parts are stored, and the memory tells the same. Memory has an order, so these maps need
// no names. Products of random 0 and 1 say that wmma.mma reads its registers by the same maps.
#pragma once

#include "probe.cuh"

// seen[lane][part]: the element's index in memory, digit by digit (a part holds `bits` bits).
template <class L>
__global__ void probe_load(std::uint32_t* seen) {
  constexpr int kCount = L::rows * L::cols, kParts = 8 * sizeof(typename L::Word) / L::bits;
  constexpr int kDigit = L::bits < 8 ? L::bits : 8;
  __shared__ alignas(256) unsigned char memory[kCount * (L::bits < 8 ? 8 : L::bits) / 8];
  for (int digit = 0; digit * kDigit < 16; ++digit) {
    for (int n = threadIdx.x; n < kCount * L::bits / 8; n += 32) memory[n] = 0;
    __syncwarp();
    if (threadIdx.x == 0)
      for (int n = 0; n < kCount; ++n)
        memory[n * L::bits / 8] |= ((n >> (digit * kDigit)) & ((1 << kDigit) - 1))
                                   << (n * L::bits % 8);
    __syncwarp();
    typename L::Word d[L::R];
    L::load(d, memory);
    for (int i = 0; i < L::R * kParts; ++i) {
      const std::uint64_t part = part_of<L::bits>(d[i / kParts], i % kParts) & ((1u << kDigit) - 1);
      seen[threadIdx.x * L::R * kParts + i] |= static_cast<std::uint32_t>(part) << (digit * kDigit);
    }
    __syncwarp();
  }
}

template <class L>
__global__ void probe_store(std::uint32_t* seen) {  // seen[element in memory]: lane * parts + part
  constexpr int kCount = L::rows * L::cols, kParts = 8 * sizeof(typename L::Word) / L::bits;
  __shared__ alignas(256) unsigned char memory[kCount * L::bits / 8];
  typename L::Word d[L::R] = {};
  for (int i = 0; i < L::R * kParts; ++i)
    d[i / kParts] |= static_cast<typename L::Word>(threadIdx.x * L::R * kParts + i)
                     << (i % kParts * L::bits % 32);
  L::store(memory, d);
  __syncwarp();
  for (int n = threadIdx.x; n < kCount; n += 32) {
    std::uint32_t id = 0;
    for (int byte = 0; byte < (L::bits < 32 ? L::bits / 8 : 4); ++byte)
      id |= memory[n * L::bits / 8 + byte] << (8 * byte);
    seen[n] = id;
  }
}

template <class L>
void print_element(int index) {
  const int row = L::by_row ? index / L::cols : index % L::rows;
  const int col = L::by_row ? index % L::cols : index / L::rows;
  std::printf(" %d.%d", row, col);
}

template <class L>
void record_load() {
  constexpr int kParts = 8 * sizeof(typename L::Word) / L::bits;
  Buffer<std::uint32_t> seen(32 * L::R * kParts);
  probe_load<L><<<1, 32>>>(seen.device);
  finish();
  std::printf("%s reg", L::name);
  for (std::uint32_t index : seen.read()) print_element<L>(static_cast<int>(index));
  std::printf("\n");
}

template <class L>
void record_store() {
  constexpr int kParts = 8 * sizeof(typename L::Word) / L::bits;
  Buffer<std::uint32_t> seen(L::rows * L::cols);
  probe_store<L><<<1, 32>>>(seen.device);
  finish();
  std::vector<int> element(32 * L::R * kParts, -1);
  const std::vector<std::uint32_t> found = seen.read();
  for (std::size_t n = 0; n < found.size(); ++n) element.at(found[n]) = static_cast<int>(n);
  std::string name = L::name;
  std::printf("%s reg", name.replace(name.find("load.c"), 6, "store.d").c_str());
  for (int index : element) print_element<L>(index);
  std::printf("\n");
}

// Random 0 and 1; C counts from 0 to 3. The same on every run.
__device__ inline std::uint32_t random_bits(std::uint32_t seed) {
  seed = seed * 747796405u + 2891336453u;
  seed = ((seed >> ((seed >> 28) + 4)) ^ seed) * 277803737u;
  return (seed >> 22) ^ seed;
}
template <class L>
__device__ int index_of(int row, int col) {
  return L::by_row ? row * L::cols + col : col * L::rows + row;
}
template <class L>
__device__ void put(unsigned char* memory, int index, bool set) {  // 1 or 0
  const std::uint64_t number = set ? one(L::type) : 0;
  if constexpr (L::bits < 8) {
    if (set) memory[index * L::bits / 8] |= 1 << (index * L::bits % 8);
  } else {
    for (int byte = 0; byte < L::bits / 8; ++byte)
      memory[index * L::bits / 8 + byte] = number >> (8 * byte);
  }
}

template <class P>
__global__ void probe_product(int* wrong) {
  constexpr int M = P::A::rows, K = P::A::cols, N = P::B::cols;
  __shared__ alignas(256) unsigned char a_tile[M * K * 8], b_tile[K * N * 8], c_tile[M * N * 8],
      d_tile[M * N * 8];
  const std::uint32_t seed = blockIdx.x * 99991;
  const auto bit = [&](int tile, int row, int col) {
    return (random_bits(seed + tile * 65536 + row * 256 + col) >> 7) & 1;
  };
  if (threadIdx.x == 0) {
    for (int n = 0; n < M * K * 8; ++n) a_tile[n] = 0;
    for (int n = 0; n < K * N * 8; ++n) b_tile[n] = 0;
    for (int m = 0; m < M; ++m)
      for (int k = 0; k < K; ++k)
        put<typename P::A>(a_tile, index_of<typename P::A>(m, k), bit(0, m, k));
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        put<typename P::B>(b_tile, index_of<typename P::B>(k, n), bit(1, k, n));
    for (int m = 0; m < M; ++m)
      for (int n = 0; n < N; ++n)
        put<typename P::C>(c_tile, index_of<typename P::C>(m, n), bit(2, m, n));
  }
  __syncwarp();
  typename P::A::Word a[P::A::R], b[P::B::R], c[P::C::R], d[P::D::R];
  P::A::load(a, a_tile);
  P::B::load(b, b_tile);
  P::C::load(c, c_tile);
  P::run(d, a, b, c);
  P::D::store(d_tile, d);
  __syncwarp();
  for (int e = threadIdx.x; e < M * N; e += 32) {
    const int m = e / N, n = e % N;
    int sum = bit(2, m, n);
    for (int k = 0; k < K; ++k)
      sum += P::is_xor ? bit(0, m, k) ^ bit(1, k, n) : bit(0, m, k) & bit(1, k, n);
    std::uint64_t bits = 0;
    const int at = index_of<typename P::D>(m, n) * P::D::bits / 8;
    for (int byte = 0; byte < P::D::bits / 8; ++byte)
      bits |= static_cast<std::uint64_t>(d_tile[at + byte]) << (8 * byte);
    if (integer<P::D::type>(bits) != sum) atomicAdd(wrong, 1);
  }
}

// Which registers of A and B wmma.mma reads at all: one of them is filled with ones, and D is the
// same as before or not. (.f16 holds smaller matrices more than once.)
template <class P>
__global__ void probe_reads(int* read) {
  constexpr int M = P::A::rows, K = P::A::cols, N = P::B::cols;
  __shared__ alignas(256) unsigned char tile[(M > N ? M : N) * K * 8];
  using Word = typename P::A::Word;
  Word a[P::A::R], b[P::B::R], c[P::C::R] = {}, d[P::D::R], changed[P::D::R];
  const auto load = [&](auto& registers, auto type, int seed) {
    using L = decltype(type);
    __syncwarp();
    for (int n = threadIdx.x; n < (M > N ? M : N) * K * 8; n += 32) tile[n] = 0;
    __syncwarp();
    if (threadIdx.x == 0)
      for (int n = 0; n < L::rows * L::cols; ++n) put<L>(tile, n, (random_bits(seed + n) >> 7) & 1);
    __syncwarp();
    L::load(registers, tile);
  };
  load(a, typename P::A{}, 1);
  load(b, typename P::B{}, 100000);
  P::run(d, a, b, c);
  Word ones = 0;
  for (int bit = 0; bit < 8 * static_cast<int>(sizeof(Word)); bit += P::A::bits)
    ones |= static_cast<Word>(one(P::A::type)) << bit;
#pragma unroll
  for (int r = 0; r < P::A::R + P::B::R; ++r) {
    Word other_a[P::A::R], other_b[P::B::R];
    for (int n = 0; n < P::A::R; ++n) other_a[n] = n == r ? ones : a[n];
    for (int n = 0; n < P::B::R; ++n) other_b[n] = n + P::A::R == r ? ones : b[n];
    P::run(changed, other_a, other_b, c);
    for (int n = 0; n < P::D::R; ++n)
      if (changed[n] != d[n]) atomicOr(read + r, 1);
  }
}

template <class P>
void record_product() {
  Buffer<int> wrong(1);
  probe_product<P><<<32, 32>>>(wrong.device);
  finish();
  std::printf("%s products 32 wrong %d\n", P::name, wrong.read()[0]);
  Buffer<int> read(P::A::R + P::B::R);
  probe_reads<P><<<1, 32>>>(read.device);
  finish();
  const std::vector<int> found = read.read();
  for (int operand = 0; operand < 2; ++operand) {
    std::printf("%s %s", P::name, operand == 0 ? "readsA" : "readsB");
    for (int r = 0; r < (operand == 0 ? P::A::R : P::B::R); ++r)
      std::printf(" %d", found[operand * P::A::R + r]);
    std::printf("\n");
  }
  std::fflush(stdout);
}
