// SPDX-License-Identifier: MIT
// Which columns of B a tcgen05.mma.ws multiplies: its zero-column mask descriptor, applied to what
// was fetched.
//
// Source: PTX ISA 9.2, 9.7.16.4.3 (layout/zero_columns.hpp).
#pragma once

#include <cstddef>
#include <cstring>

#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/run/tensor_memory.hpp"
#include "layout/zero_columns.hpp"

namespace lanescope::emulator {

/// Of B, for each CTA: its part of N, and as many more as a shift leads beyond it, in whole units
/// of 16 bytes where these lie along N.
inline int columns_fetched(const TensorWork& work) {
  const Tcgen05Form& form = *work.form;
  const int shift = layout::decode_zero_columns(work.zero_columns).shift;
  const int unit = form.b_is_mn_major ? 128 / element_bits(form.shape.b) : 1;
  return form.N / form.ctas + (shift + unit - 1) / unit * unit;
}

/// `place(column, part)` is where B has so many bytes of a column.
template <class Place>
void choose_columns(const TensorWork& work, int parts, std::size_t part_bytes, Place place) {
  if (work.zero_columns == 0) return;
  const layout::ZeroColumns mask = layout::decode_zero_columns(work.zero_columns);
  for (int column = 0; column < work.form->N; ++column) {
    const bool zero = layout::is_zero(mask, work.form->M, work.form->N, column);
    for (int part = 0; part < parts; ++part) {
      std::byte* to = place(column, part);
      if (zero)
        std::memset(to, 0, part_bytes);
      else if (mask.shift != 0)
        std::memcpy(to, place(column + mask.shift, part), part_bytes);
    }
  }
}

}  // namespace lanescope::emulator
