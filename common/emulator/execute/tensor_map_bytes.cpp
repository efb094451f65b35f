// SPDX-License-Identifier: MIT
// The 128 bytes of a tensor map: written, read, and changed in place by tensormap.replace.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "emulator/execute/tensor_map.hpp"

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

// What a card reads in 128 zeros: one dimension of one u8, in a box of one, with steps of one, at
// address 0. Compilers begin with them and replace every field
// (docs/experiments/map_from_zeros.md).
Encoded map_of_zeros() {
  Encoded made{};
  made.magic = kMagic;
  made.rank = 1;
  for (std::size_t d = 0; d < 5; ++d) made.box[d] = made.element_stride[d] = 1;
  return made;
}

}  // namespace

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
  if (std::all_of(bytes, bytes + sizeof(map), [](std::byte b) { return b == std::byte{0}; }))
    map = map_of_zeros();
  if (map.magic != kMagic)
    return "tensormap.replace of 128 bytes that neither are zeros nor cuTensorMapEncodeTiled's";
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
