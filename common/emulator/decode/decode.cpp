// SPDX-License-Identifier: MIT
#include "emulator/decode/decode.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/ptx/form.hpp"
#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/ptxas/repeated_wgmma.hpp"
#include "emulator/run/registers.hpp"

namespace lanescope::emulator {

const Function* Program::function_at(std::uint32_t pc) const {
  for (const Function& function : functions)
    if (pc >= function.first && pc < function.end) return &function;
  return nullptr;
}

int Program::find_function(std::string_view name) const {
  const int found = module.find_function(name);
  return found < 0 ? -1 : function_of[static_cast<std::size_t>(found)];
}

void Program::point_at(int function) {
  const int body = function < 0 ? -1 : function_of[static_cast<std::size_t>(function)];
  if (body < 0) return;
  if (module.functions[static_cast<std::size_t>(function)].is_entry)
    named_kernels.push_back(body);  // nobody calls a kernel
  else
    functions[static_cast<std::size_t>(body)].is_pointed_at = true;
}

int Program::function_of_address(std::uint64_t address) const {
  const std::uint64_t index = (address - kFunctionWindow) / 16 - 1;
  return address % 16 != 0 || index >= function_of.size() ? -1 : function_of[index];
}

bool Program::is_constant(std::uint64_t address) const {
  for (std::size_t v = 0; v < module.variables.size(); ++v) {
    const auto offset = address - static_cast<std::uint64_t>(variable_addresses[v]);
    if (module.variables[v].space == Space::constant &&
        offset < static_cast<std::uint64_t>(module.variables[v].bytes))
      return true;
  }
  return false;
}

const PtxStatement* Program::statement(std::uint32_t pc) const {
  const Function* function = function_at(pc);
  if (function == nullptr) return nullptr;
  const auto& statements = module.functions[static_cast<std::size_t>(function->index)].statements;
  return pc - function->first < statements.size() ? &statements[pc - function->first] : nullptr;
}

namespace {

// Opcode and modifiers as they are written; empty where they are not in one piece, as the parser
// makes some.
std::string_view words_of(const PtxStatement& statement) {
  const char* const begin = statement.opcode.data();
  const char* end = begin + statement.opcode.size();
  for (const std::string_view modifier : statement.modifiers) {
    if (modifier.data() != end + 1) return {};
    end = modifier.data() + modifier.size();
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

Decoder::Decoder(Program& program, Function& function, std::string_view arch, KnownForms& forms)
    : program_(program),
      function_(function),
      parsed_(program.module.functions[static_cast<std::size_t>(function.index)]),
      arch_(arch),
      forms_(forms) {
  if (!program.module.ptxas_optimizes()) return;
  known_ = KnownNumbers(parsed_);
  contractions_ =
      contractions(parsed_, known_, parse_target(arch_).number, !program.module.contracts);
  if (const PtxStatement* repeated = repeated_wgmma(parsed_))
    function.repeated_wgmma = static_cast<int>(repeated - parsed_.statements.data());
}

// Rows of a frame: predicates first, a word each, then what lanes have.
void Decoder::place_registers() {
  std::uint32_t next = 0;
  for (const PtxRegister& reg : parsed_.registers) {
    function_.register_rows.push_back(next);
    if (reg.type == Type::pred) next += 4;
  }
  next = static_cast<std::uint32_t>(up_to(next, 64));
  for (std::size_t r = 0; r < parsed_.registers.size(); ++r) {
    const Type type = parsed_.registers[r].type;
    if (type == Type::pred) continue;
    function_.register_rows[r] = next;
    next += lane_bytes_of(type) * kLanes;
  }
  function_.register_bytes = function_.frame_bytes = next;
}

// `always`: the row of a guard that is not there.
void Decoder::take_guard(std::uint32_t always) {
  made_.guard = always;
  const int guard = statement_->guard;
  if (guard < 0) return;
  if (parsed_.registers[static_cast<std::size_t>(guard)].type != Type::pred)
    refuse("the guard is not a predicate", ErrorCode::invalid_ptx);
  made_.guard = register_row(guard);
  made_.guard_flip = statement_->guard_negated ? kAllLanes : 0;
}

Decoder::Rule Decoder::rule_of_statement() const {
  const Rule rule = find_rule(statement_->opcode);
  if (rule == nullptr)
    refuse(fmt::format("the instruction '{}' is not modelled", statement_->opcode));
  for (const PtxOperand& operand : statement_->operands)
    if (!operand.selector.empty() && rule != &Decoder::video)
      refuse(
          fmt::format("the part .{} of a register is not for this instruction", operand.selector),
          ErrorCode::invalid_ptx);
  return rule;
}

void Decoder::decode_statement() {
  (this->*rule_of_statement())();
  check_spaces();
  if (!modifiers_.empty())
    refuse(fmt::format("the modifier .{} is not modelled here", modifiers_.front()));
  if (!before_.empty()) {
    parts_ = std::move(before_);
    before_.clear();
    composite();
  }
}

void Decoder::run() {
  place_registers();
  const std::uint32_t always = constant(kAllLanes, 0);
  const Target target = parse_target(program_.module.target);
  for (const PtxStatement& statement : parsed_.statements) {
    statement_ = &statement;
    modifiers_ = statement.modifiers;
    made_ = {};
    take_guard(always);
    check_target(missing_target(statement, target));
    check_form();
    decode_statement();
    program_.code.push_back(made_);
  }
  made_ = {};
  made_.guard = always;
  made_.handler = &run_ret;  // where the braces close
  program_.code.push_back(made_);
  watch_accumulators();
}

void Decoder::refuse(const std::string& what, ErrorCode code) const {
  std::string text;
  for (const char c : statement_->text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) text += c;
    if (blank && !text.empty() && text.back() != ' ') text += ' ';
  }
  if (text.size() > 120) text = text.substr(0, 117) + "...";
  throw Refusal(code, fmt::format("{}: {}", what, text), statement_->line, statement_->col);
}

void Decoder::check_target(const std::string& needed) const {
  if (!needed.empty())
    refuse(fmt::format("this needs {}, the PTX is for {}", needed, program_.module.target),
           ErrorCode::invalid_ptx);
}

void Decoder::check_form() const {
  const std::string_view words = words_of(*statement_);
  if (forms_.count(words) != 0) return;
  if (is_no_form(*statement_))
    refuse(fmt::format("no '{}' has these modifiers together", statement_->opcode),
           ErrorCode::invalid_ptx);
  if (!words.empty()) forms_.insert(words);
}

void Decoder::refuse_form() const { refuse("this combination of modifiers is not modelled"); }

void Decoder::set(Handler handler) {
  if (handler == nullptr) refuse_form();
  made_.handler = handler;
}

}  // namespace lanescope::emulator
