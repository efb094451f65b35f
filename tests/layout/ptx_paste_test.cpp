// SPDX-License-Identifier: MIT
// The PTX that `layout --explain` gives to paste, run: for every map of the atlas a kernel walks
// the elements, there and back, and must find what the table says. ptxas_test.cpp assembles the
// same.
#include "tests/layout/ptx_paste.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "emulator/machine.hpp"

using namespace lanescope;
using namespace lanescope::layout;

TEST_CASE("what --explain gives to paste as PTX is the map, there and back, for every map") {
  const std::vector<PtxMap> maps = ptx_maps();
  REQUIRE(maps.size() > 180);
  emulator::Machine machine({.arch = "sm_90a"});
  const auto module = machine.load(ptx_module_of(maps), "pasted");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(128 * 8);
  std::byte parameters[8];
  std::memcpy(parameters, &out.value, 8);
  for (std::size_t n = 0; n < maps.size(); ++n) {
    const Fragment& f = maps[n].fragment;
    emulator::LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, fmt::format("map{}", n));
    REQUIRE(request.kernel != nullptr);
    request.block = {f.threads(), 1, 1};
    request.parameters = parameters;
    const emulator::LaunchReport report = machine.launch(request);
    REQUIRE_MESSAGE(!report.error, report.error.message);
    const auto* found = reinterpret_cast<const std::uint32_t*>(out.value);
    int wrong = 0;
    for (int thread = 0; thread < f.threads(); ++thread)
      wrong += found[2 * thread] != sum_of(f, thread) || found[2 * thread + 1] != 0;
    CHECK_MESSAGE(wrong == 0, maps[n].kernel);
  }
}
