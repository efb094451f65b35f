// SPDX-License-Identifier: MIT
// A product of tcgen05.mma with block scaling. Its scale factors lie in tensor memory, the same
// four times, in each 32 lanes; what lies in 32 lanes of D is multiplied with those that lie there,
// too.
//
//     column of SFA    first      second     third      fourth          a word, 4 bytes: chunks of
//     K lane l           row l      row l+32   row l+64   row l+96        from byte SFA_ID on lane
//     l + 32      the same, and so on SFB              likewise, columns of B for rows of A
//
// The two operands' chunks are shape.scale_vectors bytes of the word. In a pair each CTA has the
// factors of its own rows of A, and of all of its own columns of D.
//
// Source: PTX ISA 9.2, 9.7.16.10.7, where the figures (231 to 233, 240 to 242) have which lane; in
// words it is others' descriptions that say it.
#include <array>
#include <cstring>

#include "emulator/execute/multiply_tcgen05.hpp"
#include "emulator/execute/per_thread.hpp"
#include "emulator/execute/tcgen05_columns.hpp"
#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/tensor/scaled.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kMostRows = 256, kMostK = 64;

struct Operands {
  // [row][k]; of a pair's M 128 with A in tensor memory, as the lower and the upper lanes have it.
  alignas(16) std::byte a[2][kMostRows * kMostK];
  alignas(16) std::byte b[kMaxN * kMostK];  // [column][k]
  std::uint8_t columns[kMostK * kMaxN];     // of one block: [k][column]
  std::uint32_t d[kMostRows * kMaxN];
};

// Two elements a byte, the lower half first.
void part_halves(std::byte* elements, std::size_t count) {
  for (std::size_t k = count / 2; k-- > 0;) {
    const auto both = static_cast<unsigned>(elements[k]);
    elements[2 * k] = static_cast<std::byte>(both & 15);
    elements[2 * k + 1] = static_cast<std::byte>(both >> 4);
  }
}

// What has been made an element a byte, or more.
void negate(const Tcgen05Form& form, std::byte* elements, std::size_t bytes, int bits,
            bool negates) {
  if (negates)
    negate_elements(elements, bytes * (form.two_a_byte ? 2 : 1), element_bits(form.shape.a) / 8,
                    bits);
}

void take_a(const TensorMemory& memory, const TensorWork& work, int rows, int first_lane,
            std::byte* to) {
  first_lane += work.a.lane;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < static_cast<int>(kTensorRowBytes / 4); ++column, to += 4)
      std::memcpy(to,
                  &memory.words[static_cast<std::size_t>((work.a.column + column) * kTensorLanes +
                                                         first_lane + lane_of_a(*work.form, row))],
                  4);
}

}  // namespace

void take_rows_of_a(Warp& issuer, const TensorCtas& ctas, const TensorWork& work, int first_lane,
                    std::byte* a) {
  const Tcgen05Form& form = *work.form;
  const int rows = form.M / form.ctas, bits = element_bits(form.shape.a);
  std::byte* to = a;
  for (Cta* cta : ctas) {
    if (work.plan->a_in_tensor)
      take_a(tensor_memory(*cta), work, rows, first_lane, to);
    else
      Fetcher(issuer, *cta, layout::decode_tcgen05(work.a_descriptor), bits, form.a_is_mn_major,
              nullptr)
          .fetch_dense(rows, static_cast<int>(8 * kTensorRowBytes) / bits, true, to);
    to += static_cast<std::size_t>(rows) * kTensorRowBytes;
  }
  const std::size_t bytes = static_cast<std::size_t>(form.M) * kTensorRowBytes;
  form.two_a_byte ? part_halves(a, 2 * bytes) : unpack_a(work, a, bytes);
  negate(form, a, bytes, form.a_bits, form.negates_a);
}

void take_rows_of_b(Warp& issuer, const TensorCtas& ctas, const TensorWork& work, std::byte* b) {
  const Tcgen05Form& form = *work.form;
  const int rows = form.N / form.ctas, bits = element_bits(form.shape.b);
  const std::size_t row_bytes = kTensorRowBytes * (form.is_sparse ? 2 : 1);
  std::byte* to = b;
  for (Cta* cta : ctas) {
    Fetcher(issuer, *cta, layout::decode_tcgen05(work.b_descriptor), bits, form.b_is_mn_major,
            nullptr)
        .fetch_dense(columns_fetched(work), static_cast<int>(8 * row_bytes) / bits, true, to);
    to += static_cast<std::size_t>(rows) * row_bytes;
  }
  choose_columns(work, 1, row_bytes,
                 [&](int column, int) { return b + static_cast<std::size_t>(column) * row_bytes; });
  const std::size_t bytes = static_cast<std::size_t>(form.N) * row_bytes;
  form.two_a_byte ? part_halves(b, 2 * bytes) : unpack_units(b, bytes, form.b_bits);
  negate(form, b, bytes, form.b_bits, form.negates_b);
}

void take_factors(const TensorMemory& memory, const Tcgen05Form& form, const FactorPlace& at,
                  std::uint8_t* to) {
  for (int row = at.first; row < at.first + at.count; ++row)
    for (int chunk = 0; chunk < form.shape.scale_vectors; ++chunk)
      *to++ = static_cast<std::uint8_t>(
          memory.words[static_cast<std::size_t>((at.column + row / kLanes) * kTensorLanes +
                                                at.lane + row % kLanes)] >>
          8 * (at.byte + chunk));
}

void multiply_scaled_blocks(Warp& issuer, const TensorCtas& ctas, const TensorWork& work) {
  auto& operands = per_thread<Operands>();
  const Tcgen05Form& form = *work.form;
  const auto K = static_cast<std::size_t>(form.shape.K);
  take_rows_of_a(issuer, ctas, work, 0, operands.a[0]);
  const bool has_a_twice = copies_of_a(work) == 2;
  if (has_a_twice) take_rows_of_a(issuer, ctas, work, 64, operands.a[1]);
  take_rows_of_b(issuer, ctas, work, operands.b);
  take_d(ctas, work, reinterpret_cast<std::byte*>(operands.d));
  std::uint32_t* d = operands.d;
  for (const Tcgen05Form::Block& block : form.blocks) {
    const TensorMemory& memory = tensor_memory(*ctas.all[static_cast<std::size_t>(block.cta)]);
    std::array<std::uint8_t, kLanes * 4> a_factors;
    std::array<std::uint8_t, kMaxN * 4> b_factors;
    take_factors(memory, form,
                 {block.first_lane, work.a_scales.column, form.a_scale_byte,
                  block.first_row % (form.M / form.ctas), kLanes},
                 a_factors.data());
    take_factors(memory, form,
                 {block.first_lane, work.b_scales.column, form.b_scale_byte, 0, form.columns},
                 b_factors.data());
    const std::byte* a = operands.a[has_a_twice && block.first_lane >= 64 ? 1 : 0];
    const std::byte* b = operands.b + static_cast<std::size_t>(block.first_col) * K;
    for (std::size_t column = 0; column < static_cast<std::size_t>(form.columns); ++column)
      for (std::size_t k = 0; k < K; ++k)
        operands.columns[k * static_cast<std::size_t>(form.columns) + column] =
            static_cast<std::uint8_t>(b[column * K + k]);
    multiply_scaled(
        *form.arithmetic, form.shape, {form.scale_type, a_factors.data(), b_factors.data()},
        reinterpret_cast<const std::uint8_t*>(a) + static_cast<std::size_t>(block.first_row) * K,
        operands.columns, d, d);
    d += kLanes * form.columns;
  }
  give_d(ctas, work, reinterpret_cast<const std::byte*>(operands.d));
}

}  // namespace lanescope::emulator
