// SPDX-License-Identifier: MIT
// docs/own_kernel.md: its program is compiled, its commands are run, and print what it says.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "tests/listings.hpp"
#include "tests/programs/run_process.hpp"

namespace lanescope::tests {
namespace {

namespace fs = std::filesystem;

const std::string kOpen = "```cuda\n", kClose = "```\n";

}  // namespace

TEST_CASE("the page about a kernel of one's own is true") {
  const std::string text = contents_of(LANESCOPE_SOURCE_DIR "/docs/own_kernel.md");
  const std::size_t begin = text.find(kOpen) + kOpen.size();
  const fs::path folder = build_folder() / "tests/programs/own_kernel";
  fs::create_directories(folder);
  std::ofstream(folder / "own_kernel.cu") << text.substr(begin, text.find(kClose, begin) - begin);

  const Finished unpacked = run_process({"/bin/bash", "-c",
                                         "cd '" + folder.string() +
                                             "' && cmake -E tar xf '" LANESCOPE_SOURCE_DIR
                                             "/tests/golden/compilers/kernels.tar.zst'"});
  REQUIRE(unpacked.exit_code == 0);
  const std::string set = "cd \"" + folder.string() + "\" && PATH=\"" +
                          (build_folder() / "bin").string() +
                          ":" LANESCOPE_NVCC_FOLDER ":$PATH\"; ";
  const int commands = check_listings(text, "$ ", [&set](const std::string& command) {
    const Finished ran = run_process({"/bin/bash", "-c", set + command});
    return ran.out + ran.err;
  });
  CHECK(commands == 11);
}

}  // namespace lanescope::tests
