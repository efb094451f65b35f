// SPDX-License-Identifier: MIT
// Lesson 13, HGEMM the Hopper way: ten kernels that all compute D = A*B in f16 or bf16, each with
// one idea more than the one before. Here they are run and checked, and with --bench raced against
// cuBLASLt. The kernels: rungs.cuh (1 to 7), kernel.cuh (8 to 10; for your own programs hgemm.cuh).
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.15 (wgmma), 9.7.9.25.5 (TMA), 9.7.13.15 (mbarrier); lessons 09-12.
//   Steps:    kernel=pipelined,launch=36   (rung 5, a block with three tiles)
#include <string>
#include <vector>

#include "arguments.cuh"
#include "device_array.cuh"
#include "element.cuh"
#include "ladder.cuh"
#include "race.cuh"
#include "record.cuh"
#include "this_device.cuh"

using namespace hgemm;

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
  const ThisDevice device = introduce("HGEMM the Hopper way");
  if (device.arch != "sm_90a") return device.lacks("wgmma is an instruction of sm_90a alone", 13);
  if (argument_given(argc, argv, "--bench")) return run_bench(bench_options(argc, argv));
  bool good = check_all();
  good = record(recorder) && good;
  std::printf("\n%s\n", good ? "Ten kernels, one answer." : "Some are WRONG.");
  return recorder.write() && good ? 0 : 1;
}
