// SPDX-License-Identifier: MIT
// tex: a fetch a lane (emulator/texture has the fetch itself), sizes of levels (txq), and finding
// the object that tex, suld, sust and sured name.
//
// Source: PTX ISA 9.2, 9.7.10.
#include <fmt/format.h>

#include "emulator/execute/texture.hpp"
#include "emulator/memory.hpp"
#include "emulator/run/warp.hpp"
#include "emulator/texture/sample.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

std::string shape_of(int dims, bool is_layered, bool is_cube) {
  const std::string shape = is_cube ? "a cube map" : fmt::format("{}D", dims);
  return (is_layered ? "layered " : "") + shape;
}

/// A surface has no cubes: their faces are layers.
bool same_shape(const TextureImage& image, const TexturePlan& plan, bool of_surfaces) {
  if (image.dims != plan.dims) return false;
  if (of_surfaces) return (image.is_layered || image.is_cube) == plan.is_layered;
  return image.is_layered == plan.is_layered && image.is_cube == plan.is_cube;
}

/// Of tex the lowest four bits of each; of a row the next four go on along y, which shows where
/// that has a border. Of tld4 six.
std::array<int, 3> shift_of(const Warp& w, const TexturePlan& plan, int lane) {
  std::array<int, 3> shift{};
  if (!plan.is_shifted) return shift;
  const int sign = plan.gathered >= 0 ? 32 : 8;
  const auto cut_off = [&](int bits) { return ((bits & (2 * sign - 1)) ^ sign) - sign; };
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan.dims); ++axis)
    shift[axis] = cut_off(row<std::int32_t>(w, plan.shift[axis])[lane]);
  if (plan.dims == 1 && !plan.is_layered)
    shift[1] = cut_off(row<std::int32_t>(w, plan.shift[0])[lane] >> 4);
  return shift;
}

TexturePlace place_of(const Warp& w, const TexturePlan& plan, int lane) {
  TexturePlace place;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan.is_cube ? 3 : plan.dims); ++axis)
    place.at[axis] = row<float>(w, plan.at[axis])[lane];
  if (plan.is_layered) place.layer = row<std::int32_t>(w, plan.layer)[lane];
  place.shift = shift_of(w, plan, lane);
  return place;
}

}  // namespace

const TexturePlan& texture_plan(const Warp& w, const Instruction& i) {
  return w.cta->launch->program->textures[static_cast<std::size_t>(i.immediate)];
}

bool ObjectFinder::refuse(int lane, std::string what, std::string hint) {
  fail(warp_, ErrorCode::illegal_address, "texture", lane, std::move(what), std::move(hint));
  return false;
}

bool ObjectFinder::is_usable(std::uint64_t handle, const Texture* found, int lane) {
  const char* name = of_surfaces_ ? "surface" : "texture";
  if (found == nullptr && warp_.cta->launch->textures->has_had(handle))
    return refuse(lane, fmt::format("the {} object has been destroyed", name),
                  "destroy it after the last kernel that uses it");
  if (found == nullptr)
    return refuse(lane, fmt::format("0x{:x} is no {} object", handle, name),
                  fmt::format("pass what cudaCreate{}Object has given",
                              of_surfaces_ ? "Surface" : "Texture"));
  if (found->is_surface != of_surfaces_)
    return refuse(
        lane,
        fmt::format("a {} object is used as a {}", found->is_surface ? "surface" : "texture", name),
        "tex... is for textures, surf... for surfaces");
  const TextureImage& image = found->image;
  const bool is_query = plan_.queried >= 0;
  const bool wants_line =
      !of_surfaces_ && plan_.by_index && plan_.dims == 1 && !plan_.is_layered;  // tex1Dfetch
  if (!is_query && (!same_shape(image, plan_, of_surfaces_) || found->is_line != wants_line))
    return refuse(lane,
                  fmt::format("the {} is {}{}, the instruction wants {}{}", name,
                              shape_of(image.dims, image.is_layered, image.is_cube),
                              found->is_line ? " of linear memory" : "",
                              shape_of(plan_.dims, plan_.is_layered, plan_.is_cube),
                              wants_line ? " of linear memory" : ""),
                  "tex1Dfetch is for linear memory, tex1D, tex2D, tex3D and their kin for arrays");
  if (plan_.level == TextureLevel::gradients &&
      (found->sampler.is_anisotropic || (image.is_cube && !found->further.empty())))
    return refuse(
        lane, "what gradients choose of a cube's levels, or with anisotropy, is not modelled",
        "fetch from a level that you name, as texCubemapLod does, or leave maxAnisotropy 0");
  const Memory& memory = *warp_.cta->launch->memory;
  if (memory.find(image.address).contains(image.address, image.bytes())) return true;
  return refuse(lane,
                fmt::format("the memory of the {}, {} bytes at 0x{:x}, is not there, {}", name,
                            image.bytes(), image.address, memory.describe(image.address)),
                "free it after the last kernel that uses it");
}

const Texture* ObjectFinder::find(std::uint64_t handle, int lane) {
  if (found_ != nullptr && handle == handle_) return found_;
  const Texture* found = warp_.cta->launch->textures->find(handle);
  if (!is_usable(handle, found, lane)) return nullptr;
  handle_ = handle;
  return found_ = found;
}

namespace {

FetchedTexel fetched_by_index(const Warp& w, const TexturePlan& plan, const Texture& texture,
                              int lane) {
  std::array<std::int64_t, 3> at{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan.dims); ++axis)
    at[axis] = row<std::int32_t>(w, plan.at[axis])[lane];
  if (plan.is_layered) at[2] = row<std::int32_t>(w, plan.layer)[lane];
  const std::array<int, 3> shift = shift_of(w, plan, lane);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan.dims); ++axis)
    at[axis] += shift[axis];
  if (plan.level != TextureLevel::named) return fetch(texture, at);
  return fetch_level(texture, at, row<std::int32_t>(w, plan.level_row)[lane]);
}

FetchedTexel fetched(const Warp& w, const TexturePlan& plan, const Texture& texture, int lane) {
  if (plan.by_index) return fetched_by_index(w, plan, texture, lane);
  const TexturePlace place = place_of(w, plan, lane);
  if (plan.gathered >= 0) return gather(texture, place, static_cast<std::size_t>(plan.gathered));
  if (plan.level == TextureLevel::named)
    return sample_level(texture, place, row<float>(w, plan.level_row)[lane]);
  if (plan.level == TextureLevel::sampler || texture.further.empty()) return sample(texture, place);
  std::array<Slope, 2> slopes{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan.dims); ++axis)
    for (std::size_t way = 0; way < 2; ++way)
      slopes[way][axis] = row<float>(w, plan.slopes[3 * way + axis])[lane];
  return sample_slopes(texture, place, slopes[0], slopes[1]);
}

/// Two texels as f16, each rounded to the nearest even; a NaN is what cvt makes of it.
std::uint32_t in_halves(std::uint32_t low, std::uint32_t high) {
  const auto half = [](std::uint32_t bits) {
    return static_cast<std::uint32_t>(
        numeric::encode(numeric::kF16, __builtin_bit_cast(float, bits)));
  };
  return half(low) | half(high) << 16;
}

/// Of a level that there is not, all is 0. Layers stand behind the last axis that an image has.
std::int64_t size_of(const Texture& texture, int queried, std::int64_t level) {
  const auto levels = static_cast<std::int64_t>(texture.further.size()) + 1;
  if (level < 0 || level >= levels) return 0;
  const TextureImage& image =
      level == 0 ? texture.image : texture.further[static_cast<std::size_t>(level - 1)];
  const std::int64_t layers = image.is_cube ? image.size[2] / 6 : image.size[2];
  if (queried < image.dims) return image.size[static_cast<std::size_t>(queried)];
  if (queried == image.dims && image.is_layered) return layers;
  return queried == 1 && !texture.is_line ? 1 : 0;
}

}  // namespace

Flow run_texture(Warp& w, const Instruction& i, std::uint32_t active) {
  const TexturePlan& plan = texture_plan(w, i);
  if (plan.resident != TexturePlan{}.resident) predicate(w, plan.resident) |= active;
  return visit_objects(w, i, plan, false, active, [&](const Texture& texture, int lane) {
    const FetchedTexel texel = fetched(w, plan, texture, lane);
    if (plan.in_halves)
      for (std::size_t k = 0; k < 2; ++k)
        row<std::uint32_t>(w, plan.texel[k])[lane] = in_halves(texel[2 * k], texel[2 * k + 1]);
    else
      for (std::size_t k = 0; k < 4; ++k) row<std::uint32_t>(w, plan.texel[k])[lane] = texel[k];
    return true;
  });
}

Flow run_texture_query(Warp& w, const Instruction& i, std::uint32_t active) {
  const TexturePlan& plan = texture_plan(w, i);
  return visit_objects(w, i, plan, false, active, [&](const Texture& texture, int lane) {
    row<std::uint32_t>(w, plan.texel[0])[lane] = static_cast<std::uint32_t>(
        size_of(texture, plan.queried, row<std::int32_t>(w, plan.level_row)[lane]));
    return true;
  });
}

}  // namespace lanescope::emulator
