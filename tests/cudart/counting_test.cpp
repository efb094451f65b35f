// SPDX-License-Identifier: MIT
// lanescopeCountBlock on a program whose counts are known: 32 lanes store a word, then load one 8
// bytes apart each (two meet at every bank), then one of 128 bytes apart (all meet).
#include <doctest/doctest.h>

#include "cudart/counting.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::FatBinaryBuilder;
using lanescope::tests::Fresh;
using lanescope::tests::Packing;
using lanescope::tests::Program;

namespace {

constexpr const char* kPtx = R"(.version 9.0
.target sm_80
.address_size 64

.visible .entry store(.param .u64 store_param_0, .param .u32 store_param_1)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<3>;
	.reg .pred %p<2>;
	.shared .align 16 .b8 memory[4096];
	ld.param.u64 %rd1, [store_param_0];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, memory;
	shl.b32 %r3, %r1, 2;
	add.s32 %r3, %r3, %r2;
	st.shared.u32 [%r3], %r1;
	mad.lo.s32 %r4, %r1, 8, %r2;
	ld.shared.u32 %r5, [%r4];
	mad.lo.s32 %r4, %r1, 128, %r2;
	setp.lt.u32 %p1, %r1, 16;
	@%p1 ld.shared.u32 %r5, [%r4];
	ld.global.u32 %r6, [%rd2];
	cp.async.ca.shared.global [%r2], [%rd2], 4;
	cp.async.commit_group;
	cp.async.wait_all;
	ret;
}

.visible .entry bounded() .maxntid 64, 1, 1
{
	ret;
}
)";

}  // namespace

TEST_CASE("what a block executes is counted, with the passes of its accesses, once asked for") {
  const Fresh fresh;
  Program program(FatBinaryBuilder().ptx(80, kPtx, Packing::zstd).build());
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  unsigned value = 0;
  void* arguments[] = {&memory, &value};
  const auto launch = [&](unsigned blocks, unsigned threads) {
    return cudaLaunchKernel(&program.store_stub, {blocks}, {threads}, arguments, 0, nullptr);
  };

  BlockCounts counts;
  REQUIRE(launch(1, 32) == cudaSuccess);
  CHECK(lanescopeCountBlock(0, &counts) == 0);  // nobody has asked yet
  CHECK(counts.instructions == 0);

  CHECK(lanescopeCountBlock(1, nullptr) == 1);
  REQUIRE(launch(1, 32) == cudaSuccess);
  CHECK(lanescopeCountBlock(0, &counts) == 1);
  CHECK(counts.instructions == 17);
  CHECK(counts.mma == 0);
  CHECK(counts.global_loads == 2);  // the copy; its group is none
  CHECK(counts.shared_accesses == 4);
  CHECK(counts.least_passes == 4);
  CHECK(counts.passes == 1 + 2 + 16 + 1);

  REQUIRE(launch(3, 64) == cudaSuccess);  // two warps, and the first block only
  CHECK(lanescopeCountBlock(0, &counts) == 1);
  CHECK(counts.instructions == 17 + 16);
  CHECK(counts.passes == 1 + 2 + 16 + 1 + 1 + 2 + 1);  // no lane of warp 1 takes the guarded load
  CHECK(counts.least_passes == 7);
  CHECK(cudaFree(memory) == cudaSuccess);
}
