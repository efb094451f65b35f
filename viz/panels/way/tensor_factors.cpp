// SPDX-License-Identifier: MIT
// See tensor_factors.hpp.
#include "panels/way/tensor_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lanescope::viz {
namespace {

using trace::Verdict;

constexpr int kLanesOfWarp = 32, kQuarters = 4, kRowsOfPiece = 128, kPiece = 512;
constexpr std::size_t kMostProducts = 16;  // of a long sum's first ones

}  // namespace

const char* TensorFactors::name_of(char operand) { return operand == 'S' ? "SFA" : "SFB"; }

std::optional<TensorFactors::Taken> TensorFactors::taken(const StepPlace& place, char operand,
                                                         std::string& why) {
  const std::optional<TensorScales> scales = tensor_scales(history_, place);
  if (!scales) return std::nullopt;
  why = scales->why;
  const bool of_a = operand == 'S';
  if (why.empty() && (of_a ? scales->sfa : scales->sfb) + scales->vectors > 4)
    why = fmt::format("{}_ID names bytes that a word has not", name_of(operand));
  return Taken{place,
               of_a ? scales->a_column : scales->b_column,
               of_a ? scales->sfa : scales->sfb,
               of_a ? scales->M / scales->ctas : scales->N,
               scales->vectors,
               !of_a && scales->ctas == 2 && scales->M == 128};
}

// `first`: the byte of the sum's first one.
TensorFills::Byte TensorFactors::place_of(const Taken& one, const Factor& at, const Try& what,
                                          int first) const {
  const int row = what.in_rows ? at.row / kRowsOfPiece * kRowsOfPiece + at.row % 4 * kLanesOfWarp +
                                     at.row % kRowsOfPiece / 4
                               : at.row;
  const int byte = what.ids_go_along ? (first + at.product * one.vectors) % 4 : one.byte;
  return {at.quarter * kLanesOfWarp + row % kLanesOfWarp, one.column + row / kLanesOfWarp,
          byte + at.chunk};
}

Origin TensorFactors::origin(const std::vector<Taken>& all, const Factor& at, const Try& what) {
  const Taken& one = all[static_cast<std::size_t>(at.product)];
  return fills_.origin(one.place, place_of(one, at, what, all.front().byte), what.cp);
}

// Every factor with where it came from, until `visit` is false; false, too, where one is unknown.
template <class Visit>
bool TensorFactors::each(const std::vector<Taken>& all, const Try& what, const Visit& visit) {
  for (int product = 0; product < static_cast<int>(all.size()); ++product) {
    const Taken& one = all[static_cast<std::size_t>(product)];
    for (int quarter = 0; quarter < kQuarters; ++quarter)
      for (int row = 0; row < (one.halves ? one.rows / 2 : one.rows); ++row)
        for (int chunk = 0; chunk < one.vectors; ++chunk) {
          const Factor at{product, row, quarter, chunk};
          const Origin from = origin(all, at, what);
          if (!from.known || !visit(one, at, from)) return false;
        }
  }
  return true;
}

// Lanes 64 and up of halved ones have rows of their own.
int TensorFactors::part_of(const Taken& one, const Factor& at) {
  return one.halves ? at.quarter / 2 : 0;
}

std::string TensorFactors::in_pieces(const std::vector<Taken>& all, const Try& what) {
  const Origin first = origin(all, {}, what);
  if (!first.known) return {};
  const int phase =
      first.base != 0 ? static_cast<int>((first.address - first.base) % kPiece) : all.front().byte;
  if (phase > 3) return {};
  std::map<std::tuple<int, int, int>, std::uint64_t> pieces;
  const bool fits = each(all, what, [&](const Taken& one, const Factor& at, const Origin& from) {
    const int k = phase + at.product * one.vectors + at.chunk;
    const int low = at.row % kLanesOfWarp * 16 + at.row % kRowsOfPiece / kLanesOfWarp * 4 + k % 4;
    const std::uint64_t piece = from.address - static_cast<std::uint64_t>(low);
    const auto here =
        pieces.emplace(std::tuple{part_of(one, at), at.row / kRowsOfPiece, k / 4}, piece).first;
    return from.base == first.base && here->second == piece &&
           (piece - (first.address - static_cast<std::uint64_t>(phase))) % kPiece == 0;
  });
  if (!fits) return {};
  std::set<std::uint64_t> different;
  for (const auto& [which, piece] : pieces) different.insert(piece);
  if (different.size() != pieces.size()) return {};
  return "in pieces of 512 bytes, row r at r % 32 * 16 + r / 32 * 4";
}

std::string TensorFactors::in_lines(const std::vector<Taken>& all, const Try& what) {
  const bool in_chunks = all.front().vectors > 1;
  if (!in_chunks && all.size() < 2) return {};
  const Origin first = origin(all, {}, what), down = origin(all, {0, 1, 0, 0}, what),
               right = origin(all, {in_chunks ? 0 : 1, 0, 0, in_chunks ? 1 : 0}, what);
  if (!first.known || !down.known || !right.known) return {};
  const std::uint64_t along_rows = down.address - first.address,
                      along_k = right.address - first.address;
  if ((along_rows == 1) == (along_k == 1)) return {};
  const bool fits = each(all, what, [&](const Taken& one, const Factor& at, const Origin& from) {
    const int row = at.row + part_of(one, at) * one.rows / 2;
    return from.base == first.base &&
           from.address ==
               first.address + static_cast<std::uint64_t>(row) * along_rows +
                   static_cast<std::uint64_t>(at.product * one.vectors + at.chunk) * along_k;
  });
  if (!fits) return {};
  return along_k == 1 ? fmt::format("row after row, {} bytes apart", along_rows)
                      : fmt::format("chunk after chunk, {} bytes apart", along_k);
}

std::string TensorFactors::lies(const std::vector<Taken>& all, const Try& what) {
  const std::string pieces = in_pieces(all, what);
  return pieces.empty() ? in_lines(all, what) : pieces;
}

// Nothing where every factor's way is known.
std::optional<std::string> TensorFactors::unknown(const std::vector<Taken>& all, char operand) {
  std::optional<std::string> why;
  for (const Taken& one : all)
    for (int row = 0; row < (one.halves ? one.rows / 2 : one.rows) && !why; ++row) {
      const TensorFills::Byte at = place_of(one, {0, row, 0, 0}, {}, one.byte);
      if (!fills_.is_filled(one.place, at))
        why = fmt::format("nothing that is recorded has filled lane {}, column {} of tensor memory",
                          at.lane, at.column);
      else if (!fills_.origin(one.place, at, {}).known)
        why = fmt::format("where {}[{}][0] came from is not known", name_of(operand), row);
    }
  return why;
}

std::optional<OriginCheck> TensorFactors::check(const TensorSum& sum, char operand) {
  OriginCheck check;
  trace::Diagnosis& d = check.diagnosis;
  std::vector<Taken> all;
  for (std::size_t k = 0; k < std::min(sum.size(), kMostProducts); ++k) {
    const auto one = taken(sum[k].place, operand, d.mistake);
    if (!one) return std::nullopt;
    if (!d.mistake.empty()) return check;
    all.push_back(*one);
  }
  const auto mistake = [&](const char* kind, std::string words, std::string advice) {
    name_mistake(d, kind, std::move(words), std::move(advice));
    return check;
  };
  const bool begins = fills_.sees_all(all.front().place) &&
                      fills_.is_filled(all.front().place, {0, all.front().column, 0});
  for (int quarter = 1; quarter < kQuarters && begins; ++quarter)
    if (!fills_.is_filled(all.front().place, {quarter * kLanesOfWarp, all.front().column, 0}))
      return mistake(
          "factor-lanes",
          fmt::format("{} is in lanes 0 to {} of tensor memory alone", name_of(operand),
                      quarter * kLanesOfWarp - 1),
          "each 32 lanes want the same factors: tcgen05.cp.32x128b.warpx4 leaves them so");
  check.lies = lies(all, {});
  if (!check.lies.empty()) {
    d.verdict = Verdict::right;
    const std::string from =
        fills_.place(all.front().place, place_of(all.front(), {}, {}, all.front().byte));
    if (!from.empty()) check.lies += fmt::format(", from {} on", from);
    return check;
  }
  for (const Try& one : tries(all, operand)) {
    check.lies = lies(all, one);
    if (check.lies.empty()) continue;
    count_wrong(check, all, one, operand);
    return mistake(one.kind.c_str(), one.words, one.advice);
  }
  if (auto why = unknown(all, operand)) return d.mistake = std::move(*why), check;
  for (std::size_t later = 1; later < all.size(); ++later)
    for (std::size_t sooner = 0; sooner < later; ++sooner)
      if (origin(all, {static_cast<int>(later), 0, 0, 0}, {}).address ==
          origin(all, {static_cast<int>(sooner), 0, 0, 0}, {}).address)
        return mistake(
            "factor-stale",
            fmt::format("tcgen05.mma {} of the sum takes the {} of {} once more", later + 1,
                        name_of(operand), sooner + 1),
            "has a tcgen05.cp brought those of its chunks of K, to where it takes them?");
  d.verdict = Verdict::unknown;
  d.mistake = fmt::format("{} lies neither in pieces of 512 bytes nor in lines", name_of(operand));
  d.advice = "`lanescope layout tcgen05.mma block_scale` says which lane and column has which";
  return check;
}

void TensorFactors::count_wrong(OriginCheck& check, const std::vector<Taken>& all, const Try& what,
                                char operand) {
  trace::Diagnosis& d = check.diagnosis;
  each(all, what, [&](const Taken& one, const Factor& at, const Origin& should) {
    if (at.quarter != 0) return true;
    ++d.elements;
    if (origin(all, at, {}).address == should.address || d.wrong++ > 0) return true;
    const TensorFills::Byte place = place_of(one, at, {}, all.front().byte);
    check.first = fmt::format(
        "step {}: {}[{}][{}] is taken from lane {}, column {}, byte {} of tensor memory",
        history_.item(one.place.warp, one.place.item).step->step, name_of(operand), at.row,
        at.product * one.vectors + at.chunk, place.lane, place.column, place.byte);
    return true;
  });
}

}  // namespace lanescope::viz
