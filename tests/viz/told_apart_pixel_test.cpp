// SPDX-License-Identifier: MIT
// Pictures of what must not hang on a colour alone, or on one lane's: marks of misplaced elements,
// numbers and frames of runs, a wrong answer of the quiz.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "panels/panels.hpp"
#include "tests/trace/mistaken.hpp"
#include "tests/viz/shot.hpp"
#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

// How many pixels of a box are `like` that.
template <class Like>
int count(const Shot& shot, const Box& box, Like like) {
  int found = 0;
  for (float row = box.top; row < box.top + box.height; ++row)
    for (float col = box.left; col < box.left + box.width; ++col)
      found += like(shot.pixel(col, row));
  return found;
}

constexpr const char* kPacked =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
    "ue4m3";

int away(Rgb a, Rgb b) {
  return std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue);
}
// By more than the edge of a letter is soft.
bool far(Rgb a, Rgb b) { return away(a, b) > 60; }

Box upper_right(const Box& cell) {
  const float side = 0.45f * std::min(cell.width, cell.height);
  return {cell.left + cell.width - side, cell.top, side, side};
}

}  // namespace

TEST_CASE("a misplaced element is marked on every lane's colour, and where it is selected") {
  trace::Trace trace;  // B.r0 and B.r1 are exchanged
  trace.events.emplace_back(trace_test::fragment(trace_test::kF16, 'A', trace_test::kRight));
  trace.events.emplace_back(
      trace_test::fragment(trace_test::kF16, 'B', [](int lane, int reg, int part, layout::Element) {
        return layout::find(trace_test::kF16)->B.element(lane, (1 - reg) * 2 + part);
      }));
  const layout::Instruction& mma = *layout::find(trace_test::kF16);
  trace.events.emplace_back(trace_test::matrix("B", mma.B, 16, 8));
  for (const bool dark : {true, false})
    for (int col = 0; col < 8; ++col) {
      CAPTURE(dark);
      CAPTURE(col);
      Workspace ws;
      ws.dark = dark;
      show_model(ws, make_model(trace), "t.lanes");
      ws.selection = select_element(*ws.shown(), 'B', 9, col);
      const Shot shot = shoot(ws, 1280, 720);
      for (const int row : {9, 8, 12}) {  // selected, of the same lane, of another
        CAPTURE(row);
        const Box corner =
            upper_right(shot.where("B " + std::to_string(row) + "," + std::to_string(col)));
        const Theme& t = theme(dark);
        CHECK(count(shot, corner, [&](Rgb c) { return !far(c, t.bad); }) >= 4);
        CHECK(count(shot, corner, [&](Rgb c) { return !far(c, t.background); }) >= 2);
      }
    }
}

TEST_CASE("what a descriptor fetches from a wrong byte has a corner cut off") {
  for (const bool light : {false, true}) {
    CAPTURE(light);
    Workspace ws;
    WindowOptions options;
    options.page = "descriptor";
    options.page_words = "128B K 16 64x64 sbo=512";
    options.light = light;
    REQUIRE(begin_session(ws, options) == "");
    const Shot shot = shoot(ws, 1280, 720);
    const auto cut = [&](const std::string& name) {  // background, rather than the cell's colour
      const Box box = shot.where(name);
      const Rgb fill = shot.pixel(box.left + 2, box.top + 2);
      Box corner = upper_right(box);
      corner.left -= 2, corner.top += 1;  // beside the gaps to the next cells
      return count(shot, corner, [&](Rgb c) {
        return away(c, theme(!light).background) <
               std::min(away(c, fill), away(c, theme(!light).bad));
      });
    };
    CHECK(cut("fetch 8,3") >= 3);
    CHECK(cut("fetch 20,15") >= 3);
    CHECK(cut("fetch 7,3") == 0);
  }
}

TEST_CASE("a run of cells has one frame, and its number can be read where its cells differ") {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({kPacked})), "t.lanes");
  ws.selection = select_lane(13);
  const Rgb accent = theme(true).accent;
  const Shot lane = shoot(ws, 1280, 720);
  const Box run = lane.where("A run 3,8: 13");
  const auto framed = [&](float left) {  // a line down, at the side of the number
    return count(lane, {left - 1, run.top + 3, 3, run.height - 6},
                 [&](Rgb c) { return !far(c, accent); }) > 4;
  };
  CHECK(framed(run.left));
  CHECK(framed(run.left + run.width - 1));
  for (const int col : {9, 10, 14, 15})
    CHECK_FALSE(framed(lane.where("A 3," + std::to_string(col)).left));
  // An element of A lights one cell of every run of B, which lies on its side.
  ws.selection = select_element(*ws.shown(), 'A', 3, 9);
  const Shot element = shoot(ws, 1280, 720);
  const Box words = element.where("B run 1,8: 5");
  const auto brightest = [&](const Box& box) {
    int most = 0;
    count(element, box, [&](Rgb c) { return most = std::max<int>(most, c.red), false; });
    return most;
  };
  const Box middle{words.left + words.width / 2 - 6, words.top + 1, 12, words.height - 2};
  CHECK(brightest(middle) > theme(true).dim.red + 20);
}

TEST_CASE("no frame of a column goes through the number of a run") {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({kPacked})), "t.lanes");
  // Row 12 of B, which lies on its side: the left edge of its frame is in the middle of a run.
  ws.selection = select_element(*ws.shown(), 'A', 9, 12);
  const Shot shot = shoot(ws, 1280, 720);
  for (const int lane : {25, 29}) {
    CAPTURE(lane);
    const Box run = shot.where("B run " + std::to_string(lane / 4) + ",8: " + std::to_string(lane));
    const auto white = [](Rgb c) { return std::min({c.red, c.green, c.blue}) > 120; };
    const Box edge{shot.where("B 12," + std::to_string(lane / 4)).left - 2, run.top, 1, run.height};
    CHECK(count(shot, edge, white) < 0.7f * run.height);
  }
}

TEST_CASE("of a frame nothing is left beside names of columns that stay in sight") {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({synthetic::kF16})), "t.lanes");
  ws.selection = select_element(*ws.shown(), 'A', 9, 5);
  for (int height = 1000; height < 1100; height += 20) {
    CAPTURE(height);
    ws.reveal = true;
    const Shot shot = shoot(ws, 1920, height, 2);
    const Box b = shot.where("B 15,7");
    const float right = b.left + b.width, bar = 2.9f * 32;
    // Beside the numbers, where the frame of row 5 may have its end.
    CHECK(count(shot, {right + 1, bar + 16, 7, 28},
                [](Rgb c) { return far(c, theme(true).background); }) == 0);
  }
}

TEST_CASE("the number of a run is as large on a fine display as on a usual one") {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({kPacked})), "t.lanes");
  ws.selection = select_lane(13);
  std::vector<int> lines;  // that some of the number of lane 5 stands on
  for (const float scale : {1.0f, 1.5f}) {
    CAPTURE(scale);
    const Shot shot =
        shoot(ws, static_cast<int>(1280 * scale), static_cast<int>(720 * scale), scale);
    const Box run = shot.where("A run 1,8: 5");
    int inked = 0;
    for (float row = run.top; row < run.top + run.height; ++row)
      inked += count(shot, {run.left, row, run.width, 1}, [](Rgb c) { return c.red > 0x70; }) > 0;
    lines.push_back(inked);
    CHECK(static_cast<float>(inked) >= 0.8f * scale * static_cast<float>(lines.front()));
  }
}

TEST_CASE("a wrong answer of the quiz is struck through, the right one is not") {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({synthetic::kF16})), "t.lanes");
  ws.quiz.lesson = 1;
  ws.quiz.open = true;
  shoot(ws, 1280, 720);
  const QuizQuestion question = ws.quiz.quiz.question();
  const layout::Fragment* map = question.matrix.map;
  REQUIRE(map != nullptr);
  const int lane = question.answers[0][0], other = (lane + 5) % 32;
  std::string words = std::to_string(other);
  for (std::size_t at = 1; at < question.answers[0].size(); ++at)
    words += " " + std::to_string(question.answers[0][at]);
  give_answer(ws.quiz.quiz, words);
  REQUIRE_FALSE(ws.quiz.quiz.last.right);
  const std::vector<layout::Element> given = given_elements(ws.quiz.quiz);
  REQUIRE_FALSE(given.empty());
  const Shot shot = shoot(ws, 1280, 720);
  const Box struck =
      shot.where("quiz given " + std::to_string(given[0].row) + "," + std::to_string(given[0].col));
  const layout::Element asked = question.matrix.element;
  const Box right = shot.where("quiz lane " + std::to_string(lane) + " at " +
                               std::to_string(asked.row) + "," + std::to_string(asked.col));
  const auto across = [&](const Box& box) {  // within the frame, beside the number
    const Box corner{box.left + 4, box.top + box.height - 9, 6, 5};
    return count(shot, corner, [&](Rgb c) { return !far(c, theme(true).bad); });
  };
  CHECK(across(struck) >= 3);
  CHECK(across(right) == 0);
}

}  // namespace lanescope::viz
