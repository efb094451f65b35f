// SPDX-License-Identifier: MIT
// `lanescope run --trace`, `--steps`, `--fidelity` and `--seed` on programs built by nvcc: the file
// that is written, what is said, and that the program itself runs as ever.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "panels/matrix/model.hpp"
#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"
#include "trace/diff.hpp"
#include "trace/reader.hpp"

using lanescope::tests::build_folder;
using lanescope::tests::Finished;
using lanescope::tests::run_process;
namespace trace = lanescope::trace;
namespace viz = lanescope::viz;
namespace fs = std::filesystem;

namespace {

const std::string kLanescope = build_folder() / "bin/lanescope";
const std::string kPrograms = build_folder() / "tests/programs/built/";
const std::string kFile = build_folder() / "tests/programs/recorded.lanes.zst";

Finished emulate(const std::vector<std::string>& options, const std::string& program) {
  return lanescope::tests::emulate(kPrograms + program, options);
}

trace::Trace recorded(std::vector<std::string> options, const std::string& program) {
  fs::remove(kFile);
  options.push_back("--trace");
  options.push_back(kFile);
  const Finished run = emulate(options, program);
  CHECK(run.exit_code == 0);
  CHECK(run.err == "");
  CHECK(run.out == program + ": ok\n");
  trace::ReadResult result = trace::read_file(kFile);
  REQUIRE_MESSAGE(result.ok(), result.error->message(kFile));
  CHECK(result.unknown_events == 0);
  return std::move(result.trace);
}

template <class Kind>
std::vector<Kind> all(const trace::Trace& trace) {
  std::vector<Kind> found;
  for (const trace::Event& event : trace.events)
    if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
  return found;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("--trace alone writes the launches") {
  const trace::Trace trace = recorded({"--arch", "sm_80"}, "cp_async_chain");
  CHECK(trace.header.producer == "emulator");
  CHECK(trace.header.arch == "sm_80");
  CHECK(trace.header.program == "cp_async_chain");
  const auto launches = all<trace::Launch>(trace);
  REQUIRE(launches.size() == 1);
  CHECK(contains(launches[0].kernel, "chain"));
  CHECK(launches[0].block == std::array<int, 3>{32, 1, 1});
  CHECK(launches[0].allocations.empty());  // nobody asks where memory was: there are no registers
  CHECK(all<trace::Step>(trace).empty());
}

TEST_CASE("--steps records every instruction with its source line, accesses and waits") {
  const trace::Trace trace = recorded({"--steps", "all"}, "cp_async_chain");
  const auto steps = all<trace::Step>(trace);
  REQUIRE(steps.size() > 100);
  std::map<int, int> lines;
  int mma = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    CHECK(steps[k].step == static_cast<int>(k));
    if (steps[k].source.line > 0) {
      ++lines[steps[k].source.line];
      CHECK(contains(steps[k].source.file, "cp_async_chain.cu"));
    }
    if (steps[k].ptx.find("mma.sync") != 0) continue;
    ++mma;
    CHECK(steps[k].writes.size() == 4);
  }
  CHECK(mma == 4);
  CHECK(lines.size() > 5);
  std::set<std::string> kinds;
  for (const trace::Access& access : all<trace::Access>(trace)) kinds.insert(access.instruction);
  CHECK(kinds.count("ldmatrix.sync.aligned.m8n8.x4.shared.b16") == 1);
  CHECK(kinds.count("cp.async.cg.shared.global") == 1);
  std::set<std::string> actions;
  for (const trace::Sync& sync : all<trace::Sync>(trace)) actions.insert(sync.action);
  CHECK(actions == std::set<std::string>{"copy", "pass"});
}

TEST_CASE("another run of the same program differs in addresses alone") {
  const trace::Trace one = recorded({"--steps", "all"}, "cp_async_chain");
  trace::Trace other = recorded({"--steps", "all"}, "cp_async_chain");
  const auto launches = all<trace::Launch>(one);
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].allocations.size() >= 2);
  CHECK(trace::differences(one, other, 100).size() == 0);
  // As if the host's allocator had put all of it elsewhere, as it usually has.
  const auto moved = [&launches](std::uint64_t word) {
    for (const trace::Allocation& from : launches[0].allocations)
      if (word >= from.address && word <= from.address + from.bytes) return word + 0x123000;
    return word;
  };
  other = one;
  for (trace::Event& event : other.events)
    if (auto* step = std::get_if<trace::Step>(&event))
      for (trace::Write& write : step->writes)
        for (std::uint64_t& word : write.lanes) word = moved(word);
  CHECK(trace::differences(one, other, 100).size() > 2);
  for (trace::Event& event : other.events)
    if (auto* launch = std::get_if<trace::Launch>(&event))
      for (trace::Allocation& allocation : launch->allocations) allocation.address += 0x123000;
  CHECK(trace::differences(one, other, 100).size() == 0);
}

TEST_CASE("--steps chooses a block, a warp and a range") {
  const trace::Trace trace =
      recorded({"--steps", "kernel=gemm,block=1,0,0,warp=8,from=40,count=7"}, "tma_gemm");
  const auto steps = all<trace::Step>(trace);
  REQUIRE(steps.size() == 7);
  CHECK(steps[0].step == 40);
  CHECK(steps[0].place.block == std::array<int, 3>{1, 0, 0});
  CHECK(steps[6].place.warp == 8);
  // How warps wait is told of all of them.
  std::set<int> warps;
  std::map<std::string, int> actions;
  for (const trace::Sync& sync : all<trace::Sync>(trace)) {
    warps.insert(sync.place.warp);
    ++actions[sync.action];
  }
  CHECK(warps.size() > 8);
  for (const char* action : {"expect", "copy", "arrive", "land", "complete", "wait", "pass"}) {
    CAPTURE(action);
    CHECK(actions[action] > 0);
  }
}

TEST_CASE("mma selects the first kernel that multiplies, and who does is said") {
  const auto run = [](const std::string& words) {
    return emulate({"--steps", words, "--trace", kFile}, "late_products");
  };
  const auto launches_of_steps = [] {
    std::set<int> launches;
    for (const trace::Step& step : all<trace::Step>(trace::read_file(kFile).trace))
      launches.insert(step.place.launch);
    return launches;
  };
  CHECK(run("all").err == "");  // the first launch, which has no mma
  CHECK(launches_of_steps() == std::set{0});
  CHECK(run("mma").err ==
        "lanescope: --steps: no block of this launch has come to its mma; their steps are "
        "recorded\n");
  CHECK(launches_of_steps() == std::set{1});
  CHECK(run("mma,launch=2").err ==
        "lanescope: --steps: block 0,0,0 has multiplied nothing; the first that has is "
        "block=2,1,0\n");
  CHECK(run("launch=2,block=2,1,0,mma").err == "");
  bool multiplies = false;
  for (const trace::Step& step : all<trace::Step>(trace::read_file(kFile).trace))
    multiplies = multiplies || contains(step.ptx, "mma.sync.aligned.m16n8k16");
  CHECK(multiplies);
  CHECK(run("launch=2,block=3,1,0").err == "");  // behind the one that does: nobody knows
  CHECK(contains(run("kernel=fill,mma").err, "--steps mma,kernel=fill: no launch is selected"));
}

TEST_CASE("a selection that means nothing, or nobody, is said") {
  const Finished wrong = emulate({"--steps", "blok=1"}, "vector_add");
  CHECK(wrong.exit_code == 2);
  CHECK(
      contains(wrong.err, "lanescope: --steps: 'blok=1' is no selection of steps; write kernel="));
  const Finished nobody = emulate({"--steps", "kernel=gemm", "--trace", kFile}, "vector_add");
  CHECK(nobody.exit_code == 0);
  CHECK(
      contains(nobody.err, "--steps kernel=gemm: no launch is selected; kernels that ran: add\n"));
  const Finished outside = emulate({"--steps", "block=99999", "--trace", kFile}, "vector_add");
  CHECK(contains(outside.err, "there is no block 99999,0,0 in the grid"));
  const Finished folder = emulate({"--trace", "/no/such/folder/a.lanes"}, "vector_add");
  CHECK(folder.exit_code == 2);
  CHECK(contains(folder.err, "--trace: there is no folder /no/such/folder"));
}

TEST_CASE("a trace that is lost is said, and is no success: exit code 2") {
  const std::string said =
      "lanescope: --trace: /dev/full cannot be written: No space left on device; make room there "
      "or name another file, and run it again\n";
  for (const char* steps : {"", "all"}) {
    std::vector<std::string> options{"--trace", "/dev/full"};
    if (*steps != '\0') options.insert(options.end(), {"--steps", steps});
    const Finished run = emulate(options, "vector_add");
    CHECK(run.exit_code == 2);
    CHECK(run.err == said);
    CHECK(run.out == "vector_add: ok\n");
  }
  // Before the program has run for nothing, where that can be known.
  const Finished folder = emulate({"--trace", "/tmp"}, "vector_add");
  CHECK(folder.exit_code == 2);
  CHECK(folder.out == "");
  CHECK(folder.err == "lanescope: --trace: /tmp is a folder; name a file in it\n");
  const Finished nobody = emulate({"--trace", "/proc/a.lanes"}, "vector_add");
  CHECK(nobody.exit_code == 2);
  CHECK(contains(nobody.err, "--trace: /proc/a.lanes cannot be written: "));
  // What the program has failed with comes first, and what the checker has found.
  const auto code = [](const std::vector<std::string>& words) {
    std::vector<std::string> command{kLanescope, "run", "--trace", "/dev/full"};
    command.insert(command.end(), words.begin(), words.end());
    const Finished run = run_process(command);
    CHECK(contains(run.err, "--trace: /dev/full cannot be written: "));
    return run.exit_code;
  };
  CHECK(code({"--", kPrograms + "sass_only"}) == 1);
  CHECK(code({"--check", "--", kPrograms + "broken", "read_after_write"}) == 1);
}

TEST_CASE("what --check reports stands in the trace once, with the line of its steps") {
  fs::remove(kFile);
  const Finished run = run_process({kLanescope, "run", "--check", "--steps", "all", "--trace",
                                    kFile, "--", kPrograms + "broken", "read_after_write"});
  CHECK(run.exit_code == 1);
  const trace::ReadResult result = trace::read_file(kFile);
  REQUIRE(result.ok());
  const std::vector<trace::Diagnostic> said = all<trace::Diagnostic>(result.trace);
  REQUIRE(said.size() == 1);
  CHECK(said[0].kind == "race-read-after-write");
  CHECK(contains(run.err, said[0].message));
  CHECK(said[0].source.file.ends_with("memory.cuh"));
  int lines = 0;
  for (const trace::Step& step : all<trace::Step>(result.trace))
    lines += step.ptx_line == said[0].ptx_line ? 1 : 0;
  CHECK(lines > 0);
  // Whom it is against, as the words have it: a store that is a step of the trace.
  REQUIRE(said[0].against.size() == 1);
  const trace::OtherAccess& other = said[0].against[0];
  CHECK(contains(run.err, fmt::format("against warp {} lane {}, line {}, PTX line {} `{}`\n",
                                      other.warp, other.lane, other.source.line, other.ptx_line,
                                      other.ptx.substr(0, other.ptx.size() - 1))));
  int others = 0;
  for (const trace::Step& step : all<trace::Step>(result.trace))
    others += step.ptx == other.ptx && step.ptx_line == other.ptx_line &&
                      step.source == other.source && step.place.block == other.block &&
                      step.place.warp == other.warp
                  ? 1
                  : 0;
  CHECK(others == 1);
}

TEST_CASE("where stdout is closed, what is printed does not become part of the trace") {
  fs::remove(kFile);
  const std::string words =
      "exec '" + kLanescope + "' run --trace '" + kFile + "' -- '" + kPrograms + "vector_add' ";
  for (const char* closed : {"<&- >&- 2>&-", ">&-", "2>&-"}) {
    CAPTURE(std::string(closed));
    const Finished run = run_process({"/bin/sh", "-c", words + closed});
    CHECK(run.exit_code == 0);
    const trace::ReadResult result = trace::read_file(kFile);
    CHECK_MESSAGE(result.ok(), result.error->message(kFile));
  }
}

TEST_CASE("without --trace the steps go to the traces of the project, and that is said") {
  const fs::path project = fs::temp_directory_path() / fmt::format("lanescope steps {}", getpid());
  fs::remove_all(project);
  fs::create_directories(project);
  const Finished run =
      run_process({kLanescope, "run", "--steps", "warp=0,count=5", "--", kPrograms + "vector_add"},
                  {"LANESCOPE_PROJECT=" + project.string()});
  CHECK(run.exit_code == 0);
  const fs::path file = project / "traces" / "vector_add.steps.lanes.zst";
  CHECK(run.err == "lanescope: the steps go to " + file.string() +
                       "; look at them: lanescope view " + file.string() + "\n");
  const trace::ReadResult result = trace::read_file(file.string());
  REQUIRE_MESSAGE(result.ok(), result.error->message(file.string()));
  CHECK(all<trace::Step>(result.trace).size() == 5);
  const Finished none =
      run_process({kLanescope, "run", "--steps", "all", "--", "/bin/echo", "done"},
                  {"LANESCOPE_PROJECT=" + project.string()});
  CHECK(none.out == "done\n");
  CHECK(none.err == "");  // no steps, no trace
  // Of an installed command whose checkout is gone they lie here, and no folder is made there.
  fs::remove_all(project / "traces");
  const fs::path gone = project / "gone";
  const Finished here = run_process(
      {"/bin/sh", "-c",
       "cd '" + project.string() + "' && LANESCOPE_PROJECT='" + gone.string() + "' exec '" +
           kLanescope + "' run --steps warp=0,count=5 -- '" + kPrograms + "vector_add'"});
  CHECK(here.exit_code == 0);
  CHECK(contains(here.err, "the steps go to vector_add.steps.lanes.zst; look at them: lanescope"));
  CHECK(fs::exists(project / "vector_add.steps.lanes.zst"));
  CHECK(!fs::exists(gone));
  fs::remove_all(project);
}

TEST_CASE("a fault ends the trace with its diagnostic") {
  fs::remove(kFile);
  run_process({kLanescope, "run", "--trace", kFile, "--", kPrograms + "fault", "out-of-bounds"});
  const trace::ReadResult result = trace::read_file(kFile);
  REQUIRE_MESSAGE(result.ok(), result.error->message(kFile));
  const auto diagnostics = all<trace::Diagnostic>(result.trace);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].kind == "out-of-bounds");
  CHECK(diagnostics[0].source.line > 0);
}

TEST_CASE("--fidelity lists what was executed and how exact it is") {
  const Finished run = emulate({"--fidelity", "--arch", "sm_80"}, "cp_async_chain");
  CHECK(run.out == "cp_async_chain: ok\n");
  CHECK(contains(run.err, "fidelity     warp instructions  instruction\n"));
  CHECK(contains(
      run.err, "exact                       4  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
  CHECK_FALSE(contains(run.err, "approximate "));
}

TEST_CASE("right programs are right under every seed") {
  for (const char* seed : {"1", "2", "3", "77"}) {
    CAPTURE(seed);
    for (const char* program : {"cp_async_chain", "tma_gemm"}) {
      const Finished run = emulate({"--seed", seed}, program);
      CHECK(run.out == std::string(program) + ": ok\n");
      CHECK(run.err == "");
    }
  }
  CHECK(emulate({"--seed", "nine"}, "vector_add").exit_code == 2);
}

namespace {

double element(const viz::Multiplication& in, char operand, int row, int col) {
  const std::string value = viz::value_text(in, operand, in.holder(operand, row, col));
  REQUIRE(value != "");
  return std::stod(value);
}

// Of programs whose numbers are whole and small, so that sums are exact in f16, too.
void holds_products(const std::string& program, int launch, std::size_t products) {
  CAPTURE(program);
  CAPTURE(launch);
  fs::remove(kFile);
  const Finished run =
      emulate({"--steps", fmt::format("launch={}", launch), "--trace", kFile}, program);
  REQUIRE(run.exit_code == 0);
  trace::ReadResult result = trace::read_file(kFile);
  REQUIRE_MESSAGE(result.ok(), result.error->message(kFile));
  const viz::Model model = viz::make_model(std::move(result.trace));
  CHECK(model.is_of_steps());
  CHECK(model.remarks.empty());
  CHECK(model.multiplications.size() == products);
  for (const viz::Multiplication& in : model.multiplications) {
    CAPTURE(in.instruction->mnemonic);
    const auto& i = *in.instruction;
    int right = 0;
    for (int row = 0; row < i.M; ++row)
      for (int col = 0; col < i.N; ++col) {
        double sum = element(in, 'C', row, col);
        for (int stored = 0; stored < i.A.cols; ++stored) {
          const std::optional<int> k = in.k_of(row, stored);
          REQUIRE(k);
          sum += element(in, 'A', row, stored) * element(in, 'B', *k, col);
        }
        right += sum == element(in, 'D', row, col);
      }
    CHECK(right == i.M * i.N);
  }
}

}  // namespace

TEST_CASE("of programs that call no RECORD every product is put together: D = A * B + C") {
  holds_products("hgemm_warp", 1, 5);  // K = 70
  constexpr int kOrders = 4, kTypes = 17;
  holds_products("sparse_gemm", 0, 256);  // 64 x 64 x 256 in four warps, and A's metadata
  for (int type = 0; type < kTypes; ++type) holds_products("wmma_gemm", kOrders * type, 2);
}

TEST_CASE("of a right kernel every element is followed back: cp.async, swizzle, ldmatrix, .trans") {
  fs::remove(kFile);
  REQUIRE(emulate({"--steps", "all", "--trace", kFile}, "flash_mma").exit_code == 0);
  const Finished judged = run_process({kLanescope, "diagnose", kFile});
  CHECK(judged.exit_code == 0);
  CHECK(contains(judged.out, "A of product 1, f16  m16n8k16  f32  step "));
  CHECK(contains(judged.out,
                 "right: row after row, 128 bytes apart, from byte 0 behind parameter 0"));
  CHECK(contains(
      judged.out,
      "64 of 256 products were looked at, the first ones and the last\n160 operands compared"));
  CHECK(contains(judged.out, "all are right\n"));
}

TEST_CASE("a sparse A that lies compressed in memory is followed back, too") {
  fs::remove(kFile);
  REQUIRE(emulate({"--steps", "all", "--trace", kFile}, "sparse_gemm").exit_code == 0);
  const Finished judged = run_process({kLanescope, "diagnose", kFile});
  CHECK(judged.exit_code == 0);
  CHECK(contains(judged.out, "A of product 1, f16  m16n8k32  f32  step "));
  CHECK(!contains(judged.out, "A is sparse"));
  CHECK(contains(judged.out, "all are right\n"));
}

namespace {

std::string diagnosed(const std::string& program, const std::vector<std::string>& arguments) {
  fs::remove(kFile);
  CHECK(lanescope::tests::emulate(kPrograms + program, {"--steps", "all", "--trace", kFile},
                                  arguments)
            .exit_code == 0);
  return run_process({kLanescope, "diagnose", kFile}).out;
}

}  // namespace

TEST_CASE("numbers are followed through what rounds or widens them") {
  const std::string mma = diagnosed("rounded", {"mma"});
  CHECK(contains(mma, "right: row after row, 192 bytes apart, from byte 0 behind parameter 0 on"));
  CHECK(
      contains(mma, "right: column after column, 160 bytes apart, from byte 0 behind parameter 1"));
  CHECK(contains(mma, "3 operands compared, by where their elements came from; all are right\n"));

  const std::string wgmma = diagnosed("rounded", {"wgmma"});
  CHECK(
      contains(wgmma, "right: row after row, 192 bytes apart, from byte 0 behind parameter 0 on"));
  CHECK(contains(wgmma, "3 operands compared, by where their elements came from; all are right\n"));

  const std::string exchanged = diagnosed("rounded", {"exchanged"});
  CHECK(contains(exchanged, "the parts of every register are in the opposite order"));
  CHECK(contains(exchanged, "the first: lane 0, A.r0.lo: A[0][0] belongs there, it is A[0][1]"));
  CHECK(contains(exchanged, "one is wrong\n"));

  const std::string widened = diagnosed("mixed_input", {});  // bf16 out of 8 bits that TMA brings
  CHECK(contains(widened, "A of product 1, bf16  m64n64k16  f32  step "));
  CHECK(contains(widened, "right: row after row, 256 bytes apart, from {48, 0} of the tensor"));
  CHECK(contains(widened, "all are right\n"));
}

TEST_CASE("through TMA and descriptors, too; what a kernel worked out is not judged") {
  fs::remove(kFile);
  REQUIRE(emulate({"--steps", "all", "--trace", kFile}, "flash_wgmma").exit_code == 0);
  const Finished judged = run_process({kLanescope, "diagnose", kFile});
  CHECK(judged.exit_code == 0);
  CHECK(contains(judged.out, "A of product 1, f16  m64n64k16  f32  warp 4  step "));
  CHECK(contains(judged.out,
                 "right: row after row, 128 bytes apart, from {0, 0, 0} of the tensor "
                 "of parameter 0 on"));
  CHECK(contains(judged.out,
                 "not compared: where A[0][0] came from is not known: ex2: works it "
                 "out: lane 0, "));
  // D, which leaves through shared memory and a tensor map.
  CHECK(contains(judged.out, "D of product 8, f16  m64n64k16  f32  warp 4  step "));
  CHECK(contains(judged.out,
                 "right: row after row, 128 bytes apart, from {0, 64, 0} of the tensor at "));
  CHECK(contains(judged.out, "14 operands compared"));
  CHECK(contains(judged.out, "all are right\n"));
}

TEST_CASE("of what the same addresses may mean the sum decides: a .trans too many") {
  const fs::path folder = build_folder() / "tests/programs/turned";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::vector<std::string> environment{"LANESCOPE_PTX=" + folder.string()};
  const std::vector<std::string> run{kLanescope, "run", "--steps", "all",
                                     "--trace",  kFile, "--",      kPrograms + "cp_async_chain"};
  CHECK(run_process(run, environment).exit_code == 0);
  std::ifstream written(folder / "0.ptx");
  std::string ptx{std::istreambuf_iterator<char>(written), {}};
  const std::string plain = "ldmatrix.sync.aligned.m8n8.x4.";
  for (std::size_t at = ptx.find(plain); at != std::string::npos; at = ptx.find(plain, at + 1))
    ptx.insert(at + plain.size(), "trans.");
  std::ofstream(folder / "0.ptx") << ptx;
  CHECK(run_process(run, environment).exit_code == 1);
  const std::string said = run_process({kLanescope, "diagnose", kFile}).out;
  CHECK(contains(said, "every 8 x 8 matrix is transposed\n"));
  CHECK(contains(said, "an ldmatrix has a .trans too many, or too few.\n"));
  CHECK(!contains(said, "are exchanged"));  // what A's addresses alone may mean as well
}
