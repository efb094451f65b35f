// SPDX-License-Identifier: MIT
// Kernels that ask the runtime (device_runtime.hpp): what it is given, and where its answers go.
// What a launch is, the runtime knows: tests/programs/dynamic.cu.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/device_runtime.hpp"
#include "emulator/machine.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr const char* kProgram = R"(.version 8.0
.target sm_90a
.address_size 64
.extern .func (.param .b64 got) __cudaCDP2GetParameterBufferV2
  (.param .b64 child, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 got) __cudaCDP2DeviceGetAttribute
  (.param .b64 to, .param .b32 which, .param .b32 device);
.visible .entry child() { ret; }
.visible .entry parent(.param .u64 to)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<5>;
  .reg .pred %p;
  .local .align 8 .b8 place[8];
  .param .b64 kernel;
  .param .align 4 .b8 grid[12];
  .param .align 4 .b8 block[12];
  .param .b32 shared;
  .param .b64 buffer;
  .param .b64 where;
  .param .b32 which;
  .param .b32 device;
  .param .b32 error;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p, %r0, 5;
  @%p ret;
  ld.param.u64 %rd0, [to];
  mov.u64 %rd1, child;
  st.param.b64 [kernel], %rd1;
  st.param.b32 [grid], 2;
  st.param.b32 [grid+4], 3;
  st.param.b32 [grid+8], 4;
  st.param.b32 [block], 32;
  st.param.b32 [block+4], %r0;
  st.param.b32 [block+8], 1;
  st.param.b32 [shared], 256;
  call.uni (buffer), __cudaCDP2GetParameterBufferV2, (kernel, grid, block, shared);
  ld.param.b64 %rd2, [buffer];
  st.global.u64 [%rd0], %rd2;
  mov.u64 %rd3, place;
  cvta.local.u64 %rd3, %rd3;
  st.param.b64 [where], %rd3;
  st.param.b32 [which], 10;
  st.param.b32 [device], 0;
  call.uni (error), __cudaCDP2DeviceGetAttribute, (where, which, device);
  ld.param.b32 %r1, [error];
  ld.u32 %r2, [%rd3];
  st.global.u32 [%rd0+8], %r1;
  st.global.u32 [%rd0+12], %r2;
  ret;
}
)";

struct Heard {
  std::string function, kernel;
  std::array<std::uint64_t, 8> arguments{};
  std::uint64_t thread = 0;
};

DeviceAnswer hear(void* context, const DeviceCall& call) {
  static_cast<std::vector<Heard>*>(context)->push_back(
      {std::string(call.function), std::string(call.kernel), call.arguments, call.thread});
  if (call.function == "GetParameterBufferV2") return {0x123456789abc, 0, 0};
  return {7, 32, 4};
}

// The 16 bytes that `parent` writes in block 1: a buffer, an error, an attribute.
std::array<std::uint32_t, 4> run(const DeviceRuntime* device) {
  Machine machine({.arch = "sm_90a"});
  const auto module = machine.load(kProgram, "program");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const std::uint64_t to = machine.allocate(16).value;
  std::array<std::byte, 8> parameters{};
  std::memcpy(parameters.data(), &to, 8);
  const LaunchReport report = machine.launch({.kernel = machine.find_kernel(module.value, "parent"),
                                              .grid = {2, 1, 1},
                                              .block = {64, 1, 1},
                                              .parameters = parameters,
                                              .device = device});
  CHECK_MESSAGE(!report.error, report.error.message);
  std::array<std::uint32_t, 4> words{};
  std::memcpy(words.data(), reinterpret_cast<const void*>(to), 16);
  return words;
}

}  // namespace

TEST_CASE("a thread's call of the runtime, and its answer, in local memory too") {
  std::vector<Heard> heard;
  const DeviceRuntime device{&heard, &hear};
  CHECK(run(&device) == std::array<std::uint32_t, 4>{0x56789abc, 0x1234, 7, 32});
  REQUIRE(heard.size() == 4);  // two of each block
  CHECK(heard[2].function == "GetParameterBufferV2");
  CHECK(heard[2].kernel == "child");
  CHECK(heard[2].thread == 64 + 5);
  const std::vector<std::uint64_t> rest(heard[2].arguments.begin() + 1, heard[2].arguments.end());
  CHECK(rest == std::vector<std::uint64_t>{2, 3, 4, 32, 5, 1, 256});
  CHECK(heard[3].function == "DeviceGetAttribute");
  CHECK(heard[3].kernel == "");
  CHECK(heard[3].arguments[1] == 10);
}

TEST_CASE("where there is no runtime, a kernel's call is not supported") {
  const std::array<std::uint32_t, 4> words = run(nullptr);
  CHECK(words[2] == 801);
  CHECK(words[3] == 0xa5a5a5a5);
}

TEST_CASE("functions of the runtime are found with and without a stream of the thread's own") {
  CHECK(find_runtime_function("__cudaCDP2LaunchDeviceV2") >= 0);
  CHECK(find_runtime_function("__cudaCDP2LaunchDeviceV2_ptsz") ==
        find_runtime_function("__cudaCDP2LaunchDeviceV2"));
  CHECK(find_runtime_function("LaunchDeviceV2") == -1);
  CHECK(find_runtime_function("__cudaCDP2FuncGetAttributes") == -1);
}

}  // namespace lanescope::emulator::test
