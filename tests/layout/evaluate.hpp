// SPDX-License-Identifier: MIT
// A calculator for the atlas's index expressions, as C reads them: + * % / >> << & | ^ and
// parentheses over integers and names. Its own small grammar, so that the expressions are read by
// something that knows nothing of the table.
#pragma once

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace evaluate {

class Calculator {
 public:
  Calculator(std::string_view text, const std::map<std::string, int>& names)
      : text_(text), names_(names) {}

  int value() {
    const int result = level(0);
    skip();
    if (at_ != text_.size()) fail("something after the end");
    return result;
  }

 private:
  // C's precedence, loosest first.
  int level(int depth) {
    static constexpr std::string_view kOperators[] = {"|", "^", "&", "<<>>", "+-", "*/%"};
    if (depth == 6) return atom();
    int left = level(depth + 1);
    for (;;) {
      skip();
      const std::string_view set = kOperators[depth];
      const bool shift = depth == 3;
      if (at_ >= text_.size() || set.find(text_[at_]) == std::string_view::npos) return left;
      const char op = text_[at_];
      if (shift && (at_ + 1 >= text_.size() || text_[at_ + 1] != op)) return left;
      at_ += shift ? 2 : 1;
      const int right = level(depth + 1);
      switch (op) {
        case '|':
          left |= right;
          break;
        case '^':
          left ^= right;
          break;
        case '&':
          left &= right;
          break;
        case '<':
          left <<= right;
          break;
        case '>':
          left >>= right;
          break;
        case '+':
          left += right;
          break;
        case '-':
          left -= right;
          break;
        case '*':
          left *= right;
          break;
        case '/':
          left /= right;
          break;
        case '%':
          left %= right;
          break;
      }
    }
  }
  int atom() {
    skip();
    if (at_ >= text_.size()) fail("nothing where a number belongs");
    if (text_[at_] == '(') {
      ++at_;
      const int inner = level(0);
      skip();
      if (at_ >= text_.size() || text_[at_] != ')') fail("no closing parenthesis");
      ++at_;
      return inner;
    }
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(text_[end]) != 0 || text_[end] == '_')) ++end;
    const std::string word(text_.substr(at_, end - at_));
    if (word.empty()) fail("not a number and not a name");
    at_ = end;
    if (std::isdigit(word[0]) != 0) return std::stoi(word);
    const auto found = names_.find(word);
    if (found == names_.end()) fail("unknown name");
    return found->second;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  [[noreturn]] void fail(const char* why) const {
    throw std::runtime_error(std::string(why) + " at " + std::to_string(at_) + " in " +
                             std::string(text_));
  }

  std::string_view text_;
  const std::map<std::string, int>& names_;
  std::size_t at_ = 0;
};

inline int value(std::string_view text, const std::map<std::string, int>& names) {
  return Calculator(text, names).value();
}

}  // namespace evaluate
