// SPDX-License-Identifier: MIT
// Threads with stacks as small as interpreters and servers give them: one that has nothing to do
// with CUDA and the least that there may be, and one of 256 KiB that launches a kernel.
#include <pthread.h>

#include "program.cuh"

__global__ void add_one(float* values) { values[threadIdx.x] += 1; }

float* device = nullptr;

void* nothing(void*) { return nullptr; }
void* launch(void*) {
  add_one<<<1, 32>>>(device);
  CHECK(cudaDeviceSynchronize());
  return nullptr;
}

void run(const char* name, void* (*work)(void*), std::size_t stack_bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, work, nullptr);
  if (error == 0) pthread_join(thread, nullptr);
  std::printf("%s: %d\n", name, error);
}

int main() {
  device = to_device(std::vector<float>(32, 2.0f));
  run("16 KiB", nothing, 16384);
  run("256 KiB", launch, 262144);
  std::printf("%g\n", from_device(device, 32)[31]);
  return 0;
}
