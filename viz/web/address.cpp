// SPDX-License-Identifier: MIT
#include "web/address.hpp"

#include <string>
#include <string_view>

#include "panels/panels.hpp"

namespace lanescope::viz {

std::string address_of(const Workspace& ws) {
  constexpr std::string_view kView = "lanescope view", kLessons = "lessons/", kDropped = "dropped/",
                             kRecorded = "/recorded.lanes";
  std::string words = link_of(ws).substr(kView.size());
  words.erase(0, words.find_first_not_of(' '));
  if (words.find(kDropped) != words.npos) return {};
  // A lesson's recording has a name without blanks, which nobody puts in quotes.
  for (std::size_t at = 0; (at = words.find(kLessons, at)) != words.npos;) {
    const std::size_t end = words.find(kRecorded, at);
    if (end == words.npos) break;
    const int number = lesson_number(std::string_view(words).substr(at + kLessons.size(), 3));
    words.replace(at, end + kRecorded.size() - at, std::to_string(number));
  }
  return words;
}

}  // namespace lanescope::viz
