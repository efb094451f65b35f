// SPDX-License-Identifier: MIT
// Which bits of which lane's metadata register say what for mma.sp? Every lane's register begins as
// "the first two of every four" (tf32: the first of two), then one nibble of one lane is changed to
// "the last two" and D tells which row changed, and where along K.
//
//     A (kept elements) all 1      B[k][n] = 2^i where k = n + 8 * (3 * pass + i), else 0
//     D[m][n] has bit i  <=>  a kept element of row m was taken for k = n + 8 * (3 * pass + i)
//
// Prints a line for each nibble that changed anything: selector, lane, nibble, row, columns of K
// lost and gained. PTX ISA 9.2, 9.7.14.6.2 shows figures only. The answer is
// docs/experiments/sparse_metadata.md.
#include <bitset>
#include <map>

#include "../program.cuh"

using Bits = std::bitset<128>;  // which k the kept elements of a row are taken for

// One instruction: d[4] += a * b by metadata e. kSelector is an immediate.
#define SPARSE(Name, shape, types, kARegs, kBRegs, DType, dc, a_list, b_list, e_number, s_number, \
               ...)                                                                               \
  struct Name {                                                                                   \
    static constexpr int kA = kARegs, kB = kBRegs;                                                \
    using D = DType;                                                                              \
    template <int kSelector>                                                                      \
    static __device__ void run(D (&d)[4], const std::uint32_t (&a)[kA],                           \
                               const std::uint32_t (&b)[kB], std::uint32_t e) {                   \
      asm volatile("mma.sp::ordered_metadata.sync.aligned." shape ".row.col." types               \
                   " {%0,%1,%2,%3}, " a_list ", " b_list ", {%0,%1,%2,%3}, " e_number             \
                   ", " s_number ";"                                                              \
                   : dc(d[0]), dc(d[1]), dc(d[2]), dc(d[3])                                       \
                   : __VA_ARGS__, "r"(e), "n"(kSelector));                                        \
    }                                                                                             \
  }
#define SHORT_K(Name, shape, types, DType, dc)                                             \
  SPARSE(Name, shape, types, 2, 2, DType, dc, "{%4,%5}", "{%6,%7}", "%8", "%9", "r"(a[0]), \
         "r"(a[1]), "r"(b[0]), "r"(b[1]))
#define LONG_K(Name, shape, types, DType, dc)                                                   \
  SPARSE(Name, shape, types, 4, 4, DType, dc, "{%4,%5,%6,%7}", "{%8,%9,%10,%11}", "%12", "%13", \
         "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]))
SHORT_K(F16k16, "m16n8k16", "f32.f16.f16.f32", float, "+f");
LONG_K(F16k32, "m16n8k32", "f32.f16.f16.f32", float, "+f");
SHORT_K(Tf32k8, "m16n8k8", "f32.tf32.tf32.f32", float, "+f");
LONG_K(Tf32k16, "m16n8k16", "f32.tf32.tf32.f32", float, "+f");
SHORT_K(S8k32, "m16n8k32", "s32.s8.s8.s32", int, "+r");
LONG_K(S8k64, "m16n8k64", "s32.s8.s8.s32", int, "+r");
SHORT_K(S4k64, "m16n8k64", "s32.s4.s4.s32", int, "+r");
LONG_K(S4k128, "m16n8k128", "s32.s4.s4.s32", int, "+r");

// B's registers come from the host, for each pass; `metadata` has a word a lane.
template <class Mma, int kSelector>
__global__ void probe(std::uint32_t one, const std::uint32_t* b_words,
                      const std::uint32_t* metadata, int* D) {
  const int lane = static_cast<int>(threadIdx.x);
  std::uint32_t a[Mma::kA], b[Mma::kB];
  for (std::uint32_t& word : a) word = one;
  for (int i = 0; i < Mma::kB; ++i) b[i] = b_words[lane * Mma::kB + i];
  typename Mma::D d[4] = {};
  Mma::template run<kSelector>(d, a, b, metadata[lane]);
  for (int i = 0; i < 4; ++i)
    D[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = static_cast<int>(d[i]);
}

// 2^i as an element's bits.
std::uint32_t power(int bits, bool integer, int i) {
  if (integer) return 1u << i;
  return bits == 16 ? 0x3c00u + (static_cast<std::uint32_t>(i) << 10)
                    : 0x3f800000u + (static_cast<std::uint32_t>(i) << 23);
}

template <class Mma, int kSelector>
std::vector<Bits> taken(int bits, int K, const std::vector<std::uint32_t>& metadata) {
  constexpr bool kInteger = std::is_same_v<typename Mma::D, int>;
  const int per_register = 32 / bits;
  std::uint32_t one = 0;
  for (int i = 0; i < per_register; ++i) one |= power(bits, kInteger, 0) << (i * bits);
  static std::uint32_t* device_metadata = to_device(std::vector<std::uint32_t>(32));
  static int* device_D = to_device(std::vector<int>(128));
  CHECK(cudaMemcpy(device_metadata, metadata.data(), 128, cudaMemcpyHostToDevice));
  std::vector<Bits> rows(16);
  static std::map<int, std::uint32_t*> b_of_pass;
  for (int pass = 0; pass * 24 < K; ++pass) {
    if (b_of_pass.count(pass) == 0) {
      // A register of B holds `per_register` consecutive k from (lane % 4) * per_register on, of
      // column lane / 4; the next register those 4 * per_register further.
      std::vector<std::uint32_t> words(32 * Mma::kB);
      for (int lane = 0; lane < 32; ++lane)
        for (int reg = 0; reg < Mma::kB; ++reg)
          for (int i = 0; i < per_register; ++i) {
            const int k = (reg * 4 + lane % 4) * per_register + i, n = lane / 4;
            const int step = k / 8 - 3 * pass;
            if (k % 8 == n && step >= 0 && step < 3)
              words[lane * Mma::kB + reg] |= power(bits, kInteger, step) << (i * bits);
          }
      b_of_pass[pass] = to_device(words);
    }
    probe<Mma, kSelector><<<1, 32>>>(one, b_of_pass[pass], device_metadata, device_D);
    CHECK(cudaDeviceSynchronize());
    const std::vector<int> D = from_device(device_D, 128);
    for (int row = 0; row < 16; ++row)
      for (int n = 0; n < 8; ++n)
        for (int i = 0; i < 3; ++i)
          if (((D[row * 8 + n] >> i) & 1) != 0) rows[row].set(n + 8 * (3 * pass + i));
  }
  return rows;
}

void print(const char* what, const Bits& columns) {
  std::printf(" %s", what);
  for (int k = 0; k < 128; ++k)
    if (columns[k]) std::printf(" %d", k);
}

template <class Mma, int kSelector>
void one_selector(const char* name, int bits, int K) {
  // "0 and 1" of four is 0x4; for tf32 "0" of two is 0x4 as well. "2 and 3" (tf32: "1") is 0xE.
  const std::vector<std::uint32_t> plain(32, 0x44444444u);
  const std::vector<Bits> before = taken<Mma, kSelector>(bits, K, plain);
  std::printf("%s selector %d, row 0 before:", name, kSelector);
  print("k", before[0]);
  std::printf("\n");
  for (int lane = 0; lane < 32; ++lane)
    for (int nibble = 0; nibble < 8; ++nibble) {
      std::vector<std::uint32_t> changed = plain;
      changed[lane] ^= 0xAu << (4 * nibble);
      const std::vector<Bits> after = taken<Mma, kSelector>(bits, K, changed);
      for (int row = 0; row < 16; ++row) {
        if (after[row] == before[row]) continue;
        std::printf("%s selector %d lane %d nibble %d row %d", name, kSelector, lane, nibble, row);
        print("lost", before[row] & ~after[row]);
        print("gained", after[row] & ~before[row]);
        std::printf("\n");
      }
    }
}

template <class Mma, int kSelectors>
void all_selectors(const char* name, int bits, int K) {
  one_selector<Mma, 0>(name, bits, K);
  if constexpr (kSelectors > 1) one_selector<Mma, 1>(name, bits, K);
  if constexpr (kSelectors > 2) one_selector<Mma, 2>(name, bits, K);
  if constexpr (kSelectors > 2) one_selector<Mma, 3>(name, bits, K);
}

int main() {
  all_selectors<F16k16, 4>("m16n8k16.f16", 16, 16);
  all_selectors<F16k32, 2>("m16n8k32.f16", 16, 32);
  all_selectors<Tf32k8, 4>("m16n8k8.tf32", 32, 8);
  all_selectors<Tf32k16, 2>("m16n8k16.tf32", 32, 16);
  all_selectors<S8k32, 2>("m16n8k32.s8", 8, 32);
  all_selectors<S8k64, 1>("m16n8k64.s8", 8, 64);
  all_selectors<S4k64, 2>("m16n8k64.s4", 4, 64);
  all_selectors<S4k128, 1>("m16n8k128.s4", 4, 128);
}
