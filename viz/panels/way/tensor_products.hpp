// SPDX-License-Identifier: MIT
// The products of tcgen05.mma in steps that are recorded: those that add to the same sums of tensor
// memory are one, which the last of them stands for, as the last of several wgmma does. D is what
// tcgen05.ld brings out of tensor memory, lane by lane and column by column; where not all of it is
// brought, it is left out. A and B lie behind descriptors. Pure model, no Dear ImGui.
//
//   tcgen05.mma [%r8], %rd1, %rd2, ...      step 90: D from lane 0, column 64 on
//   tcgen05.ld.32x32b.x16 {%r20, ...}, [%r9]    warp 1: D[41][9] is lane 9's %r29
//
// Of a pair of CTAs (.cta_group::2) the steps have one CTA: its half of A's and D's rows is put
// together, with all columns; of B's columns it has half, the first where the even CTA multiplies,
// as kernels have it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "panels/matrix/model.hpp"
#include "panels/way/tensor_reads.hpp"

namespace lanescope::viz {

struct TensorProduct {
  layout::Instruction instruction;  // K, the types and D's map; A and B are in no register
  const layout::Mover* map = nullptr;
  std::vector<const trace::Step*> adding;  // all that add to the sums, in their order
  int lane = 0, column = 0;                // where D begins
  bool a_in_tensor = false, sparse = false;
  std::shared_ptr<const layout::Mover>
      half;  // of a pair: one CTA's part of the map, which `map` is
  /// Who brought an element: the tcgen05.ld, the step that has its registers as writes, and where.
  struct Fetched {
    const trace::Step *load = nullptr, *arrival = nullptr;  // nullptr: no one that is recorded
    std::string_view name;                                  // points into the trace
    int lane = 0, bit = 0;
  };
  std::vector<Fetched> fetched;  // by lane and column of D
  const Fetched& at(int from_lane, int from_column) const;
  bool is_behind_descriptor(char operand) const {
    return operand == 'B' || (operand == 'A' && !a_in_tensor && !sparse);
  }
};

/// Adds them to `model`, at most `most` products in all; what cannot be put together becomes a
/// remark.
void add_tensor_products(Model& model, std::size_t most);

/// What is said of where an element of D lies: "lane 41, column 73 of tensor memory".
std::string tensor_place(const TensorProduct& product, int lane, int column);
/// "D begins at lane 0, column 64 of tensor memory", "lane = row", "column = col".
std::vector<std::string> tensor_rules(const TensorProduct& product);
/// Whether an element of B lies with the peer CTA of a pair, of which nothing is recorded.
bool is_with_peer(const TensorProduct& product, char operand, const layout::Element& element);
/// "A and B from shared memory".
std::string tensor_sources(const TensorProduct& product);
/// The last tcgen05.mma of the product, among the steps.
StepPlace last_of(const StepList& steps, const TensorProduct& product);
StepPlace place_of_step(const StepList& steps, const trace::Step& step);

}  // namespace lanescope::viz
