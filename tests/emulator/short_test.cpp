// SPDX-License-Identifier: MIT
// What PTX lets one write shorter, where a snippet cannot say it: votes without a mask; and what
// ptxas (13.0) refuses of elements, arguments and lines of source.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

std::string loading(std::string_view text) {
  Machine machine({});
  const auto module = machine.load(text, "program.ptx");
  CHECK(module.ok() == module.error.message.empty());
  return module.error.message;
}

}  // namespace

TEST_CASE("votes and shuffles without a mask are those of the lanes that are together") {
  const char* body =
      "setp.lt.u32 %p1, %r0, 5; vote.ballot.b32 %r2, %p1; shfl.down.b32 %r3|%p2, %r0, 1, 31; "
      "mov.u32 %r4, 0; @!%p1 bra END; setp.ne.u32 %p3, %r0, 9; vote.all.pred %p4, %p3; "
      "selp.u32 %r4, 1, 0, %p4; vote.ballot.b32 %r5, 1; END: "
      "st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};";
  std::string text = module_of(body, "sm_60");
  if (has_ptxas()) CHECK(refusal_of_ptxas(text, "sm_75").find("error") == std::string::npos);
  Machine machine({.arch = "sm_90a"});
  const auto module = machine.load(text, "snippet");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(32 * 64);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.block = {32, 1, 1};
  request.parameters = parameters;
  CHECK(machine.launch(request).error.message.empty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    std::uint32_t words[4];
    std::memcpy(words, reinterpret_cast<const void*>(out.value + lane * 64), 16);
    CHECK(words[0] == 0x1f);
    CHECK(words[1] == (lane == 31 ? 31 : lane + 1));
    CHECK(words[2] == (lane < 5 ? 1 : 0));
    if (lane < 5) CHECK(words[3] == 0x1f);
  }
  for (const char* each : {"vote.ballot.b32 %r2, %p1", "shfl.idx.b32 %r2, %r0, 0, 31"})
    CHECK(contains(loading(module_of(std::string(each) + ";", "sm_70")),
                   "without .sync is for a .target below sm_70, this one is sm_70; write "));
}

TEST_CASE("what is no element, no parameter, no place") {
  const std::pair<const char*, const char*> wrong[] = {
      {"ld.global.b32 %r1, [words[2]];", "'[' should be ']'"},
      {"ld.global.b32 %r1, words;", "an address in brackets"},
      {"ld.global.b32 %r1, %rd0[1];", "%rd0 is no array"},
      {"ld.global.b32 %r1, words[1.5];", "an index should be a whole number"},
      {"ld.global.b32 %r1, words[%f1];", "should be a whole number"},
      {"ld.global.b32 %r1, words[%p1];", "should be a whole number"},
      {"atom.global.add.u32 %r1, words[4], 1;", "for ld, st, mov and cvta alone"},
      {"call (%r1), triangle, (%rd1);", "does not have the type of the parameter given"},
      {"call (%r1), triangle, (%r1, %r1);", "has too many values"},
      {".loc 1 3 5, function_name words, inlined_at 1 2 3\n", "inlined_at 1 2 3 names no .loc"},
  };
  for (const auto& [body, message] : wrong) {
    CAPTURE(body);
    CHECK_MESSAGE(contains(loading(module_of(body)), message), loading(module_of(body)));
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body), "sm_80") != "");
  }
}

}  // namespace lanescope::emulator::test
