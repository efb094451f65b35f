// SPDX-License-Identifier: MIT
#include "emulator/check/site.hpp"

#include <algorithm>

#include "emulator/check/decided.hpp"
#include "emulator/check/guesses.hpp"
#include "emulator/check/speculated.hpp"
#include "emulator/decode/blackwell.hpp"
#include "emulator/decode/rare.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/limits.hpp"
#include "emulator/ptx/target.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

struct KindOfHandler {
  Handler handler;
  SiteKind kind;
};

SiteKind kind_of_handler(Handler handler) {
  static const KindOfHandler kKinds[] = {
      {&run_atomic, SiteKind::atomic},
      {&run_wide_atomic, SiteKind::atomic},
      {&run_matrix_load, SiteKind::matrix_load},
      {&run_matrix_store, SiteKind::matrix_store},
      {&run_wmma_transfer, SiteKind::wmma_transfer},
      {&run_tensor_map_replace, SiteKind::map_replace},
      {&run_tensor_map_copy, SiteKind::map_copy},
      {&run_async_copy, SiteKind::async_copy},
      {&run_async_wait, SiteKind::async_wait},
      {&run_warp_barrier, SiteKind::warp_barrier},
      {&run_barrier, SiteKind::barrier},
      {&run_mbarrier_init, SiteKind::mbarrier_init},
      {&run_mbarrier_invalidate, SiteKind::mbarrier_invalidate},
      {&run_mbarrier_arrive, SiteKind::mbarrier_arrive},
      {&run_mbarrier_wait, SiteKind::mbarrier_wait},
      {&run_cluster_arrive, SiteKind::cluster_arrive},
      {&run_cluster_wait, SiteKind::cluster_wait},
      {&run_wgmma, SiteKind::wgmma},
      {&run_wgmma_commit, SiteKind::wgmma_commit},
      {&run_wgmma_wait, SiteKind::wgmma_wait},
      {&run_bulk_wait, SiteKind::bulk_wait},
      {&run_bulk_store, SiteKind::bulk_store},
  };
  for (const KindOfHandler& entry : kKinds)
    if (entry.handler == handler) return entry.kind;
  return SiteKind::none;
}

// Local memory and parameters are a thread's own.
bool is_watched(const Instruction& i) {
  return i.space == Space::shared || i.space == Space::generic || i.space == Space::global;
}

bool is_memory_fence(const PtxStatement& statement) {
  if (statement.opcode == "membar") return !has(statement, "proxy");
  if (statement.opcode != "fence" || has(statement, "proxy")) return false;
  for (const std::string_view order : {"acq_rel", "sc", "release", "acquire"})
    if (has(statement, order)) return !has(statement, "mbarrier_init");
  return false;
}

SiteKind kind_of(const PtxStatement& statement, const Instruction& i) {
  if (const SiteKind kind = kind_of_handler(i.handler); kind != SiteKind::none) {
    return kind;
  }
  if ((statement.opcode == "st" || statement.opcode == "red") && has(statement, "async") &&
      !has(statement, "mmio"))
    return SiteKind::async_store;
  if ((statement.opcode == "atom" || statement.opcode == "red") && i.handler == &run_composite)
    return SiteKind::vector_atomic;
  if ((statement.opcode == "ld" || statement.opcode == "ldu") && is_watched(i))
    return SiteKind::load;
  if (statement.opcode == "st" && is_watched(i)) return SiteKind::store;
  if (is_memory_fence(statement)) return SiteKind::memory_fence;
  for (const std::string_view opcode : {"shfl", "vote", "match", "redux"})
    if (statement.opcode == opcode) return SiteKind::exchange;
  if (statement.opcode == "wgmma" && has(statement, "fence")) return SiteKind::wgmma_fence;
  if (statement.opcode == "griddepcontrol" && has(statement, "wait")) return SiteKind::grid_wait;
  if (statement.opcode != "fence") return SiteKind::none;
  if (has(statement, "mbarrier_init")) return SiteKind::barrier_init_fence;
  if (has(statement, "tensormap::generic")) return SiteKind::map_fence;
  // async::generic: one for each side; whoever has either has ordered the two here.
  if (has(statement, "async") || has(statement, "async::generic")) return SiteKind::proxy_fence;
  return SiteKind::none;
}

bool is_access(const PtxStatement& statement) {
  return statement.opcode == "ld" || statement.opcode == "st" || statement.opcode == "atom" ||
         statement.opcode == "red";
}

bool is_strong(const PtxStatement& statement) {
  for (const std::string_view modifier : {"volatile", "relaxed", "acquire", "release", "mmio"})
    if (has(statement, modifier)) return true;
  return statement.opcode == "atom" || statement.opcode == "red";
}

// Whether other clusters are meant: a fence, or an access, of .gpu or .sys. Of atom and red .gpu is
// the default, and .volatile is .sys.
bool is_far(const PtxStatement& statement) {
  for (const std::string_view scope : {"gpu", "gl", "sys"})
    if (has(statement, scope)) return true;
  return is_access(statement) && !has(statement, "cta") && !has(statement, "cluster");
}

// Registers that hold results or operands of some wgmma, or a tcgen05.ld's, and those that are
// copied from or to them.
class OwnedRegisters {
 public:
  OwnedRegisters(const PtxFunction& parsed, const Function& function)
      : function_(function), owned_(parsed.registers.size(), false) {
    for (const PtxStatement& statement : parsed.statements)
      if (is_wgmma(statement))
        for (std::size_t k = 0; k < statement.operands.size() && k < 2; ++k)
          if (statement.operands[k].kind == OperandKind::list)
            for (const PtxOperand& item : statement.operands[k].items) own(item);
    for (const PtxStatement& statement : parsed.statements)
      if (is_tensor_load(statement)) {
        for (const PtxOperand& item : statement.operands[0].items) own(item);
        if (has(statement, "red")) own(statement.operands[1]);
      }
    for (bool grows = !none_; grows;) {
      grows = false;
      for (const PtxStatement& statement : parsed.statements)
        if (is_copy(statement) && owns(statement.operands[1])) grows |= own(statement.operands[0]);
    }
  }

  static bool is_copy(const PtxStatement& statement) {
    return statement.opcode == "mov" && statement.operands.size() == 2 &&
           statement.operands[0].kind == OperandKind::reg &&
           statement.operands[1].kind == OperandKind::reg;
  }

  // The rows that a statement uses, those it writes first.
  void uses(const PtxStatement& statement, Site& site, std::vector<std::uint32_t>& rows) const {
    site.first_use = static_cast<std::uint32_t>(rows.size());
    if (none_ || statement.opcode == "wgmma" || is_tensor_load(statement)) return;
    const bool has_result = statement.opcode != "st" && statement.opcode != "red" &&
                            statement.opcode != "stmatrix" && statement.opcode != "bra" &&
                            statement.opcode != "tcgen05";
    for (std::size_t k = 0; k < statement.operands.size(); ++k) {
      collect(statement.operands[k], rows);
      if (k == 0 && has_result)
        site.writes = static_cast<std::uint16_t>(rows.size() - site.first_use);
    }
    site.uses = static_cast<std::uint16_t>(rows.size() - site.first_use);
  }

 private:
  static bool is_tensor_load(const PtxStatement& statement) {
    return statement.opcode == "tcgen05" && has(statement, "ld") && !statement.operands.empty();
  }
  bool owns(const PtxOperand& operand) const {
    return operand.kind == OperandKind::reg && owned_[static_cast<std::size_t>(operand.reg)];
  }
  bool own(const PtxOperand& operand) {
    if (operand.kind != OperandKind::reg || owns(operand)) return false;
    none_ = false;
    return owned_[static_cast<std::size_t>(operand.reg)] = true;
  }
  void collect(const PtxOperand& operand, std::vector<std::uint32_t>& rows) const {
    if (owns(operand))
      rows.push_back(function_.register_rows[static_cast<std::size_t>(operand.reg)]);
    for (const PtxOperand& item : operand.items) collect(item, rows);
  }

  const Function& function_;
  std::vector<bool> owned_;
  bool none_ = true;
};

// A strong access outside of shared memory, or a call that may have one.
bool may_be_of_flag(const PtxStatement& statement) {
  return statement.opcode == "call" ||
         (is_access(statement) && is_strong(statement) && !has(statement, "shared"));
}

bool lets_begin(const PtxStatement& statement) {
  return statement.opcode == "griddepcontrol" && has(statement, "launch_dependents");
}

// 8.2.2: a vector access is its scalar ones, in any order.
std::uint8_t count_elements(const PtxStatement& statement) {
  for (const PtxOperand& operand : statement.operands)
    if (operand.kind == OperandKind::list) return static_cast<std::uint8_t>(operand.items.size());
  return 1;
}

// fence.proxy.async is for all memory, with .global for that alone, with .shared:: for the other.
void read_spaces(const PtxStatement& statement, Site& site) {
  const auto names = [&](std::string_view space) {
    return std::any_of(
        statement.modifiers.begin(), statement.modifiers.end(),
        [&](std::string_view modifier) { return modifier.find(space) != modifier.npos; });
  };
  site.of_shared = !names("global");
  site.of_global = !names("shared");
}

// What the statement's modifiers say of order.
void read_semantics(const PtxStatement& statement, Site& site) {
  site.is_strong = is_strong(statement);
  if (site.is_strong && site.kind != SiteKind::vector_atomic)
    site.flags = count_elements(statement);
  site.releases = has(statement, "release") || has(statement, "acq_rel");
  site.acquires = statement.opcode == "membar" || has(statement, "acquire") ||
                  has(statement, "acq_rel") || has(statement, "sc");
  site.is_far = is_far(statement);
  site.is_by_nc = has(statement, "nc") || statement.opcode == "ldu";
  site.is_cached = site.kind == SiteKind::load && !site.is_strong && !has(statement, "cg") &&
                   !has(statement, "cv") && !has(statement, "L1::no_allocate");
  site.passes_l1 = site.kind == SiteKind::async_copy && has(statement, "cg");
  site.is_volatile = has(statement, "volatile");
  site.waits_for_reads = has(statement, "read");
  if (site.kind == SiteKind::proxy_fence) read_spaces(statement, site);
  if (site.kind == SiteKind::mbarrier_arrive || site.kind == SiteKind::mbarrier_wait ||
      site.kind == SiteKind::cluster_arrive)
    site.synchronises = !has(statement, "relaxed");
}

}  // namespace

CheckPlan plan_checks(const Program& program) {
  CheckPlan plan;
  plan.code = program.code;
  plan.sites.resize(program.code.size());
  plan.has_async_proxy =
      !program.wgmmas.empty() || !program.bulks.empty() || !program.tcgen05s.empty();
  plan.has_bulk_copies = !program.bulks.empty();
  plan.has_copies_in =
      std::any_of(program.bulks.begin(), program.bulks.end(),
                  [](const BulkPlan& bulk) { return bulk.way != BulkPlan::Way::to_global; });
  bool asks_for_reserved = false;
  for (const Function& function : program.functions) {
    const PtxFunction& parsed = program.module.functions[static_cast<std::size_t>(function.index)];
    const auto& statements = parsed.statements;
    const OwnedRegisters owned(parsed, function);
    const SourcesOfFunction sources = find_sources(program.module, parsed);
    const std::vector<bool> guesses = find_guesses(parsed);
    const std::vector<bool> read = find_read(parsed);
    const std::vector<bool> undecided = find_undecided(parsed, read);
    const std::vector<std::uint8_t> dropped = find_dropped(parsed, read);
    const std::vector<Copying> copying = find_copying(parsed, read);
    const std::vector<Speculation> speculated = find_speculated(parsed);
    plan.written.push_back(sources.written);
    plan.has_flags.push_back(std::any_of(statements.begin(), statements.end(), may_be_of_flag));
    plan.lets_begin.push_back(std::any_of(statements.begin(), statements.end(), lets_begin));
    for (std::size_t k = 0; k < statements.size(); ++k) {
      const PtxStatement& statement = statements[k];
      const std::size_t pc = function.first + k;
      Site& site = plan.sites[pc];
      site.kind = kind_of(statement, program.code[pc]);
      owned.uses(statement, site, plan.rows);
      site.is_move = statement.opcode == "mov";
      asks_for_reserved =
          asks_for_reserved ||
          (site.is_move && statement.text.find("%reserved_smem") != statement.text.npos);
      site.sources = sources.statements[k];
      if (site.kind == SiteKind::none && site.uses == 0) continue;
      site.is_guess = guesses[k];
      site.decides_nothing = undecided[k];
      site.dropped = dropped[k];
      site.copying = copying[k];
      if (site.kind == SiteKind::load) site.elements = count_elements(statement);
      read_semantics(statement, site);
      site.answers = is_answered(statement, read);
      if (speculated[k].predicate >= 0 && !site.is_strong) {
        site.kept_by = function.register_rows[static_cast<std::size_t>(speculated[k].predicate)];
        site.keeps_where_false = speculated[k].where_false;
      }
      if (statement.opcode == "wgmma") plan.has_async_proxy = true;  // a wait may stand alone
      if (site.kind == SiteKind::memory_fence ||
          (site.releases && (site.kind == SiteKind::store || site.kind == SiteKind::atomic ||
                             site.kind == SiteKind::vector_atomic)))
        plan.has_releases = true;
      plan.code[pc].handler = checked_handler(site.kind);
    }
  }
  if (!asks_for_reserved)
    plan.reserved_bytes = reserved_shared_bytes(parse_target(program.arch).number);
  return plan;
}

}  // namespace lanescope::emulator
