// SPDX-License-Identifier: MIT
#include "emulator/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "emulator/decode/decode.hpp"
#include "emulator/device_heap.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/report.hpp"

namespace lanescope::emulator {
namespace {

// Gives every global and constant variable an address; writes what it is initialised with.
std::vector<std::int64_t> place_variables(const PtxModule& module, const Options& options,
                                          Memory& memory, LoadedModule& loaded) {
  std::vector<std::int64_t> addresses(module.variables.size(), 0);
  for (std::size_t v = 0; v < module.variables.size(); ++v) {
    const PtxVariable& variable = module.variables[v];
    if (variable.space != Space::global && variable.space != Space::constant) continue;
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
    if (!variable.initial.empty())
      std::memcpy(to, variable.initial.data(), variable.initial.size());
    addresses[v] = static_cast<std::int64_t>(made.value);
    loaded.variables[std::string(variable.name)] = {made.value,
                                                    static_cast<std::uint64_t>(variable.bytes)};
  }
  return addresses;
}

void relocate(const PtxModule& module, const std::vector<std::int64_t>& addresses,
              const LoadedModule& loaded) {
  for (std::size_t v = 0; v < module.variables.size(); ++v) {
    const PtxVariable& variable = module.variables[v];
    for (const PtxVariable::Relocation& pointer : variable.relocations) {
      const auto target = loaded.variables.find(pointer.symbol);
      const int function = module.find_function(pointer.symbol);
      const bool found = target != loaded.variables.end() || function >= 0;
      if (!found || addresses[v] == 0)
        throw Refusal(ErrorCode::unsupported_instruction,
                      fmt::format("the initial value {} of {} is no variable and no function",
                                  pointer.symbol, variable.name),
                      variable.line, 1);
      std::uint64_t value =
          target != loaded.variables.end() ? target->second.address : function_address(function);
      value += static_cast<std::uint64_t>(pointer.addend);
      auto* to = reinterpret_cast<void*>(addresses[v] + pointer.offset_bytes);
      if (pointer.shift >= 0) value = value >> pointer.shift & 0xff;
      std::memcpy(to, &value, pointer.shift < 0 ? 8 : 1);
    }
  }
}

// A kernel that cannot run, where there is none that can: then the module is refused at once.
const Function* refused_throughout(const Program& program) {
  const Function* refused = nullptr;
  for (const Function& function : program.functions) {
    const auto index = static_cast<std::size_t>(function.index);
    if (!program.module.functions[index].is_entry) continue;
    if (!function.refusal) return nullptr;
    if (refused == nullptr) refused = &function;
  }
  return refused;
}

// Every kernel has all of them, used or not.
std::int64_t constant_bytes(const PtxModule& module) {
  std::int64_t end = 0;
  for (const PtxVariable& variable : module.variables) {
    if (variable.space != Space::constant) continue;
    const std::int64_t alignment = std::max(variable.alignment_bytes, 1);
    end = (end + alignment - 1) / alignment * alignment + variable.bytes;
  }
  return end;
}

bool is_product(const PtxStatement& statement) {
  if (statement.opcode == "mma" || is_wgmma(statement)) return true;
  return (statement.opcode == "wmma" || statement.opcode == "tcgen05") && has(statement, "mma");
}

// Itself or what it calls; what a pointer leads to nobody knows.
bool multiplies(const Program& program, const Function& function, std::set<int>& seen) {
  const auto& parsed = program.module.functions[static_cast<std::size_t>(function.index)];
  if (std::any_of(parsed.statements.begin(), parsed.statements.end(), is_product)) return true;
  return std::any_of(function.callees.begin(), function.callees.end(), [&](int callee) {
    return callee >= 0 && seen.insert(callee).second &&
           multiplies(program, program.functions[static_cast<std::size_t>(callee)], seen);
  });
}

Kernel describe(const Program& program, const Function& function) {
  const PtxFunction& parsed = program.module.functions[static_cast<std::size_t>(function.index)];
  Kernel kernel;
  kernel.name = function.name;
  for (const int parameter : parsed.parameters) {
    const PtxVariable& variable = program.module.variables[static_cast<std::size_t>(parameter)];
    kernel.parameters.push_back(
        {static_cast<int>(program.variable_addresses[static_cast<std::size_t>(parameter)]),
         static_cast<int>(variable.bytes), variable.alignment_bytes});
  }
  kernel.static_shared_bytes = static_cast<int>(function.shared_bytes);
  kernel.local_bytes = static_cast<int>(function.local_bytes);
  kernel.constant_bytes = constant_bytes(program.module);
  if (parsed.max_threads != 0) kernel.max_threads_per_block = parsed.max_threads;
  kernel.required_threads = parsed.required_threads;
  kernel.required_cluster = parsed.required_cluster;
  kernel.max_cluster = parsed.max_cluster;
  kernel.explicit_cluster = parsed.explicit_cluster;
  kernel.blocks_are_clusters = parsed.blocks_are_clusters;
  kernel.ptx_version = program.module.ptx_version;
  std::set<int> seen;
  kernel.multiplies = multiplies(program, function, seen);
  kernel.target = parse_target(program.module.target).number;
  return kernel;
}

// What no card has room for, and targets that the version does not know.
void check_limits(const PtxModule& module) {
  constexpr std::int64_t kMostConstants = 65536, kMostParameters = 32764;  // ptxas 13.0's
  const int first = first_version(parse_target(module.target));
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

Error load_module(std::string_view ptx, std::string_view name, std::string_view ptxas_options,
                  const Options& options, Memory& memory, LoadedModule& loaded) {
  try {
    PtxModule module = parse_ptx(ptx, name);
    read_ptxas_options(module, ptxas_options);
    if (const std::string problem = target_problem(module.target, options.arch); !problem.empty())
      return plain_error(
          ErrorCode::no_kernel_image,
          fmt::format("{}, {}, compile with -arch={} or emulate another card with --arch", problem,
                      name, options.arch));
    check_limits(module);
    const auto addresses = place_variables(module, options, memory, loaded);
    relocate(module, addresses, loaded);
    loaded.program = decode(std::move(module), addresses, options.arch, options.host);
    if (const Function* refused = refused_throughout(loaded.program); refused != nullptr) {
      for (const std::uint64_t address : loaded.owned) memory.free(address);
      return refused->refusal;
    }
    for (const Function& function : loaded.program.functions) {
      const auto index = static_cast<std::size_t>(function.index);
      if (loaded.program.module.functions[index].is_entry)
        loaded.kernels[function.name] = describe(loaded.program, function);
    }
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
