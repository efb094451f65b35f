// SPDX-License-Identifier: MIT
// Which mul and add become one fma (contract.hpp), against ptxas itself, one at a time: a product,
// something between, and a sum, in every way that the rule tells apart.
#include "emulator/ptxas/contract.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/emulator/contract_forms.hpp"

namespace lanescope::emulator::test {

// ptxas says which are; what is stored of the others keeps them from being left out.
TEST_CASE("what is several blocks of machine code stands between a product and its sum") {
  const std::string store32 = " st.global.b32 [%l1+8], %r2;",
                    store64 = " st.global.b64 [%l1+8], %l4;",
                    storef = " st.global.f32 [%l1+8], %f6;",
                    stored = " st.global.f64 [%l1+8], %d2;",
                    storeh = " st.global.b16 [%l1+8], %h2;";
  std::vector<std::string> between;
  // the product is written over: by one of numbers, which is no product any more, and by others
  for (const char* product :
       {"mul.f32 %f4, 0f3f800800, 0f3f800800;", "mov.f32 %f6, 0f3f800800; mul.f32 %f4, %f6, %f6;",
        "mov.f32 %f6, 0f3f800800; mul.f32 %f4, %f6, %f2;", "mul.f32 %f4, %f1, 0f3f800800;"})
    between.push_back(product);
  for (const char* operation : {"div", "rem"}) {
    for (const char* type : {"u32", "s32"})
      between.push_back(fmt::format("{}.{} %r2, %r1, 7;{}", operation, type, store32));
    for (const char* type : {"u64", "s64"})
      between.push_back(fmt::format("{}.{} %l4, %l3, %l2;{}", operation, type, store64));
    for (const char* type : {"u16", "s16"})
      between.push_back(fmt::format("{}.{} %h2, %h1, %h1;{}", operation, type, storeh));
    between.push_back(fmt::format("{}.s32 %r2, %r1, %r1;", operation));
  }
  for (const char* how : {"rn", "rz", "rn.ftz", "rp.ftz", "rm"}) {
    between.push_back(fmt::format("div.{}.f32 %f6, %f1, %f2;{}", how, storef));
    between.push_back(fmt::format("rcp.{}.f32 %f6, %f1;{}", how, storef));
    between.push_back(fmt::format("sqrt.{}.f32 %f6, %f1;{}", how, storef));
  }
  for (const char* how : {"full", "approx", "full.ftz"})
    between.push_back(fmt::format("div.{}.f32 %f6, %f1, %f2;{}", how, storef));
  for (const char* one :
       {"rcp.approx.f32", "sqrt.approx.f32", "ex2.approx.f32", "sin.approx.ftz.f32"})
    between.push_back(fmt::format("{} %f6, %f1;{}", one, storef));
  for (const char* one : {"rcp.rn.f64", "rcp.rz.f64", "sqrt.rn.f64", "sqrt.rp.f64",
                          "rsqrt.approx.f64", "rsqrt.approx.ftz.f64", "rcp.approx.ftz.f64"})
    between.push_back(fmt::format("{} %d2, %d1;{}", one, stored));
  between.push_back("div.rn.f64 %d2, %d1, %d1;" + stored);
  for (const char* one : {"bfind.u32", "bfind.shiftamt.s32"})
    between.push_back(fmt::format("{} %r2, %r1;{}", one, store32));
  for (const char* one : {"bfind.u64", "bfind.s64", "clz.b64", "popc.b64"})
    between.push_back(fmt::format("{} %r2, %l3;{}", one, store32));
  for (const char* one :
       {"div.rn.f32 %f6, %f1, %f2;", "membar.cta;", "membar.gl;", "fence.acq_rel.gpu;",
        "fence.sc.cta;", "fence.proxy.async;", "bar.sync 0;", "bar.warp.sync -1;",
        "nanosleep.u32 1;", "pmevent 3;", "griddepcontrol.launch_dependents;",
        "griddepcontrol.wait;", "cp.async.wait_all;", "vote.sync.ballot.b32 %r2, 1, -1;"})
    between.push_back(one);
  std::vector<Form> forms;
  for (const std::string& one : between) forms.push_back({one});
  const int blocks = compare_with_ptxas(forms, "contract_blocks");
  CHECK(blocks > 30);
  CHECK(blocks < static_cast<int>(between.size()) - 15);
}

// ptxas makes jumps of guards; what only computes it chooses from.
TEST_CASE("a guard stands between a product and its sum, but not one of what only computes") {
  const std::string guard =
                        "setp.lt.f32 %p1, %f1, %f3; mov.u32 %r2, 5; mov.f32 %f6, %f3; "
                        "setp.lt.f32 %p2, %f2, %f3; cvt.u32.u64 %r3, %l1; @%p1 ",
                    stored =
                        " selp.b32 %r4, %r2, 7, %p2; st.global.b32 [%l1+8], %r4; st.global.f32 "
                        "[%l1+12], %f6;";
  std::vector<Form> apart, fused;
  for (const char* one : {"ld.global.u32 %r2, [%l2];",
                          "ld.global.nc.f32 %f6, [%l2];",
                          "ld.u32 %r2, [%l2];",
                          "ld.volatile.global.u32 %r2, [%l2];",
                          "ld.param.b32 %r2, [out];",
                          "st.global.u32 [%l2], %r2;",
                          "st.f32 [%l2], %f6;",
                          "atom.global.add.u32 %r2, [%l2], 1;",
                          "red.global.add.u32 [%l2], 1;",
                          "prefetch.global.L2 [%l2];",
                          "cp.async.commit_group;",
                          "cp.async.wait_group 0;",
                          "fence.proxy.async;",
                          "nanosleep.u32 20;",
                          "bar.sync 0;",
                          "bar.warp.sync -1;",
                          "vote.sync.any.pred %p2, %p3, -1;",
                          "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;",
                          "redux.sync.add.u32 %r2, %r1, -1;",
                          "match.any.sync.b32 %r2, %r1, -1;",
                          "activemask.b32 %r2;",
                          "add.cc.u32 %r2, %r1, %r1;",
                          "griddepcontrol.wait;",
                          "exit;",
                          "trap;"})
    apart.push_back({"setp.gt.f32 %p3, %f1, %f3; " + guard + one + stored});
  for (const char* one : {"mov.u32 %r2, %r1;",
                          "vmin.s32.s32.s32 %r2, %r1, %r1;",
                          "vmax.u32.u32.u32.add %r2, %r1.b0, %r1, %r1;",
                          "vmin2.s32.s32.s32 %r2, %r1, %r1, %r1;",
                          "vmax4.u32.u32.u32 %r2, %r1, %r1, %r1;",
                          "vset2.s32.u32.lt %r2, %r1, %r1, %r1;",
                          "vset4.u32.u32.lt %r2, %r1, %r1, %r1;",
                          "vavrg2.s32.s32.s32 %r2, %r1, %r1, %r1;",
                          "vavrg4.u32.u32.u32 %r2, %r1, %r1, %r1;",
                          "vshl.u32.u32.u32.clamp %r2, %r1, %r1;",
                          "vshr.s32.s32.u32.wrap %r2, %r1, %r1;",
                          "mov.u32 %r2, %laneid;",
                          "mov.u32 %r2, %clock;",
                          "fma.rn.f32 %f6, %f1, %f2, %f3;",
                          "mul.f32 %f6, %f1, %f2;",
                          "add.f32 %f6, %f1, %f2;",
                          "min.f32 %f6, %f1, %f2;",
                          "ex2.approx.ftz.f32 %f6, %f1;",
                          "sin.approx.f32 %f6, %f1;",
                          "sqrt.approx.f32 %f6, %f1;",
                          "div.full.f32 %f6, %f1, %f2;",
                          "tanh.approx.f32 %f6, %f1;",
                          "cvt.rzi.s32.f32 %r2, %f1;",
                          "popc.b32 %r2, %r1;",
                          "lop3.b32 %r2, %r1, %r3, %r3, 0x96;",
                          "prmt.b32 %r2, %r1, %r3, 0x1234;",
                          "shf.l.wrap.b32 %r2, %r1, %r3, 3;",
                          "bfe.u32 %r2, %r1, 3, 4;",
                          "bfi.b32 %r2, %r1, %r3, 3, 4;",
                          "mul.lo.u32 %r2, %r1, %r3;",
                          "mad.lo.u32 %r2, %r1, %r3, %r3;",
                          "mul.hi.u32 %r2, %r1, %r3;",
                          "div.u32 %r2, %r1, 7;",
                          "setp.gt.f32 %p2, %f2, %f1;",
                          "selp.b32 %r2, %r1, %r3, %p2;",
                          "brev.b32 %r2, %r1;",
                          "bfind.u32 %r2, %r1;",
                          "clz.b32 %r2, %r1;",
                          "set.gt.u32.f32 %r2, %f1, %f3;",
                          "dp4a.s32.s32 %r2, %r1, %r3, %r3;",
                          "addc.u32 %r2, %r1, %r3;",
                          "cnot.b32 %r2, %r1;",
                          "vadd4.u32.u32.u32 %r2, %r1, %r3, %r3;",
                          "isspacep.global %p2, %l2;",
                          "copysign.f32 %f6, %f1, %f2;",
                          "testp.finite.f32 %p2, %f1;",
                          "sad.u32 %r2, %r1, %r3, %r3;",
                          "slct.u32.s32 %r2, %r1, %r3, %r3;",
                          "fns.b32 %r2, %r1, %r3, %r3;",
                          "bmsk.clamp.b32 %r2, %r1, %r3;",
                          "xor.b32 %r2, %r1, %r3;"})
    fused.push_back({guard + one + stored});
  CHECK(compare_with_ptxas(fused, "contract_guards") == 0);
  CHECK(compare_with_ptxas(apart, "contract_guards_of_more") == static_cast<int>(apart.size()));
}

TEST_CASE("a product by a number is made where its sums are, in whatever block") {
  const std::string by_number = "mul{0}.f32 %f4, %f1, 0f3f800800;",
                    branch =
                        "setp.gt.f32 %p1, %f1, %f3; @%p1 bra A; st.volatile.global.f32 "
                        "[%l1+8], %f1; A:",
                    loop =
                        "shr.u32 %r3, %r1, 28; mov.u32 %r2, 0; B: add.u32 %r2, %r2, 1; "
                        "st.volatile.global.b32 [%l1+8], %r2;",
                    again = "setp.lt.u32 %p2, %r2, %r3; @%p2 bra B;",
                    store = "st.global.f32 [%l1+12], %f4;";
  const std::vector<Form> fused{
      {branch, by_number},
      {branch, "mul{0}.f32 %f4, 0f3f800800, %f1;"},
      {branch, "mov.f32 %f6, 0f3f800800; mul{0}.f32 %f4, %f1, %f6;"},
      {"div.rn.f32 %f6, %f1, %f2; st.global.f32 [%l1+8], %f6;", by_number},
      {"membar.gl;", by_number},
      {loop + again, by_number},
      {"setp.lt.f32 %p1, %f1, %f3; mov.f32 %f5, %f1; @%p1 bra A;", by_number,
       "sub{0}.f32 %f5, %f4, %f3; A:"},
      {loop, by_number, "sub{0}.f32 %f5, %f4, %f3;" + again},
      {branch + " neg.f32 %f6, %f4;", by_number, "add{0}.f32 %f5, %f6, %f3; neg.f32 %f5, %f5;"},
      {"mov.f32 %f6, %f4; " + branch, by_number, "sub{0}.f32 %f5, %f6, %f3;"},
      {branch, by_number + " sub{0}.f32 %f6, %f4, %f2; st.global.f32 [%l1+8], %f6;"},
      {branch, by_number,
       "sub{0}.f32 %f6, %f4, %f2; st.global.f32 [%l1+8], %f6; sub{0}.f32 %f5, %f4, %f3;"},
      {loop + "ld.volatile.global.f32 %f7, [%l2];", "",
       "mul{0}.f32 %f4, %f7, 0f3f800800; setp.lt.f32 %p1, %f7, %f3; "
       "@%p1 bra A; st.volatile.global.b32 [%l1+8], %r3; A: sub{0}.f32 %f5, %f4, %f3;" +
           again}};
  const std::vector<Form> apart{
      {branch},
      {branch, "mul{0}.f32 %f4, %f1, %f1;"},
      {branch + store, by_number},
      {branch, by_number + store},
      {"membar.gl; " + store, by_number},
      {loop + "ld.volatile.global.f32 %f7, [%l2]; mul.f32 %f4, %f7, 0f3f800800;" + again, ""},
      {"setp.lt.f32 %p1, %f1, %f3; mov.f32 %f4, %f2; @%p1 bra A; mul.f32 %f4, %f1, 0f3f800800; A:",
       ""}};
  CHECK(compare_with_ptxas(fused, "contract_numbers") == 0);
  CHECK(compare_with_ptxas(apart, "contract_registers") == static_cast<int>(apart.size()));
}

TEST_CASE("a product is wanted behind its block only where it is read before it is written over") {
  const std::string difference = "sub{0}.f32 %f5, %f4, %f3; setp.gt.f32 %p1, %f1, %f3; ",
                    either = "@%p1 bra A; st.volatile.global.f32 [%l1+8], %f1; ",
                    later =
                        "setp.lt.f32 %p2, %f2, %f3; @%p2 bra B; st.volatile.global.f32 "
                        "[%l1+8], %f2; B: st.global.f32 [%l1+12], %f4;";
  const std::string product = "mul{0}.f32 %f4, %f1, %f2;";
  const std::vector<Form> fused{
      {"", product, difference + either + "A: mov.f32 %f4, %f1; " + later},
      {"", product, difference + either + "A: add.rn.f32 %f4, %f1, %f3; " + later}};
  const std::vector<Form> apart{
      {"", product, difference + either + "A: " + later},
      {"", product, difference + either + "mov.f32 %f4, %f1; A: " + later},
      {"", product, difference + either + "A: add.rn.f32 %f4, %f4, %f3; " + later}};
  CHECK(compare_with_ptxas(fused, "contract_overwritten") == 0);
  CHECK(compare_with_ptxas(apart, "contract_wanted") == static_cast<int>(apart.size()));
}

}  // namespace lanescope::emulator::test
