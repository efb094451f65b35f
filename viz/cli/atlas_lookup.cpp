// SPDX-License-Identifier: MIT
// From words to an entry of the atlas.
#include "cli/atlas_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "layout/query.hpp"
#include "layout/spellings.hpp"

namespace lanescope::cli {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

bool read_pair(const std::string& text, int& row, int& col) {
  const char* end = text.data() + text.size();
  const auto [comma, row_error] = std::from_chars(text.data(), end, row);
  if (row_error != std::errc() || comma == end || *comma != ',') return false;
  const auto [last, col_error] = std::from_chars(comma + 1, end, col);
  return col_error == std::errc() && last == end;
}

std::string nothing_matches(const std::string& words) {
  if (const std::string why = layout::not_in_atlas(words); !why.empty())
    return fmt::format("no instruction matches '{}': {}", words, why);
  std::vector<std::string> near;
  for (const std::string_view name : layout::nearest(layout::bare(words), 3))
    near.emplace_back(name);
  return fmt::format("no instruction matches '{}'{}{} (lanescope layout --list)", words,
                     near.empty() ? "" : "; near it: ", joined(near, ", "));
}

namespace {

// Three of many, for an example. Those that begin as the words do come first: `mma` is no
// tcgen05.mma to most.
std::vector<std::string> likeliest(const std::vector<const layout::Instruction*>& found,
                                   const std::vector<const layout::Mover*>& moving,
                                   const std::string& first_word) {
  struct Ranked {
    bool begins_otherwise;
    std::size_t rarity;
    std::string name;
  };
  std::vector<Ranked> ranked;
  const auto rank = [&](const std::string& name, layout::Standing standing) {
    ranked.push_back({name.compare(0, first_word.size(), first_word) != 0,
                      layout::rarity(name, standing), name});
  };
  for (const layout::Mover* m : moving) rank(m->mnemonic, m->standing);
  for (const layout::Instruction* i : found) rank(i->mnemonic, i->standing);
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::tie(a.begins_otherwise, a.rarity) < std::tie(b.begins_otherwise, b.rarity);
  });
  ranked.resize(std::min<std::size_t>(ranked.size(), 3));
  std::vector<std::string> names;
  for (const Ranked& each : ranked) names.push_back(each.name);
  return names;
}

// As a shell takes it: without operands, in quotes where it has brackets.
std::string typed(const std::string& words) {
  const std::string bare = layout::bare(words);
  return bare.find_first_of("<>()&|*?$'!") == std::string::npos ? bare : "'" + bare + "'";
}

// D of tcgen05.mma, its scale factors and metadata: PTX's name does not say which.
bool are_of_tensor_memory(const std::vector<const layout::Mover*>& movers) {
  return std::all_of(movers.begin(), movers.end(),
                     [](const layout::Mover* m) { return m->in_tensor_lanes(); });
}

}  // namespace

AtlasEntry find_entry(const std::string& words) {
  if (const layout::Instruction* i = layout::find(words)) return {i, nullptr, {}};
  if (const layout::Mover* m = layout::find_mover(words)) return {nullptr, m, {}};
  const auto [found, moving, operand] = layout::look_up(words);
  if (found.size() == 1 && moving.empty()) return {found.front(), nullptr, {}, {}, operand};
  if (const layout::Mover* m = found.empty() ? layout::plain(moving) : nullptr; m != nullptr)
    return {nullptr, m, {}, {}, 0, moving.size() - 1};
  if (const layout::Instruction* i = moving.empty() ? layout::only_dense(found) : nullptr;
      i != nullptr)
    return {i, nullptr, {}, {}, operand, found.size() - 1};
  const std::size_t count = found.size() + moving.size();
  if (count == 0) return {nullptr, nullptr, nothing_matches(words)};
  const std::vector<std::string> some = likeliest(found, moving, words.substr(0, words.find(' ')));
  return {
      nullptr, nullptr,
      fmt::format("'{}' matches {} {}, such as {}; `lanescope layout --list {}` shows them all",
                  words, count,
                  found.empty() && are_of_tensor_memory(moving)
                      ? "entries, by M, N and types, which PTX has in the instruction descriptor"
                      : "instructions",
                  joined(some, ", "), typed(words)),
      moving.empty() ? found : std::vector<const layout::Instruction*>{}, operand};
}

std::vector<Alike> by_map(const std::vector<const layout::Instruction*>& all, char operand) {
  std::vector<Alike> maps;
  for (const layout::Instruction* one : all) {
    const auto same = std::find_if(maps.begin(), maps.end(), [&](const Alike& alike) {
      return layout::same_maps(*alike.front(), *one, operand);
    });
    if (same == maps.end())
      maps.push_back({one});
    else
      same->push_back(one);
  }
  return maps;
}

std::string several_maps(const std::string& words, const std::vector<Alike>& maps,
                         const std::string& operand) {
  std::size_t count = 0;
  std::vector<std::string> some;
  for (const Alike& alike : maps) {
    count += alike.size();
    if (some.size() < 4)
      some.push_back(alike.size() == 1 ? alike.front()->mnemonic
                                       : fmt::format("{} (and {} alike)", alike.front()->mnemonic,
                                                     alike.size() - 1));
  }
  return fmt::format(
      "'{}' matches {} instructions with {} maps of {}: {}{}; `lanescope layout --list {}` shows "
      "them "
      "all",
      words, count, maps.size(), operand, joined(some, ", "),
      maps.size() > some.size() ? ", ..." : "", typed(words));
}

}  // namespace lanescope::cli
