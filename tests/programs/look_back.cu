// SPDX-License-Identifier: MIT
// Blocks that wait for each other without a cooperative launch: a scan with decoupled look-back,
// tiles in the order of the blocks and against it; a barrier of all blocks made of an atomic and a
// volatile flag; a lock that every thread takes. With "stuck", more blocks than a card has room for
// wait for those that never begin, large ones, because all that have begun are asked many times;
// with "host", a block waits for what the host writes behind the launch, which a card brings and
// the emulator refuses; with "alone", lanes wait for variables of their own.
#include <cstring>

#include "program.cuh"

constexpr int kThreads = 128;

__global__ void scan(const int* in, int* out, int count, volatile unsigned long long* state,
                     bool backwards) {
  __shared__ int values[kThreads];
  __shared__ int before;
  const int tile = backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const int at = tile * kThreads + threadIdx.x;
  values[threadIdx.x] = at < count ? in[at] : 0;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const int other = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
    __syncthreads();
    values[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const int sum = values[kThreads - 1];
    before = 0;
    state[tile] = (tile == 0 ? 2ull : 1ull) << 32 | static_cast<unsigned>(sum);
    __threadfence();
    for (int other = tile - 1; other >= 0; --other) {
      unsigned long long word = 0;
      while (word >> 32 == 0) word = state[other];
      before += static_cast<int>(word);
      if (word >> 32 == 2) break;
    }
    if (tile > 0) state[tile] = 2ull << 32 | static_cast<unsigned>(before + sum);
  }
  __syncthreads();
  if (at < count) out[at] = values[threadIdx.x] + before;
}

__device__ unsigned arrived;
__device__ volatile unsigned phase;

__device__ void wait_for_all_blocks() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned now = phase;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      phase = now + 1;
    } else {
      while (phase == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

// Every block writes, then reads what the next block wrote.
__global__ void rotate(volatile int* values, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const int next = values[(blockIdx.x + 1) % gridDim.x];
    wait_for_all_blocks();
    if (threadIdx.x == 0) values[blockIdx.x] = next + 1;
    wait_for_all_blocks();
  }
}

__device__ int lock;
__device__ volatile int held;

__global__ void take_turns(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    bool done = false;
    while (!done) {
      if (atomicCAS(&lock, 0, 1) != 0) continue;
      __threadfence();
      held = held + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}

int scanned(bool backwards, int count) {
  Numbers numbers;
  std::vector<int> in(count);
  for (int& value : in) value = numbers.next(9);
  const int tiles = (count + kThreads - 1) / kThreads;
  int* device = to_device(in);
  int* out = to_device(std::vector<int>(count));
  auto* state = to_device(std::vector<unsigned long long>(tiles));
  scan<<<tiles, kThreads>>>(device, out, count, state, backwards);
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> got = from_device(out, count);
  int wrong = 0, sum = 0;
  for (int at = 0; at < count; ++at) wrong += got[at] != (sum += in[at]);
  return verdict(backwards ? "scan against the order" : "scan in order", wrong, count);
}

__global__ void wait_for_host(volatile int* flag) {
  while (*flag == 0) {
  }
}

// nvcc keeps a volatile variable of a lane in a register, unless it is told to try less.
__global__ void wait_for_itself() {
  int more = 1, found = 1;
  while (found != 0)
    asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(found) : "l"(&more) : "memory");
}

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "host") == 0) {
    int* flag = nullptr;
    CHECK(cudaMallocHost(&flag, sizeof *flag));
    *flag = 0;
    wait_for_host<<<1, 1>>>(flag);
    *static_cast<volatile int*>(flag) = 1;
    std::printf("host: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 1;
  }
  if (argc > 1 && std::strcmp(argv[1], "alone") == 0) {
    wait_for_itself<<<1, 32>>>();
    std::printf("alone: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 1;
  }
  if (argc > 1 && std::strcmp(argv[1], "stuck") == 0) {
    rotate<<<132 * 2 + 1, 1024>>>(to_device(std::vector<int>(132 * 2 + 1)), 1);
    std::printf("stuck: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 1;
  }
  int failures = scanned(false, 9999) + scanned(true, 9999);
  const int blocks = 132, rounds = 5;
  int* values = to_device(std::vector<int>(blocks));
  rotate<<<blocks, kThreads>>>(values, rounds);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (const int value : from_device(values, blocks)) wrong += value != rounds;
  failures += verdict("barrier of all blocks", wrong, blocks);
  take_turns<<<6, 64>>>(3);
  int times = 0;
  CHECK(cudaMemcpyFromSymbol(&times, held, sizeof times));
  failures += verdict("lock", times != 6 * 64 * 3, 1);
  return failures;
}
