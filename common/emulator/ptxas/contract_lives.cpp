// SPDX-License-Identifier: MIT
#include "emulator/ptxas/contract_lives.hpp"

#include <algorithm>

#include "emulator/ptxas/contract_rules.hpp"

namespace lanescope::emulator::contract {

Lives::Lives(const PtxFunction& function, int sm)
    : function_(function),
      sm_(sm),
      dead_(count(), false),
      dead_sums_(count(), 0),
      block_(number_blocks(function)),
      mentions_(function.registers.size()) {
  find_useless();
  find_mentions();
  split_blocks();
  find_dead();
}

template <class F>
void Lives::each_wanted_read(std::size_t statement, F&& found) const {
  if (dead_sums_[statement] == 0) return each_read(at(statement), found);
  PtxStatement rest = at(statement);
  std::vector<PtxOperand>& c = rest.operands[3].items;
  for (std::size_t k = c.size(); k-- > 0;)
    if (is_dead(statement, k)) c.erase(c.begin() + static_cast<std::ptrdiff_t>(k));
  each_read(rest, found);
}

template <class Wanted, class F>
void Lives::drop_sums(std::size_t statement, Wanted wanted, F&& dropped) {
  if (sums_of_c(at(statement), sm_).type == Type::none) return;
  const auto &d = at(statement).operands[0].items, &c = at(statement).operands[3].items;
  for (std::size_t k = 0; k < d.size() && k < c.size() && k < 8; ++k) {
    if (is_dead(statement, k) || (is_register(d[k]) && wanted(d[k].reg))) continue;
    dead_sums_[statement] = static_cast<std::uint8_t>(dead_sums_[statement] | 1u << k);
    each_register(c[k], dropped);
  }
}

// Dead: what computes something that nobody reads, or only the dead.
void Lives::find_useless() {
  std::vector<int> reads(function_.registers.size());
  for (const PtxStatement& statement : function_.statements)
    each_read(statement, [&](int reg) { ++reads[static_cast<std::size_t>(reg)]; });
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = count(); i-- > 0;) {
      if (dead_[i] || at(i).operands.empty() || !only_computes(at(i))) continue;
      drop_sums(
          i, [&](int reg) { return reads[static_cast<std::size_t>(reg)] != 0; },
          [&](int reg) { --reads[static_cast<std::size_t>(reg)], more = true; });
      bool is_read = false;
      each_register(at(i).operands[0], [&](int reg) {
        is_read = is_read || reads[static_cast<std::size_t>(reg)] != 0;
      });
      if (is_read) continue;
      dead_[i] = more = true;
      each_wanted_read(i, [&](int reg) { --reads[static_cast<std::size_t>(reg)]; });
    }
  }
}

// But for those statements.
void Lives::find_mentions() {
  for (std::size_t i = 0; i < count(); ++i) {
    if (dead_[i]) continue;
    each_wanted_read(i, [&](int reg) { mention(reg, i).reads = true; });
    each_written(at(i), [&](int reg) {
      Mention& made = mention(reg, i);
      made.writes = true;
      if (at(i).guard >= 0) made.reads = true;  // or else the old value stays
    });
  }
}

Lives::Mention& Lives::mention(int reg, std::size_t statement) {
  auto& all = mentions_[static_cast<std::size_t>(reg)];
  const auto number = static_cast<std::int32_t>(statement);
  if (all.empty() || all.back().statement != number) all.push_back({number, false, false});
  return all.back();
}

void Lives::split_blocks() {
  std::uint32_t more = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    block_[i] += more;
    if (is_several_blocks(at(i), sm_) && !(dead_[i] && goes_early(at(i), sm_))) ++more;
  }
}

// Also dead: what computes something that is overwritten before anybody reads it. Backwards.
void Lives::find_dead() {
  enum class State : std::uint8_t { unknown, wanted, unwanted };
  std::vector<State> state(function_.registers.size(), State::unknown);
  std::vector<int> known;
  const auto set = [&](int reg, State made) {
    state[static_cast<std::size_t>(reg)] = made;
    known.push_back(reg);
  };
  for (std::size_t i = count(); i-- > 0;) {
    if (i + 1 < count() && block_[i] != block_[i + 1]) {
      for (const int reg : known) state[static_cast<std::size_t>(reg)] = State::unknown;
      known.clear();
    }
    if (dead_[i]) continue;
    const auto wanted = [&](int reg) {
      State& found = state[static_cast<std::size_t>(reg)];
      if (found == State::unknown)
        set(reg, lives_after(reg, block_[i]) ? State::wanted : State::unwanted);
      return found == State::wanted;
    };
    bool is_wanted = !only_computes(at(i));
    each_written(at(i), [&](int reg) { is_wanted = is_wanted || wanted(reg); });
    drop_sums(i, wanted, [](int) {});
    dead_[i] = !is_wanted;
    if (dead_[i]) continue;
    if (at(i).guard < 0) each_written(at(i), [&](int reg) { set(reg, State::unwanted); });
    each_wanted_read(i, [&](int reg) { set(reg, State::wanted); });
  }
}

bool Lives::is_written_first_and_once(int reg) const {
  const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
  return !mentions.empty() && mentions.front().writes && !mentions.front().reads &&
         writes(reg) == 1;
}

std::ptrdiff_t Lives::writes(int reg) const {
  const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
  return std::count_if(mentions.begin(), mentions.end(), [](const Mention& m) { return m.writes; });
}

template <class Look>
bool Lives::finds_after(std::uint32_t from, Look visit) {
  if (next_.empty()) find_next();
  std::vector<bool> seen(next_.size());
  std::vector<std::uint32_t> open = next_[from];
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    if (seen[block]) continue;
    seen[block] = true;
    const Visit seen_there = visit(block);
    if (seen_there == Visit::found) return true;
    if (seen_there == Visit::go_on)
      open.insert(open.end(), next_[block].begin(), next_[block].end());
  }
  return false;
}

bool Lives::is_reached(std::uint32_t from, std::uint32_t to) {
  return finds_after(
      from, [to](std::uint32_t block) { return block == to ? Visit::found : Visit::go_on; });
}

bool Lives::lives_after(int reg, std::uint32_t block) {
  const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
  if (block_of(mentions.front()) == block && block_of(mentions.back()) == block &&
      !mentions.front().reads)
    return false;
  return finds_after(block, [&](std::uint32_t b) {
    const auto first = std::lower_bound(
        mentions.begin(), mentions.end(), b,
        [&](const Mention& mention, std::uint32_t wanted) { return block_of(mention) < wanted; });
    if (first == mentions.end() || block_of(*first) != b) return Visit::go_on;
    return first->reads ? Visit::found : Visit::stop;
  });
}

void Lives::find_next() {
  next_.resize(block_.empty() ? 0 : block_.back() + 1);
  const auto arrow = [&](std::size_t from, std::int64_t to) {
    if (to >= 0 && static_cast<std::size_t>(to) < count())
      next_[block_[from]].push_back(block_[static_cast<std::size_t>(to)]);
  };
  for (std::size_t i = 0; i < count(); ++i) {
    if (i + 1 < count() && block_[i] == block_[i + 1]) continue;
    const PtxStatement& last = at(i);
    if (last.opcode == "bra" && !last.operands.empty()) arrow(i, last.operands[0].value);
    if (last.opcode == "brx")
      for (const auto& targets : function_.branch_targets)
        for (const PtxOperand& target : targets) arrow(i, target.value);
    const bool goes_on = last.guard >= 0 || !ends_block(last) || last.opcode == "call";
    if (goes_on) arrow(i, static_cast<std::int64_t>(i) + 1);
  }
}

bool Lives::is_written(int reg, std::int32_t from, std::int32_t end) const {
  const auto& mentions = mentions_[static_cast<std::size_t>(reg)];
  auto at = std::lower_bound(
      mentions.begin(), mentions.end(), from,
      [](const Mention& mention, std::int32_t wanted) { return mention.statement < wanted; });
  for (; at != mentions.end() && at->statement < end; ++at)
    if (at->writes) return true;
  return false;
}

}  // namespace lanescope::emulator::contract
