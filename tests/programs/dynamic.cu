// SPDX-License-Identifier: MIT
// Kernels that launch kernels: a quicksort, streams of a grid's own, tail launches, copies and
// fills, what a thread is told of launches that cannot be, how deep it may go. Built with -rdc=true
// and libcudadevrt. An H200's answers are in h200/dynamic.txt.
#include "program.cuh"

__global__ void add(int* to, int value) { atomicAdd(to, value); }
__global__ void multiply(int* to, int value) { *to = *to * value + 1; }
__global__ void __launch_bounds__(64) bounded(int* to) { *to = 5; }

__global__ void with_shared(int* to) {
  extern __shared__ int values[];
  values[threadIdx.x] = 3;
  __syncthreads();
  *to = values[0];
}

struct Large {
  int values[200];
};
__global__ void by_value(Large large, int* to) { *to = large.values[199] + large.values[1]; }

template <class T>
__global__ void typed(T* to, T value, char more) {
  *to = value + more;
}

__global__ void chain(int* to, int left) {
  *to = *to * 3 + left;
  if (left > 0) chain<<<1, 1, 0, cudaStreamTailLaunch>>>(to, left - 1);
}

// What one thread orders is done in its order, a tail launch last.
__global__ void orders(int* to) {
  multiply<<<1, 1, 0, cudaStreamTailLaunch>>>(to, 10);
  add<<<1, 1>>>(to, 7);
  multiply<<<1, 1>>>(to, 5);
  add<<<1, 1>>>(to, 2);
  cudaMemcpyAsync(to + 1, to, 4, cudaMemcpyDeviceToDevice, 0);
  cudaMemsetAsync(to + 2, 0x21, 8, 0);
  multiply<<<1, 1>>>(to + 2, 2);
  Large large;
  for (int i = 0; i < 200; ++i) large.values[i] = i;
  by_value<<<1, 1>>>(large, to + 4);
  typed<<<1, 1>>>(reinterpret_cast<double*>(to + 6), 2.5, static_cast<char>(3));
  typed<short><<<1, 1>>>(reinterpret_cast<short*>(to + 8), 7, 1);
  chain<<<1, 1>>>(to + 9, 5);
}

// Its own blocks launch, and those of what they launched.
__global__ void tree(int* count, int depth) {
  if (threadIdx.x != 0) return;
  atomicAdd(count, 1);
  if (depth < 5) tree<<<2, 32>>>(count, depth + 1);
}

__global__ void quicksort(int* values, int left, int right) {
  int l = left, r = right;
  const int pivot = values[(left + right) / 2];
  while (l <= r) {
    while (values[l] < pivot) ++l;
    while (values[r] > pivot) --r;
    if (l > r) break;
    const int held = values[l];
    values[l++] = values[r];
    values[r--] = held;
  }
  cudaStream_t stream;  // so that the halves may be sorted at the same time
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (left < r) quicksort<<<1, 1, 0, stream>>>(values, left, r);
  cudaStreamDestroy(stream);
  if (l < right) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(values, l, right);
}

__device__ void tell(const char* what, long long answer) { printf("  %s: %lld\n", what, answer); }

__global__ void asks(int* to) {
  add<<<1, 1>>>(to, 1);
  tell("a launch", cudaGetLastError());
  add<<<0, 1>>>(to, 1);
  tell("no block, as peeked", cudaPeekAtLastError());
  tell("no block", cudaGetLastError());
  tell("forgotten", cudaGetLastError());
  add<<<1, 1025>>>(to, 1);
  tell("1025 threads", cudaGetLastError());
  bounded<<<1, 128>>>(to + 1);
  tell("more threads than __launch_bounds__", cudaGetLastError());
  with_shared<<<1, 32, 100000>>>(to + 2);
  tell("100000 bytes of shared memory", cudaGetLastError());
  with_shared<<<1, 32, 1000000>>>(to + 2);
  tell("1000000 bytes of shared memory", cudaGetLastError());
  add<<<dim3(1, 70000), 1>>>(to, 1);
  tell("70000 rows of blocks", cudaGetLastError());
}

__global__ void has() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  tell("stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  tell("event", cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  cudaStream_t waits = nullptr;
  cudaEvent_t timed = nullptr;
  tell("stream that waits for the host's first",
       cudaStreamCreateWithFlags(&waits, cudaStreamDefault));
  tell("event with a time", cudaEventCreateWithFlags(&timed, cudaEventDefault));
  tell("record", cudaEventRecord(event, stream));
  tell("wait", cudaStreamWaitEvent(stream, event, 0));
  tell("destroy event", cudaEventDestroy(event));
  tell("destroy stream", cudaStreamDestroy(stream));
  int value = -1;
  tell("device", cudaGetDevice(&value));
  tell("is", value);
  tell("count", cudaGetDeviceCount(&value));
  tell("is", value);
  tell("version", cudaRuntimeGetVersion(&value));
  tell("is", value);
  tell("lanes", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  tell("are", value);
  printf("  %s, %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration),
         cudaGetErrorString(cudaErrorInvalidValue));
  void* memory = nullptr;
  tell("malloc", cudaMalloc(&memory, 100));
  tell("is there", memory != nullptr);
  tell("free", cudaFree(memory));
  tell("a terabyte", cudaMalloc(&memory, 1ull << 40));
}

__global__ void deep(int* to, int depth) {
  *to = depth;
  if (depth < 30) deep<<<1, 1>>>(to, depth + 1);
  if (const cudaError_t error = cudaGetLastError()) to[1] = error;
}

// What a thread has alone is no other grid's: the programming guide forbids both. nvcc sees it,
// too, unless the pointer goes through an asm.
__global__ void gives_away() {
  __shared__ int shared[1];
  int local[2] = {1, 2};
  int *mine = local, *ours = shared;
  asm volatile("mov.b64 %0, %0; mov.b64 %1, %1;" : "+l"(mine), "+l"(ours)::"memory");
  add<<<1, 1>>>(mine, 1);
  add<<<1, 1>>>(mine, 1);
  multiply<<<1, 1>>>(ours, 1);
}

int main(int argc, char**) {
  if (argc > 1) {  // whatever is the first
    gives_away<<<1, 1>>>();
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
  int* to = nullptr;
  CHECK(cudaMalloc(&to, 64 * sizeof(int)));
  CHECK(cudaMemset(to, 0, 64 * sizeof(int)));
  orders<<<1, 1>>>(to);
  CHECK(cudaDeviceSynchronize());
  for (const int value : from_device(to, 10)) std::printf("%d ", value);
  std::printf("\n");
  CHECK(cudaMemset(to, 0, 64 * sizeof(int)));
  tree<<<1, 32>>>(to, 0);
  CHECK(cudaDeviceSynchronize());
  std::printf("tree: %d\n", from_device(to, 1)[0]);

  Numbers numbers;
  std::vector<int> values(700);
  for (int& value : values) value = numbers.next(5000);
  int* sorted = to_device(values);
  quicksort<<<1, 1>>>(sorted, 0, 699);
  CHECK(cudaDeviceSynchronize());
  print_bits(from_device(sorted, 700));

  asks<<<1, 1>>>(to);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  asks<<<1, 1>>>(to);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  has<<<1, 1>>>();
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  CHECK(cudaMemset(to, 0, 64 * sizeof(int)));
  deep<<<1, 1>>>(to, 0);
  std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  for (const int value : from_device(to, 2)) std::printf(" %d", value);
  std::printf("\n");
  return 0;
}
