// SPDX-License-Identifier: MIT
// The part of the parser that reads what stands between the braces of a function. Operands:
// ptx_operand.cpp; what names mean: ptx_names.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

namespace {
constexpr std::size_t kMostRegisters = 200'000;  // of a function; refuses %r<999999999>
constexpr int kDeepestScope = 1000;
}  // namespace

void PtxParser::body() {
  expect("{");
  load_register_arguments();
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
      const PtxFunction& function = this_function();
      declare(token);
      labels.emplace(token.text, static_cast<int>(function.statements.size()));
      label_ = token.text;
      take();
      take();
    } else if (!accept(";")) {
      statement();
    }
  }
  PtxStatement end;
  end.line = peek().line;
  store_register_results(end);
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
  refuse_at(token, fmt::format("the directive {} is not known here", token.text), of_unknown());
}

// NAME: .branchtargets LABEL, LABEL, ...;
void PtxParser::branch_targets() {
  PtxFunction& function = this_function();
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

// .reg .v4 .f32 v: four registers, v.x to v.w. .reg .v4 .f32 %v<3>: three such vectors.
void PtxParser::registers() {
  take();
  const int vector = accept(".v2") ? 2 : accept(".v4") ? 4 : 0;
  const Token type_token = take();
  const Type type =
      type_token.kind == TokenKind::dot_word ? find_type(type_token.text.substr(1)) : Type::none;
  if (type == Type::none)
    refuse_at(type_token, fmt::format("{} is no register type that is modelled", type_token.text),
              ErrorCode::unsupported_instruction);
  std::vector<PtxRegister>& all = this_function().registers;
  do {
    const Token named = peek();
    const std::string_view name = word("a register's name");
    RegisterRange range{static_cast<int>(all.size()), 0, vector};
    has_vectors_ = has_vectors_ || vector != 0;
    const std::int64_t width = std::max(vector, 1);
    const bool is_range = accept("<");  // p<2> and a p by itself are three registers
    if (!is_range) declare(named);
    if (is_range) {
      const std::int64_t count = integer();
      expect(">");
      if (count < 0 || count > static_cast<std::int64_t>(kMostRegisters) ||
          all.size() + static_cast<std::size_t>(count * width) > kMostRegisters)
        refuse("a function may have 200,000 registers");
      range.count = static_cast<int>(count);
      declare(named, range.count);
      for (int number = 0; number < count * width; ++number) all.push_back({name, number, type});
    } else if (vector != 0) {
      for (int part = 0; part < vector; ++part) all.push_back({name, part, type});
    } else {
      all.push_back({name, -1, type});
    }
    Scope& here = scopes_[static_cast<std::size_t>(scope_)];
    (is_range ? here.ranges : here.registers)[name] = range;
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
  PtxFunction& function = this_function();
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
  opcode_ = made.opcode;
  while (peek().kind == TokenKind::dot_word) made.modifiers.push_back(take().text.substr(1));
  while (!is(";")) {
    if (!made.operands.empty()) expect(",");
    made.operands.push_back(operand(0));
  }
  const Token last = take();
  made.text = std::string_view(first.text.data(),
                               static_cast<std::size_t>(last.text.data() - first.text.data()));
  write_out_index(made);
  write_out_mask(made);
  std::vector<PtxStatement> behind;
  if (made.opcode == "call") behind = write_out_call(made);
  if (made.opcode == "ret") store_register_results(made);
  auto& statements = this_function().statements;
  statements.push_back(std::move(made));
  for (PtxStatement& each : behind) statements.push_back(std::move(each));
}

}  // namespace lanescope::emulator
