// SPDX-License-Identifier: MIT
// Runs a kernel, recording what it does step by step.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "emulator/machine.hpp"
#include "emulator/record/step.hpp"

namespace lanescope::emulator::test {

struct Recorded {
  LaunchReport report;
  std::vector<trace::Event> events;

  template <class Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const trace::Event& event : events)
      if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
    return found;
  }
  // "arrive bar 0 phase 0 warp 1", ...
  std::vector<std::string> syncs() const;
  /// Of these lines: how often there is one, and where first.
  std::size_t count(const std::string& line) const;
  std::size_t first(const std::string& line) const;
};

struct Setup {
  std::string body;
  std::string variables;
  int threads = 32;
  int blocks = 1;
  std::uint64_t seed = 0;
  std::string target = "sm_90a";
  bool counts = false;
};

Recorded record(const Setup& setup, StepRequest steps = {});

inline const char* const kRegisters =
    ".reg .pred %p<4>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<4>;\n"
    ".shared .align 128 .b8 sm[4096];";

// Where the block's shared memory begins in its window: a card keeps some of it for itself.
std::uint32_t shared_base();

}  // namespace lanescope::emulator::test
