// SPDX-License-Identifier: MIT
// A trace, or one of two, that is written anew while the window shows it: when that is seen, and
// what stays.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "app/file_watch.hpp"
#include "app/session.hpp"
#include "app/trace_files.hpp"
#include "panels/panels.hpp"
#include "tests/build_folder.hpp"
#include "tests/viz/recorded.hpp"
#include "trace/file.hpp"

namespace lanescope::viz {
namespace {

using std::chrono::milliseconds;

std::string write(trace::Trace made, const char* name = "t.lanes") {
  const std::filesystem::path folder = tests::build_folder() / "tests/viz reread";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / name).string();
  REQUIRE(!trace::write_file(path, made));
  return path;
}

// Another value in A.r1 of lane 6.
trace::Trace changed() {
  trace::Trace made = recorded::everything();
  for (trace::Event& event : made.events)
    if (auto* fragment = std::get_if<trace::Fragment>(&event))
      fragment->registers[1][6] = 0x12345678;
  return made;
}

struct Opened {
  Workspace ws;
  WindowOptions options;
  std::string path = write(recorded::everything());
  Opened() { REQUIRE(open_trace(ws, options, path) == ""); }
};

}  // namespace

TEST_CASE("a trace read again has its new values, and what was looked at before") {
  Opened o;
  REQUIRE(search(o.ws, "A 9,5"));
  o.ws.zoom = 1.5f;
  o.ws.tab = TextTab::trace;
  CHECK(stamp_of(std::vector{o.path}) == o.ws.trace_stamp);
  write(changed());
  CHECK(stamp_of(std::vector{o.path}) != o.ws.trace_stamp);
  CHECK(reread(o.ws, o.options) == "");
  CHECK(stamp_of(std::vector{o.path}) == o.ws.trace_stamp);
  CHECK(o.ws.message == "t.lanes was written anew, and is read again");
  CHECK_FALSE(o.ws.message_is_error);
  CHECK(selected_words(o.ws) == "A 9,5");
  CHECK(o.ws.shown()->fragment('A')->registers[1][6] == 0x12345678);
  CHECK(o.ws.zoom == 1.5f);
  CHECK(o.ws.tab == TextTab::trace);
}

TEST_CASE("read again: the view, its step, its tile and how that is read stay") {
  Opened o;
  REQUIRE(show(o.ws, Shows::memory));
  choose_tile(o.ws, 0);
  read_through(o.ws, layout::Swizzle::b32);
  o.ws.memory.row = 9, o.ws.memory.col = 5;
  show_beside(o.ws, 1);
  CHECK(reread(o.ws, o.options) == "");
  CHECK(o.ws.shows == Shows::memory);
  CHECK(o.ws.memory.reading == layout::Swizzle::b32);
  CHECK((o.ws.memory.row == 9 && o.ws.memory.col == 5));
  CHECK(o.ws.memory.beside == 1);
  REQUIRE(show(o.ws, Shows::steps));
  o.ws.steps.place = {0, 3, {}};
  set_copy_ticks(o.ws, 256);
  CHECK(reread(o.ws, o.options) == "");
  CHECK(o.ws.shows == Shows::steps);
  CHECK((o.ws.steps.place.warp == 0 && o.ws.steps.place.item == 3));
  CHECK(o.ws.pipeline.copy_ticks == 256);
  o.ws.steps.bits = true;
  o.ws.pipeline.zoom = 2;
  o.ws.pipeline.now = 1;
  const PipelinePlace first = moved(o.ws.pipeline.made, {}, 0, 0);
  REQUIRE(first.row >= 0);
  o.ws.pipeline.row = first.row, o.ws.pipeline.span = first.span;
  CHECK(reread(o.ws, o.options) == "");
  CHECK(o.ws.steps.bits);
  CHECK(o.ws.pipeline.zoom == 2);
  CHECK(o.ws.pipeline.now == 1);
  CHECK((o.ws.pipeline.row == first.row && o.ws.pipeline.span == first.span));
}

TEST_CASE(
    "read again: what the trace no longer has is given up, what cannot be read changes nothing") {
  Opened o;
  REQUIRE(show(o.ws, Shows::memory));
  choose_tile(o.ws, 1);
  show_beside(o.ws, 0);
  o.ws.memory.row = 1, o.ws.memory.col = 15;
  o.ws.steps.place = {1, 13, {}};
  o.ws.pipeline.row = 1, o.ws.pipeline.now = 2;
  trace::Trace small = synthetic::trace_of({synthetic::kF16});
  trace::Memory tile = recorded::tile();
  tile.rows = 1;
  tile.bytes.resize(32);
  small.events.emplace_back(tile);
  write(small);
  CHECK(reread(o.ws, o.options) == "");
  CHECK(o.ws.memory.current == 0);
  CHECK((o.ws.memory.row == -1 && o.ws.memory.col == -1));
  CHECK(o.ws.steps.list.empty());
  CHECK(o.ws.steps.place.warp == 0);
  CHECK((o.ws.pipeline.row == -1 && o.ws.pipeline.now == -1));
  CHECK_FALSE(o.ws.message_is_error);
  std::ofstream(o.path) << "{\"no\": 1";
  CHECK(reread(o.ws, o.options) != "");
  CHECK(o.ws.message_is_error);
  CHECK(o.ws.memory.tiles.size() == 1);
  CHECK(stamp_of(std::vector{o.path}) ==
        o.ws.trace_stamp);  // it is not tried again before it is another
  CHECK(stamp_of({o.path, "/nowhere/t.lanes"}) == "");
}

TEST_CASE("that an open file is gone is said once; where there is another, it is read") {
  Opened o;
  REQUIRE(search(o.ws, "A 9,5"));
  std::filesystem::remove(o.path);
  CHECK(followed(o.ws).stamp != stamp_of(followed(o.ws).paths));
  const std::string said =
      "t.lanes is no longer on the disk: this is what was in it, until there is another";
  CHECK(reread(o.ws, o.options) == said);
  CHECK((o.ws.message == said && o.ws.message_is_error));
  CHECK(followed(o.ws).stamp == stamp_of(followed(o.ws).paths));
  CHECK(selected_words(o.ws) == "A 9,5");
  CHECK(list_traces(o.options, o.path).front().detail == "open; no longer on the disk");
  write(changed());
  CHECK(followed(o.ws).stamp != stamp_of(followed(o.ws).paths));
  CHECK(reread(o.ws, o.options) == "");
  CHECK(o.ws.message == "t.lanes was written anew, and is read again");
  CHECK(selected_words(o.ws) == "A 9,5");
  CHECK(list_traces(o.options, o.path).front().detail == "open");

  const std::string a = write(recorded::everything(), "a.lanes"), b = write(changed(), "b.lanes");
  REQUIRE(open_comparison(o.ws, a, b) == "");
  std::filesystem::remove(b);
  CHECK(reread(o.ws, o.options).find("b.lanes is no longer on the disk") == 0);
  CHECK(o.ws.page == Page::compare);
}

TEST_CASE("what is no file in the place of an open one is not waited for") {
  Opened o;
  for (const bool is_pipe : {true, false}) {
    std::filesystem::remove(o.path);
    if (is_pipe)
      REQUIRE(mkfifo(o.path.c_str(), 0600) == 0);
    else
      std::filesystem::create_directory(o.path);
    CHECK(stamp_of(o.path) == "");
    CHECK(reread(o.ws, o.options).find(" is no longer on the disk: this is what was in it") !=
          std::string::npos);
    CHECK(o.ws.has_trace());
    CHECK(stamp_of(std::vector{o.path}) == o.ws.trace_stamp);
    std::filesystem::remove(o.path);
    write(changed());
    CHECK(reread(o.ws, o.options) == "");
  }
}

TEST_CASE("what was wanted of a trace that cannot be read is not wanted of the next one") {
  Opened o;
  o.ws.open_event = 3;
  o.ws.open_words = "A 9,5";
  CHECK(open_trace(o.ws, o.options, "no such file.lanes") != "");
  CHECK((o.ws.open_event == -1 && o.ws.open_words.empty()));
}

TEST_CASE(
    "nothing is read again while words are typed, steps are played, or another page is shown") {
  Opened o;
  CHECK(can_reread(o.ws));
  for (bool* busy : {&o.ws.searching, &o.ws.quiz.open, &o.ws.show_traces, &o.ws.play.on}) {
    *busy = true;
    CHECK_FALSE(can_reread(o.ws));
    *busy = false;
  }
  go_to(o.ws, Page::atlas);
  CHECK_FALSE(can_reread(o.ws));
  go_to(o.ws, Page::trace);
  CHECK(can_reread(o.ws));
  CHECK_FALSE(can_reread(Workspace()));
}

TEST_CASE("two that are compared are read again when either is written anew") {
  const std::string a = write(recorded::everything(), "a.lanes"), b = write(changed(), "b.lanes");
  Workspace ws;
  const WindowOptions options;
  REQUIRE(open_trace(ws, options, a) == "");
  REQUIRE(open_comparison(ws, a, b) == "");
  CHECK((can_reread(ws) && followed(ws).paths == std::vector{a, b}));
  CHECK(followed(ws).stamp == stamp_of({a, b}));
  CompareState& c = ws.compare;
  const std::string event = c.made.all.at(c.current).event;
  next_differing(c.shown, 1, c.row, c.col);
  const int row = c.row, col = c.col;
  ws.zoom = 1.5f;
  c.scroll = ImVec2(0, 40);

  // Another difference before it, and there another value.
  trace::Trace more = changed();
  for (trace::Event& made : more.events)
    if (auto* tile = std::get_if<trace::Memory>(&made)) tile->bytes[2] ^= 1;
  for (trace::Event& made : more.events)
    if (auto* fragment = std::get_if<trace::Fragment>(&made)) fragment->registers[1][6] ^= 7;
  write(more, "b.lanes");
  CHECK(followed(ws).stamp != stamp_of({a, b}));
  CHECK(reread(ws, options) == "");
  CHECK(followed(ws).stamp == stamp_of({a, b}));
  CHECK(ws.message == "one of the two was written anew: both are read again");
  CHECK(ws.page == Page::compare);
  CHECK(c.made.all.at(c.current).event == event);
  CHECK((c.row == row && c.col == col && ws.zoom == 1.5f && c.scroll.y == 40));
  CHECK(std::get<trace::Fragment>(*c.shown.of[1]).registers[1][6] == (0x12345678 ^ 7));

  std::ofstream(b) << "{\"no\": 1";
  CHECK(reread(ws, options) != "");
  CHECK((ws.message_is_error && ws.message.find("b.lanes") == 0));
  CHECK(c.made.all.at(c.current).event == event);
  CHECK(followed(ws).stamp == stamp_of({a, b}));  // once is enough

  show_difference(ws, c.made.all.size() - 1);
  write(recorded::everything(), "b.lanes");
  CHECK(reread(ws, options) == "");
  CHECK((c.made.all.empty() && c.current == 0 && c.shown.rows == 0));
  go_to(ws, Page::trace);
  CHECK(followed(ws).paths == std::vector{a});
  CHECK(can_reread(ws));
  CHECK(show_maps(ws, only_entry("mma.m16n8k16.f32.f16"), only_entry("mma.m16n8k8.f32.f16")) == "");
  CHECK(followed(ws).paths == std::vector{a});
  CHECK_FALSE(can_reread(ws));  // it would take the page away
}

TEST_CASE("a file that is written anew is seen once it rests, and once") {
  std::mutex mutex;
  std::string state = "a";
  bool writing = false;
  int looks = 0;
  std::atomic<int> told = 0;
  const auto look = [&](const FileWatch::Paths&) {
    const std::lock_guard lock(mutex);
    ++looks;
    if (writing) state += "x";  // another at every look
    return state;
  };
  const auto become = [&](const char* words, bool still) {
    const std::lock_guard lock(mutex);
    state = words;
    writing = still;
  };
  const auto after_looks = [&](int more) {
    int from = 0;
    for (int times = 0; times < 5000; ++times) {
      {
        const std::lock_guard lock(mutex);
        if (times == 0) from = looks;
        if (looks >= from + more) return;
      }
      std::this_thread::sleep_for(milliseconds(2));
    }
    FAIL("nobody looks");
  };
  FileWatch files(
      look, [&] { ++told; }, milliseconds(1));
  files.watch({"f"}, "a");
  after_looks(5);
  CHECK_FALSE(files.changed());
  CHECK_FALSE(files.restless());
  become("b", true);
  after_looks(8);
  CHECK_FALSE(files.changed());
  CHECK(files.restless());
  CHECK(told == 1);  // of that, once
  become("c", false);
  for (int times = 0; times < 5000 && told == 1; ++times)
    std::this_thread::sleep_for(milliseconds(2));
  CHECK_FALSE(files.restless());
  CHECK(files.changed());
  std::this_thread::sleep_for(milliseconds(30));
  CHECK(told == 2);
  files.watch({"f"}, "c");
  CHECK_FALSE(files.changed());
  after_looks(5);
  CHECK_FALSE(files.changed());
  const auto is_seen = [&] {  // who is told looks no more before it watches again
    for (int times = 0; times < 5000 && !files.changed(); ++times)
      std::this_thread::sleep_for(milliseconds(2));
    return files.changed();
  };
  become("", false);  // gone: as much as another
  CHECK(is_seen());
  files.watch({"f"}, "");
  after_looks(5);
  CHECK_FALSE(files.changed());
  become("c", false);  // and there again
  CHECK(is_seen());
  files.watch({}, "");
  const int before = told;
  become("d", false);
  std::this_thread::sleep_for(milliseconds(30));
  CHECK(told == before);
}

}  // namespace lanescope::viz
