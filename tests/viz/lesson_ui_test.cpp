// SPDX-License-Identifier: MIT
// A lesson's page in the window: its elements and commands are clicked, and everything that any
// lesson's page offers leads where it says.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "layout/cute_layout.hpp"
#include "panels/lesson/code_rows.hpp"
#include "panels/look/widgets.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/ui_fixture.hpp"
#include "trace/beside.hpp"
#include "trace/reader.hpp"

namespace lanescope::viz {
namespace {

namespace fs = std::filesystem;

/// A trace of lesson 5 that has everything, and a page beside it.
void open_page(Ui& ui, std::vector<std::string> lines) {
  trace::Trace trace = recorded::everything();
  trace.header.program = "05_made_up";
  ui.open(std::move(trace));
  ui.ws.lesson = {"README.md", std::move(lines)};
  ui.ws.tab = TextTab::lesson;
  ui.step();
  ui.step();
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  REQUIRE_MESSAGE(in, path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// All that leads somewhere in a page, paragraphs and commands alike.
std::vector<LessonLink> links_of(const std::vector<std::string>& lines, int lesson) {
  std::vector<LessonLink> links;
  bool code = false;
  for (const std::string& line : lines) {
    if (line.starts_with("```")) {
      code = !code;
    } else if (code || line.starts_with("    ")) {
      links.push_back(
          link_of(line.substr(std::min(line.find_first_not_of(' '), line.size())), lesson));
    } else {
      for (const LessonSpan& span : lesson_spans(line, lesson)) links.push_back(span.link);
    }
  }
  std::erase_if(links, [](const LessonLink& l) { return l.to == LessonLink::To::nowhere; });
  return links;
}

}  // namespace

TEST_CASE("an element of the lesson's words is selected by a click, from any view") {
  Ui ui;
  open_page(ui, {"first words, then **A[9][5]**.", "", "and B[3][4]"});
  ui.move_to("link A[9][5]");
  CHECK(ui.ws.hint == "selects A 9,5");
  ui.click("link A[9][5]");
  ui.step();
  CHECK(ui.selected() == "A 9,5");
  show(ui.ws, Shows::memory);
  ui.step();
  ui.step();
  ui.click("link B[3][4]");
  ui.step();
  CHECK(ui.ws.shows == Shows::fragments);
  CHECK(ui.selected() == "B 3,4");
}

TEST_CASE("a line of blanks parts paragraphs as an empty one does") {
  Ui ui;
  open_page(ui, {"A[9][5]", "   ", "B[3][4]"});
  const Box first = ui.where("link A[9][5]");
  CHECK(first.top + first.height < ui.where("link B[3][4]").top);
}

TEST_CASE("an element that this trace does not have is text") {
  Ui ui;
  open_page(ui, {"A[99][5], B[9][5]"});
  CHECK(!ui.drawn("link A[99][5]"));
  CHECK(ui.drawn("link B[9][5]"));
  follow(ui.ws, lesson_spans("A[99][5]", 5).front().link);
  CHECK(ui.ws.message == "A 99,5 is not in this trace");
  CHECK(ui.selected().empty());
}

TEST_CASE("commands that look are obeyed, in a block and in a sentence") {
  Ui ui;
  open_page(ui, {"```sh", "./learn lesson 5 # run it", "./learn view 5 --panel pipeline # look",
                 "```", "See `--panel memory`, or",
                 "`./learn layout ldmatrix.sync.aligned.m8n8.x1.shared.b16`."});
  CHECK(!ui.drawn("link ./learn lesson 5"));
  // Between its words it is the same link: the place of the last piece is noted, "pipeline".
  const Box last = ui.where("link ./learn view 5 --panel pipeline");
  feed_mouse(last.left - 2, last.top + 3);
  ui.step();
  ui.step();
  CHECK(ui.ws.hint == "shows it here: pipeline");
  ui.click("link ./learn view 5 --panel pipeline");
  ui.step();
  CHECK(ui.ws.shows == Shows::pipeline);
  ui.click("link --panel memory");
  ui.step();
  CHECK(ui.ws.shows == Shows::memory);
  follow(ui.ws, link_of("./learn view 5 --panel memory --product 1,2", 5));
  CHECK(ui.ws.memory.current == 0);
  CHECK(ui.ws.memory.beside == 1);
  show(ui.ws, Shows::fragments);
  ui.step();
  ui.step();
  ui.click("link ./learn layout ldmatrix.sync.aligned.m8n8.x1.shared.b16");
  ui.step();
  ui.step();
  CHECK(ui.ws.page == Page::entry);
  ui.press(Key::escape);
  CHECK(ui.ws.page == Page::trace);
}

TEST_CASE("an exercise in PTX is put on the bench, where there is one") {
  Ui ui;
  open_page(ui, {"```sh", "./learn watch 5 --ptx   # do another one", "```"});
  CHECK(!ui.drawn("link ./learn watch 5 --ptx"));
  ui.ws.has_bench = true;
  ui.step();
  ui.step();
  ui.click("link ./learn watch 5 --ptx");
  ui.step();
  CHECK(ui.ws.bench_request == "exercise 5");
}

TEST_CASE("what is wider than the page moves sideways alone, and lets the page scroll") {
  Ui ui;
  std::vector<std::string> lines = {"```",
                                    "./learn view 5 --panel memory # " + std::string(99, '-'),
                                    "./learn view 5 --panel steps", "```", "of A[9][5]"};
  lines.insert(lines.end(), 99, "* a line");
  open_page(ui, lines);
  const std::string command = "link ./learn view 5 --panel steps", element = "link A[9][5]";
  const Box wide = ui.where(command), words = ui.where(element);
  CHECK(wide.top < words.top);
  ui.move_to(command);
  feed_wheel(0, -1);
  ui.step();
  ui.step();
  CHECK(ui.where(command).left < wide.left);
  CHECK(ui.where(element).left == words.left);
  CHECK(ui.where(element).top == words.top);
  for (int frame = 0; frame < 60; ++frame) ui.step();  // newer ImGui keeps to one for a second
  feed_wheel(-1);
  ui.step();
  ui.step();
  CHECK(ui.where(element).top < words.top);
}

TEST_CASE("the page takes all the room beside the picture, and gives it back to who looks") {
  for (const float width : {700.0f, 1280.0f, 1440.0f}) {
    CAPTURE(width);
    Ui ui(width, 800);
    open_page(ui, {"words of A[9][5]"});
    ui.click("A 3,4");
    const float usual = ui.drawn("words") ? ui.where("words").width : 0;
    ui.type("W");
    ui.step();
    CHECK(ui.ws.reading);
    CHECK(ui.where("words").width > 1.4f * usual);
    ui.click("link A[9][5]");
    ui.step();
    CHECK(ui.selected() == "A 9,5");
    CHECK(ui.ws.reading);
    ui.click("A 3,4");
    CHECK(ui.selected() == "A 3,4");
    CHECK(!ui.ws.reading);
    ui.type("W");
    ui.step();
    ui.press(Key::escape);
    CHECK(!ui.ws.reading);
    CHECK(ui.selected() == "A 3,4");
  }
}

TEST_CASE("in the other views, too, and by a click") {
  Ui ui;
  open_page(ui, {"words"});
  for (const Shows shows : {Shows::memory, Shows::pipeline}) {
    show(ui.ws, shows);
    ui.step();
    ui.step();
    ui.click("room");
    ui.step();
    CHECK(ui.ws.reading);
    CHECK(ui.where("words").top < 200);  // nothing is above it
    ui.type("W");
    ui.step();
    CHECK(!ui.ws.reading);
  }
  show(ui.ws, Shows::steps);
  ui.type("W");
  ui.step();
  ui.step();
  CHECK(ui.drawn("words"));
}

TEST_CASE("beside the steps the source takes the room of the step, too") {
  for (const float width : {1440.0f, 1000.0f}) {
    CAPTURE(width);
    Ui ui(width, 920);
    ui.ws.sources["lesson.cu"] = {"lesson.cu", {"line"}};
    ui.open(recorded::steps());
    ui.step();
    const float usual = ui.drawn("words") ? ui.where("words").width : 0;
    if (ui.drawn("room"))  // without a lesson, too
      ui.click("room");
    else
      ui.type("W");
    ui.step();
    CHECK(ui.ws.reading);
    CHECK(ui.where("words").width > 1.4f * usual);
    ui.click("room");
    ui.step();
    CHECK_FALSE(ui.ws.reading);
  }
}

TEST_CASE("of a long line of source nothing is out of sight") {
  Ui ui;
  const std::string line = "    " + std::string(30, 'a') + ", " + std::string(30, 'b') + ", end);";
  ui.ws.sources["lesson.cu"] = {"lesson.cu", {"int short_one = 1;", line}};
  ui.open(recorded::steps());
  ui.step();
  const Box words = ui.where("words"), first = ui.where("source 1: int short_one = 1;");
  std::vector<CodeRow> rows;
  for (std::size_t columns = 100; columns > 8 && rows.empty(); --columns) {
    rows = code_rows(line, columns);
    if (std::any_of(rows.begin(), rows.end(), [&](const CodeRow& row) {
          return !ui.drawn("source 2: " + std::string(row.text));
        }))
      rows.clear();
  }
  REQUIRE(rows.size() > 1);
  float below = first.top;
  for (const CodeRow& row : rows) {
    const Box box = ui.where("source 2: " + std::string(row.text));
    CHECK(box.left + box.width <= words.left + words.width);
    CHECK(box.top >= below + box.height);
    CHECK((box.left > first.left) == (row.indent > 0));  // what goes on stands deeper
    below = box.top;
  }
}

TEST_CASE("the source's name has a line of its own, below what is beside the tabs") {
  Ui ui;
  ui.ws.sources["lesson.cu"] = {"lesson.cu", {"line"}};
  ui.open(recorded::steps());
  ui.ws.lesson = {"README.md", {"words"}};
  ui.step();
  REQUIRE(ui.ws.tab == TextTab::source);
  for (const char* link : {"room", "predict"})
    CHECK(ui.where("source name").top >= ui.where(link).top + ui.where(link).height);
}

TEST_CASE("a paragraph has the width of its panel, however long its words are") {
  Ui ui;
  std::string words;
  for (int k = 0; k < 60; ++k) words += "A[" + std::to_string(k % 16) + "][5]**,** ";
  open_page(ui, {words, "", std::string(5000, 'x') + " `" + std::string(500, 'y') + "`"});
  const Box panel = ui.where("words");
  std::set<float> tops;
  for (int row = 0; row < 16; ++row) {
    const Box box = ui.where("link A[" + std::to_string(row) + "][5]");
    CHECK(box.left >= panel.left);
    CHECK(box.left + box.width <= panel.left + panel.width + 1);
    tops.insert(box.top);
  }
  CHECK(tops.size() > 1);  // several lines
}

TEST_CASE("a table with names on two sides says of every cell which column it is in") {
  Ui ui;
  open_page(ui, {"| | LBO | SBO |", "|---|---|---|", "| K-major | next 8 | not used |", "",
                 "| `a` | first | then |", "|---|---|---|", "| `b` | second | last |"});
  CHECK(ui.drawn("row: LBO: next 8; SBO: not used"));
  CHECK(ui.drawn("row: first; then"));  // another table
  CHECK(ui.drawn("row: second; last"));
}

TEST_CASE("the tiles of lessons 4 and 7 say whether they were put down swizzled") {
  const auto modes = [](const char* lesson) {
    trace::ReadResult read = trace::read_file(
        (fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson / "recorded.lanes").string());
    REQUIRE(read.ok());
    std::vector<layout::Swizzle> found;
    for (const trace::Memory* tile : tiles_of(read.trace)) found.push_back(seems_swizzled(*tile));
    return found;
  };
  using layout::Swizzle;
  CHECK(modes("04_banks_and_swizzle") ==
        std::vector<Swizzle>{Swizzle::none, Swizzle::none, Swizzle::none, Swizzle::b128});
  CHECK(modes("07_fast_hgemm").front() == Swizzle::b128);
}

TEST_CASE("lesson 15: a lane's metadata lead to their map, and what they say stands beside it") {
  trace::ReadResult read = trace::read_file(
      (fs::path(LANESCOPE_SOURCE_DIR) / "lessons/15_sparsity/recorded.lanes").string());
  REQUIRE(read.ok());
  Ui ui;
  ui.open(std::move(read.trace));
  ui.find("A 9,4");
  ui.step();
  CHECK_FALSE(ui.drawn("metadata"));
  ui.click("register E.r0");
  CHECK(selected_words(ui.ws) == "E selector 0 lane 6");
  ui.step();
  CHECK(ui.drawn("metadata"));
  ui.find("E selector 1 lane 6");  // the product has selector 0: nothing to say of 1
  ui.step();
  CHECK_FALSE(ui.drawn("metadata"));
  ui.find("E selector 0 9,5");
  ui.step();
  CHECK(ui.drawn("metadata"));
}

TEST_CASE("lesson 18: an element's scale stands under its name, and leads to the map of scales") {
  trace::ReadResult read = trace::read_file(
      (fs::path(LANESCOPE_SOURCE_DIR) / "lessons/18_block_scale/recorded.lanes").string());
  REQUIRE(read.ok());
  Ui ui(1024, 700);
  ui.open(std::move(read.trace));
  ui.find("A 9,37");
  ui.step();
  const Box scale = ui.where("scale");
  CHECK(scale.top + scale.height < 200);
  ui.click("scale");
  CHECK(selected_words(ui.ws) == "SFA 9,2");
  ui.find("D 9,5");  // of a sum there are as many as it has blocks: they stand with its products
  ui.step();
  CHECK_FALSE(ui.drawn("scale"));
}

TEST_CASE("whatever a lesson's page offers, the window has it") {
  std::set<LessonLink::To> seen;
  int lessons = 0, followed = 0;
  for (const auto& folder : fs::directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / "lessons")) {
    const int number = lesson_number(folder.path().filename().string());
    if (number == 0) continue;
    ++lessons;
    CAPTURE(number);
    const std::string path = (folder.path() / "recorded.lanes").string();
    trace::ReadResult read = trace::read_file(path);
    REQUIRE(read.ok());
    REQUIRE(trace::add_steps_beside(read.trace, path).empty());
    Ui ui;
    ui.open(std::move(read.trace));
    ui.ws.lesson = {"README.md", lines_of(folder.path() / "README.md")};
    ui.step();
    for (const LessonLink& link : links_of(ui.ws.lesson.lines, number)) {
      CAPTURE(does(link));
      if (!leads(ui.ws, link)) continue;  // of another shape than the one that was recorded
      go_to(ui.ws, Page::trace);
      follow(ui.ws, link);
      ui.step();
      // Three lessons came without their steps; the window says who records them.
      const bool missing = ui.ws.message.find("--device cpu records it") != std::string::npos;
      CHECK_MESSAGE((missing || !ui.ws.message_is_error), ui.ws.message);
      if (missing) continue;
      seen.insert(link.to);
      ++followed;
      if (link.to == LessonLink::To::atlas) {  // a layout of CuTe's is that of many
        const bool many = layout::is_cute_layout(link.words);
        CHECK(ui.ws.page == (many                 ? Page::atlas
                             : link.other.empty() ? Page::entry
                                                  : Page::compare));
      }
      if (link.to == LessonLink::To::swizzle) CHECK(ui.ws.page == Page::swizzle);
      if (link.to == LessonLink::To::descriptor) CHECK(ui.ws.page == Page::descriptor);
      if (!link.panel.empty()) CHECK(link.panel == name_of(ui.ws.shows));
    }
  }
  CHECK(lessons == 23);
  CHECK(seen.size() == 5);
  CHECK(followed > 40);
}

}  // namespace lanescope::viz
