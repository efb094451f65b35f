// SPDX-License-Identifier: MIT
// What diagnose compares: a recorded matrix, and the fragment that should be a part of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "layout/fragment.hpp"
#include "trace/event.hpp"

namespace lanescope::trace {

// ---- The matrix ---------------------------------------------------------------------------------

inline std::uint64_t low_bits(std::uint64_t word, int bits) {
  return bits >= 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

/// A recorded tile, asked for elements.
class Matrix {
 public:
  Matrix(const Memory& memory, int element_bits, bool transposed)
      : memory_(&memory), bits_(element_bits), transposed_(transposed) {
    row_bytes_ = memory.rows > 0 ? memory.bytes.size() / static_cast<std::size_t>(memory.rows) : 0;
    // Types narrower than a byte may have a byte each (docs/trace_format.md).
    const bool a_byte_each = bits_ < 8 && row_bytes_ == static_cast<std::size_t>(memory.cols);
    stored_bits_ = a_byte_each ? 8 : bits_;
  }
  int rows() const { return transposed_ ? memory_->cols : memory_->rows; }
  int cols() const { return transposed_ ? memory_->rows : memory_->cols; }
  int row_bytes() const { return static_cast<int>(row_bytes_); }
  int element_bits() const { return bits_; }
  bool transposed() const { return transposed_; }
  const Memory& memory() const { return *memory_; }

  std::optional<std::uint64_t> at(int row, int col) const {
    if (row < 0 || row >= rows() || col < 0 || col >= cols()) return {};
    if (transposed_) std::swap(row, col);
    const std::size_t bit = static_cast<std::size_t>(col) * static_cast<std::size_t>(stored_bits_);
    const std::size_t first = static_cast<std::size_t>(row) * row_bytes_ + bit / 8;
    const std::size_t count = static_cast<std::size_t>(bits_ + 7) / 8;
    if (bit / 8 + count > row_bytes_) return {};
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i)
      word |= static_cast<std::uint64_t>(memory_->bytes[first + i]) << (8 * i);
    return low_bits(word >> (bit % 8), bits_);
  }

 private:
  const Memory* memory_;
  int bits_, stored_bits_ = 0;
  bool transposed_;
  std::size_t row_bytes_ = 0;
};

// ---- The fragment -------------------------------------------------------------------------------

/// A fragment with its map, its matrix, and where in the matrix it begins.
struct Case {
  const Fragment* fragment = nullptr;
  const layout::Fragment* map = nullptr;
  std::vector<layout::Held> slots;
  const Matrix* matrix = nullptr;
  int first_row = 0, first_col = 0;

  int parts() const { return map->values_per_register(); }
  std::uint64_t found(const layout::Held& slot) const {
    const layout::Holder& h = slot.holder;
    return low_bits(fragment->registers[static_cast<std::size_t>(h.register_index)]
                                       [static_cast<std::size_t>(h.thread)] >>
                        h.bit,
                    map->element_bits);
  }
  /// The place of the matrix where this element of the fragment belongs.
  layout::Element home(layout::Element e) const { return {first_row + e.row, first_col + e.col}; }
  layout::Element home_of(int lane, int value) const { return home(map->element(lane, value)); }
};

/// Where in the matrix the element of a slot came from, if this was the mistake.
using Places = std::function<layout::Element(const Case&, const layout::Held&)>;

inline layout::Element right_place(const Case& c, const layout::Held& slot) {
  return c.home(slot.element);
}

}  // namespace lanescope::trace
