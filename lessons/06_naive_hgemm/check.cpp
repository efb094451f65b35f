// SPDX-License-Identifier: MIT
// Check of exercise 06: C of several sizes, ragged ones too, with rows further apart than they are
// long, in memory where every other element must stay as it is. All numbers are small and whole, so
// that f32 has them exactly and only the last rounding is left: no tolerance.
//
// Source of the sums' places: common/layout (PTX ISA 9.2, 9.7.14.5.8).
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "layout/instruction.hpp"

// exercise.cu or solution.cu
std::vector<std::uint16_t> hgemm_on_device(const std::vector<std::uint16_t>& A,
                                           const std::vector<std::uint16_t>& B,
                                           const std::vector<std::uint16_t>& memory, int first,
                                           const int (&mnk_ldc)[4], const float (&alpha_beta)[2],
                                           const char* trace);

namespace {

constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr int kGuard = 4096;  // elements before and behind C
constexpr int kShown = 3;
constexpr std::uint16_t kForeign = 0x7b00, kNan = 0x7fff;

/// What an f16 is worth, and the f16 next to a whole number: also beyond 2048, where a wrong answer
/// may lead. 65520 and more is infinity.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  if (exponent == 31) return mantissa == 0 ? (bits >> 15 != 0 ? -INFINITY : INFINITY) : NAN;
  const double size =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  return bits >> 15 != 0 ? -size : size;
}
std::uint16_t f16(double number) {
  if (std::isnan(number)) return kNan;
  const int sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::fabs(number);
  if (size == 0) return static_cast<std::uint16_t>(sign);
  if (size >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(size, &exponent);  // size is below 2^exponent
  const int bits = static_cast<int>(std::nearbyint(std::ldexp(size, 11 - exponent)));
  // 1024 to 2048 with its exponent; a carry to 2048 makes the exponent one larger by itself.
  return static_cast<std::uint16_t>(sign | (((exponent + 13) << 10) + bits));
}
std::string number(std::uint16_t bits) {
  if (bits == kForeign) return "untouched memory";
  char text[32];
  std::snprintf(text, sizeof text, "%g", value_of(bits));
  return std::isnan(value_of(bits)) ? "NaN" : text;
}

struct Problem {
  int M, N, K, ldc, alpha, beta;
  bool nan;  // C is NaN before
};

int a_at(int row, int k) { return (row + k * 2) % 3; }
int b_at(int k, int col) { return (k + col) % 4 - 1; }
int c_at(int row, int col) { return (row * 7 + col * 3) % 50; }
int sum(const Problem& p, int row, int col) {  // what a lane has: 0 beyond the edges
  if (row >= p.M || col >= p.N) return 0;
  int total = 0;
  for (int k = 0; k < p.K; ++k) total += a_at(row, k) * b_at(k, col);
  return total;
}

using Memory = std::vector<std::uint16_t>;

Memory memory_before(const Problem& p) {
  Memory memory(static_cast<std::size_t>(2 * kGuard + p.M * p.ldc), kForeign);
  for (int row = 0; row < p.M; ++row)
    for (int col = 0; col < p.N; ++col)
      memory[static_cast<std::size_t>(kGuard + row * p.ldc + col)] =
          p.nan ? kNan : f16(c_at(row, col));
  return memory;
}

// ---- An epilogue, right or with a mistake -------------------------------------------------------

struct Epilogue {
  std::function<int(int lane, int i)> row, col;  // within the tile
  bool row_guard = true, col_guard = true, only_both = false, uses_ldc = true, uses_alpha = true,
       uses_beta = true, reads_with_beta_0 = false, rounds_twice = false, beta_is_1 = false,
       alpha_of_all = false, by_columns = false, whole_pairs = false;
  int beyond = 0;  // rows and columns that the guards let through
  std::function<bool(int lane, int i)> stores = [](int, int) { return true; };
};

Epilogue right_one() {
  const auto* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  Epilogue right;
  right.row = [found](int lane, int i) { return found->D.element(lane, i).row; };
  right.col = [found](int lane, int i) { return found->D.element(lane, i).col; };
  return right;
}

/// What such an epilogue makes of the memory.
Memory apply(const Epilogue& e, const Problem& p) {
  Memory memory = memory_before(p);
  const Epilogue right = right_one();
  for (int first_row = 0; first_row < p.M; first_row += 16)
    for (int first_col = 0; first_col < p.N; first_col += 8)
      for (int i = 0; i < 4; ++i)
        for (int lane = 0; lane < 32; ++lane) {
          if (!e.stores(lane, i)) continue;
          const int row = first_row + e.row(lane, i), col = first_col + e.col(lane, i);
          const bool below = row >= p.M + e.beyond;
          const bool beside = (e.whole_pairs ? col | 1 : col) >= p.N + e.beyond;
          if (e.only_both ? below && beside : (e.row_guard && below) || (e.col_guard && beside))
            continue;
          const int apart = e.uses_ldc ? p.ldc : p.N;
          std::uint16_t& at = memory.at(static_cast<std::size_t>(
              kGuard + (e.by_columns ? col * apart + row : row * apart + col)));
          const int d = sum(p, first_row + right.row(lane, i), first_col + right.col(lane, i));
          const bool reads = e.uses_beta && (p.beta != 0 || e.reads_with_beta_0);
          const double old =
              reads ? (e.beta_is_1 ? 1 : p.beta) * (e.alpha_of_all ? p.alpha : 1) * value_of(at)
                    : 0;
          const double product = (e.uses_alpha ? p.alpha : 1) * d;
          at = f16((e.rounds_twice ? value_of(f16(product)) : product) + old);
        }
  return memory;
}

struct Mistake {
  const char* name;
  const char* advice;
  std::function<void(Epilogue&)> make;
};

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"nothing is guarded at the edges", "store only where row < M and col < N",
       [](Epilogue& e) { e.row_guard = e.col_guard = false; }},
      {"rows beyond M are stored too", "store only where row < M",
       [](Epilogue& e) { e.row_guard = false; }},
      {"columns beyond N are stored too", "store only where col < N: the next row is not yours",
       [](Epilogue& e) { e.col_guard = false; }},
      {"only what is beyond both edges is left out",
       "C has an element where row < M and col < N: leave it out if either is not so",
       [](Epilogue& e) { e.only_both = true; }},
      {"rows lie N elements apart instead of ldc", "C[row][col] is C[row * ldc + col]",
       [](Epilogue& e) { e.uses_ldc = false; }},
      {"alpha is left out", "alpha * (A*B)", [](Epilogue& e) { e.uses_alpha = false; }},
      {"the old C is left out", "+ beta * C, where beta is not 0",
       [](Epilogue& e) { e.uses_beta = false; }},
      {"beta is left out: the old C is added as it is", "+ beta * C",
       [](Epilogue& e) { e.beta_is_1 = true; }},
      {"alpha multiplies the old C, too", "alpha * (A*B) + beta * C: alpha is the sum's alone",
       [](Epilogue& e) { e.alpha_of_all = true; }},
      {"C is stored column after column", "C is row-major: C[row][col] is C[row * ldc + col]",
       [](Epilogue& e) { e.by_columns = true; }},
      {"one row and one column too many are stored", "rows go from 0 to M - 1: row < M, col < N",
       [](Epilogue& e) { e.beyond = 1; }},
      {"the last column is left out where N is odd",
       "a pair that sticks out has an element inside: each of the two has a guard of its own",
       [](Epilogue& e) { e.whole_pairs = true; }},
      {"the old C is read although beta is 0", "0 * NaN is NaN: do not read C then",
       [](Epilogue& e) { e.reads_with_beta_0 = true; }},
      {"rows and columns of the tile are exchanged",
       "the lane's row is lane >> 2, its columns are lane % 4 * 2 and the next",
       [](Epilogue& e) { std::swap(e.row, e.col); }},
      {"d[1] and d[2] are exchanged", "d[1] is the next column, d[2] is 8 rows further down",
       [](Epilogue& e) {
         e.row = [](int lane, int i) { return (lane >> 2) + i % 2 * 8; };
         e.col = [](int lane, int i) { return lane % 4 * 2 + i / 2; };
       }},
      {"d[2] and d[3] go where d[0] and d[1] belong", "they are 8 rows further down",
       [](Epilogue& e) { e.row = [](int lane, int) { return lane >> 2; }; }},
      {"only d[0] and d[1] are stored", "a lane has four sums",
       [](Epilogue& e) { e.stores = [](int, int i) { return i < 2; }; }},
      {"the columns of a pair are exchanged", "d[0] is the left one of the two",
       [](Epilogue& e) { e.col = [](int lane, int i) { return lane % 4 * 2 + 1 - i % 2; }; }},
      {"a lane's columns are four apart", "a lane's two columns are neighbours: lane % 4 * 2",
       [](Epilogue& e) { e.col = [](int lane, int i) { return lane % 4 + i % 2 * 4; }; }},
      {"only lane 0 stores", "all 32 lanes have sums: look for an `if (lane == 0)`",
       [](Epilogue& e) { e.stores = [](int lane, int) { return lane == 0; }; }},
      {"alpha * sum is rounded to f16 before the old C is added",
       "compute in f32, and round once, at the end", [](Epilogue& e) { e.rounds_twice = true; }},
  };
  return all;
}

/// Where blocks write each other's places it depends on their turns what is left there: not so what
/// nobody has stored. "" when nothing of C is left out.
std::string left_out(const Problem& p, const Memory& found) {
  const Memory before = memory_before(p);
  bool below = p.M > 16, beside = p.N > 8;  // rows from 16 on, columns from 8 on, left as they were
  for (int row = 0; row < p.M; ++row)
    for (int col = 0; col < p.N; ++col) {
      const auto at = static_cast<std::size_t>(kGuard + row * p.ldc + col);
      if (found[at] == before[at]) continue;
      below = below && row < 16;
      beside = beside && col < 8;
    }
  if (below && beside) return "only the first tile of C is stored: a tile's beginning";
  if (below) return "only the uppermost tiles of C are stored: first_row";
  return beside ? "only the leftmost tiles of C are stored: first_col" : "";
}

std::string diagnosis(const Problem& p, const Memory& found) {
  constexpr const char* kTodo = ".\n  What to do: ";
  if (!p.nan && found == memory_before(p))
    return std::string("The gap is still empty, or stores nothing") + kTodo +
           "lessons/06_naive_hgemm/exercise.cu, between the two `your code` lines.";
  for (const Mistake& mistake : mistakes()) {
    Epilogue e = right_one();
    mistake.make(e);
    if (apply(e, p) == found)
      return std::string("It looks as if ") + mistake.name + kTodo + mistake.advice + ".";
  }
  if (const std::string words = left_out(p, found); !words.empty())
    return "It looks as if " + words + " is left out" + kTodo +
           "a tile begins at C[first_row][first_col]: add them to row and column.";
  return std::string("This is not one of the mistakes this check knows") + kTodo +
         "take one line above: which lane has that sum, and where did it store it?";
}

// ---- The check ----------------------------------------------------------------------------------

std::string place(const Problem& p, int at) {
  const int offset = at - kGuard;
  if (offset < 0) return "before C";
  if (offset >= p.M * p.ldc) return "behind C, " + std::to_string(offset / p.ldc) + " rows down";
  const int row = offset / p.ldc, col = offset % p.ldc;
  return "C[" + std::to_string(row) + "][" + std::to_string(col) + "]" +
         (col >= p.N ? " beyond the row's end" : "");
}

void check(const Problem& p) {
  std::vector<std::uint16_t> A, B;
  for (int row = 0; row < p.M; ++row)
    for (int k = 0; k < p.K; ++k) A.push_back(f16(a_at(row, k)));
  for (int k = 0; k < p.K; ++k)
    for (int col = 0; col < p.N; ++col) B.push_back(f16(b_at(k, col)));
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");
  const Memory found =
      hgemm_on_device(A, B, memory_before(p), kGuard, {p.M, p.N, p.K, p.ldc},
                      {static_cast<float>(p.alpha), static_cast<float>(p.beta)}, trace);
  const Memory expected = apply(right_one(), p);
  REQUIRE(found.size() == expected.size());
  int wrong = 0, first_row = 0, first_col = 0;
  std::string shown;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;
    const int offset = static_cast<int>(i) - kGuard;
    if (wrong == 0 && offset >= 0) first_row = offset / p.ldc % 16, first_col = offset % p.ldc % 8;
    if (wrong++ < kShown)
      shown += "  " + place(p, static_cast<int>(i)) + ": expected " + number(expected[i]) +
               ", found " + number(found[i]) + "\n";
  }
  if (wrong == 0) return;
  std::string problem =
      "\n" + std::to_string(wrong) + " elements are wrong, with M, N, K = " + std::to_string(p.M) +
      ", " + std::to_string(p.N) + ", " + std::to_string(p.K) + ", ldc = " + std::to_string(p.ldc) +
      ", alpha = " + std::to_string(p.alpha) + ", beta = " + std::to_string(p.beta) + ":\n" +
      shown + "\n" + diagnosis(p, found) + "\n";
  const std::string select = std::to_string(first_row) + "," + std::to_string(first_col);
  if (trace != nullptr)
    problem += std::string("  The sums you got: ./learn view \"") + trace + "\" --select \"D " +
               select + "\"\n  Where they went: ./learn diagnose \"" + trace + "\"\n";
  problem += std::string("  Who has which sum: ./learn layout ") + kInstruction +
             " --operand D --element " + select + "\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("one tile") { check({16, 8, 16, 8, 2, 3, false}); }
TEST_CASE("several tiles, rows further apart than they are long") {
  check({32, 24, 50, 40, 1, 2, false});
}
TEST_CASE("ragged edges") {
  check({20, 12, 26, 12, 2, 3, false});
  check({17, 9, 33, 13, 3, 1, false});
  check({1, 1, 1, 5, 2, 1, false});
  check({5, 31, 16, 31, 1, 2, false});
}
TEST_CASE("one rounding, at the end") { check({20, 12, 26, 14, 1001, 3, false}); }
TEST_CASE("beta is 0, and C was NaN") { check({20, 12, 26, 17, 2, 0, true}); }
