// SPDX-License-Identifier: MIT
// Exercise 12 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define POSITION(stage_, full_, empty_) \
  "stage = " stage_ "; full_parity = " full_ "; empty_parity = " empty_ ";"
#define ANSWER(stage_, full_, empty_) \
  POSITION(stage_, full_, empty_) "bytes = (kRowsA + kRowsB) * kColumns * 2;"
#define BYTES(bytes_) POSITION("tile % 4", "tile / 4 % 2", "1 - tile / 4 % 2") "bytes = " bytes_ ";"

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "12_tma_mbarrier", "ring_on_device",
      {
          {"full_minus_one", ANSWER("tile % 4", "tile / 4 % 2", "tile / 4 % 2 - 1"),
           "the parity of empty were full's minus 1"},
          {"stage_before", ANSWER("(tile - 1) % 4", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "tile 0 went into stage -1"},
          {"every_tile", ANSWER("tile % 4", "tile % 2", "1 - tile % 2"),
           "the parity changed with every tile"},
          {"never", ANSWER("tile % 4", "0", "1"), "the parity never changed"},
          {"once", ANSWER("tile % 4", "tile < 4 ? 0 : 1", "tile < 4 ? 1 : 0"),
           "the parity changed once, and never back"},
          {"exchanged", ANSWER("tile % 4", "1 - tile / 4 % 2", "tile / 4 % 2"),
           "full and empty were exchanged"},
          {"own_in_the_first_round",
           ANSWER("tile % 4", "tile / 4 % 2", "tile < 4 ? 1 : tile / 4 % 2"),
           "empty's parity were its own in the first round only"},
          {"quotient_for_stage", ANSWER("tile / 4", "tile % 4 % 2", "1 - tile % 4 % 2"),
           "tile / 4 and tile % 4 were exchanged"},
          {"from_stage_1", ANSWER("(tile + 1) % 4", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "tile 0 went into stage 1"},
          {"same", ANSWER("tile % 4", "tile / 4 % 2", "tile / 4 % 2"),
           "producer and consumers waited for the same parity"},
          {"both_of_the_producer", ANSWER("tile % 4", "1 - tile / 4 % 2", "1 - tile / 4 % 2"),
           "both waited for the parity that the producer needs"},
          {"round", ANSWER("tile % 4", "tile / 4", "1 - tile / 4 % 2"),
           "the parity of full were the number of the round"},
          {"rounds", ANSWER("tile % 4", "tile / 4", "tile / 4 + 1"),
           "both parities were the number of the round"},
          {"not_cut", ANSWER("tile % 4", "tile / 4", "tile / 4 ^ 1"),
           "a parity had more than one bit"},
          {"bit_in_its_place", ANSWER("tile & 3", "tile & 4", "full_parity ^ 4"),
           "a parity were 4, at tile 0.\n  What to do: a parity is 0 or 1"},
          {"two_rounds", ANSWER("tile % 4", "tile / 8 % 2", "1 - tile / 8 % 2"),
           "a parity lasted two rounds"},
          {"too_early", ANSWER("tile % 4", "(tile + 1) / 4 % 2", "1 - (tile + 1) / 4 % 2"),
           "the parity changed one tile too early"},
          {"three_stages", ANSWER("tile % 3", "tile / 3 % 2", "1 - tile / 3 % 2"),
           "the ring had three stages"},
          {"no_wrap", ANSWER("tile", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "the stage were the tile"},
          {"places_changed", ANSWER("tile / 4 % 4", "tile % 4 % 2", "1 - tile % 4 % 2"),
           "tile / 4 and tile % 4 had changed places"},
          {"from_one", ANSWER("(tile + 1) % 4", "(tile + 1) / 4 % 2", "1 - (tile + 1) / 4 % 2"),
           "the first tile went into stage 1"},
          {"first_round", ANSWER("tile % 4", "tile / 4 % 2", "tile < 4 ? 0 : 1 - tile / 4 % 2"),
           "the producer waited in the first round, too"},
          {"all_bits", ANSWER("tile % 4", "tile / 4 % 2", "~full_parity"),
           "the parity of empty were ~ of full's: -1 or -2"},
          {"minus_one", ANSWER("tile % 4", "tile / 4 % 2", "(tile / 4 - 1) % 2"),
           "the parity of empty were -1 in the first round"},
          {"towards_zero", ANSWER("tile % 4", "tile / 4 % 2", "(tile - 4) / 4 & 1"),
           "the parity of empty were (tile - 4) / 4"},
          {"full_never", ANSWER("tile % 4", "0", "1 - tile / 4 % 2"),
           "the parity of full never changed"},
          {"empty_never", ANSWER("tile % 4", "tile / 4 % 2", "0"),
           "the producer always waited for parity 0"},
          {"full_too_early", ANSWER("tile % 4", "(tile + 1) / 4 % 2", "1 - tile / 4 % 2"),
           "the parity of full changed one tile too early"},
          {"empty_too_early", ANSWER("tile % 4", "tile / 4 % 2", "1 - (tile + 1) / 4 % 2"),
           "the parity of empty changed one tile too early"},
          {"one_bit", ANSWER("tile & 4", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "the stage were one bit, tile & 4"},
          {"stages_of_three", ANSWER("tile % (kStages - 1)", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "the stages were those of a ring of three, and the parities of four"},
          {"stage_0", ANSWER("0", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "every tile went into stage 0"},
          {"one_stage", ANSWER("0", "tile % 2", "1 - tile % 2"), "there were one stage"},
          {"backwards", ANSWER("3 - tile % 4", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "the mistakes this check knows: stage alone is wrong"},
          {"no_waiting", ANSWER("tile % 4", "tile / 4 % 2", "1"), "the producer never had to wait"},
          {"off_by_one_tile", ANSWER("tile % 4", "tile % 8 > 4", "tile % 8 <= 4"),
           "knows, at tile 4 of every eight.\n"},
          {"off_by_one_tile_and_what_it_does", ANSWER("tile % 4", "tile % 8 > 4", "tile % 8 <= 4"),
           "at tile 4 the consumers wait at full[0] for parity 0, that of tile 0's phase, which is "
           "over:\n  they read before the tile has come. Where it has come they wait for tile 8"},
          {"full_from_tile_3", ANSWER("tile % 4", "tile % 8 > 2", "1 - tile / 4 % 2"),
           "at tile 3 the consumers wait at full[3] for parity 1, that of the phase before the "
           "first"},
          {"empty_from_tile_3", ANSWER("tile % 4", "tile / 4 % 2", "tile % 8 <= 2"),
           "at tile 3 the producer waits at empty[3] for parity 0, until somebody has read the "
           "tile\n"
           "  that it has not brought yet: for ever"},
          {"empty_off_by_one", ANSWER("tile % 4", "tile / 4 % 2", "tile % 8 <= 4"),
           "it overwrites tile 0 while that is read. Where all have read it the wait is for tile "
           "4"},
          {"only_stage", "stage = tile % 4;", "full_parity stays as it was"},
          {"no_empty", "stage = tile % 4; full_parity = tile / 4 % 2;",
           "empty_parity stays as it was"},
          {"one_wrong",
           ANSWER("tile % 4", "tile / 4 % 2", "1 - tile / 4 % 2") "if (tile == 21) stage = 2;",
           "1 of 64 tiles have another place"},
          {"no_bytes", POSITION("tile % 4", "tile / 4 % 2", "1 - tile / 4 % 2"),
           "bytes stays as it was"},
          {"only_bytes", "bytes = sizeof(Stage);", "stage stays as it was"},
          {"only_a", BYTES("sizeof(Stage::a)"), "as if B were forgotten"},
          {"only_b", BYTES("kRowsB * kColumns * 2"), "as if A were forgotten"},
          {"elements", BYTES("(kRowsA + kRowsB) * kColumns"), "elements were counted, not bytes"},
          {"f32", BYTES("(kRowsA + kRowsB) * kColumns * 4"), "the numbers were 32 bits wide"},
          {"bits", BYTES("(kRowsA + kRowsB) * kColumns * 16"), "bits were counted, not bytes"},
          {"twice_a", BYTES("2 * kRowsA * kColumns * 2"), "B had as many rows as A"},
          {"twice_b", BYTES("2 * kRowsB * kColumns * 2"), "A had as many rows as B"},
          {"all_stages", BYTES("kStages * sizeof(Stage)"),
           "nobody brings the other 6144 bytes: the wait for full[0] never ends"},
          {"every_thread", BYTES("128 * sizeof(Stage)"), "every consumer announced the bytes"},
          {"rows_multiplied", BYTES("kRowsA * kRowsB * kColumns * 2"),
           "the rows of A and of B were multiplied by each other"},
          {"no_brackets", BYTES("kRowsA + kRowsB * kColumns * 2"),
           "A's rows were added to B's bytes"},
          {"product_of_both", BYTES("(kRowsA * kColumns) * (kRowsB * kColumns)"),
           "announce what the two copies bring, 1280 bytes of A and 768 of B.\n  What it does: "
           "nobody brings the other 243712 bytes"},
          {"nothing", BYTES("0"), "nothing were announced"},
          {"few", BYTES("2000"), "over while 48 bytes are still under way"},
          {"some", BYTES("sizeof(Stage) + (tile == 21 ? 16 : 0)"),
           "nobody brings the other 16 bytes: the wait for full[1] never ends"},
      },
      {
          {"lowest_bits", ANSWER("tile & 3", "tile >> 2 & 1", "!full_parity"), ""},
          {"counted",
           "stage = full_parity = 0; for (int i = 0; i < tile; ++i)"
           "  if (++stage == kStages) stage = 0, full_parity ^= 1;"
           "empty_parity = 1 - full_parity; bytes = sizeof(Stage::a) + sizeof(Stage::b);",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("12", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 12") {
  exercise().right_answers_pass();
}
