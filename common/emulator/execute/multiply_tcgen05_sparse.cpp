// SPDX-License-Identifier: MIT
// A product of tcgen05.mma.sp: a row of A keeps half of its elements, four bits of metadata for
// each chunk of K say which, and it meets those rows of B alone (sparse.hpp has what the bits
// mean). Where the metadata lies in tensor memory the atlas says (layout's tensor_metadata.cpp).
//
// Source: PTX ISA 9.2, 9.7.16.10.8. No card has been asked.
#include <array>
#include <cstring>
#include <utility>

#include "emulator/execute/multiply_tcgen05.hpp"
#include "emulator/execute/per_thread.hpp"
#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/tensor/fragments.hpp"
#include "emulator/tensor/scaled.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kMostRows = 256, kMostK = 64;  // of A, which is kept

struct Operands {
  alignas(64) std::byte a[kMostRows * kMostK];       // [row][k], an element a byte, or more
  alignas(64) std::byte b[kMaxN * 2 * kMostK];       // [column][k]
  alignas(64) std::byte b_rows[kMaxN * 2 * kMostK];  // [k][column]
  alignas(64) std::byte met[kMaxN * kMostK];         // what a row of A meets
  alignas(64) std::byte d[kMostRows * kMaxN * 4];
};

// The index that the metadata has for one kept element, or pair; tf32's has four bits.
unsigned index_at(const TensorMemory& memory, const TensorWork& work,
                  const Tcgen05Form::MetadataPlace& at) {
  const auto first = static_cast<std::size_t>(work.metadata.column * kTensorLanes) +
                     static_cast<std::size_t>(work.metadata.lane);
  return memory.words[first + at.word] >> at.bit;
}

// Which of K the kept element k of a row was; `row`: its places.
int column_of(const TensorMemory& memory, const TensorWork& work,
              const Tcgen05Form::MetadataPlace* row, int k) {
  const Tcgen05Form& form = *work.form;
  if (form.shape.a == TensorType::tf32)  // one of two: 0b0100 the first, 0b1110 the second
    return 2 * k + static_cast<int>(index_at(memory, work, row[k]) >> 3 & 1);
  const int together = form.two_a_byte ? 2 : 1;  // of four, or four pairs, two
  const int index = k / together;
  const int of_four = static_cast<int>(index_at(memory, work, row[index]) & 3);
  return (index / 2 * 4 + of_four) * together + k % together;
}

void turn(const std::byte* from, int columns, int K, std::size_t bytes, std::byte* to) {
  for (int k = 0; k < K; ++k)
    for (int column = 0; column < columns; ++column, to += bytes)
      std::memcpy(to, from + static_cast<std::size_t>(column * K + k) * bytes, bytes);
}

}  // namespace

void multiply_sparse_blocks(Warp& issuer, const TensorCtas& ctas, const TensorWork& work) {
  auto& operands = per_thread<Operands>();
  const Tcgen05Form& form = *work.form;
  const auto bytes = static_cast<std::size_t>(element_bits(form.shape.a)) / 8;
  const int lanes = kTensorLanes / copies_of_a(work);
  int first_of_a = -1;
  take_rows_of_b(issuer, ctas, work, operands.b);
  turn(operands.b, form.N, 2 * form.shape.K, bytes, operands.b_rows);
  take_d(ctas, work, operands.d);
  const std::size_t row_bytes = static_cast<std::size_t>(form.columns) * bytes;
  const std::size_t b_row_bytes = static_cast<std::size_t>(form.N) * bytes;
  const std::size_t d_bytes =
      static_cast<std::size_t>(form.columns) * (form.shape.accumulator == TensorType::f16 ? 2 : 4);
  TensorShape one_row = form.shape;
  one_row.M = 1;
  std::byte* d = operands.d;
  const Tcgen05Form::MetadataPlace* metadata = form.metadata.data();
  for (const Tcgen05Form::Block& block : form.blocks) {
    const TensorMemory& memory = tensor_memory(*ctas.all[static_cast<std::size_t>(block.cta)]);
    const int first_lane = block.first_lane / lanes * lanes;
    if (std::exchange(first_of_a, first_lane) != first_lane)
      take_rows_of_a(issuer, ctas, work, first_lane, operands.a);
    const int first = block.first_row % (form.M / form.ctas);
    std::array<std::uint8_t, kLanes * 4> a_factors;
    std::array<std::uint8_t, kMaxN * 4> b_factors;
    take_factors(memory, form,
                 {block.first_lane, work.a_scales.column, form.a_scale_byte, first, kLanes},
                 a_factors.data());
    take_factors(memory, form,
                 {block.first_lane, work.b_scales.column, form.b_scale_byte, 0, form.columns},
                 b_factors.data());
    const std::byte* b = operands.b_rows + static_cast<std::size_t>(block.first_col) * bytes;
    for (int row = 0; row < form.shape.M; ++row, d += d_bytes, metadata += form.indices_a_row) {
      for (int k = 0; k < form.shape.K; ++k)
        std::memcpy(
            operands.met + static_cast<std::size_t>(k) * row_bytes,
            b + static_cast<std::size_t>(column_of(memory, work, metadata, k)) * b_row_bytes,
            row_bytes);
      const std::byte* a =
          operands.a + static_cast<std::size_t>((block.first_row + row) * form.shape.K) * bytes;
      if (form.shape.scale_vectors == 0) {
        multiply_packed(*form.arithmetic, one_row, a, operands.met, d, d,
                        issuer.cta->launch->program->host);
        continue;
      }
      auto* sums = reinterpret_cast<std::uint32_t*>(d);
      multiply_scaled(
          *form.arithmetic, one_row,
          {form.scale_type, a_factors.data() + row * form.shape.scale_vectors, b_factors.data()},
          reinterpret_cast<const std::uint8_t*>(a),
          reinterpret_cast<const std::uint8_t*>(operands.met), sums, sums);
    }
  }
  give_d(ctas, work, operands.d);
}

}  // namespace lanescope::emulator
