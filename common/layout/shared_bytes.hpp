// SPDX-License-Identifier: MIT
// The bytes of all elements of a matrix in shared memory, looked up. Inside the room only.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/shared_matrix.hpp"

namespace lanescope::layout {

/// The modes that count rows and columns.
inline CuteLayout across(const SharedMatrix& m) {
  return rank(m.layout) > 1 ? mode(m.layout, 0) : CuteLayout{{1, {}}, {0, {}}, {}, 0, false, 0};
}
inline CuteLayout along(const SharedMatrix& m) {
  return mode(m.layout, rank(m.layout) > 1 ? 1 : 0);
}

/// What each row and each column adds is reckoned once.
class Bytes {
 public:
  Bytes(const SharedMatrix& m, bool applied) : m_(m), applied_(applied) {
    const CuteLayout of_row = across(m), of_col = along(m);
    for (std::int64_t row = 0; row < size(of_row); ++row) row_.push_back(linear_index(of_row, row));
    for (std::int64_t col = 0; col < size(of_col); ++col) col_.push_back(linear_index(of_col, col));
  }
  int rows() const { return static_cast<int>(row_.size()); }
  int cols() const { return static_cast<int>(col_.size()); }
  /// Without offset and swizzle.
  std::int64_t index(int row, int col) const {
    return row_[static_cast<std::size_t>(row)] + col_[static_cast<std::size_t>(col)];
  }
  std::int64_t at(int row, int col) const {
    return layout::byte_of(m_.layout, index(row, col), m_.bits, applied_);
  }

 private:
  const SharedMatrix& m_;
  bool applied_;
  std::vector<std::int64_t> row_, col_;
};

/// The addresses of those lanes of an access that are served together, group after group, until
/// `use` says no; false where it did.
template <typename Use>
bool each_group(const Bytes& bytes, const WarpAccess& access, const Use& use) {
  std::vector<std::uint32_t> addresses;
  for (std::size_t i = 0; i < access.firsts.size(); ++i) {
    const Element& e = access.firsts[i];
    if (e.row >= 0) addresses.push_back(static_cast<std::uint32_t>(bytes.at(e.row, e.col)));
    const bool ends = (i + 1) % static_cast<std::size_t>(access.lanes) == 0;
    if (addresses.empty() || (!ends && i + 1 < access.firsts.size())) continue;
    if (!use(addresses)) return false;
    addresses.clear();
  }
  return true;
}

struct At {
  int row = 0, col = 0;
};

}  // namespace lanescope::layout
