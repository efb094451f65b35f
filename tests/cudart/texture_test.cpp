// SPDX-License-Identifier: MIT
// Arrays, textures and surfaces through the API: what can be made, what is refused, what copies
// bring where. What kernels fetch is tests/emulator's and tests/golden/texture's.
#include <doctest/doctest.h>

#include <numeric>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

constexpr cudaChannelFormatDesc kFloat{32, 0, 0, 0, 2}, kBytes4{8, 8, 8, 8, 1};

cudaArray_t array_of(const cudaChannelFormatDesc& channels, cudaExtent extent, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &channels, extent, flags) == cudaSuccess);
  return array;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = ResourceType::array;
  resource.res.array.array = array;
  return resource;
}

template <class T>
std::vector<T> counted(std::size_t count, T first) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("an array says what it is, is counted, and goes once") {
  const Fresh fresh;
  std::size_t before = 0, after = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  const cudaArray_t array = array_of(kBytes4, {10, 6, 3}, kArrayLayered | kArraySurface);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(before - after >= 10 * 6 * 3 * 4);
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  CHECK(cudaArrayGetInfo(&channels, &extent, &flags, array) == cudaSuccess);
  CHECK(channels.w == 8);
  CHECK((extent.width == 10 && extent.height == 6 && extent.depth == 3));
  CHECK(flags == (kArrayLayered | kArraySurface));
  CHECK(cudaGetChannelDesc(&channels, array) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(array) != cudaSuccess);
  CHECK(cudaArrayGetInfo(&channels, &extent, &flags, array) != cudaSuccess);
  CHECK(cudaGetChannelDesc(&channels, array) != cudaSuccess);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(before == after);
}

TEST_CASE("rows go into an array, from there into another, and out again") {
  const Fresh fresh;
  const cudaArray_t one = array_of(kFloat, {7, 5, 0}), other = array_of(kFloat, {7, 5, 0});
  const std::vector<float> sent = counted(7 * 5, 1.0f);
  std::vector<float> got(7 * 5, 0);
  CHECK(cudaMemcpy2DToArray(one, 0, 0, sent.data(), 28, 28, 5, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpy2DArrayToArray(other, 4, 1, one, 8, 0, 20, 4, cudaMemcpyDeviceToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpy2DFromArray(got.data(), 28, other, 4, 1, 20, 4, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t col = 0; col < 5; ++col) CHECK(got[row * 7 + col] == sent[row * 7 + col + 2]);
  std::vector<float> all(7 * 5, 0);
  CHECK(cudaMemcpyFromArray(all.data(), one, 0, 0, 140, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(all == sent);
  CHECK(cudaMemcpyToArray(one, 24, 1, sent.data(), 40, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromArray(all.data(), one, 0, 0, 140, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (std::size_t k = 0; k < 10; ++k) CHECK(all[13 + k] == sent[k]);
  CHECK(all[12] == sent[12]);
  CHECK(all[23] == sent[23]);
  CHECK(cudaFreeArray(one) == cudaSuccess);
  CHECK(cudaMemcpy2DToArray(one, 0, 0, sent.data(), 28, 28, 5, cudaMemcpyHostToDevice) !=
        cudaSuccess);
  CHECK(cudaFreeArray(other) == cudaSuccess);
}

TEST_CASE("volumes and layers are copied by texels, slice for slice") {
  const Fresh fresh;
  for (const unsigned flags : {0u, kArrayLayered}) {
    const cudaArray_t array = array_of(kBytes4, {6, 5, 4}, flags);
    std::vector<unsigned> sent = counted(6 * 5 * 4, 1000u), got(3 * 2 * 2, 0);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {sent.data(), 24, 6, 5};
    copy.dstArray = array;
    copy.extent = {6, 5, 4};
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    copy = {};
    copy.srcArray = array;
    copy.srcPos = {2, 3, 1};
    copy.dstPtr = {got.data(), 12, 3, 2};
    copy.extent = {3, 2, 2};
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    for (unsigned k = 0; k < 12; ++k)
      CHECK(got[k] == 1000 + (1 + k / 6) * 30 + (3 + k / 3 % 2) * 6 + 2 + k % 3);
    copy.srcPos = {4, 3, 1};
    CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
    copy.srcPos = {0, 0, 3};
    CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
    CHECK(cudaFreeArray(array) == cudaSuccess);
  }
}

TEST_CASE("a texture object tells what it was made of until it is destroyed") {
  const Fresh fresh;
  const cudaArray_t array = array_of(kFloat, {8, 8, 0}, kArraySurface);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc how{};
  how.filterMode = 1;
  how.borderColor[2] = 0.25f;
  cudaTextureObject_t texture = 0, second = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
  CHECK(cudaCreateTextureObject(&second, &resource, &how, nullptr) == cudaSuccess);
  CHECK(texture != second);
  cudaResourceDesc resource_back{};
  cudaTextureDesc how_back{};
  CHECK(cudaGetTextureObjectResourceDesc(&resource_back, texture) == cudaSuccess);
  CHECK(resource_back.res.array.array == array);
  CHECK(cudaGetTextureObjectTextureDesc(&how_back, texture) == cudaSuccess);
  CHECK(how_back.borderColor[2] == 0.25f);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  CHECK(cudaGetSurfaceObjectResourceDesc(&resource_back, surface) == cudaSuccess);
  CHECK(cudaGetSurfaceObjectResourceDesc(&resource_back, texture) != cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaGetTextureObjectTextureDesc(&how_back, texture) != cudaSuccess);
  CHECK(cudaGetTextureObjectTextureDesc(&how_back, second) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(second) == cudaSuccess);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr) != cudaSuccess);
  CHECK(cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess);
}
