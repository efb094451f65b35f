// SPDX-License-Identifier: MIT
// Decoding textures and surfaces: what CUDA C++ makes of tex1Dfetch, tex1D to tex3D, their layered
// kin, cube maps, levels of mipmaps (tex2DLod), tex2Dgather, surf1Dread to surf3Dwrite; gradients
// (tex2DGrad) of what has no mipmap.
//
// Source: PTX ISA 9.2, 9.7.10 (tex, tld4), 9.7.11 (suld, sust).
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/execute/texture.hpp"

namespace lanescope::emulator {

// .1d .2d .3d .a1d .a2d .cube .acube
void Decoder::texture_shape(TexturePlan& plan) {
  const std::string_view shape = take_any({"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"});
  if (shape.empty()) {
    const std::string_view other = take_any({"2dms", "a2dms"});
    refuse(other.empty() ? "the shape of the texture is missing"
                         : fmt::format("the shape .{} is not modelled", other));
  }
  plan.is_layered = shape.front() == 'a';
  plan.is_cube = shape.back() == 'e';
  plan.dims = plan.is_cube ? 2 : shape[plan.is_layered ? 1 : 0] - '0';
}

// [object, {layer, x, y, z}]; what is too many of them is not read.
void Decoder::texture_place(const PtxOperand& where, TexturePlan& plan, Type type) {
  if (where.kind != OperandKind::address || where.items.size() < 2)
    refuse("the coordinates are missing", ErrorCode::invalid_ptx);
  if (where.items.size() > 2) refuse("a sampler of its own is not modelled");
  const PtxOperand& object = where.items[0];
  if (object.kind == OperandKind::variable)
    refuse(fmt::format("the texture or surface reference {} is not modelled, objects are",
                       object.name));
  made_.a = source(object, Type::b64);
  auto parts = items(where.items[1]);
  if (plan.is_layered) {
    plan.layer = source(*parts.front(), Type::b32);
    parts.erase(parts.begin());
  }
  const int count = plan.is_cube ? 3 : plan.dims;
  if (static_cast<int>(parts.size()) < count)
    refuse(fmt::format("{} coordinates where {} should be", parts.size(), count),
           ErrorCode::invalid_ptx);
  for (int axis = 0; axis < count; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    plan.at[k] = source(*parts[k], type);
  }
}

// tex.level: its last operand. tex.grad: two lists, whose numbers only mipmaps ask for.
void Decoder::texture_level(TexturePlan& plan, Type coordinate) {
  if (plan.level == TextureLevel::sampler) return;
  if (plan.level == TextureLevel::named) {
    if (plan.by_index && plan.is_layered) refuse("levels of layers by number are not modelled");
    plan.level_row = source(operand(2), coordinate);
    return;
  }
  if (plan.by_index) refuse_form();
  for (const std::size_t k : {std::size_t{2}, std::size_t{3}})
    for (const PtxOperand* part : items(operand(k))) source(*part, Type::f32);
}

void Decoder::keep(const TexturePlan& plan) {
  made_.immediate = static_cast<std::int64_t>(program_.textures.size());
  program_.textures.push_back(plan);
}

// tex.SHAPE.v4.TYPE.TYPE {r, g, b, a}, [object, {coordinates}]; tld4.CHANNEL.2d.v4.TYPE.f32.
void Decoder::texture() {
  TexturePlan plan;
  if (statement_->opcode == "tld4") {
    const std::string_view channel = take_any({"r", "g", "b", "a"});
    if (channel.empty()) refuse_form();
    plan.gathered = static_cast<int>(std::string_view("rgba").find(channel));
  } else if (take("level"))
    plan.level = TextureLevel::named;
  else if (take("grad"))
    plan.level = TextureLevel::gradients;
  else
    take("base");
  texture_shape(plan);
  if (plan.gathered >= 0 && (plan.dims != 2 || plan.is_cube))
    refuse("of the shapes of tld4, .2d and .a2d are modelled");
  if (!take("v4")) refuse_form();
  const Type texel = take_type(), coordinate = take_type();
  if ((texel != Type::f32 && texel != Type::u32 && texel != Type::s32) ||
      (coordinate != Type::f32 && coordinate != Type::s32))
    refuse_form();
  plan.by_index = coordinate == Type::s32;
  if (plan.by_index && (plan.is_cube || plan.gathered >= 0)) refuse_form();
  const std::size_t count = plan.level == TextureLevel::named       ? 3
                            : plan.level == TextureLevel::gradients ? 4
                                                                    : 2;
  if (statement_->operands.size() > count)
    refuse("offsets and comparisons with a depth are not modelled");
  operands(count, count);
  texture_level(plan, coordinate);
  if (operand(0).pair >= 0) plan.resident = register_row(operand(0).pair);
  const auto parts = items(operand(0));
  if (parts.size() != 4) refuse("four registers should stand here", ErrorCode::invalid_ptx);
  for (std::size_t k = 0; k < 4; ++k) plan.texel[k] = destination(*parts[k], texel);
  texture_place(operand(1), plan, coordinate);
  keep(plan);
  set(&run_texture);
}

// suld.b.SHAPE{.vec}.TYPE.BOUNDARY {r}, [object, {coordinates}]; sust.b with its operands
// exchanged.
void Decoder::surface() {
  const bool stores = statement_->opcode == "sust";
  TexturePlan plan;
  if (!take("b")) refuse("surfaces with a format, .p, are not modelled");
  texture_shape(plan);
  take_cache_hints();
  plan.count = take_vector();
  const Type type = take_type();
  if (info(type).kind != TypeKind::bits || plan.count > 4 || info(type).bits > 64) refuse_form();
  plan.bytes = info(type).bits / 8;
  const std::string_view boundary = take_any({"trap", "clamp", "zero"});
  if (plan.is_cube) refuse_form();
  plan.boundary = boundary == "clamp"  ? Boundary::clamp
                  : boundary == "zero" ? Boundary::zero
                                       : Boundary::trap;
  operands(2, 2);
  const auto parts = items(operand(stores ? 1 : 0));
  if (static_cast<int>(parts.size()) != plan.count)
    refuse(fmt::format("{} registers where {} should be", parts.size(), plan.count),
           ErrorCode::invalid_ptx);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    int bits = 0;
    if (!stores && parts[k]->kind != OperandKind::reg && parts[k]->kind != OperandKind::sink)
      refuse("the destination is not a register", ErrorCode::invalid_ptx);
    plan.texel[k] = any_source(*parts[k], type, bits);
    if ((bits == 64) != (plan.bytes == 8)) refuse_form();
  }
  texture_place(operand(stores ? 0 : 1), plan, Type::b32);
  keep(plan);
  set(stores ? &run_surface_store : &run_surface_load);
}

}  // namespace lanescope::emulator
