// SPDX-License-Identifier: MIT
// What a bulk copy has brought, and what wgmma reads of it through descriptors, in traces made up
// of copies, one warpgroup and its wgmmas. Programs that make the mistakes: tests/programs.
#include "panels/way/descriptor_origins.hpp"

#include <doctest/doctest.h>

#include "panels/memory/shared_history.hpp"
#include "panels/way/way.hpp"
#include "tests/viz/behind_descriptors.hpp"

namespace lanescope::viz {
namespace {

using recorded::both_tiles;
using recorded::copy_of;
using recorded::kRowBytes;
using recorded::kTensorA;
using recorded::kTileA;
using recorded::kTileB;
using recorded::multiplied;
using recorded::right_descriptor;

struct Judged {
  OriginCheck a, b;
};

Judged judge(trace::Trace trace) {
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 1);
  const StepList steps = make_steps(model.trace);
  RegisterHistory history(steps);
  DescriptorOrigins origins(model.trace, history);
  const auto checks = origins.check(model.multiplications[0]);
  REQUIRE(checks.a.has_value());
  REQUIRE(checks.b.has_value());
  return {*checks.a, *checks.b};
}

}  // namespace

TEST_CASE("a byte of a swizzled box, and its place in the tensor") {
  const trace::Sync copy = copy_of(kTensorA, kTileA, 64, {128, 32});
  // Row 9, column 21: unit 2 of its row, which row 9 of a pattern of eight has at 2 ^ 1.
  const auto source = bulk_source(copy, kTileA + 9 * 128 + (0x2 ^ 1) * 16 + 5 * 2);
  REQUIRE(source.has_value());
  CHECK(source->element == std::vector<std::int64_t>{149, 41});
  CHECK(source->address == kTensorA + 41 * kRowBytes + 149 * 2);
  CHECK(source->inside);
  CHECK_FALSE(bulk_source(copy, kTileA - 1).has_value());
  CHECK_FALSE(bulk_source(copy, kTileA + 64 * 128).has_value());

  // Over the edge, and before it.
  trace::Sync edge = copy;
  edge.tensor[0].at = {192, -1};
  CHECK_FALSE(bulk_source(edge, kTileA)->inside);
  CHECK(bulk_source(edge, kTileA + 128 + 16)->inside);
  edge.tensor[0].size = {200, 1024};
  CHECK_FALSE(bulk_source(edge, kTileA + 128)->inside);  // unit 1 of row 1: elements 200 to 207

  // A row narrower than its swizzle's span has room up to it; three dimensions.
  trace::Sync narrow = copy;
  narrow.tensor[0] = {2, "128B", {256, 64, 8}, {512, 32768}, {16, 2, 2}, {0, 0, 0}};
  CHECK(bulk_source(narrow, kTileA + 2 * 128 + (1 ^ 2) * 16)->element ==
        std::vector<std::int64_t>{8, 0, 1});
  CHECK_FALSE(bulk_source(narrow, kTileA + 2 * 16).has_value());

  // Without a tensor map the bytes lie as they did; where the trace does not say it, nothing.
  trace::Sync plain = copy;
  plain.tensor.clear();
  CHECK(bulk_source(plain, kTileA + 100)->address == kTensorA + 100);
  plain.global = 0;
  CHECK_FALSE(bulk_source(plain, kTileA + 100).has_value());
}

TEST_CASE("a copy counts from its landing on; another CTA's has a landing alone") {
  trace::Sync copy = copy_of(kTensorA, 0, 8, {0, 0});
  trace::Sync land = copy, foreign = copy, elsewhere = copy;
  land.action = foreign.action = "land";
  foreign.place.warp = foreign.step = 0;
  foreign.address = 4096;
  elsewhere.object = "mbarrier 0x0 of rank 1";
  elsewhere.address = 8192;
  trace::Trace trace;
  for (const trace::Sync& one : {copy, elsewhere}) trace.events.emplace_back(one);
  trace.events.emplace_back(recorded::step(0, 1, "mov.u32 %r1, 0;", 1));
  for (const trace::Sync& one : {land, foreign}) trace.events.emplace_back(one);
  trace.events.emplace_back(recorded::step(0, 2, "mov.u32 %r1, 0;", 2));
  const StepList steps = make_steps(trace);
  const SharedHistory shared(trace, steps, 0, {0, 0, 0});
  const void *before = &std::get<trace::Step>(trace.events[2]),
             *after = &std::get<trace::Step>(trace.events[5]);
  CHECK(shared.last(5, before) == nullptr);
  REQUIRE(shared.under_way(5, before) != nullptr);
  CHECK(shared.under_way(5, after) == nullptr);
  REQUIRE(shared.last(5, after) != nullptr);
  CHECK(shared.last(5, after)->copy->action == "copy");
  REQUIRE(shared.last(4100, after) != nullptr);
  CHECK(shared.last(4100, after)->copy->action == "land");
  CHECK(shared.last(8200, after) == nullptr);
  CHECK(shared.all(5).size() == 1);
}

TEST_CASE("what TMA brought is judged where wgmma reads it") {
  const Judged right =
      judge(multiplied(both_tiles(), right_descriptor(kTileA), right_descriptor(kTileB)));
  CHECK(right.a.diagnosis.verdict == trace::Verdict::right);
  CHECK(right.b.diagnosis.verdict == trace::Verdict::right);
  CHECK(right.a.lies ==
        "row after row, 512 bytes apart, from {128, 32} of the tensor at 0x100000 on");
  CHECK(right.b.lies ==
        "column after column, 512 bytes apart, from {128, 8} of the tensor at 0x200000 on");

  // Every multiple of 16 is tried.
  layout::Descriptor odd = right_descriptor(kTileA);
  odd.sbo_bytes = 4720;
  const Judged strange = judge(multiplied(both_tiles(), odd, right_descriptor(kTileB)));
  CHECK(strange.a.diagnosis.kind == "descriptor-stride");
  CHECK(strange.a.diagnosis.mistake == "the descriptor's SBO is 4720 bytes, it should be 1024");
  CHECK(strange.b.diagnosis.verdict == trace::Verdict::right);
}

TEST_CASE("a matrix smaller than a tile, and one cut into columns, lie as they do") {
  std::vector<trace::Sync> small = both_tiles();  // rows of eight elements, 16 bytes
  for (trace::Sync& copy : small) {
    copy.tensor[0].size = {8, 8};
    copy.tensor[0].strides_bytes = {16};
    copy.tensor[0].at = {0, 0};
  }
  const Judged over = judge(multiplied(small, right_descriptor(kTileA), right_descriptor(kTileB)));
  CHECK(over.a.diagnosis.verdict == trace::Verdict::right);
  CHECK(over.b.diagnosis.verdict == trace::Verdict::right);

  std::vector<trace::Sync> cut = both_tiles();  // 64 of a row, then the rows, then the next 64
  for (trace::Sync& copy : cut) {
    trace::TensorBox& box = copy.tensor[0];
    box = {2, "128B", {64, 1024, 4}, {kRowBytes, 128}, {64, box.box[1], 1}, {0, box.at[1], 2}};
  }
  const Judged whole = judge(multiplied(cut, right_descriptor(kTileA), right_descriptor(kTileB)));
  CHECK(whole.a.diagnosis.verdict == trace::Verdict::right);
  CHECK(whole.a.diagnosis.note == "");
  CHECK(whole.a.lies ==
        "row after row, 512 bytes apart, from {0, 32, 2} of the tensor at 0x100000 on");
}

TEST_CASE("of a sparse A half of k is kept: it goes on half as far as B") {
  const std::string sparse = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16";
  const auto twice = [&sparse](std::uint32_t a, std::uint32_t b) {
    return judge(multiplied(both_tiles(),
                            {{right_descriptor(kTileA), right_descriptor(kTileB)},
                             {right_descriptor(kTileA + a), right_descriptor(kTileB + b)}},
                            sparse, "%r8, 0, "));
  };
  const Judged right = twice(32, 64);
  CHECK(right.a.diagnosis.verdict == trace::Verdict::right);
  CHECK(right.a.diagnosis.note == "");
  CHECK(right.b.diagnosis.verdict == trace::Verdict::right);
  const Judged as_dense = twice(32, 32);
  CHECK(as_dense.b.diagnosis.mistake ==
        "from one wgmma to the next the descriptor goes on by 32 bytes, it should go on by 64");
  const Judged as_b = twice(64, 64);  // A's second part of k is left out
  CHECK(as_b.a.diagnosis.mistake ==
        "from one wgmma to the next the descriptor goes on by 64 bytes, it should go on by 32");
  CHECK(as_b.b.diagnosis.verdict == trace::Verdict::right);
}

TEST_CASE("what is wrong in two ways is not called by one of them, what is unknown not judged") {
  layout::Descriptor twice = right_descriptor(kTileA);
  twice.base_offset = 3;
  twice.sbo_bytes = 8192;
  const Judged wrong = judge(multiplied(both_tiles(), twice, right_descriptor(kTileB)));
  CHECK(wrong.a.diagnosis.kind == "unwritten");  // it leads behind the tiles
  CHECK(wrong.a.diagnosis.mistake.find("of shared memory, which nothing writes") !=
        std::string::npos);
  CHECK(wrong.a.diagnosis.advice.find("which bytes does its descriptor lead to?") == 0);
  twice.sbo_bytes = 512;
  const Judged within = judge(multiplied(both_tiles(), twice, right_descriptor(kTileB)));
  CHECK(within.a.diagnosis.verdict == trace::Verdict::unknown);
  CHECK(within.a.diagnosis.mistake ==
        "what the descriptor 0x4006002000010040 leads to lies neither row after row nor column "
        "after column");

  std::vector<trace::Sync> old = both_tiles();  // as traces were before they said from where
  for (trace::Sync& copy : old) copy.global = 0, copy.tensor.clear();
  const Judged silent = judge(multiplied(old, right_descriptor(kTileA), right_descriptor(kTileB)));
  CHECK(silent.a.diagnosis.verdict == trace::Verdict::not_compared);
  CHECK(silent.a.diagnosis.mistake.starts_with("where A[0][0] came from is not known: "));
}

}  // namespace lanescope::viz
