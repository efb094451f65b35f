// SPDX-License-Identifier: MIT
// Small pieces of PTX and what every lane should hold after them.
//
// A snippet is the middle of a kernel of one warp: %r0 (lane), %rd0 (its own 64 bytes of output)
// and plenty of registers are declared, and functions to call; what it stores there is compared.
// The same table of snippets is run and given to ptxas by instruction_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine.hpp"
#include "tests/has_ptxas.hpp"

namespace lanescope::emulator::test {

struct Snippet {
  std::string_view name;
  std::string_view body;  // stores .b32 results at [%rd0], [%rd0+4], ...
  // results[k] of a lane, for each word stored.
  std::vector<std::function<std::uint32_t(std::uint32_t lane)>> results;
  std::string_view arch = "sm_80";  // the target that ptxas needs
};

/// What a register holds of an f32.
inline std::uint32_t bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }

/// All snippets, by the file they are in.
std::span<const Snippet> integer_snippets();
std::span<const Snippet> real_snippets();
std::span<const Snippet> convert_snippets();
std::span<const Snippet> memory_snippets();
std::span<const Snippet> warp_snippets();
std::span<const Snippet> control_snippets();
std::span<const Snippet> hopper_snippets();
std::span<const Snippet> composite_snippets();
std::span<const Snippet> rare_snippets();
std::span<const Snippet> video_snippets();
std::span<const Snippet> tcgen05_snippets();
std::span<const Snippet> blackwell_snippets();
std::span<const Snippet> sm100_snippets();
std::vector<std::span<const Snippet>> all_snippets();

/// The whole module around a body. 16 words of output a lane.
std::string module_of(std::string_view body, std::string_view target = "sm_80");

/// What ptxas says of a module; "" when it takes it.
using tests::has_ptxas;
std::string refusal_of_ptxas(std::string_view text, std::string_view arch);

/// Whether a message has this in it.
inline bool contains(std::string_view message, std::string_view part) {
  return message.find(part) != std::string_view::npos;
}

struct Run {
  LaunchReport report;
  Error load_error;
  std::vector<std::uint32_t> words;  // lane * 16 + word
};

/// Runs a body with 32 threads (or `threads`).
Run run_body(std::string_view body, std::string_view target = "sm_80", int threads = 32,
             std::uint64_t instruction_limit = 1'000'000, Host host = best_host());

}  // namespace lanescope::emulator::test
