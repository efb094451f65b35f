// SPDX-License-Identifier: MIT
// What was found in a launch, each mistake at a pair of instructions once and counted; and what is
// said of it: one sentence with what to do, and who, where and against whom.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/check/finding.hpp"
#include "emulator/check/watched.hpp"

namespace lanescope::emulator {

/// Whose an access was.
struct Accessor {
  std::string words;  // "warp 0 lane 31", "a copy"; "": there was none
  std::array<int, 3> block{0, 0, 0};
  int warp = -1;  // -1: no warp's
  int lane = -1;  // -1: several lanes'
};

class Findings {
 public:
  /// `launch` outlives it. `wanted`: otherwise nothing is found.
  Findings(const LaunchState& launch, bool wanted) : launch_(launch), wanted_(wanted) {}

  /// Counts it; says whether it is yet to be told. `other_pc`: of the other instruction, kMostPc
  /// where there is none.
  bool is_new(FindingKind kind, const Actor& actor, std::uint32_t other_pc);
  /// Whether there is one of this kind against that instruction.
  bool is_there(FindingKind kind, std::uint32_t other_pc) const;
  /// `where`: the address, in words; `of`: the other instruction's program, if it is another one.
  void tell(FindingKind kind, const Actor& actor, const std::string& where, std::uint32_t other_pc,
            const Accessor& other, const Program* of = nullptr);
  std::vector<Finding> take();

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;  // kind and instruction; the other one
  static Key key(FindingKind kind, const Actor& actor, std::uint32_t other_pc) {
    return {static_cast<std::uint64_t>(kind) << 32 | actor.pc, other_pc};
  }
  static std::string describe(const Program& program, std::uint32_t pc, const std::string& file);

  const LaunchState& launch_;
  bool wanted_;
  std::map<Key, Finding> found_;
};

}  // namespace lanescope::emulator
