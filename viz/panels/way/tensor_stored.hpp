// SPDX-License-Identifier: MIT
// Whether D of tcgen05.mma goes where it belongs: tcgen05.ld brings it out of tensor memory, lane
// and column by lane and column, stores take it to global memory, where it lies line after line.
// Where it does not, what else the loads could have brought is tried: the first change after which
// every element is where it belongs names the mistake. Pure model, no Dear ImGui.
//
//   tensor memory      tcgen05.ld             a register          st.global
//   lane 33, column 5  32x32b, of warp 1  ->  lane 1's fifth  ->  row 33, column 5 of D
//
// Of a pair it is the part of the CTA whose thread multiplies, and its place is not held against
// A's and B's.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "panels/way/origins.hpp"
#include "panels/way/sum_stores.hpp"
#include "panels/way/tensor_loads.hpp"

namespace lanescope::viz {

class TensorStored {
 public:
  TensorStored(const Model& model, RegisterHistory& history, const std::vector<TensorSum>& sums);

  /// Of D of a sum; `a`, `b`: what A and B of it are.
  OriginCheck check(std::size_t sum, const std::optional<OriginCheck>& a,
                    const std::optional<OriginCheck>& b);
  /// What stores an element of D of a sum; nullptr: nothing that is recorded.
  const StoredElement* stored(std::size_t sum, const layout::Element& element) const;
  SumStores& stores() { return stores_; }

 private:
  std::vector<const StoredElement*> all_stored(std::size_t sum) const;
  /// What a part of a load's registers is taken to be; nothing: none of D.
  using Reading = std::function<std::optional<layout::Element>(const StoredElement& store)>;
  struct Change {
    std::string words, advice;
    Reading reading;
  };
  struct Laid {
    std::vector<const StoredElement*> all;  // by element, row after row
    std::optional<TileAt> tile;
    std::vector<layout::Element> at;         // where each is stored
    bool right = false;                      // all that is stored, in lines, each at its own place
    const StoredElement* nothing = nullptr;  // one that is none of D
    const StoredElement* twice = nullptr;    // one whose element another one is, too
  };
  const TensorLoaded& load_of(const StoredElement& store) const {
    return loads_[static_cast<std::size_t>(store.element.matrix)];
  }
  Reading reading(const layout::Mover* shape, const TensorD& d) const;
  Laid laid(const std::vector<const StoredElement*>& stored, const layout::Fragment& map,
            const Reading& reading) const;
  using Stored = std::vector<const StoredElement*>;
  std::vector<Stored> copies(const Stored& all);
  std::optional<Laid> right_copy(const std::vector<Stored>& copies, const TensorD& d) const;
  bool is_copy_of_lanes(const Stored& stored, std::size_t sum, const TensorD& d) const;
  std::vector<Change> changes(const std::vector<const StoredElement*>& stored, const TensorD& d);
  std::string place_of(const StoredElement& store) const;
  std::string unread(std::size_t sum);
  void say_right(OriginCheck& check, const Laid& now, const TensorD& d,
                 const std::optional<OriginCheck>& a, const std::optional<OriginCheck>& b);
  void say_wrong(OriginCheck& check, const Laid& as_is, const TensorD& d,
                 const std::vector<const StoredElement*>& stored);

  RegisterHistory& history_;
  const std::vector<TensorSum>& sums_;
  std::vector<TensorLoaded> loads_;
  SumSources sources_;
  SumStores stores_;
  std::map<int, std::map<std::string_view, int>> last_reads_;  // of a warp: of a register, the item
};

/// The mistakes of D in tensor memory that the other lists have not.
const std::vector<trace::KnownMistake>& known_tensor_mistakes();

}  // namespace lanescope::viz
