// SPDX-License-Identifier: MIT
// Exercise 12 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("12_tma_mbarrier");
  return one;
}
}  // namespace

// Worked out here, not by the kernel.
TEST_CASE("exercise 12 in PTX: a sum of products for each column") {
  for (const Memories& m : exercise().solved())
    for (std::size_t col = 0; col < 64; ++col) {
      double sum = 0;
      for (std::size_t row = 0; row < 36; ++row) sum += m[0][row * 64 + col] * m[1][row * 64 + col];
      CHECK(m[2][col] == sum);
    }
}

TEST_CASE("exercise 12 in PTX: other right answers") {
  // Bytes may come before they are announced: the phase still misses its arrival.
  exercise().passes("copies_first",
                    {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;", ""},
                     {"[%tileB], [%B, {0, %row}], [%full];",
                      "[%tileB], [%B, {0, %row}], [%full];\n@%first "
                      "mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;"}});
  exercise().passes(
      "announced_then_arrived",
      {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
        "@%first mbarrier.expect_tx.relaxed.cta.shared.b64 [%full], 2048;"},
       {"[%tileB], [%B, {0, %row}], [%full];",
        "[%tileB], [%B, {0, %row}], [%full];\n@%first mbarrier.arrive.shared.b64 _, [%full];"}});
  exercise().passes(
      "test_wait",
      {{"WAIT:\nmbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;\n@!%done bra WAIT;",
        "SPIN:\nmbarrier.test_wait.parity.shared.b64 %done, [%full], %parity;\n@!%done bra "
        "SPIN;"}});
  exercise().passes("parity_of_the_row",
                    {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
                      "shr.u32 %parity, %row, 3;\nand.b32 %parity, %parity, 1;\n@%first "
                      "mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;"},
                     {"xor.b32 %parity, %parity, 1;", ""}});
  exercise().passes("a_branch", R"(
  @!%first bra WAIT;
  mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%tileA], [%A, {0, %row}], [%full];
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%tileB], [%B, {0, %row}], [%full];
WAIT:
  mbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;
  @!%done bra WAIT;
  xor.b32 %parity, %parity, 1;
)");
}

TEST_CASE("exercise 12 in PTX: arrivals and bytes") {
  exercise().fails("bytes_of_one_box",
                   {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
                     "@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 1024;"}},
                   "arrivals, and 3072 bytes more have come than were announced");
  exercise().fails("elements_of_four_bytes",
                   {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
                     "@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 4096;"}},
                   "misses 0 of 1 arrivals and 2048 bytes");
  exercise().fails("all_arrive",
                   {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
                     "mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;"}},
                   "one arrival more at the mbarrier");
  exercise().fails("an_arrival_a_copy",
                   {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
                     "@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 1024;"},
                    {"[%tileA], [%A, {0, %row}], [%full];",
                     "[%tileA], [%A, {0, %row}], [%full];\n@%first "
                     "mbarrier.arrive.expect_tx.shared.b64 _, [%full], 1024;"}},
                   "one arrival more at the mbarrier");
  exercise().fails("nobody_arrives",
                   {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
                     "@%first mbarrier.expect_tx.relaxed.cta.shared.b64 [%full], 2048;"}},
                   "misses 1 of 1 arrivals and 0 bytes");
  exercise().fails("nothing_announced",
                   {{"@%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;",
                     "@%first mbarrier.arrive.shared.b64 _, [%full];"}},
                   "is still filling; wait for the phase of its mbarrier first");
}

TEST_CASE("exercise 12 in PTX: the wait") {
  exercise().fails(
      "no_wait",
      {{"WAIT:\nmbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;\n@!%done bra WAIT;",
        ""}},
      "is still filling; wait for the phase of its mbarrier first");
  // It may give up before the phase is over.
  exercise().fails("asked_once", {{"@!%done bra WAIT;", ""}},
                   "is still filling; wait for the phase of its mbarrier first");
  // The phase two before has this parity, too.
  exercise().fails("parity_stays", {{"xor.b32 %parity, %parity, 1;", ""}},
                   "waits for a phase by its parity, and need not have seen");
  exercise().fails("parity_changes_first", R"(
  xor.b32 %parity, %parity, 1;
  @%first mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;
  @%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%tileA], [%A, {0, %row}], [%full];
  @%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%tileB], [%B, {0, %row}], [%full];
WAIT:
  mbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;
  @!%done bra WAIT;
)",
                   "is still filling; wait for the phase of its mbarrier first");
  exercise().fails("thread_0_waits", R"(
  @!%first bra GO;
  mbarrier.arrive.expect_tx.shared.b64 _, [%full], 2048;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%tileA], [%A, {0, %row}], [%full];
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [%tileB], [%B, {0, %row}], [%full];
WAIT:
  mbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;
  @!%done bra WAIT;
GO:
  xor.b32 %parity, %parity, 1;
)",
                   "is still filling; wait for the phase of its mbarrier first");
}

TEST_CASE("exercise 12 in PTX: other boxes") {
  exercise().fails("row_first",
                   {{"[%tileA], [%A, {0, %row}], [%full];", "[%tileA], [%A, {%row, 0}], [%full];"},
                    {"[%tileB], [%B, {0, %row}], [%full];", "[%tileB], [%B, {%row, 0}], [%full];"}},
                   "of 64 elements are not ");
  exercise().fails("always_the_first",
                   {{"[%tileA], [%A, {0, %row}], [%full];", "[%tileA], [%A, {0, 0}], [%full];"},
                    {"[%tileB], [%B, {0, %row}], [%full];", "[%tileB], [%B, {0, 0}], [%full];"}},
                   "of 64 elements are not ");
}
