// SPDX-License-Identifier: MIT
// Steps that touch memory: loads, stores, atomics, matrices, bulk copies, wgmma.
#include "tests/emulator/races/writer.hpp"

namespace lanescope::emulator::races {

void Writer::access(const Step& step) {
  const std::string at = address(step);
  const bool is_load = step.op == Op::load;
  const int words = step.bytes / 4;
  const std::string type =
      words > 1 ? fmt::format(".v{}.u32", words) : fmt::format(".u{}", 8 * step.bytes);
  if (!is_load)
    line(fmt::format("mov.u32 %v, {};", 0x01010101u * static_cast<unsigned>(index_ + 1)));
  const char* each = is_load ? "%x" : "%v";
  std::string value = each;
  if (is_load && words == 2) value = "{%x, %y}";
  if (is_load && words == 4) value = "{%x, %y, %a, %v}";
  if (!is_load && words > 1) value = words == 2 ? "{%v, %v}" : "{%v, %v, %v, %v}";
  const std::string how = strength(step, is_load ? "acquire" : "release");
  if (is_load)
    guarded(fmt::format("ld{}{}{} {}, {};", how, space(step), type, value, at));
  else
    guarded(fmt::format("st{}{}{} {}, {};", how, space(step), type, at, value));
}

void Writer::atomic(const Step& step) {
  const std::string at = address(step);
  const std::string how =
      step.variant == 0 ? "" : fmt::format(".relaxed.{}", kScopes[static_cast<int>(step.scope)]);
  if (step.variant == kNoAnswer)
    guarded(fmt::format("red{}{}.add.u32 {}, 0x50505050;", how, space(step), at));
  else
    guarded(fmt::format("atom{}{}.exch.b32 %x, {}, {};", how, space(step), at,
                        0x01010101u * static_cast<unsigned>(index_ + 1)));
}

// Eight rows: the cells of the mask in turn.
void Writer::matrix(const Step& step) {
  std::uint32_t rows = 0;
  for (int row = 0, cell = -1; row < 8; ++row) {
    do cell = (cell + 1) % kCells;
    while (((step.cells >> cell) & 1) == 0);
    rows |= static_cast<std::uint32_t>(cell) << 4 * row;
  }
  line("and.b32 %x, %lane, 7; shl.b32 %x, %x, 2;");
  line(fmt::format("shr.u32 %x, {}, %x; and.b32 %x, %x, 15; mad.lo.u32 %a, %x, 16, %tile;", rows));
  line(fmt::format("mov.u32 %v, {};", 0x01010101u * static_cast<unsigned>(index_ + 1)));
  guarded(step.op == Op::matrix_load ? "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x}, [%a];"
                                     : "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%a], {%v};");
}

void Writer::expect(const Step& step, const char* at, bool is_peer) {
  guarded(fmt::format("mbarrier.arrive.expect_tx{} {}, {}, {};",
                      is_peer ? ".release.cluster.shared::cluster.b64" : ".shared.b64",
                      is_peer ? "_" : "%s", mbarrier(step, at), step.bytes));
}

void Writer::bulk(const Step& step) {
  const bool to_both = step.variant == kMulticast;
  const bool to_peer = step.place == Place::peer;
  const auto expects = [&] {
    expect(step, base(step), to_peer);
    if (to_both) expect(step, "%peer", true);
  };
  const bool expects_first = step.variant != 1;
  if (expects_first) expects();
  const std::string source = step.is_from_cells
                                 ? fmt::format("[%cells+{}]", step.stride)
                                 : fmt::format("[%source+{}]", kSourceBytes * index_);
  const std::string to = fmt::format("[{}+{}]", base(step), step.offset);
  if (step.op == Op::async_store)
    guarded(fmt::format("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 {}, {}, {};", to,
                        0x01010101u * static_cast<unsigned>(index_ + 1), mbarrier(step)));
  else if (step.op == Op::bulk_send)
    guarded(
        fmt::format("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                    "{}, [%tile+{}], {}, {};",
                    to, step.stride, step.bytes, mbarrier(step)));
  else if (step.is_tensor)
    guarded(fmt::format(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
        "bytes{} {}, [{}], {}{};",
        to_both ? ".multicast::cluster" : "", to, box(step), mbarrier(step), to_both ? ", 3" : ""));
  else
    guarded(
        fmt::format("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{} {}, "
                    "{}, {}, {}{};",
                    to_both ? ".multicast::cluster" : "", to, source, step.bytes, mbarrier(step),
                    to_both ? ", 3" : ""));
  if (!expects_first) expects();
}

// One place for the four warps, who must come to the same instruction; they go on by their number.
void Writer::multiply(int warp) {
  line(fmt::format("bra.uni M{};", index_));
  line(fmt::format("M{}_{}:", index_, warp));
}

// All eight-row matrices of an operand are the same 128 bytes: both offsets of the descriptor are
// 0.
void Writer::product(const Step& step, int index) {
  index_ = index;
  guard_.clear();
  line(fmt::format("M{}:", index));
  for (int k = 0; k < 2; ++k)
    line(
        fmt::format("add.u32 %x, %tile, {}; and.b32 %x, %x, 0x3ffff; shr.u32 %x, %x, 4; "
                    "cvt.u64.u32 %d{}, %x;",
                    128 * (step.variant >> k & 1), k));
  line("wgmma.fence.sync.aligned;");
  guarded(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d0, %d1, 1, 1, 1, "
      "0, 0;");
  line("wgmma.commit_group.sync.aligned;");
  for (int warp = 0; warp < kWarps; ++warp)
    line(fmt::format("setp.eq.u32 %p, %warp, {}; @%p bra.uni M{}_{};", warp, index, warp));
}

}  // namespace lanescope::emulator::races
