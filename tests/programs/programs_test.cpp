// SPDX-License-Identifier: MIT
// Programs built by nvcc, run by `lanescope run`: what they print, their exit code, the lines on
// stderr. The programs decide themselves, against a reference on the CPU, whether they are right.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"

using lanescope::tests::build_folder;
using lanescope::tests::Finished;
using lanescope::tests::run_process;
namespace fs = std::filesystem;

namespace {

const std::string kLanescope = build_folder() / "bin/lanescope";
const std::string kPrograms = build_folder() / "tests/programs/built/";

Finished emulate(const std::string& program, const std::vector<std::string>& arguments = {},
                 const std::string& arch = "sm_90a") {
  std::vector<std::string> options;
  if (!arch.empty()) options = {"--arch", arch};
  return lanescope::tests::emulate(kPrograms + program, options, arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

/// The program ran, was right, and the emulator had nothing to say.
void check_right(const Finished& run, const std::string& out) {
  CHECK(run.exit_code == 0);
  CHECK(run.out == out);
  CHECK(run.err == "");
}

/// Right, with the checker too, which had nothing to say, not even where PTX promises less than
/// cards do. `bits`: of results that are exact, as a card gives them, too.
void check_kernel(const std::string& name, const std::string& bits, const std::string& arch) {
  CAPTURE(name);
  const Finished run = emulate(name, {}, arch);
  CHECK(run.exit_code == 0);
  CHECK(run.err == "");
  CHECK(contains(run.out, "bits: " + bits));
  CHECK(contains(run.out, "\n" + name + ": ok\n"));
  for (const char* how : {"--check", "--strict"}) {
    const Finished checked =
        run_process({kLanescope, "run", "--arch", arch, how, "--", kPrograms + name});
    CHECK(checked.exit_code == 0);
    CHECK(checked.out == run.out);
    CHECK(checked.err == "lanescope: 1 launch checked, nothing to report\n");
  }
}

}  // namespace

TEST_CASE("a vector addition built by the shortest line") {
  check_right(emulate("vector_add"), "vector_add: ok\n");
}

TEST_CASE("a number of threads that is none is said, and the cores are taken") {
  const Finished run = run_process({"/usr/bin/env", "LANESCOPE_THREADS=many", kLanescope, "run",
                                    "--arch", "sm_90a", "--", kPrograms + "vector_add"});
  CHECK(run.exit_code == 0);
  CHECK(run.out == "vector_add: ok\n");
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  CHECK(run.err == "lanescope: LANESCOPE_THREADS=many is not a number from 1 to 256; using " +
                       std::to_string(std::min(cores, 256u)) + "\n");
}

TEST_CASE("PTX is found plain, zstd and LZ4") {
  for (const char* mode : {"none", "size", "speed"}) {
    CAPTURE(mode);
    check_right(emulate(std::string("packed_") + mode), "vector_add: ok\n");
  }
}

// The ISA's word alone: no card has run it (tests/emulator/tcgen05_test.cpp has the transcription).
TEST_CASE("tensor memory of sm_100a: a ring fed by TMA, and small products of every kind") {
  const Finished run = emulate("tensor_memory", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "\ntensor_memory: ok\n"));
  CHECK(contains(run.err, "it runs as sm_100a"));
  CHECK(lines(run.err) == 1);
  const Finished other =
      run_process({kLanescope, "run", "--seed", "11", "--", kPrograms + "tensor_memory"});
  CHECK(other.out == run.out);
  for (const char* how : {"--check", "--strict"}) {
    const Finished checked =
        run_process({kLanescope, "run", how, "--", kPrograms + "tensor_memory"});
    CHECK(checked.exit_code == 0);
    CHECK(checked.out == run.out);
    CHECK(contains(checked.err, "launches checked, nothing to report\n"));
  }
}

TEST_CASE("pairs of CTAs multiply for each other on sm_100a's tensor memory") {
  const Finished run = emulate("tensor_pair", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "M 256: 400 x 392 x 296, 0 wrong\n"));
  CHECK(contains(run.out, "M 128: 192 x 392 x 168, 0 wrong\ntensor_pair: ok\n"));
  const Finished other =
      run_process({kLanescope, "run", "--seed", "12", "--", kPrograms + "tensor_pair"});
  CHECK(other.out == run.out);
  for (const char* how : {"--check", "--strict"}) {
    const Finished checked = run_process({kLanescope, "run", how, "--", kPrograms + "tensor_pair"});
    CHECK(checked.exit_code == 0);
    CHECK(checked.out == run.out);
    CHECK(checked.err.find("2 launches checked, nothing to report\n") != std::string::npos);
  }
}

TEST_CASE("block-scaled products on sm_100a's tensor memory, factors by TMA and tcgen05.cp") {
  const Finished run = emulate("tensor_scale", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "MXFP8, 1 CTA: 256 x 192 x 256, 0 wrong\n"));
  CHECK(contains(run.out, "NVFP4, 2 CTAs: 256 x 384 x 512, 0 wrong\ntensor_scale: ok\n"));
  const Finished checked =
      run_process({kLanescope, "run", "--check", "--", kPrograms + "tensor_scale"});
  CHECK(checked.exit_code == 0);
  CHECK(checked.out == run.out);
  CHECK(contains(checked.err, "6 launches checked, nothing to report\n"));
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

TEST_CASE("mma.sync from registers, in every type the architecture has") {
  const std::string two = "f16: ok\nbf16: ok\nf16 fractions: ok\nbf16 fractions: ok\n";
  check_right(emulate("mma_registers"), two + "e4m3: ok\n");
  check_right(emulate("mma_registers", {}, "sm_89"), two + "e4m3: ok\n");
  check_right(emulate("mma_registers", {}, "sm_80"), two + "e4m3: not on sm_80\n");
}

TEST_CASE("cp.async, ldmatrix, mma in one warp") {
  check_right(emulate("cp_async_chain"), "cp_async_chain: ok\n");
}

TEST_CASE("a warp per tile, sizes that fill no tile, built for each architecture" *
          doctest::test_suite("twice")) {
  const std::string right =
      "hgemm_warp 16x8x16: ok\nhgemm_warp 45x27x70: ok\nhgemm_warp 1x1x1: ok\n"
      "hgemm_warp 64x64x64: ok\n";
  check_right(emulate("hgemm_warp"), right);
  check_right(emulate("for_sm_80"), right);
  check_right(emulate("for_sm_80", {}, "sm_80"), right);
  check_right(emulate("for_sm_90"), right);
  check_right(emulate("for_sm_90", {}, "sm_90"), right);
  check_right(emulate("for_sm_90a"), right);
}

TEST_CASE("tensors of one to five dimensions through shared memory, every swizzle") {
  const Finished run = emulate("tensor_copies");
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "1d: ok\n1d over both edges: ok\n2d: ok\n2d swizzled 32: ok\n2d swizzled 64: ok\n"
        "2d swizzled 128: ok\n2d over the end: ok\n2d before the beginning: ok\n2d outside: ok\n"
        "2d every third row: ok\n2d added: ok\n3d: ok\n4d: ok\n5d: ok\nrefused: 3 of 3\n");
  CHECK(lines(run.err) == 3);
  CHECK(contains(run.err, "boxDim[0] is 256 bytes, swizzle 128B takes at most 128"));
  CHECK(contains(run.err, "boxDim[0] is 12 bytes, it must be a multiple of 16"));
  CHECK(contains(run.err, "boxDim[1] is 257, it must be 1 to 256"));
}

TEST_CASE("nvcuda::wmma in its shapes, types and orders, on two generations" *
          doctest::test_suite("twice")) {
  std::string right;
  for (const char* shape : {"16x16", "32x8", "8x32"})
    for (const char* type : {"f16", "f16 in f16", "bf16", "s8", "u8"})
      right += std::string(shape) + " " + type + ": ok\n";
  right += "16x16x8 tf32: ok\n8x8x4 f64: ok\n";
  check_right(emulate("wmma_gemm"), right);
  check_right(emulate("wmma_gemm", {}, "sm_80"), right);
}

TEST_CASE("TMA with multicast, a ring of mbarriers, wgmma: producer and consumers in clusters") {
  check_right(emulate("tma_gemm"), "tma_gemm: ok\n");
  check_right(emulate("wgmma_pipeline"), "wgmma_pipeline: ok\n");
  check_right(emulate("cluster_reduce"), "cluster_reduce: ok\n");
  check_right(emulate("double_buffered"), "double_buffered: ok\n");
  check_right(emulate("warp_specialised"), "warp_specialised: ok\n");
}

TEST_CASE("products as libraries make them: fp8 with scales, groups, stream-K, 2:4 sparse" *
          doctest::test_suite("twice")) {
  check_kernel("fp8_gemm", "f1a109c6f90a714b", "sm_90a");
  check_kernel("grouped_gemm", "7b8860881156e5df", "sm_90a");
  for (const char* arch : {"sm_80", "sm_90a"}) {
    check_kernel("stream_k", "5282b1993c51e6d9", arch);
    check_kernel("sparse_gemm", "9b625ba598c675b5", arch);
  }
}

TEST_CASE(
    "one thread speaks for its warpgroup: right on cards, and --strict says what it relies on") {
  const auto check = [&](const char* how) {
    return run_process({kLanescope, "run", how, "--", kPrograms + "mixed_input"});
  };
  const Finished run = check("--check");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "\nmixed_input: ok\n"));
  CHECK(run.err == "lanescope: 1 launch checked, nothing to report\n");
  const Finished strict = check("--strict");
  CHECK(strict.exit_code == 1);
  CHECK(contains(strict.out, "\nmixed_input: ok\n"));
  CHECK(contains(strict.err, "check: warpgroup-lockstep: "));
  CHECK(contains(strict.err, "mixed_input.cu:"));
}

TEST_CASE("built with -G: accumulators in memory, parameters by their address, nothing inlined") {
  for (const std::string name : {"flash_wgmma", "grouped_gemm"}) {
    const Finished run =
        run_process({kLanescope, "run", "--check", "--", kPrograms + name + "_for_debuggers"});
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "\n" + name + ": ok\n"));
    CHECK(run.err == "lanescope: 1 launch checked, nothing to report\n");
  }
}

TEST_CASE("attention with mma.sync, and with wgmma, TMA and warps that have roles") {
  check_kernel("flash_mma", "", "sm_80");  // whose tensor cores round elsewhere
  check_kernel("flash_mma", "176e446211cd139a", "sm_90a");
  check_kernel("flash_wgmma", "b9a69581b6f8a923", "sm_90a");
}

TEST_CASE("blocks that wait for each other without a cooperative launch") {
  check_right(
      emulate("look_back"),
      "scan in order: ok\nscan against the order: ok\nbarrier of all blocks: ok\nlock: ok\n");
  const Finished run = emulate("look_back", {"stuck"});
  CHECK(run.exit_code == 1);
  CHECK(run.out == "stuck: cudaErrorLaunchTimeout\n");
  CHECK(lines(run.err) == 1);
  CHECK(contains(run.err, "deadlock: warp 0 polls memory at 0x"));
  CHECK(contains(run.err, "look_back.cu:5"));
  CHECK(
      contains(run.err, "1 CTAs of the grid have not begun: the card has room for 264 at a time"));
  const Finished host = emulate("look_back", {"host"});
  CHECK(host.out == "host: cudaErrorLaunchTimeout\n");
  CHECK(lines(host.err) == 1);
  CHECK(
      contains(host.err, "neither the host nor another stream has a turn before the kernel ends"));
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

TEST_CASE("a program of two files that call into each other") {
  check_right(emulate("two_files"), "first: 3\nsecond: 3\ntwo_files: ok\n");
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

TEST_CASE("the driver API alone, linked with -lcuda") {
  const Finished run = emulate("driver_api");
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "kernels: 1, add_scaled, loaded 1\ndriver_api: 0 wrong\nlinked: 42\nno such kernel: "
        "CUDA_ERROR_NOT_FOUND\nan array: "
        "CUDA_ERROR_NOT_SUPPORTED\na private table: CUDA_ERROR_NOT_FOUND, 1\nunloaded: "
        "CUDA_ERROR_INVALID_HANDLE\n");
  CHECK(lines(run.err) == 3);
  CHECK(contains(run.err, "\nlanescope: driver_api asks the driver for private tables"));
  CHECK(contains(run.err,
                 "cuModuleGetFunction: no kernel nobody in the module; is its name mangled?"));
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
  out += "[(null)] [    (null)] []\n";     // as on an H200
  out += "4464 4464 44|42    |42    |\n";  // so, too
  check_right(emulate("device_printf"), out + "after\n");
}

TEST_CASE("streams, events and every kind of memory") {
  const std::string out = "Lanescope emulator, 9.0, 132 multiprocessors\nstreams: ok\n";
  check_right(emulate("streams"), out);
  check_right(emulate("per_thread_stream"), out);
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

TEST_CASE("programs print what an H200 printed: CUDA's headers, and what people write with them") {
  for (const std::string name :
       {"groups", "small_formats", "standard_library", "sorting", "int8_gemm", "layers", "managed",
        "fields", "roles", "decisions", "libraries"}) {
    CAPTURE(name);
    if (name == "libraries" && !fs::exists(kPrograms + name)) {
      MESSAGE("this toolkit has no curand_kernel.h");
      continue;
    }
    std::ifstream file(std::string(LANESCOPE_SOURCE_DIR "/tests/programs/h200/") + name + ".txt");
    const std::string card((std::istreambuf_iterator<char>(file)), {});
    REQUIRE(card != "");
    check_right(emulate(name), card);
  }
}

TEST_CASE("products of cuBLAS have a stand-in, which says that it is one, and what it lacks") {
  if (!fs::exists(kPrograms + "blas")) {
    MESSAGE("this toolkit has no cuBLAS");
    return;
  }
  const Finished run = emulate("blas");
  CHECK(run.exit_code == 0);
  CHECK(run.out == "blas: ok\n");
  CHECK(lines(run.err) == 8);
  CHECK(contains(run.err,
                 "cublasCreate: a stand-in answers: sums along k as a plain kernel has them"));
  CHECK(contains(run.err, "cublasSgemm: A at 0x"));
  CHECK(contains(run.err, " is no memory of the card\n"));
  CHECK(contains(run.err, "cublasSgemm: A: 64 bytes at 0x"));
  CHECK(contains(run.err, " are more than the 60 left of the 64 allocated there\n"));
  CHECK(contains(run.err, "cublasStrsm: is not in the stand-in for cuBLAS; it answers"));
  for (const std::string name : {"GemmEx", "SgemmEx", "GemmStridedBatchedEx", "GemmBatchedEx"})
    CHECK(contains(run.err, "cublas" + name + ": its types are not in the stand-in"));
}

TEST_CASE("what cannot be launched or asked is answered as an H200 answers") {
  for (const std::string name :
       {"launch_errors", "more_errors", "late_calls", "graph_memory", "limits"}) {
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
    CHECK(std::count(std::istreambuf_iterator<char>(file), {}, '\n') > 80);
  }
}

TEST_CASE("registers, where the program's SASS tells them, limit blocks") {
  const Finished run = emulate("occupancy");
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

TEST_CASE("without --arch a program runs as what it has PTX for") {
  const std::string right = emulate("vector_add").out;
  REQUIRE(right != "");
  check_right(emulate("vector_add", {}, ""), right);  // PTX for sm_75 runs on sm_90a
  check_right(emulate("for_sm_90a", {}, ""), emulate("for_sm_90a").out);
  check_right(emulate("two_files", {}, ""), emulate("two_files").out);
  Finished run = emulate("for_sm_100a", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(run.out == right);
  CHECK(run.err == "lanescope: " + kPrograms +
                       "for_sm_100a has no PTX for sm_90a; it runs as sm_100a (--arch chooses "
                       "another)\n");
  run = emulate("for_sm_100a", {}, "sm_90a");  // who says which is taken at his word
  CHECK(run.exit_code == 1);
  CHECK(contains(run.err, "no PTX for sm_90a: the program holds PTX for sm_100a"));
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
