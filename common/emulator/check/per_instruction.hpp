// SPDX-License-Identifier: MIT
// What is counted of each instruction while a kernel runs, and what becomes of it: a report for
// each of those that lose something. What is counted, banks.hpp and sector_counts.hpp say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/decode/program.hpp"
#include "emulator/report.hpp"

namespace lanescope::emulator {

/// `Use` has add(Use) and lost(); a `Report` is one, with the instruction.
template <class Use, class Report>
class PerInstruction {
 public:
  Use& operator[](std::uint32_t pc) { return uses_[pc]; }

  void add(const PerInstruction& other) {
    for (const auto& [pc, more] : other.uses_) uses_[pc].add(more);
  }

  /// Of those that lose something, the ones that lose most first.
  std::vector<Report> reports(const Program& program) const {
    struct Loss {
      std::uint64_t lost;
      Report report;
    };
    std::vector<Loss> losses;
    for (const auto& [pc, use] : uses_) {
      const PtxStatement* at = program.statement(pc);
      if (at == nullptr || use.lost() == 0) continue;
      Report& report = losses.emplace_back(Loss{use.lost(), {}}).report;
      report.instruction = in_short(at->text);
      report.ptx_line = at->line;
      report.source = source_line(program.module, *at);
      static_cast<Use&>(report) = use;
    }
    std::sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) {
      return a.lost != b.lost ? a.lost > b.lost : a.report.ptx_line < b.report.ptx_line;
    });
    std::vector<Report> all;
    for (Loss& loss : losses) all.push_back(std::move(loss.report));
    return all;
  }

 private:
  std::unordered_map<std::uint32_t, Use> uses_;  // by pc
};

}  // namespace lanescope::emulator
