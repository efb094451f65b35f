// SPDX-License-Identifier: MIT
// Check of exercise 15: what the lanes handed in is put together again, each four of A from its
// register and from the pair that the atlas says is about it, and compared with the matrix. A
// mistake is named when it predicts every register of every lane; see mistakes.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "15_sparsity/mistakes.hpp"
#include "15_sparsity/steps.hpp"
#include "layout/instruction.hpp"
#include "product_check.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<std::uint32_t>, std::vector<float>> compress_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, const char* trace);

using namespace exercise_15;
using lanescope::layout::Held;
using lanescope::layout::Instruction;

namespace {

constexpr const char* kInstruction =
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

/// A[row][col] is 64 * row + col + 1. `all`: two of every four, and rows behind A; else some have
/// one, some none, and whoever reads behind A is out of bounds.
Matrix matrix(bool all) {
  constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  Matrix A((all ? kRowsBehind : kRows) * kK, 0);
  for (int n = 0; n < (all ? kRowsNamed : kRows) * kK / 4; ++n)
    for (int i = 0; i < 2; ++i) {
      if (!all && (n % 7 == 3 || (n % 5 == 2 && i == n % 2))) continue;
      // Knuth's multiplicative hash: no two fours have the same pair by a rule.
      const int place = n * 4 + kPairs[(static_cast<unsigned>(n) * 2654435761u >> 16) % 6][i];
      A[static_cast<std::size_t>(place)] = product_check::f16(place + 1);
    }
  return A;
}

int b(int k, int col) { return (k * 3 + col * 5 + k / 8) % 7; }

/// A four as the instruction sees it: what is stored, where the metadata puts it.
struct Seen {
  std::uint16_t elements[4] = {};
  int lane = 0, shift = 0;  // whose e, and where in it
  bool ordered = false;
};

std::vector<Seen> seen(const Words& words) {
  const Instruction* mma = lanescope::layout::find(kInstruction);
  REQUIRE(mma != nullptr);
  std::vector<Seen> all(kRows * kK / 4);
  for (int tile = 0; tile < 2; ++tile) {
    const auto four = [&](int row, int stored_col) -> Seen& {
      return all[static_cast<std::size_t>(row * 16 + tile * 8 + stored_col / 2)];
    };
    std::uint32_t index[kRows][16] = {};
    for (const Held& held :
         lanescope::layout::register_layout(mma->E.at(static_cast<std::size_t>(tile)))) {
      const auto [row, col] = std::pair{held.element.row, held.element.col};
      const int lane = held.holder.thread, bit = held.holder.bit;
      index[row][col] = words[static_cast<std::size_t>(lane * kWords + 8)] >> bit & 3;
      if (col % 2 == 0) four(row, col).lane = lane, four(row, col).shift = bit;
      if (col % 2 == 1) four(row, col).ordered = index[row][col - 1] < index[row][col];
    }
    for (const Held& held : lanescope::layout::register_layout(mma->A)) {
      const auto [row, col] = std::pair{held.element.row, held.element.col};
      const int word = held.holder.thread * kWords + tile * 4 + held.holder.register_index;
      const auto bits =
          static_cast<std::uint16_t>(words[static_cast<std::size_t>(word)] >> held.holder.bit);
      if (bits != 0) four(row, col).elements[index[row][col]] = bits;
    }
  }
  return all;
}

/// What predicts all of a, or all of e, where both are wrong; nullptr: nothing.
const Mistake* mistake_of(const Words& words, const Matrix& A, bool of_e) {
  for (const Mistake& mistake : mistakes()) {
    Answer answer;
    mistake.make(answer);
    const Words predicted = registers_of(answer, A);
    bool explains = true;
    for (std::size_t i = 0; i < words.size(); ++i)
      explains = explains && ((i % kWords == 8) != of_e || words[i] == predicted[i]);
    if (explains) return &mistake;
  }
  return nullptr;
}

/// Two known mistakes that together explain all of an answer, in words; "": no two do.
std::string two_mistakes(const Words& words, const Matrix& A) {
  for (const Mistake& one : mistakes())
    for (const Mistake& other : mistakes()) {
      Answer answer;
      one.make(answer), other.make(answer);
      if (registers_of(answer, A) == words)
        return one.name + std::string("; and ") + other.name + ".\n  What to do: " + one.advice +
               "; and " + other.advice;
    }
  return "";
}

/// Every element is where it belongs, but some pairs are not in order.
bool order_alone(const Words& words, const Matrix& A) {
  const std::vector<Seen> all = seen(words);
  for (std::size_t n = 0; n < all.size(); ++n)
    if (!std::equal(all[n].elements, all[n].elements + 4, A.data() + n * 4)) return false;
  return true;
}

std::string diagnosis(const Words& words, const Matrix& A) {
  constexpr const char* kTodo = ".\n  What to do: ";
  bool stored = false, metadata = false, constant = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    (i % kWords == 8 ? metadata : stored) |= words[i] != (i % kWords == 8 ? 0 : 0xffffffff);
    if (i % kWords == 8) constant = constant && words[i] == words[8];
  }
  if (!stored && !metadata)
    return std::string("The gap is still empty") + kTodo +
           "lessons/15_sparsity/exercise.cu, between the two `your code` lines.";
  for (const Mistake& mistake : mistakes()) {
    Answer answer;
    mistake.make(answer);
    if (registers_of(answer, A) == words)
      return std::string("It looks as if ") + mistake.name + kTodo + mistake.advice + ".";
  }
  if (order_alone(words, A))
    return std::string("It looks as if the two indices of a pair are the same, or not in order") +
           kTodo +
           "also where less than two of four are not zero: the first one is the smaller, as " +
           "kept_of has them.";
  const Words right = registers_of(Answer(), A);
  bool same_a = true, same_e = true;
  for (std::size_t i = 0; i < words.size(); ++i)
    (i % kWords == 8 ? same_e : same_a) &= words[i] == right[i];
  if (!stored)
    return std::string("It looks as if nothing was stored in a") + kTodo +
           "a[tile][reg] = pack(...): two registers of each row, one four in each.";
  if (same_a && constant)
    return std::string("It looks as if e is the same in all lanes") + kTodo +
           "its eight pairs are of rows lane / 4 and lane / 4 + 8.";
  if (const std::string both = two_mistakes(words, A); !both.empty())
    return "It looks as if " + both + ".";
  if (!same_a && !same_e)
    for (const bool of_e : {false, true})
      if (const Mistake* mistake = mistake_of(words, A, of_e); mistake != nullptr)
        return std::string("It looks as if ") + mistake->name + "; and " + (of_e ? "a" : "e") +
               " is wrong as well" + kTodo + mistake->advice + ".";
  if (same_a)
    if (const std::string step = wrong_step_of_e(words, A); !step.empty())
      return "It looks as if in e " + step + kTodo +
             "look for that where you choose row and four of a pair.";
  if (!same_a) {
    const strides::Maps maps = maps_of_a(words, A);
    const std::string steps = wrong_steps(maps);
    const std::string how = steps.empty() ? wrong_where(maps) : steps;
    if (!how.empty())
      return "It looks as if in a " + how + (same_e ? "" : "; and e is wrong as well") + kTodo +
             "look for that where you choose row and four of a register.";
  }
  return std::string(same_a ? "a is right; e is wrong in a way that this check does not know"
                     : same_e
                         ? "e is right; a is wrong in a way that this check does not know"
                         : "Neither a nor e is right, in a way that this check does not know") +
         kTodo + "take one line above: whose registers are they, and which bits?";
}

std::string text(const std::uint16_t (&elements)[4]) {
  std::string all;
  for (const std::uint16_t bits : elements) {
    const int exponent = (bits >> 10) - 15;  // f16 of a whole number
    const bool whole = bits == 0 || (exponent >= 0 && exponent <= 10);
    const int number = bits == 0 || !whole ? 0 : ((bits & 0x3ff) | 0x400) << exponent >> 10;
    all += (all.empty() ? "" : " ") + (whole ? std::to_string(number) : std::string("NaN"));
  }
  return all;
}

void check(bool all_pairs) {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const Matrix A = matrix(all_pairs);
  std::vector<std::uint16_t> B;
  for (int i = 0; i < kK * 8; ++i) B.push_back(product_check::f16(b(i / 8, i % 8)));
  const auto [words, D] = compress_on_device(A, B, trace);
  REQUIRE(words.size() == 32 * kWords);
  REQUIRE(D.size() == 128);
  int wrong = 0, first = 0;
  std::string shown;
  const std::vector<Seen> all = seen(words);
  for (int n = 0; n < static_cast<int>(all.size()); ++n) {
    const Seen& found = all[static_cast<std::size_t>(n)];
    std::uint16_t wanted[4];
    std::copy_n(A.data() + n * 4, 4, wanted);
    if (found.ordered && std::equal(wanted, wanted + 4, found.elements)) continue;
    if (wrong == 0) first = n;
    if (wrong++ >= 3) continue;
    shown += "  row " + std::to_string(n / 16) + ", columns " + std::to_string(n % 16 * 4) +
             " to " + std::to_string(n % 16 * 4 + 3) + ": expected " + text(wanted) + ", found " +
             text(found.elements) + (found.ordered ? "" : ", the pair is not in order") + "\n" +
             "      its pair: lane " + std::to_string(found.lane) + ", bits " +
             std::to_string(found.shift) + " to " + std::to_string(found.shift + 3) + " of e\n";
  }
  if (wrong > 0) {
    std::string problem = "\n" + std::to_string(wrong) +
                          " of 256 fours are not what A has there:\n" + shown + "\n" +
                          diagnosis(words, A) + "\n";
    if (trace != nullptr)
      problem += std::string("  What you stored: ./learn view \"") + trace + "\" --select \"A " +
                 std::to_string(first / 16) + "," + std::to_string(first % 8 * 2) + "\"\n";
    problem += std::string("  Whose bits are they: ./learn layout ") + kInstruction +
               " --operand E --selector " + (first % 16 < 8 ? "0" : "1") + "\n";
    FAIL(problem);
  }
  const auto a = [&](int row, int k) {
    return A[static_cast<std::size_t>(row * kK + k)] == 0 ? 0 : row * kK + k + 1;
  };
  const std::string bad = product_check::wrong_elements("D", D, kRows, 8, kK, 2, a, b);
  if (!bad.empty()) FAIL(bad);
}

}  // namespace

TEST_CASE("two of every four") { check(true); }
TEST_CASE("two of four, one, or none") { check(false); }
