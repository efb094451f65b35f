// SPDX-License-Identifier: MIT
#include "emulator/report.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "emulator/run/cluster.hpp"
#include "emulator/run/polling.hpp"
#include "emulator/run/tensor_memory.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::emulator {
namespace {

std::string spelled(const trace::SourceLine& source) {
  return source.line == 0 ? std::string() : fmt::format(", {}:{}", source.file, source.line);
}

std::string kernel_and_block(const Cta& cta) {
  return fmt::format("kernel {}, CTA ({},{},{})", as_written(cta.launch->function->name),
                     cta.block[0], cta.block[1], cta.block[2]);
}

// "PTX line 38 `wgmma...`, lesson.cu:12"
std::string statement_and_source(const Program& program, const PtxStatement& statement) {
  return fmt::format("PTX line {} `{}`{}", statement.line, in_short(statement.text),
                     spelled(source_line(program.module, statement)));
}

}  // namespace

std::string as_written(const std::string& mangled) { return trace::as_written(mangled); }

std::string in_one_line(std::string_view text) {
  std::string line;
  bool in_quotes = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const bool is_block = rest.starts_with("/*");
    if (!in_quotes && (is_block || rest.starts_with("//"))) {
      const std::size_t end = is_block ? rest.find("*/", 2) : rest.find('\n');
      if (end == rest.npos) break;
      at += end + (is_block ? 1 : 0);  // its last letter, or the end of the line, is a blank
    }
    const char c = is_block && !in_quotes ? ' ' : text[at];
    in_quotes = in_quotes != (c == '"');
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string in_short(std::string_view text) {
  const std::string line = in_one_line(text);
  return line.size() > 100 ? line.substr(0, 97) + "..." : line;
}

Error plain_error(ErrorCode code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.diagnostic.message = error.message;
  return error;
}

Error refusal_error(const Refusal& refusal, std::string_view module) {
  const bool unsupported = refusal.code == ErrorCode::unsupported_instruction;
  Error error = plain_error(
      refusal.code,
      fmt::format("{}, PTX of {}:{}:{}, {}", refusal.what(), module, refusal.line, refusal.col,
                  unsupported ? "docs/emulator.md lists what is modelled" : "check it with ptxas"));
  error.diagnostic.kind = unsupported ? "unsupported-instruction" : "invalid-ptx";
  error.diagnostic.ptx_line = refusal.line;
  return error;
}

trace::SourceLine source_line(const PtxModule& module, const PtxStatement& statement) {
  if (statement.location < 0) return {};
  const auto at = [&](int index) -> const PtxLocation& {
    return module.locations[static_cast<std::size_t>(index)];
  };
  int outermost = statement.location;
  for (int depth = 0; at(outermost).inlined_at >= 0 && depth < 100; ++depth)
    outermost = at(outermost).inlined_at;
  int found = statement.location;
  while (found != outermost && at(found).file != at(outermost).file) found = at(found).inlined_at;
  const PtxLocation& location = at(found);
  const auto file = module.files.find(location.file);
  if (file == module.files.end()) return {"?", location.line};
  return {trace::plain_path(file->second), location.line};
}

namespace {

// Where the first thread of a CTA stands that waits.
const PtxStatement* first_waiting(const Cta& cta) {
  for (const Warp& warp : cta.warps) {
    for (const Group& group : warp.groups) {
      if (group.waiting == Waiting::no && only_polls(warp))
        return cta.launch->program->statement(warp.polled_at);
      const bool passed = group.waiting == Waiting::barrier && group.pc > 0;  // it is behind it
      return cta.launch->program->statement(passed ? group.pc - 1 : group.pc);
    }
  }
  return nullptr;
}

// Of a statement of the kernel; "" where it is -1. `words` have places for the CTA and the line.
std::string said_of(const Cta& cta, int statement, const char* words) {
  if (statement < 0) return "";
  const Program& program = *cta.launch->program;
  const auto at = cta.launch->function->first + static_cast<std::uint32_t>(statement);
  return fmt::format(fmt::runtime(words), kernel_and_block(cta),
                     statement_and_source(program, *program.statement(at)));
}

}  // namespace

std::string unawaited_wgmma(const Cta& cta) {
  for (std::size_t group = 0; group < cta.async->warpgroups.size(); ++group) {
    for (const Accumulators& entry : cta.async->warpgroups[group].pending) {
      const Program& program = *cta.launch->program;
      const PtxStatement* at = program.statement(entry.pc);
      if (at == nullptr || entry.waiting == 0) continue;
      int warp = static_cast<int>(4 * group);
      while (((entry.waiting >> (warp % 4)) & 1) == 0) ++warp;
      return fmt::format(
          "the sums of a wgmma were lost: nobody waited for them before the warp ended, {}, warp "
          "{}, {}, wgmma.commit_group and wgmma.wait_group 0 must come before they are read "
          "(lanescope run --check)",
          kernel_and_block(cta), warp, statement_and_source(program, *at));
    }
  }
  return "";
}

std::string kept_tensor_memory(const Cta& cta) {
  if (cta.tensor == nullptr || cta.tensor->allocations.empty()) return "";
  const TensorMemory::Allocation& kept = cta.tensor->allocations.front();
  const Program& program = *cta.launch->program;
  const PtxStatement* at = program.statement(kept.pc);
  return fmt::format(
      "{} columns of tensor memory were not given back before the CTA ended, {}, warp {}, {}, "
      "tcgen05.dealloc must come before",
      kept.columns, kernel_and_block(cta), kept.warp,
      at == nullptr ? "" : statement_and_source(program, *at));
}

std::string atomic_elsewhere(const Cta& cta) {
  if (!cta.async->atomic_elsewhere) return "";
  const Program& program = *cta.launch->program;
  const PtxStatement* at = program.statement(*cta.async->atomic_elsewhere);
  if (at == nullptr) return "";
  const char* what =
      has(*at, "add")
          ? "an H200 gives other sums: it adds pairs of halves in another CTA's shared memory as "
            "whole numbers of 32 bits, {}, {}, add in f32, or where the memory is the own "
            "(docs/experiments/cluster_sums.md)"
          : "an H200 may lose this: and, or, xor, min and max of 64 bits in another CTA's shared "
            "memory are a load and a store there, {}, {}, use atom.cas, or let the own CTA do it, "
            "where threads meet (docs/experiments/cluster_atomics.md)";
  return fmt::format(fmt::runtime(what), kernel_and_block(cta), statement_and_source(program, *at));
}

std::string one_wgmma_less(const Cta& cta) {
  return said_of(cta, cta.launch->function->repeated_wgmma,
                 "an H200 makes fewer products: of wgmmas that say the same ptxas keeps one, where "
                 "a kernel has no branch, {}, {}, put a wgmma.fence between "
                 "(docs/experiments/repeated_wgmma.md)");
}

std::string hinted_copy(const Cta& cta) {
  return said_of(cta, cta.launch->function->hinted_copy,
                 "an H200 may end with an illegal instruction: of a cp.async with .L2::cache_hint "
                 "ptxas can make one that reads registers which nobody has set, {}, {}, do without "
                 "the hint, or use ptxas -O0 (docs/experiments/ptxas_mistakes.md)");
}

std::string reused_mbarrier(const Cta& cta) {
  const std::pair<const std::uint32_t, MemoryBarrier>* first = nullptr;
  for (const auto& known : cta.async->barriers)
    if (std::memcmp(cta.shared.get() + known.first, &kMbarrierMark, sizeof(kMbarrierMark)) != 0 &&
        (first == nullptr || known.first < first->first))
      first = &known;
  if (first == nullptr) return "";
  const Program& program = *cta.launch->program;
  const PtxStatement* at = program.statement(first->second.pc);
  if (at == nullptr) return "";
  return fmt::format(
      "an H200 may write an mbarrier over what is in its memory now: that was used for something "
      "else, shared address 0x{:x}, {}, {}, put mbarrier.inval and a barrier before that "
      "(lanescope run --check; docs/experiments/mbarrier_reuse.md)",
      first->first, kernel_and_block(cta), statement_and_source(program, *at));
}

Error fault_error(const Cta& cta, const CtaResult& result) {
  Error error;
  error.diagnostic.place.block = cta.block;
  error.diagnostic.place.warp = result.warp;
  if (result.end == CtaEnd::deadlock || result.end == CtaEnd::out_of_budget) {
    error.code = ErrorCode::launch_timeout;
    const bool deadlock = result.end == CtaEnd::deadlock;
    const PtxStatement* at = first_waiting(cta);
    error.diagnostic.kind = deadlock ? "deadlock" : "instruction-limit";
    error.message =
        deadlock
            ? fmt::format(
                  "deadlock: {}, {}{}, {}", result.reason, kernel_and_block(cta),
                  at == nullptr ? "" : spelled(source_line(cta.launch->program->module, *at)),
                  result.advice)
            : fmt::format("the instruction limit is reached, {}, is there a loop without an end?",
                          kernel_and_block(cta));
    error.diagnostic.message =
        deadlock ? "nobody can go on, " + result.reason : "the instruction limit is reached";
    std::string where = kernel_and_block(cta);
    if (at != nullptr) {
      error.diagnostic.ptx_line = at->line;
      error.diagnostic.source = source_line(cta.launch->program->module, *at);
      where += fmt::format(", PTX line {} `{}`", at->line, in_short(at->text));
    }
    error.diagnostic.details = {where,
                                deadlock ? result.advice : "is there a loop without an end?"};
    return error;
  }
  const Warp& warp = cta.warps[static_cast<std::size_t>(result.warp)];
  const Program& program = *cta.launch->program;
  const PtxStatement* statement = program.statement(warp.pc);
  std::string where = kernel_and_block(cta);
  where += fmt::format(", warp {}, lane {}", result.warp, warp.fault.lane);
  if (statement != nullptr) {
    error.diagnostic.ptx_line = statement->line;
    error.diagnostic.source = source_line(program.module, *statement);
    where += ", " + statement_and_source(program, *statement);
  }
  error.code = warp.fault.code;
  error.message = fmt::format("{}, {}, {}", warp.fault.what, where, warp.fault.hint);
  error.diagnostic.kind = warp.fault.kind;
  error.diagnostic.message = warp.fault.what;
  error.diagnostic.details = {where, warp.fault.hint};
  return error;
}

}  // namespace lanescope::emulator
