// SPDX-License-Identifier: MIT
// What ptxas says of the lessons for Hopper and for Blackwell: no wgmma is serialised, and no
// register is spilled. Both would leave every number right and the lesson about speed wrong.
//
//     (C7508), (C7510), (C7511), (C7514), (C7515)
//     Potential Performance Loss: wgmma.mma_async instructions are serialized due to ...
//
// ptxas prints its -v lines as "ptxas info    : ..." and the spills of each function on a line.
#include <doctest/doctest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "guide/course.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/workshop.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace {

namespace fs = std::filesystem;

struct Verdict {
  int functions = 0;
  std::vector<std::string> complaints;
};
Verdict verdict_of(const std::string& output) {
  static const std::regex serialised("wgmma.mma_async instructions are serialized");
  static const std::regex spill(R"((\d+) bytes spill stores, (\d+) bytes spill loads)");
  Verdict verdict;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, serialised)) verdict.complaints.push_back(line);
    if (!std::regex_search(line, match, spill)) continue;
    ++verdict.functions;
    if (match[1] != "0" || match[2] != "0") verdict.complaints.push_back(line);
  }
  return verdict;
}

}  // namespace

TEST_CASE(
    "ptxas serialises no wgmma and spills no register in any lesson for Hopper or Blackwell") {
  int lessons = 0;
  for (const guide::Lesson& lesson : guide::course(fs::path(LANESCOPE_SOURCE_DIR) / "lessons")) {
    const bool blackwell = lesson.arch == "sm_100a" || lesson.arch == "sm_120a";
    if (!for_hopper(lesson.name) && !blackwell) continue;
    CAPTURE(lesson.name);
    const fs::path lesson_folder = fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson.name;
    for (const fs::path& kernels :
         {ptx_of(lesson.name, "", lesson.arch, scratch()), lesson_folder / "solution.cu"}) {
      CAPTURE(kernels.string());
      const Ran ran = assemble(kernels, lesson.arch);
      REQUIRE_MESSAGE(ran.status == 0, ran.output);
      const Verdict verdict = verdict_of(ran.output);
      CHECK(verdict.functions > 0);
      for (const std::string& complaint : verdict.complaints) CHECK_MESSAGE(false, complaint);
    }
    ++lessons;
  }
  CHECK(lessons ==
        9);  // 09 to 13, 16, 22; 17, 18, of which ptxas is the only judge that is no emulator
}

TEST_CASE("the test would see a serialised wgmma and a spilled register") {
  // A call between wgmmas on the same D.
  write(scratch() / "serialised.cu", R"(
__device__ __noinline__ float far(float x) { return x * x + 1; }
__global__ void k(float* o, unsigned long long a, int n) {
  float d[4] = {}, x = 1;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int i = 0; i < n; ++i) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %4, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a + i));
    x = far(x);
  }
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  o[threadIdx.x] = d[0] + x;
})");
  const Ran serialised = assemble(scratch() / "serialised.cu", "sm_90a");
  REQUIRE_MESSAGE(serialised.status == 0, serialised.output);
  CHECK_MESSAGE(verdict_of(serialised.output).complaints.size() == 1, serialised.output);

  // 48 numbers at once, and 32 registers to keep them in.
  write(scratch() / "spilled.cu", R"(
__global__ void __launch_bounds__(1024, 2) k(float* o, const float* in) {
  float s[48];
  for (int i = 0; i < 48; ++i)
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(s[i]) : "l"(in + i * 1024));
  for (int i = 0; i < 48; ++i)
    asm volatile("st.global.f32 [%0], %1;" ::"l"(o + i * 1024), "f"(s[47 - i]));
})");
  const Ran spilled = assemble(scratch() / "spilled.cu", "sm_90a");
  REQUIRE_MESSAGE(spilled.status == 0, spilled.output);
  CHECK_MESSAGE(verdict_of(spilled.output).complaints.size() == 1, spilled.output);
}
