// SPDX-License-Identifier: MIT
// How much local memory the functions that a kernel calls may have: what the deepest of its calls
// needs, which ptxas calls the cumulative stack size; and 16 KiB where nobody knows, of recursion.
// A call through a pointer leads to each function whose address somebody has: as on an H200, where
// tables of functions and virtual functions with 32 KiB run.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

// A function with 9000 bytes of its own, the last of which it looks at behind what it calls.
std::string function(const std::string& name, const std::string& callee) {
  return ".func (.param .b32 back) " + name +
         "(.param .b32 number)\n{ .local .align 8 .b8 own[9000]; .reg .b32 %r<4>; .reg .pred %p; "
         "ld.param.b32 %r0, [number]; st.local.b8 [own+8999], %r0; mov.b32 %r1, 0;\n"
         "setp.eq.u32 %p, %r0, 0; @%p bra END;\n" +
         (callee.empty() ? "" : "sub.u32 %r2, %r0, 1; call (%r1), " + callee + ", (%r2);\n") +
         "END: ld.local.u8 %r3, [own+8999]; add.u32 %r1, %r1, %r3; st.param.b32 [back], %r1; "
         "ret; }\n";
}

// `call`: what the kernel does for a number in %r0.
LaunchReport run(const std::string& functions, const std::string& call, std::uint32_t& made) {
  const std::string text = ".version 9.0\n.target sm_80\n.address_size 64\n" + functions +
                           ".visible .entry k(.param .u64 out) { .reg .b32 %r<2>; .reg .b64 %rd, "
                           "%to; ld.param.u64 %rd, [out]; " +
                           call + "st.global.u32 [%rd], %r0; ret; }\n";
  if (has_ptxas()) CHECK(refusal_of_ptxas(text, "sm_80").find("error") == std::string::npos);
  Machine machine({});
  const auto module = machine.load(text, "stack");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(4);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {64, 1, 1};
  request.parameters = std::as_bytes(std::span(&out.value, 1));
  LaunchReport report = machine.launch(request);
  std::memcpy(&made, reinterpret_cast<const void*>(out.value), 4);
  return report;
}

}  // namespace

TEST_CASE("functions below a kernel have the local memory that the deepest call needs") {
  std::uint32_t made = 0;
  const std::string four =
      function("d", "") + function("c", "d") + function("b", "c") + function("a", "b");
  const LaunchReport report = run(four, "call (%r0), a, (5);", made);
  CHECK_MESSAGE(report.error.message.empty(), report.error.message);
  CHECK(made == 5 + 4 + 3 + 2);
}

TEST_CASE("a call through a pointer has what the largest function needs that has an address") {
  const std::string two = function("d", "") + function("c", "d");
  const std::string table = ".global .align 8 .u64 table[1] = ";
  const std::string fetch = "mov.b64 %to, table; ld.global.b64 %to, [%to];";
  const std::string call =
      "mov.b32 %r1, 5; P: .callprototype (.param .b32 _) _ (.param .b32 _); "
      "call (%r0), %to, (%r1), P;";
  std::uint32_t made = 0;
  const auto reaches_c = [&](const std::string& more, const std::string& take) {
    CAPTURE(more);
    const LaunchReport report = run(two + more, take + call, made);
    CHECK_MESSAGE(report.error.message.empty(), report.error.message);
    CHECK(made == 5 + 4);
  };
  reaches_c("", "mov.b64 %to, c;");
  reaches_c(table + "{c};\n", fetch);
  reaches_c(
      ".visible .func (.param .b32 back) e(.param .b32 number);\n.alias e, c;\n" + table + "{e};\n",
      fetch);
}

TEST_CASE("a called function's local variables begin where their alignment wants them") {
  // Behind 48 bytes of its caller's; 16 KiB are not enough with what is left out between the two.
  const std::string aligned =
      ".func (.param .b32 back) f(.param .b32 number)\n{ .local .align 4096 .b8 own[16000]; "
      ".reg .b32 %r<3>; .reg .b64 %a; mov.b64 %a, own; cvta.local.u64 %a, %a; cvt.u32.u64 %r0, %a; "
      "and.b32 %r0, %r0, 4095; ld.param.b32 %r1, [number]; st.local.b8 [own+15999], %r1; "
      "ld.local.u8 %r2, [own+15999]; add.u32 %r0, %r0, %r2; st.param.b32 [back], %r0; ret; }\n"
      ".func (.param .b32 back) g(.param .b32 number)\n{ .local .align 8 .b8 forty[40]; "
      ".reg .b32 %r<2>; .reg .b64 %a; ld.param.b32 %r0, [number]; st.local.b32 [forty+36], %r0; "
      "call (%r1), f, (%r0); ld.local.b32 %r0, [forty+36]; mad.lo.u32 %r1, %r0, 100, %r1; "
      "st.param.b32 [back], %r1; ret; }\n";
  std::uint32_t made = 0;
  const LaunchReport report = run(aligned, "call (%r0), g, (5);", made);
  CHECK_MESSAGE(report.error.message.empty(), report.error.message);
  CHECK(made == 505);
}

TEST_CASE("so does the copy of a parameter whose address is taken") {
  const std::string aligned =
      ".func (.param .b32 back) f(.param .align 128 .b8 given[128])\n{ .reg .b32 %r<2>; .reg .b64 "
      "%a; mov.b64 %a, given; ld.local.b32 %r1, [%a+124]; cvta.local.u64 %a, %a; cvt.u32.u64 %r0, "
      "%a; and.b32 %r0, %r0, 127; add.u32 %r0, %r0, %r1; st.param.b32 [back], %r0; ret; }\n"
      ".func (.param .b32 back) g(.param .b32 number)\n{ .local .align 8 .b8 forty[40]; "
      ".reg .b32 %r<2>; ld.param.b32 %r0, [number]; st.local.b32 [forty+36], %r0;\n"
      "{ .param .align 128 .b8 made[128]; .param .b32 back_of_f; st.param.b32 [made+124], %r0; "
      "call (back_of_f), f, (made); ld.param.b32 %r1, [back_of_f]; }\n"
      "ld.local.b32 %r0, [forty+36]; mad.lo.u32 %r1, %r0, 100, %r1; st.param.b32 [back], %r1; "
      "ret; }\n";
  std::uint32_t made = 0;
  const LaunchReport report = run(aligned, "call (%r0), g, (5);", made);
  CHECK_MESSAGE(report.error.message.empty(), report.error.message);
  CHECK(made == 505);
}

TEST_CASE("how deep recursion goes nobody knows: 16 KiB, and then it is said") {
  std::uint32_t made = 0;
  const LaunchReport report = run(function("a", "a"), "call (%r0), a, (5);", made);
  CHECK(contains(report.error.message, "bytes of local memory of a thread are used up"));
}

}  // namespace lanescope::emulator::test
