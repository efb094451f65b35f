// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 10 knows: each predicts every descriptor of an operand.
//
// Source of the fields: PTX ISA 9.2, 9.7.15.5.1.2.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace exercise_10 {

inline std::uint64_t units(std::uint32_t bytes) { return (bytes & 0x3ffff) >> 4; }
inline std::uint64_t fields(std::uint64_t start, std::uint64_t lbo, std::uint64_t sbo,
                            std::uint64_t mode) {
  return start | lbo << 16 | sbo << 32 | mode << 62;
}

/// The fields that are right, for an operand and a slice.
struct Right {
  std::uint32_t start, step, lbo, sbo;
  std::uint64_t mode;
};

/// A mistake explains an operand when it predicts all of its descriptors. LBO is left out where it
/// is not used.
struct Mistake {
  const char* name;
  const char* advice;
  std::function<std::uint64_t(const Right&, std::uint32_t slice)> predicts;
};

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"the slice does not count",
       "slice 1 begins with k = 16: count the bytes from k = 0 to there",
       [](const Right& r, std::uint32_t) {
         return fields(units(r.start), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"a slice were 16 bytes further on",
       "16 of k are 32 bytes of a row of B, and two blocks of 128 bytes in A",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + 16 * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"a slice were 32 bytes further on, as in a row of B",
       "A has no such rows: 16 of k are two blocks of 128 bytes",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + 32 * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"a slice were one block of 128 bytes", "a block has 8 of k, a slice 16",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + 128 * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"a slice were 256 bytes further on, as in A",
       "a row of B has all of K: the slices lie beside each other in it",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + 256 * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"a slice were 16 rows of 128 bytes further down",
       "a slice is 16 of k, and k runs along a row: 32 bytes further on",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + 2048 * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"the start of a slice were swizzled by hand",
       "the tensor core exchanges the units itself: name the place that it has without a swizzle",
       [](const Right& r, std::uint32_t slice) {
         return fields(units((r.start + r.step * slice) ^ 16 * slice), units(r.lbo), units(r.sbo),
                       r.mode);
       }},
      {"a slice began 1024 bytes further on", "that is the next eight rows, not the next 16 of k",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + 1024 * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"the step of the slice were added to the field, in bytes",
       "a field counts 16 bytes: add the bytes first, then make a field of the sum",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start) + r.step * slice, units(r.lbo), units(r.sbo), r.mode);
       }},
      {"the step of the slice were or-ed to the start",
       "`|` is `+` only where no bit meets another: add the bytes, then make a field of the sum",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start) | units(r.step * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"the fields were in bytes", "they are in units of 16 bytes: field() makes them",
       [](const Right& r, std::uint32_t slice) {
         return fields(r.start + r.step * slice, r.lbo, r.sbo, r.mode);
       }},
      {"the start were in bytes",
       "it is in units of 16 bytes, as LBO and SBO are: field() makes them",
       [](const Right& r, std::uint32_t slice) {
         return fields(r.start + r.step * slice, units(r.lbo), units(r.sbo), r.mode);
       }},
      {"LBO and SBO were in bytes", "they are in units of 16 bytes: field() makes them",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), r.lbo, r.sbo, r.mode);
       }},
      {"the start were left out", "the slice begins behind the tile's own beginning: add its start",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.step * slice), units(r.lbo), units(r.sbo), r.mode);
       }},
      {"the steps were counted in elements",
       "a field counts bytes by 16, and an element of f16 has two bytes",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step / 2 * slice), units(r.lbo / 2), units(r.sbo / 2),
                       r.mode);
       }},
      {"LBO and SBO were exchanged",
       "K-major: LBO leads to the next block along k, SBO to the next eight rows",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(r.sbo), units(r.lbo), r.mode);
       }},
      {"the mode were 3", "the numbering runs backwards: 1 is 128 B, 3 is 32 B",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(r.lbo), units(r.sbo), 3);
       }},
      {"the swizzle were left out",
       "B is stored with the 128 B swizzle: mode 1 in bits 62 and 63, std::uint64_t{1} << 62 (an "
       "int has no such bit)",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(r.lbo), units(r.sbo), 0);
       }},
      {"the mode stood in bit 61", "the mode is the two highest bits, 62 and 63",
       [](const Right& r, std::uint32_t slice) {
         return units(r.start + r.step * slice) | units(r.lbo) << 16 | units(r.sbo) << 32 |
                r.mode << 61;
       }},
      {"A were swizzled, too", "A is stored without a swizzle: mode 0",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(r.lbo), units(r.sbo), 1);
       }},
      {"SBO were 128 bytes", "SBO is the step from eight rows to the next eight: 1024 bytes here",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(r.lbo), units(128), r.mode);
       }},
      {"SBO were 256 bytes, as in the lesson",
       "here eight blocks lie beside each other, not two: SBO is the step to the next eight rows",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(r.lbo), units(256), r.mode);
       }},
      {"LBO were 1024 bytes", "LBO leads from k = 0..7 to k = 8..15: the next block, 128 bytes",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(1024), units(r.sbo), r.mode);
       }},
      {"LBO were left out", "without a swizzle LBO leads from k = 0..7 to k = 8..15",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), 0, units(r.sbo), r.mode);
       }},
      {"the base offset counted the slices",
       "bits 49 to 51 are 0 for a tile that begins at a multiple of 1024: the start alone moves on",
       [](const Right& r, std::uint32_t slice) {
         return fields(units(r.start + r.step * slice), units(r.lbo), units(r.sbo), r.mode) |
                std::uint64_t{slice} << 49;
       }},
      {"LBO and SBO stood in bits 14 and 28",
       "the fields have 14 bits, but they begin at bits 16 and 32",
       [](const Right& r, std::uint32_t slice) {
         return units(r.start + r.step * slice) | units(r.lbo) << 14 | units(r.sbo) << 28 |
                r.mode << 62;
       }},
  };
  return all;
}

}  // namespace exercise_10
