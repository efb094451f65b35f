// SPDX-License-Identifier: MIT
// A random program on the emulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/machine.hpp"
#include "tests/golden/random/program.hpp"

namespace lanescope::golden::random {

struct Outcome {
  std::uint64_t hash = 0;
  std::string problem;                // or what went wrong
  std::vector<std::string> findings;  // of the checker
  std::uint64_t warp_instructions = 0;
};

class Replay {
 public:
  explicit Replay(emulator::Options options = {});
  Outcome run(const Program& program, const std::set<int>& without = {}, bool checked = false,
              std::uint64_t seed = 0);
  /// What the last program wrote: kWordsOut words of each thread.
  const std::uint64_t* words() const { return reinterpret_cast<const std::uint64_t*>(out_); }

 private:
  emulator::Machine machine_;
  std::uint64_t out_ = 0, own_ = 0, cells_ = 0, in_ = 0;
};

}  // namespace lanescope::golden::random
