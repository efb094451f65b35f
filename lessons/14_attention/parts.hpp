// SPDX-License-Identifier: MIT
// What no list of mistakes has foreseen: of an answer to exercise 14 the three parts one by one,
// with the indices that it has and those that it should have: which weights are in A, which are
// added to the sums, what o is multiplied by. Only A can be looked at where the sums are wrong.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "14_attention/answer.hpp"

namespace exercise_14 {

using Ask = std::function<Result(const Problem&)>;
using Names = std::vector<std::string>;

/// "x, y and z"
inline std::string joined(const Names& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return names.empty() ? "nothing" : text;
}

/// A lane's weights are numbered 0 to 7: p[0][0] to p[1][3].
constexpr int kWeights = 8, kLanes = 32;
constexpr const char* kDivided = " / sum[";
inline std::string weight_name(int weight) {
  return "p[" + std::to_string(weight / 4) + "][" + std::to_string(weight % 4) + "]";
}
inline Place weight_place(int weight, int lane) {
  return {lane / 4 + weight % 4 / 2 * 8, weight / 4 * 8 + lane % 4 * 2 + weight % 2};
}
/// A register's half, and a weight, of a sum: those that belong there.
inline int weight_of_half(int reg, int half) { return reg / 2 * 4 + reg % 2 * 2 + half; }
inline bool of_row(int weight, int row) { return weight % 4 / 2 == row; }

/// As f16 has it, if it is not too small for that.
inline float in_f16(float number) {
  int exponent;
  const float fraction = std::frexp(number, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
}
/// A weight after the lane has divided it by what it has added up of the row, where there is one
/// block.
inline float divided(const Problem& problem, int weight, int lane) {
  float sum = 0;
  for (int other = 0; other < kWeights; ++other)
    if (of_row(other, weight % 4 / 2)) sum += problem.weight(weight_place(other, lane));
  return in_f16(problem.weight(weight_place(weight, lane)) / sum);
}

constexpr const char* kUnrounded = "the upper half of the f32 ";
/// Of a weight that stands in A as the f32 that it was: what its upper 16 bits are as f16.
inline float upper_half(float weight) {
  std::uint32_t bits;
  std::memcpy(&bits, &weight, sizeof bits);
  const int half = static_cast<int>(bits >> 16);
  return std::ldexp(static_cast<float>((half & 1023) | 1024), half / 1024 - 25);
}

/// "a[3] has p[1][0] and p[1][1], not p[1][2] and p[1][3]"; "": A is right, or cannot be seen.
inline std::string wrong_a(const Result& apart, const Problem& problem) {
  const auto has = [&](Place at, float weight) {
    const auto row = static_cast<std::size_t>(at.row);
    return apart.O[row * kDim + static_cast<std::size_t>(at.col)] == weight / apart.sum[row];
  };
  const auto name = [&](int reg, int half) -> std::string {
    const auto in_every_lane = [&](auto weight_in) {
      for (int lane = 0; lane < kLanes; ++lane)
        if (!has(weight_place(weight_of_half(reg, half), lane), weight_in(lane))) return false;
      return true;
    };
    for (int weight = 0; weight < kWeights; ++weight)
      if (in_every_lane([&](int lane) { return problem.weight(weight_place(weight, lane)); }))
        return weight_name(weight);
    for (int weight = 0; weight < kWeights; ++weight)
      if (in_every_lane([&](int lane) { return divided(problem, weight, lane); }))
        return weight_name(weight) + kDivided + std::to_string(weight % 4 / 2) + "]";
    for (int weight = 0; weight < kWeights; ++weight)
      if (in_every_lane(
              [&](int lane) { return upper_half(problem.weight(weight_place(weight, lane))); }))
        return kUnrounded + weight_name(weight);
    return in_every_lane([](int) { return 0.0f; }) ? "nothing" : "something else";
  };
  for (const float sum : apart.sum)
    if (!(sum > 0)) return "";
  std::string words;
  int wrong = 0;
  for (int reg = 0; reg < 4; ++reg) {
    const Names should{weight_name(weight_of_half(reg, 0)), weight_name(weight_of_half(reg, 1))};
    const Names is{name(reg, 0), name(reg, 1)};
    if (is == should || ++wrong > 2) continue;
    words += (words.empty() ? "a[" : "; a[") + std::to_string(reg) + "] has " +
             (is[0] == is[1] ? is[0] + (is[0][0] == 'p' ? " twice" : "") : joined(is)) + ", not " +
             joined(should);
  }
  return words + (wrong > 2 ? "; and so on" : "");
}

/// "sum[0] adds up p[0][0] and p[0][1], not ..."; "": they are right, or not made of whole weights.
inline std::string wrong_sums(const Ask& ask, const std::vector<Problem>& one_block) {
  std::string words;
  std::vector<Result> found;
  for (const Problem& problem : one_block) found.push_back(ask(problem));
  for (int row = 0; row < 2; ++row) {
    std::array<int, kWeights> best{};
    int least = 100;
    for (int choice = 0; choice < 6561; ++choice) {  // each weight not at all, once or twice
      std::array<int, kWeights> times{};
      int different = 0;
      for (int weight = 0, rest = choice; weight < kWeights; ++weight, rest /= 3) {
        times[static_cast<std::size_t>(weight)] = rest % 3;
        different += std::abs(rest % 3 - (of_row(weight, row) ? 1 : 0));
      }
      bool same = different < least;
      for (std::size_t i = 0; i < one_block.size() && same; ++i)
        for (int group = 0; group < 8 && same; ++group) {
          float sum = 0;
          for (int weight = 0; weight < kWeights; ++weight)
            for (int lane = group * 4; lane < group * 4 + 4; ++lane)
              sum += static_cast<float>(times[static_cast<std::size_t>(weight)]) *
                     one_block[i].weight(weight_place(weight, lane));
          same = sum == found[i].sum[static_cast<std::size_t>(group + row * 8)];
        }
      if (same) best = times, least = different;
    }
    if (least == 0 || least == 100) continue;
    Names is, should;
    for (int weight = 0; weight < kWeights; ++weight) {
      const int times = best[static_cast<std::size_t>(weight)];
      if (times > 0) is.push_back(weight_name(weight) + (times == 2 ? " twice" : ""));
      if (of_row(weight, row)) should.push_back(weight_name(weight));
    }
    words += (words.empty() ? "sum[" : "; sum[") + std::to_string(row) + "] adds up " + joined(is) +
             ", not " + joined(should);
  }
  return words;
}

/// factor[0] and factor[1], each so many times; or one of them, or 0; or a factor taken for the
/// exponent that it was made of.
struct Power {
  int first, second;
  enum { product, zero, smaller, larger, of_2, of_e } kind = product;
  bool is_exponent() const { return kind == of_2 || kind == of_e; }
  double of(const double (&factor)[2]) const {
    if (kind == smaller) return std::min(factor[0], factor[1]);
    if (kind == larger) return std::max(factor[0], factor[1]);
    if (kind == of_2) return std::exp2(factor[second]);
    if (kind == of_e) return std::exp(factor[second]);
    double product = kind == zero ? 0 : 1;
    for (int i = 0; i < first; ++i) product *= factor[0];
    for (int i = 0; i < second; ++i) product *= factor[1];
    return product;
  }
  std::string name() const {
    Names names;
    const auto say = [&](const char* factor, int times) {
      if (times > 0)
        names.push_back(factor + (times == 1   ? std::string()
                                  : times == 2 ? " twice"
                                               : " " + std::to_string(times) + " times"));
    };
    if (kind == smaller || kind == larger)
      return std::string("the ") + (kind == smaller ? "smaller" : "larger") + " of both factors";
    if (is_exponent())
      return (kind == of_2 ? "exp2f(factor[" : "expf(factor[") + std::to_string(second) + "])";
    say("factor[0]", first), say("factor[1]", second);
    return kind == zero ? "0" : joined(names);
  }
};

/// "o[n][2] and o[n][3] are multiplied by nothing, not by factor[1]"; the same of the sums.
inline std::string wrong_factors(const Ask& ask, const std::vector<Problem>& problems) {
  std::vector<Power> powers;
  for (int first = 0; first < 3; ++first)
    for (int second = 0; second < 3; ++second) powers.push_back({first, second});
  for (int times = 3; times <= 8; ++times)  // in a loop that something else needs
    for (const Power& power : {Power{times, 0}, Power{0, times}}) powers.push_back(power);
  for (const auto kind : {Power::zero, Power::smaller, Power::larger})
    powers.push_back({0, 0, kind});
  for (const auto kind : {Power::of_2, Power::of_e})
    for (int row = 0; row < 2; ++row) powers.push_back({0, row, kind});
  std::vector<Result> found;
  for (const Problem& problem : problems) found.push_back(ask(problem));
  constexpr int kParts = kDim / 8 * 4;                // o[0][0] to o[3][3]; then sum[0] and sum[1]
  std::array<const Power*, kParts + 2> multiplied{};  // nullptr: none of them
  for (const Power& power : powers) {
    Answer answer;
    answer.of_o = [power](const double(&factor)[2], int, int) { return power.of(factor); };
    answer.of_sum = answer.of_o;
    const auto alike = [&power](float predicted, float is) {  // an exponent's sums are not exact
      return predicted == is ||
             (power.is_exponent() && std::fabs(predicted - is) <= 1e-5f * std::fabs(is));
    };
    std::array<bool, kParts + 2> fits;
    fits.fill(true);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const Result predicted = apply(answer, problems[i]);
      for (std::size_t row = 0; row < kQueries; ++row) {
        fits[kParts + row / 8] &= alike(predicted.sum[row], found[i].sum[row]);
        for (std::size_t col = 0; col < kDim; ++col)
          fits[col / 8 * 4 + row / 8 * 2 + col % 2] &= alike(
              predicted.o[row * kDim + col] / found[i].sum[row], found[i].O[row * kDim + col]);
      }
    }
    for (std::size_t part = 0; part < fits.size(); ++part)
      if (fits[part] && multiplied[part] == nullptr) multiplied[part] = &power;
  }
  std::vector<std::pair<std::string, Names>> said;  // by what instead of what, and which
  for (std::size_t part = 0; part < multiplied.size(); ++part) {
    const std::size_t row = part < kParts ? part % 4 / 2 : part - kParts;
    const std::string should = "factor[" + std::to_string(row) + "]";
    if (multiplied[part] == nullptr) return "";
    if (multiplied[part]->name() == should) continue;
    bool in_all = part < kParts;  // fragments of o
    for (std::size_t i = part % 4; i < kParts && in_all; i += 4)
      in_all = multiplied[i] == multiplied[part];
    if (in_all && part >= 4) continue;
    const std::string fragment = in_all ? "n" : std::to_string(part / 4);
    const std::string name = part < kParts ? "o[" + fragment + "][" + std::to_string(part % 4) + "]"
                                           : "sum[" + std::to_string(row) + "]";
    const std::string by = multiplied[part]->name() + ", not by " + should;
    std::size_t i = 0;
    while (i < said.size() && said[i].first != by) ++i;
    if (i == said.size()) said.push_back({by, {}});
    said[i].second.push_back(name);
  }
  std::string words;
  for (const auto& [by, names] : said)
    words += (words.empty() ? "" : "; ") + joined(names) + (names.size() == 1 ? " is" : " are") +
             " multiplied by " + by;
  return words;
}

}  // namespace exercise_14
