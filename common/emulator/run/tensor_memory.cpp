// SPDX-License-Identifier: MIT
#include "emulator/run/tensor_memory.hpp"

#include <algorithm>
#include <cstring>

#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

namespace {
constexpr int kUnit = 32;  // columns: what can be allocated
}

TensorMemory::TensorMemory() { reset(); }
TensorMemory::~TensorMemory() = default;

void TensorMemory::reset() {
  words.resize(static_cast<std::size_t>(kTensorLanes) * kTensorColumns);
  std::memset(words.data(), kPoison, words.size() * sizeof(words[0]));
  allocations.clear();
  last = {};
  relinquished = false;
  ctas = 0;
  meetings.clear();
  work.clear();
  commits = 0;
  loads.clear();
  stores.clear();
}

bool TensorMemory::is_allocated(int first, int columns) const {
  return first >= 0 && std::any_of(allocations.begin(), allocations.end(), [&](const auto& one) {
           return one.first <= first && first + columns <= one.first + one.columns;
         });
}

int TensorMemory::find_free(int columns) const {
  for (int first = 0; first + columns <= kTensorColumns; first += kUnit)
    if (std::none_of(allocations.begin(), allocations.end(), [&](const auto& one) {
          return one.first < first + columns && first < one.first + one.columns;
        }))
      return first;
  return -1;
}

int TensorMemory::free_columns() const {
  int left = kTensorColumns;
  for (const Allocation& one : allocations) left -= one.columns;
  return left;
}

TensorMemory& tensor_memory(Cta& cta) {
  if (cta.tensor == nullptr) cta.tensor = std::make_shared<TensorMemory>();
  return *cta.tensor;
}

TensorCtas tensor_ctas(Cta& cta, int ctas) {
  if (ctas == 1) return {{&cta, nullptr}, 1};
  const auto even = static_cast<std::size_t>(cta.rank) & ~std::size_t{1};
  const auto& all = cta.cluster->ctas;
  return {{all[even].get(), all[even + 1].get()}, 2};
}

namespace {

void hand_over(const TensorLoad& load) {
  for (std::size_t reg = 0; reg < load.rows.size(); ++reg)
    std::memcpy(load.frame + load.rows[reg], load.words.data() + reg * kFragmentLanes,
                kRegisterBytes);
}

}  // namespace

void hand_over_loads(Cta& cta, int warp) {
  auto& loads = tensor_memory(cta).loads;
  for (const TensorLoad& load : loads)
    if (load.warp == warp) hand_over(load);
  std::erase_if(loads, [&](const TensorLoad& load) { return load.warp == warp; });
}

void hand_over_loaded(Warp& w, std::uint32_t row) {
  if (w.cta->tensor == nullptr) return;
  auto& loads = w.cta->tensor->loads;
  for (auto load = loads.begin(); load != loads.end();) {
    const bool has_it = load->warp == w.index && load->frame == w.rows &&
                        std::find(load->rows.begin(), load->rows.end(), row) != load->rows.end();
    if (has_it) hand_over(*load);
    load = has_it ? loads.erase(load) : load + 1;
  }
}

void hand_over_stores(Cta& cta, int warp) {
  TensorMemory& memory = tensor_memory(cta);
  for (const TensorStore& store : memory.stores) {
    if (store.warp != warp) continue;
    for (std::size_t k = 0; k < store.places.size(); ++k) {
      std::uint32_t& word = memory.words[store.places[k]];
      word = (word & ~store.mask) | (store.words[k] & store.mask);
    }
  }
  std::erase_if(memory.stores, [&](const TensorStore& store) { return store.warp == warp; });
}

}  // namespace lanescope::emulator
