// SPDX-License-Identifier: MIT
// See exercise.hpp.
#include "guide/exercise.hpp"

namespace lanescope::guide {

std::optional<Parts> take_apart(const std::string& source) {
  const std::size_t begins = source.find("// ---- your code begins");
  const std::size_t ends = source.find("// ---- your code ends");
  if (begins == std::string::npos || ends == std::string::npos || ends < begins) return {};
  const std::size_t gap = source.find('\n', begins) + 1;
  const std::size_t last = source.rfind('\n', ends) + 1;
  if (gap == 0 || last < gap) return {};  // both in one line
  return Parts{source.substr(0, gap), source.substr(gap, last - gap), source.substr(last)};
}

}  // namespace lanescope::guide
