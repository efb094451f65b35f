// SPDX-License-Identifier: MIT
// --bench: how fast every rung is, beside cuBLAS and the ceiling. Where nobody can time anything,
// on the emulator, what every rung executes instead.
//
// Method: common/device/bench.cuh. cuBLAS is cuBLASLt's best of eight plans, loaded when this runs.
#pragma once

#include "bench_cublas.cuh"
#include "ceiling.cuh"
#include "counts.cuh"
#include "ladder.cuh"

namespace bench_ladder {

/// N and K of the ragged ones are multiples of 8 and of nothing more; M is odd.
const std::vector<bench::Problem> kSizes{{4096, 4096, 4096},
                                         {8192, 8192, 8192},
                                         {16384, 16384, 16384},
                                         {4999, 6008, 7016},
                                         {8191, 8200, 8248}};

// What is too slow to be worth the wait: rung 0 above 4096, rungs 1 to 3 above 8192.
inline bool is_worth_it(std::size_t number, const bench::Problem& size) {
  const double flop = size.flop();
  return number > 3 || (number > 0 ? flop < 1.3e12 : flop < 0.2e12);
}

inline Gemm gemm(const bench::GemmBuffers& buffers, int set) {
  const bench::Problem p = buffers.problem();
  return {buffers.A(set), buffers.B(set), buffers.C(set), p.M, p.N, p.K};
}

struct Wishes {
  int size = 0;  // only this M; 0: all
  int rounds = 5;
  bool top = false;    // only the rungs from 9 on (without a Hopper: from 8 on)
  bool zeros = false;  // matrices of zeros, for comparison: they cost less power
};

struct Ceiling {
  int blocks = 0;
  DeviceArray<std::uint16_t> words;
  DeviceArray<float> out;

  Ceiling(int sms, bool zeros)
      : blocks(sms),
        words(2 * ceiling::kWordsOfLane * ceiling::kThreads),
        out(static_cast<std::size_t>(sms) * ceiling::kThreads) {
    bench::fill_normal<<<64, 256>>>(words.data(), words.size(), 3, bench::Type::kF16);
    CUDA_CHECK(cudaGetLastError());
    if (zeros) CUDA_CHECK(cudaMemset(words.data(), 0, words.size() * 2));
  }
  void launch() {
    ceiling::mma_only<<<static_cast<unsigned>(blocks), ceiling::kThreads>>>(
        reinterpret_cast<const std::uint32_t*>(words.data()), out.data());
  }
};

inline int sm_count() {
  int count = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

/// One size: the ceiling, cuBLAS and the rungs take turns. False when an answer was wrong.
inline bool time_size(const bench::Problem& size, const std::vector<Rung>& rungs,
                      const Wishes& wishes, const bench::Monitor& monitor) {
  bench::GemmBuffers buffers(size, bench::Type::kF16, bench::Order::kRows, wishes.zeros);
  Ceiling ceiling(sm_count(), wishes.zeros);
  const bench::Options race{wishes.rounds};
  bench::Cublas cublas(buffers, race);
  std::vector<bench::Contestant> contestants{{"mma.sync alone", [&](int) { ceiling.launch(); }}};
  if (cublas.there()) contestants.push_back({"cuBLASLt", [&](int set) { cublas.launch(set); }});
  std::vector<bool> right(contestants.size(), true);
  for (std::size_t n = wishes.top ? std::min<std::size_t>(9, rungs.size() - 2) : 0;
       n < rungs.size(); ++n) {
    if (!is_worth_it(n, size)) continue;
    buffers.poison();
    launch(rungs[n], gemm(buffers, 0));
    right.push_back(buffers.check(0).good());
    contestants.push_back({std::to_string(n) + " " + rungs[n].name,
                           [&, n](int set) { launch(rungs[n], gemm(buffers, set)); }});
  }
  const std::vector<bench::Measured> results = bench::race(contestants, race, monitor);

  std::printf("\nM %d, N %d, K %d; %s; %d copies; %s\n", size.M, size.N, size.K,
              wishes.zeros ? "ZEROS" : "random normal", buffers.sets(),
              cublas.there() ? "cuBLASLt: the best of its plans"
                             : ("no cuBLAS: " + cublas.why_not()).c_str());
  std::printf("                    TFLOP/s  spread  of cuBLAS  of mma.sync    MHz    W  answer\n");
  const double top = ceiling::flop(ceiling.blocks) / results[0].seconds.median;
  const double theirs = cublas.there() ? size.flop() / results[1].seconds.median : 0;
  bool all_right = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bench::Measured& one = results[i];
    const double speed =
        (i == 0 ? ceiling::flop(ceiling.blocks) : size.flop()) / one.seconds.median;
    all_right = all_right && right[i];
    std::printf("%-19s %7.1f  %5.1f%%", one.name.c_str(), speed * 1e-12,
                bench::spread_percent(one.seconds));
    if (theirs > 0)
      std::printf("  %8.1f%%", speed / theirs * 100);
    else
      std::printf("          -");
    std::printf("  %10.1f%%  %5.0f  %3.0f  %s\n", speed / top * 100, one.mhz, one.watts,
                i == 0     ? "-"
                : right[i] ? "right"
                           : "WRONG");
  }
  std::fflush(stdout);
  return all_right;
}

/// What block 0 of each rung executes for 256 x 256 x 256, a full tile of it for every rung.
inline bool count_all(const std::vector<Rung>& rungs) {
  std::printf(
      "No GPU: nothing is timed. What one block executes, counted by the emulator, for M = "
      "N = K = 256:\n\n");
  if (!counts::there()) {
    std::printf("... which this runtime does not count.\n");
    return true;
  }
  std::printf(
      "                      mma  instructions   global loads   shared memory, passes a mma\n"
      "                                   a mma          a mma   least   taken   conflicts\n");
  const bench::Problem size{256, 256, 256};
  bench::GemmBuffers buffers(size, bench::Type::kF16, bench::Order::kRows);
  bool all_right = true;
  counts::start();
  for (std::size_t n = 0; n < rungs.size(); ++n) {
    buffers.poison();
    launch(rungs[n], gemm(buffers, 0));
    CUDA_CHECK(cudaDeviceSynchronize());
    counts::Block block;
    if (!counts::of_last_launch(block) || block.mma == 0) return false;
    const bool right = buffers.check(0).good();
    all_right = all_right && right;
    const auto a_mma = [&](std::uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(block.mma);
    };
    std::printf("%2zu %-14s %7llu  %12.2f  %13.3f  %6.2f  %6.2f  %9.2f%s\n", n, rungs[n].name,
                static_cast<unsigned long long>(block.mma), a_mma(block.instructions),
                a_mma(block.global_loads), a_mma(block.least_passes), a_mma(block.passes),
                a_mma(block.passes - block.least_passes), right ? "" : "  WRONG");
  }
  return all_right;
}

inline bool has_size(int M) {
  for (const bench::Problem& size : kSizes)
    if (size.M == M) return true;
  return false;
}

inline bool run(const std::vector<Rung>& rungs, const Wishes& wishes) {
  if (wishes.size != 0 && !has_size(wishes.size)) {
    std::fprintf(stderr, "lesson: --size %d: wanted is one of", wishes.size);
    for (const bench::Problem& size : kSizes) std::fprintf(stderr, " %d", size.M);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  std::printf("%s\n", bench::card().c_str());
  if (bench::on_emulator()) return count_all(rungs);
  const bench::Monitor monitor;
  bool all_right = true;
  for (const bench::Problem& size : kSizes)
    if (wishes.size == 0 || wishes.size == size.M)
      all_right = time_size(size, rungs, wishes, monitor) && all_right;
  return all_right;
}

}  // namespace bench_ladder
