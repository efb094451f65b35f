// SPDX-License-Identifier: MIT
#include "tests/emulator/check.hpp"

#include <doctest/doctest.h>

#include <cstring>

namespace lanescope::emulator::test {

std::string Checked::kinds() const {
  std::string all;
  for (const CheckReport& report : reports)
    all += (all.empty() ? "" : ", ") + report.diagnostic.kind;
  return all;
}

bool Checked::says(std::string_view part) const {
  for (const CheckReport& report : reports) {
    if (report.diagnostic.message.find(part) != std::string::npos) return true;
    for (const std::string& detail : report.diagnostic.details)
      if (detail.find(part) != std::string::npos) return true;
  }
  return false;
}

namespace {

Checked check(std::string_view body, int threads, int ctas, int cluster, bool strict,
              std::string_view arch = "sm_90a") {
  Machine machine({.arch = std::string(arch)});
  const auto module = machine.load(module_of(body, arch), "snippet");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(32 * 64);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.grid = {ctas, 1, 1};
  request.cluster = {cluster, 1, 1};
  request.block = {threads, 1, 1};
  request.parameters = parameters;
  request.instruction_limit = 1'000'000;
  request.checks.races = true;
  request.checks.strict = strict;
  LaunchReport report = machine.launch(request);
  return {std::move(report.error), std::move(report.reports)};
}

}  // namespace

Checked check_body(std::string_view body, int threads, int ctas, bool strict,
                   std::string_view arch) {
  return check(body, threads, ctas, ctas, strict, arch);
}

Checked check_grid(std::string_view body, int threads, int ctas, bool strict) {
  return check(body, threads, ctas, 1, strict);
}

}  // namespace lanescope::emulator::test
