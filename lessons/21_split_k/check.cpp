// SPDX-License-Identifier: MIT
// Check of exercise 21: which steps each block took, what it called and in which order, what the
// last one added; then D, exact, and with other numbers to the bit: the parts out of the workspace,
// added here in their order. Everything twice, the blocks of a tile forwards and backwards, with
// counters as the first launch left them.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "21_split_k/sums.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::tuple<std::vector<float>, std::vector<float>, std::vector<int>> split_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, int steps, int parts,
    const char* trace);

using namespace exercise_21;

namespace {

int hash(int i) {  // Knuth's multiplicative one; its upper bits are the better ones
  return static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761u >> 16);
}
int a(int row, int k) { return hash(row * 1024 + k) % 5; }
int b(int k, int col) { return hash(0x10000 + col * 1024 + k) % 5; }

/// Whole numbers; or `rough`: 11 bits, from 0.5 to 1 in size, of both signs.
std::uint16_t f16(int number, int at, bool rough) {
  if (!rough) return product_check::f16(number);
  return static_cast<std::uint16_t>(0x3800 | (hash(at) & 0x3ff) | (hash(at * 3) & 1) << 15);
}
Answer ask(int steps, int parts, bool rough, const char* trace) {
  const int K = steps * 16;
  std::vector<std::uint16_t> A, B;
  for (int i = 0; i < kRows * K; ++i) A.push_back(f16(a(i / K, i % K), i, rough));
  for (int i = 0; i < kCols * K; ++i) B.push_back(f16(b(i % K, i / K), 70000 + i, rough));
  const auto [D, places, notes] = split_on_device(A, B, steps, parts, trace);
  REQUIRE(D.size() == 2 * kRows * kCols);
  REQUIRE(places.size() == static_cast<std::size_t>(2 * kTiles * parts * kThreads * 4));
  REQUIRE(notes.size() ==
          static_cast<std::size_t>(2 * kTiles * parts * (kKinds + kWarps * kMostNotes * 3)));
  return answer_of(steps, parts, D, places, notes);
}

int sum_of(int row, int col, const std::vector<int>& steps) {
  int sum = 0;
  for (const int step : steps)
    for (int k = step * 16; k < step * 16 + 16; ++k) sum += a(row, k) * b(k, col);
  return sum;
}

/// The first rule that a launch breaks.
Verdict broken(const Launch& launch, int steps, int parts) {
  const auto first_of = [&launch](Verdict (*rule)(const Block&)) {
    for (const Block& block : launch.blocks)
      if (Verdict verdict = rule(block); !verdict.words.empty()) return verdict;
    return Verdict();
  };
  Verdict verdict = first_of(some_threads_only);
  const auto then = [&verdict](auto rule) {
    if (verdict.words.empty()) verdict = rule();
  };
  then([&] { return wrong_steps(launch, steps, parts); });
  then([&] { return wrong_store(launch, parts); });
  then([&] { return wrong_count(launch); });
  then([&] { return first_of(before_the_count); });
  then([&] { return first_of(told_wrong); });
  then([&] { return others_meddle(launch); });
  then([&] { return wrong_last(launch, parts); });
  then([&] { return first_of(before_the_adds); });
  then([&] { return wrong_parts(launch, sum_of); });
  then([&] { return wrong_sums(launch, parts, sum_of); });
  for (int tile = 0; tile < kTiles; ++tile)
    then([&] { return wrong_reset(last_of(launch, tile)); });
  return verdict;
}

std::string looks(const Verdict& verdict) {
  return "It looks as if " + verdict.words + ".\n  What to do: " + verdict.advice +
         ".\n  What thread 0 did for " + name_of(verdict.block) + ": " +
         words(verdict.block.warps[0]) + "\n";
}

std::string problem_of(const Answer& answer) {
  std::string head = text(answer.steps) + " steps in " + text(answer.parts) + " parts";
  bool untouched = true;
  for (const Block& block : answer.launches[0].blocks)
    for (const int calls : block.calls) untouched = untouched && calls == 0;
  if (untouched)
    return head +
           ": expected two tiles, found none.\nThe gap is still empty.\n  What to do: "
           "lessons/21_split_k/exercise.cu, between the two `your code` lines.\n";
  for (const Launch& launch : answer.launches) {
    const Verdict verdict = broken(launch, answer.steps, answer.parts);
    if (!verdict.words.empty())
      return head + (launch.backwards ? ", the blocks of a tile backwards" : "") +
             ":\n  expected " + verdict.expected + "\n  found " + verdict.found + "\n\n" +
             looks(verdict);
    const std::string wrong = product_check::wrong_elements("D", launch.D, kRows, kCols,
                                                            answer.steps * 16, answer.steps, a, b);
    if (!wrong.empty())
      return wrong +
             "\nAll calls are as they should be, and yet D is wrong.\n  What to do: is "
             "something done with d or sums that core does not know of?\n";
  }
  return "";
}

std::uint32_t bits_of(float number) {
  std::uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

/// D against the parts in the workspace, added one after the other.
std::string wrong_bits(const Answer& answer) {
  for (const Launch& launch : answer.launches)
    for (int element = 0; element < kRows * kCols; ++element) {
      const int row = element / kCols, col = element % kCols, tile = col / kTileCols;
      float sum = 0;
      for (int part = 0; part < answer.parts; ++part)
        for (const Block& block : launch.blocks)
          if (block.tile == tile && block.part == part)
            sum += launch.places[stored_at(block, row, col)];
      const float is = launch.D[static_cast<std::size_t>(element)];
      if (bits_of(is) == bits_of(sum)) continue;
      return "D[" + text(row) + "][" + text(col) + "]: expected " + product_check::text_of(sum) +
             ", found " + product_check::text_of(is) +
             "\n\nIt looks as if the parts are added in order, but not one after the other, to one "
             "sum.\n  What to do: core.add(sums, ...), to the same four sums.\n";
    }
  return "";
}

void check(int steps, int parts) {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const Answer exact = ask(steps, parts, false, trace);
  if (const std::string problem = problem_of(exact); !problem.empty())
    FAIL(std::string("\n" + problem +
                     (trace == nullptr ? ""
                                       : "  What the blocks of tile 0 stored: ./learn view \"" +
                                             std::string(trace) + "\"\n")));
  const Answer rough = ask(steps, parts, true, nullptr);
  if (const std::string problem = wrong_bits(rough); !problem.empty())
    FAIL(std::string("\n" + problem));
}

}  // namespace

TEST_CASE("13 steps in 4 parts, 11 in 3, 5 in 5 and 32 in 2") {
  check(13, 4), check(11, 3), check(5, 5), check(32, 2);
}
