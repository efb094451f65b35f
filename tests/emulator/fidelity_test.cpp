// SPDX-License-Identifier: MIT
// What a launch has executed, by mnemonic, and how exact each of it is.
#include <doctest/doctest.h>

#include <string>

#include "emulator/decode/fidelity.hpp"
#include "tests/emulator/recorded.hpp"

namespace lanescope::emulator::test {

TEST_CASE("what no card has been asked is called specified") {
  CHECK(exactness("tcgen05.mma.cta_group::1.kind::f16").fidelity == Fidelity::specified);
  CHECK(exactness("tcgen05.wait::ld.sync.aligned").fidelity == Fidelity::specified);
  CHECK(exactness("tex.2d.v4.f32.f32").fidelity == Fidelity::exact);
  CHECK(exactness("tex.3d.v4.f32.f32").fidelity == Fidelity::approximate);
  for (const char* kind : {"f8f6f4", "mxf8f6f4.block_scale", "mxf4nvf4.block_scale.scale_vec::4X"})
    CHECK(exactness(std::string("mma.sync.aligned.m16n8k32.row.col.kind::") + kind + ".f32")
              .fidelity == Fidelity::specified);
  CHECK(exactness("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").fidelity == Fidelity::exact);
  for (const char* mnemonic :
       {"cvt.rs.bf16x2.f32", "redux.sync.min.f32", "stmatrix.sync.aligned.m16n8.x1.trans.b8",
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", "st.bulk.shared::cta",
        "add.f32.f16", "sub.rn.f32.bf16", "fma.rn.f32.bf16", "cvt.rn.satfinite.e2m1x2.f32",
        "cvt.rn.f16x2.e3m2x2", "cvt.rz.satfinite.ue8m0x2.f32",
        "ldmatrix.sync.aligned.m16n16.x1.b8"})
    CHECK(exactness(mnemonic).fidelity == Fidelity::specified);
  for (const char* mnemonic : {"add.f32", "fma.rn.f16", "cvt.rn.satfinite.e4m3x2.f32", "min.f32",
                               "cvt.f32.f16", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"})
    CHECK(exactness(mnemonic).fidelity == Fidelity::exact);
  CHECK(exactness("redux.sync.min.s32").fidelity == Fidelity::exact);
  CHECK(name(Fidelity::specified) == "specified");
}

TEST_CASE("what was executed is counted, by mnemonic, with how exact it is") {
  Setup setup{
      "mov.u32 %r1, 3;\nLOOP:\nadd.u32 %r1, %r1, -1;\nsetp.ne.u32 %p1, %r1, 0;\n"
      "@%p1 bra LOOP;\nmov.b32 %r2, 0f3F800000;\nsin.approx.f32 %r2, %r2;\n"
      "mov.u32 %r3, %clock;\n@!%p1 bra END;\nmov.u32 %r4, 5;\nEND:",
      ".reg .pred %p<4>;\n.reg .b32 %r<16>;", 64};
  setup.counts = true;
  const LaunchReport report = record(setup).report;
  const auto find = [&](std::string_view mnemonic) {
    for (const Executed& one : report.executed)
      if (one.instruction == mnemonic) return one;
    return Executed{};
  };
  CHECK(find("add.u32").warp_instructions == 2 * 3);
  CHECK(find("add.u32").fidelity == Fidelity::exact);
  CHECK(find("sin.approx.f32").warp_instructions == 2);
  CHECK(find("sin.approx.f32").fidelity == Fidelity::exact);
  CHECK(find("mov.u32 of a clock").fidelity == Fidelity::approximate);
  CHECK(find("mov.u32").warp_instructions == 2);  // the one in the branch that is not taken: never
}

TEST_CASE("min and max of three are told from those of two") {
  Setup setup{"min.f32 %f1, %f2, %f3;\nmin.f32 %f1, %f2, %f3, %f4;", ".reg .f32 %f<8>;"};
  setup.target = "sm_100a";
  setup.counts = true;
  int found = 0;
  for (const Executed& one : record(setup).report.executed) {
    if (one.instruction == "min.f32") CHECK(one.fidelity == Fidelity::exact);
    if (one.instruction == "min.f32 of three") CHECK(one.fidelity == Fidelity::specified);
    found += one.instruction.rfind("min.f32", 0) == 0 ? 1 : 0;
  }
  CHECK(found == 2);
}

TEST_CASE("a sum of its loop's last product may be rounded once on a card: that is said of it") {
  const auto fidelity = [](const std::string& body) {
    Setup setup{"mov.u32 %r1, 3;\nmov.f32 %f1, 0f3F800800;\nmov.f32 %f2, 0f3F800800;\nLOOP:\n" +
                    body + "add.u32 %r1, %r1, -1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra LOOP;\n",
                ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;", 64};
    setup.counts = true;
    for (const Executed& one : record(setup).report.executed)
      if (one.instruction.find(" of the last turn's product") != std::string::npos)
        return one.fidelity;
    return Fidelity::exact;
  };
  const std::string product = "mul.f32 %f2, %f3, %f1;\n";
  CHECK(fidelity("sub.f32 %f3, %f1, %f2;\n" + product) == Fidelity::approximate);
  CHECK(fidelity("sub.rn.f32 %f3, %f1, %f2;\n" + product) == Fidelity::exact);
  const std::string mma =
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f4, %f5, %f3, %f6}, {%r2, %r2, %r2, "
      "%r2}, {%r2, %r2}, {%f1, %f1, %f2, %f1};\n";
  CHECK(fidelity(mma + product) == Fidelity::approximate);
  CHECK(fidelity(product + mma) == Fidelity::exact);
  CHECK(fidelity("sub.f32 %f3, %f1, %f2;\nmul.rn.f32 %f2, %f3, %f1;\n") == Fidelity::exact);
  CHECK(fidelity("mov.f32 %f2, %f1;\nsub.f32 %f3, %f1, %f2;\n" + product) == Fidelity::exact);
  CHECK(fidelity("sub.f32 %f3, %f1, %f2;\n" + product + "mov.f32 %f2, %f1;\n") == Fidelity::exact);
}

}  // namespace lanescope::emulator::test
