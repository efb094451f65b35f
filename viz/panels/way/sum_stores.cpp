// SPDX-License-Identifier: MIT
// See sum_stores.hpp.
#include "panels/way/sum_stores.hpp"

#include <algorithm>
#include <optional>

#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

bool stores_to_global(const StepItem& item) {
  const std::string_view name = mnemonic_of(item.step->ptx);
  if (name.starts_with("st.global") || name.starts_with("red.") || name.starts_with("atom."))
    return name.find(".shared") == std::string_view::npos;
  // Of a generic address the access says that it is shared memory's.
  return name.starts_with("st.") && item.access == nullptr && !name.starts_with("st.shared") &&
         !name.starts_with("st.local") && !name.starts_with("st.async") &&
         !name.starts_with("st.param");
}

}  // namespace

SumStores::SumStores(RegisterHistory& history, SumSources& sources)
    : history_(history), sources_(sources) {
  for (std::size_t w = 0; w < history.list().warps.size(); ++w)
    for (std::size_t k = 0; k < history.list().warps[w].items.size(); ++k)
      if (stores_to_global(history.list().warps[w].items[k]))
        add_store(static_cast<int>(w), static_cast<int>(k));
}

const std::vector<StoredElement>& SumStores::of(int product) const {
  static const std::vector<StoredElement> kNone;
  const auto found = stored_.find(product);
  return found == stored_.end() ? kNone : found->second;
}

void SumStores::add_store(int warp, int item) {
  const trace::Step& step = *history_.item(warp, item).step;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const std::size_t at = mnemonic_of(step.ptx).starts_with("atom.") ? 1 : 0;
  if (operands.size() < at + 2) return;
  const std::vector<std::string_view> names = registers_in(operands[at + 1]);
  const int bytes = element_bytes(step.ptx);
  for (int lane = 0; lane < 32 && bytes > 0; ++lane) {
    if ((step.active >> lane & 1) == 0) continue;
    const auto address = history_.global_address(warp, item, operands[at], lane, 0);
    if (!address) continue;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const int offset = static_cast<int>(k) * bytes;
      add_pieces({{},
                  *address + static_cast<std::uint64_t>(offset),
                  bytes,
                  {warp, item, {}},
                  lane,
                  operands[at],
                  offset},
                 names[k], item, 0, bytes * 8);
    }
  }
}

// A register may hold several elements: halves are looked at until one has one alone.
void SumStores::add_pieces(const StoredElement& store, std::string_view name, int before, int bit,
                           int bits) {
  constexpr int kByte = 8;
  const SumElement first = sources_.of(store.place.warp, before, {name, store.lane, bit});
  const SumElement last =
      sources_.of(store.place.warp, before, {name, store.lane, bit + bits - kByte});
  if (first == last || bits <= kByte) {
    if (first.product < 0) return;
    StoredElement one = store;
    one.element = first.element;
    one.bytes = bits / kByte;
    one.address += static_cast<std::uint64_t>(bit / kByte);
    one.offset += bit / kByte;
    stored_[first.product].push_back(one);
    return;
  }
  add_pieces(store, name, before, bit, bits / 2);
  add_pieces(store, name, before, bit + bits / 2, bits / 2);
}

}  // namespace lanescope::viz
