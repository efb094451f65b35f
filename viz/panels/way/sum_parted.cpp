// SPDX-License-Identifier: MIT
// Lines of A in pieces beside a D that lies in one: where an image, of which they are a part, may
// be cut so, and where it cannot be. See sum_checks.hpp.
//
//   rows of D    0 ... 7 8 ... 15 | 16 ... 23      of two warps
//   rows of A    0 ... 7 40 .. 47 | 16 ... 23      they come back: no row of an image ends there
#include <algorithm>
#include <optional>
#include <vector>

#include "panels/way/extent.hpp"
#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {
namespace {

struct Line {
  std::uint64_t of_d = 0, begin = 0;
  const void* sum = nullptr;
};

}  // namespace

// Its memory does not have as many lines as D's: it may be an image, out of which a convolution of
// one pixel with a stride takes some. Where that is not known a mistake of registers stays one.
bool SumChecks::is_longer(const Sum& sum, char operand, const Addresses& of_d) {
  const InPieces& cut = *open_in(sum, operand);
  const std::vector<StoredElement>& stored = stores_.of(sum.last().product);
  const int launch = at(sum.last().product).place.launch;
  const std::int64_t apart = apart_in_pieces(cut.begins), of_lines = apart_in_one(of_d);
  if (stored.empty() || of_lines == 0 || cut.tile->base == 0) return !cut.is_of_registers;
  const std::int64_t own = allocated_at(model_.trace, launch, cut.tile->base),
                     its = allocated_at(model_.trace, launch, stores_.base_of(stored.front()));
  if (own == 0 || its == 0) return !cut.is_of_registers;
  return own / apart != its / of_lines;
}

// Lines behind the end of D may be any: such as its last one again, so that there is something to
// read. All others lie as they should.
bool SumChecks::decide_unstored(const Sum& sum, char operand, const Addresses& of_d) {
  const auto unstored =
      static_cast<std::size_t>(std::count(of_d.begin(), of_d.end(), std::nullopt));
  if (unstored == 0 || unstored == of_d.size()) return false;
  bool any = false;
  for (const Slice& one : sum.slices) {
    const InPieces* found = in_pieces(one, operand);
    if (!found || !found->is_open) continue;
    Decided without{*found, true, unstored};
    without.pieces.begins = those_of_both(found->begins, of_d);
    const std::int64_t apart = apart_in_one(without.pieces.begins);
    if (apart == 0) continue;
    lay_apart(without.pieces, operand, apart);
    without.pieces.tile->hangs_over = true;
    cut_.emplace(std::pair(one.product, operand), std::move(without));
    any = true;
  }
  return any;
}

// Where A, or B, has nothing but zeros, a row of D may be anywhere: those that are made of
// something lie in one.
bool SumChecks::is_cut_at_zeros(const Sum& sum) const {
  for (const char operand : {'A', 'B'}) {
    Addresses whole;
    for (const Slice& one : sum.slices)
      if (const InPieces* found = in_pieces(one, operand); found && lie_alike(whole, found->begins))
        fill_in(whole, found->begins);
    const Addresses of_d = stored_begins(sum, operand);
    if (apart_in_one(of_d) == 0 && apart_in_one(those_of_both(of_d, whole)) != 0) return true;
  }
  return false;
}

// In the order of D's lines its own jump on, and jump back as far: those in between are others'
// lines, not the next ones of an image.
bool SumChecks::comes_back(const Sum& sum, char operand) const {
  const auto k_of = [operand](const Slice& one) {
    const std::optional<TileAt>& other = operand == 'A' ? one.b : one.a;
    return other ? std::optional(operand == 'A' ? other->row : other->col) : std::nullopt;
  };
  const auto across = [operand](const Slice& one) {
    return operand == 'A' ? one.b->col : one.a->row;
  };
  const Slice* first = nullptr;
  for (const Slice& one : sum.slices)
    if (const InPieces* cut = in_pieces(one, operand); cut && cut->tile && k_of(one) && !first)
      first = &one;
  if (first == nullptr) return false;
  const std::int64_t apart = apart_in_pieces(in_pieces(*first, operand)->begins),
                     of_d = apart_in_one(stored_begins(sum, operand));
  if (of_d == 0) return false;
  std::vector<Line> lines;
  for (const Sum& other : sums_)
    for (const Slice& one : other.slices) {
      const InPieces* its = in_pieces(one, operand);
      if (!its || k_of(one) != k_of(*first) || across(one) != across(*first)) continue;
      const Addresses stored = stored_begins(other, operand);
      if (apart_in_one(stored) != of_d) continue;
      for (std::size_t k = 0; k < std::min(stored.size(), its->begins.size()); ++k)
        if (stored[k] && its->begins[k]) lines.push_back({*stored[k], *its->begins[k], &other});
    }
  std::sort(lines.begin(), lines.end(),
            [](const Line& a, const Line& b) { return a.of_d < b.of_d; });
  std::vector<std::int64_t> own, all;  // jumps
  for (std::size_t k = 1; k < lines.size(); ++k) {
    const auto between = static_cast<std::int64_t>(lines[k].of_d - lines[k - 1].of_d) / of_d;
    const std::int64_t jump =
        static_cast<std::int64_t>(lines[k].begin - lines[k - 1].begin) - between * apart;
    all.push_back(jump);
    if (jump != 0 && lines[k].sum == &sum && lines[k - 1].sum == &sum) own.push_back(jump);
  }
  return std::any_of(own.begin(), own.end(), [&all](std::int64_t jump) {
    return std::find(all.begin(), all.end(), -jump) != all.end();
  });
}

}  // namespace lanescope::viz
