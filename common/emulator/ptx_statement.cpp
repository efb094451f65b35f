// SPDX-License-Identifier: MIT
// The half of the parser that reads what stands between the braces of a function.
#include <fmt/format.h>

#include "emulator/ptx_number.hpp"
#include "emulator/ptx_parser.hpp"

namespace lanescope::emulator {

namespace {
constexpr std::size_t kMostRegisters = 200'000;  // of a function; refuses %r<999999999>
constexpr int kDeepestScope = 1000;
constexpr int kDeepestOperand = 4;

// "%r17" -> {"%r", 17}; no number: -1. A leading zero belongs to the name.
std::pair<std::string_view, int> split_number(std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && digits < 9 && name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9')
    ++digits;
  while (digits > 1 && name[name.size() - digits] == '0') --digits;
  if (digits == 0) return {name, -1};
  std::int64_t number = 0;
  parse_integer(name.substr(name.size() - digits), number);
  return {name.substr(0, name.size() - digits), static_cast<int>(number)};
}
}  // namespace

std::string PtxRegister::spelled() const {
  return number < 0 ? std::string(name) : fmt::format("{}{}", name, number);
}

void PtxParser::open_scope() {
  scopes_.emplace_back();
  scopes_.back().parent = scope_;
  scope_ = static_cast<int>(scopes_.size()) - 1;
}

void PtxParser::close_scope() { scope_ = scopes_[static_cast<std::size_t>(scope_)].parent; }

int PtxParser::find_register(std::string_view name) const {
  const auto [prefix, number] = split_number(name);
  for (int s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].registers;
    if (const auto whole = known.find(name); whole != known.end() && whole->second.count == 0)
      return whole->second.first;
    const auto range = number < 0 ? known.end() : known.find(prefix);
    if (range != known.end() && number < range->second.count) return range->second.first + number;
  }
  return -1;
}

int PtxParser::vector_of(std::string_view name) const {
  for (int s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].registers;
    if (const auto found = known.find(name); found != known.end()) return found->second.vector;
  }
  return 0;
}

int PtxParser::find_variable(std::string_view name) const {
  for (int s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].variables;
    if (const auto found = known.find(name); found != known.end()) return found->second;
  }
  return -1;
}

int PtxParser::find_label(int scope, std::string_view name) const {
  for (int s = scope; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].labels;
    if (const auto found = known.find(name); found != known.end()) return found->second;
  }
  return -1;
}

int PtxParser::find_list(int scope, std::string_view name) const {
  for (int s = scope; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    const auto& known = scopes_[static_cast<std::size_t>(s)].lists;
    if (const auto found = known.find(name); found != known.end()) return found->second;
  }
  return -1;
}

void PtxParser::body() {
  expect("{");
  int depth = 1;
  while (depth > 0) {
    const Token& token = peek();
    if (token.kind == TokenKind::end) refuse("the function's closing brace is missing");
    if (accept("{")) {
      if (++depth > kDeepestScope) refuse("the braces are nested too deeply");
      open_scope();
    } else if (accept("}")) {
      if (--depth > 0) close_scope();
    } else if (token.kind == TokenKind::dot_word) {
      body_directive();
    } else if (token.kind == TokenKind::watch) {
      watch();
    } else if (token.kind == TokenKind::word && is(":", 1)) {
      auto& labels = scopes_[static_cast<std::size_t>(scope_)].labels;
      const PtxFunction& function = module_.functions.back();
      if (!labels.emplace(token.text, static_cast<int>(function.statements.size())).second)
        refuse(fmt::format("the label {} is there twice", token.text));
      label_ = token.text;
      take();
      take();
    } else if (!accept(";")) {
      statement();
    }
  }
  resolve_labels();
}

void PtxParser::body_directive() {
  const Token token = peek();
  if (token.text == ".reg") return registers();
  if (token.text == ".loc") return location();
  take();
  if (const Space space = find_space(token.text.substr(1)); space != Space::none)
    return variables(space, false);
  if (token.text == ".extern") {
    expect(".shared");
    return variables(Space::shared, true);
  }
  if (token.text == ".branchtargets") return branch_targets();
  if (token.text == ".pragma" || token.text == ".callprototype" || token.text == ".calltargets")
    return skip_statement();
  refuse_at(token, fmt::format("the directive {} is not known here", token.text),
            ErrorCode::unsupported_instruction);
}

// NAME: .branchtargets LABEL, LABEL, ...;
void PtxParser::branch_targets() {
  PtxFunction& function = module_.functions.back();
  std::vector<PtxOperand> targets;
  while (!is(";")) {
    if (!targets.empty()) expect(",");
    PtxOperand target;
    target.kind = OperandKind::name;
    target.scope = scope_;
    target.name = word("a label");
    targets.push_back(std::move(target));
  }
  take();
  scopes_[static_cast<std::size_t>(scope_)].lists[label_] =
      static_cast<int>(function.branch_targets.size());
  function.branch_targets.push_back(std::move(targets));
}

// .reg .v4 .f32 v: four registers, v.x to v.w.
void PtxParser::registers() {
  take();
  const int vector = accept(".v2") ? 2 : accept(".v4") ? 4 : 0;
  const Token type_token = take();
  const Type type =
      type_token.kind == TokenKind::dot_word ? find_type(type_token.text.substr(1)) : Type::none;
  if (type == Type::none)
    refuse_at(type_token, fmt::format("{} is no register type that is modelled", type_token.text),
              ErrorCode::unsupported_instruction);
  std::vector<PtxRegister>& all = module_.functions.back().registers;
  do {
    const std::string_view name = word("a register's name");
    RegisterRange range{static_cast<int>(all.size()), 0, vector};
    has_vectors_ = has_vectors_ || vector != 0;
    if (vector != 0) {
      for (int part = 0; part < vector; ++part) all.push_back({name, part, type});
    } else if (accept("<")) {
      const std::int64_t count = integer();
      expect(">");
      if (count < 0 || all.size() + static_cast<std::size_t>(count) > kMostRegisters)
        refuse("a function may have 200,000 registers");
      range.count = static_cast<int>(count);
      for (int number = 0; number < range.count; ++number) all.push_back({name, number, type});
    } else {
      all.push_back({name, -1, type});
    }
    scopes_[static_cast<std::size_t>(scope_)].registers[name] = range;
  } while (accept(","));
  expect(";");
}

void PtxParser::watch() {
  const Token token = take();
  const std::string_view text = token.text;
  const std::size_t blank = text.rfind(' ');
  if (blank == std::string_view::npos) return;  // somebody's comment, not ours
  std::string_view reg = text.substr(blank + 1);
  while (!reg.empty() && (reg.back() == ';' || reg.back() == '\r')) reg.remove_suffix(1);
  const int index = find_register(reg);
  if (index < 0) return;
  PtxFunction& function = module_.functions.back();
  function.watches.push_back(
      {static_cast<int>(function.statements.size()), text.substr(0, blank), index});
}

void PtxParser::statement() {
  PtxStatement made;
  const Token first = peek();
  made.line = first.line;
  made.col = first.col;
  made.location = location_;
  if (accept("@")) {
    made.guard_negated = accept("!");
    const Token guard = peek();
    made.guard = find_register(word("a predicate"));
    if (made.guard < 0)
      refuse_at(guard, fmt::format("the predicate {} is not declared", guard.text));
  }
  made.opcode = word("an instruction");
  calls_ = made.opcode == "call";
  while (peek().kind == TokenKind::dot_word) made.modifiers.push_back(take().text.substr(1));
  while (!is(";")) {
    if (!made.operands.empty()) expect(",");
    made.operands.push_back(operand(0));
  }
  const Token last = take();
  made.text = std::string_view(first.text.data(),
                               static_cast<std::size_t>(last.text.data() - first.text.data()));
  module_.functions.back().statements.push_back(std::move(made));
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
  if (token.kind == TokenKind::word) return name_operand();
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
  return list;
}

// [base], [base+4], [base+-4], [base-4], [16], and [base, {coordinates}] of the tensor copies.
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
  while (is("+") || is("-")) {
    const bool minus = take().text == "-";
    const std::int64_t value = offset();
    address.value = static_cast<std::int64_t>(
        static_cast<std::uint64_t>(address.value) +
        (minus ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)));
  }
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

// Only branches name labels; what is still a name elsewhere is a function, or a mistake that the
// decoder reports. The `value` of brx.idx's list is its index in PtxFunction::branch_targets.
void PtxParser::resolve_labels() {
  PtxFunction& function = module_.functions.back();
  const auto resolve = [](PtxOperand& operand, int found) {
    if (found < 0) return;
    operand.kind = OperandKind::label;
    operand.value = found;
  };
  for (PtxStatement& statement : function.statements) {
    for (PtxOperand& operand : statement.operands)
      if (operand.kind == OperandKind::name)
        resolve(operand, statement.opcode == "brx" ? find_list(operand.scope, operand.name)
                                                   : find_label(operand.scope, operand.name));
  }
  for (std::vector<PtxOperand>& targets : function.branch_targets)
    for (PtxOperand& target : targets) resolve(target, find_label(target.scope, target.name));
}

}  // namespace lanescope::emulator
