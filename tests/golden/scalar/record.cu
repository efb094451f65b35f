// SPDX-License-Identifier: MIT
// Runs forms (form.hpp) on whatever device the runtime offers, and prints a hash of what each gave.
//
//     record write FORMS FOLDER                   PTX: FOLDER/N.ptx of 128 forms each
//     record run FORMS FOLDER FROM [DIGESTS]      FOLDER/N.cubin, or N.ptx where there is none
//
// `run` prints `HASH TUPLES FORM`, or `FAILED error FORM` and ends, since nothing runs on that
// context after it: record.py goes on behind it. DIGESTS of another run, made with DIGESTS=FILE in
// the environment, are compared: from blocks of 64 tuples that differ some are printed, `~ TUPLE
// RESULTS`.
//
//     nvcc -std=c++20 -O1 -cudart shared -o record record.cu form.cpp operands.cpp
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "form.hpp"
#include "operands.hpp"

namespace scalar = lanescope::golden::scalar;

constexpr std::size_t kFormsOfModule = 128;
constexpr int kDigestTuples = 64, kBlocksShown = 6;

static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("error: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

static std::vector<scalar::Form> read_forms(const char* path) {
  std::ifstream file(path);
  std::vector<scalar::Form> forms;
  for (std::string line; std::getline(file, line);) forms.push_back(scalar::parse(line));
  return forms;
}

static std::string module_path(const char* folder, std::size_t module, const char* ending) {
  return std::string(folder) + "/" + std::to_string(module) + ending;
}

static void write(const std::vector<scalar::Form>& forms, const char* folder) {
  for (std::size_t module = 0; module * kFormsOfModule < forms.size(); ++module) {
    std::ofstream file(module_path(folder, module, ".ptx"));
    file << scalar::module_head();
    for (std::size_t n = module * kFormsOfModule;
         n < forms.size() && n < (module + 1) * kFormsOfModule; ++n)
      file << scalar::kernel(forms[n], "f" + std::to_string(n));
  }
}

// Operands on the device, each column made once.
struct Columns {
  std::map<std::pair<scalar::Kind, int>, void*> made;
  void* get(scalar::Kind kind, int place) {
    void*& device = made[{kind, place}];
    if (device == nullptr) {
      const std::vector<std::uint64_t> words = scalar::column(kind, place);
      check(cudaMalloc(&device, words.size() * 8), "cudaMalloc");
      check(cudaMemcpy(device, words.data(), words.size() * 8, cudaMemcpyHostToDevice), "copy");
    }
    return device;
  }
};

struct Runner {
  Columns columns;
  void *out = nullptr, *scratch = nullptr;
  std::vector<std::uint64_t> words;
  Runner() : words(65536 * scalar::kMaxSources) {
    check(cudaMalloc(&out, words.size() * 8), "cudaMalloc");
    check(cudaMalloc(&scratch, 65536 * scalar::kScratchBytes), "cudaMalloc");
    check(cudaMemset(scratch, 0, 65536 * scalar::kScratchBytes), "cudaMemset");
  }

  // What the form gave is in `words`.
  cudaError_t run(const scalar::Form& form, cudaKernel_t kernel) {
    const std::size_t bytes = static_cast<std::size_t>(form.tuples) * form.results.size() * 8;
    check(cudaMemset(out, 0, bytes), "cudaMemset");
    void* pointers[2 + scalar::kMaxSources] = {out, scratch};
    for (std::size_t n = 0; n < form.sources.size(); ++n)
      pointers[2 + n] = columns.get(form.sources[n], static_cast<int>(n));
    unsigned char blob[scalar::kBlobBytes];
    for (int n = 0; n < scalar::kBlobBytes; ++n) blob[n] = scalar::blob_byte(n);
    void* arguments[3 + scalar::kMaxSources];
    for (int n = 0; n < 2 + scalar::kMaxSources; ++n) arguments[n] = &pointers[n];
    arguments[2 + scalar::kMaxSources] = blob;
    const scalar::Grid grid = scalar::grid(form);
    cudaError_t error = cudaLaunchKernel(reinterpret_cast<const void*>(kernel),
                                         dim3(grid.columns, grid.rows, grid.layers), dim3(32, 2, 2),
                                         arguments, 0, nullptr);
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaMemcpy(words.data(), out, bytes, cudaMemcpyDeviceToHost);
    return error;
  }
};

static std::uint16_t digest(const scalar::Form& form, const std::uint64_t* words, int block) {
  scalar::Hash hash;
  for (std::size_t result = 0; result < form.results.size(); ++result)
    for (int n = 0; n < kDigestTuples; ++n)
      hash.add(words[result * static_cast<std::size_t>(form.tuples) +
                     static_cast<std::size_t>(block * kDigestTuples + n)]);
  return static_cast<std::uint16_t>(hash.value >> 40);
}

static void show_block(const scalar::Form& form, const std::uint64_t* words, int block) {
  for (int n = 0; n < kDigestTuples; ++n) {
    const int tuple = block * kDigestTuples + n;
    std::printf("~ %d", tuple);
    for (std::size_t result = 0; result < form.results.size(); ++result)
      std::printf(" %llx", static_cast<unsigned long long>(
                               words[result * static_cast<std::size_t>(form.tuples) +
                                     static_cast<std::size_t>(tuple)]));
    std::printf("\n");
  }
}

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: record write|run FORMS FOLDER ...\n"), 2;
  const std::vector<scalar::Form> forms = read_forms(argv[2]);
  const char* folder = argv[3];
  if (std::strcmp(argv[1], "write") == 0) return write(forms, folder), 0;
  const std::size_t from = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 0;
  std::vector<char> theirs;
  if (argc > 5) {
    std::ifstream file(argv[5], std::ios::binary);
    theirs.assign(std::istreambuf_iterator<char>(file), {});
  }
  const char* ours = std::getenv("DIGESTS");
  std::FILE* digests = ours != nullptr ? std::fopen(ours, from == 0 ? "wb" : "ab") : nullptr;
  std::size_t place = 0;  // of a form's digests
  Runner runner;
  cudaLibrary_t library = nullptr;
  std::string failed;
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const scalar::Form& form = forms[n];
    const int blocks = form.tuples / kDigestTuples;
    const std::size_t form_place = place;
    place += static_cast<std::size_t>(blocks) * 2;
    if (n < from) continue;
    if (library == nullptr || n % kFormsOfModule == 0) {
      if (library != nullptr) check(cudaLibraryUnload(library), "unload");
      std::string path = module_path(folder, n / kFormsOfModule, ".cubin");
      if (!std::ifstream(path)) path = module_path(folder, n / kFormsOfModule, ".ptx");
      check(
          cudaLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          path.c_str());
    }
    cudaKernel_t kernel = nullptr;
    cudaError_t error = cudaLibraryGetKernel(&kernel, library, ("f" + std::to_string(n)).c_str());
    if (error == cudaSuccess) error = runner.run(form, kernel);
    if (error != cudaSuccess) {
      std::printf("FAILED %s %s\n", cudaGetErrorName(error), form.text.c_str());
      if (digests != nullptr)
        std::fwrite(std::vector<char>(static_cast<std::size_t>(blocks) * 2).data(), 2,
                    static_cast<std::size_t>(blocks), digests);
      if (digests != nullptr) std::fclose(digests);
      return 3;
    }
    scalar::Hash hash;
    const std::size_t count = static_cast<std::size_t>(form.tuples) * form.results.size();
    for (std::size_t word = 0; word < count; ++word) hash.add(runner.words[word]);
    std::printf("%016llx %d %s\n", static_cast<unsigned long long>(hash.value), form.tuples,
                form.text.c_str());
    int shown = 0;
    for (int block = 0; block < blocks; ++block) {
      const std::uint16_t value = digest(form, runner.words.data(), block);
      if (digests != nullptr) std::fwrite(&value, 2, 1, digests);
      if (form_place + static_cast<std::size_t>(block) * 2 + 2 > theirs.size()) continue;
      std::uint16_t other;
      std::memcpy(&other, theirs.data() + form_place + static_cast<std::size_t>(block) * 2, 2);
      if (other != value && shown++ < kBlocksShown) show_block(form, runner.words.data(), block);
    }
    if (shown > 0) std::printf("~~ %d of %d blocks differ\n", shown, blocks);
  }
  if (digests != nullptr) std::fclose(digests);
  std::printf("done\n");
}
