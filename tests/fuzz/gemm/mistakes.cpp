// SPDX-License-Identifier: MIT
// What can be wrong in a kernel of random_gemm.hpp: one line of it is another.
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/fuzz/gemm/gemm_generator.hpp"

namespace lanescope::tests {
namespace {

Names split(const std::string& text) {
  Names lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Of "{%r1, %r2}" between two places: two of the names change their places.
std::string exchanged(const std::string& line, std::size_t open, std::size_t close,
                      Random& random) {
  Names names;
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t end = std::min(line.find(", ", at), close);
    names.push_back(line.substr(at, end - at));
    at = end + 2;
  }
  if (names.size() < 2) return line;
  const auto one = static_cast<std::size_t>(random.below(static_cast<int>(names.size())));
  const auto other =
      (one + 1 + static_cast<std::size_t>(random.below(static_cast<int>(names.size()) - 1))) %
      names.size();
  std::swap(names[one], names[other]);
  return line.substr(0, open) + list(names) + line.substr(close + 1);
}

}  // namespace

std::string with_mistake(const RandomGemm& gemm, GemmMistake mistake, unsigned seed) {
  Random random(seed);
  Names lines = split(gemm.ptx);
  const auto is_place = [mistake](const std::string& line) {
    const auto has = [&line](const char* word) { return line.find(word) != line.npos; };
    switch (mistake) {
      case GemmMistake::registers:
        return has("mma.sync") || has("wgmma.mma_async");
      case GemmMistake::strayed:
        return has("mma.sync");
      case GemmMistake::halves:
        return has("mov.b32") && has("{%h");
      case GemmMistake::trans:
        return has(".trans") || (has("wgmma.mma_async") && (has(".f16 {") || has(".bf16 {")));
      case GemmMistake::barrier:
        return has("bar.") || has("wait_group");
      default:
        break;
    }
    return false;
  };
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (is_place(lines[k])) places.push_back(k);
  if (places.empty()) return {};
  std::string& line =
      lines[places[static_cast<std::size_t>(random.below(static_cast<int>(places.size())))]];
  if (mistake == GemmMistake::strayed) {
    // The last register of one in the place of another's: "... %f3};"
    const std::string& other =
        lines[places[static_cast<std::size_t>(random.below(static_cast<int>(places.size())))]];
    line = line.substr(0, line.rfind('%')) + other.substr(other.rfind('%'));
  }
  if (mistake == GemmMistake::barrier) line.clear();
  if (mistake == GemmMistake::trans) {
    if (const std::size_t at = line.find(".trans"); at != line.npos)
      line.erase(at, 6);
    else
      line[line.size() - 2] = line[line.size() - 2] == '0' ? '1' : '0';  // imm-trans-b
  }
  if (mistake == GemmMistake::registers || mistake == GemmMistake::halves) {
    std::vector<std::size_t> opens;
    for (std::size_t at = line.find('{'); at != line.npos; at = line.find('{', at + 1))
      opens.push_back(at);
    const std::size_t open =
        opens[static_cast<std::size_t>(random.below(static_cast<int>(opens.size())))];
    line = exchanged(line, open, line.find('}', open), random);
  }
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace lanescope::tests
