// SPDX-License-Identifier: MIT
// What every program of parting.py ends with: its kernels launched one after the other, each with
// its shape. It is pasted behind them.
struct Entry {
  const char* name;
  const void* kernel;
  dim3 grid, block, cluster;
  bool is_told, is_cooperative;  // the launch says the cluster's size; blocks wait for each other
};
static const Entry kAll[] = {ENTRIES};
int main(int argc, char** argv) {
  std::vector<Word> in(kInput), out(kThreads * kWords), given(64);
  std::vector<unsigned> cells(kCells);
  for (int n = 0; n < kInput; ++n) in[n] = input(n);
  for (Word& w : given) w = parameter();
  if (argc == 2 && std::strcmp(argv[1], "shapes") == 0) {
    for (const Entry& e : kAll)
      std::printf("%s %u %u %u %u %u %u %u %u %u\n", e.name, e.grid.x, e.grid.y, e.grid.z,
                  e.block.x, e.block.y, e.block.z, e.cluster.x, e.cluster.y, e.cluster.z);
    return 0;
  }
  Word *din, *dout;
  unsigned* dcells;
  cudaMalloc(&din, in.size() * 8);
  cudaMalloc(&dout, out.size() * 8);
  cudaMalloc(&dcells, cells.size() * 4);
  cudaMemcpy(din, in.data(), in.size() * 8, cudaMemcpyHostToDevice);
  const int skipped =
      argc == 2 && argv[1][0] == '-' ? std::atoi(argv[1] + 1) : 0;  // -3: all but the first three
  const bool is_shown = argc > 1 && skipped == 0;
  for (const Entry& e : kAll) {
    bool wanted = !is_shown && &e - kAll >= skipped;
    for (int n = 1; n < argc; ++n) wanted = wanted || std::strcmp(argv[n], e.name) == 0;
    if (!wanted) continue;
    cudaMemset(dout, 0, out.size() * 8);
    cudaMemset(dcells, 0, cells.size() * 4);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[2];
    config.gridDim = e.grid, config.blockDim = e.block, config.attrs = attribute;
    if (e.is_told) {
      attribute[0].id = cudaLaunchAttributeClusterDimension;
      attribute[0].val.clusterDim.x = e.cluster.x, attribute[0].val.clusterDim.y = e.cluster.y,
      attribute[0].val.clusterDim.z = e.cluster.z;
      config.numAttrs = 1;
    } else if (e.is_cooperative) {
      attribute[0].id = cudaLaunchAttributeCooperative, attribute[0].val.cooperative = 1;
      config.numAttrs = 1;
    }
    void* arguments[] = {&din, &dout, &dcells, given.data()};
    cudaError_t error = cudaLaunchKernelExC(&config, e.kernel, arguments);
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      return std::printf("FAILED %s %s\n", e.name, cudaGetErrorString(error)), 1;
    cudaMemcpy(out.data(), dout, out.size() * 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(cells.data(), dcells, cells.size() * 4, cudaMemcpyDeviceToHost);
    std::printf("%016llx %s\n",
                hash_of(cells.data(), cells.size() * 4, hash_of(out.data(), out.size() * 8)),
                e.name);
    if (is_shown)
      for (int t = 0; t < kThreads; ++t) {
        std::printf("~ %d", t);
        for (int n = 0; n < kWords; ++n) std::printf(" %llx", out[t * kWords + n]);
        std::printf("\n");
      }
    std::fflush(stdout);
  }
}
