// SPDX-License-Identifier: MIT
// A program's PTX: a block for each warp of each CTA, so that a line belongs to one step of one.
#include "tests/emulator/races/writer.hpp"

namespace lanescope::emulator::races {

namespace {

constexpr const char* kVotes[] = {"vote.sync.any.pred %p, %p", "shfl.sync.idx.b32 %x, %y, 0, 31"};

}  // namespace

void Writer::head(int kernel) {
  line(
      fmt::format(".visible .entry races{}(.param .u64 cells, .param .u64 source, .param .align 64 "
                  ".b8 maps[{}])",
                  kernel, kMaps * kMapBytes));
  line("{");
  line(
      ".reg .pred %g, %p, %q; .reg .b32 %x, %y, %a, %v, %turn, %bit, %lane, %tile, %peer, %cta, "
      "%warp;");
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
  line("xor.b32 %x, %y, %a; xor.b32 %x, %x, %v;");  // loads of several words want them all
  line("mad.lo.u32 %x, %cta, 4, %warp;");
  for (int cta = 0; cta < program_.ctas; ++cta)
    for (int warp = 0; warp < program_.warps; ++warp)
      line(fmt::format("setp.eq.u32 %p, %x, {}; @%p bra.uni W{}_{};", 4 * cta + warp, cta, warp));
  line("trap;");
}

void Writer::tail() {
  line("OVER:");
  line("bar.warp.sync -1;");  // lanes that have exited count as having arrived wherever others do
  if (!program_.ends_at_once) {
    line("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
    if (program_.is_cluster) line("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;");
  }
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

void Writer::kernel(int number, std::size_t from, std::size_t end) {
  head(number);
  for (int cta = 0; cta < program_.ctas; ++cta)
    for (int warp = 0; warp < program_.warps; ++warp) block(cta, warp, from, end);
  for (std::size_t n = from; n < end; ++n)
    if (program_.steps[n].op == Op::wgmma) product(program_.steps[n], static_cast<int>(n));
  tail();
}

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
