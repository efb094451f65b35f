// SPDX-License-Identifier: MIT
#include "cli/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/printable.hpp"

namespace lanescope::cli {

// Optimal string alignment (a Levenshtein table with swaps of neighbours).
int edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int same = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({same, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return table.back();
}

std::string meant(const std::string& word, const std::vector<std::string>& names) {
  std::string nearest;
  int best = 3;  // further away is no slip of the fingers
  for (const std::string& name : names) {
    const bool option = name.compare(0, 2, "--") == 0;
    // The start of a name is meant, whatever is missing.
    const bool start = word.size() >= (option ? 4 : 2) && name.compare(0, word.size(), word) == 0;
    const int distance = start ? 0 : edit_distance(word.substr(0, 64), name);
    if (distance < best && distance < static_cast<int>(name.size()) - (option ? 2 : 0)) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string unknown_command(const std::string& word, const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) {
    if (name == word) return {};
    all += (all.empty() ? "" : ", ") + name;
  }
  if (word == "build" || word == "test")  // one who calls this command by itself may look for them
    return fmt::format(
        "no command '{0}': that one is ./learn's, ./learn {0} in the project's folder", word);
  const std::string nearest = meant(word, names);
  const std::string shown = word.size() > 64 ? word.substr(0, 64) + "..." : word;
  if (!nearest.empty()) return fmt::format("no command '{}'; did you mean '{}'?", shown, nearest);
  return fmt::format("no command '{}'; there are {}", shown, all);
}

std::string one_line(std::string text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (const std::size_t length = control_length(text, at); length > 0)
      text.replace(at, length, " ");
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

void say(const std::string& line) {
  // Not fmt::print, which throws where stderr is closed: what is said is never why a command fails.
  const std::string whole = line + "\n";
  std::fwrite(whole.data(), 1, whole.size(), stderr);
}

int refuse(const std::string& why, int code) {
  std::fflush(stdout);
  say("lanescope: " + one_line(why));
  return code;
}

}  // namespace lanescope::cli
