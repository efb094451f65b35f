// SPDX-License-Identifier: MIT
// Records what the tensor cores of this machine's card compute: every mma.sync, mma.sp and wgmma
// type and accumulator, on the operands of vectors.hpp. Only results are written.
//
//     nvcc -std=c++17 -O2 -gencode arch=compute_90a,code=[sm_90a,compute_90a] -o record record.cu
//     ./record OUT TILES FULL NOTE [WORD]   TILES of each instruction, the first FULL of them
//                                           whole, the others as fingerprints; WORD picks
//                                           instructions by a part of the name
//
// nvcc alone builds it; the emulator runs it too. The kernels: kernels.cuh, forms.cuh.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../check_cuda.cuh"
#include "kernels.cuh"
#include "vectors.hpp"

using namespace lanescope::golden;

struct Packed {
  std::vector<unsigned char> a, b, c;
  std::vector<std::uint64_t> e;
};

void draw_tile(const Case& what, int number, int index, Packed& out) {
  const Tile tile = make_tile(what, number);
  const auto at = [index](int rows, int bytes) {
    return static_cast<std::size_t>(index) * rows * bytes;
  };
  for (int row = 0; row < what.M; ++row)
    pack(&tile.a[static_cast<std::size_t>(row * what.kept())], what.kept(), what.a->bits,
         &out.a[at(what.M, what.a_bytes()) + static_cast<std::size_t>(row * what.a_bytes())]);
  for (int col = 0; col < what.N; ++col)
    pack(&tile.b[static_cast<std::size_t>(col * what.K)], what.K, what.b->bits,
         &out.b[at(what.N, what.b_bytes()) + static_cast<std::size_t>(col * what.b_bytes())]);
  pack(tile.c.data(), what.M * what.N, what.c->bits, &out.c[at(what.M * what.N, what.c_bytes())]);
  for (std::size_t row = 0; row < tile.e.size(); ++row)
    out.e[static_cast<std::size_t>(index * what.M) + row] = tile.e[row];
}

Packed draw_tiles(const Case& what, int first, int count) {
  Packed out;
  const auto tiles = static_cast<std::size_t>(count);
  out.a.resize(tiles * what.M * what.a_bytes());
  out.b.resize(tiles * what.N * what.b_bytes());
  out.c.resize(tiles * what.M * what.N * what.c_bytes());
  out.e.resize(tiles * what.M);
  const unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      for (int i = static_cast<int>(w); i < count; i += static_cast<int>(workers))
        draw_tile(what, first + i, i, out);
    });
  for (std::thread& thread : threads) thread.join();
  return out;
}

template <class T>
struct OnDevice {
  explicit OnDevice(const std::vector<T>& from) : bytes(from.size() * sizeof(T)) {
    CHECK_CUDA(cudaMalloc(&pointer, bytes + 16));
    CHECK_CUDA(cudaMemcpy(pointer, from.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(pointer); }
  template <class U>
  U* as() const {
    return static_cast<U*>(pointer);
  }
  void* pointer = nullptr;
  std::size_t bytes;
};

struct Options {
  std::FILE* out;
  int tiles, full;
  const char* word;
};

/// `launch(a, b, c, e, d, tiles)` computes; d holds c beforehand where both have the same type.
template <class Launch>
void record(const Options& options, const char* name, Launch launch) {
  const Case what = parse_case(name);
  if (options.word != nullptr && std::strstr(name, options.word) == nullptr) return;
  const std::size_t bytes = static_cast<std::size_t>(what.M * what.N * what.d_bytes());
  // As many outputs of every instruction, in whole turns of the themes.
  const int total = what.M < 16   ? 2 * options.tiles
                    : what.M < 64 ? options.tiles
                                  : (options.tiles / 4 + 15) / 16 * 16;
  // Whole tiles are for finding out what is wrong; one variant of an instruction is enough for
  // that.
  const bool common = what.a->exponent_bits != 0 && std::strchr(name, ' ') == nullptr &&
                      (!what.sparse || what.wgmma || std::strstr(name, "ordered") != nullptr);
  const int full = common ? std::min(total, what.M < 64 ? options.full : options.full / 4) : 0;
  std::fprintf(options.out, "%s|%d|%d|%zu\n", name, full, total - full, bytes);
  for (int first = 0; first < total; first += 1024) {
    const int tiles = std::min(1024, total - first);
    const Packed in = draw_tiles(what, first, tiles);
    std::vector<unsigned char> d(bytes * static_cast<std::size_t>(tiles));
    if (d.size() == in.c.size()) d = in.c;
    OnDevice<unsigned char> a(in.a), b(in.b), c(in.c), device_d(d);
    OnDevice<std::uint64_t> e(in.e);
    launch(what, a, b, c, e, device_d, tiles);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaMemcpy(d.data(), device_d.pointer, d.size(), cudaMemcpyDeviceToHost));
    for (int i = 0; i < tiles; ++i) {
      const unsigned char* tile = &d[static_cast<std::size_t>(i) * bytes];
      if (first + i < full) {
        std::fwrite(tile, 1, bytes, options.out);
      } else {
        const std::uint32_t print = fingerprint(tile, bytes);
        std::fwrite(&print, sizeof print, 1, options.out);
      }
    }
  }
}

template <class I>
void record_mma(const Options& options) {
  record(options, I::kName,
         [](const Case& what, auto& a, auto& b, auto&, auto& e, auto& d, int tiles) {
           run_mma<I><<<static_cast<unsigned>(tiles), 32>>>(
               a.template as<Word>(), b.template as<Word>(), e.template as<std::uint64_t>(),
               d.template as<Word>(), what.M, what.N * what.d_bytes() / 4);
         });
}
template <class I>
void record_wgmma(const Options& options) {
  record(options, I::kName,
         [](const Case& what, auto& a, auto& b, auto&, auto& e, auto& d, int tiles) {
           run_wgmma<I><<<static_cast<unsigned>(tiles), 128>>>(
               a.template as<Word>(), b.template as<Word>(), e.template as<std::uint64_t>(),
               d.template as<Word>(), what.N * what.d_bytes() / 4);
         });
}
template <int nd, int na, int nb>
void record_double(const Options& options) {
  record(options, Double<nd, na, nb>::kName,
         [](const Case& what, auto& a, auto& b, auto&, auto&, auto& d, int tiles) {
           run_double<nd, na, nb><<<static_cast<unsigned>(tiles), 32>>>(
               a.template as<double>(), b.template as<double>(), d.template as<double>(), what.M,
               what.K);
         });
}
template <int kind>
void record_quad_pair(const Options& options, const char* name) {
  record(options, name, [](const Case&, auto& a, auto& b, auto& c, auto&, auto& d, int tiles) {
    run_quad_pair<kind><<<static_cast<unsigned>(tiles), 32>>>(
        a.template as<Word>(), b.template as<Word>(), c.template as<Word>(), d.template as<Word>());
  });
}

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "record: OUT TILES FULL NOTE [WORD]\n");
    return 2;
  }
  const Options options{std::fopen(argv[1], "wb"), std::atoi(argv[2]), std::atoi(argv[3]),
                        argc > 5 ? argv[5] : nullptr};
  if (options.out == nullptr) {
    std::fprintf(stderr, "record: cannot write %s\n", argv[1]);
    return 2;
  }
  cudaDeviceProp card{};
  int driver = 0, runtime = 0;
  CHECK_CUDA(cudaGetDeviceProperties(&card, 0));
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  std::fprintf(options.out, "lanescope arithmetic 1|%s|sm_%d%d|driver %d|runtime %d|%s\n",
               card.name, card.major, card.minor, driver, runtime, argv[4]);
  record_quad_pair<0>(options, QUAD_PAIR_F16);
  record_quad_pair<1>(options, QUAD_PAIR_F32);
  record_quad_pair<2>(options, QUAD_PAIR_MIXED);
  record_double<2, 1, 1>(options);
  record_double<4, 2, 1>(options);
  record_double<4, 4, 2>(options);
  record_double<4, 8, 4>(options);
#define RECORD_MMA(id) record_mma<id>(options);
#define RECORD_WGMMA(id) record_wgmma<id>(options);
  EVERY_MMA(RECORD_MMA)
  EVERY_WGMMA(RECORD_WGMMA)
#ifndef WITHOUT_SPARSE
  EVERY_SPARSE_MMA(RECORD_MMA)
  EVERY_SPARSE_WGMMA(RECORD_WGMMA)
#endif
  std::fclose(options.out);
}
