// SPDX-License-Identifier: MIT
// Variables of a PTX module: their declarations, and the values that they begin with.
//
// Source: PTX ISA 9.2, 5.4.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

namespace {
constexpr std::int64_t kMostVariableBytes = std::int64_t{1} << 32;
constexpr std::int64_t kMostInitialBytes = std::int64_t{1} << 26;
}  // namespace

// After the state space: .align 4 .b8 name[16] = {...}, other[4];
void PtxParser::variables(Space space, bool is_external) {
  int alignment = 0;
  int vector = 1;
  Type type = Type::none;
  while (peek().kind == TokenKind::dot_word) {
    const Token token = take();
    const Type found = find_type(token.text.substr(1));
    if (token.text == ".align")
      alignment = static_cast<int>(integer());
    else if (token.text == ".v2" || token.text == ".v4")
      vector = token.text[2] - '0';
    else if (token.text == ".attribute")
      attribute();
    else if (found != Type::none)
      type = found;
    else
      refuse_at(token, fmt::format("{} is not known on a variable", token.text),
                ErrorCode::unsupported_instruction);
    if (peek().kind == TokenKind::end) refuse("the declaration never ends");
  }
  do variable(space, type, vector, alignment, is_external);
  while (accept(","));
  expect(";");
}

// .attribute(.managed) or .attribute(.unified(19, 95)).
void PtxParser::attribute() {
  int depth = 0;
  do {
    if (peek().kind == TokenKind::end) refuse("the attribute never ends");
    depth += is("(") ? 1 : is(")") ? -1 : 0;
    take();
  } while (depth > 0);
}

int PtxParser::variable(Space space, Type type, int vector, int alignment, bool is_external) {
  PtxVariable made;
  made.line = peek().line;
  made.name = word("a variable's name");
  made.space = space;
  made.type = type;
  made.is_external = is_external;
  made.function = function_;
  if (type == Type::none || type == Type::pred) refuse("the variable has no type");
  made.bytes = bytes_of(type) * vector;
  made.alignment_bytes = alignment != 0 ? alignment : static_cast<int>(made.bytes);
  if (made.alignment_bytes < 1 || made.alignment_bytes > (1 << 20) ||
      (made.alignment_bytes & (made.alignment_bytes - 1)) != 0)
    refuse("an alignment should be a power of two");
  while (accept("[")) {
    const std::int64_t count = is("]") ? 0 : integer();
    expect("]");
    if (count < 0 || count > kMostVariableBytes) refuse("the array is too large");
    made.bytes *= count;
    if (made.bytes > kMostVariableBytes) refuse("the array is too large");
  }
  if (accept("=")) {
    const std::int64_t size = made.bytes;
    initialiser(made);
    made.bytes = std::max<std::int64_t>(size, static_cast<std::int64_t>(made.initial.size()));
  }
  module_.variables.push_back(std::move(made));
  const auto index = static_cast<int>(module_.variables.size()) - 1;
  scopes_[static_cast<std::size_t>(scope_)].variables[module_.variables.back().name] = index;
  return index;
}

void PtxParser::initialiser(PtxVariable& variable) {
  if (!is("{")) return initial_value(variable);
  int depth = 0;
  do {
    if (peek().kind == TokenKind::end) refuse("the initialiser never ends");
    if (accept("{"))
      ++depth;
    else if (accept("}"))
      --depth;
    else if (!accept(","))
      initial_value(variable);
    if (static_cast<std::int64_t>(variable.initial.size()) > kMostInitialBytes)
      refuse("the initialiser is too long");
  } while (depth > 0);
}

// symbol, symbol+4, generic(symbol)+4
void PtxParser::initial_address(PtxVariable& variable, int shift) {
  const bool generic = is("generic") && is("(", 1);
  if (generic) {
    take();
    take();
  }
  const std::string_view symbol = word("a variable or a function");
  if (generic) expect(")");
  const bool minus = is("-");
  const std::int64_t addend = minus ? integer() : accept("+") ? integer() : 0;
  variable.relocations.push_back(
      {static_cast<std::int64_t>(variable.initial.size()), symbol, addend, shift});
}

void PtxParser::initial_value(PtxVariable& variable) {
  std::uint64_t bits = 0;
  if (peek().kind == TokenKind::word) {
    initial_address(variable, -1);
  } else {
    const bool negative = accept("-");
    const Token token = take();
    ParsedNumber number;
    if (token.kind != TokenKind::number || !parse_number(token.text, number))
      refuse_at(token, fmt::format("'{}' should be a number", token.text.substr(0, 40)));
    bits = number.bits_as(variable.type, negative);
    if (accept("(")) {
      // 0xff00(symbol): one byte of an address
      const int shift = number.bits == 0 ? 64 : __builtin_ctzll(number.bits);
      if (shift > 56 || number.bits >> shift != 0xff || bytes_of(variable.type) != 1)
        refuse("the mask of an address should be 0xff, 0xff00, ... of a byte");
      initial_address(variable, shift);
      expect(")");
      bits = 0;
    }
  }
  for (int byte = 0; byte < bytes_of(variable.type); ++byte)
    variable.initial.push_back(byte < 8 ? static_cast<std::uint8_t>(bits >> (8 * byte)) : 0);
}

}  // namespace lanescope::emulator
