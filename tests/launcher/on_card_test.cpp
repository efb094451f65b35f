// SPDX-License-Identifier: MIT
// `lanescope run --device gpu KERNEL.ptx`. No card is here: the emulator is put where the driver
// would be, and is one (LANESCOPE_ARCH says which).
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"

using namespace lanescope;

namespace {

// out[0] = how many multiprocessors the card has, by which these emulated ones can be told apart.
std::string kernel(const std::string& name, const std::string& version, const std::string& target) {
  const auto folder = std::filesystem::temp_directory_path() / "lanescope on card";
  std::filesystem::create_directories(folder);
  const auto path = folder / name;
  std::ofstream(path, std::ios::binary)
      << ".version " << version << "\n.target " << target << "\n.address_size 64\n"
      << ".visible .entry count(.param .u64 out)\n{\n.reg .b32 %r1; .reg .b64 %rd1;\n"
         "ld.param.u64 %rd1, [out]; mov.u32 %r1, %nsmid; st.global.u32 [%rd1], %r1; ret;\n}\n";
  return path;
}

tests::Finished run(const std::vector<std::string>& words, const std::string& arch,
                    const std::string& driver = tests::build_folder() / "lib" / "lanescope") {
  std::vector<std::string> all{tests::build_folder() / "bin" / "lanescope", "run"};
  all.insert(all.end(), words.begin(), words.end());
  return tests::run_process(all, {"LD_LIBRARY_PATH=" + driver, "LANESCOPE_ARCH=" + arch});
}

void refused(const tests::Finished& ran, const std::string& why) {
  CHECK(ran.exit_code == 2);
  CHECK(ran.err == "lanescope: " + why + "\n");
  CHECK(ran.out == "");
}

}  // namespace

TEST_CASE("a kernel of PTX runs on the card of the driver that is found, and not as another") {
  const std::string file = kernel("count.ptx", "8.0", "sm_75");
  const auto counted = [&](const std::vector<std::string>& options, const std::string& arch) {
    std::vector<std::string> words = options;
    words.insert(words.end(), {file, "u32:1", "--print"});
    const tests::Finished ran = run(words, arch);
    CHECK(ran.exit_code == 0);
    CHECK_MESSAGE(ran.err == "", ran.err);
    return ran.out.substr(ran.out.find('\n'));
  };
  CHECK(counted({"--device", "gpu"}, "sm_80") == "\n  108\n");
  CHECK(counted({"--device", "gpu"}, "sm_90a") == "\n  132\n");
  // On the emulator the option says what to be, and else it is an H200.
  CHECK(counted({"--device", "cpu"}, "sm_80") == "\n  132\n");
  CHECK(counted({"--device", "cpu", "--arch", "sm_80"}, "sm_90a") == "\n  108\n");
  CHECK(counted({}, "sm_80") == "\n  132\n");
}

TEST_CASE("what the card and the emulator leave can be compared") {
  const std::string file = kernel("count.ptx", "8.0", "sm_75");
  const auto left = std::filesystem::temp_directory_path() / "lanescope on card" / "left";
  std::filesystem::create_directories(left);
  CHECK(run({file, "u32:1", "--write", left}, "").exit_code == 0);
  CHECK(run({"--device", "gpu", file, "u32:1", "--like", left}, "sm_90a").exit_code == 0);
  const tests::Finished other = run({"--device", "gpu", file, "u32:1", "--like", left}, "sm_80");
  CHECK(other.exit_code == 1);
  CHECK_MESSAGE(other.err.find("first [0]: 108 instead of 132") != std::string::npos, other.err);
}

TEST_CASE("what a card cannot run, or does not do, is refused") {
  const std::string file = kernel("count.ptx", "8.0", "sm_75");
  const auto on_card = [](std::vector<std::string> words, const std::string& arch = "sm_89") {
    words.insert(words.begin(), {"--device", "gpu"});
    return run(words, arch);
  };
  refused(run({"--device", "gpu", file, "u32:1"}, "", "/nonexistent"),
          "no GPU here (no driver, or it has no device); use --device cpu");
  refused(on_card({kernel("hopper.ptx", "8.0", "sm_90a"), "u32:1"}),
          "Lanescope emulator is sm_89 and cannot run PTX for sm_90a; --device cpu runs it on the "
          "emulator");
  refused(on_card({"--check", file, "u32:1"}),
          "--check is the emulator's; a card runs the kernel, and no more");
  refused(on_card({"--steps", "all", file, "u32:1"}),
          "--steps is the emulator's; a card runs the kernel, and no more");
  refused(on_card({"true"}),
          "--device gpu launches a kernel of PTX; a program runs on the card by itself, without "
          "`lanescope run`: /usr/bin/true");
  // What the driver says, the launcher repeats; the emulator in its place has said it before.
  const std::string broken = kernel("broken.ptx", "8.0", "sm_75\nnonsense");
  const tests::Finished bad = on_card({broken, "u32:1"});
  CHECK(bad.exit_code == 2);
  CHECK_MESSAGE(bad.err.find("\nlanescope: " + broken + ": ") != std::string::npos, bad.err);
  const tests::Finished gone = on_card({"/nonexistent.ptx"});
  refused(gone, "cannot read /nonexistent.ptx; name a file of PTX");
  CHECK(run({"--device", "card", file}, "").exit_code == 2);
}
