// SPDX-License-Identifier: MIT
// What nvcc told ptxas, as it stands in a fat binary: " --fmad false  -O0 ". Most options change
// nothing that can be seen here.
#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {
namespace {

/// Words; a value that stands behind `=` is a word of its own.
std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBetween = " \t\n,=\"'";
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = text.find_first_of(kBetween, begin);
    words.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end);
  }
}

}  // namespace

void read_ptxas_options(PtxModule& module, std::string_view options) {
  const auto words = words_of(options);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string_view word = words[k], next = k + 1 < words.size() ? words[k + 1] : "";
    if (word == "--fmad" || word == "-fmad") module.contracts = next != "false";
    if (word == "--opt-level" || word == "-opt-level" || word == "-O")
      module.is_optimized = next != "0";
    else if (word.substr(0, 2) == "-O")
      module.is_optimized = word != "-O0";
  }
}

}  // namespace lanescope::emulator
