// SPDX-License-Identifier: MIT
// Programs built by nvcc, run by `lanescope run`: what they print, their exit code, the lines on
// stderr. The programs decide themselves, against a reference on the CPU, whether they are right.
// Runtime and driver: runtime_test.cpp; what is wrong or unusual: refused_test.cpp.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/programs/programs.hpp"

using namespace lanescope::tests::programs;
using lanescope::tests::Finished;
using lanescope::tests::run_process;
namespace fs = std::filesystem;

TEST_CASE("a vector addition built by the shortest line") {
  check_right(emulate("vector_add"), "vector_add: ok\n");
}

TEST_CASE("PTX is found plain, zstd and LZ4") {
  for (const char* mode : {"none", "size", "speed"}) {
    CAPTURE(mode);
    check_right(emulate(std::string("packed_") + mode), "vector_add: ok\n");
  }
}

// The ISA's word alone: no card has run it (tests/emulator/tcgen05_test.cpp has the transcription).
TEST_CASE("tensor memory of sm_100a: a ring fed by TMA, and small products of every kind" *
          doctest::test_suite("twice")) {
  const Finished run = emulate("tensor_memory", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "\ntensor_memory: ok\n"));
  CHECK(contains(run.err, "it runs as sm_100a"));
  CHECK(lines(run.err) == 1);
  const Finished other =
      run_process({kLanescope, "run", "--seed", "11", "--", kPrograms + "tensor_memory"});
  CHECK(other.out == run.out);
  const Finished strict =
      run_process({kLanescope, "run", "--strict", "--", kPrograms + "tensor_memory"});
  CHECK(strict.exit_code == 0);
  CHECK(strict.out == run.out);
  CHECK(contains(strict.err, "launches checked, nothing to report\n"));
}

TEST_CASE("pairs of CTAs multiply for each other on sm_100a's tensor memory" *
          doctest::test_suite("twice")) {
  const Finished run = emulate("tensor_pair", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "M 256: 400 x 392 x 296, 0 wrong\n"));
  CHECK(contains(run.out, "M 128: 192 x 392 x 168, 0 wrong\ntensor_pair: ok\n"));
  const Finished other =
      run_process({kLanescope, "run", "--seed", "12", "--", kPrograms + "tensor_pair"});
  CHECK(other.out == run.out);
  const Finished strict =
      run_process({kLanescope, "run", "--strict", "--", kPrograms + "tensor_pair"});
  CHECK(strict.exit_code == 0);
  CHECK(strict.out == run.out);
  CHECK(contains(strict.err, "2 launches checked, nothing to report\n"));
}

TEST_CASE("blocks take the place of blocks that have not begun, as the programming guide has it") {
  const Finished run = emulate("launch_control", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "383995 elements: some taken, 0 wrong\n24 x 50 x 4: some taken, 0 wrong\n"
        "launch_control: ok\n");
  const Finished strict =
      run_process({kLanescope, "run", "--strict", "--", kPrograms + "launch_control"});
  CHECK(strict.exit_code == 0);
  CHECK(strict.out == run.out);
  CHECK(contains(strict.err, "2 launches checked, nothing to report\n"));
}

TEST_CASE("block-scaled products on sm_100a's tensor memory, factors by TMA and tcgen05.cp" *
          doctest::test_suite("twice")) {
  const Finished run = emulate("tensor_scale", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "MXFP8, 1 CTA: 256 x 192 x 256, 0 wrong\n"));
  CHECK(contains(run.out, "NVFP4, 2 CTAs: 256 x 384 x 512, 0 wrong\ntensor_scale: ok\n"));
}

TEST_CASE("sparse products on sm_100a's tensor memory, metadata by tcgen05.cp" *
          doctest::test_suite("twice")) {
  const Finished run = emulate("tensor_sparse", {}, "");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.out, "f16, 1 CTA: 256 x 64 x 256, 0 wrong\n"));
  CHECK(contains(run.out, "e4m3, 2 CTAs: 256 x 64 x 512, 0 wrong\ntensor_sparse: ok\n"));
}

// What is printed has the bits of D, or how many of its elements are wrong.
TEST_CASE("the checker changes no bit of what tensor memory has" * doctest::test_suite("twice")) {
  for (const char* name : {"tensor_memory", "tensor_pair", "tensor_scale", "tensor_sparse"}) {
    CAPTURE(name);
    const Finished plain = emulate(name, {}, "");
    CHECK(run_process({kLanescope, "run", "--check", "--", kPrograms + name}).out == plain.out);
  }
}

// The four above once more, and once where they are sanitized: these runs meet all lines of the
// others.
TEST_CASE("the checker has nothing to report of tensor memory, pairs, scale factors, metadata") {
  for (const auto& [name, launches] : {std::pair<std::string, std::string>{"tensor_memory", ""},
                                       {"tensor_pair", "lanescope: 2"},
                                       {"tensor_scale", "lanescope: 6"},
                                       {"tensor_sparse", "lanescope: 4"}}) {
    CAPTURE(name);
    const Finished checked = run_process({kLanescope, "run", "--check", "--", kPrograms + name});
    CHECK(checked.exit_code == 0);
    CHECK(contains(checked.out, name + ": ok\n"));
    CHECK(contains(checked.err, launches + " launches checked, nothing to report\n"));
  }
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
  const Finished alone = emulate("look_back", {"alone"});
  CHECK(alone.out == "alone: cudaErrorLaunchTimeout\n");
  CHECK(lines(alone.err) == 1);
  CHECK(contains(alone.err, "deadlock: warp 0 reads its own variable again and again (PTX line "));
  CHECK(contains(alone.err, "no other thread can write a variable of a lane: the loop never ends"));
  const Finished host = emulate("look_back", {"host"});
  CHECK(host.out == "host: cudaErrorLaunchTimeout\n");
  CHECK(lines(host.err) == 1);
  CHECK(
      contains(host.err, "neither the host nor another stream has a turn before the kernel ends"));
}

TEST_CASE("a program of two files that call into each other") {
  check_right(emulate("two_files"), "first: 3\nsecond: 3\ntwo_files: ok\n");
}

TEST_CASE("programs print what an H200 printed: CUDA's headers, and what people write with them") {
  for (const std::string name :
       {"groups", "small_formats", "standard_library", "sorting", "int8_gemm", "layers", "managed",
        "fields", "roles", "decisions", "texture_blur", "texture_shapes", "texture_volume",
        "texture_table", "surface_rotate", "libraries"}) {
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
  CHECK(contains(run.err, "cublasSsymm: is not in the stand-in for cuBLAS; it answers"));
  for (const std::string name : {"GemmEx", "SgemmEx", "GemmStridedBatchedEx", "GemmBatchedEx"})
    CHECK(contains(run.err, "cublas" + name + ": its types are not in the stand-in"));
  const Finished vectors = emulate("blas_vectors");
  CHECK(vectors.exit_code == 0);
  CHECK(vectors.out == "blas_vectors: ok\n");
  CHECK(lines(vectors.err) == 5);
  CHECK(contains(vectors.err, "cublasSaxpy: x: 12 bytes at 0x"));
  CHECK(contains(vectors.err, "cublasSscal: alpha at 0x"));
  CHECK(contains(vectors.err, " is the card's memory; call cublasSetPointerMode(handle, "));
  CHECK(contains(vectors.err, "cublasSgemmBatched: the list of A at 0x"));
  const Finished zeros = emulate("blas_zeros");
  CHECK(zeros.exit_code == 0);
  CHECK(zeros.out == "blas_zeros: ok, of 61 functions\n");
}

TEST_CASE("cublasLt has a stand-in, too") {
  if (!fs::exists(kPrograms + "blas_lt")) {
    MESSAGE("this toolkit has no cuBLAS");
    return;
  }
  const Finished run = emulate("blas_lt");
  CHECK(run.exit_code == 0);
  CHECK(run.out == "blas_lt: ok\n");
  CHECK(lines(run.err) == 7);
  CHECK(contains(run.err, "cublasLtMatmul: of e4m3 and e5m2 a card's cublasLt multiplies"));
  CHECK(contains(run.err, "a card's cublasLt has a C of f16, bf16 or f32"));
  CHECK(contains(run.err,
                 "cublasLtCreate: a stand-in answers: sums along k as a plain kernel has them"));
  CHECK(contains(run.err, "cublasLtMatmul: A at 0x"));
  CHECK(contains(run.err, "cublasLtMatmul: epilogue 192 needs EPILOGUE_AUX_POINTER, and "));
  const Finished all = emulate("lt_find");
  CHECK(all.exit_code == 0);
  CHECK(all.out == "lt_find: ok\n");
  CHECK(lines(all.err) == 2);
  const Finished training = emulate("lt_training");
  CHECK(training.exit_code == 0);
  CHECK(training.out == "lt_training: ok\n");
  CHECK(lines(training.err) == 13);
  CHECK(contains(training.err, "cublasLtMatmul: a card's cublasLt sums rows of an A that is not"));
}

TEST_CASE("a program that loads CUDA 12's runtime runs, and as what it has PTX for") {
  check_right(emulate("for_cuda12"), emulate("vector_add").out);
  check_right(emulate("for_cuda12", {}, ""), "vector_add: ok\n");
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
