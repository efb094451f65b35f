// SPDX-License-Identifier: MIT
// How much of a long recording a test replays. Sanitized it takes minutes, and a sample of it meets
// the same code.
#pragma once

namespace lanescope::tests {

/// The stride: `sanitized` under AddressSanitizer, 1 otherwise.
constexpr int one_in([[maybe_unused]] int sanitized) {
#ifdef __SANITIZE_ADDRESS__
  return sanitized;
#else
  return 1;
#endif
}

}  // namespace lanescope::tests
