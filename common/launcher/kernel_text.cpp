// SPDX-License-Identifier: MIT
#include "launcher/kernel_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace lanescope::launcher {
namespace {

// Words, and every other character for itself; comments and strings are left out.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// "" at the end.
  std::string_view next() {
    skip();
    if (at_ >= text_.size()) return {};
    const std::size_t begin = at_;
    if (!is_word(text_[at_])) return text_.substr(at_++, 1);
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '$' ||
           c == '%';
  }
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }
  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == text_.npos ? text_.size() : found + end.size();
  }
  void skip() {
    while (at_ < text_.size()) {
      if (starts("//")) {
        skip_past("\n");
      } else if (starts("/*")) {
        skip_past("*/");
      } else if (starts("\"")) {
        ++at_;
        skip_past("\"");
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Up to three numbers behind .reqntid; what follows them.
std::string_view read_sizes(Words& words, std::array<unsigned, 3>& sizes) {
  sizes = {1, 1, 1};
  std::string_view word = ",";
  for (std::size_t d = 0; d < 3 && word == ","; ++d) {
    sizes[d] = static_cast<unsigned>(std::strtoul(std::string(words.next()).c_str(), nullptr, 0));
    word = words.next();
  }
  return word;
}

// From behind `.entry` to its `{`; false for a declaration.
bool read_kernel(Words& words, KernelText& kernel) {
  kernel.name = words.next();
  std::string_view word = words.next();
  while (word != "{" && word != ";" && !word.empty())
    if (word == ".reqntid" || (word == ".maxntid" && kernel.block[0] == 0))
      word = read_sizes(words, kernel.block);
    else
      word = words.next();
  return word == "{";
}

}  // namespace

PtxText read_ptx(std::string_view text) {
  PtxText found;
  Words words(text);
  std::string_view before;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == ".version" && found.version.empty()) found.version = words.next();
    if (word == ".target" && found.target.empty()) found.target = words.next();
    if (word == ".shared" && before == ".extern") found.has_dynamic_shared = true;
    if (word == ".entry")
      if (KernelText kernel; read_kernel(words, kernel)) found.kernels.push_back(kernel);
    before = word;
  }
  return found;
}

std::vector<std::string> words_in(std::string_view text) {
  constexpr std::string_view kRun = "// run: ";
  if (text.substr(0, kRun.size()) != kRun) return {};
  text = text.substr(kRun.size(), text.find_first_of("\r\n") - kRun.size());
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != text.npos;) {
    const bool is_quoted = text[at] == '\'';
    const std::size_t begin = at + (is_quoted ? 1 : 0);
    const std::size_t end = std::min(text.find(is_quoted ? '\'' : ' ', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    at = std::min(end + 1, text.size());
  }
  return words;
}

}  // namespace lanescope::launcher
