// SPDX-License-Identifier: MIT
// The tensor map: 128 opaque bytes that describe a tensor in global memory and the box that one
// instruction copies. The card's own encoding is not published; this one is Lanescope's, and says
// so in its first four bytes.
//
// Source: CUDA driver API, cuTensorMapEncodeTiled and -Im2col (arguments and what is wrong with
// them).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "emulator/ptx/type.hpp"
#include "layout/swizzle.hpp"

namespace lanescope::emulator {

/// CUtensorMapDataType, in the order of the driver's enumeration.
enum class TensorMapType : std::uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f64,
  bf16,
  f32_ftz,
  tf32,
  tf32_ftz
};
Type element_type(TensorMapType type);

struct TensorMap {
  TensorMapType type = TensorMapType::f32;
  int rank = 1;
  layout::Swizzle swizzle = layout::Swizzle::none;
  bool fills_nan = false;
  std::uint64_t address = 0;
  std::array<std::uint64_t, 5> size{1, 1, 1, 1, 1};  // elements, the fastest dimension first
  std::array<std::uint64_t, 5> stride_bytes{};       // [0] is first_stride_bytes()
  std::array<std::uint32_t, 5> box{1, 1, 1, 1, 1};   // elements that are looked at
  std::array<std::uint32_t, 5> element_stride{1, 1, 1, 1, 1};
  // 16 or 32: interleaved. The first dimension counts slices of as many bytes, whatever the
  // element; the last but one, slices of channels, is one deep in every box (an H200:
  // docs/experiments/interleaved.md).
  std::uint32_t interleave_bytes = 0;
  // im2col: box[0] is the channels per pixel, the rest of the box is not used.
  bool is_im2col = false;
  std::uint32_t pixels = 1;                      // per column
  std::array<std::int32_t, 3> lower{}, upper{};  // corners of the bounding box: W, H, D

  int element_bytes() const;
  /// From one of the first dimension to the next: stride_bytes[0].
  std::uint64_t first_stride_bytes() const {
    return is_interleaved() ? interleave_bytes : static_cast<std::uint64_t>(element_bytes());
  }
  bool is_interleaved() const { return interleave_bytes != 0; }
  /// The first dimension that a copy walks along row by row, and W's, of rank - 2 that pixels have.
  int first_walked() const { return is_interleaved() ? 0 : 1; }
  /// Elements along a dimension that land in shared memory: every element_stride-th of the box.
  std::uint32_t copied(int dimension) const;
  /// From one innermost row, interleaved from one slice, to the next in shared memory.
  std::uint32_t row_bytes() const;
  std::uint32_t rows() const;
  std::uint32_t box_bytes() const;
};

using TensorMapBytes = std::array<std::byte, 128>;

/// What tensormap.replace names; its values are the ISA's, where they differ from the driver's.
enum class TensorMapField : std::uint8_t {
  address,
  rank,
  box,
  size,
  stride,
  element_stride,
  type,
  interleave,
  swizzle,
  fill
};
/// Writes one field of 128 encoded bytes; why not, or "".
std::string replace_field(std::byte* bytes, TensorMapField field, std::uint32_t ordinal,
                          std::uint64_t value);

/// What the driver would refuse about it, in a line, or "".
std::string problem(const TensorMap& map);
/// What a copy refuses about a map that a kernel may have changed: the same, but for the bytes of
/// the box, which the driver alone counts.
std::string problem_of_fields(const TensorMap& map);

TensorMapBytes encode(const TensorMap& map);
/// Nothing when the bytes were not written by encode(), or no copy can be made by what they say.
std::optional<TensorMap> decode_tensor_map(const std::byte* bytes);
struct MapProblem {
  std::string what;
  const char* hint;  // what to do
};
/// Why decode_tensor_map gives nothing.
MapProblem map_problem(const std::byte* bytes);

}  // namespace lanescope::emulator
