// SPDX-License-Identifier: MIT
// The host side of an ordinary program: streams, events, pinned, managed and pooled memory, copies
// by rows, a callback, and questions about the card.
#include <algorithm>
#include <cstring>

#include "program.cuh"

__global__ void allocate(void** to, std::size_t bytes) { to[threadIdx.x] = malloc(bytes); }
__global__ void give_back(void** from) { free(from[threadIdx.x]); }

__global__ void scale(float* values, int count, float factor) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] *= factor;
}

static int failures = 0;
static void expect(bool good, const char* what) {
  if (good) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

static void in_streams() {
  const int count = 300;
  float* pinned = nullptr;
  float* device = nullptr;
  CHECK(cudaMallocHost(&pinned, count * sizeof(float)));
  cudaStream_t stream, other;
  cudaEvent_t start, stop;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaMallocAsync(&device, count * sizeof(float), stream));
  for (int i = 0; i < count; ++i) pinned[i] = static_cast<float>(i);
  CHECK(cudaMemcpyAsync(device, pinned, count * sizeof(float), cudaMemcpyDefault, stream));
  CHECK(cudaEventRecord(start, stream));
  scale<<<5, 64, 0, stream>>>(device, count, 2.0f);
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaStreamWaitEvent(other, stop, 0));
  scale<<<5, 64, 0, other>>>(device, count, 3.0f);
  CHECK(cudaMemcpyAsync(pinned, device, count * sizeof(float), cudaMemcpyDeviceToHost, other));
  int called = 0;
  CHECK(cudaLaunchHostFunc(
      other, [](void* data) { ++*static_cast<int*>(data); }, &called));
  CHECK(cudaStreamSynchronize(other));
  expect(called == 1, "host function");
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += pinned[i] != 6.0f * i;
  expect(wrong == 0, "two kernels in two streams");
  float milliseconds = -1;
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  expect(milliseconds >= 0, "elapsed time");
  expect(cudaEventElapsedTime(&milliseconds, start, nullptr) == cudaErrorInvalidResourceHandle,
         "elapsed time to no event");
  CHECK(cudaFreeAsync(device, stream));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaFreeHost(pinned));
}

static void by_rows() {
  const int rows = 5, width = 12;
  std::vector<float> host(rows * width), back(rows * width, -1.0f);
  for (int i = 0; i < rows * width; ++i) host[i] = static_cast<float>(i);
  float* device = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&device, &pitch, width * sizeof(float), rows));
  expect(pitch >= width * sizeof(float) && pitch % 256 == 0, "pitch");
  CHECK(cudaMemset2D(device, pitch, 0xff, width * sizeof(float), rows));
  CHECK(cudaMemcpy2D(device, pitch, host.data(), width * sizeof(float), 8 * sizeof(float), rows,
                     cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(back.data(), width * sizeof(float), device, pitch, width * sizeof(float), rows,
                     cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < rows * width; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, &back[i], 4);
    wrong += i % width < 8 ? back[i] != host[i] : bits != 0xffffffffu;
  }
  expect(wrong == 0, "copies by rows");
  CHECK(cudaFree(device));
}

static void shared_with_host() {
  float* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, 64 * sizeof(float)));
  for (int i = 0; i < 64; ++i) managed[i] = 1.5f;
  std::vector<float> own(64, 2.0f);
  CHECK(cudaHostRegister(own.data(), 64 * sizeof(float), cudaHostRegisterMapped));
  float* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, own.data(), 0));
  scale<<<1, 64>>>(managed, 64, 2.0f);
  scale<<<1, 64>>>(mapped, 64, 4.0f);
  CHECK(cudaDeviceSynchronize());
  expect(managed[0] == 3.0f && managed[63] == 3.0f, "managed memory");
  expect(own[0] == 8.0f && own[63] == 8.0f, "registered memory");
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, managed));
  expect(attributes.type == cudaMemoryTypeManaged, "type of managed memory");
  CHECK(cudaPointerGetAttributes(&attributes, own.data()));
  expect(attributes.type == cudaMemoryTypeHost, "type of registered memory");
  CHECK(cudaHostUnregister(own.data()));
  CHECK(cudaFree(managed));
}

// 64 times 1 MiB are more than kernels have at first.
static void by_kernels() {
  void** pointers = nullptr;
  CHECK(cudaMallocManaged(&pointers, 64 * sizeof(void*)));
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 128 << 20));
  allocate<<<1, 64>>>(pointers, 1 << 20);
  CHECK(cudaDeviceSynchronize());
  expect(std::count(pointers, pointers + 64, nullptr) == 0, "memory for kernels' malloc");
  give_back<<<1, 64>>>(pointers);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(pointers));
}

static void the_card() {
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  std::printf("%s, %d.%d, %d multiprocessors\n", prop.name, prop.major, prop.minor,
              prop.multiProcessorCount);
  expect(prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024, "properties");
  int optin = 0;
  CHECK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  expect(static_cast<size_t>(optin) == prop.sharedMemPerBlockOptin, "property and attribute");
  size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 1 << 20));
  size_t less_bytes = 0;
  CHECK(cudaMemGetInfo(&less_bytes, &total_bytes));
  expect(free_bytes - less_bytes >= 1 << 20 && total_bytes == prop.totalGlobalMem, "memory left");
  CHECK(cudaFree(memory));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, scale));
  expect(attributes.maxThreadsPerBlock == 1024 && attributes.sharedSizeBytes == 0, "attributes");
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  expect(blocks == prop.maxThreadsPerMultiProcessor / 256, "occupancy");
}

int main() {
  in_streams();
  by_rows();
  shared_with_host();
  by_kernels();
  the_card();
  return verdict("streams", failures, 13);
}
