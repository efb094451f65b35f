// SPDX-License-Identifier: MIT
// Lesson 17, tensor memory: on Blackwell D lies in no register. One thread starts the product, an
// mbarrier says when it is done, and every warp fetches what it wants of D, from its own quarter of
// the lanes. Where D lies for M 128 and M 64, in which forms it comes back, and a loop over K fed
// by TMA.
//
// Nobody has run this on a Blackwell here: it is what the PTX ISA says, as ptxas takes it and the
// emulator follows it.
//
//   By hand:  nvcc -gencode arch=compute_100a,code=sm_100a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.16: .1 to .4 (tensor memory, descriptors), .8 (ld, st), .10 (mma).
//   Arch:     sm_100a
//   Steps:    kernel=multiply,launch=2
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "problem.cuh"
#include "ptx/tcgen05.cuh"
#include "ptx/tma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- 1. Where does D lie? -----------------------------------------------------------------------

// As in lesson 09: A[m][0] = m, A[m][1] = 1, B[0][n] = 100, B[1][n] = n and zeros, so that D[m][n]
// = 100*m + n is its own name. In blocks of 8 x 8 elements, as there.
constexpr int kN = 16, kK = 16, kBlock = 64, kBytes = 2;
__device__ int place(int mn, int k) {
  return mn / 8 * 2 * kBlock + k / 8 * kBlock + mn % 8 * 8 + k % 8;
}
__device__ uint16_t f16(int number) { return static_cast<uint16_t>(F16::encode(number)); }

struct Tiles {
  alignas(128) uint16_t a[128 * kK], b[kN * kK];

  __device__ void fill() {
    for (int i = static_cast<int>(threadIdx.x); i < 128 * kK; i += 128)
      a[place(i / kK, i % kK)] = f16(i % kK == 0 ? i / kK : i % kK == 1 ? 1 : 0);
    for (int i = static_cast<int>(threadIdx.x); i < kN * kK; i += 128)
      b[place(i / kK, i % kK)] = f16(i % kK == 0 ? 100 : i % kK == 1 ? i / kK : 0);
    ptx::fence_proxy_async_shared_cta();  // tcgen05 reads by another path, as wgmma does
  }
  __device__ uint64_t describe(const uint16_t* matrix) const {  // 001 in it, else as wgmma's
    return ptx::tcgen05_matrix_descriptor(matrix, kBlock * kBytes, 2 * kBlock * kBytes, 0);
  }
};

// The instruction: where D lies in tensor memory, A and B in shared memory, what is multiplied, and
// whether D's old sums count. One thread says it. The other instructions: ptx/tcgen05.cuh.
__device__ void start_product(uint32_t d, uint64_t a, uint64_t b, uint32_t instruction, int add) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %4, 0; "
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, adds; }" ::"r"(d),
      "l"(a), "l"(b), "r"(instruction), "r"(add)
      : "memory");
}

#define RESULT(M) "tcgen05.mma.cta_group::1.m" #M "n16.f32"  // as the atlas calls it
#define WGMMA "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16"

// out: of every thread the 16 registers that .32x32b.x16 brings, then the eight of .16x256b.x2.
template <int kM>
__global__ void ask(float* out, uint32_t* address, DeviceRecorder recorder) {
  using namespace ptx;
  __shared__ Tiles tiles;
  __shared__ uint32_t base;               // what alloc answers: the address of our columns
  __shared__ __align__(8) uint64_t done;  // counts one arrival: the tensor core's
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  tiles.fill();
  if (thread == 0) mbarrier_init_shared_b64(&done, 1), fence_mbarrier_init_release_cluster();
  if (warp == 0) tcgen05_alloc_cta_group_1_sync_aligned_shared_cta_b32(&base, 32);
  tcgen05_fence_before_thread_sync();
  __syncthreads();
  tcgen05_fence_after_thread_sync();
  // A warp reaches its own 32 lanes, and the high half of an address is the lane.
  const uint32_t mine = base + (static_cast<uint32_t>(warp * 32) << 16);
  float d[16], as_mma[8];
  for (float& sum : d) sum = -1;  // so that one sees where D is not
  tcgen05_st_sync_aligned_32x32b_x16_b32(mine, d);
  tcgen05_wait_st_sync_aligned();
  tcgen05_fence_before_thread_sync();
  __syncthreads();

  if (thread == 0) {
    tcgen05_fence_after_thread_sync();
    start_product(base, tiles.describe(tiles.a), tiles.describe(tiles.b),
                  tcgen05_instruction_f32_f16_f16(kM, kN), 0);
    tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(&done);
  }
  mbarrier_wait_parity(&done, 0);  // all wait: the product is done ...
  tcgen05_fence_after_thread_sync();
  tcgen05_ld_sync_aligned_32x32b_x16_b32(d, mine);
  tcgen05_ld_sync_aligned_16x256b_x2_b32(as_mma, mine);
  tcgen05_wait_ld_sync_aligned();  // ... and what was fetched is in the registers
  settle(d), settle(as_mma);
  if constexpr (kM == 128) RECORD_WARPGROUP(recorder, "D", RESULT(128), d);
  if constexpr (kM == 64) RECORD_WARPGROUP(recorder, "D", RESULT(64), d);
  if constexpr (kM == 64) RECORD_WARPGROUP(recorder, "D by 16x256b", WGMMA, as_mma);
  for (int i = 0; i < 24; ++i) out[thread * 24 + i] = i < 16 ? d[i] : as_mma[i - 16];
  if (thread == 0) *address = base;
  tcgen05_fence_before_thread_sync(), __syncthreads(), tcgen05_fence_after_thread_sync();
  if (warp == 0) tcgen05_dealloc_cta_group_1_sync_aligned_b32(base, 32);
}

template <int kM>
bool show_lanes(Recorder& recorder) {
  DeviceArray<float> out(128 * 24);
  DeviceArray<uint32_t> address(1);
  ask<kM><<<1, 128>>>(out.data(), address.data(), recorder.launch("ask", 1, 128));
  return print_lanes(kM, kN, ptx::tcgen05_instruction_f32_f16_f16(kM, kN), address.get()[0],
                     out.get());
}

// ---- 2. A loop over K ---------------------------------------------------------------------------

// A CTA has a tile of 128 x 32 of D. Warps 0 to 3 fetch it at the end; meanwhile one thread of warp
// 4 loads (lesson 12) and one of warp 5 multiplies. The commit behind a stage's products is also
// what tells the loader that the stage is free.
constexpr int kTileM = 128, kTileN = 32, kTileK = 64, kStages = 2;
constexpr int kStageBytes = (kTileM + kTileN) * kTileK * kBytes;

__global__ void multiply(const __grid_constant__ CUtensorMap map_a,
                         const __grid_constant__ CUtensorMap map_b, float* D, int M, int N, int K) {
  using namespace ptx;
  __shared__ __align__(1024) uint16_t a[kStages][kTileM * kTileK], b[kStages][kTileN * kTileK];
  __shared__ __align__(8) uint64_t full[kStages], empty[kStages], done;
  __shared__ uint32_t base;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  const int first_row = static_cast<int>(blockIdx.y) * kTileM, steps = (K + kTileK - 1) / kTileK;
  const int first_col = static_cast<int>(blockIdx.x) * kTileN;
  if (thread == 0) {
    for (int s = 0; s < kStages; ++s)
      mbarrier_init_shared_b64(&full[s], 1), mbarrier_init_shared_b64(&empty[s], 1);
    mbarrier_init_shared_b64(&done, 1), fence_mbarrier_init_release_cluster();
  }
  if (warp == 0) tcgen05_alloc_cta_group_1_sync_aligned_shared_cta_b32(&base, kTileN);
  tcgen05_fence_before_thread_sync();
  __syncthreads();
  tcgen05_fence_after_thread_sync();

  if (thread == 128) {
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages, parity = step / kStages % 2;
      mbarrier_wait_parity(&empty[stage], parity ^ 1);
      mbarrier_arrive_expect_tx_shared_b64(&full[stage], kStageBytes);
      cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
          a[stage], &map_a, step * kTileK, first_row, &full[stage]);
      cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
          b[stage], &map_b, step * kTileK, first_col, &full[stage]);
    }
  } else if (thread == 160) {
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages, parity = step / kStages % 2;
      mbarrier_wait_parity(&full[stage], parity);
      tcgen05_fence_after_thread_sync();
      for (int k = 0; k < kTileK; k += 16)  // within the 128 bytes of a swizzled row (lesson 10)
        start_product(base, tcgen05_matrix_descriptor(a[stage] + k, 16, 1024, 2),
                      tcgen05_matrix_descriptor(b[stage] + k, 16, 1024, 2),
                      tcgen05_instruction_f32_f16_f16(kTileM, kTileN), step + k != 0);
      tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(&empty[stage]);
    }
    tcgen05_commit_cta_group_1_mbarrier_arrive_one_shared_cluster_b64(&done);
  } else if (thread < 128) {
    mbarrier_wait_parity(&done, 0);
    tcgen05_fence_after_thread_sync();
    float d[kTileN / 16][16];
    for (int part = 0; part < kTileN / 16; ++part)
      tcgen05_ld_sync_aligned_32x32b_x16_b32(
          d[part], base + (static_cast<uint32_t>(warp * 32) << 16) + part * 16);
    tcgen05_wait_ld_sync_aligned();
    for (auto& part : d) settle(part);
    for (int i = 0; i < kTileN; ++i)
      if (first_row + thread < M && first_col + i < N)
        D[(first_row + thread) * N + first_col + i] = d[i / 16][i % 16];
    tcgen05_fence_before_thread_sync();
  }
  __syncthreads(), tcgen05_fence_after_thread_sync();  // everybody has read
  if (warp == 0) tcgen05_dealloc_cta_group_1_sync_aligned_b32(base, kTileN);
}

bool show_product(const Problem& p, Recorder& recorder) {
  DeviceArray<uint16_t> a(p.A), b(p.B);
  DeviceArray<float> D(static_cast<size_t>(p.M * p.N));
  const dim3 tiles = p.tiles(kTileM, kTileN);
  recorder.launch("multiply", tiles, 192);
  multiply<<<tiles, 192>>>(tiles_of(a.data(), p.M, p.K, kTileM, kTileK),
                           tiles_of(b.data(), p.N, p.K, kTileN, kTileK), D.data(), p.M, p.N, p.K);
  return print_product(p, D.get());
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "17_tensor_memory");
  recorder.view("17 Tensor memory", {"fragments", "lanes"}, "D 41,9",
                "D[41][9] is 4109: it lies in lane 41 of tensor memory, column 9, and warp 1 "
                "fetches it. Specified by the PTX ISA; no card has shown it here.");
  const ThisDevice device = introduce("Tensor memory");
  if (device.arch != "sm_100a")
    return device.lacks("tensor memory is sm_100a's, a Blackwell's", 17, "sm_100a");
  bool good = show_lanes<128>(recorder);
  good = show_lanes<64>(recorder) && good;
  print_head_of_products();
  for (const Problem& problem :
       {Problem(128, 32, 192), Problem(128, 32, 16), Problem(100, 40, 72), Problem(300, 96, 200)})
    good = show_product(problem, recorder) && good;
  device.print_proof(good, "Blackwell");
  return recorder.write() && good ? 0 : 1;
}
