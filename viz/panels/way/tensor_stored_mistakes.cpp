// SPDX-License-Identifier: MIT
// What can be wrong with how D comes out of tensor memory: loads taken for others, registers of
// them that are never stored. See tensor_stored.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/way/tensor_stored.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;

// Without its registers' number: "tcgen05.ld.16x256b.x2".
std::string short_name(const layout::Mover& load) {
  std::string name = load.mnemonic;
  for (const char* part : {".sync.aligned", ".b32"})
    if (const std::size_t at = name.find(part); at != std::string::npos)
      name.erase(at, std::string(part).size());
  return name;
}

}  // namespace

// What else the loads could have been meant to bring; the likeliest first.
std::vector<TensorStored::Change> TensorStored::changes(
    const std::vector<const StoredElement*>& stored, const TensorD& d) {
  std::vector<Change> all;
  const layout::Mover& used = *load_of(*stored.front()).mover;
  const bool alike = std::all_of(stored.begin(), stored.end(), [&](const StoredElement* one) {
    return load_of(*one).mover == &used;
  });
  for (const layout::Mover& other : layout::movers()) {
    if (!alike || other.memory != layout::MoverMemory::tensor || other.family != "tcgen05.ld" ||
        &other == &used || other.registers.values != used.registers.values ||
        other.registers.element_bits != used.registers.element_bits)
      continue;
    all.push_back({fmt::format("the registers of {} are stored as those of {}", short_name(used),
                               short_name(other)),
                   fmt::format("`lanescope layout {}` says which lane and column each register has",
                               short_name(used)),
                   reading(&other, d)});
  }
  // Another form's lanes, or row r in lane r.
  for (const char* form :
       {".cta_group::1", ".ws.cta_group::1", ".cta_group::2", ".sp.cta_group::2"}) {
    TensorD other = d;
    other.map = layout::find_mover(fmt::format("tcgen05.mma{}.m{}n{}.{}", form, d.M, d.N,
                                               layout::name(d.map->registers.type)));
    if (other.map == nullptr || other.map->rules.lane == d.map->rules.lane) continue;
    all.push_back(
        {fmt::format("D is read as if it lay as tcgen05.mma{} with M {} leaves it: lane {}", form,
                     d.M, other.map->rules.lane),
         fmt::format("D[row][col] is in lane {}, column {}", d.map->rules.lane,
                     d.map->rules.column),
         reading(nullptr, other)});
  }
  if (d.map->rules.lane != "row")
    all.push_back({fmt::format("D is read as if row r were in lane r; with M {} it is in lane {}",
                               d.M, d.map->rules.lane),
                   "`lanescope layout tcgen05.mma` says where tcgen05.mma leaves D",
                   [this, d](const StoredElement& store) -> std::optional<Element> {
                     const TensorLoaded& load = load_of(store);
                     const TensorLoaded::Place at =
                         load.at(*load.mover, store.element.row, store.element.col);
                     const Element e{at.lane - d.lane, at.column - d.column, 0};
                     if (!d.map->registers.contains(e)) return std::nullopt;
                     return e;
                   }});
  int first = load_of(*stored.front()).column;
  for (const StoredElement* one : stored) first = std::min(first, load_of(*one).column);
  if (first != d.column) {
    TensorD other = d;
    other.column = first;
    all.push_back({fmt::format("the first tcgen05.ld begins at column {}, D at column {} of tensor "
                               "memory",
                               first, d.column),
                   "bits 0 to 15 of the address are a column; tcgen05.alloc says the first one",
                   reading(nullptr, other)});
  }
  return all;
}

// Registers of tcgen05.ld that nothing behind it names: at a matrix's edge a guard does.
std::string TensorStored::unread(std::size_t sum) {
  std::string first;
  int count = 0;
  for (const TensorLoaded& load : loads_) {
    if (load.sum != static_cast<int>(sum)) continue;
    const StepWarp& warp = history_.warp(load.arrival.warp);
    if (!warp.ends()) continue;  // it may store them behind its last recorded step
    const auto [read, is_new] = last_reads_.try_emplace(load.arrival.warp);
    std::map<std::string_view, int>& last = read->second;
    for (std::size_t k = 0; k < warp.items.size() && is_new; ++k)
      if (const std::string_view text = warp.items[k].step->ptx;
          !mnemonic_of(text).starts_with("tcgen05.ld"))
        for (const std::string_view operand : operands_of(text))
          for (const std::string_view name : registers_in(operand))
            last[name] = static_cast<int>(k);
    const std::string_view ptx = history_.item(load.place.warp, load.place.item).step->ptx;
    const std::vector<std::string_view> names = registers_in(operands_of(ptx).front());
    for (std::size_t reg = 0; reg < names.size(); ++reg) {
      const auto found = last.find(names[reg]);
      if (found != last.end() && found->second > load.place.item) continue;
      if (count++ == 0)
        first =
            fmt::format("register {} of {}, of warp {}", reg, short_name(*load.mover), warp.warp);
    }
  }
  if (count == 0) return {};
  return count == 1 ? fmt::format("{} is never stored", first)
                    : fmt::format("{} and {} more are never stored", first, count - 1);
}

const std::vector<trace::KnownMistake>& known_tensor_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"tensor-load",
       "registers of tcgen05.ld taken for other lanes or columns of D than they are"},
  };
  return all;
}

}  // namespace lanescope::viz
