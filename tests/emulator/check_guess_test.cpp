// SPDX-License-Identifier: MIT
// A plain load that tells a compare-and-swap what to expect: found out if it was wrong, and no race
// but with --strict. The snippets' output is memory of 2,048 bytes.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

const std::string kBegin =
    "ld.param.u64 %rd9, [out]; mov.u32 %r10, %ctaid.x; mov.u32 %r11, %tid.x;\n"
    "setp.eq.u32 %p1, %r10, 0; mov.u32 %r2, tile;\n";

/// Counts the word at `swapped` up; what is there it takes, at first, from `loaded`.
std::string counting(const std::string& space, const std::string& loaded,
                     const std::string& swapped, const std::string& expected = "%r22") {
  return fmt::format(
      "ld.{0}.u32 %r20, {1};\nAGAIN: mov.u32 %r22, %r20; add.u32 %r23, %r22, 1;\n"
      "atom.{0}.cas.b32 %r20, {2}, {3}, %r23;\nsetp.ne.u32 %p6, %r20, {3}; @%p6 bra AGAIN;\n",
      space, loaded, swapped, expected);
}

}  // namespace

TEST_CASE("a compare-and-swap proves what a plain load has guessed") {
  const std::string body = kBegin + counting("global", "[%rd9]", "[%rd9]");
  CHECK(check_grid(body, 32, 1).kinds() == "");
  CHECK(check_grid(body, 64, 3).kinds() == "");
  CHECK(check_grid(body, 32, 2, true).kinds() == "race-read-after-write, race-write-after-read");
}

TEST_CASE("the address may be written in two ways, and the value come through other registers") {
  const std::string ways =
      "add.u64 %rd1, %rd9, 64; cvta.to.global.u64 %rd2, %rd1; mov.u64 %rd3, %rd9;\n";
  const std::string begin = kBegin + ways;
  CHECK(check_grid(begin + counting("global", "[%rd2+4]", "[%rd3+68]"), 32, 2).kinds() == "");
  const std::string wide =
      "ld.global.f64 %fd1, [%rd2];\nmov.b64 %rd5, %fd1;\nAGAIN: mov.u64 %rd6, %rd5; add.u64 %rd7, "
      "%rd6, 3; atom.cas.b64 %rd5, [%rd1], %rd6, %rd7; setp.ne.u64 %p6, %rd5, %rd6;\n"
      "@%p6 bra AGAIN;\n";
  CHECK(check_grid(begin + wide, 32, 2).kinds() == "");
}

TEST_CASE("in shared memory, too") {
  const std::string zero = "mov.u32 %r12, 0; st.shared.u32 [%r2], %r12; bar.sync 0;\n";
  const std::string body = kBegin + zero + counting("shared", "[tile]", "[%r2]");
  CHECK(check_body(body, 64).kinds() == "");
  CHECK(check_body(body, 64, 1, true).kinds() == "race-read-after-write, race-write-after-read");
}

TEST_CASE("what is no guess races") {
  const std::string both = "race-read-after-write, race-write-after-read";
  // another address, and one that may be another
  const std::string elsewhere = "red.global.add.u32 [%rd9], 1;\n";
  CHECK(check_grid(kBegin + elsewhere + counting("global", "[%rd9]", "[%rd9+4]"), 32, 2).kinds() ==
        "race-write-after-read, race-read-after-write");
  const std::string twice = "mov.u64 %rd1, %rd9; @%p1 add.u64 %rd1, %rd9, 0;\n";
  CHECK(check_grid(kBegin + twice + counting("global", "[%rd1]", "[%rd9]"), 32, 2).kinds() == both);
  // a value that is not the one that is compared
  CHECK(check_grid(kBegin + "ld.global.u32 %r24, [%rd9];\n" +
                       "atom.global.cas.b32 %r20, [%rd9], 0xa5a5a5a5, %r24;\n",
                   32, 2)
            .kinds() == "race-read-after-write");
  // a plain store, which no swap finds out
  const std::string sets = "@%p1 st.global.u32 [%rd9], 5;\n";
  CHECK(check_grid(
            kBegin + sets + "@%p1 bra END;\n" + counting("global", "[%rd9]", "[%rd9]") + "END:\n",
            32, 2)
            .kinds() == "race-read-after-write, race-write-after-write");
}

}  // namespace lanescope::emulator::test
