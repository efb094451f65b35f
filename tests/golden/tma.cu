// SPDX-License-Identifier: MIT
// cp.async.bulk.tensor, read back: where in shared memory does a 2-D tile's byte land, for every
// swizzle, element width and place where the tile begins? The tensor's bytes are numbered (low and
// high half of the number in two copies); shared memory is then read byte by byte.
//
//   tile bytes=2 mode=128B inner=128 rows=32 start=0 : source of each 16-byte unit, row*inner+byte
//
// Units are counted from a multiple of 1024 bytes; "-" is a unit that was not written.
#include <cuda.h>
#include <cudaTypedefs.h>

#include "probe.cuh"

constexpr int kAreaBytes = 8192;

__global__ void probe_tile(const __grid_constant__ CUtensorMap map, int start, int bytes,
                           unsigned char* seen) {
  extern __shared__ unsigned char dynamic[];
  __shared__ alignas(8) std::uint64_t barrier;
  unsigned char* area =
      dynamic +
      (1024 - static_cast<std::uint32_t>(__cvta_generic_to_shared(dynamic)) % 1024) % 1024;
  for (int n = threadIdx.x; n < kAreaBytes; n += 32) area[n] = 0xff;
  const auto bar = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(area + start));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncwarp();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
        "[%1, {%2, %2}], [%3];" ::"r"(to),
        "l"(&map), "r"(0), "r"(bar)
        : "memory");
  }
  std::uint32_t done = 0;
  while (!done)
    asm volatile(
        "{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
        : "=r"(done)
        : "r"(bar)
        : "memory");
  for (int n = threadIdx.x; n < kAreaBytes; n += 32) seen[n] = area[n];
}

int main() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                      &found));
  const auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  OK(cudaFuncSetAttribute(probe_tile, cudaFuncAttributeMaxDynamicSharedMemorySize,
                          kAreaBytes + 1024));
  const char* modes[] = {"none", "32B", "64B", "128B"};
  for (int bytes : {1, 2, 4})
    for (int mode = 0; mode < 4; ++mode)
      for (int inner : {16, 32, 64, 128})
        for (int start : {0, 128, 256, 384, 512, 640, 768, 896, 1024}) {
          if (mode != 0 && inner > 16 << mode) continue;
          if (inner != 16 << mode && start != 0) continue;
          constexpr int kRows = 32;
          std::vector<unsigned char> halves[2];
          for (int half = 0; half < 2; ++half) {
            std::vector<unsigned char> source(kRows * inner);
            for (int n = 0; n < kRows * inner; ++n)
              source[n] = static_cast<unsigned char>(n >> (8 * half));
            Buffer<unsigned char> tensor(source.size()), seen(kAreaBytes);
            OK(cudaMemcpy(tensor.device, source.data(), source.size(), cudaMemcpyHostToDevice));
            CUtensorMap map;
            const cuuint64_t size[2] = {static_cast<cuuint64_t>(inner / bytes), kRows},
                             stride[1] = {static_cast<cuuint64_t>(inner)};
            const cuuint32_t box[2] = {static_cast<cuuint32_t>(inner / bytes), kRows},
                             step[2] = {1, 1};
            const CUtensorMapDataType type = bytes == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                                             : bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                                          : CU_TENSOR_MAP_DATA_TYPE_UINT32;
            if (encode(&map, type, 2, tensor.device, size, stride, box, step,
                       CU_TENSOR_MAP_INTERLEAVE_NONE, static_cast<CUtensorMapSwizzle>(mode),
                       CU_TENSOR_MAP_L2_PROMOTION_NONE,
                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
              fail("tile", "the driver refuses the tensor map");
              continue;
            }
            probe_tile<<<1, 32, kAreaBytes + 1024>>>(map, start, kRows * inner, seen.device);
            finish();
            halves[half] = seen.read();
          }
          if (halves[1].empty()) continue;
          std::printf("tile bytes=%d mode=%s inner=%d rows=%d start=%d :", bytes, modes[mode],
                      inner, kRows, start);
          const int end = start + kRows * 128 < kAreaBytes ? start + kRows * 128 : kAreaBytes;
          for (int unit = 0; unit < end / 16; ++unit) {
            const auto number = [&](int byte) {
              return halves[0][16 * unit + byte] | halves[1][16 * unit + byte] << 8;
            };
            if (number(0) == 0xffff) {
              std::printf(" -");
              continue;
            }
            for (int byte = 1; byte < 16; ++byte)
              if (number(byte) != number(0) + byte) fail("tile", "a 16-byte unit that was torn");
            std::printf(" %d", number(0));
          }
          std::printf("\n");
        }
  return failures != 0;
}
