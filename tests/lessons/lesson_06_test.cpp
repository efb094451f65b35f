// SPDX-License-Identifier: MIT
// Lesson 06 on the emulator: right at every size and on every architecture, with zeros beyond the
// edges, and every damage to the edges or to the sums is noticed.
#include <doctest/doctest.h>

#include <string>

#include "layout/instruction.hpp"
#include "tests/contents.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_06 {
namespace {

const std::string kLesson = "06_naive_hgemm";

}  // namespace

TEST_CASE("lesson 06 is right at every size, on every architecture" *
          doctest::test_suite("twice")) {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(!says(ran, "NOT!"));
    CHECK(!says(ran, "TFLOP"));  // the emulator has no clock
    CHECK(says(ran, "to global memory in every step          16384\n"));
  }
}

TEST_CASE("lesson 06 records zeros beyond the edges") {
  const auto path = scratch() / "lesson_06.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  int fragments = 0, zeros = 0;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr || fragment->operand == "D") continue;
    ++fragments;
    const layout::Instruction* instruction = layout::find(fragment->instruction);
    REQUIRE(instruction != nullptr);
    const bool is_a = fragment->operand == "A";
    const layout::Fragment& map = is_a ? instruction->A : instruction->B;
    for (const layout::Held& held : layout::register_layout(map)) {
      // M, N, K = 20, 12, 24; this is the step from k = 16 on.
      const int row = held.element.row + (is_a ? 16 * fragment->place.block[1] : 16);
      const int col = held.element.col + (is_a ? 16 : 8 * fragment->place.block[0]);
      const bool exists = is_a ? row < 20 && col < 24 : row < 24 && col < 12;
      const auto word = fragment->registers.at(static_cast<std::size_t>(held.holder.register_index))
                            .at(static_cast<std::size_t>(held.holder.thread));
      if (exists) continue;
      ++zeros;
      CHECK((word >> held.holder.bit & 0xffff) == 0);
    }
  }
  CHECK(fragments == 8);
  CHECK(zeros > 8 * 64);
}

// The registers and the line of PTX are the toolkit's.
TEST_CASE("docs/checker.md has what --banks says of lesson 06") {
  const std::string document = tests::contents_of(LANESCOPE_SOURCE_DIR "/docs/checker.md");
  const std::size_t command = document.find("run --banks -- build/lessons/06_naive_hgemm/");
  REQUIRE(command != std::string::npos);
  const std::size_t line = document.find("lesson.cu:", command);
  const std::size_t second = document.find('\n', line) + 1;
  const std::size_t times = document.find_first_not_of(' ', second);
  REQUIRE(times < document.size());
  const Ran ran = run_with_banks(kLesson);
  CAPTURE(ran.output);
  const std::string first = ran.output.substr(0, ran.output.find('\n') + 1);
  CHECK(first.ends_with("06_naive_hgemm/" + document.substr(line, second - line)));
  CHECK(says(ran, "\n  " + document.substr(times, document.find("PTX line", times) - times)));
}

TEST_CASE("lesson 06 notices a missing guard, a missing zero and a sum that is cut" *
          doctest::test_suite("compiled")) {
  const Ran zero = run_broken_kernel(kLesson, "zero", ": __half(0.0f);", ": __half(NAN);");
  CAPTURE(zero.output);
  CHECK(zero.status == 1);
  const Ran step = run_broken_kernel(kLesson, "step", "k0 < K; k0 += 16", "k0 + 16 <= K; k0 += 16");
  CAPTURE(step.output);
  CHECK(step.status == 1);
  CHECK(says(step, "Something above is wrong"));
  const Ran row =
      run_broken_kernel(kLesson, "row", "if (row < M && col < N) C[", "if (col + 1 < N) C[");
  CAPTURE(row.output);
  CHECK(row.status == 1);
}

}  // namespace lesson_06
