// SPDX-License-Identifier: MIT
// One hop back through a cvt that changes how many bits a number has.
#include "panels/way/conversions.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace lanescope::viz {
namespace {

// "%f1+0 of 32 (f32)"; "" where there is nothing.
std::string before(const std::string& ptx, int bit, int width) {
  trace::Step step;
  step.ptx = ptx;
  const auto found = before_conversion(step, {"%r1", 5, bit}, width);
  if (!found) return {};
  CHECK(found->from.lane == 5);
  return fmt::format("{}+{} of {} ({})", found->from.name, found->from.bit, found->width,
                     found->type);
}

}  // namespace

TEST_CASE("one number of another, two of two, two packed of two packed") {
  CHECK(before("cvt.rn.f16.f32 %rs1, %f1;", 0, 16) == "%f1+0 of 32 (f32)");
  CHECK(before("@%p1 cvt.rn.relu.bf16.f32 %rs1, %f1;", 0, 16) == "%f1+0 of 32 (f32)");
  CHECK(before("cvt.f32.f16 %f2, %rs1;", 0, 32) == "%rs1+0 of 16 (f16)");
  CHECK(before("cvt.rna.tf32.f32 %r1, %f1;", 0, 32) == "%f1+0 of 32 (f32)");
  CHECK(before("cvt.rn.f16.s8 %rs1, %rs2;", 0, 16) == "%rs2+0 of 8 (s8)");
  CHECK(before("cvt.rn.f16x2.f32 %r1, %f1, %f2;", 0, 16) == "%f2+0 of 32 (f32)");
  CHECK(before("cvt.rn.f16x2.f32 %r1, %f1, %f2;", 16, 16) == "%f1+0 of 32 (f32)");
  CHECK(before("cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;", 8, 8) == "%f1+0 of 32 (f32)");
  CHECK(before("cvt.rn.satfinite.e5m2x2.f16x2 %rs1, %r2;", 8, 8) == "%r2+16 of 16 (f16)");
  CHECK(before("cvt.rn.f16x2.e4m3x2 %r1, %rs2;", 0, 16) == "%rs2+0 of 8 (e4m3)");
  CHECK(before("cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r9;", 0, 8) == "");
}

TEST_CASE("what is no such cvt, or no number of it, has nothing before it") {
  CHECK(before("add.f32 %f1, %f2, %f3;", 0, 32) == "");
  CHECK(before("cvt.rn.f16.f32 %rs1, %f1;", 0, 8) == "");    // half of a number
  CHECK(before("cvt.rn.f16.f32 %rs1, %f1;", 16, 16) == "");  // behind it
  CHECK(before("cvt.rn.f16x2.f32 %r1, %f1, %f2;", 8, 16) == "");
  CHECK(before("cvt.rn.f16x2.f32 %r1, %f1, %f2;", 32, 16) == "");
  CHECK(before("cvt.rn.f16.f32 %rs1, 0f3F800000;", 0, 16) == "");
  CHECK(before("cvt.rn.satfinite.e2m1x2.f32 %b, %f1, %f2;", 0, 4) == "");  // packed otherwise
  for (const char* garbled : {"cvt", "cvt.", "cvt.f32", "cvt.f32.", "cvt..f32 %f1, %f2;", "cvt.x.x",
                              "cvt.rn.f16x.f32 %r1, %f1;", "cvt.rn.f16x9.f32 %r1, %f1;", ""}) {
    CAPTURE(garbled);
    CHECK(before(garbled, 0, 16) == "");
  }
}

}  // namespace lanescope::viz
