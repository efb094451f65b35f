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

constexpr const char* kBetweenCtas =
    ", and nothing orders the two; let the first say so with __threadfence() and then an atomic or "
    "volatile flag that the second waits for, or with grid.sync(), or make it two launches";

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
      {"missing-proxy-fence", "overwrites through the async proxy what was stored at ",
       "; the threads that stored it need fence.proxy.async before the barrier"},
      {"late-read", "overwrites through the async proxy what was read at ",
       ", a read that may still be under way: between the proxies a barrier or wait alone orders "
       "nothing; put fence.proxy.async behind the wait of the thread that copies, or before those "
       "that read arrive"},
      {"missing-wgmma-fence", "is the first of its warp, and no wgmma.fence has come before it",
       "; put wgmma.fence in front of it"},
      {"missing-wgmma-fence", "uses registers that were written at ",
       "; put wgmma.fence between the two"},
      {"accumulator-in-flight", "touches a register that the wgmma at ",
       " still owns; wgmma.wait_group must come first, and cover its group"},
      {"accumulator-in-flight", "touches a register that the wgmma at ",
       " still owns: no wgmma.commit_group has followed it, so that no wait can cover it; put "
       "wgmma.commit_group behind it, and wgmma.wait_group"},
      {"descriptor",
       "has a matrix descriptor of a swizzled tile that does not begin where its "
       "pattern does",
       "; align the tile to 8 rows of the swizzle (1024, 512 or 256 bytes), or set the base offset "
       "to its first row"},
      {"mbarrier-before-init", "uses an mbarrier whose initialisation at ",
       " this thread need not have seen; put a barrier after it"},
      {"mbarrier", "initialises an mbarrier that is in use since its initialisation at ",
       "; initialise it once, in one thread; before another use of its place comes mbarrier.inval"},
      {"mbarrier", "waits at an mbarrier that is invalidated at ",
       ", and nothing keeps that behind the wait; put a barrier in front of mbarrier.inval"},
      {"mbarrier", "ends an mbarrier that is in use at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"mbarrier", "names an mbarrier of another CTA than the one its bytes go to",
       "; PTX wants both in one CTA: take the mbarrier's address from mapa with the destination's "
       "rank"},
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
      {"missing-acquire", "touches memory that was accessed at ",
       ", of which a flag has told it without an acquire; look at the flag with .acquire, or put a "
       "fence (__threadfence()) behind the look"},
      {"tensor-in-flight", "touches tensor memory that the tcgen05 at ",
       " may still be working on; wait for the phase of the mbarrier that its tcgen05.commit "
       "arrives "
       "at"},
      {"race-read-after-write", "reads tensor memory that was written at ",
       ", and nothing orders the two; put tcgen05.wait::st and a barrier between them"},
      {"race-write-after-write", "overwrites tensor memory that was written at ",
       ", and nothing orders the two; put tcgen05.wait::st and a barrier between them"},
      {"race-write-after-read", "overwrites tensor memory that was read at ",
       ", and nothing orders the two; put tcgen05.wait::ld and a barrier between them"},
      {"missing-tensor-wait", "touches tensor memory that the tcgen05.st at ",
       " is still filling; tcgen05.wait::st must come first"},
      {"missing-tensor-wait", "touches a register that the tcgen05.ld at ",
       " is still filling; tcgen05.wait::ld must come first"},
      {"missing-tensor-fence", "touches tensor memory that was touched at ",
       ", and behind the wait or barrier that orders the two comes no "
       "tcgen05.fence::after_thread_sync; put it there"},
      {"tensor-memory", "has columns of tensor memory that nobody gives back before the CTA ends",
       "; tcgen05.dealloc with the same address and number of columns"},
      {"tensor-memory", "takes more columns of tensor memory than the tcgen05.alloc at ",
       " did; the ISA wants no CTA to take more than the time before: take the larger part first"},
      {"race-read-after-write", "reads global memory that was written at ",
       ", and nothing orders the two; put a barrier between them"},
      {"race-write-after-read", "overwrites global memory that was read at ",
       ", and nothing orders the two; put a barrier between them"},
      {"race-write-after-write", "overwrites global memory that was written at ",
       ", and nothing orders the two; put a barrier between them"},
      {"race-read-after-write", "reads global memory that another CTA wrote at ", kBetweenCtas},
      {"race-write-after-read", "overwrites global memory that another CTA read at ", kBetweenCtas},
      {"race-write-after-write", "overwrites global memory that another CTA wrote at ",
       kBetweenCtas},
  };
  return kWordings[static_cast<std::size_t>(kind)];
}

// %ctaid of the CTA of that rank in a cluster (prepare_cluster).
std::array<int, 3> block_of(const LaunchRequest& request, std::uint64_t cluster, std::size_t rank) {
  std::array<int, 3> block{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto extent = static_cast<std::uint64_t>(request.cluster[axis]);
    const std::uint64_t count = static_cast<std::uint64_t>(request.grid[axis]) / extent;
    block[axis] = static_cast<int>(cluster % count * extent + rank % extent);
    cluster /= count;
    rank /= extent;
  }
  return block;
}

// How the sentence calls an instruction: cp.async, cp.async.bulk, st.async, or just its opcode.
std::string spoken(const PtxStatement& statement) {
  std::string text(statement.opcode);
  for (const std::string_view modifier : statement.modifiers) {
    const bool belongs = statement.opcode == "cp"
                             ? modifier == "async" || modifier == "bulk" || modifier == "reduce"
                             : statement.opcode == "mbarrier" || statement.opcode == "tcgen05" ||
                                   modifier == "async";
    if (!belongs) break;
    text += fmt::format(".{}", modifier);
    if (statement.opcode != "cp") break;
  }
  return text;
}

}  // namespace

const char* name(FindingKind kind) { return wording(kind).kind; }

// In the file that the report is about, the line alone.
std::string Checker::describe(std::uint32_t pc, const std::string& file) const {
  const Program& program = *launch_.program;
  const PtxStatement* at = program.statement(pc);
  if (at == nullptr) return "an unknown line";
  const trace::SourceLine source = source_line(program.module, *at);
  if (source.line == 0) return fmt::format("PTX line {}", at->line);
  if (source.file == file) return fmt::format("line {}", source.line);  // as the report begins
  return fmt::format("{}:{}", source.file, source.line);
}

std::string Checker::who(const Touch& touch) const {
  const std::size_t component = touch.component();
  if (component >= warps_.size()) {
    const PtxStatement* at = launch_.program->statement(touch.pc());
    if (at != nullptr && at->opcode == "tcgen05")
      return "a tcgen05." + std::string(at->modifiers[0]);
    return at != nullptr && at->opcode == "wgmma" ? "a wgmma" : "a copy";
  }
  std::string text = fmt::format("warp {}", component % warps_per_cta_);
  if ((touch.lanes & (touch.lanes - 1)) == 0)
    text += fmt::format(" lane {}", __builtin_ctz(touch.lanes));
  if (shadows_.size() > 1) text += fmt::format(" of CTA rank {}", component / warps_per_cta_);
  return text;
}

// Counts it; says whether it is told for the first time.
bool Checker::is_new(FindingKind kind, const Actor& actor, std::uint32_t other_pc) {
  if (!options_.races) return false;
  return ++findings_[{static_cast<std::uint64_t>(kind) << 32 | actor.pc, other_pc}].count == 1;
}

// `other_pc`: of the other instruction, kMostPc where there is none.
void Checker::tell(FindingKind kind, const Actor& actor, const std::string& where,
                   std::uint32_t other_pc, const std::string& other) {
  Finding& found = findings_[{static_cast<std::uint64_t>(kind) << 32 | actor.pc, other_pc}];
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
  const std::string file = at == nullptr ? "" : source_line(program.module, *at).file;
  said.message = words.before;
  if (!other.empty()) said.message += describe(other_pc, file);
  said.message += words.after;
  said.details.push_back(fmt::format("kernel {}, CTA ({},{},{}), warp {}, lane {}{}",
                                     as_written(launch_.function->name), mine.block[0],
                                     mine.block[1], mine.block[2], warp.index, lane, where));
  if (at != nullptr) {
    said.ptx_line = at->line;
    said.source = source_line(program.module, *at);
    said.message = spoken(*at) + " " + said.message;
    said.details.push_back(fmt::format("PTX line {} `{}`", at->line, in_short(at->text)));
  }
  const PtxStatement* before = other.empty() ? nullptr : program.statement(other_pc);
  if (before != nullptr)
    said.details.push_back(fmt::format("against {}, {}, PTX line {} `{}`", other,
                                       describe(other_pc, file), before->line,
                                       in_short(before->text)));
}

// --strict: a flag has told of it, and no acquire has followed.
bool Checker::has_only_heard(FindingKind kind, const Actor& actor) const {
  const bool is_race =
      (kind >= FindingKind::race_read_after_write && kind <= FindingKind::race_write_after_write) ||
      kind >= FindingKind::global_read_after_write;
  return is_race && actor.knows != nullptr && actor.knows->heard != nullptr;
}

void Checker::report(FindingKind kind, const Actor& actor, const Cta& cta, std::uint32_t offset,
                     const Touch* other) {
  const std::uint32_t other_pc = other == nullptr ? Touch::kMostPc : other->pc();
  if (has_only_heard(kind, actor) && ordered(actor.knows->heard->order, *other, actor))
    kind = FindingKind::missing_acquire;
  if (!is_new(kind, actor, other_pc)) return;
  std::string where;
  if (offset != kNoAddress) where = fmt::format(", shared address 0x{:x}", offset);
  if (&cta != actor.warp->cta) where += fmt::format(" of CTA rank {}", cta.rank);
  tell(kind, actor, where, other_pc, other == nullptr ? "" : who(*other));
}

std::string Checker::who(const GlobalTouch& touch) const {
  if (touch.cluster() == cluster_->number) return who(touch.touch);
  const std::size_t component = touch.touch.component();
  const bool is_warp = component < warps_.size();
  const std::size_t rank = is_warp ? component / warps_per_cta_ : 0;
  const std::array<int, 3> block = block_of(*launch_.request, touch.cluster(), rank);
  const std::string cta = fmt::format("CTA ({},{},{})", block[0], block[1], block[2]);
  if (!is_warp) return "a copy of the cluster of " + cta;
  std::string text = fmt::format("warp {}", component % warps_per_cta_);
  if ((touch.touch.lanes & (touch.touch.lanes - 1)) == 0)
    text += fmt::format(" lane {}", __builtin_ctz(touch.touch.lanes));
  return text + " of " + cta;
}

void Checker::report_global(FindingKind kind, const Actor& actor, std::uint64_t address,
                            const GlobalTouch& other) {
  if (has_only_heard(kind, actor)) {
    Actor hearer = actor;
    hearer.knows = actor.knows->heard.get();
    if (knows_of(hearer, other)) kind = FindingKind::missing_acquire;
  }
  if (!is_new(kind, actor, other.touch.pc())) return;
  tell(kind, actor,
       fmt::format(", global address 0x{:x}, {}", address,
                   global_.shadow.memory().describe(address)),
       other.touch.pc(), who(other));
}

std::vector<Finding> Checker::take_findings() {
  std::vector<Finding> all;
  for (auto& [key, finding] : findings_) all.push_back(std::move(finding));
  findings_.clear();
  return all;
}

}  // namespace lanescope::emulator
