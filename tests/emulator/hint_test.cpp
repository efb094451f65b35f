// SPDX-License-Identifier: MIT
// What changes nothing here (decode_hints.cpp) is read as ptxas reads it.
#include <doctest/doctest.h>

#include "tests/emulator/snippet.hpp"
#include "tests/emulator/unlike_ptxas.hpp"

namespace lanescope::emulator {
namespace {

constexpr const char* kHints = R"(
createpolicy.fractional.L2::evict_last.b64 %rd<|, 0.0|, 0.5|, 1.0|, 2.0|, -0.5|, 0f3f800000|, 0f40000000|, %f|, %r|, 1|, %fd>
createpolicy.fractional.<L2::evict_last|L2::evict_normal|L2::evict_unchanged><|.L2::evict_unchanged|.L2::evict_first|.L2::evict_last>.b64 %rd
createpolicy.fractional.<b64|L2::evict_last.b32|L2::evict_last> %rd; createpolicy.L2::evict_last.b64 %rd
createpolicy.fractional.L2::evict_last.b64 <%ud|%fd|%r>
createpolicy.range<|.global|.shared>.L2::evict_last.L2::evict_first.b64 %rd, [%rd], <%r|16|0|-1|%f|1.0>, <%r|32|8|1.0>
createpolicy.range.L2::evict_last.b64 %rd, <%rd|[%r]|[word]|[sword]>, 16, 32
createpolicy.cvt<|.L2|.L2::evict_last>.b64 %rd, <%rd|%r|1|%fd|1.0>
cp.async.bulk.prefetch.L2.global [%rd], <%r|16|17|0|-16|%rd|1.0|%f|%u>; cp.async.bulk.prefetch.L2.global [%rd], %r, %rd
cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd], 16<|, %rd|, %r|, 1|, %ud|, %fd|, 1.0>
cp.async.bulk.prefetch<|.L2><|.global>.L2::cache_hint [%rd], 16, %rd
cp.async.bulk.prefetch.tensor<.2d|.3d><|.L2><|.global><|.tile> [%rd, {%r, %r}]
cp.async.bulk.prefetch.tensor.2d.L2.global<|.L2::cache_hint> [%rd, {<%r, %r|%f, %f|%u, 1|%r>}]<|, %rd|, {%h}>
cp.async.bulk.prefetch.tensor.3d.L2.global.im2col<|.L2::cache_hint> [%rd, {%r, %r, %r}], <{%h}|{%h, %h}|{%r}><|, %rd>
cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4<|.L2::cache_hint> [%rd, {%r, %r, %r, %r<|, %r>}]<|, %rd>
cp.async.bulk.prefetch.tensor.<3d|4d>.L2.global.<im2col::w|im2col::w::128> [%rd, {%r, %r, %r}], {%h, %h}
prefetch<|.global|.local><|.L1|.L2|.L2::evict_last|.tensormap> [%rd]<|, 1>; prefetch<|.param|.const>.tensormap [%rd]
prefetchu<.L1|> [%rd]; pmevent <%r|0|15|16|-1|1.0>; pmevent.mask <%r|0|65535|65536|-1|1.0>
discard<|.global>.L2 [%rd]<|, 128|, 64|, %r>; applypriority<|.global>.L2::evict_normal [%rd]<|, 128|, 64|, %r>
)";

}  // namespace

TEST_CASE("hints, policies and prefetches are taken where ptxas takes them") {
  if (!tests::has_ptxas()) {
    MESSAGE("no ptxas here: hints are not compared with it");
    return;
  }
  for (const char* target : {"sm_100a", "sm_103a", "sm_120a"})
    CHECK(unlike_ptxas(asked_forms(kHints), target) == "");
}

TEST_CASE("a wrong hint is told what ptxas wants in its place") {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"createpolicy.fractional.L2::evict_last.b64 %rd, 2.0",
       "the fraction is 2; ptxas wants more than 0.0, at most 1.0"},
      {"createpolicy.range.L2::evict_last.b64 %rd, [%rd], 16, 8",
       "the first size is 16; ptxas wants at most the whole, 8"},
      {"createpolicy.fractional.b64 %rd", "a policy names one of .L2::evict_last"},
      {"cp.async.bulk.prefetch.L2.global [%rd], 17", "the size is 17; ptxas wants a multiple"},
      {"prefetch.global [%rd]", "the cache that is meant is missing: .L1 or .L2"},
      {"pmevent 16", "the event is 16; ptxas wants 0 to 15"},
      {"pmevent %r", "an operand should be a number"}};
  for (const auto& [form, message] : wrong) {
    CAPTURE(form);
    Machine machine({.arch = "sm_100a"});
    const auto module = machine.load(asked_head("sm_100a") + asked_kernel(form, 0), "hint.ptx");
    CHECK(module.error.code == ErrorCode::invalid_ptx);
    CHECK(module.error.message.find(message) != std::string::npos);
    CHECK(module.error.message.find("hint.ptx:6:1") != std::string::npos);
  }
}

TEST_CASE("a cp.async with a policy is warned of where ptxas may make it illegal: from sm_90 on") {
  constexpr const char* kCopy =
      "mov.u32 %r1, tile; mov.b64 %rd1, 0;\n"
      "cp.async.cg.shared.global.L2::cache_hint [%r1], [words], 16, %rd1; cp.async.wait_all;";
  constexpr const char* kWithout =
      "mov.u32 %r1, tile;\n"
      "cp.async.cg.shared.global.L2::128B [%r1], [words], 16; cp.async.wait_all;";
  const auto warning = [](const char* body, const char* target) {
    const test::Run run = test::run_body(body, target);
    CHECK(run.load_error.message == "");
    CHECK(!run.report.error);
    return run.report.warning;
  };
  for (const char* target : {"sm_90", "sm_90a", "sm_100a"})
    CHECK(test::contains(warning(kCopy, target),
                         "an H200 may end with an illegal instruction: of a cp.async with "));
  CHECK(warning(kCopy, "sm_80") == "");
  CHECK(warning(kCopy, "sm_89") == "");
  CHECK(warning(kWithout, "sm_90a") == "");
}

}  // namespace lanescope::emulator
