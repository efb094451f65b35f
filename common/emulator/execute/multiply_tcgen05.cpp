// SPDX-License-Identifier: MIT
// A product of tcgen05.mma without block scaling: A and B are fetched as registers of the
// arithmetic, D is taken out of tensor memory and put back. With block scaling:
// multiply_tcgen05_scaled.cpp.
//
// Source: PTX ISA 9.2, 9.7.16.10.
#include "emulator/execute/multiply_tcgen05.hpp"

#include <array>
#include <cmath>
#include <cstring>

#include "emulator/execute/per_thread.hpp"
#include "emulator/execute/tcgen05_columns.hpp"
#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/execute/unpack_unit.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kSlabs = 2;                               // of 16 bytes of K
constexpr std::size_t kMostRows = 256;                  // of a pair; a CTA has half as many
constexpr std::size_t kMostA = kMostRows / 8 * kSlabs;  // registers, of 8 rows each
constexpr std::size_t kMostB =
    (kMaxN + 32) / kTileCols * kSlabs;  // ... of 8 columns; shifted: 32 more
constexpr std::size_t kMostD = kMostRows / 16 * kMaxN / 8 * 4;  // ... of C and D

struct Operands {
  alignas(64) std::byte a[kMostA * kRegisterBytes];
  alignas(64) std::byte b[kMostB * kRegisterBytes];
  alignas(64) std::byte d[kMostD * kRegisterBytes];
};

// Where D begins in the tensor memory of each CTA.
std::array<std::uint32_t*, 2> begins_of(const TensorCtas& ctas, const TensorWork& work) {
  std::array<std::uint32_t*, 2> all{};
  std::size_t k = 0;
  for (Cta* cta : ctas)
    all[k++] = tensor_memory(*cta).words.data() + work.d.column * kTensorLanes + work.d.lane;
  return all;
}

// D * 2^-n, rounded to D's type where a subnormal number has no room for its bits.
void scale_input(const TensorWork& work, std::uint32_t* elements, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    float value;
    std::memcpy(&value, &elements[k], 4);
    value = std::ldexp(value, -work.plan->input_shift);
    std::memcpy(&elements[k], &value, 4);
  }
}
void scale_input(const TensorWork& work, std::uint16_t* elements, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    elements[k] = static_cast<std::uint16_t>(numeric::encode(
        numeric::kF16,
        std::ldexp(numeric::decode(numeric::kF16, elements[k]), -work.plan->input_shift)));
}

// D as the arithmetic takes it, out of the columns and back into them.
template <class Word>
void take_elements(const TensorCtas& ctas, const TensorWork& work, std::byte* to) {
  const auto from = begins_of(ctas, work);
  auto* elements = reinterpret_cast<Word*>(to);
  for (const std::uint32_t place : work.form->places)
    *elements++ =
        work.adds ? static_cast<Word>(from[place / kTensorPlaces][place % kTensorPlaces]) : Word{0};
  if (work.plan->input_shift != 0)
    scale_input(work, reinterpret_cast<Word*>(to), work.form->places.size());
}
template <class Word>
void give_elements(const TensorCtas& ctas, const TensorWork& work, const std::byte* from) {
  const auto begins = begins_of(ctas, work);
  const auto* elements = reinterpret_cast<const Word*>(from);
  for (const std::uint32_t place : work.form->places) {
    const std::uint32_t cta = place / kTensorPlaces;
    const auto lane = place % kTensorLanes + static_cast<std::uint32_t>(work.d.lane);
    const std::uint32_t disabled = work.disabled_lanes[4 * cta + lane / kLanes];
    std::uint32_t& to = begins[cta][place % kTensorPlaces];
    // Of f16 only the low half of a column is D's.
    if (((disabled >> (lane % kLanes)) & 1) == 0)
      to = sizeof(Word) == 4 ? *elements : (to & 0xffff0000u) | *elements;
    ++elements;
  }
}

void point(std::uint32_t** registers, std::byte* bytes, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    registers[k] = reinterpret_cast<std::uint32_t*>(bytes + k * kRegisterBytes);
}

// Row m of A is in lane m, 32 bytes in 8 columns: register (panel, slab, upper half) of the
// arithmetic has 8 rows of 16 bytes. Where it lies there more than once, this is one of them.
void take_a(const TensorMemory& memory, const TensorWork& work, int first_lane, std::byte* to) {
  auto* words = reinterpret_cast<std::uint32_t*>(to);
  for (int m = 0; m < work.form->M / work.form->ctas; ++m) {
    const int lane = lane_of_a(*work.form, m);
    for (int column = 0; column < 8; ++column) {
      const int reg = (m / kPanelRows * kSlabs + column / 4) * 2 + m % kPanelRows / 8;
      words[reg * kFragmentLanes + m % 8 * 4 + column % 4] = memory.words[static_cast<std::size_t>(
          (work.a.column + column) * kTensorLanes + work.a.lane + first_lane + lane)];
    }
  }
}

// A's rows and B's, of each CTA its part, one behind the other.
void take_operands(Warp& issuer, const TensorCtas& ctas, const TensorWork& work, int first_lane,
                   Operands& operands) {
  const Tcgen05Form& form = *work.form;
  const int bits = element_bits(form.shape.a);
  const int rows_a = form.M / form.ctas, rows_b = form.shape.N / form.ctas;
  std::byte *a = operands.a, *b = operands.b;
  for (Cta* cta : ctas) {
    if (work.plan->a_in_tensor)
      take_a(tensor_memory(*cta), work, first_lane, a);
    else
      Fetcher(issuer, *cta, layout::decode_tcgen05(work.a_descriptor), bits, form.a_is_mn_major,
              nullptr)
          .fetch_registers(rows_a, kSlabs, true, a);
    Fetcher(issuer, *cta, layout::decode_tcgen05(work.b_descriptor), bits, form.b_is_mn_major,
            nullptr)
        .fetch_registers(columns_fetched(work), kSlabs, false, b);
    a += static_cast<std::size_t>(rows_a / 8 * kSlabs) * kRegisterBytes;
    b += static_cast<std::size_t>(rows_b / kTileCols * kSlabs) * kRegisterBytes;
  }
  choose_columns(work, kSlabs, 16, [&](int column, int slab) {
    const int reg = column / kTileCols * kSlabs + slab;
    return operands.b + static_cast<std::size_t>(reg) * kRegisterBytes + column % kTileCols * 16;
  });
}

}  // namespace

void negate_elements(std::byte* elements, std::size_t bytes, int element_bytes, int element_bits) {
  const auto sign = static_cast<std::byte>(1u << (element_bits - 1) % 8);
  for (auto k = static_cast<std::size_t>(element_bytes) - 1; k < bytes;
       k += static_cast<std::size_t>(element_bytes))
    elements[k] ^= sign;
}

void unpack_units(std::byte* units, std::size_t bytes, int bits) {
  for (std::size_t unit = 0; unit < bytes && bits < 8; unit += 16) unpack_unit(units + unit, bits);
}

void unpack_a(const TensorWork& work, std::byte* a, std::size_t bytes) {
  const int bits = work.form->a_bits;
  if (!work.plan->a_in_tensor) return unpack_units(a, bytes, bits);
  for (std::size_t k = 0; k < bytes && bits < 8; ++k) a[k] = of_container(a[k], bits);
}

void take_d(const TensorCtas& ctas, const TensorWork& work, std::byte* to) {
  if (work.form->shape.accumulator == TensorType::f16)
    take_elements<std::uint16_t>(ctas, work, to);
  else
    take_elements<std::uint32_t>(ctas, work, to);
}
void give_d(const TensorCtas& ctas, const TensorWork& work, const std::byte* from) {
  if (work.form->shape.accumulator == TensorType::f16)
    give_elements<std::uint16_t>(ctas, work, from);
  else
    give_elements<std::uint32_t>(ctas, work, from);
}

int copies_of_a(const TensorWork& work) {
  const Tcgen05Form& form = *work.form;
  if (!work.plan->a_in_tensor) return 1;
  if (work.plan->is_stationary) return kTensorLanes / form.M;
  return form.ctas == 2 && form.M == 128 && !form.is_sparse ? 2 : 1;
}
int lane_of_a(const Tcgen05Form& form, int row) {
  return form.is_halved ? row % 16 + row / 16 * 32 : row;
}

namespace {

// D, with A as it lies in tensor memory from `first_lane` on.
void multiply_fetched(Warp& issuer, const TensorCtas& ctas, const TensorWork& work, int first_lane,
                      Operands& operands) {
  const Tcgen05Form& form = *work.form;
  const int bits = element_bits(form.shape.a);
  take_operands(issuer, ctas, work, first_lane, operands);
  unpack_a(work, operands.a, sizeof operands.a);
  unpack_units(operands.b, sizeof operands.b, form.b_bits);
  if (form.negates_a) negate_elements(operands.a, sizeof operands.a, bits / 8, form.a_bits);
  if (form.negates_b) negate_elements(operands.b, sizeof operands.b, bits / 8, form.b_bits);
  take_d(ctas, work, operands.d);
  std::uint32_t *a[kMostA], *b[kMostB], *d[kMostD];
  point(a, operands.a, kMostA);
  point(b, operands.b, kMostB);
  point(d, operands.d, kMostD);
  const int a_registers = form.shape.M / 8 * kSlabs;
  const int d_registers = form.shape.M / kPanelRows * (form.shape.N / kTileCols) *
                          tile_registers(form.shape.accumulator);
  for (int panel = 0; panel < form.M / form.shape.M; ++panel) {
    std::uint32_t** sums = d + panel * d_registers;
    multiply_fragments(*form.arithmetic, form.shape, {a + panel * a_registers, b, sums, sums},
                       issuer.cta->launch->program->host);
  }
}

}  // namespace

void multiply_tensors(Warp& issuer, const TensorCtas& ctas, const TensorWork& work) {
  if (work.form->is_sparse) return multiply_sparse_blocks(issuer, ctas, work);
  if (!work.form->blocks.empty()) return multiply_scaled_blocks(issuer, ctas, work);
  auto& [operands, other] = per_thread<std::array<Operands, 2>>();
  multiply_fetched(issuer, ctas, work, 0, operands);
  const int lanes = kTensorLanes / copies_of_a(work);
  for (int first = lanes; first < kTensorLanes; first += lanes) {
    multiply_fetched(issuer, ctas, work, first, other);
    const std::size_t bytes = work.form->shape.accumulator == TensorType::f16 ? 2 : 4;
    for (std::size_t k = 0; k < work.form->places.size(); ++k)
      if (static_cast<int>(work.form->places[k] % kTensorLanes) / lanes == first / lanes)
        std::memcpy(operands.d + k * bytes, other.d + k * bytes, bytes);
  }
  give_d(ctas, work, operands.d);
}

}  // namespace lanescope::emulator
