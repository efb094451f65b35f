// SPDX-License-Identifier: MIT
// See register_history.hpp.
#include "panels/steps/register_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "layout/query.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/wgmma_numbers.hpp"

namespace lanescope::viz {
namespace {

// A mov takes a sum over that was in flight: what it reads it has handed over itself.
bool hands_over_to_itself(const trace::Step& step, std::string_view name) {
  if (!mnemonic_of(step.ptx).starts_with("mov.")) return false;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const auto has = [name](std::string_view operand) {
    const std::vector<std::string_view> names = registers_in(operand);
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return operands.size() == 2 && has(operands[1]) && !has(operands[0]);
}

}  // namespace

int RegisterHistory::writer(int warp_index, int before, std::string_view name, int lane) {
  const auto made = writers_.try_emplace(warp_index);
  if (made.second) made.first->second = writers_of(warp(warp_index));
  const auto known = made.first->second.find(name);
  if (known == made.first->second.end()) return -1;
  auto at = std::lower_bound(known->second.begin(), known->second.end(), before);
  if (at != known->second.end() && *at == before &&
      hands_over_to_itself(*item(warp_index, before).step, name))
    return before;
  // In a lane that took no part a write says what the register held before: that was earlier.
  while (at != known->second.begin())
    if (--at; (item(warp_index, *at).step->active >> lane & 1) != 0) return *at;
  return -1;
}

const trace::Write* RegisterHistory::written(int warp_index, int at, std::string_view name) const {
  if (at < 0) return nullptr;
  for (const trace::Write& write : item(warp_index, at).step->writes)
    if (write.name == name) return &write;
  return nullptr;
}

std::optional<std::uint64_t> RegisterHistory::value(int warp_index, int at,
                                                    std::string_view operand, int lane) {
  if (const auto number = whole_number(operand)) return number;
  const trace::Write* write = written(warp_index, writer(warp_index, at, operand, lane), operand);
  if (write == nullptr) return std::nullopt;
  return write->lanes[static_cast<std::size_t>(lane)];
}

// The elements of a vector, the bytes of a copy, all go back by the same address: it is kept.
RegisterHistory::Parameter RegisterHistory::parameter_behind(int warp_index, int before,
                                                             std::string_view name, int lane) {
  const trace::Write* write = written(warp_index, writer(warp_index, before, name, lane), name);
  const auto [found, is_new] = parameters_.try_emplace({write, lane});
  if (is_new) found->second = search_parameter(warp_index, before, name, lane);
  return found->second;
}

bool RegisterHistory::is_allocated(std::uint64_t address) const {
  if (list_.launch == nullptr) return false;
  const auto& all = list_.launch->allocations;
  return std::any_of(all.begin(), all.end(), [address](const trace::Allocation& one) {
    return address >= one.address && address - one.address < one.bytes;
  });
}

// A pointer and a stride make one address, and the stride is no place. Nothing lies in the first 4
// GiB, but in a browser: there all of it does.
void RegisterHistory::take(const Parameter& next, Parameter& found) {
  const auto may_be_pointer = [this](const Parameter& one) {
    return one.value >> 32 != 0 || is_allocated(one.value);
  };
  if (found.number.empty() || (may_be_pointer(next) && !may_be_pointer(found)))
    found = next;
  else if (may_be_pointer(next) || !may_be_pointer(found))
    found.several = found.several || found.number != next.number;
}

// Back through whatever was added up, copied or converted, by registers of 64 bits alone.
RegisterHistory::Parameter RegisterHistory::search_parameter(int warp_index, int before,
                                                             std::string_view name, int lane) {
  constexpr std::size_t kMostLooked = 4096;  // a pointer that a loop moves on
  Parameter found;
  std::set<std::pair<int, std::string_view>> seen;
  std::vector<std::pair<int, std::string_view>> open{{before, name}};
  while (!open.empty() && seen.size() < kMostLooked) {
    const auto [item_before, wanted] = open.back();
    open.pop_back();
    const int at = writer(warp_index, item_before, wanted, lane);
    const trace::Write* write = written(warp_index, at, wanted);
    if (write == nullptr || write->bits != 64 || !seen.insert({at, wanted}).second) continue;
    const std::string_view ptx = item(warp_index, at).step->ptx;
    if (std::string number = parameter_of(ptx, wanted, list_.parameters()); !number.empty()) {
      take({std::move(number), write->lanes[static_cast<std::size_t>(lane)]}, found);
      continue;
    }
    const std::string_view opcode = mnemonic_of(ptx);
    if (opcode.starts_with("ld.") || opcode.starts_with("shfl")) continue;
    const std::vector<std::string_view> operands = operands_of(ptx);
    if (opcode.starts_with("selp.") && operands.size() == 4)  // one of two, where that is recorded
      if (const auto first = value(warp_index, at, operands[3], lane)) {
        for (const std::string_view source : registers_in(operands[*first != 0 ? 1 : 2]))
          open.emplace_back(at, source);
        continue;
      }
    for (std::size_t k = 1; k < operands.size(); ++k)
      for (const std::string_view source : registers_in(operands[k])) open.emplace_back(at, source);
  }
  return found;
}

std::optional<std::uint64_t> RegisterHistory::global_address(int warp_index, int at,
                                                             std::string_view operand, int lane,
                                                             int offset) {
  const std::optional<MemoryOperand> memory = memory_operand(operand);
  if (!memory) return std::nullopt;
  const trace::Write* base =
      written(warp_index, writer(warp_index, at, memory->base, lane), memory->base);
  if (base == nullptr) return std::nullopt;
  return base->lanes[static_cast<std::size_t>(lane)] + static_cast<std::uint64_t>(memory->offset) +
         static_cast<std::uint64_t>(offset);
}

std::uint64_t RegisterHistory::global_base(int warp_index, int at, std::string_view operand,
                                           int lane) {
  const std::optional<MemoryOperand> memory = memory_operand(operand);
  if (!memory) return 0;
  const Parameter from = parameter_behind(warp_index, at, memory->base, lane);
  return from.number.empty() || from.several ? 0 : from.value;
}

// Moved, converted, but not added up: mov.b64 %rd4, kernel_param_0; cvta.param.u64 %rd5, %rd4;
std::string RegisterHistory::tensor_map_place(int warp_index, int at, std::string_view operand,
                                              int lane) {
  constexpr int kMostMoves = 16;
  const std::optional<MemoryOperand> memory = memory_operand(operand);
  std::string_view name = memory ? memory->base : std::string_view();
  for (int moves = 0; moves < kMostMoves && !name.empty(); ++moves) {
    at = writer(warp_index, at, name, lane);
    if (at < 0) return {};
    const std::string_view ptx = item(warp_index, at).step->ptx;
    const std::vector<std::string_view> operands = operands_of(ptx);
    const std::string_view opcode = mnemonic_of(ptx);
    if (operands.size() != 2 || !(opcode.starts_with("mov.") || opcode.starts_with("cvta.")))
      return {};
    if (const std::string number = parameter_in(operands[1], list_.parameters()); !number.empty())
      return fmt::format("parameter {}", number);
    const std::vector<std::string_view> names = registers_in(operands[1]);
    name = names.size() == 1 ? names[0] : std::string_view();
  }
  return {};
}

const std::vector<int>& RegisterHistory::wgmmas(int warp_index) {
  const auto [found, is_new] = wgmmas_.try_emplace(warp_index);
  if (is_new)
    for (std::size_t k = 0; k < warp(warp_index).items.size(); ++k)
      if (mnemonic_of(item(warp_index, static_cast<int>(k)).step->ptx)
              .starts_with("wgmma.mma_async"))
        found->second.push_back(static_cast<int>(k));
  return found->second;
}

void RegisterHistory::number_wgmmas() {
  std::vector<std::pair<const trace::Step*, int>> all;  // with their warps
  for (int w = 0; w < static_cast<int>(list_.warps.size()); ++w)
    for (const int k : wgmmas(w)) all.emplace_back(item(w, k).step, w);
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });
  WgmmaNumbers numbers;
  for (const auto& [step, w] : all) wgmma_numbers_[w].push_back(numbers.next(step->place));
}

int RegisterHistory::same_wgmma(const StepPlace& of, int warp_index) {
  if (wgmma_numbers_.empty()) number_wgmmas();
  const auto index_of = [](const std::vector<int>& all, int one) {
    const auto found = std::lower_bound(all.begin(), all.end(), one);
    return found == all.end() || *found != one ? all.size()
                                               : static_cast<std::size_t>(found - all.begin());
  };
  const std::size_t own = index_of(wgmmas(of.warp), of.item);
  if (own == wgmmas(of.warp).size()) return -1;
  const std::size_t its = index_of(wgmma_numbers_[warp_index], wgmma_numbers_[of.warp][own]);
  return its == wgmmas(warp_index).size() ? -1 : wgmmas(warp_index)[its];
}

const layout::Fragment* RegisterHistory::wmma_map(std::string_view mnemonic) {
  const auto [found, is_new] = wmma_maps_.try_emplace(mnemonic, nullptr);
  if (!is_new) return found->second;
  const layout::Found of = layout::look_up(mnemonic);
  if (of.instructions.empty() || of.operand == 0) return nullptr;
  const layout::Instruction& i = *of.instructions.front();
  found->second = of.operand == 'A' ? &i.A : of.operand == 'B' ? &i.B : &i.D;
  return found->second;
}

const SharedHistory& RegisterHistory::shared(const trace::Trace& trace, const StepWarp& of) {
  const auto key = std::make_pair(of.launch, of.block);
  auto found = shared_.find(key);
  if (found == shared_.end())
    found = shared_.emplace(key, SharedHistory(trace, list_, of.launch, of.block)).first;
  return found->second;
}

std::string RegisterHistory::global_place(int warp_index, int at, std::string_view operand,
                                          int lane, int offset) {
  const std::optional<std::uint64_t> address =
      global_address(warp_index, at, operand, lane, offset);
  if (!address) return "global memory";
  const Parameter from = parameter_behind(warp_index, at, memory_operand(operand)->base, lane);
  if (from.number.empty() || from.several || *address < from.value)
    return fmt::format("global memory at 0x{:x}", *address);
  return fmt::format("global memory, byte {} behind parameter {}", *address - from.value,
                     from.number);
}

}  // namespace lanescope::viz
