// SPDX-License-Identifier: MIT
// See random_gemm.hpp: what is chosen, and operands straight from global memory.
#include "tests/fuzz/gemm/random_gemm.hpp"

#include <fmt/ranges.h>

#include <numeric>

#include "tests/fuzz/gemm/gemm_generator.hpp"

namespace lanescope::tests {
namespace {

const Kind kKinds[] = {
    {"f16", "m16n8k16.row.col.f32.f16.f16.f32", 2, 16},
    {"bf16", "m16n8k16.row.col.f32.bf16.bf16.f32", 2, 16},
    {"f32", "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 8},
    {"s8", "m16n8k32.row.col.s32.s8.s8.s32", 1, 32, true},
    {"f16", "m16n8k16.row.col.f16.f16.f16.f16", 2, 16, false, true},
};

}  // namespace

std::string list(const Names& names) { return fmt::format("{{{}}}", fmt::join(names, ", ")); }

Names Generator::fresh(char kind, int count) {
  Names names;
  for (int k = 0; k < count; ++k) names.push_back(w_.fresh(kind));
  return names;
}

std::vector<int> Generator::in_some_order(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  if (random_.one_in(4))
    for (int k = count - 1; k > 0; --k)
      std::swap(all[static_cast<std::size_t>(k)],
                all[static_cast<std::size_t>(random_.below(k + 1))]);
  return all;
}

void Generator::choose() {
  kind_ = kKinds[random_.any({0, 0, 1, 2, 3, 4})];
  warps_m_ = random_.any({1, 2});
  warps_n_ = random_.any({1, 1, 2});
  tiles_m_ = random_.any({1, 1, 2});
  tiles_n_ = random_.any({1, 2, 2, 4});
  ks_ = random_.any({1, 2, 2});
  steps_ = random_.any({1, 1, 2, 3});
  copy_ = random_.one_in(3)
              ? Copy::none
              : random_.any({Copy::asynchronous, Copy::asynchronous, Copy::vector, Copy::word});
  const bool a_columns = random_.one_in(3), b_columns = !random_.one_in(3);
  int m = warps_m_ * tiles_m_ * 16, n = warps_n_ * tiles_n_ * 8, k = step();
  const int unit = 16 / kind_.bytes;
  // So many elements are inside or outside together.
  const int whole = copy_ == Copy::none ? 1 : copy_ == Copy::vector ? unit : each();
  // Each mma has half of it: how a single line lies nobody can know.
  const auto cut = [&](bool& is_cut, int of, int least) {
    is_cut = of > least && random_.one_in(3);
    return is_cut ? least * (1 + random_.below(of / least - 1)) : 0;
  };
  const int less_m = cut(cut_m_, 8, a_columns ? whole : 1),
            less_n = cut(cut_n_, 4, b_columns ? 1 : whole),
            less_k = copy_ == Copy::vector ? cut(cut_k_, kind_.k, unit)
                                           : cut(cut_k_, kind_.k - each(), each());
  m = m * random_.any({1, 1, 2}) - less_m, n = n * random_.any({1, 1, 2}) - less_n;
  k = k * steps_ - less_k;
  // Lines begin at multiples of 16 bytes. Longer by a step of k in A and in B alike they would
  // look as if the loop ended too soon.
  const auto matrix = [&](const char* type, int rows, int cols, bool columns, int units) {
    const int full = ((columns ? rows : cols) + unit - 1) / unit;
    return GemmMatrix{type, rows, cols, columns, (full + units) * unit};
  };
  a_ = matrix(kind_.type, m, k, a_columns, random_.any({0, 0, 1, 2}));
  b_ = matrix(kind_.type, k, n, b_columns, random_.any({0, 0, 1, 2}));
  if (!a_.columns && b_.columns && a_.line == b_.line && a_.line >= k + kind_.k)
    b_.line = (k + unit - 1) / unit * unit;
  const char* out = kind_.whole    ? "s32"
                    : kind_.halves ? random_.any({"f16", "f16", "f32"})
                                   : random_.any({"f32", "f32", "f16", "bf16"});
  d_ = {out, m, n, random_.one_in(4), 0};
  d_.line = (d_.columns ? m : n) + random_.any({0, 0, 4, 8});
  choose_c();
  which_ = random_.below(60);
}

void Generator::begin() {
  for (auto& [base, name] :
       {std::pair(&a_base_, "A"), {&b_base_, "B"}, {&c_base_, "C"}, {&d_base_, "D"}}) {
    if (base == &c_base_ && (adds_ == Adds::nothing || in_place_)) continue;
    *base = w_.fresh('d');
    w_.put("ld.param.u64 {}, [{}]", *base, name);
  }
  if (in_place_) c_base_ = d_base_;
  thread_ = w_.special("%tid.x");
  lane_ = random_.one_in(2) ? w_.special("%laneid") : w_.modulo(thread_, 32);
  group_ = w_.over(lane_, 4);
  in_group_ = w_.modulo(lane_, 4);
  const Value warp = w_.over(thread_, 32);
  const int m = 16 * tiles_m_, n = 8 * tiles_n_;
  if (warps_m_ > 1) warp_row_ = w_.times(w_.modulo(warp, warps_m_), m);
  if (warps_n_ > 1) warp_col_ = w_.times(w_.over(warp, warps_m_), n);
  if (a_.rows > m * warps_m_) block_row_ = w_.times(w_.special("%ctaid.x"), m * warps_m_);
  if (b_.cols > n * warps_n_) block_col_ = w_.times(w_.special("%ctaid.y"), n * warps_n_);
  set_sums();
}

void Generator::multiply(const std::vector<Names>& a, const std::vector<Names>& b) {
  const bool by_column = random_.one_in(3);
  for (int one = 0; one < tiles_m_ * tiles_n_; ++one) {
    const auto i = static_cast<std::size_t>(by_column ? one % tiles_m_ : one / tiles_n_),
               j = static_cast<std::size_t>(by_column ? one / tiles_m_ : one % tiles_n_);
    const std::string d = list(sums_[i][j]);
    w_.put("mma.sync.aligned.{} {}, {}, {}, {}", kind_.name, d, list(a[i]), list(b[j]), d);
  }
  if (adds_ != Adds::nothing && errs(GemmMistake::c_again)) add_c();
}

// Elements in the parts of one register, each in one of its own.
std::string Generator::packed(const Names& parts) {
  const std::string to = w_.fresh('r');
  if (parts.size() == 2) {
    w_.put("mov.b32 {}, {}", to, list(parts));
    return to;
  }
  if (random_.one_in(2)) {
    const Names pairs = fresh('r', 2);
    w_.put("prmt.b32 {}, {}, {}, 0x40", pairs[0], parts[0], parts[1]);
    w_.put("prmt.b32 {}, {}, {}, 0x40", pairs[1], parts[2], parts[3]);
    w_.put("prmt.b32 {}, {}, {}, 0x5410", to, pairs[0], pairs[1]);
    return to;
  }
  const Names high = fresh('r', 3), pairs = fresh('r', 2);
  for (std::size_t k = 0; k < 3; ++k)
    w_.put("shl.b32 {}, {}, {}", high[k], parts[k + 1], 8 * (k + 1));
  w_.put("or.b32 {}, {}, {}", pairs[0], parts[0], high[0]);
  w_.put("or.b32 {}, {}, {}", pairs[1], high[1], high[2]);
  w_.put("or.b32 {}, {}, {}", to, pairs[0], pairs[1]);
  return to;
}

// The register with A[line][k], or B[k][line], and what follows along k.
std::string Generator::load(bool is_a, const Value& line, const Value& k) {
  const GemmMatrix& from = is_a ? a_ : b_;
  const bool together = each() == 1 || from.columns != is_a;
  const auto address = [&](const Value& at) {
    const Value index =
        from.columns != is_a ? w_.line_of(line, from.line, at) : w_.line_of(at, from.line, line);
    return w_.behind(is_a ? a_base_ : b_base_, w_.times(index, kind_.bytes));
  };
  const Edge across = is_a ? Edge::a_m : Edge::b_n, along = is_a ? Edge::a_k : Edge::b_k;
  const auto loaded = [&](const char* type, const std::string& to, const Value& at) {
    const std::string there = inside(across, line, along, at);
    const std::string from_there = address(at);
    zeros({to}, there);
    w_.put("{}ld.global.{} {}, [{}]", there.empty() ? there : "@" + there + " ", type, to,
           from_there);
  };
  if (together) {
    const std::string to = w_.fresh('r');
    loaded("b32", to, k);
    return to;
  }
  Names parts;
  for (int part = 0; part < each(); ++part) {
    parts.push_back(w_.fresh(kind_.bytes == 2 ? 'h' : 'r'));
    loaded(kind_.bytes == 2 ? "u16" : "u8", parts.back(), w_.add(k, number(part)));
  }
  return packed(parts);
}

void Generator::straight(const Value& k) {
  const Value row = w_.add(w_.add(block_row_, warp_row_), group_),
              col = w_.add(w_.add(block_col_, warp_col_), group_),
              own = w_.add(k, w_.times(in_group_, each()));
  for (const int step : in_some_order(ks_)) {
    std::vector<Names> a, b;
    for (int i = 0; i < tiles_m_; ++i) {
      a.emplace_back();
      for (const auto& [rows, half] : kOfA)
        a.back().push_back(load(true, w_.add(row, number(16 * i + rows)),
                                w_.add(own, number(step * kind_.k + half * kind_.k / 2))));
    }
    for (int j = 0; j < tiles_n_; ++j) {
      b.emplace_back();
      for (int half = 0; half < 2; ++half)
        b.back().push_back(load(false, w_.add(col, number(8 * j)),
                                w_.add(own, number(step * kind_.k + half * kind_.k / 2))));
    }
    multiply(a, b);
  }
}

RandomGemm Generator::made() {
  choose();
  if (copy_ != Copy::none) choose_tiles();
  choose_d_tile();
  begin();
  if (copy_ == Copy::none)
    along_k([this](const Value& k) { straight(k); });
  else
    staged();
  store();
  w_.put("ret");
  if (mistake_ && !is_made_) return {};
  const int shared = std::max(stages_ * (a_tile_.bytes() + b_tile_.bytes()),
                              d_through_shared_ ? d_offset_ + d_tile_.bytes() : 0);
  const auto memory = [](const GemmMatrix& one, const char* with) {
    return fmt::format("{}:{}x{}{}", one.type, one.lines(), one.line, with);
  };
  RandomGemm gemm;
  gemm.a = a_, gemm.b = b_, gemm.d = d_;
  gemm.alpha = alpha_, gemm.beta = beta_;
  const int tile_m = warps_m_ * tiles_m_ * 16, tile_n = warps_n_ * tiles_n_ * 8;
  gemm.blocks_m = (a_.rows + tile_m - 1) / tile_m;
  gemm.blocks_n = (b_.cols + tile_n - 1) / tile_n;
  gemm.last_row = (gemm.blocks_m - 1) * tile_m, gemm.last_col = (gemm.blocks_n - 1) * tile_n;
  gemm.launch = {"--grid",
                 fmt::format("{},{}", gemm.blocks_m, gemm.blocks_n),
                 "--block",
                 std::to_string(threads()),
                 memory(a_, "=whole"),
                 memory(b_, "=whole:3")};
  Names parameters{".param .u64 A", ".param .u64 B"};
  const auto with_d = [&] {
    gemm.d_at = static_cast<int>(parameters.size());
    parameters.emplace_back(".param .u64 D");
    gemm.launch.push_back(memory(d_, in_place_ ? "=whole:5" : ""));
  };
  const bool d_first = random_.one_in(3);
  if (d_first) with_d();
  if (adds_ != Adds::nothing) {
    gemm.c = c_;
    gemm.c_at = static_cast<int>(parameters.size());
    parameters.emplace_back(".param .u64 C");
    gemm.launch.push_back(memory(c_, "=whole:5"));
  }
  if (!d_first) with_d();
  if (factors_told_)
    for (const auto& [name, factor] : {std::pair("alpha", alpha_), {"beta", beta_}}) {
      const char* type = kind_.whole ? "s32" : "f32";
      parameters.push_back(fmt::format(".param .{} {}", type, name));
      gemm.launch.push_back(fmt::format("{}={}", type, factor));
    }
  gemm.ptx = fmt::format(".version 7.8\n.target {}\n.address_size 64\n",
                         d_by_stmatrix_ ? "sm_90" : "sm_80");
  if (shared > 0) gemm.ptx += fmt::format(".shared .align 128 .b8 tile[{}];\n", shared);
  gemm.ptx += fmt::format(".visible .entry gemm({})\n{{\n{}{}}}\n", fmt::join(parameters, ", "),
                          w_.registers(), w_.lines());
  return gemm;
}

RandomGemm random_gemm(unsigned seed, std::optional<GemmMistake> mistake) {
  return Generator(seed, mistake).made();
}

}  // namespace lanescope::tests
