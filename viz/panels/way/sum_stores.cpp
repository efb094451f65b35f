// SPDX-License-Identifier: MIT
// See sum_stores.hpp.
#include "panels/way/sum_stores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/way/wmma_moves.hpp"

namespace lanescope::viz {
namespace {

bool stores_to_global(const StepItem& item) {
  const std::string_view name = mnemonic_of(item.step->ptx);
  if (name.starts_with("wmma.store")) return item.access == nullptr;
  if (name.starts_with("st.global") || name.starts_with("red.") || name.starts_with("atom."))
    return name.find(".shared") == std::string_view::npos;
  // Of a generic address the access says that it is shared memory's.
  return name.starts_with("st.") && item.access == nullptr && !name.starts_with("st.shared") &&
         !name.starts_with("st.local") && !name.starts_with("st.async") &&
         !name.starts_with("st.param");
}

std::string_view first_operand(const trace::Step& step) {
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  return operands.empty() ? std::string_view() : operands.front();
}

// The coordinates of a byte of a tensor; none where another dimension goes on along a line.
std::vector<std::int64_t> coordinates(const trace::TensorBox& tensor, std::int64_t offset) {
  std::vector<std::int64_t> at(tensor.strides_bytes.size() + 1);
  if (!std::is_sorted(tensor.strides_bytes.begin(), tensor.strides_bytes.end())) return {};
  for (std::size_t d = at.size(); d-- > 0;) {
    const std::int64_t stride = d > 0 ? tensor.strides_bytes[d - 1] : tensor.element_bytes;
    if (stride <= 0) return {};
    at[d] = offset / stride;
    offset %= stride;
  }
  return at;
}

// Each lane may copy what it likes.
int lane_of(RegisterHistory& history, const StepPlace& at, const trace::Sync& copy) {
  const trace::Step& step = *history.item(at.warp, at.item).step;
  const std::string_view to = first_operand(step);
  for (int lane = 0; lane < 32 && copy.tensor.empty(); ++lane)
    if ((step.active >> lane & 1) != 0 &&
        history.global_address(at.warp, at.item, to, lane, 0) == copy.global)
      return lane;
  return first_lane(step);
}

}  // namespace

SumStores::SumStores(const trace::Trace& trace, RegisterHistory& history, SumSources& sources)
    : history_(history), sources_(sources) {
  for (std::size_t w = 0; w < history.list().warps.size(); ++w)
    for (std::size_t k = 0; k < history.list().warps[w].items.size(); ++k)
      if (stores_to_global(history.list().warps[w].items[k]))
        add_store(static_cast<int>(w), static_cast<int>(k));
  for (const trace::Event& event : trace.events)
    if (const auto* sync = std::get_if<trace::Sync>(&event);
        sync != nullptr && sync->action == "store" && sync->address >= 0 && sync->global != 0)
      add_copy(*sync);
}

void SumStores::join_halves(const std::function<int(int product)>& bytes_of) {
  for (auto& [product, all] : stored_) {
    const int bytes = bytes_of(product);
    std::vector<StoredElement> joined;
    for (const StoredElement& one : all) {
      const bool follows =
          !joined.empty() && joined.back().element == one.element &&
          joined.back().place.warp == one.place.warp &&
          joined.back().place.item == one.place.item && joined.back().lane == one.lane &&
          joined.back().bytes + one.bytes <= bytes &&
          joined.back().address + static_cast<std::uint64_t>(joined.back().bytes) == one.address;
      if (follows)
        joined.back().bytes += one.bytes;
      else
        joined.push_back(one);
    }
    all = std::move(joined);
  }
}

const std::vector<StoredElement>& SumStores::of(int product) const {
  static const std::vector<StoredElement> kNone;
  const auto found = stored_.find(product);
  return found == stored_.end() ? kNone : found->second;
}

const StoredElement* SumStores::of(int product, const layout::Element& element) const {
  for (const StoredElement& one : of(product))
    if (one.element == element) return &one;
  return nullptr;
}

// Each element is a store of its own: a column of them lies in as many lines.
void SumStores::add_fragment(int warp, int item) {
  const StepPlace place{warp, item, {}};
  const trace::Step& step = *history_.item(warp, item).step;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const layout::Fragment* map = history_.wmma_map(mnemonic_of(step.ptx));
  if (map == nullptr || operands.size() < 2 || map->element_bits < 8) return;
  const auto first = history_.global_address(warp, item, operands[0], 0, 0);
  if (!first || !may_be_global(*first)) return;
  for (const std::string_view name : registers_in(operands[1]))
    for (int lane = 0; lane < 32; ++lane)
      for (int from = 0; from < map->register_bits; from += map->element_bits)
        if (const auto offset = offset_of_fragment(history_, place, {name, lane, from}))
          add_pieces(
              {{},
               *first + static_cast<std::uint64_t>(*offset),
               map->element_bits / 8,
               place,
               lane,
               operands[0],
               *offset,
               nullptr,
               {name, lane, from}},
              [&](int bit) {
                return sources_.of(warp, item, {name, lane, from + bit});
              },
              0, map->element_bits);
}

void SumStores::add_store(int warp, int item) {
  const trace::Step& step = *history_.item(warp, item).step;
  if (moves_fragment(mnemonic_of(step.ptx))) return add_fragment(warp, item);
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const std::size_t at = mnemonic_of(step.ptx).starts_with("atom.") ? 1 : 0;
  if (operands.size() < at + 2) return;
  const std::vector<std::string_view> names = registers_in(operands[at + 1]);
  const int bytes = element_bytes(step.ptx);
  for (int lane = 0; lane < 32 && bytes > 0; ++lane) {
    if ((step.active >> lane & 1) == 0) continue;
    const auto address = history_.global_address(warp, item, operands[at], lane, 0);
    if (!address || !may_be_global(*address)) continue;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const int offset = static_cast<int>(k) * bytes;
      add_pieces(
          {{},
           *address + static_cast<std::uint64_t>(offset),
           bytes,
           {warp, item, {}},
           lane,
           operands[at],
           offset,
           nullptr,
           {names[k], lane, 0}},
          [&](int bit) {
            return sources_.of(warp, item, {names[k], lane, bit});
          },
          0, bytes * 8);
    }
  }
}

// A unit of 8 bytes lies together on both sides, whatever the box and the swizzle.
void SumStores::add_copy(const trace::Sync& copy) {
  constexpr std::uint64_t kUnit = 8, kMost = 1 << 20;  // more than any block has
  const StepPlace at =
      step_of(history_.list(), copy.place.launch, copy.place.block, copy.place.warp, copy.step);
  if (at.item < 0) return;
  const std::string_view operand = first_operand(*history_.item(at.warp, at.item).step);
  const int lane = lane_of(history_, at, copy);
  const auto begin = static_cast<std::uint64_t>(copy.address);
  for (std::uint64_t unit = begin; unit < begin + std::min(bulk_extent(copy), kMost);
       unit += kUnit) {
    const std::optional<BulkSource> to = bulk_source(copy, unit);
    if (!to) continue;
    add_pieces(
        {{}, to->address, 0, at, lane, operand, 0, &copy, {}, unit},
        [&](int bit) {
          const std::uint64_t byte = unit + static_cast<std::uint64_t>(bit / 8);
          const std::optional<BulkSource> there = bulk_source(copy, byte);
          return there && there->inside ? sources_.in_shared(at.warp, &copy, byte, bit % 8)
                                        : SumElement{};
        },
        0, kUnit * 8);
  }
}

// There may be several elements side by side: halves are looked at until one has one alone.
void SumStores::add_pieces(const StoredElement& store, const ElementAt& at, int bit, int bits) {
  constexpr int kByte = 8;
  const SumElement first = at(bit), last = at(bit + bits - kByte);
  if (first == last || bits <= kByte) {
    if (first.product < 0) return;
    StoredElement one = store;
    one.element = first.element;
    one.bytes = bits / kByte;
    one.address += static_cast<std::uint64_t>(bit / kByte);
    one.offset += bit / kByte;
    one.from.bit += bit;
    one.shared += static_cast<std::uint64_t>(bit / kByte);
    stored_[first.product].push_back(one);
    return;
  }
  add_pieces(store, at, bit, bits / 2);
  add_pieces(store, at, bit + bits / 2, bits / 2);
}

std::uint64_t SumStores::base_of(const StoredElement& store) {
  if (store.copy != nullptr && !store.copy->tensor.empty()) return store.copy->global;
  return history_.global_base(store.place.warp, store.place.item, store.operand, store.lane);
}

std::string SumStores::place_of(const StoredElement& store, std::int64_t behind) {
  const int warp = store.place.warp, item = store.place.item;
  if (store.copy == nullptr)
    return history_.global_place(warp, item, store.operand, store.lane,
                                 static_cast<int>(behind) + store.offset);
  const std::int64_t offset =
      static_cast<std::int64_t>(store.address - store.copy->global) + behind;
  if (store.copy->tensor.empty())
    return history_.global_place(warp, item, store.operand, store.lane, static_cast<int>(offset));
  const std::string name = history_.tensor_map_place(warp, item, store.operand, store.lane);
  const std::vector<std::int64_t> at = coordinates(store.copy->tensor.front(), offset);
  return fmt::format("{} of the tensor {}",
                     at.empty() ? fmt::format("byte {}", offset) : coordinates_text(at),
                     name.empty() ? fmt::format("at 0x{:x}", store.copy->global) : "of " + name);
}

}  // namespace lanescope::viz
