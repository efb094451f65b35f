// SPDX-License-Identifier: MIT
#include "emulator/decode/decoding.hpp"

#include <algorithm>

#include "emulator/report.hpp"
#include "emulator/run/registers.hpp"

namespace lanescope::emulator {
namespace {

const PtxFunction& parsed_of(const Program& program, const Function& function) {
  return program.module.functions[static_cast<std::size_t>(function.index)];
}

// Those with a body.
Program& list_functions(Program& program) {
  program.function_of.assign(program.module.functions.size(), -1);
  for (std::size_t f = 0; f < program.module.functions.size(); ++f) {
    if (!program.module.functions[f].has_body) continue;
    program.function_of[f] = static_cast<int>(program.functions.size());
    Function function;
    function.name = program.module.functions[f].name;
    function.index = static_cast<int>(f);
    program.functions.push_back(std::move(function));
  }
  return program;
}

// Where its parameters and results lie, for who calls it through a pointer.
void place_slots(const Program& program, Function& function) {
  const PtxFunction& parsed = parsed_of(program, function);
  const auto slot = [&](int variable) {
    const auto v = static_cast<std::size_t>(variable);
    return Function::Slot{program.variable_addresses[v], program.module.variables[v].bytes};
  };
  for (const int variable : parsed.parameters) function.parameters.push_back(slot(variable));
  for (const int variable : parsed.returns) function.returns.push_back(slot(variable));
}

// What is wrong keeps one function from running; who loads the module sees to the others.
void decode_function(Program& program, Function& function, KnownForms& forms) {
  function.first = static_cast<std::uint32_t>(program.code.size());
  const std::size_t statements = parsed_of(program, function).statements.size();
  function.end = function.first + static_cast<std::uint32_t>(statements) + 1;
  try {
    Decoder(program, function, program.arch, forms).run();
  } catch (const Refusal& refusal) {
    function.refusal = refusal_error(refusal, program.module.name);
    Instruction refused;
    refused.guard = function.register_bytes;  // the constant that is always true
    refused.handler = &run_refused;
    program.code.resize(function.end, refused);
    std::fill(program.code.begin() + function.first, program.code.end(), refused);
  }
}

// A caller is as ordered as what it calls; through a pointer, as any function that is no kernel.
void order_callers(Program& program) {
  const auto orders = [&](int callee) {
    if (callee >= 0) return program.functions[static_cast<std::size_t>(callee)].is_ordered;
    return std::any_of(program.functions.begin(), program.functions.end(), [&](const Function& f) {
      return f.is_ordered && !parsed_of(program, f).is_entry;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Function& caller : program.functions) {
      if (caller.is_ordered || !std::any_of(caller.callees.begin(), caller.callees.end(), orders))
        continue;
      caller.is_ordered = changed = true;
    }
  }
}

}  // namespace

Decoding::Decoding(Program& program)
    : program_(list_functions(program)), placement_(program, program.arch) {}

void Decoding::decode(const FunctionList& functions) {
  const auto at = [&](int f) -> Function& {
    return program_.functions[static_cast<std::size_t>(f)];
  };
  placement_.settle();
  program_.checks = nullptr;  // made of the code
  for (const int f : functions) place_slots(program_, at(f));
  for (const int f : functions) {
    Function& function = at(f);
    placement_.shared(function);
    decode_function(program_, function, forms_);
    const PtxFunction& parsed = parsed_of(program_, function);
    if (parsed.is_entry) function.launch_registers = launch_registers(program_.module, parsed);
  }
  order_callers(program_);
}

}  // namespace lanescope::emulator
