// SPDX-License-Identifier: MIT
// Arrays, textures and copies of blocks by the driver's own descriptions.
#include <doctest/doctest.h>

#include <array>
#include <numeric>

#include "cudart/driver/driver_array.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

constexpr int kHost = 1, kArray = 3, kUnified = 4, kF32 = 0x20, kS32 = 0x0a, kU8 = 1;

struct Numbers : std::array<float, 64> {
  Numbers() { std::iota(begin(), end(), 0.0f); }
};

/// Four rows of eight of `host`, from row 2, byte 8 of the array on.
CUDA_MEMCPY2D to_array(const Numbers& host, CUhandle array) {
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = kHost;
  copy.srcHost = host.data();
  copy.srcPitch = 32;
  copy.dstMemoryType = kArray;
  copy.dstArray = array;
  copy.dstXInBytes = 8;
  copy.dstY = 2;
  copy.WidthInBytes = 32;
  copy.Height = 4;
  return copy;
}

}  // namespace

TEST_CASE("an array of the driver tells what it was asked for, and takes blocks at a place") {
  const Fresh fresh;
  const CUDA_ARRAY_DESCRIPTOR asked{16, 8, kF32, 1};
  CUhandle array = nullptr;
  REQUIRE(cuArrayCreate_v2(&array, &asked) == 0);
  CUDA_ARRAY3D_DESCRIPTOR found{};
  CHECK(cuArray3DGetDescriptor_v2(&found, array) == 0);
  CHECK(found.Width == 16);
  CHECK(found.Height == 8);
  CHECK(found.Depth == 0);
  CHECK(found.Format == kF32);
  CHECK(found.NumChannels == 1);
  const Numbers numbers;
  CUDA_MEMCPY2D copy = to_array(numbers, array);
  CHECK(cuMemcpy2D_v2(&copy) == 0);
  CUdeviceptr device = 0;
  REQUIRE(cuMemAlloc_v2(&device, 64) == 0);
  CUDA_MEMCPY2D back{};
  back.srcMemoryType = kArray;
  back.srcArray = array;
  back.srcXInBytes = 12;
  back.srcY = 3;
  back.dstMemoryType = kUnified;
  back.dstDevice = device;
  back.WidthInBytes = 8;
  back.Height = 3;
  CHECK(cuMemcpy2DUnaligned_v2(&back) == 0);
  std::array<float, 6> got{};
  CHECK(cuMemcpyDtoH_v2(got.data(), device, sizeof got) == 0);
  CHECK(got == std::array<float, 6>{9, 10, 17, 18, 25, 26});
  copy.dstXInBytes = 6;  // not a texel's beginning
  copy.WidthInBytes = 3;
  CHECK(cuMemcpy2D_v2(&copy) == 0);
  copy.WidthInBytes = 0;  // nothing, of which nothing is looked at
  copy.dstMemoryType = 7;
  CHECK(cuMemcpy2D_v2(&copy) == 0);
  copy = to_array(numbers, array);
  CHECK(cuMemcpyHtoA_v2(array, 32, &numbers, 36) == 1);  // over the row's end
  CHECK(cuMemcpyHtoA_v2(array, 32, &numbers, 32) == 0);
  copy.dstXInBytes = 40;  // over the edge
  CHECK(cuMemcpy2D_v2(&copy) == 1);
  copy.dstMemoryType = 5;
  CHECK(cuMemcpy2D_v2(&copy) == 1);
  CHECK(cuArrayDestroy(array) == 0);
  CHECK(cuArrayDestroy(array) != 0);
}

TEST_CASE("volumes, and one row of an array") {
  const Fresh fresh;
  const Numbers numbers;
  const CUDA_ARRAY3D_DESCRIPTOR asked{4, 2, 2, kS32, 2, 0};
  CUhandle volume = nullptr, row = nullptr;
  REQUIRE(cuArray3DCreate_v2(&volume, &asked) == 0);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = kHost;
  copy.srcHost = numbers.data();
  copy.srcPitch = 32;
  copy.srcHeight = 4;  // a slice of the host's has more rows than are copied
  copy.dstMemoryType = kArray;
  copy.dstArray = volume;
  copy.WidthInBytes = 32;
  copy.Height = copy.Depth = 2;
  CHECK(cuMemcpy3D_v2(&copy) == 0);
  std::array<float, 4> got{};
  CUDA_MEMCPY3D back{};
  back.srcMemoryType = kArray;
  back.srcArray = volume;
  back.srcXInBytes = 8;
  back.srcY = back.srcZ = 1;
  back.dstMemoryType = kHost;
  back.dstHost = got.data();
  back.WidthInBytes = sizeof got;
  back.Height = back.Depth = 1;
  CHECK(cuMemcpy3DAsync_v2(&back, nullptr) == 0);
  CHECK(got == std::array<float, 4>{42, 43, 44, 45});
  const CUDA_ARRAY_DESCRIPTOR flat{64, 0, kS32, 1};
  REQUIRE(cuArrayCreate_v2(&row, &flat) == 0);
  CHECK(cuMemcpyHtoA_v2(row, 16, numbers.data(), 64) == 0);
  CHECK(cuMemcpyAtoA_v2(row, 128, row, 24, 16) == 0);
  CHECK(cuMemcpyAtoH_v2(got.data(), row, 128, 16) == 0);
  CHECK(got == std::array<float, 4>{2, 3, 4, 5});
  CUdeviceptr device = 0;
  REQUIRE(cuMemAlloc_v2(&device, 16) == 0);
  CHECK(cuMemcpyAtoD_v2(device, row, 20, 16) == 0);
  CHECK(cuMemcpyDtoA_v2(row, 0, device, 16) == 0);
  CHECK(cuMemcpyAtoHAsync_v2(got.data(), row, 0, 16, nullptr) == 0);
  CHECK(got == std::array<float, 4>{1, 2, 3, 4});
}

TEST_CASE("a texture says again how it was described, whole numbers as they are or up to 1") {
  const Fresh fresh;
  const CUDA_ARRAY_DESCRIPTOR asked{16, 8, kU8, 4};
  CUDA_RESOURCE_DESC resource{};
  REQUIRE(cuArrayCreate_v2(&resource.res.array.hArray, &asked) == 0);
  CUDA_TEXTURE_DESC how{};
  how.addressMode[1] = 3;
  how.flags = 2;  // normalized coordinates
  how.filterMode = 1;
  how.borderColor[2] = 0.5f;
  unsigned long long texture = 0, surface = 0;
  REQUIRE(cuTexObjectCreate(&texture, &resource, &how, nullptr) == 0);
  CUDA_TEXTURE_DESC said{};
  CHECK(cuTexObjectGetTextureDesc(&said, texture) == 0);
  CHECK(said.addressMode[1] == 3);
  CHECK(said.flags == 2);
  CHECK(said.borderColor[2] == 0.5f);
  CUDA_RESOURCE_DESC of{};
  CHECK(cuTexObjectGetResourceDesc(&of, texture) == 0);
  CHECK(of.res.array.hArray == resource.res.array.hArray);
  CHECK(cuTexObjectDestroy(texture) == 0);
  how.flags = 1;  // as they are: those cannot be filtered
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr) == 1);
  CHECK(cuSurfObjectCreate(&surface, &resource) == 0);
  CHECK(cuSurfObjectGetResourceDesc(&of, surface) == 0);
  CHECK(cuSurfObjectDestroy(surface) == 0);
  how.filterMode = 0;
  CUDA_RESOURCE_DESC line{};
  line.resType = ResourceType::linear;
  REQUIRE(cuMemAlloc_v2(&line.res.linear.devPtr, 256) == 0);
  line.res.linear.format = kS32;
  line.res.linear.numChannels = 2;
  line.res.linear.sizeInBytes = 256;
  REQUIRE(cuTexObjectCreate(&texture, &line, &how, nullptr) == 0);
  CHECK(cuTexObjectGetResourceDesc(&of, texture) == 0);
  CHECK(of.res.linear.format == kS32);
  CHECK(of.res.linear.numChannels == 2);
  line.res.linear.numChannels = 3;
  CHECK(cuTexObjectCreate(&texture, &line, &how, nullptr) == 1);
}
