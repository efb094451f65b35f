// SPDX-License-Identifier: MIT
// What the panels draw: the multiplications of a trace, each with its map from the atlas and its
// registers from the file. Pure data, no Dear ImGui: the terminal prints from the same model.
//
// A multiplication is the fragments A, B, C, D (and E, metadata, SFA and SFB, scales) of one
// instruction in one warp (or warpgroup), in the order in which the trace has them; a second A of
// the same warp begins the next multiplication. Where nobody called RECORD they are put together
// from the steps (step_products.hpp). Nothing here says what a matrix should hold: the map is the
// atlas's, the bits are the trace's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"
#include "trace/event.hpp"

namespace lanescope::viz {

struct TensorProduct;  // panels/way/tensor_products.hpp

inline constexpr std::array<char, 4> kOperands{'A', 'B', 'C', 'D'};
constexpr int operand_index(char operand) {
  return operand >= 'A' && operand <= 'D' ? operand - 'A' : -1;
}

/// Who holds each element of each operand of an instruction, row after row: the first holder, or
/// thread -1 where the map has none.
using Cells = std::array<std::vector<layout::Holder>, 4>;

struct Multiplication {
  const layout::Instruction* instruction = nullptr;  // never nullptr in a model
  trace::Place place;
  std::array<const trace::Fragment*, 4> data{};  // by operand_index; nullptr: not in the trace
  std::shared_ptr<const Cells> cells;
  int matrix = 0;  // which one, where an instruction multiplies several (mma.m8n8k4 .f16)
  const trace::Fragment* metadata = nullptr;       // E of a sparse A; nullptr: none in the trace
  int selector = 0;                                // the one that E was handed in for
  std::shared_ptr<const std::vector<int>> kept{};  // what E says: see k_of
  // Put together from steps: the mma, of a warpgroup in each of its warps. Else nullptr.
  std::array<const trace::Step*, 4> steps{};

  std::array<const trace::Fragment*, 2> scales{};  // SFA and SFB; nullptr: not in the trace
  // With their selectors, as the trace has them; nullptr where it has no scales.
  std::shared_ptr<const layout::Instruction> scaled{};
  // Of tcgen05.mma's steps: D lies in tensor memory, a "thread" of its map is a lane there, a
  // register a column; A and B are behind descriptors. Else nullptr.
  std::shared_ptr<const TensorProduct> tensor{};

  /// The map of an operand; nullptr when the instruction does not keep it in registers.
  const layout::Fragment* map(char operand) const;
  const trace::Fragment* fragment(char operand) const;
  /// Who holds (row, col) first; thread -1 outside the matrix.
  layout::Holder holder(char operand, int row, int col) const;
  int threads() const;  // 32, or 128 for a warpgroup
  /// The operand has a map, and is not the A of a warpgroup of which the trace has D alone: that A
  /// may lie in shared memory, and nothing is known of its registers.
  bool is_drawn(char operand) const;
  /// Element (row, k) of A meets row k of B: not so where A is sparse and keeps half of its
  /// columns.
  bool columns_of_A_are_k() const;
  /// The row of B that element (row, col) of A meets; nothing where A is sparse and the trace has
  /// no metadata.
  std::optional<int> k_of(int row, int col) const;
};

struct Model {
  trace::Trace trace;
  std::vector<std::unique_ptr<trace::Fragment>> of_steps;  // that no RECORD has written down
  std::vector<Multiplication> multiplications;
  std::size_t left_out = 0;          // products of steps, beyond kMostOfSteps
  std::vector<std::string> remarks;  // fragments that cannot be shown, and why

  Model() = default;
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;  // the multiplications point into `trace`: never copied

  const trace::View* view() const;  // the trace's first view event, or nullptr
  bool from_emulator() const { return trace.header.producer == "emulator"; }
  /// Its multiplications are put together from steps.
  bool is_of_steps() const {
    return !multiplications.empty() && multiplications.front().steps[0] != nullptr;
  }
};

using FindInstruction = std::function<const layout::Instruction*(std::string_view)>;

/// The most products that are put together from steps; a remark says where there are more.
inline constexpr std::size_t kMostOfSteps = 4096;

/// Fragments whose instruction is not in the atlas, or whose registers do not fit the map, become
/// remarks. A trace of steps without fragments has the products of its steps. `find` is replaced in
/// tests of shapes that the atlas does not have yet.
Model make_model(trace::Trace trace, const FindInstruction& find = layout::find_recorded);

/// How many matrices an instruction multiplies at once.
int matrices_of(const layout::Instruction& instruction);

/// A map without data: what the window shows before a trace is opened.
Multiplication bare(const layout::Instruction& instruction);
/// All multiplications of an instruction of the atlas, without data and without a trace.
Model model_of(const layout::Instruction& instruction);

/// "launch 0, block 1,0,0, warp 2", leaving out what is zero everywhere: "" for the first warp.
std::string place_text(const trace::Place& place);
/// "f16 m16n8k16", and where it ran: what the selector of multiplications lists.
std::string short_name(const Multiplication& multiplication);

/// The bits of one register of one thread; nullopt when the trace has not recorded it.
std::optional<std::uint64_t> register_bits(const Multiplication& multiplication, char operand,
                                           int thread, int register_index);
/// The bits of one element, in the low bits.
std::optional<std::uint64_t> element_bits(const Multiplication& multiplication, char operand,
                                          const layout::Holder& holder);
/// The element's value as people read it: "201", "-0", "nan"; "" when it is not in the trace.
std::string value_text(const Multiplication& multiplication, char operand,
                       const layout::Holder& holder);
/// "0x5a48": as many digits as `bits` take.
std::string hex(std::uint64_t pattern, int bits);

}  // namespace lanescope::viz
