// SPDX-License-Identifier: MIT
// A launch that takes long says so: after 20 s a line with the CTAs that are done, another after
// 40, 80, ... s. Only where stderr is a terminal, unless LANESCOPE_PROGRESS asks for it: the
// seconds until the first line, 0 for none.
#pragma once

#include <chrono>
#include <string>

#include "emulator/machine.hpp"

namespace lanescope::cudart {

/// Seconds until the first line; 0: none. `asked` is what LANESCOPE_PROGRESS says.
double seconds_until_progress(const std::string& asked, bool is_terminal);

/// "kernel gemm: 12 of 4096 CTAs done in 20 s, the others take about 1 h 53 min; ..."
std::string progress_line(const std::string& kernel, double seconds,
                          const emulator::Progress& progress);

class ProgressLines {
 public:
  ProgressLines();
  ProgressLines(const ProgressLines&) = delete;  // the request points here
  ProgressLines& operator=(const ProgressLines&) = delete;

  /// Sets up the request of the next launch, where lines are wanted.
  void begin(emulator::LaunchRequest& request);

 private:
  using Clock = std::chrono::steady_clock;
  static void tell(void* context, const emulator::Progress& progress);

  double first_ = 0, next_ = 0;  // seconds after begin_
  Clock::time_point begin_;
  std::string kernel_;  // as PTX has it
  emulator::ProgressListener listener_;
};

}  // namespace lanescope::cudart
