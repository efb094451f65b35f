// SPDX-License-Identifier: MIT
// Graphs: a captured stream with a fork and a join, launched again and again; a graph made node by
// node, its kernel's arguments changed; an update from a second capture; what capturing forbids.
// And copies of volumes, and memory pools.
#include <cstring>
#include <utility>

#include "program.cuh"

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }
__global__ void multiply(int* values, int factor) { values[threadIdx.x] *= factor; }

constexpr int kThreads = 32;

void CUDART_CB count_up(void* data) { ++*static_cast<int*>(data); }

bool all_are(const int* device, int expected) {
  for (const int value : from_device(device, kThreads))
    if (value != expected) return false;
  return true;
}

struct Work {
  cudaStream_t stream, side;
  int *values, *other;  // on the card, kThreads each
  int calls = 0;        // of count_up
};

// values = (values + 1) * 2 on one stream, other += 5 on another, then values += 10.
cudaGraph_t captured(Work& work, int amount) {
  const auto [stream, side] = std::pair(work.stream, work.side);
  cudaEvent_t fork, join;
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, kThreads, 0, stream>>>(work.values, amount);
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  add<<<1, kThreads, 0, side>>>(work.other, 5);
  multiply<<<1, kThreads, 0, stream>>>(work.values, 2);
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  CHECK(cudaLaunchHostFunc(stream, count_up, &work.calls));
  add<<<1, kThreads, 0, stream>>>(work.values, 10);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

int capture_and_update(Work& work) {
  int failures = 0;
  cudaGraph_t graph = captured(work, 1);
  failures += verdict("nothing was done yet", !all_are(work.values, 0) || work.calls != 0, 1);
  std::size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::printf("nodes: %zu\n", nodes);
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 3; ++round) CHECK(cudaGraphLaunch(executable, work.stream));
  CHECK(cudaStreamSynchronize(work.stream));
  // ((0+1)*2+10 = 12; (12+1)*2+10 = 36; (36+1)*2+10 = 84
  failures += verdict("captured",
                      !all_are(work.values, 84) || !all_are(work.other, 15) || work.calls != 3, 1);

  cudaGraph_t second = captured(work, 0);
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(executable, second, &info));
  CHECK(cudaGraphLaunch(executable, work.stream));
  CHECK(cudaStreamSynchronize(work.stream));
  failures += verdict("updated", !all_are(work.values, 84 * 2 + 10), 1);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return failures;
}

int node_by_node(Work& work) {
  int failures = 0;
  cudaGraph_t made;
  CHECK(cudaGraphCreate(&made, 0));
  cudaMemsetParams zero = {};
  zero.dst = work.values;
  zero.elementSize = 4;
  zero.value = 7;
  zero.width = kThreads;
  zero.height = 1;
  cudaGraphNode_t cleared, added, copied, called;
  CHECK(cudaGraphAddMemsetNode(&cleared, made, nullptr, 0, &zero));
  int amount = 3;
  void* arguments[] = {&work.values, &amount};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = 1;
  kernel.blockDim = kThreads;
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&added, made, &cleared, 1, &kernel));
  int result[kThreads] = {};
  CHECK(cudaGraphAddMemcpyNode1D(&copied, made, nullptr, 0, result, work.values, sizeof result,
                                 cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddDependencies(made, &added, &copied, nullptr, 1));
  cudaHostNodeParams host = {count_up, &work.calls};
  CHECK(cudaGraphAddHostNode(&called, made, &copied, 1, &host));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, made, 0));
  CHECK(cudaGraphLaunch(executable, work.stream));
  CHECK(cudaStreamSynchronize(work.stream));
  failures += verdict("node by node", result[31] != 10 || work.calls != 5, 1);
  amount = 30;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, added, &kernel));
  CHECK(cudaGraphLaunch(executable, work.stream));
  CHECK(cudaStreamSynchronize(work.stream));
  failures += verdict("another argument", result[31] != 37, 1);
  CHECK(cudaGraphAddDependencies(made, &called, &cleared, nullptr, 1));
  std::printf("a circle: %s\n", cudaGetErrorName(cudaGraphInstantiate(&executable, made, 0)));
  return failures;
}

void forbidden_while_capturing(cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  std::printf("synchronize while capturing: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  std::printf("the capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  std::printf("end again: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  cudaGetLastError();
}

// Of a graph that was captured, then of one made node by node.
int memory_of_its_own(cudaStream_t stream) {
  int result[kThreads] = {};
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  int* temporary = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&temporary, 4 * kThreads, stream));
  CHECK(cudaMemsetAsync(temporary, 0, 4 * kThreads, stream));
  add<<<1, kThreads, 0, stream>>>(temporary, 6);
  CHECK(cudaMemcpyAsync(result, temporary, sizeof result, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(temporary, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  std::size_t count_of_nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count_of_nodes));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int turn = 0; turn < 2; ++turn) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  cudaGraph_t own;
  CHECK(cudaGraphCreate(&own, 0));
  cudaMemAllocNodeParams memory = {};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = 4 * kThreads;
  cudaGraphNode_t allocated, filled, fetched, freed;
  CHECK(cudaGraphAddMemAllocNode(&allocated, own, nullptr, 0, &memory));
  cudaMemsetParams sevens = {};
  sevens.dst = memory.dptr;
  sevens.value = 7;
  sevens.elementSize = 4;
  sevens.width = kThreads;
  sevens.height = 1;
  CHECK(cudaGraphAddMemsetNode(&filled, own, &allocated, 1, &sevens));
  int seven[kThreads] = {};
  CHECK(cudaGraphAddMemcpyNode1D(&fetched, own, &filled, 1, seven, memory.dptr, sizeof seven,
                                 cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddMemFreeNode(&freed, own, &fetched, 1, memory.dptr));
  CHECK(cudaGraphInstantiate(&executable, own, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  int failures = verdict("memory by nodes", seven[31] != 7, 1);
  failures += verdict("memory of its own", result[31] != 6 || count_of_nodes != 5, 1);
  return failures;
}

int volumes(cudaStream_t stream) {
  cudaPitchedPtr volume;
  const cudaExtent extent = {20, 3, 2};
  CHECK(cudaMalloc3D(&volume, extent));
  CHECK(cudaMemset3D(volume, 0, extent));
  char bytes[120], back[120] = {};
  for (int k = 0; k < 120; ++k) bytes[k] = static_cast<char>(k);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(bytes, 20, 20, 3);
  copy.dstPtr = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  copy.srcPtr = volume;
  copy.dstPtr = make_cudaPitchedPtr(back, 20, 20, 3);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3DAsync(&copy, stream));
  CHECK(cudaStreamSynchronize(stream));
  return verdict("volume", std::memcmp(bytes, back, sizeof bytes) != 0, 1);
}

int pools(cudaStream_t stream) {
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t keep = UINT64_MAX, kept = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  int* pooled = nullptr;
  CHECK(cudaMallocFromPoolAsync(&pooled, 4 * kThreads, pool, stream));
  CHECK(cudaMemsetAsync(pooled, 0, 4 * kThreads, stream));
  add<<<1, kThreads, 0, stream>>>(pooled, 4);
  CHECK(cudaStreamSynchronize(stream));
  const int failures = verdict("pool", !all_are(pooled, 4) || kept != keep, 1);
  CHECK(cudaFreeAsync(pooled, stream));
  return failures;
}

int main() {
  Work work;
  CHECK(cudaStreamCreate(&work.stream));
  CHECK(cudaStreamCreate(&work.side));
  work.values = to_device(std::vector<int>(kThreads));
  work.other = to_device(std::vector<int>(kThreads));
  int failures = capture_and_update(work);
  failures += node_by_node(work);
  forbidden_while_capturing(work.stream);
  failures += memory_of_its_own(work.stream);
  failures += volumes(work.stream);
  failures += pools(work.stream);
  return failures;
}
