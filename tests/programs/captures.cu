// SPDX-License-Identifier: MIT
// Which calls a capture of another stream, or of their own, forbids, in each mode: what the call
// gives, what cudaStreamEndCapture gives, and cudaGetLastError. An H200's answers:
// h200/captures.txt.
#include <functional>

#include "program.cuh"

__global__ void write(int* to) {
  if (to) *to = 1;
}
__device__ int variable;

struct Question {
  const char* name;
  std::function<cudaError_t()> ask;
};

// What the questions are about.
struct Things {
  int *memory = nullptr, *host = nullptr;
  cudaStream_t own = nullptr, other = nullptr;
  cudaEvent_t event = nullptr, captured = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
};

std::vector<Question> of_memory(const Things& t) {
  static char registered[8192];
  return {
      {"malloc",
       [] {
         void* p;
         return cudaMalloc(&p, 64);
       }},
      {"free", [] { return cudaFree(nullptr); }},
      {"mallocHost",
       [] {
         void* p;
         return cudaMallocHost(&p, 64);
       }},
      {"hostAlloc",
       [] {
         void* p;
         return cudaHostAlloc(&p, 64, 0);
       }},
      {"mallocManaged",
       [] {
         void* p;
         return cudaMallocManaged(&p, 64);
       }},
      {"mallocAsync other",
       [=] {
         void* p;
         return cudaMallocAsync(&p, 64, t.other);
       }},
      {"mallocArray",
       [] {
         cudaArray_t array;
         const auto format = cudaCreateChannelDesc<float>();
         return cudaMallocArray(&array, &format, 64);
       }},
      {"hostRegister", [] { return cudaHostRegister(registered, sizeof registered, 0); }},
      {"memcpy h2d", [=] { return cudaMemcpy(t.memory, t.host, 64, cudaMemcpyHostToDevice); }},
      {"memset", [=] { return cudaMemset(t.memory, 0, 64); }},
      {"memcpyAsync other",
       [=] { return cudaMemcpyAsync(t.memory, t.host, 64, cudaMemcpyHostToDevice, t.other); }},
      {"memcpyToSymbol",
       [] {
         int value = 1;
         return cudaMemcpyToSymbol(variable, &value, 4);
       }},
      {"memGetInfo",
       [] {
         std::size_t a, b;
         return cudaMemGetInfo(&a, &b);
       }},
      {"poolTrim",
       [] {
         cudaMemPool_t pool;
         cudaDeviceGetDefaultMemPool(&pool, 0);
         return cudaMemPoolTrimTo(pool, 0);
       }},
      {"freeAsync other", [=] { return cudaFreeAsync(nullptr, t.other); }},
  };
}

std::vector<Question> of_order(const Things& t) {
  return {
      {"deviceSync", [] { return cudaDeviceSynchronize(); }},
      {"streamSync own", [=] { return cudaStreamSynchronize(t.own); }},
      {"streamSync other", [=] { return cudaStreamSynchronize(t.other); }},
      {"streamQuery own", [=] { return cudaStreamQuery(t.own); }},
      {"streamQuery other", [=] { return cudaStreamQuery(t.other); }},
      {"eventQuery", [=] { return cudaEventQuery(t.event); }},
      {"eventSync", [=] { return cudaEventSynchronize(t.event); }},
      {"captured eventQuery",
       [=] {
         cudaEventRecord(t.captured, t.own);
         return cudaEventQuery(t.captured);
       }},
      {"streamCreate",
       [] {
         cudaStream_t stream;
         return cudaStreamCreate(&stream);
       }},
      {"eventCreate",
       [] {
         cudaEvent_t event;
         return cudaEventCreate(&event);
       }},
      {"launch other",
       [=] {
         write<<<1, 1, 0, t.other>>>(nullptr);
         return cudaGetLastError();
       }},
      {"setLimit", [] { return cudaDeviceSetLimit(cudaLimitStackSize, 2048); }},
      {"addCallback",
       [=] {
         const auto nothing = [](cudaStream_t, cudaError_t, void*) {};
         return cudaStreamAddCallback(t.own, nothing, nullptr, 0);
       }},
  };
}

// What takes or gives back, and graphs made before.
std::vector<Question> of_things(const Things& t) {
  return {
      {"mallocPitch",
       [] {
         void* p;
         std::size_t pitch;
         return cudaMallocPitch(&p, &pitch, 64, 4);
       }},
      {"malloc3D",
       [] {
         cudaPitchedPtr p;
         return cudaMalloc3D(&p, make_cudaExtent(64, 4, 2));
       }},
      {"freeHost", [] { return cudaFreeHost(nullptr); }},
      {"freeArray", [] { return cudaFreeArray(nullptr); }},
      {"poolCreate",
       [] {
         cudaMemPoolProps properties = {};
         properties.allocType = cudaMemAllocationTypePinned;
         properties.location = {cudaMemLocationTypeDevice, 0};
         cudaMemPool_t pool;
         return cudaMemPoolCreate(&pool, &properties);
       }},
      {"streamDestroy",
       [] {
         cudaStream_t stream;
         cudaStreamCreate(&stream);
         return cudaStreamDestroy(stream);
       }},
      {"eventDestroy",
       [] {
         cudaEvent_t event;
         cudaEventCreate(&event);
         return cudaEventDestroy(event);
       }},
      {"instantiate",
       [=] {
         cudaGraphExec_t made;
         return cudaGraphInstantiate(&made, t.graph, 0);
       }},
      {"graphClone",
       [=] {
         cudaGraph_t clone;
         return cudaGraphClone(&clone, t.graph);
       }},
      {"graphUpload other", [=] { return cudaGraphUpload(t.made, t.other); }},
      {"graphLaunch other", [=] { return cudaGraphLaunch(t.made, t.other); }},
      {"execUpdate",
       [=] {
         cudaGraphExecUpdateResultInfo info;
         return cudaGraphExecUpdate(t.made, t.graph, &info);
       }},
      {"funcSetAttribute",
       [] {
         return cudaFuncSetAttribute(write, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
       }},
      {"symbolAddress",
       [] {
         void* p;
         return cudaGetSymbolAddress(&p, variable);
       }},
      {"deviceSetCacheConfig", [] { return cudaDeviceSetCacheConfig(cudaFuncCachePreferL1); }},
  };
}

void ask(const Things& t, int mode, const Question& question) {
  CHECK(cudaStreamBeginCapture(t.own, static_cast<cudaStreamCaptureMode>(mode)));
  write<<<1, 1, 0, t.own>>>(t.memory);
  const int answer = question.ask();
  cudaGraph_t graph = nullptr;
  const int end = cudaStreamEndCapture(t.own, &graph);
  const int last = cudaGetLastError();
  if (graph) cudaGraphDestroy(graph);
  const int after = cudaDeviceSynchronize();
  std::printf("mode %d %-20s %d end %d last %d after %d\n", mode, question.name, answer, end, last,
              after);
  cudaGetLastError();
}

int main() {
  Things t;
  CHECK(cudaMalloc(&t.memory, 4096));
  CHECK(cudaMallocHost(&t.host, 4096));
  CHECK(cudaStreamCreateWithFlags(&t.own, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t.other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&t.event));
  CHECK(cudaEventCreate(&t.captured));
  CHECK(cudaEventRecord(t.event, t.other));
  CHECK(cudaGraphCreate(&t.graph, 0));
  CHECK(cudaGraphInstantiate(&t.made, t.graph, 0));
  for (int mode = 0; mode < 3; ++mode)
    for (const auto& questions : {of_memory(t), of_order(t), of_things(t)})
      for (const Question& question : questions) ask(t, mode, question);
  return 0;
}
