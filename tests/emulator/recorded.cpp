// SPDX-License-Identifier: MIT
// One launch of a kernel `k` around the body, with 256 bytes of global memory, g.
#include "tests/emulator/recorded.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace lanescope::emulator::test {

std::vector<std::string> Recorded::syncs() const {
  std::vector<std::string> lines;
  for (const trace::Sync& s : all<trace::Sync>())
    lines.push_back(
        fmt::format("{} {} phase {} warp {}", s.action, s.object, s.phase, s.place.warp));
  return lines;
}

std::size_t Recorded::count(const std::string& line) const {
  const auto lines = syncs();
  return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), line));
}

std::size_t Recorded::first(const std::string& line) const {
  const auto lines = syncs();
  return static_cast<std::size_t>(std::find(lines.begin(), lines.end(), line) - lines.begin());
}

Recorded record(const Setup& setup, StepRequest steps) {
  Machine machine({.arch = setup.target});
  const std::string text = fmt::format(
      ".version 9.0\n.target {}\n.address_size 64\n.global .align 16 .b8 g[256];\n.visible .entry "
      "k()\n{{\n{}\n{}\n\tret;\n}}\n",
      setup.target, setup.variables, setup.body);
  const auto module = machine.load(text, "k");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  Recorded recorded;
  steps.context = &recorded;
  steps.event = [](void* context, const trace::Event& event) {
    static_cast<Recorded*>(context)->events.push_back(event);
  };
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.grid = {setup.blocks, 1, 1};
  request.block = {setup.threads, 1, 1};
  request.steps = &steps;
  request.seed = setup.seed;
  request.counts_instructions = setup.counts;
  recorded.report = machine.launch(request);
  CHECK_MESSAGE(!recorded.report.error, recorded.report.error.message);
  return recorded;
}

std::uint32_t shared_base() {
  static const auto base = static_cast<std::uint32_t>(
      record({"mov.u32 %r1, sm;", kRegisters}).all<trace::Step>().at(0).writes.at(0).lanes[0]);
  return base;
}

}  // namespace lanescope::emulator::test
