// SPDX-License-Identifier: MIT
// A loaded module: its program, its kernels as the runtime sees them, and its variables in memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/decode/decoding.hpp"
#include "emulator/decode/program.hpp"
#include "emulator/machine.hpp"
#include "emulator/memory.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

struct LoadedModule {
  Program program;
  std::optional<PtxParser> parser;  // and what comes behind it: of kernels that are not read yet
  std::optional<Decoding> decoding;
  std::map<std::string, Kernel, std::less<>> kernels;  // without a name: not described yet
  std::map<std::string, Machine::Variable, std::less<>> variables;
  std::vector<std::uint64_t> owned;  // allocations of the variables
};

/// Parses, places, decodes, but for kernels that wait to be asked for. The error is one line;
/// nothing stays allocated then.
Error load_module(std::string_view ptx, std::string_view name, std::string_view ptxas_options,
                  Reading reading, const Options& options, Memory& memory, LoadedModule& loaded);

/// Gives the global and constant variables that were read since it was called last addresses, and
/// writes what they are initialised with. Throws Refusal.
void place_variables(const Options& options, Memory& memory, LoadedModule& loaded);

/// Of all variables, one behind the other: every kernel has all of them, used or not.
std::int64_t constant_bytes(const PtxModule& module);

/// The kernel, read now if it was not asked for before; nullptr: there is none of this name.
const Kernel* kernel_of(LoadedModule& loaded, std::string_view name, const Options& options,
                        Memory& memory);

/// Kernels whose addresses the program has: whoever runs may launch them.
void read_named_kernels(const Options& options, Memory& memory, LoadedModule& loaded);

/// Memory for malloc of the module's kernels.
Error make_heap(std::uint64_t bytes, const Options& options, Memory& memory, LoadedModule& loaded);

/// Whether PTX for `target` runs on `arch`; the reason otherwise.
std::string target_problem(std::string_view target, std::string_view arch);

}  // namespace lanescope::emulator
