// SPDX-License-Identifier: MIT
// Captures from the inside: which events carry them. Whole programs, compared with what an H200
// answers, are in tests/programs (captures.cu).
#include <doctest/doctest.h>

#include "cudart/api/api.hpp"
#include "tests/cudart/program.hpp"

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

/// Two streams, an event, memory; and a stream that writes 5 + index there.
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
