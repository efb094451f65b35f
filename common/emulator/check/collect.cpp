// SPDX-License-Identifier: MIT
#include "emulator/check/collect.hpp"

#include <fmt/format.h>

namespace lanescope::emulator {

void Collection::add(std::vector<Finding> findings) {
  for (Finding& finding : findings) {
    const trace::Diagnostic& said = finding.diagnostic;
    const int line = said.source.line != 0 ? said.source.line : said.ptx_line;
    const std::string key = fmt::format("{}:{:08}:{}", said.source.file, line, said.kind);
    const auto [at, is_new] = found_.try_emplace(key, finding);
    if (is_new) continue;
    Finding& first = at->second;
    const std::uint64_t count = first.count + finding.count;
    // Of the same problem in several CTAs, the first of the grid is told.
    if (finding.cta < first.cta) first = std::move(finding);
    first.count = count;
  }
}

std::vector<CheckReport> Collection::reports() const {
  std::vector<CheckReport> all;
  for (const auto& [key, finding] : found_) all.push_back({finding.diagnostic, finding.count});
  return all;
}

CheckReport report_of(const Error& error) {
  CheckReport report{error.diagnostic, 1};
  trace::Diagnostic& said = report.diagnostic;
  // The details of a fault: where it is, what to do.
  if (said.details.size() == 2) {
    said.message += "; " + said.details[1];
    said.details.resize(1);
  }
  return report;
}

}  // namespace lanescope::emulator
