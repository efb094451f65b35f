// SPDX-License-Identifier: MIT
// Lesson 03 on the emulator: its map is the atlas's, the tiles it records are the matrices, both
// kernels pass with the identity, and an asymmetric A tells them apart.
#include <doctest/doctest.h>

#include <string>

#include "layout/mover.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_03 {
namespace {

namespace fs = std::filesystem;

const std::string kLesson = "03_ldmatrix";
Ran lesson(const std::string& arguments = "", const std::string& arch = "sm_90a") {
  return run_lesson(kLesson, arguments, arch);
}

}  // namespace

TEST_CASE("lesson 03 loads fragments as by hand, and puts them back where stmatrix is") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = lesson("", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "x1 is r0 of x4, x2 is r0 and r1: 32 of 32 lanes."));
    CHECK(says(ran, "movmatrix makes r0 of .trans from r0: 32."));
    CHECK(says(ran, "A by ldmatrix.x4: 128 of 128 registers"));
    CHECK(says(ran, "B by ldmatrix.x2.trans: 64 of 64."));
    const bool hopper = std::string(arch) == "sm_90a";
    CHECK(says(ran, "A put back by stmatrix.x4: 256 of 256 elements.") == hopper);
    CHECK(says(ran, "stmatrix needs sm_90 or newer") == !hopper);
  }
}

TEST_CASE("lesson 03's two kernels both pass with the identity; an asymmetric A tells them apart") {
  const Ran identity = lesson();
  CHECK(identity.status == 0);
  CHECK(says(identity, "kernel 1: 128 of 128 elements of D are those of A*B\n"));
  CHECK(says(identity, "kernel 2: 128 of 128 elements of D are those of A*B\n"));
  CHECK(!says(identity, "A-transposed"));  // that is for the learner to find
  const Ran asymmetric = lesson("--asymmetric");
  CHECK(asymmetric.status == 0);
  CHECK(says(asymmetric,
             "kernel 1: 128 of 128 elements of D are those of A*B, "
             "0 are those of A-transposed times B\n"));
  CHECK(says(asymmetric,
             "kernel 2: 0 of 128 elements of D are those of A*B, "
             "128 are those of A-transposed times B\n"));
}

TEST_CASE("lesson 03's table is the atlas's") {
  const Ran ran = lesson();
  const layout::Mover* mover = layout::find_mover("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
  REQUIRE(mover != nullptr);
  // Lane 5: the row that a lane's address named, by the atlas, is the row that stands there.
  for (int reg = 0; reg < 4; ++reg) {
    const layout::Element e = mover->registers.element(5, reg * 2);
    CHECK(e.row == 1);
    CHECK(e.col == 2);
    CHECK(mover->addressed_row(8 * reg + e.row) == layout::Element{e.row, 0, reg});
  }
  CHECK(says(
      ran, "\n   5  1,2..3   9,2..3   17,2..3   25,2..3  2..3,1   10..11,1 18..19,1  26..27,1\n"));
}

TEST_CASE("lesson 03 records the tiles of shared memory and the fragments of one launch") {
  const fs::path path = scratch() / "lesson_03.lanes";
  REQUIRE(lesson("--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  CHECK(result.unknown_events == 0);
  int tiles = 0, fragments = 0;
  for (const trace::Event& event : result.trace.events) {
    fragments += std::holds_alternative<trace::Fragment>(event);
    const auto* tile = std::get_if<trace::Memory>(&event);
    if (tile == nullptr) continue;
    const bool is_a = tiles++ == 0;
    CHECK(tile->space == "shared");
    CHECK(tile->row_stride_bytes == 48);
    CHECK(tile->rows == 16);
    REQUIRE(tile->cols == (is_a ? 16 : 8));
    for (int row = 0; row < 16; ++row)
      for (int col = 0; col < tile->cols; ++col) {
        const std::size_t at = static_cast<std::size_t>((row * tile->cols + col) * 2);
        const auto bits = static_cast<std::uint16_t>(tile->bytes[at] | tile->bytes[at + 1] << 8);
        CHECK(numeric::decode(numeric::kF16, bits) == (is_a ? 100 * row + col : 10 * row + col));
      }
  }
  CHECK(tiles == 2);
  CHECK(fragments == 3);
}

TEST_CASE("lesson 03 notices an address that is not the fragment's" *
          doctest::test_suite("compiled")) {
  const Ran ran =
      run_broken_kernel(kLesson, "address", "&tile_a[lane % 16 * kStride + lane / 16 * 8]",
                        "&tile_a[lane % 16 * kStride]");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "A by ldmatrix.x4: 64 of 128 registers"));
}

TEST_CASE("lesson 03 notices a missing .trans" * doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "trans", "x2_trans_shared_b16(", "x2_shared_b16(");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "B by ldmatrix.x2.trans: "));
  CHECK(!says(ran, "B by ldmatrix.x2.trans: 64 of 64."));
}

}  // namespace lesson_03
