// SPDX-License-Identifier: MIT
// Where shared memory lies: behind the driver's kilobyte, a kernel's own variables only, and
// dynamic shared memory at the place that a called function knows. And where variables end.
#include <doctest/doctest.h>

#include <cstring>

#include "emulator/machine.hpp"

using namespace lanescope::emulator;

namespace {

constexpr const char* kModule = R"(
.version 8.3
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 unused[4096];
.shared .align 4 .b8 both[64];

.func (.param .b32 where) address_of()
{
	.reg .b32 %r<3>;
	mov.u32 %r0, dynamic;
	st.param.b32 [where], %r0;
	ret;
}

.visible .entry calls(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	.shared .align 4 .b8 own[200];
	ld.param.u64 %rd0, [out];
	mov.u32 %r0, own;
	mov.u32 %r1, dynamic;
	{
	.param .b32 result;
	call (result), address_of, ();
	ld.param.b32 %r2, [result];
	}
	mov.u32 %r3, both;
	st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r3};
	ret;
}

.visible .global .align 1 .u8 flag = 7;
.visible .const .align 2 .b8 odd[6] = {1, 2, 3, 4, 5, 6};
.visible .const .align 8 .b8 wide[24];

.visible .entry words(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [out];
	atom.global.cas.b32 %r0, [flag], 7, 0x109;
	ld.global.u8 %r1, [flag];
	ld.const.u32 %r2, [odd+4];
	mov.u32 %r3, 0;
	st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r3};
	ret;
}

.visible .entry behind(.param .u64 out)
{
	.reg .b32 %r<1>;
	ld.global.u32 %r0, [flag+4];
	ret;
}

.visible .entry alone(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [out];
	mov.u32 %r0, 0;
	mov.u32 %r1, dynamic;
	mov.u32 %r2, %total_smem_size;
	mov.u32 %r3, %dynamic_smem_size;
	st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r3};
	ret;
}
)";

struct Found {
  std::uint32_t words[4] = {};
  int static_bytes = 0;
  std::int64_t constant_bytes = 0;
  Error error;
};

Found run(const char* arch, const char* kernel) {
  Machine machine({.arch = arch});
  const auto module = machine.load(kModule, "placement");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(16);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, kernel);
  std::byte parameters[8];
  std::memcpy(parameters, &out.value, 8);
  request.parameters = parameters;
  request.dynamic_shared_bytes = 512;
  Found found;
  found.error = machine.launch(request).error;
  found.static_bytes = request.kernel->static_shared_bytes;
  found.constant_bytes = request.kernel->constant_bytes;
  std::memcpy(found.words, reinterpret_cast<const void*>(out.value), 16);
  return found;
}

}  // namespace

TEST_CASE("a kernel's shared memory begins behind the driver's kilobyte") {
  const Found found = run("sm_80", "calls");
  REQUIRE_MESSAGE(!found.error, found.error.message);
  CHECK(found.words[3] ==
        1024);  // `both` is module-scope, and declared first of those that are used
  CHECK(found.words[0] == 1024 + 64);
  CHECK(found.words[1] == 1024 + 64 + 200 + 8);  // aligned to 16
}

TEST_CASE("a called function finds dynamic shared memory behind the kernel's own variables") {
  const Found found = run("sm_80", "calls");
  CHECK(found.words[2] == found.words[1]);
}

TEST_CASE("module-scope variables take room where they are used") {
  CHECK(run("sm_80", "calls").static_bytes == 264);  // 64 + 200
  const Found alone = run("sm_80", "alone");
  CHECK(alone.static_bytes == 0);
  CHECK(alone.words[1] == 1024);
  CHECK(alone.words[2] == 512);  // without the driver's
  CHECK(alone.words[3] == 512);
}

TEST_CASE("constants lie one behind the other, the same for every kernel") {
  CHECK(run("sm_80", "words").constant_bytes == 32);  // 6, 2 of alignment, 24
  CHECK(run("sm_80", "alone").constant_bytes == 32);
}

TEST_CASE("the word around a byte of the module is its own, the next one is not") {
  const Found found = run("sm_80", "words");
  REQUIRE_MESSAGE(!found.error, found.error.message);
  CHECK(found.words[0] == 7);
  CHECK(found.words[1] == 9);
  CHECK(found.words[2] == 0x0605);
  const Found behind = run("sm_80", "behind");
  CHECK(behind.error.code == ErrorCode::illegal_address);
}
