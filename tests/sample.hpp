// SPDX-License-Identifier: MIT
// How much of a long recording a test replays. Sanitized it takes minutes, and a sample of it meets
// the same code.
#pragma once

// There in a sanitized program, whether the test's own code is sanitized or not.
extern "C" [[gnu::weak]] void __asan_init();

namespace lanescope::tests {

/// The stride: `sanitized` under AddressSanitizer, 1 otherwise.
inline int one_in(int sanitized) { return __asan_init != nullptr ? sanitized : 1; }

}  // namespace lanescope::tests
