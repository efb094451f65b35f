// SPDX-License-Identifier: MIT
// What was meant by words that are no name: the names that are fewest letters away. Source: none,
// which shapes are common is a matter of taste (those that libraries and tutorials use most).
#include <algorithm>
#include <array>
#include <tuple>

#include "layout/query.hpp"

namespace lanescope::layout {
namespace {

constexpr std::array<std::string_view, 18> kCommon{
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
    "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16",
    "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16",
    "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.shared.b16",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
    "tcgen05.mma.cta_group::1.m128n256.f32",
    "tcgen05.ld.sync.aligned.32x32b.x32.b32",
    "tcgen05.st.sync.aligned.32x32b.x32.b32",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
};

/// How many single-character edits turn `a` into `b`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// Calls `with` for each piece of `text` between blanks and dots.
template <class With>
void for_pieces(std::string_view text, With with) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(" .", at), text.size());
    if (end > at) with(text.substr(at, end - at));
    at = end + 1;
  }
}

/// Each piece of the words against the dotted part of the name that is nearest to it.
std::size_t word_cost(std::string_view words, std::string_view mnemonic) {
  std::size_t cost = 0;
  for_pieces(words, [&](std::string_view word) {
    std::size_t best = word.size();
    for_pieces(mnemonic, [&](std::string_view part) {
      best = std::min(best, part.find(word) != part.npos ? 0 : distance(word, part));
    });
    cost += best;
  });
  return cost;
}

}  // namespace

std::size_t rarity(std::string_view mnemonic, Standing standing) {
  const auto* common = std::find(kCommon.begin(), kCommon.end(), mnemonic);
  if (common != kCommon.end()) return static_cast<std::size_t>(common - kCommon.begin());
  return kCommon.size() + (standing == Standing::verified ? 0 : 1);
}

std::vector<std::string_view> nearest(std::string_view words, std::size_t count) {
  const bool whole = words.find(' ') == words.npos && words.size() > 20;
  const std::size_t letters =
      words.size() - static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '));
  struct Ranked {
    std::size_t cost, rarity;
    std::string_view name;
  };
  std::vector<Ranked> ranked;
  const auto rank = [&](std::string_view mnemonic, Standing standing) {
    const std::size_t cost = whole ? distance(words, mnemonic) : word_cost(words, mnemonic);
    if (!whole && cost > 0 && 2 * cost > letters) return;  // what slipped is not half of it
    ranked.push_back({cost, rarity(mnemonic, standing), mnemonic});
  };
  for (const Instruction& i : instructions()) rank(i.mnemonic, i.standing);
  for (const Mover& m : movers()) rank(m.mnemonic, m.standing);
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::tie(a.cost, a.rarity) < std::tie(b.cost, b.rarity);
  });
  std::vector<std::string_view> found;
  for (std::size_t n = 0; n < std::min(count, ranked.size()); ++n) found.push_back(ranked[n].name);
  return found;
}

}  // namespace lanescope::layout
