// SPDX-License-Identifier: MIT
// Tiles of memory in the window, clicked and typed: one, and two beside each other.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

// Fragments, steps, and a tile of that shape.
trace::Trace with_tile(int rows, int cols) {
  trace::Trace trace = recorded::everything();
  for (trace::Event& event : trace.events)
    if (auto* tile = std::get_if<trace::Memory>(&event); tile != nullptr && tile->rows == 16) {
      tile->rows = rows;
      tile->cols = cols;
      tile->row_stride_bytes = 2 * cols;
      tile->bytes.resize(static_cast<std::size_t>(2 * rows * cols));
    }
  return trace;
}

TEST_CASE("swizzles are spoken of where a tile can be read through one") {
  Ui ui;
  ui.open(with_tile(16, 64));
  ui.type("m");
  ui.step();
  CHECK(ui.drawn("about swizzles"));
  ui.open(with_tile(16, 4));  // rows of 8 bytes
  ui.type("m");
  ui.step();
  CHECK_FALSE(ui.drawn("about swizzles"));
}

TEST_CASE("an element of a tile: clicked, moved, found, cleared") {
  Ui ui;
  ui.open(recorded::everything());
  ui.type("m");
  ui.step();
  ui.click("cell 9,5");
  CHECK((ui.ws.memory.row == 9 && ui.ws.memory.col == 5));
  CHECK(selected_words(ui.ws) == "A in shared memory 9,5");
  ui.press(Key::down);
  ui.press(Key::right);
  CHECK((ui.ws.memory.row == 10 && ui.ws.memory.col == 6));
  ui.find("3,7");
  CHECK((ui.ws.memory.row == 3 && ui.ws.memory.col == 7));
  ui.find("99,7");
  CHECK(ui.ws.message_is_error);
  ui.press(Key::escape);
  CHECK(ui.ws.memory.row == -1);
  CHECK(ui.drawn("passes 1,1"));
  ui.type("]");
  CHECK(ui.ws.memory.current == 1);
  ui.click("cell 1,3");
  CHECK(ui.ws.memory.row == 1);
}

TEST_CASE("memory: a line says what numbers and colours are, also while an element is selected") {
  Ui ui;
  ui.open(recorded::everything());
  ui.type("m");
  ui.step();
  CHECK(ui.drawn("legend: number: its value, colour: its bank"));
  ui.click("cell 9,5");
  ui.step();
  CHECK(ui.drawn("legend: number: its value, colour: its bank; bright: the same bank"));
  ui.type("k");
  ui.step();
  CHECK(ui.drawn("legend: number and colour: its bank; bright: the same bank"));
  ui.resize(400, 260);
  CHECK_FALSE(ui.drawn("legend: number and colour: its bank; bright: the same bank"));
}

TEST_CASE("two tiles of one trace beside each other: what is picked is picked in both") {
  Ui ui;
  ui.open(recorded::everything());
  ui.type("m");
  ui.step();
  CHECK_FALSE(ui.drawn("beside 0,0"));
  ui.type("2");
  ui.step();
  REQUIRE(ui.ws.memory.beside == 1);
  CHECK(ui.drawn("cell 9,5"));
  CHECK(ui.drawn("beside 1,5"));
  CHECK(ui.ws.page == Page::trace);
  ui.click("beside 1,5");
  CHECK((ui.ws.memory.row == 1 && ui.ws.memory.col == 5));
  CHECK(ui.ws.memory.hover_which == 1);
  ui.click("cell 9,5");  // the other has no row 9
  CHECK((ui.ws.memory.row == 9 && ui.ws.memory.hover_which == 0));
  // The same tile beside itself: as it lies, and as it is read.
  ui.click("other");
  ui.step();
  ui.click("other 0");
  CHECK(ui.ws.memory.beside == 0);
  ui.step();
  ui.click("other");
  ui.step();
  ui.click("other -1");
  CHECK(ui.ws.memory.beside == -1);
  ui.step();
  CHECK_FALSE(ui.drawn("beside 0,0"));
}

TEST_CASE("two tiles stand side by side where both fit, else one above the other") {
  Ui ui(1900, 920);
  ui.open(recorded::everything());
  show(ui.ws, Shows::memory);
  show_beside(ui.ws, 0);
  for (const float width : {1900.0f, 700.0f}) {
    ui.resize(width, 920);
    const Box first = ui.where("cell 0,0"), second = ui.where("beside 0,0");
    CHECK((second.left > first.left) == (width > 1000));
    CHECK((second.top > first.top) == (width < 1000));
    CHECK((second.left == first.left) != (second.top == first.top));
  }
  show_beside(ui.ws, -1);
  for (const float width : {1900.0f, 1000.0f, 640.0f, 400.0f}) {  // what has no room is left out
    ui.resize(width, 600);
    if (!ui.drawn("tile shape")) continue;
    const Box shape = ui.where("tile shape");
    CHECK(shape.left + shape.width <= width);
  }
  CHECK_FALSE(ui.drawn("tile shape"));
  // Another trace has its own tiles.
  ui.open(recorded::steps());
  CHECK(ui.ws.memory.beside == -1);
}

TEST_CASE("memory that has no banks offers none") {
  trace::Trace trace = recorded::steps();
  trace::Memory tile = recorded::tile();
  trace.events.emplace_back(tile);
  tile.space = "global";
  trace.events.emplace_back(tile);
  Ui ui;
  ui.open(trace);
  ui.type("m");
  ui.step();
  CHECK(ui.drawn("tile label bank"));
  CHECK(ui.drawn("about banks"));
  ui.type("k");
  CHECK(ui.ws.memory.label == 1);
  ui.type("]");
  ui.step();
  CHECK_FALSE(ui.drawn("tile label bank"));
  CHECK(ui.drawn("about no banks"));
  ui.click("tile label byte");
  CHECK(ui.ws.memory.label == 2);
  ui.type("k");
  CHECK(ui.ws.memory.label == 2);
  CHECK(ui.ws.message == "global memory has no banks");
  ui.click("tile label value");
  CHECK(ui.ws.memory.label == 0);
  show_beside(ui.ws, 0);  // of shared memory
  ui.step();
  CHECK(ui.drawn("tile label bank"));
}

TEST_CASE("two tiles side by side: rows are equally high, and no heading is cut off") {
  trace::Trace trace = recorded::steps();
  trace::Memory tile;  // as lesson 21's parts are
  tile.name = std::string(40, 'n');
  tile.space = "global";
  tile.type = "f32";
  tile.rows = 32;
  tile.cols = 4;
  tile.row_stride_bytes = 16;
  tile.bytes.resize(32 * 16);
  for (int copy = 0; copy < 2; ++copy) trace.events.emplace_back(tile);
  Ui ui(1900, 920);
  ui.open(trace);
  show(ui.ws, Shows::memory);
  show_beside(ui.ws, 1);
  int both = 0, shapes = 0;
  for (float width = 1900; width > 1000; width -= 75) {
    CAPTURE(width);
    ui.resize(width, 1104);
    ui.step();
    const Box first = ui.where("cell 9,0"), second = ui.where("beside 9,0");
    if (second.left == first.left) continue;  // one above the other
    ++both;
    CHECK(first.top == second.top);
    CHECK(first.height == second.height);
    const float end = ui.where("second title").left;
    for (const char* name : {"first title", "first shape"})
      if (ui.drawn(name)) CHECK(ui.where(name).left + ui.where(name).width <= end);
    shapes += ui.drawn("first shape");
  }
  CHECK(both > 8);
  CHECK(shapes > 0);
  CHECK(shapes < both);
}

TEST_CASE("memory: read through a swizzle, what is picked stays picked") {
  trace::Trace trace = recorded::steps();
  trace::Memory tile = recorded::tile();
  tile.cols = 64;
  tile.row_stride_bytes = 128;
  tile.bytes.resize(16 * 128);
  trace.events.emplace_back(tile);
  Ui ui;
  ui.open(trace);
  show(ui.ws, Shows::memory);
  ui.step();
  ui.step();
  ui.click("cell 9,5");
  CHECK(selected_words(ui.ws) == "A in shared memory 9,5");
  ui.click("tile read 128B");
  CHECK(selected_words(ui.ws) == "A in shared memory 9,13 through 128B");
  ui.click("cell 9,5");
  CHECK(selected_words(ui.ws) == "A in shared memory 9,5 through 128B");
  ui.type("x");  // around: as it lies
  CHECK(selected_words(ui.ws) == "A in shared memory 9,13");
  ui.type("x");
  CHECK(ui.ws.memory.reading == layout::Swizzle::b32);
  ui.find("128B 2,8");
  CHECK(selected_words(ui.ws) == "A in shared memory 2,8 through 128B");
  ui.find("straight");
  CHECK(selected_words(ui.ws) == "A in shared memory 2,24");
  ui.find("96B 2,8");
  CHECK(ui.ws.message_is_error);
}

TEST_CASE("memory: from an element to the step that reads it, and to the lane that has it") {
  trace::Trace trace = recorded::everything();
  for (trace::Event& event : trace.events)
    if (auto* tile = std::get_if<trace::Memory>(&event); tile != nullptr && tile->rows == 16) {
      tile->address = 0;
      tile->row_stride_bytes = 64;
    }
  Ui ui;
  ui.open(std::move(trace));
  ui.click("view memory");
  ui.click("cell 3,12");
  CHECK_FALSE(ui.drawn("touch 0"));  // the ldmatrix reads eight columns
  ui.click("cell 9,5");
  ui.click("touch 0");
  CHECK(ui.ws.shows == Shows::steps);
  CHECK(view_words(ui.ws) == "warp 0 step 12");
  ui.type("m");
  ui.step();
  ui.click("touch lane 0");
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.selected() == "A 9,5");
}

TEST_CASE("memory: sixteen rows and their passes are in sight in a small window") {
  Ui ui(1024, 700);
  ui.open(with_tile(16, 64));
  ui.type("m");
  ui.step();
  ui.step();
  const float top = ui.where("cell 0,0").top;
  ui.move_to("cell 8,3");
  feed_wheel(-5);
  ui.step();
  ui.step();
  CHECK(ui.where("cell 0,0").top == top);  // nothing to scroll
}

TEST_CASE("memory: a tile too wide or too high for its room stands in parts, all in sight") {
  struct Shape {
    int rows, cols, row, col;  // and the first cell of its second part
  };
  for (const Shape& shape : {Shape{16, 64, 0, 32}, Shape{64, 16, 32, 0}}) {
    CAPTURE(shape.rows);
    Ui ui(1700, 1060);
    ui.open(with_tile(shape.rows, shape.cols));
    ui.type("m");
    ui.step();
    ui.step();
    const bool wide = shape.cols > shape.rows;
    const Box first = ui.where("cell 0,0");
    const std::string second = fmt::format("cell {},{}", shape.row, shape.col);
    CHECK((ui.where(second).left == first.left) == wide);
    CHECK((ui.where(second).top == first.top) == !wide);
    const Box last = ui.where(fmt::format("cell {},{}", shape.rows - 1, shape.cols - 1));
    CHECK(last.top + last.height < 1030);
    CHECK(last.left + last.width < ui.where("split").left);
    // A cell of the second part is clicked, and left by keys into the first.
    ui.click(second);
    CHECK((ui.ws.memory.row == shape.row && ui.ws.memory.col == shape.col));
    ui.press(wide ? Key::left : Key::up);
    CHECK((ui.ws.memory.row == shape.row - (wide ? 0 : 1) &&
           ui.ws.memory.col == shape.col - (wide ? 1 : 0)));
    // Larger cells keep the parts; beside another tile, with which it keeps step, it is in one.
    ui.type("+");
    ui.step();
    CHECK((ui.where(second).top == ui.where("cell 0,0").top) == !wide);
    CHECK(ui.where("cell 0,0").height > first.height);
    ui.type("0");
    show_beside(ui.ws, 1);
    ui.resize(1700, 2100);
    ui.step();
    ui.step();
    CHECK((!ui.drawn(second) || (ui.where(second).left == ui.where("cell 0,0").left) != wide));
  }
}

TEST_CASE("memory: labels become smaller where all of a tile is in sight then") {
  Ui ui(1280, 720);
  trace::Trace trace = with_tile(16, 64);
  for (trace::Event& event : trace.events)
    if (auto* tile = std::get_if<trace::Memory>(&event); tile != nullptr && tile->cols == 64)
      for (std::size_t at = 0; at < tile->bytes.size(); ++at)
        tile->bytes[at] = at % 2 == 0 ? 0xd0 : 0x63;  // 1000
  ui.open(trace);
  ui.type("m");
  ui.step();
  ui.step();
  const Box first = ui.where("cell 0,0"), last = ui.where("cell 15,63");
  CHECK(last.left + last.width < ui.where("split").left);
  CHECK(last.top + last.height < 720 - 2 * 16);
  CHECK(ui.where("cell 0,32").left == first.left);  // in two parts
  CHECK(ui.drawn("tile with labels"));
  int in_parts = 0;
  for (float width = 1280; width > 1000; width -= 6) {  // either in parts or without them, labelled
    CAPTURE(width);
    ui.resize(width, 720);
    in_parts += ui.drawn("cell 0,32") && ui.where("cell 0,32").left == ui.where("cell 0,0").left;
    CHECK(ui.drawn("tile with labels"));
  }
  CHECK(in_parts > 5);
  ui.resize(1280, 720);
  ui.type("+");  // larger ones have to be scrolled
  ui.step();
  CHECK(ui.where("cell 0,0").width > first.width);
}

TEST_CASE("memory: larger and smaller cells") {
  Ui ui;
  ui.open(recorded::everything());
  ui.type("m");
  ui.step();
  const float before = ui.where("cell 0,0").width;
  ui.type("-");
  ui.step();
  CHECK(ui.where("cell 0,0").width < before);
  ui.type("0");
  ui.step();
  CHECK(ui.where("cell 0,0").width == before);
}

}  // namespace
}  // namespace lanescope::viz
