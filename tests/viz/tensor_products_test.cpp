// SPDX-License-Identifier: MIT
// Products of tcgen05.mma put together from steps: D is where the ISA's figures have it, whatever
// shape tcgen05.ld brings it in, and A and B are followed through their descriptors.
#include "panels/way/tensor_products.hpp"

#include <doctest/doctest.h>

#include <string>

#include "panels/matrix/facts.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/tensor_reads.hpp"
#include "panels/way/way.hpp"
#include "tests/viz/tensor_trace.hpp"

namespace lanescope::viz {

using recorded::kTensorWarps, recorded::tensor_pair_trace, recorded::tensor_trace,
    recorded::tensor_value;

TEST_CASE("D of tcgen05.mma is put together from what tcgen05.ld brings out of tensor memory") {
  const Model model = make_model(tensor_trace(kTensorWarps));
  REQUIRE(model.multiplications.size() == 1);
  CHECK(model.is_of_steps());
  const Multiplication& in = model.multiplications[0];
  CHECK(short_name(in) == "f16  m64n8k16  f32  in tensor memory  step 7");
  REQUIRE(in.fragment('D') != nullptr);
  for (int row = 0; row < 64; ++row)
    for (int col = 0; col < 8; ++col) {
      const layout::Holder at = in.holder('D', row, col);
      CHECK(at.thread == row % 16 + row / 16 * 32);
      CHECK(at.register_index == col);
      CHECK(element_bits(in, 'D', at) == tensor_value(row, col));
    }
}

TEST_CASE("both tcgen05.mma of a sum lead to its product, which names lanes and columns") {
  const Model model = make_model(tensor_trace(kTensorWarps));
  const StepList steps = make_steps(model.trace);
  const Multiplication& in = model.multiplications[0];
  for (const int item : {5, 7})
    CHECK(product_at(model, *steps.warps[0].items[static_cast<std::size_t>(item)].step) == 0);
  CHECK(product_at(model, *steps.warps[0].items[4].step) == -1);
  CHECK(product_step(steps, in, 90).item == 7);
  const RegisterStep by = register_step(steps, in, 'D', 41, 3);  // row 25: lane 9 of warp 1's
  CHECK(by.name == "%d3");
  CHECK(steps.warps[static_cast<std::size_t>(by.place.warp)].warp == 1);
  CHECK(by.place.item == 2);  // its wait

  const Parsed words = parse_selection("D 25,3", in);
  REQUIRE(words.ok());
  const Facts about = facts(model, in, words.selection);
  CHECK(about.where == "lane 41, column 67 of tensor memory");
  CHECK(about.why.front() == "D begins at lane 0, column 64 of tensor memory");
  const Way way = way_of(model.trace, steps, in, words.selection);
  REQUIRE(way.stops.size() == 3);
  CHECK(way.stops[0].text == "tcgen05.mma: leaves it in lane 41, column 67 of tensor memory");
  CHECK(way.stops[1].text == "tcgen05.ld: from there to lane 5, %d3");
}

TEST_CASE("A and B of tcgen05.mma are elements without a lane, at the bytes of their descriptors") {
  const Model model = make_model(tensor_trace(kTensorWarps));
  const Multiplication& in = model.multiplications[0];
  CHECK(shared_shape(in, 'A').cols == 16);
  CHECK(shared_shape(in, 'B').rows == 16);
  const Parsed words = parse_selection("B 9,5", in);
  REQUIRE(words.ok());
  CHECK(words.selection.thread == -1);
  const Way way = way_of(model.trace, make_steps(model.trace), in, words.selection);
  REQUIRE(way.stops.size() == 1);
  // 0x1400, the second core matrix along K 128 bytes on, row 5, k 1.
  CHECK(way.stops[0].text ==
        "tcgen05.mma: reads it at byte 0x14d2 of shared memory, where descriptor %rd2, "
        "0x0000400800080140, leads: for D[0][5] to D[63][5], the last of 2 that add to these sums");
}

TEST_CASE("a D of which not all is brought is left out, its place is still told") {
  const Model model = make_model(tensor_trace(kTensorWarps - 1));
  REQUIRE(model.multiplications.size() == 1);
  CHECK(model.multiplications[0].fragment('D') == nullptr);
  REQUIRE(model.remarks.size() == 1);
  CHECK(model.remarks[0] == "D of step 7: no tcgen05.ld that is recorded brings all of it");
  const Parsed words = parse_selection("D 0,0", model.multiplications[0]);
  CHECK(facts(model, model.multiplications[0], words.selection).where ==
        "lane 0, column 64 of tensor memory");
}

TEST_CASE("D is put together from what tcgen05.ld.red brings, too") {
  trace::Trace trace = tensor_pair_trace();
  const auto replace = [](std::string& text, std::string_view old, std::string_view by) {
    if (const std::size_t at = text.find(old); at != std::string::npos)
      text.replace(at, old.size(), by);
  };
  for (trace::Event& event : trace.events)
    if (auto* step = std::get_if<trace::Step>(&event)) {
      replace(step->ptx, "ld.sync.aligned.32x32b.x16.b32",
              "ld.red.sync.aligned.32x32b.x16.max.f32");
      replace(step->ptx, "}, [%r9]", "}, %most, [%r9]");
    }
  const Model model = make_model(trace);
  REQUIRE(model.multiplications.size() == 1);
  const Multiplication& in = model.multiplications[0];
  REQUIRE(in.fragment('D') != nullptr);
  CHECK(element_bits(in, 'D', in.holder('D', 100, 3)) == tensor_value(100, 3));
}

// Which columns count as zeros says nothing of where the others lie: B is not followed then.
TEST_CASE("B of tcgen05.mma.ws is followed unless a zero-column mask descriptor names columns") {
  const auto why = [](const std::string& mask) {
    trace::Trace trace = tensor_trace(0);
    for (trace::Event& event : trace.events)
      if (auto* step = std::get_if<trace::Step>(&event); step->ptx.starts_with("tcgen05.mma."))
        step->ptx =
            "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1" + mask + ";";
    const StepList list = make_steps(trace);
    RegisterHistory history(list);
    return tensor_read(history, tensor_sums(history).at(0).at(0).place, 'B').why;
  };
  CHECK(why("").empty());
  CHECK(why(", 0").empty());
  CHECK(why(", %rd1") == "a zero-column mask descriptor is not followed");
}

TEST_CASE("of a pair of CTAs it is the part of one: its rows, all columns, half of B's") {
  const Model model = make_model(tensor_pair_trace());
  CHECK(model.remarks.empty());
  REQUIRE(model.multiplications.size() == 1);
  const Multiplication& in = model.multiplications[0];
  CHECK(short_name(in) == "f16  m128n16k16  f32  in tensor memory  step 7");
  REQUIRE(in.fragment('D') != nullptr);
  for (int row = 0; row < 128; ++row)
    for (int col = 0; col < 16; ++col)
      CHECK(element_bits(in, 'D', in.holder('D', row, col)) == tensor_value(row, col));
  const Parsed d = parse_selection("D 100,3", in);
  REQUIRE(d.ok());
  CHECK(facts(model, in, d.selection).why.front() ==
        "one CTA's half of a pair's: 128 of 256 rows, from the first of its own on");
  const StepList steps = make_steps(model.trace);
  const auto way_of_b = [&](const char* element) {
    const Parsed words = parse_selection(element, in);
    REQUIRE(words.ok());
    return way_of(model.trace, steps, in, words.selection);
  };
  const Way own = way_of_b("B 9,5");
  REQUIRE(own.stops.size() == 1);
  CHECK(own.stops[0].text.find("reads it at byte 0x14d2 of shared memory") != std::string::npos);
  CHECK(way_of_b("B 9,8").before ==
        "it lies in the shared memory of the peer CTA, whose steps are not recorded");
}

}  // namespace lanescope::viz
