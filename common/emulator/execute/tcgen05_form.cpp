// SPDX-License-Identifier: MIT
// See tcgen05_form.hpp. Which shapes there are is tcgen05_limits.cpp's.
#include "emulator/execute/tcgen05_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/decode/tcgen05.hpp"
#include "emulator/execute/tcgen05_limits.hpp"
#include "emulator/tensor/fragments.hpp"

namespace lanescope::emulator {
namespace {

using layout::DescriptorField;
using layout::Tcgen05Kind;

constexpr int kK_bytes = 32;  // of a row of A, whatever the type

TensorType type_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, TensorType>, 12> kNames{
      {{"f16", TensorType::f16},
       {"bf16", TensorType::bf16},
       {"tf32", TensorType::tf32},
       {"e4m3", TensorType::e4m3},
       {"e5m2", TensorType::e5m2},
       {"e3m2", TensorType::e3m2},
       {"e2m3", TensorType::e2m3},
       {"e2m1", TensorType::e2m1},
       {"s8", TensorType::s8},
       {"u8", TensorType::u8},
       {"s32", TensorType::s32},
       {"f32", TensorType::f32}}};
  for (const auto& [known, type] : kNames)
    if (known == name) return type;
  return TensorType::b1;  // none of tcgen05's
}

int packed_bits(TensorType type) {
  if (type == TensorType::e2m1) return 4;
  return type == TensorType::e3m2 || type == TensorType::e2m3 ? 6 : element_bits(type);
}

// The atlas's D into the order that the arithmetic has C in.
std::vector<std::uint32_t> places_of(const layout::Fragment& D, const TensorShape& shape) {
  const int each = shape.accumulator == TensorType::f16 ? 2 : 1;  // elements in a word
  const int words = shape.M / kPanelRows * (shape.N / kTileCols) *
                    tile_registers(shape.accumulator) * kFragmentLanes;
  std::vector<std::uint32_t> places(static_cast<std::size_t>(D.rows / shape.M * words * each));
  for (int lane = 0; lane < D.threads(); ++lane) {
    if (!D.provided_by(lane)) continue;
    const auto cta = static_cast<std::uint32_t>(lane / kTensorLanes);
    for (int column = 0; column < D.values; ++column) {
      const layout::Element at = D.element(lane, column);
      const FragmentPlace in = place_of_c(shape, at.row % shape.M, at.col);
      const int word = at.row / shape.M * words + in.reg * kFragmentLanes + in.lane;
      places[static_cast<std::size_t>(word * each + in.bit / 16)] =
          cta * kTensorPlaces +
          static_cast<std::uint32_t>(column * kTensorLanes + lane % kTensorLanes);
    }
  }
  return places;
}

// The same for every kind; why not, or "".
std::string take_matrices(const std::vector<DescriptorField>& fields, Tcgen05Form& form) {
  form.N = form.shape.N = static_cast<int>(field(fields, "n").bits) << 3;
  form.shape.a = type_named(field(fields, "a").value);
  form.shape.b = type_named(field(fields, "b").value);
  for (const TensorType type : {form.shape.a, form.shape.b})
    if (type == TensorType::b1) return "a type of it is not modelled";
  form.a_bits = packed_bits(form.shape.a);
  form.b_bits = packed_bits(form.shape.b);
  form.negates_a = field(fields, "nega").bits != 0;
  form.negates_b = field(fields, "negb").bits != 0;
  form.a_is_mn_major = field(fields, "ta").bits != 0;
  form.b_is_mn_major = field(fields, "tb").bits != 0;
  if ((form.a_is_mn_major && form.a_bits < 8) || (form.b_is_mn_major && form.b_bits < 8))
    return "MN-major matrices of 4 and 6 bits are not modelled";
  const int step = 16 * form.ctas;  // table 50
  if (form.b_is_mn_major && form.b_bits == 8 && form.N % step != 0)
    return fmt::format("N is {}: an N-major B of 8 bits has multiples of {} with .cta_group::{}",
                       form.N, step, form.ctas);
  return {};
}

// Where D lies: M, N and its type are known.
std::string place_d(const Tcgen05Asks& asks, Tcgen05Form& form, const layout::Mover*& D) {
  const bool is_in_half = asks.is_sparse && asks.ctas == 2 && form.M == 128;  // layout C, not B
  D = layout::find_mover(fmt::format("tcgen05.mma{}.cta_group::{}.m{}n{}.{}",
                                     asks.is_stationary ? ".ws"
                                     : is_in_half       ? ".sp"
                                                        : "",
                                     asks.ctas, form.M, form.shape.N,
                                     form.shape.accumulator == TensorType::f16 ? "f16" : "f32"));
  if (D == nullptr) return fmt::format("M {} and N {} are not modelled", form.M, form.shape.N);
  form.columns = D->registers.values;
  for (int lane = 0; lane < kTensorLanes; ++lane)  // those of a pair's odd CTA are the same
    if (D->registers.provided_by(lane)) form.lanes = lane + 1, form.chunks |= 1u << lane / 16;
  form.is_halved = D->registers.thread_mask == 16;
  return {};
}

// Each 32 lanes of D that have something of it, in each CTA.
void place_rows(const layout::Fragment& D, Tcgen05Form& form) {
  form.shape.M = form.is_halved ? kFragmentLanes / 2 : kFragmentLanes;
  form.shape.N = form.columns;
  for (int lane = 0; lane < D.threads(); lane += kFragmentLanes) {
    const layout::Element first = D.element(lane, 0);
    form.blocks.push_back({lane / kTensorLanes, lane % kTensorLanes, first.row, first.col});
    for (int row = 0; row < form.shape.M; ++row)
      for (int column = 0; column < D.values; ++column)
        form.places.push_back(
            static_cast<std::uint32_t>(lane / kTensorLanes) * kTensorPlaces +
            static_cast<std::uint32_t>(column * kTensorLanes + lane % kTensorLanes + row));
  }
}

// Where the metadata of D's rows lies: the atlas's.
void place_metadata(const Tcgen05Asks& asks, Tcgen05Form& form) {
  const layout::Mover* E = layout::find_mover(
      fmt::format("tcgen05.mma{}.sp.cta_group::{}.metadata.m{}.{}", asks.is_stationary ? ".ws" : "",
                  asks.ctas, form.M, layout::kTcgen05Kinds[static_cast<std::size_t>(asks.kind)]));
  if (E == nullptr) return;
  const layout::Fragment& map = E->registers;
  form.metadata_columns = map.registers();
  form.indices_a_row = map.cols;
  const int rows = form.shape.M;
  form.metadata.resize(form.blocks.size() * static_cast<std::size_t>(rows * map.cols));
  auto* next = form.metadata.data();
  for (const Tcgen05Form::Block& block : form.blocks) {
    for (int lane = block.first_lane; lane < block.first_lane + rows; ++lane)
      for (int value = 0; value < map.values; ++value) {
        const int thread = block.cta * kTensorLanes + lane;
        const layout::Element at = map.element(thread, value);
        const layout::Holder holder = map.holder(thread, value);
        next[(at.row - block.first_row) * map.cols + at.col] = {
            static_cast<std::uint16_t>(holder.register_index * kTensorLanes + lane),
            static_cast<std::uint8_t>(holder.bit)};
      }
    next += rows * map.cols;
  }
}

std::string fill_plain(const Tcgen05Asks& asks, const std::vector<DescriptorField>& fields,
                       std::string_view arch, Tcgen05Form& form) {
  form.selector = static_cast<int>(field(fields, "sel").bits);
  if (std::string why = selector_problem(asks, form.selector); !why.empty()) return why;
  if (field(fields, "shift").bits != 0 && !asks.is_stationary)
    return "its bits 30 and 31 are for .ws alone";
  form.M = static_cast<int>(field(fields, "m").bits) << 4;
  if (std::string why = shape_problem(asks, form.M, form.shape.N); !why.empty()) return why;
  form.shape.M = std::min(form.M, kMaxM);
  form.shape.accumulator = type_named(field(fields, "d").value);
  form.shape.satfinite = field(fields, "sat").bits != 0;
  form.shape.K = kK_bytes * 8 / element_bits(form.shape.a);
  form.arithmetic = arithmetic(arch, TensorUnit::tcgen05, form.shape);
  if (form.arithmetic == nullptr)
    return fmt::format("there is no product of {} and {} into {}", field(fields, "a").value,
                       field(fields, "b").value, field(fields, "d").value);
  const layout::Mover* D = nullptr;
  if (std::string why = place_d(asks, form, D); !why.empty()) return why;
  if (asks.is_sparse) {
    place_rows(D->registers, form);
    place_metadata(asks, form);
  } else {
    form.places = places_of(D->registers, form.shape);
  }
  return {};
}

std::string fill_scaled(const Tcgen05Asks& asks, const std::vector<DescriptorField>& fields,
                        std::string_view arch, Tcgen05Form& form) {
  form.M = static_cast<int>(field(fields, "m").bits) << 7;
  if (std::string why = scaling_problem(asks, fields, form.M, form.shape.N); !why.empty())
    return why;
  form.two_a_byte = asks.kind != Tcgen05Kind::mxf8f6f4;
  if (form.two_a_byte && field(fields, "k96").bits != 0)
    return "its bit 31 asks for a K of 96, which is not modelled";
  const bool is_ue4m3 = field(fields, "scale").value == "ue4m3";
  if (is_ue4m3 && asks.scale_vectors != 4)
    return "its scale factors are ue4m3, which .scale_vec::4X alone has";
  form.scale_type = is_ue4m3 ? ScaleType::ue4m3 : ScaleType::ue8m0;
  form.a_scale_byte = static_cast<int>(field(fields, "sfa").bits);
  form.b_scale_byte = static_cast<int>(field(fields, "sfb").bits);
  form.shape.K = kK_bytes * (form.two_a_byte ? 2 : 1);
  form.shape.accumulator = TensorType::f32;
  form.shape.scale_vectors = asks.scale_vectors;
  form.arithmetic = arithmetic(arch, TensorUnit::tcgen05, form.shape);
  if (form.arithmetic == nullptr) return "its products are not modelled";
  const layout::Mover* D = nullptr;
  if (std::string why = place_d(asks, form, D); !why.empty()) return why;
  place_rows(D->registers, form);
  if (asks.is_sparse) place_metadata(asks, form);
  form.a_scale_columns = form.M / form.ctas / kFragmentLanes;
  form.b_scale_columns = (form.columns + kFragmentLanes - 1) / kFragmentLanes;
  return {};
}

std::string fill(const Tcgen05Asks& asks, std::uint32_t bits, std::string_view arch,
                 Tcgen05Form& form) {
  const std::vector<DescriptorField> fields = layout::instruction_fields(asks.kind, bits);
  for (const DescriptorField& one : fields)
    if (!one.good)
      return fmt::format("its bits {} to {} are 0x{:x}: {}", one.from, one.from + one.width - 1,
                         one.bits, one.means);
  if (asks.is_sparse != (field(fields, "sparse").bits != 0))
    return asks.is_sparse ? "its bit 2 says dense, the instruction is .sp"
                          : "its bit 2 says sparse, the instruction is not .sp";
  form.ctas = asks.ctas;
  form.is_sparse = asks.is_sparse;
  if (std::string why = take_matrices(fields, form); !why.empty()) return why;
  return asks.scale_vectors > 0 ? fill_scaled(asks, fields, arch, form)
                                : fill_plain(asks, fields, arch, form);
}

}  // namespace

Tcgen05Form tcgen05_form(const Tcgen05Asks& asks, std::uint32_t bits, std::string_view arch) {
  Tcgen05Form form;
  form.refusal = fill(asks, bits, arch, form);
  return form;
}

}  // namespace lanescope::emulator
