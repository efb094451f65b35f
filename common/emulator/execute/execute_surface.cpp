// SPDX-License-Identifier: MIT
// suld, sust and sured: bytes of an image, at a byte of a row, or texels of its format (.p); what
// lies outside is a fault, the nearest texel, or nothing.
//
// Source: PTX ISA 9.2, 9.7.11; what .p does is an H200's (docs/experiments/surfaces.md).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "emulator/execute/texture.hpp"
#include "emulator/run/warp.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

using Coordinates = std::array<std::int64_t, 3>;  // bytes, row, slice or layer

Coordinates coordinates_of(const Warp& w, const TexturePlan& plan, int lane) {
  Coordinates at{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan.dims); ++axis)
    at[axis] = row<std::int32_t>(w, plan.at[axis])[lane];
  if (plan.is_layered)
    at[2] = row<std::uint32_t>(w, plan.layer)[lane];  // no sign: -1 is behind all
  return at;
}

/// How many bytes are moved at once, and which bytes one step of x is.
struct Unit {
  int moved = 0, step = 0;
};

/// sured.p steps by what it adds to, whatever the surface's texels are.
Unit unit_of(const TexturePlan& plan, const TextureImage& image) {
  if (!plan.is_formatted) return {plan.bytes * plan.count, 1};
  const int bytes = plan.sum == SurfaceSum::none ? image.texel_bytes() : plan.bytes;
  return {bytes, bytes};
}

bool refuse_outside(Warp& w, const Coordinates& at, const TextureImage& image, int lane) {
  fail(w, ErrorCode::illegal_address, "out-of-bounds", lane,
       fmt::format("byte {}, row {}, slice {} is outside of the surface, {} bytes x {} x {}", at[0],
                   at[1], at[2], image.size[0] * image.texel_bytes(), image.size[1], image.size[2]),
       "check the coordinates, or pass cudaBoundaryModeZero or cudaBoundaryModeClamp");
  return false;
}

/// The host's address of a lane's bytes; 0: there are none. False with the fault recorded.
bool find_bytes(Warp& w, const TexturePlan& plan, const TextureImage& image, const Unit& unit,
                int lane, std::uint64_t& address) {
  Coordinates at = coordinates_of(w, plan, lane);
  at[0] *= unit.step;
  address = 0;
  if (at[0] % unit.moved != 0) {
    fail(w, ErrorCode::misaligned_address, "misaligned-address", lane,
         fmt::format("byte {} of a surface's row is not a multiple of the {} that are moved", at[0],
                     unit.moved),
         "the first coordinate counts bytes: multiply by sizeof");
    return false;
  }
  const std::int64_t row_bytes = image.size[0] * image.texel_bytes();
  const Coordinates most{(row_bytes / unit.moved - 1) * unit.moved, image.size[1] - 1,
                         image.size[2] - 1};
  bool is_inside = true;
  for (std::size_t axis = 0; axis < 3; ++axis)
    is_inside = is_inside && at[axis] >= 0 && at[axis] <= most[axis];
  if (!is_inside && plan.boundary == Boundary::trap) return refuse_outside(w, at, image, lane);
  if (!is_inside && (plan.boundary == Boundary::zero || most[0] < 0)) return true;
  for (std::size_t axis = 0; axis < 3; ++axis)
    at[axis] = std::clamp<std::int64_t>(at[axis], 0, std::max<std::int64_t>(most[axis], 0));
  address = image.row(at[1], at[2]) + static_cast<std::uint64_t>(at[0]);
  return true;
}

/// move(image, lane, address) for each lane of the group; the address as find_bytes has it.
template <class Move>
Flow move_texels(Warp& w, const Instruction& i, const TexturePlan& plan, std::uint32_t active,
                 Move move) {
  return visit_objects(w, i, plan, true, active, [&](const Texture& surface, int lane) {
    const TextureImage& image = surface.image;
    std::uint64_t address = 0;
    if (!find_bytes(w, plan, image, unit_of(plan, image), lane, address)) return false;
    move(image, lane, address);
    return true;
  });
}

/// An f32 as f16: cut off, 65504 at most; a NaN stays one, with its upper bits.
std::uint32_t half_of(std::uint32_t bits) {
  const std::uint32_t fraction = bits & 0x7fffff;
  if ((bits & 0x7f800000) == 0x7f800000 && fraction != 0)
    return (bits >> 16 & 0x8000) | 0x7c00 | std::max(fraction >> 13, 1u);
  return static_cast<std::uint32_t>(
      numeric::encode(numeric::kF16, __builtin_bit_cast(float, bits), numeric::Rounding::rz));
}

/// A word as one channel of a texel.
std::uint32_t as_channel(TexelFormat format, std::uint32_t word) {
  const auto number = static_cast<std::int32_t>(word);
  switch (format) {
    case TexelFormat::u8:
      return std::min(word, 0xffu);
    case TexelFormat::u16:
      return std::min(word, 0xffffu);
    case TexelFormat::s8:
      return static_cast<std::uint32_t>(std::clamp(number, -128, 127));
    case TexelFormat::s16:
      return static_cast<std::uint32_t>(std::clamp(number, -32768, 32767));
    case TexelFormat::f16:
      return half_of(word);
    default:
      return word;
  }
}

bool has_sign(TexelFormat format) {
  return format == TexelFormat::s8 || format == TexelFormat::s16 || format == TexelFormat::s32;
}

template <class Word>
Word sum_of(SurfaceSum sum, bool is_signed, Word old, Word other) {
  using Signed = std::make_signed_t<Word>;
  const bool is_less =
      is_signed ? static_cast<Signed>(other) < static_cast<Signed>(old) : other < old;
  switch (sum) {
    case SurfaceSum::add:
      return old + other;
    case SurfaceSum::min:
      return is_less ? other : old;
    case SurfaceSum::max:
      return is_less ? old : other;
    case SurfaceSum::both:
      return old & other;
    default:
      return old | other;
  }
}

template <class Word>
void add_to(const Warp& w, const TexturePlan& plan, bool is_signed, int lane, std::uint64_t to) {
  Word old = 0;
  std::memcpy(&old, reinterpret_cast<const void*>(to), sizeof old);
  old = sum_of(plan.sum, is_signed, old, row<Word>(w, plan.texel[0])[lane]);
  std::memcpy(reinterpret_cast<void*>(to), &old, sizeof old);
}

}  // namespace

Flow run_surface_load(Warp& w, const Instruction& i, std::uint32_t active) {
  const TexturePlan& plan = texture_plan(w, i);
  return move_texels(w, i, plan, active, [&](const TextureImage&, int lane, std::uint64_t from) {
    for (int k = 0; k < plan.count; ++k) {
      std::uint64_t value = 0;
      if (from != 0)
        std::memcpy(&value,
                    reinterpret_cast<const void*>(from + static_cast<unsigned>(k * plan.bytes)),
                    static_cast<std::size_t>(plan.bytes));
      const std::uint32_t to = plan.texel[static_cast<std::size_t>(k)];
      if (plan.bytes == 8)
        row<std::uint64_t>(w, to)[lane] = value;
      else
        row<std::uint32_t>(w, to)[lane] = static_cast<std::uint32_t>(value);
    }
  });
}

Flow run_surface_store(Warp& w, const Instruction& i, std::uint32_t active) {
  const TexturePlan& plan = texture_plan(w, i);
  return move_texels(w, i, plan, active, [&](const TextureImage&, int lane, std::uint64_t to) {
    for (int k = 0; k < plan.count && to != 0; ++k) {
      const std::uint32_t from = plan.texel[static_cast<std::size_t>(k)];
      const std::uint64_t value =
          plan.bytes == 8 ? row<std::uint64_t>(w, from)[lane] : row<std::uint32_t>(w, from)[lane];
      std::memcpy(reinterpret_cast<void*>(to + static_cast<unsigned>(k * plan.bytes)), &value,
                  static_cast<std::size_t>(plan.bytes));
    }
  });
}

// Channels that no register is given for are 0.
Flow run_surface_texels(Warp& w, const Instruction& i, std::uint32_t active) {
  const TexturePlan& plan = texture_plan(w, i);
  const auto store = [&](const TextureImage& image, int lane, std::uint64_t to) {
    const int bytes = bytes_of(image.format);
    for (int k = 0; k < image.channels && to != 0; ++k) {
      const std::uint32_t word =
          k < plan.count ? row<std::uint32_t>(w, plan.texel[static_cast<std::size_t>(k)])[lane] : 0;
      const std::uint32_t bits = as_channel(image.format, word);
      std::memcpy(reinterpret_cast<void*>(to + static_cast<unsigned>(k * bytes)), &bits,
                  static_cast<std::size_t>(bytes));
    }
  };
  return move_texels(w, i, plan, active, store);
}

Flow run_surface_sum(Warp& w, const Instruction& i, std::uint32_t active) {
  const TexturePlan& plan = texture_plan(w, i);
  const auto add = [&](const TextureImage& image, int lane, std::uint64_t to) {
    if (to == 0) return;
    const bool is_signed = plan.is_formatted ? has_sign(image.format) : plan.is_signed;
    if (plan.bytes == 8)
      add_to<std::uint64_t>(w, plan, is_signed, lane, to);
    else
      add_to<std::uint32_t>(w, plan, is_signed, lane, to);
  };
  return move_texels(w, i, plan, active, add);
}

}  // namespace lanescope::emulator
