// SPDX-License-Identifier: MIT
// How often a warp goes to the banks for parts of a matrix: the passes of each group of lanes that
// are served together, over the whole matrix.
#include <fmt/format.h>

#include <algorithm>

#include "layout/banks.hpp"
#include "layout/shared_bytes.hpp"

namespace lanescope::layout {
namespace {

// Neighbours of a line: elements in 16 bytes.
int per_unit(const SharedMatrix& m) { return std::max(128 / m.bits, 1); }

// An element by its place across the lines and along them; a line is a row, or a column where
// neighbours lie below each other.
struct Lines {
  const Bytes& bytes;
  bool down;

  int count() const { return down ? bytes.cols() : bytes.rows(); }
  int length() const { return down ? bytes.rows() : bytes.cols(); }
  At at(int line, int place) const { return down ? At{place, line} : At{line, place}; }
  std::int64_t byte(int line, int place) const {
    const At e = at(line, place);
    return bytes.at(e.row, e.col);
  }
  // 16 bytes from there on are neighbours, and begin at a multiple of 16.
  bool is_unit(int line, int place, int per, int bits) const {
    if (place + per > length()) return false;
    const std::int64_t first = byte(line, place);
    if (first % 16 != 0) return false;
    for (int i = 1; i < per; ++i)
      if (byte(line, place + i) != first + i * bits / 8) return false;
    return true;
  }
};

// The passes of each group of lanes.
void count(const Bytes& bytes, WarpAccess& access) {
  each_group(bytes, access, [&access](const std::vector<std::uint32_t>& addresses) {
    const int now = passes(addresses, access.bytes);
    access.least = access.most == 0 ? now : std::min(access.least, now);
    access.most = std::max(access.most, now);
    return true;
  });
}

WarpAccess named(std::string name, int bytes) {
  WarpAccess access;
  access.name = std::move(name);
  access.bytes = bytes;
  access.lanes = lanes_per_phase(std::max(bytes, kBankBytes));
  return access;
}
WarpAccess without(WarpAccess access, std::string why) {
  access.firsts.clear();
  access.none = std::move(why);
  return access;
}

WarpAccess by_ldmatrix(const SharedMatrix& m, const Lines& lines) {
  const bool trans = lines.down;
  WarpAccess access = named(
      trans ? "ldmatrix.trans: 8 columns, 16 bytes of each" : "ldmatrix: 8 rows, 16 bytes of each",
      16);
  const int per = per_unit(m);
  if (lines.count() < 8 || lines.length() < per) return without(access, "there are no eight");
  if (trans && m.bits != 16) return without(access, "of 16-bit elements alone");
  for (int line = 0; line + 8 <= lines.count(); line += 8)
    for (int place = 0; place + per <= lines.length(); place += per)
      for (int i = 0; i < 8; ++i) {
        const At e = lines.at(line + i, place);
        if (!lines.is_unit(line + i, place, per, m.bits))
          return without(access, fmt::format("16 bytes from ({},{}) on are not {} neighbours at a "
                                             "multiple of 16",
                                             e.row, e.col, per));
        access.firsts.push_back({e.row, e.col});
      }
  count(lines.bytes, access);
  return access;
}

// All elements, one after the other along the lines, a lane each.
WarpAccess by_elements(const SharedMatrix& m, const Lines& lines, const char* name) {
  WarpAccess access = named(name, std::max(m.bits / 8, 1));
  for (int line = 0; line < lines.count(); ++line)
    for (int place = 0; place < lines.length(); ++place) {
      const At e = lines.at(line, place);
      access.firsts.push_back({e.row, e.col});
    }
  count(lines.bytes, access);
  return access;
}

// 16 bytes a lane, unit after unit along the lines: as tiles are filled and emptied.
WarpAccess by_units(const SharedMatrix& m, const Lines& lines) {
  WarpAccess access =
      named(fmt::format("16 bytes a lane, along the {}", lines.down ? "columns" : "rows"), 16);
  const int per = per_unit(m);
  if (lines.length() < per) return without(access, fmt::format("there are no {} neighbours", per));
  for (int line = 0; line < lines.count(); ++line)
    for (int place = 0; place + per <= lines.length(); place += per) {
      if (!lines.is_unit(line, place, per, m.bits))
        return without(access, "16 bytes are not neighbours, or not at a multiple of 16");
      const At e = lines.at(line, place);
      access.firsts.push_back({e.row, e.col});
    }
  count(lines.bytes, access);
  return access;
}

}  // namespace

std::vector<WarpAccess> warp_accesses(const SharedMatrix& m, bool applied) {
  const Bytes bytes(m, applied);
  const Run run = run_of(m);
  const Lines rows{bytes, false}, columns{bytes, true};
  const Lines& neighbours = run == Run::down_column ? columns : rows;
  return {by_ldmatrix(m, neighbours), by_units(m, neighbours),
          by_elements(m, rows, "an element a lane, along the rows"),
          by_elements(m, columns, "an element a lane, down the columns")};
}

ThreadValues thread_values(const Fragment& f) {
  const bool transposed = f.operand == 'B';
  ThreadValues all{
      f.threads(),    f.values, transposed ? f.cols : f.rows, transposed ? f.rows : f.cols,
      f.element_bits, {}};
  for (int thread = 0; thread < all.threads; ++thread)
    for (int value = 0; value < all.values; ++value) {
      const Element e = f.element(thread, value);
      all.elements.push_back(transposed ? Element{e.col, e.row} : e);
    }
  return all;
}

ThreadValues thread_values(const CuteLayout& layout, int rows, int cols) {
  const CuteLayout threads = mode(layout, 0), values = mode(layout, 1);
  ThreadValues all{
      static_cast<int>(size(threads)), static_cast<int>(size(values)), rows, cols, 0, {}};
  for (int thread = 0; thread < all.threads; ++thread)
    for (int value = 0; value < all.values; ++value) {
      const auto index =
          static_cast<int>(linear_index(threads, thread) + linear_index(values, value));
      all.elements.push_back({index % rows, index / rows});
    }
  return all;
}

namespace {

// Every place of the matrix that has room for all of it, until `use` says no.
template <typename Use>
bool each_place(const Bytes& bytes, const ThreadValues& moved, const Use& use) {
  for (int row = 0; row + moved.rows <= bytes.rows(); row += moved.rows)
    for (int col = 0; col + moved.cols <= bytes.cols(); col += moved.cols)
      if (!use(At{row, col})) return false;
  return true;
}

// Everywhere, of `count` values at once all are neighbours, from a multiple of their bytes on.
bool go_together(const Bytes& bytes, const ThreadValues& moved, int bits, int count) {
  const int together = count * bits / 8;
  return each_place(bytes, moved, [&](At place) {
    const auto byte = [&](int thread, int value) {
      const Element& e = moved.at(thread, value);
      return bytes.at(place.row + e.row, place.col + e.col);
    };
    for (int thread = 0; thread < moved.threads; ++thread)
      for (int value = 0; value < moved.values; value += count) {
        const std::int64_t first = byte(thread, value);
        if (first % together != 0) return false;
        for (int i = 1; i < count; ++i)
          if (byte(thread, value + i) != first + i * bits / 8) return false;
      }
    return true;
  });
}

}  // namespace

WarpAccess warp_access(const SharedMatrix& m, const ThreadValues& moved, bool applied) {
  const Bytes bytes(m, applied);
  if (moved.bits != 0 && m.bits != moved.bits)
    return without(
        {}, fmt::format("its elements have {} bits, those of the matrix {}", moved.bits, m.bits));
  if (moved.rows > bytes.rows() || moved.cols > bytes.cols())
    return without({}, fmt::format("{} x {} has no room for {} x {}", bytes.rows(), bytes.cols(),
                                   moved.rows, moved.cols));
  int count = 1;  // values at once
  const int most_bits = moved.copy_bits != 0 ? moved.copy_bits : 128;
  while (moved.values % (2 * count) == 0 && 2 * count * m.bits <= most_bits &&
         (2 * count * m.bits < 8 || go_together(bytes, moved, m.bits, 2 * count)))
    count *= 2;
  if (moved.copy_bits != 0 && count * m.bits != moved.copy_bits)
    return without({}, fmt::format("a copy of {0} bytes wants values of a thread that lie beside "
                                   "each other, from a multiple of {0} on",
                                   moved.copy_bits / 8));
  const int together = std::max(count * m.bits / 8, 1);
  WarpAccess access =
      named(fmt::format("{} byte{} a lane", together, together == 1 ? "" : "s"), together);
  each_place(bytes, moved, [&](At place) {
    for (int warp = 0; warp < moved.threads; warp += 32)
      for (int value = 0; value < moved.values; value += count)
        for (int thread = warp; thread < warp + 32; ++thread) {
          if (thread >= moved.threads) {
            access.firsts.push_back({-1, -1});
            continue;
          }
          const Element& e = moved.at(thread, value);
          access.firsts.push_back({place.row + e.row, place.col + e.col});
        }
    return true;
  });
  layout::count(bytes, access);
  return access;
}

}  // namespace lanescope::layout
