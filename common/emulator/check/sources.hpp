// SPDX-License-Identifier: MIT
// Which parameters of a kernel its addresses come from: so that memory which a kernel cannot write
// need not be watched while it is read, as the operands of a GEMM.
//
// Registers are followed through the text without its order: what may have gone into a register is
// the union of all that is put into it. An address that comes out of memory, or into a function,
// may be anything.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// A bit a parameter; the last says "anything".
using SourceMask = std::uint64_t;
inline constexpr SourceMask kAnySource = SourceMask{1} << 63;

struct SourcesOfFunction {
  std::vector<SourceMask> statements;  // of the global address that a statement reads or writes
  SourceMask written = 0;
};
SourcesOfFunction find_sources(const PtxModule& module, const PtxFunction& function);

}  // namespace lanescope::emulator
