// SPDX-License-Identifier: MIT
// What keeps a launch from beginning, and what memory refuses.
#include <doctest/doctest.h>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
TEST_CASE("launch configurations") {
  Machine machine({.arch = "sm_90a"});
  const auto module = machine.load(module_of(""), "program");
  REQUIRE(module.ok());
  std::byte parameters[16] = {};
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  REQUIRE(request.kernel != nullptr);
  CHECK(request.kernel->parameters.size() == 2);
  CHECK(request.kernel->static_shared_bytes == 2048);
  request.parameters = parameters;
  const auto code = [&] { return machine.launch(request).error.code; };
  CHECK(code() == ErrorCode::none);
  request.block = {1024, 2, 1};
  CHECK(code() == ErrorCode::invalid_configuration);
  request.block = {0, 1, 1};
  CHECK(code() == ErrorCode::invalid_configuration);
  request.block = {32, 1, 1};
  request.grid = {1, 70000, 1};
  CHECK(code() == ErrorCode::invalid_configuration);
  request.grid = {1, 1, 1};
  request.dynamic_shared_bytes = 227 * 1024;
  CHECK(code() == ErrorCode::invalid_configuration);
  request.dynamic_shared_bytes = 225 * 1024;
  CHECK(code() == ErrorCode::none);
  request.parameters = {};
  CHECK(code() == ErrorCode::invalid_value);
}

// CUDA C++ Programming Guide, "Technical specifications per compute capability".
TEST_CASE("a block has as much shared memory as its architecture") {
  const std::pair<const char*, int> kKiB[] = {{"sm_75", 64},   {"sm_80", 163},   {"sm_86", 99},
                                              {"sm_87", 163},  {"sm_89", 99},    {"sm_90", 227},
                                              {"sm_90a", 227}, {"sm_100a", 227}, {"sm_103a", 227},
                                              {"sm_120", 99},  {"sm_120a", 99},  {"sm_121", 99}};
  for (const auto& [arch, most] : kKiB) {
    CAPTURE(arch);
    Machine machine({.arch = arch});
    const auto module = machine.load(
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry idle() { ret; }\n", "idle");
    REQUIRE(module.ok());
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, "idle");
    REQUIRE(request.kernel != nullptr);
    request.dynamic_shared_bytes = most * 1024;
    CHECK(machine.launch(request).error.code == ErrorCode::none);
    request.dynamic_shared_bytes += 1;
    const Error error = machine.launch(request).error;
    CHECK(error.code == ErrorCode::invalid_configuration);
    CHECK(contains(error.message, std::string(arch) + " has " + std::to_string(most * 1024)));
  }
}

TEST_CASE("more static shared memory than ptxas takes") {
  // The address is used: ptxas, too, drops what nobody asks for.
  const std::string kernel = R"(.visible .entry big()
{
  .shared .align 4 .b8 tile[50000];
  st.shared.u32 [tile+49996], 1;
  ret;
}
)";
  const auto launched = [&](const std::string& arch, const std::string& target) {
    Machine machine({.arch = arch});
    const auto module = machine.load(
        ".version 8.0\n.target " + target + "\n.address_size 64\n" + kernel, "program");
    REQUIRE(module.ok());
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, "big");
    REQUIRE(request.kernel != nullptr);
    return machine.launch(request).error;
  };
  CHECK(launched("sm_90a", "sm_90a").code == ErrorCode::none);
  const auto error = launched("sm_80", "sm_80");
  CHECK(error.code == ErrorCode::invalid_configuration);
  CHECK(contains(error.message, "50000 bytes of static shared memory are too many"));
  CHECK(contains(error.message, "ptxas takes 49152 for sm_80"));
}

TEST_CASE("memory: allocate, free, adopt") {
  Machine machine({.memory_bytes = 1 << 20});
  const auto made = machine.allocate(1000);
  REQUIRE(made.ok());
  CHECK(made.value % 512 == 0);
  CHECK(*reinterpret_cast<unsigned char*>(made.value + 999) == 0xa5);
  CHECK(machine.allocated_bytes() == 1000);
  CHECK(machine.allocate(2 << 20).error.code == ErrorCode::out_of_memory);
  CHECK(machine.free(made.value + 1).code == ErrorCode::invalid_value);
  CHECK(!machine.free(made.value));
  CHECK(machine.free(made.value).code == ErrorCode::invalid_value);
  int host[4] = {};
  const auto address = reinterpret_cast<std::uint64_t>(host);
  CHECK(!machine.adopt(address, sizeof(host)));
  CHECK(machine.adopt(address + 4, 4).code == ErrorCode::invalid_value);
  CHECK(!machine.disown(address));
  CHECK(machine.disown(address).code == ErrorCode::invalid_value);
}

}  // namespace lanescope::emulator::test
