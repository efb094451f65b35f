// SPDX-License-Identifier: MIT
// What PTX lets one write shorter, written out, so that nobody behind the parser knows of it:
//
//     ld.global.b32 r, g[2]           ld.global.b32 r, [g+8]
//     ld.global.b32 r, g[i+2]         mov.u64 t, &g[i+2]    ld.global.b32 r, [t]
//     .func (.reg .b32 r) f (...)     .func (.param .b32 r) f (...), a st.param at every ret
//     call (r), f, (a, 5)             st.param of a and 5, call, ld.param of r
//     vote.ballot.b32 r, p            activemask.b32 t      vote.sync.ballot.b32 r, p, t
//
// Source: PTX ISA 9.2, 6.4.2 (arrays), 7.1 (functions), 9.7.13 (vote, shfl); what ptxas 13.0 takes.
#include <fmt/format.h>

#include "emulator/ptx/ptx_parser.hpp"
#include "emulator/ptx/target.hpp"

namespace lanescope::emulator {

namespace {
PtxOperand register_operand(int reg) {
  PtxOperand made;
  made.kind = OperandKind::reg;
  made.reg = reg;
  return made;
}
}  // namespace

// A statement that is run with `whole`, under its guard and in its place.
PtxStatement PtxParser::part_of(const PtxStatement& whole, std::string_view opcode,
                                std::initializer_list<std::string_view> modifiers) const {
  PtxStatement made;
  made.opcode = opcode;
  made.modifiers = modifiers;
  made.guard = whole.guard;
  made.guard_negated = whole.guard_negated;
  made.text = whole.text;
  made.line = whole.line;
  made.col = whole.col;
  made.location = whole.location;
  return made;
}

// A register that the text does not have.
PtxOperand PtxParser::hidden_register(Type type) {
  std::vector<PtxRegister>& all = this_function().registers;
  all.push_back({"hidden", -1, type});
  return register_operand(static_cast<int>(all.size()) - 1);
}

// The address of a .param variable: what ld.param and st.param go to.
PtxOperand PtxParser::parameter_operand(int variable, bool as_address) const {
  PtxOperand made;
  made.kind = OperandKind::variable;
  made.name = module_.variables[static_cast<std::size_t>(variable)].name;
  made.variable = variable;
  if (!as_address) return made;
  PtxOperand address;
  address.kind = OperandKind::address;
  address.items.push_back(std::move(made));
  return address;
}

// Behind the name of a variable: [2], [i], [i+2]. An element is as long as the type says, whatever
// vectors and dimensions there are.
PtxOperand PtxParser::element_operand(PtxOperand array) {
  if (array.kind != OperandKind::variable ||
      !module_.variables[static_cast<std::size_t>(array.variable)].is_array)
    refuse(fmt::format("{} is no array, of which an element could be named", array.name));
  if (opcode_ != "ld" && opcode_ != "ldu" && opcode_ != "st" && opcode_ != "mov" &&
      opcode_ != "cvta")
    refuse("an element of an array is named for ld, st, mov and cvta alone");
  expect("[");
  const Type type = module_.variables[static_cast<std::size_t>(array.variable)].type;
  const int index = peek().kind == TokenKind::word ? find_register(peek().text) : -1;
  std::uint64_t element = 0;
  if (index < 0) {
    element = static_cast<std::uint64_t>(whole_constant());
  } else {
    take();
    if (accept("+")) element = static_cast<std::uint64_t>(whole_constant());
  }
  expect("]");
  if (index >= 0) {
    index_ = index;
    first_element_ = static_cast<std::int64_t>(element);
    element_bytes_ = bytes_of(type);
  } else {
    array.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(array.value) +
                                            element * static_cast<std::uint64_t>(bytes_of(type)));
  }
  if (opcode_ == "mov" || opcode_ == "cvta") return array;
  PtxOperand address;
  address.kind = OperandKind::address;
  address.value = array.value;
  array.value = 0;
  address.items.push_back(std::move(array));
  return address;
}

// The address of an element whose index is in a register becomes one more statement.
void PtxParser::write_out_index(PtxStatement& statement) {
  if (index_ < 0) return;
  const PtxOperand index = register_operand(index_);
  PtxOperand bytes, first;
  bytes.kind = first.kind = OperandKind::integer;
  bytes.value = element_bytes_;
  first.value = first_element_;
  index_ = -1;
  if (statement.opcode == "mov") {
    statement.modifiers.push_back(kElement);
    statement.operands.push_back(index);
    statement.operands.push_back(bytes);
    statement.operands.push_back(first);
    return;
  }
  PtxStatement address = part_of(statement, "mov", {"u64", kElement});
  const PtxOperand to = hidden_register(Type::u64);
  for (PtxOperand& operand : statement.operands) {
    PtxOperand* base = &operand;
    if (operand.kind == OperandKind::address && !operand.items.empty()) base = &operand.items[0];
    if (base->kind != OperandKind::variable) continue;
    address.operands = {to, *base, index, bytes, first};
    *base = to;
    break;
  }
  this_function().statements.push_back(std::move(address));
}

// Without a mask: the lanes that are together. ptxas takes that for targets below sm_70.
void PtxParser::write_out_mask(PtxStatement& statement) {
  if ((statement.opcode != "vote" && statement.opcode != "shfl") || has(statement, "sync")) return;
  constexpr int kVolta = 70, kLastVersion = 63;
  if (parse_target(module_.target).number >= kVolta && module_.ptx_version > kLastVersion)
    refuse_at({TokenKind::word, statement.text, statement.line, statement.col},
              fmt::format("{0} without .sync is for a .target below sm_70, this one is {1}; write "
                          "{0}.sync and a mask of lanes",
                          statement.opcode, module_.target));
  if (mask_ < 0) mask_ = hidden_register(Type::b32).reg;
  const PtxOperand mask = register_operand(mask_);
  PtxStatement asks = part_of(statement, "activemask", {"b32"});
  asks.operands.push_back(mask);
  this_function().statements.push_back(std::move(asks));
  statement.modifiers.insert(statement.modifiers.begin(), "sync");
  statement.operands.push_back(mask);
}

// .reg .f32 x among a function's parameters: a .param of that name, and a register for the body.
int PtxParser::register_parameter(bool is_result) {
  expect(".reg");
  const Token token = take();
  const Type type =
      token.kind == TokenKind::dot_word ? find_type(token.text.substr(1)) : Type::none;
  if (type == Type::none || type == Type::pred)
    refuse_at(token,
              fmt::format("a parameter in a register of type {} is not modelled", token.text),
              ErrorCode::unsupported_instruction);
  const int made = variable(Space::parameter, type, 1, 0, false);
  (is_result ? results_ : arguments_).push_back({made, -1});
  return made;
}

// Where the body begins: the registers, and what the caller has put into those of the arguments.
void PtxParser::load_register_arguments() {
  PtxFunction& function = this_function();
  for (std::vector<InRegister>* list : {&results_, &arguments_}) {
    for (InRegister& each : *list) {
      const PtxVariable& variable = module_.variables[static_cast<std::size_t>(each.variable)];
      each.reg = static_cast<int>(function.registers.size());
      function.registers.push_back({variable.name, -1, variable.type});
      scopes_[static_cast<std::size_t>(scope_)].registers[variable.name] = {each.reg, 0, 0};
      if (list == &results_) continue;
      PtxStatement here;
      here.line = peek().line;
      here.col = peek().col;
      here.text = variable.name;
      PtxStatement load = part_of(here, "ld", {"param", info(variable.type).name});
      load.operands = {register_operand(each.reg), parameter_operand(each.variable, true)};
      function.statements.push_back(std::move(load));
    }
  }
}

// In front of every ret, and where the braces close.
void PtxParser::store_register_results(const PtxStatement& where) {
  for (const InRegister& result : results_) {
    const PtxVariable& variable = module_.variables[static_cast<std::size_t>(result.variable)];
    PtxStatement store = part_of(where, "st", {"param", info(variable.type).name});
    store.operands = {parameter_operand(result.variable, true), register_operand(result.reg)};
    this_function().statements.push_back(std::move(store));
  }
}

// What a call has to give for this parameter, or gets from it: as the function says, or through a
// pointer as the register is.
Type PtxParser::passed_type(const PtxOperand& value, const PtxFunction* callee, bool is_result,
                            std::size_t k) const {
  const PtxRegister* reg = value.kind != OperandKind::reg
                               ? nullptr
                               : &this_function().registers[static_cast<std::size_t>(value.reg)];
  if (callee == nullptr) {
    if (reg == nullptr)
      refuse("a number in a call through a pointer is not modelled; put it into a register",
             ErrorCode::unsupported_instruction);
    return reg->type;
  }
  const std::vector<int>& formal = is_result ? callee->returns : callee->parameters;
  if (k >= formal.size()) refuse(fmt::format("the call of {} has too many values", callee->name));
  const PtxVariable& variable = module_.variables[static_cast<std::size_t>(formal[k])];
  const bool fits = variable.bytes == bytes_of(variable.type) &&
                    (reg == nullptr || info(reg->type).bits == info(variable.type).bits) &&
                    (value.kind != OperandKind::integer || !is_real(variable.type));
  if (!fits)
    refuse(fmt::format("a value of the call of {} does not have the type of the parameter {}",
                       callee->name, variable.name));
  return variable.type;
}

// Registers and numbers among the values of a call go through .param variables, which is where
// every other call has its values.
std::vector<PtxStatement> PtxParser::write_out_call(PtxStatement& call) {
  std::vector<PtxStatement> behind;
  const PtxOperand* name = nullptr;
  for (const PtxOperand& part : call.operands)
    if (part.kind != OperandKind::list && name == nullptr) name = &part;
  if (name == nullptr) return behind;
  const int called = name->kind == OperandKind::name ? module_.find_function(name->name) : -1;
  if (called < 0 && name->kind != OperandKind::reg) return behind;
  const PtxFunction* callee =
      called < 0 ? nullptr : &module_.functions[static_cast<std::size_t>(called)];
  bool is_result = &call.operands.front() != name;
  for (PtxOperand& part : call.operands) {
    if (part.kind != OperandKind::list) {
      is_result = false;
      continue;
    }
    for (std::size_t k = 0; k < part.items.size(); ++k) {
      PtxOperand& value = part.items[k];
      const bool is_number = value.kind == OperandKind::integer || value.kind == OperandKind::real;
      const bool is_sink = is_result && value.kind == OperandKind::sink;
      if (value.kind != OperandKind::reg && !(is_number && !is_result) && !is_sink) continue;
      const Type type = passed_type(value, callee, is_result, k);
      const int passed = hidden_parameter(type);
      PtxStatement moves = part_of(call, is_result ? "ld" : "st", {"param", info(type).name});
      moves.operands = {parameter_operand(passed, true), value};
      if (is_result) std::swap(moves.operands[0], moves.operands[1]);
      if (!is_result)
        this_function().statements.push_back(std::move(moves));
      else if (!is_sink)
        behind.push_back(std::move(moves));
      value = parameter_operand(passed, false);
    }
  }
  return behind;
}

int PtxParser::hidden_parameter(Type type) {
  PtxVariable made;
  made.name = "hidden";
  made.space = Space::parameter;
  made.type = type;
  made.bytes = made.alignment_bytes = bytes_of(type);
  made.function = function_;
  module_.variables.push_back(std::move(made));
  return static_cast<int>(module_.variables.size()) - 1;
}

}  // namespace lanescope::emulator
