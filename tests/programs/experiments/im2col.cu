// SPDX-License-Identifier: MIT
// Tensor copies in im2col mode, answered pixel by pixel: which pixels of the tensor come in which
// order, for bounding boxes, offsets, strides and places to begin, inside and outside of the
// tensor; where they lie with a swizzle; which pixels a store writes; which tensor maps the driver
// refuses.
//
//     tensor [N][D][H][W][C]: pixels of C channels; an element's value is its number + 1, 0 is
//     outside
//
// PTX ISA 9.2, 5.5.4; driver API, cuTensorMapEncodeIm2col. The answer is
// docs/experiments/im2col.md.
#include <algorithm>
#include <array>
#include <string>

#include "../tensor_map.cuh"
#include "one_by_one.cuh"
#include "ptx/tma.cuh"

constexpr int kMostBytes = 16384, kLooks = 2000;

enum Way { kLoad, kStore, kAdd, kTileLoad, kTileStore };
struct Question {
  Way way = kLoad;
  int rank = 3;
  int bytes = 4;                           // of an element
  std::array<int, 5> size{8, 6, 1, 1, 1};  // C, W{, H{, D}}, N
  std::array<int, 3> lower{}, upper{};     // W, H, D
  std::array<int, 5> step{1, 1, 1, 1, 1};
  int channels = 4, pixels = 8;
  int swizzle = 0;
  std::array<int, 5> at{};
  std::array<int, 3> offset{};
  bool tiled = false;  // the map
};

struct Kernel {
  Way way;
  int rank, bytes;
  int at[5];
  unsigned short offset[3];
};

__device__ void load(std::uint32_t to, const CUtensorMap* map, const Kernel& q, std::uint32_t bar) {
#define IM2COL(rank)           \
  "cp.async.bulk.tensor." rank \
  ".shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {"
  const int* c = q.at;
  if (q.rank == 3)
    asm volatile(IM2COL("3d") "%3, %4, %5}], [%2], {%6};" ::"r"(to), "l"(map), "r"(bar), "r"(c[0]),
                 "r"(c[1]), "r"(c[2]), "h"(q.offset[0])
                 : "memory");
  if (q.rank == 4)
    asm volatile(IM2COL("4d") "%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(to), "l"(map), "r"(bar),
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "h"(q.offset[0]), "h"(q.offset[1])
                 : "memory");
  if (q.rank == 5)
    asm volatile(IM2COL("5d") "%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};" ::"r"(to), "l"(map),
                 "r"(bar), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "h"(q.offset[0]),
                 "h"(q.offset[1]), "h"(q.offset[2])
                 : "memory");
}

#define OUT(instruction, rank) instruction ".tensor." rank ".global.shared::cta" MODE " [%0, {"
#define MODE ".im2col_no_offs.bulk_group"
__device__ void store(std::uint32_t from, const CUtensorMap* map, const Kernel& q) {
  const int* c = q.at;
  if (q.rank == 3)
    asm volatile(OUT("cp.async.bulk", "3d") "%2, %3, %4}], [%1];" ::"l"(map), "r"(from), "r"(c[0]),
                 "r"(c[1]), "r"(c[2])
                 : "memory");
  if (q.rank == 4)
    asm volatile(OUT("cp.async.bulk", "4d") "%2, %3, %4, %5}], [%1];" ::"l"(map), "r"(from),
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  if (q.rank == 5)
    asm volatile(OUT("cp.async.bulk", "5d") "%2, %3, %4, %5, %6}], [%1];" ::"l"(map), "r"(from),
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
                 : "memory");
}
#undef MODE
#define MODE ".add.im2col_no_offs.bulk_group"
__device__ void add(std::uint32_t from, const CUtensorMap* map, const Kernel& q) {
  const int* c = q.at;
  if (q.rank == 3)
    asm volatile(OUT("cp.reduce.async.bulk", "3d") "%2, %3, %4}], [%1];" ::"l"(map), "r"(from),
                 "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  if (q.rank == 4)
    asm volatile(OUT("cp.reduce.async.bulk", "4d") "%2, %3, %4, %5}], [%1];" ::"l"(map), "r"(from),
                 "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  if (q.rank == 5)
    asm volatile(OUT("cp.reduce.async.bulk", "5d") "%2, %3, %4, %5, %6}], [%1];" ::"l"(map),
                 "r"(from), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4])
                 : "memory");
}

// The other mode, in four dimensions.
__device__ void tile(std::uint32_t box, const CUtensorMap* map, const Kernel& q,
                     std::uint32_t bar) {
  if (q.way == kTileLoad)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%3, %4, %5, %6}], [%2];" ::"r"(box),
        "l"(map), "r"(bar), "r"(q.at[0]), "r"(q.at[1]), "r"(q.at[2]), "r"(q.at[3])
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], "
        "[%1];" ::"l"(map),
        "r"(box), "r"(q.at[0]), "r"(q.at[1]), "r"(q.at[2]), "r"(q.at[3])
        : "memory");
}

// The box is filled with 0xff before a load, with its elements' numbers before a store.
__global__ void copy(const __grid_constant__ CUtensorMap map, Kernel q, int expected,
                     unsigned char* seen, int* completes) {
  extern __shared__ __align__(1024) unsigned char box[];
  __shared__ __align__(8) std::uint64_t barrier;
  for (int i = static_cast<int>(threadIdx.x); i < kMostBytes; i += 32)
    box[i] = q.way == kLoad || q.way == kTileLoad
                 ? 0xff
                 : static_cast<unsigned char>((1 + i / q.bytes) >> (i % q.bytes * 8));
  ptx::fence_proxy_async_shared_cta();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
  }
  __syncthreads();
  int complete = 0;
  if (q.way == kLoad || q.way == kTileLoad) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, expected);
      if (q.way == kTileLoad)
        tile(ptx::shared_address(box), &map, q, ptx::shared_address(&barrier));
      else
        load(ptx::shared_address(box), &map, q, ptx::shared_address(&barrier));
    }
    for (int look = 0; look < kLooks && !complete; ++look) {
      complete = ptx::mbarrier_test_wait_parity_shared_b64(&barrier, 0);
      __nanosleep(500);
    }
  } else if (threadIdx.x == 0) {
    if (q.way == kTileStore)
      tile(ptx::shared_address(box), &map, q, 0);
    else
      q.way == kStore ? store(ptx::shared_address(box), &map, q)
                      : add(ptx::shared_address(box), &map, q);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group<0>();
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kMostBytes; i += 32) seen[i] = box[i];
  if (threadIdx.x == 0) *completes = complete;
}

PFN_cuTensorMapEncodeIm2col_v12000 encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &function, 12000,
                                         cudaEnableDefault, &status));
  return reinterpret_cast<PFN_cuTensorMapEncodeIm2col_v12000>(function);
}

CUresult make(const Question& q, void* tensor, CUtensorMap& map, int interleave = 0) {
  static const CUtensorMapDataType types[] = {
      CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
      CU_TENSOR_MAP_DATA_TYPE_UINT64};
  std::uint64_t size[6] = {}, stride[6] = {}, bytes = static_cast<std::uint64_t>(q.bytes);
  std::uint32_t step[6] = {};
  for (std::size_t d = 0; d < 5; ++d) {
    size[d] = static_cast<std::uint64_t>(q.size[d]);
    stride[d] = bytes *= size[d];
    step[d] = static_cast<std::uint32_t>(q.step[d]);
  }
  const CUtensorMapDataType type = types[q.bytes == 8 ? 3 : q.bytes / 2];
  if (q.tiled) {
    const std::uint32_t box[5] = {
        static_cast<std::uint32_t>(q.channels), static_cast<std::uint32_t>(q.pixels),
        static_cast<std::uint32_t>(q.upper[0] > 0 ? q.upper[0] : 1), 1, 1};
    return tensor_map_encoder()(&map, type, static_cast<std::uint32_t>(q.rank), tensor, size,
                                stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                static_cast<CUtensorMapSwizzle>(q.swizzle),
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
  return encoder()(&map, type, static_cast<std::uint32_t>(q.rank), tensor, size, stride,
                   q.lower.data(), q.upper.data(), static_cast<std::uint32_t>(q.channels),
                   static_cast<std::uint32_t>(q.pixels), step,
                   static_cast<CUtensorMapInterleave>(interleave),
                   static_cast<CUtensorMapSwizzle>(q.swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

template <class Numbers>
std::string list(const Numbers& numbers, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i == 0 ? "" : ",") + std::to_string(numbers[static_cast<std::size_t>(i)]);
  return text;
}
void print(const Question& q) {
  const int inner = q.rank - 2;
  static const char* const ways[] = {"load", "store", "add", "tile load", "tile store"};
  std::printf("%s%s %dd of %d bytes, size %s lower %s upper %s step %s box %dx%d swizzle %d at %s",
              ways[q.way], q.tiled ? " by a tiled map" : "", q.rank, q.bytes,
              list(q.size, q.rank).c_str(), list(q.lower, inner).c_str(),
              list(q.upper, inner).c_str(), list(q.step, q.rank).c_str(), q.pixels, q.channels,
              q.swizzle, list(q.at, q.rank).c_str());
  if (q.way == kLoad) std::printf(" offset %s", list(q.offset, inner).c_str());
  std::printf(":");
}

long element(const std::vector<unsigned char>& bytes, std::size_t index, int each) {
  long value = 0;
  for (int b = each - 1; b >= 0; --b)
    value =
        value << 8 | bytes[index * static_cast<std::size_t>(each) + static_cast<std::size_t>(b)];
  return value;
}

// Pixels as "17" (from its first channel on), "17+4" from its channel 4 on, "." outside; "/" and a
// number: how many channels came, where that is not all of the box's.
void show_load(const Question& q, const std::vector<unsigned char>& seen) {
  if (q.swizzle != 0 || q.bytes == 1) {
    std::uint64_t hash = 14695981039346656037ull;
    for (const unsigned char byte : seen) hash = (hash ^ byte) * 1099511628211ull;
    std::printf(" bits %016llx", static_cast<unsigned long long>(hash));
    return;
  }
  for (int p = 0; p < q.pixels; ++p) {
    long first = 0;
    int came = 0, odd = 0, skipped = 0;
    for (int c = 0; c < q.channels; ++c) {
      const long value = element(seen, static_cast<std::size_t>(p * q.channels + c), q.bytes);
      if (value != 0 && came++ == 0) {
        first = value - 1;
        skipped = c;
      }
      odd += value != 0 && value - 1 != first + c - skipped;
    }
    if (came == 0)
      std::printf(" .");
    else
      std::printf(" %ld", first / q.size[0]);
    if (came != 0 && first % q.size[0] != 0) std::printf("+%ld", first % q.size[0]);
    if (came != 0 && came != q.channels) std::printf("/%d", came);
    if (skipped != 0) std::printf("(%d)", skipped);
    if (odd != 0) std::printf("?");
  }
  const std::size_t end = static_cast<std::size_t>(q.pixels * q.channels * q.bytes);
  if (end < seen.size() && seen[end] != 0xff) std::printf(" and more");
}

// What changed, element by element: "where=what" for the first channel of each pixel.
void show_store(const Question& q, const std::vector<unsigned char>& now, int elements) {
  int channels = 0, pixels = 0;
  for (int i = 0; i < elements; ++i) {
    const long value = element(now, static_cast<std::size_t>(i), q.bytes);
    const long old = i + 1;
    if (value == old) continue;
    ++channels;
    const long put = (q.way == kAdd ? value - old : value) - 1;
    if (put % q.channels == 0) {
      ++pixels;
      std::printf(" %d+%d=%ld", i / q.size[0], i % q.size[0], put / q.channels);
    }
  }
  std::printf(" (%d elements)", channels);
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
  Kernel kernel{q.way, q.rank, q.bytes, {}, {}};
  for (std::size_t d = 0; d < 5; ++d) kernel.at[d] = q.at[d];
  for (std::size_t d = 0; d < 3; ++d) kernel.offset[d] = static_cast<unsigned short>(q.offset[d]);
  copy<<<1, 32, kMostBytes>>>(map, kernel, q.pixels * q.channels * q.bytes, seen, completes);
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf(" %s\n", cudaGetErrorString(error));
    return false;
  }
  if (q.way == kLoad || q.way == kTileLoad) {
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

// ---- the questions ------------------------------------------------------------------------------

int between(Numbers& numbers, int low, int high) {
  return low + (numbers.next(100000) + 100000) % (high - low + 1);
}

Question any(Numbers& numbers, int rank) {
  Question q;
  q.rank = rank;
  q.bytes = std::array{2, 4, 4, 8}[static_cast<std::size_t>(between(numbers, 0, 3))];
  const int unit = 16 / q.bytes;  // channels in 16 bytes
  q.size[0] = unit * between(numbers, 1, 3);
  const std::size_t n = static_cast<std::size_t>(rank - 1);
  for (std::size_t d = 1; d < n; ++d) {
    const std::size_t s = d - 1;
    q.size[d] = between(numbers, 2, rank == 5 ? 4 : 7);
    q.step[d] = between(numbers, 0, 1) == 0 ? 1 : between(numbers, 1, 3);
    do {
      q.lower[s] = between(numbers, -3, 2);
      q.upper[s] = between(numbers, -4, 2);
    } while (q.size[d] - 1 + q.upper[s] < q.lower[s]);
    q.at[d] = between(numbers, q.lower[s], q.size[d] - 1 + q.upper[s]);
    q.offset[s] = between(numbers, 0, 4);
  }
  q.size[n] = between(numbers, 1, 3);
  q.at[n] = between(numbers, 0, q.size[n] - 1);
  q.channels = unit * between(numbers, 1, q.size[0] / unit);
  q.at[0] = unit * between(numbers, 0, q.size[0] / unit - 1);
  q.pixels = between(numbers, 1, 48);
  return q;
}

// The same with most pixels inside.
Question dense(Numbers& numbers, int rank) {
  Question q = any(numbers, rank);
  q.channels = 16 / q.bytes;
  for (std::size_t d = 1; d + 1 < static_cast<std::size_t>(rank); ++d) {
    const std::size_t s = d - 1;
    q.size[d] = between(numbers, 3, rank == 5 ? 4 : 6);
    q.lower[s] = between(numbers, -1, 0);
    q.upper[s] = between(numbers, -1, 0);
    q.step[d] = between(numbers, 0, 2) == 0 ? 2 : 1;
    q.at[d] = between(numbers, 0, 1);
    q.offset[s] = between(numbers, 0, 1);
  }
  q.at[static_cast<std::size_t>(rank - 1)] = 0;
  q.pixels = between(numbers, 24, 64);
  return q;
}

std::vector<Question> questions() {
  std::vector<Question> all;
  Numbers numbers;
  for (int k = 0; k < 120; ++k) all.push_back(any(numbers, 3 + k % 3));
  for (int k = 0; k < 24; ++k) {  // swizzled
    Question q = any(numbers, 3 + k % 3);
    q.swizzle = 1 + k / 3 % 3;
    while (q.channels * q.bytes > 16 << q.swizzle) q.channels -= 16 / q.bytes;
    all.push_back(q);
  }
  for (int k = 0; k < 36; ++k) {  // out of shared memory; the tensor's numbers stay small
    Question q = any(numbers, 3 + k % 3);
    q.way = k % 2 == 0 ? kStore : kAdd;
    if (q.bytes == 2 && q.way == kAdd) q.bytes = 4;
    if (q.way == kAdd && q.bytes == 8) q.channels = 2;
    if (k >= 18) q.lower = {}, q.upper = {}, q.at = {q.at[0], 0, 0, 0, 0};
    all.push_back(q);
  }
  for (int k = 0; k < 48; ++k) {
    all.push_back(dense(numbers, 3 + k % 3));
    if (k < 36) continue;
    all.back().way =
        k % 2 == 0 ? kStore : kAdd;  // and out: 4-byte elements, a box that may be stored
    all.back().bytes = 4;
    all.back().channels = 4;
    all.back().size[0] = 8;
    all.back().at[0] = 4;
    all.back().lower = all.back().upper = {};
  }
  // Where one may begin: a tensor of 2 images of 4 x 6 pixels of 8 channels.
  Question base;
  base.rank = 4;
  base.size = {8, 6, 4, 2, 1};
  base.lower = {-1, -1, 0};
  base.upper = {-1, -1, 0};
  base.pixels = 30;
  for (const int at : {-3, -2, -1, 0, 4, 5, 6, 7, 100})
    for (const std::size_t d : {1u, 2u}) {
      Question q = base;
      q.at[d] = at;
      all.push_back(q);
      q.step[1] = q.step[2] = 2;
      all.push_back(q);
    }
  for (const int at : {-2, -1, 1, 2, 3}) {  // images
    Question q = base;
    q.at[3] = at;
    all.push_back(q);
    q.step[3] = 2;
    all.push_back(q);
  }
  for (const int at : {-8, -4, -2, 1, 2, 4, 6, 8, 12}) {  // channels
    Question q = base;
    q.at[0] = at;
    all.push_back(q);
  }
  for (const int step : {2, 3, 8}) {
    Question q = base;
    q.step[0] = step;
    all.push_back(q);
  }
  for (const int offset : {5, 100, 127, 128, 200, 255, 256, 300}) {
    Question q = base;
    q.offset[0] = offset;
    all.push_back(q);
    q.offset = {0, offset, 0};
    all.push_back(q);
  }
  for (const Way way : {kStore, kAdd})
    for (const std::size_t d : {0u, 1u, 2u, 3u})
      for (const int at : {-4, -1, 2, 4, 6}) {
        Question q = base;
        q.way = way;
        q.at[d] = at;
        if (d != 1) q.at[1] = 0;
        all.push_back(q);
      }
  for (const bool tiled : {true, false})  // the mode of the map and that of the instruction
    for (const Way way : {kLoad, kStore, kAdd, kTileLoad, kTileStore}) {
      Question q = base;
      q.way = way;
      q.tiled = tiled;
      q.lower = q.upper = {};
      q.pixels = 8;
      all.push_back(q);
    }
  // A store's bounding box, and where in it.
  for (const auto& [lower, upper, at, pixels] : {std::array{-1, 0, 0, 2},
                                                 {-1, 0, 0, 6},
                                                 {-1, 0, 0, 7},
                                                 {0, 1, 0, 2},
                                                 {0, 1, 5, 1},
                                                 {0, 1, 5, 2},
                                                 {0, 1, 6, 1},
                                                 {0, 2, 0, 30},
                                                 {1, -1, 1, 4},
                                                 {1, -1, 0, 1},
                                                 {1, -1, 4, 1},
                                                 {1, -1, 5, 1},
                                                 {2, 3, 2, 8}}) {
    Question q = base;
    q.way = kStore;
    q.lower = {lower, 0, 0};
    q.upper = {upper, 0, 0};
    q.at[1] = at;
    q.pixels = pixels;
    all.push_back(q);
    q.lower = {0, lower, 0};
    q.upper = {0, upper, 0};
    q.at = {0, 0, at, 0, 0};
    all.push_back(q);
  }
  for (const int image : {0, 1, 2, 3}) {  // images that a store may begin with
    Question q = base;
    q.way = kStore;
    q.lower = q.upper = {};
    q.at[3] = image;
    all.push_back(q);
    q.step[3] = 2;
    all.push_back(q);
  }
  for (const int offset : {1, 15, 16, 31, 32, 33, 64, 255, 256, 32767, 32768, 65535})
    for (const int rank : {3, 5}) {
      Question q = base;
      q.rank = rank;
      q.size = {8, 6, rank == 3 ? 2 : 4, 2, 2};
      q.lower = {-1, 0, 0};
      q.pixels = 12;
      q.at = {};
      for (std::size_t d = 0; d < static_cast<std::size_t>(rank - 2); ++d) {
        q.offset = {};
        q.offset[d] = offset;
        all.push_back(q);
      }
    }
  for (const int rank : {3, 5})  // steps of the images
    for (const int step : {1, 2, 3}) {
      Question q = base;
      q.rank = rank;
      q.size = {8, 3, rank == 3 ? 5 : 1, 1, rank == 3 ? 1 : 5};
      q.lower = q.upper = {};
      q.step[static_cast<std::size_t>(rank - 1)] = step;
      q.pixels = 12;
      all.push_back(q);
    }
  for (const int pixels : {1, 256, 1024}) {
    Question q = base;
    q.pixels = pixels;
    all.push_back(q);
  }
  return all;
}

// What the driver says to a map: "name: result".
void maps() {
  void* tensor = nullptr;
  CHECK(cudaMalloc(&tensor, 1 << 20));
  Question base;
  base.rank = 4;
  base.size = {64, 6, 4, 2, 2};
  base.pixels = 16;
  const auto tell = [&](const char* what, const Question& q, int interleave = 0, int off = 0) {
    CUtensorMap map;
    std::printf("map %s: %d\n", what,
                static_cast<int>(make(q, static_cast<char*>(tensor) + off, map, interleave)));
  };
  tell("as it is", base);
  for (int rank = 2; rank <= 6; ++rank) {
    Question q = base;
    q.rank = rank;
    tell(("of rank " + std::to_string(rank)).c_str(), q);
  }
  for (int rank = 3; rank <= 5; ++rank)
    for (const int corner :
         {-32769, -32768, -129, -128, -17, -16, 15, 16, 127, 128, 32767, 32768}) {
      Question q = base;
      q.rank = rank;
      q.size = {64, 40000, rank == 3 ? 2 : 300, rank == 4 ? 2 : 40, 2};
      q.lower[0] = corner;
      tell(("rank " + std::to_string(rank) + " lower " + std::to_string(corner)).c_str(), q);
      q.lower[0] = 0;
      q.upper[0] = corner;
      tell(("rank " + std::to_string(rank) + " upper " + std::to_string(corner)).c_str(), q);
    }
  for (const int upper : {-4, -5, -6, -7}) {
    Question q = base;
    q.upper[0] = upper;
    tell(("upper " + std::to_string(upper) + " of 6").c_str(), q);
    q.upper = {0, upper + 2, 0};
    tell(("second upper " + std::to_string(upper + 2) + " of 4").c_str(), q);
  }
  for (const int channels : {0, 1, 2, 3, 4, 5, 60, 64, 68, 128, 256, 260, 512}) {
    Question q = base;
    q.channels = channels;
    tell(("channels " + std::to_string(channels)).c_str(), q);
  }
  for (const int pixels : {0, 1, 256, 257, 1023, 1024, 1025}) {
    Question q = base;
    q.pixels = pixels;
    tell(("pixels " + std::to_string(pixels)).c_str(), q);
    q.channels = 64;
    tell(("pixels " + std::to_string(pixels) + " of 64 channels").c_str(), q);
  }
  for (const int bytes : {4, 8}) {  // of the whole box: 64 or 32 channels of 256 bytes
    for (const int pixels : {904, 907, 908, 909, 912, 913, 960, 1000, 1016, 1022}) {
      Question q = base;
      q.bytes = bytes;
      q.channels = 256 / bytes;
      q.pixels = pixels;
      tell((std::to_string(pixels) + " pixels of 256 bytes, elements of " + std::to_string(bytes))
               .c_str(),
           q);
    }
  }
  for (const int rows : {1, 4, 14, 15, 16, 32, 64, 256}) {  // a tile of 64 KiB in two dimensions
    Question q = base;
    q.tiled = true;
    q.size = {64, 256, 256, 2, 2};
    q.channels = 64;
    q.pixels = 256;
    q.upper[0] = rows;  // the third dimension of the box
    tell(("tile of 256 x 256 bytes x " + std::to_string(rows)).c_str(), q);
  }
  for (std::size_t d = 0; d < 4; ++d)
    for (const int step : {0, 8, 9}) {
      Question q = base;
      q.step[d] = step;
      tell(("step " + std::to_string(step) + " of " + std::to_string(d)).c_str(), q);
    }
  for (int swizzle = 0; swizzle <= 8; ++swizzle)
    for (const int channels : {4, 8, 12, 16, 32, 36}) {
      Question q = base;
      q.swizzle = swizzle;
      q.channels = channels;
      tell(("swizzle " + std::to_string(swizzle) + " channels " + std::to_string(channels)).c_str(),
           q);
    }
  for (int interleave = 0; interleave <= 3; ++interleave)
    for (const int swizzle : {0, 1}) {
      Question q = base;
      q.swizzle = swizzle;
      tell(("interleave " + std::to_string(interleave) + " swizzle " + std::to_string(swizzle))
               .c_str(),
           q, interleave);
    }
  for (const int off : {4, 8, 16}) tell(("address + " + std::to_string(off)).c_str(), base, 0, off);
  for (const int channels : {0, 1, 6, 8}) {
    Question q = base;
    q.size[0] = channels;
    tell(("tensor of " + std::to_string(channels) + " channels").c_str(), q);
  }
}

// im2col FIRST END: only those questions, as several processes share the work.
int main(int argc, char** argv) {
  const std::vector<Question> all = questions();
  const int last = static_cast<int>(all.size());
  const int first = argc == 3 ? std::atoi(argv[1]) : 0;
  const int end = argc == 3 ? std::min(std::atoi(argv[2]), last + 1) : last + 1;
  return ask_one_by_one(first, end, [&](int k) {
    if (k < last) return ask(all[static_cast<std::size_t>(k)]);
    maps();
    return true;
  });
}
