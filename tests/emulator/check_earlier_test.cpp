// SPDX-License-Identifier: MIT
// The checker on launches that may begin before the one ahead of them has ended.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

// Behind these %rd1 points to a word of the thread in 128 bytes a block, of 512.
const std::string kWaits = "griddepcontrol.wait;\n", kLets = "griddepcontrol.launch_dependents;\n";
const std::string kStores = "st.global.u32 [%rd1], %r4;\n", kLoads = "ld.global.u32 %r5, [%rd1];\n";
const std::string kFirstWaits =
    "setp.eq.u32 %p1, %r1, 0; @%p1 griddepcontrol.wait; bar.warp.sync -1;\n";

/// Kernels one after the other, all but the first early; what is said of the last.
class Stream {
 public:
  Stream() : machine_({.arch = "sm_90a"}), memory_(machine_.allocate(512).value) {}

  std::string launch(const std::string& body, bool may_begin_early = true, int ctas = 1) {
    const std::string text = fmt::format(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry next{}(.param .u64 out) {{"
        " .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd0, [out]; mov.u32 "
        "%r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1; mad.wide.u32 %rd1, %r3, "
        "4, %rd0; add.u32 %r4, %r3, {};\n{} ret; }}",
        count_, count_, body);
    const auto module = machine_.load(text, "next");
    REQUIRE_MESSAGE(module.ok(), module.error.message);
    std::byte parameters[8];
    std::memcpy(parameters, &memory_, 8);
    LaunchRequest request;
    request.kernel = machine_.find_kernel(module.value, fmt::format("next{}", count_++));
    request.grid = {ctas, 1, 1};
    request.block = {32, 1, 1};
    request.parameters = parameters;
    request.instruction_limit = 100'000;
    request.checks.races = true;
    request.may_begin_early = may_begin_early;
    LaunchReport report = machine_.launch(request);
    last = {std::move(report.error), std::move(report.reports)};
    return last.kinds();
  }
  Machine& machine() { return machine_; }

  Checked last;

 private:
  Machine machine_;
  std::uint64_t memory_;
  int count_ = 0;
};

std::string kinds_behind(const std::string& first, const std::string& next, int ctas = 1) {
  Stream stream;
  CHECK(stream.launch(first, false, ctas) == "");
  return stream.launch(next, true, ctas);
}

}  // namespace

TEST_CASE(
    "what the launch ahead has stored wants griddepcontrol.wait first, to read or overwrite") {
  for (const std::string& next : {kLoads, kStores}) {
    CAPTURE(next);
    CHECK(kinds_behind(kStores, next) == "missing-grid-wait");
    CHECK(kinds_behind(kLets + kStores, next) == "missing-grid-wait");
    CHECK(kinds_behind(kStores, next + kWaits) == "missing-grid-wait");
    CHECK(kinds_behind(kStores, kWaits + next) == "");
    CHECK(kinds_behind(kStores, kFirstWaits + next) == "");
  }
  CHECK(kinds_behind("", kLoads) == "");
  CHECK(kinds_behind(kStores, "ld.global.u32 %r5, [%rd1+256]; st.global.u32 [%rd1+256], 1;\n") ==
        "");
  Stream stream;
  stream.launch(kStores, false);
  stream.launch(kLoads);
  CHECK(stream.last.says("ld reads global memory that the kernel before wrote at PTX line "));
  CHECK(stream.last.says("against kernel next0, PTX line "));
  CHECK(stream.last.says("`st.global.u32 [%rd1], %r4`"));
}

TEST_CASE("what it has read may be overwritten once all have exited, or behind the wait") {
  CHECK(kinds_behind(kLets + kLoads, kStores) == "missing-grid-wait");
  CHECK(kinds_behind(kLets + kLoads, kWaits + kStores) == "");
  CHECK(kinds_behind(kLoads, kStores) == "");
  CHECK(kinds_behind(kLets + kLoads, kLoads) == "");
}

TEST_CASE("what is there already may be stored again, and atomics may meet") {
  CHECK(kinds_behind("st.global.u32 [%rd1], 7;\n", "st.global.u32 [%rd1], 7;\n") == "");
  const std::string adds = "red.relaxed.gpu.global.add.u32 [%rd1], 1;\n";
  CHECK(kinds_behind(adds, adds) == "");
  CHECK(kinds_behind(adds, kLoads) == "missing-grid-wait");
  CHECK(kinds_behind("st.global.u8 [%rd1+1], 1;\n", "ld.global.u8 %r5, [%rd1+1];\n") ==
        "missing-grid-wait");
  CHECK(kinds_behind("st.global.u8 [%rd1+1], 1;\n", "ld.global.u8 %r5, [%rd1+2];\n") == "");
}

TEST_CASE("who has waited tells others, of other blocks behind a flag") {
  const std::string tells =
      "setp.eq.u32 %p2, %r2, 0; @!%p2 bra OTHER; griddepcontrol.wait; bar.warp.sync -1; "
      "st.release.gpu.global.u32 [%rd0+300], 1; bra READ;\nOTHER: ld.acquire.gpu.global.u32 %r5, "
      "[%rd0+300]; setp.ne.u32 %p3, %r5, 1; @%p3 bra OTHER;\nREAD:\n";
  CHECK(kinds_behind(kStores, tells + kLoads, 2) == "");
  std::string silent = tells;
  silent.replace(silent.find("griddepcontrol.wait; "), 21, "");
  CHECK(kinds_behind(kStores, silent + kLoads, 2) == "missing-grid-wait");
}

TEST_CASE("a launch that has not waited is no sign that the one before it is over") {
  Stream stream;
  stream.launch(kStores, false);
  CHECK(stream.launch("ld.global.u32 %r5, [%rd1+256];\n") == "");
  CHECK(stream.launch(kWaits + kLoads) == "missing-grid-wait");
  CHECK(stream.last.says("the one between the two began early and did not wait"));
  // It has waited, or had to: no more is told then.
  CHECK(stream.launch(kWaits + kLoads) == "");
  stream.launch(kWaits + kStores);
  CHECK(stream.launch("", false) == "");
  CHECK(stream.launch(kWaits + kLoads) == "");
}

TEST_CASE("behind what waits for everything nothing is asked, nor of memory that is gone") {
  Stream stream;
  stream.launch(kStores, false);
  CHECK(stream.launch(kLoads, false) == "");
  stream.launch(kStores, false);
  const auto other = stream.machine().allocate(64);
  stream.machine().free(other.value);
  CHECK(stream.launch(kLoads) == "");
}

}  // namespace lanescope::emulator::test
