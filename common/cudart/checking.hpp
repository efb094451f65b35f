// SPDX-License-Identifier: MIT
// `lanescope run --check`: asks every launch to be checked, prints what was found on stderr, and
// lets the process end with 1 when there was anything.
//
//     lanescope: check: race-read-after-write: gemm.cu:42: ld.shared reads shared memory that ...
//       kernel gemm, CTA (0,0,0), warp 1, lane 4, shared address 0x1230
//       ...
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "emulator/machine.hpp"

namespace lanescope::cudart {

/// What instructions of one kind on one source line lose together; a compiler makes many of one.
template <class Report>
struct Loss {
  Report sum;               // with the first of them
  std::set<int> ptx_lines;  // of all
};
template <class Report>
using Losses = std::map<std::string, Loss<Report>>;  // by place and kind

class Checking {
 public:
  Checking();  // from the environment

  bool is_on() const { return options_.any(); }
  void begin(emulator::LaunchRequest& request);
  void end(const emulator::LaunchReport& report);
  /// Before the process ends: how much was looked at.
  void finish() const;
  bool found_any() const { return !told_.empty(); }

 private:
  void list_banks() const;
  void list_sectors() const;

  emulator::CheckOptions options_;
  bool ends_at_first_ = false;     // "first": the first launch with a report is the last
  std::set<std::string> told_;     // kind and line: each is told once
  std::set<std::string> kernels_;  // launched so far
  std::uint64_t launches_ = 0, refused_ = 0;
  Losses<emulator::BankReport> banks_;
  Losses<emulator::SectorReport> sectors_;
};

}  // namespace lanescope::cudart
