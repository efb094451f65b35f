// SPDX-License-Identifier: MIT
// See quiz_layouts.hpp.
//
// Sources: common/layout/thread_value.hpp (the fragments), cute_layout.hpp (what a layout is).
#include "panels/quiz/quiz_layouts.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "layout/cute_layout.hpp"
#include "layout/instruction.hpp"
#include "layout/thread_value.hpp"
#include "layout/tiled_mma.hpp"

namespace lanescope::viz {
namespace {

using layout::CuteLayout;

struct Asked {
  std::string about;
  CuteLayout map;
  int threads, values;
  const char* who() const { return threads > 32 ? "thread" : "lane"; }
};

constexpr const char* kTiled =
    "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, Layout<Shape<_2,_2>>, Tile<_32,_32,_32>)";

Asked asked_of(const Below& below) {
  struct Of {
    const char *instruction, *called;
  };
  static constexpr Of kOf[] = {
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.m16n8k16.f32.f16"},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "mma.m16n8k8.f32.tf32"},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "mma.m16n8k32.s32.s8"},
      {kTiled, "m16n8k16 of four warps, 2 x 2, a tile of 32 x 32 x 32"}};
  const Of& of = kOf[below(std::size(kOf))];
  const layout::Instruction* instruction = of.instruction == kTiled
                                               ? layout::tiled_mma(kTiled).instruction
                                               : layout::find(of.instruction);
  const char operand = "ABD"[below(3)];
  const layout::Fragment& fragment = operand == 'A'   ? instruction->A
                                     : operand == 'B' ? instruction->B
                                                      : instruction->D;
  const auto named = layout::named_layouts(*instruction, operand);
  Asked asked{"", named.front().layout, 0, 0};
  asked.threads = static_cast<int>(layout::size(layout::mode(asked.map, 0)));
  asked.values = static_cast<int>(layout::size(layout::mode(asked.map, 1)));
  asked.about = fmt::format("{} of {}: {}, number {}", operand, of.called, layout::text(asked.map),
                            layout::index_means(fragment));
  return asked;
}

/// "lane 6 is 2,1; value 3 is 1,1,0: 2*32 + 1*1 + 1*16 + 1*8 + 0*128 = 89"
std::string digit_by_digit(const Asked& asked, int thread, int value) {
  const CuteLayout threads = layout::mode(asked.map, 0), values = layout::mode(asked.map, 1);
  return fmt::format("{} {} is {}; value {} is {}: {} + {} = {}", asked.who(), thread,
                     layout::digits(threads.shape, thread), value,
                     layout::digits(values.shape, value), layout::worth(threads, thread),
                     layout::worth(values, value),
                     layout::linear_index(threads, thread) + layout::linear_index(values, value));
}

int number_of(const Asked& asked, int thread, int value) {
  return static_cast<int>(layout::linear_index(asked.map, thread + asked.threads * value));
}

}  // namespace

QuizQuestion ask_layout_number(const Below& below) {
  const Asked asked = asked_of(below);
  const int thread = below(static_cast<std::size_t>(asked.threads)),
            value = below(static_cast<std::size_t>(asked.values));
  QuizQuestion q;
  q.about = asked.about;
  q.asks = fmt::format("Which number has the element that is value {} of {} {}?", value,
                       asked.who(), thread);
  q.expects = "a number, such as 89";
  q.parts = {"number"};
  q.limits = {static_cast<int>(layout::cosize(asked.map))};
  q.answers = {{number_of(asked, thread, value)}};
  q.reveal = fmt::format("{}\n{}", q.answers[0][0], digit_by_digit(asked, thread, value));
  return q;
}

QuizQuestion ask_layout_owner(const Below& below) {
  const Asked asked = asked_of(below);
  const int number = below(static_cast<std::size_t>(layout::cosize(asked.map)));
  QuizQuestion q;
  q.about = asked.about;
  q.asks = fmt::format("Which {} has number {}, as which of its values?", asked.who(), number);
  q.expects = fmt::format("{} value, such as 6 3", asked.who());
  q.parts = {asked.who(), "value"};
  q.limits = {asked.threads, asked.values};
  for (int thread = 0; thread < asked.threads; ++thread)
    for (int value = 0; value < asked.values; ++value)
      if (number_of(asked, thread, value) == number) q.answers.push_back({thread, value});
  const std::vector<int>& first = q.answers.front();
  q.reveal = fmt::format("{} {}{}\n{}", first[0], first[1],
                         q.answers.size() > 1 ? fmt::format(", and {} more: a digit has stride 0",
                                                            q.answers.size() - 1)
                                              : "",
                         digit_by_digit(asked, first[0], first[1]));
  return q;
}

QuizQuestion ask_layout_offset(const Below& below) {
  struct Memory {
    const char* text;
    int across, down;  // what a step along k and along m is worth; blocks of 8 x 8: 0
  };
  static constexpr Memory kMemories[] = {{"(16,16):(16,1)", 1, 16},
                                         {"(16,16):(1,16)", 16, 1},
                                         {"(16,16):(24,1)", 1, 24},
                                         {"((8,2),(8,2)):((8,64),(1,128))", 0, 0}};
  const Memory& memory = kMemories[below(std::size(kMemories))];
  const layout::Instruction* mma =
      layout::find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  const Asked asked{"", layout::named_layouts(*mma, 'A').front().layout, 32, 8};
  const int lane = below(32), value = below(8), number = number_of(asked, lane, value);
  const int m = number % 16, k = number / 16;
  const CuteLayout lies = layout::read_cute_layout(memory.text).layout;
  const int offset = static_cast<int>(layout::linear_index(lies, number));
  QuizQuestion q;
  q.about = fmt::format("A of mma.m16n8k16.f32.f16: {}, number m + 16 k; in memory A lies {}",
                        layout::text(asked.map), memory.text);
  q.asks =
      fmt::format("At which offset, in elements, does lane {} find its value {}?", lane, value);
  q.expects = "a number, such as 149";
  q.parts = {"offset"};
  q.limits = {static_cast<int>(layout::cosize(lies))};
  q.answers = {{offset}};
  const std::string sum = memory.down == 0
                              ? fmt::format("m is {},{}, k is {},{}: {}*8 + {}*64 + {}*1 + {}*128",
                                            m % 8, m / 8, k % 8, k / 8, m % 8, m / 8, k % 8, k / 8)
                              : fmt::format("{}*{} + {}*{}", m, memory.down, k, memory.across);
  q.reveal = fmt::format("{}\n{}\nthat is m = {}, k = {}: {} = {}", offset,
                         digit_by_digit(asked, lane, value), m, k, sum, offset);
  return q;
}

QuizQuestion ask_compact_strides(const Below& below) {
  const int shape[] = {2 << below(3), 2 << below(3), 2 << below(3)};
  static constexpr int kOrders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}};
  const int* order = kOrders[below(std::size(kOrders))];
  int stride[3], worth = 1;
  std::string why;
  for (int i = 0; i < 3; ++i) {
    stride[order[i]] = worth;
    why += fmt::format("{}digit {} is worth {}", i == 0 ? "" : ", ", order[i], worth);
    worth *= shape[order[i]];
  }
  QuizQuestion q;
  q.about = fmt::format("a layout of shape ({},{},{}), digits 0, 1 and 2, without a gap", shape[0],
                        shape[1], shape[2]);
  q.asks = fmt::format(
      "Neighbours in memory differ in digit {}, then in digit {}, then in digit {}. Which strides?",
      order[0], order[1], order[2]);
  q.expects = "three numbers, such as 1 4 32";
  q.parts = {"first stride", "second stride", "third stride"};
  q.limits = {worth, worth, worth};
  q.answers = {{stride[0], stride[1], stride[2]}};
  q.reveal = fmt::format("{} {} {}\n{}: each is worth what the faster ones fill", stride[0],
                         stride[1], stride[2], why);
  return q;
}

}  // namespace lanescope::viz
