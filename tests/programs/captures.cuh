// SPDX-License-Identifier: MIT
// What the programs share that ask what a capture allows: a question is a name and a call.
#pragma once

#include <functional>
#include <thread>

#include "program.cuh"

struct Question {
  const char* name;
  std::function<int()> ask;
};

inline int in_a_thread(const std::function<int()>& ask) {
  int answer = -1;
  std::thread([&] { answer = ask(); }).join();
  return answer;
}

/// cudaStreamCaptureStatus, or the error.
inline int state_of(cudaStream_t stream) {
  cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
  const int error = cudaStreamIsCapturing(stream, &state);
  return error != 0 ? error : static_cast<int>(state);
}

inline std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  if (graph) CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

/// For a capture that a question has begun, or left behind.
inline void forget_capture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  if (state_of(stream) != 0) cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
}
