// SPDX-License-Identifier: MIT
// The parts of a matrix that wgmmas of one sum read, held against each other. See
// descriptor_origins.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "panels/way/descriptor_origins.hpp"

namespace lanescope::viz {
namespace {

bool of_one_matrix(const MatrixPart& a, const MatrixPart& b) {
  return !a.anew && !b.anew && a.numbers == b.numbers && a.base == b.base && a.apart == b.apart &&
         a.bytes == b.bytes && a.along_k == b.along_k;
}

}  // namespace

void place_in(MatrixPart& part, std::uint64_t begin) {
  const auto offset = static_cast<std::int64_t>(part.first - begin);
  const std::int64_t in_line = part.along.value_or(offset % part.apart);
  const std::int64_t line =
      static_cast<std::int64_t>(part.first - begin - static_cast<std::uint64_t>(in_line)) /
      part.apart;
  const std::int64_t along = in_line / part.bytes;
  part.mn = part.along_k ? line : along;
  part.k = part.along_k ? along : line;
}

TileAt tile_of(const MatrixPart& part, const DescriptorRead& read) {
  const bool A = read.operand == 'A';
  TileAt tile{part.base,         part.first,           part.apart,          part.bytes,
              part.along_k != A, A ? part.mn : part.k, A ? part.k : part.mn};
  tile.numbers = part.numbers;
  return tile;
}

TileAt tile_of(std::vector<MatrixPart> parts, const DescriptorRead& read) {
  const auto by_k = [](const MatrixPart& a, const MatrixPart& b) { return a.k < b.k; };
  TileAt tile = tile_of(parts.front(), read);
  std::sort(parts.begin(), parts.end(), by_k);
  for (std::size_t n = 1; n < parts.size(); ++n)
    if (parts[n].k != parts[n - 1].k + read.k || !of_one_matrix(parts[n], parts[n - 1])) {
      tile.ks = -1;
      return tile;
    }
  tile = tile_of(parts.front(), read);
  tile.ks = static_cast<std::int64_t>(parts.size()) * read.k;
  return tile;
}

std::string against_each_other(const std::vector<MatrixPart>& all, const DescriptorRead& read) {
  const char* along = read.operand == 'A' ? "M" : "N";
  for (std::size_t later = 1; later < all.size(); ++later)
    for (std::size_t sooner = 0; sooner < later; ++sooner) {
      const MatrixPart &a = all[sooner], &b = all[later];
      if (!of_one_matrix(a, b)) continue;
      if (a.mn != b.mn)
        return fmt::format(
            "{} moves on along {}, from {} to {}, between {} that add to the same sums",
            read.operand, along, a.mn, b.mn, read.several());
      if (std::abs(a.k - b.k) < read.k)
        return fmt::format("k {} to {} of {} is multiplied twice", std::max(a.k, b.k),
                           std::min(a.k, b.k) + read.k - 1, read.operand);
    }
  return {};
}

bool go_together(const std::vector<MatrixPart>& one, const std::vector<MatrixPart>& other) {
  for (std::size_t n = 1; n < std::min(one.size(), other.size()); ++n) {
    if (!of_one_matrix(one[0], one[n]) || !of_one_matrix(other[0], other[n])) continue;
    const int steps = one[0].ks * other[0].ks / std::min(one[0].ks, other[0].ks);
    if ((one[n].k - one[0].k) * (steps / one[0].ks) !=
        (other[n].k - other[0].k) * (steps / other[0].ks))
      return false;
  }
  return true;
}

}  // namespace lanescope::viz
