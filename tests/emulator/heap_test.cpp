// SPDX-License-Identifier: MIT
// malloc of kernels: how much there is, and until when that can be changed.
#include <doctest/doctest.h>

#include <cstring>

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
  /// Whether the kernel got its bytes.
  bool launch(const char* kernel, std::uint64_t wanted, std::uint64_t heap_bytes = 0) {
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
    return made != 0;
  }
};

}  // namespace

TEST_CASE("kernels have 8 MiB for their malloc, or what the first launch says") {
  CHECK(Card{}.launch("asks", 7 * kMiB));
  CHECK_FALSE(Card{}.launch("asks", 9 * kMiB));
  CHECK(Card{}.launch("asks", 9 * kMiB, 64 * kMiB));
  Card card;
  card.launch("asks", 1, 16 * kMiB);
  CHECK_FALSE(card.launch("asks", 20 * kMiB, 64 * kMiB));
}

TEST_CASE("another size counts until a kernel has called malloc") {
  Card card;
  card.launch("idle", 0);
  CHECK(card.machine.forget_heaps());
  CHECK(card.launch("asks", 20 * kMiB, 64 * kMiB));
  CHECK_FALSE(card.machine.forget_heaps());
  CHECK(card.launch("asks", 20 * kMiB));  // what is left of 64
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
