// SPDX-License-Identifier: MIT
// What no list of mistakes has foreseen: every field of an operand's descriptors that is not as it
// should be, with what it is.
//
// Source of the fields: PTX ISA 9.2, 9.7.15.5.1.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "mistakes.hpp"

namespace exercise_10 {

struct WrongFields {
  std::string words, advice;  // advice: on the first of them
  void add(const std::string& what, const std::string& is, const std::string& should,
           const std::string& why) {
    words += (words.empty() ? "" : "; ") + what + " were " + is + ", not " + should;
    if (advice.empty()) advice = why;
  }
};

/// Where the slices begin: the first one, and how far it is from each to the next.
inline void add_starts(WrongFields& wrong, const std::vector<std::uint64_t>& descriptors,
                       const Right& right) {
  const auto start = [&](std::size_t slice) {
    return static_cast<int>(descriptors[slice] & 0x3fff) * 16;
  };
  const auto bytes = [](int count) { return std::to_string(count) + " bytes"; };
  const char* advice = "16 of k are 32 bytes of a row of B, and two blocks of 128 bytes in A";
  const int first = static_cast<int>(units(right.start) * 16), step = start(1) - start(0);
  bool even = true;
  for (std::size_t slice = 1; slice < descriptors.size(); ++slice)
    even = even && start(slice) == start(0) + step * static_cast<int>(slice);
  for (std::size_t slice = 0; slice < (even ? 1 : descriptors.size()); ++slice) {
    const int should = first + static_cast<int>(right.step * slice);
    if (start(slice) == should) continue;
    wrong.add("the start of slice " + std::to_string(slice), "byte " + std::to_string(start(slice)),
              "byte " + std::to_string(should), advice);
    break;
  }
  if (even && step != static_cast<int>(right.step))
    wrong.add("the step from slice to slice", bytes(step), bytes(static_cast<int>(right.step)),
              advice);
}

/// `lbo`: whether LBO is used. Of a field that changes from slice to slice the first wrong one.
inline WrongFields wrong_fields(const std::vector<std::uint64_t>& descriptors, const Right& right,
                                bool lbo) {
  struct Field {
    std::string name, advice;
    int bit, bits;
    std::uint64_t right;
  };
  constexpr const char* kNone =
      "these bits belong to no field: has a field too many bits, or does it stand elsewhere?";
  std::vector<Field> fields{
      {"SBO", "SBO leads to the next eight rows", 32, 14, units(right.sbo)},
      {"the base offset", "it is 0 for a tile that begins at a multiple of 1024", 49, 3, 0},
      {"the mode", "0 is no swizzle, 1 that of 128 B, 2 of 64 B, 3 of 32 B", 62, 2, right.mode},
      {"bits 14 and 15", kNone, 14, 2, 0},
      {"bits 30 and 31", kNone, 30, 2, 0},
      {"bits 46 to 48", kNone, 46, 3, 0},
      {"bits 52 to 61", kNone, 52, 10, 0}};
  if (lbo)
    fields.push_back({"LBO", "LBO leads to the next block along k", 16, 14, units(right.lbo)});
  WrongFields wrong;
  add_starts(wrong, descriptors, right);
  for (const Field& field : fields)
    for (std::size_t slice = 0; slice < descriptors.size(); ++slice) {
      const std::uint64_t is = descriptors[slice] >> field.bit & ((1ull << field.bits) - 1);
      if (is == field.right) continue;
      const auto text = [&](std::uint64_t value) {
        char hex[24];
        std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(value));
        return field.bits == 14        ? std::to_string(value * 16) + " bytes"
               : field.advice == kNone ? hex
                                       : std::to_string(value);
      };
      wrong.add(field.name + (slice == 0 ? "" : " of slice " + std::to_string(slice)), text(is),
                text(field.right), field.advice);
      break;
    }
  return wrong;
}

}  // namespace exercise_10
