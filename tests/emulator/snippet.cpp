// SPDX-License-Identifier: MIT
#include "tests/emulator/snippet.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace lanescope::emulator::test {

std::vector<std::span<const Snippet>> all_snippets() {
  return {integer_snippets(), real_snippets(),    convert_snippets(), memory_snippets(),
          warp_snippets(),    control_snippets(), hopper_snippets(),  composite_snippets(),
          rare_snippets(),    video_snippets(),   tcgen05_snippets(), blackwell_snippets(),
          sm100_snippets()};
}

std::string module_of(std::string_view body, std::string_view target) {
  std::string text = ".version 9.0\n.target ";
  text += target;
  text += R"(
.address_size 64
.global .align 16 .b8 words[64];
.func (.param .b32 made) twice(.param .b32 given)
{
	.reg .b32 %r<2>;
	ld.param.b32 %r1, [given];
	add.u32 %r1, %r1, %r1;
	st.param.b32 [made], %r1;
	ret;
}
.func (.param .b32 made) thrice(.param .b32 given)
{
	.reg .b32 %r<2>;
	ld.param.b32 %r1, [given];
	mul.lo.u32 %r1, %r1, 3;
	st.param.b32 [made], %r1;
	ret;
}
.func (.param .b32 made) fetched(.param .b64 given)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.b64 %rd1, [given];
	ld.u32 %r1, [%rd1];
	st.param.b32 [made], %r1;
	ret;
}
.func (.param .b32 made) of_kernel(.param .b64 given)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.b64 %rd1, [given];
	ld.param::entry.b32 %r1, [%rd1];
	st.param.b32 [made], %r1;
	ret;
}
.func (.param .b32 made) picked(.param .b32 which, .param .align 8 .b8 given[24])
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	.local .align 8 .b8 own[8];
	ld.param.b32 %r0, [which];
	st.local.b32 [own], %r0;
	mov.b64 %rd0, given;
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	ld.local.b32 %r1, [%rd1];
	st.local.b32 [%rd1], 1000;
	mov.b64 %rd2, given+8;
	cvta.local.u64 %rd2, %rd2;
	ld.b32 %r2, [%rd2+4];
	add.u32 %r1, %r1, %r2;
	ld.local.b32 %r3, [own];
	add.u32 %r1, %r1, %r3;
	st.param.b32 [made], %r1;
	ret;
}
.func (.reg .b32 made) triangle(.reg .b32 given)
{
	.reg .pred %p<2>;
	setp.eq.u32 %p1, given, 0;
	mov.u32 made, given;
	@%p1 ret;
	sub.u32 given, given, 1;
	call (given), triangle, (given);
	add.u32 made, made, given;
}
.visible .func (.param .b32 made) doubled(.param .b32 given);
.alias doubled, twice;
.global .align 8 .u64 functions[3] = {twice, thrice, doubled};
.global .align 8 .u8 function_bytes[8] = {0xff(twice), 0xff00(twice), 0xff0000(twice),
    0xff000000(twice), 0xff00000000(twice), 0xff0000000000(twice), 0xff000000000000(twice),
    0xff00000000000000(twice)};
.visible .entry snippet(.param .u64 out, .param .u32 number)
{
	.reg .pred %p<10>;
	.reg .b16 %h<20>;
	.reg .b32 %r<60>;
	.reg .f32 %f<20>;
	.reg .b64 %rd<20>;
	.reg .f64 %fd<10>;
	.shared .align 16 .b8 tile[2048];
	.local .align 16 .b8 depot[64];
	mov.u32 %r0, %laneid;
	ld.param.u64 %rd0, [out];
	mad.wide.u32 %rd0, %r0, 64, %rd0;
)";
  text += body;
  text += "\n\tret;\n}\n";
  return text;
}

Run run_body(std::string_view body, std::string_view target, int threads,
             std::uint64_t instruction_limit, Host host) {
  Run run;
  Machine machine({.arch = std::string(target), .host = host});
  const auto module = machine.load(module_of(body, target), "snippet");
  run.load_error = module.error;
  if (!module.ok()) return run;
  const auto out = machine.allocate(32 * 64);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  const std::uint32_t number = 7;
  std::memcpy(parameters + 8, &number, 4);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.block = {threads, 1, 1};
  request.parameters = parameters;
  request.instruction_limit = instruction_limit;
  run.report = machine.launch(request);
  run.words.resize(32 * 16);
  std::memcpy(run.words.data(), reinterpret_cast<const void*>(out.value), 32 * 64);
  return run;
}

std::string refusal_of_ptxas(std::string_view text, std::string_view arch) {
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("lanescope_{}_{}.ptx", arch, getpid());
  std::ofstream(path) << text;
  const std::string command =
      fmt::format("ptxas -O0 -arch={} -o /dev/null '{}' 2>&1", arch, path.string());
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "ptxas was not started";
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = pclose(pipe);
  std::filesystem::remove(path);
  return status == 0 ? "" : output;
}

}  // namespace lanescope::emulator::test
