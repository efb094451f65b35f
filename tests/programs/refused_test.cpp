// SPDX-License-Identifier: MIT
// Programs that fault, or ask for what there is not, and unusual ways to call `lanescope run`: the
// line on stderr and the exit code.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>

#include "tests/build_folder.hpp"
#include "tests/programs/programs.hpp"

using namespace lanescope::tests::programs;
using lanescope::tests::build_folder;
using lanescope::tests::Finished;
using lanescope::tests::run_process;
namespace fs = std::filesystem;

TEST_CASE("a number of threads that is none is said, and the cores are taken") {
  const Finished run = run_process({"/usr/bin/env", "LANESCOPE_THREADS=many", kLanescope, "run",
                                    "--arch", "sm_90a", "--", kPrograms + "vector_add"});
  CHECK(run.exit_code == 0);
  CHECK(run.out == "vector_add: ok\n");
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  CHECK(run.err == "lanescope: LANESCOPE_THREADS=many is not a number from 1 to 256; using " +
                       std::to_string(std::min(cores, 256u)) + "\n");
}

// A card says nothing of an object that is not there, and gives 0 or what lies there; here it is an
// illegal address, and a line says what is wrong.
TEST_CASE("kernels that use textures and surfaces which are not there end with one line") {
  const std::map<std::string, std::string> ours{
      {"destroyed", "the texture object has been destroyed"},
      {"none", "0x0 is no texture object"},
      {"pointer", " is no texture object"},
      {"surface-as-texture", "a surface object is used as a texture"},
      {"line-as-plane", "the texture is 1D of linear memory, the instruction wants 2D"},
      {"plane-as-line", "the texture is 2D, the instruction wants 1D of linear memory"},
      {"freed-memory", "that have been freed"},
      {"surface-destroyed", "the surface object has been destroyed"},
      {"texture-as-surface", "a texture object is used as a surface"},
      {"no-surface", "0x0 is no surface object"}};
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/programs/h200/texture_faults.txt");
  int faults = 0;
  for (std::string line; std::getline(file, line); ++faults) {
    const std::string kind = line.substr(0, line.find(':'));
    CAPTURE(kind);
    const Finished run = emulate("texture_faults", {kind});
    const bool is_fine = contains(line, "synchronize cudaSuccess") && ours.count(kind) == 0;
    CHECK(lines(run.err) == (is_fine ? 0 : 1));
    if (const auto found = ours.find(kind); found != ours.end()) {
      CHECK(contains(run.out, "synchronize cudaErrorIllegalAddress"));
      CHECK_MESSAGE(contains(run.err, found->second), run.err);
    } else {
      CHECK(run.out == line + "\n");
    }
  }
  CHECK(faults == 27);
}

TEST_CASE("what one CTA of a pair does without the other is named") {
  const auto mistake = [](const char* which) {
    return run_process({kLanescope, "run", "--check", "--", kPrograms + "tensor_pair", which}).err;
  };
  const std::string own_barrier =
      mistake("1");  // nobody has told the even CTA of the odd one's bytes
  CHECK(contains(own_barrier, "check: missing-bulk-wait"));
  CHECK(contains(own_barrier, "tcgen05.mma touches shared memory that the bulk copy at line"));
  CHECK(contains(mistake("2"), "check: deadlock"));  // nobody fills the odd CTA's stages for it
  CHECK(contains(mistake("3"), "misses 1 of 1 arrivals"));
  CHECK(contains(mistake("4"), "tcgen05.mma overwrites tensor memory that was read at line"));
  CHECK(contains(mistake("5"), "tcgen05.dealloc overwrites tensor memory that was read at line"));
}

TEST_CASE("a fault is found by the next call, stays, and is explained in one line") {
  const struct {
    const char* kind;
    const char* error;
    const char* says;
  } faults[] = {
      {"out-of-bounds", "cudaErrorIllegalAddress", "fault.cu:"},
      {"freed", "cudaErrorIllegalAddress", "fault.cu:"},
      {"null", "cudaErrorIllegalAddress", "fault.cu:"},
      {"misaligned", "cudaErrorMisalignedAddress", "fault.cu:"},
      {"trap", "", "fault.cu:"},
      {"breakpoint", "", "fault.cu:"},
  };
  for (const auto& fault : faults) {
    CAPTURE(fault.kind);
    const Finished run = emulate("fault", {fault.kind});
    const std::string error = *fault.error ? fault.error : "cudaErrorLaunchFailure";
    CHECK(run.exit_code == 1);
    CHECK(run.out == "launch: cudaSuccess\nsynchronize: " + error + "\nlast: " + error +
                         "\nagain: " + error + "\nmalloc: " + error + "\n");
    CHECK(lines(run.err) == 1);
    CHECK(run.err.rfind("lanescope: ", 0) == 0);
    CHECK_MESSAGE(contains(run.err, fault.says), run.err);
  }
}

// The checker reports what happens in a kernel; --banks alone reports no faults.
TEST_CASE("a kernel that is refused is explained beside --check, and a fault beside --banks") {
  const fs::path folder = build_folder() / "tests/programs/refused";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::vector<std::string> environment{"LANESCOPE_PTX=" + folder.string()};
  const std::vector<std::string> run{kLanescope, "run", "--check", "--", kPrograms + "vector_add"};
  CHECK(run_process(run, environment).exit_code == 0);
  std::ifstream written(folder / "0.ptx");
  std::string ptx{std::istreambuf_iterator<char>(written), {}};
  const std::string body = ")\n{", head = ".address_size 64";  // the first kernel's
  const std::size_t begin = ptx.find(body), top = ptx.find(head);
  REQUIRE(begin != std::string::npos);
  REQUIRE(top < begin);
  ptx.insert(begin + body.size(),
             "\n.param .b64 child; .param .b64 got;\n"
             "call.uni (got), __cudaCDP2GetSomething, (child);\n");
  ptx.insert(top + head.size(),
             "\n.extern .func (.param .b64 got) __cudaCDP2GetSomething (.param .b64 child);");
  ptx += "\n.visible .entry other() { ret; }\n";  // it can run, so that the launch is what fails
  std::ofstream(folder / "0.ptx") << ptx;
  const Finished refused = run_process(run, environment);
  CHECK_MESSAGE(contains(refused.err, "this call of the runtime by a kernel"), refused.err);
  CHECK(!contains(refused.err, "checked"));
  const Finished fault =
      run_process({kLanescope, "run", "--banks", "--", kPrograms + "fault", "out-of-bounds"});
  CHECK_MESSAGE(contains(fault.err, "fault.cu:"), fault.err);
}

TEST_CASE("an illegal launch fails at once, is explained, and is forgotten once it was read") {
  const Finished run = emulate("illegal_launch");
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "1025 threads: cudaErrorInvalidValue\n"
        "no blocks: cudaErrorInvalidValue\n"
        "65 deep: cudaErrorInvalidValue\n"
        "65536 high: cudaErrorInvalidValue\n"
        "65 of 64 threads: cudaErrorInvalidValue\n"
        "48 KiB and one: cudaErrorInvalidValue\n"
        "setting 1 MiB: cudaErrorInvalidValue\n"
        "64 KiB allowed: cudaSuccess\n"
        "no kernel: cudaErrorInvalidResourceHandle\n"
        "illegal_launch: ok\n");
  CHECK(lines(run.err) == 8);
  CHECK(
      contains(run.err, "launch: nothing: block (1025, 1, 1): each must be 1 to (1024, 1024, 64)"));
  CHECK(contains(run.err, "its __launch_bounds__ allow 64"));
  CHECK(contains(run.err, "49153 bytes of dynamic shared memory, 49152 allowed"));
}

TEST_CASE("a program without PTX for the card says what it has and how to build it") {
  Finished run = emulate("sass_only");
  CHECK(run.exit_code == 1);
  CHECK(contains(run.out, "no kernel image is available for execution on the device"));
  CHECK(run.err ==
        "lanescope: no PTX for sm_90a: the program holds no PTX and SASS for sm_90; build it with "
        "nvcc -cudart shared -gencode arch=compute_90a,code=compute_90a\n");
  run = emulate("for_sm_90a", {}, "sm_80");
  CHECK(run.exit_code == 1);
  CHECK(contains(run.err, "PTX for sm_90, sm_90a and SASS for sm_90a"));
  CHECK(contains(run.err, "or run it with --arch sm_90a"));
  run = emulate("wgmma_pipeline", {}, "sm_90");  // compute_90 has no wgmma to build it with
  CHECK(run.exit_code != 0);
  CHECK(contains(run.err, "; run it with --arch sm_90a\n"));
}

TEST_CASE("what cannot be emulated is refused before it starts") {
  const auto refused = [](const std::string& path) {
    const Finished run = run_process({kLanescope, "run", path});
    CHECK(run.exit_code == 2);
    CHECK(run.out == "");
    CHECK(lines(run.err) == 1);
    return run.err;
  };
  CHECK(contains(refused(kPrograms + "linked_in"), "build it with nvcc -cudart shared"));
  CHECK(contains(refused(kPrograms + "nothing_here"), "no such program"));
  CHECK(contains(refused(kPrograms), "is a folder"));
  CHECK(contains(refused(LANESCOPE_SOURCE_DIR "/CMakeLists.txt"), "is not executable"));
  CHECK(contains(refused(LANESCOPE_SOURCE_DIR "/lessons/03_ldmatrix/lesson.cu"),
                 "is a source; compile it and run the program: nvcc -cudart shared "));
  const Finished unknown = emulate("vector_add", {}, "sm_9x");
  CHECK(unknown.exit_code == 2);
  CHECK(contains(unknown.err, "--arch 'sm_9x': the emulator can be sm_75, "));
}

TEST_CASE("the exit code and the arguments are the program's") {
  CHECK(emulate("fault", {"something else"}).exit_code == 2);
  CHECK(run_process({kLanescope, "run", "--", "/bin/sh", "-c", "exit 7"}).exit_code == 7);
  CHECK(run_process({kLanescope, "run", "/bin/echo", "--arch", "x"}).out == "--arch x\n");
}

TEST_CASE("it all works from a folder with spaces and colons in its name") {
  const fs::path folder =
      fs::temp_directory_path() / ("lanescope test: with spaces " + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy_file(kPrograms + "vector_add", folder / "my program");
  check_right(run_process({kLanescope, "run", folder / "my program"}), "vector_add: ok\n");
  fs::remove_all(folder);
}
