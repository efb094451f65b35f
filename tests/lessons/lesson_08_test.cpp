// SPDX-License-Identifier: MIT
// Lesson 08 on the emulator: its kernels compute what they should, and its listings are of these
// very kernels: the PTX in them is what nvcc makes of lesson.cu today.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/lessons/planted.hpp"
#include "tests/lines_of.hpp"

using namespace lanescope::lessons_test;
using lanescope::tests::lines_of;

namespace lesson_08 {
namespace {

namespace fs = std::filesystem;

const std::string kLesson = "08_sass";
const fs::path& folder() {
  static const fs::path path = fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / kLesson;
  return path;
}

/// Without blanks at its ends, and with single ones within.
std::string tidy(const std::string& line) {
  std::istringstream words(line);
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string nvcc_version() {
  const Ran ran = run(std::string(LANESCOPE_TEST_NVCC) + " --version");
  const std::size_t at = ran.output.rfind(", V");
  REQUIRE(at != std::string::npos);
  return ran.output.substr(at + 2, ran.output.find('\n', at) - at - 2);
}

}  // namespace

TEST_CASE("lesson 08's kernels are right on the architectures that have them") {
  for (const std::string arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(says(ran, "multiply_f16: 128 of 128"));
    CHECK(says(ran, "tiles_fit: 2048 of 2048"));
    CHECK(says(ran, "tiles_spill: 2048 of 2048"));
    CHECK(says(ran, "multiply_e4m3: 128 of 128") == (arch != "sm_80"));
    CHECK(says(ran, "multiply_wgmma: 512 of 512") == (arch == "sm_90a"));
  }
}

TEST_CASE("what lesson 08's page quotes is in the listing") {
  const std::string listing = read(folder() / "listings" / "sm_90a.inc");
  int quoted = 0;
  for (const std::string& line : lines_of(read(folder() / "README.md")))
    if (line.rfind("P ", 0) == 0 || line.rfind("S ", 0) == 0) {
      ++quoted;
      CHECK_MESSAGE(listing.find("\n" + line + "\n") != std::string::npos, line);
    }
  CHECK(quoted == 10);
}

TEST_CASE("lesson 08's page counts the instructions of its spills as the listing has them") {
  const std::string listing = read(folder() / "listings" / "sm_90a.inc");
  const auto count_in = [&](const std::string& kernel, const std::vector<std::string>& names) {
    const std::size_t begin = listing.find("\n[" + kernel + "] ");
    REQUIRE(begin != std::string::npos);
    int found = 0;
    for (const std::string& line :
         lines_of(listing.substr(begin + 1, listing.find("\n[", begin + 1) - begin - 1)))
      for (const std::string& name : names)
        found += line.rfind("S ", 0) == 0 && line.find(name) != std::string::npos;
    return found;
  };
  const std::string page = tidy(read(folder() / "README.md"));
  CHECK(page.find("on sm_90a the code has " + std::to_string(count_in("tiles_spill", {"S "})) +
                  " instructions instead of " + std::to_string(count_in("tiles_fit", {"S "})) +
                  ": " + std::to_string(count_in("tiles_spill", {" STL", " LDL"})) +
                  " of them only carry values") != std::string::npos);
}

TEST_CASE("lesson 08's listings say what they are of") {
  for (const std::string arch : {"sm_80", "sm_89", "sm_90a"}) {
    const std::vector<std::string> lines = lines_of(read(folder() / "listings" / (arch + ".inc")));
    REQUIRE(lines.size() > 500);
    CHECK(lines[1].rfind("# " + arch + ": nvcc V", 0) == 0);
    CHECK(lines[1].find(", nvdisasm V") != std::string::npos);
    CHECK(lines[2].find("-arch=" + arch) != std::string::npos);
  }
}

TEST_CASE("lesson 08's listings are of the kernels in lesson.cu" *
          doctest::test_suite("compiled")) {
  for (const std::string arch : {"sm_80", "sm_89", "sm_90a"}) {
    const std::string listing = read(folder() / "listings" / (arch + ".inc"));
    if (listing.find("nvcc " + nvcc_version() + ",") == std::string::npos) {
      MESSAGE("another nvcc: its PTX may differ");
      continue;
    }
    const fs::path ptx = scratch() / ("lesson_08_" + arch + ".ptx");
    const Ran ran = run(std::string(LANESCOPE_TEST_NVCC) + " -DLISTING -arch=" + arch + " -ptx " +
                        shell_word(folder() / "lesson.cu") + " -o " + shell_word(ptx));
    REQUIRE_MESSAGE(ran.status == 0, ran.output);
    const std::vector<std::string> now = lines_of(read(ptx));
    int compared = 0;
    for (const std::string& line : lines_of(listing)) {
      if (line.rfind("P ", 0) != 0) continue;
      const std::size_t number = std::stoul(line.substr(2));
      const std::string recorded = line.substr(line.find(' ', 2) + 1);
      if (recorded.rfind(".loc", 0) == 0 || recorded.rfind("//", 0) == 0) continue;
      REQUIRE(number <= now.size());
      CHECK_MESSAGE(tidy(now[number - 1]) == recorded, "lessons/08_sass/record.sh " << arch);
      ++compared;
    }
    CHECK(compared > 200);
  }
}

TEST_CASE("lesson 08 says what the page says about fp8 and spills") {
  const Ran ran = run_lesson(kLesson);
  CHECK(says(ran, "    sm_89                  QMMA.16832.F32.E4M3.E4M3\n"));
  CHECK(says(ran, "12 F2FP.F16.E4M3.UNPACK_B, 2 HMMA.16816.F32"));
  CHECK(says(ran, "64 registers, 41 STL, 29 LDL\n"));
}

TEST_CASE("record.sh names what is missing") {
  if (run("command -v nvdisasm").status == 0) return;
  const Ran ran = run(shell_word(folder() / "record.sh") + " sm_90a");
  CHECK(ran.status == 2);
  CHECK(says(ran, "record.sh: no nvdisasm"));
}

TEST_CASE("lesson 08 notices a kernel that computes something else" *
          doctest::test_suite("compiled")) {
  fs::copy_file(folder() / "listing.hpp", scratch() / "listing.hpp",
                fs::copy_options::overwrite_existing);
  fs::create_directories(scratch() / "listings");
  fs::copy(folder() / "listings", scratch() / "listings",
           fs::copy_options::overwrite_existing | fs::copy_options::recursive);
  const Ran ran =
      run_broken_kernel(kLesson, "tile", "lane % 16 * 32 + lane / 16 * 16)", "lane % 16 * 32)");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
}

}  // namespace lesson_08
