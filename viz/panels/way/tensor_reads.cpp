// SPDX-License-Identifier: MIT
// See tensor_reads.hpp.
#include "panels/way/tensor_reads.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string_view>

#include "layout/tcgen05.hpp"
#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

using layout::Tcgen05Kind;

bool is_tensor_product(std::string_view mnemonic) { return mnemonic.starts_with("tcgen05.mma."); }

bool says(std::string_view mnemonic, std::string_view word) {
  for (std::size_t at = 0; (at = mnemonic.find(word, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + word.size();
    if (mnemonic[at - 1] == '.' && (end == mnemonic.size() || mnemonic[end] == '.')) return true;
  }
  return false;
}

std::optional<Tcgen05Kind> kind_of(std::string_view mnemonic) {
  for (std::size_t k = 0; k < layout::kTcgen05Kinds.size(); ++k)
    if (says(mnemonic, "kind::" + std::string(layout::kTcgen05Kinds[k])))
      return static_cast<Tcgen05Kind>(k);
  return std::nullopt;
}

// Where D begins; the operand's text where that is not recorded.
std::string sums_of(RegisterHistory& history, const StepPlace& place, std::string_view operand) {
  const auto address = tensor_memory_address(history, place, operand);
  return address ? std::to_string(*address) : std::string(operand);
}

// enable-input-d. Where it is not recorded, it does.
bool adds(RegisterHistory& history, const StepPlace& place,
          const std::vector<std::string_view>& operands) {
  std::size_t at = 4;
  while (at < operands.size() && (operands[at][0] == '[' || operands[at][0] == '{')) ++at;
  if (at >= operands.size()) return true;
  std::string_view predicate = operands[at];
  const bool flips = predicate.starts_with('!');
  if (flips) predicate.remove_prefix(1);
  const std::optional<std::uint64_t> value = uniform_value(history, place, predicate);
  return !value || (*value != 0) != flips;
}

std::uint64_t bits_of(const std::vector<layout::DescriptorField>& fields, std::string_view name) {
  for (const layout::DescriptorField& one : fields)
    if (one.name == name) return one.bits;
  return 0;
}

// Bits of what lies side by side: two elements of mxf4 are a byte. 0: they lie in no bytes.
int width_of(Tcgen05Kind kind, const std::vector<layout::DescriptorField>& fields, char operand) {
  if (kind == Tcgen05Kind::f16) return 16;
  if (kind == Tcgen05Kind::tf32) return 32;
  const std::uint64_t type = bits_of(fields, operand == 'A' ? "a" : "b");
  const bool may_be_small = kind == Tcgen05Kind::f8f6f4 || kind == Tcgen05Kind::mxf8f6f4;
  return may_be_small && type > 1 ? 0 : 8;  // e2m3, e3m2, e2m1
}

// .ws: a zero-column mask descriptor that is not 0, or is not known.
bool masks_columns(RegisterHistory& history, const StepPlace& place,
                   const std::vector<std::string_view>& operands) {
  const std::string_view ptx = history.item(place.warp, place.item).step->ptx;
  if (!says(mnemonic_of(ptx), "ws") || operands.size() < 6 || operands.back() == "0") return false;
  return uniform_value(history, place, operands.back()).value_or(1) != 0;
}

}  // namespace

std::vector<TensorSum> tensor_sums(RegisterHistory& history) {
  std::vector<TensorSum> all;
  for (std::size_t w = 0; w < history.list().warps.size(); ++w) {
    const auto warp = static_cast<int>(w);
    std::map<std::string, std::size_t> open;  // sums that are being added to, by where D begins
    int nth = 0;
    for (int item = 0; item < static_cast<int>(history.warp(warp).items.size()); ++item) {
      const std::string_view ptx = history.item(warp, item).step->ptx;
      if (mnemonic_of(ptx).starts_with("tcgen05.commit")) nth = 0;
      if (!is_tensor_product(mnemonic_of(ptx))) continue;
      const StepPlace place{warp, item, {}};
      const std::vector<std::string_view> operands = operands_of(ptx);
      if (operands.size() < 5) continue;
      const std::string sums = sums_of(history, place, operands[0]);
      const auto known = open.find(sums);
      if (known == open.end() || !adds(history, place, operands)) {
        open[sums] = all.size();
        all.emplace_back();
        nth = 0;
      }
      all[open[sums]].push_back({place, nth++});
    }
  }
  return all;
}

std::optional<std::uint32_t> tensor_memory_address(RegisterHistory& history, const StepPlace& place,
                                                   std::string_view operand) {
  const std::optional<MemoryOperand> memory = memory_operand(operand);
  if (!memory) return std::nullopt;
  const std::optional<std::uint64_t> base = uniform_value(history, place, memory->base);
  if (!base) return std::nullopt;
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(*base) + memory->offset);
}

TensorD tensor_d(RegisterHistory& history, const StepPlace& place) {
  const std::string_view ptx = history.item(place.warp, place.item).step->ptx;
  const std::string_view mnemonic = mnemonic_of(ptx);
  const std::vector<std::string_view> operands = operands_of(ptx);
  const auto kind = kind_of(mnemonic);
  TensorD d;
  if (!kind || operands.size() < 5) return d.why = "its text is not understood", d;
  const auto address = tensor_memory_address(history, place, operands[0]);
  const bool is_sparse = says(mnemonic, "sp");
  const auto bits = uniform_value(history, place, operands[is_sparse ? 4 : 3]);
  if (!address) return d.why = "where D begins is not recorded", d;
  if (!bits) return d.why = "the instruction descriptor is not recorded", d;
  const auto fields = layout::instruction_fields(*kind, static_cast<std::uint32_t>(*bits));
  d.lane = static_cast<int>(*address >> 16);
  d.column = static_cast<int>(*address & 0xffff);
  d.ctas = says(mnemonic, "cta_group::2") ? 2 : 1;
  d.M = static_cast<int>(bits_of(fields, "m") << (*kind <= Tcgen05Kind::i8 ? 4 : 7));
  d.N = static_cast<int>(bits_of(fields, "n") << 3);
  const bool is_f16 = bits_of(fields, "d") == 0 && *kind <= Tcgen05Kind::f8f6f4;
  const bool in_half = is_sparse && d.ctas == 2 && d.M == 128;
  d.map = layout::find_mover(fmt::format("tcgen05.mma{}.cta_group::{}.m{}n{}.{}",
                                         says(mnemonic, "ws") ? ".ws"
                                         : in_half            ? ".sp"
                                                              : "",
                                         d.ctas, d.M, d.N, is_f16 ? "f16" : "f32"));
  if (d.map == nullptr) d.why = fmt::format("no map of D has M {} and N {}", d.M, d.N);
  return d;
}

TensorShape tensor_shape(RegisterHistory& history, const StepPlace& place) {
  const std::string_view ptx = history.item(place.warp, place.item).step->ptx;
  const std::string_view mnemonic = mnemonic_of(ptx);
  const std::vector<std::string_view> operands = operands_of(ptx);
  TensorShape shape;
  shape.sparse = says(mnemonic, "sp");
  const auto kind = kind_of(mnemonic);
  const std::size_t at = shape.sparse ? 4 : 3;
  if (!kind || operands.size() <= at) return shape;
  shape.a_in_tensor = operands[1][0] == '[';
  const bool packed = *kind == Tcgen05Kind::mxf4 || *kind == Tcgen05Kind::mxf4nvf4;
  const int dense = *kind == Tcgen05Kind::f16 ? 16 : *kind == Tcgen05Kind::tf32 ? 8 : 32;
  shape.k = (packed ? 64 : dense) * (shape.sparse ? 2 : 1);
  const auto bits = uniform_value(history, place, operands[at]);
  if (!bits) return shape;
  for (const auto& field : layout::instruction_fields(*kind, static_cast<std::uint32_t>(*bits)))
    if (const auto type = layout::element_type(field.value); type && field.name == "a")
      shape.a = *type;
    else if (type && field.name == "b")
      shape.b = *type;
  return shape;
}

std::optional<TensorScales> tensor_scales(RegisterHistory& history, const StepPlace& place) {
  const std::string_view ptx = history.item(place.warp, place.item).step->ptx;
  const std::string_view mnemonic = mnemonic_of(ptx);
  const std::vector<std::string_view> operands = operands_of(ptx);
  const auto kind = kind_of(mnemonic);
  if (!kind || *kind <= Tcgen05Kind::i8) return std::nullopt;
  TensorScales made;
  const std::size_t at = says(mnemonic, "sp") ? 4 : 3;  // the instruction descriptor
  if (operands.size() < at + 3) return made.why = "its text is not understood", made;
  const auto bits = uniform_value(history, place, operands[at]);
  const auto a = tensor_memory_address(history, place, operands[at + 1]);
  const auto b = tensor_memory_address(history, place, operands[at + 2]);
  if (!bits) return made.why = "the instruction descriptor is not recorded", made;
  if (!a || !b) return made.why = "where scale factors begin is not recorded", made;
  const auto fields = layout::instruction_fields(*kind, static_cast<std::uint32_t>(*bits));
  made.a_column = static_cast<int>(*a & 0xffff), made.b_column = static_cast<int>(*b & 0xffff);
  made.sfa = static_cast<int>(bits_of(fields, "sfa"));
  made.sfb = static_cast<int>(bits_of(fields, "sfb"));
  made.M = static_cast<int>(bits_of(fields, "m") << 7);
  made.N = static_cast<int>(bits_of(fields, "n") << 3);
  made.ctas = says(mnemonic, "cta_group::2") ? 2 : 1;
  const bool is_fp8 = *kind == Tcgen05Kind::mxf8f6f4;
  made.vectors = says(mnemonic, "scale_vec::4X") || says(mnemonic, "block16") ? 4 : is_fp8 ? 1 : 2;
  return made;
}

TensorRead tensor_read(RegisterHistory& history, const StepPlace& place, char operand) {
  const std::string_view ptx = history.item(place.warp, place.item).step->ptx;
  const std::string_view mnemonic = mnemonic_of(ptx);
  const std::vector<std::string_view> operands = operands_of(ptx);
  const std::size_t at = operand == 'A' ? 1 : 2;
  TensorRead made;
  const auto kind = kind_of(mnemonic);
  if (!kind || operands.size() < 5) return made.why = "its text is not understood", made;
  if (says(mnemonic, "sp")) return made.why = "a sparse tcgen05.mma is not followed", made;
  if (operands[at][0] == '[') return made.why = "it lies in tensor memory", made;
  if (operand == 'B' && masks_columns(history, place, operands))
    return made.why = "a zero-column mask descriptor is not followed", made;
  const auto bits = uniform_value(history, place, operands[3]);
  if (!bits) return made.why = "the instruction descriptor is not recorded", made;
  const auto fields = layout::instruction_fields(*kind, static_cast<std::uint32_t>(*bits));
  DescriptorRead& read = made.read;
  read.place = read.reader = place;
  read.operand = operand;
  read.name = operands[at];
  read.is_tensor = true;
  read.width = width_of(*kind, fields, operand);
  if (read.width == 0)
    return made.why = "elements of 6 and 4 bits, sixteen in 16 bytes, are not followed", made;
  read.packed = *kind == Tcgen05Kind::mxf4 || *kind == Tcgen05Kind::mxf4nvf4 ? 2 : 1;
  read.major =
      bits_of(fields, operand == 'A' ? "ta" : "tb") != 0 ? layout::Major::MN : layout::Major::K;
  const int ctas = says(mnemonic, "cta_group::2") ? 2 : 1;
  const int units = *kind <= Tcgen05Kind::i8 ? 4 : 7;  // of M: bits that the field leaves out
  read.mn =
      static_cast<int>(operand == 'A' ? bits_of(fields, "m") << units : bits_of(fields, "n") << 3) /
      ctas;
  read.k = 256 / read.width;
  read.bits = uniform_value(history, place, read.name);
  if (!read.bits) return made;
  const auto as_wgmma = layout::wgmma_of(layout::decode_tcgen05(*read.bits));
  if (!as_wgmma)
    return made.why = "its swizzle, 128B with atoms of 32 bytes, is not followed", made;
  read.descriptor = *as_wgmma;
  return made;
}

}  // namespace lanescope::viz
