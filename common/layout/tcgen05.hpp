// SPDX-License-Identifier: MIT
// The two descriptors of tcgen05.mma: where a matrix lies in shared memory (64 bits; other fields
// than wgmma's, descriptor.hpp) and what is to be multiplied (32 bits; the types, M and N, which
// wgmma has in its name). No card has confirmed them: they are the ISA's.
//
//   63 61 | 60 53 | 52  | 51 49 | 48 46 | 45 .. 32 | 31 30 | 29 .. 16 | 15 14 | 13 .. 0
//   mode  |   0   | abs | base  |  001  |   SBO    |       |   LBO    |       |  start
//                                            (in units of 16 bytes, all three)
//
// mode: 0 none, 6 = 32 B, 4 = 64 B, 2 = 128 B, 1 = 128 B with atoms of 32 B; 3, 5 and 7 are no
// mode. Source: PTX ISA 9.2, 9.7.16.4.1 (table 40), 9.7.16.4.2 (tables 42 to 44).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/descriptor.hpp"

namespace lanescope::layout {

struct Tcgen05Descriptor {
  std::uint32_t start_bytes = 0, lbo_bytes = 0, sbo_bytes = 0;
  int version = 1;            // 001, or it is none of tcgen05's
  int base_offset = 0;        // as wgmma's
  bool lbo_absolute = false;  // LBO is an address, not a distance (sm_103a, K of 48 bytes)
  int mode = 0;               // as it is encoded
  friend constexpr bool operator==(const Tcgen05Descriptor&, const Tcgen05Descriptor&) = default;
};

constexpr std::uint64_t encode(const Tcgen05Descriptor& d) {
  return encoded(d.start_bytes) | encoded(d.lbo_bytes) << 16 | encoded(d.sbo_bytes) << 32 |
         static_cast<std::uint64_t>(d.version & 7) << 46 |
         static_cast<std::uint64_t>(d.base_offset & 7) << 49 |
         static_cast<std::uint64_t>(d.lbo_absolute) << 52 |
         static_cast<std::uint64_t>(d.mode & 7) << 61;
}
constexpr Tcgen05Descriptor decode_tcgen05(std::uint64_t bits) {
  const auto bytes = [bits](int from) {
    return static_cast<std::uint32_t>(bits >> from & 0x3FFFu) << 4;
  };
  return {bytes(0),
          bytes(16),
          bytes(32),
          static_cast<int>(bits >> 46 & 7),
          static_cast<int>(bits >> 49 & 7),
          (bits >> 52 & 1) != 0,
          static_cast<int>(bits >> 61)};
}
/// The bits that must be 0: a descriptor that has some was not made for tcgen05.
inline constexpr std::uint64_t kReservedTcgen05Bits = 3ull << 14 | 3ull << 30 | 0xFFull << 53;

/// wgmma's descriptor of the same tile: same start, strides, base and swizzle.
Tcgen05Descriptor tcgen05_of(const Descriptor& wgmma);
/// The other way; nothing where wgmma has no such mode (atoms of 32 bytes, an absolute LBO, 3, 5,
/// 7).
std::optional<Descriptor> wgmma_of(const Tcgen05Descriptor& d);

/// The mode with atoms of 32 bytes; fetched_byte of one, for MN-major tiles of 32-bit types. What a
/// base offset does there the ISA does not say: it must be 0.
inline constexpr int kWideMode = 1;
inline constexpr const char* kMeaningOfWideSbo = "from 4 columns of K to the next 4";
constexpr std::uint32_t fetched_byte_wide(const Tcgen05Descriptor& d, int mn, int k) {
  const Tile t{Swizzle::b128, Major::MN, 32, 0, 0, d.lbo_bytes, d.sbo_bytes, 0, true};
  return swizzled_wide(d.start_bytes + linear_offset(t, mn, k));
}

/// "none", "32B", "64B", "128B", "128B/32B"; "" for what is no mode.
std::string_view tcgen05_mode_name(int mode);
std::optional<int> tcgen05_mode(std::string_view name);

/// What is wrong with it, in a line, or "".
std::string problem(const Tcgen05Descriptor& d);

/// A field of a descriptor, as bits and in words.
struct DescriptorField {
  std::string name;  // "lbo", "n"
  int from = 0, width = 0;
  std::uint64_t bits = 0;
  std::string value;  // "1024 bytes", "e4m3"
  std::string means;  // what it is, or what is wrong with it
  bool good = true;
};
/// `major`: what the strides mean depends on it.
std::vector<DescriptorField> fields_of(const Tcgen05Descriptor& d,
                                       std::optional<Major> major = std::nullopt);

/// .kind of tcgen05.mma: it says how the instruction descriptor is read.
enum class Tcgen05Kind : std::uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };
inline constexpr std::array<std::string_view, 7> kTcgen05Kinds{"f16",      "tf32", "f8f6f4",  "i8",
                                                               "mxf8f6f4", "mxf4", "mxf4nvf4"};
std::optional<Tcgen05Kind> tcgen05_kind(std::string_view name);

/// Every bit of an instruction descriptor belongs to one field; reserved ones are fields, too.
std::vector<DescriptorField> instruction_fields(Tcgen05Kind kind, std::uint32_t bits);
/// Sets fields by their names: "m=128 n=256 d=f32 a=bf16 b=bf16 ta=0", separated by blanks or
/// commas; numbers are M and N themselves. What is not named stays as it is in `bits`. A line that
/// says what is wrong, or "".
std::string set_instruction_fields(Tcgen05Kind kind, std::string_view words, std::uint32_t& bits);
/// A descriptor to begin with: M 128, N 128, the kind's first types, dense, K-major.
std::uint32_t usual_instruction(Tcgen05Kind kind);

}  // namespace lanescope::layout
