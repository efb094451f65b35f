// SPDX-License-Identifier: MIT
// Check of exercise 20: does ldmatrix find, by the bytes that the lanes name, the pixels that its
// rows of A are, and zeros outside? Does no phase of it wait at a bank? And D, which has to be
// exact. A mistake is named when it predicts what all lanes find in all blocks: diagnosis.hpp.
//
// Source of the banks: common/layout (CUDA C++ Programming Guide, "Shared Memory").
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "20_convolution/diagnosis.hpp"
#include "layout/banks.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<int>, std::vector<float>> convolve_on_device(
    const std::vector<std::uint16_t>& X, const std::vector<std::uint16_t>& F, const char* trace);

using namespace exercise_20;

namespace {

int hash(int at) {  // Knuth's multiplicative one
  return static_cast<int>(static_cast<std::uint32_t>(at) * 2654435761u >> 28);
}
int x_at(int element) { return hash(element) % 5; }
int f_at(int element) { return hash(element + (1 << 20)); }

struct Answer {
  std::vector<Block> blocks = all_blocks();
  std::vector<Found> found;
  std::vector<float> D;
};

const Answer& answer() {
  static const Answer asked = [] {
    std::vector<std::uint16_t> X, F;
    for (int i = 0; i < kElements; ++i) X.push_back(product_check::f16(x_at(i)));
    for (int i = 0; i < kFilters * kK; ++i) F.push_back(product_check::f16(f_at(i)));
    const auto [numbers, D] = convolve_on_device(X, F, std::getenv("LANESCOPE_CHECK_TRACE"));
    Answer a;
    a.D = D;
    REQUIRE(numbers.size() == a.blocks.size() * 32 * (kCopies * 3 + kSteps));
    REQUIRE(D.size() == static_cast<std::size_t>(kPixels * kFilters));
    auto next = numbers.begin();
    for (Block& block : a.blocks) {
      for (Lane& lane : block.lanes) {
        for (Copy& copy : lane.copies) copy = {next[0], next[1], next[2]}, next += 3;
        for (int& row : lane.rows) row = *next++;
      }
      a.found.push_back(found_by(block));
    }
    return a;
  }();
  return asked;
}

std::string step_text(int step) {
  return "step " + std::to_string(step) + " (tap " + std::to_string(step / 12) + "," +
         std::to_string(step / 4 % 3) + ", channels from " + std::to_string(step % 4 * 16) + ")";
}
std::string where(const Block& block) {
  return "image " + std::to_string(block.image) + ", block at " + std::to_string(block.top) + "," +
         std::to_string(block.left);
}

void fail(const std::string& what) {
  std::string problem = "\n" + what;
  if (const char* trace = std::getenv("LANESCOPE_CHECK_TRACE"))
    problem += std::string("  What you loaded: ./learn view \"") + trace + "\" --panel memory\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("ldmatrix finds the pixels that its rows are") {
  const Answer& a = answer();
  int wrong = 0;
  std::string shown;
  for (std::size_t i = 0; i < a.blocks.size(); ++i)
    for (int step = 0; step < kSteps; ++step)
      for (int lane = 0; lane < 32; ++lane) {
        const int should = wanted(a.blocks[i], lane, step);
        const int is = a.found[i][static_cast<std::size_t>(lane)][static_cast<std::size_t>(step)];
        if (is == should || wrong++ >= 3) continue;
        shown += "  " + where(a.blocks[i]) + ", " + step_text(step) + ", lane " +
                 std::to_string(lane) + ":\n    expected " + text_of(should) + "\n    found " +
                 text_of(is) + "\n";
      }
  if (wrong == 0) return;
  fail(std::to_string(wrong) + " of " +
       std::to_string(a.blocks.size() * static_cast<std::size_t>(kSteps * 32)) +
       " rows are not what they should be:\n" + shown + "\n" + diagnosis(a.blocks, a.found) + "\n");
}

TEST_CASE("no lane waits for another") {
  const Answer& a = answer();
  int slow_phases = 0, phases = 0;
  std::string shown;
  for (const Block& block : a.blocks)
    for (std::size_t step = 0; step < kSteps; ++step)
      for (std::size_t first = 0; first < 32; first += 8, ++phases) {
        std::vector<std::uint32_t> addresses;
        for (std::size_t lane = first; lane < first + 8; ++lane)
          addresses.push_back(static_cast<std::uint32_t>(block.lanes[lane].rows[step]));
        const int passes = lanescope::layout::passes(addresses, 16);
        if (passes == 1 || slow_phases++ >= 3) continue;
        shown += "  " + where(block) + ", " + step_text(static_cast<int>(step)) + ", lanes " +
                 std::to_string(first) + " to " + std::to_string(first + 7) +
                 ": expected 1 pass, found " + std::to_string(passes) + "\n";
      }
  if (slow_phases == 0) return;
  fail(std::to_string(slow_phases) + " of " + std::to_string(phases) +
       " phases of ldmatrix have bank conflicts:\n" + shown + "\n" + slow(a.blocks[inner_block()]) +
       "\n");
}

TEST_CASE("D, exactly") {
  const auto x = [](int row, int k) {  // A[row][k], which nobody has stored
    const int image = row / kWidth / kHeight, tap = k / kChannels;
    const int y = row / kWidth % kHeight + tap / 3 - 1, from = row % kWidth + tap % 3 - 1;
    const Idea right;
    if (!right.inside(y, from)) return 0;
    return x_at(right.from(image, y, from, 0) + k % kChannels);
  };
  const auto f = [](int k, int filter) { return f_at(filter * kK + k); };
  const std::string wrong =
      product_check::wrong_elements("D", answer().D, kPixels, kFilters, kK, kSteps, x, f);
  if (!wrong.empty()) FAIL(std::string("\n" + wrong));
}
