// SPDX-License-Identifier: MIT
// The picture itself, through EGL and Mesa's software renderer: no display is needed.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/trace_files.hpp"
#include "tests/build_folder.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/shot.hpp"
#include "tests/viz/synthetic.hpp"
#include "trace/file.hpp"

namespace lanescope::viz {
namespace {

TEST_CASE("every cell has its lane's colour, in the dark and in the light") {
  for (const bool dark : {true, false}) {
    Workspace ws;
    ws.dark = dark;
    show_model(ws, make_model(synthetic::trace_of({synthetic::kF16})), "t.lanes");
    const Shot shot = shoot(ws);
    for (const char operand : {'A', 'B', 'D'}) {
      const layout::Fragment& map = *ws.shown()->map(operand);
      for (int row = 0; row < map.rows; ++row)
        for (int col = 0; col < map.cols; ++col) {
          CAPTURE(operand);
          CAPTURE(row);
          CAPTURE(col);
          CHECK(shot.corner_of(fmt::format("{} {},{}", operand, row, col)) ==
                lane_colour(ws.shown()->holder(operand, row, col).thread, dark, Shade::normal));
        }
    }
  }
}

TEST_CASE("what is not selected steps back") {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({synthetic::kF16})), "t.lanes");
  ws.selection = select_lane(13);
  const Shot shot = shoot(ws);
  CHECK(shot.corner_of("A 0,0") == lane_colour(0, true, Shade::dim));
  CHECK(shot.corner_of("A 3,2") == lane_colour(13, true, Shade::bright));
}

TEST_CASE("two renders of one workspace are the same, bit for bit") {
  Workspace ws;
  show_model(ws, make_model(synthetic::trace_of({synthetic::kF16})), "t.lanes");
  ws.selection = select_element(*ws.shown(), 'D', 4, 3);
  const Shot first = shoot(ws);
  const Shot second = shoot(ws);
  CHECK(first.picture.pixels == second.picture.pixels);
  ws.selection = {};
  CHECK(shoot(ws).picture.pixels != first.picture.pixels);
}

TEST_CASE("a screenshot is a PNG of the size asked for, or the usual one scaled") {
  const std::string folder = tests::build_folder() / "tests/viz_screenshot";
  std::filesystem::create_directories(folder);
  const std::string trace = folder + "/t.lanes";
  REQUIRE_FALSE(trace::write_file(trace, synthetic::trace_of({synthetic::kF16})).has_value());
  const std::string png = folder + "/t.png";
  WindowOptions options;
  options.trace = trace;
  options.selection = "A 9,5";
  options.scale = 1.5f;
  options.width = 800;
  options.height = 600;
  const auto size = [&] {
    REQUIRE(screenshot(options, png).empty());
    std::ifstream in(png, std::ios::binary);
    std::string head(24, '\0');
    in.read(head.data(), 24);
    CHECK(head.substr(1, 3) == "PNG");
    const auto number = [&head](std::size_t at) {
      return static_cast<unsigned char>(head[at + 2]) * 256 +
             static_cast<unsigned char>(head[at + 3]);
    };
    return std::pair{number(16), number(20)};
  };
  CHECK(size() == std::pair{800, 600});  // of pixels: the scale enlarges what is in it
  options.width = 0;
  CHECK(size() == std::pair{2160, 600});
  options.height = 0;
  CHECK(size() == std::pair{2160, 1380});
  const auto refuses = [&](const std::string& path, const char* why) {
    const std::string problem = screenshot(options, path);
    CAPTURE(problem);
    CHECK(problem.find(why) != std::string::npos);
  };
  options.selection = "A 99,5";
  refuses(png, "A has no row 99");
  options.selection = "";
  refuses(folder + "/no/such/folder/t.png", "No such file or directory");
  options.trace = folder + "/none.lanes";
  refuses(png, "none.lanes");
}

TEST_CASE("a picture for which there is no room is not there by half") {
  const std::string folder = tests::build_folder() / "tests/viz_half";
  std::filesystem::create_directories(folder);
  const std::string png = folder + "/half.png";
  WindowOptions options;
  options.page = "swizzle";
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{1024, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string problem = screenshot(options, png);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(problem == "cannot write " + png + ": File too large");
  CHECK_FALSE(std::filesystem::exists(png));
}

TEST_CASE("a picture that cannot be written whole says why") {
  const Picture dots{2, 1, std::vector<std::uint8_t>(6)};
  CHECK(write_png(dots, "/dev/full") == "cannot write /dev/full: No space left on device");
  const std::string nowhere = tests::build_folder() / "no/such/folder/dots.png";
  CHECK(write_png(dots, nowhere) == "cannot write " + nowhere + ": No such file or directory");
}

TEST_CASE("the steps beside a trace come with it, and have no line of their own in the list") {
  const std::string folder = tests::build_folder() / "tests/viz_beside";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  trace::Trace steps = recorded::pipeline();
  const trace::Trace lanes = synthetic::trace_of({synthetic::kF16});
  steps.header.program = lanes.header.program;
  const std::string path = folder + "/t.lanes";
  REQUIRE_FALSE(trace::write_file(path, lanes));
  WindowOptions options;
  options.trace = path;
  options.traces_folder = folder;
  options.panel = "pipeline";
  Workspace without;
  CHECK(begin_session(without, options) ==
        "this trace has no pipeline: lanescope run --steps records it, if warps copy or wait");
  REQUIRE_FALSE(trace::write_file(folder + "/t.steps.lanes.zst", steps));
  Workspace with;
  CHECK(begin_session(with, options) == "");
  CHECK(with.shows == Shows::pipeline);
  CHECK(with.pipeline.there);
  CHECK(with.traces.size() == 1);
  std::ofstream(folder + "/t.steps.lanes.zst") << "nonsense";
  Workspace damaged;
  CHECK(begin_session(damaged, options).find("t.steps.lanes.zst is no trace") != std::string::npos);
  options.panel = "";
  options.tab = "source";
  Workspace no_source;
  CHECK(begin_session(no_source, options) ==
        "--tab source: no source is known of what this page shows; steps have theirs (--panel "
        "steps), and so have fragments whose file is on the disk");
  options.tab = "trace";
  Workspace other;
  CHECK(begin_session(other, options) == "");
  CHECK(other.message_is_error);  // said, but the trace itself is shown
  CHECK(other.shown() != nullptr);
  // A card's trace has a page for steps, which says who records them: nobody has written a line.
  REQUIRE_FALSE(trace::write_file(path, synthetic::trace_of({synthetic::kF16}, "gpu")));
  std::filesystem::remove(folder + "/t.steps.lanes.zst");
  options.panel = "steps";
  options.tab = "source";
  Workspace of_card;
  CHECK(begin_session(of_card, options).find("--tab source: no source is known") == 0);
}

TEST_CASE("an element of a trace of steps alone is one of the products in them") {
  const std::string path = tests::build_folder() / "tests/viz_steps_alone.lanes";
  trace::Trace steps = recorded::way();
  std::erase_if(steps.events, [](const trace::Event& event) {
    return std::holds_alternative<trace::Fragment>(event) ||
           std::holds_alternative<trace::View>(event);
  });
  REQUIRE_FALSE(trace::write_file(path, steps));
  WindowOptions options;
  options.trace = path;
  options.selection = "A 9,5";
  Workspace element;
  CHECK(begin_session(element, options) == "");
  CHECK(element.shows == Shows::fragments);
  CHECK(element.selection.operand == 'A');
  options.selection = "step 5";
  Workspace step;
  CHECK(begin_session(step, options) == "");
  CHECK(step.shows == Shows::steps);
  for (const char* panel : {"", "steps"}) {  // of neither; of what was asked for
    options.panel = panel;
    options.selection = options.panel.empty() ? "A 99,5" : "A 9,5";
    Workspace none;
    CHECK(begin_session(none, options).find("no step writes '") == 0);
  }
}

TEST_CASE("a tab that is asked for is shown, also where the registers share its place") {
  const std::string path = tests::build_folder() / "tests/viz_tab.lanes";
  REQUIRE_FALSE(trace::write_file(path, synthetic::trace_of({synthetic::kF16})));
  WindowOptions options;
  options.trace = path;
  Workspace usual, asked;
  REQUIRE(begin_session(usual, options) == "");
  CHECK(usual.registers_shown);
  options.tab = "lesson";
  REQUIRE(begin_session(asked, options) == "");
  CHECK_FALSE(asked.registers_shown);
  CHECK(asked.tab == TextTab::lesson);
}

TEST_CASE("damaged traces: the reader's message, and the window keeps what it has") {
  const std::string folder = tests::build_folder() / "tests/viz_damaged";
  std::filesystem::create_directories(folder);
  const std::string good = folder + "/good.lanes";
  REQUIRE_FALSE(trace::write_file(good, synthetic::trace_of({synthetic::kF16})).has_value());
  std::ifstream in(good, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  Workspace ws;
  const WindowOptions options;
  REQUIRE(open_trace(ws, options, good) == "");
  for (const std::size_t keep :
       {std::size_t{0}, std::size_t{10}, bytes.size() / 2, bytes.size() - 3}) {
    const std::string bad = folder + "/bad.lanes";
    std::ofstream(bad, std::ios::binary) << bytes.substr(0, keep);
    const std::string message = open_trace(ws, options, bad);
    CAPTURE(keep);
    CHECK(message.find("bad.lanes") != std::string::npos);
    CHECK(message.ends_with("/" + ws.message));  // in the window without the folders
    CHECK(ws.message.starts_with("bad.lanes"));
    CHECK(ws.message_is_error);
    CHECK(ws.shown() != nullptr);
    CHECK(ws.trace_path == good);
  }
}

TEST_CASE("the list of traces: newest first, other files left out") {
  const std::string folder = tests::build_folder() / "tests/viz_list";
  std::filesystem::remove_all(folder);
  for (const char* name : {"/deeper.lanes.d", "/folder.lanes"})
    std::filesystem::create_directories(folder + name);
  for (const char* name : {"a.lanes", "b.lanes.zst", "notes.txt", "c.lanes.tmp"})
    std::ofstream(folder + "/" + name) << "x";
  const auto now = std::filesystem::last_write_time(folder + "/a.lanes");
  std::filesystem::last_write_time(folder + "/b.lanes.zst", now + std::chrono::hours(1));
  const std::vector<TraceFile> files = list_traces(folder);
  REQUIRE(files.size() == 2);
  CHECK(files[0].name == "b.lanes.zst");
  CHECK(files[1].name == "a.lanes");
  CHECK(files[1].detail == "1 byte");
  CHECK(list_traces(folder + "/none").empty());
  // Behind them what came with the lessons.
  std::filesystem::create_directories(folder + "/lessons/02_two");
  std::filesystem::create_directories(folder + "/lessons/01_one");
  std::filesystem::create_directories(folder + "/lessons/guide");
  for (const char* name : {"02_two", "01_one"})
    std::ofstream(folder + "/lessons/" + name + "/recorded.lanes") << "xy";
  WindowOptions options;
  options.traces_folder = folder;
  options.lessons_folder = folder + "/lessons";
  const std::vector<TraceFile> all = list_traces(options);
  REQUIRE(all.size() == 4);
  CHECK(all[2].name == "01_one");
  CHECK(all[2].path == folder + "/lessons/01_one/recorded.lanes");
  CHECK(all[3].detail == "came with the lesson, 2 bytes");
  // What is open and lies elsewhere can be read anew; what is listed is not listed twice.
  const std::vector<TraceFile> elsewhere = list_traces(options, folder + "/lessons/my.lanes");
  REQUIRE(elsewhere.size() == 5);
  CHECK(elsewhere[0].name == "my.lanes");
  CHECK(list_traces(options, folder + "/lessons/../a.lanes").size() == 4);
}

TEST_CASE("pictures lie beside their trace, but not in a lesson's folder") {
  const std::string folder = tests::build_folder() / "tests/viz_names";
  std::filesystem::remove_all(folder);
  WindowOptions options;
  options.traces_folder = folder;
  CHECK(picture_path(folder + "/01.cpu.lanes.zst", options, ".png") == folder + "/01.cpu.png");
  CHECK(picture_path("", options, ".svg") == folder + "/lanescope.svg");
  const std::string recorded = "lessons/03_ldmatrix/recorded.lanes";
  CHECK(picture_path(recorded, options, ".png") == folder + "/03_ldmatrix.png");
  std::ofstream(folder + "/03_ldmatrix.png") << "x";
  CHECK(picture_path(recorded, options, ".png") == folder + "/03_ldmatrix.2.png");
}

TEST_CASE("a screenshot into an .svg is a drawing of the maps") {
  const std::string folder = tests::build_folder() / "tests/viz_svg";
  std::filesystem::create_directories(folder);
  WindowOptions options;
  options.page = "atlas";
  options.page_words = "ldmatrix.sync.aligned.m8n8.x1.shared.b16";
  CHECK(screenshot(options, folder + "/map.svg").empty());
  std::ifstream in(folder + "/map.svg");
  std::string first;
  std::getline(in, first);
  CHECK(first.rfind("<svg xmlns=", 0) == 0);
  options.page_words = "";
  CHECK_FALSE(screenshot(options, folder + "/list.svg").empty());
  CHECK_FALSE(std::filesystem::exists(folder + "/list.svg"));
}

}  // namespace
}  // namespace lanescope::viz
