// SPDX-License-Identifier: MIT
// Which instructions of the host the emulator uses. The results are the same bits with any: tests
// run all that the host has, users get the best one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::emulator {

/// In order: what can run one can run those before it.
enum class Host : std::uint8_t { baseline, avx2, avx512 };

/// Asks the processor.
Host best_host();

/// All that it can run, the best one last.
std::span<const Host> hosts();

std::string_view name(Host host);

}  // namespace lanescope::emulator
