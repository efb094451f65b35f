// SPDX-License-Identifier: MIT
// The recorder of common/device: what kernels record arrives in the trace, sorted, complete or said
// to be incomplete, and readable by the trace reader. Runs on the emulator.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
namespace fs = std::filesystem;

namespace {

struct Ran {
  int status = -1;
  std::string output;
};

Ran run(const std::string& command) {
  Ran ran;
  FILE* pipe = popen(("( " + command + " ) 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[4096];
  while (const std::size_t count = std::fread(part, 1, sizeof part, pipe))
    ran.output.append(part, count);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

const std::string kBuild = tests::build_folder();

fs::path trace_path(const std::string& mode) {
  return fs::path(kBuild) / "tests" / "device" / ("record_" + mode + ".lanes");
}

Ran record(const std::string& mode) {
  fs::remove(trace_path(mode));
  return run("'" + kBuild + "/bin/lanescope' run -- '" + kBuild + "/tests/device/record_program' " +
             mode + " --trace '" + trace_path(mode).string() + "'");
}

trace::Trace traced(const std::string& mode) {
  const trace::ReadResult result = trace::read_file(trace_path(mode).string());
  REQUIRE_MESSAGE(result.ok(), result.error->message(mode));
  CHECK(result.unknown_events == 0);
  return result.trace;
}

template <class Event>
std::vector<Event> events(const trace::Trace& trace) {
  std::vector<Event> found;
  for (const trace::Event& event : trace.events)
    if (const auto* one = std::get_if<Event>(&event)) found.push_back(*one);
  return found;
}

}  // namespace

TEST_CASE("every warp's records arrive, in the order of blocks, warps and program") {
  const Ran ran = record("plain");
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  const auto fragments = events<trace::Fragment>(traced("plain"));
  REQUIRE(fragments.size() == 8);
  std::size_t i = 0;
  for (std::uint64_t block = 0; block < 2; ++block)
    for (std::uint64_t warp = 0; warp < 2; ++warp)
      for (std::uint64_t order = 0; order < 2; ++order) {
        const trace::Fragment& fragment = fragments[i++];
        CAPTURE(i);
        CHECK(fragment.place.launch == 1);
        CHECK(fragment.place.block == std::array<int, 3>{static_cast<int>(block), 0, 0});
        CHECK(fragment.place.warp == static_cast<int>(warp));
        CHECK(fragment.name == (order == 0 ? "A" : "D k=16"));
        CHECK(fragment.operand == (order == 0 ? "A" : "D"));
        CHECK(fragment.instruction == (order == 0 ? "mma.first" : "mma.second"));
        CHECK(fragment.source.file == "record_program.cu");
        CHECK(fragment.source.line == (order == 0 ? 19 : 20));
        REQUIRE(fragment.registers.size() == (order == 0 ? 2 : 1));
        for (std::uint64_t reg = 0; reg < fragment.registers.size(); ++reg)
          for (std::uint64_t lane = 0; lane < 32; ++lane)
            CHECK(fragment.registers[reg][lane] ==
                  (block << 28 | warp << 24 | order << 16 | reg << 8 | lane));
      }
}

TEST_CASE("all launches are counted, also those that record nothing") {
  REQUIRE(record("plain").status == 0);
  const auto launches = events<trace::Launch>(traced("plain"));
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].launch == 0);
  CHECK(launches[0].kernel == "nothing");
  CHECK(launches[1].launch == 1);
  CHECK(launches[1].kernel == "twice");
  CHECK(launches[1].grid == std::array<int, 3>{2, 1, 1});
  CHECK(launches[1].block == std::array<int, 3>{64, 1, 1});
}

TEST_CASE("a buffer that is too small is reported, and the trace says so too") {
  const Ran ran = record("full");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(ran.output.find("the recorder's buffer is full") != std::string::npos);
  const trace::Trace trace = traced("full");
  const auto fragments = events<trace::Fragment>(trace);
  CHECK(fragments.size() >= 1);
  CHECK(fragments.size() < 8);
  const auto diagnostics = events<trace::Diagnostic>(trace);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].kind == "recorder-full");
}

TEST_CASE("a kernel with a NoRecorder records nothing") {
  REQUIRE(record("none").status == 0);
  CHECK(events<trace::Fragment>(traced("none")).empty());
}

TEST_CASE("a NoRecorder leaves nothing in the PTX, a DeviceRecorder names its registers") {
  const std::string ptx = tests::contents_of(kBuild + "/tests/device/record_program.ptx");
  int checked = 0;
  for (std::size_t at = ptx.find(".entry "); at != std::string::npos;
       at = ptx.find(".entry ", at + 1)) {
    const std::string kernel = ptx.substr(at, ptx.find("\n}", at) - at);
    const std::string name = kernel.substr(0, kernel.find('('));
    const bool watched = kernel.find("//@watch ") != std::string::npos;
    const bool recording = kernel.find("atom.") != std::string::npos;
    if (name.find("twice") != std::string::npos) {
      ++checked;
      const bool off = name.find("NoRecorder") != std::string::npos;
      CHECK(watched == !off);
      CHECK(recording == !off);
      if (!off) {
        CHECK(kernel.find("//@watch A.r0 %r") != std::string::npos);
        CHECK(kernel.find("//@watch A.r1 %r") != std::string::npos);
        CHECK(kernel.find("//@watch D k=16.r0 %f") != std::string::npos);
        CHECK(kernel.find("//@watch A.r2") == std::string::npos);
      }
    }
  }
  CHECK(checked == 2);
}

TEST_CASE("without --trace nothing is written and the program runs the same") {
  const Ran ran = run("'" + kBuild + "/bin/lanescope' run -- '" + kBuild +
                      "/tests/device/record_program' plain");
  CHECK(ran.status == 0);
  CHECK(ran.output.empty());
}

TEST_CASE("text, launches and memory survive the way into the trace") {
  REQUIRE(record("text").status == 0);
  const trace::Trace trace = traced("text");
  const auto views = events<trace::View>(trace);
  REQUIRE(views.size() == 1);
  CHECK(views[0].title == "\"Quotes\" and \\");
  CHECK(views[0].panels == std::vector<std::string>{"one", "two"});
  CHECK(views[0].selection == "B 1,2");
  CHECK(views[0].caption == "tab\tbell\aünl\n");
  const auto launches = events<trace::Launch>(trace);
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].shared_bytes == 256);
  const auto fragments = events<trace::Fragment>(trace);
  REQUIRE(fragments.size() == 1);
  REQUIRE(fragments[0].registers.size() == 16);
  CHECK(fragments[0].registers[15][31] == 0x0f1f);
  const auto memory = events<trace::Memory>(trace);
  REQUIRE(memory.size() == 1);
  CHECK(memory[0].name == "tile");
  CHECK(memory[0].rows == 2);
  CHECK(memory[0].cols == 2);
  CHECK(memory[0].row_stride_bytes == 6);
  CHECK(memory[0].bytes == std::vector<std::uint8_t>{1, 0, 2, 0, 4, 0, 5, 0});
}

TEST_CASE("a trace that cannot be written is an error with its path, and why") {
  const std::string program = "'" + kBuild + "/bin/lanescope' run -- '" + kBuild +
                              "/tests/device/record_program' plain --trace ";
  const Ran nowhere = run(program + "/nowhere/at/all.lanes");
  CHECK(nowhere.status == 1);
  CHECK(nowhere.output ==
        "lesson: cannot write /nowhere/at/all.lanes: No such file or directory; make its folder "
        "first\n");
  const Ran full = run(program + "/dev/full");
  CHECK(full.status == 1);
  CHECK(full.output ==
        "lesson: cannot write /dev/full: No space left on device; make room there\n");
  // In the middle of it: what was there before is there still, and no half beside it.
  const fs::path folder = fs::path(kBuild) / "tests" / "device" / "a full disk";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "a.lanes") << "old";
  const Ran cut =
      run("cd '" + folder.string() + "' && trap '' XFSZ && ulimit -f 1 && " + program + "a.lanes");
  CHECK(cut.status == 1);
  CHECK(cut.output == "lesson: cannot write a.lanes: File too large; name another file\n");
  CHECK(tests::contents_of(folder / "a.lanes") == "old");
  CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
  fs::remove_all(folder);
}

TEST_CASE("a program that ends before its first launch leaves the trace that is there") {
  const fs::path path = trace_path("refused");
  std::ofstream(path) << "old";
  const Ran ran = run("'" + kBuild + "/bin/lanescope' run -- '" + kBuild +
                      "/tests/device/record_program' refused --trace '" + path.string() + "'");
  CHECK(ran.status == 2);
  CHECK(tests::contents_of(path) == "old");
}

TEST_CASE("programs that record to one file at the same time each write a whole one") {
  const fs::path path = trace_path("plain");
  fs::create_directories(path.string() + ".tmp");  // a name that two of them would share
  const std::string one = "'" + kBuild + "/bin/lanescope' run -- '" + kBuild +
                          "/tests/device/record_program' plain --trace '" + path.string() + "'";
  const Ran ran = run(one + " & " + one + " & " + one + " && wait $! && wait");
  CHECK(ran.status == 0);
  CHECK(ran.output == "");
  CHECK(events<trace::Fragment>(traced("plain")).size() == 8);
  fs::remove(path.string() + ".tmp");
  for (const auto& entry : fs::directory_iterator(path.parent_path()))
    CHECK(entry.path().extension() != ".tmp");
}

TEST_CASE("a pipe is written into, not replaced") {
  const fs::path folder = fs::path(kBuild) / "tests" / "device" / "a pipe";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const Ran ran =
      run("cd '" + folder.string() + "' && mkfifo pipe && { timeout 60 cat pipe >copied & '" +
          kBuild + "/bin/lanescope' run -- '" + kBuild +
          "/tests/device/record_program' plain --trace pipe && wait; }");
  CHECK(ran.status == 0);
  CHECK(fs::is_fifo(folder / "pipe"));
  CHECK(trace::read_file((folder / "copied").string()).ok());
  fs::remove_all(folder);
}

TEST_CASE("64-bit registers and integers are recorded bit for bit") {
  REQUIRE(record("wide").status == 0);
  const auto fragments = events<trace::Fragment>(traced("wide"));
  REQUIRE(fragments.size() == 2);
  CHECK(fragments[0].register_bits == 64);
  REQUIRE(fragments[0].registers.size() == 2);
  for (std::uint64_t reg = 0; reg < 2; ++reg)
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      CHECK(fragments[0].registers[reg][lane] == (std::uint64_t{1} << 62) + reg * 256 + lane);
  CHECK(fragments[1].register_bits == 32);
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    CHECK(fragments[1].registers.at(0)[lane] == 0xffffffffu - lane);
}

TEST_CASE("a tile of shared memory is recorded row by row, without the gaps") {
  REQUIRE(record("wide").status == 0);
  const auto tiles = events<trace::Memory>(traced("wide"));
  REQUIRE(tiles.size() == 1);
  const trace::Memory& tile = tiles[0];
  CHECK(tile.name == "tile");
  CHECK(tile.space == "shared");
  CHECK(tile.type == "u8");
  CHECK(tile.rows == 3);
  CHECK(tile.cols == 4);
  CHECK(tile.row_stride_bytes == 8);
  // The block's only tile: at the beginning of what the program has of the window; from sm_80 on
  // the first 1024 bytes are not the program's.
  CHECK(tile.address % 1024 < 64);
  CHECK(tile.address < 1024 + 64);
  CHECK(tile.bytes == std::vector<std::uint8_t>{0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19});
  CHECK(tile.source.file == "record_program.cu");
  CHECK(tile.source.line > 0);
}

TEST_CASE("the four warps of a warpgroup make one fragment of 128 lanes") {
  const Ran ran = record("warpgroups");
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  const auto fragments = events<trace::Fragment>(traced("warpgroups"));
  REQUIRE(fragments.size() == 6);  // of two CTAs: warp 0's D, warp 4's A and D
  for (std::uint64_t i = 0; i < 6; ++i) {
    const trace::Fragment& fragment = fragments[i];
    const bool first = i % 3 == 0;
    CAPTURE(i);
    CHECK(fragment.place.block == std::array<int, 3>{static_cast<int>(i / 3), 0, 0});
    CHECK(fragment.place.warp == (first ? 0 : 4));
    CHECK(fragment.name == (i % 3 == 1 ? "A" : "D"));
    CHECK(fragment.instruction == (i % 3 == 1 ? "wgmma.first" : "wgmma.second"));
    REQUIRE(fragment.registers.size() == (i % 3 == 1 ? 2 : 128));
    for (std::uint64_t reg = 0; reg < fragment.registers.size(); ++reg) {
      REQUIRE(fragment.registers[reg].size() == 128);
      for (std::uint64_t lane = 0; lane < 128; ++lane) {
        const std::uint64_t thread = lane + (first ? 0 : 128);
        const std::uint64_t word = i / 3 << 28 | (thread / 32) << 24 | reg << 8 | thread % 32;
        const std::uint64_t wide = (std::uint64_t{1} << 62) + reg * 256 + thread;
        CHECK(fragment.registers[reg][lane] == (i % 3 == 1 ? wide : word));
      }
    }
  }
}

TEST_CASE("a warpgroup of which one warp does not record is reported, with its line") {
  const Ran ran = record("skip");
  CHECK(ran.status == 1);
  CHECK(ran.output.find("record_program.cu:") != std::string::npos);
  CHECK(ran.output.find("RECORD_WARPGROUP of \"D\" was not done by all four warps") !=
        std::string::npos);
  const trace::Trace trace = traced("skip");
  CHECK(events<trace::Fragment>(trace).size() == 4);  // the second warpgroups are whole
  REQUIRE(events<trace::Diagnostic>(trace).size() == 1);
  CHECK(events<trace::Diagnostic>(trace)[0].kind == "recorder-incomplete");
}

TEST_CASE("the 128 registers of a warpgroup are named in the PTX") {
  const std::string ptx = tests::contents_of(kBuild + "/tests/device/record_program.ptx");
  for (const char* index : {"0", "9", "10", "99", "100", "127"})
    CHECK(ptx.find("//@watch D.r" + std::string(index) + " %") != std::string::npos);
  CHECK(ptx.find("//@watch D.r128") == std::string::npos);
}
