// SPDX-License-Identifier: MIT
// The sentence and the details of a finding.
#include "emulator/check/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/report.hpp"

namespace lanescope::emulator {
namespace {

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

// In the file that the report is about, the line alone.
std::string Findings::describe(const Program& program, std::uint32_t pc, const std::string& file) {
  const PtxStatement* at = program.statement(pc);
  if (at == nullptr) return "an unknown line";
  const trace::SourceLine source = source_line(program.module, *at);
  if (source.line == 0) return fmt::format("PTX line {}", at->line);
  if (source.file == file) return fmt::format("line {}", source.line);  // as the report begins
  return fmt::format("{}:{}", source.file, source.line);
}

bool Findings::is_new(FindingKind kind, const Actor& actor, std::uint32_t other_pc) {
  if (!wanted_) return false;
  return ++found_[key(kind, actor, other_pc)].count == 1;
}

bool Findings::is_there(FindingKind kind, std::uint32_t other_pc) const {
  return std::any_of(found_.begin(), found_.end(), [&](const auto& entry) {
    return entry.first.first >> 32 == static_cast<std::uint64_t>(kind) &&
           entry.first.second == other_pc;
  });
}

void Findings::tell(FindingKind kind, const Actor& actor, const std::string& where,
                    std::uint32_t other_pc, const Accessor& other, const Program* of) {
  Finding& found = found_[key(kind, actor, other_pc)];
  const Program& program = *launch_.program;
  const Program& others = of != nullptr ? *of : program;
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
  if (!other.words.empty()) said.message += describe(others, other_pc, file);
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
  const PtxStatement* before = other.words.empty() ? nullptr : others.statement(other_pc);
  if (before == nullptr) return;
  const std::string line = fmt::format("PTX line {}", before->line);
  std::string which = describe(others, other_pc, file);  // of a source, where there is one
  if (which != line) which += ", " + line;
  said.details.push_back(
      fmt::format("against {}, {} `{}`", other.words, which, in_short(before->text)));
  said.against.push_back({other.block, other.warp, other.lane, in_one_line(before->text) + ';',
                          before->line, source_line(others.module, *before)});
}

std::vector<Finding> Findings::take() {
  std::vector<Finding> all;
  for (auto& [key, finding] : found_) all.push_back(std::move(finding));
  found_.clear();
  return all;
}

}  // namespace lanescope::emulator
