// SPDX-License-Identifier: MIT
// Which graph of three kernels takes the place of which by cudaGraphExecUpdate: it has to be the
// same that needs the same. Also inside of a child graph. An H200's answers: h200/graph_shapes.txt.
#include <array>

#include "program.cuh"

__global__ void add(int* to, int value) { *to += value; }

constexpr int kShapes = 6;
// What B and C need: A is 1, B is 2, both are 3, B before A is 4.
constexpr int kNeeds[kShapes][2] = {{1, 1}, {1, 2}, {0, 3}, {1, 3}, {0, 4}, {0, 0}};

cudaGraph_t three(int* to, int shape) {
  cudaGraph_t graph;
  cudaGraphNode_t a, b, c;
  CHECK(cudaGraphCreate(&graph, 0));
  int value = 1;
  void* arguments[] = {&to, &value};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(add);
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &params));
  CHECK(cudaGraphAddKernelNode(&b, graph, &a, kNeeds[shape][0], &params));
  const std::array<std::array<cudaGraphNode_t, 2>, 5> needs{{{}, {a}, {b}, {a, b}, {b, a}}};
  const int of_c = kNeeds[shape][1];
  CHECK(cudaGraphAddKernelNode(&c, graph, needs[of_c].data(), (of_c + 1) / 2, &params));
  return graph;
}

cudaGraph_t with_child(int* to, int shape) {
  cudaGraph_t graph;
  cudaGraphNode_t child;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, three(to, shape)));
  return graph;
}

int main() {
  int* memory;
  CHECK(cudaMalloc(&memory, 4));
  for (const auto& [name, make] : {std::pair{"", three}, {"child ", with_child}})
    for (int from = 0; from < kShapes; ++from)
      for (int to = 0; to < kShapes; ++to) {
        cudaGraphExec_t made;
        CHECK(cudaGraphInstantiate(&made, make(memory, from), 0));
        cudaGraphExecUpdateResultInfo info = {};
        const int answer = cudaGraphExecUpdate(made, make(memory, to), &info);
        std::printf("%s%d to %d: %d result %d\n", name, from, to, answer, info.result);
        cudaGetLastError();
      }
  return 0;
}
