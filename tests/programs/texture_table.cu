// SPDX-License-Identifier: MIT
// Tables that a kernel looks numbers up in: plain memory read by tex1Dfetch (bytes as numbers from
// 0 to 1, integers, floats in pairs), beyond its ends too, and rows with a pitch read by tex2D.
#include "program.cuh"

constexpr int kEntries = 256, kAsked = 1024, kWide = 30, kHigh = 9;

__global__ void look_up(cudaTextureObject_t bytes, cudaTextureObject_t integers,
                        cudaTextureObject_t pairs, const int* index, float* values, int* numbers,
                        float2* points) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = tex1Dfetch<float>(bytes, index[i]);
  numbers[i] = tex1Dfetch<int>(integers, index[i]);
  points[i] = tex1Dfetch<float2>(pairs, index[i]);
}

__global__ void transpose(cudaTextureObject_t rows, short2* out) {
  out[threadIdx.x * kHigh + threadIdx.y] = tex2D<short2>(rows, threadIdx.x, threadIdx.y);
}

template <class Texel>
static cudaTextureObject_t table_of(const Texel* memory, cudaTextureReadMode read) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeLinear;
  what.res.linear.devPtr = const_cast<Texel*>(memory);
  what.res.linear.desc = cudaCreateChannelDesc<Texel>();
  what.res.linear.sizeInBytes = kEntries * sizeof(Texel);
  cudaTextureDesc how{};
  how.readMode = read;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  return texture;
}

int main() {
  Numbers random;
  std::vector<unsigned char> bytes;
  std::vector<int> integers, index;
  std::vector<float2> pairs;
  for (int i = 0; i < kEntries; ++i) {
    bytes.push_back(static_cast<unsigned char>(i));
    integers.push_back(random.next(1 << 30));
    pairs.push_back(make_float2(random.next(99) * 0.5f, -1.0f * i));
  }
  for (int i = 0; i < kAsked; ++i) index.push_back(random.next(kEntries + 9));
  const cudaTextureObject_t of_bytes = table_of(to_device(bytes), cudaReadModeNormalizedFloat);
  const cudaTextureObject_t of_integers = table_of(to_device(integers), cudaReadModeElementType);
  const cudaTextureObject_t of_pairs = table_of(to_device(pairs), cudaReadModeElementType);
  float* values = to_device(std::vector<float>(kAsked));
  int* numbers = to_device(std::vector<int>(kAsked));
  float2* points = to_device(std::vector<float2>(kAsked));
  look_up<<<kAsked / 128, 128>>>(of_bytes, of_integers, of_pairs, to_device(index), values, numbers,
                                 points);
  const std::vector<float> got_values = from_device(values, kAsked);
  const std::vector<int> got_numbers = from_device(numbers, kAsked);
  const std::vector<float2> got_points = from_device(points, kAsked);
  int wrong = 0;
  for (int i = 0; i < kAsked; ++i) {
    const bool inside = index[i] >= 0 && index[i] < kEntries;
    const std::size_t at = inside ? static_cast<std::size_t>(index[i]) : 0;
    wrong += got_numbers[i] != (inside ? integers[at] : 0);
    wrong += got_points[i].x != (inside ? pairs[at].x : 0) ||
             got_points[i].y != (inside ? pairs[at].y : 0);
  }
  print_bits(got_values);
  short2* rows = nullptr;
  std::size_t pitch = 0;
  std::vector<short2> plane;
  for (int i = 0; i < kWide * kHigh; ++i)
    plane.push_back(make_short2(static_cast<short>(random.next(30000)), static_cast<short>(i)));
  CHECK(cudaMallocPitch(&rows, &pitch, kWide * sizeof(short2), kHigh));
  CHECK(cudaMemcpy2D(rows, pitch, plane.data(), kWide * sizeof(short2), kWide * sizeof(short2),
                     kHigh, cudaMemcpyHostToDevice));
  cudaResourceDesc what{};
  what.resType = cudaResourceTypePitch2D;
  what.res.pitch2D = {rows, cudaCreateChannelDesc<short2>(), kWide, kHigh, pitch};
  const cudaTextureDesc how{};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  short2* turned = to_device(std::vector<short2>(kWide * kHigh));
  transpose<<<1, dim3(kWide, kHigh)>>>(texture, turned);
  const std::vector<short2> got = from_device(turned, kWide * kHigh);
  for (int row = 0; row < kHigh; ++row)
    for (int col = 0; col < kWide; ++col) {
      const short2 a = got[static_cast<std::size_t>(col * kHigh + row)];
      const short2 b = plane[static_cast<std::size_t>(row * kWide + col)];
      wrong += a.x != b.x || a.y != b.y;
    }
  return verdict("texture_table", wrong, 2 * kAsked + kWide * kHigh);
}
