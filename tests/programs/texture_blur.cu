// SPDX-License-Identifier: MIT
// An image of bytes in an array, blurred through a texture: clamped at the edges, bytes read as
// numbers from 0 to 1, each fetch half way between texels a mean of four. Made smaller the same
// way.
#include "program.cuh"

constexpr int kWide = 97, kHigh = 61;

__global__ void blur(cudaTextureObject_t image, float* out) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= kWide || row >= kHigh) return;
  const float x = col + 0.5f, y = row + 0.5f;
  float sum = 0;
  for (int i = -1; i <= 1; i += 2)
    for (int j = -1; j <= 1; j += 2) sum += tex2D<float>(image, x + 0.75f * j, y + 0.75f * i);
  out[row * kWide + col] = sum * 0.25f;
}

__global__ void shrink(cudaTextureObject_t image, uchar4* out, int wide, int high) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= wide || row >= high) return;
  const float4 colour = tex2D<float4>(image, (col + 0.5f) / wide, (row + 0.5f) / high);
  out[row * wide + col] = make_uchar4(colour.x * 255.0f + 0.5f, colour.y * 255.0f + 0.5f,
                                      colour.z * 255.0f + 0.5f, colour.w * 255.0f + 0.5f);
}

template <class Texel>
static cudaArray_t image_array(const std::vector<Texel>& pixels) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<Texel>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &channels, kWide, kHigh));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels.data(), kWide * sizeof(Texel),
                            kWide * sizeof(Texel), kHigh, cudaMemcpyHostToDevice));
  return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, bool normalized) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeNormalizedFloat;
  how.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  return texture;
}

int main() {
  Numbers numbers;
  std::vector<unsigned char> grey(kWide * kHigh);
  std::vector<uchar4> coloured(kWide * kHigh);
  for (unsigned char& pixel : grey) pixel = static_cast<unsigned char>(numbers.next(127) + 127);
  for (uchar4& pixel : coloured) {
    pixel.x = static_cast<unsigned char>(numbers.next(127) + 127);
    pixel.y = static_cast<unsigned char>(numbers.next(127) + 127);
    pixel.z = static_cast<unsigned char>(numbers.next(127) + 127);
    pixel.w = 255;
  }
  const dim3 block(16, 16), grid((kWide + 15) / 16, (kHigh + 15) / 16);
  const cudaArray_t plain = image_array(grey), colours = image_array(coloured);
  const cudaTextureObject_t image = texture_of(plain, false), picture = texture_of(colours, true);
  float* out = to_device(std::vector<float>(kWide * kHigh));
  blur<<<grid, block>>>(image, out);
  const std::vector<float> blurred = from_device(out, kWide * kHigh);
  for (int col = 0; col < 4; ++col) std::printf("%.9g ", blurred[30 * kWide + col]);
  std::printf("\n");
  print_bits(blurred);
  const int wide = 40, high = 23;
  uchar4* small = to_device(std::vector<uchar4>(wide * high));
  shrink<<<grid, block>>>(picture, small, wide, high);
  const std::vector<uchar4> shrunk = from_device(small, wide * high);
  print_bits(shrunk);
  int wrong = 0;
  for (const uchar4& pixel : shrunk) wrong += pixel.w != 255;
  CHECK(cudaDestroyTextureObject(image));
  CHECK(cudaDestroyTextureObject(picture));
  CHECK(cudaFreeArray(plain));
  CHECK(cudaFreeArray(colours));
  return verdict("texture_blur", wrong, wide * high);
}
