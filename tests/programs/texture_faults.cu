// SPDX-License-Identifier: MIT
// Kernels that use textures and surfaces which are not there, as the argument says, and what is
// found out when: h200/texture_faults.txt has a card's answers.
#include <cstring>

#include "program.cuh"

__global__ void fetch(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 1.5f);
}
__global__ void fetch_linear(cudaTextureObject_t texture, int first, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, first + static_cast<int>(threadIdx.x));
}
__global__ void load(cudaSurfaceObject_t surface, int column, float* out) {
  out[threadIdx.x] = surf2Dread<float>(surface, column, 0);
}
__global__ void load_zero(cudaSurfaceObject_t surface, int column, int row, float* out) {
  out[threadIdx.x] = surf2Dread<float>(surface, column, row, cudaBoundaryModeZero);
}
__global__ void load_clamped(cudaSurfaceObject_t surface, int column, int row, float* out) {
  out[threadIdx.x] = surf2Dread<float>(surface, column, row, cudaBoundaryModeClamp);
}
__global__ void store(cudaSurfaceObject_t surface, int column) {
  surf2Dwrite(1.0f, surface, column, 0);
}

static bool is(const char* kind, const char* name) { return std::strcmp(kind, name) == 0; }

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "";
  constexpr int kWide = 8, kHigh = 4;
  float host[kHigh][kWide], *out = nullptr, *memory = nullptr, got[4] = {9, 9, 9, 9};
  for (int row = 0; row < kHigh; ++row)
    for (int col = 0; col < kWide; ++col) host[row][col] = static_cast<float>(10 * row + col + 1);
  CHECK(cudaMalloc(&out, 64));
  CHECK(cudaMalloc(&memory, sizeof host));
  CHECK(cudaMemcpy(out, got, sizeof got, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &channels, kWide, kHigh, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], kHigh,
                            cudaMemcpyHostToDevice));
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how{};
  cudaTextureObject_t texture = 0, line = 0;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  CHECK(cudaCreateSurfaceObject(&surface, &what));
  what.resType = cudaResourceTypeLinear;
  what.res.linear = {memory, channels, sizeof host};
  CHECK(cudaCreateTextureObject(&line, &what, &how, nullptr));
  if (is(kind, "good")) {
    fetch<<<1, 4>>>(texture, out);
  } else if (is(kind, "line")) {
    fetch_linear<<<1, 4>>>(line, 3, out);
  } else if (is(kind, "line-end")) {
    fetch_linear<<<1, 4>>>(line, kWide * kHigh - 2, out);
  } else if (is(kind, "line-before")) {
    fetch_linear<<<1, 4>>>(line, -2, out);
  } else if (is(kind, "destroyed")) {
    CHECK(cudaDestroyTextureObject(texture));
    fetch<<<1, 4>>>(texture, out);
  } else if (is(kind, "none")) {
    fetch<<<1, 4>>>(0, out);
  } else if (is(kind, "number")) {
    fetch<<<1, 4>>>(123456789, out);
  } else if (is(kind, "pointer")) {
    fetch<<<1, 4>>>(reinterpret_cast<cudaTextureObject_t>(memory), out);
  } else if (is(kind, "surface-as-texture")) {
    fetch<<<1, 4>>>(surface, out);
  } else if (is(kind, "line-as-plane")) {
    fetch<<<1, 4>>>(line, out);
  } else if (is(kind, "plane-as-line")) {
    fetch_linear<<<1, 4>>>(texture, 3, out);
  } else if (is(kind, "freed-array")) {
    CHECK(cudaFreeArray(array));
    fetch<<<1, 4>>>(texture, out);
  } else if (is(kind, "freed-memory")) {
    CHECK(cudaFree(memory));
    fetch_linear<<<1, 4>>>(line, 0, out);
  } else if (is(kind, "surface")) {
    load<<<1, 4>>>(surface, 8, out);
  } else if (is(kind, "surface-outside")) {
    load<<<1, 4>>>(surface, 32, out);
  } else if (is(kind, "surface-before")) {
    load<<<1, 4>>>(surface, -4, out);
  } else if (is(kind, "surface-askew")) {
    load<<<1, 4>>>(surface, 6, out);
  } else if (is(kind, "surface-zero")) {
    load_zero<<<1, 4>>>(surface, 32, 1, out);
  } else if (is(kind, "surface-zero-row")) {
    load_zero<<<1, 4>>>(surface, 4, -1, out);
  } else if (is(kind, "surface-clamp")) {
    load_clamped<<<1, 4>>>(surface, 32, 9, out);
  } else if (is(kind, "surface-clamp-before")) {
    load_clamped<<<1, 4>>>(surface, -100, -2, out);
  } else if (is(kind, "surface-clamp-askew")) {
    load_clamped<<<1, 4>>>(surface, 6, 1, out);
  } else if (is(kind, "store-outside")) {
    store<<<1, 4>>>(surface, 32);
  } else if (is(kind, "store-askew")) {
    store<<<1, 4>>>(surface, 2);
  } else if (is(kind, "surface-destroyed")) {
    CHECK(cudaDestroySurfaceObject(surface));
    load<<<1, 4>>>(surface, 8, out);
  } else if (is(kind, "texture-as-surface")) {
    load<<<1, 4>>>(texture, 8, out);
  } else if (is(kind, "no-surface")) {
    load<<<1, 4>>>(0, 8, out);
  } else {
    return 2;
  }
  std::printf("%s: launch %s", kind, cudaGetErrorName(cudaGetLastError()));
  std::printf(", synchronize %s", cudaGetErrorName(cudaDeviceSynchronize()));
  const cudaError_t copied = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  if (copied == cudaSuccess)
    std::printf(", %g %g %g %g", got[0], got[1], got[2], got[3]);
  else
    std::printf(", copy %s", cudaGetErrorName(copied));
  std::printf("\n");
  return 0;
}
