// SPDX-License-Identifier: MIT
// The binary interface of libcudart.so.13 as far as we answer it: structs and enums with the
// toolkit's layout, under the toolkit's names. Not the toolkit's headers: this room builds on
// machines that have none. Source: cuda_runtime_api.h, driver_types.h, crt/host_runtime.h of
// CUDA 13.0; the test tests/cudart/abi_test.cpp compares every size and offset with the real
// headers where they are there.
#pragma once

#include <cstddef>
#include <cstdint>

/// An exported function of the library.
#define LANESCOPE_API extern "C" __attribute__((visibility("default")))

namespace lanescope::cudart {

enum cudaError : int {
#define LANESCOPE_CUDA_ERROR(name, code, text) name = code,
#include "cudart/errors.inc"
#undef LANESCOPE_CUDA_ERROR
};

inline constexpr int kRuntimeVersion = 13000;  // what cudaRuntimeGetVersion answers

enum cudaMemcpyKind : int {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};

enum cudaMemoryType : int {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3,
};

enum cudaFuncAttribute : int {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
};

enum cudaLaunchAttributeID : int {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePreferredClusterDimension = 11,
};

inline constexpr unsigned kEventDisableTiming = 2;
inline constexpr unsigned kEventFlags = 1 | 2 | 4;  // blocking sync, disable timing, interprocess
inline constexpr unsigned kStreamFlags = 1;         // non-blocking
inline constexpr unsigned kHostAllocFlags = 1 | 2 | 4;         // portable, mapped, write-combined
inline constexpr unsigned kHostRegisterFlags = 1 | 2 | 4 | 8;  // portable, mapped, I/O, read-only

/// Handles are numbers of ours, never addresses, so that a nonsense handle is harmless.
using cudaStream_t = void*;
using cudaEvent_t = void*;
using cudaKernel_t = void*;
using cudaLibrary_t = void*;
using cudaMemPool_t = void*;
using cudaGraph_t = void*;
using cudaGraphNode_t = void*;
using cudaGraphExec_t = void*;
using cudaUserObject_t = void*;
using cudaHostFn_t = void (*)(void* data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError status, void* data);

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
  long reserved[8];
};

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
  std::size_t constSizeBytes;
  std::size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth;
  int requiredClusterHeight;
  int requiredClusterDepth;
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
  int reserved[16];
};

struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[4];
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } clusterDim;
    int cooperative;
    int programmaticStreamSerializationAllowed;
  } val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

struct cudaPitchedPtr {
  void* ptr;
  std::size_t pitch, xsize, ysize;
};
struct cudaExtent {
  std::size_t width, height, depth;
};
struct cudaPos {
  std::size_t x, y, z;
};
struct cudaMemcpy3DParms {
  void* srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  void* dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

struct cudaMemcpy3DPeerParms {
  void* srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  void* dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
};

struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim;
  dim3 blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};
struct cudaMemsetParams {
  void* dst;
  std::size_t pitch;
  unsigned value;
  unsigned elementSize;
  std::size_t width;  // in elements
  std::size_t height;
};
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};
/// All zeros: the later node begins when the earlier one has ended.
struct cudaGraphEdgeData {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;  // 1: the later kernel may begin before (cudaGridDependencySynchronize)
  unsigned char reserved[5];
};
struct cudaMemLocation {
  int type;
  int id;
};
struct cudaMemAccessDesc {
  cudaMemLocation location;
  int flags;  // 0: none, 1: to read, 3: to read and write
};
struct cudaMemPoolProps {
  int allocType;
  int handleTypes;
  cudaMemLocation location;
  void* win32SecurityAttributes;
  std::size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
struct cudaMemAllocNodeParams {
  cudaMemPoolProps poolProps;  // one device, one place
  const void* accessDescs;
  std::size_t accessDescCount;
  std::size_t bytesize;
  void* dptr;  // what comes back
};
struct cudaConditionalNodeParams {
  unsigned long long handle;
  int type;
  unsigned size;             // how many graphs it chooses from
  cudaGraph_t* phGraph_out;  // what comes back
};
struct cudaMemcpyNodeParams {
  int flags;
  int reserved[3];
  cudaMemcpy3DParms copyParams;
};
struct cudaGraphNodeParams {
  int type;
  int reserved0[3];
  union {
    long long reserved1[29];
    cudaKernelNodeParams kernel;
    cudaMemcpyNodeParams memcpy;
    cudaMemsetParams memset;
    cudaHostNodeParams host;
    cudaGraph_t graph;
    cudaEvent_t event;
    cudaMemAllocNodeParams alloc;
    void* freed;
    cudaConditionalNodeParams conditional;
  };
  long long reserved2;
};
struct cudaGraphInstantiateParams {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  int result_out;
};
struct cudaGraphExecUpdateResultInfo {
  int result;  // 0 success, 1 error, 2 another topology
  void* errorNode;
  void* errorFromNode;
};

/// The place that CUDA 12 called by a device's number, or by -1 for the host.
inline cudaMemLocation place_of_device(int device) {
  constexpr int kCard = 1, kHost = 2;  // cudaMemLocationType
  return device == -1 ? cudaMemLocation{kHost, 0} : cudaMemLocation{kCard, device};
}
struct cudaMemcpyAttributes {
  int srcAccessOrder;  // 1 in stream order, 2 during the call, 3 any
  cudaMemLocation srcLocHint;
  cudaMemLocation dstLocHint;
  unsigned flags;
};

struct cudaChannelFormatDesc {
  int x, y, z, w, f;
};

struct cudaDeviceProp {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  std::size_t totalConstMem;
  int major;
  int minor;
  std::size_t textureAlignment;
  std::size_t texturePitchAlignment;
  int multiProcessorCount;
  int integrated;
  int canMapHostMemory;
  int textures_and_surfaces[39];  // maxTexture1D ... maxSurfaceCubemapLayered
  std::size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  int sparseCudaArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int deviceNumaConfig;
  int deviceNumaId;
  int mpsEnabled;
  int hostNumaId;
  unsigned gpuPciDeviceID;
  unsigned gpuPciSubsystemID;
  int hostNumaMultinodeIpcSupported;
  int reserved[56];
};

/// What nvcc's code hands to __cudaRegisterFatBinary (fatbinary_section.h).
struct FatBinaryWrapper {
  std::uint32_t magic;    // kWrapperMagic
  std::uint32_t version;  // 1, or kPrelinkedVersion
  const void* data;
  const void* prelinked;
};
inline constexpr std::uint32_t kWrapperMagic = 0x466243b1u;
inline constexpr std::uint32_t kPrelinkedVersion = 2;  // nvcc -rdc=true

}  // namespace lanescope::cudart
