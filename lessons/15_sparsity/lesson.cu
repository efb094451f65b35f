// SPDX-License-Identifier: MIT
// Lesson 15, sparsity: where two of every four elements of A are zero, mma.sp takes the other two
// and a register of metadata that says which they were. Whose registers are read, what their bits
// are about, and what a stored element stands for: we ask the instruction. Then A is compressed,
// multiplied, and compared with the dense product.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.14.6.1 (sparse storage), 9.7.14.6.2.2 (fragments; metadata: figure
//             122).
//   Steps:    kernel=multiply
#include <vector>

#include "bench_sparse.cuh"
#include "device_array.cuh"
#include "problem.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- The instruction ----------------------------------------------------------------------------

using FragA = uint32_t[4];  // 16 x 16: what is stored of 16 x 32
using FragB = uint32_t[4];  // 32 x 8
using FragD = float[4];     // 16 x 8

// `e` is this lane's metadata. The selector, 0 or 1, is part of the instruction's text ("n"): it
// says whose is read.
#define MMA_SP "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"
template <int kSelector>
__device__ void mma_sp(FragD& d, const FragA& a, const FragB& b, uint32_t e) {
  asm volatile(MMA_SP
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, "
               "%13;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]),
                 "r"(b[3]), "r"(e), "n"(kSelector));
}

// A four is four neighbours of a row of A, columns 4 * four to 4 * four + 3: two of them are kept.
// Their pair is a nibble of metadata, the first one's index in the low two bits.
struct Pair {
  int first, second;  // 0 to 3, in this order
};
__host__ __device__ uint32_t nibble(Pair kept) { return kept.first | kept.second << 2; }

// Where the parts of D lie, and every column's rows of B (lesson 01, with twice the k).
__device__ int row_of(int i) { return static_cast<int>(threadIdx.x) / 4 + i / 2 * 8; }
__device__ int col_of(int i) { return static_cast<int>(threadIdx.x) % 4 * 2 + i % 2; }
__device__ int k_of(int i) { return static_cast<int>(threadIdx.x) % 4 * 2 + i % 2 + i / 2 * 8; }
__device__ void store(float* D, const FragD& d) {
  for (int i = 0; i < 4; ++i) D[row_of(i) * 8 + col_of(i)] = d[i];
}

// ---- 1. Ask: whose metadata is read, and what is it about? --------------------------------------

// Block q asks about one nibble, q % 8, of one lane's register, q / 8. All others say "elements 0
// and 1 of the four", this one says "2 and 3". What is stored of A is 1 everywhere, and B[k][n] is
// 1 where k is element 2 or 3 of four n. So D[row][n] is 2 where that nibble speaks of four n of
// this row, and 0 everywhere else.
template <int kSelector>
__global__ void ask_whose(float* answers) {
  const int lane = static_cast<int>(threadIdx.x), q = static_cast<int>(blockIdx.x);
  const FragA a = {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};  // f16 1 and 1
  FragB b = {};
  for (int i = 0; i < 8; ++i)
    if (k_of(i) / 4 == lane / 4 && k_of(i) % 4 >= 2) b[i / 2] |= 0x3c00 << (i % 2 * 16);
  uint32_t e = 0x11111111 * nibble({0, 1});
  if (lane == q / 8) e ^= (nibble({0, 1}) ^ nibble({2, 3})) << (q % 8 * 4);
  FragD d = {};
  mma_sp<kSelector>(d, a, b, e);
  store(answers + q * 128, d);
}

// ---- 2. Ask: which element of A does a stored one stand for? ------------------------------------

// Block q puts a 1 into one slot of A (a lane, a register, a half) and 0 into all others; all
// metadata say `kept`; B[k][n] is k + 1. So D is k + 1 in the slot's row, and 0 elsewhere.
__global__ void ask_which(Pair kept, float* answers) {
  const int lane = static_cast<int>(threadIdx.x), q = static_cast<int>(blockIdx.x);
  FragA a = {};
  FragB b = {};
  for (int i = 0; i < 8; ++i) {
    if (lane * 8 + i == q) a[i / 2] = 0x3c00 << (i % 2 * 16);
    b[i / 2] |= F16::encode(k_of(i) + 1) << (i % 2 * 16);
  }
  FragD d = {};
  mma_sp<0>(d, a, b, 0x11111111 * nibble(kept));
  store(answers + q * 128, d);
}

// ---- 3. Compress and multiply -------------------------------------------------------------------

// The two of four that are largest, whatever their sign: without it, an f16 number's bits grow as
// the number does. Where less than two are not zero, a zero fills up, and the order holds.
__device__ Pair largest_two(const uint16_t* four) {
  const auto size = [four](int i) { return four[i] & 0x7fff; };
  int most = 0;
  for (int i = 1; i < 4; ++i)
    if (size(i) > size(most)) most = i;
  int other = most == 0 ? 1 : 0;
  for (int i = other + 1; i < 4; ++i)
    if (i != most && size(i) > size(other)) other = i;
  return {min(most, other), max(most, other)};
}

// A lane's share of A, 16 x 32 and row-major: the stored elements, two of a four in a register, and
// the metadata of eight fours. They are not of the same fours.
__device__ void compress(FragA& a, uint32_t& e, const uint16_t* A) {
  const int lane = static_cast<int>(threadIdx.x), group = lane / 4, thread = lane % 4;
  for (int reg = 0; reg < 4; ++reg) {
    const uint16_t* four = A + (group + reg % 2 * 8) * kK + (thread + reg / 2 * 4) * 4;
    const Pair kept = largest_two(four);
    a[reg] = four[kept.first] | four[kept.second] << 16;
  }
  e = 0;  // rows group and group + 8, four fours each: the left ones or the right ones
  for (int i = 0; i < 8; ++i)
    e |= nibble(largest_two(A + (group + i / 4 * 8) * kK + (thread % 2 * 4 + i % 4) * 4)) << i * 4;
}

// For comparison: what is not kept becomes zero, and the dense mma multiplies, in two steps. B's
// registers are the same.
__device__ void multiply_dense(FragD& d, uint16_t* tile, const uint16_t* A, const FragB& b) {
  for (int i = static_cast<int>(threadIdx.x); i < 16 * kK; i += 32) {
    const Pair kept = largest_two(A + i / 4 * 4);
    tile[i] = i % 4 == kept.first || i % 4 == kept.second ? A[i] : 0;
  }
  __syncwarp();
  for (int half = 0; half < 2; ++half) {
    FragA a;
    for (int reg = 0; reg < 4; ++reg)
      a[reg] = *reinterpret_cast<const uint32_t*>(
          &tile[row_of(reg % 2 * 2) * kK + half * 16 + reg / 2 * 8 + col_of(0)]);
    const uint32_t b_half[2] = {b[half * 2], b[half * 2 + 1]};
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b_half, d);
  }
}

__global__ void multiply(const uint16_t* A, const uint16_t* B, float* D_sparse, float* D_dense,
                         DeviceRecorder recorder) {
  __shared__ __align__(4) uint16_t tile[16 * kK];
  FragA a;
  FragB b = {};
  uint32_t e[1];
  compress(a, e[0], A);
  for (int i = 0; i < 8; ++i) b[i / 2] |= B[k_of(i) * 8 + threadIdx.x / 4] << (i % 2 * 16);
  FragD d = {}, d_dense = {};
  mma_sp<0>(d, a, b, e[0]);
  multiply_dense(d_dense, tile, A, b);
  RECORD(recorder, "A", MMA_SP, a);
  RECORD(recorder, "E", MMA_SP, e);
  RECORD(recorder, "B", MMA_SP, b);
  RECORD(recorder, "D", MMA_SP, d);
  RECORD_TILE(recorder, "dense A", "f16", 16, kK, tile, kK * 2, kK * 2);
  store(D_sparse, d);
  store(D_dense, d_dense);
}

// ---- The lesson ---------------------------------------------------------------------------------

template <int kSelector>
bool whose(Recorder& recorder) {
  DeviceArray<float> answers(256 * 128);
  recorder.launch("ask_whose", 256, 32);
  ask_whose<kSelector><<<256, 32>>>(answers.data());
  return print_whose(kSelector, answers.get());
}

bool which(Recorder& recorder) {
  bool good = true;
  print_head_of_which();
  constexpr Pair kPairs[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (const Pair kept : kPairs) {
    DeviceArray<float> answers(256 * 128);
    recorder.launch("ask_which", 256, 32);
    ask_which<<<256, 32>>>(kept, answers.data());
    good = print_which(nibble(kept), kept.first, kept.second, answers.get()) && good;
  }
  return good;
}

bool use(const char* name, const std::vector<uint16_t>& A, Recorder& recorder) {
  const std::vector<uint16_t> B = matrix_b();
  DeviceArray<uint16_t> device_a(A), device_b(B);
  DeviceArray<float> sparse(128), dense(128);
  multiply<<<1, 32>>>(device_a.data(), device_b.data(), sparse.data(), dense.data(),
                      recorder.launch("multiply", 1, 32));
  return print_product(name, A, B, sparse.get(), dense.get());
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"}, {"--bench"});
  if (argument_given(argc, argv, "--bench")) return bench_sparse::run();
  Recorder recorder(argc, argv, "15_sparsity");
  recorder.view(
      "15 Sparsity", {"fragments", "lanes", "memory"}, "A 9,5",
      "A is stored: A[9][5] is 911, what was in row 9, column 11. E, the metadata, says so.");
  introduce("Two of four");

  bool good = whose<0>(recorder);
  good = whose<1>(recorder) && good;
  good = which(recorder) && good;
  print_head_of_products();
  good = use("two of four, or less", two_of_four(), recorder) && good;
  good = use("nearly all of them", all_of_four(), recorder) && good;
  if (!good) std::printf("\nSomething above is not as it should be.\n");
  return recorder.write() && good ? 0 : 1;
}
