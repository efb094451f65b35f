// SPDX-License-Identifier: MIT
// Textures, arrays and surfaces that cannot be, and what is said of those that can: a line a
// question; h200/texture_errors.txt has a card's answers.
#include <cstring>

#include "program.cuh"

static cudaTextureObject_t texture;
static cudaTextureDesc how;
static cudaResourceDesc what;

static void create(const char* name) {
  texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &what, &how, nullptr);
  std::printf("%s: %s%s\n", name, cudaGetErrorName(error), texture == 0 ? "" : ", a handle");
  cudaGetLastError();
  if (error == cudaSuccess) CHECK(cudaDestroyTextureObject(texture));
}

static void array(const char* name, cudaChannelFormatDesc channels, std::size_t width,
                  std::size_t height, std::size_t depth = 0, unsigned flags = 0) {
  cudaArray_t made = nullptr;
  const cudaError_t error =
      cudaMalloc3DArray(&made, &channels, make_cudaExtent(width, height, depth), flags);
  std::printf("%s: %s", name, cudaGetErrorName(error));
  cudaGetLastError();
  if (error == cudaSuccess) {
    cudaExtent extent{};
    cudaChannelFormatDesc got{};
    unsigned got_flags = 99;
    CHECK(cudaArrayGetInfo(&got, &extent, &got_flags, made));
    std::printf(", %zu x %zu x %zu, flags %u, %d %d %d %d kind %d", extent.width, extent.height,
                extent.depth, got_flags, got.x, got.y, got.z, got.w, got.f);
    CHECK(cudaFreeArray(made));
  }
  std::printf("\n");
}

static const cudaChannelFormatDesc kFloat = cudaCreateChannelDesc<float>();

static void arrays() {
  array("float", kFloat, 64, 32);
  array("uchar4", cudaCreateChannelDesc<uchar4>(), 64, 0);
  array("half", cudaCreateChannelDescHalf(), 7, 5, 3);
  array("half4", cudaCreateChannelDescHalf4(), 7, 5, 3);
  array("short2, layered", cudaCreateChannelDesc<short2>(), 7, 5, 3, cudaArrayLayered);
  array("int, layered, 1D", cudaCreateChannelDesc<int>(), 7, 0, 3, cudaArrayLayered);
  array("layered, none", kFloat, 7, 5, 0, cudaArrayLayered);
  array("surface", kFloat, 7, 5, 0, cudaArraySurfaceLoadStore);
  array("layered surface", kFloat, 7, 5, 2, cudaArraySurfaceLoadStore | cudaArrayLayered);
  array("three channels", {8, 8, 8, 0, cudaChannelFormatKindUnsigned}, 8, 8);
  array("12 bits", {12, 0, 0, 0, cudaChannelFormatKindUnsigned}, 8, 8);
  array("64 bits", {64, 0, 0, 0, cudaChannelFormatKindUnsigned}, 8, 8);
  array("8 bits and 16", {8, 16, 0, 0, cudaChannelFormatKindUnsigned}, 8, 8);
  array("a hole", {8, 0, 8, 0, cudaChannelFormatKindUnsigned}, 8, 8);
  array("no bits", {0, 0, 0, 0, cudaChannelFormatKindUnsigned}, 8, 8);
  array("float of 8", {8, 0, 0, 0, cudaChannelFormatKindFloat}, 8, 8);
  array("no kind", {32, 0, 0, 0, cudaChannelFormatKindNone}, 8, 8);
  array("kind 99", {32, 0, 0, 0, static_cast<cudaChannelFormatKind>(99)}, 8, 8);
  array("negative bits", {-8, 0, 0, 0, cudaChannelFormatKindUnsigned}, 8, 8);
  array("no width", kFloat, 0, 8);
  array("nothing", kFloat, 0, 0);
  array("depth, no height", kFloat, 8, 0, 8);
  array("gather", kFloat, 8, 8, 0, cudaArrayTextureGather);
  array("gather, 3D", kFloat, 8, 8, 8, cudaArrayTextureGather);
  array("1D as wide as may be", kFloat, 131072, 0);
  array("1D wider", kFloat, 131073, 0);
  array("1D surface wide", kFloat, 32768, 0, 0, cudaArraySurfaceLoadStore);
  array("1D surface wider", kFloat, 32769, 0, 0, cudaArraySurfaceLoadStore);
  array("2D wide", kFloat, 131072, 2);
  array("2D wider", kFloat, 131073, 2);
  array("2D high", kFloat, 2, 65536);
  array("2D higher", kFloat, 2, 65537);
  array("2D surface high", kFloat, 2, 65536, 0, cudaArraySurfaceLoadStore);
  array("2D surface higher", kFloat, 2, 65537, 0, cudaArraySurfaceLoadStore);
  array("3D wide", kFloat, 16384, 2, 2);
  array("3D wider", kFloat, 16385, 2, 2);
  array("3D deep", kFloat, 2, 2, 16384);
  array("3D deeper", kFloat, 2, 2, 16385);
  array("layers", kFloat, 2, 2, 2048, cudaArrayLayered);
  array("more layers", kFloat, 2, 2, 2049, cudaArrayLayered);
  array("layers wide", kFloat, 32768, 2, 2, cudaArrayLayered);
  array("layers wider", kFloat, 32769, 2, 2, cudaArrayLayered);
  cudaArray_t made = nullptr;
  SAY(cudaMallocArray(nullptr, &kFloat, 8, 8));
  SAY(cudaMallocArray(&made, nullptr, 8, 8));
  SAY(cudaMallocArray(&made, &kFloat, 8, 8));
  SAY(cudaFreeArray(made));
  SAY(cudaFreeArray(nullptr));
  SAY(cudaArrayGetInfo(nullptr, nullptr, nullptr, nullptr));
}

static void linear_textures(float* memory) {
  what = {};
  how = {};
  what.resType = cudaResourceTypeLinear;
  what.res.linear = {memory, kFloat, 4096};
  create("linear");
  what.res.linear.sizeInBytes = 4095;
  create("linear, 4095 bytes");
  what.res.linear.sizeInBytes = 0;
  create("linear, no bytes");
  what.res.linear.sizeInBytes = 3;
  create("linear, 3 bytes");
  what.res.linear.sizeInBytes = std::size_t{1} << 29;
  create("linear, 2^27 floats");
  what.res.linear.sizeInBytes = (std::size_t{1} << 29) + 4;
  create("linear, a float more");
  what.res.linear.sizeInBytes = 1 << 22;
  create("linear, beyond the allocation");
  what.res.linear = {memory + 1, kFloat, 4096};
  create("linear, 4 bytes on");
  what.res.linear.devPtr = memory + 8;
  create("linear, 32 bytes on");
  what.res.linear.devPtr = memory + 128;
  create("linear, 512 bytes on");
  what.res.linear.devPtr = nullptr;
  create("linear, nowhere");
  what.res.linear.devPtr = (char*)&what + 4;  // no multiple of textureAlignment
  create("linear, the host's");
  what.res.linear = {memory, {8, 8, 8, 0, cudaChannelFormatKindUnsigned}, 4096};
  create("linear, three channels");
  what.res.linear.desc = kFloat;
  how.filterMode = cudaFilterModeLinear;
  create("linear, filtered");
  how.filterMode = cudaFilterModePoint;
  how.normalizedCoords = 1;
  create("linear, normalized");
  how.normalizedCoords = 0;
  how.readMode = cudaReadModeNormalizedFloat;
  create("linear, float read as normalized");
  what.res.linear.desc = cudaCreateChannelDesc<int>();
  create("linear, int read as normalized");
  what.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  create("linear, uchar4 read as normalized");
  how.readMode = cudaReadModeElementType;
  how.filterMode = static_cast<cudaTextureFilterMode>(7);
  create("filter 7");
  how.filterMode = cudaFilterModePoint;
  how.readMode = static_cast<cudaTextureReadMode>(7);
  create("read mode 7");
  how.readMode = cudaReadModeElementType;
  how.addressMode[0] = static_cast<cudaTextureAddressMode>(7);
  create("address mode 7");
  what.resType = static_cast<cudaResourceType>(9);
  create("resource 9");
}

static void pitch_textures(float* memory) {
  what = {};
  how = {};
  what.resType = cudaResourceTypePitch2D;
  what.res.pitch2D = {memory, kFloat, 20, 10, 512};
  create("pitch");
  what.res.pitch2D.pitchInBytes = 80;
  create("pitch of 80");
  what.res.pitch2D.pitchInBytes = 96;
  create("pitch of 96");
  what.res.pitch2D.pitchInBytes = 64;
  create("pitch of 64, too narrow");
  what.res.pitch2D.pitchInBytes = 0;
  create("no pitch");
  what.res.pitch2D = {memory + 8, kFloat, 20, 10, 512};
  create("pitch, 32 bytes on");
  what.res.pitch2D = {memory, kFloat, 0, 10, 512};
  create("pitch, no width");
  what.res.pitch2D = {memory, kFloat, 20, 0, 512};
  create("pitch, no height");
  what.res.pitch2D = {memory, kFloat, 20, 1 << 16, 512};
  create("pitch, 65536 high");
  what.res.pitch2D = {memory, kFloat, 131072, 2, 131072 * 4};
  create("pitch, 131072 wide");
  what.res.pitch2D = {memory, kFloat, 131073, 2, 131104 * 4};
  create("pitch, 131073 wide");
  what.res.pitch2D = {memory, kFloat, 20, 65000, 512};
  create("pitch, 65000 high");
  what.res.pitch2D = {memory, kFloat, 20, 65001, 512};
  create("pitch, 65001 high");
  what.res.pitch2D = {memory, cudaCreateChannelDesc<int>(), 20, 10, 512};
  how.filterMode = cudaFilterModeLinear;
  create("pitch, int filtered");
  what.res.pitch2D.desc = cudaCreateChannelDesc<short>();
  create("pitch, short filtered as elements");
  how.readMode = cudaReadModeNormalizedFloat;
  create("pitch, short filtered as floats");
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
  create("pitch, wrap in texels");
  how.normalizedCoords = 1;
  create("pitch, wrap normalized");
  how.maxAnisotropy = 4;
  create("pitch, anisotropic");
  how.maxAnisotropy = 0;
  how.sRGB = 1;
  create("pitch, short as sRGB");
  what.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
  how.readMode = cudaReadModeElementType;
  how.filterMode = cudaFilterModePoint;
  create("pitch, elements as sRGB");
}

static void array_textures() {
  what = {};
  how = {};
  what.resType = cudaResourceTypeArray;
  create("no array");
  cudaArray_t plain = nullptr, stored = nullptr;
  CHECK(cudaMallocArray(&plain, &kFloat, 16, 16));
  CHECK(cudaMallocArray(&stored, &kFloat, 16, 16, cudaArraySurfaceLoadStore));
  what.res.array.array = plain;
  create("array");
  how.filterMode = cudaFilterModeLinear;
  create("array, filtered");
  how.normalizedCoords = 1;
  how.seamlessCubemap = 1;
  create("array, seamless");
  how.seamlessCubemap = 0;
  how.disableTrilinearOptimization = 1;
  create("array, no trilinear optimization");
  how.mipmapFilterMode = cudaFilterModeLinear;
  how.minMipmapLevelClamp = 1;
  create("array, mipmap fields");
  how = {};
  cudaTextureDesc how_back{};
  cudaResourceDesc what_back{};
  cudaResourceViewDesc view{};
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  SAY(cudaGetTextureObjectResourceDesc(&what_back, texture));
  std::printf("the same array: %d\n", what_back.res.array.array == plain);
  how_back.sRGB = 7;
  SAY(cudaGetTextureObjectTextureDesc(&how_back, texture));
  std::printf("described: %d %d %d, %d %d %d\n", how_back.addressMode[0], how_back.addressMode[2],
              how_back.filterMode, how_back.readMode, how_back.sRGB, how_back.normalizedCoords);
  SAY(cudaGetTextureObjectResourceViewDesc(&view, texture));
  SAY(cudaGetTextureObjectResourceDesc(nullptr, texture));
  SAY(cudaDestroyTextureObject(texture));
  SAY(cudaDestroyTextureObject(texture));
  SAY(cudaDestroyTextureObject(0));
  SAY(cudaDestroyTextureObject(123456789));
  SAY(cudaGetTextureObjectResourceDesc(&what_back, texture));
  SAY(cudaCreateTextureObject(nullptr, &what, &how, nullptr));
  SAY(cudaCreateTextureObject(&texture, nullptr, &how, nullptr));
  SAY(cudaCreateTextureObject(&texture, &what, nullptr, nullptr));
  cudaSurfaceObject_t surface = 0;
  SAY(cudaCreateSurfaceObject(&surface, &what));
  what.res.array.array = stored;
  SAY(cudaCreateSurfaceObject(&surface, &what));
  SAY(cudaGetSurfaceObjectResourceDesc(&what_back, surface));
  SAY(cudaDestroySurfaceObject(surface));
  SAY(cudaDestroySurfaceObject(surface));
  SAY(cudaDestroySurfaceObject(0));
  SAY(cudaCreateSurfaceObject(nullptr, &what));
  what.resType = cudaResourceTypeLinear;
  what.res.linear = {stored, kFloat, 64};
  SAY(cudaCreateSurfaceObject(&surface, &what));
  CHECK(cudaFreeArray(plain));
  CHECK(cudaFreeArray(stored));
}

static void copies(float* memory) {
  cudaArray_t one = nullptr, volume = nullptr, other = nullptr;
  const cudaChannelFormatDesc bytes4 = cudaCreateChannelDesc<uchar4>();
  CHECK(cudaMallocArray(&one, &kFloat, 16, 8));
  CHECK(cudaMallocArray(&other, &bytes4, 16, 8));
  CHECK(cudaMalloc3DArray(&volume, &kFloat, make_cudaExtent(16, 8, 4), 0));
  const auto up = cudaMemcpyDeviceToDevice;
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 64, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 68, 8, up));
  SAY(cudaMemcpy2DToArray(one, 4, 0, memory, 64, 64, 8, up));
  SAY(cudaMemcpy2DToArray(one, 4, 0, memory, 64, 60, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 1, memory, 64, 64, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 60, 64, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 62, 8, up));
  SAY(cudaMemcpy2DToArray(one, 2, 0, memory, 64, 60, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 0, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 64, 0, up));
  SAY(cudaMemcpy2DToArray(nullptr, 0, 0, memory, 64, 64, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 0, nullptr, 64, 64, 8, up));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 64, 8, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 64, 8, static_cast<cudaMemcpyKind>(9)));
  SAY(cudaMemcpy2DToArray(one, 0, 0, memory, 64, 64, 8, cudaMemcpyDefault));
  SAY(cudaMemcpy2DFromArray(memory, 64, one, 0, 0, 64, 8, up));
  SAY(cudaMemcpy2DFromArray(memory, 64, one, 0, 4, 64, 8, up));
  SAY(cudaMemcpy2DArrayToArray(one, 0, 0, other, 0, 0, 64, 8, up));
  SAY(cudaMemcpy2DArrayToArray(one, 8, 0, other, 0, 0, 56, 8, up));
  SAY(cudaMemcpy2DArrayToArray(one, 8, 0, other, 0, 0, 64, 8, up));
  SAY(cudaMemcpy2DToArray(volume, 0, 0, memory, 64, 64, 8, up));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(memory, 64, 16, 8);
  copy.dstArray = volume;
  copy.extent = make_cudaExtent(16, 8, 4);
  copy.kind = up;
  SAY(cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(17, 8, 4);
  SAY(cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(16, 8, 5);
  SAY(cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(15, 7, 3);
  copy.dstPos = make_cudaPos(1, 1, 1);
  SAY(cudaMemcpy3D(&copy));
  copy.dstPos = make_cudaPos(2, 1, 1);
  SAY(cudaMemcpy3D(&copy));
  copy.dstPos = make_cudaPos(0, 0, 0);
  copy.srcArray = volume;
  SAY(cudaMemcpy3D(&copy));
  copy.srcPtr = {};
  copy.dstArray = volume;
  SAY(cudaMemcpy3D(&copy));
  copy.dstPtr = make_cudaPitchedPtr(memory, 64, 16, 8);
  SAY(cudaMemcpy3D(&copy));
  copy.dstArray = nullptr;
  SAY(cudaMemcpy3D(&copy));
  copy.extent.depth = 0;
  SAY(cudaMemcpy3D(&copy));
  CHECK(cudaFreeArray(one));
  CHECK(cudaFreeArray(other));
  CHECK(cudaFreeArray(volume));
}

static void limits() {
  cudaDeviceProp card;
  CHECK(cudaGetDeviceProperties(&card, 0));
  std::printf("limits:");
  for (const int* limit = &card.maxTexture1D; limit <= &card.maxSurfaceCubemapLayered[1]; ++limit)
    std::printf(" %d", *limit);
  std::printf("\nalignment: %zu %zu %zu\n", card.textureAlignment, card.texturePitchAlignment,
              card.surfaceAlignment);
}

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  float* memory = nullptr;
  CHECK(cudaMalloc(&memory, 1 << 21));
  limits();
  arrays();
  linear_textures(memory);
  pitch_textures(memory);
  array_textures();
  copies(memory);
  std::size_t width = 0;
  SAY(cudaDeviceGetTexture1DLinearMaxWidth(&width, &kFloat, 0));
  std::printf("floats in a row: %zu\n", width);
  const cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>();
  SAY(cudaDeviceGetTexture1DLinearMaxWidth(&width, &four, 0));
  std::printf("float4 in a row: %zu\n", width);
  SAY(cudaDeviceSynchronize());
  return 0;
}
