// SPDX-License-Identifier: MIT
// How the launcher ends early: one line on stderr, and a code.
#pragma once

#include <string>

namespace lanescope::launcher {

inline constexpr int kWrongUsage = 2, kFailed = 1;

struct Stop {
  std::string why;
  int code;
  bool is_told = false;  // of what the emulator, and no card, has told on stderr already
};

[[noreturn]] inline void stop(int code, std::string why, bool is_told = false) {
  throw Stop{std::move(why), code, is_told};
}

}  // namespace lanescope::launcher
