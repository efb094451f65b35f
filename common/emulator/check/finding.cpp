// SPDX-License-Identifier: MIT
// What a finding says: one sentence with what to do, and who, where and against whom.
#include <fmt/format.h>

#include "emulator/check/checker.hpp"
#include "emulator/report.hpp"

namespace lanescope::emulator {
namespace {

struct Wording {
  const char* kind;
  const char* before;  // the other instruction's place stands between these two
  const char* after;
};

const Wording& wording(FindingKind kind) {
  static const Wording kWordings[] = {
      {"uninitialised-shared", "reads shared memory that nothing in this launch has written",
       "; write it first, or check the index"},
      {"missing-cp-async-wait", "touches shared memory that the cp.async at ",
       " is still filling; wait for it with cp.async.wait_group, then __syncthreads() if other "
       "threads copied"},
      {"missing-bulk-wait", "touches shared memory that the bulk copy at ",
       " is still filling; wait for the phase of its mbarrier first"},
      {"race-read-after-write", "reads shared memory that was written at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"race-write-after-read", "overwrites shared memory that was read at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"race-write-after-write", "overwrites shared memory that was written at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"missing-proxy-fence", "reads through the async proxy what was stored at ",
       "; the threads that stored it need fence.proxy.async before the barrier"},
      {"missing-wgmma-fence", "uses registers that were written at ",
       "; put wgmma.fence between the two"},
      {"accumulator-in-flight", "touches a register that the wgmma at ",
       " still owns; wgmma.commit_group and wgmma.wait_group come first"},
      {"mbarrier-before-init", "uses an mbarrier whose initialisation at ",
       " this thread need not have seen; put a barrier after it"},
      {"missing-proxy-fence", "lets a bulk copy signal the mbarrier initialised at ",
       "; fence.mbarrier_init or fence.proxy.async must follow the initialisation"},
      {"missing-bulk-wait", "is not waited for before its CTA ends and its source with it",
       "; cp.async.bulk.commit_group and cp.async.bulk.wait_group(.read) 0 come first"},
      {"cluster-exit", "touches shared memory of another CTA, which may have exited",
       "; end with barrier.cluster in every CTA"},
      {"cluster-start", "touches shared memory of a CTA that may not have started",
       "; begin with barrier.cluster in every CTA"},
      {"warpgroup-lockstep", "is ordered with ",
       " only if the four warps of a warpgroup run together; PTX promises that of a warp, put a "
       "barrier between them"},
  };
  return kWordings[static_cast<std::size_t>(kind)];
}

// How the sentence calls an instruction: cp.async, cp.async.bulk, or just its opcode.
std::string spoken(const PtxStatement& statement) {
  std::string text(statement.opcode);
  for (const std::string_view modifier : statement.modifiers) {
    if (statement.opcode != "cp" || (modifier != "async" && modifier != "bulk")) break;
    text += fmt::format(".{}", modifier);
  }
  return text;
}

}  // namespace

const char* name(FindingKind kind) { return wording(kind).kind; }

std::string Checker::describe(std::uint32_t pc) const {
  const Program& program = *launch_.program;
  const PtxStatement* at = program.statement(pc);
  if (at == nullptr) return "an unknown line";
  const trace::SourceLine source = source_line(program.module, *at);
  if (source.line == 0) return fmt::format("PTX line {}", at->line);
  return fmt::format("{}:{}", source.file, source.line);
}

std::string Checker::who(const Touch& touch) const {
  const std::size_t component = touch.component();
  if (component >= warps_.size()) return "a copy or wgmma";
  std::string text = fmt::format("warp {}", component % warps_per_cta_);
  if ((touch.lanes & (touch.lanes - 1)) == 0)
    text += fmt::format(" lane {}", __builtin_ctz(touch.lanes));
  if (shadows_.size() > 1) text += fmt::format(" of CTA rank {}", component / warps_per_cta_);
  return text;
}

void Checker::report(FindingKind kind, const Actor& actor, const Cta& cta, std::uint32_t offset,
                     const Touch* other) {
  if (!options_.races) return;
  const std::uint32_t other_pc = other == nullptr ? Touch::kMostPc : other->pc();
  Finding& found = findings_[{static_cast<std::uint64_t>(kind) << 32 | actor.pc, other_pc}];
  if (++found.count > 1) return;
  const Program& program = *launch_.program;
  const PtxStatement* at = program.statement(actor.pc);
  const Warp& warp = *actor.warp;
  const Cta& mine = *warp.cta;
  const int lane = actor.lanes == 0 ? 0 : __builtin_ctz(actor.lanes);
  const Wording& words = wording(kind);
  found.cta = mine.number;
  trace::Diagnostic& said = found.diagnostic;
  said.kind = words.kind;
  said.place.block = mine.block;
  said.place.warp = warp.index;
  said.message = words.before;
  if (other != nullptr) said.message += describe(other_pc);
  said.message += words.after;
  std::string where =
      fmt::format("kernel {}, CTA ({},{},{}), warp {}, lane {}", launch_.function->name,
                  mine.block[0], mine.block[1], mine.block[2], warp.index, lane);
  if (offset != kNoAddress) where += fmt::format(", shared address 0x{:x}", offset);
  if (&cta != &mine) where += fmt::format(" of CTA rank {}", cta.rank);
  said.details.push_back(std::move(where));
  if (at != nullptr) {
    said.ptx_line = at->line;
    said.source = source_line(program.module, *at);
    said.message = spoken(*at) + " " + said.message;
    said.details.push_back(fmt::format("PTX line {} `{}`", at->line, in_short(at->text)));
  }
  const PtxStatement* before = other == nullptr ? nullptr : program.statement(other_pc);
  if (before != nullptr)
    said.details.push_back(fmt::format("against {}, {}, PTX line {} `{}`", who(*other),
                                       describe(other_pc), before->line, in_short(before->text)));
}

std::vector<Finding> Checker::take_findings() {
  std::vector<Finding> all;
  for (auto& [key, finding] : findings_) all.push_back(std::move(finding));
  findings_.clear();
  return all;
}

}  // namespace lanescope::emulator
