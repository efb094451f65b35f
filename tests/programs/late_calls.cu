// SPDX-License-Identifier: MIT
// Calls that change what was made before or look at it: attributes that one stream copies from
// another, nodes of a graph that get other parameters, a graph printed for Graphviz, the kernels of
// a library. A line a question; h200/late_calls.txt has a card's answers.
#include <algorithm>
#include <cstring>
#include <string>

#include "program.cuh"

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }
__global__ void multiply(int* values, int factor) { values[threadIdx.x] *= factor; }
void CUDART_CB count_up(void* data) { ++*static_cast<int*>(data); }
void CUDART_CB count_down(void* data) { --*static_cast<int*>(data); }

const char* const kPtx = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 word = 5;
.visible .entry store(.param .u64 out) { .reg .u64 %a; .reg .u32 %b;
  ld.param.u64 %a, [out]; mov.u32 %b, 7; st.global.u32 [%a], %b; ret; }
.visible .entry nothing() { ret; }
.visible .entry another(.param .u32 x) { ret; }
)";
const char* const kNoKernelPtx =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .global .align 4 .u32 word = 5;\n";

cudaStream_t stream;

void streams() {
  cudaStream_t from, to;
  CHECK(cudaStreamCreate(&from));
  CHECK(cudaStreamCreateWithPriority(&to, cudaStreamNonBlocking, -3));
  cudaLaunchAttributeValue value{};
  value.syncPolicy = cudaSyncPolicySpin;
  SAY(cudaStreamSetAttribute(from, cudaLaunchAttributeSynchronizationPolicy, &value));
  value = {};
  value.accessPolicyWindow.base_ptr = nullptr;
  value.accessPolicyWindow.num_bytes = 0;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  SAY(cudaStreamSetAttribute(from, cudaLaunchAttributeAccessPolicyWindow, &value));
  value = {};
  value.priority = -2;
  SAY(cudaStreamSetAttribute(from, cudaLaunchAttributePriority, &value));
  value = {};
  value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  SAY(cudaStreamSetAttribute(from, cudaLaunchAttributeMemSyncDomain, &value));
  SAY(cudaStreamSetAttribute(from, cudaLaunchAttributeCooperative, &value));
  SAY(cudaStreamSetAttribute(from, cudaLaunchAttributeIgnore, &value));
  SAY(cudaStreamCopyAttributes(to, from));
  for (const cudaStream_t each : {from, to}) {
    value = {};
    SAY(cudaStreamGetAttribute(each, cudaLaunchAttributeSynchronizationPolicy, &value));
    std::printf("policy %d\n", static_cast<int>(value.syncPolicy));
    value = {};
    SAY(cudaStreamGetAttribute(each, cudaLaunchAttributeAccessPolicyWindow, &value));
    std::printf("window %zu %.2f %d %d\n", value.accessPolicyWindow.num_bytes,
                value.accessPolicyWindow.hitRatio,
                static_cast<int>(value.accessPolicyWindow.hitProp),
                static_cast<int>(value.accessPolicyWindow.missProp));
    value = {};
    SAY(cudaStreamGetAttribute(each, cudaLaunchAttributePriority, &value));
    std::printf("priority %d\n", value.priority);
    value = {};
    SAY(cudaStreamGetAttribute(each, cudaLaunchAttributeMemSyncDomain, &value));
    std::printf("domain %d\n", static_cast<int>(value.memSyncDomain));
    SAY(cudaStreamGetAttribute(each, cudaLaunchAttributeCooperative, &value));
    int priority = 0;
    unsigned flags = 0;
    SAY(cudaStreamGetPriority(each, &priority));
    SAY(cudaStreamGetFlags(each, &flags));
    std::printf("priority %d, flags %u\n", priority, flags);
  }
  SAY(cudaStreamCopyAttributes(to, to));
  SAY(cudaStreamCopyAttributes(nullptr, from));
  SAY(cudaStreamCopyAttributes(to, nullptr));
  SAY(cudaStreamCopyAttributes(to, cudaStreamPerThread));
  SAY(cudaStreamGetAttribute(to, cudaLaunchAttributePriority, &value));
  std::printf("priority %d\n", value.priority);
  SAY(cudaStreamBeginCapture(from, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamCopyAttributes(to, from));
  SAY(cudaStreamCopyAttributes(from, to));
  cudaGraph_t graph;
  SAY(cudaStreamEndCapture(from, &graph));
  SAY(cudaGraphDestroy(graph));
}

void libraries() {
  cudaLibrary_t library, empty;
  SAY(cudaLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SAY(cudaLibraryLoadData(&empty, kNoKernelPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 77;
  SAY(cudaLibraryGetKernelCount(&count, library));
  std::printf("%u kernels\n", count);
  SAY(cudaLibraryGetKernelCount(&count, empty));
  std::printf("%u kernels\n", count);
  SAY(cudaLibraryGetKernelCount(nullptr, library));
  for (const unsigned wanted : {3u, 2u, 0u, 5u}) {
    cudaKernel_t kernels[5] = {};
    std::printf("%u: ", wanted);
    SAY(cudaLibraryEnumerateKernels(kernels, wanted, library));
    std::vector<std::string> names;
    for (const cudaKernel_t kernel : kernels) {
      if (!kernel) continue;
      const char* name = nullptr;
      CHECK(cudaFuncGetName(&name, reinterpret_cast<const void*>(kernel)));
      names.push_back(name);
      if (wanted == 3) std::printf("in order: %s\n", name);
    }
    std::printf("%zu", names.size());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      if (wanted >= 3) std::printf(" %s", name.c_str());
    std::printf("\n");
    cudaKernel_t store;
    CHECK(cudaLibraryGetKernel(&store, library, "store"));
    std::printf("the same handle: %d\n", static_cast<int>(std::count(kernels, kernels + 5, store)));
  }
  cudaKernel_t one[1];
  SAY(cudaLibraryEnumerateKernels(nullptr, 1, library));
  SAY(cudaLibraryEnumerateKernels(nullptr, 0, library));
  SAY(cudaLibraryEnumerateKernels(one, 1, empty));
  SAY(cudaLibraryUnload(library));
}

struct Made {
  cudaGraph_t graph, child;
  cudaGraphNode_t fill, kernel, copy, host, empty, inner, record, wait, sub;
  cudaEvent_t event, other;
  int *values, *more;
  int result[32], amount, calls;
  void* arguments[2];
};

cudaGraphNodeParams of_kernel(void* function, void** arguments, unsigned threads) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = function;
  params.kernel.gridDim = 1;
  params.kernel.blockDim = threads;
  params.kernel.kernelParams = arguments;
  return params;
}
cudaGraphNodeParams of_memset(void* to, unsigned value, unsigned words) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = to;
  params.memset.value = value;
  params.memset.elementSize = 4;
  params.memset.width = words;
  params.memset.height = 1;
  return params;
}
cudaGraphNodeParams of_memcpy(void* to, void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeMemcpy;
  params.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(from, bytes, bytes, 1);
  params.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  params.memcpy.copyParams.extent = make_cudaExtent(bytes, 1, 1);
  params.memcpy.copyParams.kind = kind;
  return params;
}
cudaGraphNodeParams of_host(cudaHostFn_t function, void* data) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeHost;
  params.host.fn = function;
  params.host.userData = data;
  return params;
}
cudaGraphNodeParams of_event(cudaEvent_t event, bool records) {
  cudaGraphNodeParams params{};
  params.type = records ? cudaGraphNodeTypeEventRecord : cudaGraphNodeTypeWaitEvent;
  if (records)
    params.eventRecord.event = event;
  else
    params.eventWait.event = event;
  return params;
}
cudaGraphNodeParams of_graph(cudaGraph_t graph) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = graph;
  return params;
}

// values = 7; values += amount; result = values; calls + 1; nothing; a child that does more +=
// amount
void make(Made& m) {
  CHECK(cudaMalloc(&m.values, 128));
  CHECK(cudaMalloc(&m.more, 128));
  CHECK(cudaMemset(m.values, 0, 128));
  CHECK(cudaMemset(m.more, 0, 128));
  CHECK(cudaEventCreate(&m.event));
  CHECK(cudaEventCreate(&m.other));
  CHECK(cudaGraphCreate(&m.graph, 0));
  CHECK(cudaGraphCreate(&m.child, 0));
  m.amount = 3;
  m.calls = 0;
  void* on_more[] = {&m.more, &m.amount};
  cudaGraphNodeParams params = of_kernel(reinterpret_cast<void*>(add), on_more, 32);
  CHECK(cudaGraphAddNode(&m.sub, m.child, nullptr, nullptr, 0, &params));
  params = of_memset(m.values, 7, 32);
  CHECK(cudaGraphAddNode(&m.fill, m.graph, nullptr, nullptr, 0, &params));
  m.arguments[0] = &m.values;
  m.arguments[1] = &m.amount;
  params = of_kernel(reinterpret_cast<void*>(add), m.arguments, 32);
  CHECK(cudaGraphAddNode(&m.kernel, m.graph, &m.fill, nullptr, 1, &params));
  params = of_memcpy(m.result, m.values, 128, cudaMemcpyDeviceToHost);
  CHECK(cudaGraphAddNode(&m.copy, m.graph, &m.kernel, nullptr, 1, &params));
  params = of_host(count_up, &m.calls);
  CHECK(cudaGraphAddNode(&m.host, m.graph, &m.copy, nullptr, 1, &params));
  CHECK(cudaGraphAddEmptyNode(&m.empty, m.graph, &m.host, 1));
  params = of_event(m.event, true);
  CHECK(cudaGraphAddNode(&m.record, m.graph, &m.empty, nullptr, 1, &params));
  params = of_event(m.event, false);
  CHECK(cudaGraphAddNode(&m.wait, m.graph, nullptr, nullptr, 0, &params));
  params = of_graph(m.child);
  CHECK(cudaGraphAddNode(&m.inner, m.graph, &m.wait, nullptr, 1, &params));
}

void run(const char* when, Made& m, cudaGraphExec_t executable) {
  std::memset(m.result, 0, sizeof m.result);
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  const std::vector<int> values = from_device(m.values, 32), more = from_device(m.more, 32);
  std::printf("%s: values %d %d, more %d, result %d %d, calls %d\n", when, values[0], values[31],
              more[0], m.result[0], m.result[31], m.calls);
}

// The same changes of nodes, of the graph or of what was made of it.
template <class Set>
void change(const char* what, Made& m, Set set) {
  std::printf("-- %s\n", what);
  cudaGraphNodeParams params = of_memset(m.values, 9, 16);
  say("memset of 16", set(m.fill, &params));
  int amount = 30;
  void* arguments[] = {&m.values, &amount};
  params = of_kernel(reinterpret_cast<void*>(add), arguments, 32);
  say("another argument", set(m.kernel, &params));
  params = of_kernel(reinterpret_cast<void*>(multiply), arguments, 32);
  say("another kernel", set(m.kernel, &params));
  params = of_kernel(reinterpret_cast<void*>(multiply), arguments, 16);
  say("fewer threads", set(m.kernel, &params));
  params = of_kernel(reinterpret_cast<void*>(add), arguments, 2000);
  say("too many threads", set(m.kernel, &params));
  params = of_kernel(nullptr, arguments, 32);
  say("no kernel", set(m.kernel, &params));
  params = of_kernel(reinterpret_cast<void*>(add), nullptr, 32);
  say("no arguments", set(m.kernel, &params));
  params = of_memcpy(m.result, m.values, 64, cudaMemcpyDeviceToHost);
  say("copy of 64", set(m.copy, &params));
  params = of_memcpy(m.more, m.values, 64, cudaMemcpyDeviceToDevice);
  say("copy on the device", set(m.copy, &params));
  params = of_host(count_down, &m.calls);
  say("another function", set(m.host, &params));
  params = of_host(nullptr, &m.calls);
  say("no function", set(m.host, &params));
  params = of_event(m.other, true);
  say("another event", set(m.record, &params));
  params = of_event(m.other, false);
  say("another event to wait for", set(m.wait, &params));
  params = of_graph(m.child);
  say("the same child", set(m.inner, &params));
  params = of_host(count_up, &m.calls);
  say("host for a kernel", set(m.kernel, &params));
  params = of_memset(m.values, 9, 16);
  say("memset for a copy", set(m.copy, &params));
  params = {};
  params.type = cudaGraphNodeTypeEmpty;
  say("empty for the empty", set(m.empty, &params));
  params = of_memset(m.values, 9, 16);
  params.reserved0[0] = 1;
  say("reserved 0", set(m.fill, &params));
  params.reserved0[0] = 0;
  params.reserved2 = 1;
  say("reserved 2", set(m.fill, &params));
  params = of_memset(nullptr, 9, 16);
  say("memset of nothing", set(m.fill, &params));
  params = of_memset(m.values, 9, 0);
  say("memset of no words", set(m.fill, &params));
  params = of_memset(m.values, 9, 16);
  params.memset.elementSize = 3;
  say("elements of 3", set(m.fill, &params));
  params = of_memset(m.values, 900, 16);
  params.memset.elementSize = 1;
  say("900 in a byte", set(m.fill, &params));
  params = of_memset(m.values, 8, 32);
  say("memset of 32", set(m.fill, &params));
  say("null", set(m.fill, static_cast<cudaGraphNodeParams*>(nullptr)));
  say("no node", set(static_cast<cudaGraphNode_t>(nullptr), &params));
}

void graphs() {
  Made m;
  make(m);
  cudaGraphExec_t executable, later;
  SAY(cudaGraphInstantiate(&executable, m.graph, 0));
  run("as made", m, executable);
  change("the graph", m, [&](cudaGraphNode_t node, cudaGraphNodeParams* params) {
    return cudaGraphNodeSetParams(node, params);
  });
  run("what was made before", m, executable);
  SAY(cudaGraphInstantiate(&later, m.graph, 0));
  run("what is made now", m, later);
  cudaGraphExecUpdateResultInfo info{};
  SAY(cudaGraphExecUpdate(executable, m.graph, &info));
  change("what was made", m, [&](cudaGraphNode_t node, cudaGraphNodeParams* params) {
    return cudaGraphExecNodeSetParams(executable, node, params);
  });
  run("changed", m, executable);
  cudaGraphNodeParams params = of_memset(m.values, 5, 32);
  SAY(cudaGraphExecNodeSetParams(nullptr, m.fill, &params));
  SAY(cudaGraphExecNodeSetParams(executable, m.sub, &params));
  Made other;
  make(other);
  SAY(cudaGraphExecNodeSetParams(executable, other.fill, &params));
}

void show_file(const char* path) {
  std::FILE* file = std::fopen(path, "r");
  if (!file) return void(std::printf("no file\n"));
  for (char line[4096]; std::fgets(line, sizeof line, file);) std::printf("| %s", line);
  std::fclose(file);
  std::remove(path);
}

void dots(bool shows) {
  Made m;
  make(m);
  const char* const path = "late_calls.dot";
  std::remove(path);
  SAY(cudaGraphDebugDotPrint(nullptr, path, 0));
  SAY(cudaGraphDebugDotPrint(m.graph, nullptr, 0));
  SAY(cudaGraphDebugDotPrint(m.graph, "/nowhere/at/all.dot", 0));
  SAY(cudaGraphDebugDotPrint(m.graph, "", 0));
  SAY(cudaGraphDebugDotPrint(m.graph, path, 1u << 30));
  SAY(cudaGraphDebugDotPrint(m.graph, path, 2));
  std::remove(path);
  cudaGraph_t nothing;
  CHECK(cudaGraphCreate(&nothing, 0));
  SAY(cudaGraphDebugDotPrint(nothing, path, 0));
  if (shows) show_file(path);
  for (const unsigned flags : {0u, unsigned(cudaGraphDebugDotFlagsVerbose),
                               unsigned(cudaGraphDebugDotFlagsKernelNodeParams),
                               unsigned(cudaGraphDebugDotFlagsMemcpyNodeParams),
                               unsigned(cudaGraphDebugDotFlagsMemsetNodeParams),
                               unsigned(cudaGraphDebugDotFlagsHostNodeParams),
                               unsigned(cudaGraphDebugDotFlagsEventNodeParams),
                               unsigned(cudaGraphDebugDotFlagsKernelNodeAttributes),
                               unsigned(cudaGraphDebugDotFlagsHandles)}) {
    std::printf("flags %u: ", flags);
    SAY(cudaGraphDebugDotPrint(m.graph, path, flags));
    if (shows) show_file(path);
    std::remove(path);
  }
}

int main(int argc, char**) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  CHECK(cudaStreamCreate(&stream));
  streams();
  libraries();
  dots(argc > 1);
  graphs();
}
