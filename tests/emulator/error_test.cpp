// SPDX-License-Identifier: MIT
// What stops a kernel: each kind of fault with its code, and a line that says what, where and what
// to do. What keeps a module from loading is in ptx_error_test.cpp, a launch from beginning in
// launch_error_test.cpp.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

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

}  // namespace

TEST_CASE("an mma and an ldmatrix want all 32 lanes: with one missing a card does nothing") {
  const std::string load =
      "mov.u32 %r2, tile; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2]; ";
  check({"setp.eq.u32 %p1, %r0, 5; @%p1 exit; " + load,
         ErrorCode::illegal_instruction,
         {"lanes 0xffffffdf wait for lanes 0x00000020 that never come", "they have exited"}});
  check({"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r2,%r3}, {%r4}, "
         "{%f1,%f2,%f3,%f4};",
         ErrorCode::illegal_instruction,
         {"wait for lanes 0xfff00000 that never come"}},
        20);
}

TEST_CASE("an address outside of every allocation names the nearest one") {
  check({"ld.global.u32 %r1, [%rd0+2048];",
         ErrorCode::illegal_address,
         {"lane 0", "read of 4 bytes", "0 bytes after the end of the allocation of 2048 bytes",
          "PTX line", "`ld.global.u32 %r1, [%rd0+2048]`", "the size that was allocated"}});
  check({"mov.u64 %rd1, 0; setp.eq.u32 %p1, %r0, 7; @%p1 st.global.u32 [%rd1+8], %r0;",
         ErrorCode::illegal_address,
         {"lane 7", "write of 4 bytes", "null pointer"}});
  check({"ld.global.u64 %rd1, [%rd0+1984];", ErrorCode::illegal_address, {"lane 1"}});
}

TEST_CASE("an address of shared memory in an instruction without .shared is called so") {
  const std::string address = "mov.u32 %r2, tile; cvt.u64.u32 %rd1, %r2; ";
  check({address + "ldmatrix.sync.aligned.m8n8.x1.b16 {%r3}, [%rd1];",
         ErrorCode::illegal_address,
         {"lane 0", "global address 0x400", "the instruction needs .shared"}});
  check({address + "st.u32 [%rd1+16], %r2;",
         ErrorCode::illegal_address,
         {"lane 0", "global address 0x410", "the instruction needs .shared"}});
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
  CHECK_MESSAGE(contains(stack, "is this the host's memory (malloc, new, a variable)?"), stack);
  CHECK(contains(stack, "is out of bounds, far from every allocation, kernel writes"));
  CHECK(contains(write(second.value + (1 << 20) + 8), "8 bytes after the end"));
  // Small ones lie among what the host has from malloc: an index too far and a host's pointer are
  // told apart.
  const auto small = machine.allocate(64), next = machine.allocate(64);
  const std::unique_ptr<char[]> of_host(new char[64]);
  const std::string host = write(reinterpret_cast<std::uint64_t>(of_host.get()) & ~7ull);
  CHECK_MESSAGE(contains(host, "is this the host's memory"), host);
  for (const std::uint64_t begin : {small.value, next.value}) {
    const std::string index = write(begin + 4000);
    CHECK_MESSAGE(contains(index, "3936 bytes after the end of the allocation of 64 bytes"), index);
    CHECK_MESSAGE(contains(index, ", compare the index with the size"), index);
  }
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
    return ".shared .align 128 .b8 here[4096]; mov.u32 %r9, here; mov.u64 %rd1, here; "
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

}  // namespace lanescope::emulator::test
