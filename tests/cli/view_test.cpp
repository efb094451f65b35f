// SPDX-License-Identifier: MIT
// `lanescope view --text` and `diff`, as a user meets them: the right file, and every wrong one
// told in one line with exit code 2.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/build_folder.hpp"
#include "tests/cli/process.hpp"
#include "tests/cli/refuses.hpp"
#include "tests/contents.hpp"
#include "tests/trace/sample.hpp"
#include "trace/file.hpp"
#include "trace/line.hpp"

using namespace lanescope;
using test::Folder;
using test::has;
using test::Outcome;
using test::project;
using test::refuses;
using test::run_lanescope;
using test::Setting;
namespace fs = std::filesystem;

namespace {

const std::string kExample = LANESCOPE_SOURCE_DIR "/tests/trace/example.lanes";

void says(const Outcome& outcome, const std::string& what) {
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  CHECK(has(outcome.out, what));
}

std::string named(const std::string& program) {
  trace::Trace trace = trace::sample::trace();
  trace.header.program = program;
  return trace::to_text(trace);
}

void age(const std::string& path, int seconds) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

}  // namespace

TEST_CASE("view --text of a file: who, what, every lane and value, in 100 columns") {
  const Outcome outcome = run_lanescope({"view", kExample, "--text"});
  says(outcome, "example on Lanescope emulator, sm_90a (emulator)\n");
  says(outcome, "Who holds what\nA column of B is spread over four lanes.\n");
  says(outcome,
       "1 launch, 1 fragment, 1 tile of memory, 1 step, 1 access, 2 events of a pipeline, "
       "1 diagnostic\n");
  says(outcome, "launch 0: multiply<<<1x1x1, 32x1x1, 256>>>\n");
  says(outcome, "misaligned-address: ldmatrix reads a row at 0x402");
  says(outcome, "recorded at example.cu:41\n");
  says(outcome,
       "\n      1.r1  5.r1  9.r1 13.r1 17.r1 21.r1 25.r1 29.r1\n"
       "11      88    89    90    91    92    93    94    95\n");
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 100);
  CHECK_FALSE(has(outcome.out, "\x1b"));
}

TEST_CASE("colour on a terminal only, and not where NO_COLOR asks for none") {
  Setting terminal;
  terminal.terminal = true;
  terminal.environment = {{"NO_COLOR", ""}};
  CHECK(has(run_lanescope({"view", kExample, "--text"}, terminal).out, "\x1b[48;5;"));
  terminal.environment = {{"NO_COLOR", "1"}};
  CHECK_FALSE(has(run_lanescope({"view", kExample, "--text"}, terminal).out, "\x1b"));
}

TEST_CASE("--select: the way of an element through the recorded steps of lesson 3") {
  const std::string recorded = LANESCOPE_SOURCE_DIR "/lessons/03_ldmatrix/recorded.lanes";
  // A is 16 x 16 halves in memory, (9 * 16 + 5) * 2 = 298; in shared memory its rows lie 48 bytes
  // apart from 0x400 on, and row 9 is that of lane 9.
  const Outcome a = run_lanescope({"view", recorded, "--text", "--select", "A 9,5"});
  says(a, "ld.global: reads it from global memory, byte 298 behind parameter 0, to lane ");
  says(a, "writes it to byte 0x5ba of shared memory");
  says(a, "ldmatrix: from byte 0x5ba of shared memory, lane 9's address, to lane 6, ");
  says(a, "mma: for D[9][0] to D[9][7]");
  // B is 16 x 8, row-major, and comes by ldmatrix.trans: (9 * 8 + 5) * 2 = 154.
  const Outcome b = run_lanescope({"view", recorded, "--text", "--select", "B 9,5"});
  says(b, "byte 154 behind parameter 1");
  says(b, "mma: for D[0][5] to D[15][5]");
}

TEST_CASE("--select: all about an element, a lane, a register") {
  const Outcome element = run_lanescope({"view", kExample, "--text", "--select", "B 9,5"});
  says(element, "lane 20, B.r1, high half");
  says(element, "0x54d0 = 77");
  says(element, "= 0*2 + (3 & 1) + (3 >> 1)*8 = 9\n");
  says(element, "recorded at example.cu:41\n");
  says(run_lanescope({"view", kExample, "--text", "--select", "lane 13"}),
       "B[11][3]  0x55b0 = 91\n");
  says(run_lanescope({"view", kExample, "--text", "--select", "lane 13 B.r0"}), "0x4ec04cc0");
  refuses(run_lanescope({"view", kExample, "--text", "--select", "B 16,0"}),
          "--select: B has no row 16: B has rows 0 to 15 and columns 0 to 7");
  refuses(run_lanescope({"view", kExample, kExample, "--text", "--select", "A 9,5"}),
          "--select is for the window");
  refuses(run_lanescope({"view", kExample, "--text", "--select", "lane 32"}), "lanes are 0 to 31");
  refuses(run_lanescope({"view", kExample, "--text", "--select", "nonsense"}),
          "cannot read 'nonsense'");
}

TEST_CASE("a compressed trace is the same to look at") {
  const Folder folder;
  const std::string packed =
      folder.put("t.lanes.zst", trace::compress(tests::contents_of(kExample)));
  const Outcome outcome = run_lanescope({"view", packed, "--text"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == run_lanescope({"view", kExample, "--text"}).out);
}

TEST_CASE("before anything ran, the window begins with what came with the lessons") {
  const Folder folder;
  folder.put("lessons/01_layout/recorded.lanes", named("recorded"));
  Setting blind = project(folder);  // where there is a window it finds no display, and says so
  blind.environment["WAYLAND_DISPLAY"] = "";
  const std::string with_trace = run_lanescope({"view", "1"}, blind).err;
  if (with_trace.find("no window can be opened") != std::string::npos)
    CHECK(run_lanescope({"view"}, blind).err == with_trace);
  refuses(run_lanescope({"view", "--panel", "steps"}, blind), "`lanescope view 1`");
}

TEST_CASE("a number is the newest trace of that lesson, nothing the newest of all") {
  const Folder folder;
  folder.put("lessons/01_layout/README.md", "");
  folder.put("lessons/03_ldmatrix/README.md", "");
  refuses(
      run_lanescope({"view", "1", "--text"}, project(folder)),
      "no trace of lesson 1 in " + folder.path() + "/traces yet; run `lanescope lesson 1` first");
  refuses(run_lanescope({"view", "--text"}, project(folder)), "run `lanescope lesson 1` first");
  age(folder.put("traces/01_layout.cpu.lanes", named("old one")), 300);
  age(folder.put("traces/01_layout.gpu.lanes", named("new one")), 200);
  age(folder.put("traces/02_ldmatrix.cpu.lanes.zst", trace::compress(named("two"))), 100);
  folder.put("traces/01_layout.cpu.lanes.tmp", "half a file");
  folder.put("traces/notes.txt", "no trace");
  says(run_lanescope({"view", "1", "--text"}, project(folder)), "new one on Lanescope emulator");
  says(run_lanescope({"view", "01", "--text"}, project(folder)), "new one on");
  says(run_lanescope({"view", "2", "--text"}, project(folder)), "two on");
  says(run_lanescope({"view", "--text"}, project(folder)), "two on");
  refuses(run_lanescope({"view", "3", "--text"}, project(folder)),
          "run `lanescope lesson 3` first");
}

TEST_CASE("without a trace of one's own, a recorded one") {
  const Folder folder;
  folder.put("lessons/01_layout/recorded.lanes", named("recorded"));
  says(run_lanescope({"view", "1", "--text"}, project(folder)), "recorded on");
  folder.put("traces/01_layout.cpu.lanes", named("mine"));
  says(run_lanescope({"view", "1", "--text"}, project(folder)), "mine on");
}

TEST_CASE("files that are no trace") {
  const Folder folder;
  const auto view = [](const std::string& path) { return run_lanescope({"view", path, "--text"}); };
  refuses(view("nonsense"), "nonsense is neither a trace file nor a lesson's number or name");
  refuses(view(folder / "missing.lanes"), "is neither a trace file nor a lesson's number");
  refuses(view(folder.path()), "is a folder, not a trace; name a file in it");
  refuses(view(folder.put("empty.lanes", "")), "empty.lanes is empty");
  refuses(view(tests::build_folder() / "bin/lanescope"), "is no trace: it begins neither with");
  refuses(view("/dev/null"), "is empty");
  const std::string zeros = folder.put("zeros.lanes", "");
  fs::resize_file(zeros, std::uintmax_t{900} << 20);
  refuses(view(zeros), "is no trace: it begins neither with");
  fs::resize_file(zeros, std::uintmax_t{3} << 30);
  refuses(view(zeros), "is larger than 1 GiB");
}

TEST_CASE("traces that are damaged: the line and the reason") {
  const Folder folder;
  const std::string text = tests::contents_of(kExample);
  const auto view = [&](const std::string& bytes) {
    return run_lanescope({"view", folder.put("t.lanes", bytes), "--text"});
  };
  std::string damaged = text;
  damaged[text.find("4e004c00")] = 'x';
  refuses(view(damaged), "t.lanes:4: register 0: lane 1: not 8 lower-case hexadecimal digits");
  refuses(view(text.substr(0, text.size() - 1)), "t.lanes:10: the file is cut off after");
  refuses(view(text.substr(0, text.size() / 2)), "the file is cut off after");
  refuses(view("{\"lanescope_trace\":2}\n"),
          "t.lanes:1: is of version 2, this Lanescope knows version 1");
  refuses(view(trace::compress(text).substr(0, 100)), "is cut off in the middle of its zstd frame");
}

TEST_CASE("texts of a trace cannot command the terminal") {
  const Folder folder;
  trace::Trace bad = trace::sample::trace();
  bad.header.program = "p\x1b]0;title\x07";
  std::get<trace::View>(bad.events[0]).title = "t\x1b[2J";
  std::get<trace::Fragment>(bad.events[2]).name = "n\x1b[31m";
  std::get<trace::Fragment>(bad.events[3]).instruction = "i\x1b[31m";
  std::get<trace::Memory>(bad.events[4]).name = "m\x1b[31m";
  std::get<trace::Memory>(bad.events[4]).source.file = "f\x1b[31m";
  std::get<trace::Step>(bad.events[5]).ptx = "s\x1b[31m";
  std::get<trace::Step>(bad.events[5]).writes[0].name = "w\x1b[31m";
  std::get<trace::Access>(bad.events[6]).instruction = "a\x1b[31m";
  std::get<trace::Sync>(bad.events[7]).object = "o\x1b[31m";
  std::get<trace::Diagnostic>(bad.events[8]).details = {"d\x1b[31m"};
  const std::string path = folder.put("t.lanes", trace::to_text(bad));
  const Outcome outcome = run_lanescope({"view", path, "--text"});
  says(outcome, "p?]0;title? on");
  CHECK_FALSE(has(outcome.out, "\x1b"));
  for (const char* panel : {"steps", "pipeline", "memory"})
    for (const char* words : {"", "step 4", "0,0"}) {
      const Outcome shown =
          run_lanescope({"view", path, "--text", "--panel", panel, "--select", words});
      CHECK_FALSE(has(shown.out, "\x1b"));
    }
  const Outcome difference = run_lanescope({"diff", path, kExample});
  CHECK(difference.code == 1);
  CHECK_FALSE(has(difference.out, "\x1b"));
}

TEST_CASE("no display, or no window built: one line, exit code 2") {
  const Outcome outcome =
      run_lanescope({"view", kExample}, {{{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}, "", false});
  refuses(outcome, "--text");
}

TEST_CASE("diff: the same, different, unreadable") {
  const Folder folder;
  const std::string text = tests::contents_of(kExample);
  const std::string copy = folder.put("b.lanes", text);
  says(run_lanescope({"diff", kExample, copy}),
       "the same, bit for bit: 1 launch, 1 fragment, 1 tile of memory, 1 step\n");

  std::string other = text;
  other.replace(text.find("4e004c00"), 8, "4e004c01");
  folder.put("b.lanes", other);
  const Outcome difference = run_lanescope({"diff", kExample, copy});
  CHECK(difference.code == 1);
  CHECK(difference.err == "");
  CHECK(has(difference.out, "a: " + kExample + " (example, Lanescope emulator, sm_90a)\n"));
  CHECK(has(difference.out,
            "lane 1, register 0: 4e004c00 in a, 4e004c01 in b\n"
            "B row 2, col 0 (f16): 16 in a, 16.02 in b\n"
            "1 of 64 registers of this fragment differ\n"));

  // Of different programs the launches differ first: what they left behind says more.
  other.replace(other.find("multiply"), 8, "another!");
  other.replace(other.find("\"program\":\"example\""), 19, "\"program\":\"unknown\"");
  folder.put("b.lanes", other);
  const Outcome unrelated = run_lanescope({"diff", kExample, copy});
  CHECK(unrelated.code == 1);
  CHECK(has(unrelated.out, "kernel: multiply in a, another! in b\n"));
  CHECK(has(unrelated.out, "the first in what they left behind: fragment \"B\""));
  CHECK(has(unrelated.out, "2 differences, of different programs; lanescope view A B"));

  refuses(run_lanescope({"diff", kExample, folder / "missing.lanes"}),
          "missing.lanes is neither a trace file nor a lesson");
  refuses(run_lanescope({"diff", folder / "missing.lanes", kExample}),
          "missing.lanes is neither a trace file nor a lesson");
  refuses(run_lanescope({"diff", kExample, folder.path()}), "is a folder");
  refuses(run_lanescope(
              {"diff", kExample, folder.put("half.lanes", text.substr(0, text.find("multiply")))}),
          "half.lanes:3: the file is cut off");
}

TEST_CASE("a file's name commands no terminal, and a refusal is one line") {
  const Folder folder;
  const std::string trace = folder.put("\x1b[31m.lanes", tests::contents_of(kExample));
  CHECK_FALSE(has(run_lanescope({"diff", trace, kExample}).out, "\x1b"));
  const std::string empty = folder.put("two\nlines\x1b[31m.lanes", "");
  for (const char* how : {"--text", "--screenshot"}) {
    std::vector<std::string> arguments{"view", empty, how};
    if (how == std::string("--screenshot")) arguments.push_back(folder / "picture.svg");
    const Outcome outcome = run_lanescope(arguments);
    CHECK(outcome.code == 2);
    CHECK_FALSE(has(outcome.err, "\x1b"));
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  }
}

TEST_CASE("output that cannot be written is no success") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"view", kExample, "--text"}, {"diff", kExample, kExample}}) {
    const Outcome outcome = run_lanescope(arguments, {{}, "/dev/full", false});
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find("lanescope: ") == 0);
  }
}

TEST_CASE("two traces: in the terminal their first difference, as diff says it") {
  const Folder folder;
  std::string bytes = tests::contents_of(kExample);
  const std::size_t at = bytes.find("4ec04cc0");
  REQUIRE(at != std::string::npos);
  bytes[at] = '5';
  const std::string other = folder.put("other.lanes", bytes);
  const Outcome both = run_lanescope({"view", kExample, other, "--text"});
  CHECK(both.code == 1);
  CHECK(both.out == run_lanescope({"diff", kExample, other}).out);
  CHECK(has(both.out, "4ec04cc0 in a, 5ec04cc0 in b"));
  CHECK(run_lanescope({"view", kExample, kExample, "--text"}).code == 0);
  refuses(run_lanescope({"view", kExample, "nonsense", "--text"}), "nonsense is neither");
  refuses(run_lanescope({"view", kExample, other, "--text", "--panel", "memory"}),
          "--panel, --product and --tab are for one trace");
  refuses(run_lanescope({"view", kExample, other, "--atlas", "m16n8k16"}), "not both");
}
