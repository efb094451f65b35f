// SPDX-License-Identifier: MIT
// Decoding surfaces: what CUDA C++ makes of surf1Dread to surf3Dwrite (.b: bytes), texels in the
// surface's format (sust.p), and sums in place (sured).
//
// Source: PTX ISA 9.2, 9.7.11 (suld, sust, sured); which types go with which sum: ptxas 13.0.
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/execute/texture.hpp"

namespace lanescope::emulator {

void Decoder::surface_boundary(TexturePlan& plan) {
  const std::string_view boundary = take_any({"trap", "clamp", "zero"});
  if (boundary.empty()) refuse_form();
  plan.boundary = boundary == "clamp"  ? Boundary::clamp
                  : boundary == "zero" ? Boundary::zero
                                       : Boundary::trap;
}

// suld.b.SHAPE{.vec}.TYPE.BOUNDARY {r}, [object, {coordinates}]; sust.b with its operands
// exchanged; sust.p, whose words become the surface's texels.
void Decoder::surface() {
  const bool stores = statement_->opcode == "sust";
  TexturePlan plan;
  plan.is_formatted = stores && take("p");
  if (!plan.is_formatted && !take("b")) refuse_form();
  texture_shape(plan);
  take_cache_hints();
  plan.count = take_vector();
  const Type type = take_type();
  if (info(type).kind != TypeKind::bits || plan.count > 4 || info(type).bits > 64) refuse_form();
  if (plan.is_formatted && type != Type::b32) refuse_form();
  plan.bytes = info(type).bits / 8;
  if (plan.is_cube) refuse_form();
  surface_boundary(plan);
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
  set(!stores ? &run_surface_load : plan.is_formatted ? &run_surface_texels : &run_surface_store);
}

// sured.b.OP.SHAPE.TYPE.BOUNDARY [object, {coordinates}], r; sured.p, of whose type the surface
// says whether it has a sign.
void Decoder::surface_sum() {
  TexturePlan plan;
  plan.is_formatted = take("p");
  if (!plan.is_formatted && !take("b")) refuse_form();
  const std::string_view sum = take_any({"add", "min", "max", "and", "or"});
  if (sum.empty()) refuse_form();
  const bool is_order = sum == "min" || sum == "max", is_logic = sum == "and" || sum == "or";
  plan.sum = sum == "add"   ? SurfaceSum::add
             : sum == "min" ? SurfaceSum::min
             : sum == "max" ? SurfaceSum::max
             : sum == "and" ? SurfaceSum::both
                            : SurfaceSum::either;
  texture_shape(plan);
  const Type type = take_type();
  const bool is_bits = type == Type::b32 || (type == Type::b64 && is_order && plan.is_formatted);
  const bool is_number = type == Type::u32 || type == Type::s32 || type == Type::u64 ||
                         (type == Type::s64 && is_order);
  const bool wants_bits = plan.is_formatted || is_logic;
  if (plan.is_cube || plan.is_layered || (wants_bits ? !is_bits : !is_number)) refuse_form();
  plan.is_signed = type == Type::s32 || type == Type::s64;
  plan.bytes = info(type).bits / 8;
  plan.count = 1;
  surface_boundary(plan);
  operands(2, 2);
  plan.texel[0] = source(operand(1), plan.bytes == 8 ? Type::b64 : Type::b32);
  texture_place(operand(0), plan, Type::b32);
  function_.is_ordered = true;
  keep(plan);
  set(&run_surface_sum);
}

}  // namespace lanescope::emulator
