// SPDX-License-Identifier: MIT
// tcgen05 used wrongly: one line that says what, with the numbers. Every piece of PTX is one
// warp's.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

const std::string kAlloc =
    "mov.u32 %r3, tile; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 64; "
    "ld.shared.b32 %r2, [%r3]; setp.eq.u32 %p0, %r0, 0; setp.ne.u32 %p1, %r0, %r0; ";
const std::string kFree = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64; ";
// No swizzle, strides of 128 and 256 bytes, from 1024 on.
const std::string kDescriptors =
    "mov.b64 %rd3, 0x0000401000080040; mov.b64 %rd4, 0x0000401000080040; ";

std::string error(const std::string& body, const std::string& target = "sm_100a") {
  const Run run = run_body(body, target);
  return run.load_error ? run.load_error.message : run.report.error.message;
}

std::string product(const std::string& instruction, const std::string& kind = "f16") {
  return error(kAlloc + kDescriptors + "@%p0 tcgen05.mma.cta_group::1.kind::" + kind +
               " [%r2], %rd3, %rd4, " + instruction + ", %p1; " + kFree);
}

}  // namespace

TEST_CASE("columns of tensor memory") {
  CHECK(error(kAlloc + kFree) == "");
  const auto alloc = [](const std::string& count) {
    return error(
        "mov.u32 %r3, tile; "
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], " +
        count + ";");
  };
  CHECK(contains(alloc("48"), "48 columns of tensor memory, kernel snippet"));
  CHECK(contains(alloc("16"), "32, 64, 128, 256 or 512"));
  CHECK(contains(alloc("1024"), "1024 columns"));
  CHECK(contains(error(kAlloc + "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;"),
                 "tcgen05.dealloc of 32 columns at 0x0, which nobody has allocated so"));
  CHECK(contains(
      error(kAlloc + "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; " + kAlloc),
      "tcgen05.alloc after tcgen05.relinquish_alloc_permit"));
  CHECK(contains(error(kAlloc + "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], "
                                "512;"),
                 "warp 0 waits for columns of tensor memory (PTX line "));
  CHECK(contains(error("mov.u32 %r3, tile; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 "
                       "[%r3], %r0;"),
                 "the lanes of the warp give 0x0 and 0x1 as number of columns"));
}

TEST_CASE("what is not given back is said, once a kernel") {
  const Run run = run_body(kAlloc, "sm_100a");
  CHECK(!run.report.error);
  CHECK(contains(run.report.warning,
                 "64 columns of tensor memory were not given back before the CTA ended"));
}

TEST_CASE("a warp reaches its own lanes and allocated columns alone") {
  const auto load = [](const std::string& offset) {
    return error(kAlloc + "add.u32 %r4, %r2, " + offset +
                 "; tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r20, %r21}, [%r4]; "
                 "tcgen05.wait::ld.sync.aligned; " +
                 kFree);
  };
  CHECK(load("62") == "");
  CHECK(contains(load("63"), "columns 63 to 64 of tensor memory are not allocated"));
  CHECK(contains(load("0x200000"),
                 "lanes 32 to 63 of tensor memory, warp 0 of its warpgroup reaches lanes 0 to 31"));
  CHECK(contains(load("0x10000"), "lanes 1 to 32 of tensor memory"));
  CHECK(contains(error(kAlloc + "add.u32 %r4, %r2, %r0; tcgen05.st.sync.aligned.32x32b.x1.b32 "
                                "[%r4], {%r20};"),
                 "as address of tensor memory"));
}

TEST_CASE("instruction descriptors") {
  CHECK(product("0x04040010") == "");  // M 64, N 16
  CHECK(contains(product("0x04040050"),
                 "the instruction descriptor 0x4040050 of .kind::f16 is not "
                 "valid: its bits 6 to 6 are 0x1: reserved: must be 0"));
  CHECK(contains(product("0x08020010"), "N is 8: with M 128 a multiple of 16 from 16 to 256"));
  CHECK(contains(product("0x10040010"), "M is 256: .cta_group::1 has 64 and 128"));
  CHECK(contains(product("0x04040014"), "its bit 2 says sparse"));
  CHECK(contains(product("0x04040110"), "no type of this kind"));
  CHECK(contains(product("0x040a0020", "i8"), "N is 40: .kind::i8 has 8, 16, 24, 32"));
  CHECK(contains(product("0x44040010"), "its bits 30 and 31 are for .ws alone"));
  CHECK(contains(product("0x04040080"), "there is no product of bf16 and f16 into f16"));
}

TEST_CASE("matrix descriptors") {
  const auto with = [](const std::string& a) {
    return error(kAlloc + "mov.b64 %rd3, " + a +
                 "; mov.b64 %rd4, 0x0000401000080040; @%p0 "
                 "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd3, %rd4, 0x04040010, %p1; " +
                 kFree);
  };
  CHECK(contains(with("0x0000001000080040"), "the matrix descriptor of A is not valid: version 0"));
  CHECK(contains(with("0x6000401000080040"), "mode 3"));
  CHECK(contains(with("0x000040100008c040"), "a reserved bit is set"));
  CHECK(contains(with("0x2000401000080040"), "atoms of 32 bytes are for MN-major matrices"));
  CHECK(contains(with("0x0000401000083fff"), "the matrix descriptor leads to shared address 0x"));
}

TEST_CASE("zero-column mask descriptors") {
  const auto with = [](const std::string& mask) {
    return error(kAlloc + kDescriptors + "mov.b64 %rd5, " + mask +
                 "; @%p0 tcgen05.mma.ws.cta_group::1.kind::f16 [%r2], %rd3, %rd4, 0x02100010, %p1, "
                 "%rd5; " +
                 kFree);
  };
  CHECK(with("0") == "");
  CHECK(with("0x0003028f01020100") == "");
  CHECK(contains(with("0x1000000000000000"), "leads to shared address 0xc00"));  // column 64 of 64
  CHECK(
      contains(with("0x1100000000000000"),
               "the zero-column mask descriptor 0x1100000000000000 is not valid: its shift is 17: "
               "with M 32 at most 16"));
  CHECK(contains(with("0x0000004000000000"), "bits 0x4000000000 must be 0"));
}

TEST_CASE("where D and A may be") {
  const auto at = [](const std::string& d) {
    return error(kAlloc + kDescriptors + "add.u32 %r4, %r2, " + d +
                 "; @%p0 tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd3, %rd4, 0x04040010, %p1; " +
                 kFree);
  };
  CHECK(at("48") == "");
  CHECK(contains(at("49"), "D takes columns 49 to 64 of tensor memory, which are not allocated"));
  CHECK(at("0x100000") == "");
  CHECK(contains(at("0x80000"), "D begins at lane 8"));
  CHECK(contains(at("0x200000"), "D takes lanes 32 to 143 of tensor memory"));
}

// Every one is PTX that ptxas takes, so that the line is about this emulator.
TEST_CASE("what is not modelled is named, and is something that ptxas takes") {
  struct Refused {
    const char *statement, *words, *target = "sm_100a";
  };
  const std::string begin = "mov.u32 %r2, 0; mov.u64 %rd3, 0; setp.eq.u32 %p0, %r0, 0; tcgen05.";
  for (const Refused& one : {
           Refused{"shift.cta_group::1.down [%r2];", "tcgen05.shift is not modelled"},
           {"mma.cta_group::1.kind::f16.ashift [%r2], [%r2], %rd3, %r2, %p0;",
            "tcgen05.mma with .ashift is not modelled"},
           {"mma.sp.cta_group::1.kind::f16.ashift [%r2], [%r2], %rd3, [%r2], %r2, %p0;",
            "tcgen05.mma with .ashift is not modelled"},
       }) {
    CAPTURE(std::string(one.statement));
    const std::string said = error(begin + one.statement, one.target);
    CAPTURE(said);
    CHECK(contains(said, one.words));
    CHECK(said.find('\n') == std::string::npos);
    if (has_ptxas())
      CHECK(refusal_of_ptxas(module_of(begin + one.statement, one.target), one.target) == "");
  }
}

TEST_CASE("a K of 96 is refused by its bit, whoever's card it is") {
  const std::string mxf4 =
      kAlloc + kDescriptors +
      "@%p0 tcgen05.mma.cta_group::1.kind::mxf4.block_scale [%r2], %rd3, %rd4, 0x88840480, [%r2], "
      "[%r2], %p1; " +
      kFree;
  for (const char* target : {"sm_100a", "sm_103a"})
    CHECK(contains(error(mxf4, target), "its bit 31 asks for a K of 96, which is not modelled"));
  if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(mxf4, "sm_103a"), "sm_103a") == "");
}

TEST_CASE("who has no tensor memory, or no integers in it") {
  const auto refused = [](const std::string& statement, const std::string& target) {
    return error("mov.u32 %r2, 0; mov.u64 %rd3, 0; setp.eq.u32 %p0, %r0, 0; " + statement, target);
  };
  CHECK(contains(
      refused("tcgen05.mma.ws.cta_group::2.kind::f16 [%r2], %rd3, %rd3, %r2, %p0;", "sm_100a"),
      "tcgen05.mma.ws is .cta_group::1's"));
  CHECK(contains(refused("tcgen05.wait::ld.sync.aligned;", "sm_100"), "this needs sm_100a"));
  CHECK(contains(refused("tcgen05.wait::ld.sync.aligned;", "sm_90a"), "this needs sm_100a"));
  CHECK(contains(refused("tcgen05.wait::ld.sync.aligned;", "sm_120a"),
                 "this needs sm_100a, sm_103a or sm_110a"));
  const std::string i8 = "tcgen05.mma.cta_group::1.kind::i8 [%r2], %rd3, %rd3, %r2, %p0;";
  CHECK(contains(refused(i8, "sm_103a"), "this needs sm_100a or sm_110a"));
  if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(i8, "sm_103a"), "sm_103a") != "");
}

}  // namespace lanescope::emulator::test
