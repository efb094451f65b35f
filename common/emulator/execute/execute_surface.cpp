// SPDX-License-Identifier: MIT
// suld and sust: bytes of an image, at a byte of a row; what lies outside is a fault, the nearest
// texel, or nothing.
//
// Source: PTX ISA 9.2, 9.7.11.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/execute/texture.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

using Coordinates = std::array<std::int64_t, 3>;  // bytes, row, slice or layer

Coordinates coordinates_of(const Warp& w, const TexturePlan& plan, int lane) {
  Coordinates at{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan.dims); ++axis)
    at[axis] = row<std::int32_t>(w, plan.at[axis])[lane];
  if (plan.is_layered) at[2] = row<std::int32_t>(w, plan.layer)[lane];
  return at;
}

/// The host's address of a lane's bytes; 0: there are none. False with the fault recorded.
bool find_bytes(Warp& w, const TexturePlan& plan, const TextureImage& image, int lane,
                std::uint64_t& address) {
  Coordinates at = coordinates_of(w, plan, lane);
  const int bytes = plan.bytes * plan.count;
  address = 0;
  if (at[0] % bytes != 0) {
    fail(w, ErrorCode::misaligned_address, "misaligned-address", lane,
         fmt::format("byte {} of a surface's row is not a multiple of the {} that are moved", at[0],
                     bytes),
         "the first coordinate counts bytes: multiply by sizeof");
    return false;
  }
  const Coordinates most{image.size[0] * image.texel_bytes() - bytes, image.size[1] - 1,
                         image.size[2] - 1};
  bool is_inside = true;
  for (std::size_t axis = 0; axis < 3; ++axis)
    is_inside = is_inside && at[axis] >= 0 && at[axis] <= most[axis];
  if (!is_inside && plan.boundary == Boundary::trap) {
    fail(w, ErrorCode::illegal_address, "out-of-bounds", lane,
         fmt::format("byte {}, row {}, slice {} is outside of the surface, {} bytes x {} x {}",
                     at[0], at[1], at[2], image.size[0] * image.texel_bytes(), image.size[1],
                     image.size[2]),
         "check the coordinates, or pass cudaBoundaryModeZero or cudaBoundaryModeClamp");
    return false;
  }
  if (!is_inside && plan.boundary == Boundary::zero) return true;
  for (std::size_t axis = 0; axis < 3; ++axis)
    at[axis] = std::clamp<std::int64_t>(at[axis], 0, std::max<std::int64_t>(most[axis], 0));
  address = image.row(at[1], at[2]) + static_cast<std::uint64_t>(at[0]);
  return true;
}

/// move(lane, address) for each lane of the group; the address as find_bytes has it.
template <class Move>
Flow move_bytes(Warp& w, const Instruction& i, const TexturePlan& plan, std::uint32_t active,
                Move move) {
  return visit_objects(w, i, plan, true, active, [&](const Texture& surface, int lane) {
    std::uint64_t address = 0;
    if (!find_bytes(w, plan, surface.image, lane, address)) return false;
    move(lane, address);
    return true;
  });
}

}  // namespace

Flow run_surface_load(Warp& w, const Instruction& i, std::uint32_t active) {
  const TexturePlan& plan = texture_plan(w, i);
  return move_bytes(w, i, plan, active, [&](int lane, std::uint64_t from) {
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
  return move_bytes(w, i, plan, active, [&](int lane, std::uint64_t to) {
    for (int k = 0; k < plan.count && to != 0; ++k) {
      const std::uint32_t from = plan.texel[static_cast<std::size_t>(k)];
      const std::uint64_t value =
          plan.bytes == 8 ? row<std::uint64_t>(w, from)[lane] : row<std::uint32_t>(w, from)[lane];
      std::memcpy(reinterpret_cast<void*>(to + static_cast<unsigned>(k * plan.bytes)), &value,
                  static_cast<std::size_t>(plan.bytes));
    }
  });
}

}  // namespace lanescope::emulator
