// SPDX-License-Identifier: MIT
// Lesson 11 on the emulator: every type, shape and immediate is there and exact, and a wrong one
// would be noticed.
#include <doctest/doctest.h>

#include <cstdio>
#include <set>
#include <string>

#include "layout/instruction.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_11 {
namespace {

constexpr const char* kLesson = "11_wgmma_types";

/// How often --all runs a type: N = 8 with all immediates, every other N with one combination; both
/// forms of A (in registers it cannot be transposed); scale-d 0 and 1.
int times(const layout::Instruction& at_n8, int count_of_n) {
  const int bits = at_n8.A.element_bits;
  const bool whole = at_n8.D.type == layout::ElementType::s32;
  const int combinations = whole ? 1 : bits == 16 ? 16 : 4;
  int runs = 0;
  for (int index = 1; index <= count_of_n; ++index) {
    // For 16-bit types N runs through all 32 multiples of 8, so the index is N / 8.
    const int first = index == 1 ? 0 : index % combinations;
    const int last = index == 1 ? combinations - 1 : first;
    for (int v = first; v <= last; ++v) runs += (v & 4) != 0 ? 1 : 2;
  }
  return 2 * runs;
}

/// Floats have signs, integers that saturate are lines of their own: both are `sums`.
const BrokenHost& broken() {
  static const BrokenHost lesson(
      kLesson,
      {{"(lane % 4 + reg / 2 * 4) * per",
        "(lane % 4 + reg / 2 * 4) * (per == 4 && broken(\"a_place\") ? 2 : per)"},
       {"sum *= c.sign();", "sum *= broken(\"sums\") ? 1 : c.sign();"},
       {"if (c.type.saturates && (sum", "if (!broken(\"sums\") && c.type.saturates && (sum"}});
  return lesson;
}

}  // namespace

TEST_CASE("lesson 11 is exact in every type, on a sample of N" * doctest::test_suite("twice")) {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, " elements exact") == 21);
  CHECK(says(ran, "All of them are exact."));
}

TEST_CASE("lesson 11 with --all runs every wgmma of the atlas, N by N" *
          doctest::test_suite("twice")) {
  const Ran ran = run_lesson(kLesson, "--all");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  int types = 0;
  for (const layout::Instruction& instruction : layout::instructions()) {
    if (instruction.family != "wgmma" || instruction.N != 8) continue;
    ++types;
    const std::string name(instruction.mnemonic);
    const std::string text = name.substr(name.find('.', name.find("m64n8k")) + 1);
    int count_of_n = 0;
    long long of_n = 0;
    for (const layout::Instruction& other : layout::instructions()) {
      const std::string full(other.mnemonic);
      if (other.family != "wgmma" || full.size() < text.size() + 1 || other.K != instruction.K ||
          full.substr(full.size() - text.size() - 1) != "." + text)
        continue;
      ++count_of_n;
      of_n += other.N;
    }
    CHECK(count_of_n == (instruction.D.type == layout::ElementType::s32 ? 18 : 32));
    CHECK(of_n > 0);
    char line[120];
    std::snprintf(line, sizeof line, "m64nNk%-3d %-20s %3d times, ", instruction.K, text.c_str(),
                  times(instruction, count_of_n));
    CHECK_MESSAGE(says(ran, line), line);
  }
  CHECK(types == 17);  // and four of them with .satfinite, which is no type of its own
}

TEST_CASE("lesson 11 records A and D of every type" * doctest::test_suite("twice")) {
  const std::filesystem::path path = scratch() / "lesson_11.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  std::set<std::string> a, d;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    (fragment->name == "A" ? a : d).insert(fragment->instruction);
    CHECK(layout::find(fragment->instruction) != nullptr);
    for (const auto& reg : fragment->registers) CHECK(reg.size() == 128);
  }
  CHECK(a.size() == 21);
  CHECK(d == a);
}

TEST_CASE("lesson 11 notices a fragment of A that is another width's" *
          doctest::test_suite("compiled")) {
  const Ran ran = broken().run("a_place");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "NOT all of them are exact."));
  CHECK(says(ran, "f32.f16.f16           60 times,    112640 of    112640"));
  CHECK(!says(ran, "s32.s8.s8             16 times,     90112 of     90112"));
}

TEST_CASE(
    "lesson 11 notices a negation that is left out, and sums that ought to saturate and wrap" *
    doctest::test_suite("compiled")) {
  const Ran ran = broken().run("sums");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "s32.s8.s8             16 times,     90112 of     90112"));
  CHECK(!says(ran, "f32.f16.f16           60 times,    112640 of    112640"));
  CHECK(!says(ran, "s32.s8.s8.satfinite   16 times,     90112 of     90112"));
}

TEST_CASE("the checker has nothing to say about lesson 11") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "nothing to report"));
}

}  // namespace lesson_11
