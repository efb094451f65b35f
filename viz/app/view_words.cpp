// SPDX-License-Identifier: MIT
#include "app/view_words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <vector>

#include "panels/frame/workspace.hpp"
#include "panels/look/shell_word.hpp"

namespace lanescope::viz {
namespace {

namespace fs = std::filesystem;

// What an option's words are kept in; nullptr: it is none of these.
std::string* place_of(std::string_view option, WindowOptions& o) {
  if (option == "--beside") return &o.page_beside;
  if (option == "--panel") return &o.panel;
  if (option == "--select") return &o.selection;
  if (option == "--tab") return &o.tab;
  return nullptr;
}

bool is_page(std::string_view option) {
  return option == "--atlas" || option == "--swizzle" || option == "--descriptor";
}

// Other words than those of an atlas stand alone.
bool takes_many(std::string_view option) { return is_page(option) || option == "--beside"; }

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

// "2", or "2,1": one tile beside another.
std::string read_product(std::string_view text, WindowOptions& o) {
  const std::size_t comma = text.find(',');
  const auto first = whole_number(text.substr(0, comma));
  const auto second = comma == text.npos ? std::optional(0) : whole_number(text.substr(comma + 1));
  if (!first || !second) return fmt::format("--product {}: a number, or two as in 2,1", text);
  o.product = *first;
  o.beside = *second;
  return {};
}

std::string read_target(const std::string& word, WindowOptions& o) {
  if (!o.trace.empty() && !o.other.empty()) return fmt::format("'{}': a third trace", word);
  const std::string recorded = recorded_trace(o.lessons_folder, word);
  std::error_code ignored;
  if (recorded.empty() && !fs::is_regular_file(word, ignored))
    return fmt::format("'{}' is no lesson and no trace that is here", word);
  (o.trace.empty() ? o.trace : o.other) = recorded.empty() ? word : recorded;
  return {};
}

}  // namespace

std::string recorded_trace(const std::string& lessons_folder, std::string_view lesson) {
  const std::optional<int> number = whole_number(lesson);
  std::string found;
  std::error_code ec;
  for (fs::directory_iterator at(lessons_folder, ec), end; !ec && at != end; at.increment(ec)) {
    const std::string name = at->path().filename().string();
    const fs::path trace = at->path() / "recorded.lanes";
    std::error_code none;
    if (!fs::is_regular_file(trace, none)) continue;
    const bool is_it =
        number ? lesson_number(name) == *number : !lesson.empty() && name.find(lesson) != name.npos;
    if (!is_it) continue;
    if (!found.empty()) return {};
    found = trace.string();
  }
  return found;
}

std::string read_view_words(std::string_view text, WindowOptions& options) {
  const std::vector<std::string> words = shell_words(text);
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word.rfind("--", 0) != 0) {
      if (std::string why = read_target(word, options); !why.empty()) return why;
      continue;
    }
    if (word == "--light") {
      options.light = true;
      continue;
    }
    std::string value;
    while (at + 1 < words.size() && words[at + 1].rfind("--", 0) != 0) {
      value += (value.empty() ? "" : " ") + words[++at];
      if (!takes_many(word)) break;
    }
    if (is_page(word)) {
      options.page = word.substr(2);
      options.page_words = value;
      continue;
    }
    std::string* place = place_of(word, options);
    if (place == nullptr && word != "--product") return fmt::format("'{}' is not known here", word);
    if (value.empty()) return fmt::format("{}: what?", word);
    if (place != nullptr)
      *place = value;
    else if (std::string why = read_product(value, options); !why.empty())
      return why;
  }
  if (!options.page.empty() && !options.trace.empty())
    return fmt::format("either --{} or a trace, not both", options.page);
  return {};
}

}  // namespace lanescope::viz
