// SPDX-License-Identifier: MIT
// What the checker remembers of every byte of a CTA's shared memory: who wrote it last, who has
// read it since, whether it is still on its way.
//
//     cell of 16 bytes --split--> 4 cells of 4 bytes --split--> 4 cells of 1 byte
//
// Tensor-core kernels move 16 bytes at a time, so one cell stands for 16 until somebody touches
// less; a write of all 16 joins them again. Most of them ask a cell two questions, whether its last
// write is known and its last read: a cell is 16 bytes for that, and what else there is to know
// lies elsewhere. Reads of warps are mostly only put down in a list at first (ReadLog).
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
  copying,   // by cp.async, no wait has covered it
  landing,   // by a bulk copy, its mbarrier has not heard of it
  split,     // the smaller cells know
  reserved,  // the system's, in front of the kernel's own
};

struct Cell {
  static constexpr std::uint8_t kMany = 0xff;   // readers: in Shadow::many[reads[0].time]
  static constexpr std::uint8_t kAsync = 1;     // flags: written by the async proxy
  static constexpr std::uint8_t kAtomic = 2;    // written by an atomic or other strong operation
  static constexpr std::uint8_t kMore = 4;      // and by others before it: Checker::more_writes_
  static constexpr std::uint8_t kUnder = 16;    // and by a plain store below: there, too
  static constexpr std::uint8_t kMbarrier = 8;  // an mbarrier that has not been invalidated
  static constexpr std::uint8_t kSome = 32;     // writer: not a lane, but CellDetail::writers
  Time time = 0;                                // of the last write; and by whom
  std::uint32_t where = 0;
  Time logged = 0;  // of the last read since that is in the log; 0: none
  CellState state = CellState::unwritten;
  std::uint8_t readers = 0;
  std::uint8_t flags = 0;
  std::uint8_t writer = kSome;

  std::size_t component() const { return where >> Touch::kPcBits; }
};
static_assert(sizeof(Cell) == 16);

struct CellDetail {
  std::uint32_t writers = 0;
  std::array<Touch, 4> reads{};
};

/// A cell and its detail.
struct WholeCell {
  Cell& cell;
  CellDetail& detail;

  Touch write() const {
    const std::uint32_t lanes = cell.writer != Cell::kSome ? 1u << cell.writer : detail.writers;
    return {cell.time, lanes, cell.where};
  }
  /// Written: nobody has read it since.
  void set(const Touch& write, CellState state, std::uint8_t flags) const {
    const bool is_one = (write.lanes & (write.lanes - 1)) == 0 && write.lanes != 0;
    cell.time = write.time;
    cell.where = write.where;
    cell.logged = 0;
    cell.state = state;
    cell.readers = 0;
    cell.flags = flags;
    cell.writer = is_one ? static_cast<std::uint8_t>(__builtin_ctz(write.lanes)) : Cell::kSome;
    if (!is_one) detail.writers = write.lanes;
  }
  void become(const WholeCell& other) const {
    cell = other.cell;
    detail = other.detail;
  }
};

/// What warps have read in one instruction and no cell has been told. It is mostly forgotten, at
/// the next barrier of all.
struct ReadLog {
  static constexpr std::size_t kMost = 4096;  // 32 warps that load 64 times fill half of it
  static constexpr std::size_t kMostInVain = 256;
  struct Entry {
    Touch touch;
    std::uint16_t rows = 0;
    std::uint8_t bytes = 16;  // of a cell: 16 or 4
    bool is_by_lane = false;  // the rows are those of touch.lanes, one after the other
    std::array<std::uint16_t, 32> cells;
  };
  std::vector<Entry> entries;
  bool is_in_vain = false;  // since the last barrier it had to be entered: loads of lanes stay out
};

class Shadow {
 public:
  /// Shared memory of a CTA that starts: nothing is written. The first bytes are reserved.
  void start(std::size_t shared_bytes, std::size_t reserved_bytes = 0);

  /// Calls visit(whole cell, offset, bytes) for every cell of [offset, offset + bytes), splitting
  /// those that are larger than what is touched. `joins`: whole cells are one again afterwards, as
  /// the first of their parts is.
  template <class Visit>
  void each(std::uint32_t offset, std::uint32_t bytes, bool joins, Visit visit) {
    const std::uint32_t end = offset + bytes;
    while (offset < end) {
      const std::uint32_t next = (offset / 16 + 1) * 16;
      if (offset % 16 == 0 && next <= end) {
        if (quads_.cells[offset / 16].state != CellState::split)
          visit(quads_.at(offset / 16), offset, 16u);
        else
          whole(offset, joins, visit);
      } else {
        words(offset, next < end ? next : end, joins, visit);
      }
      offset = next;
    }
  }

  /// The cells of 16 bytes.
  Cell* cells() { return quads_.cells.data(); }
  std::size_t count() const { return quads_.cells.size(); }
  WholeCell at(std::uint32_t offset) { return quads_.at(offset / 16); }
  /// Of just these aligned bytes, 16 or 4: nullptr where 4 are a part of a cell.
  Cell* cell(std::uint32_t offset, std::uint32_t bytes) {
    Cell& quad = quads_.cells[offset / 16];
    if (bytes == 16) return &quad;
    return quad.state == CellState::split ? &words_.cells[offset / 4] : nullptr;
  }

  ReadLog log;
  std::vector<std::vector<Touch>> many;  // readers of cells with more than fit
  /// Where in `many` a cell may have its readers from now on; empty.
  std::size_t fresh_list();

 private:
  static constexpr std::size_t kFewestLists = 1024;  // before any is used again

  struct Level {
    std::vector<Cell> cells;
    std::vector<CellDetail> details;
    WholeCell at(std::size_t index) { return {cells[index], details[index]}; }
    void resize(std::size_t count) {
      cells.resize(count);
      details.resize(count);
    }
  };

  template <class Visit>
  void whole(std::uint32_t offset, bool joins, Visit visit) {
    words(offset, offset + 16, joins, visit);
    if (!joins) return;
    const WholeCell first = words_.at(offset / 4);
    if (first.cell.state != CellState::split) quads_.at(offset / 16).become(first);
  }

  template <class Visit>
  void words(std::uint32_t offset, std::uint32_t end, bool joins, Visit visit) {
    if (quads_.cells[offset / 16].state != CellState::split) split(quads_, offset / 16, words_);
    while (offset < end) {
      const WholeCell word = words_.at(offset / 4);
      const std::uint32_t next = (offset / 4 + 1) * 4;
      if (offset % 4 == 0 && next <= end && word.cell.state != CellState::split) {
        visit(word, offset, 4u);
      } else {
        if (word.cell.state != CellState::split) split(words_, offset / 4, bytes_);
        const bool is_whole = offset % 4 == 0 && next <= end;
        const std::uint32_t first = offset;
        for (; offset < next && offset < end; ++offset) visit(bytes_.at(offset), offset, 1u);
        if (joins && is_whole) word.become(bytes_.at(first));
      }
      offset = next;
    }
  }

  void split(Level& from, std::size_t index, Level& into);
  void copy_readers(const WholeCell& to);
  void find_free_lists();

  Level quads_;  // of 16 bytes
  Level words_;  // of 4, made when first needed
  Level bytes_;
  std::vector<std::size_t> free_;  // of `many`
  std::size_t limit_ = kFewestLists;
};

}  // namespace lanescope::emulator
