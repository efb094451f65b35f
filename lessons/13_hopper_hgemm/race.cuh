// SPDX-License-Identifier: MIT
// --bench: hgemm.cuh, the rungs or the shapes beside cuBLASLt's best of eight plans, interleaved,
// on normal random numbers, answers checked in the same run. How it is measured: bench.cuh.
#pragma once

#include <string>
#include <vector>

#include "arguments.cuh"
#include "bench_cublas.cuh"
#include "ladder.cuh"

namespace hgemm {

struct BenchOptions {
  std::vector<bench::Problem> sizes;
  std::vector<bench::Type> types{bench::Type::kF16, bench::Type::kBf16};
  bench::Options race;
  bool rungs = false, shapes = false, zeros = false;
};

inline Operands operands(const bench::GemmBuffers& buffers, int set) {
  const bench::Problem p = buffers.problem();
  return {buffers.type() == bench::Type::kF16 ? Type::kF16 : Type::kBf16,
          {p.M, p.N, p.K},
          buffers.A(set),
          buffers.B(set),
          buffers.C(set),
          0};
}

/// One contestant: a kernel on each of the sets of buffers, its tensor maps made beforehand.
inline bench::Contestant contestant(const std::string& name, const bench::GemmBuffers& buffers,
                                    const std::function<Start(const Operands&)>& start) {
  std::vector<Start> starts;
  for (int set = 0; set < buffers.sets(); ++set) starts.push_back(start(operands(buffers, set)));
  return {name, [starts](int set) { starts[std::size_t(set) % starts.size()](); }};
}

inline Start best(const Operands& o) {
  const Gemm gemm(o.type, o.problem, o.A, o.B, o.D);
  return [gemm] { gemm.launch(); };
}

template <class S>
Start with_shape(const Operands& o) {
  return start_gemm<S>(o, Gemm::kBand<S>);
}

/// What the constructor of Gemm chooses from.
const struct {
  const char* name;
  Start (*start)(const Operands&);
} kShapes[] = {{"256x192 pair", with_shape<Shape192Pair>},
               {"256x176 pair", with_shape<Shape176Pair>},
               {"256x160 pair", with_shape<Shape160Pair>},
               {"128x256 pair", with_shape<Shape256Pair>},
               {"128x256 beside", with_shape<Shape256Beside>},
               {"128x256", with_shape<Shape256>},
               {"128x224", with_shape<Shape224>},
               {"128x192", with_shape<Shape192>},
               {"128x144", with_shape<Shape144>},
               {"128x112", with_shape<Shape112>},
               {"128x64", with_shape<Shape64>},
               {"ping-pong", with_shape<ShapePingPong>}};

inline bool bench_size(bench::Problem p, bench::Type type, bool zeros, const BenchOptions& options,
                       const bench::Monitor& monitor) {
  bench::GemmBuffers buffers(p, type, bench::Order::kColumns, zeros);
  bench::Cublas cublas(buffers, options.race);
  std::vector<bench::Contestant> contestants;
  if (cublas.there())
    contestants.push_back({"cuBLASLt", [&cublas](int set) { cublas.launch(set); }});
  else
    std::printf("no cuBLASLt: %s\n", cublas.why_not().c_str());
  contestants.push_back(contestant("hgemm.cuh", buffers, best));
  for (std::size_t i = 0; options.rungs && i < std::size(kRungs); ++i)
    contestants.push_back(contestant("rung " + std::to_string(i + 1), buffers, kRungs[i].start));
  for (std::size_t i = 0; options.shapes && i < std::size(kShapes); ++i)
    contestants.push_back(contestant(kShapes[i].name, buffers, kShapes[i].start));

  std::printf("\n%d x %d x %d %s, %s inputs, %d sets of buffers\n", p.M, p.N, p.K,
              type == bench::Type::kF16 ? "f16" : "bf16", zeros ? "zero" : "normal random",
              buffers.sets());
  bool good = true;
  for (const bench::Contestant& one : contestants) {
    buffers.poison();
    one.launch(0);
    const bench::Verdict verdict = buffers.check(0);
    if (verdict.good()) continue;
    good = false;
    std::printf("  %s: WRONG, %llu of %llu elements, %llu never written\n", one.name.c_str(),
                verdict.wrong, verdict.checked, verdict.nan);
  }
  const std::vector<bench::Measured> results = bench::race(contestants, options.race, monitor);
  for (const bench::Measured& one : results)
    std::printf("  %-14s %7.1f TFLOP/s  %.3f x  (%.1f to %.1f), %4.0f MHz, %3.0f W, %.4f ms\n",
                one.name.c_str(), p.flop() / one.seconds.median * 1e-12,
                results[0].seconds.median / one.seconds.median, p.flop() / one.seconds.high * 1e-12,
                p.flop() / one.seconds.low * 1e-12, one.mhz, one.watts, one.seconds.median * 1e3);
  return good;
}

inline int run_bench(const BenchOptions& options) {
  if (bench::needs_gpu()) return 0;
  const bench::Monitor monitor;
  std::printf("%s\n%d rounds of %.2f s each; x: times the first line\n", bench::card().c_str(),
              options.race.rounds, options.race.seconds);
  bool good = true;
  for (const bench::Problem& size : options.sizes)
    for (const bench::Type type : options.types) {
      good = bench_size(size, type, false, options, monitor) && good;
      if (options.zeros) good = bench_size(size, type, true, options, monitor) && good;
    }
  std::printf("\n%s\n", good ? "All answers right." : "WRONG answers, see above.");
  return good ? 0 : 1;
}

inline BenchOptions bench_options(int argc, char** argv) {
  BenchOptions options;
  options.rungs = argument_given(argc, argv, "--rungs");
  options.shapes = argument_given(argc, argv, "--shapes");
  options.zeros = argument_given(argc, argv, "--zeros");
  const auto refuse = [](const char* name, const char* value, const char* wanted) {
    std::fprintf(stderr, "lesson: %s %s: wanted is %s\n", name, value, wanted);
    std::exit(2);
  };
  if (const char* seconds = argument_value(argc, argv, "--seconds")) {
    options.race.seconds = std::atof(seconds);
    if (!(options.race.seconds > 0)) refuse("--seconds", seconds, "a number above 0");
  }
  options.race.rounds = argument_number(argc, argv, "--rounds", options.race.rounds, 1, 1000);
  if (const char* type = argument_value(argc, argv, "--type")) {
    const std::string name = type;
    if (name != "f16" && name != "bf16") refuse("--type", type, "f16 or bf16");
    options.types = {name == "bf16" ? bench::Type::kBf16 : bench::Type::kF16};
  }
  bench::Problem p{};
  if (const char* size = argument_value(argc, argv, "--size")) {
    if (std::sscanf(size, "%dx%dx%d", &p.M, &p.N, &p.K) != 3) {
      p.M = p.N = p.K = std::atoi(size);
    }
    if (p.M < 1 || p.N < 8 || p.K < 8 || p.N % 8 != 0 || p.K % 8 != 0)
      refuse("--size", size, "N or MxNxK, N and K multiples of 8");
    options.sizes = {p};
  } else {
    for (const int n : {1024, 2048, 4096, 8192, 16384}) options.sizes.push_back({n, n, n});
    options.sizes.push_back({4104, 4000, 4088});
    options.sizes.push_back({8191, 8200, 8072});
  }
  return options;
}

}  // namespace hgemm
