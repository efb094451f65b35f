// SPDX-License-Identifier: MIT
// Asks the kernel whether host memory is there before the runtime touches it, so that a program
// that passes a wild pointer is told so instead of dying inside the runtime. Linux only (mincore).
#pragma once

#include <cstddef>

namespace lanescope::cudart {

/// Whether all of [address, address + bytes) is mapped into this process.
bool is_mapped(const void* address, std::size_t bytes);

}  // namespace lanescope::cudart
