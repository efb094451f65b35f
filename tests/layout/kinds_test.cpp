// SPDX-License-Identifier: MIT
// The sm_120 kinds: containers, and who hands in the scale factors.
//
// Source: PTX ISA 9.2, 9.7.14.3 (tables 35 to 37), 9.7.14.5.14.
#include <doctest/doctest.h>

#include "layout/instruction.hpp"
#include "layout/scales.hpp"

using namespace lanescope::layout;

namespace {
bool has(const Instruction& i, std::string_view part) {
  return i.mnemonic.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("4- and 6-bit types sit in 8-bit containers, e2m1 in the middle") {
  int seen = 0;
  for (const Instruction& i : instructions()) {
    if (!has(i, "f8f6f4")) continue;
    for (const Fragment* f : {&i.A, &i.B}) {
      CHECK(f->element_bits == 8);
      const Holder h = f->holder(0, 1);
      const bool e2m1 = f->type == ElementType::e2m1;
      CHECK(h.bit == (e2m1 ? 10 : 8));
      CHECK(f->payload_bits() == info(f->type).bits);
      CHECK(h.bit + f->payload_bits() <= (e2m1 ? 14 : 16));  // bits 5:2; else from bit 0
    }
    ++seen;
  }
  CHECK(seen == 2 * (50 + 25));
  const Instruction* packed = find(
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1."
      "f32.ue8m0");
  REQUIRE(packed != nullptr);
  CHECK(packed->A.element_bits == 4);
  CHECK(packed->A.holder(0, 1).bit == 4);
}

TEST_CASE("scales: M x v and v x N; a lane pair hands in rows g and g+8, one lane a column") {
  int seen = 0;
  for (const Instruction& i : instructions()) {
    if (!has(i, "block_scale")) {
      CHECK(i.operand('S') == nullptr);
      CHECK(i.operand('T') == nullptr);
      continue;
    }
    ++seen;
    CAPTURE(i.mnemonic);
    const int vectors = has(i, "::1X") ? 1 : has(i, "::2X") ? 2 : 4;
    const Fragment* a = i.operand('S');
    const Fragment* b = i.operand('T');
    REQUIRE(a != nullptr);
    REQUIRE(b != nullptr);
    CHECK(a->rows == 16);
    CHECK(a->cols == vectors);
    CHECK(b->rows == vectors);
    CHECK(b->cols == 8);
    CHECK(name(a->type) == (has(i, "ue4m3") ? "ue4m3" : "ue8m0"));
    bool equal = true;
    for (int lane = 0; lane < 32; ++lane) {
      equal = equal && a->provided_by(lane) == (lane % 4 == 0 || lane % 4 == 1);
      equal = equal && b->provided_by(lane) == (lane % 4 == 0);
      for (int byte = 0; byte < vectors; ++byte) {
        if (a->provided_by(lane))
          equal = equal && a->element(lane, byte) == Element{lane / 4 + 8 * (lane % 4), byte} &&
                  a->holder(lane, byte).bit == 8 * byte;
        if (b->provided_by(lane))
          equal = equal && b->element(lane, byte) == Element{byte, lane / 4};
      }
    }
    CHECK(equal);
  }
  CHECK(seen == 2 * (25 + 3));
}

TEST_CASE("scales, every selector: which lanes of a quad, which bytes of their words") {
  // 9.7.14.3: "scale-vec 1X: byte-id 0..3; 2X: 0, 2; 4X: 0"; thread-id-a 0 or 1 picks a pair of a
  // quad's lanes, thread-id-b 0 to 3 one of them
  int seen = 0;
  for (const Instruction& i : instructions()) {
    if (!has(i, "block_scale")) {
      CHECK(scale_selectors(i, 'S').empty());
      continue;
    }
    CAPTURE(i.mnemonic);
    const int vectors = has(i, "::1X") ? 1 : has(i, "::2X") ? 2 : 4;
    CHECK(scale_selectors(i, 'S').size() == static_cast<std::size_t>(2 * 4 / vectors));
    CHECK(scale_selectors(i, 'T').size() == static_cast<std::size_t>(4 * 4 / vectors));
    for (const ScaleSelector s : scale_selectors(i, 'T')) {
      CAPTURE(s.thread_id);
      CAPTURE(s.byte_id);
      const Instruction moved = with_scales(i, s);
      const Fragment& b = moved.SFB;
      bool equal = true;
      for (int lane = 0; lane < 32; ++lane) {
        equal = equal && b.provided_by(lane) == (lane % 4 == s.thread_id);
        for (int v = 0; v < vectors && b.provided_by(lane); ++v)
          equal = equal && b.holder(lane, v).bit == 8 * (s.byte_id + v) &&
                  b.holder(lane, v).register_index == 0 &&
                  b.element(lane, v) == Element{v, lane / 4};
        if (s.thread_id > 1) continue;
        const Fragment& a = moved.SFA;
        const bool mine = lane % 4 / 2 == s.thread_id;
        equal = equal && a.provided_by(lane) == mine;
        for (int v = 0; v < vectors && mine; ++v)
          equal = equal && a.holder(lane, v).bit == 8 * (s.byte_id + v) &&
                  a.element(lane, v) == Element{lane / 4 + 8 * (lane % 2), v};
      }
      CHECK(equal);
      CHECK(holders(b, {vectors - 1, 5}).size() == 1);
      ++seen;
    }
    CHECK(problem(i, 'S', {2, 0}).find("SFA has thread-ids 0 to 1") != std::string::npos);
    CHECK(problem(i, 'T', {3, 0}).empty());
    CHECK_FALSE(problem(i, 'T', {4, 0}).empty());
    CHECK(problem(i, 'T', {0, 1}).empty() == (vectors == 1));
  }
  CHECK(seen == 2 * (25 * 16 + 2 * 8 + 4));
  CHECK(problem(*find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), 'S', {0, 0})
            .find("no scale factors") != std::string::npos);
}

TEST_CASE("a .scale_vec that is the default may be left out, the one that is not may not") {
  const std::string head = "mma.sync.aligned.m16n8k";
  CHECK(find(head + "32.row.col.kind::mxf8f6f4.block_scale.f32.e2m1.e3m2.f32.ue8m0") ==
        find(head + "32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m1.e3m2.f32.ue8m0"));
  CHECK(find(head + "64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0") != nullptr);
  // The kind before the shape, as kernels have it.
  CHECK(find("mma.sync.aligned.kind::mxf8f6f4.block_scale.m16n8k32.row.col.f32.e2m1.e3m2.f32."
             "ue8m0") ==
        find(head + "32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m1.e3m2.f32.ue8m0"));
  CHECK(find("mma.sp::ordered_metadata.sync.aligned.kind::f8f6f4.m16n8k64.row.col.f16.e4m3.e5m2."
             "f16") != nullptr);
  CHECK(find("mma.sync.aligned.kind::f8f6f4.row.col.m16n8k32.f32.e4m3.e4m3.f32") == nullptr);
  CHECK(find(head + "64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue8m0") == nullptr);
}
