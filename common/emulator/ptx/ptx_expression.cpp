// SPDX-License-Identifier: MIT
// Constant expressions as operands: 4*8, (1<<5)-1, WARP_SZ/2, 1.5*2.0, 3>2?7:8.
//
//     constant --> unary [operator constant of stronger operators]...
//     unary    --> - + ! ~ unary | number | WARP_SZ | ( constant ) | (.s64) unary | (.u64) unary
//
// Whole numbers have 64 bits, unsigned where one of the two is; what ~ and % give always is. Reals
// are doubles. Source: PTX ISA 9.2, 4.5.5 to 4.5.7. 7 % 2 is 1; in 7%2 ptxas (13.0) finds a name,
// and so do we.
#include <fmt/format.h>

#include <cstring>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kDeepest = 64;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

struct Operator {
  std::string_view text;
  int strength;
};
// What begins with another one comes first.
constexpr Operator kOperators[] = {
    {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6}, {"&&", 2},
    {"||", 1}, {"*", 10}, {"/", 10}, {"+", 9},  {"-", 9},  {"%", 10}, {"<", 7},
    {">", 7},  {"&", 5},  {"^", 4},  {"|", 3},  {"?", 0},
};

double real_of(const PtxConstant& constant) {
  if (!constant.is_real)
    return constant.is_unsigned ? static_cast<double>(constant.bits)
                                : static_cast<double>(static_cast<std::int64_t>(constant.bits));
  double value;
  std::memcpy(&value, &constant.bits, 8);
  return value;
}

PtxConstant real(double value) {
  PtxConstant made;
  made.is_real = true;
  std::memcpy(&made.bits, &value, 8);
  return made;
}

PtxConstant whole(std::uint64_t bits, bool is_unsigned = false) {
  PtxConstant made;
  made.bits = bits;
  made.is_unsigned = is_unsigned;
  return made;
}

// False: none.
bool combine_reals(char sign, double a, double b, PtxConstant& made) {
  switch (sign) {
    case '+':
      made = real(a + b);
      return true;
    case '-':
      made = real(a - b);
      return true;
    case '*':
      made = real(a * b);
      return true;
    case '/':
      made = real(a / b);
      return b != 0;
    default:
      return false;
  }
}

bool compare(std::string_view text, bool is_less, bool is_equal, PtxConstant& made) {
  if (text == "<")
    made = whole(is_less);
  else if (text == "<=")
    made = whole(is_less || is_equal);
  else if (text == ">")
    made = whole(!is_less && !is_equal);
  else if (text == ">=")
    made = whole(!is_less);
  else if (text == "==")
    made = whole(is_equal);
  else if (text == "!=")
    made = whole(!is_equal);
  else
    return false;
  return true;
}

std::uint64_t divide(std::uint64_t a, std::uint64_t b, bool is_unsigned) {
  if (is_unsigned) return a / b;
  const bool negative = ((a ^ b) & kSign) != 0;
  const std::uint64_t quotient = ((a & kSign) != 0 ? ~a + 1 : a) / ((b & kSign) != 0 ? ~b + 1 : b);
  return negative ? ~quotient + 1 : quotient;
}

// By the low six bits of the count, as ptxas has it (an H200's driver 580.159.04: 1<<65 is 2).
std::uint64_t shift_right(std::uint64_t a, std::uint64_t by, bool is_unsigned) {
  const std::uint64_t sign = !is_unsigned && (a & kSign) != 0 ? ~std::uint64_t{0} : 0;
  by &= 63;
  return by == 0 ? a : a >> by | sign << (64 - by);
}

bool combine_whole(std::string_view text, const PtxConstant& left, const PtxConstant& right,
                   PtxConstant& made) {
  const std::uint64_t a = left.bits, b = right.bits;
  const bool is_unsigned = left.is_unsigned || right.is_unsigned;
  const std::uint64_t flip = is_unsigned ? 0 : kSign;
  if (text == "<<")
    made = whole(a << (b & 63), left.is_unsigned);
  else if (text == ">>")
    made = whole(shift_right(a, b, left.is_unsigned), left.is_unsigned);
  else if (text == "&&")
    made = whole(a != 0 && b != 0);
  else if (text == "||")
    made = whole(a != 0 || b != 0);
  else if (text == "*")
    made = whole(a * b, is_unsigned);
  else if (text == "/" && b != 0)
    made = whole(divide(a, b, is_unsigned), is_unsigned);
  else if (text == "%" && b != 0)
    made = whole(a % b, true);
  else if (text == "+")
    made = whole(a + b, is_unsigned);
  else if (text == "-")
    made = whole(a - b, is_unsigned);
  else if (text == "&")
    made = whole(a & b, is_unsigned);
  else if (text == "^")
    made = whole(a ^ b, is_unsigned);
  else if (text == "|")
    made = whole(a | b, is_unsigned);
  else
    return compare(text, (a ^ flip) < (b ^ flip), a == b, made);
  return true;
}

}  // namespace

// Whether an operand begins here that is no plain number and no name.
bool PtxParser::is_expression() const {
  const Token& token = peek();
  const bool may_begin = token.kind == TokenKind::number || token.text == "WARP_SZ";
  if (may_begin)
    return peek(1).kind == TokenKind::mark &&
           std::string_view(",;})]").find(peek(1).text) == std::string_view::npos;
  if (token.kind == TokenKind::dot_word) return token.text[1] >= '0' && token.text[1] <= '9';
  if (is("(")) return opcode_ != "call";
  if (is("~") || is("+")) return true;
  if (!is("-") && !is("!")) return false;
  return peek(1).kind != TokenKind::word || peek(1).text == "WARP_SZ";
}

std::string_view PtxParser::operator_here(int weakest, int& strength) const {
  for (const Operator& each : kOperators) {
    if (!is(each.text.substr(0, 1))) continue;
    if (each.text.size() == 2 &&
        (!is(each.text.substr(1), 1) || peek(1).text.data() != peek().text.data() + 1))
      continue;
    strength = each.strength;
    return strength < weakest ? std::string_view{} : each.text;
  }
  return {};
}

PtxConstant PtxParser::constant(int weakest, int depth) {
  PtxConstant left = unary_constant(depth + 1);
  int strength = 0;
  for (std::string_view text = operator_here(weakest, strength); !text.empty();
       text = operator_here(weakest, strength)) {
    const Token at = peek();
    for (std::size_t k = 0; k < text.size(); ++k) take();
    if (text == "?") {
      const PtxConstant yes = constant(0, depth + 1);
      expect(":");
      const PtxConstant no = constant(0, depth + 1);
      left = left.bits != 0 ? yes : no;
      continue;
    }
    const PtxConstant right = constant(strength + 1, depth + 1);
    PtxConstant made;
    const bool reals = left.is_real || right.is_real;
    const double a = real_of(left), b = real_of(right);
    const bool done = !reals ? combine_whole(text, left, right, made)
                             : (text.size() == 1 && combine_reals(text[0], a, b, made)) ||
                                   compare(text, a < b, a == b, made);
    if (!done) refuse_at(at, fmt::format("'{}' cannot combine these constants", text));
    left = made;
  }
  return left;
}

PtxConstant PtxParser::unary_constant(int depth) {
  if (depth > kDeepest) refuse("the constant is nested too deeply");
  const Token token = peek();
  if (accept("+")) return unary_constant(depth + 1);
  if (accept("-")) {
    PtxConstant made = unary_constant(depth + 1);
    if (made.is_real)
      made.bits ^= kSign;
    else
      made.bits = ~made.bits + 1;
    return made;
  }
  if (accept("!")) return whole(unary_constant(depth + 1).bits == 0);
  if (accept("~")) {
    const PtxConstant made = unary_constant(depth + 1);
    if (made.is_real) refuse_at(token, "'~' is for whole numbers");
    return whole(~made.bits, true);
  }
  if (accept("(")) {
    const bool casts = is(".s64") || is(".u64");
    const bool is_unsigned = is(".u64");
    if (casts) take();
    PtxConstant made;
    if (!casts) made = constant(0, depth + 1);
    expect(")");
    if (!casts) return made;
    made = unary_constant(depth + 1);
    if (made.is_real) refuse_at(token, "a cast is for whole numbers");
    return whole(made.bits, is_unsigned);
  }
  if (accept("WARP_SZ")) return whole(32);
  ParsedNumber number;
  if ((token.kind != TokenKind::number && token.kind != TokenKind::dot_word) ||
      !parse_number(token.text, number))
    refuse_at(token, fmt::format("'{}' should be a number", token.text.substr(0, 40)));
  take();
  if (number.is_real) {
    PtxConstant made = whole(number.bits_as(Type::f64));
    made.is_real = true;
    return made;
  }
  const bool has_suffix = token.text.back() == 'U' || token.text.back() == 'u';
  return whole(number.bits, has_suffix || (number.bits & kSign) != 0);
}

// Of an address, behind its `+` or `-`: what `*` and the like bind.
std::int64_t PtxParser::offset() {
  constexpr int kProduct = 10;
  const Token token = peek();
  const PtxConstant made = constant(kProduct, 0);
  if (made.is_real) refuse_at(token, "an offset should be a whole number");
  return static_cast<std::int64_t>(made.bits);
}

std::int64_t PtxParser::whole_constant() {
  const Token token = peek();
  const PtxConstant made = constant(0, 0);
  if (made.is_real) refuse_at(token, "an index should be a whole number");
  return static_cast<std::int64_t>(made.bits);
}

PtxOperand PtxParser::expression_operand() {
  const PtxConstant found = constant(0, 0);
  PtxOperand made;
  made.kind = found.is_real ? OperandKind::real : OperandKind::integer;
  made.real_bits = 64;
  made.value = static_cast<std::int64_t>(found.bits);
  return made;
}

}  // namespace lanescope::emulator
