// SPDX-License-Identifier: MIT
// Graphs that decide on the card: a while around Newton's iteration that stops when the kernel says
// so, an if with an else, a switch; all nodes by cudaGraphAddNode. Values to start with are put
// back at each launch, others are kept: 5 rounds from 1, one more from the root.
#include "program.cuh"

__global__ void newton(double* guess, int* rounds, double of, cudaGraphConditionalHandle again) {
  const double next = (*guess + of / *guess) / 2;
  *rounds += 1;
  cudaGraphSetConditional(again, fabs(next - *guess) > 1e-9 ? 1 : 0);
  *guess = next;
}
__global__ void choose(int* which, cudaGraphConditionalHandle by_number,
                       cudaGraphConditionalHandle by_truth) {
  cudaGraphSetConditional(by_number, *which);
  cudaGraphSetConditional(by_truth, *which % 2);
  *which += 1;
}
__global__ void note(int* trace, int what) { *trace = *trace * 10 + what; }

template <class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t after, void (*kernel)(Arguments...),
                           Arguments... arguments) {
  void* pointers[] = {&arguments...};
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(kernel);
  params.kernel.gridDim = params.kernel.blockDim = dim3(1, 1, 1);
  params.kernel.kernelParams = pointers;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, &after, nullptr, after != nullptr, &params));
  return node;
}

cudaGraphNode_t add_choice(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle by,
                           cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t* bodies) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = by;
  params.conditional.type = type;
  params.conditional.size = size;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, &after, nullptr, after != nullptr, &params));
  for (unsigned k = 0; k < size; ++k) bodies[k] = params.conditional.phGraph_out[k];
  return node;
}

static void launch(cudaGraph_t graph, int times) {
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int k = 0; k < times; ++k) CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

static void root_of_two() {
  double* guess = to_device(std::vector<double>{1});
  int* rounds = to_device(std::vector<int>{0});
  cudaGraph_t graph, body;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle again;
  CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
  add_choice(graph, nullptr, again, cudaGraphCondTypeWhile, 1, &body);
  add_kernel(body, nullptr, newton, guess, rounds, 2.0, again);
  launch(graph, 2);  // the second launch starts with 1 again: one round more
  std::printf("%.9f after %d rounds\n", from_device(guess, 1)[0], from_device(rounds, 1)[0]);
}

static void branches() {
  int* which = to_device(std::vector<int>{0});
  int* trace = to_device(std::vector<int>{0});
  cudaGraph_t graph, cases[3], both[2];
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle number, truth;
  CHECK(cudaGraphConditionalHandleCreate(&number, graph, 0, 0));
  CHECK(cudaGraphConditionalHandleCreate(&truth, graph, 0, 0));
  const cudaGraphNode_t first = add_kernel(graph, nullptr, choose, which, number, truth);
  const cudaGraphNode_t second =
      add_choice(graph, first, number, cudaGraphCondTypeSwitch, 3, cases);
  for (int k = 0; k < 3; ++k) add_kernel(cases[k], nullptr, note, trace, k + 1);
  // After that an if, whose bodies are captured.
  add_choice(graph, second, truth, cudaGraphCondTypeIf, 2, both);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int k = 0; k < 2; ++k) {
    CHECK(cudaStreamBeginCaptureToGraph(stream, both[k], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeRelaxed));
    note<<<1, 1, 0, stream>>>(trace, 8 + k);
    cudaGraph_t captured;
    CHECK(cudaStreamEndCapture(stream, &captured));
  }
  launch(graph, 4);  // 0: 1 and else, 1: 2 and then, 2: 3 and else, 3: nothing and then
  std::printf("%d\n", from_device(trace, 1)[0]);
}

int main() {
  root_of_two();
  branches();
  return 0;
}
