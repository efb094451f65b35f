// SPDX-License-Identifier: MIT
// Rows of A, or columns of B, that come in pieces (pieces.hpp): meant, where those of D do so, too;
// not to be known, where the sum is a convolution's; else a mistake. See sum_checks.hpp.
#include <algorithm>
#include <set>

#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {

const InPieces* SumChecks::in_pieces(const Slice& one, char operand) const {
  const auto found = in_pieces_.find({one.product, operand});
  return found != in_pieces_.end() ? &found->second : nullptr;
}

// The first product whose operand is wrong unless its lines come in pieces.
const InPieces* SumChecks::open_in(const Sum& sum, char operand) const {
  for (const Slice& one : sum.slices)
    if (const InPieces* found = in_pieces(one, operand); found && found->is_open && found->tile)
      return found;
  return nullptr;
}

// Lines that are nothing but zeros in one product are there in another of its sum: each gets where
// they would begin. False where they do not lie alike in all that are known.
bool SumChecks::complete(const Sum& sum, char operand) {
  std::vector<InPieces*> all;
  for (const Slice& one : sum.slices)
    if (const auto found = in_pieces_.find({one.product, operand}); found != in_pieces_.end())
      all.push_back(&found->second);
  Addresses whole;
  for (int turn = 0; turn < 2; ++turn)  // what has no line in common with the first may have later
    for (const InPieces* one : all) {
      if (!lie_alike(whole, one->begins)) return false;
      fill_in(whole, one->begins);
    }
  for (InPieces* one : all) {
    if (!one->is_open) continue;
    fill_in(one->begins, whole);
    lay_in_pieces(*one, operand);
  }
  return true;
}

// From product to product it goes on along M, or N: so a convolution's filter does.
bool SumChecks::slides(const Sum& sum, char operand) const {
  std::set<std::int64_t> at;
  for (const Slice& one : sum.slices) {
    const InPieces* cut = in_pieces(one, operand);
    const std::optional<TileAt>& right = operand == 'A' ? one.a : one.b;
    const std::optional<TileAt>& tile = cut && cut->tile ? cut->tile : right;
    if (tile) at.insert(operand == 'A' ? tile->row : tile->col);
  }
  return at.size() > 1;
}

// Where the rows of D begin that are rows of A, or its columns that are columns of B.
Addresses SumChecks::stored_begins(const Sum& sum, char operand) const {
  const layout::Fragment& map = *at(sum.last().product).map('D');
  Addresses all(static_cast<std::size_t>(map.rows * map.cols));
  for (const StoredElement& one : stores_.of(sum.last().product))
    all[static_cast<std::size_t>(one.element.row * map.cols + one.element.col)] = one.address;
  return line_begins(all, map.rows, map.cols, operand == 'A');
}

namespace {

// In one matrix every jump has its own in D, and that one no other.
struct Jumps {
  std::map<std::int64_t, std::set<std::int64_t>> there, back;
  void add(const Addresses& lines, const Addresses& of_d) {
    for (const auto& [jump, its] : jumps_of(lines, of_d))
      for (const std::int64_t other : its) {
        there[jump].insert(other);
        back[other].insert(jump);
      }
  }
  bool are_pairs() const {
    const auto is_one = [](const auto& jump) { return jump.second.size() == 1; };
    return std::all_of(there.begin(), there.end(), is_one) &&
           std::all_of(back.begin(), back.end(), is_one);
  }
};

}  // namespace

void SumChecks::decide_as(const Sum& sum, char operand, bool is_known) {
  for (const Slice& one : sum.slices)
    if (const InPieces* found = in_pieces(one, operand); found && found->is_open && found->tile)
      cut_.emplace(std::pair(one.product, operand), Decided{*found, is_known});
}

void SumChecks::decide_pieces() {
  std::map<std::pair<char, std::uint64_t>, Jumps> jumps;  // by operand and matrix
  std::vector<std::pair<const Sum*, char>> meant, unknown;
  const auto matrix = [this](const Sum& sum, char operand) {
    return std::pair(operand, open_in(sum, operand)->base);
  };
  for (const Sum& sum : sums_)
    for (const char operand : {'A', 'B'}) {
      if (!complete(sum, operand)) continue;
      const Addresses of_d = stored_begins(sum, operand);
      if (decide_unstored(sum, operand, of_d)) continue;
      const InPieces* cut = open_in(sum, operand);
      if (cut == nullptr) continue;
      if (cut_alike(cut->begins, of_d)) {
        meant.emplace_back(&sum, operand);
        jumps[matrix(sum, operand)].add(cut->begins, of_d);
      } else if (apart_in_pieces(of_d) == 0 &&
                 (slides(sum, operand) || is_longer(sum, operand, of_d))) {
        unknown.emplace_back(&sum, operand);
      }
    }
  for (const auto& [sum, operand] : meant)
    if (jumps.at(matrix(*sum, operand)).are_pairs()) decide_as(*sum, operand, true);
  for (const auto& [sum, operand] : unknown)
    if (!comes_back(*sum, operand)) decide_as(*sum, operand, false);
}

// D's rows, or columns, come in the pieces of A's, or B's.
bool SumChecks::is_cut_alike(const Sum& sum, OriginCheck& d) const {
  for (const char operand : {'A', 'B'})
    for (const Slice& one : sum.slices) {
      const auto& tile = operand == 'A' ? one.a : one.b;
      const InPieces* found = in_pieces(one, operand);
      if (!tile || !tile->in_pieces || found == nullptr) continue;
      const Addresses begins = stored_begins(sum, operand);
      if (!cut_alike(found->begins, begins)) return false;
      d.lies += ", " + pieces_of(begins, operand);
      return d.tile->in_pieces = true;
    }
  return false;
}

}  // namespace lanescope::viz
