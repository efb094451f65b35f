// SPDX-License-Identifier: MIT
#include "panels/lesson/lesson_links.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace lanescope::viz {
namespace {

using To = LessonLink::To;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// As a shell divides a simple command; nothing where it is none: a pipe, a file written.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  bool inside = false, quoted = false;
  for (const char c : command) {
    if (!quoted && (c == '|' || c == '>' || c == '<' || c == ';' || c == '&')) return {};
    if (!quoted && c == '#' && !inside) break;
    if (c == '"') {
      quoted = !quoted;
      if (!inside) words.emplace_back(), inside = true;
    } else if (c == ' ' && !quoted) {
      inside = false;
    } else {
      if (!inside) words.emplace_back(), inside = true;
      words.back() += c;
    }
  }
  return quoted ? std::vector<std::string>{} : words;
}

// The words behind a command: options with a value each, and what stands alone.
struct Asked {
  std::map<std::string, std::string> options;
  std::string alone;
};
std::optional<Asked> asked(const std::vector<std::string>& words, std::size_t from,
                           const std::vector<std::string_view>& known) {
  Asked found;
  for (std::size_t at = from; at < words.size(); ++at) {
    if (words[at].rfind("--", 0) != 0) {
      found.alone += (found.alone.empty() ? "" : " ") + words[at];
      continue;
    }
    bool is_known = false;
    for (const std::string_view name : known) is_known = is_known || name == words[at];
    if (!is_known || at + 1 >= words.size()) return std::nullopt;
    found.options[words[at]] = words[at + 1];
    ++at;
  }
  return found;
}

// "5": small enough to be a number of something.
int number(const std::string& words) {
  if (words.empty() || words.size() > 4) return 0;
  int value = 0;
  for (const char c : words) {
    if (!is_digit(c)) return 0;
    value = value * 10 + (c - '0');
  }
  return value;
}

LessonLink to_view(const Asked& a) {
  LessonLink link{To::view, "", "", ""};
  const auto option = [&a](const char* name) {
    const auto found = a.options.find(name);
    return found == a.options.end() ? std::string() : found->second;
  };
  link.panel = option("--panel");
  link.select = option("--select");
  const std::string product = option("--product");
  const std::size_t comma = std::min(product.find(','), product.size());
  link.product = number(product.substr(0, comma));
  if (comma < product.size()) link.beside = number(product.substr(comma + 1));
  return link;
}

// "--atlas WORDS --beside WORDS": the second words are taken off.
std::string take_beside(std::vector<std::string>& words) {
  const auto at = std::find(words.begin(), words.end(), "--beside");
  std::string other;
  for (auto word = at; word != words.end() && ++word != words.end();)
    other += (other.empty() ? "" : " ") + *word;
  words.erase(at, words.end());
  return other.find("--") == other.npos ? other : std::string();
}

LessonLink of_view(std::vector<std::string> words, int lesson) {
  std::erase(words, "--text");  // the window shows the same
  if (words.size() < 3) return {};
  for (const auto& [page, to] :
       {std::pair{"--atlas", To::atlas}, std::pair{"--swizzle", To::swizzle},
        std::pair{"--descriptor", To::descriptor}}) {
    if (words[2] != page) continue;
    const std::string other = to == To::atlas ? take_beside(words) : std::string();
    const auto rest = asked(words, 3, {});
    LessonLink link = rest ? LessonLink{to, rest->alone, "", ""} : LessonLink{};
    if (rest) link.other = other;
    return link;
  }
  const auto rest = asked(words, 2, {"--panel", "--select", "--product"});
  return rest && lesson > 0 && number(rest->alone) == lesson ? to_view(*rest) : LessonLink{};
}

LessonLink of_layout(const std::vector<std::string>& words) {
  const auto rest = asked(words, 2, {"--operand", "--element"});
  if (!rest || rest->alone.empty()) return {};
  LessonLink link{To::atlas, rest->alone, "", ""};
  if (rest->options.count("--element") == 0) return link;
  const auto operand = rest->options.find("--operand");
  link.select = (operand == rest->options.end() ? std::string() : operand->second + " ") +
                rest->options.at("--element");
  return link;
}

LessonLink of_swizzle(const std::vector<std::string>& words) {
  const auto rest = asked(words, 2, {"--mode", "--major", "--bits", "--rows", "--cols"});
  if (!rest || !rest->alone.empty()) return {};
  const auto& o = rest->options;
  std::string tile;
  for (const char* name : {"--mode", "--major", "--bits"})
    if (const auto at = o.find(name); at != o.end()) tile += at->second + " ";
  if (o.count("--rows") + o.count("--cols") == 2) tile += o.at("--rows") + "x" + o.at("--cols");
  return {To::swizzle, tile, "", ""};
}

/// Where "A[9][5]" ends that begins at `at`; `at` where none does.
std::size_t end_of_element(std::string_view words, std::size_t at) {
  if (words[at] < 'A' || words[at] > 'D') return at;
  const char before = at > 0 ? words[at - 1] : ' ';
  if (std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_') return at;
  std::size_t end = at + 1;
  for (int index = 0; index < 2; ++index) {
    const std::size_t digits = end + 1;
    if (end >= words.size() || words[end] != '[') return at;
    for (++end; end < words.size() && is_digit(words[end]);) ++end;
    if (end == digits || end - digits > 4 || end >= words.size() || words[end] != ']') return at;
    ++end;
  }
  return end;
}

// "A[9][5]" -> "A 9,5"
std::string element_words(std::string_view element) {
  std::string words;
  for (const char c : element)
    if (c == '[')
      words += words.size() == 1 ? ' ' : ',';
    else if (c != ']')
      words += c;
  return words;
}

}  // namespace

LessonLink link_of(std::string_view command, int lesson) {
  if (command.rfind("$ ", 0) == 0) command.remove_prefix(2);
  std::vector<std::string> words = words_of(command);
  if (words.size() == 2 && words[0] == "--panel") {
    const auto panel = asked(words, 0, {"--panel"});
    return lesson > 0 && panel ? to_view(*panel) : LessonLink{};
  }
  if (words.size() < 2 || (words[0] != "./learn" && words[0] != "lanescope")) return {};
  if (words[1] == "view") return of_view(std::move(words), lesson);
  if (words[1] == "watch" && words.size() == 4 && words[3] == "--ptx" && number(words[2]) > 0)
    return {To::exercise, words[2], "", ""};
  if (words[1] == "layout") return of_layout(words);
  if (words[1] == "swizzle") return of_swizzle(words);
  if (words[1] == "descriptor" && words.size() == 4 && words[2] == "--decode")
    return {To::descriptor, words[3], "", ""};
  return {};
}

std::vector<LessonSpan> lesson_spans(std::string_view paragraph, int lesson) {
  std::vector<LessonSpan> all;
  for (Span& span : spans_of(paragraph)) {
    const LessonLink whole = span.ink == Ink::code ? link_of(span.words, lesson) : LessonLink{};
    if (whole.to != To::nowhere) {
      all.push_back({std::move(span.words), span.ink, whole});
      continue;
    }
    std::size_t told = 0;
    const auto tell = [&](std::size_t end, LessonLink link) {
      if (end > told)
        all.push_back({span.words.substr(told, end - told), span.ink, std::move(link)});
      told = end;
    };
    for (std::size_t at = 0; at < span.words.size(); ++at) {
      const std::size_t end = end_of_element(span.words, at);
      if (end == at) continue;
      tell(at, {});
      tell(end, {To::element, element_words(span.words.substr(at, end - at)), "", ""});
      at = end - 1;
    }
    tell(span.words.size(), {});
  }
  return all;
}

std::string does(const LessonLink& link) {
  switch (link.to) {
    case To::element:
      return "selects " + link.words;
    case To::view:
      return "shows it here" + (link.panel.empty() ? "" : ": " + link.panel) +
             (link.select.empty() ? "" : ", " + link.select);
    case To::atlas:
      return "asks the atlas: " + link.words + (link.other.empty() ? "" : " beside " + link.other) +
             (link.select.empty() ? "" : ", " + link.select) + "  (Esc: back)";
    case To::swizzle:
      return "draws the tile: " + link.words + "  (Esc: back)";
    case To::descriptor:
      return "reads the descriptor: " + link.words + "  (Esc: back)";
    case To::exercise:
      return "puts exercise " + link.words + " on the bench";
    default:
      return {};
  }
}

}  // namespace lanescope::viz
