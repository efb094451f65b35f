// SPDX-License-Identifier: MIT
// The kernels of a module, as the runtime sees them: read when somebody asks for one, and
// described.
#include <algorithm>
#include <set>

#include "emulator/module.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/report.hpp"

namespace lanescope::emulator {
namespace {

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
         static_cast<int>(variable.bytes), variable.alignment_bytes, std::string(variable.name)});
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

void read_kernel(int f, const Options& options, Memory& memory, LoadedModule& loaded) {
  Function& function = loaded.program.functions[static_cast<std::size_t>(f)];
  if (function.end != 0) return;
  try {
    loaded.parser->read_body(function.index);
    place_variables(options, memory, loaded);
  } catch (const Refusal& refusal) {
    function.refusal = refusal_error(refusal, loaded.program.module.name);
  }
  loaded.decoding->place({f});
  loaded.decoding->decode({f});
}

}  // namespace

std::int64_t constant_bytes(const PtxModule& module) {
  std::int64_t end = 0;
  for (const PtxVariable& variable : module.variables) {
    if (variable.space != Space::constant) continue;
    const std::int64_t alignment = std::max(variable.alignment_bytes, 1);
    end = (end + alignment - 1) / alignment * alignment + variable.bytes;
  }
  return end;
}

void read_named_kernels(const Options& options, Memory& memory, LoadedModule& loaded) {
  std::vector<int>& named = loaded.program.named_kernels;
  for (std::size_t n = 0; n < named.size(); ++n)  // which may name more
    read_kernel(named[n], options, memory, loaded);
  named.clear();
}

const Kernel* kernel_of(LoadedModule& loaded, std::string_view name, const Options& options,
                        Memory& memory) {
  const auto found = loaded.kernels.find(name);
  if (found == loaded.kernels.end()) return nullptr;
  Kernel& kernel = found->second;
  if (!kernel.name.empty()) return &kernel;
  const Program& program = loaded.program;
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    if (program.functions[f].name != name) continue;
    read_kernel(static_cast<int>(f), options, memory, loaded);
    read_named_kernels(options, memory, loaded);
    kernel = describe(program, program.functions[f]);
  }
  return &kernel;
}

}  // namespace lanescope::emulator
