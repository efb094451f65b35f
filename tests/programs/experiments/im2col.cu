// SPDX-License-Identifier: MIT
// Tensor copies in im2col mode, answered pixel by pixel: which pixels of the tensor come in which
// order, for bounding boxes, offsets, strides and places to begin, inside and outside of the
// tensor; where they lie with a swizzle; which pixels a store writes; which tensor maps the driver
// refuses.
//
//     tensor [N][D][H][W][C]: pixels of C channels; an element's value is its number + 1, 0 is
//     outside
//
// im2col/*.cuh have the questions and how an answer is shown.
//
// PTX ISA 9.2, 5.5.4; driver API, cuTensorMapEncodeIm2col. The answer is
// docs/experiments/im2col.md.

#include "im2col/answer.cuh"
#include "im2col/chosen.cuh"
#include "im2col/maps.cuh"
#include "im2col/random.cuh"
#include "one_by_one.cuh"
#include "ptx/mbarrier.cuh"
#include "ptx/tma.cuh"

constexpr int kMostBytes = 16384, kLooks = 2000;

// The box is filled with 0xff before a load, with its elements' numbers before a store.
__global__ void copy(const __grid_constant__ CUtensorMap map, TensorCopy q, int expected,
                     unsigned char* seen, int* completes) {
  extern __shared__ __align__(1024) unsigned char box[];
  __shared__ __align__(8) std::uint64_t barrier;
  for (int i = static_cast<int>(threadIdx.x); i < kMostBytes; i += 32)
    box[i] =
        is_load(q.way) ? 0xff : static_cast<unsigned char>((1 + i / q.bytes) >> (i % q.bytes * 8));
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  int complete = 0;
  if (threadIdx.x == 0) {
    if (is_load(q.way)) ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, expected);
    start(q, &map, ptx::shared_address(box), ptx::shared_address(&barrier));
  }
  if (is_load(q.way)) {
    for (int look = 0; look < kLooks && !complete; ++look) {
      complete = ptx::mbarrier_test_wait_parity_shared_b64(&barrier, 0);
      __nanosleep(500);
    }
  } else if (threadIdx.x == 0) {
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group<0>();
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kMostBytes; i += 32) seen[i] = box[i];
  if (threadIdx.x == 0) *completes = complete;
}

/// False when the card refused: nothing works after that.
bool ask(const Question& q) {
  print(q);
  int elements = 1;
  for (int d = 0; d < q.rank; ++d) elements *= q.size[static_cast<std::size_t>(d)];
  std::vector<unsigned char> tensor(static_cast<std::size_t>(elements * q.bytes));
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor[i] = static_cast<unsigned char>((1 + i / static_cast<std::size_t>(q.bytes)) >>
                                           (i % static_cast<std::size_t>(q.bytes) * 8));
  unsigned char* device = to_device(tensor);
  unsigned char* seen = to_device(std::vector<unsigned char>(kMostBytes));
  int* completes = to_device(std::vector<int>(1));
  CUtensorMap map;
  if (const CUresult error = make(q, device, map); error != CUDA_SUCCESS) {
    std::printf(" no map, %d\n", static_cast<int>(error));
    return true;
  }
  TensorCopy kernel{q.way, q.rank, q.bytes, {}, {}};
  for (std::size_t d = 0; d < 5; ++d) kernel.at[d] = q.at[d];
  for (std::size_t d = 0; d < 3; ++d) kernel.offset[d] = static_cast<unsigned short>(q.offset[d]);
  copy<<<1, 32, kMostBytes>>>(map, kernel, q.pixels * q.channels * q.bytes, seen, completes);
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf(" %s\n", cudaGetErrorString(error));
    return false;
  }
  if (is_load(q.way)) {
    if (from_device(completes, 1)[0] == 0) std::printf(" never complete:");
    show_load(q, from_device(seen, kMostBytes));
  } else {
    show_store(q, from_device(device, tensor.size()), elements);
  }
  std::printf("\n");
  CHECK(cudaFree(device));
  CHECK(cudaFree(seen));
  CHECK(cudaFree(completes));
  return true;
}

int main(int argc, char** argv) {
  std::vector<Question> all;
  ask_random(all);
  ask_chosen(all);
  const int last = static_cast<int>(all.size());
  return ask_one_by_one(argc, argv, last + 1, [&](int k) {
    if (k < last) return ask(all[static_cast<std::size_t>(k)]);
    tell_maps();
    return true;
  });
}
