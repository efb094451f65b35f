// SPDX-License-Identifier: MIT
// Exercise 10 is sound; see planted.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;

namespace {

#define A_RIGHT "a = field(a_start + slice * 256) | field(128) << 16 | field(1024) << 32; "
#define B_RIGHT "b = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{1} << 62; "

const ExerciseTest& exercise() {
  static const ExerciseTest test(
      "10_descriptors", "describe_on_device",
      {
          {"slice_ored",
           "a = field(a_start) | field(slice * 256) | field(128) << 16 | field(1024) << "
           "32; " B_RIGHT,
           "the step of the slice were or-ed to the start"},
          {"no_field",
           "a = field(a_start + slice * 256) | field(128) << 16 | field(1024) << 32 |"
           " std::uint64_t{5} << 49; " B_RIGHT,
           "the base offset were 5, not 0"},
          {"no_slice", A_RIGHT "b = field(b_start) | field(1024) << 32 | std::uint64_t{1} << 62;",
           "the slice does not count (B)"},
          {"slice_in_elements",
           A_RIGHT "b = field(b_start + slice * 16) | field(1024) << 32 | std::uint64_t{1} << 62;",
           "a slice were 16 bytes further on (B)"},
          {"steps_in_elements",
           "a = field(a_start + slice * 128) | field(64) << 16 | field(512) << 32; " B_RIGHT,
           "the steps were counted in elements (A)"},
          {"mode_2",
           A_RIGHT "b = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{2} << 62;",
           "the mode were 2, not 1 (B)"},
          {"half_the_step",
           "a = field(a_start + slice * 256) | field(128) << 16 | field(512) << 32; " B_RIGHT,
           "SBO were 512 bytes, not 1024 bytes (A)"},
          {"b_like_a",
           A_RIGHT "b = field(b_start + slice * 256) | field(128) << 16 | field(1024) << 32;",
           "B were described as A is (B)"},
          {"a_for_b",
           "b = field(a_start + slice * 256) | field(128) << 16 | field(1024) << 32;"
           "a = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{1} << 62;",
           "a and b were exchanged (A)"},
          {"base_offset",
           A_RIGHT "b = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{slice} << "
                   "49 | std::uint64_t{1} << 62;",
           "the base offset counted the slices (B)"},
          {"bit_61",
           A_RIGHT "b = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{1} << 61;",
           "the mode stood in bit 61 (B)"},
          {"a_as_b",
           "a = field(a_start + slice * 32) | field(128) << 16 | field(1024) << 32; " B_RIGHT,
           "a slice were 32 bytes further on, as in a row of B (A)"},
          {"a_one_block",
           "a = field(a_start + slice * 128) | field(128) << 16 | field(1024) << 32; " B_RIGHT,
           "a slice were one block of 128 bytes (A)"},
          {"b_as_a",
           A_RIGHT "b = field(b_start + slice * 256) | field(1024) << 32 | std::uint64_t{1} << 62;",
           "a slice were 256 bytes further on, as in A (B)"},
          {"next_rows",
           A_RIGHT
           "b = field(b_start + slice * 1024) | field(1024) << 32 | std::uint64_t{1} << 62;",
           "a slice began 1024 bytes further on (B)"},
          {"rows_of_k",
           A_RIGHT
           "b = field(b_start + slice * 2048) | field(1024) << 32 | std::uint64_t{1} << 62;",
           "a slice were 16 rows of 128 bytes further down (B)"},
          {"swizzled_by_hand",
           A_RIGHT "b = field((b_start + slice * 32) ^ (slice * 16)) | field(1024) << 32 | "
                   "std::uint64_t{1} << 62;",
           "the start of a slice were swizzled by hand (B)"},
          {"step_in_bytes",
           A_RIGHT
           "b = (field(b_start) + slice * 32) | field(1024) << 32 | std::uint64_t{1} << 62;",
           "the step of the slice were added to the field, in bytes (B)"},
          {"bytes",
           "a = std::uint64_t{a_start + slice * 256} | std::uint64_t{128} << 16 | "
           "std::uint64_t{1024} << 32; " B_RIGHT,
           "the fields were in bytes (A)"},
          {"start_in_bytes",
           "a = std::uint64_t{a_start + slice * 256} | field(128) << 16 | field(1024) << "
           "32; " B_RIGHT,
           "the start were in bytes (A)"},
          {"b_start_in_bytes",
           A_RIGHT "b = std::uint64_t{b_start + slice * 32} | field(1024) << 32 | "
                   "std::uint64_t{1} << 62;",
           "the start were in bytes (B)"},
          {"steps_in_bytes",
           "a = field(a_start + slice * 256) | 128 << 16 | std::uint64_t{1024} << 32; " B_RIGHT,
           "LBO and SBO were in bytes (A)"},
          {"no_start", "a = field(slice * 256) | field(128) << 16 | field(1024) << 32; " B_RIGHT,
           "the start were left out (A)"},
          {"exchanged",
           "a = field(a_start + slice * 256) | field(1024) << 16 | field(128) << 32; " B_RIGHT,
           "LBO and SBO were exchanged (A)"},
          {"mode_3",
           A_RIGHT "b = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{3} << 62;",
           "the mode were 3 (B)"},
          {"no_mode", A_RIGHT "b = field(b_start + slice * 32) | field(1024) << 32;",
           "the swizzle were left out (B)"},
          {"a_swizzled",
           "a = field(a_start + slice * 256) | field(128) << 16 | field(1024) << 32 | "
           "std::uint64_t{1} << 62; " B_RIGHT,
           "A were swizzled, too (A)"},
          {"b_sbo_128",
           A_RIGHT "b = field(b_start + slice * 32) | field(128) << 32 | std::uint64_t{1} << 62;",
           "SBO were 128 bytes (B)"},
          {"a_sbo_256",
           "a = field(a_start + slice * 256) | field(128) << 16 | field(256) << 32; " B_RIGHT,
           "SBO were 256 bytes, as in the lesson (A)"},
          {"a_lbo_1024",
           "a = field(a_start + slice * 256) | field(1024) << 16 | field(1024) << 32; " B_RIGHT,
           "LBO were 1024 bytes (A)"},
          {"a_no_lbo", "a = field(a_start + slice * 256) | field(1024) << 32; " B_RIGHT,
           "LBO were left out (A)"},
          {"packed_fields",
           "a = field(a_start + slice * 256) | field(128) << 14 | field(1024) << 28; " B_RIGHT,
           "LBO and SBO stood in bits 14 and 28 (A)"},
          {"only_a", A_RIGHT, "does not set this descriptor (B)"},
          {"one_slice", A_RIGHT B_RIGHT "if (slice == 2) b += 1;",
           "the start of slice 2 were byte 17488, not byte 17472 (B)"},
          // Any field that no mistake is written down for.
          {"half_of_both",
           "a = field(a_start + slice * 256) | field(64) << 16 | field(512) << 32; " B_RIGHT,
           "SBO were 512 bytes, not 1024 bytes; LBO were 64 bytes, not 128 bytes (A)"},
          {"slice_and_mode",
           A_RIGHT "b = field(b_start + slice * 64) | field(1024) << 32 | std::uint64_t{2} << 62;",
           "the step from slice to slice were 64 bytes, not 32 bytes; the mode were 2, not 1 (B)"},
          {"bit_60",
           A_RIGHT "b = field(b_start + slice * 32) | field(1024) << 32 | std::uint64_t{1} << 60;",
           "the mode were 0, not 1; bits 52 to 61 were 0x100, not 0x0 (B)"},
          {"slices_from_1",
           "a = field(a_start + (slice + 1) * 256) | field(128) << 16 | field(1024) << "
           "32; " B_RIGHT,
           "the start of slice 0 were byte 1280, not byte 1024 (A)"},
      },
      {
          {"added",
           "a = field(a_start + slice * 256) + (field(128) << 16) + (field(1024) << 32);"
           "b = field(b_start + slice * 32) + (field(1024) << 32) + (1ull << 62);",
           ""},
          {"slice_added_to_the_field",
           "a = (field(a_start) + slice * 16) | 8ull << 16 | 64ull << 32;"
           "b = (field(b_start) + slice * 2) | 1ull << 16 | 64ull << 32 | 0x4000000000000000;",
           ""},
      });
  return test;
}

}  // namespace

EXERCISE_IS_SOUND("10", "The gap is still empty")
TEST_CASE("what is as right as the solution passes exercise 10") {
  exercise().right_answers_pass();
}
