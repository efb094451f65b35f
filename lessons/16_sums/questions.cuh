// SPDX-License-Identifier: MIT
// The host's side of lesson 16's questions: what is asked of an instruction, what its answers mean,
// what docs/arithmetic.md says they should be, and the lines that say so. No kernel is in here.
//
// Source: docs/arithmetic.md.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

/// A sum: a[0]*b[0] + a[1]*b[1] + ... + c, with as many k as the instruction has.
struct Question {
  float a[32] = {}, b[32] = {};
  float c = 0;

  /// 2^exponent * factor at k, as a product of two numbers that f16 and e4m3 both have.
  Question& term(int k, int exponent, float factor = 1) {
    const int half = exponent > 0 ? exponent / 2 : exponent < -6 ? -6 : exponent;
    a[k] = std::ldexp(factor, half);
    b[k] = std::ldexp(1.0f, exponent - half);
    return *this;
  }
};
/// The large terms are 2.25 * 2^16 = 384 * 384: the largest that e4m3 can square.
constexpr int kTop = 16;
inline Question& large(Question& q, int k, float sign) {
  q.a[k] = sign * 384, q.b[k] = 384;
  return q;
}

/// What was found out of an instruction.
struct Found {
  const char* name;
  int K;
  int last = 0;               // terms are kept down to 2^-last of the largest
  int bits = 0;               // of D, behind its leading one
  std::vector<float> rest{};  // what 1.5 and -1.5 of the last place become
  uint32_t mask = 1;          // bit k: k meets k = 0 before a rounding
  std::vector<int> adds{};    // what of c + 1, ... is left
};

// ---- 1. How far down, and the rest --------------------------------------------------------------

constexpr int kLeast = 8, kMost = 28, kSteps = kMost - kLeast + 1;
inline Question between_large(int exponent, float factor = 1, int k = 1, int opposite = 4) {
  Question q;
  large(q, 0, 1), large(q, opposite, -1);
  return q.term(k, exponent, factor);
}
/// 2.25 + t - 2.25 with t = 2^-s of the largest for every s, and 1 + t likewise.
inline std::vector<Question> ask_places() {
  std::vector<Question> all;
  for (int s = kLeast; s <= kMost; ++s) all.push_back(between_large(kTop - s));
  for (int s = kLeast; s <= kMost; ++s) all.push_back(Question().term(0, kTop).term(1, kTop - s));
  return all;
}
/// The largest s of which something is left.
inline int last_place(const std::vector<float>& answers) {
  int last = 0;
  for (int i = 0; i < kSteps; ++i)
    if (answers[i] != 0) last = kLeast + i;
  return last;
}
inline int bits_of(const std::vector<float>& answers) {
  int bits = 0;
  for (int i = 0; i < kSteps; ++i)
    if (answers[kSteps + i] != std::ldexp(1.0f, kTop)) bits = kLeast + i;
  return bits;
}
/// 2.25 + t - 2.25 with t = 1.5 and -1.5 last places.
inline std::vector<Question> ask_rest(int last) {
  return {between_large(kTop - last, 1.5f), between_large(kTop - last, -1.5f)};
}

// ---- 2. Who meets before a rounding -------------------------------------------------------------

/// The terms 2.25 at k = 0, t at 1, -2.25 at every other k in turn: t survives only in one sum.
inline std::vector<Question> ask_together(int last, int K) {
  std::vector<Question> all;
  for (int k = 1; k < K; ++k) all.push_back(between_large(kTop - last, 1, k == 1 ? 4 : 1, k));
  return all;
}
inline uint32_t together(const std::vector<float>& answers) {
  uint32_t mask = 1;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i] != 0) mask |= 2u << i;
  return mask;
}

/// c, of which the last place of D is 2, and ones at one k, two, or all.
inline std::vector<Question> ask_ones(int bits, int K) {
  std::vector<Question> all(4);
  for (Question& q : all) q.c = std::ldexp(1.0f, bits + 1);
  all[0].term(0, 0);
  all[1].term(0, 0).term(1, 0);
  all[2].term(0, 0).term(8, 0);
  for (int k = 0; k < K; ++k) all[3].term(k, 0);
  return all;
}
inline std::vector<int> adds_of(const std::vector<float>& answers, int bits) {
  std::vector<int> adds;
  for (const float sum : answers)
    adds.push_back(static_cast<int>(sum - std::ldexp(1.0f, bits + 1)));
  return adds;
}

// ---- What comes of it ---------------------------------------------------------------------------

/// As docs/arithmetic.md has it; true where it says nothing.
inline bool as_documented(const Found& found, std::string arch) {
  if (arch == "sm_86" || arch == "sm_87") arch = "sm_80";
  struct Known {
    const char *name, *arch;
    int last, bits;
    uint32_t mask;
    std::vector<int> adds;
  };
  static const std::vector<Known> all{
      {"mma.sync m16n8k16 f16", "sm_80", 24, 23, 0xff, {0, 2, 0, 16}},
      {"mma.sync m16n8k16 f16", "sm_89", 24, 23, 0xff, {0, 2, 0, 16}},
      {"mma.sync m16n8k16 f16", "sm_90a", 25, 23, 0xffff, {0, 2, 2, 16}},
      {"mma.sync m16n8k32 e4m3", "sm_89", 13, 13, 0xffff, {0, 0, 0, 0}},
      {"mma.sync m16n8k32 e4m3", "sm_90a", 25, 23, 0x33333333, {0, 2, 2, 32}},
      {"wgmma m64n8k16 f16", "sm_90a", 25, 23, 0xffff, {0, 2, 2, 16}},
      {"wgmma m64n8k32 e4m3", "sm_90a", 13, 13, 0xffffffff, {0, 0, 0, 0}},
  };
  const float place = std::ldexp(1.0f, kTop - found.last);
  for (const Known& one : all)
    if (std::string(found.name) == one.name && arch == one.arch)
      return found.last == one.last && found.bits == one.bits && found.mask == one.mask &&
             found.adds == one.adds && found.rest == std::vector<float>{place, -place};
  return true;
}

inline void print_places(const std::vector<Found>& all) {
  std::printf(
      "1. 2.25 + t - 2.25: how far below 2.25 may t lie and be heard, and what becomes of 1.5 and\n"
      "   -1.5 of that? How many bits behind its leading one has D?\n\n"
      "                            heard down to      1.5     -1.5    bits of D\n");
  for (const Found& one : all)
    std::printf("  %-24s           2^-%-2d  %7g  %7g  %11d\n", one.name, one.last,
                std::ldexp(one.rest[0], one.last - kTop), std::ldexp(one.rest[1], one.last - kTop),
                one.bits);
}
inline void print_meetings(const std::vector<Found>& all) {
  std::printf("\n2. Which k meet k = 0 before anything is rounded? (x)\n\n");
  for (const Found& one : all) {
    std::string marks;
    for (int k = 0; k < one.K; ++k) marks += one.mask >> k & 1 ? 'x' : '.';
    std::printf("  %-24s  %s\n", one.name, marks.c_str());
  }
  std::printf(
      "\n   c is so large that a single 1 is too small for it. What do ones add, at\n\n"
      "                              c       k = 0   k = 0, 1   k = 0, 8     all k\n");
  for (const Found& one : all)
    std::printf("  %-24s   2^%-3d %9d %10d %10d %9d\n", one.name, one.bits + 1, one.adds[0],
                one.adds[1], one.adds[2], one.adds[3]);
}
inline bool print_found(const std::vector<Found>& all, const std::string& arch) {
  print_places(all);
  print_meetings(all);
  bool good = true;
  for (const Found& one : all) {
    if (as_documented(one, arch)) continue;
    std::printf("\n%s is not as docs/arithmetic.md says.\n", one.name);
    good = false;
  }
  return good;
}
