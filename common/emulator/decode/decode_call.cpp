// SPDX-License-Identifier: MIT
// Decoding calls: of functions, through pointers, of what the emulator itself provides.
//
// Source: PTX ISA 9.2, 9.7.12 (call).
#include <fmt/format.h>

#include <algorithm>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/warp_operation.hpp"
#include "emulator/device_runtime.hpp"
#include "emulator/execute/builtin.hpp"

namespace lanescope::emulator {

// call.uni (ret), name, (a, b); also call name; and call name, (a). Where a register stands for the
// name, what follows names a prototype or the functions it may be; we see at run time.
void Decoder::call() {
  take("uni");
  std::vector<const PtxOperand*> lists[2];
  const PtxOperand* callee = nullptr;
  for (const PtxOperand& part : statement_->operands) {
    const bool is_pointer = callee != nullptr && callee->kind == OperandKind::reg;
    if (part.kind == OperandKind::list)
      lists[callee == nullptr ? 0 : 1] = items(part);
    else if (callee == nullptr)
      callee = &part;
    else if (!is_pointer)
      refuse("the call has an operand too many", ErrorCode::invalid_ptx);
  }
  if (callee == nullptr) refuse("the call names no function", ErrorCode::invalid_ptx);
  const auto& [returns, arguments] = lists;
  if (callee->kind == OperandKind::reg) return pointer_call(*callee, arguments, returns);
  if (callee->kind != OperandKind::name)
    refuse("the call names no function", ErrorCode::invalid_ptx);
  Call made;
  made.function = program_.find_function(callee->name);
  if (const Builtin builtin = find_builtin(callee->name);
      builtin != Builtin::none && made.function < 0)
    return builtin_call(builtin, arguments, returns);
  if (const int function = find_runtime_function(callee->name); function >= 0 && made.function < 0)
    return runtime_call(function, arguments, returns);
  if (made.function < 0 && callee->name.substr(0, 9) == "__cudaCDP")
    refuse("this call of the runtime by a kernel is not modelled");
  if (made.function < 0)
    refuse(fmt::format("the function {} has no body in this module", callee->name));
  const Function& function = program_.functions[static_cast<std::size_t>(made.function)];
  const PtxFunction& parsed = program_.module.functions[static_cast<std::size_t>(function.index)];
  if (parsed.is_entry) refuse("a kernel cannot be called", ErrorCode::invalid_ptx);
  made.arguments = copies(arguments, parsed.parameters);
  made.returns = copies(returns, parsed.returns);
  made_.list = static_cast<std::uint32_t>(program_.calls.size());
  made_.target = static_cast<std::uint32_t>(made.function);
  function_.callees.push_back(made.function);
  program_.calls.push_back(std::move(made));
  function_.needs_stack = true;
  set(&run_call);
}

void Decoder::pointer_call(const PtxOperand& callee,
                           const std::vector<const PtxOperand*>& arguments,
                           const std::vector<const PtxOperand*>& returns) {
  Call made;
  for (const PtxOperand* one : arguments)
    made.arguments.push_back({parameter_offset(*one), 0, variable_of(*one).bytes});
  for (const PtxOperand* one : returns)
    made.returns.push_back({parameter_offset(*one), 0, variable_of(*one).bytes});
  made_.a = source(callee, Type::u64);
  made_.list = static_cast<std::uint32_t>(program_.calls.size());
  made_.target = kNoRow;
  function_.callees.push_back(made.function);
  program_.calls.push_back(std::move(made));
  function_.needs_stack = true;
  set(&run_pointer_call);
}

std::vector<Call::Copy> Decoder::copies(const std::vector<const PtxOperand*>& actual,
                                        const std::vector<int>& formal) const {
  if (actual.size() != formal.size())
    refuse(fmt::format("{} arguments where {} should be", actual.size(), formal.size()),
           ErrorCode::invalid_ptx);
  std::vector<Call::Copy> all;
  for (std::size_t k = 0; k < actual.size(); ++k) {
    const auto parameter = static_cast<std::size_t>(formal[k]);
    all.push_back(
        {parameter_offset(*actual[k]), program_.variable_addresses[parameter],
         std::min(program_.module.variables[parameter].bytes, variable_of(*actual[k]).bytes)});
  }
  return all;
}

// Where a .param variable of this function lies in the lane's parameter bytes.
std::int64_t Decoder::parameter_offset(const PtxOperand& operand) const {
  if (operand.kind != OperandKind::variable || variable_of(operand).space != Space::parameter)
    refuse("arguments are passed in .param variables");
  return program_.variable_addresses[static_cast<std::size_t>(operand.variable)];
}

void Decoder::builtin_call(Builtin builtin, const std::vector<const PtxOperand*>& arguments,
                           const std::vector<const PtxOperand*>& returns) {
  if (arguments.size() != argument_count(builtin))
    refuse("the call has the wrong number of arguments", ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> offsets;
  for (const PtxOperand* argument : arguments)
    offsets.push_back(static_cast<std::uint32_t>(parameter_offset(*argument)));
  made_.list = list(offsets);
  made_.count = static_cast<std::uint16_t>(offsets.size());
  made_.immediate = returns.empty() ? -1 : parameter_offset(*returns.front());
  made_.detail = static_cast<std::uint16_t>(builtin);
  if (is_of_heap(builtin))
    program_.has_heap = function_.is_ordered = true;  // the same addresses every time
  set(&run_builtin);
}

void Decoder::runtime_call(int function, const std::vector<const PtxOperand*>& arguments,
                           const std::vector<const PtxOperand*>& returns) {
  const RuntimeFunction& known = runtime_functions()[static_cast<std::size_t>(function)];
  if (arguments.size() != known.arguments.size() || returns.size() > 1)
    refuse("the call has the wrong number of arguments", ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> offsets;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const char letter = known.arguments[k];
    const std::int64_t bytes = letter == 'd' ? 12 : letter == 'i' ? 4 : 8;
    offsets.push_back(static_cast<std::uint32_t>(parameter_offset(*arguments[k])));
    if (variable_of(*arguments[k]).bytes < bytes)
      refuse(fmt::format("argument {} of the call has fewer than {} bytes", k, bytes),
             ErrorCode::invalid_ptx);
  }
  if (!returns.empty() && variable_of(*returns.front()).bytes < known.result_bytes)
    refuse("what the call gives back has too few bytes", ErrorCode::invalid_ptx);
  made_.list = list(offsets);
  made_.count = static_cast<std::uint16_t>(offsets.size());
  made_.immediate = returns.empty() ? -1 : parameter_offset(*returns.front());
  made_.target = static_cast<std::uint32_t>(function);
  function_.is_ordered = true;  // launches have the same order every time
  set(&run_runtime_call);
}

}  // namespace lanescope::emulator
