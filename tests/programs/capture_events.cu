// SPDX-License-Identifier: MIT
// What a capture has to do with events: of elsewhere, of another capture, of one that has ended,
// those that the graph itself records and waits for; and with other threads. What the call gives,
// whether the captures of this stream and the other are invalid then, what cudaStreamEndCapture
// gives, and how many nodes there are. An H200's answers: h200/capture_events.txt.
#include "captures.cuh"

__global__ void add(int* to, int value) {
  if (to) *to += value;
}

int launch(cudaStream_t stream, int* to = nullptr) {
  add<<<1, 1, 0, stream>>>(to, 1);
  return cudaGetLastError();
}

struct Things {
  int *memory = nullptr, *host = nullptr;
  cudaStream_t own = nullptr, other = nullptr, free = nullptr;
  cudaEvent_t event = nullptr, never = nullptr, outside = nullptr, finished = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
};

std::vector<Question> of_events(const Things& t) {
  return {
      {"waits for outside", [=] { return cudaStreamWaitEvent(t.own, t.outside); }},
      {"waits for never", [=] { return cudaStreamWaitEvent(t.own, t.never); }},
      {"waits for finished", [=] { return cudaStreamWaitEvent(t.own, t.finished); }},
      {"other waits",
       [=] {
         cudaEventRecord(t.event, t.own);
         return cudaStreamWaitEvent(t.other, t.event);
       }},
      {"other waits in thread",
       [=] {
         cudaEventRecord(t.event, t.own);
         return in_a_thread([=] { return cudaStreamWaitEvent(t.other, t.event); });
       }},
      {"default waits",
       [=] {
         cudaEventRecord(t.event, t.own);
         return cudaStreamWaitEvent(0, t.event);
       }},
      {"waits external", [=] { return cudaStreamWaitEvent(t.own, t.outside, 1); }},
      {"waits external never", [=] { return cudaStreamWaitEvent(t.own, t.never, 1); }},
      {"waits external finished", [=] { return cudaStreamWaitEvent(t.own, t.finished, 1); }},
      {"waits external captured",
       [=] {
         cudaEventRecord(t.event, t.own);
         return cudaStreamWaitEvent(t.own, t.event, 1);
       }},
      {"other external captured",
       [=] {
         cudaEventRecord(t.event, t.own);
         return cudaStreamWaitEvent(t.other, t.event, 1);
       }},
      {"other external", [=] { return cudaStreamWaitEvent(t.other, t.outside, 1); }},
      {"waits flag 2", [=] { return cudaStreamWaitEvent(t.own, t.outside, 2); }},
      {"records external", [=] { return cudaEventRecordWithFlags(t.event, t.own, 1); }},
      {"records external other", [=] { return cudaEventRecordWithFlags(t.event, t.other, 1); }},
      {"records flag 2", [=] { return cudaEventRecordWithFlags(t.event, t.own, 2); }},
      {"external, own waits",
       [=] {
         cudaEventRecord(t.event, t.other);
         cudaEventRecordWithFlags(t.event, t.own, 1);
         return cudaStreamWaitEvent(t.own, t.event);
       }},
      {"external, other waits",
       [=] {
         cudaEventRecord(t.event, t.other);
         cudaEventRecordWithFlags(t.event, t.own, 1);
         return cudaStreamWaitEvent(t.other, t.event);
       }},
      {"external, query",
       [=] {
         cudaEventRecordWithFlags(t.event, t.own, 1);
         return cudaEventQuery(t.event);
       }},
      {"captured, then external",
       [=] {
         cudaEventRecord(t.event, t.own);
         cudaEventRecordWithFlags(t.event, t.own, 1);
         return cudaStreamWaitEvent(t.other, t.event);
       }},
      {"merges",
       [=] {
         cudaStreamBeginCapture(t.other, cudaStreamCaptureModeRelaxed);
         launch(t.other);
         cudaEventRecord(t.event, t.other);
         const int answer = cudaStreamWaitEvent(t.own, t.event);
         cudaGraph_t graph = nullptr;
         const int end = cudaStreamEndCapture(t.other, &graph);
         return 10000 * static_cast<int>(nodes_of(graph)) + 1000 * (end % 100) + answer;
       }},
      {"ends in a thread",
       [=] {
         return in_a_thread([=] {
           cudaGraph_t graph;
           return cudaStreamEndCapture(t.own, &graph);
         });
       }},
      {"recorded again",
       [=] {
         cudaEventRecord(t.event, t.own);
         cudaEventRecord(t.event, t.other);
         return cudaStreamWaitEvent(t.own, t.event);
       }},
      {"graphLaunch", [=] { return cudaGraphLaunch(t.made, t.own); }},
      {"captured destroyed",
       [=] {
         cudaEvent_t event;
         cudaEventCreate(&event);
         cudaEventRecord(event, t.own);
         return cudaEventDestroy(event);
       }},
  };
}

void ask(const Things& t, int mode, const Question& question) {
  CHECK(cudaStreamBeginCapture(t.own, static_cast<cudaStreamCaptureMode>(mode)));
  launch(t.own, t.memory);
  const int answer = question.ask();
  const int state = state_of(t.own), other = state_of(t.other);
  cudaGraph_t graph = nullptr;
  const int end = cudaStreamEndCapture(t.own, &graph);
  const int last = cudaGetLastError();
  forget_capture(t.other);
  std::printf("mode %d %-23s %d state %d %d end %d last %d nodes %zu after %d\n", mode,
              question.name, answer, state, other, end, last, nodes_of(graph),
              cudaDeviceSynchronize());
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();
}

// An event of a capture that has ended is nothing to wait for.
void ask_finished(const Things& t) {
  cudaMemset(t.memory, 0, 4);
  const int query = cudaEventQuery(t.finished), waited = cudaEventSynchronize(t.finished);
  cudaGetLastError();
  const int answer = cudaStreamWaitEvent(t.free, t.finished), last = cudaGetLastError();
  const int launched = launch(t.free, t.memory), done = cudaStreamSynchronize(t.free);
  const int state = state_of(t.free);
  cudaMemcpy(t.host, t.memory, 4, cudaMemcpyDefault);
  std::printf(
      "finished: query %d synchronize %d wait %d last %d launch %d done %d state %d value %d nodes "
      "%zu\n",
      query, waited, answer, last, launched, done, state, t.host[0], nodes_of(t.graph));
  float time = 0;
  std::printf("elapsed %d,", cudaEventElapsedTime(&time, t.finished, t.outside));
  std::printf(" %d\n", cudaEventElapsedTime(&time, t.outside, t.finished));
  cudaGetLastError();
}

// Events that a graph records, and that it waits for.
void ask_external(const Things& t) {
  cudaEvent_t first, second;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&second));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  CHECK(cudaStreamBeginCapture(t.free, cudaStreamCaptureModeGlobal));
  int answers[4] = {cudaEventRecordWithFlags(first, t.free, cudaEventRecordExternal),
                    launch(t.free, t.memory),
                    cudaStreamWaitEvent(t.free, first, cudaEventWaitExternal),
                    cudaEventRecordWithFlags(second, t.free, cudaEventRecordExternal)};
  const int end = cudaStreamEndCapture(t.free, &graph);
  std::printf("external: %d %d %d %d end %d:", answers[0], answers[1], answers[2], answers[3], end);
  std::size_t count = nodes_of(graph);
  std::vector<cudaGraphNode_t> nodes(count);
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    cudaEvent_t event = nullptr;
    if (type == cudaGraphNodeTypeEventRecord) cudaGraphEventRecordNodeGetEvent(node, &event);
    if (type == cudaGraphNodeTypeWaitEvent) cudaGraphEventWaitNodeGetEvent(node, &event);
    std::printf(" %d of %d", type, event == first ? 1 : event == second ? 2 : 0);
  }
  float time = -1;
  const int before = cudaEventElapsedTime(&time, first, second);
  cudaGetLastError();
  CHECK(cudaGraphInstantiate(&made, graph, 0));
  CHECK(cudaGraphLaunch(made, t.free));
  CHECK(cudaStreamSynchronize(t.free));
  const int after = cudaEventElapsedTime(&time, first, second);
  std::printf("\nelapsed before %d after %d, %s\n", before, after,
              time >= 0 ? "some time" : "none");
}

int main() {
  Things t;
  CHECK(cudaMalloc(&t.memory, 4096));
  CHECK(cudaMallocHost(&t.host, 4096));
  CHECK(cudaStreamCreate(&t.own));
  CHECK(cudaStreamCreate(&t.other));
  CHECK(cudaStreamCreateWithFlags(&t.free, cudaStreamNonBlocking));
  for (cudaEvent_t* event : {&t.event, &t.never, &t.outside, &t.finished})
    CHECK(cudaEventCreate(event));
  CHECK(cudaEventRecord(t.outside, t.other));
  CHECK(cudaStreamBeginCapture(t.free, cudaStreamCaptureModeGlobal));
  launch(t.free, t.memory);
  CHECK(cudaEventRecord(t.finished, t.free));
  CHECK(cudaStreamEndCapture(t.free, &t.graph));
  CHECK(cudaGraphInstantiate(&t.made, t.graph, 0));
  CHECK(cudaGraphLaunch(t.made, nullptr));
  CHECK(cudaDeviceSynchronize());
  for (int mode = 0; mode < 3; ++mode)
    for (const Question& question : of_events(t)) ask(t, mode, question);
  ask_finished(t);
  ask_external(t);
  return 0;
}
