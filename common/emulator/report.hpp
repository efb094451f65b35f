// SPDX-License-Identifier: MIT
// One line for people: what went wrong, where in PTX and in the source, what to do.
#pragma once

#include <string>
#include <string_view>

#include "emulator/ptx/ptx_lexer.hpp"
#include "emulator/run/scheduler.hpp"

namespace lanescope::emulator {

/// An Error that is not about a running kernel.
Error plain_error(ErrorCode code, std::string message);

/// The name of a kernel as in its source, without namespaces that have no name and parameters.
std::string as_written(const std::string& mangled);

/// A statement in one line: blanks made one, comments left out.
std::string in_one_line(std::string_view text);

/// The same, cut where it is too long for a report.
std::string in_short(std::string_view text);

/// Why a module was refused: "program.cu:12:3: ..."; the PTX is named as it was in load().
Error refusal_error(const Refusal& refusal, std::string_view module);

/// The file and line of a statement: the innermost place in the kernel's own file, which is where
/// a wrapper from a header was called. Line 0 without -lineinfo.
trace::SourceLine source_line(const PtxModule& module, const PtxStatement& statement);

/// A CTA that has ended: of accumulators of a wgmma that nobody waited for; "" when there are none.
std::string unawaited_wgmma(const Cta& cta);

/// A CTA that has ended: of tensor memory that nobody has given back; "" when there is none.
std::string kept_tensor_memory(const Cta& cta);

/// Of an atomic that a card makes otherwise in another CTA's shared memory
/// (docs/experiments/cluster_atomics.md); "" when there was none.
std::string atomic_elsewhere(const Cta& cta);

/// Of a wgmma that ptxas makes one with an earlier one (docs/experiments/repeated_wgmma.md); ""
/// when there is none.
std::string one_wgmma_less(const Cta& cta);

/// Of a cp.async with a cache policy, which ptxas may make an illegal instruction
/// (docs/experiments/ptxas_mistakes.md); "" when there is none, or the card is older than sm_90.
std::string hinted_copy(const Cta& cta);

/// A CTA that has ended: of the memory of an mbarrier that was used for something else without
/// mbarrier.inval (docs/experiments/mbarrier_reuse.md); "" when there is none.
std::string reused_mbarrier(const Cta& cta);

/// Why `cta` stopped.
Error fault_error(const Cta& cta, const CtaResult& result);

}  // namespace lanescope::emulator
