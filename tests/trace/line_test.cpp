// SPDX-License-Identifier: MIT
// What is written: golden lines, and that everything written is read back as it was.
#include "trace/line.hpp"

#include <doctest/doctest.h>

#include "tests/trace/sample.hpp"
#include "trace/reader.hpp"
#include "trace/utf8.hpp"

using namespace lanescope::trace;

namespace {

// Whatever one event is, a file with it alone gives it back.
Event through_a_file(const Event& event) {
  Trace trace;
  trace.header = {kVersion, "gpu", "a card", "sm_80", "p", ""};
  trace.events = {event};
  const ReadResult result = read_bytes(to_text(trace));
  REQUIRE_MESSAGE(result.ok(), result.error->message("file"));
  REQUIRE(result.trace.events.size() == 1);
  CHECK(result.trace.header == trace.header);
  return result.trace.events[0];
}

View titled(std::string title) {
  View view;
  view.title = std::move(title);
  return view;
}

}  // namespace

TEST_CASE("the first line") {
  CHECK(to_line(Header{1, "gpu", "NVIDIA H200", "sm_90a", "p", "./p 3"}) ==
        R"({"lanescope_trace":1,"producer":"gpu","device":"NVIDIA H200","arch":"sm_90a",)"
        R"("program":"p","command":"./p 3"})");
  CHECK(to_line(Header{1, "gpu", "d", "sm_80", "p", ""}) ==
        R"({"lanescope_trace":1,"producer":"gpu","device":"d","arch":"sm_80","program":"p"})");
}

TEST_CASE("a view, with and without what is optional") {
  CHECK(to_line(Event{View{"t", {"fragments", "lanes"}, "A 9,5", "c"}}) ==
        R"({"event":"view","title":"t","panels":["fragments","lanes"],"selection":"A 9,5",)"
        R"("caption":"c"})");
  CHECK(to_line(Event{View{"t", {}, "", ""}}) == R"({"event":"view","title":"t"})");
}

TEST_CASE("a launch") {
  CHECK(to_line(Event{Launch{3, "k", {4, 5, 6}, {32, 2, 1}, 1024, {}}}) ==
        R"({"event":"launch","launch":3,"kernel":"k","grid":[4,5,6],"block":[32,2,1],)"
        R"("shared_bytes":1024})");
}

TEST_CASE("a fragment of one register: lanes in order, eight digits, one blank") {
  Fragment f;
  f.place = {1, {2, 3, 4}, 5};
  f.name = "B";
  f.instruction = "mma";
  f.operand = "B";
  f.registers = {sample::counted(32, 0, 0x11)};
  f.registers[0][31] = 0xdeadbeef;
  f.source = {"l.cu", 7};
  CHECK(to_line(Event{f}) ==
        R"({"event":"fragment","launch":1,"block":[2,3,4],"warp":5,"name":"B","instruction":"mma",)"
        R"("operand":"B","register_bits":32,"registers":["00000000 00000011 00000022 00000033 )"
        R"(00000044 00000055 00000066 00000077 00000088 00000099 000000aa 000000bb 000000cc )"
        R"(000000dd 000000ee 000000ff 00000110 00000121 00000132 00000143 00000154 00000165 )"
        R"(00000176 00000187 00000198 000001a9 000001ba 000001cb 000001dc 000001ed 000001fe )"
        R"(deadbeef"],"file":"l.cu","line":7})");
}

TEST_CASE("a tile: one string a row, bytes in the order of addresses") {
  Memory m;
  m.name = "a";
  m.space = "global";
  m.type = "f16";
  m.rows = 2;
  m.cols = 2;
  m.address = 0x7f0012345678;
  m.row_stride_bytes = 64;
  m.bytes = {0x00, 0x3c, 0x00, 0x40, 0x0f, 0xf0, 0xff, 0x01};
  CHECK(to_line(Event{m}) ==
        R"({"event":"memory","launch":0,"block":[0,0,0],"warp":0,"name":"a","space":"global",)"
        R"("type":"f16","rows":2,"cols":2,"address":"0x7f0012345678","row_stride_bytes":64,)"
        R"("bytes":["003c0040","0ff0ff01"]})");
}

TEST_CASE("a step that writes nothing, and one that writes a predicate") {
  Step s;
  s.step = 4;
  s.ptx = "bar.sync 0;";
  CHECK(to_line(Event{s}) ==
        R"({"event":"step","launch":0,"block":[0,0,0],"warp":0,"step":4,"ptx":"bar.sync 0;",)"
        R"("active":"ffffffff"})");
  s.ptx_line = 9;
  s.active = 1;
  s.writes.push_back({"%p1", "", 1, sample::counted(32, 1, 0)});
  CHECK(to_line(Event{s}) ==
        R"({"event":"step","launch":0,"block":[0,0,0],"warp":0,"step":4,"ptx":"bar.sync 0;",)"
        R"("ptx_line":9,"active":"00000001","writes":[{"name":"%p1","bits":1,"lanes":)"
        R"("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"}]})");
}

TEST_CASE("a diagnostic") {
  CHECK(to_line(Event{sample::diagnostic()}) ==
        R"({"event":"diagnostic","launch":0,"block":[1,0,0],"warp":2,"kind":"misaligned-address",)"
        R"("message":"A row starts at 0x402.","details":["lane 3: 0x402","lane 4: 0x412"],)"
        R"("ptx_line":53,"file":"lesson.cu","line":39,"against":[)"
        R"({"block":[1,0,0],"warp":3,"lane":31,"ptx":"st.shared.u32 [%r2], %r1;","ptx_line":52,)"
        R"("file":"tile.cuh","line":8},)"
        R"({"ptx":"cp.async.ca.shared.global [%r1], [%rd1], 16;"}]})");
  Diagnostic alone = sample::diagnostic();
  alone.against.clear();
  CHECK(to_line(Event{alone}).ends_with(R"("line":39})"));
}

TEST_CASE("a sync, with all keys and with none that is optional") {
  CHECK(to_line(Event{sample::sync()}) ==
        R"({"event":"sync","launch":0,"block":[3,2,1],"warp":2,"step":11,"action":"copy",)"
        R"("object":"mbarrier 0x400","phase":-1,"count":2,"bytes":4096,"address":"0x0",)"
        R"("global":"0x7f3a40000100","element_bytes":2,"swizzle":"128B","size":[72,20],)"
        R"("strides":[144],"box":[64,8],"at":[-8,3],)"
        R"("file":"lesson.cu","line":21})");
  Sync s;
  s.action = "pass";
  s.object = "bar 0";
  CHECK(to_line(Event{s}) ==
        R"({"event":"sync","launch":0,"block":[0,0,0],"warp":0,"step":0,"action":"pass",)"
        R"("object":"bar 0","phase":0})");
  CHECK(through_a_file(Event{s}) == Event{s});
}

TEST_CASE("lines are appended behind what is there") {
  std::string text = "{";
  append_line(text, Event{titled("a")});
  append_line(text, Event{titled("b")});
  CHECK(text == "{" + to_line(Event{titled("a")}) + "\n" + to_line(Event{titled("b")}) + "\n");
}

TEST_CASE("every kind of event comes back as it was written") {
  for (const Event& event : sample::trace().events) {
    CAPTURE(to_line(event));
    CHECK(through_a_file(event) == event);
  }
  const ReadResult result = read_bytes(to_text(sample::trace()));
  REQUIRE(result.ok());
  CHECK(result.trace == sample::trace());
  CHECK(result.unknown_events == 0);
}

TEST_CASE("what is left out where it is 0 is there where it is 1") {
  Fragment fragment = sample::fragment();
  fragment.source.line = 1;
  Step step = sample::step();
  step.ptx_line = step.source.line = 1;
  Diagnostic diagnostic = sample::diagnostic();
  diagnostic.ptx_line = diagnostic.source.line = 1;
  Sync sync = sample::sync();
  sync.count = sync.bytes = 1;
  sync.address = 1;
  sync.global = 1;
  for (const Event& event : {Event{fragment}, Event{step}, Event{diagnostic}, Event{sync}})
    CHECK(through_a_file(event) == event);
}

TEST_CASE("awkward strings come back as they were written") {
  std::string controls;
  for (char c = 1; c < 0x20; ++c) controls += c;
  for (const std::string& text :
       {std::string(""), std::string("\"quoted\" \\ back/slash"), controls,
        std::string("nul\0inside", 10), std::string("\x7f delete"),
        std::string("caf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x94\xad"),
        std::string("\xe2\x80\xa8 line separator"), std::string("{\"event\":\"fragment\"}\n"),
        std::string(100000, 'x')}) {
    CAPTURE(text);
    const Event back = through_a_file(Event{titled(text)});
    CHECK(std::get<View>(back).title == text);
    Fragment f = sample::fragment();
    f.name = f.operand = f.instruction = f.source.file = text;
    CHECK(through_a_file(Event{f}) == Event{f});
    Diagnostic d = sample::diagnostic();
    d.kind = d.message = text;
    d.details = {text, "", text};
    CHECK(through_a_file(Event{d}) == Event{d});
  }
}

TEST_CASE("control characters by their short names, the rest by number, on one line") {
  CHECK(to_line(Event{titled("\b\f\n\r\t\x01\x1f\"\\/")}) ==
        R"({"event":"view","title":"\b\f\n\r\t\u0001\u001f\"\\/"})");
}

TEST_CASE("bytes that are not UTF-8 become U+FFFD, one each") {
  const auto written = [](const char* title) {
    return std::get<View>(through_a_file(Event{titled(title)})).title;
  };
  const std::string bad = "\xef\xbf\xbd";
  CHECK(written("a\xff z") == "a" + bad + " z");
  CHECK(written("\xc3") == bad);                                // cut off
  CHECK(written("\xc0\xaf") == bad + bad);                      // overlong '/'
  CHECK(written("\xe0\x80\xaf") == bad + bad + bad);            // overlong in three
  CHECK(written("\xed\xa0\x80") == bad + bad + bad);            // a surrogate
  CHECK(written("\xf4\x90\x80\x80") == bad + bad + bad + bad);  // above U+10FFFF
  CHECK(written("\xf0\x9f\x94z") == bad + bad + bad + "z");
}

TEST_CASE("the length of a UTF-8 character at the edges of every range") {
  CHECK(utf8_length("") == 0);
  CHECK(utf8_length("\x7f") == 1);
  CHECK(utf8_length("\x80") == 0);
  CHECK(utf8_length("\xc2\x80") == 2);
  CHECK(utf8_length("\xdf\xbf") == 2);
  CHECK(utf8_length("\xe0\xa0\x80") == 3);
  CHECK(utf8_length("\xed\x9f\xbf") == 3);
  CHECK(utf8_length("\xee\x80\x80") == 3);
  CHECK(utf8_length("\xef\xbf\xbf") == 3);
  CHECK(utf8_length("\xf0\x90\x80\x80") == 4);
  CHECK(utf8_length("\xf0\x8f\xbf\xbf") == 0);
  CHECK(utf8_length("\xf4\x8f\xbf\xbf") == 4);
  CHECK(utf8_length("\xf5\x80\x80\x80") == 0);
}

TEST_CASE("all words of all widths come back") {
  for (const int bits : {32, 64}) {
    Fragment f = sample::fragment();
    f.register_bits = bits;
    f.registers = {{}};
    for (int lane = 0; lane < 32; ++lane)
      f.registers[0].push_back(lane == 0 ? (bits == 32 ? 0xffffffffu : ~std::uint64_t{0})
                                         : std::uint64_t{1} << (lane * (bits / 32)));
    CHECK(through_a_file(Event{f}) == Event{f});
  }
  for (const int bits : {1, 8, 16, 32, 64}) {
    Step step = sample::step();
    step.writes = {{"%r1", "", bits, sample::counted(32, 0, 0)}};
    step.writes[0].lanes[31] = ~std::uint64_t{0} >> (64 - bits);
    CHECK(through_a_file(Event{step}) == Event{step});
  }
}
