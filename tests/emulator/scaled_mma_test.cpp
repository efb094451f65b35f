// SPDX-License-Identifier: MIT
// The kinds of mma that sm_120a has, dense and sparse, with and without scale factors, every
// selector: against the product of the decoded numbers in f64 (scaled_product.hpp).
#include <doctest/doctest.h>

#include "tests/emulator/scaled_product.hpp"

namespace lanescope::emulator::test {
namespace {

void check(const Form& f, unsigned seed, Selectors how = Selectors::numbers) {
  CAPTURE(f.entry->mnemonic);
  CAPTURE(f.byte_a);
  CAPTURE(f.thread_a);
  CAPTURE(f.byte_b);
  CAPTURE(f.thread_b);
  Case made = random_case(f, seed);
  while (!is_exact(f, made)) made = random_case(f, seed += 1000);
  const Ran ran = run(program(f, f.entry->mnemonic, how, "sm_120a"), made);
  REQUIRE_MESSAGE(!ran.error, ran.error.message);
  CHECK(numbers(f, ran.d) == made.expected);
}

const layout::Instruction& entry(std::string_view mnemonic) {
  const layout::Instruction* found = layout::find(mnemonic);
  REQUIRE(found != nullptr);
  return *found;
}
constexpr std::string_view kMxf8 =
    "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e2m1.f32."
    "ue8m0";
constexpr std::string_view kMxf4 =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
    "ue8m0";
constexpr std::string_view kNvf4 =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
    "ue4m3";

}  // namespace

TEST_CASE("every kind of mma of sm_120a is the product of the decoded numbers") {
  unsigned seed = 1;
  int dense = 0, sparse = 0;
  for (const layout::Instruction& i : layout::instructions()) {
    if (i.mnemonic.find(".kind::") == std::string::npos || i.family.substr(0, 3) != "mma") continue;
    check(form_of(i), ++seed);
    ++(i.family == "mma" ? dense : sparse);
  }
  CHECK(dense == 50 + 25 + 3);
  CHECK(sparse == 50 + 25 + 3);
}

TEST_CASE("every selector of every scale_vec, as numbers and in registers of 16 bits") {
  unsigned seed = 100;
  int checked = 0;
  std::string sparse(kMxf4);
  sparse.replace(0, sparse.find(".row"), "mma.sp::ordered_metadata.sync.aligned.m16n8k128");
  for (const std::string_view mnemonic : {kMxf8, kMxf4, kNvf4, std::string_view(sparse)}) {
    Form f = form_of(entry(mnemonic));
    for (f.thread_a = 0; f.thread_a < 2; ++f.thread_a)
      for (f.thread_b = 0; f.thread_b < 4; ++f.thread_b)
        for (f.byte_a = 0; f.byte_a + f.vectors <= 4; f.byte_a += f.vectors)
          for (f.byte_b = 0; f.byte_b + f.vectors <= 4; f.byte_b += f.vectors) {
            check(f, seed++, checked % 2 == 0 ? Selectors::numbers : Selectors::registers);
            ++checked;
          }
  }
  CHECK(checked == 8 * (16 + 4 + 1 + 4));
}

TEST_CASE("a scale that is NaN makes its row or column NaN; bit 7 of ue4m3 is not read") {
  for (const std::string_view mnemonic : {kMxf8, kMxf4, kNvf4}) {
    CAPTURE(mnemonic);
    const Form f = form_of(entry(mnemonic));
    const Case made = random_case(f, 7);
    const bool nv = f.scale == "ue4m3";
    Case with_nan = made;  // the last chunk of row 9, of column 2
    const int shift = 8 * (f.vectors - 1);
    with_nan.sfa[4 * 1 + 1] |= (nv ? 0x7fu : 0xffu) << shift;
    with_nan.sfb[4 * 2] |= (nv ? 0x7fu : 0xffu) << shift;
    const std::string text = program(f, mnemonic, Selectors::numbers, "sm_120a");
    const Ran ran = run(text, with_nan);
    REQUIRE(!ran.error);
    for (int row = 0; row < 16; ++row)
      for (int col = 0; col < 8; ++col) {
        const Held held = place_of_d(f, row, col);
        const bool is_nan =
            ran.d[static_cast<std::size_t>(held.reg * 32 + held.lane)] == 0x7fffffff;
        CHECK(is_nan == (row == 9 || col == 2));
      }
    if (!nv) continue;
    Case with_sign = made;
    for (std::uint32_t& word : with_sign.sfa) word ^= 0x80808080;
    CHECK(numbers(f, run(text, with_sign).d) == made.expected);
  }
}

TEST_CASE("a kind may stand before the shape, and the default .scale_vec be left out") {
  const Form f = form_of(entry(kMxf8));
  const Case made = random_case(f, 8);
  for (const char* mnemonic :
       {"mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e2m1."
        "f32.ue8m0",
        "mma.sync.aligned.kind::mxf8f6f4.block_scale.m16n8k32.row.col.f32.e4m3.e2m1.f32.ue8m0",
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e2m1.f32.ue8m0"}) {
    const Ran ran = run(program(f, mnemonic, Selectors::numbers, "sm_120a"), made);
    REQUIRE_MESSAGE(!ran.error, ran.error.message);
    CHECK(numbers(f, ran.d) == made.expected);
  }
  // Family code, on a plain card of the family.
  const Ran ran = run(program(f, kMxf8, Selectors::numbers, "sm_120f"), made, "sm_120");
  REQUIRE_MESSAGE(!ran.error, ran.error.message);
  CHECK(numbers(f, ran.d) == made.expected);
}

TEST_CASE("wrong selectors, targets and modifiers are one line each") {
  const auto error = [](std::string_view mnemonic, const std::string& from, const std::string& to,
                        Selectors how = Selectors::numbers, std::string_view target = "sm_120a") {
    const Form f = form_of(entry(mnemonic));
    std::string text = program(f, mnemonic, how, target);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    const Ran ran = run(text, random_case(f, 9), target);
    REQUIRE(ran.error);
    CHECK(ran.error.message.find('\n') == std::string::npos);
    return ran.error.message;
  };
  const auto says = [](const std::string& text, const char* part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  const std::string sfa = "%s0, {0, 0}", sfb = "%s1, {0, 0}";
  says(error(kMxf8, sfa, "%s0, {4, 0}"),
       "SFA has {byte-id, thread-id} {4, 0}: byte-ids are 0 to 3");
  says(error(kMxf8, sfa, "%s0, {0, 2}"), "{0, 2}: byte-ids are 0 to 3, thread-ids 0 to 1");
  says(error(kMxf8, sfb, "%s1, {0, 4}"), "SFB has {byte-id, thread-id} {0, 4}");
  says(error(kMxf8, sfb, "%s1, {-1, 0}"), "SFB has {byte-id, thread-id} {-1, 0}");
  says(error(kMxf4, sfa, "%s0, {1, 0}"), "byte-ids are 0 and 2");
  says(error(kNvf4, sfb, "%s1, {2, 0}"), "byte-ids are 0 alone, thread-ids 0 to 3");
  says(error(kMxf8, sfa, "7, {0, 0}"), "SFA is one register");
  says(error(kMxf8, sfa, "{%s0, %s1}, {0, 0}"), "SFA is one register");
  says(error(kMxf8, sfa, "%s0, {0}"), "behind SFA stands {byte-id, thread-id}");
  says(error(kMxf8, sfa, "%s0, {%r0, 0}"), "has 32 bits where .b16 needs 16");
  says(error(kMxf8, ", " + sfa, ""), "6 operands where 8 should be");
  // In registers it is known at run time: as the ISA has no word for it, the kernel ends.
  says(error(kMxf8, "mov.u16 %h1, 0;", "mov.u16 %h1, 2;", Selectors::registers),
       "SFA has {byte-id, thread-id} {0, 2}");
  says(error(kMxf8, "mov.u16 %h2, 0;", "cvt.u16.u32 %h2, %r0;", Selectors::registers),
       "the lanes of the warp give other selectors of SFB");
  says(error(kMxf8, sfa, sfa, Selectors::numbers, "sm_120"), "this needs sm_120a");
  says(error(kMxf8, sfa, sfa, Selectors::numbers, "sm_100a"), "this needs sm_120a");
  says(error(kNvf4, "scale_vec::4X", "scale_vec::2X"), "is not an mma that is modelled");
  says(error(kNvf4, ".ue4m3", ".ue8m0"), "is not an mma that is modelled");
  says(error(kMxf4, "scale_vec::2X", "scale_vec::1X"), "is not an mma that is modelled");
  says(error(kMxf8, ".block_scale.scale_vec::1X", ""), "is not an mma that is modelled");
}

}  // namespace lanescope::emulator::test
