// SPDX-License-Identifier: MIT
// Records what this machine's card fetches from the textures of forms.hpp, as bits.
//
//     nvcc -std=c++17 -gencode arch=compute_90a,code=[sm_90a,compute_90a] -o record record.cu
//     ./record OUT NOTE FETCHES [SALT]       # fetches of each form; other texels and places
//
// nvcc alone builds it; the emulator runs it too.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../check_cuda.cuh"
#include "forms.hpp"

using namespace lanescope::golden::texture;

/// Four channels are fetched whatever the texture has: the instruction gives four.
template <class Texel>
__global__ void fetch(cudaTextureObject_t texture, int dims, Memory memory, const Place* places,
                      int count, Texel* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place p = places[i];
  if (memory == Memory::linear)
    out[i] = tex1Dfetch<Texel>(texture, static_cast<int>(p.at[0]));
  else if (memory == Memory::layers)
    out[i] = dims == 1 ? tex1DLayered<Texel>(texture, p.at[0], p.layer)
                       : tex2DLayered<Texel>(texture, p.at[0], p.at[1], p.layer);
  else if (dims == 1)
    out[i] = tex1D<Texel>(texture, p.at[0]);
  else if (dims == 2)
    out[i] = tex2D<Texel>(texture, p.at[0], p.at[1]);
  else
    out[i] = tex3D<Texel>(texture, p.at[0], p.at[1], p.at[2]);
}

cudaChannelFormatDesc channels_of(const Form& form) {
  const int bits = 8 * bytes_of(form.format), n = form.channels;
  const bool is_signed =
      form.format == Format::s8 || form.format == Format::s16 || form.format == Format::s32;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
          is_real(form.format) ? cudaChannelFormatKindFloat
          : is_signed          ? cudaChannelFormatKindSigned
                               : cudaChannelFormatKindUnsigned};
}

struct Bound {
  cudaArray_t array = nullptr;
  void* memory = nullptr;
  cudaTextureObject_t texture = 0;
};

Bound bind(const Form& form) {
  Bound bound;
  const std::vector<unsigned char> content = content_of(form);
  const cudaChannelFormatDesc channels = channels_of(form);
  const std::size_t texel_bytes = static_cast<std::size_t>(form.channels * bytes_of(form.format));
  const std::size_t width = static_cast<std::size_t>(form.size[0]),
                    height = static_cast<std::size_t>(form.size[1]);
  const std::size_t row_bytes = width * texel_bytes;
  cudaResourceDesc resource{};
  if (form.memory == Memory::linear) {
    CHECK_CUDA(cudaMalloc(&bound.memory, content.size()));
    CHECK_CUDA(cudaMemcpy(bound.memory, content.data(), content.size(), cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {bound.memory, channels, content.size()};
  } else if (form.memory == Memory::pitch) {
    std::size_t pitch = 0;
    CHECK_CUDA(cudaMallocPitch(&bound.memory, &pitch, row_bytes, height));
    CHECK_CUDA(cudaMemcpy2D(bound.memory, pitch, content.data(), row_bytes, row_bytes, height,
                            cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {bound.memory, channels, width, height, pitch};
  } else {
    const bool flat = form.dims == 1;
    const std::size_t deep = static_cast<std::size_t>(form.layers != 0 ? form.layers
                                                      : form.dims == 3 ? form.size[2]
                                                                       : 0);
    CHECK_CUDA(cudaMalloc3DArray(&bound.array, &channels,
                                 make_cudaExtent(width, flat ? 0 : height, deep),
                                 form.layers != 0 ? cudaArrayLayered : 0));
    cudaMemcpy3DParms copy{};
    copy.srcPtr =
        make_cudaPitchedPtr(const_cast<unsigned char*>(content.data()), row_bytes, width, height);
    copy.dstArray = bound.array;
    copy.extent = make_cudaExtent(width, height, deep == 0 ? 1 : deep);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_CUDA(cudaMemcpy3D(&copy));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = bound.array;
  }
  cudaTextureDesc how{};
  for (int axis = 0; axis < 3; ++axis)
    how.addressMode[axis] = static_cast<cudaTextureAddressMode>(form.mode[axis]);
  how.filterMode = form.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = form.as_float && !is_real(form.format) ? cudaReadModeNormalizedFloat
                                                        : cudaReadModeElementType;
  how.normalizedCoords = form.normalized;
  how.sRGB = form.srgb;
  std::memcpy(how.borderColor, form.border, sizeof form.border);
  const cudaError_t error = cudaCreateTextureObject(&bound.texture, &resource, &how, nullptr);
  if (error != cudaSuccess)
    std::fprintf(stderr, "record: %s: %s\n", name(form).c_str(), cudaGetErrorName(error));
  return bound;
}

template <class Texel>
std::vector<Word> ask(const Form& form, cudaTextureObject_t texture, const Place* places,
                      int count) {
  Texel* out = nullptr;
  CHECK_CUDA(cudaMalloc(&out, sizeof(Texel) * static_cast<std::size_t>(count)));
  fetch<<<(count + 127) / 128, 128>>>(texture, form.dims, form.memory, places, count, out);
  CHECK_CUDA(cudaGetLastError());
  std::vector<Word> words(static_cast<std::size_t>(count) * 4);
  CHECK_CUDA(cudaMemcpy(words.data(), out, words.size() * 4, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaFree(out));
  return words;
}

void record(const Form& form, int count, std::FILE* file) {
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) places.push_back(place(form, static_cast<Word>(i)));
  Place* device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, places.size() * sizeof(Place)));
  CHECK_CUDA(
      cudaMemcpy(device, places.data(), places.size() * sizeof(Place), cudaMemcpyHostToDevice));
  const Bound bound = bind(form);
  if (bound.texture == 0) {
    std::fprintf(file, "%s|0\n", name(form).c_str());
    cudaGetLastError();
    return;
  }
  const std::vector<Word> words = form.as_float ? ask<float4>(form, bound.texture, device, count)
                                                : ask<uint4>(form, bound.texture, device, count);
  std::fprintf(file, "%s|%d\n", name(form).c_str(), count);
  std::fwrite(words.data(), 4, words.size(), file);
  CHECK_CUDA(cudaDestroyTextureObject(bound.texture));
  if (bound.array) CHECK_CUDA(cudaFreeArray(bound.array));
  if (bound.memory) CHECK_CUDA(cudaFree(bound.memory));
  CHECK_CUDA(cudaFree(device));
}

int main(int argc, char** argv) {
  const int count = argc == 4 || argc == 5 ? std::atoi(argv[3]) : 0;
  const Word salt = argc == 5 ? static_cast<Word>(std::atoi(argv[4])) : 0;
  std::FILE* file = count > 0 ? std::fopen(argv[1], "wb") : nullptr;
  if (file == nullptr) {
    std::fprintf(stderr, "record: OUT NOTE FETCHES [SALT]\n");
    return 2;
  }
  cudaDeviceProp card;
  int driver = 0, runtime = 0;
  CHECK_CUDA(cudaGetDeviceProperties(&card, 0));
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  std::fprintf(file, "lanescope texture 1|%s|sm_%d%d|driver %d|runtime %d|%s\n", card.name,
               card.major, card.minor, driver, runtime, argv[2]);
  for (const Form& form : all_forms(salt)) record(form, count, file);
  return std::fclose(file) == 0 ? 0 : 1;
}
