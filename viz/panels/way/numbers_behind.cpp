// SPDX-License-Identifier: MIT
// See numbers_behind.hpp.
#include "panels/way/numbers_behind.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "panels/memory/shared_history.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/way/exchanges.hpp"
#include "panels/way/way_begin.hpp"

namespace lanescope::viz {
namespace {

bool decides_alone(std::string_view name) { return name.starts_with("%p"); }

// Neither they nor what is made of them is a number that lies in memory.
bool ends_search(std::string_view opcode) {
  for (const std::string_view one : {"ld.param", "ld.local", "atom", "red.", "ldmatrix", "mma."})
    if (opcode.starts_with(one)) return true;
  return false;
}

}  // namespace

const Numbers& NumbersBehind::of(const GlobalAccess& access) {
  const trace::Step* step = history_.item(access.place.warp, access.place.item).step;
  const auto [found, is_new] =
      known_.try_emplace({step, access.operand.data(), access.lane}, Numbers());
  if (is_new) found->second = search(access);
  return found->second;
}

void NumbersBehind::take_over(const std::map<std::uint64_t, std::string>& places) {
  places_.insert(places.begin(), places.end());
}

std::string NumbersBehind::place_of(std::uint64_t number) const {
  const auto found = places_.find(number);
  return found != places_.end() ? found->second : fmt::format("0x{:x}", number);
}

Numbers NumbersBehind::search(const GlobalAccess& access) {
  constexpr std::size_t kMostLooked = 4096;  // as of a pointer that a loop moves on
  Search search;
  for (const std::string_view name : registers_in(access.operand))
    search.open.push_back({access.place.warp, access.place.item, {name, access.lane, 0}});
  std::set<std::pair<const trace::Write*, int>> seen;
  while (!search.open.empty() && seen.size() < kMostLooked) {
    const Open from = search.open.back();
    search.open.pop_back();
    const int writer = history_.writer(from.warp, from.before, from.at.name, from.at.lane);
    const trace::Write* write = history_.written(from.warp, writer, from.at.name);
    if (write != nullptr && seen.insert({write, from.at.lane}).second)
      go_back(from, writer, search);
  }
  return std::move(search.found);
}

// What a register was worked out from; a predicate decides, but is no part of an address.
void NumbersBehind::go_back(const Open& from, int writer, Search& search) {
  const std::string_view ptx = history_.item(from.warp, writer).step->ptx;
  const std::string_view opcode = mnemonic_of(ptx);
  if (ends_search(opcode)) return;
  if (opcode.starts_with("ld.")) return out_of_memory(from, writer, search);
  if (exchanges(opcode))
    if (const auto before = before_exchange(history_, from.warp, writer, from.at))
      return search.open.push_back({from.warp, writer, {before->name, before->lane, 0}});
  const std::vector<std::string_view> operands = operands_of(ptx);
  for (std::size_t k = 1; k < operands.size(); ++k)
    for (const std::string_view name : registers_in(operands[k]))
      if (!decides_alone(name)) search.open.push_back({from.warp, writer, {name, from.at.lane, 0}});
}

void NumbersBehind::out_of_memory(const Open& from, int item, Search& search) {
  const StepItem& it = history_.item(from.warp, item);
  const std::vector<std::string_view> operands = operands_of(it.step->ptx);
  if (operands.size() < 2) return;
  if (const auto byte = before_load(it, from.at)) return out_of_shared(from, item, *byte, search);
  note({{from.warp, item, {}}, operands[1], from.at.lane}, offset_of_load(*it.step, from.at),
       search);
}

// An index that waits in shared memory: who put it there.
void NumbersBehind::out_of_shared(const Open& from, int item, std::uint64_t address,
                                  Search& search) {
  const SharedHistory& shared = history_.shared(trace_, history_.warp(from.warp));
  const Arrival* last = shared.last(address, history_.item(from.warp, item).step);
  if (last == nullptr) return;
  if (last->copy != nullptr) {
    if (const auto source = bulk_source(*last->copy, address)) search.found.insert(source->address);
    return;
  }
  const StepItem& it = history_.item(last->warp, last->item);
  const std::vector<std::string_view> operands = operands_of(it.step->ptx);
  if (operands.size() >= 2 && mnemonic_of(it.step->ptx).starts_with("cp.async"))
    return note(
        {{last->warp, last->item, {}}, operands[1], last->lane},
        static_cast<int>(address - it.access->addresses[static_cast<std::size_t>(last->lane)]),
        search);
  if (const auto before = before_store(it, last->lane, address, 0))
    search.open.push_back({last->warp, last->item, {before->name, before->lane, 0}});
}

void NumbersBehind::note(const GlobalAccess& access, int offset, Search& search) {
  const Beginning at = begin_of_access(history_, access.place, access.operand, access.lane, offset);
  if (!at.address) return;
  search.found.insert(*at.address);
  places_.try_emplace(*at.address, without_space(at.place));
}

}  // namespace lanescope::viz
