// SPDX-License-Identifier: MIT
// malloc of kernels: how much there is, and until when that can be changed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "emulator/device_heap.hpp"
#include "emulator/machine.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

constexpr const char* kModule = R"(
.version 8.3
.target sm_80
.address_size 64
.extern .func (.param .b64 made) malloc (.param .b64 bytes);

.visible .entry asks(.param .u64 out, .param .u64 wanted)
{
	.reg .b64 %rd<3>;
	ld.param.u64 %rd0, [out];
	ld.param.u64 %rd1, [wanted];
	{
	.param .b64 bytes;
	.param .b64 made;
	st.param.b64 [bytes], %rd1;
	call.uni (made), malloc, (bytes);
	ld.param.b64 %rd2, [made];
	}
	st.global.u64 [%rd0], %rd2;
	ret;
}

.extern .func (.param .b64 made) __cuda_syscall_aligned_malloc (.param .b64 bytes, .param .b64 to);
.visible .entry asks_aligned(.param .u64 out, .param .u64 wanted)
{
	.reg .b64 %rd<3>;
	ld.param.u64 %rd0, [out];
	ld.param.u64 %rd1, [wanted];
	{
	.param .b64 bytes;
	.param .b64 to;
	.param .b64 made;
	st.param.b64 [bytes], 24;
	st.param.b64 [to], %rd1;
	call.uni (made), __cuda_syscall_aligned_malloc, (bytes, to);
	ld.param.b64 %rd2, [made];
	}
	st.global.u64 [%rd0], %rd2;
	ret;
}

.visible .entry idle(.param .u64 out, .param .u64 wanted)
{
	ret;
}
)";

struct Card {
  Machine machine{{.arch = "sm_80"}};
  ModuleId module = 0;
  std::uint64_t out = 0;

  Card() {
    const auto loaded = machine.load(kModule, "heap.ptx");
    REQUIRE_MESSAGE(loaded.ok(), loaded.error.message);
    module = loaded.value;
    out = machine.allocate(8).value;
  }
  /// What the kernel got, or 0.
  std::uint64_t launch(const char* kernel, std::uint64_t wanted, std::uint64_t heap_bytes = 0) {
    std::byte parameters[16];
    std::memcpy(parameters, &out, 8);
    std::memcpy(parameters + 8, &wanted, 8);
    std::memset(reinterpret_cast<void*>(out), 0, 8);
    LaunchRequest request;
    request.kernel = machine.find_kernel(module, kernel);
    request.parameters = parameters;
    request.heap_bytes = heap_bytes;
    const LaunchReport report = machine.launch(request);
    CHECK_MESSAGE(!report.error, report.error.message);
    std::uint64_t made = 0;
    std::memcpy(&made, reinterpret_cast<const void*>(out), 8);
    return made;
  }
};

}  // namespace

TEST_CASE("kernels have 8 MiB for their malloc, or what the first launch says") {
  CHECK(Card{}.launch("asks", 7 * kMiB) != 0);
  CHECK(Card{}.launch("asks", 9 * kMiB) == 0);
  CHECK(Card{}.launch("asks", 9 * kMiB, 64 * kMiB) != 0);
  Card card;
  card.launch("asks", 1, 16 * kMiB);
  CHECK(card.launch("asks", 20 * kMiB, 64 * kMiB) == 0);
}

TEST_CASE("another size counts until a kernel has called malloc") {
  Card card;
  card.launch("idle", 0);
  CHECK(card.machine.forget_heaps());
  CHECK(card.launch("asks", 20 * kMiB, 64 * kMiB) != 0);
  CHECK_FALSE(card.machine.forget_heaps());
  CHECK(card.launch("asks", 20 * kMiB) != 0);  // what is left of 64
}

TEST_CASE("new of what is aligned beyond 16 bytes lies so") {
  Card card;
  for (const std::uint64_t alignment : {256, 4096, 8, 64}) {
    const std::uint64_t made = card.launch("asks_aligned", alignment);
    CHECK(made != 0);
    CHECK(made % std::max<std::uint64_t>(alignment, 16) == 0);
  }
  for (const std::uint64_t alignment :
       {std::uint64_t{0}, std::uint64_t{48}, std::uint64_t{1} << 50})
    CHECK(card.launch("asks_aligned", alignment) == 0);
}

TEST_CASE("what lies in front of an aligned piece is given away, too, and all of it comes back") {
  DeviceHeap heap(16 * 1001, 4096);
  const std::uint64_t aligned = heap.allocate(100, 1024);
  CHECK(aligned == 16 * 1024);
  CHECK(heap.allocate(16 * 23) == 16 * 1001);
  CHECK(heap.allocate(4096) == 0);
  CHECK(heap.free(aligned));
  CHECK(heap.free(16 * 1001));
  CHECK(heap.allocate(4096) == 16 * 1001);
}

TEST_CASE("what malloc takes from goes with its module") {
  Card card;
  const std::uint64_t before = card.machine.allocated_bytes();
  card.launch("asks", 1);
  CHECK(card.machine.allocated_bytes() == before + 8 * kMiB);
  CHECK(!card.machine.unload(card.module));
  CHECK(card.machine.allocated_bytes() == before);
}

}  // namespace lanescope::emulator
