// SPDX-License-Identifier: MIT
#include "emulator/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/device_heap.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/report.hpp"

namespace lanescope::emulator {
namespace {

// Gives a variable an address, and writes what it is initialised with.
std::uint64_t place(const PtxVariable& variable, const Options& options, Memory& memory,
                    LoadedModule& loaded) {
  if (variable.is_external)
    throw Refusal(ErrorCode::unsupported_instruction,
                  fmt::format("the variable {} is defined in another module", variable.name),
                  variable.line, 1);
  // Whole words, as a byte's neighbours are the module's own: cuda::atomic_ref of a byte or a
  // half swaps the word around it.
  const auto bytes =
      (static_cast<std::uint64_t>(std::max<std::int64_t>(variable.bytes, 1)) + 3) / 4 * 4;
  const Result<std::uint64_t> made = memory.allocate(bytes, options.memory_bytes);
  if (!made.ok()) throw Refusal(made.error.code, made.error.message, variable.line, 1);
  loaded.owned.push_back(made.value);
  auto* to = reinterpret_cast<void*>(made.value);
  std::memset(to, 0, bytes);
  if (!variable.initial.empty()) std::memcpy(to, variable.initial.data(), variable.initial.size());
  loaded.variables[std::string(variable.name)] = {made.value,
                                                  static_cast<std::uint64_t>(variable.bytes)};
  return made.value;
}

void relocate(const PtxVariable& variable, std::int64_t address, LoadedModule& loaded) {
  for (const PtxVariable::Relocation& pointer : variable.relocations) {
    const auto target = loaded.variables.find(pointer.symbol);
    const int function = loaded.program.module.find_function(pointer.symbol);
    const bool found = target != loaded.variables.end() || function >= 0;
    if (!found || address == 0)
      throw Refusal(ErrorCode::unsupported_instruction,
                    fmt::format("the initial value {} of {} is no variable and no function",
                                pointer.symbol, variable.name),
                    variable.line, 1);
    std::uint64_t value =
        target != loaded.variables.end() ? target->second.address : function_address(function);
    value += static_cast<std::uint64_t>(pointer.addend);
    auto* to = reinterpret_cast<void*>(address + pointer.offset_bytes);
    if (pointer.shift >= 0) value = value >> pointer.shift & 0xff;
    std::memcpy(to, &value, pointer.shift < 0 ? 8 : 1);
    loaded.program.point_at(function);
  }
}

// What refuses the module: anything that no card would take; and a kernel that cannot run, where
// all of them are read and none can.
const Function* refused_at_once(const Program& program, Reading reading) {
  const Function* refused = nullptr;
  bool runs = reading == Reading::when_asked;
  for (const Function& function : program.functions) {
    if (function.refusal && function.refusal.code != ErrorCode::unsupported_instruction)
      return &function;
    if (!program.module.functions[static_cast<std::size_t>(function.index)].is_entry) continue;
    if (function.refusal && refused == nullptr) refused = &function;
    runs = runs || !function.refusal;
  }
  return runs ? nullptr : refused;
}

// What no card has room for, and targets that the version does not know.
void check_limits(const PtxModule& module) {
  constexpr std::int64_t kMostConstants = 65536, kMostParameters = 32764;  // ptxas 13.0's
  constexpr int kFirstTarget = 10;
  const Target target = parse_target(module.target);
  if (!module.target.empty() && target.number < kFirstTarget)
    throw Refusal(ErrorCode::invalid_ptx, fmt::format("{} is no target", module.target), 1, 1);
  const int first = first_version(target);
  if (module.ptx_version < first)
    throw Refusal(ErrorCode::invalid_ptx,
                  fmt::format("PTX .version {}.{} has no .target {}; write .version {}.{} or later",
                              module.ptx_version / 10, module.ptx_version % 10, module.target,
                              first / 10, first % 10),
                  1, 1);
  if (const std::int64_t bytes = constant_bytes(module); bytes > kMostConstants)
    throw Refusal(ErrorCode::invalid_ptx,
                  fmt::format("the .const variables have {} bytes, a module may have {}; put the "
                              "larger ones into .global",
                              bytes, kMostConstants),
                  1, 1);
  for (const PtxFunction& function : module.functions) {
    std::int64_t bytes = 0;
    for (const int parameter : function.parameters)
      bytes += module.variables[static_cast<std::size_t>(parameter)].bytes;
    if (function.is_entry && bytes > kMostParameters)
      throw Refusal(ErrorCode::invalid_ptx,
                    fmt::format("the parameters of {} have {} bytes, a kernel may have {}",
                                function.name, bytes, kMostParameters),
                    function.line, 1);
  }
}

}  // namespace

std::string target_problem(std::string_view target, std::string_view arch) {
  const Target wanted = parse_target(target);
  const Target here = parse_target(arch);
  if (wanted.number == 0) return fmt::format("{} is no target", target);
  const bool fits = wanted.suffix == 'a' ? target == arch
                    : wanted.suffix == 'f'
                        ? here.number / 10 == wanted.number / 10 && here.number >= wanted.number
                        : here.number >= wanted.number;
  return fits ? std::string()
              : fmt::format("the PTX is for {}, the emulated card is {}", target, arch);
}

void place_variables(const Options& options, Memory& memory, LoadedModule& loaded) {
  const std::vector<PtxVariable>& variables = loaded.program.module.variables;
  std::vector<std::int64_t>& addresses = loaded.program.variable_addresses;
  const std::size_t first = addresses.size();
  addresses.resize(variables.size(), 0);
  for (std::size_t v = first; v < variables.size(); ++v)
    if (variables[v].space == Space::global || variables[v].space == Space::constant)
      addresses[v] = static_cast<std::int64_t>(place(variables[v], options, memory, loaded));
  for (std::size_t v = first; v < variables.size(); ++v)
    relocate(variables[v], addresses[v], loaded);
}

Error load_module(std::string_view ptx, std::string_view name, std::string_view ptxas_options,
                  Reading reading, const Options& options, Memory& memory, LoadedModule& loaded) {
  try {
    Program& program = loaded.program;
    program.host = options.host;
    program.arch = options.arch;
    PtxParser& parser = loaded.parser.emplace(program.module, ptx, name);
    parser.run(reading);
    read_ptxas_options(program.module, ptxas_options);
    if (const std::string problem = target_problem(program.module.target, options.arch);
        !problem.empty())
      return plain_error(
          ErrorCode::no_kernel_image,
          fmt::format("{}, {}, compile with -arch={} or emulate another card with --arch", problem,
                      name, options.arch));
    check_limits(program.module);
    Decoding& decoding = loaded.decoding.emplace(program);
    place_variables(options, memory, loaded);
    FunctionList now, waiting;
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      (parser.waits(program.functions[f].index) ? waiting : now).push_back(static_cast<int>(f));
    decoding.place(now);
    if (decoding.wants_all_placed() && !waiting.empty()) {
      for (const int f : waiting)
        parser.read_body(program.functions[static_cast<std::size_t>(f)].index);
      place_variables(options, memory, loaded);
      decoding.place(waiting);
      now.insert(now.end(), waiting.begin(), waiting.end());
    }
    decoding.decode(now);
    if (const Function* refused = refused_at_once(program, reading); refused != nullptr) {
      for (const std::uint64_t address : loaded.owned) memory.free(address);
      return refused->refusal;
    }
    read_named_kernels(options, memory, loaded);
    for (const Function& function : program.functions)
      if (program.module.functions[static_cast<std::size_t>(function.index)].is_entry)
        loaded.kernels[function.name];
    return {};
  } catch (const Refusal& refusal) {
    for (const std::uint64_t address : loaded.owned) memory.free(address);
    return refusal_error(refusal, name);
  }
}

Error make_heap(std::uint64_t bytes, const Options& options, Memory& memory, LoadedModule& loaded) {
  Result<std::uint64_t> made = memory.allocate(bytes, options.memory_bytes);
  if (!made.ok()) {
    made.error.message = "the kernels' malloc: " + made.error.message;
    return made.error;
  }
  loaded.program.heap = std::make_shared<DeviceHeap>(made.value, bytes);
  return {};
}

}  // namespace lanescope::emulator
