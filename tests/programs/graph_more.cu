// SPDX-License-Identifier: MIT
// What else graphs are asked and told: objects of the program's that they keep alive, nodes that
// are switched off, attributes of kernels, copies of variables, child graphs, events, clones. A
// line a question; h200/graph_more.txt has a card's answers.
#include <unistd.h>

#include "program.cuh"

__constant__ int numbers[4];
__device__ int others[4];

__global__ void add(int* values, int value) {
  atomicAdd(values + threadIdx.x, value);  // two blocks at a time
}
__global__ void ranks(int* values) {
  unsigned blocks = 0;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  values[threadIdx.x] = blocks;
}

int line = 0, gone = 0;
int* device;

void answer(const char* what, cudaError_t error) {
  std::printf("%d %s %s\n", ++line, what, cudaGetErrorName(error));
  cudaGetLastError();
}

void destroy(void* object) { gone += *static_cast<int*>(object); }

/// A destructor may run a while after the last reference has gone.
void gone_now(const char* when) {
  cudaDeviceSynchronize();
  usleep(30000);
  std::printf("   gone, %s: %d\n", when, gone);
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, void* function, int value) {
  void* arguments[] = {&device, &value};
  cudaKernelNodeParams kernel{};
  kernel.func = function;
  kernel.gridDim = dim3(2);
  kernel.blockDim = dim3(4);
  kernel.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  return node;
}

void objects() {
  int one = 1, ten = 10, hundred = 100;
  cudaUserObject_t object = nullptr, second = nullptr, third = nullptr;
  const unsigned flag = cudaUserObjectNoDestructorSync;
  answer("create nothing", cudaUserObjectCreate(nullptr, &one, destroy, 1, flag));
  answer("create without destructor", cudaUserObjectCreate(&object, &one, nullptr, 1, flag));
  answer("create without flag", cudaUserObjectCreate(&object, &one, destroy, 1, 0));
  answer("create with flag 2", cudaUserObjectCreate(&object, &one, destroy, 1, 2));
  answer("create of no reference", cudaUserObjectCreate(&object, &one, destroy, 0, flag));
  answer("create of null", cudaUserObjectCreate(&object, nullptr, destroy, 1, flag));
  answer("create", cudaUserObjectCreate(&object, &one, destroy, 2, flag));
  answer("retain 0", cudaUserObjectRetain(object, 0));
  answer("retain", cudaUserObjectRetain(object, 1));
  answer("retain null", cudaUserObjectRetain(nullptr, 1));
  answer("release 0", cudaUserObjectRelease(object, 0));
  answer("release", cudaUserObjectRelease(object, 2));
  gone_now("one reference left");
  answer("release the last", cudaUserObjectRelease(object, 1));
  gone_now("none left");

  cudaGraph_t graph, clone, parent;
  cudaGraphExec_t executable;
  CHECK(cudaGraphCreate(&graph, 0));
  add_kernel(graph, reinterpret_cast<void*>(add), 1);
  CHECK(cudaUserObjectCreate(&second, &ten, destroy, 3, flag));
  answer("graph retains 0", cudaGraphRetainUserObject(graph, second, 0, 0));
  answer("graph retains with flag 2", cudaGraphRetainUserObject(graph, second, 1, 2));
  answer("graph retains null", cudaGraphRetainUserObject(graph, nullptr, 1, 0));
  answer("graph retains", cudaGraphRetainUserObject(graph, second, 2, 0));
  answer("graph takes over", cudaGraphRetainUserObject(graph, second, 1, cudaGraphUserObjectMove));
  answer("graph releases 0", cudaGraphReleaseUserObject(graph, second, 0));
  answer("graph releases", cudaGraphReleaseUserObject(graph, second, 1));
  answer("release the program's", cudaUserObjectRelease(second, 2));
  gone_now("the graph has two");
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  answer("graph releases two", cudaGraphReleaseUserObject(graph, second, 2));
  gone_now("a clone and an executable are left");
  CHECK(cudaGraphDestroy(clone));
  gone_now("an executable is left");
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(executable));
  gone_now("the executable is destroyed");

  CHECK(cudaUserObjectCreate(&third, &hundred, destroy, 1, flag));
  answer("take over", cudaGraphRetainUserObject(graph, third, 1, cudaGraphUserObjectMove));
  CHECK(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t child;
  CHECK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  CHECK(cudaGraphDestroy(graph));
  gone_now("a child graph is left");
  CHECK(cudaGraphInstantiate(&executable, parent, 0));
  CHECK(cudaGraphDestroy(parent));
  gone_now("an executable of the parent is left");
  CHECK(cudaGraphExecDestroy(executable));
  gone_now("all destroyed");
}

int after(cudaGraphExec_t executable, const char* what) {
  CHECK(cudaMemset(device, 0, 64));
  answer(what, cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  int values[4];
  CHECK(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost));
  std::printf("   %d\n", values[1]);
  return values[1];
}

void host_function(void*) {}

void switched() {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t kernel = add_kernel(graph, reinterpret_cast<void*>(add), 5);
  cudaGraphNode_t fill, copy, host, empty, added;
  const cudaMemsetParams two{device, 0, 2, 4, 4, 1};
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &two));
  CHECK(cudaGraphAddDependencies(graph, &fill, &kernel, nullptr, 1));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, device + 8, device, 16,
                                 cudaMemcpyDeviceToDevice));
  const cudaHostNodeParams nothing{host_function, nullptr};
  CHECK(cudaGraphAddHostNode(&host, graph, &kernel, 1, &nothing));
  CHECK(cudaGraphAddEmptyNode(&empty, graph, &kernel, 1));
  cudaGraphInstantiateParams params{};
  params.result_out = cudaGraphInstantiateError;
  answer("instantiate with params", cudaGraphInstantiateWithParams(&executable, graph, &params));
  std::printf("   result %d\n", params.result_out);
  unsigned long long flags = 77;
  answer("flags", cudaGraphExecGetFlags(executable, &flags));
  std::printf("   %llu\n", flags);
  answer("flags of nothing", cudaGraphExecGetFlags(nullptr, &flags));
  answer("flags to null", cudaGraphExecGetFlags(executable, nullptr));
  unsigned on = 77;
  answer("kernel on?", cudaGraphNodeGetEnabled(executable, kernel, &on));
  std::printf("   %u\n", on);
  answer("host on?", cudaGraphNodeGetEnabled(executable, host, &on));
  answer("empty on?", cudaGraphNodeGetEnabled(executable, empty, &on));
  answer("host off", cudaGraphNodeSetEnabled(executable, host, 0));
  answer("empty off", cudaGraphNodeSetEnabled(executable, empty, 0));
  answer("fill off", cudaGraphNodeSetEnabled(executable, fill, 0));
  answer("copy off", cudaGraphNodeSetEnabled(executable, copy, 0));
  after(executable, "launch without fill");
  answer("kernel off", cudaGraphNodeSetEnabled(executable, kernel, 0));
  answer("kernel on?", cudaGraphNodeGetEnabled(executable, kernel, &on));
  std::printf("   %u\n", on);
  answer("fill 7", cudaGraphNodeSetEnabled(executable, fill, 7));
  answer("fill on?", cudaGraphNodeGetEnabled(executable, fill, &on));
  std::printf("   %u\n", on);
  after(executable, "launch without kernel");
  int three = 3;
  void* arguments[] = {&device, &three};
  cudaKernelNodeParams other{};
  CHECK(cudaGraphKernelNodeGetParams(kernel, &other));
  other.kernelParams = arguments;
  answer("params of what is off", cudaGraphExecKernelNodeSetParams(executable, kernel, &other));
  after(executable, "launch");
  cudaGraphExecUpdateResultInfo info;
  answer("update", cudaGraphExecUpdate(executable, graph, &info));
  after(executable, "launch");
  answer("kernel on", cudaGraphNodeSetEnabled(executable, kernel, 1));
  after(executable, "launch");
  CHECK(cudaGraphAddEmptyNode(&added, graph, nullptr, 0));
  answer("of another", cudaGraphNodeGetEnabled(executable, added, &on));
  answer("of none", cudaGraphNodeGetEnabled(executable, nullptr, &on));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

void attributes() {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = add_kernel(graph, reinterpret_cast<void*>(ranks), 0);
  const cudaGraphNode_t second = add_kernel(graph, reinterpret_cast<void*>(add), 0);
  cudaLaunchAttributeValue value{};
  value.priority = 77;
  answer("priority", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value));
  std::printf("   %d\n", value.priority);
  value.cooperative = 77;
  answer("coop", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
  std::printf("   %d\n", value.cooperative);
  const auto cluster = cudaLaunchAttributeClusterDimension;
  answer("cluster", cudaGraphKernelNodeGetAttribute(node, cluster, &value));
  std::printf("   %u %u %u\n", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
  value.clusterDim = {2, 1, 1};
  answer("set cluster", cudaGraphKernelNodeSetAttribute(node, cluster, &value));
  value.clusterDim = {};
  answer("cluster", cudaGraphKernelNodeGetAttribute(node, cluster, &value));
  std::printf("   %u %u %u\n", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
  value.priority = -3;
  answer("set priority",
         cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
  answer("priority", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value));
  std::printf("   %d\n", value.priority);
  answer("copy attributes", cudaGraphKernelNodeCopyAttributes(second, node));
  answer("cluster", cudaGraphKernelNodeGetAttribute(second, cluster, &value));
  answer("priority", cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &value));
  std::printf("   %d\n", value.priority);
  answer("of null", cudaGraphKernelNodeGetAttribute(nullptr, cluster, &value));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  after(executable, "launch in clusters");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

void symbols() {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t to, from, wrong;
  CHECK(cudaGraphCreate(&graph, 0));
  int given[4] = {1, 2, 3, 4}, given_later[4] = {5, 6, 7, 8}, got[4] = {};
  const auto in = cudaMemcpyHostToDevice;
  const auto out = cudaMemcpyDeviceToHost;
  answer("to", cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, numbers, given, 16, 0, in));
  answer("from", cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, got, numbers, 8, 4, out));
  answer("too far",
         cudaGraphAddMemcpyNodeToSymbol(&wrong, graph, nullptr, 0, numbers, given, 16, 4, in));
  answer("wrong way",
         cudaGraphAddMemcpyNodeToSymbol(&wrong, graph, nullptr, 0, numbers, given, 16, 0, out));
  answer("no symbol",
         cudaGraphAddMemcpyNodeToSymbol(&wrong, graph, nullptr, 0, given, given, 16, 0, in));
  cudaMemcpy3DParms params{};
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, numbers));
  answer("params", cudaGraphMemcpyNodeGetParams(from, &params));
  std::printf("   %d %zu\n", params.srcPtr.ptr == static_cast<char*>(address) + 4,
              params.extent.width);
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::printf("   %d %d %d\n", got[0], got[1], got[2]);
  answer("exec to",
         cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, to, numbers, given_later, 16, 0, in));
  answer("exec from",
         cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, from, got, numbers, 12, 4, out));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::printf("   %d %d %d\n", got[0], got[1], got[2]);
  answer("node to", cudaGraphMemcpyNodeSetParamsToSymbol(to, others, given_later, 16, 0, in));
  answer("node from", cudaGraphMemcpyNodeSetParamsFromSymbol(from, got, others, 16, 0, out));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::printf("   %d %d\n", got[0], got[3]);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

void children() {
  cudaGraph_t inner, other, parent, got = nullptr, again = nullptr;
  cudaGraphExec_t executable;
  CHECK(cudaGraphCreate(&inner, 0));
  CHECK(cudaGraphCreate(&other, 0));
  CHECK(cudaGraphCreate(&parent, 0));
  add_kernel(inner, reinterpret_cast<void*>(add), 1);
  add_kernel(other, reinterpret_cast<void*>(add), 40);
  cudaGraphNode_t child, empty;
  CHECK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, inner));
  CHECK(cudaGraphAddEmptyNode(&empty, parent, nullptr, 0));
  answer("graph of a child", cudaGraphChildGraphNodeGetGraph(child, &got));
  answer("again", cudaGraphChildGraphNodeGetGraph(child, &again));
  std::printf("   the same %d, the one given %d\n", got == again, got == inner);
  answer("graph of an empty", cudaGraphChildGraphNodeGetGraph(empty, &again));
  std::size_t count = 0;
  answer("nodes", cudaGraphGetNodes(got, nullptr, &count));
  std::printf("   %zu\n", count);
  answer("instantiate", cudaGraphInstantiate(&executable, parent, 0));
  after(executable, "launch");
  add_kernel(got, reinterpret_cast<void*>(add), 10);
  after(executable, "launch what was made before");
  answer("child set", cudaGraphExecChildGraphNodeSetParams(executable, child, other));
  after(executable, "launch");
  answer("child set to another shape",
         cudaGraphExecChildGraphNodeSetParams(executable, child, parent));
  CHECK(cudaGraphExecDestroy(executable));
  answer("instantiate", cudaGraphInstantiate(&executable, parent, 0));
  after(executable, "launch");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(inner));
  CHECK(cudaGraphDestroy(other));
  CHECK(cudaGraphDestroy(parent));
}

void events() {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t record, wait;
  cudaEvent_t first, second, got = nullptr;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&second));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, first));
  answer("event of record", cudaGraphEventRecordNodeGetEvent(record, &got));
  std::printf("   %d\n", got == first);
  answer("event of wait", cudaGraphEventWaitNodeGetEvent(wait, &got));
  answer("record of wait", cudaGraphEventRecordNodeGetEvent(wait, &got));
  answer("set record", cudaGraphEventRecordNodeSetEvent(record, second));
  answer("set wait", cudaGraphEventWaitNodeSetEvent(wait, second));
  answer("event of record", cudaGraphEventRecordNodeGetEvent(record, &got));
  std::printf("   %d\n", got == second);
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  answer("exec record", cudaGraphExecEventRecordNodeSetEvent(executable, record, first));
  answer("exec wait", cudaGraphExecEventWaitNodeSetEvent(executable, wait, first));
  answer("exec wait of record", cudaGraphExecEventWaitNodeSetEvent(executable, record, first));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  float time = 0;
  answer("time of what was recorded", cudaEventElapsedTime(&time, first, first));
  answer("time of what was not", cudaEventElapsedTime(&time, second, second));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

void clones() {
  cudaGraph_t graph, clone;
  cudaGraphExec_t executable;
  cudaGraphNode_t found = nullptr, back = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = add_kernel(graph, reinterpret_cast<void*>(add), 1);
  CHECK(cudaGraphClone(&clone, graph));
  answer("find in clone", cudaGraphNodeFindInClone(&found, node, clone));
  std::printf("   the same %d\n", found == node);
  answer("find the clone's own", cudaGraphNodeFindInClone(&back, found, clone));
  answer("find in the first", cudaGraphNodeFindInClone(&back, found, graph));
  answer("find in what is no clone", cudaGraphNodeFindInClone(&back, node, graph));
  int nine = 9;
  void* arguments[] = {&device, &nine};
  cudaKernelNodeParams params{};
  CHECK(cudaGraphKernelNodeGetParams(found, &params));
  params.kernelParams = arguments;
  answer("params of the clone's", cudaGraphKernelNodeSetParams(found, &params));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  after(executable, "launch the first");
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphInstantiate(&executable, clone, 0));
  after(executable, "launch the clone");
  answer("exec of the clone, node of the first",
         cudaGraphExecKernelNodeSetParams(executable, node, &params));
  answer("exec of the clone, its node",
         cudaGraphExecKernelNodeSetParams(executable, found, &params));
  answer("destroy the clone's", cudaGraphDestroyNode(found));
  answer("find in clone", cudaGraphNodeFindInClone(&back, node, clone));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
}

cudaGraphNode_t node_of(cudaGraph_t graph, cudaGraphNodeType wanted) {
  cudaGraphNode_t nodes[8];
  std::size_t count = 8;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  for (std::size_t k = 0; k < count; ++k) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(nodes[k], &type));
    if (type == wanted) return nodes[k];
  }
  return nullptr;
}

void captured() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  int got[4] = {};
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(device, 0, 32, stream));
  add<<<1, 4, 0, stream>>>(device, 6);
  CHECK(cudaMemcpyAsync(got, device, 16, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaLaunchHostFunc(stream, host_function, got));
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaKernelNodeParams kernel{};
  const cudaGraphNode_t node = node_of(graph, cudaGraphNodeTypeKernel);
  answer("params of a captured kernel", cudaGraphKernelNodeGetParams(node, &kernel));
  std::printf("   %d %u %d\n", kernel.func == reinterpret_cast<void*>(add), kernel.blockDim.x,
              kernel.kernelParams ? *static_cast<int*>(kernel.kernelParams[1]) : -1);
  cudaMemsetParams fill{};
  answer("params of a captured fill",
         cudaGraphMemsetNodeGetParams(node_of(graph, cudaGraphNodeTypeMemset), &fill));
  std::printf("   %d %zu %zu %u %u\n", fill.dst == device, fill.width, fill.height,
              fill.elementSize, fill.value);
  cudaMemcpy3DParms copy{};
  answer("params of a captured copy",
         cudaGraphMemcpyNodeGetParams(node_of(graph, cudaGraphNodeTypeMemcpy), &copy));
  std::printf("   %d %d %zu %zu %zu kind %d\n", copy.srcPtr.ptr == device, copy.dstPtr.ptr == got,
              copy.extent.width, copy.extent.height, copy.extent.depth, copy.kind);
  cudaHostNodeParams host{};
  answer("params of a captured function",
         cudaGraphHostNodeGetParams(node_of(graph, cudaGraphNodeTypeHost), &host));
  std::printf("   %d %d\n", host.fn == host_function, host.userData == got);
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  int seven = 7;
  void* arguments[] = {&device, &seven};
  if (kernel.kernelParams) kernel.kernelParams = arguments;
  answer("other params", cudaGraphExecKernelNodeSetParams(executable, node, &kernel));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("   %d\n", got[3]);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  CHECK(cudaMalloc(&device, 64));
  CHECK(cudaMemset(device, 0, 64));
  objects();
  switched();
  attributes();
  symbols();
  children();
  events();
  clones();
  captured();
}
