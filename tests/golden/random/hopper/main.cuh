// SPDX-License-Identifier: MIT
// What every program of hopper.py ends with: its kernels launched one after the other, each with
// its tensor maps, and a hash of what it left in global memory. It is pasted behind them and
// words.cuh.
struct Entry {
  const char* name;
  const void* kernel;
  bool (*maps)(Maps&, char*, char*);
  unsigned ctas, threads;
  bool is_fixed;  // the kernel says its cluster's size itself
  int launches;   // the second begins before the first ends, and waits
};
template <class F>
static F driver(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status;
  cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &status);
  return reinterpret_cast<F>(function);
}
typedef std::initializer_list<cuuint64_t> Sizes;
typedef std::initializer_list<cuuint32_t> Counts;
typedef std::initializer_list<int> Corners;
static bool tile_map(CUtensorMap& m, CUtensorMapDataType type, int interleave, int swizzle,
                     int promotion, int nan, char* p, Sizes size, Sizes stride, Counts step,
                     Counts box) {
  static const auto encode = driver<PFN_cuTensorMapEncodeTiled_v12000>("cuTensorMapEncodeTiled");
  const CUresult r =
      encode(&m, type, (cuuint32_t)size.size(), p, size.begin(), stride.begin(), box.begin(),
             step.begin(), (CUtensorMapInterleave)interleave, (CUtensorMapSwizzle)swizzle,
             (CUtensorMapL2promotion)promotion, (CUtensorMapFloatOOBfill)nan);
  if (r != CUDA_SUCCESS) std::printf("REFUSED tile_map: %d\n", (int)r);
  return r == CUDA_SUCCESS;
}
static bool pixel_map(CUtensorMap& m, CUtensorMapDataType type, int interleave, int swizzle,
                      int promotion, int nan, char* p, Sizes size, Sizes stride, Counts step,
                      Corners lower, Corners upper, unsigned channels, unsigned pixels) {
  static const auto encode = driver<PFN_cuTensorMapEncodeIm2col_v12000>("cuTensorMapEncodeIm2col");
  const CUresult r = encode(&m, type, (cuuint32_t)size.size(), p, size.begin(), stride.begin(),
                            lower.begin(), upper.begin(), channels, pixels, step.begin(),
                            (CUtensorMapInterleave)interleave, (CUtensorMapSwizzle)swizzle,
                            (CUtensorMapL2promotion)promotion, (CUtensorMapFloatOOBfill)nan);
  if (r != CUDA_SUCCESS) std::printf("REFUSED pixel_map: %d\n", (int)r);
  return r == CUDA_SUCCESS;
}
static const Entry kAll[] = {ENTRIES};
int main(int argc, char** argv) {
  std::vector<Word> in(kIn / 8), scratch(8 * kScratch / 8), out(8 * 512 * 32);
  for (Word& w : in) w = next();
  // Parts are numbers of an ordinary size: of f16 here and there and from 128 KB on, then of f32
  // and bf16, then of fp8.
  for (size_t n = 0; n < in.size(); ++n) {
    if (n >> 12 == 4 || (n < 16384 && n / 64 % 4 == 1))
      in[n] = (in[n] & 0x8fff8fff8fff8fffull) | 0x3000300030003000ull;
    if (n >> 12 == 5) in[n] = (in[n] & 0x81ff81ff81ff81ffull) | 0x3e003e003e003e00ull;
    if (n >> 12 == 6) in[n] = (in[n] & 0xb7b7b7b7b7b7b7b7ull) | 0x2020202020202020ull;
  }
  char *din, *dscratch;
  Word* dout;
  cudaMalloc(&din, kIn);
  cudaMalloc(&dscratch, scratch.size() * 8);
  cudaMalloc(&dout, out.size() * 8);
  cudaMemcpy(din, in.data(), kIn, cudaMemcpyHostToDevice);
  const int skipped =
      argc == 2 && argv[1][0] == '-' ? std::atoi(argv[1] + 1) : 0;  // -3: all but the first three
  const bool is_shown = argc > 1 && skipped == 0;
  for (const Entry& e : kAll) {
    bool wanted = !is_shown && &e - kAll >= skipped;
    for (int n = 1; n < argc; ++n) wanted = wanted || std::strcmp(argv[n], e.name) == 0;
    if (!wanted) continue;
    static Maps maps;
    if (!e.maps(maps, din, dscratch)) {
      std::printf("REFUSED %s\n", e.name);
      continue;
    }
    state = 99;
    for (size_t n = 0; n < scratch.size(); ++n)
      scratch[n] = n / 32 % 2 ? next() : (next() & 0x8fff8fff8fff8fffull) | 0x3000300030003000ull;
    cudaMemcpy(dscratch, scratch.data(), scratch.size() * 8, cudaMemcpyHostToDevice);
    cudaMemset(dout, 0, out.size() * 8);
    cudaFuncSetAttribute(e.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[2];
    config.gridDim = dim3(e.ctas), config.blockDim = dim3(e.threads),
    config.dynamicSmemBytes = kShared;
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = e.launches > 1;
    attribute[1].id = cudaLaunchAttributeClusterDimension;
    attribute[1].val.clusterDim.x = e.ctas,
    attribute[1].val.clusterDim.y = attribute[1].val.clusterDim.z = 1;
    config.attrs = attribute, config.numAttrs = e.is_fixed ? 1 : 2;
    const char* data = din;
    void* arguments[] = {&maps, &data, &dscratch, &dout};
    cudaError_t error = cudaSuccess;
    for (int n = 0; n < e.launches && error == cudaSuccess; ++n)
      error = cudaLaunchKernelExC(&config, e.kernel, arguments);
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      return std::printf("FAILED %s %s\n", e.name, cudaGetErrorString(error)), 1;
    cudaMemcpy(out.data(), dout, out.size() * 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(scratch.data(), dscratch, scratch.size() * 8, cudaMemcpyDeviceToHost);
    std::printf("%016llx %s\n",
                hash_of(scratch.data(), scratch.size() * 8, hash_of(out.data(), out.size() * 8)),
                e.name);
    if (is_shown)
      for (unsigned t = 0; t < e.ctas * e.threads; ++t) {
        std::printf("~ %u", t);
        for (int n = 0; n < 32; ++n) std::printf(" %llx", out[t * 32 + n]);
        std::printf("\n");
      }
    std::fflush(stdout);
  }
}
