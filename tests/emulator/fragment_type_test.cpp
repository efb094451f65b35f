// SPDX-License-Identifier: MIT
// Of which type the registers of a fragment may be (decode_types.cpp): of every kind in turn, and
// ptxas is asked whether they go.
#include <doctest/doctest.h>

#include "tests/emulator/unlike_ptxas.hpp"

namespace lanescope::emulator {
namespace {

constexpr const char* kFragments = R"(
mma.sync.aligned.m16n8k8.row.col.f32.<f16.f16|bf16.bf16>.f32 {%f, %f, %f, %f}, {<%r, %r|%f, %f|%u, %u|%s, %s|%hf2, %hf2|%f, %r|%u, %s|%hf2, %u|%r, 1>}, {%r}, {%f, %f, %f, %f}
mma.sync.aligned.m16n8k8.row.col.f32.<f16.f16|bf16.bf16>.f32 {%f, %f, %f, %f}, {%r, %r}, {<%r|%f|%u|%s|%hf2>}, {%f, %f, %f, %f}
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f, %f, %f, %f}, {%r, %r, %r, %r}, {<%r, %r|%f, %f|%u, %u|%s, %s|%hf2, %hf2>}, {%f, %f, %f, %f}
mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {<%r, %r, %r, %r|%f, %f, %f, %f|%u, %u, %u, %u|%u, %s, %u, %s>}, {<%r, %r|%f, %f>}, {%r}, {<%r, %r, %r, %r|%f, %f, %f, %f|%s, %s, %s, %s|0, 0, 0, 0>}
mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f, %f, %f, %f}, {<%r, %r, %r, %r|%f, %f, %f, %f|%u, %u, %u, %u>}, {%r, %r}, {%f, %f, %f, %f}
mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {<%r, %r, %r, %r|%u, %u, %u, %u|%hf2, %hf2, %hf2, %hf2|%f, %u, %f, %f|%f, %r, %f, %f>}, {%r, %r}, {%r}, {<%f, %f, %f, %f|%r, %r, %r, %r|%u, %u, %u, %u|%f, 0.0, %f, %f>}
mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {<%r, %r|%f, %f|%u, %u|%hf2, %hf2>}, {%r, %r}, {%r}, {<%r, %r|%f, %f|%hf2, %hf2>}
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {<%fd, %fd|%rd, %rd|%ud, %ud>}, {%ud}, {%rd}, {<%fd, %fd|%rd, %rd|%ud, %ud>}
mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f, %f, %f, %f}, {<%r, %r|%f, %f>}, {%r, %r}, {%f, %f, %f, %f}, <%r|%f|%u|1>, 0
ldmatrix.sync.aligned.m8n8.x2.shared.b16 {<%r, %r|%f, %f|%u, %u|%hf2, %hf2|%f, %u>}, [%r]
stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r], {<%r, %r|%f, %f|%u, %u|%f, %u|1, 2>}; movmatrix.sync.aligned.m8n8.trans.b16 <%r|%f|%u>, <%r|%f|%hf2|1>
mov.b128 <%q|{%rd, %rd}|{%r, %r, %r, %r}|{%f, %f, %f, %f}|{%rd, _}|{%r, _, _, %r}|{%fd, %fd}|{%u, %s, %u, %s}|{%r, %r, %r}>, %q
mov.b128 %q, <{%r, %r, %r, %r}|{%f, %f, %f, %f}|{%fd, %rd}|{1, 2}|{%r, 1, 2, 3}|%rd|{%r, %r, %rd}|{%u, %f, %u, %s}|{%rd, _}>
mov.b128 {%rd, %rd}, {%rd, %rd}
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {<%f, %f, %f, %f|%r, %r, %r, %r|%u, %u, %u, %u>}, <%rd|%ud|%fd|1>, <%rd|%fd>, 1, 1, 1, 0, 0
wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {<%f, %f|%r, %r|%u, %u|%hf2, %hf2>}, %rd, %rd, 1, 1, 1, 0, 0
wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {<%f, %f, %f, %f|%r, %r, %r, %r|%u, %s, %u, %u>}, <%rd|{%u, %u, %u, %u}|{%f, %f, %f, %f}>, %rd, 1
wgmma.mma_async.sync.aligned.m64n8k16.f32.<f16.f16|bf16.bf16> {%f, %f, %f, %f}, {<%r, %r, %r, %r|%f, %f, %f, %f|%u, %u, %u, %u|%hf2, %hf2, %hf2, %hf2>}, %rd, 1, 1, 1, 0
wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f, %f, %f, %f}, {<%r, %r, %r, %r|%f, %f, %f, %f|%u, %u, %u, %u|%hf2, %hf2, %hf2, %hf2>}, %rd, 1, 1, 1
)";

}  // namespace

TEST_CASE("registers of a fragment are of the types that ptxas takes") {
  if (!tests::has_ptxas()) {
    MESSAGE("no ptxas here: the registers of fragments are not compared with it");
    return;
  }
  CHECK(unlike_ptxas(asked_forms(kFragments), "sm_90a") == "");
}

TEST_CASE("a fragment in registers of another type is told what ptxas wants") {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f, %f, %f, %f}, {%f, %f}, {%r}, "
       "{%f, %f, %f, %f}",
       "A is of .f16 in registers of .f32; ptxas wants .b32: mma"},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%u, %u, %u, %u}, {%r, %r}, {%r}, "
       "{%f, %f, %f, %f}",
       "D is of .f32 in registers of .u32; ptxas wants .f32 or .b32: mma"},
      {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%f, %u}, [%r]",
       "the registers of a list are of .f32 and .u32; ptxas wants one type"}};
  for (const auto& [form, message] : wrong) {
    CAPTURE(form);
    Machine machine({.arch = "sm_90a"});
    const auto module = machine.load(asked_head("sm_90a") + asked_kernel(form, 0), "list.ptx");
    CHECK(module.error.code == ErrorCode::invalid_ptx);
    CHECK(module.error.message.find(message) != std::string::npos);
    CHECK(module.error.message.find("list.ptx:6:1") != std::string::npos);
  }
}

}  // namespace lanescope::emulator
