// SPDX-License-Identifier: MIT
#include "emulator/ptx/ptx_parser.hpp"

#include <fmt/format.h>

#include "emulator/ptx/ptx_number.hpp"

namespace lanescope::emulator {

PtxParser::PtxParser(PtxModule& module, std::string_view text, std::string_view name)
    : module_(module) {
  module_.text = std::make_unique<const std::string>(text);
  module_.name = name;
  scopes_.emplace_back();
}

void PtxParser::run(Reading reading) {
  tokens_ = reading == Reading::at_once ? tokens_of(*module_.text) : outline_of(*module_.text);
  while (peek().kind != TokenKind::end) directive();
  if (module_.ptx_version == 0) refuse("there is no .version; is this PTX?");
  if (module_.target.empty()) refuse("there is no .target; is this PTX?");
  tokens_ = std::vector<Token>();  // with their memory
}

int PtxModule::find_function(std::string_view called) const {
  const auto alias = aliases.find(called);
  const std::string_view wanted = alias == aliases.end() ? called : alias->second;
  int found = -1;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    if (functions[f].name != wanted) continue;
    found = static_cast<int>(f);
    if (functions[f].has_body) break;
  }
  return found;
}

PtxModule parse_ptx(std::string_view text, std::string_view name) {
  PtxModule module;
  PtxParser(module, text, name).run(Reading::at_once);
  return module;
}

const Token& PtxParser::peek(int ahead) const {
  const std::size_t at = at_ + static_cast<std::size_t>(ahead);
  return at < tokens_.size() ? tokens_[at] : tokens_.back();
}

Token PtxParser::take() {
  const Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool PtxParser::is(std::string_view text, int ahead) const {
  const Token& token = peek(ahead);
  return token.text == text && token.kind != TokenKind::string && token.kind != TokenKind::end;
}

bool PtxParser::accept(std::string_view text) {
  if (!is(text)) return false;
  take();
  return true;
}

void PtxParser::expect(std::string_view text) {
  if (accept(text)) return;
  const Token& token = peek();
  refuse(token.kind == TokenKind::end
             ? fmt::format("the text ends where '{}' should be", text)
             : fmt::format("'{}' should be '{}'", token.text.substr(0, 40), text));
}

std::string_view PtxParser::word(const char* what) {
  if (peek().kind != TokenKind::word)
    refuse(fmt::format("'{}' should be {}", peek().text.substr(0, 40), what));
  return take().text;
}

std::int64_t PtxParser::integer() {
  const bool negative = accept("-");
  const Token& token = peek();
  std::int64_t value = 0;
  if (token.kind != TokenKind::number || !parse_integer(token.text, value))
    refuse(fmt::format("'{}' should be a whole number", token.text.substr(0, 40)));
  take();
  return negative ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(value)) : value;
}

void PtxParser::refuse(const std::string& what, ErrorCode code) const {
  refuse_at(peek(), what, code);
}

void PtxParser::refuse_at(const Token& token, const std::string& what, ErrorCode code) const {
  throw Refusal(code, what, token.line, token.col);
}

// Directives come with versions of PTX: one that no version known here has is none.
ErrorCode PtxParser::of_unknown() const {
  constexpr int kNewest = 92;
  return module_.ptx_version > kNewest ? ErrorCode::unsupported_instruction
                                       : ErrorCode::invalid_ptx;
}

void PtxParser::directive() {
  const Token first = take();
  const std::string_view name = first.text;
  if (first.kind != TokenKind::dot_word) {
    if (first.kind == TokenKind::mark && name == ";") return;
    if (first.kind == TokenKind::watch) return;
    refuse_at(first, fmt::format("'{}' is no directive", name.substr(0, 40)));
  }
  if (name == ".version") {
    const std::string_view version = take().text;  // 9.0
    const std::size_t dot = version.find('.');
    std::int64_t major = 0;
    std::int64_t minor = 0;
    if (dot == std::string_view::npos || !parse_integer(version.substr(0, dot), major) ||
        !parse_integer(version.substr(dot + 1), minor) || major > 99 || minor > 9)
      refuse_at(first, "the .version is not of the form 9.0");
    module_.ptx_version = static_cast<int>(major * 10 + minor);
  } else if (name == ".target") {
    module_.target = word("a target such as sm_90a");
    while (accept(",")) module_.is_debug |= word("a target option") == "debug";
  } else if (name == ".address_size") {
    if (integer() != 64) refuse_at(first, "only .address_size 64 is modelled");
  } else if (name == ".file") {
    file();
  } else if (name == ".loc") {
    --at_;  // location() wants to see where its line begins
    location();
  } else if (name == ".section") {
    section();
  } else if (name == ".alias") {
    alias();
  } else if (name == ".pragma") {
    skip_statement();
  } else if (name == ".visible" || name == ".weak" || name == ".common") {
    is_weak_ |= name == ".weak";
    return;  // linkage: the directive it belongs to follows
  } else if (name == ".extern") {
    const Space space = peek().text.empty() ? Space::none : find_space(peek().text.substr(1));
    if (space == Space::none) return;
    take();
    variables(space, true);
  } else if (name == ".entry" || name == ".func") {
    function(name == ".entry");
  } else if (const Space space = find_space(name.substr(1)); space != Space::none) {
    is_weak_ = false;
    variables(space, false);
  } else {
    refuse_at(first, fmt::format("the directive {} is not known", name), of_unknown());
  }
}

void PtxParser::file() {
  const auto index = static_cast<int>(integer());
  if (peek().kind != TokenKind::string) refuse("a file's name should follow");
  module_.files[index] = unescaped(take().text);
  while (accept(",")) integer();
}

// .loc FILE LINE COL [, function_name LABEL [+ N], inlined_at FILE LINE COL]: ends with its line.
void PtxParser::location() {
  const Token start = take();
  const auto on_this_line = [&] {
    return peek().kind != TokenKind::end && peek().line == start.line;
  };
  const auto place = [&] {
    PtxLocation read;
    read.file = static_cast<int>(integer());
    read.line = static_cast<int>(integer());
    const std::int64_t col = on_this_line() ? integer() : 0;
    return std::pair{read, fmt::format("{} {} {}", read.file, read.line, col)};
  };
  auto [here, key] = place();
  while (on_this_line()) {
    if (!accept("inlined_at")) {
      take();
      continue;
    }
    const auto call = place();
    const auto known = places_.find(call.second);
    if (known == places_.end())
      refuse_at(start, fmt::format("inlined_at {} names no .loc before this one", call.second));
    here.inlined_at = known->second;
  }
  module_.locations.push_back(here);
  location_ = static_cast<int>(module_.locations.size()) - 1;
  places_[key] = location_;
}

void PtxParser::section() {
  while (!is("{")) {
    if (peek().kind == TokenKind::end) refuse("the .section has no braces");
    take();
  }
  int depth = 0;
  do {
    if (peek().kind == TokenKind::end) refuse("the .section never ends");
    depth += is("{") ? 1 : is("}") ? -1 : 0;
    // Lines about the source for debuggers: nobody here reads them, ptxas looks at their shape.
    if (is(";") || peek().kind == TokenKind::string)
      refuse(fmt::format("'{}' has no place in a .section", peek().text.substr(0, 40)));
    if (peek().kind == TokenKind::word && is("-", 1) && peek(2).kind != TokenKind::word)
      refuse("in a .section a label is subtracted from a label, no number");
    take();
  } while (depth > 0);
}

// .alias ALIAS, FUNCTION;
void PtxParser::alias() {
  const std::string_view name = word("a function's other name");
  expect(",");
  module_.aliases[name] = word("a function's name");
  expect(";");
}

void PtxParser::skip_statement() {
  while (!is(";")) {
    if (peek().kind == TokenKind::end) refuse("a ';' is missing");
    take();
  }
  take();
}

}  // namespace lanescope::emulator
