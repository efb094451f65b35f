// SPDX-License-Identifier: MIT
// `cmake --install`: the command somewhere else runs programs with the runtime that came with it.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/build_folder.hpp"
#include "tests/programs/programs.hpp"

using namespace lanescope::tests::programs;
using lanescope::tests::Finished;
using lanescope::tests::run_process;
namespace fs = std::filesystem;

TEST_CASE("installed elsewhere, the command brings its runtime and the headers of kernels along") {
  const fs::path prefix =
      fs::temp_directory_path() / ("lanescope installed " + std::to_string(getpid()));
  const Finished installed = run_process(
      {LANESCOPE_CMAKE, "--install", lanescope::tests::build_folder(), "--prefix", prefix});
  CHECK_MESSAGE(installed.exit_code == 0, installed.err);
  CHECK(fs::exists(prefix / "include/lanescope/recorder.cuh"));
  CHECK(fs::exists(prefix / "include/lanescope/ptx/mma.cuh"));

  const auto run = [&] {
    return run_process({prefix / "bin/lanescope", "run", "--", kPrograms + "vector_add"});
  };
  CHECK(run().out == "vector_add: ok\n");
  const fs::path kernel = prefix / "empty.ptx";
  std::ofstream(kernel) << ".version 8.7\n.target sm_80\n.entry empty(.param .u64 a) { ret; }\n";
  CHECK(run_process({prefix / "bin/lanescope", "run", kernel, "f16:4"}).out ==
        "parameter 0, f16:4: unchanged\n");
  fs::remove(prefix / "lib/lanescope/libcudart.so.13");  // that it was this one
  const Finished without = run();
  CHECK(without.exit_code == 2);
  CHECK_MESSAGE(contains(without.err, prefix / "lib/lanescope"), without.err);
  fs::remove_all(prefix);
}
