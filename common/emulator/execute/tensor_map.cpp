// SPDX-License-Identifier: MIT
// What a tensor map says of a copy, and what is wrong with one. Its 128 bytes are in
// tensor_map_bytes.cpp.
#include "emulator/execute/tensor_map.hpp"

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

std::uint64_t power(int bits) { return std::uint64_t{1} << bits; }

std::string_view name_of_box(const TensorMap& map, std::size_t d) {
  constexpr std::string_view kNames[] = {"boxDim[0]", "boxDim[1]", "boxDim[2]", "boxDim[3]",
                                         "boxDim[4]"};
  return map.is_im2col && d == 0 ? "channelsPerPixel" : kNames[d];
}

std::uint64_t alignment(const TensorMap& map) { return map.interleave_bytes == 32 ? 32 : 16; }

std::string problem_of_dimension(const TensorMap& map, std::size_t d) {
  if (map.size[d] < 1 || map.size[d] > power(32))
    return fmt::format("globalDim[{}] is {}, it must be 1 to 2^32", d, map.size[d]);
  if (map.box[d] < 1 || map.box[d] > 256)
    return fmt::format("{} is {}, it must be 1 to 256", name_of_box(map, d), map.box[d]);
  if (map.element_stride[d] < 1 || map.element_stride[d] > 8)
    return fmt::format("elementStrides[{}] is {}, it must be 1 to 8", d, map.element_stride[d]);
  if (d == 0) return {};
  if (map.stride_bytes[d] % alignment(map) != 0 || map.stride_bytes[d] >= power(40))
    return fmt::format("globalStrides[{}] is {} bytes, it must be a multiple of {} below 2^40",
                       d - 1, map.stride_bytes[d], alignment(map));
  return {};
}

// The corners of the bounding box, of 16, 8 or 5 bits each.
std::string problem_of_corners(const TensorMap& map) {
  if (map.rank < 3) return fmt::format("tensorRank is {}, it must be 3 to 5", map.rank);
  if (map.pixels < 1 || map.pixels > 1024)
    return fmt::format("pixelsPerColumn is {}, it must be 1 to 1024", map.pixels);
  const std::int32_t most = map.rank == 3 ? 32767 : map.rank == 4 ? 127 : 15;
  for (int d = map.first_walked(); d + 2 < map.rank + map.first_walked(); ++d) {
    const auto k = static_cast<std::size_t>(d - map.first_walked());
    for (const std::int32_t corner : {map.lower[k], map.upper[k]})
      if (corner < -most - 1 || corner > most)
        return fmt::format("a corner of the bounding box is {}, it must be {} to {}", corner,
                           -most - 1, most);
    const auto size = static_cast<std::int64_t>(map.size[static_cast<std::size_t>(d)]);
    if (size - 1 + map.upper[k] < map.lower[k])
      return fmt::format("the bounding box is empty in dimension {}", d);
  }
  return {};
}

std::uint32_t every(std::uint32_t box, std::uint32_t stride) { return (box + stride - 1) / stride; }

constexpr std::uint64_t kMostBytes = 228 * 1024;

std::string problem_of_bytes(std::uint64_t bytes, std::uint64_t most) {
  if (bytes <= most) return {};
  return fmt::format("the box has {} bytes, it must have at most {}", bytes, kMostBytes);
}

// A driver takes 228 KiB, of tiles and of pixels, and no more; of interleaved maps it counts
// elements, too. Steps it divides by, and drops what is left: a box of 1 with steps of 2 counts as
// nothing.
std::string problem_of_count(const TensorMap& map) {
  auto bytes = static_cast<std::uint64_t>(map.element_bytes());
  if (map.is_im2col) bytes *= std::uint64_t{map.box[0]} * map.pixels;
  for (int d = 0; d < map.rank && !map.is_im2col; ++d) {
    const auto k = static_cast<std::size_t>(d);
    bytes *= map.box[k] / map.element_stride[k];
  }
  return problem_of_bytes(bytes, kMostBytes);
}

// What it lets through so, and what tensormap.replace makes of a map, of which nobody counts
// anything, is refused where no shared memory could ever hold it.
std::string problem_of_size(const TensorMap& map) {
  constexpr std::uint64_t kHuge = 1 << 24;
  auto bytes = static_cast<std::uint64_t>(map.element_bytes());
  for (int d = 0; d < map.rank && !map.is_im2col; ++d) {
    const auto k = static_cast<std::size_t>(d);
    bytes *= every(map.box[k], d < map.first_walked() ? 1 : map.element_stride[k]);
  }
  return problem_of_bytes(bytes, kHuge);
}

}  // namespace

Type element_type(TensorMapType type) {
  constexpr Type kTypesOfMap[] = {Type::u8,  Type::u16, Type::u32, Type::s32, Type::u64,
                                  Type::s64, Type::f16, Type::f32, Type::f64, Type::bf16,
                                  Type::f32, Type::f32, Type::f32};
  return kTypesOfMap[static_cast<std::size_t>(type)];
}

int TensorMap::element_bytes() const { return bytes_of(element_type(type)); }

std::uint32_t TensorMap::copied(int dimension) const {
  const auto d = static_cast<std::size_t>(dimension);
  if (is_interleaved() && dimension == rank - 2) return 1;
  // Without interleave the first element stride is ignored.
  return d == 0 && !is_interleaved() ? box[0] : every(box[d], element_stride[d]);
}

std::uint32_t TensorMap::row_bytes() const {
  if (is_interleaved()) return interleave_bytes;
  const std::uint32_t bytes = box[0] * static_cast<std::uint32_t>(element_bytes());
  const auto span = 16u * static_cast<std::uint32_t>(layout::units_per_row(swizzle));
  return swizzle == layout::Swizzle::none || bytes > span ? bytes : span;
}

std::uint32_t TensorMap::rows() const {
  if (is_im2col) return pixels;
  std::uint32_t count = 1;
  for (int d = first_walked(); d < rank; ++d) count *= copied(d);
  return count;
}

std::uint32_t TensorMap::box_bytes() const {
  if (is_interleaved()) return rows() * interleave_bytes;
  return rows() * box[0] * static_cast<std::uint32_t>(element_bytes());
}

std::string problem_of_fields(const TensorMap& map) {
  if (map.rank < 1 || map.rank > 5)
    return fmt::format("tensorRank is {}, it must be 1 to 5", map.rank);
  if (map.is_interleaved() && map.rank < 3)
    return fmt::format("tensorRank is {}, it must be 3 to 5 where interleave is not none",
                       map.rank);
  if (map.address % alignment(map) != 0)
    return fmt::format("globalAddress is 0x{:x}, it must be a multiple of {}", map.address,
                       alignment(map));
  for (int d = 0; d < map.rank; ++d)
    if (std::string why = problem_of_dimension(map, static_cast<std::size_t>(d)); !why.empty())
      return why;
  if (map.is_im2col)
    if (std::string why = problem_of_corners(map); !why.empty()) return why;
  if (std::string why = problem_of_size(map); !why.empty()) return why;
  const std::uint32_t inner = map.box[0] * static_cast<std::uint32_t>(map.element_bytes());
  if (inner % 16 != 0)
    return fmt::format("{} is {} bytes, it must be a multiple of 16", name_of_box(map, 0), inner);
  const auto span = 16u * static_cast<std::uint32_t>(layout::units_per_row(map.swizzle));
  if (map.swizzle != layout::Swizzle::none && inner > span && !map.is_interleaved())
    return fmt::format("{} is {} bytes, swizzle {} takes at most {}", name_of_box(map, 0), inner,
                       layout::name(map.swizzle), span);
  return {};
}

std::string problem(const TensorMap& map) {
  std::string why = problem_of_fields(map);
  return why.empty() ? problem_of_count(map) : why;
}

}  // namespace lanescope::emulator
