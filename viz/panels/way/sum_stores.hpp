// SPDX-License-Identifier: MIT
// Where the elements of D go: the byte of global memory to which a recorded step stores what was
// made of each (sum_sources.hpp), straight from its register, converted, scaled, or through shared
// memory, out of which a bulk copy may take it. Pure model, no Dear ImGui.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
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
  std::string_view operand;           // "[%rd4+16]"
  int offset = 0;                     // behind it, in bytes
  const trace::Sync* copy = nullptr;  // the bulk copy that takes it there; nullptr: a store does
  Spot from;                          // the register that a store takes it from
  std::uint64_t shared = 0;           // the byte of shared memory that a copy does
};

class SumStores {
 public:
  SumStores(const trace::Trace& trace, RegisterHistory& history, SumSources& sources);
  /// Halves of elements of so many bytes, by product, that an instruction stores side by side, as a
  /// copy of 16 bytes does of numbers of 8, are one.
  void join_halves(const std::function<int(int product)>& bytes_of);
  /// Of a product's D, in the order of the steps, what bulk copies store behind the others.
  const std::vector<StoredElement>& of(int product) const;
  /// The first of them that stores an element; nullptr: none.
  const StoredElement* of(int product, const layout::Element& element) const;
  /// Where the matrix begins in which it is stored; 0: not known.
  std::uint64_t base_of(const StoredElement& store);
  /// "global memory, byte 298 behind parameter 2", "{64, 0} of the tensor of parameter 2": so many
  /// bytes behind it.
  std::string place_of(const StoredElement& store, std::int64_t behind);

 private:
  using ElementAt = std::function<SumElement(int bit)>;
  void add_store(int warp, int item);
  void add_fragment(int warp, int item);
  void add_copy(const trace::Sync& copy);
  void add_pieces(const StoredElement& store, const ElementAt& at, int bit, int bits);

  RegisterHistory& history_;
  SumSources& sources_;
  std::map<int, std::vector<StoredElement>> stored_;
};

}  // namespace lanescope::viz
