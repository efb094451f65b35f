// SPDX-License-Identifier: MIT
// Through shared memory: see gemm_generator.hpp.
#include <fmt/format.h>

#include "tests/fuzz/gemm/gemm_generator.hpp"

namespace lanescope::tests {

void Generator::choose_tiles() {
  const int m = warps_m_ * tiles_m_ * 16, n = warps_n_ * tiles_n_ * 8;
  const auto tile = [&](int lines, int cols) {
    Tile made{lines, cols * kind_.bytes, false};
    const int way = random_.below(3);
    made.swizzled = way == 0 && made.stride >= 32 && (made.stride & (made.stride - 1)) == 0;
    if (way == 1) made.stride += random_.any({16, 16, 32});
    return made;
  };
  a_tile_ = a_.columns ? tile(step(), m) : tile(m, step());
  b_tile_ = b_.columns ? tile(n, step()) : tile(step(), n);
  const auto has_units = [&](int cols) { return cols * kind_.bytes % 16 == 0; };
  if (!has_units(a_.columns ? m : step()) || !has_units(b_.columns ? step() : n))
    copy_ = Copy::word;
  stages_ = steps_ > 1 ? random_.any({1, 1, 2}) : 1;
  // Its matrices have rows of 16 bytes along k, or, transposed, elements of 16 bits.
  a_by_ldmatrix_ = (kind_.bytes == 2 || !a_.columns) && !random_.one_in(3);
  b_by_ldmatrix_ = (kind_.bytes == 2 || b_.columns) && !random_.one_in(3);
}

Value Generator::place(const Tile& tile, const Value& line, const Value& bytes,
                       const Value& stage) {
  Value at = bytes;
  if (tile.swizzled)
    at = w_.exclusive_or(at, w_.times(w_.modulo(line, std::min(tile.stride / 16, 8)), 16));
  return w_.add(w_.add(w_.line_of(line, tile.stride, at), Value{tile_base_, 0}), stage);
}

void Generator::copy_in(bool is_a, const Value& k, const Value& stage) {
  const GemmMatrix& from = is_a ? a_ : b_;
  const Tile& tile = is_a ? a_tile_ : b_tile_;
  const bool along_k = from.columns != is_a;
  const Value& block = is_a ? block_row_ : block_col_;
  const Value &line = along_k ? block : k, &col = along_k ? k : block;
  const int cols = along_k ? step() : is_a ? warps_m_ * tiles_m_ * 16 : warps_n_ * tiles_n_ * 8;
  const int unit = copy_ == Copy::word ? 4 : 16, units = cols * kind_.bytes / unit;
  const int all = tile.lines * units;
  const Edge across = is_a ? Edge::a_m : Edge::b_n, of_k = is_a ? Edge::a_k : Edge::b_k,
             of_line = along_k ? across : of_k, of_col = along_k ? of_k : across;
  Names stores;
  for (int first = 0; first < all; first += threads()) {
    const Value at = w_.add(thread_, number(first));
    std::string guard, is_own;
    if (first + threads() > all) {
      is_own = w_.fresh('p');
      w_.put("setp.lt.u32 {}, {}, {}", is_own, at.text(), all);
      guard = "@" + is_own + " ";
    }
    const Value own = w_.over(at, units),
                element =
                    units == 1 ? number(0) : w_.times(w_.modulo(at, units), unit / kind_.bytes);
    const Value bytes = w_.times(element, kind_.bytes);
    const Value line_at = w_.add(own, line), col_at = w_.add(col, element);
    const Value index =
        w_.line_of(w_.add(own, line), from.line * kind_.bytes, w_.times(col, kind_.bytes));
    const std::string source = w_.behind(is_a ? a_base_ : b_base_, w_.add(index, bytes));
    const std::string to = place(tile, own, bytes, stage).text();
    const std::string there = inside(of_line, line_at, of_col, col_at);
    if (copy_ == Copy::asynchronous) {
      const std::string size = there.empty() ? "" : ", " + bytes_inside(of_col, col_at, there);
      w_.put("{}cp.async.{}.shared.global [{}], [{}], 16{}", guard, random_.any({"ca", "cg"}), to,
             source, size);
      continue;
    }
    const Names words = fresh('r', unit / 4);
    const std::string named = unit == 4 ? words[0] : list(words),
                      type = unit == 4 ? "u32" : "v4.u32";
    zeros(words, there);
    const std::string loads = both(is_own, there);
    w_.put("{}ld.global.{} {}, [{}]", loads.empty() ? loads : "@" + loads + " ", type, named,
           source);
    stores.push_back(fmt::format("{}st.shared.{} [{}], {}", guard, type, to, named));
    if (random_.one_in(2)) continue;  // later, with others
    for (const std::string& one : stores) w_.put("{}", one);
    stores.clear();
  }
  for (const std::string& one : stores) w_.put("{}", one);
}

void Generator::fetch(const Value& k, const Value& stage) {
  copy_in(true, k, stage);
  copy_in(false, k, w_.add(stage, number(a_tile_.bytes())));
}

// `first`: its row of A, or column of B, in the warp's tile.
Names Generator::by_ldmatrix(bool is_a, int first, int k, int count, const Value& stage) {
  const bool along_k = (is_a ? a_ : b_).columns != is_a;
  const Value row = w_.modulo(lane_, 8), matrix = w_.over(lane_, 8);
  // A: (rows 0, k 0), (rows 8, k 0), (rows 0, k 1), (rows 8, k 1); B: k first, then columns.
  const Value low = w_.modulo(matrix, 2), high = count == 4 ? w_.over(matrix, 2) : number(0);
  const Value lines =
      w_.add(w_.times(is_a ? low : high, 8), w_.add(is_a ? warp_row_ : warp_col_, number(first)));
  const Value ks = w_.add(w_.times(is_a ? high : low, 16 / kind_.bytes), number(k));
  const Value line = w_.add(along_k ? lines : ks, row), col = along_k ? ks : lines;
  const Value at = place(is_a ? a_tile_ : b_tile_, line, w_.times(col, kind_.bytes), stage);
  const Names to = fresh('r', count);
  w_.put("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, [{}]", count, along_k ? "" : ".trans",
         list(to), at.text());
  return to;
}

std::string Generator::from_shared(bool is_a, const Value& line, const Value& k,
                                   const Value& stage) {
  const GemmMatrix& from = is_a ? a_ : b_;
  const Tile& tile = is_a ? a_tile_ : b_tile_;
  const bool along_k = from.columns != is_a;
  if (along_k || each() == 1) {
    const Value at =
        place(tile, along_k ? line : k, w_.times(along_k ? k : line, kind_.bytes), stage);
    const std::string to = w_.fresh('r');
    w_.put("ld.shared.b32 {}, [{}]", to, at.text());
    return to;
  }
  Names parts;
  for (int part = 0; part < each(); ++part) {
    const Value at = place(tile, w_.add(k, number(part)), w_.times(line, kind_.bytes), stage);
    parts.push_back(w_.fresh(kind_.bytes == 2 ? 'h' : 'r'));
    w_.put("ld.shared.{} {}, [{}]", kind_.bytes == 2 ? "u16" : "u8", parts.back(), at.text());
  }
  return packed(parts);
}

void Generator::compute(const Value& stage) {
  const Value of_b = w_.add(stage, number(a_tile_.bytes()));
  const Value row = w_.add(warp_row_, group_), col = w_.add(warp_col_, group_),
              own = w_.times(in_group_, each());
  for (const int step : in_some_order(ks_)) {
    std::vector<Names> a, b;
    for (int i = 0; i < tiles_m_; ++i) {
      a.emplace_back();
      if (a_by_ldmatrix_) {
        a.back() = by_ldmatrix(true, 16 * i, step * kind_.k, 4, stage);
        continue;
      }
      for (const auto& [rows, half] : kOfA)
        a.back().push_back(from_shared(true, w_.add(row, number(16 * i + rows)),
                                       w_.add(own, number(step * kind_.k + half * kind_.k / 2)),
                                       stage));
    }
    while (static_cast<int>(b.size()) < tiles_n_) {
      const int j = static_cast<int>(b.size());
      if (b_by_ldmatrix_) {
        const bool two = j + 1 < tiles_n_ && random_.one_in(2);
        const Names all = by_ldmatrix(false, 8 * j, step * kind_.k, two ? 4 : 2, of_b);
        for (std::size_t at = 0; at < all.size(); at += 2) b.push_back({all[at], all[at + 1]});
        continue;
      }
      b.emplace_back();
      for (int half = 0; half < 2; ++half)
        b.back().push_back(from_shared(false, w_.add(col, number(8 * j)),
                                       w_.add(own, number(step * kind_.k + half * kind_.k / 2)),
                                       of_b));
    }
    multiply(a, b);
  }
}

void Generator::barrier() {
  w_.put("{}", threads() > 32 || random_.one_in(2) ? "bar.sync 0" : "bar.warp.sync 0xffffffff");
}
void Generator::commit() {
  if (copy_ == Copy::asynchronous) w_.put("cp.async.commit_group");
}
void Generator::wait(int pending) {
  if (copy_ == Copy::asynchronous) w_.put("cp.async.wait_group {}", pending);
}

void Generator::staged() {
  tile_base_ = w_.special("tile").reg;
  if (stages_ == 2) return in_two_stages();
  along_k([&](const Value& k) {
    fetch(k, number(0));
    commit();
    wait(0);
    barrier();
    compute(number(0));
    if (steps_ > 1) barrier();
  });
}

// While one is multiplied the other one is filled.
void Generator::in_two_stages() {
  const int second = a_tile_.bytes() + b_tile_.bytes();
  fetch(number(0), number(0));
  commit();
  if (random_.one_in(2)) {
    for (int one = 0; one < steps_; ++one) {
      if (one + 1 < steps_) fetch(number((one + 1) * step()), number((one + 1) % 2 * second));
      commit();
      wait(1);
      barrier();
      compute(number(one % 2 * second));
      barrier();
    }
    return;
  }
  const Names counted = fresh('r', 4);  // k, the next one, this stage, the next one
  const std::string last = w_.fresh('p'), more = w_.fresh('p');
  w_.put("mov.u32 {}, 0", counted[0]);
  w_.put("mov.u32 {}, 0", counted[2]);
  const std::string again = w_.label();
  w_.place(again);
  w_.put("add.u32 {}, {}, {}", counted[1], counted[0], step());
  w_.put("sub.u32 {}, {}, {}", counted[3], second, counted[2]);
  w_.put("setp.ge.u32 {}, {}, {}", last, counted[1], steps_ * step());
  const std::string behind = w_.label();
  w_.put("@{} bra {}", last, behind);
  fetch({counted[1], 0}, {counted[3], 0});
  w_.place(behind);
  commit();
  wait(1);
  barrier();
  compute({counted[2], 0});
  barrier();
  w_.put("mov.u32 {}, {}", counted[2], counted[3]);
  w_.put("mov.u32 {}, {}", counted[0], counted[1]);
  w_.put("setp.lt.u32 {}, {}, {}", more, counted[0], steps_ * step());
  w_.put("@{} bra {}", more, again);
}

}  // namespace lanescope::tests
