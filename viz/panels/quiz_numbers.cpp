// SPDX-License-Identifier: MIT
// See quiz_numbers.hpp.
//
// Sources: PTX ISA 9.2, 5.2.3 (mantissas), 9.7.9.21 (cvt.rn: to the nearest, ties to even); CUDA
// C++ Programming Guide, compute capabilities (65536 registers an SM, at most 255 a thread).
#include "panels/quiz_numbers.hpp"

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
  q.expects = fmt::format("a whole number, such as {}", first);
  q.parts = {"number"};
  q.limits = {8193};
  q.answers = {{taken * step}};
  q.reveal = fmt::format(
      "{} becomes {}\nfrom {} to {} the numbers of {} are {} / 2^{} = {} apart\n"
      "{} lies between {} * {} = {} and {} * {} = {}: ",
      number, taken * step, first, 2 * first, type.name, first, type.mantissa_bits, step, number,
      lower, step, lower * step, lower + 1, step, (lower + 1) * step);
  q.reveal += tie ? fmt::format("half-way, so it goes to the even one, {}", taken)
                  : fmt::format("{} is nearer", taken * step);
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
