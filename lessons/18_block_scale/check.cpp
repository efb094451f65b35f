// SPDX-License-Identifier: MIT
// Check of exercise 18: the scale that each instruction finds for each row, column and 32 of k in
// what the lanes handed in, by the atlas's maps; then D, which has to be exact. A mistake is named
// when it predicts a register of every lane: mistakes.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "18_block_scale/mistakes.hpp"
#include "layout/instruction.hpp"
#include "layout/scales.hpp"
#include "product_check.hpp"
#include "strides.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<std::uint32_t>, std::vector<float>> multiply_on_device(
    const std::vector<std::uint8_t>& A, const std::vector<std::uint8_t>& B,
    const std::vector<std::uint8_t>& scales_a, const std::vector<std::uint8_t>& scales_b,
    const char* trace);

using namespace exercise_18;
namespace layout = lanescope::layout;

namespace {

constexpr const char* kInstruction =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
    "ue8m0";

// Exponents of the scales: each block of a row or column another one than its neighbours.
int exponent_a(int row, int block) { return (row * 3 + block * 5 + row / 8) % 4; }
int exponent_b(int col, int block) { return (col * 5 + block * 3 + col / 8 * 2) % 3; }
// Patterns of e2m1 that are whole numbers: 0, 1, 2, 3, 4, 6.
constexpr int kPatterns[6] = {0, 2, 4, 5, 6, 7}, kNumbers[6] = {0, 1, 2, 3, 4, 6};
int pattern_a(int row, int k) { return (row * 5 + k * 7 + k / 32) % 6; }
int pattern_b(int k, int col) { return (col * 7 + k * 5 + k / 64) % 6; }
int a(int row, int k) { return kNumbers[pattern_a(row, k)] << exponent_a(row, k / 32); }
int b(int k, int col) { return kNumbers[pattern_b(k, col)] << exponent_b(col, k / 32); }

template <class Pattern>
std::vector<std::uint8_t> packed(Pattern pattern) {
  std::vector<std::uint8_t> bytes;
  for (int line = 0; line < kLines; ++line)
    for (int k = 0; k < kK; k += 2)
      bytes.push_back(static_cast<std::uint8_t>(kPatterns[pattern(line, k)] |
                                                kPatterns[pattern(line, k + 1)] << 4));
  return bytes;
}
// As ue8m0. `names`: every one another number, whatever the product would be, and those behind them
// go on: who reads there is told which factor leads there, not an address.
constexpr int kNames = 256, kBehind = kLines * kK;
int first_name(bool of_a) { return of_a ? 1 : 101; }
Scales scales_of(bool of_a, bool names) {
  Scales scales;
  for (int name = 0; name < (names ? kNames : kLines * kBlocks); ++name) {
    const int line = name / kBlocks, block = name % kBlocks;
    const int exponent = of_a ? exponent_a(line, block) : exponent_b(line, block);
    scales.push_back(static_cast<std::uint8_t>(names ? first_name(of_a) + name : 127 + exponent));
  }
  if (names) scales.resize(kBehind);
  return scales;
}

std::pair<Words, std::vector<float>> run(bool names, const char* trace) {
  return multiply_on_device(packed(pattern_a),
                            packed([](int col, int k) { return pattern_b(k, col); }),
                            scales_of(true, names), scales_of(false, names), trace);
}

/// What an instruction reads for a row or column and a block, and where.
struct Read {
  int lane, bit;
};
Read place_of(bool of_a, int line, int block) {
  const layout::Instruction* mma = layout::find(kInstruction);
  REQUIRE(mma != nullptr);
  const int step = block / 2, tile = line / 8;
  const layout::Instruction with =
      layout::with_scales(*mma, {of_a ? step / 2 : tile * 2 + step / 2, step % 2 * 2});
  const layout::Fragment& map = of_a ? with.SFA : with.SFB;
  const layout::Element element =
      of_a ? layout::Element{line, block % 2} : layout::Element{block % 2, line % 8};
  const auto found = layout::holders(map, element);
  REQUIRE(found.size() == 1);
  return {found[0].thread, found[0].bit};
}

/// What has been done to the scales themselves; "": nothing known. They are taken as they come.
std::string other_scales(const Words& words, bool of_a) {
  const std::string name = of_a ? "sfa" : "sfb", own = of_a ? "scales_a" : "scales_b";
  const Side side = of_a ? right_a() : right_b();
  Scales less = scales_of(of_a, true);
  for (auto& scale : less) scale = static_cast<std::uint8_t>(scale - 127);
  const auto made_of = [&](const Scales& scales) {
    for (int lane = 0; lane < 32; ++lane)
      if (word_of(side, scales, lane) != words[static_cast<std::size_t>(lane * 2 + (of_a ? 0 : 1))])
        return false;
    return true;
  };
  if (made_of(scales_of(!of_a, true)))
    return name + " has the other side's scales.\n  What to do: " + own + " belong into " + name +
           ".";
  if (made_of(less))
    return "127 is taken off in " + name +
           ".\n  What to do: the tensor core does that: a byte of ue8m0 goes in as it is.";
  return "";
}

/// Which factor of row, column or block is not as it should be; "": it is something else.
std::string wrong_factor(const Words& words, bool of_a) {
  const Side side = of_a ? right_a() : right_b();
  const auto lane = [](const std::vector<int>& v) { return v[0] + v[1] * 2 + v[2] * 4; };
  const Scales scales = scales_of(of_a, true);
  const auto byte = [&](const std::vector<int>& v) {
    return words[static_cast<std::size_t>(lane(v) * 2 + (of_a ? 0 : 1))] >> v[3] * 8 & 255;
  };
  strides::Maps maps{
      {{"lane % 2", 2}, {"lane % 4 / 2", 2}, {"lane / 4", 8}, {"the byte", 4}},
      [&](const std::vector<int>& v) {
        return strides::Place{side.line(lane(v)), side.block(lane(v), v[3])};
      },
      [&](const std::vector<int>& v) -> std::optional<strides::Place> {
        if (byte(v) == 0) return std::nullopt;
        const int name = (static_cast<int>(byte(v)) - first_name(of_a) + kNames) % kNames;
        return strides::Place{name / kBlocks, name % kBlocks};
      },
      [&](const std::vector<int>& v, strides::Place at) {
        const int name = at.row * kBlocks + at.col;
        return name >= 0 && name < kBehind && byte(v) == scales[static_cast<std::size_t>(name)];
      },
      of_a ? "row" : "column",
      "block"};
  const std::string steps = wrong_steps(maps);
  return !steps.empty() ? steps : wrong_where(maps);
}

std::string diagnosis(const Words& words, bool of_a, const Scales& scales) {
  bool any = false, constant = true;
  for (const std::uint32_t word : words) any = any || word != 0;
  for (std::size_t i = of_a ? 0 : 1; i < words.size(); i += 2)
    constant = constant && words[i] == words[of_a ? 0 : 1];
  if (!any)
    return "The gap is still empty.\n  What to do: lessons/18_block_scale/exercise.cu, between the "
           "two `your code` lines.";
  for (const Mistake& mistake : mistakes(of_a)) {
    bool same = true;
    for (int lane = 0; lane < 32 && same; ++lane)
      same = word_of(mistake.side, scales, lane) ==
             words[static_cast<std::size_t>(lane * 2 + (of_a ? 0 : 1))];
    if (same) return "It looks as if " + mistake.name + ".\n  What to do: " + mistake.advice + ".";
  }
  if (const std::string other = other_scales(words, of_a); !other.empty())
    return "It looks as if " + other;
  if (constant)
    return std::string("It looks as if ") + (of_a ? "sfa" : "sfb") +
           " were the same in every lane.\n  What to do: its four bytes are of one " +
           (of_a ? "row" : "column") + " and half of K, which the lane chooses.";
  if (const std::string wrong = wrong_factor(words, of_a); !wrong.empty())
    return "It looks as if in " + std::string(of_a ? "sfa " : "sfb ") + wrong +
           ".\n  What to do: look for that factor where you calculate it.";
  return std::string(of_a ? "sfa" : "sfb") +
         " is wrong in a way that this check does not know.\n  What to do: take one line above: "
         "whose byte is it, and which row or column and block does it belong to?";
}

std::string wrong_scales(const Words& words, bool of_a) {
  const Scales scales = scales_of(of_a, true);
  int wrong = 0;
  std::string shown;
  for (int line = 0; line < kLines; ++line)
    for (int block = 0; block < kBlocks; ++block) {
      const Read at = place_of(of_a, line, block);
      const auto byte = static_cast<std::uint8_t>(
          words[static_cast<std::size_t>(at.lane * 2 + (of_a ? 0 : 1))] >> at.bit);
      const auto wanted = scales[static_cast<std::size_t>(line * kBlocks + block)];
      if (byte == wanted || wrong++ >= 3) continue;
      shown += std::string("  ") + (of_a ? "row " : "column ") + std::to_string(line) + ", block " +
               std::to_string(block) + ": expected " + std::to_string(wanted) + ", found " +
               std::to_string(byte) + " in lane " + std::to_string(at.lane) + ", byte " +
               std::to_string(at.bit / 8) + " of " + (of_a ? "sfa" : "sfb") + "\n";
    }
  if (wrong == 0) return "";
  return "\n" + std::to_string(wrong) + " of 128 scales of " + (of_a ? "A" : "B") +
         " are not where they are read:\n" + shown + "\n" + diagnosis(words, of_a, scales) + "\n";
}

}  // namespace

TEST_CASE("who hands in which scale") {
  const Words words = run(true, nullptr).first;
  REQUIRE(words.size() == 64);
  for (const bool of_a : {true, false})
    if (const std::string wrong = wrong_scales(words, of_a); !wrong.empty())
      FAIL(std::string(wrong + "  Whose bytes are read: ./learn layout " + kInstruction +
                       " --operand " + (of_a ? "SFA --selector 1,2\n" : "SFB --selector 3,2\n")));
}

TEST_CASE("D = A*B") {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const std::vector<float> D = run(false, trace).second;
  REQUIRE(D.size() == kLines * kLines);
  const std::string wrong = product_check::wrong_elements("D", D, kLines, kLines, kK, 4, a, b);
  if (wrong.empty()) return;
  std::string problem = "\n" + wrong;
  if (trace != nullptr)
    problem += std::string("  What the lanes held: ./learn view \"") + trace + "\"\n";
  FAIL(problem);
}
