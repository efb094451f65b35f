// SPDX-License-Identifier: MIT
// Variables of a PTX module: their declarations. The values that they begin with are in
// ptx_initial.cpp.
//
// Source: PTX ISA 9.2, 5.4.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

namespace {
constexpr std::int64_t kMostVariableBytes = std::int64_t{1} << 32;
constexpr std::size_t kMostDimensions = 32;
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
      refuse_at(token, fmt::format("{} is not known on a variable", token.text), of_unknown());
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
  const Token name = peek();
  made.line = name.line;
  made.name = word("a variable's name");
  if (!is_external) declare(name);
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
  std::vector<std::int64_t> extents;  // 0: as many as there are values
  while (accept("[")) {
    made.is_array = true;
    const std::int64_t count = is("]") ? 0 : integer();
    expect("]");
    if (extents.size() == kMostDimensions) refuse("the array has too many dimensions");
    if (count < 0 || count > kMostVariableBytes) refuse("the array is too large");
    extents.push_back(count);
    made.bytes *= count;
    if (made.bytes > kMostVariableBytes) refuse("the array is too large");
  }
  if (is("=")) {
    check_may_begin_with(made);
    take();
    if (vector > 1) extents.push_back(-vector);
    initial_values(made, extents, 0);
    made.bytes = std::max<std::int64_t>(made.bytes, static_cast<std::int64_t>(made.initial.size()));
  }
  module_.variables.push_back(std::move(made));
  const auto index = static_cast<int>(module_.variables.size()) - 1;
  scopes_[static_cast<std::size_t>(scope_)].variables[module_.variables.back().name] = index;
  return index;
}

}  // namespace lanescope::emulator
