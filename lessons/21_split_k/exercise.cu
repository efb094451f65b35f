// SPDX-License-Identifier: MIT
// Exercise 21: share a tile's k among blocks, and let the last of them add the parts.
//
// D = A * B is 32 x 32, two tiles of 32 x 16, and k is `steps` times 16. `parts` blocks share a
// tile: each takes its share of the steps, stores what it has in the workspace, and counts itself.
// The block that comes last, whichever that is, adds all parts of the tile, its own among them, in
// the order 0, 1, 2, ..., and writes D. `steps` need not be a multiple of `parts`: shares differ by
// one step at most. Counters are 0 when a kernel starts, and have to be 0 again when it ends. You
// have
//
//     core.multiply(d, step)      d += the product of a step of this tile, 0 to steps - 1
//     core.store(place, d)        this thread's four sums to the workspace, which has tiles * parts
//                                 places
//     core.add(sums, place)       sums += what this thread of another block (or this one) stored
//     core.fence()                __threadfence()
//     core.barrier()              __syncthreads()
//     core.count(which)           atomicAdd(counter[which], 1): how many were there before. There
//                                 is a counter for each tile
//     core.tell(last), core.told()  a bool in shared memory: written, read; false at first
//     core.write(sums)            this thread's four elements of the tile, in D
//     core.reset(which)           counter[which] = 0
//
// All 128 threads of a block come here. Fill the gap in split, then:  ./learn check 21
// Everything outside the gap is there already and stays as it is.
#include <cstdint>
#include <tuple>
#include <vector>

#include "device_array.cuh"
#include "ptx/mma.cuh"
#include "record.cuh"

constexpr int kRows = 32, kCols = 32, kTiles = 2, kThreads = 128, kMostNotes = 100, kKinds = 11;

// What is done, and for the check who does what: the first thread of each warp notes it, in its
// order, and of every kind it is counted how many threads do it.
struct Core {
  const std::uint16_t *A, *B;  // row after row, column after column
  float* D;
  float4* workspace;
  int* counters;
  bool* last;
  int steps, parts, tile;
  int *notes, *calls;  // this warp's, this block's
  int noted = 0;
  float stored[4] = {}, written[4] = {};
  bool writes = false;

  __device__ void note(int what, int which = 0, int value = 0) {
    atomicAdd(calls + what, 1);
    if (threadIdx.x % 32 != 0 || noted >= kMostNotes) return;
    notes[noted * 3] = what;
    notes[noted * 3 + 1] = which;
    notes[noted++ * 3 + 2] = value;
  }
  __device__ bool no_place(int place) const { return place < 0 || place >= kTiles * parts; }
  __device__ int row() const {
    return static_cast<int>(threadIdx.x) / 32 % 2 * 16 + static_cast<int>(threadIdx.x) % 32 / 4;
  }
  __device__ int col() const { return tile * 16 + static_cast<int>(threadIdx.x) / 64 * 8; }

  __device__ void multiply(float (&d)[4], int step) {
    note(1, step);
    if (step < 0 || step >= steps) return;
    const int lane = static_cast<int>(threadIdx.x) % 32, K = steps * 16;
    const std::uint16_t* a_at = A + row() * K + step * 16 + lane % 4 * 2;
    const std::uint16_t* b_at = B + (col() + lane / 4) * K + step * 16 + lane % 4 * 2;
    std::uint32_t a[4], b[2];
    for (int reg = 0; reg < 4; ++reg)
      a[reg] = *reinterpret_cast<const std::uint32_t*>(a_at + reg % 2 * 8 * K + reg / 2 * 8);
    for (int reg = 0; reg < 2; ++reg)
      b[reg] = *reinterpret_cast<const std::uint32_t*>(b_at + reg * 8);
    ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d, a, b, d);
  }
  __device__ void store(int place, const float (&d)[4]) {
    note(2, place);
    for (int i = 0; i < 4; ++i) stored[i] = d[i];
    if (no_place(place)) return;
    workspace[place * kThreads + threadIdx.x] = make_float4(d[0], d[1], d[2], d[3]);
  }
  __device__ void fence() { note(3), __threadfence(); }
  __device__ void barrier() { note(4), __syncthreads(); }
  __device__ int count(int which) {
    const bool there = which >= 0 && which < kTiles;
    const int before = there ? atomicAdd(counters + which, 1) : -1;
    note(5, which, before);
    return before;
  }
  __device__ void tell(bool value) { note(6, 0, value), *last = value; }
  __device__ bool told() {
    const bool value = *last;
    note(7, 0, value);
    return value;
  }
  __device__ void add(float (&sums)[4], int place) {
    note(8, place);
    if (no_place(place)) return;
    const float4 d = workspace[place * kThreads + threadIdx.x];
    sums[0] += d.x, sums[1] += d.y, sums[2] += d.z, sums[3] += d.w;
  }
  __device__ void write(const float (&sums)[4]) {
    note(9), writes = true;
    for (int i = 0; i < 4; ++i) {
      written[i] = sums[i];
      D[(row() + i / 2 * 8) * kCols + col() + threadIdx.x % 4 * 2 + i % 2] = sums[i];
    }
  }
  __device__ void reset(int which) {
    const bool there = which >= 0 && which < kTiles;
    note(10, which);
    atomicOr(calls, 1 << (there ? which : kTiles));  // by whichever thread, unlike a note
    if (there) counters[which] = 0;
  }
};

__device__ void split([[maybe_unused]] Core& core, [[maybe_unused]] int tile,
                      [[maybe_unused]] int part, [[maybe_unused]] int parts,
                      [[maybe_unused]] int steps) {
  [[maybe_unused]] const int thread = static_cast<int>(threadIdx.x);
  [[maybe_unused]] float d[4] = {}, sums[4] = {};
  // ---- your code begins (about twelve lines) ----
  // ---- your code ends ----
}

#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

// `backwards`: the blocks of a tile come in the other order, where they come in the grid's.
__global__ void multiply(const std::uint16_t* A, const std::uint16_t* B, float* D,
                         float4* workspace, int* counters, int steps, int parts, bool backwards,
                         int* notes, int* calls, DeviceRecorder recorder) {
  __shared__ bool last;
  if (threadIdx.x == 0) last = false;
  __syncthreads();
  const int block = static_cast<int>(blockIdx.x), tile = block / parts;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int part = backwards ? parts - 1 - block % parts : block % parts;
  Core core{A,
            B,
            D,
            workspace,
            counters,
            &last,
            steps,
            parts,
            tile,
            notes + (block * 4 + warp) * kMostNotes * 3,
            calls + block * kKinds};
  split(core, tile, part, parts, steps);
  if (tile != 0 || warp != 0 || backwards) return;
  __syncwarp();
  RECORD(recorder, "D", MMA, core.stored);
  if (__any_sync(0xffffffff, core.writes)) RECORD(recorder, "D of all parts", MMA, core.written);
}

// check.cpp calls this. Two launches: the blocks of a tile forwards, and backwards. D of both; the
// workspace after both, 128 times four sums a place; and of both the notes: for every block of the
// grid 11 numbers, which counters were reset, a bit each, and how many threads called each kind;
// and its four warps' notes, what, which and a value, 100 each; -1 where there is none.
std::tuple<std::vector<float>, std::vector<float>, std::vector<int>> split_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int steps, int parts,
    const char* trace) {
  Recorder recorder(trace, "21_split_k");
  recorder.view("21 Split K, your exercise", {"fragments", "lanes", "memory"}, "D 0,0",
                "What each block of tile 0 stored, and what the last one wrote.");
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  DeviceArray<float4> workspace(std::size_t(kTiles) * parts * kThreads);
  DeviceArray<int> counters(std::vector<int>(kTiles, 0));
  std::vector<float> all_d, all_parts;
  std::vector<int> all_notes;
  for (const bool backwards : {false, true}) {
    const int blocks = kTiles * parts;
    DeviceArray<float> D(kRows * kCols);
    DeviceArray<int> notes(std::size_t(blocks) * 4 * kMostNotes * 3);
    DeviceArray<int> calls(std::vector<int>(std::size_t(blocks) * kKinds, 0));
    CUDA_CHECK(cudaMemset(workspace.data(), 0xff, workspace.size() * sizeof(float4)));
    multiply<<<blocks, kThreads>>>(device_a.data(), device_b.data(), D.data(), workspace.data(),
                                   counters.data(), steps, parts, backwards, notes.data(),
                                   calls.data(), recorder.launch("multiply", blocks, kThreads));
    for (const float number : D.get()) all_d.push_back(number);
    for (const float4& d : workspace.get())
      for (const float number : {d.x, d.y, d.z, d.w}) all_parts.push_back(number);
    const std::vector<int> of_calls = calls.get(), of_notes = notes.get();
    const std::size_t each = of_notes.size() / std::size_t(blocks);
    for (int block = 0; block < blocks; ++block) {
      const auto called = of_calls.begin() + block * kKinds;
      all_notes.insert(all_notes.end(), called, called + kKinds);
      const auto noted = of_notes.begin() + static_cast<std::ptrdiff_t>(each) * block;
      all_notes.insert(all_notes.end(), noted, noted + static_cast<std::ptrdiff_t>(each));
    }
  }
  return {all_d, all_parts, all_notes};
}
