// SPDX-License-Identifier: MIT
// Captures of the default stream that each thread has for itself (nvcc --default-stream
// per-thread), and what that stream may be given while it, or another, is captured. An H200's
// answers: h200/per_thread_captures.txt.
#include "captures.cuh"

__global__ void add(int* to, int value) { *to += value; }
__device__ int variable;

struct Things {
  int *memory = nullptr, *host = nullptr;
  cudaStream_t own = nullptr, other = nullptr;
  cudaEvent_t event = nullptr, outside = nullptr;
  cudaGraphExec_t made = nullptr;
};

int launch(const Things& t, int value, cudaStream_t stream = nullptr) {
  add<<<1, 1, 0, stream>>>(t.memory, value);
  return cudaGetLastError();
}

int capture_own(const Things& t, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  launch(t, 10000, stream);
  const int end = cudaStreamEndCapture(stream, &graph);
  return 1000 * end + static_cast<int>(nodes_of(graph));
}

std::vector<Question> questions(const Things& t) {
  return {
      {"nothing", [] { return 0; }},
      {"launch", [=] { return launch(t, 10); }},
      {"launch per thread", [=] { return launch(t, 10, cudaStreamPerThread); }},
      {"launch legacy", [=] { return launch(t, 10, cudaStreamLegacy); }},
      {"launch other", [=] { return launch(t, 10, t.other); }},
      {"launch in a thread", [=] { return in_a_thread([=] { return launch(t, 100); }); }},
      {"capture in a thread", [=] { return in_a_thread([=] { return capture_own(t, nullptr); }); }},
      {"end in a thread",
       [=] {
         return in_a_thread([] {
           cudaGraph_t graph;
           return cudaStreamEndCapture(0, &graph);
         });
       }},
      {"state in a thread", [] { return in_a_thread([] { return state_of(nullptr); }); }},
      {"state", [] { return state_of(nullptr); }},
      {"state per thread", [] { return state_of(cudaStreamPerThread); }},
      {"state legacy", [] { return state_of(cudaStreamLegacy); }},
      {"begin", [] { return cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal); }},
      {"begin legacy",
       [] { return cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal); }},
      {"memsetAsync", [=] { return cudaMemsetAsync(t.memory, 0, 4); }},
      {"memset", [=] { return cudaMemset(t.memory, 0, 4); }},
      {"memset2D", [=] { return cudaMemset2D(t.memory, 4, 0, 4, 1); }},
      {"memcpyAsync", [=] { return cudaMemcpyAsync(t.memory, t.host, 4, cudaMemcpyDefault); }},
      {"memcpy", [=] { return cudaMemcpy(t.memory, t.host, 4, cudaMemcpyDefault); }},
      {"memcpy2D", [=] { return cudaMemcpy2D(t.memory, 4, t.host, 4, 4, 1, cudaMemcpyDefault); }},
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
      {"synchronize", [] { return cudaStreamSynchronize(nullptr); }},
      {"query", [] { return cudaStreamQuery(nullptr); }},
      {"launchHostFunc",
       [] {
         return cudaLaunchHostFunc(
             nullptr, [](void*) {}, nullptr);
       }},
      {"graphLaunch", [=] { return cudaGraphLaunch(t.made, nullptr); }},
      {"graphLaunch other", [=] { return cudaGraphLaunch(t.made, t.other); }},
      {"eventRecord, other waits",
       [=] {
         cudaEventRecord(t.event);
         return cudaStreamWaitEvent(t.other, t.event);
       }},
      {"eventRecord, a thread waits",
       [=] {
         cudaEventRecord(t.event);
         return in_a_thread([=] {
           const int answer = cudaStreamWaitEvent(nullptr, t.event);
           return 1000 * state_of(nullptr) + answer;
         });
       }},
      {"waits for outside", [=] { return cudaStreamWaitEvent(nullptr, t.outside); }},
  };
}

void ask(const Things& t, cudaStream_t stream, const char* who, const Question& question) {
  CHECK(cudaMemset(t.memory, 0, 4));
  const int begin = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  launch(t, 1, stream);
  const int answer = question.ask();
  cudaGraph_t graph = nullptr;
  const int end = cudaStreamEndCapture(stream, &graph);
  const int last = cudaGetLastError();
  forget_capture(nullptr);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(t.host + 1, t.memory, 4, cudaMemcpyDefault));
  std::printf("%s %-27s begin %d %d end %d last %d nodes %zu value %d\n", who, question.name, begin,
              answer, end, last, nodes_of(graph), t.host[1]);
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();
}

int main() {
  Things t;
  cudaGraph_t graph;
  CHECK(cudaMalloc(&t.memory, 64));
  CHECK(cudaMallocHost(&t.host, 64));
  t.host[0] = 7;
  CHECK(cudaStreamCreate(&t.own));
  CHECK(cudaStreamCreate(&t.other));
  CHECK(cudaEventCreate(&t.event));
  CHECK(cudaEventCreate(&t.outside));
  CHECK(cudaEventRecord(t.outside, t.other));
  CHECK(cudaStreamBeginCapture(t.other, cudaStreamCaptureModeThreadLocal));
  launch(t, 1000, t.other);
  CHECK(cudaStreamEndCapture(t.other, &graph));
  CHECK(cudaGraphInstantiate(&t.made, graph, 0));
  CHECK(cudaGraphLaunch(t.made, nullptr));
  CHECK(cudaMemcpyToSymbol(variable, t.host, 4));
  CHECK(cudaDeviceSynchronize());
  for (const Question& question : questions(t)) ask(t, nullptr, "default", question);
  for (const Question& question : questions(t)) ask(t, cudaStreamPerThread, "per thread", question);
  for (const Question& question : questions(t)) ask(t, t.own, "own", question);
  return 0;
}
