// SPDX-License-Identifier: MIT
// Our structs against the toolkit's own headers: every size, every offset, every error's number and
// text. Built only where the toolkit is; the text comes from its library, which needs no driver.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "cudart/abi_driver.hpp"
#include "cudart/errors.hpp"
#include "tests/build_folder.hpp"

namespace ours = lanescope::cudart;

#define SAME_SIZE(type) static_assert(sizeof(::type) == sizeof(ours::type))
#define SAME_PLACE(type, field)                                                            \
  static_assert(offsetof(::type, field) == offsetof(ours::type, field), #type "." #field); \
  static_assert(sizeof(::type::field) == sizeof(ours::type::field), #type "." #field)

SAME_SIZE(cudaMemcpy3DParms);
SAME_PLACE(cudaMemcpy3DParms, srcPos);
SAME_PLACE(cudaMemcpy3DParms, srcPtr);
SAME_PLACE(cudaMemcpy3DParms, dstPos);
SAME_PLACE(cudaMemcpy3DParms, dstPtr);
SAME_PLACE(cudaMemcpy3DParms, extent);
SAME_PLACE(cudaMemcpy3DParms, kind);
SAME_SIZE(cudaMemcpy3DPeerParms);
SAME_PLACE(cudaMemcpy3DPeerParms, srcDevice);
SAME_PLACE(cudaMemcpy3DPeerParms, dstPtr);
SAME_PLACE(cudaMemcpy3DPeerParms, dstDevice);
SAME_PLACE(cudaMemcpy3DPeerParms, extent);
SAME_SIZE(cudaMemcpyAttributes);
SAME_PLACE(cudaMemcpyAttributes, srcAccessOrder);
SAME_PLACE(cudaMemcpyAttributes, flags);
SAME_SIZE(cudaKernelNodeParams);
SAME_PLACE(cudaKernelNodeParams, sharedMemBytes);
SAME_PLACE(cudaKernelNodeParams, kernelParams);
SAME_SIZE(cudaMemsetParams);
SAME_PLACE(cudaMemsetParams, elementSize);
SAME_PLACE(cudaMemsetParams, height);
SAME_SIZE(cudaHostNodeParams);
SAME_SIZE(cudaGraphNodeParams);
SAME_PLACE(cudaGraphNodeParams, kernel);
SAME_PLACE(cudaGraphNodeParams, memcpy.copyParams);
SAME_PLACE(cudaGraphNodeParams, alloc.dptr);
SAME_PLACE(cudaGraphNodeParams, conditional.type);
SAME_PLACE(cudaGraphNodeParams, conditional.size);
SAME_PLACE(cudaGraphNodeParams, conditional.phGraph_out);
SAME_PLACE(cudaGraphNodeParams, reserved2);
SAME_SIZE(cudaGraphInstantiateParams);
SAME_PLACE(cudaGraphInstantiateParams, result_out);
SAME_SIZE(cudaGraphExecUpdateResultInfo);
SAME_PLACE(cudaGraphExecUpdateResultInfo, errorNode);
SAME_SIZE(cudaDeviceProp);
SAME_PLACE(cudaDeviceProp, name);
SAME_PLACE(cudaDeviceProp, uuid);
SAME_PLACE(cudaDeviceProp, totalGlobalMem);
SAME_PLACE(cudaDeviceProp, sharedMemPerBlock);
SAME_PLACE(cudaDeviceProp, regsPerBlock);
SAME_PLACE(cudaDeviceProp, warpSize);
SAME_PLACE(cudaDeviceProp, memPitch);
SAME_PLACE(cudaDeviceProp, maxThreadsPerBlock);
SAME_PLACE(cudaDeviceProp, maxThreadsDim);
SAME_PLACE(cudaDeviceProp, maxGridSize);
SAME_PLACE(cudaDeviceProp, totalConstMem);
SAME_PLACE(cudaDeviceProp, major);
SAME_PLACE(cudaDeviceProp, minor);
SAME_PLACE(cudaDeviceProp, multiProcessorCount);
SAME_PLACE(cudaDeviceProp, canMapHostMemory);
SAME_PLACE(cudaDeviceProp, surfaceAlignment);
static_assert(offsetof(::cudaDeviceProp, maxTexture1D) ==
              offsetof(ours::cudaDeviceProp, textures_and_surfaces));
SAME_SIZE(cudaResourceDesc);
SAME_PLACE(cudaResourceDesc, resType);
SAME_PLACE(cudaResourceDesc, res);
SAME_PLACE(cudaResourceDesc, res.linear.desc);
SAME_PLACE(cudaResourceDesc, res.linear.sizeInBytes);
SAME_PLACE(cudaResourceDesc, res.pitch2D.pitchInBytes);
SAME_PLACE(cudaResourceDesc, flags);
SAME_SIZE(cudaTextureDesc);
SAME_PLACE(cudaTextureDesc, filterMode);
SAME_PLACE(cudaTextureDesc, readMode);
SAME_PLACE(cudaTextureDesc, sRGB);
SAME_PLACE(cudaTextureDesc, borderColor);
SAME_PLACE(cudaTextureDesc, normalizedCoords);
SAME_PLACE(cudaTextureDesc, seamlessCubemap);
SAME_SIZE(cudaResourceViewDesc);
SAME_PLACE(cudaDeviceProp, asyncEngineCount);
SAME_PLACE(cudaDeviceProp, unifiedAddressing);
SAME_PLACE(cudaDeviceProp, l2CacheSize);
SAME_PLACE(cudaDeviceProp, maxThreadsPerMultiProcessor);
SAME_PLACE(cudaDeviceProp, sharedMemPerMultiprocessor);
SAME_PLACE(cudaDeviceProp, regsPerMultiprocessor);
SAME_PLACE(cudaDeviceProp, managedMemory);
SAME_PLACE(cudaDeviceProp, concurrentManagedAccess);
SAME_PLACE(cudaDeviceProp, canUseHostPointerForRegisteredMem);
SAME_PLACE(cudaDeviceProp, sharedMemPerBlockOptin);
SAME_PLACE(cudaDeviceProp, directManagedMemAccessFromHost);
SAME_PLACE(cudaDeviceProp, maxBlocksPerMultiProcessor);
SAME_PLACE(cudaDeviceProp, reservedSharedMemPerBlock);
SAME_PLACE(cudaDeviceProp, hostRegisterSupported);
SAME_PLACE(cudaDeviceProp, memoryPoolsSupported);
SAME_PLACE(cudaDeviceProp, clusterLaunch);
SAME_PLACE(cudaDeviceProp, unifiedFunctionPointers);
SAME_PLACE(cudaDeviceProp, hostNumaId);
SAME_PLACE(cudaDeviceProp, gpuPciSubsystemID);
SAME_PLACE(cudaDeviceProp, reserved);

SAME_SIZE(cudaPointerAttributes);
SAME_PLACE(cudaPointerAttributes, type);
SAME_PLACE(cudaPointerAttributes, device);
SAME_PLACE(cudaPointerAttributes, devicePointer);
SAME_PLACE(cudaPointerAttributes, hostPointer);

SAME_SIZE(cudaFuncAttributes);
SAME_PLACE(cudaFuncAttributes, sharedSizeBytes);
SAME_PLACE(cudaFuncAttributes, localSizeBytes);
SAME_PLACE(cudaFuncAttributes, maxThreadsPerBlock);
SAME_PLACE(cudaFuncAttributes, numRegs);
SAME_PLACE(cudaFuncAttributes, ptxVersion);
SAME_PLACE(cudaFuncAttributes, binaryVersion);
SAME_PLACE(cudaFuncAttributes, maxDynamicSharedSizeBytes);
SAME_PLACE(cudaFuncAttributes, preferredShmemCarveout);
SAME_PLACE(cudaFuncAttributes, nonPortableClusterSizeAllowed);

SAME_SIZE(cudaLaunchConfig_t);
SAME_PLACE(cudaLaunchConfig_t, gridDim);
SAME_PLACE(cudaLaunchConfig_t, blockDim);
SAME_PLACE(cudaLaunchConfig_t, dynamicSmemBytes);
SAME_PLACE(cudaLaunchConfig_t, stream);
SAME_PLACE(cudaLaunchConfig_t, attrs);
SAME_PLACE(cudaLaunchConfig_t, numAttrs);
static_assert(sizeof(::cudaLaunchAttribute) == sizeof(ours::cudaLaunchAttribute));
static_assert(offsetof(::cudaLaunchAttribute, val) == offsetof(ours::cudaLaunchAttribute, val));
SAME_SIZE(cudaGraphEdgeData);
SAME_PLACE(cudaGraphEdgeData, from_port);
SAME_PLACE(cudaGraphEdgeData, type);
static_assert(offsetof(::cudaLaunchAttributeValue, clusterDim) == 0);
SAME_SIZE(dim3);
SAME_SIZE(cudaMemLocation);
SAME_SIZE(cudaMemPoolProps);
SAME_SIZE(cudaMemAccessDesc);
SAME_SIZE(cudaChannelFormatDesc);

static_assert(int(::cudaMemcpyDefault) == int(ours::cudaMemcpyDefault));
static_assert(int(::cudaMemoryTypeManaged) == int(ours::cudaMemoryTypeManaged));
static_assert(int(::cudaFuncAttributeMaxDynamicSharedMemorySize) ==
              int(ours::cudaFuncAttributeMaxDynamicSharedMemorySize));
static_assert(int(::cudaLaunchAttributeClusterDimension) ==
              int(ours::cudaLaunchAttributeClusterDimension));
static_assert(int(::cudaErrorIllegalAddress) == int(ours::cudaErrorIllegalAddress));
static_assert(CUDART_VERSION / 1000 == ours::kRuntimeVersion / 1000);

TEST_CASE("every error has the toolkit's name and text") {
  void* library = dlopen(LANESCOPE_CUDA_ROOT "/lib64/libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(library, dlerror());
  using Text = const char* (*)(int);
  const auto name = reinterpret_cast<Text>(dlsym(library, "cudaGetErrorName"));
  const auto text = reinterpret_cast<Text>(dlsym(library, "cudaGetErrorString"));
  int known = 0;
  for (int code = -1; code <= 10001; ++code) {
    const std::string expected = name(code);
    const std::string found = ours::error_name(code);
    if (expected != found) CHECK(found == expected);
    if (std::string(ours::error_text(code)) != text(code))
      CHECK(std::string(ours::error_text(code)) == text(code));
    known += expected != "unrecognized error code";
  }
  CHECK(known > 100);
  dlclose(library);
}

namespace lanescope::cudart {
bool is_later_than(int version, std::string_view name, bool per_thread);  // driver_older.cpp
}

TEST_CASE("a function of the driver is there since the first version that cudaTypedefs.h names") {
  std::ifstream file(LANESCOPE_CUDA_ROOT "/include/cudaTypedefs.h");
  const std::regex form(R"(\(CUDAAPI \*PFN_(cu\w+?)_v(\d+)(_ptsz|_ptds)?\))");
  std::map<std::pair<std::string, bool>, int> since;
  for (std::string line; std::getline(file, line);)
    if (std::smatch found; std::regex_search(line, found, form)) {
      const auto known = since.try_emplace({found[1], found[3].matched}, 1 << 30).first;
      known->second = std::min(known->second, std::stoi(found[2]));
    }
  CHECK(since.size() > 400);
  int asked = 0;
  for (const auto& [what, version] : since) {
    const auto& [name, per_thread] = what;
    if (!ours::is_later_than(0, name, per_thread)) continue;  // none that is emulated
    ++asked;
    CHECK_MESSAGE(ours::is_later_than(version - 1, name, per_thread), name);
    CHECK_MESSAGE(!ours::is_later_than(version, name, per_thread), name);
  }
  CHECK(asked > 300);
}

// Of the driver.
#define LANESCOPE_DRIVER_ERROR(code, name) static_assert(int{::name} == code);
#include "cudart/driver/driver_errors.inc"
#undef LANESCOPE_DRIVER_ERROR
SAME_SIZE(CUDA_MEMCPY2D);
SAME_PLACE(CUDA_MEMCPY2D, dstMemoryType);
SAME_PLACE(CUDA_MEMCPY2D, WidthInBytes);
SAME_SIZE(CUexecAffinityParam);
static_assert(sizeof(::CUctxCreateParams) == sizeof(ours::CUctxCreateParams));
static_assert(offsetof(::CUctxCreateParams, numExecAffinityParams) ==
              offsetof(ours::CUctxCreateParams, affinities));
SAME_SIZE(CUdevprop);
SAME_PLACE(CUdevprop, maxGridSize);
SAME_PLACE(CUdevprop, regsPerBlock);
SAME_PLACE(CUdevprop, textureAlign);
static_assert(sizeof(CUstreamBatchMemOpParams) == sizeof(ours::CUstreamOperation));
static_assert(offsetof(CUstreamBatchMemOpParams, waitValue.value64) ==
              offsetof(ours::CUstreamOperation, value));
static_assert(offsetof(CUstreamBatchMemOpParams, writeValue.flags) ==
              offsetof(ours::CUstreamOperation, flags));
SAME_SIZE(CUDA_MEMCPY3D);
SAME_PLACE(CUDA_MEMCPY3D, srcArray);
SAME_PLACE(CUDA_MEMCPY3D, srcHeight);
SAME_PLACE(CUDA_MEMCPY3D, dstMemoryType);
SAME_PLACE(CUDA_MEMCPY3D, dstHeight);
SAME_PLACE(CUDA_MEMCPY3D, Depth);
SAME_SIZE(CUDA_ARRAY_DESCRIPTOR);
SAME_PLACE(CUDA_ARRAY_DESCRIPTOR, NumChannels);
SAME_SIZE(CUDA_ARRAY3D_DESCRIPTOR);
SAME_PLACE(CUDA_ARRAY3D_DESCRIPTOR, Flags);
SAME_SIZE(CUDA_RESOURCE_DESC);
SAME_PLACE(CUDA_RESOURCE_DESC, res.linear.sizeInBytes);
SAME_PLACE(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes);
SAME_PLACE(CUDA_RESOURCE_DESC, flags);
SAME_SIZE(CUDA_TEXTURE_DESC);
SAME_PLACE(CUDA_TEXTURE_DESC, flags);
SAME_PLACE(CUDA_TEXTURE_DESC, mipmapLevelBias);
SAME_PLACE(CUDA_TEXTURE_DESC, borderColor);
static_assert(sizeof(::CUDA_KERNEL_NODE_PARAMS_v2) == sizeof(ours::CUDA_KERNEL_NODE_PARAMS));
static_assert(sizeof(::CUDA_KERNEL_NODE_PARAMS_v3) == sizeof(ours::CUDA_KERNEL_NODE_PARAMS));
static_assert(offsetof(::CUDA_KERNEL_NODE_PARAMS_v3, kern) ==
              offsetof(ours::CUDA_KERNEL_NODE_PARAMS, kernel));
static_assert(offsetof(::CUDA_MEMCPY_NODE_PARAMS, copyParams) ==
              offsetof(ours::CUDA_MEMCPY_NODE_PARAMS, copy));
SAME_SIZE(CUmemAllocationProp);
SAME_PLACE(CUmemAllocationProp, location);
SAME_PLACE(CUmemAllocationProp, allocFlags);
SAME_SIZE(CUmemAccessDesc);
SAME_PLACE(CUmemAccessDesc, flags);
SAME_SIZE(CUgraphNodeParams);
SAME_PLACE(CUgraphNodeParams, reserved2);
static_assert(offsetof(::CUDA_CONDITIONAL_NODE_PARAMS, ctx) == 24);  // driver_graph_node.cpp

namespace {

bool is_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

/// Every word of a file that could be one of the runtime's functions.
std::set<std::string> candidates(const std::string& path, const std::string& part = "cuda") {
  // At once: cublasLt has 540 MB, which letter by letter take half a minute.
  std::string bytes(std::filesystem::file_size(path), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE_MESSAGE(file.good(), path);
  std::set<std::string> words;
  for (std::size_t at = bytes.find(part); at != std::string::npos; at = bytes.find(part, at)) {
    std::size_t begin = at, end = at;
    while (begin > 0 && is_name(bytes[begin - 1])) --begin;
    while (end < bytes.size() && is_name(bytes[end])) ++end;
    words.insert(bytes.substr(begin, end - begin));
    at = end;
  }
  return words;
}

}  // namespace

TEST_CASE("everything the driver's stub exports, ours exports too") {
  const std::string their_path = LANESCOPE_CUDA_ROOT "/lib64/stubs/libcuda.so";
  void* ours_loaded =
      dlopen((lanescope::tests::build_folder() / "lib/lanescope/libcuda.so.1").c_str(),
             RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(ours_loaded, dlerror());
  void* theirs = dlopen(their_path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  REQUIRE_MESSAGE(theirs, dlerror());
  int exported = 0;
  for (const std::string& name : candidates(their_path, "cu")) {
    if (name.rfind("cu", 0) != 0 || !dlsym(theirs, name.c_str())) continue;
    ++exported;
    CHECK_MESSAGE(dlsym(ours_loaded, name.c_str()), name << " is missing");
  }
  CHECK(exported > 400);
  dlclose(ours_loaded);
  dlclose(theirs);
}

TEST_CASE("everything the toolkit's library exports, ours exports too") {
  const std::string their_path = LANESCOPE_CUDA_ROOT "/lib64/libcudart.so.13";
  void* ours_loaded =
      dlopen((lanescope::tests::build_folder() / "lib/lanescope/libcudart.so.13").c_str(),
             RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(ours_loaded, dlerror());
  void* theirs = dlopen(their_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(theirs);
  REQUIRE(theirs != ours_loaded);
  int exported = 0;
  for (const std::string& name : candidates(their_path)) {
    if (!dlvsym(theirs, name.c_str(), "libcudart.so.13")) continue;
    ++exported;
    CHECK_MESSAGE(dlvsym(ours_loaded, name.c_str(), "libcudart.so.13"), name << " is missing");
  }
  CHECK(exported > 400);
  dlclose(ours_loaded);
  dlclose(theirs);
}

TEST_CASE("everything the toolkit's cuBLAS and cublasLt export, the stand-ins export too") {
  struct Library {
    std::string name, prefix, status_name, status_text;
    int least;
  };
  for (const Library& library :
       {Library{"cublas", "cublas", "cublasGetStatusName", "cublasGetStatusString", 700},
        Library{"cublasLt", "cublasLt", "cublasLtGetStatusName", "cublasLtGetStatusString", 150}}) {
    CAPTURE(library.name);
    const std::string file = "lib" + library.name + ".so.13";
    const std::string their_path = std::string(LANESCOPE_CUDA_ROOT "/lib64/") + file;
    // It stays loaded: what it keeps for exceptions would count as leaked.
    void* theirs = dlopen(their_path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!theirs) {
      MESSAGE("this toolkit has no cuBLAS");
      return;
    }
    void* ours_loaded = dlopen((lanescope::tests::build_folder() / "lib/lanescope" / file).c_str(),
                               RTLD_NOW | RTLD_LOCAL);
    REQUIRE_MESSAGE(ours_loaded, dlerror());
    REQUIRE(theirs != ours_loaded);
    int exported = 0;
    for (const std::string& name : candidates(their_path, library.prefix)) {
      const bool is_lt = name.rfind("cublasLt", 0) == 0;
      if (name.rfind(library.prefix, 0) != 0 || is_lt != (library.name == "cublasLt") ||
          !dlsym(theirs, name.c_str()))
        continue;
      ++exported;
      CHECK_MESSAGE(dlsym(ours_loaded, name.c_str()), name << " is missing");
    }
    CHECK(exported > library.least);
    using Text = const char* (*)(int);
    for (const std::string& function : {library.status_name, library.status_text})
      for (const int status : {0, 1, 2, 3, 7, 8, 11, 13, 14, 15, 16})
        CHECK(std::string(reinterpret_cast<Text>(dlsym(ours_loaded, function.c_str()))(status)) ==
              std::string(reinterpret_cast<Text>(dlsym(theirs, function.c_str()))(status)));
    dlclose(ours_loaded);
    dlclose(theirs);
  }
}
