// SPDX-License-Identifier: MIT
// Special registers that say on what card a kernel runs, and how it was launched (PTX ISA 9.2, 10).
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

// The first three words that each CTA of the launch stores at [%rd0].
std::vector<std::array<std::uint32_t, 3>> launch(const std::string& body,
                                                 const std::string& attributes,
                                                 LaunchRequest request) {
  std::string text = module_of(
      "mov.u32 %r9, %ctaid.x; mad.wide.u32 %rd0, %r9, 2048, %rd0; mov.u32 %r1, 0; mov.u32 %r2, 0;"
      "mov.u32 %r3, 0;" +
          body + "st.global.v2.u32 [%rd0], {%r1, %r2}; st.global.u32 [%rd0+8], %r3;",
      "sm_90");
  text.insert(text.find("\n{", text.find(".entry")), attributes);
  Machine machine({});
  const auto module = machine.load(text, "special");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(static_cast<std::uint64_t>(request.grid[0]) * 2048);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.parameters = parameters;
  const LaunchReport report = machine.launch(request);
  REQUIRE_MESSAGE(!report.error, report.error.message);
  std::vector<std::array<std::uint32_t, 3>> words(static_cast<std::size_t>(request.grid[0]));
  for (std::size_t cta = 0; cta < words.size(); ++cta)
    std::memcpy(&words[cta], reinterpret_cast<const void*>(out.value + cta * 2048), 12);
  return words;
}

}  // namespace

TEST_CASE("%smid is below %nsmid, and that is what the card has") {
  LaunchRequest request;
  request.grid = {7, 1, 1};
  const std::string body = "mov.u32 %r1, %smid; mov.u32 %r2, %nsmid; mov.u32 %r3, %ctaid.x;";
  for (const auto& [place, places, cta] : launch(body, "", request)) {
    CHECK(place == cta);
    CHECK(places == 132);
  }
  request.multiprocessors = 3;
  for (const auto& [place, places, cta] : launch(body, "", request)) {
    CHECK(place == cta % 3);
    CHECK(places == 3);
  }
}

TEST_CASE("a cluster is explicit where the kernel or the launch names it, of one CTA too") {
  const std::string body =
      "mov.pred %p1, %is_explicit_cluster; selp.u32 %r1, 1, 0, %p1; mov.u32 %r2, "
      "%cluster_nctarank;";
  const auto found = [&](const char* attributes, int cluster, bool names_cluster) {
    LaunchRequest request;
    request.grid = {2, 1, 1};
    request.cluster = {cluster, 1, 1};
    request.names_cluster = names_cluster;
    return launch(body, attributes, request)[1];
  };
  using Words = std::array<std::uint32_t, 3>;
  CHECK(found("", 1, false) == Words{0, 1, 0});
  CHECK(found("", 1, true) == Words{1, 1, 0});
  CHECK(found("", 2, false) == Words{1, 2, 0});
  CHECK(found("\n.explicitcluster", 1, true) == Words{1, 1, 0});
  CHECK(found("\n.explicitcluster\n.reqnctapercluster 1", 1, false) == Words{1, 1, 0});
  CHECK(found("\n.explicitcluster\n.reqnctapercluster 2", 1, false) == Words{1, 2, 0});
  CHECK(found("\n.maxclusterrank 2", 1, false) == Words{0, 1, 0});
}

}  // namespace lanescope::emulator::test
