// SPDX-License-Identifier: MIT
// The taps of a convolution's filter: from one to the next A goes on by a pixel, or to the next row
// of the image, always as far. One that lies elsewhere is a mistake. See sum_checks.hpp.
//
//   by tap, where A begins, less its k:   0  s 2s   r r+s r+2s   2r 2r+s 2r+2s   3 x 3
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "panels/way/sum_checks.hpp"

namespace lanescope::viz {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 40;  // bytes of any image there is

// By tap, in bytes; nothing: it is not known.
using Taps = std::vector<std::optional<std::int64_t>>;

struct Grid {
  std::size_t wide = 0;
  std::int64_t first = 0, right = 0, down = 0;
  std::int64_t at(std::size_t tap) const {
    return first + static_cast<std::int64_t>(tap % wide) * right +
           static_cast<std::int64_t>(tap / wide) * down;
  }
};

// On which all of them lie, in rows of so many, but for one; nothing where there is none, or where
// too few are known to say so.
std::optional<Grid> grid_of(Taps taps, std::size_t wide, std::size_t but) {
  constexpr int kFewest = 5;  // any three lie on one
  taps[but].reset();
  const auto known = [&](std::size_t at) { return at < taps.size() && taps[at]; };
  std::optional<std::int64_t> right, down;
  std::optional<std::size_t> one;
  for (std::size_t t = 0; t < taps.size(); ++t) {
    if (!known(t)) continue;
    one = t;
    if ((t + 1) % wide != 0 && known(t + 1)) right = *taps[t + 1] - *taps[t];
    if (known(t + wide)) down = *taps[t + wide] - *taps[t];
  }
  if (!right || !down) return std::nullopt;
  Grid grid{wide, 0, *right, *down};
  grid.first = *taps[*one] - grid.at(*one);
  int there = 0;
  for (std::size_t t = 0; t < taps.size(); ++t) {
    if (!taps[t]) continue;
    if (*taps[t] != grid.at(t)) return std::nullopt;
    ++there;
  }
  return there < kFewest ? std::nullopt : std::optional(grid);
}

struct OffTap {
  std::size_t tap = 0;
  Grid grid;
};

// The only one without which all lie on a grid; nothing where all do, or where it may be another.
std::optional<OffTap> off_tap(const Taps& taps) {
  std::optional<OffTap> found;
  for (std::size_t wide = 2; wide * 2 <= taps.size(); ++wide)
    for (std::size_t t = 0; taps.size() % wide == 0 && t < taps.size(); ++t) {
      const auto grid = taps[t] ? grid_of(taps, wide, t) : std::nullopt;
      if (!grid) continue;
      if (found || grid->at(t) == *taps[t]) return std::nullopt;
      found = OffTap{t, *grid};
    }
  return found;
}

}  // namespace

// What of k each product has, and where A begins there; empty where A's rows are not always alike.
std::vector<SumChecks::TapPart> SumChecks::parts_of_taps(const Sum& sum) const {
  std::vector<TapPart> parts;
  const Addresses* first = nullptr;
  for (const Slice& one : sum.slices) {
    const InPieces* a = in_pieces(one, 'A');
    if (a == nullptr || !one.b || one.ks == 0) continue;
    if (first == nullptr) first = &a->begins;
    if (!lie_alike(*first, a->begins)) return {};
    const layout::Fragment& map = *at(one.product).map('A');
    const std::int64_t k_of_a = one.b->row * map.cols / at(one.product).instruction->K;
    const std::int64_t k_bytes = k_of_a * map.element_bits / 8;
    for (std::size_t line = 0; line < first->size(); ++line)
      if ((*first)[line] && a->begins[line]) {
        const auto from = static_cast<std::int64_t>(*a->begins[line] - *(*first)[line]);
        if (std::max(from, -(from + 1)) > kLargest) return {};
        parts.push_back({one.product, one.b->row, one.ks, from - k_bytes});
        break;
      }
  }
  return parts;
}

std::optional<SumCheck> SumChecks::off_tap_of(const Sum& sum) const {
  constexpr std::int64_t kMostTaps = 121;
  const std::vector<TapPart> parts = parts_of_taps(sum);
  if (parts.empty()) return std::nullopt;
  const std::int64_t all = parts.back().k + parts.back().ks;
  std::int64_t tap = all;  // so many of k: it ends wherever A jumps
  for (std::size_t n = 1; n < parts.size(); ++n) {
    if (parts[n].k < parts[n - 1].k + parts[n - 1].ks) return std::nullopt;
    if (parts[n].begins != parts[n - 1].begins && parts[n].k == parts[n - 1].k + parts[n - 1].ks)
      tap = std::gcd(tap, parts[n].k);
  }
  if (tap <= 0 || all / tap > kMostTaps) return std::nullopt;
  Taps taps(static_cast<std::size_t>(all / tap));
  for (const TapPart& part : parts) {
    auto& known = taps[static_cast<std::size_t>(part.k / tap)];
    if (known && *known != part.begins) return std::nullopt;
    known = part.begins;
  }
  const auto found = off_tap(taps);
  if (!found) return std::nullopt;
  const auto of = static_cast<std::int64_t>(found->tap);
  const auto part = std::find_if(parts.begin(), parts.end(),
                                 [&](const TapPart& one) { return one.k / tap == of; });
  const std::int64_t off = *taps[found->tap] - found->grid.at(found->tap);
  return mistaken_sum(
      part->product, "tap-off",
      fmt::format("k {} of A begins {} bytes too {}: tap {},{} of a filter of {} x {} whose others "
                  "are equally far apart",
                  range_text(of * tap, tap), std::abs(off), off < 0 ? "soon" : "far on",
                  found->tap / found->grid.wide, found->tap % found->grid.wide,
                  taps.size() / found->grid.wide, found->grid.wide),
      "which pixel does a tap begin at? Its row and its column, times the dilation, less the "
      "padding");
}

const std::vector<trace::KnownMistake>& known_tap_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"tap-off", "one tap of a convolution's filter that is another pixel's"}};
  return all;
}

}  // namespace lanescope::viz
