// SPDX-License-Identifier: MIT
// One hop back along the way of a few bits: where they were before an instruction brought them
// where they are. Those who follow an element hop by hop, in words (way_back.hpp) or without
// (sum_sources.hpp), ask here. Pure model, no Dear ImGui.
//
//   mov.b32 %r5, {%rs1, %rs2}      %r5, bit 16         <-  %rs2, bit 0
//   shl.b64 %rd2, %rd1, 32         %rd2, bit 32        <-  %rd1, bit 0
//   ld.shared.v4.u32 {%r1, ...}    %r2, bit 16         <-  byte 6 behind the lane's address
//   stmatrix, st.shared            a byte of a row     <-  the register, and the lane, it was in
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// Part of a register of a lane.
struct Spot {
  std::string_view name;
  int lane = 0, bit = 0;
};

/// Its index; -1: it is not among them.
int place_among(const std::vector<std::string_view>& names, std::string_view name);

/// Before a mov, of one register, of several into one, or of one into several; nothing where what
/// was moved is no register.
std::optional<Spot> before_move(const trace::Step& step, const trace::Write& write, const Spot& at);
/// Whether an instruction puts bits elsewhere: cvt of whole numbers, prmt, shl and shr by a number;
/// by less than a byte they multiply or divide.
bool places_bits(const trace::Step& step);
/// Before one of them; nothing where the bits are its own, zeros, or not its text says which.
std::optional<Spot> before_placing(const trace::Step& step, const Spot& at);
/// The registers that a number was worked out from, by operand: all that an instruction reads, of
/// two numbers side by side the own half, of a conversion of two the own one.
struct Worked {
  std::size_t operand = 0;
  Spot from;
};
std::vector<Worked> worked_out_from(const trace::Step& step, const trace::Write& write,
                                    const Spot& at);
/// How many bytes behind its lane's address an ld found what it brought to a spot.
int offset_of_load(const trace::Step& step, const Spot& at);
/// Before an ld or a wmma.load: the byte of shared memory. Nothing where the lane took it from
/// elsewhere.
std::optional<std::uint64_t> before_load(const StepItem& item, const Spot& at);
/// Before an ldmatrix.
struct MatrixByte {
  std::uint64_t address = 0;
  int bit = 0;  // the spot's first, in that byte
  int row = 0;  // whose address it lies behind: a lane
};
/// Nothing where the atlas has no such ldmatrix, or that lane's address is not recorded.
std::optional<MatrixByte> before_ldmatrix(const StepItem& item, const trace::Write& write,
                                          const Spot& at);
/// Before an st, a stmatrix or a wmma.store to shared memory: what its lane's address took to a bit
/// of a byte. Nothing where that is no register.
std::optional<Spot> before_store(const StepItem& item, int lane, std::uint64_t address, int bit);

}  // namespace lanescope::viz
