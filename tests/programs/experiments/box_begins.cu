// SPDX-License-Identifier: MIT
// At which coordinates may a box begin, for elements of 1, 2, 4 and 8 bytes and 1 to 5 dimensions?
// Each copy is checked byte by byte. What a card refuses ends the program, so ask for it alone:
//
//     box_begins load:2:3:8,3,1 store:4:2:4,3 ...    way:bytes of an element:dimensions:coordinates
//
// The tensor has 512 bytes x 16 x 8 x 8 x 8, the box 32 bytes x 4 x 2 x 2 x 2 of them.
// Source: PTX ISA 9.2, 5.5; it names no condition. The answer is docs/experiments/coordinates.md.
#include <cstring>
#include <string>

#include "../tensor_map.cuh"
#include "ptx/tma.cuh"

enum Way { kLoad, kStore, kAdd };

struct Question {
  Way way;
  int bytes, rank;
  int at[5];
};

constexpr int kSizes[5] = {512, 16, 8, 8, 8};  // the first one in bytes
constexpr int kBox[5] = {32, 4, 2, 2, 2};
constexpr int kMostBytes = 32 * 4 * 2 * 2 * 2;

#define AT_1 "r"(q.at[0])
#define AT_2 AT_1, "r"(q.at[1])
#define AT_3 AT_2, "r"(q.at[2])
#define AT_4 AT_3, "r"(q.at[3])
#define AT_5 AT_4, "r"(q.at[4])
#define LOAD(dims, coordinates)                                                    \
  if (q.rank == dims)                                                              \
  asm volatile("cp.async.bulk.tensor." #dims                                       \
               "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], " \
               "[%1, " coordinates "], [%2];" ::"r"(ptx::shared_address(box)),     \
               "l"(map), "r"(ptx::shared_address(barrier)), AT_##dims              \
               : "memory")
#define STORE(dims, instruction, coordinates)                                              \
  if (q.rank == dims)                                                                      \
  asm volatile(instruction "[%1, " coordinates "], [%0];" ::"r"(ptx::shared_address(box)), \
               "l"(map), AT_##dims                                                         \
               : "memory")

__device__ void load(void* box, const CUtensorMap* map, const Question& q, std::uint64_t* barrier) {
  LOAD(1, "{%3}");
  LOAD(2, "{%3, %4}");
  LOAD(3, "{%3, %4, %5}");
  LOAD(4, "{%3, %4, %5, %6}");
  LOAD(5, "{%3, %4, %5, %6, %7}");
}

__device__ void store(const void* box, const CUtensorMap* map, const Question& q) {
  STORE(1, "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group ", "{%2}");
  STORE(2, "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group ", "{%2, %3}");
  STORE(3, "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group ", "{%2, %3, %4}");
  STORE(4, "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group ", "{%2, %3, %4, %5}");
  STORE(5, "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group ", "{%2, %3, %4, %5, %6}");
}

__device__ void add(const void* box, const CUtensorMap* map, const Question& q) {
  STORE(2, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group ", "{%2, %3}");
  STORE(3, "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group ",
        "{%2, %3, %4}");
}

int box_bytes(int rank) {
  int bytes = 1;
  for (int d = 0; d < rank; ++d) bytes *= kBox[d];
  return bytes;
}
/// The bytes of the box that a store sends; no carry when elements of any size are added up.
__host__ __device__ unsigned char sent(int i) { return static_cast<unsigned char>(1 + i % 50); }

__global__ void copy(const __grid_constant__ CUtensorMap map, Question q, int bytes,
                     unsigned char* seen) {
  __shared__ __align__(1024) unsigned char box[kMostBytes];
  __shared__ __align__(8) std::uint64_t barrier;
  for (int i = static_cast<int>(threadIdx.x); i < bytes; i += 32) box[i] = sent(i);
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (q.way == kLoad) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, static_cast<std::uint32_t>(bytes));
      load(box, &map, q, &barrier);
    }
    ptx::mbarrier_wait_parity(&barrier, 0);
  } else if (threadIdx.x == 0) {
    if (q.way == kStore)
      store(box, &map, q);
    else
      add(box, &map, q);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group<0>();
  }
  __syncwarp();
  for (int i = static_cast<int>(threadIdx.x); i < bytes; i += 32) seen[i] = box[i];
}

/// The byte of the tensor where byte i of the box belongs; -1: outside.
int place_of(const Question& q, int i) {
  int place = 0, stride = 1;
  for (int d = 0; d < q.rank; ++d) {
    const int at = q.at[d] * (d == 0 ? q.bytes : 1) + i % kBox[d];
    if (at < 0 || at >= kSizes[d]) return -1;
    place += at * stride;
    stride *= kSizes[d];
    i /= kBox[d];
  }
  return place;
}

CUtensorMap map_of(const Question& q, void* tensor) {
  static const CUtensorMapDataType types[] = {
      CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
      CU_TENSOR_MAP_DATA_TYPE_UINT64};
  std::uint64_t sizes[5], strides[5], bytes = 1;
  std::uint32_t box[5], steps[5] = {1, 1, 1, 1, 1};
  for (int d = 0; d < 5; ++d) {
    sizes[d] = static_cast<std::uint64_t>(kSizes[d]) / (d == 0 ? q.bytes : 1);
    box[d] = static_cast<std::uint32_t>(kBox[d] / (d == 0 ? q.bytes : 1));
    strides[d] = bytes *= static_cast<std::uint64_t>(kSizes[d]);
  }
  CUtensorMap map;
  const int type = q.bytes == 8 ? 3 : q.bytes / 2;
  if (tensor_map_encoder()(&map, types[type], static_cast<std::uint32_t>(q.rank), tensor, sizes,
                           strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    std::printf("no such tensor map\n");
    std::exit(1);
  }
  return map;
}

/// False when the card refused: nothing works after that.
bool ask(const Question& q) {
  int total = 1;
  for (int d = 0; d < q.rank; ++d) total *= kSizes[d];
  std::vector<unsigned char> tensor(static_cast<std::size_t>(total));
  for (int i = 0; i < total; ++i)
    tensor[static_cast<std::size_t>(i)] = static_cast<unsigned char>(51 + (i + i / 512 * 3) % 120);
  unsigned char* device = to_device(tensor);
  const int bytes = box_bytes(q.rank);
  unsigned char* seen = to_device(std::vector<unsigned char>(static_cast<std::size_t>(bytes)));
  copy<<<1, 32>>>(map_of(q, device), q, bytes, seen);
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf(" %s\n", cudaGetErrorString(error));
    return false;
  }
  const std::vector<unsigned char> box = from_device(seen, bytes), now = from_device(device, total);
  std::vector<unsigned char> expected = tensor;
  int inside = 0, wrong = 0;
  for (int i = 0; i < bytes; ++i) {
    const int place = place_of(q, i);
    inside += place >= 0;
    const auto at = static_cast<std::size_t>(place);
    if (q.way == kLoad)
      wrong += box[static_cast<std::size_t>(i)] != (place < 0 ? 0 : tensor[at]);
    else if (place >= 0)
      expected[at] = static_cast<unsigned char>(sent(i) + (q.way == kAdd ? tensor[at] : 0));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) wrong += now[i] != expected[i];
  std::printf(" runs, %d of %d bytes inside, %d wrong\n", inside, bytes, wrong);
  CHECK(cudaFree(device));
  CHECK(cudaFree(seen));
  return true;
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    char way[8];
    Question q{};
    const int read = std::sscanf(argv[i], "%7[a-z]:%d:%d:%d,%d,%d,%d,%d", way, &q.bytes, &q.rank,
                                 &q.at[0], &q.at[1], &q.at[2], &q.at[3], &q.at[4]);
    if (read < 4 || read - 3 != q.rank) return 2;
    q.way = std::strcmp(way, "load") == 0 ? kLoad : std::strcmp(way, "store") == 0 ? kStore : kAdd;
    std::printf("%s", argv[i]);
    if (!ask(q)) return 0;
  }
}
