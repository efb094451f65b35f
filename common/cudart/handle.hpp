// SPDX-License-Identifier: MIT
// Handles that programs are given (graphs, nodes, streams, libraries) are numbers of ours, dressed
// as pointers: never an address of anything.
#pragma once

#include <cstdint>

namespace lanescope::cudart {

inline std::uint64_t number(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }
inline void* handle(std::uint64_t number) { return reinterpret_cast<void*>(number); }

}  // namespace lanescope::cudart
