// SPDX-License-Identifier: MIT
#include "cli/layout_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/atlas_lookup.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "layout/query.hpp"
#include "panels/atlas/atlas_list.hpp"

namespace lanescope::cli {
namespace {

// M, N and K; a mover multiplies nothing.
std::array<int, 3> shape(const viz::Entry& e) {
  if (e.instruction == nullptr) return {0, 0, 0};
  return {e.instruction->M, e.instruction->N, e.instruction->K};
}

// Since when, where and how sure: behind the names, or where that is too long for a terminal,
// below.
std::string table(const std::vector<viz::Entry>& found, int columns) {
  std::string out;
  std::size_t width = 0, longest = 0;
  std::vector<std::string> facts;
  for (const viz::Entry& e : found) {
    facts.push_back(
        fmt::format("  PTX {}, {}, {}\n", e.ptx(), e.target(), layout::name(e.standing())));
    width = std::max(width, e.mnemonic().size());
    longest = std::max(longest, facts.back().size() - 1);
  }
  const bool below = columns > 0 && width + longest > static_cast<std::size_t>(columns);
  for (std::size_t k = 0; k < found.size(); ++k) {
    out += found[k].mnemonic();
    out += below ? "\n  " : std::string(width - found[k].mnemonic().size(), ' ');
    out += facts[k];
  }
  return out;
}

std::string csv(const std::vector<viz::Entry>& found) {
  std::string out = "instruction,family,M,N,K,ptx,target,standing,source\n";
  for (const viz::Entry& e : found) {
    const auto [M, N, K] = shape(e);
    out += fmt::format("{},{},{},{},{},{},{},{},\"{}\"\n", e.mnemonic(), e.family(), M, N, K,
                       e.ptx(), e.target(), layout::name(e.standing()), e.source());
  }
  return out;
}

std::string json(const std::vector<viz::Entry>& found) {
  std::string out = "[";
  const char* comma = "\n";
  for (const viz::Entry& e : found) {
    const auto [M, N, K] = shape(e);
    out += fmt::format(
        "{}{{\"instruction\":\"{}\",\"family\":\"{}\",\"M\":{},\"N\":{},\"K\":{},"
        "\"ptx\":\"{}\",\"target\":\"{}\",\"standing\":\"{}\",\"source\":\"{}\"}}",
        comma, e.mnemonic(), e.family(), M, N, K, e.ptx(), e.target(), layout::name(e.standing()),
        e.source());
    comma = ",\n";
  }
  return out + "]\n";
}

std::string markdown(const std::vector<viz::Entry>& found) {
  std::string out =
      "| instruction | family | PTX | target | standing | source |\n|--|--|--|--|--|--|\n";
  for (const viz::Entry& e : found)
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", e.mnemonic(), e.family(), e.ptx(),
                       e.target(), layout::name(e.standing()), e.source());
  return out;
}

// What of the restrictions the atlas has never heard of, and what it has instead; or "".
std::string unknown_restriction(const LayoutOptions& options) {
  const auto check = [](const char* name, const std::string& value,
                        const std::vector<viz::Choice>& all, bool known) {
    if (value.empty() || known) return std::string();
    std::vector<std::string> names;
    for (const viz::Choice& choice : all) names.push_back(choice.name);
    return fmt::format("{} '{}': the atlas has {}", name, value, joined(names, ", "));
  };
  const viz::AtlasFilter family{"", options.family, "", ""}, type{"", "", options.type, ""},
      arch{"", "", "", options.arch};
  for (const std::string& why :
       {check("--family", options.family, viz::families(), !viz::entries(family).empty()),
        check("--type", options.type, viz::types(), !viz::entries(type).empty()),
        check("--arch", options.arch, viz::arches(), !viz::entries(arch).empty())})
    if (!why.empty()) return why;
  return {};
}

}  // namespace

int list_instructions(const LayoutOptions& options) {
  if (const std::string why = unknown_restriction(options); !why.empty()) return refuse(why);
  for (const char* one : {"svg", "cute"})
    if (options.format == one)
      return refuse(fmt::format("--{} is not of lists; name one instruction", one));
  const std::string words = joined(options.words);
  const std::vector<viz::Entry> found =
      viz::entries({words, options.family, options.type, options.arch});
  if (found.empty())
    return refuse(layout::look_up(words).count() == 0
                      ? nothing_matches(words)
                      : "no instruction of the atlas is all of that; see layout --list");
  if (options.format == "csv")
    fmt::print("{}", csv(found));
  else if (options.format == "json")
    fmt::print("{}", json(found));
  else if (options.format == "markdown")
    fmt::print("{}", markdown(found));
  else
    print("{}", table(found, terminal_columns()));
  return 0;
}

}  // namespace lanescope::cli
