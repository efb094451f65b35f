// SPDX-License-Identifier: MIT
// See quiz_numbers.hpp.
//
// Sources: PTX ISA 9.2, 5.2.3 (mantissas), 9.7.9.21 (cvt.rn: to the nearest, ties to
// even), 9.7.15.2 (shapes of wgmma); CUDA C++ Programming Guide, compute capabilities (65536
// registers an SM, at most 255 a thread); CUDA Binary Utilities, instruction set reference (names).
#include "panels/quiz/quiz_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {

QuizQuestion ask_rounding(const Below& below) {
  struct Type {
    const char* name;
    int mantissa_bits, least, most;  // exponents of the numbers that are drawn: not all exact
  };
  constexpr Type kTypes[] = {
      {"f16", 10, 11, 12}, {"bf16", 7, 8, 11}, {"e4m3", 3, 4, 7}, {"e5m2", 2, 3, 7}};
  const Type& type = kTypes[below(std::size(kTypes))];
  const int exponent = type.least + below(static_cast<std::size_t>(type.most - type.least + 1));
  const int first = 1 << exponent, step = 1 << (exponent - type.mantissa_bits);
  const int number =
      first + 2 * below(static_cast<std::size_t>(first / 2)) + 1;  // odd: none has it
  const int lower = number / step, rest = number % step;
  const bool tie = rest * 2 == step;
  const int taken = tie ? lower + lower % 2 : lower + (rest * 2 > step);

  QuizQuestion q;
  q.about = fmt::format("cvt.rn to {}, which has {} mantissa bits: to the nearest, ties to even",
                        type.name, type.mantissa_bits);
  q.asks = fmt::format("Which number does {} become?", number);
  q.expects = fmt::format("a whole number, such as {}", taken * step == first ? 2 * first : first);
  q.parts = {"number"};
  q.limits = {8193};
  q.answers = {{taken * step}};
  q.reveal = fmt::format(
      "{} becomes {}\nfrom {} to {} the numbers of {} are {} / 2^{} = {} apart\n"
      "{} lies between {} * {} = {} and {} * {} = {}: ",
      number, taken * step, first, 2 * first, type.name, first, type.mantissa_bits, step, number,
      lower, step, lower * step, lower + 1, step, (lower + 1) * step);
  q.reveal += tie ? fmt::format("half-way, so it goes to the even one of {} and {}: {}", lower,
                                lower + 1, taken)
                  : fmt::format("{} is nearer", taken * step);
  return q;
}

QuizQuestion ask_ragged(const Below& below) {
  const int M = 20 + below(120), N = 20 + below(120), K = 20 + below(280);
  const int down = (M + 15) / 16, across = (N + 7) / 8, steps = (K + 15) / 16;
  QuizQuestion q;
  q.about = fmt::format(
      "C = A*B with M x N x K = {} x {} x {}; a block has one tile of C, 16 x 8, and goes along k "
      "in "
      "steps of 16",
      M, N, K);
  q.asks = "How many blocks are there, and how many steps has each?";
  q.expects = "blocks and steps, such as 60 16";
  q.parts = {"number of blocks", "number of steps"};
  q.limits = {10000, 1000};
  q.answers = {{down * across, steps}};
  q.reveal = fmt::format(
      "{} and {}\n{} rows are {} tiles of 16, {} columns {} tiles of 8: {} * {} = {}\n{} of k are "
      "{} "
      "steps of 16",
      down * across, steps, M, down, N, across, down, across, down * across, K, steps);
  if (M % 16 + N % 8 + K % 16 > 0) q.reveal += "; what sticks out is zeros, or is not stored";
  return q;
}

QuizQuestion ask_sass_shape(const Below& below) {
  struct Sass {
    const char* name;
    int M, N, K;
  };
  constexpr Sass kNames[] = {{"HMMA.16816.F32", 16, 8, 16},
                             {"HMMA.16816.F16", 16, 8, 16},
                             {"HMMA.1688.F32", 16, 8, 8},
                             {"HMMA.1688.F32.TF32", 16, 8, 8},
                             {"HMMA.1684.F32.TF32", 16, 8, 4},
                             {"HMMA.16816.F32.BF16", 16, 8, 16},
                             {"IMMA.8816.S8.S8", 8, 8, 16},
                             {"IMMA.16816.S8.S8", 16, 8, 16},
                             {"IMMA.16832.S8.S8", 16, 8, 32},
                             {"IMMA.16864.S4.S4", 16, 8, 64},
                             {"QMMA.16832.F32.E4M3.E4M3", 16, 8, 32},
                             {"DMMA.884", 8, 8, 4}};
  const Sass& sass = kNames[below(std::size(kNames))];
  QuizQuestion q;
  q.about = fmt::format("In a listing stands {}", sass.name);
  q.asks = "Which M, N and K does it multiply, and how many elements of A does a lane bring?";
  q.expects = "four numbers, such as 16 8 8 4";
  q.parts = {"M", "N", "K", "number of elements"};
  q.limits = {1000, 1000, 1000, 1000};
  const int each = sass.M * sass.K / 32;
  q.answers = {{sass.M, sass.N, sass.K, each}};
  q.reveal = fmt::format(
      "{0} x {1} x {2}, and {3}\nthe digits are M, N and K behind each other; A is "
      "{0} x {2}, and {0} * {2} / 32 lanes = {3}",
      sass.M, sass.N, sass.K, each);
  return q;
}

QuizQuestion ask_wgmma_type(const Below& below) {
  struct Types {
    const char *name, *sums;
    int bits;
  };
  constexpr Types kTypes[] = {{"f16", "f16", 16},  {"f16", "f32", 16}, {"bf16", "f32", 16},
                              {"tf32", "f32", 32}, {"e4m3", "f16", 8}, {"e4m3", "f32", 8},
                              {"e5m2", "f32", 8},  {"s8", "s32", 8},   {"u8", "s32", 8},
                              {"b1", "s32", 1}};
  constexpr int kN[] = {8, 16, 24, 32, 64, 96, 128, 256};
  const Types& types = kTypes[below(std::size(kTypes))];
  const int N = kN[below(std::size(kN))], K = 256 / types.bits;
  const bool pairs = std::string(types.sums) == "f16";  // two in a register
  const int registers = pairs ? N / 4 : N / 2;
  QuizQuestion q;
  q.about = fmt::format("wgmma with A and B of {}, sums in {}, N = {}", types.name, types.sums, N);
  q.asks = "What is K, and how many registers of D has each of the 128 threads?";
  q.expects = "two numbers, such as 16 64";
  q.parts = {"K", "number of registers"};
  q.limits = {1000, 1000};
  q.answers = {{K, registers}};
  q.reveal = fmt::format(
      "{} and {}\na row of A in one wgmma is 32 bytes, 256 bits: 256 / {} = {}\n64 * {} sums / 128 "
      "threads = {}, {}",
      K, registers, types.bits, K, N, N / 2,
      pairs ? fmt::format("two in a register: {}", registers) : "a register each");
  return q;
}

QuizQuestion ask_registers(const Below& below) {
  constexpr int kThreads[] = {128, 256, 512, 1024};
  constexpr int kTiles[][2] = {{16, 64}, {32, 32}, {32, 64},  {64, 32},
                               {64, 64}, {64, 96}, {128, 32}, {32, 128}};
  const int threads = kThreads[below(std::size(kThreads))];
  const auto& tile = kTiles[below(std::size(kTiles))];
  const int share = 65536 / threads, registers = std::min(share, 255);
  const int sums = tile[0] * tile[1] / 32;

  QuizQuestion q;
  q.about = fmt::format("a kernel with __launch_bounds__({}); a warp has {} x {} of D, sums in f32",
                        threads, tile[0], tile[1]);
  q.asks = "How many registers may a thread have, and how many would its sums take?";
  q.expects = "two numbers, such as 255 and 64";
  q.parts = {"register limit", "number of sums"};
  q.limits = {256, 256};
  q.answers = {{registers, sums}};
  q.reveal = fmt::format(
      "{} and {}\n65536 registers / {} threads = {}{}\n{} * {} elements / 32 lanes = {} sums, a "
      "register each\n",
      registers, sums, threads, share, share > 255 ? ", but no thread has more than 255" : "",
      tile[0], tile[1], sums);
  q.reveal += sums < registers ? fmt::format("{} are left for fragments, addresses and counters",
                                             registers - sums)
                               : "nothing is left for fragments and addresses: it spills";
  return q;
}

}  // namespace lanescope::viz
