// SPDX-License-Identifier: MIT
// See quiz_scales.hpp.
//
// Source: the atlas's maps of SFA and SFB (common/layout/scale_table.hpp); PTX ISA 9.2, 9.7.14.3.
#include "panels/quiz/quiz_scales.hpp"

#include <fmt/format.h>

#include "layout/scales.hpp"

namespace lanescope::viz {
namespace {

// The three sizes of scale_vec, and what an instruction with it is called in a question.
struct Form {
  const char* mnemonic;
  const char* name;
  int vectors, K;
};
constexpr Form kForms[] = {
    {"mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32."
     "ue8m0",
     "MXFP8, m16n8k32, scale_vec::1X", 1, 32},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
     "ue8m0",
     "MXFP4, m16n8k64, scale_vec::2X", 2, 64},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
     "ue4m3",
     "NVFP4, m16n8k64, scale_vec::4X", 4, 64},
};

// A form, a side and selectors, drawn.
struct Drawn {
  const Form& form;
  bool of_a;
  layout::ScaleSelector selector;
  layout::Fragment map;
};
Drawn draw(const Below& below) {
  const Form& form = kForms[below(3)];
  const bool of_a = below(2) == 0;
  const layout::ScaleSelector selector{
      below(of_a ? 2 : 4), form.vectors * below(static_cast<std::size_t>(4 / form.vectors))};
  const layout::Instruction with = layout::with_scales(*layout::find(form.mnemonic), selector);
  return {form, of_a, selector, of_a ? with.SFA : with.SFB};
}
std::string about(const Drawn& drawn) {
  return fmt::format("{}: {}, {{byte-id {}, thread-id {}}}", drawn.form.name,
                     drawn.of_a ? "SFA" : "SFB", drawn.selector.byte_id, drawn.selector.thread_id);
}
std::string rule(const Drawn& drawn) {
  return drawn.of_a ? "row g: lane 4g + 2 * thread-id, row g + 8: one more; bytes from byte-id on"
                    : "column g: lane 4g + thread-id; bytes from byte-id on";
}

}  // namespace

QuizQuestion ask_scale_holder(const Below& below) {
  const Drawn drawn = draw(below);
  const int line = below(drawn.of_a ? 16 : 8), k = below(static_cast<std::size_t>(drawn.form.K));
  const int chunk = k / (drawn.form.K / drawn.form.vectors);
  const layout::Holder held = layout::holders(drawn.map, drawn.of_a ? layout::Element{line, chunk}
                                                                    : layout::Element{chunk, line})
                                  .front();
  QuizQuestion q;
  q.about = about(drawn);
  q.asks = fmt::format("Which lane's which byte, 0 to 3, scales {} {}, k = {}?",
                       drawn.of_a ? "row" : "column", line, k);
  q.expects = "lane byte, such as 5 2";
  q.parts = {"lane", "byte"};
  q.limits = {32, 4};
  q.answers = {{held.thread, held.bit / 8}};
  q.reveal = fmt::format("{} {}\n{}\nk = {} is in block {} of {} neighbours", held.thread,
                         held.bit / 8, rule(drawn), k, chunk, drawn.form.K / drawn.form.vectors);
  return q;
}

QuizQuestion ask_scaled_place(const Below& below) {
  const Drawn drawn = draw(below);
  const std::vector<layout::Held> all = layout::register_layout(drawn.map);
  const layout::Held held = all[static_cast<std::size_t>(below(all.size()))];
  const int line = drawn.of_a ? held.element.row : held.element.col;
  const int chunk = drawn.of_a ? held.element.col : held.element.row;
  const int k = chunk * (drawn.form.K / drawn.form.vectors);
  QuizQuestion q;
  q.about = about(drawn);
  q.asks =
      fmt::format("Which {} does byte {} of lane {} scale, and from which k on?",
                  drawn.of_a ? "row of A" : "column of B", held.holder.bit / 8, held.holder.thread);
  q.expects = fmt::format("{} k, such as 3 32", drawn.of_a ? "row" : "column");
  q.parts = {drawn.of_a ? "row" : "column", "k"};
  q.limits = {drawn.of_a ? 16 : 8, 64};
  q.answers = {{line, k}};
  q.reveal = fmt::format("{} {}\n{}", line, k, rule(drawn));
  return q;
}

QuizQuestion ask_scale_byte(const Below& below) {
  const int exponent = below(21) - 10;
  const double largest = exponent >= 0 ? 6.0 * (1 << exponent) : 6.0 / (1 << -exponent);
  QuizQuestion q;
  q.about = "MXFP4: 32 neighbours of e2m1, whose largest is 6, share a scale, ue8m0";
  q.asks = fmt::format("The largest of 32 numbers is {:g}. Which byte makes it 6 times the scale?",
                       largest);
  q.expects = "a number, such as 120";
  q.parts = {"byte"};
  q.limits = {256};
  q.answers = {{127 + exponent}};
  q.reveal = fmt::format("{0}\n{1:g} = 6 * 2^{2}, and ue8m0 is 2^(byte - 127)", 127 + exponent,
                         largest, exponent);
  return q;
}

}  // namespace lanescope::viz
