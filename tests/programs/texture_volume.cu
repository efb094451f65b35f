// SPDX-License-Identifier: MIT
// A volume of floats in a three-dimensional array, sampled along rays that leave it: between
// texels, repeated, mirrored, and with a border. Its layers once more, one by one.
#include "program.cuh"

constexpr int kWide = 24, kHigh = 20, kDeep = 12, kRays = 256, kSteps = 40;

__global__ void march(cudaTextureObject_t volume, float* sums, float* last) {
  const int ray = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = (ray % 16) / 16.0f, y = (ray / 16) / 16.0f;
  float sum = 0, value = 0;
  for (int step = 0; step < kSteps; ++step) {
    const float t = step / 32.0f;
    value = tex3D<float>(volume, x + 0.3f * t, y - 0.2f * t, t);
    sum += value;
  }
  sums[ray] = sum;
  last[ray] = value;
}

__global__ void slice(cudaTextureObject_t layers, float* out) {
  out[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] =
      tex2DLayered<float>(layers, threadIdx.x + 0.5f, threadIdx.y + 0.5f, blockIdx.x);
}

static cudaArray_t volume_array(const std::vector<float>& values, unsigned flags) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(kWide, kHigh, kDeep);
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &channels, extent, flags));
  cudaMemcpy3DParms copy{};
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<float*>(values.data()), kWide * sizeof(float), kWide, kHigh);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode,
                                      bool filtered) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how{};
  for (cudaTextureAddressMode& one : how.addressMode) one = mode;
  how.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
  how.normalizedCoords = filtered;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  return texture;
}

int main() {
  Numbers numbers;
  std::vector<float> values(kWide * kHigh * kDeep);
  for (float& value : values) value = numbers.next(1000) / 64.0f;
  const cudaArray_t volume = volume_array(values, 0),
                    layers = volume_array(values, cudaArrayLayered);
  float* sums = to_device(std::vector<float>(kRays));
  float* last = to_device(std::vector<float>(kRays));
  for (const cudaTextureAddressMode mode :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
    const cudaTextureObject_t texture = texture_of(volume, mode, true);
    march<<<kRays / 64, 64>>>(texture, sums, last);
    std::printf("mode %d: %.9g\n", mode, from_device(sums, kRays)[100]);
    print_bits(from_device(sums, kRays));
    print_bits(from_device(last, kRays));
    CHECK(cudaDestroyTextureObject(texture));
  }
  float* out = to_device(std::vector<float>(values.size()));
  const cudaTextureObject_t flat = texture_of(layers, cudaAddressModeClamp, false);
  slice<<<kDeep, dim3(kWide, kHigh)>>>(flat, out);
  const std::vector<float> slices = from_device(out, values.size());
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) wrong += slices[i] != values[i];
  CHECK(cudaDestroyTextureObject(flat));
  CHECK(cudaFreeArray(volume));
  CHECK(cudaFreeArray(layers));
  return verdict("texture_volume", wrong, static_cast<int>(values.size()));
}
