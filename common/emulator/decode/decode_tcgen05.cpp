// SPDX-License-Identifier: MIT
// Decoding tcgen05: tensor memory, who takes it and moves it (who multiplies:
// decode_tcgen05_mma.cpp). What is not modelled is named.
//
// Source: PTX ISA 9.2, 9.7.16.
#include <fmt/format.h>

#include "emulator/decode/decode.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

// Where each word of the registers lies, from the address on. The second place of .16x32bx2 is in
// the same 16 lanes as the first, some columns further on: Triton reads D of M 64 so, which has 16
// lanes of a warp's 32, from the lower 16 and from the upper ones.
void find_places(const layout::Fragment& fragment, std::int64_t half_split, Tcgen05Plan& plan) {
  const int each = fragment.values_per_register();
  plan.registers = fragment.registers();
  plan.is_packed = each == 2;
  plan.columns = fragment.cols + (fragment.matrices > 1 ? static_cast<int>(half_split) : 0);
  plan.rows = fragment.rows;
  for (int reg = 0; reg < plan.registers; ++reg)
    for (int lane = 0; lane < kLanes; ++lane)
      for (int k = 0; k < each; ++k) {
        const layout::Element at = fragment.element(lane, reg * each + k);
        const auto column = at.col + at.matrix * half_split;
        plan.places.push_back(static_cast<std::uint32_t>(column * kTensorLanes + at.row));
      }
}

}  // namespace

void Decoder::tcgen05() {
  // Whose cards have it: the name of the PTX's target says the generation alone.
  const int number = parse_target(program_.module.target).number;
  if (number >= 120) check_target("sm_100a, sm_103a or sm_110a");
  made_.detail = take("cta_group::2") ? 2 : 1;  // CTAs
  take("cta_group::1");
  if (take("fence::before_thread_sync")) return operands(0, 0), set(&run_nothing);
  if (take("fence::after_thread_sync")) return operands(0, 0), set(&run_tensor_fence);
  if (take("mma")) return tensor_multiply();
  if (take("commit")) return tensor_commit();
  if (take("cp")) return tensor_copy();
  const std::string_view what =
      take_any({"alloc", "dealloc", "relinquish_alloc_permit", "ld", "st", "wait::ld", "wait::st"});
  if (what == "ld" || what == "st") return tensor_move(what == "ld");
  if (what.empty())
    refuse(fmt::format("tcgen05.{} is not modelled",
                       statement_->modifiers.empty() ? "" : statement_->modifiers.front()));
  if (!take("sync") || !take("aligned")) refuse_form();
  if (what == "wait::ld") return operands(0, 0), set(&run_tensor_wait_load);
  if (what == "wait::st") return operands(0, 0), set(&run_tensor_wait_store);
  if (what == "relinquish_alloc_permit") return operands(0, 0), set(&run_tensor_relinquish);
  operands(2, 2);
  made_.space = take_space(Space::generic);
  if (!take("b32")) refuse_form();
  made_.b = source(operand(1), Type::b32);
  if (what == "alloc") {
    address(operand(0));
    return set(&run_tensor_alloc);
  }
  made_.a = source(operand(0), Type::b32);
  set(&run_tensor_dealloc);
}

void Decoder::keep(Tcgen05Plan plan) {
  made_.immediate = static_cast<std::int64_t>(program_.tcgen05s.size());
  program_.tcgen05s.push_back(std::move(plan));
}

// Of ld.red, which is of other cards than ld.
std::optional<Tcgen05Plan::Reduction> Decoder::take_reduction() {
  if (!take("red")) return std::nullopt;
  if (parse_target(program_.module.target).number == 100) check_target("sm_103a or sm_110a");
  const std::string_view type = take_any({"f32", "u32", "s32"});
  return Tcgen05Plan::Reduction{take("min"), take("abs"), take("NaN"),
                                type == "f32"   ? Type::f32
                                : type == "s32" ? Type::s32
                                                : Type::u32};
}

// tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32 r, [taddr]{, immHalfSplitoff}; st the other
// way; ld.red.sync.aligned.shape.num.op{.abs}{.NaN}.type r, extreme, [taddr]{, immHalfSplitoff}.
void Decoder::tensor_move(bool loads) {
  std::string mnemonic(statement_->opcode);
  for (const std::string_view modifier : statement_->modifiers)
    mnemonic += fmt::format(".{}", modifier);
  Tcgen05Plan plan;
  plan.reduction = take_reduction();
  modifiers_.clear();
  plan.mover = layout::find_mover(mnemonic);
  if (plan.mover == nullptr || plan.mover->memory != layout::MoverMemory::tensor)
    refuse(fmt::format("{} is not modelled", mnemonic));
  const layout::Fragment& fragment = plan.mover->registers;
  const bool splits = fragment.matrices > 1;
  const std::size_t results = !loads ? 0 : plan.reduction ? 2 : 1;
  const std::size_t count = (loads ? results : 1) + (splits ? 2 : 1);
  operands(count, count);
  plan.tensor = row_address(operand(results));
  if (splits) plan.half_split = integer(operand(results + 1));
  if (plan.half_split < 0 || plan.half_split > kTensorColumns)
    refuse("immHalfSplitoff is a number of columns, 0 to 512", ErrorCode::invalid_ptx);
  find_places(fragment, plan.half_split, plan);
  std::vector<const PtxOperand*> registers = items(operand(loads ? 0 : count - 1));
  if (plan.reduction) registers.push_back(&operand(1));
  made_.list = wgmma_registers(registers, plan.registers + (plan.reduction ? 1 : 0), loads);
  keep(std::move(plan));
  set(loads ? &run_tensor_load : &run_tensor_store);
}

// tcgen05.cp.cta_group.shape{.multicast}{.b8x16.src_fmt} [taddr], s-desc. Who gets which row: of
// .4x256b no figure of the ISA tells, others' descriptions have row r in lane 32r.
void Decoder::tensor_copy() {
  struct Shape {
    std::string_view name, multicast;
    int rows, bytes;
    int copies;
    int lanes[4][2];  // of each copy: where rows 0 to 31, and 32 to 63, begin
  };
  static constexpr Shape kShapes[] = {
      {"128x256b", "", 128, 32, 1, {}},
      {"128x128b", "", 128, 16, 1, {}},
      {"4x256b", "", 4, 32, 1, {}},
      {"64x128b", "warpx2::02_13", 64, 16, 2, {{0, 32}, {64, 96}}},
      {"64x128b", "warpx2::01_23", 64, 16, 2, {{0, 64}, {32, 96}}},
      {"32x128b", "warpx4", 32, 16, 4, {{0, 0}, {32, 0}, {64, 0}, {96, 0}}},
  };
  Tcgen05Plan plan;
  for (const Shape& shape : kShapes) {
    const auto has_modifier = [&](std::string_view name) {
      return name.empty() || has(*statement_, name);
    };
    if (!has_modifier(shape.name) || !has_modifier(shape.multicast)) continue;
    take(shape.name);
    take(shape.multicast);
    plan.copy_rows = shape.rows;
    plan.copy_bytes = shape.bytes;
    plan.columns = shape.bytes / 4;
    for (int copy = 0; copy < shape.copies; ++copy) {
      std::vector<int>& lanes = plan.copy_lanes.emplace_back();
      for (int row = 0; row < shape.rows; ++row)
        lanes.push_back(shape.copies > 1  ? shape.lanes[copy][row / 32] + row % 32
                        : shape.rows == 4 ? 32 * row
                                          : row);
    }
    break;
  }
  if (plan.copy_rows == 0) refuse_form();
  if (take("b8x16")) {
    const std::string_view from = take_any({"b6x16_p32", "b4x16_p64"});
    if (from.empty()) refuse_form();
    plan.element_bits = from == "b6x16_p32" ? 6 : 4;
  }
  operands(2, 2);
  plan.ctas = made_.detail;
  plan.tensor = row_address(operand(0));
  plan.a_descriptor = source(operand(1), Type::b64);
  keep(std::move(plan));
  set(&run_tensor_copy);
}

// tcgen05.commit.cta_group.mbarrier::arrive::one{.shared::cluster}{.multicast::cluster}.b64
// [mbar]{, ctaMask}.
void Decoder::tensor_commit() {
  if (!take("mbarrier::arrive::one")) refuse_form();
  made_.space = take_space(Space::generic);
  const bool multicast = take("multicast::cluster");
  if (!take("b64")) refuse_form();
  operands(multicast ? 2 : 1, multicast ? 2 : 1);
  address(operand(0));
  if (multicast) made_.c = mask_row(operand(1));
  set(&run_tensor_commit);
}

}  // namespace lanescope::emulator
