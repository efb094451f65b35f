// SPDX-License-Identifier: MIT
// See tensor_box.hpp.
#include "emulator/execute/tensor_box.hpp"

#include <algorithm>

namespace lanescope::emulator {

BoxRows::BoxRows(const TensorMap& map, const TensorPlace& place) : map_(map), place_(place) {
  std::copy(place.at.begin(), place.at.end(), at_.begin());
  if (place.has_four_rows) at_[1] = place.rows[0];
  auto& [w, h, d] = place_.im2col;
  if (map.rank == 4) {
    w &= 0xff;
    h &= 0xff;
  } else if (map.rank == 5) {
    // Side by side in 15 bits, added up: what is too large for one is carried into the next (an
    // H200).
    const auto packed = static_cast<std::uint32_t>(w + (h << 5) + (d << 10));
    w = packed & 31;
    h = packed >> 5 & 31;
    d = packed >> 10 & 31;
  }
}

BoxRow BoxRows::next() {
  BoxRow row{true, map_.address};
  const int first = map_.first_walked();
  for (int d = first; d < map_.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    const bool is_moved = map_.is_im2col && d < map_.rank - 2 + first;
    const std::int64_t at =
        at_[k] + (is_moved ? place_.im2col[static_cast<std::size_t>(d - first)] : 0);
    row.is_inside = row.is_inside && at >= 0 && at < static_cast<std::int64_t>(map_.size[k]);
    row.address += static_cast<std::uint64_t>(at) * map_.stride_bytes[k];
  }
  map_.is_im2col ? advance_im2col() : advance_tile();
  return row;
}

void BoxRows::advance_tile() {
  if (place_.has_four_rows) {
    if (++named_ < place_.rows.size()) at_[1] = place_.rows[named_];
    return;
  }
  for (int d = map_.first_walked(); d < map_.rank; ++d) {
    const auto k = static_cast<std::size_t>(d);
    at_[k] += map_.element_stride[k];
    if (map_.copied(d) > 1 && at_[k] - place_.at[k] < std::int64_t{map_.box[k]}) return;
    at_[k] = place_.at[k];
  }
}

// Past the bounding box's upper corner it goes on at the lower one, in the next row, plane or
// image.
void BoxRows::advance_im2col() {
  const int first = map_.first_walked();
  for (int d = first; d < map_.rank - 2 + first; ++d) {
    const auto k = static_cast<std::size_t>(d), corner = static_cast<std::size_t>(d - first);
    at_[k] += map_.element_stride[k];
    if (at_[k] <= static_cast<std::int64_t>(map_.size[k]) - 1 + map_.upper[corner]) return;
    at_[k] = map_.lower[corner];
  }
  const auto image = static_cast<std::size_t>(map_.rank - 1);
  at_[image] += map_.element_stride[image];
}

RowPart part_of_rows(const TensorMap& map, const TensorPlace& place) {
  if (map.is_interleaved()) return {0, map.interleave_bytes, 0};
  const auto each = static_cast<std::int64_t>(map.element_bytes());
  auto limit = static_cast<std::int64_t>(map.size[0]);
  if (place.whole_units) limit = (limit * each + 15) / 16 * 16 / each;
  const std::int64_t first = std::clamp<std::int64_t>(place.at[0], 0, limit);
  const std::int64_t end =
      std::clamp<std::int64_t>(place.at[0] + std::int64_t{map.box[0]}, 0, limit);
  if (first >= end) return {};
  return {first * each, end * each, (first - place.at[0]) * each};
}

TouchedBytes touched_bytes(const TensorMap& map, const TensorPlace& place) {
  const RowPart part = part_of_rows(map, place);
  if (part.begin == part.end) return {};
  TouchedBytes touched;
  BoxRows rows(map, place);
  for (std::uint32_t left = map.rows(); left > 0; --left) {
    const BoxRow row = rows.next();
    if (!row.is_inside) continue;
    const std::uint64_t low = row.address + static_cast<std::uint64_t>(part.begin);
    touched.begin =
        touched.end == 0 ? low : std::min(touched.begin, low);  // a tensor may begin at 0
    touched.end = std::max(touched.end, row.address + static_cast<std::uint64_t>(part.end));
  }
  return touched;
}

}  // namespace lanescope::emulator
