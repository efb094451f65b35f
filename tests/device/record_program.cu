// SPDX-License-Identifier: MIT
// What the recorder's test runs: small kernels that record words which say where they come from.
#include "check.cuh"
#include "device_array.cuh"
#include "record.cuh"

namespace {

// 0xBWOORRLL: block, warp, order, register, lane.
__device__ std::uint32_t word(int order, int reg) {
  return blockIdx.x << 28 | (threadIdx.x / 32) << 24 | static_cast<std::uint32_t>(order) << 16 |
         static_cast<std::uint32_t>(reg) << 8 | threadIdx.x % 32;
}

template <class AnyRecorder>
__global__ void twice(AnyRecorder recorder, float* out) {
  std::uint32_t first[2] = {word(0, 0), word(0, 1)};
  float second[1] = {__uint_as_float(word(1, 0))};
  RECORD(recorder, "A", "mma.first", first);
  RECORD(recorder, "D k=16", "mma.second", second);
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(first[1]) + second[0];
}

__global__ void sixteen(DeviceRecorder recorder) {
  std::uint32_t words[16];
  for (int reg = 0; reg < 16; ++reg) words[reg] = word(0, reg);
  RECORD(recorder, "B", "", words);
}

// A 3 x 4 tile of bytes, rows 4 bytes of 8, and registers twice as wide as usual.
__global__ void wide(DeviceRecorder recorder) {
  __shared__ unsigned char tile[24];
  if (threadIdx.x < 24) tile[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  RECORD_TILE(recorder, "tile", "u8", 3, 4, tile, 4, 8);
  double registers[2];
  for (int reg = 0; reg < 2; ++reg)
    registers[reg] = __longlong_as_double((1ll << 62) + reg * 256 + threadIdx.x);
  std::int32_t sums[1] = {-1 - static_cast<int>(threadIdx.x)};
  RECORD(recorder, "A", "mma.wide", registers);
  RECORD(recorder, "D", "mma.wide", sums);
}

// 128 registers of two warpgroups, the second with 64-bit ones; the first CTA's warp 3 is slow.
__global__ void warpgroups(DeviceRecorder recorder, bool skip) {
  const int warp = static_cast<int>(threadIdx.x / 32);
  std::uint32_t first[128];
  for (int reg = 0; reg < 128; ++reg) first[reg] = word(0, reg);
  double second[2];
  for (int reg = 0; reg < 2; ++reg)
    second[reg] = __longlong_as_double((1ll << 62) + reg * 256 + threadIdx.x);
  if (warp >= 4) RECORD_WARPGROUP(recorder, "A", "wgmma.first", second);
  if (warp == 3 && skip) return;
  RECORD_WARPGROUP(recorder, "D", "wgmma.second", first);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  // Room for five of the eight records of `twice`.
  const std::size_t bytes = mode == "full" ? 4 * (1 + 5 * 83) : Recorder::kBufferBytes;
  Recorder recorder(argc, argv, "record_program", bytes);
  DeviceArray<float> out(128);
  if (mode == "refused") return 2;  // as a lesson does that the device lacks something for
  if (mode == "none") {
    twice<<<2, 64>>>(NoRecorder{}, out.data());
    out.get();
    return recorder.write() ? 0 : 1;
  }
  if (mode == "text") {
    recorder.view("\"Quotes\" and \\", {"one", "two"}, "B 1,2", "tab\tbell\aünl\n");
    sixteen<<<1, 32>>>(recorder.launch("sixteen", 1, 32, 256));
    DeviceArray<std::uint16_t> tile(std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6});
    recorder.memory("tile", "f16", 2, 2, tile.data(), 4, 6);
    return recorder.write() ? 0 : 1;
  }
  if (mode == "wide") {
    wide<<<1, 32>>>(recorder.launch("wide", 1, 32));
    return recorder.write() ? 0 : 1;
  }
  if (mode == "warpgroups" || mode == "skip") {
    warpgroups<<<2, 256>>>(recorder.launch("warpgroups", 2, 256), mode == "skip");
    return recorder.write() ? 0 : 1;
  }
  recorder.launch("nothing", 1, 1);
  twice<<<2, 64>>>(recorder.launch("twice", 2, 64), out.data());
  out.get();
  return recorder.write() ? 0 : 1;
}
