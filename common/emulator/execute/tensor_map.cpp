// SPDX-License-Identifier: MIT
#include "emulator/execute/tensor_map.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

namespace lanescope::emulator {
namespace {

constexpr std::array<char, 8> kMagic{'L', 'A', 'N', 'E', 'M', 'A', 'P', '1'};

// How it lies in the 128 bytes: little-endian, nothing between the fields.
struct Encoded {
  std::array<char, 8> magic;
  std::uint64_t address;
  std::uint64_t strides[4];  // bytes, of dimensions 1 to 4
  std::uint32_t last[5];     // size - 1: a size may be 2^32
  std::uint16_t box[5];
  std::uint8_t element_stride[5];
  std::uint8_t type;
  std::uint8_t rank;
  std::uint8_t swizzle;
  std::uint8_t fills_nan;
  std::uint8_t is_im2col;
  std::uint16_t pixels;
  std::int16_t lower[3];
  std::int16_t upper[3];
  std::uint8_t interleave_bytes;
  std::uint8_t zero[21];
};
static_assert(sizeof(Encoded) == 128 && std::is_trivially_copyable_v<Encoded>);

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
    bytes *= map.box[k] / (d < map.first_walked() ? 1 : map.element_stride[k]);
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

namespace {

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

}  // namespace

std::string problem(const TensorMap& map) {
  std::string why = problem_of_fields(map);
  return why.empty() ? problem_of_count(map) : why;
}

TensorMapBytes encode(const TensorMap& map) {
  Encoded made{};
  made.magic = kMagic;
  made.address = map.address;
  for (std::size_t d = 0; d < 5; ++d) {
    if (d > 0) made.strides[d - 1] = map.stride_bytes[d];
    made.last[d] = static_cast<std::uint32_t>(map.size[d] - 1);
    made.box[d] = static_cast<std::uint16_t>(map.box[d]);
    made.element_stride[d] = static_cast<std::uint8_t>(map.element_stride[d]);
  }
  made.type = static_cast<std::uint8_t>(map.type);
  made.rank = static_cast<std::uint8_t>(map.rank);
  made.swizzle = static_cast<std::uint8_t>(map.swizzle);
  made.fills_nan = map.fills_nan ? 1 : 0;
  made.is_im2col = map.is_im2col ? 1 : 0;
  made.interleave_bytes = static_cast<std::uint8_t>(map.interleave_bytes);
  made.pixels = static_cast<std::uint16_t>(map.pixels);
  for (std::size_t k = 0; k < 3; ++k) {
    made.lower[k] = static_cast<std::int16_t>(map.lower[k]);
    made.upper[k] = static_cast<std::int16_t>(map.upper[k]);
  }
  TensorMapBytes bytes;
  std::memcpy(bytes.data(), &made, sizeof(made));
  return bytes;
}

namespace {

// What the bytes say, whether it makes sense or not; false when encode() did not write them.
bool read_map(const std::byte* bytes, TensorMap& map) {
  Encoded found;
  std::memcpy(&found, bytes, sizeof(found));
  if (found.magic != kMagic || found.type > static_cast<int>(TensorMapType::tf32_ftz) ||
      found.swizzle > 3 ||
      (found.interleave_bytes != 0 && found.interleave_bytes != 16 && found.interleave_bytes != 32))
    return false;
  map.type = static_cast<TensorMapType>(found.type);
  map.rank = found.rank;
  map.swizzle = static_cast<layout::Swizzle>(found.swizzle);
  map.fills_nan = found.fills_nan != 0;
  map.is_im2col = found.is_im2col != 0;
  map.interleave_bytes = found.interleave_bytes;
  map.pixels = found.pixels;
  for (std::size_t k = 0; k < 3; ++k) {
    map.lower[k] = found.lower[k];
    map.upper[k] = found.upper[k];
  }
  map.address = found.address;
  for (std::size_t d = 0; d < 5; ++d) {
    map.stride_bytes[d] = d > 0 ? found.strides[d - 1] : 0;
    map.size[d] = std::uint64_t{found.last[d]} + 1;
    map.box[d] = found.box[d];
    map.element_stride[d] = found.element_stride[d];
  }
  map.stride_bytes[0] = map.first_stride_bytes();
  return true;
}

// .u8 .u16 .u32 .s32 .u64 .s64 .f16 .f32 .f32.ftz .f64 .bf16 .tf32 .tf32.ftz
constexpr std::array kTypesOfReplace{
    TensorMapType::u8,      TensorMapType::u16, TensorMapType::u32,  TensorMapType::s32,
    TensorMapType::u64,     TensorMapType::s64, TensorMapType::f16,  TensorMapType::f32,
    TensorMapType::f32_ftz, TensorMapType::f64, TensorMapType::bf16, TensorMapType::tf32,
    TensorMapType::tf32_ftz};

}  // namespace

std::optional<TensorMap> decode_tensor_map(const std::byte* bytes) {
  TensorMap map;
  if (!read_map(bytes, map) || !problem_of_fields(map).empty()) return std::nullopt;
  return map;
}

MapProblem map_problem(const std::byte* bytes) {
  TensorMap map;
  if (!read_map(bytes, map))
    return {"the tensor map is none that cuTensorMapEncodeTiled or -Im2col made",
            "pass it as a const __grid_constant__ CUtensorMap parameter"};
  return {"of the tensor map " + problem_of_fields(map),
          "change it by tensormap.replace alone, to what cuTensorMapEncodeTiled takes"};
}

std::string replace_field(std::byte* bytes, TensorMapField field, std::uint32_t ordinal,
                          std::uint64_t value) {
  Encoded map;
  std::memcpy(&map, bytes, sizeof(map));
  if (map.magic != kMagic)
    return "tensormap.replace of 128 bytes that cuTensorMapEncodeTiled did not make";
  const std::uint32_t most = field == TensorMapField::stride ? 3 : 4;
  if (ordinal > most) return fmt::format("tensormap.replace of dimension {}", ordinal);
  const auto refuse = [&] {
    return fmt::format(
        "tensormap.replace with the value {}, which that field has not, or which "
        "is not modelled",
        value);
  };
  switch (field) {
    case TensorMapField::address:
      map.address = value;
      break;
    case TensorMapField::rank:
      if (value > 4) return refuse();
      map.rank = static_cast<std::uint8_t>(value + 1);
      break;
    case TensorMapField::box:
      if (value > 256) return refuse();
      map.box[ordinal] = static_cast<std::uint16_t>(value);
      break;
    case TensorMapField::size:
      map.last[ordinal] = static_cast<std::uint32_t>(value - 1);
      break;
    case TensorMapField::stride:
      map.strides[ordinal] = value;
      break;
    case TensorMapField::element_stride:
      if (value > 8) return refuse();
      map.element_stride[ordinal] = static_cast<std::uint8_t>(value);
      break;
    case TensorMapField::type:
      if (value >= kTypesOfReplace.size()) return refuse();
      map.type = static_cast<std::uint8_t>(kTypesOfReplace[value]);
      break;
    case TensorMapField::interleave:
      if (value > 2) return refuse();
      map.interleave_bytes = static_cast<std::uint8_t>(16 * value);
      break;
    case TensorMapField::swizzle:
      if (value > 3) return refuse();
      map.swizzle = static_cast<std::uint8_t>(value);
      break;
    case TensorMapField::fill:
      if (value > 1) return refuse();
      map.fills_nan = static_cast<std::uint8_t>(value);
      break;
  }
  std::memcpy(bytes, &map, sizeof(map));
  return {};
}

}  // namespace lanescope::emulator
