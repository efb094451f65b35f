// SPDX-License-Identifier: MIT
// Lesson 09 on the emulator: its map is the atlas's, what it records is what it says, and it
// notices when an instruction or an immediate is another.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "layout/instruction.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_09 {
namespace {
constexpr const char* kLesson = "09_wgmma";
}

TEST_CASE("lesson 09 finds every element of D where the manual has it") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "N =   8:   4 registers of D,   512 of   512 elements"));
  CHECK(says(ran, "N =  16:   8 registers of D,  1024 of  1024 elements"));
  CHECK(says(ran, "N =  64:  32 registers of D,  4096 of  4096 elements"));
  CHECK(says(ran, "N = 128:  64 registers of D,  8192 of  8192 elements"));
  CHECK(says(ran, "N = 256: 128 registers of D, 16384 of 16384 elements"));
}

TEST_CASE("lesson 09's immediates do what it says") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(says(ran, "scale-d 1: D + A*B               14109  1024\n"));
  CHECK(says(ran, "scale-d 0: A*B                    4109  1024\n"));
  CHECK(says(ran, "A from registers: D + A*B        14109  1024\n"));
  CHECK(says(ran, "imm-scale-a -1: D - A*B           5891  1024\n"));
  CHECK(says(ran, "imm-scale-b -1: D - A*B           5891  1024\n"));
  CHECK(says(ran, "both -1: D + A*B                 14109  1024\n"));
  CHECK(says(ran, "trans-b 1, B's memory as is          0     1\n"));
  CHECK(says(ran, "trans-b 1, B stored N-major       4109  1024\n"));
}

TEST_CASE("lesson 09's table is the atlas's") {
  const Ran ran = run_lesson(kLesson);
  const layout::Instruction* instruction =
      layout::find("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16");
  REQUIRE(instruction != nullptr);
  for (const int thread : {0, 1, 4, 31, 32, 33, 64, 127}) {
    char line[120];
    int at = std::snprintf(line, sizeof line, "\n%4d %4d", thread / 32, thread % 32);
    for (int i = 0; i < 8; ++i) {
      const layout::Element e = instruction->D.element(thread, i);
      at += std::snprintf(line + at, sizeof line - static_cast<std::size_t>(at), "   %2d,%-2d",
                          e.row, e.col);
    }
    CHECK_MESSAGE(says(ran, std::string(line) + "\n"), line);
  }
}

TEST_CASE("lesson 09 records A and D of all 128 threads") {
  const std::filesystem::path path = scratch() / "lesson_09.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  CHECK(result.unknown_events == 0);
  int fragments = 0;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    ++fragments;
    const layout::Instruction* instruction = layout::find(fragment->instruction);
    REQUIRE(instruction != nullptr);
    if (fragment->name != "D") continue;
    REQUIRE(fragment->registers.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
      REQUIRE(fragment->registers[i].size() == 128);
      for (int thread = 0; thread < 128; ++thread) {
        const layout::Element e = instruction->D.element(thread, static_cast<int>(i));
        const auto word =
            static_cast<std::uint32_t>(fragment->registers[i][static_cast<std::size_t>(thread)]);
        float value;
        std::memcpy(&value, &word, 4);
        CHECK(value == static_cast<float>(100 * e.row + e.col));
      }
    }
  }
  CHECK(fragments == 2);
}

TEST_CASE("lesson 09 notices a fragment of A that is another's" * doctest::test_suite("compiled")) {
  const Ran ran =
      run_broken_kernel(kLesson, "a_fragment", "row + reg % 2 * 8", "row + reg / 2 * 8");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "A from registers: D + A*B"));
  CHECK(!says(ran, "A from registers: D + A*B        14109  1024"));
}

TEST_CASE("lesson 09 notices a sum that is read before the wait" *
          doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "no_wait", "wgmma_wait_group_sync_aligned<1>();",
                                    "wgmma_wait_group_sync_aligned<2>();");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
}

TEST_CASE("lesson 09 notices strides that are exchanged" * doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(
      kLesson, "strides", "matrix_descriptor(b, kBlock * kBytes, 2 * kBlock * kBytes, 0)",
      "matrix_descriptor(b, 2 * kBlock * kBytes, kBlock * kBytes, 0)");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
}

TEST_CASE("lesson 09 says in a line that another card has no wgmma") {
  const Ran ran = run_lesson(kLesson, "", "sm_89");
  CAPTURE(ran.output);
  CHECK(ran.status != 0);
  CHECK(says(ran, "sm_90a"));
}

TEST_CASE("the checker has nothing to say about lesson 09") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "nothing to report"));
}

}  // namespace lesson_09
