// SPDX-License-Identifier: MIT
// Which contexts there are, and which of them is a thread's: the last of those that it has pushed.
// All are the one card with the one memory; what is a context's own is its flags. The runtime makes
// the primary one a thread's by itself, the driver does not.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "cudart/abi_driver.hpp"

namespace lanescope::cudart {

inline constexpr std::uint64_t kPrimaryContext = 1;

/// A context's flags.
using DriverContexts = std::map<std::uint64_t, unsigned>;
inline constexpr unsigned kMapsHost = 8, kResizesLocal = 16;  // of the primary one, says an H200

/// The calling thread's; the last is current.
std::vector<std::uint64_t>& pushed_contexts();
/// 0: none.
std::uint64_t current_context();
/// The runtime's functions have the primary one where there is none, and true is the answer; the
/// driver's have not.
bool find_context_for(const char* function);

/// Whether a function of the driver is refused to a thread that has no context, whatever its
/// arguments are.
bool needs_context(std::string_view function);
/// The default streams are those of the current context.
bool is_default_stream(CUhandle stream);

}  // namespace lanescope::cudart
