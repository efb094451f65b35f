// SPDX-License-Identifier: MIT
// C on its way to the sums, and D back to global memory: see gemm_generator.hpp.
#include <fmt/format.h>

#include <bit>
#include <utility>

#include "tests/fuzz/gemm/gemm_generator.hpp"

namespace lanescope::tests {
namespace {

// Whether C's memory says that lines are not so long: it ends within one, and is not as large as an
// allocator would make it for such lines, 512 bytes at a time.
bool ends_within(const GemmMatrix& c, int line) {
  const int all = c.lines() * c.line * c.bytes(), read = c.lines() * line * c.bytes();
  return line > c.line || (all % (line * c.bytes()) != 0 && (read + 511) / 512 * 512 != all);
}

}  // namespace

void Generator::choose_c() {
  adds_ = random_.any({Adds::nothing, Adds::first, Adds::last});
  const bool halves = kind_.halves || random_.one_in(4);
  const char* type = kind_.whole ? "s32" : halves ? "f16" : "f32";
  // How a square one lies nobody can know.
  const bool columns = random_.one_in(4) && d_.rows != d_.cols ? !d_.columns : d_.columns;
  c_ = {type, d_.rows, d_.cols, columns, (columns ? d_.rows : d_.cols) + random_.any({0, 0, 4, 8})};
  if (adds_ == Adds::nothing) return;
  if (random_.one_in(4) && (!kind_.halves || d_.type == "f16")) {
    in_place_ = true;
    c_ = d_;
  }
  if (adds_ != Adds::last) return;
  alpha_ = random_.any({1, 2, 3, -1});
  beta_ = random_.any({1, 1, 2, -2});
  factors_told_ = random_.one_in(2);
}

std::string Generator::address_of(const GemmMatrix& of, const std::string& base, const Value& row,
                                  const Value& col) {
  const Value index = of.columns ? w_.line_of(col, of.line, row) : w_.line_of(row, of.line, col);
  return w_.behind(base, w_.times(index, of.bytes()));
}

Value Generator::own_row(int i, int half) {
  return w_.add(w_.add(w_.add(block_row_, warp_row_), group_), number(16 * i + 8 * half));
}

Value Generator::own_col(int j) {
  return w_.add(w_.add(w_.add(block_col_, warp_col_), w_.times(in_group_, 2)), number(8 * j));
}

// How many lines C has A, B, or D counts, where their lines are C's.
bool Generator::lines_are_known() const {
  return c_.columns ? d_.columns || b_.columns : !d_.columns || !a_.columns;
}

// Two elements of C as the sums have them: in two registers, of halves in one.
Names Generator::c_at(int i, int j, int half) {
  GemmMatrix from = c_;
  Value row = own_row(i, errs(GemmMistake::c_half) ? 0 : half), col = own_col(j);
  if (errs(GemmMistake::c_place)) {
    // Of the block's, the warp's, the tile's row or column.
    const Value left[] = {block_row_, warp_row_, number(16 * i),
                          block_col_, warp_col_, number(8 * j)};
    const int out = which_ % 6;
    row = col = number(0);
    for (int part = 0; part < 6; ++part)
      if (part != out) (part < 3 ? row : col) = w_.add(part < 3 ? row : col, left[part]);
    row = w_.add(w_.add(row, group_), number(8 * half));
    col = w_.add(col, w_.times(in_group_, 2));
  }
  if (const int line = c_.line == d_.line ? c_.line - 4 : d_.line;
      lines_are_known() && ends_within(c_, line) && errs(GemmMistake::c_line))
    from.line = line;
  if (c_.rows != c_.cols && errs(GemmMistake::c_turned)) from.columns = !from.columns;
  const bool halves = from.bytes() == 2,
             together = !from.columns && from.cols % 2 == 0 && random_.one_in(2);
  const auto guarded = [&](const Names& to, const Value& of_col) {
    const std::string there = inside(Edge::d_m, own_row(i, half), Edge::d_n, of_col);
    zeros(to, there);
    return there.empty() ? there : "@" + there + " ";
  };
  const bool turned = errs(GemmMistake::c_pair);
  Names two;
  if (halves && together && from.line % 2 == 0) {
    const std::string both = w_.fresh('r');
    const std::string there = guarded({both}, own_col(j));
    w_.put("{}ld.global.b32 {}, [{}]", there, both, address_of(from, c_base_, row, col));
    if (kind_.halves && adds_ == Adds::first && !turned) return {both};
    two = parted(both);
  } else if (together && from.line % 2 == 0) {
    two = fresh(kind_.whole ? 'r' : 'f', 2);
    const std::string there = guarded(two, own_col(j));
    w_.put("{}ld.global.v2.{} {}, [{}]", there, kind_.whole ? "u32" : "f32", list(two),
           address_of(from, c_base_, row, col));
  } else {
    for (int one = 0; one < 2; ++one) {
      two.push_back(w_.fresh(halves ? 'h' : kind_.whole ? 'r' : 'f'));
      const std::string there = guarded({two.back()}, w_.add(own_col(j), number(one)));
      const char* type = halves ? "b16" : kind_.whole ? "u32" : "f32";
      w_.put("{}ld.global.{} {}, [{}]", there, type, two.back(),
             address_of(from, c_base_, row, w_.add(col, number(one))));
    }
  }
  if (turned) std::swap(two[0], two[1]);
  if (kind_.halves && adds_ == Adds::first) return {packed(two)};
  if (halves)
    for (std::string& one : two) {
      const std::string wide = w_.fresh('f');
      w_.put("cvt.f32.{} {}, {}", from.type, wide, one);
      one = wide;
    }
  return two;
}

void Generator::set_sums() {
  for (int i = 0; i < tiles_m_; ++i) {
    sums_.emplace_back();
    for (int j = 0; j < tiles_n_; ++j) {
      Names& sums = sums_.back().emplace_back();
      if (adds_ == Adds::first && random_.one_in(2)) {  // loaded to where it is added to
        for (int half = 0; half < 2; ++half)
          for (const std::string& one : c_at(i, j, half)) sums.push_back(one);
        continue;
      }
      sums = fresh(kind_.whole || kind_.halves ? 'r' : 'f', kind_.halves ? 2 : 4);
      const char* type = kind_.halves ? "b32" : kind_.whole ? "u32" : "f32";
      Names from(sums.size(), kind_.whole || kind_.halves ? "0" : "0f00000000");
      if (adds_ == Adds::first) {
        from.clear();
        for (int half = 0; half < 2; ++half)
          for (const std::string& one : c_at(i, j, half)) from.push_back(one);
      }
      for (std::size_t k = 0; k < sums.size(); ++k) w_.put("mov.{} {}, {}", type, sums[k], from[k]);
    }
  }
}

// Once more.
void Generator::add_c() {
  for (int i = 0; i < tiles_m_; ++i)
    for (int j = 0; j < tiles_n_; ++j)
      for (int half = 0; half < 2; ++half) {
        const Names& sums = sums_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        Names c = c_at(i, j, half);
        if (kind_.halves && c.size() == 2) {
          const std::string both = w_.fresh('r');
          w_.put("cvt.rn.f16x2.f32 {}, {}, {}", both, c[1], c[0]);
          c = {both};
        }
        for (std::size_t one = 0; one < c.size(); ++one) {
          const std::string& sum = sums[static_cast<std::size_t>(half) * c.size() + one];
          w_.put("add.{} {}, {}, {}",
                 kind_.halves  ? "f16x2"
                 : kind_.whole ? "s32"
                               : "f32",
                 sum, sum, c[one]);
        }
      }
}

// Behind the last product; `two` as f32, or whole.
Names Generator::with_c(Names two, int i, int j, int half) {
  if (adds_ != Adds::last) return two;
  const Names c = c_at(i, j, half);
  const bool whole = kind_.whole;
  if (factors_told_ && alpha_reg_.empty()) {
    alpha_reg_ = w_.fresh(whole ? 'r' : 'f');
    beta_reg_ = w_.fresh(whole ? 'r' : 'f');
    w_.put("ld.param.{} {}, [alpha]", whole ? "u32" : "f32", alpha_reg_);
    w_.put("ld.param.{} {}, [beta]", whole ? "u32" : "f32", beta_reg_);
  }
  const auto factor = [&](int of, const std::string& reg) {
    if (factors_told_) return reg;
    return whole ? std::to_string(of)
                 : fmt::format("0f{:08x}", std::bit_cast<std::uint32_t>(static_cast<float>(of)));
  };
  for (std::size_t one = 0; one < 2; ++one) {
    std::string& to = two[one];
    const std::string begun = to;
    to = w_.fresh(whole ? 'r' : 'f');
    const char *times = whole ? "mul.lo.s32" : "mul.f32", *plus = whole ? "add.s32" : "add.f32",
               *both = whole ? "mad.lo.s32" : "fma.rn.f32";
    if (!factors_told_ && alpha_ == 1 && beta_ == 1) {
      w_.put("{} {}, {}, {}", plus, to, begun, c[one]);
      continue;
    }
    const std::string part = w_.fresh(whole ? 'r' : 'f');
    if (random_.one_in(2)) {
      w_.put("{} {}, {}, {}", times, part, c[one], factor(beta_, beta_reg_));
      w_.put("{} {}, {}, {}, {}", both, to, begun, factor(alpha_, alpha_reg_), part);
    } else {
      w_.put("{} {}, {}, {}", times, part, begun, factor(alpha_, alpha_reg_));
      w_.put("{} {}, {}, {}, {}", both, to, c[one], factor(beta_, beta_reg_), part);
    }
  }
  return two;
}

// The halves of a word.
Names Generator::parted(const std::string& both) {
  const Names two = fresh('h', 2);
  w_.put("mov.b32 {}, {}", list(two), both);
  return two;
}

// Of f16 where the sums are halves, else of f32, or whole.
void Generator::store_two(const Names& given, const Value& row, const Value& col) {
  Names two = given;
  if (errs(GemmMistake::d_pair)) std::swap(two[0], two[1]);
  const bool halves = d_.bytes() == 2, in_pairs = pairs();
  const char* type = halves ? "b16" : kind_.whole ? "u32" : "f32";
  if (halves && two[0].starts_with("%f")) {
    if (in_pairs && random_.one_in(2)) {
      const std::string both = w_.fresh('r');
      w_.put("cvt.rn.{}x2.f32 {}, {}, {}", d_.type, both, two[1], two[0]);
      return store_at("b32", row, col, both);
    }
    for (std::string& one : two) {
      const std::string to = w_.fresh('h');
      w_.put("cvt.rn.{}.f32 {}, {}", d_.type, to, one);
      one = to;
    }
  }
  if (halves && in_pairs && random_.one_in(2)) return store_at("b32", row, col, packed(two));
  if (in_pairs && random_.one_in(2))
    return store_at(fmt::format("v2.{}", type), row, col, list(two));
  for (int one = 0; one < 2; ++one)
    store_at(type, row, w_.add(col, number(one)), two[static_cast<std::size_t>(one)]);
}

// Two of a row of D lie together.
bool Generator::pairs() const {
  return d_through_shared_ || (!d_.columns && d_.line % 2 == 0 && d_.cols % 2 == 0);
}

void Generator::store_at(const std::string& type, const Value& row, const Value& col,
                         const std::string& what) {
  if (d_through_shared_)
    return w_.put("st.shared.{} [{}], {}", type, d_place(row, col, false).text(), what);
  const std::string there = inside(Edge::d_m, row, Edge::d_n, col);
  w_.put("{}st.global.{} [{}], {}", there.empty() ? there : "@" + there + " ", type,
         address_of(d_, d_base_, row, col), what);
}

void Generator::store() {
  if (d_through_shared_) {
    if (tile_base_.empty()) tile_base_ = w_.special("tile").reg;
    if (d_offset_ == 0 && copy_ != Copy::none) barrier();
  }
  for (int i = 0; i < tiles_m_; ++i)
    for (int j = 0; j < tiles_n_; ++j)
      for (int half = 0; half < 2; ++half) {
        const Names& sums = sums_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        if (half == 0 && store_matrices(sums, i, j)) break;
        const int to_half = errs(GemmMistake::d_half) ? 0 : half;
        const Value of_lane = w_.add(warp_row_, group_), in_row = w_.times(in_group_, 2);
        const Value row = d_through_shared_ ? w_.add(of_lane, number(16 * i + 8 * to_half))
                                            : own_row(i, to_half),
                    col = d_through_shared_ ? w_.add(w_.add(warp_col_, in_row), number(8 * j))
                                            : own_col(j);
        if (!kind_.halves) {
          store_two(with_c({sums.begin() + 2 * half, sums.begin() + 2 * half + 2}, i, j, half), row,
                    col);
          continue;
        }
        const std::string& both = sums[static_cast<std::size_t>(half)];
        const bool plain = adds_ != Adds::last && d_.type == "f16";
        if (plain && pairs() && random_.one_in(2) && mistake_ != GemmMistake::d_pair) {
          store_at("b32", row, col, both);
          continue;
        }
        Names two = parted(both);
        if (!plain)
          for (std::string& one : two) {
            const std::string wide = w_.fresh('f');
            w_.put("cvt.f32.f16 {}, {}", wide, one);
            one = wide;
          }
        store_two(with_c(two, i, j, half), row, col);
      }
  if (d_through_shared_) store_rows();
}

}  // namespace lanescope::tests
