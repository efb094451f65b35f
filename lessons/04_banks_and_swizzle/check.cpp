// SPDX-License-Identifier: MIT
// Check of exercise 04: is every unit somewhere, do the fragments come out right, and does any
// phase of a store or of an ldmatrix wait at a bank? The conflicts are counted, from the places
// that the lanes computed: any swizzle without conflicts passes, not only ours.
//
// Source of the banks and of the fragments: common/layout (CUDA C++ Programming Guide, "Shared
// Memory"; PTX ISA 9.2, 9.7.14.5.8).
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "layout/banks.hpp"
#include "layout/instruction.hpp"
#include "mistakes.hpp"

// exercise.cu or solution.cu
std::vector<std::uint32_t> load_on_device(const std::vector<std::uint16_t>& matrix,
                                          const char* trace);

namespace {

using namespace exercise_04;
using lanescope::layout::Element;

constexpr const char* kInstruction = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr int kRows = 16, kPlaces = kRows * kUnits, kOut = 10;
constexpr int kShown = 3;

struct Answer {
  std::vector<std::uint32_t> out;

  std::uint32_t word(int index) const { return out.at(static_cast<std::size_t>(index)); }
  /// Where the lane that stored it put a unit.
  int stored(int row, int unit) const { return static_cast<int>(word(row * kUnits + unit)); }
  /// Where the lane that names it to ldmatrix looked for it.
  int read(int lane, int k) const { return static_cast<int>(word(kPlaces + lane * kOut + 8 + k)); }
  std::uint16_t half(int lane, int k, int reg, int half) const {
    const std::uint32_t bits = word(kPlaces + lane * kOut + k * 4 + reg);
    return static_cast<std::uint16_t>(half == 0 ? bits : bits >> 16);
  }
};

/// Says where it lies: 0x3000 + 32 * row + col, a small f16.
std::uint16_t pattern(int row, int col) {
  return static_cast<std::uint16_t>(0x3000 + 32 * row + col);
}

const Answer& answer() {
  static const Answer asked = [] {
    std::vector<std::uint16_t> matrix;
    for (int row = 0; row < kRows; ++row)
      for (int col = 0; col < 32; ++col) matrix.push_back(pattern(row, col));
    return Answer{load_on_device(matrix, std::getenv("LANESCOPE_CHECK_TRACE"))};
  }();
  REQUIRE(asked.out.size() == kPlaces + 32 * kOut);
  return asked;
}

// ---- What mistake is it? ------------------------------------------------------------------------

/// "units 0 and 1 of row 5 get the same place, 2"; "": none do.
std::string who_shares() {
  for (int row = 0; row < kRows; ++row)
    for (int unit = 1; unit < kUnits; ++unit)
      for (int before = 0; before < unit; ++before)
        if (answer().stored(row, unit) == answer().stored(row, before))
          return "units " + std::to_string(before) + " and " + std::to_string(unit) + " of row " +
                 std::to_string(row) + " get the same place, " +
                 std::to_string(answer().stored(row, unit));
  return "";
}

/// "rows 0, 2, 4 and 6 all have their unit 0 in banks 0 to 3": the most rows of eight that meet;
/// "": none do.
std::string who_meets() {
  std::vector<int> most{0};
  int of_unit = 0;
  for (int first = 0; first < kRows; first += 8)
    for (int unit = 0; unit < kUnits; ++unit)
      for (int bank = 0; bank < 32; bank += 4) {
        std::vector<int> rows;
        for (int row = first; row < first + 8; ++row)
          if (row % 2 * 16 + answer().stored(row, unit) * 4 == bank) rows.push_back(row);
        if (rows.size() > most.size()) most = rows, of_unit = unit;
      }
  if (most.size() < 2) return "";
  std::string words = "rows ";
  for (std::size_t i = 0; i < most.size(); ++i)
    words += (i == 0 ? "" : i + 1 == most.size() ? " and " : ", ") + std::to_string(most[i]);
  const int bank = most[0] % 2 * 16 + answer().stored(most[0], of_unit) * 4;
  return words + (most.size() == 2 ? " both" : " all") + " have their unit " +
         std::to_string(of_unit) + " in banks " + std::to_string(bank) + " to " +
         std::to_string(bank + 3);
}

std::string diagnosis() {
  const Answer& a = answer();
  constexpr const char* kTodo = ".\n  What to do: ";
  const auto all_are = [&](const std::function<int(int, int)>& place) {
    for (int row = 0; row < kRows; ++row)
      for (int unit = 0; unit < kUnits; ++unit)
        if (a.stored(row, unit) != place(row, unit)) return false;
    return true;
  };
  if (all_are([](int, int) { return -1; }))
    return std::string("The gap is still empty, or does not set `at`") + kTodo +
           "lessons/04_banks_and_swizzle/exercise.cu, between the two `your code` lines.";
  for (int k = 0; k < 2; ++k)
    for (int lane = 0; lane < 32; ++lane) {
      const int row = lane % 16, unit = k * 2 + lane / 16;
      if (a.read(lane, k) != a.stored(row, unit))
        return std::string(
                   "It looks as if who asks decides where a unit lies: the swizzle of the "
                   "store is not that of\n  the load") +
               kTodo + "place() may depend on row and unit only, not on the lane.";
    }
  if (all_are([&](int, int) { return a.stored(0, 0); }))
    return std::string("It looks as if every unit gets the same place") + kTodo +
           "the place depends on the unit, and on the row.";
  for (const Mistake& mistake : mistakes())
    if (all_are(mistake.place))
      return std::string("It looks as if ") + mistake.name + kTodo + mistake.advice + ".";
  if (all_are([&](int row, int) { return a.stored(row, 0); }))
    return std::string("It looks as if the unit does not count") + kTodo +
           "four units need four places: the place depends on the unit too.";
  for (const int bytes : {16, 8})
    if (all_are([&](int row, int unit) { return a.stored(row, unit) & -bytes; }))
      return std::string("It looks as if a place is counted in ") +
             (bytes == 16 ? "bytes" : "elements") + kTodo +
             "places are 0, 1, 2 and 3: byte_of makes 16 bytes of each.";
  if (!all_are([&](int row, int unit) { return std::max(a.stored(row, unit), 0); }))
    return std::string("It looks as if a place is negative") + kTodo +
           "in C++ -1 % 4 is -1; & 3 makes it 3, and ^ has no sign to lose.";
  if (all_are([&](int row, int unit) { return a.stored(row, unit) & kUnits; }))
    return std::string("It looks as if one bit of a place is left, 0 or 4") + kTodo +
           "% 4 makes it begin again, and so does & 3; & 4 keeps a bit that no place has.";
  if (!all_are([&](int row, int unit) { return a.stored(row, unit) & (kUnits - 1); }))
    return std::string("It looks as if a place is not cut to 0 to 3") + kTodo +
           "a row has four places: % 4 makes it begin again.";
  if (const std::string units = who_shares(); !units.empty())
    return "It looks as if " + units + kTodo +
           "what is done to the unit must be undone by something: ^ with a number of the row is, "
           "before\n  anything is cut or divided.";
  if (const std::string rows = who_meets(); !rows.empty())
    return "It looks as if " + rows + kTodo +
           "every second row of eight begins at the same bank: these four need four orders, one "
           "each.";
  return std::string("This is not one of the mistakes this check knows") + kTodo +
         "take the rows or lanes named above: at which byte of 128 does each row's unit begin?";
}

void fail(const std::string& what, const std::string& select) {
  std::string problem = "\n" + what + "\n" + diagnosis() + "\n";
  if (const char* trace = std::getenv("LANESCOPE_CHECK_TRACE"))
    problem += std::string("  What you loaded: ./learn view \"") + trace + "\" --select \"" +
               select + "\"\n";
  problem += "  The rule, on a tile of another size: ./learn swizzle --mode 128B\n";
  FAIL(problem);
}

}  // namespace

TEST_CASE("every unit has a place of its own") {
  int wrong = 0;
  std::string shown, select;
  for (int row = 0; row < kRows; ++row) {
    std::string places;
    bool taken[kUnits] = {}, good = true;
    for (int unit = 0; unit < kUnits; ++unit) {
      const int at = answer().stored(row, unit);
      places += " " + std::to_string(at);
      good = good && at >= 0 && at < kUnits && !taken[at];
      if (at >= 0 && at < kUnits) taken[at] = true;
    }
    if (good) continue;
    if (wrong == 0) select = "A " + std::to_string(row) + ",0";
    if (wrong++ < kShown)
      shown += "  row " + std::to_string(row) +
               ": expected the places 0 1 2 3 in some order, found" + places + "\n";
  }
  if (wrong > 0) fail(std::to_string(wrong) + " of 16 rows lose a unit:\n" + shown, select);
}

TEST_CASE("ldmatrix finds what was stored") {
  const auto* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  int wrong = 0;
  std::string shown, select;
  for (int k = 0; k < 2; ++k)
    for (int lane = 0; lane < 32; ++lane)
      for (int reg = 0; reg < 4; ++reg)
        for (int half = 0; half < 2; ++half) {
          const Element e = found->A.element(lane, reg * 2 + half);
          const int is = answer().half(lane, k, reg, half) - pattern(0, 0);
          if (is == 32 * e.row + e.col + 16 * k) continue;
          if (wrong == 0) select = "A " + std::to_string(e.row) + "," + std::to_string(e.col);
          if (wrong++ >= kShown) continue;
          shown += "  columns from " + std::to_string(16 * k) + ", lane " + std::to_string(lane) +
                   ", a[" + std::to_string(reg) + "], " + (half == 0 ? "low" : "high") +
                   " half: expected A[" + std::to_string(e.row) + "][" +
                   std::to_string(e.col + 16 * k) + "], found ";
          shown += is < 0 || is >= 512
                       ? std::string("NaN")
                       : "A[" + std::to_string(is / 32) + "][" + std::to_string(is % 32) + "]";
          shown += "\n";
        }
  if (wrong > 0)
    fail(std::to_string(wrong) + " of 512 elements are not where they belong:\n" + shown, select);
}

/// The lanes of a phase that want a word of the fullest bank, and that bank.
std::string who_waits(const std::vector<std::uint32_t>& addresses, int first_lane, int passes) {
  using lanescope::layout::bank;
  for (int b = 0; b < lanescope::layout::kBanks; b += 4) {
    std::string lanes;
    int count = 0;
    for (std::size_t i = 0; i < addresses.size(); ++i)
      if (bank(addresses[i]) == b && ++count > 0)
        lanes += (count > 1 ? ", " : "") + std::to_string(first_lane + static_cast<int>(i));
    if (count == passes) return "lanes " + lanes + " all begin at bank " + std::to_string(b);
  }
  return "";
}

TEST_CASE("no lane waits for another") {
  int slow = 0;
  std::string shown, select;
  for (int k = 0; k < 2; ++k)
    for (int first = 0; first < 32; first += 8) {
      std::vector<std::uint32_t> addresses;
      for (int lane = first; lane < first + 8; ++lane)
        addresses.push_back(
            static_cast<std::uint32_t>(lane % 16 * 64 + answer().read(lane, k) * 16));
      const int passes = lanescope::layout::passes(addresses, 16);
      if (passes == 1) continue;
      if (slow == 0) select = "A " + std::to_string(first % 16) + ",0";
      if (slow++ < kShown)
        shown += "  columns from " + std::to_string(16 * k) + ", lanes " + std::to_string(first) +
                 " to " + std::to_string(first + 7) + ": expected 1 pass, found " +
                 std::to_string(passes) + ": " + who_waits(addresses, first, passes) + "\n";
    }
  if (slow > 0)
    fail(std::to_string(slow) + " of 8 phases of ldmatrix have bank conflicts:\n" + shown, select);
}
