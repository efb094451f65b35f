// SPDX-License-Identifier: MIT
// Captures from the inside: which events carry them, who ends them, what else is done meanwhile.
// Whole programs, compared with what an H200 answers, are in tests/programs (captures.cu,
// capture_default.cu, capture_events.cu, per_thread_captures.cu).
#include <doctest/doctest.h>

#include <cctype>
#include <string>
#include <thread>

#include "cudart/api/api.hpp"
#include "cudart/default_stream.hpp"
#include "cudart/driver/driver.hpp"
#include "tests/cudart/program.hpp"

// What programs of --default-stream per-thread call.
namespace lanescope::cudart {
LANESCOPE_API decltype(cudaStreamBeginCapture) cudaStreamBeginCapture_ptsz;
LANESCOPE_API decltype(cudaStreamEndCapture) cudaStreamEndCapture_ptsz;
LANESCOPE_API decltype(cudaStreamIsCapturing) cudaStreamIsCapturing_ptsz;
LANESCOPE_API decltype(cudaStreamGetId) cudaStreamGetId_ptsz;
LANESCOPE_API decltype(cudaMemsetAsync) cudaMemsetAsync_ptsz;
LANESCOPE_API decltype(cudaMemcpy) cudaMemcpy_ptds;
LANESCOPE_API decltype(cudaMemset2D) cudaMemset2D_ptds;
LANESCOPE_API decltype(cuMemsetD32Async) cuMemsetD32Async_ptsz;
LANESCOPE_API decltype(cuMemcpyDtoH_v2) cuMemcpyDtoH_v2_ptds;
}  // namespace lanescope::cudart

using namespace lanescope::cudart;
using lanescope::tests::Fresh;
using lanescope::tests::Program;

namespace {

std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  return count;
}

int state_of(cudaStream_t stream) {
  int state = -1;
  CHECK(cudaStreamIsCapturing(stream, &state) == cudaSuccess);
  return state;
}

/// Two streams that the default one does not wait for, an event, memory, a kernel that writes 5.
struct Things {
  Things() {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 16) == cudaSuccess);
    REQUIRE(cudaMemset(memory, 0, 16) == cudaSuccess);
    for (cudaStream_t* stream : {&own, &other}) {
      constexpr unsigned kNonBlocking = 1;
      REQUIRE(cudaStreamCreateWithFlags(stream, kNonBlocking) == cudaSuccess);
    }
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  }
  ~Things() {
    for (cudaStream_t stream : {own, other}) cudaStreamDestroy(stream);
    cudaEventDestroy(event);
    cudaFree(memory);
  }
  Things(const Things&) = delete;
  Things& operator=(const Things&) = delete;
  cudaError store(cudaStream_t stream) {
    int value = 5;
    void* arguments[] = {&memory, &value};
    return cudaLaunchKernel(&program.store_stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream);
  }
  int first_word() const {
    int word = -1;
    CHECK(cudaMemcpy(&word, memory, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    return word;
  }

  const Fresh fresh;
  const Program program;
  int* memory = nullptr;
  cudaStream_t own = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
};

}  // namespace

TEST_CASE("an event of a capture that has ended is nothing to wait for") {
  Things it;
  REQUIRE(cudaStreamBeginCapture(it.own, 0) == cudaSuccess);
  CHECK(it.store(it.own) == cudaSuccess);
  CHECK(cudaEventRecord(it.event, it.own) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(it.own, &it.graph) == cudaSuccess);
  CHECK(cudaEventQuery(it.event) == cudaErrorInvalidValue);
  CHECK(cudaEventSynchronize(it.event) == cudaErrorInvalidValue);
  float time = 0;
  CHECK(cudaEventElapsedTime(&time, it.event, it.event) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(it.other, it.event, 0) == cudaErrorInvalidValue);
  CHECK(state_of(it.other) == 0);
  CHECK(it.store(it.other) == cudaSuccess);
  CHECK(cudaStreamSynchronize(it.other) == cudaSuccess);
  CHECK(it.first_word() == 5);
  CHECK(nodes_of(it.graph) == 1);
  // A capture that waits for it is lost.
  REQUIRE(cudaStreamBeginCapture(it.own, 0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(it.own, it.event, 0) == cudaErrorInvalidValue);
  CHECK(state_of(it.own) == 2);
  CHECK(cudaStreamEndCapture(it.own, nullptr) == cudaErrorStreamCaptureInvalidated);
  // Recorded anew it is one as any other.
  CHECK(cudaEventRecord(it.event, it.own) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(it.other, it.event, 0) == cudaSuccess);
  CHECK(cudaEventQuery(it.event) == cudaSuccess);
  CHECK(cudaGraphDestroy(it.graph) == cudaSuccess);
}

TEST_CASE("a captured stream waits for events of its own capture only") {
  Things it;
  cudaGraph_t other = nullptr;
  const auto begin = [&](cudaStream_t stream) {
    REQUIRE(cudaStreamBeginCapture(stream, 0) == cudaSuccess);
    CHECK(it.store(stream) == cudaSuccess);
  };
  begin(it.own);
  CHECK(cudaStreamWaitEvent(it.own, it.event, 0) == cudaSuccess);  // never recorded
  CHECK(cudaEventRecord(it.event, it.other) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(it.own, it.event, 0) == cudaErrorStreamCaptureIsolation);
  CHECK(cudaStreamWaitEvent(it.own, it.event, 0) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaEventRecord(it.event, it.own) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamEndCapture(it.own, &it.graph) == cudaErrorStreamCaptureInvalidated);
  begin(it.own);
  begin(it.other);
  CHECK(cudaEventRecord(it.event, it.other) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(it.own, it.event, 0) == cudaErrorStreamCaptureMerge);
  CHECK(cudaStreamEndCapture(it.own, &it.graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamEndCapture(it.other, &other) == cudaErrorStreamCaptureInvalidated);
  begin(it.own);
  CHECK(cudaEventRecord(it.event, it.own) == cudaSuccess);
  float time = 0;
  CHECK(cudaEventElapsedTime(&time, it.event, it.event) == cudaErrorCapturedEvent);
  CHECK(cudaStreamWaitEvent(nullptr, it.event, 0) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamWaitEvent(it.other, it.event, 0) == cudaErrorInvalidValue);
  CHECK(cudaStreamEndCapture(it.own, &it.graph) == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("who begins a capture ends it, but in relaxed mode") {
  Things it;
  constexpr int kRelaxed = 2;
  for (int mode = 0; mode <= kRelaxed; ++mode) {
    REQUIRE(cudaStreamBeginCapture(it.own, mode) == cudaSuccess);
    cudaError answer = cudaSuccess;
    std::thread([&] { answer = cudaStreamEndCapture(it.own, &it.graph); }).join();
    CHECK(answer == (mode == kRelaxed ? cudaSuccess : cudaErrorStreamCaptureWrongThread));
    CHECK((it.graph != nullptr) == (mode == kRelaxed));
    CHECK(cudaStreamEndCapture(it.own, nullptr) == cudaErrorIllegalState);
  }
  CHECK(cudaGraphDestroy(it.graph) == cudaSuccess);
  // With the stream its capture goes, and those who have joined it are free.
  REQUIRE(cudaStreamBeginCapture(it.own, 0) == cudaSuccess);
  CHECK(cudaEventRecord(it.event, it.own) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(it.other, it.event, 0) == cudaSuccess);
  CHECK(state_of(it.other) == 1);
  CHECK(cudaStreamDestroy(it.own) == cudaSuccess);
  CHECK(state_of(it.other) == 0);
  CHECK(cudaStreamSynchronize(it.other) == cudaSuccess);
}

TEST_CASE("what a graph's nodes do is no use of the default stream") {
  Things it;
  cudaStream_t blocking = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  int from[] = {1, 2, 3, 4}, to[4] = {};
  REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&it.graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&node, it.graph, nullptr, 0, it.memory, from, 16,
                                   cudaMemcpyHostToDevice) == cudaSuccess);
  const cudaMemsetParams fill{it.memory, 0, 7, 1, 4, 1};
  REQUIRE(cudaGraphAddMemsetNode(&node, it.graph, &node, 1, &fill) == cudaSuccess);
  REQUIRE(cudaGraphAddEventRecordNode(&node, it.graph, &node, 1, it.event) == cudaSuccess);
  REQUIRE(cudaGraphAddEventWaitNode(&node, it.graph, &node, 1, it.event) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, it.graph, 0) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(blocking, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, it.other) == cudaSuccess);
  CHECK(state_of(blocking) == 1);
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamEndCapture(blocking, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaMemcpy(to, it.memory, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(to[0] == 0x07070707);
  CHECK(to[3] == 4);
  // Nor can a graph be a part of what is captured, but as a child.
  REQUIRE(cudaStreamBeginCapture(blocking, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, blocking) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(blocking, &graph) == cudaErrorStreamCaptureInvalidated);
  cudaStreamDestroy(blocking);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(it.graph);
}

TEST_CASE("external events are recorded and waited for by the graph") {
  Things it;
  constexpr unsigned kExternal = 1;
  cudaGraphExec_t executable = nullptr;
  cudaEvent_t first = nullptr;
  float time = -1;
  REQUIRE(cudaEventCreate(&first) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(first, it.own, kExternal) == cudaErrorIllegalState);
  CHECK(cudaStreamWaitEvent(it.own, first, kExternal) == cudaErrorIllegalState);
  CHECK(cudaEventRecordWithFlags(first, it.own, 2) == cudaErrorInvalidValue);
  REQUIRE(cudaStreamBeginCapture(it.own, 0) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(first, it.own, kExternal) == cudaSuccess);
  CHECK(it.store(it.own) == cudaSuccess);
  CHECK(cuStreamWaitEvent(it.own, first, kExternal) == 0);
  CHECK(cuEventRecordWithFlags(it.event, it.own, kExternal) == 0);
  CHECK(cudaStreamWaitEvent(it.other, it.event, 0) == cudaSuccess);
  CHECK(state_of(it.other) == 0);  // it carries no capture
  REQUIRE(cudaStreamEndCapture(it.own, &it.graph) == cudaSuccess);
  CHECK(nodes_of(it.graph) == 4);
  REQUIRE(cudaGraphInstantiate(&executable, it.graph, 0) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&time, first, it.event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphLaunch(executable, it.own) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&time, first, it.event) == cudaSuccess);
  CHECK(time >= 0);
  CHECK(it.first_word() == 5);
  cudaEventDestroy(first);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(it.graph);
}

TEST_CASE("each thread has a default stream of its own, where a program is built so") {
  Things it;
  int state = -1, word = 0;
  unsigned long long id = 0, same = 0, other = 0;
  CHECK(cudaStreamGetId_ptsz(nullptr, &id) == cudaSuccess);
  CHECK(cudaStreamGetId(handle(kPerThreadStream), &same) == cudaSuccess);
  std::thread([&] { CHECK(cudaStreamGetId_ptsz(nullptr, &other) == cudaSuccess); }).join();
  CHECK(id == same);
  CHECK(id != other);
  constexpr int kOfTheThread = 1;
  REQUIRE(cudaStreamBeginCapture_ptsz(nullptr, kOfTheThread) == cudaSuccess);
  CHECK(state_of(handle(kPerThreadStream)) == 1);
  CHECK(cudaMemsetAsync_ptsz(it.memory, 1, 4, nullptr) == cudaSuccess);
  CHECK(cuMemsetD32Async_ptsz(reinterpret_cast<CUdeviceptr>(it.memory), 2, 1, nullptr) == 0);
  std::thread([&] {
    CHECK(cudaStreamIsCapturing_ptsz(nullptr, &state) == cudaSuccess);
    CHECK(cudaMemsetAsync_ptsz(it.memory, 3, 4, nullptr) == cudaSuccess);
    CHECK(cudaMemcpy_ptds(&word, it.memory, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  }).join();
  CHECK(state == 0);
  CHECK(word == 0x03030303);
  REQUIRE(cudaStreamEndCapture_ptsz(nullptr, &it.graph) == cudaSuccess);
  CHECK(nodes_of(it.graph) == 2);
  CHECK(it.first_word() == 0x03030303);
  // A copy that waits cannot be a part of it; nor is the stream of all threads.
  for (int question = 0; question < 3; ++question) {
    REQUIRE(cudaStreamBeginCapture_ptsz(nullptr, kOfTheThread) == cudaSuccess);
    if (question == 0)
      CHECK(cudaMemset2D_ptds(it.memory, 4, 0, 4, 1) == cudaErrorStreamCaptureUnsupported);
    else if (question == 1)
      CHECK(cuMemcpyDtoH_v2_ptds(&word, reinterpret_cast<CUdeviceptr>(it.memory), 4) == 900);
    else
      CHECK(cudaMemset(it.memory, 0, 4) == cudaErrorStreamCaptureImplicit);
    CHECK(cudaStreamEndCapture_ptsz(nullptr, nullptr) == cudaErrorStreamCaptureInvalidated);
  }
  CHECK(it.first_word() == 0x03030303);
  CHECK(cudaGraphDestroy(it.graph) == cudaSuccess);
}

TEST_CASE("the driver names what befalls a capture") {
  for (const int code : {401, 900, 901, 902, 903, 904, 905, 906, 907, 908, 910}) {
    CAPTURE(code);
    const char* text = nullptr;
    CHECK(cuGetErrorName(code, &text) == 0);
    REQUIRE(text != nullptr);
    // The runtime's names are the same, otherwise written: cudaErrorCapturedEvent.
    std::string name = "cudaError", of_driver = text;
    REQUIRE(of_driver.substr(0, 11) == "CUDA_ERROR_");
    for (std::size_t k = 10; k < of_driver.size(); ++k) {
      if (of_driver[k] == '_') continue;
      const bool begins = of_driver[k - 1] == '_';
      name += begins ? of_driver[k] : static_cast<char>(std::tolower(of_driver[k]));
    }
    CHECK(name == cudaGetErrorName(static_cast<cudaError>(code)));
  }
}
