// SPDX-License-Identifier: MIT
// What does a tensor copy do to its elements? Formats that are narrower than their 32 bits
// (TFLOAT32) or without subnormals (FTZ), there and back, as sums in global memory, and what stands
// outside of the tensor when it is to be NaN (OOB_FILL_NAN_REQUEST_ZERO_FMA). Bits only, to be
// compared with diff.
//
// CUDA Driver API, cuTensorMapEncodeTiled; PTX ISA 9.2, 5.5. The answer is
// docs/experiments/tensor_formats.md.
#include "../tensor_map.cuh"
#include "ptx/tma.cuh"

constexpr int kWords = 32;

const std::vector<unsigned> kPatterns = {
    0x3f800000, 0x3f800fff, 0x3f801000, 0x3f801001, 0x3f802fff, 0x3f803000, 0xbf801000, 0xbf803000,
    0x7f7fefff, 0x7f7ff000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc12345,
    0x7fffffff, 0xffffffff, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000fff, 0x00001000,
    0x00001001, 0x00003000, 0x007fefff, 0x007ff000, 0x807fffff, 0x00800000, 0x00801000, 0x11111111};

// Sums with 0, of subnormals with each other and with normal numbers, subnormal ones of normal
// numbers; and what fits into 10 bits of mantissa only rounded.
const std::vector<unsigned> kAddends = {
    0x00000000, 0x00000000, 0x00000000, 0x3a000000, 0x00000001, 0x00000fff, 0x80000001, 0x3f803000,
    0x73000000, 0x72800000, 0x7f7fffff, 0xff7fffff, 0xff800000, 0x3f800000, 0x3f800000, 0x00000001,
    0x00000001, 0x00000001, 0x00000001, 0x80000001, 0x00000001, 0x80000001, 0x3f800000, 0x00800000,
    0x80800000, 0x80800001, 0x00000001, 0x00800000, 0x80000001, 0x80800001, 0x80800000, 0x00000000};

__device__ void load(const CUtensorMap* map, unsigned* box, std::uint64_t* barrier, int row) {
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx_shared_b64(barrier, kWords * 4);
    ptx::cp_async_bulk_tensor_2d_shared_cluster_global_tile_mbarrier_complete_tx_bytes(
        box, map, 0, row, barrier);
  }
  while (!ptx::mbarrier_try_wait_parity_shared_b64(barrier, 0)) {
  }
}

__global__ void in(const __grid_constant__ CUtensorMap map, int row, unsigned* seen) {
  __shared__ __align__(128) unsigned box[kWords];
  __shared__ __align__(8) std::uint64_t barrier;
  box[threadIdx.x] = 0xa5a5a5a5;
  load(&map, box, &barrier, row);
  seen[threadIdx.x] = box[threadIdx.x];
}

template <bool kAdds>
__global__ void out(const __grid_constant__ CUtensorMap map, const unsigned* patterns) {
  __shared__ __align__(128) unsigned box[kWords];
  box[threadIdx.x] = patterns[threadIdx.x];
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x != 0) return;
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(box));
  if (kAdds)
    asm volatile(
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %1}], "
        "[%2];" ::"l"(&map),
        "r"(0), "r"(from)
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %1}], [%2];" ::"l"(
            &map),
        "r"(0), "r"(from)
        : "memory");
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

void show(const char* what, const std::vector<unsigned>& words) {
  std::printf("%s:", what);
  for (const unsigned word : words) std::printf(" %08x", word);
  std::printf("\n");
}

int main() {
  const struct {
    const char* name;
    CUtensorMapDataType type;
    std::uint32_t bytes;
  } kTypes[] = {{"FLOAT16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2},
                {"BFLOAT16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2},
                {"FLOAT32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4},
                {"FLOAT32_FTZ", CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, 4},
                {"TFLOAT32", CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4},
                {"TFLOAT32_FTZ", CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, 4},
                {"FLOAT64", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8}};
  unsigned* patterns = to_device(kPatterns);
  unsigned* addends = to_device(kAddends);
  show("patterns", kPatterns);
  show("addends", kAddends);
  for (const auto& type : kTypes) {
    unsigned* tensor = to_device(kPatterns);
    const std::uint64_t size[2] = {kWords * 4 / type.bytes, 1}, stride[1] = {kWords * 4};
    const std::uint32_t box[2] = {kWords * 4 / type.bytes, 1}, step[2] = {1, 1};
    CUtensorMap map;
    if (tensor_map_encoder()(&map, type.type, 2, tensor, size, stride, box, step,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA) != CUDA_SUCCESS) {
      std::printf("%s refused\n", type.name);
      continue;
    }
    unsigned* seen = to_device(std::vector<unsigned>(kWords));
    for (const int row : {0, 1}) {
      in<<<1, kWords>>>(map, row, seen);
      CHECK(cudaDeviceSynchronize());
      std::printf("%s ", type.name);
      show(row == 0 ? "loaded" : "outside", from_device(seen, kWords));
    }
    out<false><<<1, kWords>>>(map, patterns);
    CHECK(cudaDeviceSynchronize());
    std::printf("%s ", type.name);
    show("stored", from_device(tensor, kWords));
    out<true><<<1, kWords>>>(map, addends);
    CHECK(cudaDeviceSynchronize());
    std::printf("%s ", type.name);
    show("summed", from_device(tensor, kWords));
  }
}
