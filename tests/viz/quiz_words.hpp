// SPDX-License-Identifier: MIT
// Reading a question of the quiz, for tests that work its answer out by themselves.
#pragma once

#include <doctest/doctest.h>

#include <string>

namespace lanescope::viz {

inline int number_behind(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  REQUIRE_MESSAGE(at != std::string::npos, text);
  return std::stoi(text.substr(at + words.size()));
}

inline bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace lanescope::viz
