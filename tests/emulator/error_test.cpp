// SPDX-License-Identifier: MIT
// Every kind of error: its code, and a line that says what, where and what to do.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct Expected {
  std::string body;
  ErrorCode code;
  std::vector<std::string_view> parts;
};

void check(const Expected& expected, int threads = 32) {
  const Run run = run_body(expected.body, "sm_80", threads);
  REQUIRE_MESSAGE(run.load_error.message.empty(), run.load_error.message);
  const std::string& message = run.report.error.message;
  CAPTURE(message);
  CHECK(run.report.error.code == expected.code);
  CHECK(contains(message, "kernel snippet"));
  CHECK(!contains(message, "\n"));
  for (const std::string_view part : expected.parts) CHECK_MESSAGE(contains(message, part), part);
}

void check_load(std::string_view text, ErrorCode code, std::vector<std::string_view> parts) {
  Machine machine({});
  const Result<ModuleId> result = machine.load(text, "program.ptx");
  CAPTURE(result.error.message);
  CHECK(result.error.code == code);
  for (const std::string_view part : parts)
    CHECK_MESSAGE(contains(result.error.message, part), part);
  CHECK(machine.allocated_bytes() == 0);
}

}  // namespace

TEST_CASE("an address outside of every allocation names the nearest one") {
  check({"ld.global.u32 %r1, [%rd0+2048];",
         ErrorCode::illegal_address,
         {"lane 0", "read of 4 bytes", "0 bytes after the end of the allocation of 2048 bytes",
          "PTX line", "`ld.global.u32 %r1, [%rd0+2048]`", "cudaMalloc"}});
  check({"mov.u64 %rd1, 0; setp.eq.u32 %p1, %r0, 7; @%p1 st.global.u32 [%rd1+8], %r0;",
         ErrorCode::illegal_address,
         {"lane 7", "write of 4 bytes", "null pointer"}});
  check({"ld.global.u64 %rd1, [%rd0+1984];", ErrorCode::illegal_address, {"lane 1"}});
}

TEST_CASE("far from every allocation it may be a host pointer, and freed memory is called so") {
  Machine machine({});
  const auto module = machine.load(R"(.version 8.3
.target sm_80
.address_size 64
.visible .entry writes(.param .u64 to)
{
	.reg .b64 %rd<1>;
	ld.param.u64 %rd0, [to];
	st.global.u64 [%rd0], %rd0;
	ret;
}
)",
                                   "writes.ptx");
  REQUIRE(module.ok());
  const auto write = [&](std::uint64_t address) {
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, "writes");
    std::byte parameters[8];
    std::memcpy(parameters, &address, 8);
    request.parameters = parameters;
    return machine.launch(request).error.message;
  };
  const auto first = machine.allocate(1 << 20), second = machine.allocate(1 << 20);
  CHECK(write(first.value) == "");
  int on_the_stack[4] = {};
  const std::string stack = write(reinterpret_cast<std::uint64_t>(on_the_stack));
  CHECK_MESSAGE(contains(stack, "is this a host pointer? else compare the index"), stack);
  CHECK(contains(write(second.value + (1 << 20) + 8), "8 bytes after the end"));
  REQUIRE(!machine.free(first.value));
  const std::string freed = write(first.value + 1024);
  CHECK_MESSAGE(contains(freed, "1024 bytes into the 1048576 bytes at"), freed);
  CHECK(contains(freed, "that have been freed, kernel writes"));
  CHECK(contains(freed, "free memory after the last kernel that uses it"));
  CHECK(contains(machine.free(first.value).message, "that have been freed"));
}

TEST_CASE("a call through a pointer that is none says so") {
  const std::string_view call =
      "{ .param .b32 given; .param .b32 made; st.param.b32 [given], 5; "
      "p: .callprototype (.param .b32 _) _ (.param .b32 _); call (made), %rd1, (given), p; }";
  check({"mov.u64 %rd1, 0; " + std::string(call),
         ErrorCode::illegal_address,
         {"call of 0x0", "null pointer", "lane 0"}});
  check({"mov.u64 %rd1, twice; setp.eq.u32 %p1, %r0, 3; @%p1 add.u64 %rd1, %rd1, 8; " +
             std::string(call),
         ErrorCode::illegal_address,
         {"which is no function", "lane 3"}});
  check({"mov.u64 %rd1, snippet; " + std::string(call),
         ErrorCode::illegal_address,
         {"which is no function"}});
  check({"mov.u64 %rd1, twice; p: .callprototype _ (); call %rd1, p;",
         ErrorCode::illegal_instruction,
         {"0 arguments of twice, which has 1"}});
}

TEST_CASE("what is not modelled keeps one kernel from running, not its module") {
  std::string text = module_of("st.global.u32 [%rd0], %r0;", "sm_90");
  text +=
      ".func lost() { .reg .b32 %r; multimem.red.relaxed.gpu.global.add.u32 [words], %r; ret; }\n"
      ".visible .entry bad() { .reg .b32 %r; istypep.texref %r, %r; ret; }\n"
      ".visible .entry caller() { call lost; ret; }\n";
  Machine machine({});
  const auto module = machine.load(text, "program.ptx");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto run = [&](std::string_view name) {
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, name);
    REQUIRE(request.kernel != nullptr);
    request.block = {32, 1, 1};
    std::byte parameters[16] = {};
    const std::uint64_t out = machine.allocate(2048).value;
    std::memcpy(parameters, &out, 8);
    request.parameters = parameters;
    return machine.launch(request).error;
  };
  CHECK(run("snippet").message == "");
  const Error bad = run("bad");
  CHECK(bad.code == ErrorCode::unsupported_instruction);
  CHECK(contains(bad.message, "'istypep' is not modelled"));
  CHECK(contains(bad.message, "program.ptx:"));
  const Error caller = run("caller");
  CHECK(caller.code == ErrorCode::unsupported_instruction);
  CHECK(contains(caller.message, "'multimem' is not modelled"));
  CHECK(contains(caller.message, "kernel caller"));
}

TEST_CASE("brx.idx has only so many labels, the stack only so many bytes") {
  check({"list: .branchtargets A, B; add.u32 %r2, %r0, 1; brx.idx %r2, list; A: B: ret;",
         ErrorCode::illegal_instruction,
         {"brx.idx 2 in a list of 2 labels", "lane 1"}});
  check({"mov.u64 %rd1, 20000; alloca.u64 %rd2, %rd1;",
         ErrorCode::illegal_address,
         {"alloca of 20000 bytes where 16384 are left"}});
}

TEST_CASE("shared and local memory end somewhere") {
  check({"mov.u32 %r1, tile; ld.shared.u32 %r2, [%r1+2048];",
         ErrorCode::illegal_address,
         {"shared address 0xc00", "3072 bytes are there"}});
  check({"mov.u64 %rd1, depot; st.local.u32 [%rd1+64], %r0;",
         ErrorCode::illegal_address,
         {"local address 0x40"}});
  check({"mov.u32 %r1, -4; ld.shared.u32 %r2, [%r1];",
         ErrorCode::illegal_instruction,
         {"0xfffffffc"}});
}

TEST_CASE("addresses must be aligned to the access") {
  check({"ld.global.u32 %r1, [%rd0+2];", ErrorCode::misaligned_address, {"multiple of 4"}});
  check({"mov.u32 %r1, tile; ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r1+8];",
         ErrorCode::misaligned_address,
         {"16 bytes", "multiple of 16"}});
  check(
      {"mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 8, %r1;"
       "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];",
       ErrorCode::misaligned_address,
       {"lane 1", "ldmatrix"}});
  check({"mov.u32 %r1, tile; cp.async.cg.shared.global [%r1+8], [%rd0], 16;",
         ErrorCode::misaligned_address,
         {"shared address 0x408"}});
}

TEST_CASE("wmma wants what an H200 wants: 16 bytes in shared memory, a lane's own elsewhere") {
  const std::string registers = "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}";
  const auto load = [&](const std::string& what, const std::string& where, int stride) {
    return ".shared .align 128 .b8 tile[4096]; mov.u32 %r9, tile; mov.u64 %rd1, tile; "
           "cvta.shared.u64 %rd1, %rd1; wmma.load." +
           what + " " + registers + ", [" + where + "], " + std::to_string(stride) + ";";
  };
  const auto refuses = [&](const std::string& body, std::string_view part) {
    check({body, ErrorCode::misaligned_address, {part}});
  };
  const std::string a = "a.sync.aligned.row.m16n16k16";
  refuses(load(a + ".shared.f16", "%r9+8", 16), "is not a multiple of 16");
  refuses(load(a + ".shared.f16", "%r9", 20), "lines of 40 bytes");
  refuses(load("b.sync.aligned.row.m16n16k16.shared.f16", "%r9", 18), "lines of 36 bytes");
  refuses(load(a + ".f16", "%rd1+2", 16), "is not a multiple of 4");
  refuses(load("c.sync.aligned.row.m16n16k16.f32", "%rd1+4", 16), "is not a multiple of 8");
  for (const std::string& right :
       {load(a + ".shared.f16", "%r9+16", 24), load(a + ".f16", "%rd1+4", 20),
        load("c.sync.aligned.row.m16n16k16.f32", "%rd1+8", 18)}) {
    const Run run = run_body(right, "sm_80");
    CAPTURE(run.load_error.message);
    CHECK(run.report.error.message == "");
  }
}

TEST_CASE("a collective that some lanes never reach") {
  check({"setp.lt.u32 %p1, %r0, 16; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 1; B:",
         ErrorCode::illegal_instruction,
         {"lanes 0x", "never come", "PTX line"}});
  check(
      {"setp.lt.u32 %p1, %r0, 16; @%p1 bra A; shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; bra B; A: "
       "vote.sync.any.pred %p2, %p1, -1; B:",
       ErrorCode::illegal_instruction,
       {"never come", "all lanes of the mask"}});
  check({"shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffff;",
         ErrorCode::illegal_instruction,
         {"lane 16", "membermask 0x0000ffff"}});
}

TEST_CASE("a barrier that never completes says who waits") {
  check({"mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 3, 128; A: ret;",
         ErrorCode::launch_timeout,
         {"deadlock", "warp 1 waits at barrier 3", "32 of 128 threads have arrived"}},
        64);
  check({"mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 96; @%p1 bra A; bar.sync 1, 160; A: "
         "bar.sync 2, 160;",
         ErrorCode::launch_timeout,
         {"deadlock: warps 0 to 2 wait at barrier 2",
          "where 96 of 160 threads have arrived, warp 3", "warp 3 waits at barrier 1"}},
        128);
}

TEST_CASE("barriers are numbered and counted") {
  check({"mov.u32 %r1, 16; bar.sync %r1;", ErrorCode::illegal_instruction, {"no barrier 16"}});
  check({"mov.u32 %r1, 40; bar.sync 0, %r1;", ErrorCode::illegal_instruction, {"multiple of 32"}});
}

TEST_CASE("a loop without an end stops at the limit") {
  check(
      {"LOOP: bra LOOP;", ErrorCode::launch_timeout, {"instruction limit", "loop without an end"}});
}

TEST_CASE("trap and a failed assertion") {
  check({"setp.eq.u32 %p1, %r0, 3; @%p1 trap;", ErrorCode::assertion, {"lane 3", "trap"}});
}

TEST_CASE("an instruction that is not modelled is named with its line and column") {
  check_load(module_of("\n  suq.width.b32 %r1, [words];", "sm_90a"),
             ErrorCode::unsupported_instruction,
             {"'suq' is not modelled", "suq.width.b32", "program.ptx:", "docs/emulator.md"});
  check_load(module_of("add.frobnicate.u32 %r1, %r0, %r0;"), ErrorCode::unsupported_instruction,
             {".frobnicate"});
  check_load(module_of("mov.u32 %r1, %nosuch;"), ErrorCode::unsupported_instruction, {"%nosuch"});
}

TEST_CASE("PTX that is wrong is refused with its place") {
  check_load("hello", ErrorCode::invalid_ptx, {"hello", ":1:1"});
  check_load("", ErrorCode::invalid_ptx, {".version"});
  check_load(module_of("add.u32 %r1, %r0"), ErrorCode::invalid_ptx, {"should be ','"});
  check_load(module_of("add.u32 %rd1, %r0, %r0;"), ErrorCode::invalid_ptx,
             {"%rd1 has 64 bits where .u32 needs 32"});
  // As ptxas refuses them, and takes the others.
  for (const char* body :
       {"st.global.f32 [%rd0], %fd1;", "st.global.u32 [%rd0], %f1;", "ld.global.f32 %fd1, [%rd0];",
        "ld.global.u64 %fd1, [%rd0];", "st.global.v2.f32 [%rd0], {%fd1, %fd2};",
        "add.u32 %r1, %f1, %r2;", "neg.s32 %f1, %f1;", "add.f16x2 %f1, %f2, %f3;",
        "cvt.rn.f32.u32 %f1, %f2;", "cvt.rna.tf32.f32 %f1, %f2;"})
    check_load(module_of(body), ErrorCode::invalid_ptx,
               {"is a register of .f", "where .", "; ptxas wants ."});
  check_load(module_of("st.global.f32 [%rd0], %fd1;"), ErrorCode::invalid_ptx,
             {"%fd1 is a register of .f64 where .f32 is used; ptxas wants .f32 or .b64"});
  for (const char* body :
       {"st.global.b32 [%rd0], %fd1;", "st.global.f32 [%rd0], %rd1;", "ld.global.b32 %fd1, [%rd0];",
        "ld.global.f32 %rd1, [%rd0];", "st.global.b8 [%rd0], %f1;", "and.b32 %f1, %f1, %r2;",
        "add.f32 %f1, %r1, %r2;", "cvt.rna.tf32.f32 %r1, %f2;"})
    CHECK(Machine({.arch = "sm_90a"}).load(module_of(body), "taken").ok());
  check_load(module_of("add.u32 %q, %r0, %r0;"), ErrorCode::invalid_ptx,
             {"the register %q is not declared"});
  check_load(module_of("bra NOWHERE;"), ErrorCode::invalid_ptx, {"the label NOWHERE"});
  check_load(module_of("add.u32 %r1, %r0;"), ErrorCode::invalid_ptx, {"2 operands where 3"});
  check_load(module_of("{"), ErrorCode::invalid_ptx, {"closing brace is missing"});
}

TEST_CASE("PTX runs on its own and on newer architectures") {
  const auto load = [](std::string_view target, std::string_view arch) {
    Machine machine({.arch = std::string(arch)});
    return machine.load(module_of("", target), "program").error;
  };
  CHECK(load("sm_80", "sm_80").code == ErrorCode::none);
  CHECK(load("sm_80", "sm_90a").code == ErrorCode::none);
  CHECK(load("sm_90", "sm_90a").code == ErrorCode::none);
  CHECK(load("sm_90a", "sm_90a").code == ErrorCode::none);
  CHECK(load("sm_90a", "sm_90").code == ErrorCode::no_kernel_image);
  CHECK(load("sm_90", "sm_80").code == ErrorCode::no_kernel_image);
  CHECK(load("sm_100a", "sm_90a").code == ErrorCode::no_kernel_image);
  CHECK(contains(load("sm_90", "sm_80").message, "-arch=sm_80"));
}

TEST_CASE("positions, lengths and results that ptxas does not take") {
  for (const char* body :
       {"bfe.u32 %r1, %r0, 256, 3", "bfe.u32 %r1, %r0, 3, -1", "bfe.s64 %rd1, %rd0, 3, 256",
        "bfi.b32 %r1, %r0, %r0, 0x100, 3", "bfi.b64 %rd1, %rd0, %rd0, 3, 300"})
    check_load(module_of(std::string(body) + ";"), ErrorCode::invalid_ptx,
               {"a bit field's position and length are 0 to 255, not ", body});
  for (const char* body : {"bfe.u32 %r1, %r0, 255, 255;", "bfi.b64 %rd1, %rd0, %rd0, 0, 255;",
                           "bmsk.clamp.b32 %r1, 300, 3;", "shl.b32 %r1, %r0, 300;"})
    CHECK(Machine({.arch = "sm_80"}).load(module_of(body), "taken").ok());
  check_load(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".func (.param .b32 a, .param .b32 b) f() { ret; }",
      ErrorCode::invalid_ptx, {"several results of a function must be registers", ":4:"});
}

TEST_CASE("an instruction the target does not have, whatever the card has") {
  Machine machine({.arch = "sm_90a"});
  const auto body =
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1,%f2,%f3,%f4}, {%r1,%r1,%r1,%r1}, "
      "{%r1,%r1}, {%f1,%f2,%f3,%f4};";
  const auto result = machine.load(module_of(body), "program");
  CHECK(result.error.code == ErrorCode::invalid_ptx);
  CHECK(contains(result.error.message, "this needs sm_89, the PTX is for sm_80: mma.sync"));
}

TEST_CASE("an instruction the architecture has, of which nobody knows how it sums") {
  Machine machine({.arch = "sm_120"});
  const auto body =
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r1,%r1,%r1}, "
      "{%r1,%r1}, {%f1,%f2,%f3,%f4};";
  const auto result = machine.load(module_of(body), "program");
  CHECK(result.error.code == ErrorCode::unsupported_instruction);
  CHECK(contains(result.error.message, "how sm_120 sums is not known"));
  CHECK(contains(result.error.message, "--arch sm_90a"));
}

TEST_CASE("a kernel that launches kernels") {
  Machine machine({.arch = "sm_90a"});
  const auto module = machine.load(R"(.version 8.0
.target sm_90a
.address_size 64
.extern .func (.param .b64 got) __cudaCDP2GetParameterBufferV2 (.param .b64 child);
.visible .entry parent()
{
  .param .b64 child;
  .param .b64 got;
  call.uni (got), __cudaCDP2GetParameterBufferV2, (child);
  ret;
}
)",
                                   "program");
  CHECK(module.error.code == ErrorCode::unsupported_instruction);
  CHECK(contains(module.error.message, "dynamic parallelism"));
}

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
  CHECK(made.value % 256 == 0);
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
