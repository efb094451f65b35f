// SPDX-License-Identifier: MIT
// Which element of which product's D a register was made of: back through moves (moves.hpp),
// exchanges between lanes, conversions, arithmetic and shared memory, without words (way_back.hpp
// has those). Of several the one that came last counts: what is divided by a sum of exponentials is
// the element, not the sum; but of a product the factor that is no maximum, nor made of one. Pure
// model, no Dear ImGui; steps alone that are recorded.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "panels/matrix/model.hpp"
#include "panels/steps/register_history.hpp"
#include "panels/way/moves.hpp"
#include "panels/way/tensor_loads.hpp"

namespace lanescope::viz {

/// An element of D of a product; out of tensor memory (`product`: SumSources::tensor_memory()) the
/// lane of a tcgen05.ld, the part of its registers, and (`matrix`) which load.
struct SumElement {
  int product = -1;  // its index; -1: none, or several alike
  layout::Element element;
  const trace::Step* arrived = nullptr;
  bool is_reduced = false;  // the maximum of several
  friend bool operator==(const SumElement&, const SumElement&) = default;
};

/// A bit of what a step wrote in a lane.
struct Written {
  const trace::Write* write = nullptr;
  int lane = 0, bit = 0;
  friend bool operator==(const Written&, const Written&) = default;
  struct Hash {
    std::size_t operator()(const Written& one) const {
      return std::hash<const void*>()(one.write) * 2654435761u +
             static_cast<std::size_t>(one.lane * 64 + one.bit);
    }
  };
};

/// A register, as an item finds it; warp -1: nothing is known.
struct Earlier {
  int warp = -1, before = -1;
  Spot at;
};

class SumSources {
 public:
  SumSources(const Model& model, RegisterHistory& history,
             const std::vector<TensorLoaded>& loads = {});
  int tensor_memory() const { return static_cast<int>(model_.multiplications.size()); }
  /// Of a bit of a register, as an item finds it.
  SumElement of(int warp, int before, const Spot& at);
  /// The same where it was only moved on the way; none where something was done to it.
  SumElement unchanged(int warp, int before, Spot at);
  /// Of a bit of a byte of shared memory of the warp's block, as an event of the trace finds it.
  SumElement in_shared(int warp, const void* before, std::uint64_t address, int bit);
  /// Whether an item leaves an element of a sum in that register.
  bool arrives(int warp, int item, std::string_view name) const {
    return arrival(warp, item, name) != nullptr;
  }
  /// Where bits were before an item put them where they are, in a register or in shared memory;
  /// nothing where it worked them out.
  std::optional<Earlier> moved(int warp, int item, const trace::Write& write, const Spot& at);
  /// The register out of which a bit of shared memory was stored.
  Earlier stored(int warp, const void* before, std::uint64_t address, int bit);

 private:
  struct Arrived {
    int product = 0;
    std::vector<std::string_view> names;  // of D, by register
    int first_thread = 0;                 // the warp's first in the fragment
    int load = -1;                        // of tensor memory
    const layout::Fragment* map = nullptr;
  };
  const Arrived* arrival(int warp, int item, std::string_view name) const;
  SumElement made(int warp, int item, const trace::Write& write, const Spot& at);

  const Model& model_;
  RegisterHistory& history_;
  std::map<std::pair<int, int>, std::vector<Arrived>> arrivals_;
  std::unordered_map<Written, SumElement, Written::Hash> known_;
  int depth_ = 0;
};

}  // namespace lanescope::viz
