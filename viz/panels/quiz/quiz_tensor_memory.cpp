// SPDX-License-Identifier: MIT
// See quiz_tensor_memory.hpp.
//
// Source: the atlas's maps of D (common/layout/mover_table.hpp); PTX ISA 9.2, 9.7.16.2.3
// (addresses), 9.7.16.4.2 (table 42).
#include "panels/quiz/quiz_tensor_memory.hpp"

#include <fmt/format.h>

#include "layout/mover.hpp"

namespace lanescope::viz {

QuizQuestion ask_tensor_lane(const Below& below) {
  const int M = 64 << below(2), row = below(static_cast<std::size_t>(M));
  const layout::Mover& D =
      *layout::find_mover(fmt::format("tcgen05.mma.cta_group::1.m{}n64.f32", M));
  const int lane = layout::holders(D.registers, {row, 0}).front().thread;
  QuizQuestion q;
  q.about = fmt::format("tcgen05.mma.cta_group::1, M = {}, D at lane 0 of tensor memory", M);
  q.asks = fmt::format(
      "In which lane of tensor memory is row {} of D, and which warp of the four fetches it?", row);
  q.expects = "lane warp, such as 41 1";
  q.parts = {"lane", "warp"};
  q.limits = {128, 4};
  q.answers = {{lane, lane / 32}};
  q.reveal = fmt::format(
      "{} {}\nlane = {}, with row = {}\nwarp w reaches lanes 32w to 32w + 31: {} / 32 = {}", lane,
      lane / 32, D.rules.lane, row, lane, lane / 32);
  return q;
}

QuizQuestion ask_tensor_address(const Below& below) {
  const int first = 32 * below(8), col = 16 * below(8), warp = below(4);
  QuizQuestion q;
  q.about = fmt::format(
      "alloc answered 0x{:08x}; M = 128: D begins there; tcgen05.ld.32x32b.x16 takes 16 columns",
      first);
  q.asks = fmt::format(
      "Warp {} wants its rows' columns {} to {} of D: which lane and which column are in the "
      "address?",
      warp, col, col + 15);
  q.expects = "lane column, such as 64 48";
  q.parts = {"lane", "column"};
  q.limits = {128, 512};
  q.answers = {{32 * warp, first + col}};
  q.reveal = fmt::format(
      "{0} {1}\nlane 32 * {2} = {0}: its quarter begins there, and all its lanes say the "
      "same\ncolumn {3} "
      "+ {4} = {1}: alloc's answer counts\n0x{5:08x} = {0} << 16 | {1}",
      32 * warp, first + col, warp, first, col, 32 * warp << 16 | (first + col));
  return q;
}

QuizQuestion ask_instruction_fields(const Below& below) {
  const int M = 64 << below(2), N = M == 64 ? 8 + 8 * below(32) : 16 + 16 * below(16);
  QuizQuestion q;
  q.about =
      "the instruction descriptor of tcgen05.mma, .kind::f16: N in bits 17 to 22, M in 24 to 28";
  q.asks = fmt::format("M = {}, N = {}: which number is in the field of N, and which in that of M?",
                       M, N);
  q.expects = "N's M's, such as 3 2";
  q.parts = {"field of N", "field of M"};
  q.limits = {64, 32};
  q.answers = {{N / 8, M / 16}};
  q.reveal = fmt::format(
      "{0} {1}\nN / 8 = {0}: N's three low bits are always 0, and M's four: M / 16 = {1}\nwith D "
      "f32: "
      "1 << 4 | {0} << 17 | {1} << 24 = 0x{2:08x}",
      N / 8, M / 16, 1 << 4 | N / 8 << 17 | M / 16 << 24);
  return q;
}

}  // namespace lanescope::viz
