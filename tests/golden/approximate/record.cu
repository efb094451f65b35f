// SPDX-License-Identifier: MIT
// Records what this machine's card makes of the approximate functions, for the inputs of
// inputs.hpp: of every block of 256 outputs the first (its upper word, if it has two) and a
// fingerprint of all.
//
//     nvcc -std=c++17 -gencode arch=compute_90a,code=[sm_90a,compute_90a] -o record record.cu
//     ./record OUT NOTE
//
// nvcc alone builds it; the emulator runs it too.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../check_cuda.cuh"
#include "forms.cuh"

using namespace lanescope::golden::approximate;

template <class Form>
__global__ void ask(Long* outputs) {
  const Word i = blockIdx.x * blockDim.x + threadIdx.x;
  outputs[i] = Form::at(input(Form::kShape, i), single_input(i, kSecond));
}

template <class Form>
void record(const char* mnemonic, Long* device, std::FILE* out) {
  const Word count = inputs_of(Form::kShape);
  ask<Form><<<count / kBlock, kBlock>>>(device);
  CHECK_CUDA(cudaGetLastError());
  std::vector<Long> outputs(count);
  CHECK_CUDA(cudaMemcpy(outputs.data(), device, count * sizeof(Long), cudaMemcpyDeviceToHost));
  std::fprintf(out, "%s|%u\n", mnemonic, count);
  for (Word first = 0; first < count; first += kBlock) {
    Fingerprint print;
    for (Word i = first; i < first + kBlock; ++i) print.add(outputs[i]);
    const Long whole = outputs[first];
    const Word words[2] = {static_cast<Word>(Form::kShape == Shape::wide ? whole >> 32 : whole),
                           print.value};
    std::fwrite(words, sizeof words, 1, out);
  }
}

int main(int argc, char** argv) {
  std::FILE* out = argc == 3 ? std::fopen(argv[1], "wb") : nullptr;
  if (out == nullptr) {
    std::fprintf(stderr, "record: OUT NOTE\n");
    return 2;
  }
  cudaDeviceProp card{};
  int driver = 0, runtime = 0;
  CHECK_CUDA(cudaGetDeviceProperties(&card, 0));
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  std::fprintf(out, "lanescope approximate 1|%s|sm_%d%d|driver %d|runtime %d|%s\n", card.name,
               card.major, card.minor, driver, runtime, argv[2]);
  Long* device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, (1u << 18) * sizeof(Long)));
#define RECORD(shape, name, mnemonic) record<Form_##name>(mnemonic, device, out);
  LANESCOPE_APPROXIMATE_FORMS(RECORD)
  return std::fclose(out) == 0 ? 0 : 1;
}
