// SPDX-License-Identifier: MIT
// printf on the device: shown when the host synchronizes, not before; formats as on the host.
#include "program.cuh"

__device__ char word[] = "lane";
__device__ char odd[] = "%y|%-5y|%l|%d|%-l";

__global__ void hello(int number, double fraction, const char* word, const char* none) {
  if (threadIdx.x < 3)
    printf("thread %d of %u: %5d|%-6.2f|%s|%x %c%%\n", threadIdx.x, blockDim.x, number, fraction,
           word, 0xbeefu, 'z');
  if (threadIdx.x == 31) printf("[%s] [%10s] [%.2s]\n", none, none, none);
  if (threadIdx.x == 31) printf("%hd %hu|%*d|%-*d|%hhd\n", 70000, 70000, -6, 42, -6, 42, 300);
  if (threadIdx.x != 31) return;
  const int all = printf("%d%%|%*d\n", 1, 4, 2), nothing = printf(none);
  printf("%d arguments, of no format %d\n", all, nothing);
  printf(odd, 7);
  printf("\n");
}

int main() {
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, word));
  hello<<<1, 32>>>(-42, 2.5, static_cast<const char*>(address), nullptr);
  std::printf("before\n");
  std::fflush(stdout);
  CHECK(cudaDeviceSynchronize());
  std::printf("after\n");
  return 0;
}
