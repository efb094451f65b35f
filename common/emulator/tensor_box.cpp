// SPDX-License-Identifier: MIT
// See tensor_box.hpp.
#include "emulator/tensor_box.hpp"

#include <algorithm>

namespace lanescope::emulator {

BoxRows::BoxRows(const TensorMap& map, const TensorPlace& place) : map_(map), place_(place) {
  std::copy(place.at.begin(), place.at.end(), at_.begin());
  auto& [w, h, d] = place_.im2col;
  if (map.rank == 4) {
    w &= 0xff;
    h &= 0xff;
  } else if (map.rank == 5) {
    // Side by side in 15 bits: what is too large for one is seen in the next (an H200).
    const auto packed = static_cast<std::uint32_t>(w | h << 5 | d << 10);
    w = packed & 31;
    h = packed >> 5 & 31;
    d = packed >> 10 & 31;
  }
}

BoxRow BoxRows::next() {
  BoxRow row{true, map_.address};
  for (int d = 1; d < map_.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const bool is_moved = map_.is_im2col && d + 1 < map_.rank;
    const std::int64_t at = at_[k] + (is_moved ? place_.im2col[k - 1] : 0);
    row.is_inside = row.is_inside && at >= 0 && at < static_cast<std::int64_t>(map_.size[k]);
    row.address += static_cast<std::uint64_t>(at) * map_.stride_bytes[k];
  }
  map_.is_im2col ? advance_im2col() : advance_tile();
  return row;
}

void BoxRows::advance_tile() {
  for (int d = 1; d < map_.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    at_[k] += map_.element_stride[k];
    if (at_[k] - place_.at[k] < std::int64_t{map_.box[k]}) return;
    at_[k] = place_.at[k];
  }
}

// Past the bounding box's upper corner it goes on at the lower one, in the next row, plane or
// image.
void BoxRows::advance_im2col() {
  for (int d = 1; d + 1 < map_.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    at_[k] += map_.element_stride[k];
    if (at_[k] <= static_cast<std::int64_t>(map_.size[k]) - 1 + map_.upper[k - 1]) return;
    at_[k] = map_.lower[k - 1];
  }
  const auto image = static_cast<std::size_t>(map_.rank - 1);
  at_[image] += map_.element_stride[image];
}

TouchedBytes touched_bytes(const TensorMap& map, const TensorPlace& place) {
  const auto limit = static_cast<std::int64_t>(map.size[0]);
  const std::int64_t first = std::clamp<std::int64_t>(place.at[0], 0, limit);
  const std::int64_t end =
      std::clamp<std::int64_t>(place.at[0] + std::int64_t{map.box[0]}, 0, limit);
  if (first >= end) return {};
  const auto each = static_cast<std::int64_t>(map.element_bytes());
  TouchedBytes touched;
  BoxRows rows(map, place);
  for (std::uint32_t left = map.rows(); left > 0; --left) {
    const BoxRow row = rows.next();
    if (!row.is_inside) continue;
    const std::uint64_t low = row.address + static_cast<std::uint64_t>(first * each);
    touched.begin = touched.begin == 0 ? low : std::min(touched.begin, low);
    touched.end = std::max(touched.end, row.address + static_cast<std::uint64_t>(end * each));
  }
  return touched;
}

}  // namespace lanescope::emulator
