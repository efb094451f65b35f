// SPDX-License-Identifier: MIT
// See tcgen05_limits.hpp.
#include "emulator/execute/tcgen05_limits.hpp"

#include <fmt/format.h>

namespace lanescope::emulator {

using layout::DescriptorField;
using layout::Tcgen05Kind;

const DescriptorField& field(const std::vector<DescriptorField>& all, std::string_view name) {
  for (const DescriptorField& one : all)
    if (one.name == name) return one;
  return all.front();
}

namespace {

// Table 39.
std::string pair_problem(Tcgen05Kind kind, int M, int N) {
  if (M != 128 && M != 256) return fmt::format("M is {}: .cta_group::2 has 128 and 256", M);
  const int step = kind == Tcgen05Kind::i8 ? 32 : 16;
  if (N % step == 0) return {};
  return fmt::format("N is {}: {}.cta_group::2 has multiples of {} up to 256", N,
                     kind == Tcgen05Kind::i8 ? ".kind::i8 with " : "", step);
}

}  // namespace

std::string shape_problem(const Tcgen05Asks& asks, int M, int N) {
  if (asks.ctas == 2) return pair_problem(asks.kind, M, N);
  if (asks.is_stationary) {
    if (M != 32 && M != 64 && M != 128) return fmt::format("M is {}: .ws has 32, 64 and 128", M);
    if (N == 64 || N == 128 || (N == 256 && !asks.is_sparse)) return {};
    return fmt::format("N is {}: .ws{} has 64{}", N, asks.is_sparse ? ".sp" : "",
                       asks.is_sparse ? " and 128" : ", 128 and 256");
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

// Tables 43, 44 and 55; which bytes a scale-factor id may name: 9.7.16.10.7.2 and .3.
std::string scaling_problem(const Tcgen05Asks& asks, const std::vector<DescriptorField>& fields,
                            int M, int N) {
  if (asks.ctas == 1 && M != 128)
    return fmt::format("M is {}: .cta_group::1 has 128 alone with block scaling", M);
  if (asks.ctas == 2 && asks.is_sparse && M != 256)
    return fmt::format("M is {}: .sp with .cta_group::2 has 256 alone with block scaling", M);
  if (asks.ctas == 2)
    if (std::string why = pair_problem(asks.kind, M, N); !why.empty()) return why;
  if (asks.scale_vectors == 4)
    for (const char* id : {"sfa", "sfb"})
      if (field(fields, id).bits != 0)
        return fmt::format("its {} is {}: .scale_vec::4X takes all four bytes, so 0", id,
                           field(fields, id).bits);
  return {};
}

std::string selector_problem(const Tcgen05Asks& asks, int selector) {
  if (!asks.is_sparse || selector == 0) return {};
  if (asks.kind > Tcgen05Kind::tf32)
    return fmt::format("its sel is {}: .kind::{} has 0 alone", selector,
                       layout::kTcgen05Kinds[static_cast<std::size_t>(asks.kind)]);
  if (selector == 1) return {};
  return fmt::format("its sel is {}: where the metadata of 2 and 3 lies is not modelled", selector);
}

}  // namespace lanescope::emulator
