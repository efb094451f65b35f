// SPDX-License-Identifier: MIT
// What may be done with the default stream while a stream is captured that it waits for, in each
// mode: what the call gives, whether the capture is invalid then, what cudaStreamEndCapture gives,
// and how many nodes there are. An H200's answers: h200/capture_default.txt.
#include "captures.cuh"

__global__ void add(int* to, int value) {
  if (to) *to += value;
}

int launch(cudaStream_t stream, int* to = nullptr) {
  add<<<1, 1, 0, stream>>>(to, 1);
  return cudaGetLastError();
}
__device__ int variable;

// What the questions are about. The default stream waits for `own` and `other`, not for `free`.
struct Things {
  int *memory = nullptr, *host = nullptr, *more = nullptr, *managed = nullptr;
  cudaArray_t array = nullptr;
  cudaStream_t own = nullptr, other = nullptr, free = nullptr;
  cudaEvent_t event = nullptr, never = nullptr, outside = nullptr;
  cudaGraphExec_t made = nullptr;
};

std::vector<Question> of_default(const Things& t) {
  return {
      {"launch", [] { return launch(nullptr); }},
      {"launch legacy", [] { return launch(cudaStreamLegacy); }},
      {"launch in a thread", [] { return in_a_thread([] { return launch(nullptr); }); }},
      {"launch relaxed",
       [] {
         cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
         cudaThreadExchangeStreamCaptureMode(&mode);
         const int answer = launch(nullptr);
         cudaThreadExchangeStreamCaptureMode(&mode);
         return answer;
       }},
      {"launch per thread", [] { return launch(cudaStreamPerThread); }},
      {"launch other", [=] { return launch(t.other); }},
      {"launch nothing",
       [] {
         add<<<0, 1>>>(nullptr, 0);
         return cudaGetLastError();
       }},
      {"memcpy", [=] { return cudaMemcpy(t.memory, t.host, 64, cudaMemcpyDefault); }},
      {"memcpy none", [=] { return cudaMemcpy(t.memory, t.host, 0, cudaMemcpyDefault); }},
      {"memcpy wrong", [=] { return cudaMemcpy(nullptr, t.host, 64, cudaMemcpyDefault); }},
      {"memcpy on host", [=] { return cudaMemcpy(t.host + 32, t.host, 64, cudaMemcpyHostToHost); }},
      {"memcpy2D", [=] { return cudaMemcpy2D(t.memory, 8, t.host, 8, 8, 4, cudaMemcpyDefault); }},
      {"memcpyAsync", [=] { return cudaMemcpyAsync(t.memory, t.host, 64, cudaMemcpyDefault); }},
      {"memcpyAsync other",
       [=] { return cudaMemcpyAsync(t.memory, t.host, 64, cudaMemcpyDefault, t.other); }},
      {"memset", [=] { return cudaMemset(t.memory, 0, 64); }},
      {"memset none", [=] { return cudaMemset(t.memory, 0, 0); }},
      {"memset2D", [=] { return cudaMemset2D(t.memory, 8, 0, 8, 4); }},
      {"memsetAsync", [=] { return cudaMemsetAsync(t.memory, 0, 64); }},
      {"memcpy3D",
       [=] {
         cudaMemcpy3DParms copy = {};
         copy.srcPtr = make_cudaPitchedPtr(t.host, 64, 64, 1);
         copy.dstPtr = make_cudaPitchedPtr(t.memory, 64, 64, 1);
         copy.extent = make_cudaExtent(64, 1, 1);
         copy.kind = cudaMemcpyDefault;
         return cudaMemcpy3D(&copy);
       }},
      {"memcpy to array",
       [=] { return cudaMemcpy2DToArray(t.array, 0, 0, t.host, 64, 64, 1, cudaMemcpyDefault); }},
      {"memcpyToSymbol none",
       [] {
         int v = 1;
         return cudaMemcpyToSymbol(variable, &v, 0);
       }},
      {"memcpyFromSymbol",
       [] {
         int v;
         return cudaMemcpyFromSymbol(&v, variable, 4);
       }},
      {"memcpyToSymbol",
       [] {
         int v = 1;
         return cudaMemcpyToSymbol(variable, &v, 4);
       }},
      {"mallocAsync",
       [] {
         void* p;
         return cudaMallocAsync(&p, 64, nullptr);
       }},
      {"freeAsync", [=] { return cudaFreeAsync(t.more, nullptr); }},
      {"prefetch",
       [=] {
         return cudaMemPrefetchAsync(t.memory, 64, {cudaMemLocationTypeDevice, 0}, 0);
       }},
      {"eventRecord", [=] { return cudaEventRecord(t.event); }},
      {"eventRecord external", [=] { return cudaEventRecordWithFlags(t.event, 0, 1); }},
      {"waitEvent", [=] { return cudaStreamWaitEvent(nullptr, t.outside); }},
      {"waitEvent never", [=] { return cudaStreamWaitEvent(nullptr, t.never); }},
      {"synchronize", [] { return cudaStreamSynchronize(nullptr); }},
      {"query", [] { return cudaStreamQuery(nullptr); }},
      {"isCapturing", [] { return state_of(nullptr); }},
      {"captureInfo",
       [] {
         cudaStreamCaptureStatus state;
         return cudaStreamGetCaptureInfo(nullptr, &state);
       }},
      {"flags",
       [] {
         unsigned flags;
         return cudaStreamGetFlags(nullptr, &flags);
       }},
      {"priority",
       [] {
         int priority;
         return cudaStreamGetPriority(nullptr, &priority);
       }},
      {"id",
       [] {
         unsigned long long id;
         return cudaStreamGetId(nullptr, &id);
       }},
      {"device",
       [] {
         int device;
         return cudaStreamGetDevice(nullptr, &device);
       }},
      {"attribute",
       [] {
         cudaStreamAttrValue value;
         return cudaStreamGetAttribute(nullptr, cudaStreamAttributePriority, &value);
       }},
      {"attach", [=] { return cudaStreamAttachMemAsync(nullptr, t.managed); }},
      {"launchHostFunc",
       [] {
         return cudaLaunchHostFunc(
             nullptr, [](void*) {}, nullptr);
       }},
      {"addCallback",
       [] {
         const auto nothing = [](cudaStream_t, cudaError_t, void*) {};
         return cudaStreamAddCallback(nullptr, nothing, nullptr, 0);
       }},
      {"graphLaunch", [=] { return cudaGraphLaunch(t.made, nullptr); }},
      {"graphLaunch other", [=] { return cudaGraphLaunch(t.made, t.other); }},
      {"graphLaunch own", [=] { return cudaGraphLaunch(t.made, t.own); }},
      {"graphLaunch per thread", [=] { return cudaGraphLaunch(t.made, cudaStreamPerThread); }},
      {"graphUpload", [=] { return cudaGraphUpload(t.made, nullptr); }},
      {"begin default",
       [] { return cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal); }},
      {"begin own", [=] { return cudaStreamBeginCapture(t.own, cudaStreamCaptureModeGlobal); }},
      {"end default",
       [] {
         cudaGraph_t graph;
         return cudaStreamEndCapture(nullptr, &graph);
       }},
      {"malloc",
       [] {
         void* p;
         return cudaMalloc(&p, 64);
       }},
      {"free", [] { return cudaFree(nullptr); }},
  };
}

void ask(const Things& t, cudaStream_t own, const char* who, int mode, const Question& question) {
  CHECK(cudaStreamBeginCapture(own, static_cast<cudaStreamCaptureMode>(mode)));
  launch(own, t.memory);
  const int answer = question.ask();
  const int state = state_of(own);
  cudaGraph_t graph = nullptr;
  const int end = cudaStreamEndCapture(own, &graph);
  const int last = cudaGetLastError();
  forget_capture(t.own);
  std::printf("%s mode %d %-22s %d state %d end %d last %d nodes %zu after %d\n", who, mode,
              question.name, answer, state, end, last, nodes_of(graph), cudaDeviceSynchronize());
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();
}

// A capture of a stream that the default one does not wait for, which one that it waits for joins.
void ask_joined(const Things& t) {
  for (const bool returns : {false, true}) {
    CHECK(cudaStreamBeginCapture(t.free, cudaStreamCaptureModeGlobal));
    launch(t.free, t.memory);
    const int before = launch(nullptr);
    cudaEventRecord(t.event, t.free);
    cudaStreamWaitEvent(t.own, t.event);
    launch(t.own, t.memory);
    if (returns) cudaEventRecord(t.event, t.own), cudaStreamWaitEvent(t.free, t.event);
    const int answer = launch(nullptr);
    cudaGraph_t graph = nullptr;
    const int end = cudaStreamEndCapture(t.free, &graph);
    std::printf("joined %d: %d %d end %d nodes %zu\n", returns, before, answer, end,
                nodes_of(graph));
    cudaGetLastError();
  }
}

int main() {
  Things t;
  CHECK(cudaMalloc(&t.memory, 4096));
  CHECK(cudaMallocHost(&t.host, 4096));
  CHECK(cudaMallocManaged(&t.managed, 4096));
  CHECK(cudaMallocAsync(&t.more, 4096, nullptr));
  const auto format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&t.array, &format, 64));
  CHECK(cudaStreamCreate(&t.own));
  CHECK(cudaStreamCreate(&t.other));
  CHECK(cudaStreamCreateWithFlags(&t.free, cudaStreamNonBlocking));
  for (cudaEvent_t* event : {&t.event, &t.never, &t.outside}) CHECK(cudaEventCreate(event));
  CHECK(cudaEventRecord(t.outside, t.other));
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(t.free, cudaStreamCaptureModeGlobal));
  launch(t.free, t.memory);
  CHECK(cudaStreamEndCapture(t.free, &graph));
  CHECK(cudaGraphInstantiate(&t.made, graph, 0));
  CHECK(cudaGraphLaunch(t.made, nullptr));
  CHECK(cudaMemcpyToSymbol(variable, t.host, 4));
  CHECK(cudaDeviceSynchronize());
  for (int mode = 0; mode < 3; ++mode)
    for (const Question& question : of_default(t)) ask(t, t.own, "own", mode, question);
  for (const Question& question : of_default(t))
    ask(t, cudaStreamPerThread, "per thread", 0, question);
  ask_joined(t);
  return 0;
}
