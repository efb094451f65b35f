// SPDX-License-Identifier: MIT
// The second file of a trace: where it lies, what is taken from it, what is refused.
#include "trace/beside.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "trace/file.hpp"
#include "trace/kernel_name.hpp"

using namespace lanescope::trace;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("lanescope beside " + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
};

Trace lanes() {
  Trace trace;
  trace.header = {1, "emulator", "Lanescope emulator", "sm_90a", "05_cp_async", ""};
  trace.events = {Launch{0, "arrived", {1, 1, 1}, {32, 1, 1}, 0, {}}};
  return trace;
}

Trace steps() {
  Trace trace = lanes();
  trace.events.emplace_back(Launch{7, "multiply", {1, 1, 1}, {32, 1, 1}, 0, {}});
  trace.events.emplace_back(Launch{8, "other", {1, 1, 1}, {32, 1, 1}, 0, {}});
  Step step;
  step.place.launch = 7;
  step.ptx = "ret;";
  trace.events.emplace_back(step);
  Sync sync;
  sync.place.launch = 7;
  sync.action = "arrive";
  sync.object = "bar 0";
  trace.events.emplace_back(sync);
  return trace;
}

void put(const std::string& path, const Trace& trace) { REQUIRE_FALSE(write_file(path, trace)); }

}  // namespace

TEST_CASE("the steps of a trace lie beside it, under its name") {
  CHECK(steps_path("a/t.cpu.lanes") == "a/t.cpu.steps.lanes.zst");
  CHECK(steps_path("a/t.cpu.lanes.zst") == "a/t.cpu.steps.lanes.zst");
  CHECK(steps_path("a/t.steps.lanes.zst").empty());
  CHECK(steps_path("a/t.txt").empty());
  CHECK(steps_path(".lanes").empty());
}

TEST_CASE("a second file is one only where the first is") {
  const Folder folder;
  put(folder / "t.steps.lanes.zst", steps());
  CHECK_FALSE(is_beside_another(folder / "t.steps.lanes.zst"));
  put(folder / "t.lanes", lanes());
  CHECK(is_beside_another(folder / "t.steps.lanes.zst"));
  CHECK_FALSE(is_beside_another(folder / "t.lanes"));
}

TEST_CASE("steps, waits and the launch they are of are added, nothing else") {
  const Folder folder;
  put(folder / "t.steps.lanes.zst", steps());
  Trace trace = lanes();
  CHECK(add_steps_beside(trace, folder / "t.lanes") == "");
  REQUIRE(trace.events.size() == 4);
  CHECK(std::get<Launch>(trace.events[0]).kernel == "arrived");
  CHECK(std::get<Launch>(trace.events[1]).kernel == "multiply");
  CHECK(std::get<Step>(trace.events[2]).ptx == "ret;");
  CHECK(std::get<Sync>(trace.events[3]).object == "bar 0");
}

TEST_CASE("a launch that both have gets the arguments of its template, no other name") {
  const Folder folder;
  for (const auto& [kernel, shown] :
       {std::pair{"_Z8multiplyILi3ELi2EEvPKt", "multiply<3, 2>"},
        std::pair{"_Z9multiplieILi3EEvPKt", "multiply"}, std::pair{"other", "multiply"}}) {
    Trace second = steps();
    std::get<Launch>(second.events[1]).kernel = kernel;
    put(folder / "t.steps.lanes.zst", second);
    Trace trace = lanes();
    trace.events.emplace_back(Launch{7, "multiply", {1, 1, 1}, {32, 1, 1}, 0, {}});
    CHECK(add_steps_beside(trace, folder / "t.lanes") == "");
    REQUIRE(trace.events.size() == 4);
    CHECK(as_written(std::get<Launch>(trace.events[1]).kernel) == shown);
  }
}

TEST_CASE("a register that holds what a fragment does has its name") {
  const Folder folder;
  const auto counted = [](std::uint64_t from) {
    std::vector<std::uint64_t> words(32);
    for (std::uint64_t& word : words) word = from++;
    return words;
  };
  const std::vector<std::uint64_t> zeros(32, 0);
  Fragment a;
  a.place.launch = 7;
  a.name = "A k=16";
  a.operand = "A";
  a.registers = {counted(5), counted(100), zeros, counted(300), counted(300)};
  Fragment d;  // of a warpgroup
  d.place.launch = 7;
  d.name = d.operand = "D";
  d.registers.push_back(counted(1000));
  for (const std::uint64_t word : counted(2000)) d.registers[0].push_back(word);
  Trace first = lanes();
  first.events.emplace_back(a);
  first.events.emplace_back(d);

  Trace second = lanes();
  const auto write = [&](int launch, int warp, const std::vector<std::uint64_t>& words) {
    Step step;
    step.place.launch = launch;
    step.place.warp = warp;
    step.ptx = "mov.b32 %r1, %r2;";
    step.writes = {{"%r1", "", 32, words}};
    second.events.emplace_back(step);
  };
  write(7, 0, counted(100));
  write(7, 0, zeros);         // anybody's
  write(7, 0, counted(300));  // of r3 or of r4
  write(7, 0, counted(6));
  write(8, 0, counted(100));  // another launch
  write(7, 1, counted(100));  // another warp
  write(7, 1, counted(2000));
  put(folder / "t.steps.lanes.zst", second);
  CHECK(add_steps_beside(first, folder / "t.lanes").empty());
  std::vector<std::string> names;
  for (const Event& event : first.events)
    if (const auto* step = std::get_if<Step>(&event)) names.push_back(step->writes.at(0).watch);
  CHECK(names == std::vector<std::string>{"A k=16.r1", "", "", "", "", "", "D.r0"});
}

TEST_CASE("without a second file, and with steps of its own, a trace stays as it is") {
  const Folder folder;
  Trace trace = lanes();
  CHECK(add_steps_beside(trace, folder / "t.lanes") == "");
  CHECK(trace == lanes());
  put(folder / "t.steps.lanes.zst", steps());
  trace = steps();
  CHECK(add_steps_beside(trace, folder / "t.lanes") == "");
  CHECK(trace == steps());
}

TEST_CASE("a second file that is damaged, or another program's, is said and left out") {
  const Folder folder;
  Trace other = steps();
  other.header.program = "06_naive_hgemm";
  put(folder / "t.steps.lanes.zst", other);
  Trace trace = lanes();
  CHECK(add_steps_beside(trace, folder / "t.lanes").find("is of another program") !=
        std::string::npos);
  std::ofstream(folder / "t.steps.lanes.zst") << "nonsense";
  CHECK(add_steps_beside(trace, folder / "t.lanes").find("t.steps.lanes.zst") != std::string::npos);
  CHECK(trace == lanes());
}

TEST_CASE("a kernel's name as it is written") {
  CHECK(as_written("_Z8multiplyILi3ELi2EEvPKtS1_PfiPx14DeviceRecorder") == "multiply<3, 2>");
  CHECK(as_written("multiply_f16") == "multiply_f16");
  for (const char* name : {"f", "x", "d", "Pi", "3foo"}) CHECK(as_written(name) == name);
  CHECK(as_written("") == "");
  CHECK(as_written("_ZN12_GLOBAL__N_14fillEPf") == "fill");
  // Types of template arguments and a call operator have brackets, "void " and scopes of their own.
  CHECK(as_written("_Z5applyIPFvfEEvT_") == "apply<void (*)(float)>");
  CHECK(as_written("_ZN3AddclEii") == "Add::operator()");
}

TEST_CASE("an instruction with the names of its source") {
  CHECK(plain_ptx("ld.param.u64 %rd4, [_Z4ring14CUtensorMap_stPiS0__param_0];") ==
        "ld.param.u64 %rd4, [param_0];");
  CHECK(plain_ptx("mov.u32 %r29, _ZZ4ring14CUtensorMap_stPiS0_E4full;") == "mov.u32 %r29, full;");
  CHECK(plain_ptx("call _Z3addii, (%r1);") == "call add, (%r1);");
  CHECK(plain_ptx("call _ZN1m3addIN1n1TEEEvS2_, (%r1);") == "call add<n::T>, (%r1);");
  CHECK(plain_ptx("mov.u32 %r1, _ZZN1m4ringIN1n1TEEEvS2_E4full;") == "mov.u32 %r1, full;");
  CHECK(plain_ptx("mov.u32 a, _Z; ld [_Zx+4], _Z1xi_param_12") ==
        "mov.u32 a, _Z; ld [_Zx+4], param_12");
  CHECK(plain_ptx("") == "");
}

TEST_CASE("a source by its plain path") {
  CHECK(plain_path("/repo/build/lessons/../../lessons/05/lesson.cu") ==
        "/repo/lessons/05/lesson.cu");
  CHECK(plain_path("./lesson.cu") == "lesson.cu");
  CHECK(plain_path("../lesson.cu") == "../lesson.cu");
  CHECK(plain_path("a.b/lesson.cu") == "a.b/lesson.cu");
  CHECK(plain_path("") == "");
}
