// SPDX-License-Identifier: MIT
// The values that variables of a PTX module begin with: lists in braces, as deep as the variable
// has dimensions, constants, addresses of variables and functions, single bytes of those.
//
//     .global .u32 a[2][3] = {{1, 2}, {3}};        1 2 3 0 0 0
//     .global .v2 .f32 v = {1.0, 2.0};
//     .global .u64 p[2] = {a, generic(a)+8};
//     .global .u8 b[2] = {0xff(a), 0xff00(a)};
//
// Source: PTX ISA 9.2, 5.4.4; what ptxas 13.0 refuses of it.
#include <fmt/format.h>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

namespace {
constexpr std::int64_t kMostInitialBytes = std::int64_t{1} << 26;

}  // namespace

void PtxParser::check_may_begin_with(const PtxVariable& variable) const {
  if (variable.is_external ||
      (variable.space != Space::global && variable.space != Space::constant))
    refuse(fmt::format("{} cannot begin with a value; variables of .global and .const can",
                       variable.name));
  if (variable.type == Type::f16 || variable.type == Type::f16x2)
    refuse(fmt::format("{} cannot begin with a value of type .{}; declare it .b{}", variable.name,
                       info(variable.type).name, info(variable.type).bits));
}

// At most extents[level] values in braces; a vector's (negative) must be all there. What an inner
// list leaves out is not skipped: ptxas (13.0), and so an H200, puts the next list right behind.
void PtxParser::initial_values(PtxVariable& variable, const std::vector<std::int64_t>& extents,
                               std::size_t level) {
  const bool is_list = level < extents.size();
  if (is_list != is("{"))
    refuse(is_list ? fmt::format("the values of {} should be in braces here", variable.name)
                   : "one value should be here, without braces");
  if (!is_list) return initial_value(variable);
  take();
  std::int64_t count = 0;
  const std::int64_t most = extents[level];
  while (!accept("}")) {
    if (peek().kind == TokenKind::end) refuse("the initialiser never ends");
    if (count > 0) expect(",");
    if (++count > most && most > 0)
      refuse(fmt::format("{} has more values than elements", variable.name));
    initial_values(variable, extents, level + 1);
  }
  if (most < 0 && count != -most)
    refuse(fmt::format("a vector of {} needs {} values", variable.name, -most));
  if (level != 0 || most != 0) return;
  variable.bytes = bytes_of(variable.type) * count;
  for (std::size_t inner = 1; inner < extents.size(); ++inner)
    variable.bytes *= extents[inner] < 0 ? -extents[inner] : extents[inner];
}

// symbol, symbol+4, generic(symbol)+4
void PtxParser::initial_address(PtxVariable& variable, int shift) {
  const bool generic = is("generic") && is("(", 1);
  if (generic) {
    take();
    take();
  }
  const Token token = peek();
  const std::string_view symbol = word("a variable or a function");
  if (generic) expect(")");
  const int target = find_variable(symbol);
  const bool has_address = target >= 0 && has_an_address(target);
  if (!has_address && module_.find_function(symbol) < 0)
    refuse_at(token,
              fmt::format("{} should be a variable of .global or .const, or a function, that "
                          "is declared before",
                          symbol));
  // ptxas takes .u32; a driver (580.159.04) writes 64 bits there, over the next variable.
  if (shift < 0 && variable.type != Type::u64)
    refuse_at(token, fmt::format("an address needs a variable of .u64, {} is .{}", variable.name,
                                 info(variable.type).name));
  const std::int64_t addend = accept("+") ? whole_constant() : 0;
  variable.relocations.push_back(
      {static_cast<std::int64_t>(variable.initial.size()), symbol, addend, shift});
}

bool PtxParser::has_an_address(int variable) const {
  const Space space = module_.variables[static_cast<std::size_t>(variable)].space;
  return space == Space::global || space == Space::constant;
}

// 0xff00(symbol): one byte of an address. The parenthesis comes next.
void PtxParser::initial_byte(PtxVariable& variable) {
  ParsedNumber number;
  if (!parse_number(take().text, number)) refuse("the mask of an address should be a number");
  const int shift = number.bits == 0 ? 64 : __builtin_ctzll(number.bits);
  if (shift > 56 || shift % 8 != 0 || number.bits >> shift != 0xff)
    refuse("the mask of an address should be 0xff, 0xff00, ... of a byte");
  expect("(");
  initial_address(variable, shift);
  expect(")");
}

void PtxParser::initial_value(PtxVariable& variable) {
  std::uint64_t bits = 0;
  if (peek().kind == TokenKind::word && !is("WARP_SZ")) {
    initial_address(variable, -1);
  } else if (peek().kind == TokenKind::number && is("(", 1)) {
    initial_byte(variable);
  } else {
    bits = initial_constant(variable);
  }
  for (int byte = 0; byte < bytes_of(variable.type); ++byte)
    variable.initial.push_back(byte < 8 ? static_cast<std::uint8_t>(bits >> (8 * byte)) : 0);
  if (static_cast<std::int64_t>(variable.initial.size()) > kMostInitialBytes)
    refuse("the initialiser is too long");
}

std::uint64_t PtxParser::initial_constant(const PtxVariable& variable) {
  const Token token = peek();
  const bool negative = is("-") && peek(1).kind == TokenKind::number;
  const Token& behind = peek(negative ? 2 : 1);
  ParsedNumber number;
  bool minus = false;
  // Most are plain numbers, whose patterns (0f7fa00000) should not go through a double.
  if (behind.text == "," || behind.text == "}" || behind.text == ";") {
    minus = accept("-");
    const Token plain = take();
    const bool may_be = plain.kind == TokenKind::number || plain.kind == TokenKind::dot_word;  // .5
    if ((!may_be || !parse_number(plain.text, number)) && plain.text != "WARP_SZ")
      refuse_at(plain, fmt::format("'{}' should be a number", plain.text.substr(0, 40)));
    if (plain.text == "WARP_SZ") number.bits = 32;
  } else {
    const PtxConstant made = constant(0, 0);
    number.is_real = made.is_real;
    number.bits = made.bits;
  }
  const TypeKind kind = info(variable.type).kind;
  if (kind != TypeKind::bits && number.is_real != is_real(variable.type))
    refuse_at(token, fmt::format("{} is .{} and cannot begin with a {} number", variable.name,
                                 info(variable.type).name, number.is_real ? "real" : "whole"));
  return number.bits_as(variable.type, minus);
}

}  // namespace lanescope::emulator
