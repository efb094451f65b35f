// SPDX-License-Identifier: MIT
// A program's PTX: a block for each warp of each CTA, so that a line belongs to one step of one.
#include <fmt/format.h>

#include "tests/emulator/races/program.hpp"

namespace lanescope::emulator::races {
namespace {

constexpr const char* kVotes[] = {"vote.sync.any.pred %p, %p", "shfl.sync.idx.b32 %x, %y, 0, 31"};
constexpr const char* kScopes[] = {"cta", "cluster", "gpu"};

std::uint32_t lane_mask(unsigned agents) {
  return (agents & 15) | ((agents & 16) != 0 ? 0xfffffff0u : 0u);
}

class Writer {
 public:
  Writer(const Program& program, Text& text) : program_(program), text_(text) {}

  void line(const std::string& statement, int step = -1) {
    text_.ptx += statement + "\n";
    text_.steps.push_back(step);
  }

  void head(int kernel);
  void block(int cta, int warp, std::size_t from, std::size_t end);
  void product(const Step& step, int index);
  void tail();
  void kernel(int number, std::size_t from, std::size_t end);

 private:
  // The lanes of a step alone.
  void guarded(const std::string& statement) { line(guard_ + statement, index_); }
  void choose(unsigned agents) {
    guard_.clear();
    if (agents == kAllAgents) return;
    line(fmt::format("and.b32 %x, %bit, {}; setp.ne.u32 %g, %x, 0;", lane_mask(agents)));
    guard_ = "@%g ";
  }
  std::string space(const Step& step) const {
    if (step.place == Place::global) return ".global";
    return step.place == Place::peer ? ".shared::cluster" : ".shared";
  }
  // The register with the beginning of what a step means.
  static const char* base(const Step& step) {
    return step.place == Place::global ? "%cells" : step.place == Place::peer ? "%peer" : "%tile";
  }
  std::string address(const Step& step) {
    if (step.stride == 0) return fmt::format("[{}+{}]", base(step), step.offset);
    const bool wide = step.place == Place::global;
    line(fmt::format("mad.{}.u32 {}, %lane, {}, {};", wide ? "wide" : "lo", wide ? "%ga" : "%a",
                     step.stride, base(step)));
    return fmt::format("[{}+{}]", wide ? "%ga" : "%a", step.offset);
  }
  std::string mbarrier(const Step& step, const char* of = nullptr) const {
    return fmt::format("[{}+{}]", of != nullptr ? of : base(step), kMbarriersAt + 8 * step.object);
  }
  std::string flag(const Step& step) const {
    const int at = step.place == Place::global ? kCells * kCellBytes : kFlagsAt;
    return fmt::format("[{}+{}]", base(step), at + 4 * step.object);
  }
  std::string lock_word(const Step& step) const {
    const int at = step.place == Place::global ? kCells * kCellBytes : kFlagsAt;
    return fmt::format("[{}+{}]", base(step), at + 4 * (kFlags + step.object));
  }
  std::string strength(const Step& step, const char* ordered) const {
    if (step.strength == Strength::plain) return "";
    if (step.strength == Strength::is_volatile) return ".volatile";
    const char* word = step.strength == Strength::relaxed ? "relaxed" : ordered;
    return fmt::format(".{}.{}", word, kScopes[static_cast<int>(step.scope)]);
  }

  // The map and the coordinates of a tensor copy.
  std::string box(const Step& step) {
    const bool stores = step.op == Op::bulk_store;
    line(fmt::format("add.u64 %ga, %maps, {}; mov.u32 %x, 0; mov.u32 %y, {};",
                     kMapBytes * (2 * (stores ? 1 : 0) + step.bytes / kCellBytes - 1),
                     (stores ? step.offset : kSourceBytes * index_) / kCellBytes));
    return "%ga, {%x, %y}";
  }

  void one(const Step& step);
  void access(const Step& step);
  void atomic(const Step& step);
  void matrix(const Step& step);
  void expect(const Step& step, const char* at, bool is_peer);
  void bulk(const Step& step);
  void barrier(const Step& step, int warp);
  void wait(const Step& step);
  void renew(const Step& step);
  void fence(const Step& step);
  void signal(const Step& step);
  void await(const Step& step);
  void lock(const Step& step);
  void unlock(const Step& step);
  void multiply(int warp);

  const Program& program_;
  Text& text_;
  std::string guard_;
  int index_ = 0, labels_ = 0;
};

void Writer::head(int kernel) {
  line(
      fmt::format(".visible .entry races{}(.param .u64 cells, .param .u64 source, .param .align 64 "
                  ".b8 maps[{}])",
                  kernel, kMaps * kMapBytes));
  line("{");
  line(".reg .pred %g, %p, %q; .reg .b32 %x, %y, %a, %v, %bit, %lane, %tile, %peer, %cta, %warp;");
  line(".reg .b64 %cells, %source, %maps, %ga, %s, %d<2>; .reg .f32 %f<4>;");
  line(fmt::format(".shared .align 128 .b8 tile[{}];", kSharedBytes));
  line("mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;");
  line("ld.param.u64 %cells, [cells]; ld.param.u64 %source, [source];");
  line("mov.u64 %maps, maps; cvta.param.u64 %maps, %maps;");
  line("mov.u32 %lane, %laneid; mov.u32 %tile, tile; mov.u32 %cta, %ctaid.x;");
  line("shl.b32 %bit, 1, %lane; mov.u32 %warp, %tid.x; shr.u32 %warp, %warp, 5;");
  line("setp.ne.u32 %p, %lane, 0; setp.ne.u32 %q, %warp, 0; or.pred %p, %p, %q; @%p bra READY;");
  for (int at = 0; at < kSharedBytes; at += 16)
    if (at < kMbarriersAt || at >= kFlagsAt)
      line(fmt::format("st.shared.v4.u32 [%tile+{}], {{0, 0, 0, 0}};", at));
  for (int k = 0; k < kMbarriers; ++k)
    line(fmt::format("mbarrier.init.shared.b64 [%tile+{}], {};", kMbarriersAt + 8 * k,
                     program_.arrivals[static_cast<std::size_t>(k)]));
  line("fence.mbarrier_init.release.cluster; fence.proxy.async;");
  line("READY:");
  line("bar.warp.sync -1; bar.sync 0;");
  if (program_.is_cluster) {
    line("xor.b32 %x, %cta, 1; mapa.shared::cluster.u32 %peer, %tile, %x;");
    line("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;");
  }
  line("mad.lo.u32 %x, %cta, 4, %warp;");
  for (int cta = 0; cta < program_.ctas; ++cta)
    for (int warp = 0; warp < program_.warps; ++warp)
      line(fmt::format("setp.eq.u32 %p, %x, {}; @%p bra.uni W{}_{};", 4 * cta + warp, cta, warp));
  line("trap;");
}

void Writer::tail() {
  line("OVER:");
  line("bar.warp.sync -1;");  // lanes that have exited count as having arrived wherever others do
  line("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
  if (program_.is_cluster) line("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;");
  line("ret;");
  line("}");
}

void Writer::block(int cta, int warp, std::size_t from, std::size_t end) {
  line(fmt::format("W{}_{}:", cta, warp));
  for (std::size_t n = from; n < end; ++n) {
    const Step& step = program_.steps[n];
    index_ = static_cast<int>(n);
    if (step.cta != cta) continue;
    if (step.op == Op::barrier) {
      if ((((step.warps | step.arrivers) >> warp) & 1) != 0) barrier(step, warp);
    } else if (step.op == Op::wgmma) {
      multiply(warp);
    } else if (step.warp == warp) {
      one(step);
    }
  }
  line("bra.uni OVER;");
}

// Every step writes bytes of its own.
void Writer::one(const Step& step) {
  choose(step.lanes);
  switch (step.op) {
    case Op::load:
    case Op::store:
      return access(step);
    case Op::atomic:
      return atomic(step);
    case Op::matrix_load:
    case Op::matrix_store:
      return matrix(step);
    case Op::copy:
      return guarded(fmt::format("cp.async.{}.shared.global {}, [%source+{}], {};",
                                 step.bytes == 16 && step.variant != 0 ? "cg" : "ca", address(step),
                                 kSourceBytes * index_, step.bytes));
    case Op::copy_commit:
      return guarded("cp.async.commit_group;");
    case Op::copy_wait:
      return guarded(step.count < 0 ? "cp.async.wait_all;"
                                    : fmt::format("cp.async.wait_group {};", step.count));
    case Op::copy_arrive:
      return guarded(fmt::format("cp.async.mbarrier.arrive{}.shared.b64 {};",
                                 step.variant == 0 ? ".noinc" : "", mbarrier(step)));
    case Op::bulk_load:
    case Op::bulk_send:
    case Op::async_store:
      return bulk(step);
    case Op::bulk_store:
      return guarded(
          step.is_tensor
              ? fmt::format("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [{}], "
                            "[%tile+{}];",
                            box(step), step.stride)
              : fmt::format("cp.async.bulk.global.shared::cta.bulk_group [%cells+{}], "
                            "[%tile+{}], {};",
                            step.offset, step.stride, step.bytes));
    case Op::bulk_commit:
      return guarded("cp.async.bulk.commit_group;");
    case Op::bulk_wait:
      return guarded(fmt::format("cp.async.bulk.wait_group{} {};", step.variant != 0 ? ".read" : "",
                                 step.count));
    case Op::warp_barrier:
      return guarded(fmt::format("bar.warp.sync {};", lane_mask(step.lanes)));
    case Op::vote:
      return guarded(fmt::format("{}, {};", kVotes[step.variant], lane_mask(step.lanes)));
    case Op::arrive:
      if (step.place == Place::peer)
        return guarded(fmt::format("mbarrier.arrive.{}.cluster.shared::cluster.b64 _, {};",
                                   step.strength == Strength::relaxed ? "relaxed" : "release",
                                   mbarrier(step)));
      return guarded(fmt::format("mbarrier.arrive{}.shared.b64 %s, {};",
                                 step.strength == Strength::relaxed ? ".relaxed.cta" : "",
                                 mbarrier(step)));
    case Op::wait:
      return wait(step);
    case Op::renew:
      return renew(step);
    case Op::proxy_fence:
    case Op::fence:
      return fence(step);
    case Op::signal:
      return signal(step);
    case Op::await:
      return await(step);
    case Op::lock:
      return lock(step);
    case Op::unlock:
      return unlock(step);
    case Op::cluster_arrive:
      return guarded(fmt::format("barrier.cluster.arrive{}.aligned;",
                                 step.strength == Strength::relaxed ? ".relaxed" : ""));
    case Op::cluster_wait:
      return guarded("barrier.cluster.wait.aligned;");
    case Op::wgmma_wait:
      return guarded(fmt::format("wgmma.wait_group.sync.aligned {};", step.count));
    default:
      return;
  }
}

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
  if (step.variant == 1)
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
  const std::string source = fmt::format("[%source+{}]", kSourceBytes * index_);
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

void Writer::barrier(const Step& step, int warp) {
  guard_.clear();
  const unsigned all = (1u << program_.warps) - 1;
  const bool waits = ((step.warps >> warp) & 1) != 0;
  const int threads = 32 * __builtin_popcount(step.warps | step.arrivers);
  const bool is_whole = step.warps == all && step.variant == 0;
  const char* word = !waits ? "bar.arrive" : step.variant == 2 ? "barrier.sync" : "bar.sync";
  guarded(is_whole ? fmt::format("{} {};", word, step.object)
                   : fmt::format("{} {}, {};", word, step.object, threads));
}

void Writer::wait(const Step& step) {
  const int label = labels_++;
  const std::string how = step.strength == Strength::relaxed ? ".relaxed.cta"
                          : step.variant == 2                ? ".acquire.cluster"
                                                             : "";
  if (!guard_.empty()) line(fmt::format("@!%g bra L{}_over;", label));
  guard_.clear();
  line(fmt::format("L{}:", label));
  guarded(fmt::format("mbarrier.{}.parity{}.shared.b64 %p, {}, {};",
                      step.variant == 1 ? "test_wait" : "try_wait", how, mbarrier(step),
                      step.count));
  line(fmt::format("@!%p bra L{};", label));
  line(fmt::format("L{}_over:", label));
}

void Writer::renew(const Step& step) {
  guarded(fmt::format("mbarrier.inval.shared.b64 {};", mbarrier(step)));
  guarded(fmt::format("mbarrier.init.shared.b64 {}, {};", mbarrier(step), step.count));
  if (step.variant == kFenced) guarded("fence.mbarrier_init.release.cluster;");
}

void Writer::fence(const Step& step) {
  if (step.op == Op::proxy_fence)
    return guarded(step.variant == 0              ? "fence.proxy.async;"
                   : step.variant == kGlobalProxy ? "fence.proxy.async.global;"
                                                  : "fence.proxy.async.shared::cta;");
  const char* scope = kScopes[static_cast<int>(step.scope)];
  if (step.variant == 2 && step.scope != Scope::cluster)
    return guarded(step.scope == Scope::gpu ? "membar.gl;" : "membar.cta;");
  guarded(fmt::format("fence.{}.{};", step.variant == 1 ? "sc" : "acq_rel", scope));
}

void Writer::signal(const Step& step) {
  const std::string how = strength(step, "release");
  const char* scope = kScopes[static_cast<int>(step.scope)];
  const char* order = step.strength == Strength::ordered ? "release" : "relaxed";
  if (step.variant == 0)
    guarded(fmt::format("red.{}.{}{}.add.u32 {}, 1;", order, scope, space(step), flag(step)));
  else if (step.variant == 1)
    guarded(fmt::format("st{}{}.u32 {}, 1;", how, space(step), flag(step)));
  else
    guarded(fmt::format("atom.{}.{}{}.exch.b32 %x, {}, 1;", order, scope, space(step), flag(step)));
}

void Writer::await(const Step& step) {
  const int label = labels_++;
  if (!guard_.empty()) line(fmt::format("@!%g bra L{}_over;", label));
  guard_.clear();
  line(fmt::format("L{}:", label));
  if (step.variant == 0)
    guarded(fmt::format("ld{}{}.u32 %x, {};", strength(step, "acquire"), space(step), flag(step)));
  else
    guarded(fmt::format("atom{}.or.b32 %x, {}, 0;", space(step), flag(step)));
  line(fmt::format("setp.lt.u32 %p, %x, {}; @%p bra L{};", step.count, label));
  line(fmt::format("L{}_over:", label));
}

// Turn n finds 2 n, sets 2 n + 1 and leaves 2 n + 2.
void Writer::lock(const Step& step) {
  const int label = labels_++;
  if (!guard_.empty()) line(fmt::format("@!%g bra L{}_over;", label));
  guard_.clear();
  line(fmt::format("L{}:", label));
  const char* order = step.variant == kReleasesToo         ? "acq_rel"
                      : step.strength == Strength::ordered ? "acquire"
                                                           : "relaxed";
  guarded(fmt::format("atom.{}.{}{}.cas.b32 %x, {}, {}, {};", order,
                      kScopes[static_cast<int>(step.scope)], space(step), lock_word(step),
                      2 * step.count, 2 * step.count + 1));
  line(fmt::format("setp.ne.u32 %p, %x, {}; @%p bra L{};", 2 * step.count, label));
  line(fmt::format("L{}_over:", label));
}

void Writer::unlock(const Step& step) {
  const char* scope = kScopes[static_cast<int>(step.scope)];
  const char* order = step.strength == Strength::ordered ? "release" : "relaxed";
  if (step.variant == 0)
    guarded(fmt::format("st{}{}.u32 {}, {};", strength(step, "release"), space(step),
                        lock_word(step), 2 * step.count + 2));
  else if (step.variant == 1)
    guarded(fmt::format("atom.{}.{}{}.exch.b32 %x, {}, {};", order, scope, space(step),
                        lock_word(step), 2 * step.count + 2));
  else
    guarded(fmt::format("red.{}.{}{}.add.u32 {}, 1;", order, scope, space(step), lock_word(step)));
}

// All eight-row matrices of an operand are the same 128 bytes: both offsets of the descriptor are
// 0.
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

void Writer::kernel(int number, std::size_t from, std::size_t end) {
  head(number);
  for (int cta = 0; cta < program_.ctas; ++cta)
    for (int warp = 0; warp < program_.warps; ++warp) block(cta, warp, from, end);
  for (std::size_t n = from; n < end; ++n)
    if (program_.steps[n].op == Op::wgmma) product(program_.steps[n], static_cast<int>(n));
  tail();
}

}  // namespace

Text write(const Program& program) {
  Text text;
  Writer writer(program, text);
  text.steps.push_back(-1);  // lines begin with 1
  writer.line(".version 9.0");
  writer.line(".target sm_90a");
  writer.line(".address_size 64");
  text.kernels = 0;
  for (std::size_t from = 0, end = 0; end <= program.steps.size(); ++end) {
    const bool is_last = end == program.steps.size();
    if (!is_last && program.steps[end].op != Op::next_kernel) continue;
    writer.kernel(text.kernels++, from, end);
    if (!is_last) writer.line("// the next kernel", static_cast<int>(end));
    from = end + 1;
  }
  return text;
}

std::string describe(const Program& program) {
  const Text text = write(program);
  std::string all = fmt::format("seed {}: {} CTAs{} of {} warps\n", program.seed, program.ctas,
                                program.is_cluster ? " (a cluster)" : "", program.warps);
  for (int n = 0; n < static_cast<int>(program.steps.size()); ++n) {
    const Step& step = program.steps[static_cast<std::size_t>(n)];
    std::size_t from = 0;
    for (std::size_t line = 1; line < text.steps.size(); ++line) {
      const std::size_t end = text.ptx.find('\n', from);
      if (text.steps[line] == n)
        all += fmt::format("  {:2}  CTA {} warp {} lanes {:#04x}  {}\n", n, step.cta, step.warp,
                           step.lanes, text.ptx.substr(from, end - from));
      from = end + 1;
    }
  }
  return all;
}

}  // namespace lanescope::emulator::races
