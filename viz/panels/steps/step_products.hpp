// SPDX-License-Identifier: MIT
// The products of a program that calls no RECORD: A, B, C and D of every mma, wmma.mma and wgmma
// (tcgen05.mma: panels/way/tensor_products.hpp) whose steps are recorded, put together from what
// the steps of its warp had left in its registers. What no recorded step wrote is left out, not
// guessed at. Pure model, no Dear ImGui.
//
//     ldmatrix ... {%r10, %r11, %r12, %r13}, ...     A.r0 to A.r3 are these four ...
//     mma.sync ... {%f1, ...}, {%r10, %r11, %r12, %r13}, {%r20, %r21}, {%f1, ...}
//                   D                                   ... when this comes to run
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "panels/matrix/model.hpp"
#include "panels/steps/register_history.hpp"
#include "panels/steps/steps.hpp"

namespace lanescope::viz {

struct StepProduct {
  std::array<const trace::Step*, 4> steps{};  // the mma; of a warpgroup in each of its four warps
  std::vector<trace::Fragment> fragments;     // those that are known, "A" to "E"
};
struct StepProducts {
  std::vector<StepProduct> all;  // in the order in which their sums were there
  std::size_t left_out = 0;      // there were too many
};

/// At most `most` products. A wgmma is there where the steps of all four warps are; of several that
/// add to the same sums before they arrive it is the last, whose D is what arrived.
StepProducts products_of_steps(const trace::Trace& trace, std::size_t most);

/// A register of an operand, in the steps; of D in tensor memory the one that its element came to.
struct RegisterStep {
  StepPlace place;        // the step that wrote it; item -1: it is not recorded
  std::string_view name;  // "%r12" there; points into the trace
};
/// Of a product of steps what its mma reads and writes; of one that RECORD has written down the
/// last step that writes what RECORD calls so.
RegisterStep register_step(const StepList& steps, const Multiplication& in, char operand,
                           int thread, int register_index);
/// The same, asked often.
RegisterStep register_step(RegisterHistory& history, const Multiplication& in, char operand,
                           int thread, int register_index);

/// Where its mma is, of a product of steps: in the warp of that thread. Item -1: it is none.
StepPlace product_step(const StepList& steps, const Multiplication& in, int thread);
/// The product of that step, by its number from 0, of one of several tcgen05.mma that of their sum;
/// -1: there is none.
int product_at(const Model& model, const trace::Step& step);

}  // namespace lanescope::viz
