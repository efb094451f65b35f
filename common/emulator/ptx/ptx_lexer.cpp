// SPDX-License-Identifier: MIT
#include "emulator/ptx/ptx_lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "emulator/ptx/kernels_in.hpp"
#include "emulator/ptx/ptx_string.hpp"

namespace lanescope::emulator {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool is_word_char(char c) { return is_letter(c) || is_digit(c); }

class Lexer {
 public:
  Lexer(std::string_view text, int line, int col)
      : text_(text), line_start_(std::size_t{1} - static_cast<std::size_t>(col)), line_(line) {
    tokens_.reserve(text.size() / 4);
  }

  std::vector<Token> run() {
    while (at_ < text_.size()) step();
    tokens_.push_back({TokenKind::end, {}, line_, col(at_)});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  int col(std::size_t at) const { return static_cast<int>(at - line_start_) + 1; }
  void add(TokenKind kind, std::size_t from, std::size_t to) {
    tokens_.push_back({kind, text_.substr(from, to - from), line_, col(from)});
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Refusal(ErrorCode::invalid_ptx, what, line_, col(at_));
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      ++at_;
      ++line_;
      line_start_ = at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      block_comment();
    } else if (c == '#') {
      line_marker();
    } else if (c == '"') {
      string();
    } else if (c == '.' && is_word_char(peek(1))) {
      dot_word();
    } else if (is_digit(c)) {
      number();
    } else if (is_letter(c) || (c == '%' && is_word_char(peek(1)))) {  // 7 % 2 has no name in it
      const std::size_t from = at_++;
      while (is_word_char(peek())) ++at_;
      add(TokenKind::word, from, at_);
    } else if (std::string_view("()[]{}<>,;:@!|+-=*/%~&^?").find(c) != std::string_view::npos) {
      add(TokenKind::mark, at_, at_ + 1);
      ++at_;
    } else if (c == '\0' && at_ + 1 == text_.size()) {
      ++at_;  // the terminator that a fat binary keeps
    } else {
      refuse(fmt::format("unexpected character 0x{:02x}", static_cast<unsigned char>(c)));
    }
  }

  void line_comment() {
    constexpr std::string_view kWatch = "//@watch ";
    const std::size_t from = at_;
    while (at_ < text_.size() && peek() != '\n') ++at_;
    if (text_.substr(from, kWatch.size()) == kWatch)
      add(TokenKind::watch, from + kWatch.size(), at_);
  }

  void block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) refuse("this comment never ends");
    pass(end + 2);
  }

  /// What a preprocessor leaves behind: # 5 "kernel.ptx" 2. Lines are counted in the text as it is.
  void line_marker() {
    std::string_view rest = text_.substr(at_ + 1, text_.find('\n', at_) - at_ - 1);
    const auto skip = [&](std::string_view characters) {
      const std::size_t end = std::min(rest.find_first_not_of(characters), rest.size());
      rest.remove_prefix(end);
      return end != 0;
    };
    skip(" \t");
    if (rest.starts_with("line")) rest.remove_prefix(4);
    skip(" \t");
    if (!skip("0123456789") || !skip(" \t") || !rest.starts_with('"'))
      refuse("a line with # is for a preprocessor, which has to see the text first");
    at_ = std::min(text_.find('\n', at_), text_.size());
  }

  /// Goes on at `end`, over whatever lines there are before it.
  void pass(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }

  void string() {
    const std::size_t end = end_of_string(text_, at_);
    if (end == std::string_view::npos) refuse("this string never ends");
    tokens_.push_back({TokenKind::string, text_.substr(at_ + 1, end - at_ - 1), line_, col(at_)});
    pass(end + 1);
  }

  void dot_word() {
    const std::size_t from = at_++;
    while (is_word_char(peek()) || (peek() == ':' && peek(1) == ':' && is_word_char(peek(2))))
      at_ += peek() == ':' ? 2 : 1;
    add(TokenKind::dot_word, from, at_);
  }

  void number() {
    const std::size_t from = at_;
    const bool is_decimal = peek() != '0' || !is_letter(peek(1));
    const auto has_more = [&] {
      if (is_word_char(peek())) return true;
      if (peek() == '.') return !is_letter(peek(1));
      const char before = text_[at_ - 1];  // 1e-3
      return (peek() == '-' || peek() == '+') && is_decimal && (before == 'e' || before == 'E') &&
             is_digit(peek(1));
    };
    for (++at_; has_more();) ++at_;
    add(TokenKind::number, from, at_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;  // before the text, where that begins within a line
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::string unescaped(std::string_view text) {
  constexpr std::size_t kDigits = 3;
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    int byte = 0;
    if (text[at] != '\\' || at + 1 == text.size()) {
      plain += text[at];
    } else if (const char* begin = text.data() + at + 1;
               text.size() - at > kDigits &&
               std::from_chars(begin, begin + kDigits, byte, 8).ptr == begin + kDigits &&
               byte >= 0 && byte < 256) {
      plain += static_cast<char>(byte);
      at += kDigits;
    } else {
      plain += text[++at];
    }
  }
  return plain;
}

std::vector<Token> tokens_of(std::string_view text, int line, int col) {
  return Lexer(text, line, col).run();
}

std::vector<Token> outline_of(std::string_view text) {
  std::vector<Token> all;
  std::size_t at = 0;
  int line = 1, col = 1;
  const auto cut_until = [&](std::size_t end) {
    const std::vector<Token> more = tokens_of(text.substr(at, end - at), line, col);
    all.insert(all.end(), more.begin(), more.end());
    at = end;
  };
  for (const KernelText& kernel : kernels_in(text)) {
    const bool is_closed = kernel.body < kernel.end && text[kernel.end - 1] == '}';
    if (!is_closed) continue;
    cut_until(kernel.body);
    Token& body = all.back();  // the end of what is in front
    body.kind = TokenKind::body;
    body.text = text.substr(at, kernel.end - at);
    line = body.line + static_cast<int>(std::count(body.text.begin(), body.text.end(), '\n'));
    const std::size_t last = body.text.rfind('\n');
    const std::size_t passed = last == body.text.npos ? body.text.size() : body.text.size() - last;
    col = static_cast<int>(passed) + (last == body.text.npos ? body.col : 0);
    at = kernel.end;
  }
  cut_until(text.size());
  return all;
}

}  // namespace lanescope::emulator
