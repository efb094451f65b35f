// SPDX-License-Identifier: MIT
// See quiz_sums.hpp.
//
// Source: docs/arithmetic.md.
#include "panels/quiz/quiz_sums.hpp"

#include <fmt/format.h>

#include <iterator>

namespace lanescope::viz {

namespace {

/// A tensor core's unit: binary places that its terms keep behind the largest one's point, and bits
/// that D has behind its leading one.
struct Unit {
  const char* name;
  int places, bits;
};
constexpr Unit kUnits[] = {{"wgmma of e4m3 into f32, sm_90a", 13, 13},
                           {"mma.sync of f16 into f32, sm_90a", 25, 23},
                           {"mma.sync of f16 into f32, sm_80", 24, 23}};

int cut(int number, int place) { return number / place * place; }

}  // namespace

QuizQuestion ask_kept(const Below& below) {
  const Unit& unit = kUnits[below(std::size(kUnits))];
  // The last place of a term is 1, 2 or 4; sm_80 adds eight products at a time.
  const int exponent = unit.places + below(3), product = 1 + below(15), count = 1 + below(8);
  const int place = 1 << (exponent - unit.places), D_place = 1 << (exponent - unit.bits);
  const int kept = cut(product, place), sum = count * kept, grown = cut(sum, D_place);
  QuizQuestion q;
  q.about = fmt::format("{}: terms keep {} binary places, D {} bits behind its leading one",
                        unit.name, unit.places, unit.bits);
  q.asks = fmt::format(
      "D is 2^{}. {} of the products, at k = 0{}, {} {}{}, the others are 0. By how "
      "much does D grow?",
      exponent, count, count == 1 ? "" : fmt::format(" to {}", count - 1),
      count == 1 ? "is" : "are", product, count == 1 ? "" : " each");
  q.expects = "a whole number, such as 12";
  q.parts = {"number"};
  q.limits = {1000};
  q.answers = {{grown}};
  q.reveal = fmt::format(
      "{}\nbeside 2^{} the last place of a term is 2^({} - {}) = {}: {} is left of {}\n{} times {} "
      "is {}; D's last place is 2^({} - {}) = {}, and again the rest is cut off",
      grown, exponent, exponent, unit.places, place, kept, product, count, kept, sum, exponent,
      unit.bits, D_place);
  return q;
}

QuizQuestion ask_moving_out(const Below& below) {
  const int every = 64 << below(3), steps = 2 + below(62),
            step = below(static_cast<std::size_t>(steps));
  const int group = every / 32, times = (steps + group - 1) / group;
  QuizQuestion q;
  q.about = "a loop over K, 32 in every step, by wgmma of e4m3; the last group may be shorter";
  q.asks = fmt::format(
      "K = {}, and every {} of it the sums move out of the tensor core: how many times, and what "
      "is scale-d of step {} (of 0 to {})?",
      steps * 32, every, step, steps - 1);
  q.expects = "times scale-d, such as 12 0";
  q.parts = {"number of times", "scale-d"};
  q.limits = {1000, 2};
  q.answers = {{times, step % group == 0 ? 0 : 1}};
  q.reveal = fmt::format(
      "{} {}\n{} steps are a group: {} steps are {} group{}{}\nstep {} is number {} of its group: "
      "{}",
      times, step % group == 0 ? 0 : 1, group, steps, times, times == 1 ? "" : "s",
      steps % group == 0 ? ""
      : times == 1       ? ", which is shorter"
                         : ", the last one shorter",
      step, step % group,
      step % group == 0 ? "it begins anew, what is in D has moved out" : "D goes on");
  return q;
}

}  // namespace lanescope::viz
