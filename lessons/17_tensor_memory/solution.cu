// SPDX-License-Identifier: MIT
// Exercise 17: a product whose sums lie in tensor memory, from its start to the registers.
//
// D, 128 x 32, is A times B; a step is 16 of K. A and B lie in shared memory. The address of D's 32
// columns of tensor memory is tmem: what alloc answered, not 0. They hold NaN. Four warps run your
// code, and thread t shall have row t of D at the end: d[0] its columns 0 to 15, d[1] 16 to 31. You
// have
//
//     core.multiply(address, step, instruction, add)
//                                  starts a step, 0 to steps - 1: D = A*B with add 0, else A*B + D.
//                                  Each thread that calls it starts one
//     core.commit()                one arrival at the mbarrier when all that this thread has
//                                  started is done
//     core.wait()                  waits for that arrival, the only one there may be: every thread
//                                  that loads calls it
//     core.fence()                 tcgen05.fence::after_thread_sync, the same
//     core.load(d, part, address)  tcgen05.ld.32x32b.x16 into d[part]: 16 columns, and of the
//                                  lanes the 32 of this warp; its whole warp calls it
//     core.wait_load()             tcgen05.wait::ld
//     core.dealloc(address)        gives the columns back: one warp, when all have read
//
// An address has the lane in its high half, the column in its low half. The instruction descriptor:
// D f32 is 1 in bits 4 and 5, A and B f16 are 0; N / 8 is in bits 17 to 22, M / 16 in 24 to 28.
//
// Fill the gap in product, then:  ./learn check 17
// Everything outside the gap is there already and stays as it is.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "device_array.cuh"
#include "ptx/tcgen05.cuh"
#include "ptx/tma.cuh"
#include "record.cuh"

constexpr int kM = 128, kN = 32, kMostSteps = 8, kMostNotes = 8192;

// What you have. Every call is noted, for the check; first it is only noted (`real` is false).
struct Core {
  const std::uint16_t *a, *b;  // in shared memory: blocks of 8 x 8 elements
  std::uint64_t* done;
  int steps;
  bool real;
  int* notes;  // how many, then six words each

  __device__ void note(int what, std::uint32_t address = 0, int which = 0, int add = 0,
                       std::uint32_t instruction = 0) {
    const int at = atomicAdd(notes, 1);
    if (at >= kMostNotes) return;
    const int words[6] = {
        static_cast<int>(threadIdx.x), what, static_cast<int>(address), which, add,
        static_cast<int>(instruction)};
    for (int i = 0; i < 6; ++i) notes[1 + at * 6 + i] = words[i];
  }
  __device__ void multiply(std::uint32_t address, int step, std::uint32_t instruction, int add) {
    note(1, address, step, add != 0, instruction);
    if (real)
      ptx::tcgen05_mma_cta_group_1_kind_f16(
          address, ptx::tcgen05_matrix_descriptor(a + step * kM * 16, 128, 256, 0),
          ptx::tcgen05_matrix_descriptor(b + step * kN * 16, 128, 256, 0), instruction, add);
  }
  __device__ void commit() {
    note(2);
    if (real) ptx::tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(done);
  }
  __device__ void wait() {
    note(3);
    if (real) ptx::mbarrier_wait_parity(done, 0);
  }
  __device__ void fence() {
    note(4);
    if (real) ptx::tcgen05_fence_after_thread_sync();
  }
  __device__ void load(float (&d)[2][16], int part, std::uint32_t address) {
    note(5, address, part);
    if (real && part == 0) ptx::tcgen05_ld_sync_aligned_32x32b_x16_b32(d[0], address);
    if (real && part == 1) ptx::tcgen05_ld_sync_aligned_32x32b_x16_b32(d[1], address);
  }
  __device__ void wait_load() {
    // With one step warp 0 is late, with two warp 1, and so on: whoever gives the columns back has
    // to wait for all, not to be the last by luck.
    const bool late = !real && static_cast<int>(threadIdx.x) / 32 == steps - 1;
    for (int turn = 0; late && turn < 8; ++turn) __nanosleep(1000);
    note(6);
    if (real) ptx::tcgen05_wait_ld_sync_aligned(), ptx::tcgen05_fence_before_thread_sync();
  }
  __device__ void dealloc(std::uint32_t address) {
    note(7, address);
    if (real) ptx::tcgen05_fence_after_thread_sync();
    if (real) ptx::tcgen05_dealloc_cta_group_1_sync_aligned_b32(address, kN);
  }
};

__device__ void product([[maybe_unused]] float (&d)[2][16], [[maybe_unused]] std::uint32_t tmem,
                        [[maybe_unused]] int steps, [[maybe_unused]] Core& core) {
  // ---- your code begins (about twelve lines) ----
  const std::uint32_t instruction = 1u << 4 | kN / 8 << 17 | kM / 16 << 24;
  if (threadIdx.x == 0) {
    for (int step = 0; step < steps; ++step) core.multiply(tmem, step, instruction, step != 0);
    core.commit();
  }
  core.wait();
  core.fence();
  const std::uint32_t mine = tmem + (threadIdx.x / 32 * 32 << 16);
  core.load(d, 0, mine);
  core.load(d, 1, mine + 16);
  core.wait_load();
  __syncthreads();
  if (threadIdx.x < 32) core.dealloc(tmem);
  // ---- your code ends ----
}

__global__ void multiply(const std::uint16_t* A, const std::uint16_t* B, int steps, bool real,
                         float* D, int* notes, DeviceRecorder recorder) {
  using namespace ptx;
  __shared__ __align__(128) std::uint16_t a[kM * 16 * kMostSteps], b[kN * 16 * kMostSteps];
  __shared__ __align__(8) std::uint64_t done;
  __shared__ std::uint32_t tmem[2];  // of columns for nobody, so that yours do not begin at 0
  const int thread = static_cast<int>(threadIdx.x), K = steps * 16;
  const auto place = [K](int i, int rows) {  // of element i: steps, blocks, rows of a block
    const int mn = i / K, k = i % K;
    return k / 16 * rows * 16 + mn / 8 * 128 + k % 16 / 8 * 64 + mn % 8 * 8 + k % 8;
  };
  for (int i = thread; i < kM * K; i += 128) a[place(i, kM)] = A[i];
  for (int i = thread; i < kN * K; i += 128) b[place(i, kN)] = B[i];
  fence_proxy_async_shared_cta();
  if (thread == 0) mbarrier_init_shared_b64(&done, 1), fence_mbarrier_init_release_cluster();
  __syncwarp();
  if (real && thread < 32)
    for (std::uint32_t& answer : tmem)
      tcgen05_alloc_cta_group_1_sync_aligned_shared_cta_b32(&answer, kN);
  if (!real && thread == 0) tmem[0] = 0, tmem[1] = kN;
  tcgen05_fence_before_thread_sync();
  __syncthreads();
  tcgen05_fence_after_thread_sync();
  float d[2][16];
  for (auto& part : d)
    for (float& sum : part) sum = __int_as_float(0x7fffffff);
  if (real)
    for (int part = 0; part < 2; ++part)
      tcgen05_st_sync_aligned_32x32b_x16_b32(
          tmem[1] + (static_cast<std::uint32_t>(thread / 32 * 32) << 16) + part * 16, d[part]);
  tcgen05_wait_st_sync_aligned();
  tcgen05_fence_before_thread_sync();
  __syncthreads();
  tcgen05_fence_after_thread_sync();

  Core core{a, b, &done, steps, real, notes};
  product(d, tmem[1], steps, core);
  // Another barrier than yours: a __syncthreads() of one warp alone is not completed by this one.
  asm volatile("bar.sync 1, 128;" ::: "memory");
  settle(d[0]), settle(d[1]);
  RECORD_WARPGROUP(recorder, "D", "tcgen05.mma.cta_group::1.m128n16.f32", d[0]);
  RECORD_WARPGROUP(recorder, "D right", "tcgen05.mma.cta_group::1.m128n16.f32", d[1]);
  for (int i = 0; i < kN; ++i) D[thread * kN + i] = d[i / 16][i % 16];
  if (real && thread < 32) tcgen05_dealloc_cta_group_1_sync_aligned_b32(tmem[0], kN);
}

// check.cpp calls this, first with `real` false: of every call six words in the order of the calls:
// thread, which (1 multiply, 2 commit, 3 wait, 4 fence, 5 load, 6 wait_load, 7 dealloc), address,
// step or part, add, instruction. tmem is 32 then.
std::pair<std::vector<float>, std::vector<int>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int steps, bool real,
    const char* trace) {
  Recorder recorder(real ? trace : nullptr, "17_tensor_memory");
  recorder.view("17 Tensor memory, your exercise", {"fragments", "lanes"}, "D 0,0",
                "Row t of D is thread t's; the next product: columns 16 to 31.");
  DeviceArray<std::uint16_t> device_a(A), device_b(B);
  DeviceArray<float> D(kM * kN);
  DeviceArray<int> notes(std::vector<int>(1 + 6 * kMostNotes, 0));
  multiply<<<1, 128>>>(device_a.data(), device_b.data(), steps, real, D.data(), notes.data(),
                       recorder.launch("multiply", 1, 128));
  std::vector<int> words = notes.get();
  words.resize(static_cast<std::size_t>(1 + 6 * std::min(words[0], kMostNotes)));
  words.erase(words.begin());
  return {D.get(), words};
}
