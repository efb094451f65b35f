// SPDX-License-Identifier: MIT
// See random_gemm.hpp: the same for Hopper. Tensor copies fill one or two stages, wgmma reads them
// through descriptors, or A from registers; which way round the matrices lie, the swizzle, the
// tiles, the warpgroups and the order of k are chosen.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "tests/fuzz/gemm/gemm_generator.hpp"

namespace lanescope::tests {
namespace {

struct Hopper {
  const char* type;
  const char* name;  // behind the shape
  int bytes;
  bool whole = false;
};
const Hopper kHoppers[] = {{"f16", "f32.f16.f16", 2},
                           {"bf16", "f32.bf16.bf16", 2},
                           {"f32", "f32.tf32.tf32", 4},
                           {"e4m3", "f32.e4m3.e4m3", 1},
                           {"s8", "s32.s8.s8", 1, true}};

/// A or B of a block in a stage of shared memory: boxes, each `wide` bytes a line.
struct Boxes {
  bool mn_major = false;
  int mn = 0, k = 0, bytes = 0;  // of an element
  int wide = 128;
  int inner() const { return wide / bytes; }
  int count() const { return (mn_major ? mn : k) / inner(); }
  int lines() const { return mn_major ? k : mn; }
  int box_bytes() const { return lines() * wide; }
  int all_bytes() const { return (count() * box_bytes() + 1023) / 1024 * 1024; }
  /// Where 32 bytes of k begin; `of`: which of them.
  int step_offset(int of) const {
    const int first = of * 32 / bytes;
    if (mn_major) return first * wide;
    return first / inner() * box_bytes() + first % inner() * bytes;
  }
};

class WgmmaGenerator {
 public:
  explicit WgmmaGenerator(unsigned seed) : random_(seed), w_(random_) {}
  RandomGemm made();

 private:
  void choose();
  void begin();
  void fetch(int step, int stage);
  void wait(int stage, int round);
  std::string descriptor(const Boxes& boxes, const Value& begin);
  std::vector<Names> load_a(const Value& stage);
  void multiply(int stage, bool first);
  void store();
  int stage_bytes() const { return a_.all_bytes() + b_.all_bytes(); }
  int steps_of_k() const { return a_.k * hopper_.bytes / 32; }

  Random random_;
  Writer w_;
  Hopper hopper_{};
  Boxes a_, b_;
  int groups_ = 1, steps_ = 1, stages_ = 1, blocks_m_ = 1, blocks_n_ = 1, d_line_ = 0;
  bool a_in_registers_ = false, zeroed_ = false;
  Value thread_, lane_, warp_, group_, tile_, barriers_, row_, col_;
  std::string a_map_, b_map_, d_base_, one_;
  Names sums_;
};

void WgmmaGenerator::choose() {
  hopper_ = kHoppers[random_.any({0, 0, 1, 2, 3, 4})];
  const bool halves = hopper_.bytes == 2;
  const int wide = random_.any({128, 128, 64, 32});
  groups_ = random_.any({1, 1, 2});
  const int k = wide / hopper_.bytes * random_.any({1, 1, 2});
  a_ = {halves && random_.one_in(3), 64 * groups_, k, hopper_.bytes, wide};
  b_ = {false, random_.any({8, 16, 32, 64}), k, hopper_.bytes, wide};
  b_.mn_major = halves && b_.mn % b_.inner() == 0 && random_.one_in(2);
  a_in_registers_ = !a_.mn_major && random_.one_in(4);
  steps_ = random_.any({1, 2, 2, 3});
  stages_ = steps_ > 1 ? random_.any({1, 2}) : 1;
  blocks_m_ = random_.any({1, 1, 2});
  blocks_n_ = random_.any({1, 1, 2});
  zeroed_ = random_.one_in(2);
  d_line_ = b_.mn * blocks_n_ + random_.any({0, 0, 8});
}

void WgmmaGenerator::begin() {
  thread_ = w_.special("%tid.x");
  lane_ = w_.modulo(thread_, 32);
  warp_ = w_.over(thread_, 32);
  group_ = groups_ > 1 ? w_.over(warp_, 4) : number(0);
  tile_ = w_.special("tile");
  barriers_ = w_.special("barriers");
  for (auto& [map, name] : {std::pair(&a_map_, "A"), {&b_map_, "B"}}) {
    const std::string symbol = w_.fresh('d');
    *map = w_.fresh('d');
    w_.put("mov.b64 {}, {}", symbol, name);
    w_.put("cvta.param.u64 {}, {}", *map, symbol);
  }
  d_base_ = w_.fresh('d');
  w_.put("ld.param.u64 {}, [D]", d_base_);
  if (blocks_m_ > 1) row_ = w_.times(w_.special("%ctaid.x"), a_.mn);
  if (blocks_n_ > 1) col_ = w_.times(w_.special("%ctaid.y"), b_.mn);
  one_ = w_.fresh('p');
  w_.put("setp.eq.u32 {}, {}, 0", one_, thread_.text());
  for (int stage = 0; stage < stages_; ++stage)
    w_.put("@{} mbarrier.init.shared::cta.b64 [{}], 1", one_,
           w_.add(barriers_, number(8 * stage)).text());
  w_.put("@{} fence.mbarrier_init.release.cluster", one_);
  w_.put("bar.sync 0");
  for (int k = 0; k < b_.mn / 2; ++k) {
    sums_.push_back(w_.fresh(hopper_.whole ? 'r' : 'f'));
    if (zeroed_)
      w_.put("mov.{}, {}", (hopper_.whole ? "u32 " : "f32 ") + sums_.back(),
             hopper_.whole ? "0" : "0f00000000");
  }
}

void WgmmaGenerator::fetch(int step, int stage) {
  const std::string barrier = w_.add(barriers_, number(8 * stage)).text();
  w_.put("@{} mbarrier.arrive.expect_tx.shared::cta.b64 _, [{}], {}", one_, barrier,
         a_.count() * a_.box_bytes() + b_.count() * b_.box_bytes());
  for (const bool is_a : {true, false}) {
    const Boxes& boxes = is_a ? a_ : b_;
    const int first = stage * stage_bytes() + (is_a ? 0 : a_.all_bytes());
    for (int box = 0; box < boxes.count(); ++box) {
      const int along = box * boxes.inner();
      const Value mn = w_.add(is_a ? row_ : col_, number(boxes.mn_major ? along : 0)),
                  k = number(step * boxes.k + (boxes.mn_major ? 0 : along));
      w_.put(
          "@{} cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
          "[{}], [{}, {{{}, {}}}], [{}]",
          one_, w_.add(tile_, number(first + box * boxes.box_bytes())).text(),
          is_a ? a_map_ : b_map_, w_.in_register(boxes.mn_major ? mn : k),
          w_.in_register(boxes.mn_major ? k : mn), barrier);
    }
  }
}

void WgmmaGenerator::wait(int stage, int round) {
  const std::string done = w_.fresh('p'), again = w_.label();
  w_.place(again);
  w_.put("mbarrier.try_wait.parity.shared::cta.b64 {}, [{}], {}", done,
         w_.add(barriers_, number(8 * stage)).text(), round % 2);
  w_.put("@!{} bra {}", done, again);
}

std::string WgmmaGenerator::descriptor(const Boxes& boxes, const Value& begin) {
  // From one group of 8 lines to the next, and, where M or N goes along a line, from box to box.
  const int between_groups = 8 * boxes.wide,
            between_boxes = boxes.mn_major ? boxes.box_bytes() : 16;
  const int mode = boxes.wide == 128 ? 1 : boxes.wide == 64 ? 2 : 3;
  const std::string bits = w_.fresh('r'), low = w_.fresh('r'), high = w_.fresh('r'),
                    to = w_.fresh('d');
  w_.put("bfe.u32 {}, {}, 4, 14", bits, begin.text());
  w_.put("or.b32 {}, {}, {}", low, bits, between_boxes / 16 << 16);
  w_.put("mov.u32 {}, {}", high, between_groups / 16 | mode << 30);
  w_.put("mov.b64 {}, {{{}, {}}}", to, low, high);
  return to;
}

// A's registers of each 32 bytes of k, by loads that know the swizzle.
std::vector<Names> WgmmaGenerator::load_a(const Value& stage) {
  std::vector<Names> all;
  const Value quad = w_.over(lane_, 4), in_quad = w_.times(w_.modulo(lane_, 4), 4);
  const Value row = w_.add(w_.times(warp_, 16), quad);
  for (int step = 0; step < steps_of_k(); ++step) {
    all.emplace_back();
    for (const auto& [rows, half] : {std::pair(0, 0), {8, 0}, {0, 1}, {8, 1}}) {
      const int byte = step * 32 + half * 16, box = byte / a_.wide;
      const Value line = w_.add(row, number(rows));
      const Value at = w_.line_of(line, a_.wide, w_.add(in_quad, number(byte % a_.wide)));
      // The bits above the 16 bytes are those of the line, as far as the swizzle goes.
      const std::string shifted = w_.fresh('r'), mask = w_.fresh('r');
      w_.put("shr.u32 {}, {}, 3", shifted, at.text());
      w_.put("and.b32 {}, {}, {}", mask, shifted, (a_.wide / 16 - 1) << 4);
      const Value place = w_.exclusive_or(at, {mask, 0});
      all.back().push_back(w_.fresh('r'));
      w_.put("ld.shared.b32 {}, [{}]", all.back().back(),
             w_.add(w_.add(place, number(box * a_.box_bytes())), stage).text());
    }
  }
  return all;
}

void WgmmaGenerator::multiply(int stage, bool first) {
  const Value begin = w_.add(tile_, number(stage * stage_bytes()));
  const std::vector<Names> a = a_in_registers_ ? load_a(begin) : std::vector<Names>();
  // 64 rows of A farther on.
  const int of_group = a_.mn_major ? 64 / a_.inner() * a_.box_bytes() : 64 * a_.wide;
  const Value own = groups_ > 1 ? w_.line_of(group_, of_group, begin) : begin;
  std::vector<int> order(static_cast<std::size_t>(steps_of_k()));
  std::iota(order.begin(), order.end(), 0);
  if (random_.one_in(3)) std::reverse(order.begin(), order.end());
  w_.put("wgmma.fence.sync.aligned");
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool adds = zeroed_ || !first || k > 0;
    const std::string from_a = a_in_registers_
                                   ? list(a[static_cast<std::size_t>(order[k])])
                                   : descriptor(a_, w_.add(own, number(a_.step_offset(order[k]))));
    const std::string from_b =
        descriptor(b_, w_.add(begin, number(a_.all_bytes() + b_.step_offset(order[k]))));
    const std::string scale = w_.fresh('p');
    w_.put("setp.ne.b32 {}, {}, 0", scale, adds ? 1 : 0);
    std::string rest = hopper_.whole ? "" : ", 1, 1";
    if (hopper_.bytes == 2)
      rest += fmt::format("{}, {}", a_in_registers_ ? "" : fmt::format(", {:d}", a_.mn_major),
                          static_cast<int>(b_.mn_major));
    w_.put("wgmma.mma_async.sync.aligned.m64n{}k{}.{} {}, {}, {}, {}{}", b_.mn, 32 / hopper_.bytes,
           hopper_.name, list(sums_), from_a, from_b, scale, rest);
  }
  w_.put("wgmma.commit_group.sync.aligned");
  w_.put("wgmma.wait_group.sync.aligned 0");
}

void WgmmaGenerator::store() {
  const Value row = w_.add(w_.add(w_.times(warp_, 16), w_.over(lane_, 4)), row_),
              col = w_.add(w_.times(w_.modulo(lane_, 4), 2), col_);
  for (int j = 0; j < b_.mn / 8; ++j)
    for (int half = 0; half < 2; ++half) {
      const Value index =
          w_.line_of(w_.add(row, number(8 * half)), d_line_, w_.add(col, number(8 * j)));
      const std::string to = w_.behind(d_base_, w_.times(index, 4));
      const auto first = static_cast<std::size_t>(4 * j + 2 * half);
      const char* type = hopper_.whole ? "u32" : "f32";
      if (random_.one_in(2)) {
        w_.put("st.global.v2.{} [{}], {}", type, to, list({sums_[first], sums_[first + 1]}));
        continue;
      }
      w_.put("st.global.{} [{}], {}", type, to, sums_[first]);
      w_.put("st.global.{} [{}+4], {}", type, to, sums_[first + 1]);
    }
}

RandomGemm WgmmaGenerator::made() {
  choose();
  begin();
  for (int step = 0; step < std::min(stages_, steps_); ++step) fetch(step, step);
  for (int step = 0; step < steps_; ++step) {
    const int stage = step % stages_;
    wait(stage, step / stages_);
    multiply(stage, step == 0);
    if (step + stages_ >= steps_) continue;
    if (a_in_registers_) w_.put("fence.proxy.async");
    w_.put("bar.sync 0");
    fetch(step + stages_, stage);
  }
  store();
  w_.put("ret");
  RandomGemm gemm;
  gemm.ptx = fmt::format(
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".extern .shared .align 1024 .b8 tile[];\n.shared .align 8 .b8 barriers[{}];\n"
      ".visible .entry gemm(.param .align 64 .b8 A[128], .param .align 64 .b8 B[128], "
      ".param .u64 D)\n{{\n{}{}}}\n",
      8 * stages_, w_.registers(), w_.lines());
  const int m = a_.mn * blocks_m_, n = b_.mn * blocks_n_, k = a_.k * steps_;
  gemm.a = {hopper_.type, m, k, a_.mn_major, a_.mn_major ? m : k};
  gemm.b = {hopper_.type, k, n, !b_.mn_major, b_.mn_major ? n : k};
  gemm.d = {hopper_.whole ? "s32" : "f32", m, n, false, d_line_};
  gemm.blocks_m = blocks_m_, gemm.blocks_n = blocks_n_;
  gemm.last_row = m - a_.mn, gemm.last_col = n - b_.mn;
  const auto map = [](const GemmMatrix& matrix, const Boxes& boxes, const char* with) {
    return fmt::format("map:{}:{}x{}:{}x{}:{}B={}", matrix.type, matrix.lines(), matrix.line,
                       boxes.lines(), boxes.inner(), boxes.wide, with);
  };
  gemm.launch = {"--grid",
                 fmt::format("{},{}", blocks_m_, blocks_n_),
                 "--block",
                 std::to_string(128 * groups_),
                 "--shared",
                 std::to_string(stages_ * stage_bytes()),
                 map(gemm.a, a_, "whole"),
                 map(gemm.b, b_, "whole:3"),
                 fmt::format("{}:{}x{}", gemm.d.type, m, d_line_)};
  return gemm;
}

}  // namespace

RandomGemm random_wgmma(unsigned seed) { return WgmmaGenerator(seed).made(); }

}  // namespace lanescope::tests
