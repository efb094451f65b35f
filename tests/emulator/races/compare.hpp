// SPDX-License-Identifier: MIT
// A program under the checker, beside what the oracle says of it.
//
// They agree when
//   * the program runs to its end, and every report names two steps between which the oracle sees a
//     race: missing-proxy-fence and, behind a read, late-read where only a fence of proxies is
//     missing, any other kind where nothing orders the two;
//   * for every byte about which the oracle sees a race that the checker must see, some report
//     names a line of a step that races there.
//   * of each copy that need not be over when a CTA ends whose memory it fills or takes from some
//     report says so, and of no other.
// So there is no report about a program without a race, and none without one of its own.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "emulator/machine.hpp"
#include "tests/emulator/races/oracle.hpp"

namespace lanescope::emulator::races {

/// A report's two steps; -1: none.
struct Told {
  int step = -1, other = -1;
  std::string kind, message;
};

class Comparison {
 public:
  explicit Comparison(bool is_strict = false);
  /// What they differ in, a line each; "" when they agree.
  std::string differ(const Program& program);
  /// Whether they would without one of the oracle's rules: of the last program.
  bool needs(Rule rule) const;
  /// Of a program whose last step is refused for `beside` (Oracle::beside): "" when a report about
  /// an mbarrier or barrier names one of these steps or the last, or it does not come to an end.
  std::string misses(const Program& program, const std::set<int>& beside);
  /// The same with fewer steps that still differs.
  Program reduced(Program program);

  std::size_t races = 0;      // of the last program
  std::size_t outliving = 0;  // its copies that need not be over when their CTA ends
  bool is_reordered = false;  // whether its locks went in another order than their steps
  bool is_judged = false;     // whether it is one by the rules asked, and its run has an order

 private:
  /// What the emulator says against it; its reports are told_.
  std::string run(const Program& program);

  /// Of the same program as it went, which is last_ then, and told_ about that: free locks have the
  /// turns of this run, and the steps an order in which these come about. None: there is no such.
  std::optional<Judged> judge_as_run(const Program& program);

  bool is_strict_;
  Program last_;
  std::vector<Told> told_;  // of the last program
  std::vector<Told> ends_;  // and what it is told of copies when a CTA ends
  Machine machine_;
  std::uint64_t cells_ = 0, source_ = 0;
  // Of a launch: cells, source, and the maps behind the next multiple of 64.
  alignas(8) std::byte parameters_[64 + kMaps * kMapBytes] = {};
};

}  // namespace lanescope::emulator::races
