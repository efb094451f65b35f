// SPDX-License-Identifier: MIT
// How a trace becomes multiplications, and what cannot be shown.
#include "panels/matrix/model.hpp"

#include <doctest/doctest.h>

#include <array>

#include "panels/matrix/facts.hpp"

#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

using synthetic::fragment;
using synthetic::trace_of;

TEST_CASE("a trace of three instructions is three multiplications in its order") {
  const Model model = make_model(trace_of({synthetic::kF16, synthetic::kBf16, synthetic::kE4m3}));
  REQUIRE(model.multiplications.size() == 3);
  CHECK(model.multiplications[0].instruction->mnemonic == synthetic::kF16);
  CHECK(model.multiplications[1].instruction->mnemonic == synthetic::kBf16);
  CHECK(model.multiplications[2].instruction->mnemonic == synthetic::kE4m3);
  for (const Multiplication& in : model.multiplications)
    for (const trace::Fragment* data : in.data) CHECK(data != nullptr);
  CHECK(model.remarks.empty());
}

TEST_CASE("a second A of the same warp begins the next multiplication") {
  trace::Trace trace = trace_of({synthetic::kF16});
  synthetic::add(trace, *layout::find(synthetic::kF16), "AB");
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 2);
  CHECK(model.multiplications[0].fragment('D') != nullptr);
  CHECK(model.multiplications[1].fragment('A') != nullptr);
  CHECK(model.multiplications[1].fragment('A') != model.multiplications[0].fragment('A'));
  CHECK(model.multiplications[1].fragment('D') == nullptr);
}

TEST_CASE("warps are kept apart however their fragments are mixed") {
  trace::Trace trace;
  for (const char operand : {'A', 'D'})
    for (const int warp : {0, 3}) {
      trace::Fragment f = fragment(*layout::find(synthetic::kF16), operand);
      f.place.warp = warp;
      trace.events.emplace_back(f);
    }
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 2);
  CHECK(model.multiplications[0].place.warp == 0);
  CHECK(model.multiplications[1].place.warp == 3);
  CHECK(place_text(model.multiplications[1].place) == "warp 3");
  CHECK(model.multiplications[1].fragment('D')->place.warp == 3);
}

TEST_CASE("what cannot be shown is said, and the rest is shown") {
  const layout::Instruction& mma = *layout::find(synthetic::kF16);
  trace::Trace trace;
  trace::Fragment f = fragment(mma, 'A');
  f.instruction = "mma.sync.m9n9k9";
  trace.events.emplace_back(f);
  f = fragment(mma, 'A');
  f.registers.pop_back();
  trace.events.emplace_back(f);
  f = fragment(mma, 'A');
  f.registers[2].resize(31);
  trace.events.emplace_back(f);
  f = fragment(mma, 'A');
  f.register_bits = 64;
  trace.events.emplace_back(f);
  f = fragment(mma, 'A');
  f.operand = "AB";
  trace.events.emplace_back(f);
  synthetic::add(trace, mma, "D");
  const Model model = make_model(std::move(trace));
  REQUIRE(model.remarks.size() == 5);
  CHECK(model.remarks[0].find("'mma.sync.m9n9k9' is not in the atlas") != std::string::npos);
  CHECK(model.remarks[1].find("it has 3 registers a lane, the map 4") != std::string::npos);
  CHECK(model.remarks[2].find("it has 31 lanes, the map 32") != std::string::npos);
  CHECK(model.remarks[3].find("its registers have 64 bits, the map's 32") != std::string::npos);
  CHECK(model.remarks[4].find("'AB' is not an operand") != std::string::npos);
  CHECK(model.multiplications.size() == 1);
}

TEST_CASE("every cell shows the element that was put there") {
  const Model model = make_model(trace_of({synthetic::kF16, synthetic::kE4m3}));
  for (const Multiplication& in : model.multiplications)
    for (const char operand : kOperands) {
      const layout::Fragment& map = *in.map(operand);
      for (int row = 0; row < map.rows; ++row)
        for (int col = 0; col < map.cols; ++col) {
          CAPTURE(operand);
          CAPTURE(row);
          CAPTURE(col);
          CHECK(element_bits(in, operand, in.holder(operand, row, col)) ==
                synthetic::pattern(map, row, col));
        }
    }
}

TEST_CASE("values and bits read as people write them") {
  const Model model = make_model(trace_of({synthetic::kF16}));
  const Multiplication& in = model.multiplications[0];
  // A[13][11] is element 13*16 + 11 = 219, half of it is 109.5.
  CHECK(value_text(in, 'A', in.holder('A', 13, 11)) == "109.5");
  CHECK(value_text(in, 'B', in.holder('B', 0, 0)) == "-32");
  CHECK(hex(0x5a48, 16) == "0x5a48");
  CHECK(hex(0x7, 8) == "0x07");
  CHECK(in.holder('A', 16, 0).thread == -1);
  CHECK(in.holder('A', -1, 0).thread == -1);
  CHECK(in.holder('E', 0, 0).thread == -1);
  CHECK_FALSE(register_bits(in, 'A', 32, 0).has_value());
  CHECK_FALSE(register_bits(in, 'A', 0, 4).has_value());
}

// mma.m8n8k4 .f16 multiplies four matrices, one a quad-pair: lane 4 belongs to the second.
TEST_CASE("an instruction of four matrices is four multiplications") {
  const layout::Instruction* quad = layout::find("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32");
  REQUIRE(quad != nullptr);
  trace::Trace trace;
  synthetic::add(trace, *quad);
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 4);
  std::array<bool, 32> seen{};
  for (int matrix = 0; matrix < 4; ++matrix) {
    const Multiplication& in = model.multiplications[static_cast<std::size_t>(matrix)];
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 4; ++col) {
        const Selection s = select_element(in, 'A', row, col);
        CHECK(s.element == layout::Element{row, col, matrix});
        CHECK(quad->A.element(s.thread, in.holder('A', row, col).value) == s.element);
        seen[static_cast<std::size_t>(s.thread)] = true;
      }
  }
  for (const bool lane : seen) CHECK(lane);
  const Parsed other = parse_selection("lane 4 A.r0.lo", model.multiplications[0]);
  CHECK(other.error == "lane 4 holds matrix 1 there, matrix 0 is shown");
}

// Every map of the atlas can be shown, selected, explained and walked over.
TEST_CASE("no instruction of the atlas is too strange for the panels") {
  int shown = 0;
  for (const layout::Instruction& instruction : layout::instructions()) {
    trace::Trace trace;
    for (const char operand : kOperands) {
      const layout::Fragment* map = instruction.operand(operand);
      if (map == nullptr || map->values == 0) continue;
      trace::Fragment f;
      f.instruction = instruction.mnemonic;
      f.operand = std::string(1, operand);
      f.name = f.operand;
      f.register_bits = map->register_bits;
      f.registers.assign(static_cast<std::size_t>(map->registers()),
                         std::vector<std::uint64_t>(static_cast<std::size_t>(map->threads()), 7));
      trace.events.emplace_back(f);
    }
    const Model model = make_model(std::move(trace));
    CAPTURE(instruction.mnemonic);
    REQUIRE(model.remarks.empty());
    REQUIRE_FALSE(model.multiplications.empty());
    const Multiplication& in = model.multiplications.back();
    for (const char operand : kOperands) {
      const layout::Fragment* map = in.map(operand);
      if (map == nullptr) continue;
      const Selection corner = select_element(in, operand, map->rows - 1, map->cols - 1);
      REQUIRE(corner.picked == Picked::element);
      CHECK(parse_selection(words_of(corner, in), in).selection == corner);
      CHECK_FALSE(selection_text(model, in, corner).empty());
      next_operand(moved(corner, in, -1, -1), in);
      ++shown;
    }
    CHECK_FALSE(selection_text(model, in, select_lane(in.threads() - 1)).empty());
  }
  CHECK(shown > 100);
}

TEST_CASE("a map without data has holders and no values") {
  const Multiplication in = bare(*layout::find(synthetic::kF16));
  CHECK(in.holder('A', 9, 5).thread == 6);
  CHECK(value_text(in, 'A', in.holder('A', 9, 5)).empty());
}

}  // namespace
}  // namespace lanescope::viz
