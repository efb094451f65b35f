// SPDX-License-Identifier: MIT
// Lesson 12 on the emulator: boxes, ring, multicast and store come out right, the trace has the
// boxes as they lay in shared memory, and wrong parities, bytes and fences are noticed.
#include <doctest/doctest.h>

#include <string>

#include "layout/swizzle.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_12 {
namespace {

constexpr const char* kLesson = "12_tma_mbarrier";

}  // namespace

TEST_CASE("lesson 12's boxes, ring, multicast and store are right") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "128 B, over the end           17,40                1024    512    416"));
  CHECK(says(ran, "128 B, before the beginning   -3,-16               1024    512    272"));
  CHECK(says(ran, "128 B, outside                20,0                 1024    512    512"));
  CHECK(says(ran, "                    stage  0 1 2 0 1 2 0 1\n"));
  CHECK(says(ran, "   wait for full, parity  0 0 0 1 1 1 0 0\n"));
  CHECK(says(ran, "  wait for empty, parity  1 1 1 0 0 0 1 1\n"));
  CHECK(says(ran, "8 of 8 tiles came whole.\n"));
  CHECK(says(ran, "both have it all: 1024 of 1024 elements.\n"));
  CHECK(says(ran, "96 elements written, 1440 of 1440 right.\n"));
}

TEST_CASE("lesson 12 records each box as it lay in shared memory, swizzled") {
  const std::filesystem::path path = scratch() / "lesson_12.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  CHECK(result.unknown_events == 0);
  int boxes = 0, checked = 0;
  for (const trace::Event& event : result.trace.events) {
    const auto* box = std::get_if<trace::Memory>(&event);
    if (box == nullptr) continue;
    CHECK(box->space == "shared");
    if (++boxes != 4) continue;  // 128 B, 64 columns, from A[7][8] on
    REQUIRE(box->bytes.size() == 1024);
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 64; ++col) {
        const auto at = layout::swizzled(static_cast<std::uint32_t>(row * 128 + col * 2),
                                         layout::Swizzle::b128);
        const auto bits = static_cast<std::uint16_t>(box->bytes[at] | box->bytes[at + 1] << 8);
        CHECK(numeric::decode(numeric::kF16, bits) == 100 * (row + 7) + col + 8);
        ++checked;
      }
  }
  CHECK(boxes == 7);
  CHECK(checked == 512);
}

TEST_CASE("lesson 12: consumers that wait for the wrong parity are noticed" *
          doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "consumer_parity",
                                    "ptx::mbarrier_wait_parity(&full[stage], parity);",
                                    "ptx::mbarrier_wait_parity(&full[stage], parity ^ 1);");
  CAPTURE(ran.output);
  CHECK(ran.status != 0);
}

TEST_CASE("lesson 12: a producer that waits for the wrong parity is a deadlock with a name" *
          doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "producer_parity",
                                    "ptx::mbarrier_wait_parity(&empty[stage], parity ^ 1);",
                                    "ptx::mbarrier_wait_parity(&empty[stage], parity);");
  CAPTURE(ran.output);
  CHECK(ran.status != 0);
  CHECK(says(ran, "mbarrier"));
}

TEST_CASE("lesson 12: bytes that never come are a deadlock with a name" *
          doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "bytes", "expect_tx_shared_b64(&full, bytes);",
                                    "expect_tx_shared_b64(&full, bytes + 16);");
  CAPTURE(ran.output);
  CHECK(ran.status != 0);
  CHECK(says(ran, "mbarrier"));
}

TEST_CASE("lesson 12 notices a prediction without the swizzle" * doctest::test_suite("compiled")) {
  const Ran ran = run_broken(kLesson, "swizzle", "return byte ^ (byte / 128 % units) * 16;",
                             "return byte + 0 * units;");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
}

TEST_CASE("lesson 12's checker has nothing to say but when the fence is left out") {
  const Ran clean = run_checked(kLesson);
  CAPTURE(clean.output);
  CHECK(clean.status == 0);
  CHECK(says(clean, "nothing to report"));
  const Ran forgotten = run_checked(kLesson, "--no-fence");
  CAPTURE(forgotten.output);
  CHECK(forgotten.status != 0);
  CHECK(says(forgotten, "fence.proxy.async"));
  CHECK(says(forgotten, "lesson.cu:"));
}

}  // namespace lesson_12
