// SPDX-License-Identifier: MIT
// Check of exercise 10: follows every descriptor to the byte of every element of its slice, before
// anything is multiplied with it, and names the mistake by the fields. Then D has to be right, too.
//
// Source of the bytes: common/layout/descriptor.hpp (PTX ISA 9.2, 9.7.15.5.1.2).
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fields.hpp"
#include "layout/descriptor.hpp"
#include "mistakes.hpp"

// exercise.cu or solution.cu
std::vector<std::uint64_t> describe_on_device(int a_offset, int b_offset, bool multiplies,
                                              const char* trace);

namespace {

using exercise_10::fields;
using exercise_10::Mistake;
using exercise_10::mistakes;
using exercise_10::Right;
using exercise_10::units;
using exercise_10::WrongFields;
using lanescope::layout::Descriptor;
using lanescope::layout::Major;
using lanescope::layout::Swizzle;

constexpr int kSlices = 4;

struct Answer {
  std::uint32_t start[2];                  // of A, of B
  std::vector<std::uint64_t> descriptors;  // [slice][operand]

  std::uint64_t at(int operand, int slice) const {
    return descriptors.at(static_cast<std::size_t>(2 * slice + operand));
  }
};

Answer ask(int a_offset, int b_offset) {
  const std::vector<std::uint64_t> words = describe_on_device(a_offset, b_offset, false, nullptr);
  REQUIRE(words.size() >= 2 + 2 * kSlices);
  Answer answer{{static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[1])}, {}};
  answer.descriptors.assign(words.begin() + 2, words.begin() + 2 + 2 * kSlices);
  return answer;
}

/// Where element (mn, k) of the whole tile lies.
std::uint32_t place(const Answer& answer, int operand, int mn, int k) {
  const auto at = [](int value) { return static_cast<std::uint32_t>(value); };
  if (operand == 0)
    return answer.start[0] + at(mn / 8 * 1024 + k / 8 * 128 + mn % 8 * 16 + k % 8 * 2);
  return answer.start[1] + at(mn * 128 + ((k / 8) ^ (mn % 8)) * 16 + k % 8 * 2);
}

// ---- What mistake is it? ------------------------------------------------------------------------

Right right(const Answer& answer, int operand) {
  if (operand == 0) return {answer.start[0], 256, 128, 1024, 0};
  return {answer.start[1], 32, 0, 1024, 1};
}

/// Where every slice of an operand has it, by `r`.
bool is_described(const Answer& answer, int operand, const Right& r) {
  const std::uint64_t ignored = operand == 1 ? std::uint64_t{0x3fff} << 16 : 0;
  for (int slice = 0; slice < kSlices; ++slice)
    if (((answer.at(operand, slice) ^
          fields(units(r.start + r.step * static_cast<std::uint32_t>(slice)), units(r.lbo),
                 units(r.sbo), r.mode)) &
         ~ignored) != 0)
      return false;
  return true;
}

std::string diagnosis(const Answer& answer, int operand) {
  const std::string in = std::string(" (") + "AB"[operand] + ").\n  What to do: ";
  bool empty = true;
  for (int slice = 0; slice < kSlices; ++slice) empty = empty && answer.at(operand, slice) == 0;
  if (empty)
    return "The gap is still empty, or does not set this descriptor" + in +
           "lessons/10_descriptors/exercise.cu, between the two `your code` lines.";
  const std::uint64_t ignored = operand == 1 ? std::uint64_t{0x3fff} << 16 : 0;
  for (const Mistake& mistake : mistakes()) {
    bool explains = true;
    for (int slice = 0; slice < kSlices; ++slice)
      explains = explains &&
                 (answer.at(operand, slice) & ~ignored) ==
                     (mistake.predicts(right(answer, operand), static_cast<std::uint32_t>(slice)) &
                      ~ignored);
    if (explains) return std::string("It looks as if ") + mistake.name + in + mistake.advice + ".";
  }
  const Right other = right(answer, 1 - operand);
  if (is_described(answer, operand, other))
    return "It looks as if a and b were exchanged" + in + "a is A's descriptor, b is B's.";
  if (is_described(answer, operand,
                   {right(answer, operand).start, other.step, other.lbo, other.sbo, other.mode}))
    return std::string("It looks as if ") + "AB"[operand] + " were described as " +
           "AB"[1 - operand] + " is" + in +
           "A is stored without a swizzle, B with that of 128 B: slices and modes differ.";
  std::vector<std::uint64_t> descriptors;
  for (int slice = 0; slice < kSlices; ++slice) descriptors.push_back(answer.at(operand, slice));
  const WrongFields wrong = wrong_fields(descriptors, right(answer, operand), operand == 0);
  return "It looks as if " + wrong.words + in + wrong.advice + ".";
}

// ---- Saying it ----------------------------------------------------------------------------------

void check_places(const Answer& answer, int operand) {
  constexpr int kShown = 3;
  int wrong = 0, first_slice = -1;
  std::string shown;
  for (int slice = 0; slice < kSlices; ++slice) {
    const Descriptor d = lanescope::layout::decode(answer.at(operand, slice));
    for (int mn = 0; mn < 64; ++mn)
      for (int k = 0; k < 16; ++k) {
        const std::uint32_t expected = place(answer, operand, mn, 16 * slice + k);
        const std::uint32_t found = lanescope::layout::fetched_byte(d, Major::K, 16, mn, k);
        if (found == expected) continue;
        if (first_slice < 0) first_slice = slice;
        char text[160];
        std::snprintf(text, sizeof text,
                      "  slice %d, %s = %d, k = %d: expected byte %u of shared memory, found %u\n",
                      slice, operand == 0 ? "m" : "n", mn, 16 * slice + k, expected, found);
        if (wrong++ < kShown) shown += text;
      }
  }
  const Right r = right(answer, operand);
  if (wrong == 0 && is_described(answer, operand, r)) return;
  std::string head = std::to_string(wrong) + " of 4096 elements of " + "AB"[operand] +
                     " would be taken from the wrong place:\n";
  if (wrong == 0) {
    first_slice = 0;
    char text[100];
    std::snprintf(
        text, sizeof text, "  slice 0: expected 0x%016llx, found 0x%016llx\n",
        static_cast<unsigned long long>(fields(units(r.start), units(r.lbo), units(r.sbo), r.mode)),
        static_cast<unsigned long long>(answer.at(operand, 0)));
    head = std::string("The elements of ") + "AB"[operand] +
           " would be found, but other bits are set than those:\n";
    shown = text;
  }
  if (wrong > kShown) shown += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  char command[80];
  std::snprintf(command, sizeof command, "./learn descriptor --decode 0x%016llx",
                static_cast<unsigned long long>(answer.at(operand, first_slice)));
  const std::string problem = "\n" + head + shown + "\n" + diagnosis(answer, operand) +
                              "\n  What yours says (slice " + std::to_string(first_slice) +
                              "): " + command + "\n";
  FAIL(problem);
}

void check(int operand) {
  for (const int a_offset : {0, 4096 + 384}) {  // A ends before B; | is not +
    check_places(ask(a_offset, 16384), operand);
    check_places(ask(a_offset, 24576 - 1024), operand);
  }
}

void check_product() {
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  const std::vector<std::uint64_t> words = describe_on_device(128, 16384, true, trace);
  REQUIRE(words.size() == 2 + 2 * kSlices + 64 * 64);
  for (int row = 0; row < 64; ++row)
    for (int col = 0; col < 64; ++col) {
      int expected = 0;
      for (int k = 0; k < 64; ++k) expected += (row * 3 + k * 5) % 16 * ((col * 7 + k * 11) % 16);
      const auto bits = static_cast<std::uint32_t>(
          words[static_cast<std::size_t>(2 + 2 * kSlices + row * 64 + col)]);
      float found;
      std::memcpy(&found, &bits, 4);
      CAPTURE(row);
      CAPTURE(col);
      REQUIRE(found == static_cast<float>(expected));
    }
}

}  // namespace

TEST_CASE("A: blocks of 8 x 8, no swizzle") { check(0); }
TEST_CASE("B: rows of 128 bytes, swizzled") { check(1); }
TEST_CASE("the product of both, slice by slice") { check_product(); }
