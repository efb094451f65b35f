// SPDX-License-Identifier: MIT
// Lesson 23, shape and stride: CuTe writes a fragment, and a matrix in memory, as shape:stride.
// Both are functions, and one after the other they are the addresses of every lane's loads. So one
// kernel fits every matrix: it is handed the layouts.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   CUTLASS, media/docs/cpp/cute/01_layout.md, 02_layout_algebra.md (composition) and
//             0t_mma_atom.md; PTX ISA 9.2, 9.7.14.5.8 (the fragments).
//   Steps:    kernel=multiply,launch=0   (A row after row)
#include <vector>

#include "device_array.cuh"
#include "layout.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- Two functions ------------------------------------------------------------------------------

// Who has what: of mma.m16n8k16, from lane + 32 * value to the number of an element. Elements are
// numbered column after column: m + 16 * k in A, n + 8 * k in B, m + 16 * n in D.
const Layout kA = {{4, 8, 2, 2, 2}, {32, 1, 16, 8, 128}};
const Layout kB = {{4, 8, 2, 2}, {16, 1, 8, 64}};
const Layout kD = {{4, 8, 2, 2}, {32, 1, 16, 8}};

// What lies where: from the number of an element to its offset. Sw<bits,3,3>, a swizzle, comes
// last: bits 6 and up of the offset are added to bits 3 and up, by exclusive or (lesson 04).
struct Memory {
  Layout layout;
  int bits = 0;
  __host__ __device__ int operator()(int element) const {
    const int offset = layout(element);
    return offset ^ (offset >> 3 & ((1 << bits) - 1) << 3);
  }
};

// A, B or D: who has what, and where it lies in global and in shared memory.
struct Operand {
  Layout fragment;
  Memory global, shared;
};

// ---- One kernel ---------------------------------------------------------------------------------

// A copy is two layouts: the same element, once by one and once by the other.
__device__ void copy(uint16_t* to, const Memory& there, const uint16_t* from, const Memory& here) {
  const int threads = static_cast<int>(blockDim.x), elements = size(here.layout);
  for (int i = static_cast<int>(threadIdx.x); i < elements; i += threads)
    to[there(i)] = from[here(i)];
}

// A load is two layouts, one after the other: whose value is which element, and where that lies.
// Two values are a register; where they lie beside each other one load has both.
template <int kRegisters>
__device__ void load(uint32_t (&registers)[kRegisters], const uint16_t* tile,
                     const Operand& operand, int first_value) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
#pragma unroll
  for (int i = 0; i < kRegisters; ++i) {
    const int value = thread + threads * (first_value + 2 * i);
    const int low = operand.shared(operand.fragment(value));
    const int high = operand.shared(operand.fragment(value + threads));
    if (low % 2 == 0 && high == low + 1)
      registers[i] = *reinterpret_cast<const uint32_t*>(tile + low);
    else
      registers[i] = tile[low] | static_cast<uint32_t>(tile[high]) << 16;
  }
}

#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

// D = A * B. Nothing in here knows of rows and columns, how a matrix lies, or how many warps there
// are; only that values 0 to 7 of A are the first step's, and so on.
template <int kTilesN, int kSteps>
__global__ void multiply(const uint16_t* A, const uint16_t* B, float* D, Operand a, Operand b,
                         Operand d, int apart, DeviceRecorder recorder) {
  __shared__ __align__(128) uint16_t tile_a[kMostElements], tile_b[kMostElements];
  copy(tile_a, a.shared, A, a.global), copy(tile_b, b.shared, B, b.global);
  __syncthreads();
  if (first_warp())
    RECORD_TILE(recorder, "tile", "f16", size(a.global.layout) / 16, 16, tile_a, 32, apart * 2);
  float sums[kTilesN][4] = {};
  for (int step = 0; step < kSteps; ++step) {
    uint32_t registers_a[4];
    load(registers_a, tile_a, a, step * 8);
#pragma unroll
    for (int n = 0; n < kTilesN; ++n) {
      uint32_t registers_b[2];
      load(registers_b, tile_b, b, (step * kTilesN + n) * 4);
      ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(sums[n], registers_a, registers_b,
                                                             sums[n]);
      if (step > 0 || n > 0) continue;
      RECORD(recorder, "A", MMA, registers_a);
      RECORD(recorder, "B", MMA, registers_b);
      RECORD(recorder, "D", MMA, sums[0]);
    }
  }
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
#pragma unroll
  for (int value = 0; value < kTilesN * 4; ++value)
    D[d.global(d.fragment(thread + threads * value))] = sums[value / 4][value % 4];
}

// ---- 1. Reading one -----------------------------------------------------------------------------

bool read_them() {
  std::printf(
      "1. mma.m16n8k16: which element is value 3 of lane 6? Its number is m + 16 k in A,\n"
      "   n + 8 k in B, m + 16 n in D.\n\n");
  const bool a = print_digits("A", kA, 6, 3, 16), b = print_digits("B", kB, 6, 3, 8);
  return print_digits("D", kD, 6, 3, 16) && a && b;
}

// ---- 2. A, wherever it lies ---------------------------------------------------------------------

// `apart`: elements from one row of 16 to the next, for the recorder.
bool study(const char* name, const Memory& shared, int apart, Recorder& recorder) {
  const Memory columns_of_b{{{8, 16}, {16, 1}}};
  const Operand a{kA, {{{16, 16}, {16, 1}}}, shared}, b{kB, columns_of_b, columns_of_b};
  const Operand d{kD, {{{16, 8}, {8, 1}}}, {}};
  const Matrix A{16, 16, hundreds}, B{8, 16, small};
  DeviceArray<uint16_t> device_a(A.stored(a.global)), device_b(B.stored(b.global));
  DeviceArray<float> D(16 * 8);
  multiply<1, 1><<<1, 32>>>(device_a.data(), device_b.data(), D.data(), a, b, d, apart,
                            recorder.launch(name, 1, 32));
  recorder.memory("A", "f16", 16, 16, device_a.data(), 32, 32);
  return print_memory(name, a, count_right(D.get(), d.global, A, B));
}

bool wherever_it_lies(Recorder& recorder) {
  print_head_of_memories();
  bool good = study("rows", {{{16, 16}, {16, 1}}}, 16, recorder);
  good = study("columns", {{{16, 16}, {1, 16}}}, 16, recorder) && good;
  good = study("rows, padded", {{{16, 16}, {24, 1}}}, 24, recorder) && good;
  good = study("8 x 8 blocks", {{{8, 2, 8, 2}, {8, 64, 1, 128}}}, 16, recorder) && good;
  return study("rows, swizzled", {{{16, 16}, {16, 1}}, 1}, 16, recorder) && good;
}

// ---- 3. Four warps, a larger matrix: more digits ------------------------------------------------

// 64 x 64 x 64, four warps below each other. New digits: the warp behind the lane's; behind the
// value's the tile along n and the step along k. What a digit does not move has stride 0: all four
// warps want the same of B.
const Layout kTileA = {{4, 8, 4, 2, 2, 2, 4}, {128, 1, 16, 64, 8, 512, 1024}};
const Layout kTileB = {{4, 8, 4, 2, 2, 8, 4}, {128, 1, 0, 64, 512, 8, 1024}};
const Layout kTileD = {{4, 8, 4, 2, 2, 8}, {128, 1, 16, 64, 8, 512}};

bool larger(Recorder& recorder) {
  print_head_of_orders(kTileA, kTileB, kTileD);
  const Memory rows{{{64, 64}, {64, 1}}}, columns{{{64, 64}, {1, 64}}};
  const Memory swizzled{rows.layout, 3};  // lesson 04's, and TMA's 128B
  const Matrix A{64, 64, small}, B{64, 64, small};
  bool good = true;
  for (const bool a_rows : {true, false})
    for (const bool b_columns : {true, false}) {
      // B's numbers are n + 64 k: in a column of B n stays, so it is a row of these.
      const Operand a{kTileA, a_rows ? rows : columns, swizzled};
      const Operand b{kTileB, b_columns ? rows : columns, swizzled}, d{kTileD, rows, {}};
      DeviceArray<uint16_t> device_a(A.stored(a.global)), device_b(B.stored(b.global));
      DeviceArray<float> D(64 * 64);
      const DeviceRecorder first = recorder.launch("multiply", 1, 128);
      multiply<8, 4><<<1, 128>>>(device_a.data(), device_b.data(), D.data(), a, b, d, 16,
                                 a_rows && b_columns ? first : DeviceRecorder());
      good = print_order(a_rows, b_columns, count_right(D.get(), d.global, A, B)) && good;
    }
  return good;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "23_shape_stride");
  recorder.view("23 Shape and stride", {"fragments", "memory", "lanes"}, "A 9,5",
                "Five places for A in memory, one kernel: the fragment is the same.");
  introduce("One kernel, whatever the layout");
  bool good = read_them();
  good = wherever_it_lies(recorder) && good;
  good = larger(recorder) && good;
  std::printf("\n%s\n", good ? "One kernel, nine matrices: only the layouts were others."
                             : "Not every product is right: see the counts above.");
  return recorder.write() && good ? 0 : 1;
}
