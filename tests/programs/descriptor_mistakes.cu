// SPDX-License-Identifier: MIT
// D = A * B^T in f16, one warpgroup a tile, fed by TMA, and the mistakes that people make with
// descriptors, tensor maps, the loop along k, and a tensor copy that stores D: the first argument
// names one. Right are "right" (128-byte swizzle), "plain" (no swizzle), "mn" (B with N side by
// side in memory) and "store" (D by a tensor copy).
//
// On sm_90a wgmma multiplies, on sm_100a tcgen05.mma, whose D of 64 rows has the same lanes: the
// descriptors, and the mistakes, are the same.
//
// A is 128 x 128, B 128 x 128; a tile is 64 x 128 x 64, so there are two steps of k; of "short",
// whose K is 192, three.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstring>

#include "tensor_map.cuh"

constexpr int kTileM = 64, kTileN = 128, kTileK = 64, kSize = 128;

// How an operand comes to shared memory, and what its descriptor says.
struct Operand {
  int copies, copy_bytes;  // of a step of k
  int next_k, next_mn;     // how far a copy's box is from the one before it
  bool mn_first;           // the order of the coordinates
  unsigned lbo, sbo, mode, base_offset;
  int advance, skew;  // bytes: of 16 elements of k; of the start
};
struct Options {
  Operand a, b;
  bool waits, exchanged;
  int steps = kSize / kTileK, wgmmas = kTileK / 16;
  // D through a tile in shared memory, its rows exchanged with others, and a tensor copy to these
  // coordinates, as many times the block's row; else each thread stores its own.
  bool copies = false;
  int flip = 0, first_row = 0, second_row = 1;
};

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void load(const CUtensorMap* map, const Operand& o, unsigned char* to, int k, int mn,
                     std::uint64_t* full) {
  for (int i = 0; i < o.copies; ++i, k += o.next_k, mn += o.next_mn)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2, %3}], [%4];" ::"r"(shared_address(to + i * o.copy_bytes)),
        "l"(map), "r"(o.mn_first ? mn : k), "r"(o.mn_first ? k : mn), "r"(shared_address(full))
        : "memory");
}

__device__ std::uint64_t descriptor(const Operand& o, const unsigned char* tile) {
  return ((shared_address(tile) + o.skew) & 0x3ffffu) >> 4 |
         static_cast<std::uint64_t>(o.lbo >> 4) << 16 |
         static_cast<std::uint64_t>(o.sbo >> 4) << 32 |
         static_cast<std::uint64_t>(o.base_offset) << 49 | static_cast<std::uint64_t>(o.mode) << 62;
}

#if __CUDA_ARCH__ >= 1000
// By one thread; D is 128 columns of tensor memory.
template <int kTransA, int kTransB>
__device__ void multiply(std::uint32_t d, std::uint64_t a, std::uint64_t b, bool adds) {
  constexpr unsigned kWhat =
      1 << 4 | kTransA << 15 | kTransB << 16 | kTileN >> 3 << 17 | kTileM >> 4 << 24;
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, "
      "p; }" ::"r"(d),
      "l"(a | std::uint64_t{1} << 46), "l"(b | std::uint64_t{1} << 46), "r"(kWhat),
      "r"(static_cast<int>(adds))
      : "memory");
}
__device__ void commit(std::uint64_t* barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                   shared_address(barrier))
               : "memory");
}
__device__ void fence_after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ void take(float (&d)[64], std::uint32_t address) {
  for (int i = 0; i < 64; i += 4)
    asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(d[i]), "=f"(d[i + 1]), "=f"(d[i + 2]), "=f"(d[i + 3])
                 : "r"(address + i * 2)
                 : "memory");
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
  for (float& sum : d) asm volatile("" : "+f"(sum)::"memory");  // there behind the wait alone
}
#else
template <int kTransA, int kTransB>
__device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,"
      "%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,"
      "%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,"
      "%58,%59,%60,%61,%62,%63}, %64, %65, 1, 1, 1, %66, %67;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63])
      : "l"(a), "l"(b), "n"(kTransA), "n"(kTransB));
}
#endif

__device__ void wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done "
      "bra WAIT; }" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

// D's tile, which takes the place of A's and B's.
__device__ void copy_to_global(const CUtensorMap* map, const float (&d)[64], float* tile,
                               const Options& o) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 64; ++i) {
    const int row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
    tile[(row ^ o.flip) * kTileN + i / 4 * 8 + thread % 4 * 2 + i % 2] = d[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int row = static_cast<int>(blockIdx.x) * kTileM;
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(row * o.first_row), "r"(row * o.second_row), "r"(shared_address(tile))
      : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

template <int kTransA, int kTransB, int kStored = 64>
__global__ void __launch_bounds__(128)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* D,
         const __grid_constant__ Options o, const __grid_constant__ CUtensorMap to) {
  extern __shared__ __align__(1024) unsigned char raw[];
  unsigned char *tile_a = raw, *tile_b = raw + kTileM * kTileK * 2;
  // What a wrong descriptor leads to behind the tiles is there, too.
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
#if __CUDA_ARCH__ >= 1000
  __shared__ std::uint64_t done;
  __shared__ std::uint32_t columns;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&done)));
  if (threadIdx.x < 32)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;" ::"r"(
                     shared_address(&columns))
                 : "memory");
#endif
  __syncthreads();
  float d[64] = {};
  for (int step = 0; step < o.steps; ++step) {
    if (threadIdx.x == 0) {
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)),
          "r"(o.a.copies * o.a.copy_bytes + o.b.copies * o.b.copy_bytes)
          : "memory");
      load(&a, o.a, tile_a, step * kTileK, static_cast<int>(blockIdx.x) * kTileM, &full);
      load(&b, o.b, tile_b, step * kTileK, 0, &full);
    }
    if (o.waits) wait(&full, step & 1);
#if __CUDA_ARCH__ >= 1000
    if (threadIdx.x == 0) {
      for (int k = 0; k < o.wgmmas; ++k) {
        const std::uint64_t first = descriptor(o.a, tile_a + k * o.a.advance);
        const std::uint64_t second = descriptor(o.b, tile_b + k * o.b.advance);
        multiply<kTransA, kTransB>(columns, o.exchanged ? second : first,
                                   o.exchanged ? first : second, step + k > 0);
      }
      commit(&done);
    }
    wait(&done, step & 1);
    fence_after();
#else
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < o.wgmmas; ++k) {
      const std::uint64_t first = descriptor(o.a, tile_a + k * o.a.advance);
      const std::uint64_t second = descriptor(o.b, tile_b + k * o.b.advance);
      multiply<kTransA, kTransB>(d, o.exchanged ? second : first, o.exchanged ? first : second);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
    __syncthreads();
  }
#if __CUDA_ARCH__ >= 1000
  take(d, columns + (threadIdx.x / 32 * 32 << 16));
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  fence_after();
  if (threadIdx.x < 32)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;" ::"r"(columns)
                 : "memory");
#endif
  if (!o.waits) wait(&full, 1);
  if (o.copies) return copy_to_global(&to, d, reinterpret_cast<float*>(raw), o);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = 0; i < kStored; ++i) {
    const int row =
        static_cast<int>(blockIdx.x) * kTileM + thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
    D[row * kTileN + i / 4 * 8 + thread % 4 * 2 + i % 2] = d[i];
  }
}

// ---- The mistakes -------------------------------------------------------------------------------

struct Box {
  unsigned first, second;
  CUtensorMapSwizzle swizzle;
};
struct Case {
  Options o;
  Box a, b;
  int trans_a = 0, trans_b = 0;
  bool b_is_mn = false;
  int k = kSize;
  bool all_stored = true;
};

constexpr unsigned k128B = 1, k64B = 2;

Case swizzled() {
  return {{{1, kTileM * kTileK * 2, 0, 0, false, 16, 1024, k128B, 0, 32, 0},
           {1, kTileN * kTileK * 2, 0, 0, false, 16, 1024, k128B, 0, 32, 0},
           true,
           false},
          {kTileK, kTileM, CU_TENSOR_MAP_SWIZZLE_128B},
          {kTileK, kTileN, CU_TENSOR_MAP_SWIZZLE_128B}};
}

// Columns of eight k, 16 bytes wide, each by a copy of its own.
Case plain() {
  return {{{kTileK / 8, kTileM * 16, 8, 0, false, kTileM * 16, 128, 0, 0, kTileM * 32, 0},
           {kTileK / 8, kTileN * 16, 8, 0, false, kTileN * 16, 128, 0, 0, kTileN * 32, 0},
           true,
           false},
          {8, kTileM, CU_TENSOR_MAP_SWIZZLE_NONE},
          {8, kTileN, CU_TENSOR_MAP_SWIZZLE_NONE}};
}

// B with 64 of N side by side, two boxes.
Case mn() {
  Case c = swizzled();
  c.o.b = {2, 64 * kTileK * 2, 0, 64, true, 64 * kTileK * 2, 1024, k128B, 0, 2048, 0};
  c.b = {64, kTileK, CU_TENSOR_MAP_SWIZZLE_128B};
  c.trans_b = 1;
  c.b_is_mn = true;
  return c;
}

bool find(const char* name, Case& c) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  c = std::strncmp(name, "plain", 5) == 0 ? plain()
      : std::strncmp(name, "mn", 2) == 0  ? mn()
                                          : swizzled();
  if (is("right") || is("plain") || is("mn")) return true;
  if (is("sbo")) return c.o.a.sbo = 512, true;
  if (is("sbo-b")) return c.o.b.sbo = 2048, true;
  if (is("mode")) return c.o.b.mode = k64B, true;
  if (is("mode-sbo")) return c.o.a.mode = k64B, c.o.a.sbo = 512, true;
  if (is("map")) return c.a.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE, true;
  if (is("advance")) return c.o.a.advance = 256, true;
  if (is("advance-both")) return c.o.a.advance = c.o.b.advance = 16, true;
  if (is("transposed")) return c.trans_b = 1, true;
  if (is("mn-transposed")) return c.trans_b = 0, true;
  if (is("mn-strides")) return std::swap(c.o.b.lbo, c.o.b.sbo), true;
  if (is("plain-strides")) return std::swap(c.o.a.lbo, c.o.a.sbo), true;
  if (is("plain-lbo")) return c.o.b.lbo = 1024, true;
  if (is("plain-box")) return std::swap(c.a.first, c.a.second), true;
  if (is("coordinates")) return c.o.a.mn_first = true, true;
  if (is("coordinates-both")) return c.o.a.mn_first = c.o.b.mn_first = true, true;
  if (is("exchanged")) return c.o.exchanged = true, true;
  if (is("base")) return c.o.a.base_offset = 4, true;
  if (is("start")) return c.o.a.skew = 1024, true;
  if (is("no-wait")) return c.o.waits = false, true;
  if (is("short")) return c.k = kSize + kTileK, true;
  if (is("one-unstored")) return c.all_stored = false, true;
  if (is("short-stage")) return --c.o.wgmmas, true;
  c.o.copies = std::strncmp(name, "store", 5) == 0;
  if (is("store")) return true;
  if (is("store-rows")) return c.o.flip = 8, true;
  if (is("store-tile")) return c.o.second_row = 0, true;
  if (is("store-exchanged")) return std::swap(c.o.first_row, c.o.second_row), true;
  return false;
}

int main(int argc, char** argv) {
  Case c;
  if (argc != 2 || !find(argv[1], c)) return std::printf("which mistake?\n"), 2;
  Numbers numbers;
  std::vector<__half> A(kSize * c.k), B(kSize * c.k);
  for (auto& value : A) value = __float2half(static_cast<float>(numbers.next(4)));
  for (auto& value : B) value = __float2half(static_cast<float>(numbers.next(4)));
  float* device_D = to_device(std::vector<float>(kSize * kTileN, -1.0f));
  CUtensorMap a, b, to;
  const auto K = static_cast<std::uint64_t>(c.k);
  if (!make_map(a, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, to_device(A), {K, kSize},
                {c.a.first, c.a.second}, c.a.swizzle) ||
      !make_map(b, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, to_device(B), {K, kSize},
                {c.b.first, c.b.second}, c.b.swizzle) ||
      !make_map(to, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, device_D, {kTileN, kSize}, {kTileN, kTileM},
                CU_TENSOR_MAP_SWIZZLE_NONE))
    return verdict("tensor maps", 1, 1);
  constexpr int kShared = 64 * 1024;
  const auto kernel = c.trans_b != 0 ? gemm<0, 1> : c.all_stored ? gemm<0, 0> : gemm<0, 0, 63>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  kernel<<<kSize / kTileM, 128, kShared>>>(a, b, device_D, c.o, to);
  CHECK(cudaDeviceSynchronize());
  const std::vector<float> D = from_device(device_D, kSize * kTileN);
  int wrong = 0;
  for (int row = 0; row < kSize; ++row)
    for (int col = 0; col < kTileN; ++col) {
      float sum = 0;
      for (int k = 0; k < c.k; ++k)
        sum += __half2float(A[row * c.k + k]) *
               __half2float(c.b_is_mn ? B[k * kSize + col] : B[col * c.k + k]);
      wrong += D[row * kTileN + col] != sum;
    }
  std::printf("%d of %d elements of D are wrong\n", wrong, kSize * kTileN);
  return 0;
}
