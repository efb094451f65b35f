// SPDX-License-Identifier: MIT
// Decoding textures: what CUDA C++ makes of tex1Dfetch, tex1D to tex3D, their layered kin, cube
// maps, levels of mipmaps (tex2DLod) and gradients (tex2DGrad), tex2Dgather; offsets, pairs of
// halves, sizes of levels.
//
// Source: PTX ISA 9.2, 9.7.10 (tex, tld4, txq).
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

void Decoder::texture_object(const PtxOperand& object) {
  if (object.kind == OperandKind::variable)
    refuse(fmt::format("the texture or surface reference {} is not modelled, objects are",
                       object.name));
  made_.a = source(object, Type::b64);
}

// [object, {layer, x, y, z}]; what is too many of them is not read.
void Decoder::texture_place(const PtxOperand& where, TexturePlan& plan, Type type) {
  if (where.kind != OperandKind::address || where.items.size() < 2)
    refuse("the coordinates are missing", ErrorCode::invalid_ptx);
  if (where.items.size() > 2) refuse("a sampler of its own is not modelled");
  texture_object(where.items[0]);
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

// tex.level: an operand. tex.grad: two lists, whose numbers only mipmaps ask for. The number of the
// operand behind them.
std::size_t Decoder::texture_level(TexturePlan& plan, Type coordinate) {
  if (plan.level == TextureLevel::sampler) return 2;
  if (plan.level == TextureLevel::named) {
    if (plan.by_index && plan.is_layered) refuse("levels of layers by number are not modelled");
    plan.level_row = source(operand(2), coordinate);
    return 3;
  }
  if (plan.by_index) refuse_form();
  const auto count = static_cast<std::size_t>(plan.is_cube ? 3 : plan.dims);
  for (std::size_t way = 0; way < 2; ++way) {
    const auto parts = items(operand(2 + way));
    if (parts.size() < count)
      refuse(fmt::format("{} numbers of a gradient where {} should be", parts.size(), count),
             ErrorCode::invalid_ptx);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::uint32_t row = source(*parts[k], Type::f32);
      if (k < count) plan.slopes[3 * way + k] = row;
    }
  }
  return 4;
}

// {x, y, z}: texels to go on from the place. Of a register the lowest four bits count; what a
// number that has more becomes is ptxas's choice.
void Decoder::texture_shift(TexturePlan& plan, const PtxOperand& operand) {
  if (operand.kind != OperandKind::list) refuse("comparisons with a depth are not modelled");
  const auto parts = items(operand);
  if (plan.is_cube ||
      (plan.by_index && (plan.dims == 1 || plan.is_layered || plan.level != TextureLevel::sampler)))
    refuse("offsets of such a fetch are not modelled");
  if (static_cast<int>(parts.size()) < plan.dims)
    refuse(fmt::format("{} offsets where {} should be", parts.size(), plan.dims),
           ErrorCode::invalid_ptx);
  plan.is_shifted = true;
  for (std::size_t k = 0; k < static_cast<std::size_t>(plan.dims); ++k) {
    if (parts[k]->kind == OperandKind::integer && (parts[k]->value < -8 || parts[k]->value > 7))
      refuse(fmt::format("an offset of {} is not modelled, -8 to 7 are", parts[k]->value));
    plan.shift[k] = source(*parts[k], Type::s32);
  }
}

// {r, g, b, a}, or two of f16x2.
void Decoder::texture_texels(TexturePlan& plan, Type type) {
  if (operand(0).pair >= 0) plan.resident = register_row(operand(0).pair);
  const auto parts = items(operand(0));
  plan.count = plan.in_halves ? 2 : 4;
  if (static_cast<int>(parts.size()) != plan.count)
    refuse(fmt::format("{} registers should stand here", plan.in_halves ? "two" : "four"),
           ErrorCode::invalid_ptx);
  for (std::size_t k = 0; k < parts.size(); ++k) plan.texel[k] = destination(*parts[k], type);
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
  plan.in_halves = plan.gathered < 0 && take("v2");
  if (!plan.in_halves && !take("v4")) refuse_form();
  const Type texel = take_type(), coordinate = take_type();
  const bool is_word = texel == Type::f32 || texel == Type::u32 || texel == Type::s32;
  if ((plan.in_halves ? texel != Type::f16x2 : !is_word) ||
      (coordinate != Type::f32 && coordinate != Type::s32))
    refuse_form();
  plan.by_index = coordinate == Type::s32;
  if (plan.by_index && (plan.is_cube || plan.gathered >= 0)) refuse_form();
  operands(2, 5);
  const std::size_t next = texture_level(plan, coordinate);
  if (statement_->operands.size() > next + 1) refuse("comparisons with a depth are not modelled");
  if (statement_->operands.size() == next + 1) texture_shift(plan, operand(next));
  texture_texels(plan, texel);
  texture_place(operand(1), plan, coordinate);
  keep(plan);
  set(&run_texture);
}

// txq.level.width.b32 d, [object], level
void Decoder::texture_query() {
  TexturePlan plan;
  if (!take("level"))
    refuse("txq without .level is not modelled: an H200's driver refuses it, too");
  const std::string_view wanted = take_any({"width", "height", "depth"});
  if (wanted.empty() || !take("b32")) refuse_form();
  plan.queried = wanted == "width" ? 0 : wanted == "height" ? 1 : 2;
  operands(3, 3);
  if (operand(1).kind != OperandKind::address || operand(1).items.size() != 1) refuse_form();
  plan.texel[0] = destination(operand(0), Type::b32);
  texture_object(operand(1).items[0]);
  plan.level_row = source(operand(2), Type::s32);
  keep(plan);
  set(&run_texture_query);
}

}  // namespace lanescope::emulator
