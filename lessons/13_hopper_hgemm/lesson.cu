// SPDX-License-Identifier: MIT
// Lesson 13, HGEMM the Hopper way: ten kernels that all compute D = A*B in f16 or bf16, each with
// one idea more than the one before. Here they are run and checked, and with --bench raced against
// cuBLASLt. The kernels: rungs.cuh (1 to 7), hgemm.cuh (8 to 10, and for your own programs).
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.15 (wgmma), 9.7.9.27 (TMA), 9.7.13.15 (mbarrier); lessons 09 to 12.
#include <functional>
#include <string>
#include <vector>

#include "arguments.cuh"
#include "bench_gemm.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "record.cuh"
#include "rungs.cuh"

using namespace hgemm;

// ---- The ladder ---------------------------------------------------------------------------------

struct Operands {
  Type type;
  Problem problem;
  std::uint16_t *A, *B, *D;
  int multiprocessors;  // for persistent kernels; 0: all

  CUtensorMap map(const std::uint16_t* matrix, int rows, int box_rows) const {
    return tensor_map_2d(
        type == Type::kF16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        const_cast<std::uint16_t*>(matrix), std::uint64_t(problem.K), std::uint64_t(rows),
        std::uint64_t(problem.K) * 2, kBlockK, std::uint32_t(box_rows), CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  }
};

using Start = std::function<void()>;  // launches a kernel whose tensor maps are made

template <int kBlock, Type kType>
Start start_alternate(const Operands& o) {
  const auto [M, N, K] = o.problem;
  const dim3 grid(unsigned(divide_up(N, kBlock)), unsigned(divide_up(M, kBlock)));
  return [=, a = o.map(o.A, M, kBlock), b = o.map(o.B, N, kBlock)] {
    alternate<kType, kBlock><<<grid, 128>>>(a, b, o.D, o.problem, NoRecorder{});
  };
}

template <class R, Type kType>
Start start_pipelined(const Operands& o) {
  const auto [M, N, K] = o.problem;
  const int tiles = divide_up(M, R::kBlockM * R::kCluster) * divide_up(N, R::kBlockN);
  const int blocks = o.multiprocessors > 0 ? o.multiprocessors : multiprocessors();
  const int clusters = R::kPersistent ? std::min(tiles, blocks / R::kCluster) : tiles;
  CUDA_CHECK(cudaFuncSetAttribute(pipelined<R, kType>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(PipelinedShared<R>)));
  return [=, a = o.map(o.A, M, R::kBlockM), b = o.map(o.B, N, R::kBlockN / R::kCluster)] {
    pipelined<R, kType>
        <<<clusters * R::kCluster, R::kThreads, sizeof(PipelinedShared<R>)>>>(a, b, o.D, o.problem);
  };
}

template <class S>
Start start_gemm(const Operands& o, int band) {
  const Gemm gemm = Gemm::with<S>(o.type, o.problem, o.A, o.B, o.D, band, o.multiprocessors);
  return [gemm] { gemm.launch(); };
}

struct Kernel {
  const char* adds;
  const char* tile;
  Start (*start)(const Operands&);
};

#define BY_TYPE(start, shape)                                                                 \
  [](const Operands& o) {                                                                     \
    return o.type == Type::kF16 ? start<shape, Type::kF16>(o) : start<shape, Type::kBf16>(o); \
  }
const Kernel kRungs[] = {
    {"wgmma out of tiles that TMA brings", "64 x 64", BY_TYPE(start_alternate, 64)},
    {"a larger tile", "128 x 128", BY_TYPE(start_alternate, 128)},
    {"a producer and a ring of 4 stages", "128 x 128", BY_TYPE(start_pipelined, Rung3)},
    {"two consumers", "128 x 256", BY_TYPE(start_pipelined, Rung4)},
    {"persistent blocks", "128 x 256", BY_TYPE(start_pipelined, Rung5)},
    {"clusters of 2, B by multicast", "128 x 256", BY_TYPE(start_pipelined, Rung6)},
    {"setmaxnreg", "128 x 256", BY_TYPE(start_pipelined, Rung7)},
    {"stmatrix and TMA stores", "128 x 256",
     [](const Operands& o) { return start_gemm<Shape256Pair>(o, o.problem.M); }},
    {"tiles in bands", "128 x 256",
     [](const Operands& o) { return start_gemm<Shape256Pair>(o, Gemm::kBand); }},
    {"ping-pong", "128 x 128",
     [](const Operands& o) { return start_gemm<ShapePingPong>(o, Gemm::kBand); }},
};

// ---- Right answers ------------------------------------------------------------------------------

// Whole numbers 0 to 3, so that no sum is rounded before D: the answer is exact.
int number(int row, int k, int seed) { return (row * 7 + k * 5 + row * k / 16 + seed) % 4; }

std::uint16_t encode(Type type, int n) {
  return static_cast<std::uint16_t>(type == Type::kF16 ? F16::encode(n) : Bf16::encode(n));
}

/// To the nearest 16-bit number, a tie to the even one.
std::uint16_t rounded(Type type, int n) {
  const int digits = type == Type::kF16 ? 11 : 8;  // that a number of the type has
  int unit = 1;
  while (n / unit >> digits != 0) unit *= 2;
  int units = n / unit;
  const int rest = n % unit;
  if (rest * 2 > unit || (rest * 2 == unit && units % 2 == 1)) ++units;
  // The result has few enough digits to be encoded digit by digit.
  const std::uint32_t exact = type == Type::kF16 ? F16::encode(units) : Bf16::encode(units);
  std::uint32_t doublings = 0;
  while (unit >> (doublings + 1) != 0) ++doublings;
  return static_cast<std::uint16_t>(exact + (doublings << (digits - 1)));
}

struct Matrices {
  Problem p;
  std::vector<std::uint16_t> A, B, D;  // D: the answer

  Matrices(Type type, Problem problem) : p(problem) {
    for (int row = 0; row < p.M; ++row)
      for (int k = 0; k < p.K; ++k) A.push_back(encode(type, number(row, k, 1)));
    for (int col = 0; col < p.N; ++col)
      for (int k = 0; k < p.K; ++k) B.push_back(encode(type, number(col, k, 2)));
    for (int row = 0; row < p.M; ++row)
      for (int col = 0; col < p.N; ++col) {
        int sum = 0;
        for (int k = 0; k < p.K; ++k) sum += number(row, k, 1) * number(col, k, 2);
        D.push_back(rounded(type, sum));
      }
  }
};

int count_wrong(const Kernel& rung, Type type, const Matrices& m) {
  DeviceArray<std::uint16_t> A(m.A), B(m.B), D(m.D.size());
  // Few multiprocessors, so that a persistent block has more than one tile.
  rung.start({type, m.p, A.data(), B.data(), D.data(), 4})();
  const std::vector<std::uint16_t> found = D.get();
  int wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] != m.D[i];
  return wrong;
}

bool check_all() {
  // Whole tiles; parts of tiles; several tiles a block; hardly anything.
  const Problem problems[] = {{128, 256, 64}, {200, 264, 136}, {264, 520, 456}, {1, 8, 8}};
  std::printf(
      "D = A*B in f16 and in bf16: elements that are not what the host gets, by M x N x K\n\n");
  std::printf("rung  adds                                tile     ");
  std::vector<Matrices> f16, bf16;
  for (const Problem& p : problems) {
    const std::string size =
        std::to_string(p.M) + "x" + std::to_string(p.N) + "x" + std::to_string(p.K);
    std::printf(" %11s", size.c_str());
    f16.emplace_back(Type::kF16, p);
    bf16.emplace_back(Type::kBf16, p);
  }
  std::printf("\n");
  bool good = true;
  int number = 0;
  for (const Kernel& rung : kRungs) {
    std::printf("%4d  %-34s  %-9s", ++number, rung.adds, rung.tile);
    for (std::size_t i = 0; i < f16.size(); ++i) {
      const int wrong =
          count_wrong(rung, Type::kF16, f16[i]) + count_wrong(rung, Type::kBf16, bf16[i]);
      good = good && wrong == 0;
      std::printf(" %11d", wrong);
    }
    std::printf("\n");
  }
  return good;
}

// ---- --bench ------------------------------------------------------------------------------------

struct BenchOptions {
  std::vector<bench::Problem> sizes;
  std::vector<bench::Type> types{bench::Type::kF16, bench::Type::kBf16};
  bench::Options race;
  bool rungs = false, shapes = false, zeros = false;
};

Operands operands(const bench::GemmBuffers& buffers, int set) {
  const bench::Problem p = buffers.problem();
  return {buffers.type() == bench::Type::kF16 ? Type::kF16 : Type::kBf16,
          {p.M, p.N, p.K},
          buffers.A(set),
          buffers.B(set),
          buffers.C(set),
          0};
}

/// One contestant: a kernel on each of the sets of buffers, its tensor maps made beforehand.
bench::Contestant contestant(const std::string& name, const bench::GemmBuffers& buffers,
                             const std::function<Start(const Operands&)>& start) {
  std::vector<Start> starts;
  for (int set = 0; set < buffers.sets(); ++set) starts.push_back(start(operands(buffers, set)));
  return {name, [starts](int set) { starts[std::size_t(set) % starts.size()](); }};
}

Start best(const Operands& o) {
  const Gemm gemm(o.type, o.problem, o.A, o.B, o.D);
  return [gemm] { gemm.launch(); };
}

template <class S>
Start with_shape(const Operands& o) {
  return start_gemm<S>(o, Gemm::kBand);
}

/// What the constructor of Gemm chooses from.
const struct {
  const char* name;
  Start (*start)(const Operands&);
} kShapes[] = {{"256x192 pair", with_shape<Shape192Pair>},
               {"128x256 pair", with_shape<Shape256Pair>},
               {"128x256", with_shape<Shape256>},
               {"ping-pong", with_shape<ShapePingPong>},
               {"128x64", with_shape<Shape64>}};

bool bench_size(bench::Problem p, bench::Type type, bool zeros, const BenchOptions& options,
                const bench::Monitor& monitor) {
  bench::GemmBuffers buffers(p, type, bench::Order::kColumns, zeros);
  bench::Cublas cublas(buffers, options.race.seconds / 3);
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
    std::printf("  %-12s %7.1f TFLOP/s  %.3f x  (%.1f to %.1f), %4.0f MHz, %3.0f W, %.4f ms\n",
                one.name.c_str(), p.flop() / one.seconds.median * 1e-12,
                results[0].seconds.median / one.seconds.median, p.flop() / one.seconds.high * 1e-12,
                p.flop() / one.seconds.low * 1e-12, one.mhz, one.watts, one.seconds.median * 1e3);
  return good;
}

int run_bench(const BenchOptions& options) {
  if (bench::on_emulator()) {
    std::printf("--bench needs a GPU: on the emulator time means nothing.\n");
    return 0;
  }
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

BenchOptions bench_options(int argc, char** argv) {
  BenchOptions options;
  options.rungs = argument_given(argc, argv, "--rungs");
  options.shapes = argument_given(argc, argv, "--shapes");
  options.zeros = argument_given(argc, argv, "--zeros");
  if (const char* seconds = argument_value(argc, argv, "--seconds"))
    options.race.seconds = std::atof(seconds);
  if (const char* rounds = argument_value(argc, argv, "--rounds"))
    options.race.rounds = std::atoi(rounds);
  if (const char* type = argument_value(argc, argv, "--type"))
    options.types = {std::string(type) == "bf16" ? bench::Type::kBf16 : bench::Type::kF16};
  bench::Problem p{};
  if (const char* size = argument_value(argc, argv, "--size")) {
    if (std::sscanf(size, "%dx%dx%d", &p.M, &p.N, &p.K) != 3) {
      p.M = p.N = p.K = std::atoi(size);
    }
    if (p.M < 1 || p.N < 8 || p.K < 8 || p.N % 8 != 0 || p.K % 8 != 0) {
      std::fprintf(stderr, "lesson: --size %s: wanted is N or MxNxK, N and K multiples of 8\n",
                   size);
      std::exit(2);
    }
    options.sizes = {p};
  } else {
    for (const int n : {1024, 2048, 4096, 8192, 16384}) options.sizes.push_back({n, n, n});
    options.sizes.push_back({4104, 4000, 4088});
    options.sizes.push_back({8191, 8200, 8072});
  }
  return options;
}

// ---- What there is to see -----------------------------------------------------------------------

/// Rung 1 on one tile, two steps of k: what TMA puts into shared memory, and what wgmma makes of
/// it.
bool record(Recorder& recorder) {
  const Matrices m(Type::kF16, {64, 64, 2 * kBlockK});
  DeviceArray<std::uint16_t> A(m.A), B(m.B), D(m.D.size());
  const Operands o{Type::kF16, m.p, A.data(), B.data(), D.data(), 0};
  alternate<Type::kF16, 64><<<1, 128>>>(o.map(o.A, 64, 64), o.map(o.B, 64, 64), o.D, m.p,
                                        recorder.launch("alternate", 1, 128));
  return D.get() == m.D;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace", "--size", "--type", "--seconds", "--rounds"},
                 {"--bench", "--rungs", "--shapes", "--zeros"});
  Recorder recorder(argc, argv, "13_hopper_hgemm");
  recorder.view("13 HGEMM the Hopper way", {"fragments", "memory", "lanes"}, "D 41,9",
                "Rung 1: tiles as TMA swizzles them, and the sums of 128 threads.");
  cudaDeviceProp device{};
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("HGEMM the Hopper way: %s, sm_%d%d\n\n", device.name, device.major, device.minor);
  if (device.major != 9) {
    std::fprintf(stderr,
                 "lesson: wgmma is an instruction of sm_90a alone; this is sm_%d%d; "
                 "`./learn lesson 13 --device cpu` has it\n",
                 device.major, device.minor);
    return 2;
  }
  if (argument_given(argc, argv, "--bench")) return run_bench(bench_options(argc, argv));
  bool good = check_all();
  good = record(recorder) && good;
  std::printf("\n%s\n", good ? "Ten kernels, one answer." : "Some are WRONG.");
  return recorder.write() && good ? 0 : 1;
}
