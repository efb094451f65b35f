// SPDX-License-Identifier: MIT
// A counter a multiprocessor, as people have it who look where their blocks ran: %smid must be
// below what the card says it has.
#include "program.cuh"
__global__ void count(int* blocks, int* most) {
  unsigned here, all;
  asm("mov.u32 %0, %%smid;" : "=r"(here));
  asm("mov.u32 %0, %%nsmid;" : "=r"(all));
  atomicAdd(blocks + here, 1);
  *most = all;
}
int main() {
  cudaDeviceProp card;
  CHECK(cudaGetDeviceProperties(&card, 0));
  const std::vector<int> none(static_cast<std::size_t>(card.multiProcessorCount));
  int* blocks = to_device(none);
  int* most = to_device(std::vector<int>(1));
  count<<<1000, 1>>>(blocks, most);
  CHECK(cudaDeviceSynchronize());
  int sum = 0;
  for (const int each : from_device(blocks, none.size())) sum += each;
  const int all = from_device(most, 1)[0];
  std::printf("%d blocks on %d multiprocessors of %d\n", sum, all, card.multiProcessorCount);
}
