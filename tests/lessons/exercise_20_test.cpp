// SPDX-License-Identifier: MIT
// Exercise 20 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

// The copies of a lane: the pixel of a place, whether it is inside, and the three numbers.
#define COPIES(py, px, test, source, count, target)                                    \
  "for (int i = 0; i < kCopies; ++i) {"                                                \
  "  const int place = i * 4 + lane / 8, unit = lane % 8;"                             \
  "  const int y = top + " py ", x = left + " px                                       \
  ";"                                                                                  \
  "  const bool inside = " test                                                        \
  ";"                                                                                  \
  "  copies[i].from = " source "; copies[i].bytes = " count "; copies[i].to = " target \
  ";"                                                                                  \
  "  [[maybe_unused]] const int all = place + unit + y + x + inside + image; }"
#define Y "place / 10 - 1"
#define X "place % 10 - 1"
#define INSIDE "y >= 0 && y < kHeight && x >= 0 && x < kWidth"
#define FROM "((image * kHeight + y) * kWidth + x) * kChannels + unit * 8"
#define BYTES "inside ? 16 : 0"
#define TO "place * 128 + (unit ^ place % 8) * 16"
#define PIXEL(py, px) COPIES(py, px, INSIDE, FROM, BYTES, TO)
#define TEST(test) COPIES(Y, X, test, FROM, BYTES, TO)
#define SOURCE(source) COPIES(Y, X, INSIDE, source, BYTES, TO)
#define COUNT(count) COPIES(Y, X, INSIDE, FROM, count, TO)
#define TARGET(target) COPIES(Y, X, INSIDE, FROM, BYTES, target)
#define COPY PIXEL(Y, X)

// The rows: r, s and the unit of a step, the pixel of a lane's row, its place, and the byte.
#define ROWS(tap_r, tap_s, first, half, row_y, row_x, where, byte)     \
  "for (int step = 0; step < kSteps; ++step) {"                        \
  "  const int r = " tap_r ", s = " tap_s ", unit = " first " + " half \
  ";"                                                                  \
  "  const int y = " row_y ", x = " row_x ", place = " where           \
  ";"                                                                  \
  "  rows[step] = " byte                                               \
  ";"                                                                  \
  "  [[maybe_unused]] const int all = r + s + unit + y + x + place; }"
#define R "step / 12"
#define S "step / 4 % 3"
#define UNIT "step % 4 * 2"
#define HALF "lane / 16"
#define ROW_Y "lane % 16 / 8"
#define ROW_X "lane % 8"
#define PLACE "(y + r) * 10 + x + s"
#define TAP(tap_r, tap_s, first) ROWS(tap_r, tap_s, first, HALF, ROW_Y, ROW_X, PLACE, TO)
#define LANES(half, row_y, row_x) ROWS(R, S, UNIT, half, row_y, row_x, PLACE, TO)
#define WHERE(where) ROWS(R, S, UNIT, HALF, ROW_Y, ROW_X, where, TO)
#define BYTE(byte) ROWS(R, S, UNIT, HALF, ROW_Y, ROW_X, PLACE, byte)
#define NAME TAP(R, S, UNIT)

#define ELEMENTS "place * 64 + (unit ^ place % 8) * 8"
#define IN_ORDER(order) \
  TARGET("place * 128 + (" order ") * 16") BYTE("place * 128 + (" order ") * 16")

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "20_convolution", "convolve_on_device",
      {
          // ---- the copies
          {"no_padding", PIXEL("place / 10", "place % 10") NAME,
           "the padding is forgotten: the tile begins at pixel top,left"},
          {"no_padding_y", PIXEL("place / 10", X) NAME, "the padding is forgotten in y"},
          {"no_padding_x", PIXEL(Y, "place % 10") NAME, "the padding is forgotten in x"},
          {"wrong_side", PIXEL("place / 10 + 1", "place % 10 + 1") NAME,
           "the padding is on the wrong side"},
          {"padding_2", PIXEL("place / 10 - 2", "place % 10 - 2") NAME, "the padding is 2"},
          {"eight_in_copies", PIXEL("place / 8 - 1", "place % 8 - 1") NAME,
           "a row of the tile has 8 pixels in the copies"},
          {"columns", PIXEL("place % 4 - 1", "place / 4 - 1") NAME,
           "the tile is copied column after column"},
          {"exchanged", PIXEL(X, Y) NAME, "y and x are exchanged in the copies"},
          {"wraps", TEST("y >= 0 && y < kHeight") NAME,
           "a pixel left or right of the image is not 0, but the end or the beginning of another "
           "row"},
          {"not_above", TEST("x >= 0 && x < kWidth") NAME,
           "a pixel above or below the image is not 0"},
          {"no_zeros", TEST("true") NAME, "nothing is 0: what lies outside of the image is copied"},
          {"not_more", TEST("y >= 0 && y <= kHeight && x >= 0 && x <= kWidth") NAME,
           "< kHeight and < kWidth are missing, or are <="},
          {"no_more", TEST("y >= 0 && x >= 0") NAME,
           "< kHeight and < kWidth are missing, or are <="},
          {"column_0", TEST("y >= 0 && y < kHeight && x > 0 && x < kWidth") NAME,
           "Zeros stand in the place of pixels of the image, the first of them in that of pixel "
           "0,0 of image 0 for the block at 0,0"},
          {"no_halo", TEST("y >= top && y < top + 2 && x >= left && x < left + 8") NAME,
           "the first of them in that of pixel 0,8 of image 0 for the block at 0,0"},
          {"around",
           COPIES(
               Y, X, "true",
               "((image * kHeight + (y + kHeight) % kHeight) * kWidth + (x + kWidth) % kWidth) * "
               "kChannels + unit * 8",
               BYTES, TO) NAME,
           "Pixels stand in the place of zeros, the first of them where X has no pixel -1,-1 of "
           "image 0 for the block at 0,0"},
          {"no_top_and_left", PIXEL(Y " - top", X " - left") NAME,
           "All blocks of an image copy the same pixels"},
          {"more_than_0", TEST("y > 0 && y < kHeight && x > 0 && x < kWidth") NAME,
           "row 0 and column 0 of the image are taken for outside"},
          {"less_than_last", TEST("y >= 0 && y < kHeight - 1 && x >= 0 && x < kWidth - 1") NAME,
           "the last row and column of the image are taken for outside"},
          {"sizes", TEST("y >= 0 && y < kWidth && x >= 0 && x < kHeight") NAME,
           "kHeight and kWidth are exchanged where a pixel is found to be inside"},
          {"edge",
           COPIES(Y, X, "true",
                  "((image * kHeight + min(max(y, 0), kHeight - 1)) * kWidth + min(max(x, 0), "
                  "kWidth - 1)) * kChannels + unit * 8",
                  BYTES, TO) NAME,
           "the image's edge is repeated outside of it"},
          {"bytes_turned", COUNT("inside ? 0 : 16") NAME, "bytes is 0 inside and 16 outside"},
          {"bytes_8", COUNT("inside ? 8 : 0") NAME, "bytes counts elements"},
          {"bytes_1", COUNT("inside") NAME, "bytes is 1 inside"},
          {"nchw", SOURCE("((image * kChannels + unit * 8) * kHeight + y) * kWidth + x") NAME,
           "X is taken for NCHW"},
          {"from_bytes",
           SOURCE("((image * kHeight + y) * kWidth + x) * kChannels * 2 + unit * 16") NAME,
           "`from` is counted in bytes"},
          {"no_unit", SOURCE("((image * kHeight + y) * kWidth + x) * kChannels") NAME,
           "the unit is missing in `from`"},
          {"unit_1", SOURCE("((image * kHeight + y) * kWidth + x) * kChannels + unit") NAME,
           "a unit is one channel in `from`"},
          {"one_image", SOURCE("(y * kWidth + x) * kChannels + unit * 8") NAME,
           "both images are image 0"},
          {"height", SOURCE("((image * kWidth + y) * kHeight + x) * kChannels + unit * 8") NAME,
           "a row of the image has kHeight pixels"},
          {"ten", SOURCE("(image * kHeight * kWidth + y * 10 + x) * kChannels + unit * 8") NAME,
           "a row of the image has 10 pixels in X"},
          {"x_of_y",
           SOURCE("(image * kHeight * kWidth + x * kHeight + y) * kChannels + unit * 8") NAME,
           "y and x are exchanged in `from`"},
          // ---- the order of the tile
          {"by_row", COPY BYTE("place * 128 + (unit ^ lane % 8) * 16"),
           "the swizzle of the load goes by the row of A, unit ^ lane % 8"},
          {"by_first_place",
           COPY BYTE("place * 128 + (unit ^ (lane % 16 / 8 * 10 + lane % 8) % 8) * 16"),
           "the swizzle of the load goes by the place that the pixel has for tap 0,0"},
          {"load_plain", COPY BYTE("place * 128 + unit * 16"),
           "only the store swizzles the units of a pixel, or only the load"},
          {"store_plain", TARGET("place * 128 + unit * 16") NAME,
           "only the store swizzles the units of a pixel, or only the load"},
          {"store_by_lane", TARGET("place * 128 + (unit ^ lane % 8) * 16") NAME,
           "the eight units of a pixel are stored at one place"},
          {"to_elements", TARGET(ELEMENTS) NAME, "`to` is counted in elements"},
          {"row_elements", COPY BYTE(ELEMENTS), "rows are counted in elements"},
          {"elements", TARGET(ELEMENTS) BYTE(ELEMENTS), "`to` and rows are counted in elements"},
          // ---- the rows
          {"r_and_s", COPY TAP(S, R, UNIT), "r and s are exchanged"},
          {"flipped", COPY TAP("2 - step / 12", "2 - step / 4 % 3", UNIT),
           "the filter is flipped: tap r,s reads what belongs to tap 2 - r, 2 - s"},
          {"upside_down", COPY TAP("2 - step / 12", S, UNIT), "the filter is flipped upside down"},
          {"mirrored", COPY TAP(R, "2 - step / 4 % 3", UNIT), "the filter is mirrored"},
          {"first_tap", COPY TAP("0", "0", UNIT), "all taps read what belongs to tap 0,0"},
          {"middle_tap", COPY TAP("1", "1", UNIT), "all taps read what belongs to tap 1,1"},
          {"no_r", COPY TAP("0", S, UNIT), "r is missing"},
          {"no_s", COPY TAP(R, "0", UNIT), "s is missing"},
          {"padding_again", COPY TAP("step / 12 - 1", "step / 4 % 3 - 1", UNIT),
           "1 is taken off for the padding again"},
          {"channels_first", COPY TAP("step % 9 / 3", "step % 3", "step / 9 * 2"),
           "k goes channels first: r and s are the fastest, as in F[filter][c][r][s]"},
          {"r_c_s", COPY TAP(R, "step % 3", "step / 3 % 4 * 2"), "k goes in the order r, c, s"},
          {"another_tap", COPY TAP("step % 9 / 3", "step % 3", UNIT),
           "every step is another tap: step % 9"},
          {"first_channels", COPY TAP(R, S, "0"), "all steps of a tap have its channels 0 to 15"},
          {"one_unit", COPY TAP(R, S, "step % 4"), "a step has one unit"},
          {"no_half", COPY LANES("0", ROW_Y, ROW_X),
           "lanes 16 to 31 name the same channels as lanes 0 to 15"},
          {"halves", COPY LANES("1 - lane / 16", ROW_Y, ROW_X),
           "the two halves of 16 channels are exchanged"},
          {"matrices", COPY LANES("lane / 8 % 2", "lane / 16", ROW_X),
           "lanes 8 to 15 name the second 8 channels, lanes 16 to 31 the lower rows"},
          {"both", COPY LANES(HALF, "lane / 16", ROW_X),
           "lane / 16 is the row of pixels, and the half of the channels, too"},
          {"sixteen", COPY LANES(HALF, "0", "lane % 16"),
           "the 16 rows of A are 16 pixels of one row of the image"},
          {"down", COPY LANES(HALF, "lane % 2", "lane % 16 / 2"),
           "the rows of A go down the image first"},
          {"upper", COPY LANES(HALF, "0", ROW_X),
           "rows 8 to 15 of A are the pixels of rows 0 to 7"},
          {"rows_turned", COPY LANES(HALF, "1 - lane % 16 / 8", ROW_X),
           "the two rows of pixels are exchanged"},
          {"four_rows", COPY LANES(HALF, "lane / 8", ROW_X),
           "lane / 8 is the row of pixels, 0 to 3"},
          {"no_lane", COPY LANES(HALF, "0", "0"), "the lane is missing: all rows of A are one"},
          {"eight_in_rows", COPY WHERE("(y + r) * 8 + x + s"),
           "a row of the tile has 8 places where the rows are named"},
          {"width_in_rows", COPY WHERE("(y + r) * kWidth + x + s"),
           "a row of the tile has kWidth places where the rows are named"},
          {"exchanged_in_rows", COPY WHERE("(x + s) * 10 + y + r"),
           "y and x are exchanged where the rows are named"},
          {"eight", PIXEL("place / 8 - 1", "place % 8 - 1") WHERE("(y + r) * 8 + x + s"),
           "a row of the tile has 8 places, in the copies and where the rows are named"},
          // ---- two at once, others, and none
          {"two_at_once", TEST("y >= 0 && y < kHeight") TAP(S, R, UNIT),
           "a pixel left or right of the image is not 0, but the end or the beginning of another "
           "row; and r and s are exchanged"},
          {"two_in_rows",
           COPY ROWS(S, R, UNIT, HALF, ROW_Y, ROW_X, PLACE, "place * 128 + (unit ^ lane % 8) * 16"),
           "the swizzle of the load goes by the row of A, unit ^ lane % 8; and r and s are "
           "exchanged"},
          {"four_lanes", COPY LANES(HALF, ROW_Y, "lane % 4"),
           "with bit 2 of lane % 8 the pixel grows by 0, not by 4"},
          {"behind_x", SOURCE(FROM " + kChannels * kWidth") NAME,
           "image 1, the block at 4,0, lane 0, copies[6], from is 18624.\n"},
          {"bytes_12", COUNT("inside ? 12 : 0") NAME,
           "bytes is 12.\n  What to do: 16, or 0 for zeros"},
          {"beyond", TARGET("place * 160 + unit * 16") NAME, "lane 20, copies[9], to is 6144.\n"},
          {"something", COPY BYTE("(place * 37 + unit * 11 + lane * step) % 320 * 16"),
           "in a way that this check does not know"},
          {"no_copies", NAME, "copies is not set"},
          {"no_rows", COPY, "rows is not set"},
          // ---- right, and slow
          {"plain", IN_ORDER("unit"), "It looks as if nothing is moved"},
          {"turned", IN_ORDER("7 - unit"), "all pixels have their units in the same order"},
          {"two_orders", IN_ORDER("unit ^ place % 2"), "only two orders take turns"},
          {"four_orders", IN_ORDER("unit ^ place % 4"), "only four orders take turns"},
          {"pairs", IN_ORDER("unit ^ place / 2 % 8"), "the order changes every two pixels.\n"},
          {"pairs_of_64", IN_ORDER("unit ^ place / 2 % 4"),
           "the order changes every two pixels, and only four take turns"},
          {"eights", IN_ORDER("unit ^ place / 8 % 8"), "the order changes every eight pixels"},
          {"by_tile_row", IN_ORDER("unit ^ place / 10"), "the order goes by the row of the tile"},
          {"slow_unknown", IN_ORDER("unit ^ (place + place / 8) % 4"),
           "This order is none that the check knows"},
      },
      {
          {"turned_by_place", IN_ORDER("(unit + place) % 8"), ""},
          {"padded", TARGET("place * 144 + unit * 16") BYTE("place * 144 + unit * 16"), ""},
          {"by_column", IN_ORDER("unit ^ place % 10 % 8"), ""},
          {"wider_rows",
           TARGET("(place / 10 * 12 + place % 10) * 128 + (unit ^ place % 10 % 8) * 16")
               ROWS(R, S, UNIT, HALF, ROW_Y, ROW_X, PLACE,
                    "(place / 10 * 12 + place % 10) * 128 + (unit ^ place % 10 % 8) * 16"),
           ""},
          {"other_lanes",
           "for (int i = 0; i < kCopies; ++i) {"
           "  const int at = lane * 10 + i, place = at / 8, unit = at % 8;"
           "  const int y = top - 1 + place / 10, x = left - 1 + place % 10;"
           "  const bool outside = y < 0 || x < 0 || y >= kHeight || x >= kWidth;"
           "  copies[i] = {" FROM ", outside ? 0 : 16, " TO "}; }" NAME,
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("20", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 20") {
  exercise().right_answers_pass();
}
TEST_CASE("diagnose names the mistake in what the check of exercise 20 leaves") {
  const auto says_of = [](const char* name, const char* words) {
    const Ran ran = exercise().diagnosed(name);
    CAPTURE(ran.output);
    CHECK(says(ran, words));
  };
  says_of("matrices", "registers A.r1 and A.r2 are exchanged");
  says_of("solution", "4 of 4 fragments compared; all are right");
}
