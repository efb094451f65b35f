// SPDX-License-Identifier: MIT
// See ptx_link.hpp.
#include "cudart/binary/ptx_link.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "emulator/ptx/ptx_string.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kFilesOfOne = 10000;  // .file numbers of the next text begin this much later

enum class ItemKind : std::uint8_t { header, file, function, prototype, variable, other };

/// A statement at module scope.
struct Item {
  ItemKind kind = ItemKind::other;
  std::string text;
  std::string name;
  bool is_entry = false;
  bool is_extern = false;
  bool is_weak = false;   // or .common
  bool is_local = false;  // of its file
};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

/// Behind a comment or a string that begins at `at`; `at` when none does.
std::size_t behind_comment(std::string_view text, std::size_t at) {
  const auto to = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "//") return to("\n", at);
  if (text.substr(at, 2) == "/*") return to("*/", at + 2);
  if (text[at] == '"') {
    const std::size_t end = emulator::end_of_string(text, at);
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  return at;
}

/// The words of a statement up to its body or value: ".visible", ".func", "(", "name", ...
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t next = behind_comment(text, at); next != at) {
      at = next;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end == at) {
      if (text[at] == '{' || text[at] == '=' || text[at] == ';' || text[at] == '[') break;
      if (text[at] == '(' || text[at] == ')') words.push_back(text.substr(at, 1));
      ++at;
      continue;
    }
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool starts_line(std::string_view word) {
  return word == ".version" || word == ".target" || word == ".address_size" || word == ".file";
}

/// Where the statement that begins at `at` ends.
std::size_t end_of_statement(std::string_view text, std::size_t at) {
  std::size_t first = at;
  while (first < text.size() && is_name_character(text[first])) ++first;
  if (starts_line(text.substr(at, first - at))) {
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  int depth = 0;
  bool has_value = false;  // braces of a variable's value do not end it
  for (std::size_t k = at; k < text.size();) {
    if (const std::size_t next = behind_comment(text, k); next != k) {
      k = next;
      continue;
    }
    const char c = text[k++];
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c == '=') has_value = true;
    if (depth <= 0 && (c == ';' || (c == '}' && !has_value))) return k;
  }
  return text.size();
}

Item make_item(std::string_view text) {
  Item item;
  item.text = text;
  const auto words = words_of(text);
  bool is_function = false, named = false, is_visible = false;
  int depth = 0;
  for (std::size_t k = 0; k < words.size() && !named; ++k) {
    const std::string_view word = words[k];
    if (k == 0 && word == ".file") item.kind = ItemKind::file;
    if (k == 0 && starts_line(word) && word != ".file") item.kind = ItemKind::header;
    if (item.kind != ItemKind::other) return item;
    if (k == 0 && (word == ".section" || word == ".pragma" || word == ".alias")) return item;
    if (word == "(") ++depth;
    if (word == ")") --depth;
    if (word == ".extern") item.is_extern = true;
    if (word == ".weak" || word == ".common") item.is_weak = true;
    if (word == ".entry") item.is_entry = true;
    if (word == ".visible" || word == ".entry") is_visible = true;
    if (word == ".func" || word == ".entry") is_function = true;
    const bool is_name = word[0] != '.' && word[0] != '(' && word[0] != ')';
    if (!is_name || depth != 0 || (word[0] >= '0' && word[0] <= '9')) continue;
    item.name = word;
    named = true;
  }
  if (!named) return item;
  const bool has_body = is_function && text.find('{') != std::string_view::npos;
  item.kind = !is_function ? ItemKind::variable
              : has_body   ? ItemKind::function
                           : ItemKind::prototype;
  item.is_local = !item.is_extern && !item.is_weak && !is_visible;
  return item;
}

std::vector<Item> items_of(std::string_view text) {
  std::vector<Item> items;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0) {
      ++at;
    } else if (const std::size_t next = behind_comment(text, at); next != at) {
      at = next;
    } else {
      const std::size_t end = end_of_statement(text, at);
      items.push_back(make_item(text.substr(at, end - at)));
      at = end;
    }
  }
  return items;
}

/// The text with other names for some words, and with other numbers behind .loc, .file, inlined_at.
std::string renamed(std::string_view text, const std::map<std::string, std::string>& names,
                    int first_file) {
  std::string out;
  bool file_follows = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t next = behind_comment(text, at); next != at) {
      out += text.substr(at, next - at);
      at = next;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string word(text.substr(at, end - at));
    const auto found = names.find(word);
    const bool is_number =
        word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
    if (file_follows && is_number)
      out += std::to_string(std::atoi(word.c_str()) + first_file);
    else if (word.rfind("$L__info_string", 0) == 0)
      out += fmt::format("{}_{}", word, first_file);
    else
      out += found == names.end() ? word : found->second;
    file_follows = word == ".loc" || word == ".file" || word == "inlined_at";
    at = end;
  }
  return out;
}

/// A definition up to its body, as a declaration.
std::string prototype(const Item& function) {
  return function.text.substr(0, function.text.find('{')) + ";";
}

using Definitions = std::map<std::string, int>;  // of a name: how many files have one

Definitions definitions_of(const std::vector<std::vector<Item>>& files) {
  Definitions all;
  for (const std::vector<Item>& items : files) {
    std::set<std::string> here;
    for (const Item& item : items)
      if (!item.name.empty() && !item.is_extern && item.kind != ItemKind::prototype)
        here.insert(item.name);
    for (const std::string& name : here) ++all[name];
  }
  return all;
}

/// The parts of the linked text, in the order in which they stand there.
struct Linked {
  std::string header, prototypes, variables, functions, rest;

  void add(const Item& item, bool is_first_file) {
    switch (item.kind) {
      case ItemKind::header:
        if (is_first_file) header += item.text;
        break;
      case ItemKind::function:
        if (!item.is_entry) prototypes += prototype(item) + "\n";
        functions += item.text;
        break;
      case ItemKind::prototype:
        prototypes += item.text;
        break;
      case ItemKind::variable:
        variables += item.text;
        break;
      default:
        rest += item.text;
        break;
    }
  }
};

}  // namespace

std::string link_ptx(const std::vector<std::string>& files) {
  std::vector<std::vector<Item>> all;
  for (const std::string& file : files) all.push_back(items_of(file));
  const Definitions definitions = definitions_of(all);
  Linked linked;
  std::set<std::string> seen;  // of what may be there several times
  for (std::size_t index = 0; index < all.size(); ++index) {
    const int first_file = static_cast<int>(index) * kFilesOfOne;
    std::map<std::string, std::string> names;  // of what several files call alike, each its own
    for (const Item& item : all[index])
      if (const auto found = definitions.find(item.name);
          item.is_local && found != definitions.end() && found->second > 1)
        names[item.name] = fmt::format("{}${}", item.name, index);
    for (Item& item : all[index]) {
      const bool only_declares = item.is_extern || item.kind == ItemKind::prototype;
      if (only_declares && definitions.count(item.name) != 0) continue;
      const bool once = item.is_weak || item.is_extern;
      if (once && !seen.insert(item.name).second) continue;
      item.text = renamed(item.text, names, first_file) + "\n";
      linked.add(item, index == 0);
    }
  }
  return linked.header + linked.prototypes + linked.variables + linked.functions + linked.rest;
}

}  // namespace lanescope::cudart
