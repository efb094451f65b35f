// SPDX-License-Identifier: MIT
// Calls of the driver API with arguments at random, right and wrong ones, and what each answers: a
// line `CALL(ARGUMENTS) -> CODE WHAT CAME OUT`, and behind `then` what cuCtxSynchronize says, where
// that is not 0. Exit code 4: the context is lost, go on behind this call.
//
// usage: calls SEED FIRST END
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "arrays.cuh"
#include "card.cuh"
#include "copies.cuh"
#include "graphs.cuh"
#include "kernels.cuh"
#include "memory.cuh"
#include "modules.cuh"
#include "nodes.cuh"
#include "streams.cuh"
#include "tensor_maps.cuh"
#include "virtual.cuh"

using namespace calls;

template <size_t kCount>
static void append(std::vector<Call>& all, const Call (&more)[kCount]) {
  all.insert(all.end(), more, more + kCount);
}

static std::vector<Call> drawn;

/// Another call, by a thread that has no context.
static int without_context() {
  cuCtxSetCurrent(nullptr);
  const Call& other_call = drawn[below(unsigned(drawn.size()))];
  say(other_call.name);
  const int answer = other_call.run();
  restore();
  return answer;
}
static const Call kWithoutContext[] = {
    {"without a context", without_context}, {"without a context", without_context},
    {"without a context", without_context}, {"without a context", without_context},
    {"without a context", without_context}, {"without a context", without_context},
    {"without a context", without_context}, {"without a context", without_context}};

/// In the order in which the recording draws them.
static void list_calls() {
  append(drawn, kCopies);
  append(drawn, kMemory);
  append(drawn, kCard);
  append(drawn, kModules);
  append(drawn, kKernels);
  append(drawn, kArrays);
  append(drawn, kTensorMaps);
  append(drawn, kStreams);
  append(drawn, kNodes);
  append(drawn, kGraphs);
  append(drawn, kVirtual);
  append(drawn, kWithoutContext);
}

static void check(CUresult result, int line) {
  if (result == CUDA_SUCCESS) return;
  fprintf(stderr, "calls.cu:%d: error %d\n", line, result);
  exit(2);
}
#define CHECK(call) check(call, __LINE__)

static void make_memory() {
  CUdeviceptr between = 0;
  CHECK(cuMemAlloc(&dev, kBytes));
  CHECK(cuMemAlloc(&between, kBytes));  // or what lies behind dev is dev2's
  CHECK(cuMemAlloc(&dev2, kBytes));
  CHECK(cuMemFree(between));
  CHECK(cuMemAllocHost((void**)&pinned, kBytes));
  CHECK(cuMemHostAlloc((void**)&mapped, kBytes, CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK(cuMemAllocManaged(&man, kBytes, CU_MEM_ATTACH_GLOBAL));
  host = (char*)mmap(nullptr, kHostBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  freed = between;
  CHECK(cuMemsetD8(dev, 0, kBytes));
  CHECK(cuMemsetD8(dev2, 0, kBytes));
}

static void make_streams() {
  CHECK(cuStreamCreate(&stream, 0));
  CHECK(cuStreamCreate(&stream_nb, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&event, 0));
  CHECK(cuEventCreate(&event_nt, CU_EVENT_DISABLE_TIMING));
  CHECK(cuEventCreate(&event_never, 0));
  CHECK(cuEventRecord(event, nullptr));
  CHECK(cuEventRecord(event_nt, nullptr));
}

static CUarray an_array_of(size_t x, size_t y, size_t z, unsigned flags) {
  const CUDA_ARRAY3D_DESCRIPTOR how{x, y, z, CU_AD_FORMAT_FLOAT, 1, flags};
  CUarray made = nullptr;
  CHECK(cuArray3DCreate(&made, &how));
  CUDA_MEMCPY3D zeros{};
  zeros.srcMemoryType = CU_MEMORYTYPE_HOST;
  zeros.srcHost = host;
  zeros.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  zeros.dstArray = made;
  zeros.WidthInBytes = x * sizeof(float);
  zeros.Height = y ? y : 1;
  zeros.Depth = z ? z : 1;
  CHECK(cuMemcpy3D(&zeros));
  return made;
}

static void make_arrays() {
  array1 = an_array_of(64, 0, 0, 0);
  array2 = an_array_of(64, 32, 0, 0);
  array3 = an_array_of(16, 8, 4, 0);
  layered = an_array_of(16, 8, 4, CUDA_ARRAY3D_LAYERED);
  surface_array = an_array_of(64, 32, 0, CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_ARRAY3D_DESCRIPTOR how{16, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CHECK(cuMipmappedArrayCreate(&mip, &how, 3));
}

static void make_graph() {
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddEmptyNode(&node_a, graph, nullptr, 0));
  CUDA_MEMSET_NODE_PARAMS fill{};
  fill.dst = dev;
  fill.elementSize = 1;
  fill.width = 64;
  fill.height = 1;
  CHECK(cuGraphAddMemsetNode(&node_b, graph, &node_a, 1, &fill, primary));
  CUDA_KERNEL_NODE_PARAMS launched{};
  launched.func = functions[0];
  launched.gridDimX = launched.gridDimY = launched.gridDimZ = 1;
  launched.blockDimX = launched.blockDimY = launched.blockDimZ = 1;
  CHECK(cuGraphAddKernelNode(&node_c, graph, &node_b, 1, &launched));
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
}

static void make_things() {
  CHECK(cuInit(0));
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK(cuCtxSetCurrent(primary));
  make_memory();
  make_streams();
  make_arrays();
  CUmemPoolProps how{};
  how.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  how.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CHECK(cuMemPoolCreate(&pool, &how));
  CHECK(cuDeviceGetDefaultMemPool(&default_pool, 0));
  CHECK(cuModuleLoadData(&module, kPtx));
  CHECK(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  for (int k = 0; k < 8; ++k) {
    CHECK(cuModuleGetFunction(&functions[k], module, kKernelNames[k]));
    CHECK(cuLibraryGetKernel(&kernels[k], library, kKernelNames[k]));
  }
  make_graph();
  CHECK(cuCtxSynchronize());
}

/// False where the context is lost.
static bool ask(const Call& call) {
  alarm(20);  // a call that never comes back ends the program
  said = std::string(call.name) + "(";
  told.clear();
  const int answer = call.run();
  const int sync = cuCtxSynchronize();
  madvise(host, kHostBytes, MADV_DONTNEED);
  printf("%s) -> %d%s", said.c_str(), answer, told.c_str());
  if (sync != 0) printf(" then %d", sync);
  printf("\n");
  fflush(stdout);
  return sync == 0;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const uint64_t seed = strtoull(argv[1], nullptr, 10);
  const long first = atol(argv[2]), end = atol(argv[3]);
  make_things();
  list_calls();
  for (long which = first; which < end; ++which) {
    state = seed * 1000003 + uint64_t(which);
    next(), next();
    if (!ask(drawn[below(unsigned(drawn.size()))])) return 4;
  }
}
