// SPDX-License-Identifier: MIT
// A kernel writes an array through a surface and another reads it turned by a quarter, through a
// surface again and through a texture; a volume and layers are written the same way. What lies
// outside is left out, or taken from the edge, as the boundary mode says.
#include "program.cuh"

constexpr int kWide = 32, kHigh = 24, kDeep = 5;

__global__ void paint(cudaSurfaceObject_t surface) {  // a column and a row more than there are
  const int col = static_cast<int>(threadIdx.x) - 1, row = static_cast<int>(blockIdx.x) - 1;
  const uchar4 pixel = make_uchar4(col, row, col ^ row, col * row);
  surf2Dwrite(pixel, surface, col * static_cast<int>(sizeof pixel), row, cudaBoundaryModeZero);
}

__global__ void turn(cudaSurfaceObject_t surface, cudaTextureObject_t texture, uchar4* out,
                     uchar4* again) {
  const int col = threadIdx.x, row = blockIdx.x;  // of what is turned: kHigh wide
  out[row * kHigh + col] =
      surf2Dread<uchar4>(surface, row * static_cast<int>(sizeof(uchar4)), kHigh - 1 - col);
  again[row * kHigh + col] = tex2D<uchar4>(texture, row, kHigh - 1 - col);
}

__global__ void neighbours(cudaSurfaceObject_t surface, int* out) {
  const int col = threadIdx.x, row = blockIdx.x;
  int sum = 0;
  for (int i = -2; i <= 2; ++i) {
    uchar4 pixel;
    surf2Dread(&pixel, surface, (col + i) * static_cast<int>(sizeof pixel), row + i,
               cudaBoundaryModeClamp);
    sum += pixel.x + pixel.w * (i + 3);
    surf2Dread(&pixel, surface, (col + i) * static_cast<int>(sizeof pixel), row,
               cudaBoundaryModeZero);
    sum += pixel.z * (i + 5);
  }
  out[row * kWide + col] = sum;
}

__global__ void fill(cudaSurfaceObject_t volume, cudaSurfaceObject_t layers) {
  const int col = threadIdx.x, row = threadIdx.y, deep = blockIdx.x;
  surf3Dwrite(make_float2(col + 0.5f * deep, row), volume, col * static_cast<int>(sizeof(float2)),
              row, deep);
  surf2DLayeredwrite(static_cast<short>(100 * deep + row - col), layers,
                     col * static_cast<int>(sizeof(short)), row, deep);
}

template <class Texel>
static cudaArray_t make(int wide, int high, int deep, unsigned flags) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<Texel>();
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(wide, high, deep),
                          flags | cudaArraySurfaceLoadStore));
  return array;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &what));
  return surface;
}

int main() {
  const cudaArray_t image = make<uchar4>(kWide, kHigh, 0, 0);
  const cudaSurfaceObject_t surface = surface_of(image);
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = image;
  const cudaTextureDesc how{};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  paint<<<kHigh + 2, kWide + 2>>>(surface);
  uchar4* out = to_device(std::vector<uchar4>(kWide * kHigh));
  uchar4* again = to_device(std::vector<uchar4>(kWide * kHigh));
  int* sums = to_device(std::vector<int>(kWide * kHigh));
  turn<<<kWide, kHigh>>>(surface, texture, out, again);
  neighbours<<<kHigh, kWide>>>(surface, sums);
  const std::vector<uchar4> turned = from_device(out, kWide * kHigh),
                            fetched = from_device(again, kWide * kHigh);
  int wrong = 0;
  for (int row = 0; row < kWide; ++row)
    for (int col = 0; col < kHigh; ++col) {
      const uchar4 a = turned[static_cast<std::size_t>(row * kHigh + col)];
      const uchar4 b = fetched[static_cast<std::size_t>(row * kHigh + col)];
      wrong += a.x != row || a.y != kHigh - 1 - col || b.x != a.x || b.y != a.y || b.z != a.z ||
               b.w != a.w;
    }
  print_bits(turned);
  print_bits(from_device(sums, kWide * kHigh));
  const cudaArray_t volume = make<float2>(kWide, kHigh, kDeep, 0);
  const cudaArray_t layers = make<short>(kWide, kHigh, kDeep, cudaArrayLayered);
  const cudaSurfaceObject_t in_volume = surface_of(volume), in_layers = surface_of(layers);
  fill<<<kDeep, dim3(kWide, kHigh)>>>(in_volume, in_layers);
  std::vector<float2> points(kWide * kHigh * kDeep);
  std::vector<short> numbers(kWide * kHigh * kDeep);
  cudaMemcpy3DParms copy{};
  copy.srcArray = volume;
  copy.dstPtr = make_cudaPitchedPtr(points.data(), kWide * sizeof(float2), kWide, kHigh);
  copy.extent = make_cudaExtent(kWide, kHigh, kDeep);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  copy.srcArray = layers;
  copy.dstPtr = make_cudaPitchedPtr(numbers.data(), kWide * sizeof(short), kWide, kHigh);
  CHECK(cudaMemcpy3D(&copy));
  print_bits(points);
  print_bits(numbers);
  for (int i = 0; i < kWide * kHigh * kDeep; ++i) {
    const int col = i % kWide, row = i / kWide % kHigh, deep = i / kWide / kHigh;
    const float2 point = points[static_cast<std::size_t>(i)];
    wrong += point.x != col + 0.5f * deep || point.y != row;
    wrong += numbers[static_cast<std::size_t>(i)] != 100 * deep + row - col;
  }
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(image));
  return verdict("surface_rotate", wrong, kWide * kHigh * (1 + 2 * kDeep));
}
