// SPDX-License-Identifier: MIT
#include "emulator/decode/matrix_plan.hpp"

#include <fmt/format.h>

#include <cstring>

#include "numeric/format.hpp"

namespace lanescope::emulator {
std::optional<TensorType> tensor_type(layout::ElementType type) {
  using layout::ElementType;
  switch (type) {
    case ElementType::f16:
      return TensorType::f16;
    case ElementType::bf16:
      return TensorType::bf16;
    case ElementType::tf32:
      return TensorType::tf32;
    case ElementType::e4m3:
      return TensorType::e4m3;
    case ElementType::e5m2:
      return TensorType::e5m2;
    case ElementType::e3m2:
      return TensorType::e3m2;
    case ElementType::e2m3:
      return TensorType::e2m3;
    case ElementType::e2m1:
      return TensorType::e2m1;
    case ElementType::f32:
      return TensorType::f32;
    case ElementType::f64:
      return TensorType::f64;
    case ElementType::s8:
      return TensorType::s8;
    case ElementType::u8:
      return TensorType::u8;
    case ElementType::s4:
      return TensorType::s4;
    case ElementType::u4:
      return TensorType::u4;
    case ElementType::b1:
      return TensorType::b1;
    case ElementType::s32:
      return TensorType::s32;
    default:
      return std::nullopt;
  }
}

namespace {

FragmentPlace place_of(const TensorShape& shape, char operand, layout::Element element) {
  if (operand == 'A') return place_of_a(shape, element.row, element.col);
  if (operand == 'B') return place_of_b(shape, element.row, element.col);
  return place_of_c(shape, element.row, element.col);
}

std::size_t image_bytes(const layout::Fragment& fragment, char operand, const TensorShape& shape,
                        Image image) {
  constexpr std::size_t kRegisterBytes = 4 * kFragmentLanes;
  const auto slabs = static_cast<std::size_t>(slabs_of(shape));
  if (image == Image::fragments)  // one panel, one tile
    return kRegisterBytes * (operand == 'A' ? 2 * slabs
                             : operand == 'B'
                                 ? slabs
                                 : static_cast<std::size_t>(tile_registers(shape.accumulator)));
  const auto count = static_cast<std::size_t>(fragment.rows * fragment.cols);
  return fragment.element_bits == 4 ? count
                                    : count * static_cast<std::size_t>(fragment.element_bits) / 8;
}

// Byte offset in the image. 4-bit elements have a byte each in the dense one.
std::size_t offset_in(const layout::Fragment& fragment, layout::Element element, char operand,
                      const TensorShape& shape, Image image) {
  if (image == Image::fragments) return byte_of(place_of(shape, operand, element));
  const auto bytes =
      static_cast<std::size_t>(fragment.element_bits == 4 ? 1 : fragment.element_bits / 8);
  return static_cast<std::size_t>(element.row * fragment.cols + element.col) * bytes;
}

// Joins pieces two by two while every pair stays together in the image.
void join_pieces(OperandPlan& plan) {
  while (plan.piece_bytes < 16) {
    for (std::size_t k = 0; k + 1 < plan.offsets.size(); k += 2)
      if (plan.offsets[k] + plan.piece_bytes != plan.offsets[k + 1]) return;
    for (std::size_t k = 0; k < plan.offsets.size() / 2; ++k) plan.offsets[k] = plan.offsets[2 * k];
    plan.offsets.resize(plan.offsets.size() / 2);
    plan.piece_bytes *= 2;
  }
}

OperandPlan plan_operand(const layout::Fragment& fragment, char operand, const TensorShape& shape,
                         Image image) {
  OperandPlan plan;
  const int bits = fragment.element_bits;
  plan.registers = fragment.registers();
  if (image == Image::none) return plan;
  plan.row_bytes = fragment.register_bits / 8 * 32;
  plan.nibbles = bits == 4 && image == Image::dense;
  plan.padding = fragment.low_padding;
  plan.payload_bits = bits == 8 ? fragment.payload_bits() : 8;
  plan.image_bytes = image_bytes(fragment, operand, shape, image);
  // Elements smaller than a byte fill words along K.
  const bool words = bits < 8 && !plan.nibbles;
  plan.piece_bytes = words ? 4 : plan.nibbles ? 1 : bits / 8;
  const int each = fragment.values_per_register();
  for (int reg = 0; reg < plan.registers; ++reg)
    for (int lane = 0; lane < 32; ++lane)
      for (int k = 0; k < each; k += words ? each : 1) {
        const layout::Element element = fragment.element(lane, reg * each + k);
        const std::size_t base = static_cast<std::size_t>(element.matrix) * plan.image_bytes;
        plan.offsets.push_back(
            static_cast<std::uint16_t>(base + offset_in(fragment, element, operand, shape, image)));
      }
  if (!plan.nibbles) join_pieces(plan);
  return plan;
}

template <std::size_t kBytes>
void gather_pieces(const OperandPlan& plan, const std::byte* const* rows, std::byte* image) {
  const std::uint16_t* offset = plan.offsets.data();
  const std::size_t pieces = static_cast<std::size_t>(plan.row_bytes) / kBytes;
  for (int reg = 0; reg < plan.registers; ++reg, offset += pieces)
    for (std::size_t k = 0; k < pieces; ++k)
      std::memcpy(image + offset[k], rows[reg] + k * kBytes, kBytes);
}

template <std::size_t kBytes>
void scatter_pieces(const OperandPlan& plan, const std::byte* image, std::byte* const* rows) {
  const std::uint16_t* offset = plan.offsets.data();
  const std::size_t pieces = static_cast<std::size_t>(plan.row_bytes) / kBytes;
  for (int reg = 0; reg < plan.registers; ++reg, offset += pieces)
    for (std::size_t k = 0; k < pieces; ++k)
      std::memcpy(rows[reg] + k * kBytes, image + offset[k], kBytes);
}

void gather_whole(const OperandPlan& plan, const std::byte* const* rows, std::byte* image) {
  switch (plan.piece_bytes) {
    case 1:
      return gather_pieces<1>(plan, rows, image);
    case 2:
      return gather_pieces<2>(plan, rows, image);
    case 4:
      return gather_pieces<4>(plan, rows, image);
    case 8:
      return gather_pieces<8>(plan, rows, image);
    default:
      return gather_pieces<16>(plan, rows, image);
  }
}

void gather_nibbles(const OperandPlan& plan, const std::byte* const* rows, std::byte* image) {
  const std::uint16_t* offset = plan.offsets.data();
  for (int reg = 0; reg < plan.registers; ++reg) {
    for (int byte = 0; byte < plan.row_bytes; ++byte) {
      const auto both = static_cast<unsigned>(rows[reg][byte]);
      image[*offset++] = static_cast<std::byte>(both & 0xf);
      image[*offset++] = static_cast<std::byte>(both >> 4);
    }
  }
}

}  // namespace

bool in_fragment_order(const layout::Fragment& fragment, char operand, const TensorShape& shape) {
  if (fragment.register_bits != 32 || fragment.matrices != 1) return false;
  std::vector<layout::Held>
      first;  // thread 0's; in every other thread they lie about its own first
  for (int value = 0; value < fragment.values; ++value)
    first.push_back({fragment.holder(0, value), fragment.element(0, value)});
  for (int thread = 0; thread < fragment.threads(); ++thread) {
    const layout::Element from = fragment.thread.at(thread);
    const int warp_registers = thread / 32 * fragment.registers();
    for (const auto& [holder, element] : first) {
      const FragmentPlace here{warp_registers + holder.register_index, thread % 32, holder.bit};
      const layout::Element at{from.row + element.row, from.col + element.col};
      if (!(place_of(shape, operand, at) == here)) return false;
    }
  }
  return true;
}

// Every finite f16 is an f32; the tensor cores' NaN is handled by the arithmetic itself.
void widen_c(const TensorShape& shape, const std::byte* halves, std::byte* words) {
  TensorShape narrow = shape;
  narrow.accumulator = TensorType::f16;
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col) {
      std::uint16_t half;
      std::memcpy(&half, halves + byte_of(place_of_c(narrow, row, col)), 2);
      const auto value = static_cast<float>(numeric::decode(numeric::kF16, half));
      std::memcpy(words + byte_of(place_of_c(shape, row, col)), &value, 4);
    }
}

void gather(const OperandPlan& plan, const std::byte* const* rows, std::byte* image) {
  if (plan.nibbles) return gather_nibbles(plan, rows, image);
  gather_whole(plan, rows, image);
  const auto mask = static_cast<std::byte>((1u << plan.payload_bits) - 1);
  for (std::size_t k = 0; plan.payload_bits < 8 && k < plan.image_bytes; ++k)
    image[k] = image[k] >> plan.padding & mask;
}

void scatter(const OperandPlan& plan, const std::byte* image, std::byte* const* rows) {
  switch (plan.piece_bytes) {
    case 2:
      return scatter_pieces<2>(plan, image, rows);
    case 4:
      return scatter_pieces<4>(plan, image, rows);
    case 8:
      return scatter_pieces<8>(plan, image, rows);
    default:
      return scatter_pieces<16>(plan, image, rows);
  }
}

std::string plan_matrix(const layout::Instruction& instruction, std::string_view arch,
                        bool satfinite, bool conjunction, MatrixPlan& plan) {
  const auto a = tensor_type(instruction.A.type);
  const auto b = tensor_type(instruction.B.type);
  const auto c = tensor_type(instruction.C.type);
  const auto d = tensor_type(instruction.D.type);
  if (!a || !b || !c || !d) return "its element types are not modelled";
  plan.instruction = &instruction;
  plan.shape = {instruction.M,
                instruction.N,
                instruction.A.cols,
                *a,
                *b,
                *d,
                satfinite,
                conjunction ? BitOperation::conjunction : BitOperation::exclusive_or,
                instruction.SFA.operand == '?' ? 0 : instruction.SFA.cols};
  plan.arithmetic = arithmetic(arch, TensorUnit::mma, plan.shape);
  if (plan.arithmetic == nullptr) return why_no_arithmetic(arch);
  plan.widens_c = *c == TensorType::f16 && *d == TensorType::f32;
  plan.matrices = instruction.D.matrices;
  const layout::Fragment& A = instruction.A;
  const layout::Fragment& B = instruction.B;
  const bool narrow = A.payload_bits() < 8 || B.payload_bits() < 8;
  const bool small_reals = *d != TensorType::s32 && narrow;
  if (instruction.family == "mma.sp" || *d == TensorType::f64 || plan.shape.scale_vectors > 0 ||
      small_reals)
    plan.image = Image::dense;
  else if (instruction.M != kPanelRows || !in_fragment_order(A, 'A', plan.shape) ||
           !in_fragment_order(B, 'B', plan.shape) ||
           !in_fragment_order(instruction.C, 'C', plan.shape) ||
           !in_fragment_order(instruction.D, 'C', plan.shape))
    plan.image = Image::fragments;
  plan.A = plan_operand(A, 'A', plan.shape, plan.image);
  plan.B = plan_operand(B, 'B', plan.shape, plan.image);
  TensorShape of_c = plan.shape;
  of_c.accumulator = *c;
  plan.C = plan_operand(instruction.C, 'C', of_c, plan.image);
  plan.D = plan_operand(instruction.D, 'C', plan.shape, plan.image);
  if (plan.shape.scale_vectors > 0) plan.scales = plan_scales(instruction);
  return {};
}

}  // namespace lanescope::emulator
