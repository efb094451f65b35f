// SPDX-License-Identifier: MIT
#include "emulator/execute/tcgen05_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/decode/tcgen05.hpp"
#include "emulator/tensor/fragments.hpp"

namespace lanescope::emulator {
namespace {

using layout::DescriptorField;
using layout::Tcgen05Kind;

constexpr int kK_bytes = 32;  // of a row of A, whatever the type

const DescriptorField& field(const std::vector<DescriptorField>& all, std::string_view name) {
  for (const DescriptorField& one : all)
    if (one.name == name) return one;
  return all.front();
}

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

// Table 39.
std::string pair_problem(Tcgen05Kind kind, int M, int N) {
  if (M != 128 && M != 256) return fmt::format("M is {}: .cta_group::2 has 128 and 256", M);
  const int step = kind == Tcgen05Kind::i8 ? 32 : 16;
  if (N % step == 0) return {};
  return fmt::format("N is {}: {}.cta_group::2 has multiples of {} up to 256", N,
                     kind == Tcgen05Kind::i8 ? ".kind::i8 with " : "", step);
}
std::string shape_problem(const Tcgen05Asks& asks, int M, int N) {
  if (asks.ctas == 2) return pair_problem(asks.kind, M, N);
  if (asks.is_stationary) {
    if (M != 32 && M != 64 && M != 128) return fmt::format("M is {}: .ws has 32, 64 and 128", M);
    if (N == 64 || N == 128 || N == 256) return {};
    return fmt::format("N is {}: .ws has 64, 128 and 256", N);
  }
  if (M != 64 && M != 128)
    return fmt::format("M is {}: .cta_group::1 has 64 and 128{}", M,
                       M == 32 ? " (32 is .ws's)" : " (256 is .cta_group::2's)");
  if (asks.kind == Tcgen05Kind::i8) {
    if (N == 8 || N == 24 || N % 16 == 0) return {};
    return fmt::format("N is {}: .kind::i8 has 8, 16, 24, 32, and from there multiples of 16", N);
  }
  const int step = M == 64 ? 8 : 16;
  if (N % step == 0) return {};
  return fmt::format("N is {}: with M {} a multiple of {} from {} to 256", N, M, step, step);
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
  D = layout::find_mover(fmt::format(
      "tcgen05.mma{}.cta_group::{}.m{}n{}.{}", asks.is_stationary ? ".ws" : "", asks.ctas, form.M,
      form.shape.N, form.shape.accumulator == TensorType::f16 ? "f16" : "f32"));
  if (D == nullptr) return fmt::format("M {} and N {} are not modelled", form.M, form.shape.N);
  form.columns = D->registers.values;
  for (int lane = 0; lane < kTensorLanes; ++lane)  // those of a pair's odd CTA are the same
    if (D->registers.provided_by(lane)) form.lanes = lane + 1, form.chunks |= 1u << lane / 16;
  form.is_halved = D->registers.thread_mask == 16;
  return {};
}

// Each 32 lanes of D that have something of it, in each CTA.
void place_rows(const layout::Fragment& D, Tcgen05Form& form) {
  for (int lane = 0; lane < D.threads(); lane += kFragmentLanes) {
    const layout::Element first = D.element(lane, 0);
    form.blocks.push_back({lane / kTensorLanes, lane % kTensorLanes, first.row, first.col});
    for (int row = 0; row < kFragmentLanes; ++row)
      for (int column = 0; column < D.values; ++column)
        form.places.push_back(
            static_cast<std::uint32_t>(lane / kTensorLanes) * kTensorPlaces +
            static_cast<std::uint32_t>(column * kTensorLanes + lane % kTensorLanes + row));
  }
  form.shape.M = kFragmentLanes;
  form.shape.N = form.columns;
}

// Of M 64, and of a pair's 128, the ISA shows where the metadata lies in figures only (262 to 267);
// of the others in words CUTLASS's layouts have it, with two selectors of f16 and tf32.
std::string sparse_problem(const Tcgen05Asks& asks, const Tcgen05Form& form) {
  const bool is_narrow = asks.kind > Tcgen05Kind::tf32;
  if (is_narrow && form.selector != 0)
    return fmt::format("its sel is {}: .kind::{} has 0 alone", form.selector,
                       layout::kTcgen05Kinds[static_cast<std::size_t>(asks.kind)]);
  if (form.selector > 1)
    return fmt::format("its sel is {}: where the metadata of 2 and 3 lies is not modelled",
                       form.selector);
  return {};
}
std::string sparse_rows_problem(const Tcgen05Form& form) {
  if (form.M == 128 * form.ctas) return {};
  return fmt::format("M is {}: with .sp and .cta_group::{} {} alone is modelled", form.M, form.ctas,
                     128 * form.ctas);
}

std::string fill_plain(const Tcgen05Asks& asks, const std::vector<DescriptorField>& fields,
                       std::string_view arch, Tcgen05Form& form) {
  if (asks.is_sparse) {
    form.selector = static_cast<int>(field(fields, "sel").bits);
    if (std::string why = sparse_problem(asks, form); !why.empty()) return why;
  }
  if (field(fields, "shift").bits != 0 && !asks.is_stationary)
    return "its bits 30 and 31 are for .ws alone";
  form.M = static_cast<int>(field(fields, "m").bits) << 4;
  if (asks.is_sparse)
    if (std::string why = sparse_rows_problem(form); !why.empty()) return why;
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
  if (asks.is_sparse)
    place_rows(D->registers, form);
  else
    form.places = places_of(D->registers, form.shape);
  return {};
}

// Tables 39, 43, 44 and 55; which bytes a scale-factor id may name: 9.7.16.10.7.2 and .3.
std::string scaling_problem(const Tcgen05Asks& asks, const std::vector<DescriptorField>& fields,
                            const Tcgen05Form& form) {
  if (asks.ctas == 1 && form.M != 128)
    return fmt::format("M is {}: .cta_group::1 has 128 alone with block scaling", form.M);
  if (asks.ctas == 2) return pair_problem(asks.kind, form.M, form.shape.N);
  if (asks.scale_vectors == 4)
    for (const char* id : {"sfa", "sfb"})
      if (field(fields, id).bits != 0)
        return fmt::format("its {} is {}: .scale_vec::4X takes all four bytes, so 0", id,
                           field(fields, id).bits);
  return {};
}

std::string fill_scaled(const Tcgen05Asks& asks, const std::vector<DescriptorField>& fields,
                        std::string_view arch, Tcgen05Form& form) {
  form.M = static_cast<int>(field(fields, "m").bits) << 7;
  if (asks.is_sparse)
    if (std::string why = sparse_rows_problem(form); !why.empty()) return why;
  if (std::string why = scaling_problem(asks, fields, form); !why.empty()) return why;
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
  if (asks.is_sparse) form.metadata_columns = asks.kind <= Tcgen05Kind::tf32 ? 1 : 2;
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
