// SPDX-License-Identifier: MIT
// A program under the checker, beside what the oracle says of it.
//
// They agree when
//   * the program runs to its end, and every report names two steps between which the oracle sees a
//     race: missing-proxy-fence where only a fence of proxies is missing, any other kind where
//     nothing orders the two;
//   * for every byte about which the oracle sees a race that the checker must see, some report
//     names a line of a step that races there.
// So there is no report about a program without a race, and none without one of its own.
#pragma once

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
  Comparison();
  /// What they differ in, a line each; "" when they agree.
  std::string differ(const Program& program);
  /// Whether they would without one of the oracle's rules: of the last program.
  bool needs(const Program& program, Rule rule) const;
  /// The same with fewer steps that still differs.
  Program reduced(Program program);

  std::size_t races = 0;  // of the last program

 private:
  std::vector<Told> told_;  // of the last program
  Machine machine_;
  std::uint64_t cells_ = 0, source_ = 0;
  // Of a launch: cells, source, and the maps behind the next multiple of 64.
  alignas(8) std::byte parameters_[64 + kMaps * kMapBytes] = {};
};

}  // namespace lanescope::emulator::races
