// SPDX-License-Identifier: MIT
// See shown.hpp.
#include "cudart/shown.hpp"

#include <filesystem>

namespace lanescope::cudart {
namespace {

std::string current_folder() {
  std::error_code ignored;  // it may be gone
  return std::filesystem::current_path(ignored).string();
}

const std::string kStartedIn = current_folder();  // when the library is loaded

// A path begins behind a blank, a bracket or a quote, not in the middle of another path.
bool may_begin(const std::string& text, std::size_t at) {
  return at == 0 || std::string_view(" \n`'\"(=").find(text[at - 1]) != std::string_view::npos;
}

}  // namespace

std::string from_folder(std::string text, std::string_view folder) {
  if (folder.size() < 2 || folder.front() != '/') return text;
  const std::string above = std::string(folder) + "/";
  for (std::size_t at = text.find(above); at != std::string::npos; at = text.find(above, at)) {
    if (may_begin(text, at))
      text.erase(at, above.size());
    else
      at += above.size();
  }
  return text;
}

std::string from_here(std::string text) { return from_folder(std::move(text), kStartedIn); }

}  // namespace lanescope::cudart
