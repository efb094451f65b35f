// SPDX-License-Identifier: MIT
// Tensors of one to five dimensions through shared memory and back with cp.async.bulk.tensor: what
// lies in shared memory, swizzle by swizzle, and what arrives in another tensor. Boxes that hang
// over every edge: zeros come in, nothing goes out. The first coordinate is always a multiple of 16
// bytes, and a box that was loaded from before the beginning is stored at 0: cards want it so.
#include "tensor_map.cuh"

struct At {
  int at[5];
};

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

template <int kRank>
__device__ void load(std::uint32_t to, const CUtensorMap* map, At c, std::uint32_t barrier) {
#define LOAD(dimension, coordinates)                                                               \
  asm volatile("cp.async.bulk.tensor." dimension                                                   \
               ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " coordinates \
               "], [%2];" ::"r"(to),                                                               \
               "l"(map), "r"(barrier), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]),     \
               "r"(c.at[4])                                                                        \
               : "memory")
  if constexpr (kRank == 1) LOAD("1d", "{%3}");
  if constexpr (kRank == 2) LOAD("2d", "{%3, %4}");
  if constexpr (kRank == 3) LOAD("3d", "{%3, %4, %5}");
  if constexpr (kRank == 4) LOAD("4d", "{%3, %4, %5, %6}");
  if constexpr (kRank == 5) LOAD("5d", "{%3, %4, %5, %6, %7}");
}

// The verb is "cp.async.bulk.tensor" or, adding, "cp.reduce.async.bulk.tensor".
template <int kRank, bool kAdds>
__device__ void store(const CUtensorMap* map, At c, std::uint32_t from) {
#define STORE(dimension, coordinates)                                                            \
  if constexpr (kAdds)                                                                           \
    asm volatile("cp.reduce.async.bulk.tensor." dimension                                        \
                 ".global.shared::cta.add.tile.bulk_group [%0, " coordinates                     \
                 "], [%1];" ::"l"(map),                                                          \
                 "r"(from), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]) \
                 : "memory");                                                                    \
  else                                                                                           \
    asm volatile("cp.async.bulk.tensor." dimension                                               \
                 ".global.shared::cta.tile.bulk_group [%0, " coordinates "], [%1];" ::"l"(map),  \
                 "r"(from), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]) \
                 : "memory")
  if constexpr (kRank == 1) STORE("1d", "{%2}");
  if constexpr (kRank == 2) STORE("2d", "{%2, %3}");
  if constexpr (kRank == 3) STORE("3d", "{%2, %3, %4}");
  if constexpr (kRank == 4) STORE("4d", "{%2, %3, %4, %5}");
  if constexpr (kRank == 5) STORE("5d", "{%2, %3, %4, %5, %6}");
}

template <int kRank, bool kAdds>
__global__ void through(const __grid_constant__ CUtensorMap from,
                        const __grid_constant__ CUtensorMap to, At at, At stored_at, int bytes,
                        std::uint32_t* seen) {
  extern __shared__ __align__(1024) std::uint32_t box[];
  __shared__ __align__(8) std::uint64_t barrier;
  const std::uint32_t where = shared_address(&barrier);
  for (int word = threadIdx.x; word < bytes / 4; word += 32) box[word] = 0xdead;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(where));
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&from) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(where), "r"(bytes));
    load<kRank>(shared_address(box), &from, at, where);
  }
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0; @!done bra "
      "WAIT; }" ::"r"(where)
      : "memory");
  for (int word = threadIdx.x; word < bytes / 4; word += 32) seen[word] = box[word];
  if (threadIdx.x == 0) {
    store<kRank, kAdds>(&to, stored_at, shared_address(box));
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

template <int kRank, bool kAdds = false>
int check(const char* name, const std::uint64_t (&size)[kRank], const std::uint32_t (&box)[kRank],
          At at, int swizzle, std::uint32_t step = 1) {
  At stored_at{};
  for (int d = 0; d < kRank; ++d) stored_at.at[d] = at.at[d] < 0 ? 0 : at.at[d];
  std::uint64_t count = 1, copied = 1;
  std::uint32_t taken[5];
  for (int d = 0; d < kRank; ++d) {
    count *= size[d];
    copied *= taken[d] = d == 0 ? box[0] : (box[d] + step - 1) / step;
  }
  Numbers numbers;
  std::vector<int> input(count), before(count), expected, seen(copied);
  for (int& value : input) value = numbers.next(1000);
  for (int& value : before) value = numbers.next(1000);
  expected = before;
  for (std::uint64_t element = 0; element < copied; ++element) {
    std::uint64_t rest = element, from = 0, to = 0, stride = 1;
    bool inside = true, stored = true;
    for (int d = 0; d < kRank; ++d) {
      const long long coordinate =
          at.at[d] + static_cast<long long>(rest % taken[d]) * (d ? step : 1);
      const long long moved = coordinate - at.at[d] + stored_at.at[d];
      rest /= taken[d];
      inside = inside && coordinate >= 0 && coordinate < static_cast<long long>(size[d]);
      stored = stored && moved < static_cast<long long>(size[d]);
      from += coordinate * stride;
      to += moved * stride;
      stride *= size[d];
    }
    std::uint64_t byte = element * 4;
    const std::uint64_t rows = (std::uint64_t{1} << swizzle) - 1;  // 0, 1, 3, 7
    byte ^= (byte / 128 & rows) * 16;
    seen[byte / 4] = inside ? input[from] : 0;
    if (stored) expected[to] = (inside ? input[from] : 0) + (kAdds ? before[to] : 0);
  }
  int* source = to_device(input);
  int* target = to_device(before);
  int* image = to_device(std::vector<int>(copied, -1));
  CUtensorMap in, out;
  const auto mode = static_cast<CUtensorMapSwizzle>(swizzle);
  if (!make_map(in, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, source, size, box, mode, step) ||
      !make_map(out, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, target, size, box, mode, step)) {
    std::printf("%s: no map\n", name);
    return 1;
  }
  through<kRank, kAdds><<<1, 32, copied * 4 + 1024>>>(in, out, at, stored_at,
                                                      static_cast<int>(copied * 4),
                                                      reinterpret_cast<std::uint32_t*>(image));
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  const std::vector<int> image_now = from_device(image, copied),
                         target_now = from_device(target, count);
  for (std::uint64_t k = 0; k < copied; ++k) wrong += image_now[k] != seen[k];
  for (std::uint64_t k = 0; k < count; ++k) wrong += target_now[k] != expected[k];
  return verdict(name, wrong, static_cast<int>(copied + count));
}

int main() {
  int failed = 0;
  failed += check<1>("1d", {40}, {16}, {{8}}, 0);
  failed += check<1>("1d over both edges", {8}, {16}, {{-4}}, 0);
  failed += check<2>("2d", {64, 20}, {16, 8}, {{12, 5}}, 0);
  failed += check<2>("2d swizzled 32", {64, 40}, {8, 32}, {{4, 3}}, 1);
  failed += check<2>("2d swizzled 64", {64, 40}, {16, 32}, {{4, 3}}, 2);
  failed += check<2>("2d swizzled 128", {64, 40}, {32, 32}, {{4, 3}}, 3);
  failed += check<2>("2d over the end", {36, 10}, {32, 8}, {{20, 6}}, 3);
  failed += check<2>("2d before the beginning", {36, 10}, {32, 8}, {{-8, -3}}, 3);
  failed += check<2>("2d outside", {36, 10}, {32, 8}, {{0, 100}}, 3);
  failed += check<2>("2d every third row", {32, 40}, {32, 10}, {{0, 4}}, 3, 3);
  failed += check<2, true>("2d added", {36, 10}, {32, 8}, {{20, 6}}, 3);
  failed += check<3>("3d", {16, 6, 5}, {8, 4, 3}, {{4, 3, 3}}, 1);
  failed += check<4>("4d", {8, 5, 4, 3}, {4, 3, 2, 2}, {{4, 3, -1, 2}}, 0);
  failed += check<5>("5d", {8, 4, 3, 3, 2}, {8, 2, 2, 2, 2}, {{0, 1, 2, -1, 1}}, 1);
  CUtensorMap map;
  const std::uint64_t size[2] = {64, 64};
  const std::uint32_t wide[2] = {64, 8}, odd[2] = {3, 8}, tall[2] = {16, 257};
  int refused = 0;
  for (const auto* box : {&wide, &odd, &tall})
    refused += !make_map(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, to_device(std::vector<int>(4096)),
                         size, *box, CU_TENSOR_MAP_SWIZZLE_128B);
  std::printf("refused: %d of 3\n", refused);
  return failed != 0 || refused != 3;
}
