// SPDX-License-Identifier: MIT
#include "layout/shared_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "layout/shared_bytes.hpp"

namespace lanescope::layout {

int rows(const SharedMatrix& m) { return static_cast<int>(size(across(m))); }
int cols(const SharedMatrix& m) { return static_cast<int>(size(along(m))); }

std::int64_t byte_of(const SharedMatrix& m, int row, int col, bool applied) {
  return byte_of(m.layout, linear_index(across(m), row) + linear_index(along(m), col), m.bits,
                 applied);
}

std::vector<std::uint32_t> bytes_of_elements(const SharedMatrix& m, bool applied) {
  const Bytes bytes(m, applied);
  std::vector<std::uint32_t> all;
  for (int row = 0; row < bytes.rows(); ++row)
    for (int col = 0; col < bytes.cols(); ++col)
      all.push_back(static_cast<std::uint32_t>(bytes.at(row, col)));
  return all;
}

std::int64_t bytes_of(const SharedMatrix& m) {
  const std::vector<std::uint32_t> all = bytes_of_elements(m);
  return std::int64_t{*std::max_element(all.begin(), all.end())} + (m.bits + 7) / 8;
}

Run run_of(const SharedMatrix& m) {
  const auto next = [](const CuteLayout& mode) {
    return size(mode) > 1 ? linear_index(mode, 1) : 0;
  };
  if (next(along(m)) == 1) return Run::along_row;
  return next(across(m)) == 1 ? Run::down_column : Run::neither;
}

std::optional<Clash> clash(const SharedMatrix& m) {
  const Bytes bytes(m, false);
  std::unordered_map<std::int64_t, At> by_index;
  for (int row = 0; row < bytes.rows(); ++row)
    for (int col = 0; col < bytes.cols(); ++col) {
      const auto [before, is_new] = by_index.try_emplace(bytes.index(row, col), At{row, col});
      if (!is_new) return Clash{row, col, before->second.row, before->second.col};
    }
  return std::nullopt;
}

std::optional<Tile> as_tile(const SharedMatrix& m) {
  if (m.layout.offset != 0 || (m.bits != 8 && m.bits != 16 && m.bits != 32)) return std::nullopt;
  const Bytes linear(m, false), swizzled(m, true);
  // The tile whose atoms are as far apart as they are here, by the canonical layouts (swizzle.hpp).
  const auto with_strides = [&](Tile t, const Extent& a) {
    const auto stride = [&](int row, int col) {
      return row < t.mn && col < t.k ? static_cast<std::uint32_t>(linear.at(row, col)) : 0u;
    };
    const std::uint32_t next_mn = stride(a.mn, 0), next_k = stride(0, a.k);
    const bool none = t.mode == Swizzle::none, K = t.major == Major::K;
    t.sbo_bytes = K || none ? next_mn : next_k;
    t.lbo_bytes = none ? next_k : K ? 16 : next_mn;
    t.slab_bytes = K ? next_k : 0;
    return t;
  };
  const auto is = [&](const Tile& t) {
    for (int row = 0; row < t.mn; ++row)
      for (int col = 0; col < t.k; ++col)
        if (swizzled.at(row, col) != byte_offset(t, row, col)) return false;
    return true;
  };
  for (const Major major : {Major::K, Major::MN})
    for (const Swizzle how : kSwizzles)
      for (const bool wide : {false, true}) {
        if (wide && (how != Swizzle::b128 || major != Major::MN || m.bits != 32)) continue;
        const Extent a = wide ? kWideAtom : atom(how, major, m.bits);
        if (linear.rows() % a.mn != 0 || linear.cols() % a.k != 0) continue;
        const Tile t =
            with_strides({how, major, m.bits, linear.rows(), linear.cols(), 0, 0, 0, wide}, a);
        if (is(t)) return t;
      }
  return std::nullopt;
}

namespace {

// "(1,2) = 1*64 + 2*512": a coordinate of a mode, in the numbers of its tuples.
void add_terms(const IntTuple& shape, const IntTuple& stride, std::int64_t& left,
               std::vector<std::string>& coordinates, std::vector<std::string>& terms) {
  if (!shape.is_number()) {
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
      add_terms(shape.parts[i], stride.parts[i], left, coordinates, terms);
    return;
  }
  coordinates.push_back(fmt::format("{}", left % shape.number));
  terms.push_back(fmt::format("{}*{}", left % shape.number, stride.number));
  left /= shape.number;
}

std::string mode_line(const char* name, int coordinate, const CuteLayout& mode) {
  std::vector<std::string> coordinates, terms;
  std::int64_t left = coordinate;
  add_terms(mode.shape, mode.stride, left, coordinates, terms);
  std::string numbers, sum;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    numbers += (i == 0 ? "" : ",") + coordinates[i];
    sum += (i == 0 ? "" : " + ") + terms[i];
  }
  return fmt::format("{} {}{}: {} = {}", name, coordinate,
                     terms.size() > 1 ? " is (" + numbers + ")" : "", sum,
                     linear_index(mode, coordinate));
}

std::string swizzle_line(const CuteSwizzle& s, const char* what, std::int64_t before) {
  const int from = s.base + std::max(s.shift, 0), to = s.base - std::min(s.shift, 0);
  const std::int64_t bits = before >> from & ((std::int64_t{1} << s.bits) - 1);
  return fmt::format("Sw<{},{},{}>: bits {} to {}, {}, into those from bit {} on: {} {} ^ {} = {}",
                     s.bits, s.base, s.shift, from, from + s.bits - 1, bits, to, what, before,
                     bits << to, s(before));
}

}  // namespace

std::vector<std::string> derivation(const SharedMatrix& m, int row, int col) {
  const CuteLayout& l = m.layout;
  const std::int64_t index = linear_index(across(m), row) + linear_index(along(m), col) + l.offset;
  std::vector<std::string> lines;
  if (rank(l) > 1) lines.push_back(mode_line("row", row, across(m)));
  lines.push_back(mode_line("col", col, along(m)));
  lines.push_back(fmt::format("index {}{}", index,
                              l.offset != 0 ? fmt::format(", {} of it the offset", l.offset) : ""));
  const bool moves = l.swizzle.bits > 0;
  if (moves && !l.of_bytes) lines.push_back(swizzle_line(l.swizzle, "index", index));
  const std::int64_t swizzled = moves && !l.of_bytes ? l.swizzle(index) : index;
  lines.push_back(fmt::format("{} bits each: byte {}", m.bits, swizzled * m.bits / 8));
  if (moves && l.of_bytes) lines.push_back(swizzle_line(l.swizzle, "byte", index * m.bits / 8));
  return lines;
}

std::vector<SharedUnit> units_of(const SharedMatrix& m, bool applied) {
  struct Unit {
    At first{-1, -1}, last{};
    int count = 0;
    bool row = true, column = true;  // neighbours in their order
  };
  const Bytes bytes(m, applied);
  struct Placed {
    std::int64_t byte;
    At at;
  };
  std::vector<Placed> all;
  for (int row = 0; row < bytes.rows(); ++row)
    for (int col = 0; col < bytes.cols(); ++col) all.push_back({bytes.at(row, col), {row, col}});
  std::stable_sort(all.begin(), all.end(),
                   [](const Placed& a, const Placed& b) { return a.byte < b.byte; });
  std::vector<Unit> units(all.empty() ? 0 : static_cast<std::size_t>(all.back().byte / 16 + 1));
  for (const auto& [byte, at] : all) {
    Unit& unit = units[static_cast<std::size_t>(byte / 16)];
    if (unit.count++ == 0) {
      unit.first = unit.last = at;
      continue;
    }
    unit.row = unit.row && at.row == unit.last.row && at.col == unit.last.col + 1;
    unit.column = unit.column && at.col == unit.last.col && at.row == unit.last.row + 1;
    unit.last = at;
  }
  std::vector<SharedUnit> named;
  for (const Unit& u : units)
    named.push_back({u.first.row, u.first.col,
                     u.count == 0   ? std::string()
                     : u.count == 1 ? fmt::format("({},{})", u.first.row, u.first.col)
                     : u.row    ? fmt::format("({},{}..{})", u.first.row, u.first.col, u.last.col)
                     : u.column ? fmt::format("({}..{},{})", u.first.row, u.last.row, u.first.col)
                                : fmt::format("({},{})+", u.first.row, u.first.col)});
  return named;
}

}  // namespace lanescope::layout
