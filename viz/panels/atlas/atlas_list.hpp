// SPDX-License-Identifier: MIT
// The atlas as a list: every instruction and every matrix mover, narrowed down by family, type,
// target and words, as `lanescope layout --list` does it. Pure model, no Dear ImGui. What an entry
// says is common/layout's; here it is only found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"

namespace lanescope::viz {

/// One line of the list: one of the two is set.
struct Entry {
  const layout::Instruction* instruction = nullptr;
  const layout::Mover* mover = nullptr;
  bool empty() const { return instruction == nullptr && mover == nullptr; }
  std::string_view mnemonic() const;
  std::string_view family() const;
  std::string_view ptx() const;
  std::string_view target() const;
  std::string_view source() const;
  layout::Standing standing() const;
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// A mnemonic in so many characters: where it has more, an ellipsis stands for words that say
/// little, and only where that does not do for some in its middle. Its end, the types, tells
/// entries apart.
std::string shortened_mnemonic(std::string_view mnemonic, std::size_t characters);

/// What is asked for; what is empty does not restrict.
struct AtlasFilter {
  std::string words, family, type, arch;
  friend bool operator==(const AtlasFilter&, const AtlasFilter&) = default;
};

std::vector<Entry> entries(const AtlasFilter& filter);
/// How many entries the atlas has.
std::size_t entry_count();

/// One choice of a facet and how many entries of the whole atlas it has.
struct Choice {
  std::string name;
  int count = 0;
};
const std::vector<Choice>& families();
const std::vector<Choice>& types();
const std::vector<Choice>& arches();

/// The names nearest to words that nothing matches.
std::vector<std::string> near_misses(const std::string& words, std::size_t count);

/// The entry that the words mean: the one with exactly this name, or the only one that matches;
/// else empty.
Entry only_entry(const std::string& words);

/// What is known of an entry, as (what, words): where from, since when, how far proved.
struct Known {
  std::string what, words;
};
std::vector<Known> known_of(const Entry& entry);

/// Its operands, a line each: "A  16 x 16 f16: 4 registers, 8 values", E and the scales too.
std::vector<std::string> operand_lines(const Entry& entry);

}  // namespace lanescope::viz
