// SPDX-License-Identifier: MIT
// What contract.cpp asks of a function as a whole: who reads and who writes each register, which
// statements nobody wants, and where one gets from a block.
//
// Source: docs/experiments/contraction.md, as far as it is ptxas' and not common sense.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/ptx/ptx_module.hpp"
#include "emulator/ptx/register_use.hpp"

namespace lanescope::emulator::contract {

/// Calls back with every register that a statement writes. wgmma's accumulators are read, and
/// written.
template <class F>
void each_written(const PtxStatement& statement, F&& found) {
  if (statement.operands.empty() || statement.operands[0].kind == OperandKind::address) return;
  if (writes_first_operand(statement) || statement.opcode == "wgmma")
    each_register(statement.operands[0], found);
}

/// ... that it reads.
template <class F>
void each_read(const PtxStatement& statement, F&& found) {
  if (statement.guard >= 0) found(statement.guard);
  const bool writes = writes_first_operand(statement);
  for (std::size_t k = 0; k < statement.operands.size(); ++k)
    if (k > 0 || !writes || statement.operands[k].kind == OperandKind::address)
      each_register(statement.operands[k], found);
}

class Lives {
 public:
  Lives(const PtxFunction& function, int sm);

  /// Nobody wants what the statement computes.
  bool is_dead(std::size_t statement) const { return dead_[statement]; }
  /// ... of an mma that is sums of C: nobody wants this register of D, so C's is not read.
  bool is_dead(std::size_t statement, std::size_t reg_of_c) const {
    return reg_of_c < 8 && (dead_sums_[statement] >> reg_of_c & 1) != 0;
  }
  std::uint32_t block(std::size_t statement) const { return block_[statement]; }
  std::uint32_t block(std::int32_t statement) const {
    return block_[static_cast<std::size_t>(statement)];
  }
  /// By at least one jump, or from one block on into the next?
  bool is_reached(std::uint32_t from, std::uint32_t to);
  /// Is the register read behind the block, before it is written? Mostly it is nowhere else.
  bool lives_after(int reg, std::uint32_t block);

  /// How many statements write it.
  std::ptrdiff_t writes(int reg) const;
  bool is_written_first_and_once(int reg) const;
  /// In [from, end)?
  bool is_written(int reg, std::int32_t from, std::int32_t end) const;

 private:
  struct Mention {
    std::int32_t statement;
    bool reads, writes;
  };
  std::size_t count() const { return function_.statements.size(); }
  const PtxStatement& at(std::size_t index) const { return function_.statements[index]; }
  std::uint32_t block_of(const Mention& mention) const { return block(mention.statement); }
  Mention& mention(int reg, std::size_t statement);
  void find_useless();
  template <class F>
  void each_wanted_read(std::size_t statement, F&& found) const;
  /// Of an mma that is sums of C: marks those whose register of D is no longer `wanted`; calls back
  /// with C's.
  template <class Wanted, class F>
  void drop_sums(std::size_t statement, Wanted wanted, F&& dropped);
  void find_mentions();
  void split_blocks();
  void find_dead();
  void find_next();
  enum class Visit { found, stop, go_on };
  /// Whether `visit` finds something in the blocks that `from` leads to, each looked at once.
  template <class Look>
  bool finds_after(std::uint32_t from, Look visit);

  const PtxFunction& function_;
  int sm_;
  std::vector<bool> dead_;                        // of a statement
  std::vector<std::uint8_t> dead_sums_;           // of a statement: a bit for a register of C
  std::vector<std::uint32_t> block_;              // of a statement
  std::vector<std::vector<std::uint32_t>> next_;  // of a block; made when first needed
  std::vector<std::vector<Mention>> mentions_;    // of a register
};

}  // namespace lanescope::emulator::contract
