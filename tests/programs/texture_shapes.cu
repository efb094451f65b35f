// SPDX-License-Identifier: MIT
// Cube maps, alone and in layers, points of them and between texels; the four texels around a place
// (tex2Dgather), in every address mode and channel; faces as a surface's layers.
#include "program.cuh"

constexpr int kSize = 8, kPlaces = 4096, kBlock = 256;

__device__ unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}
/// Random numbers from -1 to 1, some of them eighths: edges and corners of the cube among them.
__device__ float along(unsigned place, unsigned axis) {
  const float any = static_cast<int>(mixed(place * 3 + axis) >> 8) / 8388608.0f - 1;
  return place % 5 == 0 ? floorf(any * 8) / 8 : any;
}

__global__ void look(cudaTextureObject_t cube, int layers, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = along(i, 0), y = i % 7 == 1 ? x : along(i, 1), z = i % 7 == 2 ? -y : along(i, 2);
  out[i] = layers == 1 ? texCubemap<float>(cube, x, y, z)
                       : texCubemapLayered<float>(cube, x, y, z, i % (layers + 2));
}

__global__ void gather(cudaTextureObject_t texture, float scale, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = ((i & 63) * 0.3125f - 3.2f) * scale, y = ((i >> 6) * 0.4375f - 5.1f) * scale;
  const float4 parts[] = {
      tex2Dgather<float4>(texture, x, y, 0), tex2Dgather<float4>(texture, x, y, 1),
      tex2Dgather<float4>(texture, x, y, 2), tex2Dgather<float4>(texture, x, y, 3)};
  out[i] = parts[i % 4];
}

__global__ void paint(cudaSurfaceObject_t faces) {
  float texel;
  surfCubemapread(&texel, faces, 4 * threadIdx.x, threadIdx.y, blockIdx.x);
  surfCubemapwrite(texel + 1000, faces, 4 * threadIdx.x, threadIdx.y, blockIdx.x);
}

static cudaArray_t array_of(std::vector<float>& texels, int channels, int deep, unsigned flags) {
  const cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>(),
                              one = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(kSize, kSize, deep);
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, channels == 4 ? &four : &one, extent, flags));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), kSize * channels * 4, kSize, kSize);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(kSize, kSize, deep == 0 ? 1 : deep);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, int mode, bool filters, bool normalized) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how{};
  for (cudaTextureAddressMode& one : how.addressMode)
    one = static_cast<cudaTextureAddressMode>(mode);
  how.filterMode = filters ? cudaFilterModeLinear : cudaFilterModePoint;
  how.normalizedCoords = normalized;
  how.borderColor[0] = how.borderColor[2] = -7;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  return texture;
}

static void cubes(std::vector<float>& texels, int layers, float* out) {
  const cudaArray_t cube = array_of(texels, 1, 6 * layers,
                                    cudaArrayCubemap | cudaArraySurfaceLoadStore |
                                        (layers == 1 ? cudaArrayDefault : cudaArrayLayered));
  for (const int mode : {cudaAddressModeClamp, cudaAddressModeBorder})
    for (const bool filters : {false, true}) {
      const cudaTextureObject_t texture = texture_of(cube, mode, filters, true);
      look<<<kPlaces / kBlock, kBlock>>>(texture, layers, out);
      std::printf("%d layers, mode %d, %s: ", layers, mode, filters ? "filtered" : "points");
      print_bits(from_device(out, kPlaces));
      CHECK(cudaDestroyTextureObject(texture));
    }
  if (layers == 1) {
    cudaResourceDesc what{};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = cube;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &what));
    paint<<<6, dim3(kSize, kSize)>>>(surface);
    const cudaTextureObject_t texture = texture_of(cube, cudaAddressModeClamp, false, true);
    look<<<kPlaces / kBlock, kBlock>>>(texture, layers, out);
    std::printf("painted: %g ", from_device(out, 1)[0]);
    print_bits(from_device(out, kPlaces));
  }
  CHECK(cudaFreeArray(cube));
}

int main() {
  Numbers numbers;
  std::vector<float> texels(kSize * kSize * 18);
  for (float& texel : texels) texel = numbers.next(1000) / 64.0f;
  float4* out = to_device(std::vector<float4>(kPlaces));
  cubes(texels, 1, &out->x);
  cubes(texels, 3, &out->x);
  const cudaArray_t plane = array_of(texels, 4, 0, cudaArrayTextureGather);
  for (int mode = 0; mode < 4; ++mode)
    for (const bool normalized : {false, true}) {
      const cudaTextureObject_t texture = texture_of(plane, mode, mode % 2 == 1, normalized);
      gather<<<kPlaces / kBlock, kBlock>>>(texture, normalized ? 1.0f / kSize : 1.0f, out);
      std::printf("gather, mode %d, %s: ", mode, normalized ? "normalized" : "texels");
      print_bits(from_device(out, kPlaces));
      CHECK(cudaDestroyTextureObject(texture));
    }
  CHECK(cudaFreeArray(plane));
  return verdict("texture_shapes", 0, 0);
}
