// SPDX-License-Identifier: MIT
// The part of the parser that reads the operands of a statement.
#include <fmt/format.h>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

namespace {
constexpr int kDeepestOperand = 4;
}

PtxOperand PtxParser::operand(int depth) {
  if (depth > kDeepestOperand) refuse("the operands are nested too deeply");
  const Token token = peek();
  if (is_expression()) return expression_operand();
  if (accept("{")) return list_operand("}", depth);
  if (accept("(")) return list_operand(")", depth);
  if (accept("[")) return address_operand(depth);
  if (accept("!")) {
    PtxOperand negated = operand(depth + 1);
    negated.negated = !negated.negated;
    return negated;
  }
  if (accept("-")) {
    PtxOperand negated = name_operand();
    negated.negated = true;
    return negated;
  }
  if (token.kind == TokenKind::number) return number_operand();
  if (token.kind == TokenKind::word) {
    PtxOperand named = name_operand();
    return depth == 0 && is("[") ? element_operand(std::move(named)) : named;
  }
  refuse(token.kind == TokenKind::end
             ? "the text ends within an instruction"
             : fmt::format("'{}' is no operand", token.text.substr(0, 40)));
}

PtxOperand PtxParser::list_operand(std::string_view close, int depth) {
  PtxOperand list;
  list.kind = OperandKind::list;
  while (!accept(close)) {
    if (!list.items.empty()) expect(",");
    list.items.push_back(operand(depth + 1));
  }
  if (close == "}") pair(list);  // tex's {r, g, b, a}|p
  return list;
}

// [base], [base+4], [base+-4], [16], and [base, {coordinates}] of the tensor copies.
PtxOperand PtxParser::address_operand(int depth) {
  PtxOperand address;
  address.kind = OperandKind::address;
  if (peek().kind == TokenKind::number || is("-")) {
    address.value = offset();
  } else {
    address.items.push_back(name_operand());
    PtxOperand& base = address.items.front();
    if (base.kind == OperandKind::variable) {
      address.value = base.value;
      base.value = 0;
    }
  }
  if (is("-")) refuse("an address has no minus: write [base+-4]");
  while (accept("+"))
    address.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(address.value) +
                                              static_cast<std::uint64_t>(offset()));
  while (accept(",")) address.items.push_back(operand(depth + 1));
  expect("]");
  return address;
}

PtxOperand PtxParser::number_operand() {
  const Token token = take();
  ParsedNumber number;
  if (token.kind != TokenKind::number || !parse_number(token.text, number))
    refuse_at(token, fmt::format("'{}' should be a number", token.text.substr(0, 40)));
  PtxOperand made;
  made.kind = number.is_real ? OperandKind::real : OperandKind::integer;
  made.real_bits = number.real_bits;
  made.value = static_cast<std::int64_t>(number.bits);
  return made;
}

// The second destination of %r1|%p2, as shfl and match have it.
void PtxParser::pair(PtxOperand& first) {
  if (!accept("|")) return;
  const Token token = peek();
  const std::string_view name = word("the second destination");
  first.pair = name == "_" ? -1 : find_register(name);
  if (first.pair < 0 && name != "_")
    refuse_at(token, fmt::format("the register {} is not declared", name));
}

// v.x or v.r: one register of a vector; v: the list of all.
PtxOperand PtxParser::vector_operand(PtxOperand first, int count) {
  if (!first.selector.empty()) {
    constexpr std::string_view kParts = "xyzwrgba";
    const std::size_t part =
        first.selector.size() == 1 ? kParts.find(first.selector) : std::string_view::npos;
    if (part == std::string_view::npos || static_cast<int>(part % 4) >= count)
      refuse(fmt::format("the vector {} has no part .{}", first.name, first.selector));
    first.selector = {};
    first.reg += static_cast<int>(part % 4);
    return first;
  }
  PtxOperand list;
  list.kind = OperandKind::list;
  for (int part = 0; part < count; ++part) {
    list.items.push_back(first);
    list.items.back().reg += part;
  }
  return list;
}

PtxOperand PtxParser::name_operand() {
  PtxOperand made;
  made.name = word("a name");
  made.scope = scope_;
  if (made.name == "_") {
    made.kind = OperandKind::sink;
    pair(made);
  } else if (const int reg = find_register(made.name); reg >= 0) {
    made.kind = OperandKind::reg;
    made.reg = reg;
    if (peek().kind == TokenKind::dot_word) made.selector = take().text.substr(1);
    const int vector = has_vectors_ ? vector_of(made.name) : 0;
    if (vector != 0) return vector_operand(made, vector);
    pair(made);
  } else if (const int variable = find_variable(made.name); variable >= 0) {
    made.kind = OperandKind::variable;
    made.variable = variable;
    while (accept("+"))
      made.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(made.value) +
                                             static_cast<std::uint64_t>(offset()));
  } else if (made.name.front() == '%') {
    made.kind = OperandKind::special;
    const Token& next = peek();
    if (next.kind == TokenKind::dot_word && next.text.data() == made.name.data() + made.name.size())
      made.name = std::string_view(made.name.data(), made.name.size() + take().text.size());
  } else {
    made.kind = OperandKind::name;
  }
  return made;
}

}  // namespace lanescope::emulator
