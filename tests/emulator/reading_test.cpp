// SPDX-License-Identifier: MIT
// Modules whose kernels are read when somebody asks for one: the same results as read at once, and
// what is wrong with a kernel refuses it alone.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "emulator/module.hpp"
#include "emulator/ptx/kernels_in.hpp"
#include "tests/emulator/snippet.hpp"

using namespace lanescope::emulator;
using test::contains;

namespace {

constexpr const char* kModule = R"(
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 words[2] = {3, 4};
.shared .align 4 .u32 both;
.func (.param .u32 result) twice(.param .u32 x)
{
	.reg .b32 %r<2>;
	ld.param.u32 %r0, [x];
	shl.b32 %r0, %r0, 1;
	st.shared.u32 [both], %r0;
	st.param.u32 [result], %r0;
	ret;
}
.visible .entry only_declared(.param .u64 out);
.visible .entry first(.param .u64 out) // a { in a comment
.pragma "nounroll";
{
	.reg .b64 %rd<1>;
	ld.param.u64 %rd0, [out];
	st.global.u32 [%rd0], 11; /* } */
}
.visible .entry second(.param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<1>;
	.shared .align 4 .u32 own;
	ld.param.u64 %rd0, [out];
	ld.global.u32 %r0, [words+4];
	{
	.param .u32 argument;
	.param .u32 given;
	st.param.u32 [argument], %r0;
	call.uni (given), twice, (argument);
	ld.param.u32 %r1, [given];
	}
	st.shared.u32 [own], 100;
	ld.shared.u32 %r2, [both];
	add.u32 %r1, %r1, %r2;
	ld.shared.u32 %r2, [own];
	add.u32 %r1, %r1, %r2;
	st.global.u32 [%rd0], %r1;
}
.visible .entry names_first(.param .u64 out)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [out];
	mov.u64 %rd1, first_of_two;
	st.global.u32 [%rd0], 5;
}
.visible .entry first_of_two(.param .u64 out) { ret; }
.visible .entry lost(.param .u64 out) { multimem.red.relaxed.gpu.global.add.u32 [words], 1; }
)";

constexpr const char* kWrong =
    ".visible .entry wrong(.param .u64 out)\n{ .shared .u32 more;\n.local .u32 most; nothing\n  [; "
    "}\n";
constexpr const char* kUnlike = ".visible .entry unlike()\n{ .reg .f32 %f;\n\tmov.u32 %f, 1; }\n";

Error run(Machine& machine, ModuleId module, std::string_view name, std::uint32_t& result) {
  LaunchRequest request;
  request.kernel = machine.find_kernel(module, name);
  REQUIRE_MESSAGE(request.kernel != nullptr, name);
  const std::uint64_t out = machine.allocate(4).value;
  std::byte parameters[8];
  std::memcpy(parameters, &out, 8);
  request.parameters = parameters;
  const Error error = machine.launch(request).error;
  std::memcpy(&result, reinterpret_cast<const void*>(out), 4);
  return error;
}

}  // namespace

TEST_CASE("kernels that are read when asked for run as those that were read at once") {
  for (const Reading reading : {Reading::at_once, Reading::when_asked}) {
    for (const bool backwards : {false, true}) {
      Machine machine({});
      const auto module = machine.load(kModule, "program.ptx", {}, reading);
      REQUIRE_MESSAGE(module.ok(), module.error.message);
      CHECK(machine.kernel_names(module.value).size() == 5);
      const std::pair<const char*, std::uint32_t> all[] = {
          {"first", 11}, {"second", 8 + 8 + 100}, {"names_first", 5}};
      for (std::size_t k = 0; k < std::size(all); ++k) {
        const auto& [name, expected] = all[backwards ? std::size(all) - 1 - k : k];
        std::uint32_t result = 0;
        const Error error = run(machine, module.value, name, result);
        CHECK_MESSAGE(!error, error.message);
        CHECK(result == expected);
      }
      std::uint32_t result = 0;
      const Error error = run(machine, module.value, "lost", result);
      CHECK(error.code == ErrorCode::unsupported_instruction);
      CHECK(contains(error.message, "program.ptx:53:"));
      CHECK(machine.find_kernel(module.value, "second")->static_shared_bytes == 8);
      CHECK(machine.find_kernel(module.value, "twice") == nullptr);
    }
  }
}

TEST_CASE("what is wrong with a kernel that waits refuses it alone, with its place in the module") {
  for (const std::string wrong : {kWrong, kUnlike}) {
    Machine machine({});
    const std::string text = kModule + wrong;
    const Error at_once = machine.load(text, "program.ptx").error;
    CHECK(at_once.code == ErrorCode::invalid_ptx);
    const auto module = machine.load(text, "program.ptx", {}, Reading::when_asked);
    REQUIRE_MESSAGE(module.ok(), module.error.message);
    std::uint32_t result = 0;
    const char* const name = wrong == kWrong ? "wrong" : "unlike";
    for (int time = 0; time < 2; ++time) {
      const Error error = run(machine, module.value, name, result);
      CHECK(error.code == ErrorCode::invalid_ptx);
      CHECK(error.message == at_once.message);
    }
    CHECK(!run(machine, module.value, "second", result));
    CHECK(result == 116);
  }
}

// A launch runs the code that there was when it began: what it may launch itself is read before.
TEST_CASE("a kernel that another one names is read with it") {
  Memory memory;
  const Options options;
  LoadedModule loaded;
  REQUIRE(!load_module(kModule, "program", {}, Reading::when_asked, options, memory, loaded));
  const auto is_read = [&](std::string_view name) {
    const int f = loaded.program.find_function(name);
    return loaded.program.functions[static_cast<std::size_t>(f)].end != 0;
  };
  CHECK(is_read("twice"));
  CHECK(!is_read("second"));
  REQUIRE(kernel_of(loaded, "names_first", options, memory) != nullptr);
  CHECK(is_read("first_of_two"));
  CHECK(!is_read("second"));
  for (const std::uint64_t address : loaded.owned) memory.free(address);
}

TEST_CASE("kernels are found in a module's text by their braces") {
  const std::string_view text = kModule;
  const std::vector<KernelText> all = kernels_in(text);
  REQUIRE(all.size() == 6);
  CHECK(all[0].name == "only_declared");
  CHECK(all[0].body == all[0].end);
  CHECK(all[2].name == "second");
  CHECK(text.substr(all[2].body, 7) == "{\n\t.reg");
  CHECK(text.substr(all[2].end).starts_with("\n.visible .entry names_first"));
}
