// SPDX-License-Identifier: MIT
// Numbers in the documents that come from recorded files, held to those files.
#pragma once

#include <iterator>
#include <string>

#include "tests/contents.hpp"

namespace lanescope::golden {

/// Whether a document of the repository has these words behind `number`, written as 8,443; their
/// line may end anywhere between them.
inline bool says(const std::string& document, std::size_t number, const std::string& words) {
  std::string text = tests::contents_of(LANESCOPE_SOURCE_DIR "/" + document);
  for (char& c : text)
    if (c == '\n') c = ' ';
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return text.find(digits + " " + words) != std::string::npos;
}

}  // namespace lanescope::golden
