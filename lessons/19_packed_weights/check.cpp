// SPDX-License-Identifier: MIT
// Check of exercise 19: the number that each nibble of the words is, and then what each half of b
// became, by the atlas's map of B; at last D, which has to be exact. A mistake is named when it
// predicts the words, or the registers, of every lane: diagnosis.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "19_packed_weights/diagnosis.hpp"
#include "layout/instruction.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<std::uint32_t>, std::vector<float>> pack_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint8_t>& W, const char* trace);

using namespace exercise_19;
namespace layout = lanescope::layout;

namespace {

constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

int a(int row, int k) { return (row * 3 + k * 5 + k / 7) % 5; }
int q(int at) {  // Knuth's multiplicative hash, twice: once, W nearly repeats after 18 rows
  const std::uint32_t once = static_cast<std::uint32_t>(at) * 2654435761u;
  return static_cast<int>((once ^ once >> 15) * 2654435761u >> 28);
}

Answer run(const Numbers& W, const char* trace) {
  std::vector<std::uint16_t> A;
  for (int i = 0; i < 16 * kK; ++i) A.push_back(product_check::f16(a(i / kK, i % kK)));
  const auto [registers, D] = pack_on_device(A, W, trace);
  REQUIRE(registers.size() == 32 * 20);
  REQUIRE(D.size() == 16 * kN);
  Answer answer;
  answer.D = D;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t i = 0; i < 20; ++i)
      (i < 4 ? answer.words[lane * 4 + i] : answer.b[lane * 16 + i - 4]) = registers[lane * 20 + i];
  return answer;
}

/// A half of a register of B, by the atlas.
struct Held {
  int lane;
  Half half;
  Place weight;
};
std::vector<Held> all_held() {
  const layout::Instruction* mma = layout::find(kInstruction);
  REQUIRE(mma != nullptr);
  std::vector<Held> all;
  for (int step = 0; step < kSteps; ++step)
    for (const layout::Held& held : layout::register_layout(mma->B))
      all.push_back({held.holder.thread,
                     {step, held.holder.register_index, held.holder.bit / 16},
                     {step * 16 + held.element.row, held.element.col}});
  REQUIRE(all.size() == static_cast<std::size_t>(kK * kN));
  return all;
}

std::string weight_at(int at) {
  if (at < 0) return "nothing";
  if (at >= kNumbers) return "no number of W";
  if (at >= kK * kN) return "what lies behind W";
  return "W[" + std::to_string(at / kN) + "][" + std::to_string(at % kN) + "]";
}

std::string wrong_words(const AllWords& words, bool unpacked) {
  int wrong = 0;
  std::string shown;
  for (const Held& held : all_held()) {
    const int word = Packing().word(held.half), bit = Packing().bit(held.half);
    const int wanted = held.weight.k * kN + held.weight.col;
    const int found = found_at(words, held.lane, word, bit);
    if (found == wanted || wrong++ >= 3) continue;
    shown += "  lane " + std::to_string(held.lane) + ", words[" + std::to_string(word) +
             "], bits " + std::to_string(bit) + " to " + std::to_string(bit + 3) + ": expected " +
             weight_at(wanted) + ", found " + weight_at(found) + "\n";
  }
  if (wrong == 0) return "";
  if (const auto packed = packed_as(words); !packed.empty()) {
    shown = "";
    for (int number = 0, lines = 0; number < 16; ++number)
      if (const auto& found = packed[static_cast<std::size_t>(number)];
          found && *found != number && lines++ < 3)
        shown += "  q = " + std::to_string(number) + ": expected " + std::to_string(number) +
                 ", found " + std::to_string(*found) + "\n";
    return "\nThe numbers in the words are not those of W:\n" + shown + "\n" +
           diagnosis_of_words(words, unpacked) + "\n";
  }
  return "\n" + std::to_string(wrong) +
         " of 1024 numbers are not where they belong in the words:\n" + shown + "\n" +
         diagnosis_of_words(words, unpacked) + "\n";
}

std::string wrong_registers_of_b(const Answer& answer, const Numbers& W, const char* trace) {
  int wrong = 0;
  std::string shown, first;
  for (const Held& held : all_held()) {
    const auto [k, col] = held.weight;
    const int wanted = W[static_cast<std::size_t>(k * kN + col)] - 8;
    const std::uint16_t found = half_of(answer.b, held.lane, held.half);
    if (found == f16(wanted)) continue;
    if (wrong == 0 && held.half.step == 0) first = std::to_string(k) + "," + std::to_string(col);
    if (wrong++ >= 3) continue;
    char bits[8];
    std::snprintf(bits, sizeof bits, "0x%04x", found);
    shown += "  lane " + std::to_string(held.lane) + ", b[" + std::to_string(held.half.step) +
             "][" + std::to_string(held.half.reg) + "], " + (held.half.half == 0 ? "low" : "high") +
             " half, W[" + std::to_string(k) + "][" + std::to_string(col) + "]: expected " +
             std::to_string(wanted) + ", found " + text_of(found) + " (" + bits + ")\n";
  }
  if (wrong == 0) return "";
  std::string problem = "\nThe words are right. " + std::to_string(wrong) +
                        " of 1024 weights are not right in b:\n" + shown + "\n" +
                        diagnosis_of_b(answer, W) + "\n";
  if (trace != nullptr && !first.empty())
    problem += std::string("  What you handed in: ./learn view \"") + trace + "\" --select \"B " +
               first + "\"\n";
  return problem;
}

}  // namespace

TEST_CASE("what the words have") {
  AllWords words;
  bool unpacked = false;
  for (int digit = 0; digit < kDigits; ++digit) {
    const Answer answer = run(names(digit), nullptr);
    words.push_back(answer.words);
    for (const std::uint32_t pair : answer.b) unpacked = unpacked || pair != 0xffffffff;
  }
  if (const std::string wrong = wrong_words(words, unpacked); !wrong.empty())
    FAIL(std::string(wrong + "  Who wants which weight: ./learn layout " + kInstruction +
                     " --operand B\n"));
}

TEST_CASE("what becomes of them in b, and D = A*W") {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  Numbers W;
  for (int at = 0; at < kNumbers; ++at) W.push_back(static_cast<std::uint8_t>(q(at)));
  const Answer answer = run(W, trace);
  if (const std::string wrong = wrong_registers_of_b(answer, W, trace); !wrong.empty()) FAIL(wrong);
  const auto b = [](int k, int col) { return q(k * kN + col) - 8; };
  const std::string wrong = product_check::wrong_elements("D", answer.D, 16, kN, kK, kSteps, a, b);
  if (!wrong.empty()) FAIL(std::string("\n" + wrong));
}
