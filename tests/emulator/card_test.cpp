// SPDX-License-Identifier: MIT
// Corners of scalar instructions as an H200 answered them, a line each, where the ISA says nothing
// or the emulator once said something else. tests/golden/scalar has all forms, by hashes; here one
// can read what goes in and what comes out.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

struct Answer {
  std::string_view instruction;  // operands H, R, D of 16, 32, 64 bits, P; the result comes first
  std::uint64_t a = 0, b = 0, c = 0;
  std::uint64_t wanted = 0;
};

// The instruction with registers for its letters, sources filled, the result stored in 64 bits.
std::string body_of(const Answer& answer) {
  const std::size_t blank = answer.instruction.find(' ');
  std::string text(answer.instruction.substr(0, blank + 1)), before;
  const std::uint64_t given[] = {answer.a, answer.b, answer.c};
  std::string after;
  int number = 0;
  for (const char letter : answer.instruction.substr(blank + 1)) {
    if (std::string_view("HRDP").find(letter) == std::string_view::npos) {
      text += letter;
      continue;
    }
    const std::string_view name = letter == 'H'   ? "h"
                                  : letter == 'R' ? "r"
                                  : letter == 'D' ? "rd"
                                                  : "p";
    const std::string reg = fmt::format("%{}{}", name, 3 + number);
    const int bits = letter == 'H' ? 16 : letter == 'R' ? 32 : 64;
    if (number > 0)
      before += fmt::format("mov.b{} {}, 0x{:x}; ", bits, reg, given[number - 1]);
    else
      after = letter == 'P'   ? fmt::format("selp.u64 %rd9, 1, 0, {}; ", reg)
              : letter == 'D' ? fmt::format("mov.b64 %rd9, {}; ", reg)
                              : fmt::format("cvt.u64.u{} %rd9, {}; ", bits, reg);
    text += reg;
    ++number;
  }
  return before + text + "; " + after + "st.global.u64 [%rd0], %rd9;";
}

void check(const Answer& answer) {
  for (const Host host : hosts()) {
    const Run run = run_body(body_of(answer), "sm_90", 32, 1'000'000, host);
    REQUIRE_MESSAGE(!run.load_error, run.load_error.message);
    REQUIRE_MESSAGE(!run.report.error, run.report.error.message);
    const std::uint64_t found = run.words[0] | std::uint64_t{run.words[1]} << 32;
    CHECK_MESSAGE(
        found == answer.wanted,
        fmt::format("{} of {:x}, {:x}, {:x} on {}: {:x} instead of {:x}", answer.instruction,
                    answer.a, answer.b, answer.c, name(host), found, answer.wanted));
  }
}

TEST_CASE(".ftz flushes what is subnormal when rounded without a smallest exponent") {
  for (const Answer& answer : {
           Answer{"mul.ftz.f32 R,R,R", 0x3f7fffff, 0x00800000, 0, 0},
           Answer{"mul.ftz.f32 R,R,R", 0xbf7fffff, 0x00800000, 0, 0x80000000},
           Answer{"mul.rp.ftz.f32 R,R,R", 0x3f7fffff, 0x00800000, 0, 0},
           Answer{"fma.rn.ftz.f32 R,R,R,R", 0x3f7fffff, 0x80800000, 0x80000001, 0x80000000},
           Answer{"div.rm.ftz.f32 R,R,R", 0x80800000, 0x3f800001, 0, 0x80000000},
           Answer{"mul.ftz.f16 H,H,H", 0x3bff, 0x0400, 0, 0},
           Answer{"fma.rn.ftz.f16 H,H,H,H", 0x3bff, 0x8400, 0, 0x8000},
           Answer{"mul.f16 H,H,H", 0x3bff, 0x0400, 0, 0x0400},
       })
    check(answer);
}

TEST_CASE(".ftz of halves, and where it does nothing") {
  for (const Answer& answer : {
           Answer{"abs.ftz.f16 H,H", 0x81a7, 0, 0, 0},
           Answer{"neg.ftz.f16 H,H", 0x034e, 0, 0, 0x8000},
           Answer{"neg.ftz.f16x2 R,R", 0x83e5bc00, 0, 0, 0x00003c00},
           Answer{"setp.eq.ftz.f16 P,H,H", 0x83ff, 0, 0, 1},
           Answer{"setp.eq.f16 P,H,H", 0x83ff, 0, 0, 0},
           Answer{"set.eq.ftz.u32.f16 R,H,H", 0x0001, 0x8000, 0, 0xffffffff},
           Answer{"cvt.rm.ftz.f16.f32 H,R", 0x80000001, 0, 0, 0x8001},
           Answer{"cvt.rp.ftz.sat.f16.f32 H,R", 0x00400000, 0, 0, 0x0001},
       })
    check(answer);
}

TEST_CASE("fma of bf16 is rounded once") {
  for (const Answer& answer : {
           Answer{"fma.rn.bf16 H,H,H,H", 0xbf40, 0xbf81, 0x8040, 0x3f41},
           Answer{"fma.rn.bf16 H,H,H,H", 0x3fc0, 0xbf81, 0x0040, 0xbfc1},
           Answer{"fma.rn.relu.bf16 H,H,H,H", 0xc020, 0xc37c, 0x8040, 0x441d},
       })
    check(answer);
}

TEST_CASE("the smaller magnitude of halves, with the product's sign") {
  for (const Answer& answer : {
           Answer{"min.xorsign.abs.f16 H,H,H", 0xfbff, 0, 0, 0x8000},
           Answer{"max.NaN.xorsign.abs.f16 H,H,H", 0x8401, 0, 0, 0x8401},
           Answer{"max.NaN.xorsign.abs.bf16 H,H,H", 0x7fc1, 0xbf80, 0, 0x7fff},
       })
    check(answer);
}

TEST_CASE("of two NaNs of f64 the second") {
  constexpr std::uint64_t kOne = 0x7ff80000000002b3, kOther = 0xfff0000000000001,
                          kQuiet = 0xfff8000000000001, kTwo = 0x4000000000000000;
  for (const Answer& answer : {
           Answer{"add.f64 D,D,D", kOne, kOther, 0, kQuiet},
           Answer{"sub.rz.f64 D,D,D", kOther, kOne, 0, kOne},
           Answer{"mul.f64 D,D,D", kOne, kOther, 0, kQuiet},
           Answer{"fma.rn.f64 D,D,D,D", kOne, kTwo, kOther, kQuiet},
           Answer{"fma.rp.f64 D,D,D,D", kOther, kOne, kTwo, kOne},
           Answer{"fma.rn.f64 D,D,D,D", kTwo, kOne, kOther, kOne},
           Answer{"div.rn.f64 D,D,D", kOne, kOther, 0, kOne},
       })
    check(answer);
}

TEST_CASE("what becomes of a NaN in conversions") {
  for (const Answer& answer : {
           Answer{"cvt.f32.f32 R,R", 0xff800001, 0, 0, 0xff800001},
           Answer{"cvt.rz.f32.bf16 R,H", 0x7f87, 0, 0, 0x7f870000},
           Answer{"cvt.rn.ftz.f32.f64 R,D", 0xfff0000000000001, 0, 0, 0xffc00000},
           Answer{"cvt.ftz.f64.f32 D,R", 0xff800001, 0, 0, 0x7fffffffe0000000},
           Answer{"cvt.rna.satfinite.tf32.f32 R,R", 0xff800001, 0, 0, 0xff7fe000},
           Answer{"cvt.rna.satfinite.tf32.f32 R,R", 0x7fc002b3, 0, 0, 0x7fbfe000},
       })
    check(answer);
}

TEST_CASE("integral values of bf16, and a zero that testp calls normal") {
  for (const Answer& answer : {
           Answer{"cvt.rmi.bf16.bf16 H,H", 0x9e37, 0, 0, 0xbf80},
           Answer{"cvt.rpi.bf16.bf16 H,H", 0x3c6e, 0, 0, 0x3f80},
           Answer{"cvt.rni.bf16.bf16 H,H", 0x9e37, 0, 0, 0x8000},
           Answer{"testp.normal.f32 P,R", 0x80000000, 0, 0, 1},
           Answer{"testp.normal.f64 P,D", 0, 0, 0, 1},
           Answer{"testp.normal.f32 P,R", 0x00000001, 0, 0, 0},
       })
    check(answer);
}

TEST_CASE("a sum of f64 in global memory keeps a NaN as it is") {
  constexpr std::uint64_t kSignalling = 0x7ff0000000000001, kTwo = 0x4000000000000000;
  const std::string_view sum =
      "st.global.u64 [%rd0], {}; mov.b64 %rd4, {}; red.global.add.f64 [%rd0], %rd4;";
  const auto summed = [&](std::uint64_t old, std::uint64_t added) {
    const Run run = run_body(fmt::format(fmt::runtime(sum), old, added), "sm_90");
    return run.words[0] | std::uint64_t{run.words[1]} << 32;
  };
  CHECK(summed(kSignalling, kTwo) == kSignalling);
  CHECK(summed(kTwo, kSignalling) == kSignalling);
  CHECK(summed(kSignalling, 0x7fffffffffffffff) == 0x7fffffffffffffff);
}

TEST_CASE("scalar video instructions are what ptxas makes of them") {
  for (const Answer& answer : {
           Answer{"vadd.u32.u32.u32.sat R,R,R", 0xffffffff, 1, 0, 0},
           Answer{"vadd.u32.u32.u32.min R,R,R,R", 0x80000000, 0, 0xffffff7f, 0xffffff7f},
           Answer{"vabsdiff.s32.u32.u32.min R,R,R,R", 0xaaaaaaaa, 0, 0x100, 0x100},
           Answer{"vshl.s32.s32.u32.sat.wrap R,R,R", 0x40000000, 3, 0, 0x80000000},
           Answer{"vshl.s32.s32.u32.sat.wrap R,R,R", 0x76543210, 3, 0, 0xb2a19080},
           Answer{"vmad.u32.u32.u32.shr7 R,R,R,R", 0xaaaaaaaa, 1, 5, 0xff555555},
           Answer{"vmad.u32.u32.u32.sat.shr7 R,R,R,R", 0, 0, 0xfffffff6, 0xffffffff},
           Answer{"vset.s32.u32.ne.min R,R,R.b2,R", 2, 0, 0xffffffde, 0xffffffde},
           Answer{"vset.u32.u32.ne.min R,R,R.b2,R", 2, 0, 0xffffffde, 1},
       })
    check(answer);
}

TEST_CASE("fields of 64 bits at places beyond 255") {
  for (const Answer& answer : {
           Answer{"bfe.u64 D,D,R,R", 0x4000000000000000, 0, 0x80000001, 0x4000000000000000},
           Answer{"bfe.s64 D,D,R,R", 0xaaaaaaaaaaaaaaaa, 1, 0x10000, 0xd555555555555555},
           Answer{"bfe.u32 R,R,R,R", 0x40000000, 0, 0x80000001, 0},
           Answer{"fns.b32 R,R,R,R", 0x7fffffff, 0x20, 0x13, 0xffffffff},
           Answer{"fns.b32 R,R,R,R", 0xfffffff7, 0, 0x80000000, 0},
       })
    check(answer);
}

}  // namespace
// Shared memory begins at 0x400; beyond 16 MiB an address names other CTAs.
TEST_CASE("an access far from shared memory") {
  constexpr std::uint64_t kMiB = 1 << 20;
  const struct {
    std::uint64_t offset;
    ErrorCode shared, generic;
  } far[] = {{0, ErrorCode::none, ErrorCode::none},
             {0xc000, ErrorCode::illegal_address, ErrorCode::illegal_address},
             {kMiB, ErrorCode::illegal_address, ErrorCode::illegal_address},
             {16 * kMiB - 1024, ErrorCode::illegal_instruction, ErrorCode::illegal_instruction},
             {16 * kMiB, ErrorCode::illegal_instruction, ErrorCode::illegal_instruction},
             {32 * kMiB, ErrorCode::illegal_instruction, ErrorCode::illegal_instruction},
             {256 * kMiB, ErrorCode::illegal_instruction, ErrorCode::illegal_instruction},
             {0xf0000000, ErrorCode::illegal_instruction, ErrorCode::illegal_instruction},
             {0x100000000, ErrorCode::none, ErrorCode::illegal_address}};
  for (const auto& [offset, shared, generic] : far)
    for (const char* body :
         {"ld.shared.u32 %r3, [%r2];", "st.shared.u32 [%r2], %r0;", "red.shared.add.u32 [%r2], 1;",
          "atom.shared.add.u32 %r3, [%r2], 1;", "ld.shared::cluster.u32 %r3, [%r2];",
          "st.shared::cluster.u32 [%r2], %r0;",
          "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];",
          "cp.async.ca.shared.global [%r2], [%rd0], 4; cp.async.wait_all;", "ld.u32 %r3, [%rd3];",
          "st.u32 [%rd3], %r0;", "atom.add.u32 %r3, [%rd3], 1;"}) {
      CAPTURE(offset);
      CAPTURE(body);
      const bool is_generic = std::string_view(body).find("%rd3") != std::string_view::npos;
      const Run run =
          run_body(fmt::format("mov.u64 %rd1, tile; cvta.shared.u64 %rd2, %rd1; add.u64 %rd3, "
                               "%rd2, {}; add.u64 %rd4, %rd1, {}; cvt.u32.u64 %r2, %rd4; {}",
                               offset, offset, body),
                   "sm_90");
      CAPTURE(run.report.error.message);
      CHECK(run.report.error.code == (is_generic ? generic : shared));
    }
}

}  // namespace lanescope::emulator::test
