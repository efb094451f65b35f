// SPDX-License-Identifier: MIT
// Check of exercise 23: the four layouts are functions, and are compared as such: any shape and
// strides that go to the right elements pass. Then what a warp's loads of A cost, and D.
//
// Source of the fragments: the atlas, common/layout; of the banks: common/layout/banks.hpp.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "layout/banks.hpp"
#include "layout/instruction.hpp"
#include "mistakes.hpp"
#include "product_check.hpp"
#include "strides.hpp"

// exercise.cu or solution.cu
std::pair<std::vector<int>, std::vector<float>> multiply_on_device(
    const std::vector<std::uint16_t>& A, const std::vector<std::uint16_t>& B, const char* trace);

namespace {

using namespace exercise_23;

constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kTiled =
    "\"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, Layout<Shape<_2,_2>>, Tile<_32,_32,_32>)\"";
constexpr const char* kTodo = ".\n  What to do: ";
constexpr int kElements = kSize * kSize, kShown = 3;

int a(int m, int k) { return (m * 3 + k * 5 + m * k) % 16; }
int b(int n, int k) { return (n * 7 + k * 3 + n * k) % 16; }

struct Answer {
  Layout A, B, D, shared;
  std::vector<float> product;
};

const Answer& answer() {
  static const Answer asked = [] {
    std::vector<std::uint16_t> A, B;
    for (int k = 0; k < kSize; ++k)
      for (int row = 0; row < kSize; ++row)
        A.push_back(product_check::f16(a(row, k))), B.push_back(product_check::f16(b(row, k)));
    A.push_back(0xffff), B.push_back(0xffff);
    const auto [numbers, product] = multiply_on_device(A, B, std::getenv("LANESCOPE_CHECK_TRACE"));
    REQUIRE(numbers.size() == 4 * 2 * kMostDigits);
    REQUIRE(product.size() == kElements);
    const auto layout = [&numbers = numbers](int which) {
      const auto begin = numbers.begin() + which * 2 * kMostDigits;
      return Layout{{begin, begin + kMostDigits}, {begin + kMostDigits, begin + 2 * kMostDigits}};
    };
    return Answer{layout(0), layout(1), layout(2), layout(3), product};
  }();
  return asked;
}

std::string at(const Operand& of, long long number) {
  const std::string name(1, of.name);
  if (number < 0 || number >= kElements) return "no element of " + name;
  const std::string row = std::to_string(number % kSize), col = std::to_string(number / kSize);
  return of.name == 'B' ? name + "[" + col + "][" + row + "]" : name + "[" + row + "][" + col + "]";
}

/// The element of a thread and a value, by the atlas: warps and steps are those of exercise.cu.
int belongs(const Operand& of, int thread, int value) {
  static const auto* mma = lanescope::layout::find(kInstruction);
  REQUIRE(mma != nullptr);
  const int lane = thread % 32, m = thread / 32 % 2 * 16, n = thread / 64 * 8;
  if (of.name == 'A') {
    const auto e = mma->A.element(lane, value % 8);
    return m + e.row + kSize * (e.col + value / 8 * 16);
  }
  if (of.name == 'B') {
    const auto e = mma->B.element(lane, value % 4);
    return n + e.col + value / 4 % 2 * 16 + kSize * (e.row + value / 8 * 16);
  }
  const auto e = mma->D.element(lane, value % 4);
  return m + e.row + kSize * (n + e.col + value / 4 * 16);
}

void fail(std::string problem, const std::string& more) {
  if (const char* trace = std::getenv("LANESCOPE_CHECK_TRACE"))
    problem += std::string("  What you loaded: ./learn view \"") + trace + "\"\n";
  FAIL(std::string("\n" + problem + more));
}

// ---- Who has what -------------------------------------------------------------------------------

bool same(const Operand& of, const Layout& one, const Layout& other) {
  for (int number = 0; number < kThreads * of.values(); ++number)
    if (one(number) != other(number)) return false;
  return true;
}

/// "with w % 2 the row grows by 0, not by 16".
std::string wrong_digit(const Operand& of, const Layout& is) {
  const auto number = [&](const std::vector<int>& digits) {
    int number = 0, worth = 1;
    for (std::size_t i = 0; i < digits.size(); ++i)
      number += digits[i] * worth, worth *= of.digits[i].count;
    return number;
  };
  const Layout right = layout_of(of, strides_of(of));
  const auto place = [](long long element) {
    return strides::Place{static_cast<int>(element % kSize), static_cast<int>(element / kSize)};
  };
  strides::Maps maps{{},
                     [&](const std::vector<int>& v) { return place(right(number(v))); },
                     [&](const std::vector<int>& v) -> std::optional<strides::Place> {
                       const long long element = is(number(v));
                       if (element < 0) return std::nullopt;
                       return place(element);
                     },
                     [&](const std::vector<int>& v, strides::Place p) {
                       return is(number(v)) == p.row + kSize * p.col;
                     },
                     of.row,
                     of.col};
  for (const Digit& digit : of.digits) maps.parts.push_back({digit.words, digit.count});
  const std::string steps = wrong_steps(maps);
  return !steps.empty() ? steps : wrong_where(maps);
}

std::string diagnosis(const Operand& of, const Layout& is) {
  const std::string in = std::string(" (") + of.name + ")" + kTodo;
  if (is.empty())
    return "The gap is still empty, or does not set of." + std::string(1, of.name) + in +
           "lessons/23_shape_stride/exercise.cu, between the two `your code` lines.";
  const Layout right = layout_of(of, strides_of(of));
  if (std::vector<int>(is.stride.begin(),
                       is.stride.begin() + static_cast<long>(of.digits.size())) == right.shape)
    return "It looks as if shape and strides have changed places" + in +
           "the shape comes first, {{shape}, {stride}}.";
  const long long wanted = kThreads * of.values();
  if (is.size() != wanted)
    return "It looks as if a digit is missing, or counts wrong: yours count to " +
           std::to_string(is.size()) + ", " + std::to_string(kThreads) + " threads and " +
           std::to_string(of.values()) + " values are " + std::to_string(wanted) + in +
           "a shape multiplies up to that; the table above the gap has the digits.";
  for (const Mistake& mistake : mistakes(of))
    if (same(of, is, layout_of(of, mistake.strides)))
      return "It looks as if " + mistake.name + in + mistake.advice + ".";
  for (const char other : {'A', 'B', 'D'})
    if (other != of.name && operand(other).values() >= of.values() &&
        same(of, is, layout_of(operand(other), strides_of(operand(other)))))
      return std::string("It looks as if this is the layout of ") + other + in +
             "which digits does " + of.name + " have, and what does each move?";
  if (const std::string wrong = wrong_digit(of, is); !wrong.empty())
    return "It looks as if " + wrong + in + "the number is " + of.row + " + 32 * " + of.col +
           "; a digit's stride is what it is worth.";
  return "This is not one of the mistakes this check knows" + in +
         "write the digits of the first line above, and what each is worth.";
}

void check_operand(char name, const Layout& is) {
  const Operand& of = operand(name);
  int wrong = 0, first = -1;
  std::string shown;
  for (int value = 0; value < of.values(); ++value)
    for (int thread = 0; thread < kThreads; ++thread) {
      const int wanted = belongs(of, thread, value);
      const long long found = is(thread + kThreads * value);
      if (found == wanted) continue;
      if (first < 0) first = thread;
      if (wrong++ < kShown)
        shown += "  thread " + std::to_string(thread) + " (lane " + std::to_string(thread % 32) +
                 ", w " + std::to_string(thread / 32) + "), value " + std::to_string(value) +
                 ": expected " + std::to_string(wanted) + ", " + at(of, wanted) + ", found " +
                 std::to_string(found) + ", " + at(of, found) + "\n";
    }
  if (wrong == 0) return;
  fail(std::to_string(wrong) + " of " + std::to_string(kThreads * of.values()) + " values of " +
           std::string(1, name) + " are not where they belong:\n" + shown + "\n" +
           diagnosis(of, is) + "\n",
       std::string("  What belongs there: ./learn layout ") + kTiled + " --operand " + name +
           " --lane " + std::to_string(first) + "\n");
}

// ---- Where A lies in shared memory --------------------------------------------------------------

std::string element_of_a(int number) { return at(operand('A'), number); }

/// A warp's load of one register: the byte where each lane's two values begin.
struct Load {
  int warp, reg;
  std::vector<int> low, high;  // numbers of elements
};
std::vector<Load> all_loads() {
  std::vector<Load> loads;
  for (int warp = 0; warp < 4; ++warp)
    for (int reg = 0; reg < 8; ++reg) {
      Load load{warp, reg, {}, {}};
      for (int lane = 0; lane < 32; ++lane) {
        load.low.push_back(belongs(operand('A'), warp * 32 + lane, reg * 2));
        load.high.push_back(belongs(operand('A'), warp * 32 + lane, reg * 2 + 1));
      }
      loads.push_back(load);
    }
  return loads;
}
std::string named(const Load& load) {
  return "w " + std::to_string(load.warp) + ", A.r" + std::to_string(load.reg % 4) + " of step " +
         std::to_string(load.reg / 4);
}

/// Elements without a place of their own.
std::string wrong_places(const Layout& shared) {
  std::vector<int> who(kRoom, -1);
  int outside = 0, twice = 0;
  std::string first_outside, first_twice;
  for (int number = 0; number < kElements; ++number) {
    const long long place = shared(number);
    if (place < 0 || place >= kRoom) {
      if (outside++ == 0) first_outside = std::to_string(place) + " for " + element_of_a(number);
      continue;
    }
    int& other = who[static_cast<std::size_t>(place)];
    if (other >= 0 && twice++ == 0)
      first_twice = element_of_a(other) + " and " + element_of_a(number) + " both lie at " +
                    std::to_string(place);
    if (other < 0) other = number;
  }
  const std::string count =
      shared.size() < kElements
          ? "its digits count to " + std::to_string(shared.size()) + ", A has 1024 elements"
          : "";
  if (twice > 0)
    return std::to_string(twice) +
           " of 1024 elements have no place of their own:\n  expected 1024 "
           "places, found " +
           std::to_string(kElements - twice - outside) + ": " + first_twice +
           "\n\nIt looks as if " + (count.empty() ? "two digits are worth the same" : count) +
           kTodo + "of two digits the slower one's stride is at least what the other one fills.\n";
  if (outside > 0)
    return std::to_string(outside) + " of 1024 elements lie outside:\n  expected offsets below " +
           std::to_string(kRoom) + ", found " + first_outside +
           "\n\nIt looks as if rows or columns lie too far apart" + kTodo +
           "32 rows of 32 elements have room for 16 more a row.\n";
  return "";
}

/// Registers whose halves one load does not have.
std::string wrong_halves(const Layout& shared) {
  for (const Load& load : all_loads())
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const long long low = shared(load.low[lane]), high = shared(load.high[lane]);
      if (high == low + 1 && low % 2 == 0) continue;
      const bool odd = high == low + 1;
      return "A register is not one load:\n  " + named(load) + ", lane " + std::to_string(lane) +
             ": expected the halves of one word, found " + element_of_a(load.low[lane]) + " at " +
             std::to_string(low) + ", " + element_of_a(load.high[lane]) + " at " +
             std::to_string(high) + "\n\nIt looks as if " +
             (odd ? "rows begin in the middle of a word"
                  : "neighbours along k do not lie beside each other") +
             kTodo +
             (odd ? "the stride of a row is even: 32 bits are two elements.\n"
                  : "the first digit of k has stride 1, and m's digits come before it.\n");
    }
  return "";
}

/// "lanes 0 and 8 want different words of bank 0": of the first two that meet.
std::string who_meets(const std::vector<std::uint32_t>& bytes) {
  for (std::size_t lane = 0; lane < bytes.size(); ++lane)
    for (std::size_t before = 0; before < lane; ++before)
      if (lanescope::layout::bank(bytes[lane]) == lanescope::layout::bank(bytes[before]) &&
          bytes[lane] / 4 != bytes[before] / 4)
        return "lanes " + std::to_string(before) + " and " + std::to_string(lane) +
               " want different words of bank " +
               std::to_string(lanescope::layout::bank(bytes[lane]));
  return "";
}

std::string conflicts(const Layout& shared) {
  int slow = 0;
  std::string shown;
  for (const Load& load : all_loads()) {
    std::vector<std::uint32_t> bytes;
    for (const int number : load.low)
      bytes.push_back(static_cast<std::uint32_t>(shared(number) * 2));
    const int passes = lanescope::layout::passes(bytes, 4);
    if (passes == 1) continue;
    if (slow++ < kShown)
      shown += "  " + named(load) + ": expected 1 pass, found " + std::to_string(passes) + ": " +
               who_meets(bytes) + "\n";
  }
  if (slow == 0) return "";
  const long long row = shared(1) - shared(0);
  return std::to_string(slow) + " of 32 loads have bank conflicts:\n" + shown +
         "\nIt looks as if eight rows do not fill the 32 banks: rows 0 and 1 begin " +
         std::to_string(row) + " elements apart, banks " + std::to_string(shared(0) / 2 % 32) +
         " and " + std::to_string(shared(1) / 2 % 32) + kTodo +
         "four lanes want four words of a row: send eight rows to eight fours of banks.\n";
}

}  // namespace

TEST_CASE("A: who has which element") { check_operand('A', answer().A); }
TEST_CASE("B: who has which element") { check_operand('B', answer().B); }
TEST_CASE("D: who has which element") { check_operand('D', answer().D); }

TEST_CASE("A in shared memory: one load a register, one pass a load") {
  const Layout& shared = answer().shared;
  if (shared.empty())
    fail(std::string("No element has a place: expected a layout, found none.\n\nThe gap is still "
                     "empty, or does not set of.shared") +
             kTodo + "lessons/23_shape_stride/exercise.cu, between the two `your code` lines.\n",
         "");
  for (const auto& wrong : {wrong_places, wrong_halves, conflicts})
    if (const std::string problem = wrong(shared); !problem.empty())
      fail(problem,
           "  What it costs, for a layout of yours: ./learn swizzle \"(32,32):(32,1)\" "
           "access=A mma.m16n8k16.f32.f16\n");
}

TEST_CASE("D = A * B") {
  std::vector<float> rows;
  for (int m = 0; m < kSize; ++m)
    for (int n = 0; n < kSize; ++n)
      rows.push_back(answer().product[static_cast<std::size_t>(m + kSize * n)]);
  const std::string wrong = product_check::wrong_elements("D", rows, kSize, kSize, kSize, 2, a,
                                                          [](int k, int n) { return b(n, k); });
  if (!wrong.empty())
    fail("The layouts are right. " + wrong,
         "  What to do: leave what is outside of the gap as it is.\n");
}
