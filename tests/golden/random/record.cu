// SPDX-License-Identifier: MIT
// Runs random programs (program.hpp) on whatever device the runtime offers.
//
//     record FOLDER [DUMP]       FOLDER/N.list of what `random write` wrote; N.cubin or N.ptx
//
// Prints `HASH NAME` of each, `FAILED error NAME` where there is none. With DUMP all words go
// there, `NAME THREAD WORD...`. After an error the rest runs in another process. A kernel that does
// not end within seconds is given up.
//
//     nvcc -std=c++17 -O1 -cudart shared -o record record.cu
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

constexpr int kWordsOut = 51, kMaxThreads = 256, kOwnBytes = 64, kCellBytes = 256;
constexpr int kSecondsToWait = 1;

struct Hash {  // ../scalar/operands.hpp
  std::uint64_t value = 0x6c616e6573636f70ull;
  void add(std::uint64_t word) {
    value = (value ^ word) * 0x9e3779b97f4a7c15ull;
    value ^= value >> 29;
  }
};

struct Wanted {
  std::string kernel, name;
  int threads = 0, blocks = 0;
};

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("error: %s: %s\n", what, cudaGetErrorString(error));
  std::fflush(stdout);
  _exit(2);
}

static cudaError_t finish() {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const cudaError_t error = cudaStreamQuery(nullptr);
    if (error != cudaErrorNotReady) return error;
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(kSecondsToWait))
      return cudaErrorLaunchTimeout;
  }
}

struct Memory {
  void *out = nullptr, *own = nullptr, *cells = nullptr, *in = nullptr;
};

static Memory make_memory(const std::string& folder) {
  std::ifstream file(folder + "/input.bin", std::ios::binary);
  const std::vector<char> input((std::istreambuf_iterator<char>(file)), {});
  Memory m;
  check(cudaMalloc(&m.out, kMaxThreads * kWordsOut * 8), "cudaMalloc");
  check(cudaMalloc(&m.own, kMaxThreads * kOwnBytes), "cudaMalloc");
  check(cudaMalloc(&m.cells, 8 * kCellBytes), "cudaMalloc");
  check(cudaMalloc(&m.in, input.size()), "cudaMalloc");
  check(cudaMemcpy(m.in, input.data(), input.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  return m;
}

// The programs of a module from `first` on; returns how many are done, one that failed included.
static int run_module(Memory memory, const std::string& folder, int number, int first,
                      std::FILE* dump) {
  const std::string path = folder + "/" + std::to_string(number);
  std::ifstream names(path + ".list");
  std::vector<Wanted> programs;
  for (Wanted w; names >> w.kernel >> w.threads >> w.blocks >> w.name;) programs.push_back(w);
  unsigned char blob[64];
  for (int n = 0; n < 64; ++n) blob[n] = static_cast<unsigned char>(n * 37 + 11);
  std::string image = path + ".cubin";
  if (!std::ifstream(image)) image = path + ".ptx";
  cudaLibrary_t library = nullptr;
  check(cudaLibraryLoadFromFile(&library, image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        image.c_str());
  for (std::size_t n = static_cast<std::size_t>(first); n < programs.size(); ++n) {
    const Wanted& w = programs[n];
    const std::size_t count = static_cast<std::size_t>(w.threads * w.blocks) * kWordsOut;
    check(cudaMemset(memory.out, 0, count * 8), "cudaMemset");
    void* arguments[] = {&memory.out, &memory.own, &memory.cells, &memory.in, blob};
    cudaKernel_t kernel = nullptr;
    cudaError_t error = cudaLibraryGetKernel(&kernel, library, w.kernel.c_str());
    if (error == cudaSuccess)
      error = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(w.blocks),
                               dim3(w.threads), arguments, 0, nullptr);
    if (error == cudaSuccess) error = finish();
    if (error != cudaSuccess) {
      std::printf("FAILED %s %s\n", cudaGetErrorName(error), w.name.c_str());
      return static_cast<int>(n) + 1;
    }
    std::vector<std::uint64_t> words(count);
    check(cudaMemcpy(words.data(), memory.out, count * 8, cudaMemcpyDeviceToHost), "cudaMemcpy");
    Hash hash;
    for (const std::uint64_t word : words) hash.add(word);
    std::printf("%016llx %s\n", static_cast<unsigned long long>(hash.value), w.name.c_str());
    for (std::size_t at = 0; dump != nullptr && at < count; ++at) {
      if (at % kWordsOut == 0) std::fprintf(dump, "%s %zu", w.name.c_str(), at / kWordsOut);
      std::fprintf(dump, " %llx", static_cast<unsigned long long>(words[at]));
      if (at % kWordsOut == kWordsOut - 1) std::fprintf(dump, "\n");
    }
  }
  cudaLibraryUnload(library);
  return -1;
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: record FOLDER [DUMP]\n"), 2;
  struct Place {
    int module, first;
  };
  auto* place = static_cast<Place*>(
      mmap(nullptr, sizeof(Place), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const auto is_there = [&](int module) {
    return static_cast<bool>(
        std::ifstream(std::string(argv[1]) + "/" + std::to_string(module) + ".list"));
  };
  while (is_there(place->module)) {  // one process until something fails, then the next
    const pid_t child = fork();
    if (child == 0) {
      std::FILE* dump = argc > 2 ? std::fopen(argv[2], "a") : nullptr;
      const Memory memory = make_memory(argv[1]);
      for (; is_there(place->module); ++place->module, place->first = 0) {
        const int failed = run_module(memory, argv[1], place->module, place->first, dump);
        if (dump != nullptr) std::fflush(dump);
        std::fflush(stdout);
        if (failed < 0) continue;
        place->first = failed;
        _exit(1);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) < 2) continue;
    std::printf("LOST module %d\n", place->module);
    std::fflush(stdout);
    ++place->module;
    place->first = 0;
  }
}
