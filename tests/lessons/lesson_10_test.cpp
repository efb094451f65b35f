// SPDX-License-Identifier: MIT
// Lesson 10 on the emulator: the bytes it shows are those of the atlas's descriptors, and it
// notices when its prediction or a descriptor is wrong.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "layout/descriptor.hpp"
#include "tests/lessons/planted.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;
using layout::Major;
using layout::Swizzle;

namespace lesson_10 {
namespace {
constexpr const char* kLesson = "10_descriptors";
}

TEST_CASE("lesson 10 predicts the byte of every element in all eight layouts") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, "1024 of 1024 right") == 8);
  CHECK(says(ran, "4 slices of 1024 elements: all as predicted"));
}

TEST_CASE("lesson 10's descriptors and bytes are the atlas's") {
  const Ran ran = run_lesson(kLesson);
  struct Line {
    const char* name;
    Swizzle mode;
    Major major;
    std::uint32_t lbo, sbo;
  };
  for (const Line& l : {Line{"none  K-major", Swizzle::none, Major::K, 128, 256},
                        Line{"32B   K-major", Swizzle::b32, Major::K, 16, 256},
                        Line{"64B   K-major", Swizzle::b64, Major::K, 16, 512},
                        Line{"128B  K-major", Swizzle::b128, Major::K, 16, 1024},
                        Line{"none  N-major", Swizzle::none, Major::MN, 1024, 128},
                        Line{"32B   N-major", Swizzle::b32, Major::MN, 256, 1024},
                        Line{"64B   N-major", Swizzle::b64, Major::MN, 512, 1024},
                        Line{"128B  N-major", Swizzle::b128, Major::MN, 1024, 1024}}) {
    const layout::Descriptor d{0, l.lbo, l.sbo, 0, l.mode};
    const auto byte = [&](int n, int k) { return layout::fetched_byte(d, l.major, 16, n, k); };
    char line[160];
    std::snprintf(line, sizeof line, "\n%s  %5u %5u  0x%016llx  %7u %7u %7u %7u  1024 of", l.name,
                  l.lbo, l.sbo, static_cast<unsigned long long>(layout::encode(d)), byte(1, 0),
                  byte(0, 1), byte(0, 8), byte(8, 0));
    CAPTURE(ran.output);
    CHECK_MESSAGE(says(ran, line), line);
  }
}

TEST_CASE("lesson 10 shows what a wrong LBO fetches, whichever it is" *
          doctest::test_suite("twice")) {
  const Ran wrong = run_lesson(kLesson);
  CHECK(says(wrong, "with LBO = 256: 512 of 1024 elements are the right ones."));
  CHECK(says(wrong, "B[ 8][0..2] come from where B[ 0][8] B[ 0][9] B[ 0][10] lie"));
  const Ran none = run_lesson(kLesson, "--lbo 0");
  CHECK(none.status == 0);
  CHECK(says(none, "B[ 8][0..2] come from where B[ 0][0] B[ 0][1] B[ 0][2] lie"));
  const Ran right = run_lesson(kLesson, "--lbo 128");
  CHECK(right.status == 0);
  CHECK(says(right, "with LBO = 128: 1024 of 1024 elements are the right ones."));
  CHECK(says(right, "B[ 8][0..2] come from where B[ 8][0] B[ 8][1] B[ 8][2] lie"));
  const Ran refused = run_lesson(kLesson, "--lbo 100");
  CHECK(refused.status == 2);
  CHECK(says(refused, "lesson: --lbo 100: wanted is a multiple of 16"));
  for (const char* lbo : {"abc", "-16", "4112", "128x"}) {
    const Ran ran = run_lesson(kLesson, std::string("--lbo ") + lbo);
    CHECK(ran.status == 2);
    CHECK(says(ran, "wanted is a whole number from 0 to 4096"));
  }
}

TEST_CASE("lesson 10 notices a prediction without the swizzle" * doctest::test_suite("compiled")) {
  const Ran ran = run_broken(kLesson, "no_swizzle", "return byte ^ (byte / 128 % units) * 16;",
                             "return byte + 0 * units;");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "NOT as predicted"));
}

TEST_CASE("lesson 10 notices modes that are exchanged" * doctest::test_suite("compiled")) {
  const Ran ran = run_broken_kernel(kLesson, "modes", "static_cast<uint64_t>(d.mode) << 62",
                                    "static_cast<uint64_t>(d.mode == 0 ? 0 : 4 - d.mode) << 62");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
}

TEST_CASE("the checker has nothing to say about lesson 10") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "nothing to report"));
}

}  // namespace lesson_10
