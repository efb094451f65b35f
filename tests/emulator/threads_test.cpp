// SPDX-License-Identifier: MIT
// CTAs on several threads: which kernels may, and that nothing of what they do depends on it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "emulator/machine.hpp"

namespace lanescope::emulator {
namespace {

constexpr int kCtas = 6;

// `mixes`: two warps of a CTA change one word of shared memory without a barrier, for 240,000
// instructions each, more than a warp's turn: what is left in it tells in what order they had their
// turns. `fails`: CTA 4 stores to address 0 early, CTA 2 later, CTA 5 last. `counts`: by an atomic.
constexpr const char* kMixesAndFails = R"(
.version 8.3
.target sm_80
.address_size 64
.global .align 4 .u32 counter;

.func count()
{
	.reg .b32 %r<2>;
	atom.global.add.u32 %r0, [counter], 1;
	ret;
}
.func nothing()
{
	ret;
}
.global .align 8 .u64 either[1] = {nothing};

.visible .entry mixes(.param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	.shared .align 4 .b32 word;
	mov.u32 %r0, %tid.x;
	shr.u32 %r1, %r0, 5;
	mov.u32 %r2, 0;
	st.shared.u32 [word], %r2;
AGAIN:
	ld.shared.u32 %r3, [word];
	mad.lo.u32 %r3, %r3, 5, %r1;
	st.shared.u32 [word], %r3;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p0, %r2, 40000;
	@%p0 bra AGAIN;
	ld.param.u64 %rd0, [out];
	mov.u32 %r4, %ctaid.x;
	mad.wide.u32 %rd0, %r4, 4, %rd0;
	st.global.u32 [%rd0], %r3;
	ret;
}

.visible .entry fails(.param .u64 out)
{
	.reg .pred %p<4>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, 25000;
	setp.eq.u32 %p1, %r0, 4;
	selp.u32 %r1, 75000, %r1, %p1;
	setp.eq.u32 %p2, %r0, 2;
	selp.u32 %r1, 250000, %r1, %p2;
	setp.eq.u32 %p3, %r0, 5;
	selp.u32 %r1, 500000, %r1, %p3;
	mov.u32 %r2, 0;
AGAIN:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p0, %r2, %r1;
	@%p0 bra AGAIN;
	setp.gt.u32 %p0, %r1, 25000;
	mov.u64 %rd0, 0;
	@%p0 st.global.u32 [%rd0], %r0;
	ret;
}
)";

/// A kernel that is busy for long enough for other threads to be started, then does this.
std::string busy(std::string_view name, std::string_view then) {
  return fmt::format(R"(
.visible .entry {}(.param .u64 out)
{{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	mov.u32 %r2, 0;
AGAIN:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p0, %r2, 60000;
	@%p0 bra AGAIN;
	{}
	ret;
}}
)",
                     name, then);
}

std::string module_text() {
  return kMixesAndFails + busy("counts", R"(
	mov.u32 %r0, %ctaid.x;
	ld.param.u64 %rd0, [out];
	mad.wide.u32 %rd0, %r0, 4, %rd0;
	atom.global.add.u32 %r1, [counter], 1;
	st.global.u32 [%rd0], %r1;)") +
         busy("calls_it", "call count;") + busy("calls_nothing", "call nothing;") +
         busy("calls_either", R"(
	ld.global.u64 %rd0, [either];
	PROTOTYPE: .callprototype _ ();
	call %rd0, (), PROTOTYPE;)");
}

struct Run {
  LaunchReport report;
  std::uint32_t out[kCtas] = {};
};

Run run(const char* kernel, int threads, std::uint64_t limit = 0) {
  Machine machine{{.arch = "sm_80", .threads = threads}};
  const auto loaded = machine.load(module_text(), "threads.ptx");
  REQUIRE_MESSAGE(loaded.ok(), loaded.error.message);
  const std::uint64_t out = machine.allocate(sizeof(Run::out)).value;
  std::byte parameters[8];
  std::memcpy(parameters, &out, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(loaded.value, kernel);
  REQUIRE(request.kernel != nullptr);
  request.grid = {kCtas, 1, 1};
  request.block = {64, 1, 1};
  request.parameters = parameters;
  request.instruction_limit = limit;
  Run made;
  made.report = machine.launch(request);
  std::memcpy(made.out, reinterpret_cast<const void*>(out), sizeof(made.out));
  return made;
}

}  // namespace

TEST_CASE("who wins a race within a CTA does not depend on the number of threads") {
  const Run one = run("mixes", 1);
  CHECK(one.report.threads == 1);
  for (const std::uint32_t word : one.out) CHECK(word == one.out[0]);
  for (const int threads : {2, 4, 32}) {
    CAPTURE(threads);
    const Run some = run("mixes", threads);
    CHECK(some.report.threads == std::min(threads, kCtas));
    CHECK(std::equal(one.out, one.out + kCtas, some.out));
    CHECK(some.report.warp_instructions == one.report.warp_instructions);
  }
}

TEST_CASE("of CTAs that fail the first of the grid is named, whoever fails first") {
  const Run one = run("fails", 1), some = run("fails", kCtas);
  CHECK(one.report.error.message.find("CTA (2,0,0)") != std::string::npos);
  CHECK(some.report.error.message == one.report.error.message);
}

TEST_CASE("a kernel whose CTAs see who comes first runs on one thread, others of its module not") {
  const Run counted = run("counts", 4);
  CHECK(counted.report.threads == 1);
  for (std::uint32_t cta = 0; cta < kCtas; ++cta) CHECK(counted.out[cta] / 64 == cta);
  CHECK(run("calls_it", 4).report.threads == 1);
  CHECK(run("calls_nothing", 4).report.threads == 4);
  CHECK(run("calls_either", 4).report.threads == 1);
}

TEST_CASE("a launch with a limit runs on one thread: where it ends depends on the order") {
  CHECK(run("calls_nothing", 4, 1'000'000'000).report.threads == 1);
  CHECK(run("calls_nothing", 4).report.threads == 4);
}

}  // namespace lanescope::emulator
