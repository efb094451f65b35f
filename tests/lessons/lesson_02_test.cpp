// SPDX-License-Identifier: MIT
// Lesson 02 on the emulator: every encoding holds its A rounded as common/numeric rounds it, D is
// the product of what was encoded, the sums are the published model's, and damage is noticed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_02 {
namespace {

namespace fs = std::filesystem;

const std::string kLesson = "02_data_types";

std::vector<trace::Fragment> recorded(const std::string& arch) {
  const fs::path path = scratch() / ("lesson_02_" + arch + ".lanes");
  const Ran ran = run_lesson(kLesson, "--trace " + shell_word(path), arch);
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  std::vector<trace::Fragment> found;
  for (const trace::Event& event : result.trace.events)
    if (const auto* fragment = std::get_if<trace::Fragment>(&event)) found.push_back(*fragment);
  return found;
}

/// The bits of one element, found by the atlas.
std::uint64_t bits_at(const trace::Fragment& fragment, int row, int col) {
  const layout::Instruction* instruction = layout::find(fragment.instruction);
  REQUIRE(instruction != nullptr);
  const layout::Fragment* map = instruction->operand(fragment.operand.at(0));
  REQUIRE(map != nullptr);
  for (const layout::Held& held : layout::register_layout(*map))
    if (held.element.row == row && held.element.col == col) {
      const std::uint64_t word =
          fragment.registers.at(static_cast<std::size_t>(held.holder.register_index))
              .at(static_cast<std::size_t>(held.holder.thread));
      const int width = map->element_bits;
      const std::uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
      return word >> held.holder.bit & mask;
    }
  REQUIRE_MESSAGE(false, "no such element");
  return 0;
}

// The lesson's A and B, written a second time.
float a_at(int row, int k) { return static_cast<float>(((row * 4 + k) * 37 + 5) % 97 - 48) / 7.0f; }
float b_at(int k, int col) { return static_cast<float>(((k * 8 + col) * 29 + 7) % 89 - 44) / 9.0f; }

int signed_bits(std::uint64_t bits, int width) {
  const int number = static_cast<int>(bits);
  return number >= 1 << (width - 1) ? number - (1 << width) : number;
}

}  // namespace

TEST_CASE("lesson 02 shows nine types, seven of them on sm_80") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    for (const char* type : {"\nf16 ", "\nbf16 ", "\ntf32 ", "\ns8 ", "\ns4 ", "\nb1 ", "\nf64 "})
      CHECK(says(ran, type));
    const bool fp8 = std::string(arch) != "sm_80";
    CHECK(says(ran, "\ne4m3  ") == fp8);
    CHECK(says(ran, "\ne5m2  ") == fp8);
    CHECK(says(ran, "e4m3 and e5m2 need sm_89 or newer") == !fp8);
    CHECK(!says(ran, "^ too much"));
  }
}

// docs/arithmetic.md works the first line out by hand; 3.0625 * 2^-25 is 33c40000.
TEST_CASE("lesson 02's sums are the model's, and differ between sm_80 and sm_90a") {
  const Ran ampere = run_lesson(kLesson, "", "sm_80");
  CHECK(count(ampere, "  33800000 = 5.9604645e-08  33c40000 = 9.1269612e-08\n") == 1);
  CHECK(count(ampere, "  3f800000 = 1              3f800001 = 1.0000001\n") == 1);
  CHECK(count(ampere, "  00000000 = 0              00000000 = 0\n") == 1);
  const Ran hopper = run_lesson(kLesson, "", "sm_90a");
  CHECK(count(hopper, "  33c00000 = 8.9406967e-08  33c40000 = 9.1269612e-08\n") == 1);
  CHECK(count(hopper, "  3f800000 = 1              3f800001 = 1.0000001\n") == 1);
  CHECK(count(hopper, "  33c00000 = 8.9406967e-08  00000000 = 0\n") == 1);
}

TEST_CASE("lesson 02's float encodings are A and B, rounded to nearest") {
  const std::vector<trace::Fragment> all = recorded("sm_90a");
  REQUIRE(all.size() == 27);
  int types = 0;
  for (const trace::Fragment& fragment : all) {
    if (fragment.operand == "D" || fragment.register_bits == 64) continue;
    const layout::Fragment* map =
        layout::find(fragment.instruction)->operand(fragment.operand.at(0));
    const numeric::Format* format = numeric::find_format(name(map->type));
    if (format == nullptr || map->element_bits < 8 || name(map->type)[0] == 's') continue;
    ++types;
    CAPTURE(fragment.instruction);
    for (int row = 0; row < (fragment.operand == "A" ? 8 : 4); ++row)
      for (int col = 0; col < (fragment.operand == "A" ? 4 : 8); ++col) {
        const double x = fragment.operand == "A" ? a_at(row, col) : b_at(row, col);
        const std::uint64_t bits = bits_at(fragment, row, col);
        const double got = numeric::decode(*format, static_cast<std::uint32_t>(bits));
        // Nearest: no pattern beside it is nearer. tf32's neighbours are 2^13 apart.
        const std::uint64_t step = name(map->type) == "tf32" ? 1u << 13 : 1;
        for (const std::uint64_t other : {bits - step, bits + step}) {
          const double beside = numeric::decode(*format, static_cast<std::uint32_t>(other));
          if (x != 0) CHECK(std::fabs(got - x) <= std::fabs(beside - x));
        }
        if (x == 0) CHECK(got == 0);
      }
  }
  CHECK(types == 10);  // five float types of at most 32 bits, A and B
}

TEST_CASE("lesson 02's f64 is exact, its integers are steps, and their D is the integer product") {
  const std::vector<trace::Fragment> all = recorded("sm_90a");
  int types = 0;
  for (std::size_t first = 0; first < all.size(); first += 3) {
    const trace::Fragment &A = all[first], &B = all[first + 1], &D = all[first + 2];
    const layout::Instruction* instruction = layout::find(A.instruction);
    REQUIRE(instruction != nullptr);
    const std::string type(name(instruction->A.type));
    if (type == "f64") {
      CHECK(A.register_bits == 64);
      double first_element = 0;
      const std::uint64_t bits = bits_at(A, 0, 0);
      std::memcpy(&first_element, &bits, 8);
      CHECK(first_element == static_cast<double>(a_at(0, 0)));
    }
    if (type != "s8" && type != "s4" && type != "b1") continue;
    ++types;
    CAPTURE(type);
    const int width = instruction->A.element_bits;
    const auto number = [&](const trace::Fragment& f, int row, int col) {
      const std::uint64_t bits = bits_at(f, row, col);
      return width == 1 ? static_cast<int>(bits) : signed_bits(bits, width);
    };
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col) {
        int sum = 0;
        for (int k = 0; k < 4; ++k) sum += number(A, row, k) * number(B, k, col);
        CHECK(static_cast<int>(bits_at(D, row, col)) == sum);
      }
    // 48 / 7 is the largest of A: its step number is the type's largest.
    float most = 0;
    for (int row = 0; row < 8; ++row)
      for (int k = 0; k < 4; ++k) most = std::max(most, std::fabs(a_at(row, k)));
    const int levels = width == 8 ? 127 : width == 4 ? 7 : 1;
    for (int row = 0; row < 8; ++row)
      for (int k = 0; k < 4; ++k) {
        const float steps = a_at(row, k) / (most / static_cast<float>(levels));
        CHECK(number(A, row, k) ==
              (width == 1 ? static_cast<int>(steps > 0.5f) : std::lrint(steps)));
      }
  }
  CHECK(types == 3);
}

TEST_CASE("lesson 02 notices an encoding that is too coarse" * doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "rz", "cvt.rn.bf16.f32", "cvt.rz.bf16.f32");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(count(ran, "^ too much") == 1);
  CHECK(says(ran, "Rounding went further than it may"));
}

}  // namespace lesson_02
