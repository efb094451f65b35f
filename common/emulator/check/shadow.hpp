// SPDX-License-Identifier: MIT
// What the checker remembers of every byte of a CTA's shared memory: who wrote it last, who has
// read it since, whether it is still on its way.
//
//     cell of 16 bytes --split--> 4 cells of 4 bytes --split--> 4 cells of 1 byte
//
// Tensor-core kernels move 16 bytes at a time, so one cell stands for 16 until somebody touches
// less; a write of all 16 joins them again. A cell is a cache line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/check/clock.hpp"

namespace lanescope::emulator {

/// One access to a cell: when, which lanes, who and by which instruction.
struct Touch {
  Time time = 0;
  std::uint32_t lanes = 0;
  std::uint32_t where = 0;

  static constexpr int kPcBits = 20;
  static constexpr std::uint32_t kMostPc = (1u << kPcBits) - 1;
  std::size_t component() const { return where >> kPcBits; }
  std::uint32_t pc() const { return where & kMostPc; }
  static std::uint32_t place(std::size_t component, std::uint32_t pc) {
    return static_cast<std::uint32_t>(component) << kPcBits | (pc < kMostPc ? pc : kMostPc);
  }
};

enum class CellState : std::uint8_t {
  unwritten,
  valid,
  copying,  // by cp.async, no wait has covered it
  landing,  // by a bulk copy, its mbarrier has not heard of it
  split,    // the smaller cells know
};

struct alignas(64) Cell {
  static constexpr std::uint8_t kMany = 0xff;  // readers: in Shadow::many[reads[0].time]
  static constexpr std::uint8_t kAsync = 1;    // flags: written by the async proxy
  static constexpr std::uint8_t kAtomic = 2;   // written by an atomic or other strong operation
  Touch write;
  CellState state = CellState::unwritten;
  std::uint8_t readers = 0;
  std::uint8_t flags = 0;
  std::array<Touch, 4> reads{};
};
static_assert(sizeof(Cell) == 64);

class Shadow {
 public:
  /// Shared memory of a CTA that starts: nothing is written.
  void start(std::size_t shared_bytes);

  /// Calls visit(cell, offset, bytes) for every cell of [offset, offset + bytes), splitting those
  /// that are larger than what is touched. `joins`: whole cells are one again afterwards, as the
  /// first of their parts is.
  template <class Visit>
  void each(std::uint32_t offset, std::uint32_t bytes, bool joins, Visit visit) {
    const std::uint32_t end = offset + bytes;
    while (offset < end) {
      Cell& cell = cells_[offset / 16];
      const std::uint32_t next = (offset / 16 + 1) * 16;
      if (offset % 16 == 0 && next <= end) {
        if (cell.state != CellState::split)
          visit(cell, offset, 16u);
        else
          whole(cell, offset, joins, visit);
      } else {
        words(cell, offset, next < end ? next : end, joins, visit);
      }
      offset = next;
    }
  }

  /// The cell of 16 bytes around an offset.
  Cell& at(std::uint32_t offset) { return cells_[offset / 16]; }
  Cell* cells() { return cells_.data(); }

  std::vector<std::vector<Touch>> many;  // readers of cells with more than fit

 private:
  static constexpr std::size_t kWord = 4;

  template <class Visit>
  void whole(Cell& cell, std::uint32_t offset, bool joins, Visit visit) {
    words(cell, offset, offset + 16, joins, visit);
    if (!joins) return;
    const Cell& first = words_[offset / kWord];
    if (first.state != CellState::split) cell = first;
  }

  template <class Visit>
  void words(Cell& cell, std::uint32_t offset, std::uint32_t end, bool joins, Visit visit) {
    if (cell.state != CellState::split) split_cell(cell, offset / 16 * 16);
    while (offset < end) {
      Cell& word = words_[offset / kWord];
      const std::uint32_t next = (offset / 4 + 1) * 4;
      if (offset % 4 == 0 && next <= end && word.state != CellState::split) {
        visit(word, offset, 4u);
      } else {
        if (word.state != CellState::split) split_word(word, offset / 4 * 4);
        const bool is_whole = offset % 4 == 0 && next <= end;
        const std::uint32_t first = offset;
        for (; offset < next && offset < end; ++offset) visit(bytes_[offset], offset, 1u);
        if (joins && is_whole) word = bytes_[first];
      }
      offset = next;
    }
  }

  void split_cell(Cell& cell, std::uint32_t offset);
  void split_word(Cell& word, std::uint32_t offset);
  void copy_readers(Cell& to);

  std::vector<Cell> cells_;  // of 16 bytes
  std::vector<Cell> words_;  // allocated when first needed
  std::vector<Cell> bytes_;
};

}  // namespace lanescope::emulator
