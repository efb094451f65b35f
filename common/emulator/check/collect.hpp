// SPDX-License-Identifier: MIT
// Findings of all clusters of a launch, put together: one report a kind and source line.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/check/checker.hpp"

namespace lanescope::emulator {

class Collection {
 public:
  void add(std::vector<Finding> findings);
  /// In the order of the source. The same for any number of threads.
  std::vector<CheckReport> reports() const;

 private:
  std::map<std::string, Finding> found_;
};

/// Why a kernel stopped, as a report.
CheckReport report_of(const Error& error);

}  // namespace lanescope::emulator
