// SPDX-License-Identifier: MIT
// Lesson 22 on the emulator: four kernels with one exact answer, and nothing for the checker to
// report; the trace has the scores that the host works out, and their weights; what is in another
// order is noticed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_22 {
namespace {

const std::string kLesson = "22_hopper_attention";
const char* const kKernels[] = {"one warpgroup, one thing after the other", "two",
                                "two, whose next scores are under way meanwhile",
                                "and who take turns"};

/// The first head's: row 0 has 1s at the bits of its number, key 0 to 127 are the first block.
int score(int row, int key) {
  int sum = 20;
  for (int bit = 0; bit < 4; ++bit)
    if ((row >> bit & 1) != 0) sum += (key * (bit + 1) + key / 5) % 2;
  return sum;
}

}  // namespace

TEST_CASE("lesson 22 attends exactly with all four kernels, and the checker has nothing to say") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  for (const std::string kernel : kKernels)
    CHECK(says(ran, "  " + kernel + std::string(46 - kernel.size(), ' ') + "  32768 of 32768\n"));
  const Ran checked = run_checked(kLesson);
  CAPTURE(checked.output);
  CHECK(checked.status == 0);
  CHECK(says(checked, "5 launches checked, nothing to report"));
}

TEST_CASE("lesson 22 --bench says that it needs a card") {
  const Ran ran = run_lesson(kLesson, "--bench");
  CHECK(ran.status == 0);
  CHECK(says(ran, "--bench needs a GPU"));
}

TEST_CASE(
    "lesson 22 records the first scores, and the weights that they become in the same lanes") {
  const auto path = scratch() / "lesson_22.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  int scores = 0, weights = 0;
  std::set<double> different;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    const layout::Instruction* instruction = layout::find(fragment->instruction);
    REQUIRE(instruction != nullptr);
    const bool is_a = fragment->operand == "A";
    for (const layout::Held& held :
         layout::register_layout(is_a ? instruction->A : instruction->D)) {
      const int row = held.element.row, col = held.element.col;
      const auto word = fragment->registers.at(static_cast<std::size_t>(held.holder.register_index))
                            .at(static_cast<std::size_t>(held.holder.thread));
      if (!is_a) {
        CHECK(numeric::decode(numeric::kF32, static_cast<std::uint32_t>(word)) == score(row, col));
        ++scores;
        continue;
      }
      int largest = 0;
      for (int key = 0; key < 128; ++key) largest = std::max(largest, score(row, key));
      const double weight =
          numeric::decode(numeric::kF16, static_cast<std::uint16_t>(word >> held.holder.bit));
      CHECK(weight == std::ldexp(1.0, score(row, col) - largest));
      different.insert(weight);
      ++weights;
    }
  }
  CHECK(scores == 64 * 128);
  CHECK(weights == 64 * 16);
  CHECK(different.size() > 3);
}

TEST_CASE("what is too early in lesson 22 is noticed, by its numbers or by the checker" *
          doctest::test_suite("compiled")) {
  const Ran touched = run_broken_kernel(
      kLesson, "touched",
      "    if (kAhead) ptx::wgmma_wait_group_sync_aligned<0>();  // o and p are ours again\n", "");
  CAPTURE(touched.output);
  CHECK(touched.status == 1);
  CHECK(says(touched, "Something above is not as it should be."));
  const Ran given =
      run(broken_kernels(kLesson, "given",
                         {{"    release(kKeysTile, block);\n",
                           "    release(kKeysTile, block), release(kValuesTile, block - 1);\n"},
                          {"    release(kValuesTile, block - 1);\n", ""}}) +
          lanescope_command() + " run --check -- " +
          shell_word(tests::build_folder() / "lessons" / kLesson / kLesson));
  CAPTURE(given.output);
  CHECK(given.status == 1);
  CHECK(count(given, "32768 of 32768") == 4);  // O is right all the same
  CHECK(says(given, "check: race-write-after-read: "));
}

}  // namespace lesson_22
