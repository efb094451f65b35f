// SPDX-License-Identifier: MIT
#include "web/address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "panels/panels.hpp"

namespace lanescope::viz {

std::string address_of(const Workspace& ws) {
  constexpr std::string_view kView = "lanescope view", kLessons = "lessons/", kDropped = "dropped/";
  std::string words = link_of(ws).substr(kView.size());
  words.erase(0, words.find_first_not_of(' '));
  if (words.find(kDropped) != words.npos) return {};
  if (ws.page != Page::trace || ws.trace_path.rfind(kLessons, 0) != 0) return words;
  // A lesson's recording has a name without blanks, which nobody puts in quotes.
  const int number = lesson_number(std::string_view(ws.trace_path).substr(kLessons.size(), 3));
  return fmt::format("{}{}", number, words.substr(std::min(ws.trace_path.size(), words.size())));
}

}  // namespace lanescope::viz
