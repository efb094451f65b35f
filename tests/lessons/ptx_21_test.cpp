// SPDX-License-Identifier: MIT
// Exercise 21 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("21_split_k");
  return one;
}
}  // namespace

// Worked out here, not by the kernel. A part lies as its lanes have it: of thread t the elements of
// row groupID and groupID + 8, two columns each.
TEST_CASE("exercise 21 in PTX: the parts, and D") {
  const std::vector<Memories> launches = exercise().solved();
  for (const Memories& m : launches) {
    std::vector<double> sums(32 * 16);
    for (std::size_t place = 0; place < 8; ++place)
      for (std::size_t i = 0; i < 256; ++i) {
        const std::size_t thread = i / 4, reg = i % 4;
        const std::size_t row = place / 4 * 16 + thread % 32 / 4 + reg / 2 * 8;
        const std::size_t col = thread / 32 * 8 + thread % 4 * 2 + reg % 2;
        const double part = m[2][place * 256 + i];
        double exact = 0;
        for (std::size_t k = place % 4 * 32; k < place % 4 * 32 + 32; ++k)
          exact += m[0][row * 128 + k] * m[1][col * 128 + k];
        // The first launch has whole numbers.
        CHECK(std::abs(part - exact) <= (&m == &launches[0] ? 0 : 1e-4));
        // In this order, rounded to f32 each time.
        double& sum = sums[row * 16 + col];
        sum = static_cast<double>(static_cast<float>(sum + part));
      }
    CHECK(m[3] == std::vector<double>{0, 0});
    CHECK(m[4] == sums);
  }
}

TEST_CASE("exercise 21 in PTX: other right answers") {
  exercise().passes("fences_of_all", R"(
  st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};
  fence.acq_rel.gpu;
  bar.sync 0;
  @%leader atom.global.add.u32 %before, [%counter], 1;
  @%leader st.shared.u32 [came], %before;
  bar.sync 0;
  ld.shared.u32 %before, [came];
  fence.acq_rel.gpu;
)");
  exercise().passes("membar", R"(
  st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};
  membar.gl;
  bar.sync 0;
  @%leader atom.global.add.u32 %before, [%counter], 1;
  @%leader st.shared.u32 [came], %before;
  bar.sync 0;
  ld.shared.u32 %before, [came];
  membar.gl;
)");
  // What a thread has heard of by a barrier its fence tells others, too.
  exercise().passes("fences_of_one",
                    {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                      "@%leader fence.acq_rel.gpu;\n@%leader atom.global.add.u32 %before, "
                      "[%counter], 1;\n@%leader fence.acq_rel.gpu;"}});
  exercise().passes("release_then_fence",
                    {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                      "@%leader atom.release.gpu.global.add.u32 %before, [%counter], 1;\n@%leader "
                      "fence.acq_rel.gpu;"}});
  // It is 0 again behind the fourth.
  exercise().passes("inc", {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                             "@%leader atom.acq_rel.gpu.global.inc.u32 %before, [%counter], 3;"}});
}

TEST_CASE("exercise 21 in PTX: nothing orders the blocks") {
  // An atomic without more words is .relaxed.
  exercise().fails("relaxed",
                   {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                     "@%leader atom.global.add.u32 %before, [%counter], 1;"}},
                   "ld reads global memory that another CTA wrote at PTX line");
  exercise().fails("acquires_alone",
                   {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                     "@%leader atom.acquire.gpu.global.add.u32 %before, [%counter], 1;"}},
                   "ld reads global memory that another CTA wrote at PTX line");
  exercise().fails("scope_of_the_block",
                   {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                     "@%leader atom.acq_rel.cta.global.add.u32 %before, [%counter], 1;"}},
                   "and the scope of one of the two does not reach the other");
  exercise().fails("fences_of_the_block", R"(
  st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};
  fence.acq_rel.cta;
  bar.sync 0;
  @%leader atom.global.add.u32 %before, [%counter], 1;
  @%leader st.shared.u32 [came], %before;
  bar.sync 0;
  ld.shared.u32 %before, [came];
  fence.acq_rel.cta;
)",
                   "ld reads global memory that another CTA wrote at PTX line");
  exercise().fails("no_fence_in_front", R"(
  st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};
  bar.sync 0;
  @%leader atom.global.add.u32 %before, [%counter], 1;
  @%leader st.shared.u32 [came], %before;
  bar.sync 0;
  ld.shared.u32 %before, [came];
  fence.acq_rel.gpu;
)",
                   "ld reads global memory that another CTA wrote at PTX line");
  exercise().fails("no_atomic",
                   {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                     "@%leader ld.global.u32 %before, [%counter];\n@%leader add.u32 %k, %before, "
                     "1;\n@%leader st.global.u32 [%counter], %k;"}},
                   "ld reads global memory that another CTA wrote at PTX line");
}

TEST_CASE("exercise 21 in PTX: nothing orders the threads of a block") {
  // Other threads have not stored yet.
  exercise().fails("no_barrier_in_front",
                   {{"st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};\nbar.sync 0;",
                     "st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};"}},
                   "ld reads global memory that another CTA wrote at PTX line");
  exercise().fails("counts_before_it_stores", R"(
  bar.sync 0;
  @%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;
  @%leader st.shared.u32 [came], %before;
  st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};
  bar.sync 0;
  ld.shared.u32 %before, [came];
)",
                   "ld reads global memory that another CTA wrote at PTX line");
  exercise().fails("no_barrier_behind",
                   {{"@%leader st.shared.u32 [came], %before;\nbar.sync 0;",
                     "@%leader st.shared.u32 [came], %before;"}},
                   "ld reads shared memory that was written at PTX line");
  exercise().fails("all_count",
                   {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                     "atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;"}},
                   "elements are not ");
  exercise().fails(
      "tells_nobody",
      {{"@%leader st.shared.u32 [came], %before;\nbar.sync 0;\nld.shared.u32 %before, [came];",
        ""}},
      "of 512 elements are not ");
  exercise().fails("stores_nothing", {{"st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};", ""}},
                   "of 2048 elements are not ");
}

// The sums are right on the emulator, whose blocks run one after the other.
TEST_CASE("exercise 21 in PTX: what PTX does not promise") {
  exercise().fails("release_alone",
                   {{"@%leader atom.acq_rel.gpu.global.add.u32 %before, [%counter], 1;",
                     "@%leader atom.release.gpu.global.add.u32 %before, [%counter], 1;"}},
                   "missing-acquire");
  exercise().fails("fence_in_front_alone", R"(
  st.global.v4.f32 [%mine], {%d0, %d1, %d2, %d3};
  fence.acq_rel.gpu;
  bar.sync 0;
  @%leader atom.global.add.u32 %before, [%counter], 1;
  @%leader st.shared.u32 [came], %before;
  bar.sync 0;
  ld.shared.u32 %before, [came];
)",
                   "missing-acquire");
}
