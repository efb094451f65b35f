// SPDX-License-Identifier: MIT
// What programs ask of the runtime and the driver: memory of every kind, streams, graphs, limits;
// what an H200 answered where a card can say what is right.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/programs/programs.hpp"

using namespace lanescope::tests::programs;
namespace fs = std::filesystem;
using lanescope::tests::Finished;

TEST_CASE("a kernel that NVRTC compiles while the program runs, PTX or machine code") {
  if (!std::filesystem::exists(kPrograms + "nvrtc")) {
    MESSAGE("this toolkit has no NVRTC");
    return;
  }
  check_right(emulate("nvrtc"), "no machine code\n2.5 5 7.5\n");
  // By NVRTC as it is linked, as dlsym finds it, and as a library brings it along.
  const std::string library = kPrograms + "libnvrtc_user.so";
  for (const Finished& run : {emulate("nvrtc", {"cubin"}), emulate("nvrtc", {"opened"}),
                              emulate("nvrtc_opener", {library, "cubin"}),
                              emulate("nvrtc_opener", {library, "opened"})}) {
    CHECK(run.exit_code == 0);
    CHECK(run.out == "with machine code\n2.5 5 7.5\n");
    CHECK(run.err ==
          "lanescope: nvrtcGetCUBIN gives this program PTX: machine code does not run here\n");
  }
}

TEST_CASE("kernels launch kernels, copies and fills, each in its turn, as on an H200") {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/programs/h200/dynamic.txt");
  std::string card((std::istreambuf_iterator<char>(file)), {});
  const std::string unfilled = "381 38 1 0 ";  // a kernel's cudaMemsetAsync did nothing there
  REQUIRE(card.substr(0, unfilled.size()) == unfilled);
  card.replace(0, unfilled.size(), "381 38 1111638595 555819297 ");
  const Finished run = emulate("dynamic");
  CHECK(run.exit_code == 0);
  CHECK(run.out == card);
  CHECK(contains(run.err, "add: grid (0, 1, 1): each must be 1 to"));
  CHECK(contains(run.err, "bounded: block (128, 1, 1) has 128 threads, its __launch_bounds__"));
  CHECK(lines(run.err) == 11);
}

TEST_CASE("a pointer of a thread's own that it gives to a grid is named, once a kernel") {
  const Finished run = emulate("dynamic", {"give"});
  CHECK(run.out == "cudaErrorIllegalAddress\n");
  CHECK(contains(run.err, "add: parameter 0 is a pointer to local memory of the thread that "));
  CHECK(contains(run.err, "multiply: parameter 0 is a pointer to shared memory of the thread "));
  CHECK(lines(run.err) == 3);  // and what add does with it
}

TEST_CASE("a capture forbids what an H200's forbids, and says what to do") {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/programs/h200/captures.txt");
  const std::string card((std::istreambuf_iterator<char>(file)), {});
  REQUIRE(lines(card) == 3 * 43);
  const Finished run = emulate("captures");
  CHECK(run.exit_code == 0);
  CHECK(run.out == card);
  CHECK(
      contains(run.err, "cudaMalloc: not while a stream is captured, which is invalid now; call"));
  CHECK(contains(run.err, "cudaDeviceSynchronize: not while a stream is captured"));
}

TEST_CASE("a cooperative launch: the barrier of the grid, and its limit") {
  const Finished run = emulate("cooperative");
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "can: 1\nby call: ok\none too many: cudaErrorCooperativeLaunchTooLarge\nby attribute: ok\n"
        "plain launch: cudaSuccess\n");
  CHECK(lines(run.err) == 1);
  CHECK(contains(run.err, "1057 blocks, and the card runs 1056 at a time (8 on each of 132"));
}

TEST_CASE("graphs, captured and made; volumes and pools") {
  const Finished run = emulate("graphs");
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "nothing was done yet: ok\nnodes: 5\ncaptured: ok\nupdated: ok\nnode by node: ok\n"
        "another argument: ok\na circle: cudaErrorInvalidValue\n"
        "synchronize while capturing: cudaErrorStreamCaptureUnsupported\n"
        "the capture: cudaErrorStreamCaptureInvalidated\n"
        "end again: cudaErrorIllegalState\nmemory by nodes: ok\nmemory of its own: ok\nvolume: "
        "ok\npool: ok\n");
  CHECK(run.err == "lanescope: cudaGraphInstantiate: the graph's dependencies go in a circle\n");
}

TEST_CASE("the driver API alone, linked with -lcuda, with streams of a thread's own, too") {
  for (const char* name : {"driver_api", "driver_per_thread"}) {
    CAPTURE(name);
    const Finished run = emulate(name);
    CHECK(run.exit_code == 0);
    CHECK(run.out ==
          "kernels: 1, add_scaled, loaded 1\ndriver_api: 0 wrong\nlinked: 42\nno such kernel: "
          "CUDA_ERROR_NOT_FOUND\na green context: "
          "CUDA_ERROR_NOT_SUPPORTED\na private table: CUDA_ERROR_NOT_FOUND, 1\nunloaded: "
          "CUDA_ERROR_INVALID_HANDLE\n");
    CHECK(lines(run.err) == 3);
    CHECK(contains(run.err,
                   "\nlanescope: " + std::string(name) + " asks the driver for private tables"));
    CHECK(contains(run.err,
                   "cuModuleGetFunction: no kernel nobody in the module; is its name mangled?"));
  }
}

TEST_CASE(
    "what has the runtime linked in is told so behind a shell, too, and that nothing was checked") {
  const Finished run = lanescope::tests::run_process(
      {kLanescope, "run", "--check", "--", "/bin/sh", "-c", "'" + kPrograms + "static_runtime'"});
  CHECK(run.exit_code == 1);
  CHECK(contains(run.err,
                 "lanescope: static_runtime has the CUDA runtime linked in and cannot be emulated; "
                 "build it with nvcc -cudart shared\n"));
  CHECK(contains(run.err, "lanescope: nothing was checked: no kernel ran\n"));
}

TEST_CASE("constants, device variables, managed variables") {
  const Finished run = emulate("symbols");
  CHECK(run.exit_code == 0);
  CHECK(run.out == "symbols: ok\n");
  CHECK(run.err ==
        "lanescope: cudaMemcpyToSymbol: 32 bytes at offset 4 of weights, which has 32\n");
}

TEST_CASE("device printf shows at the next synchronization") {
  std::string out = "before\n";
  for (int thread = 0; thread < 3; ++thread)
    out += "thread " + std::to_string(thread) + " of 32:   -42|2.50  |lane|beef z%\n";
  out += "[(null)] [    (null)] []\n";  // as on an H200
  out += "4464 4464|42    |42    |44\n";
  out += "1%|   2\n3 arguments, of no format -1\n";
  out += "%y|%-5y|%|7|%-l\n";  // what is no conversion stands there, but for its length: so, too
  check_right(emulate("device_printf"), out + "after\n");
}

TEST_CASE("streams, events and every kind of memory") {
  const std::string out = "Lanescope emulator, 9.0, 132 multiprocessors\nstreams: ok\n";
  check_right(emulate("streams"), out);
  check_right(emulate("per_thread_stream"), out);
}

TEST_CASE("%smid counts the multiprocessors of the card that is emulated") {
  check_right(emulate("multiprocessors", {}, "sm_80"),
              "1000 blocks on 108 multiprocessors of 108\n");
  check_right(emulate("multiprocessors", {}, "sm_86"), "1000 blocks on 84 multiprocessors of 84\n");
  check_right(emulate("multiprocessors"), "1000 blocks on 132 multiprocessors of 132\n");
}

TEST_CASE("what cannot be launched or asked is answered as an H200 answers") {
  for (const std::string name :
       {"launch_errors", "more_errors", "late_calls", "graph_memory", "graph_more", "graph_shapes",
        "limits", "texture_errors", "batches", "capture_default", "capture_events",
        "per_thread_captures", "blocks_as_clusters"}) {
    CAPTURE(name);
    std::ifstream file(std::string(LANESCOPE_SOURCE_DIR "/tests/programs/h200/") + name + ".txt");
    std::string ours = emulate(name).out;
    for (std::string line; std::getline(file, line);) {
      const std::size_t end = std::min(ours.find('\n'), ours.size());
      CHECK(ours.substr(0, end) == line);
      ours.erase(0, std::min(end + 1, ours.size()));
    }
    CHECK(ours == "");
    file.clear();
    file.seekg(0);
    CHECK(std::count(std::istreambuf_iterator<char>(file), {}, '\n') > 70);
  }
}

namespace {

void check_limits_of_registers(const Finished& run) {
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "few: 8 registers, 1024 threads in a block, blocks on a multiprocessor: "
        "32 21 16 12 8 5 4 2; best 264 of 1024\n"
        "some: 128 registers, 512 threads in a block, blocks on a multiprocessor: "
        "16 5 4 3 2 1 1 0; best 132 of 512\n"
        "many: 255 registers, 256 threads in a block, blocks on a multiprocessor: "
        "8 2 2 1 1 0 0 0; best 132 of 256\n"
        "most: 255 registers, 256 threads in a block, blocks on a multiprocessor: "
        "8 2 2 1 1 0 0 0; best 132 of 256\n"
        "bounded: 64 registers, 1024 threads in a block, blocks on a multiprocessor: "
        "32 10 8 6 4 2 2 1; best 132 of 1024\n"
        "four_at_least: 64 registers, 256 threads in a block, blocks on a multiprocessor: "
        "32 10 8 6 4 2 2 1; best 528 of 256\n"
        "limited: 40 registers, 1024 threads in a block, blocks on a multiprocessor: "
        "32 16 12 9 6 4 3 1; best 264 of 768\n"
        "1024 threads of most: cudaErrorLaunchOutOfResources\n"
        "cooperative: cudaErrorCooperativeLaunchTooLarge\n");
  CHECK(contains(run.err, "1024 threads of 255 registers, there are enough for 256"));
}

Finished occupancy_by_ptx(const std::string& path, const std::string& option) {
  return run_process({kLanescope, "run", option, "--", kPrograms + "occupancy_by_ptx"},
                     {"PATH=" + path});
}

}  // namespace

TEST_CASE("registers, where the program's SASS tells them, limit blocks") {
  check_limits_of_registers(emulate("occupancy"));
}

TEST_CASE("registers, where ptxas is asked for them, limit blocks just so") {
  check_limits_of_registers(
      occupancy_by_ptx(LANESCOPE_NVCC_FOLDER ":/usr/bin:/bin", "--registers"));
}

TEST_CASE("ptxas is asked about PTX that is newer than it, too") {
  const fs::path folder = fs::path(kPrograms).parent_path().parent_path() / "newer_ptx";
  fs::remove_all(folder);
  fs::create_directories(folder);
  setenv("LANESCOPE_PTX", folder.c_str(), 1);
  const std::string path = LANESCOPE_NVCC_FOLDER ":/usr/bin:/bin";
  check_limits_of_registers(occupancy_by_ptx(path, "--registers"));
  const fs::path file = folder / "0.ptx";
  std::ifstream in(file);
  std::string ptx{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = ptx.find(".version ");
  REQUIRE(at != std::string::npos);
  std::ofstream(file) << ptx.replace(at, ptx.find('\n', at) - at, ".version 9.9");
  check_limits_of_registers(occupancy_by_ptx(path, "--registers"));
  unsetenv("LANESCOPE_PTX");
}

TEST_CASE("--registers without a ptxas says once what to do, and the program goes on") {
  const Finished run = occupancy_by_ptx("/usr/bin:/bin", "--registers");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "most: 32 registers, 1024 threads in a block"));
  CHECK(run.err ==
        "lanescope: --registers: few: cannot run ptxas: No such file or directory; put the CUDA "
        "toolkit's bin folder on PATH\n");
}

TEST_CASE("--fidelity names the kernels whose blocks were counted without their registers") {
  const Finished run = occupancy_by_ptx("/usr/bin:/bin", "--fidelity");
  CHECK(contains(run.err,
                 "how many blocks of four_at_least fit: PTX does not say how many registers it "
                 "has; --registers asks ptxas\n"));
  CHECK_FALSE(
      contains(run_process({kLanescope, "run", "--fidelity", "--", kPrograms + "occupancy"}).err,
               "--registers asks ptxas"));
}

TEST_CASE("threads of the program may have small stacks") {
  check_right(emulate("small_stacks"), "16 KiB: 0\n256 KiB: 0\n3\n");
}
