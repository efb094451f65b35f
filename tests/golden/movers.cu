// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix, movmatrix: every form sm_90a has. Lane l points at row l of a table of 32
// stored rows whose 16-bit elements are all different (row * 8 + column); what a lane gets tells
// where it is from. Lanes whose addresses are not asked for point at a row that holds 0xffff. Rows
// and columns are those in memory; of movmatrix those of the source, where part (lane, half) is
// element (lane / 4, 2 * (lane % 4) + half): its own names, as the source has no others.
#include "probe.cuh"

enum class Form { load, store };

#define MOVER(number, ptx, operands, count)                                                        \
  struct F##number {                                                                               \
    static constexpr const char* name = ptx;                                                       \
    static constexpr int R = count;                                                                \
    __device__ static void run(std::uint32_t p, std::uint32_t (&r)[4]) {                           \
      asm volatile(operands : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]) : "r"(p) : "memory"); \
    }                                                                                              \
  };
#define LOADS(number, trans)                                                   \
  MOVER(number##1, "ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16",        \
        "ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 {%0}, [%4];", 1)    \
  MOVER(number##2, "ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16",        \
        "ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 {%0,%1}, [%4];", 2) \
  MOVER(number##4, "ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16",        \
        "ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0,%1,%2,%3}, [%4];", 4)
#define STORES(number, trans)                                                  \
  MOVER(number##1, "stmatrix.sync.aligned.m8n8.x1" trans ".shared.b16",        \
        "stmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 [%4], {%0};", 1)    \
  MOVER(number##2, "stmatrix.sync.aligned.m8n8.x2" trans ".shared.b16",        \
        "stmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 [%4], {%0,%1};", 2) \
  MOVER(number##4, "stmatrix.sync.aligned.m8n8.x4" trans ".shared.b16",        \
        "stmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 [%4], {%0,%1,%2,%3};", 4)
LOADS(1, "")
LOADS(2, ".trans")
STORES(3, "")
STORES(4, ".trans")

template <class F>
__global__ void probe_load(std::uint32_t* seen) {
  __shared__ alignas(16) std::uint16_t table[33][8];
  for (int n = threadIdx.x; n < 33 * 8; n += 32) table[n / 8][n % 8] = n < 256 ? n : 0xffff;
  __syncwarp();
  const int row = threadIdx.x < 8 * F::R ? threadIdx.x : 32;
  std::uint32_t r[4] = {};
  F::run(static_cast<std::uint32_t>(__cvta_generic_to_shared(table[row])), r);
  for (int i = 0; i < 2 * F::R; ++i)
    seen[threadIdx.x * 2 * F::R + i] = (r[i / 2] >> (16 * (i % 2))) & 0xffff;
}

template <class F>
__global__ void probe_store(std::uint32_t* seen) {  // seen[part] = stored element; 0xffff: nowhere
  __shared__ alignas(16) std::uint16_t table[33][8];
  for (int n = threadIdx.x; n < 33 * 8; n += 32) table[n / 8][n % 8] = 0xffff;
  __syncwarp();
  const int row = threadIdx.x < 8 * F::R ? threadIdx.x : 32;
  std::uint32_t r[4];
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t part = threadIdx.x * 2 * F::R + 2 * i;
    r[i] = part | (part + 1) << 16;
  }
  F::run(static_cast<std::uint32_t>(__cvta_generic_to_shared(table[row])), r);
  for (int i = 0; i < 2 * F::R; ++i) seen[threadIdx.x * 2 * F::R + i] = 0xffff;
  __syncwarp();
  for (int n = threadIdx.x; n < 256; n += 32)
    if (table[n / 8][n % 8] != 0xffff) seen[table[n / 8][n % 8]] = n;
  if (threadIdx.x < 8 && table[32][threadIdx.x] != 0xffff) seen[0] = 0xfffe;  // a row nobody owns
}

__global__ void probe_movmatrix(std::uint32_t* seen) {
  const std::uint32_t part = 2 * threadIdx.x;
  std::uint32_t d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(d)
               : "r"(part | (part + 1) << 16));
  seen[part] = d & 0xffff;
  seen[part + 1] = d >> 16;
}

void print(const char* name, const Buffer<std::uint32_t>& seen) {
  std::printf("%s reg", name);  // stored row (over all matrices).column
  for (std::uint32_t index : seen.read())
    if (index >= 256)
      std::printf(" -");
    else
      std::printf(" %u.%u", index / 8, index % 8);
  std::printf("\n");
}

template <class F>
void record_load() {
  Buffer<std::uint32_t> seen(64 * F::R);
  probe_load<F><<<1, 32>>>(seen.device);
  finish();
  print(F::name, seen);
}
template <class F>
void record_store() {
  Buffer<std::uint32_t> seen(64 * F::R);
  probe_store<F><<<1, 32>>>(seen.device);
  finish();
  print(F::name, seen);
}

int main() {
  record_load<F11>(), record_load<F12>(), record_load<F14>();
  record_load<F21>(), record_load<F22>(), record_load<F24>();
  record_store<F31>(), record_store<F32>(), record_store<F34>();
  record_store<F41>(), record_store<F42>(), record_store<F44>();
  Buffer<std::uint32_t> seen(64);
  probe_movmatrix<<<1, 32>>>(seen.device);
  finish();
  print("movmatrix.sync.aligned.m8n8.trans.b16", seen);
}
