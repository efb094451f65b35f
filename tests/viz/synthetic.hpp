// SPDX-License-Identifier: MIT
// Traces made up for the tests of the panels: fragments laid out through the table, every element
// of a matrix different as far as its type has values, so that a swapped or transposed cell shows.
// Their numbers say nothing about what a tensor core computes: D is numbered like the others.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"
#include "numeric/format.hpp"
#include "trace/event.hpp"

namespace lanescope::viz::synthetic {

inline constexpr std::string_view kF16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
inline constexpr std::string_view kBf16 = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
inline constexpr std::string_view kE4m3 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";

/// The pattern of element (row, col): halves counted row after row from `first`; 8-bit types take
/// the position itself.
inline std::uint64_t pattern(const layout::Fragment& map, int row, int col) {
  const int position = row * map.cols + col;
  if (map.element_bits == 8) return static_cast<std::uint64_t>(position) & 0x7fu;
  const numeric::Format* format = numeric::find_format(layout::name(map.type));
  const double first = map.operand == 'B' ? -32 : map.operand == 'D' ? 1000 : 0;
  if (format == nullptr) return static_cast<std::uint64_t>(position);
  return numeric::encode(*format, first + 0.5 * position);
}

inline trace::Fragment fragment(const layout::Instruction& instruction, char operand) {
  const layout::Fragment& map = *instruction.operand(operand);
  trace::Fragment f;
  f.name = std::string(1, operand);
  f.instruction = instruction.mnemonic;
  f.operand = std::string(1, operand);
  f.register_bits = map.register_bits;
  f.registers.assign(static_cast<std::size_t>(map.registers()),
                     std::vector<std::uint64_t>(static_cast<std::size_t>(map.threads()), 0));
  for (const layout::Held& held : layout::register_layout(map))
    f.registers[static_cast<std::size_t>(held.holder.register_index)]
               [static_cast<std::size_t>(held.holder.thread)] |=
        pattern(map, held.element.row, held.element.col) << held.holder.bit;
  return f;
}

inline void add(trace::Trace& trace, const layout::Instruction& instruction,
                std::string_view operands = "ABCD") {
  for (const char operand : operands)
    if (instruction.operand(operand) != nullptr && instruction.operand(operand)->values > 0)
      trace.events.emplace_back(fragment(instruction, operand));
}

inline trace::Trace trace_of(std::vector<std::string_view> mnemonics,
                             std::string_view producer = "emulator") {
  trace::Trace trace;
  trace.header.producer = producer;
  trace.header.device = producer == "gpu" ? "NVIDIA H200" : "Lanescope emulator";
  trace.header.arch = "sm_90a";
  trace.header.program = "01_fragment_layout";
  trace.header.command = "./01_fragment_layout";
  trace::View view;
  view.title = "01 Fragment layout";
  view.caption = "Which lane holds which element of A, B and D?";
  trace.events.emplace_back(view);
  for (const std::string_view mnemonic : mnemonics)
    if (const layout::Instruction* instruction = layout::find_recorded(mnemonic))
      add(trace, *instruction);
  return trace;
}

/// A warpgroup's shapes before the atlas has wgmma: A 64 x 16 and D 64 x N in 128 threads, B in
/// shared memory. Made up to be large; the maps of wgmma come with the atlas.
inline layout::Instruction warpgroup(int N) {
  using namespace layout;
  Instruction i;
  i.mnemonic = fmt::format("wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16", N);
  i.family = "wgmma";
  i.M = 64, i.N = N, i.K = 16;
  const Moves thread{col(2), col(4), row(1), row(2), row(4), row(16), row(32)};
  i.A = {'A', ElementType::f16, 64, 16, 1, 16, 32, 8, thread, {col(1), row(8), col(8)}};
  i.B.operand = 'B';
  i.C.operand = 'C';
  Moves value{col(1), row(8)};
  for (int step = 8; step < N; step *= 2)
    value.bits[static_cast<std::size_t>(value.count++)] = col(step);
  i.D = {'D', ElementType::f32, 64, N, 1, 32, 32, 1 << value.count, thread, value};
  i.source = "made up for a test";
  return i;
}

}  // namespace lanescope::viz::synthetic
