// SPDX-License-Identifier: MIT
#include "emulator/execute/sparse.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace lanescope::emulator {
namespace {

std::uint32_t word_of(const std::byte* const* metadata, int thread) {
  std::uint32_t word;
  std::memcpy(&word, metadata[thread / 32] + 4 * (thread % 32), 4);
  return word;
}

/// The rows of B that kept element 0, 1, ... of a row of A stand for.
void kept_rows(const SparsePlan& plan, const std::byte* const* metadata, int row, int* rows) {
  for (int i = 0; i < plan.indices; ++i) {
    const SparsePlan::Place& place = plan.places[static_cast<std::size_t>(row * plan.indices + i)];
    const std::uint32_t bits = word_of(metadata, place.thread) >> place.shift;
    if (plan.index_bits == 4) {  // pairs of 16-bit halves: 1,0 or 3,2
      *rows++ = 2 * i + static_cast<int>(bits >> 3 & 1);
      continue;
    }
    const int chosen = 4 * (i / 2) + static_cast<int>(bits & 3);
    for (int k = 0; k < plan.together; ++k) *rows++ = chosen * plan.together + k;
  }
}

}  // namespace

std::string plan_sparse(const layout::Instruction& instruction, std::int64_t selector,
                        SparsePlan& plan) {
  if (selector < 0 || selector >= static_cast<std::int64_t>(instruction.E.size()))
    return fmt::format("the sparsity selector is {}, there are {}", selector, instruction.E.size());
  const layout::Fragment& fragment = instruction.E[static_cast<std::size_t>(selector)];
  plan.index_bits = fragment.element_bits;
  plan.together = instruction.A.element_bits == 4 ? 2 : 1;
  plan.indices = fragment.cols;
  plan.places.resize(static_cast<std::size_t>(fragment.rows * fragment.cols));
  for (const layout::Held& held : layout::register_layout(fragment))
    plan.places[static_cast<std::size_t>(held.element.row * fragment.cols + held.element.col)] = {
        static_cast<std::uint8_t>(held.holder.thread), static_cast<std::uint8_t>(held.holder.bit)};
  return {};
}

void meet_row(const TensorShape& shape, const SparsePlan& plan, const std::byte* const* metadata,
              int row, const std::byte* b, std::size_t b_row, std::byte* met) {
  std::array<int, 64> rows;
  kept_rows(plan, metadata, row, rows.data());
  for (int k = 0; k < shape.K; ++k)
    std::memcpy(met + static_cast<std::size_t>(k) * b_row,
                b + static_cast<std::size_t>(rows[static_cast<std::size_t>(k)]) * b_row, b_row);
}

void multiply_sparse(const MmaArithmetic& how, const TensorShape& shape, const SparsePlan& plan,
                     const std::byte* const* metadata, const std::byte* a, const std::byte* b,
                     std::byte* d, Host host) {
  alignas(64) std::array<std::byte, kMostMetBytes> met;
  const auto b_row = static_cast<std::size_t>(shape.N * storage_bytes(shape.b));
  const auto a_row = static_cast<std::size_t>(shape.K * storage_bytes(shape.a));
  const auto d_row = static_cast<std::size_t>(shape.N * storage_bytes(shape.accumulator));
  TensorShape one_row = shape;
  one_row.M = 1;
  for (int row = 0; row < shape.M; ++row, a += a_row, d += d_row) {
    meet_row(shape, plan, metadata, row, b, b_row, met.data());
    multiply_packed(how, one_row, a, met.data(), d, d, host);
  }
}

}  // namespace lanescope::emulator
