// SPDX-License-Identifier: MIT
// A loaded module: its program, its kernels as the runtime sees them, and its variables in memory.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/decode/program.hpp"
#include "emulator/machine.hpp"
#include "emulator/memory.hpp"

namespace lanescope::emulator {

struct LoadedModule {
  Program program;
  std::map<std::string, Kernel, std::less<>> kernels;
  std::map<std::string, Machine::Variable, std::less<>> variables;
  std::vector<std::uint64_t> owned;  // allocations of the variables
};

/// Parses, places, decodes. The error is one line; nothing stays allocated then.
Error load_module(std::string_view ptx, std::string_view name, std::string_view ptxas_options,
                  const Options& options, Memory& memory, LoadedModule& loaded);

/// Memory for malloc of the module's kernels.
Error make_heap(std::uint64_t bytes, const Options& options, Memory& memory, LoadedModule& loaded);

/// Whether PTX for `target` runs on `arch`; the reason otherwise.
std::string target_problem(std::string_view target, std::string_view arch);

}  // namespace lanescope::emulator
