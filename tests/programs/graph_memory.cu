// SPDX-License-Identifier: MIT
// Memory that nodes of a graph allocate and free: when it is there, who may free it, how much of it
// is counted, and what such a graph cannot do. A line a question; h200/graph_memory.txt has a
// card's answers.
#include <cstring>

#include "program.cuh"

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }

int line = 0;
cudaStream_t stream;

void answer(const char* what, cudaError_t error) {
  std::printf("%d %s %s\n", ++line, what, cudaGetErrorName(error));
  cudaGetLastError();
}

void used(const char* when) {
  std::printf("   %s:", when);
  for (const auto attribute :
       {cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh,
        cudaGraphMemAttrReservedMemCurrent, cudaGraphMemAttrReservedMemHigh}) {
    unsigned long long bytes = 77;
    CHECK(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes));
    std::printf(" %llu", bytes);
  }
  std::printf("\n");
}

/// A graph that allocates 4 MiB, writes there, and frees them or does not.
cudaGraphExec_t captured(int** memory, bool frees, unsigned long long flags) {
  cudaGraph_t graph, clone;
  cudaGraphExec_t executable = nullptr, second = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  answer("mallocAsync captured", cudaMallocAsync(memory, 4 << 20, stream));
  fill<<<1, 32, 0, stream>>>(*memory, 7);
  if (frees) answer("freeAsync captured", cudaFreeAsync(*memory, stream));
  answer("end", cudaStreamEndCapture(stream, &graph));
  answer("instantiate", cudaGraphInstantiate(&executable, graph, flags));
  answer("instantiate it again", cudaGraphInstantiate(&second, graph, flags));
  answer("clone", cudaGraphClone(&clone, graph));
  answer("destroy graph", cudaGraphDestroy(graph));
  return executable;
}

void launch(cudaGraphExec_t executable, const char* what) {
  answer(what, cudaGraphLaunch(executable, stream));
  answer("sync", cudaStreamSynchronize(stream));
}

void look(const int* memory) {
  int values[32];
  answer("memcpy", cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost));
  std::printf("   %d\n", values[5]);
}

void type_of(const int* memory, const char* what) {
  cudaPointerAttributes attributes;
  answer(what, cudaPointerGetAttributes(&attributes, memory));
  std::printf("   type %d\n", static_cast<int>(attributes.type));
}

// Launched, freed by cudaFree, launched, freed by cudaFreeAsync, launched; then without its graph.
void lives() {
  int *memory = nullptr, value = 0;
  const auto copy = [&] { return cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost); };
  used("before");
  cudaGraphExec_t executable = captured(&memory, false, 0);
  type_of(memory, "attributes before a launch");
  answer("free before a launch", cudaFree(memory));
  answer("freeAsync before a launch", cudaFreeAsync(memory, stream));
  answer("memcpy before a launch", copy());
  used("before launch");
  launch(executable, "launch");
  used("launched");
  type_of(memory, "attributes");
  look(memory);
  launch(executable, "launch, not freed");
  answer("free", cudaFree(memory));
  used("freed");
  answer("free twice", cudaFree(memory));
  answer("freeAsync twice", cudaFreeAsync(memory, stream));
  answer("memcpy freed", copy());
  answer("launch again", cudaGraphLaunch(executable, stream));
  answer("freeAsync", cudaFreeAsync(memory, stream));
  answer("sync", cudaStreamSynchronize(stream));
  launch(executable, "launch a third time");
  look(memory);
  answer("destroy executable, memory live", cudaGraphExecDestroy(executable));
  answer("memcpy after that", copy());
  answer("free after that", cudaFree(memory));
}

void counted() {
  const auto set = [](cudaGraphMemAttributeType attribute, unsigned long long value) {
    return cudaDeviceSetGraphMemAttribute(0, attribute, &value);
  };
  used("all freed");
  answer("trim", cudaDeviceGraphMemTrim(0));
  used("trimmed");
  answer("set high to 0", set(cudaGraphMemAttrUsedMemHigh, 0));
  answer("set high to 5", set(cudaGraphMemAttrUsedMemHigh, 5));
  answer("set current", set(cudaGraphMemAttrUsedMemCurrent, 0));
  used("set");
}

void launched_twice() {
  int* memory = nullptr;
  cudaGraphExec_t executable = captured(&memory, false, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  answer("auto free: launch", cudaGraphLaunch(executable, stream));
  launch(executable, "launch");
  answer("free", cudaFree(memory));
  CHECK(cudaGraphExecDestroy(executable));
  executable = captured(&memory, true, 0);
  answer("frees itself: launch", cudaGraphLaunch(executable, stream));
  launch(executable, "launch");
  answer("free what it freed", cudaFree(memory));
  used("end");
}

void nodes() {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams asked{}, got{};
  asked.bytesize = 1000;
  asked.poolProps.allocType = cudaMemAllocationTypePinned;
  asked.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t allocates, releases, other;
  answer("alloc node", cudaGraphAddMemAllocNode(&allocates, graph, nullptr, 0, &asked));
  answer("its params", cudaGraphMemAllocNodeGetParams(allocates, &got));
  std::printf("   %d %zu\n", got.dptr == asked.dptr, got.bytesize);
  void* freed = nullptr;
  answer("free node", cudaGraphAddMemFreeNode(&releases, graph, &allocates, 1, asked.dptr));
  answer("its params", cudaGraphMemFreeNodeGetParams(releases, &freed));
  std::printf("   %d\n", freed == asked.dptr);
  answer("a second free node", cudaGraphAddMemFreeNode(&other, graph, &allocates, 1, asked.dptr));
  int* ordinary = nullptr;
  CHECK(cudaMalloc(&ordinary, 64));
  answer("free node of memory of no graph",
         cudaGraphAddMemFreeNode(&other, graph, &allocates, 1, ordinary));
  answer("free node without the allocation before it",
         cudaGraphAddMemFreeNode(&other, graph, nullptr, 0, asked.dptr));
  int value = 3;
  void* arguments[] = {&ordinary, &value};
  cudaKernelNodeParams kernel{}, found{};
  kernel.func = reinterpret_cast<void*>(fill);
  kernel.gridDim = 2;
  kernel.blockDim = 32;
  kernel.kernelParams = arguments;
  answer("kernel node", cudaGraphAddKernelNode(&other, graph, nullptr, 0, &kernel));
  answer("its params", cudaGraphKernelNodeGetParams(other, &found));
  std::printf("   %d %u %u %d %d\n", found.func == kernel.func, found.gridDim.x, found.blockDim.x,
              *static_cast<int*>(found.kernelParams[1]), found.kernelParams[1] == &value);
  std::size_t count = 9;
  answer("dependencies", cudaGraphNodeGetDependencies(releases, nullptr, nullptr, &count));
  std::printf("   %zu\n", count);
  answer("dependents", cudaGraphNodeGetDependentNodes(allocates, nullptr, nullptr, &count));
  std::printf("   %zu\n", count);
  answer("destroy node", cudaGraphDestroyNode(other));
  answer("destroy node of memory", cudaGraphDestroyNode(releases));
}

int main() {
  CHECK(cudaStreamCreate(&stream));
  lives();
  counted();
  launched_twice();
  nodes();
}
