// SPDX-License-Identifier: MIT
// Where the elements of D go: the byte of global memory to which a recorded step stores what was
// made of each (sum_sources.hpp), straight from its register, converted, scaled, or through shared
// memory. What a bulk copy takes there is not seen. Pure model, no Dear ImGui.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "panels/way/sum_sources.hpp"

namespace lanescope::viz {

struct StoredElement {
  layout::Element element;
  std::uint64_t address = 0;
  int bytes = 4;
  StepPlace place;
  int lane = 0;
  std::string_view operand;  // "[%rd4+16]"
  int offset = 0;            // behind it, in bytes
};

class SumStores {
 public:
  SumStores(RegisterHistory& history, SumSources& sources);
  /// Of a product's D, in the order of the steps.
  const std::vector<StoredElement>& of(int product) const;

 private:
  void add_store(int warp, int item);
  void add_pieces(const StoredElement& store, std::string_view name, int before, int bit, int bits);

  RegisterHistory& history_;
  SumSources& sources_;
  std::map<int, std::vector<StoredElement>> stored_;
};

}  // namespace lanescope::viz
