// SPDX-License-Identifier: MIT
// The textures and surfaces that the kernels of textures.py fetch from and write to: four of every
// shape and kind, made of a seed. It is included by the programs of the generator. Not a test by
// itself.
//
// What is left out: what docs/experiments/textures.md says nobody knows (gradients of mipmaps, sRGB
// between texels), and floats of very different size.
#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned long long Word;
#define CHECK(call)                                                                    \
  do {                                                                                 \
    const cudaError_t error = (call);                                                  \
    if (error != cudaSuccess)                                                          \
      std::printf("REFUSED %s: %s\n", #call, cudaGetErrorString(error)), std::exit(1); \
  } while (false)

enum Shape {
  k1,
  k2,
  k3,
  k1l,
  k2l,
  kCube,
  kCubes,
  kLinear,
  kPitch,
  kMip1,
  kMip2,
  kMip3,
  kMip2l,
  kShapes
};
enum Kind { kReal, kUnsigned, kSigned, kKinds };
enum Surface { s1, s2, s3, s1l, s2l, sCube, sShapes };
constexpr int kWords = 4 * 31;  // a thread leaves: its registers before and behind 30 statements
constexpr int kWide = 256;      // threads of a launch: each writes a column of its own
__host__ __device__ constexpr int texture(int shape, int kind) {
  return (shape * kKinds + kind) * 4;
}
__host__ __device__ constexpr int surface(int shape,
                                          int bytes) {  // bytes of a texel: 1, 2, 4, 8, 16
  return shape * 5 + (bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4);
}
struct Objects {
  cudaTextureObject_t textures[kShapes * kKinds * 4];
  cudaSurfaceObject_t read[sShapes * 5], written[sShapes * 5];
  void* nowhere;  // null
};
/// With -DWHOLE_TEXELS what was read of a surface is used, every part: of one whose last parts are
/// not, ptxas reads less (docs/experiments/ptxas_mistakes.md).
#ifdef WHOLE_TEXELS
#define WHOLE(texel) \
  if (s->nowhere != nullptr) *static_cast<std::remove_const_t<decltype(texel)>*>(s->nowhere) = texel
#else
#define WHOLE(texel)
#endif

// ---- what kernels do with words
__device__ unsigned bits(float f) { return f != f ? 0x7fffffffu : __float_as_uint(f); }
__device__ float tame(float f) { return fabsf(f) < 1e6f ? f : 1.25f; }
__device__ void note(Word* to, const unsigned (&u)[4], const float (&f)[4]) {
  for (int n = 0; n < 4; ++n) to[n] = u[n] | (Word)bits(f[n]) << 32;
}
/// A place: whole numbers, halves, 512ths, far outside and not; of 0 to 1 for every fourth.
__device__ float place(unsigned w) {
  const float any = (float)(int)(w >> 8 & 0xffff) * (1.0f / 512.0f);
  const unsigned how = w & 15;
  return how < 3     ? floorf(any)
         : how < 5   ? floorf(any) + 0.5f
         : how < 8   ? any * (1.0f / 128.0f)
         : how < 11  ? any * 0.125f
         : how < 13  ? any * 0.25f - 8.0f
         : how == 13 ? -any
         : how == 14 ? any * 37.0f
                     : 0.5f - any * 0.03125f;
}

// ---- what the host makes
#include "../words.cuh"
struct Format {
  int bytes, channels;
  cudaChannelFormatKind kind;
};
static cudaChannelFormatDesc channels_of(const Format& f) {
  const int b = f.bytes * 8;
  return {b, f.channels > 1 ? b : 0, f.channels > 2 ? b : 0, f.channels > 2 ? b : 0, f.kind};
}
static std::vector<unsigned char> texels(const Format& f, size_t count) {
  std::vector<unsigned char> bytes(count * f.channels * f.bytes);
  for (size_t n = 0; n < count * f.channels; ++n) {
    Word w = next();
    const float number = (float)(int)(w >> 40 & 1023) / 64.0f - 4.0f;
    if (f.kind == cudaChannelFormatKindFloat && f.bytes == 4) std::memcpy(&w, &number, 4);
    if (f.kind == cudaChannelFormatKindFloat && f.bytes == 2) {
      const __half h = __float2half_rn(number);
      std::memcpy(&w, &h, 2);
    }
    std::memcpy(&bytes[n * f.bytes], &w, f.bytes);
  }
  return bytes;
}
static unsigned below(unsigned n) { return (unsigned)(next() >> 33) % n; }

/// Between an array and rows of its texels.
static void copy(cudaArray_t array, std::vector<unsigned char>& data, cudaExtent size, bool out) {
  const size_t rows = std::max<size_t>(1, size.height), deep = std::max<size_t>(1, size.depth);
  cudaMemcpy3DParms copy{};
  const cudaPitchedPtr pointer =
      make_cudaPitchedPtr(data.data(), data.size() / rows / deep, size.width, rows);
  (out ? copy.dstPtr : copy.srcPtr) = pointer;
  (out ? copy.srcArray : copy.dstArray) = array;
  copy.extent = make_cudaExtent(size.width, rows, deep);
  copy.kind = out ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
}
static cudaArray_t filled(cudaArray_t array, const Format& f, cudaExtent size) {
  std::vector<unsigned char> data =
      texels(f, size.width * std::max<size_t>(1, size.height) * std::max<size_t>(1, size.depth));
  copy(array, data, size, false);
  return array;
}
static cudaArray_t array_of(const Format& f, cudaExtent size, unsigned flags) {
  const cudaChannelFormatDesc channels = channels_of(f);
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &channels, size, flags));
  return filled(array, f, size);
}

static cudaTextureObject_t make_texture(int shape, int kind) {
  const bool real = kind == kReal, halves = below(3) == 0, normalizes = real && below(3) == 0;
  Format f{1 << below(3), 1 << below(3),
           kind == kSigned ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned};
  if (real && !normalizes) f.bytes = halves ? 2 : 4, f.kind = cudaChannelFormatKindFloat;
  if (normalizes)
    f.bytes = 1 + (int)below(2),
    f.kind = below(2) ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
  const bool mip = shape >= kMip1, cube = shape == kCube || shape == kCubes;
  const size_t w = cube ? 8 : 4 + below(29), h = cube ? 8 : 3 + below(14), d = 2 + below(6);
  cudaResourceDesc what{};
  cudaTextureDesc how{};
  for (auto& mode : how.addressMode) mode = (cudaTextureAddressMode)below(4);
  how.normalizedCoords = mip || cube || below(2);
  how.filterMode = real && below(2) ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = normalizes ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  if (normalizes && f.bytes == 1 && f.kind == cudaChannelFormatKindUnsigned && f.channels == 4 &&
      how.filterMode == cudaFilterModePoint && !mip)
    how.sRGB = (int)below(2);
  for (float& b : how.borderColor) b = (float)(int)below(9) * 0.25f - 1.0f;
  if (shape == kLinear) {
    const size_t count = 64 + below(64);
    std::vector<unsigned char> data = texels(f, count);
    void* memory;
    CHECK(cudaMalloc(&memory, data.size()));
    CHECK(cudaMemcpy(memory, data.data(), data.size(), cudaMemcpyHostToDevice));
    what.resType = cudaResourceTypeLinear;
    what.res.linear = {memory, channels_of(f), data.size()};
    how.normalizedCoords = 0, how.filterMode = cudaFilterModePoint, how.sRGB = 0;
  } else if (shape == kPitch) {
    std::vector<unsigned char> data = texels(f, w * h);
    void* memory;
    size_t pitch;
    CHECK(cudaMallocPitch(&memory, &pitch, w * f.channels * f.bytes, h));
    CHECK(cudaMemcpy2D(memory, pitch, data.data(), w * f.channels * f.bytes,
                       w * f.channels * f.bytes, h, cudaMemcpyHostToDevice));
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D = {memory, channels_of(f), w, h, pitch};
  } else if (mip) {
    const cudaExtent size = shape == kMip1   ? make_cudaExtent(32, 0, 0)
                            : shape == kMip2 ? make_cudaExtent(32, 16, 0)
                                             : make_cudaExtent(16, 16, shape == kMip3 ? 8 : 3);
    const cudaChannelFormatDesc channels = channels_of(f);
    cudaMipmappedArray_t levels;
    CHECK(cudaMallocMipmappedArray(&levels, &channels, size, 4,
                                   shape == kMip2l ? cudaArrayLayered : 0));
    for (unsigned n = 0; n < 4; ++n) {
      cudaArray_t level;
      CHECK(cudaGetMipmappedArrayLevel(&level, levels, n));
      filled(level, f,
             make_cudaExtent(size.width >> n, size.height >> n,
                             shape == kMip3 ? size.depth >> n : size.depth));
    }
    what.resType = cudaResourceTypeMipmappedArray;
    what.res.mipmap.mipmap = levels;
    how.mipmapFilterMode = real && below(2) ? cudaFilterModeLinear : cudaFilterModePoint;
    how.mipmapLevelBias = (float)(int)below(17) * 0.125f - 1.0f;
    how.minMipmapLevelClamp = (float)below(3) * 0.5f,
    how.maxMipmapLevelClamp = 2.0f + (float)below(3) * 0.5f;
  } else {
    const size_t deep = shape == kCube                                ? 6
                        : shape == kCubes                             ? 18
                        : shape == k3 || shape == k1l || shape == k2l ? d
                                                                      : 0;
    const unsigned flags =
        (cube ? cudaArrayCubemap : 0u) |
        (shape == k1l || shape == k2l || shape == kCubes ? cudaArrayLayered : 0u) |
        (shape == k2 ? cudaArrayTextureGather : 0u);
    what.resType = cudaResourceTypeArray;
    what.res.array.array =
        array_of(f, make_cudaExtent(w, shape == k1 || shape == k1l ? 0 : h, deep), flags);
  }
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &what, &how, nullptr));
  return object;
}

struct Written {
  cudaArray_t array;
  cudaExtent size;
  std::vector<unsigned char> first;
};
static cudaSurfaceObject_t make_surface(int shape, int log, std::vector<Written>* kept) {
  const Format f{log == 0   ? 1
                 : log == 1 ? 2
                            : 4,
                 log < 3    ? 1
                 : log == 3 ? 2
                            : 4,
                 cudaChannelFormatKindUnsigned};
  const bool deep = shape >= s3;
  const size_t rows = shape == s1 || shape == s1l ? 0
                      : shape == sCube            ? kWide
                                                  : 4,
               slices = shape == sCube ? 6
                        : deep         ? 3
                                       : 0;
  const unsigned flags = cudaArraySurfaceLoadStore |
                         (shape == s1l || shape == s2l ? cudaArrayLayered : 0u) |
                         (shape == sCube ? cudaArrayCubemap : 0u);
  const cudaExtent size = make_cudaExtent(kWide, rows, slices);
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array_of(f, size, flags);
  if (kept) {
    kept->push_back(
        {what.res.array.array, size,
         std::vector<unsigned char>(kWide * std::max<size_t>(1, rows) *
                                    std::max<size_t>(1, slices) * f.bytes * f.channels)});
    copy(kept->back().array, kept->back().first, size, true);
  }
  cudaSurfaceObject_t object;
  CHECK(cudaCreateSurfaceObject(&object, &what));
  return object;
}
static Word hash_of_surfaces(std::vector<Written>& all, Word hash) {
  for (Written& one : all) {
    std::vector<unsigned char> bytes(one.first.size());
    copy(one.array, bytes, one.size, true);
    hash = hash_of(bytes.data(), bytes.size(), hash);
    copy(one.array, one.first, one.size, false);
  }
  return hash;
}

typedef void (*Kernel)(const Objects*, const Word*, Word*);
struct Entry {
  const char* name;
  Kernel kernel;
};
/// `HASH NAME` of every kernel: of its registers and all surfaces; given names, those kernels'
/// words, too.
static int run_all(const Entry* all, int count, Word seed, int argc, char** argv) {
  state = seed;
  Objects host{};
  std::vector<Written> written;
  for (int shape = 0; shape < kShapes; ++shape)
    for (int kind = 0; kind < kKinds; ++kind)
      for (int n = 0; n < 4; ++n)
        host.textures[texture(shape, kind) + n] = make_texture(shape, kind);
  for (int shape = 0; shape < sShapes; ++shape)
    for (int log = 0; log < 5; ++log)
      host.read[shape * 5 + log] = make_surface(shape, log, nullptr),
                            host.written[shape * 5 + log] = make_surface(shape, log, &written);
  std::vector<Word> in(4096), out(kWide * kWords);
  for (Word& w : in) w = next();
  Objects* objects;
  Word *from, *to;
  CHECK(cudaMalloc(&objects, sizeof host));
  CHECK(cudaMemcpy(objects, &host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&from, in.size() * 8));
  CHECK(cudaMemcpy(from, in.data(), in.size() * 8, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&to, out.size() * 8));
  for (int n = 0; n < count; ++n) {
    CHECK(cudaMemset(to, 0, out.size() * 8));
    bool wanted = argc == 1;
    for (int k = 1; k < argc; ++k) wanted = wanted || std::strcmp(argv[k], all[n].name) == 0;
    if (!wanted) continue;
    all[n].kernel<<<2, kWide / 2>>>(objects, from, to);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      return std::printf("FAILED %s %s\n", all[n].name, cudaGetErrorString(error)), 1;
    CHECK(cudaMemcpy(out.data(), to, out.size() * 8, cudaMemcpyDeviceToHost));
    std::printf("%016llx %s\n", hash_of(out.data(), out.size() * 8, hash_of_surfaces(written, 1)),
                all[n].name);
    if (argc > 1)
      for (int k = 0; k < kWide * kWords; ++k)
        std::printf("%s%llx%s", k % kWords ? " " : "~ ", out[k],
                    k % kWords == kWords - 1 ? "\n" : "");
    std::fflush(stdout);
  }
  return 0;
}
