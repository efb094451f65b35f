// SPDX-License-Identifier: MIT
// Steps that order: barriers, mbarriers, fences, flags, locks.
#include "tests/emulator/races/writer.hpp"

namespace lanescope::emulator::races {

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

// Turn n finds 2 n, sets 2 n + 1 and leaves 2 n + 2; in free order it is the first turn that can be
// had.
void Writer::lock(const Step& step) {
  const int label = labels_++;
  if (program_.has_free_locks) line("mov.u32 %turn, 0;");
  if (!guard_.empty()) line(fmt::format("@!%g bra L{}_over;", label));
  guard_.clear();
  line(fmt::format("L{}:", label));
  const char* order = step.variant == kReleasesToo         ? "acq_rel"
                      : step.strength == Strength::ordered ? "acquire"
                                                           : "relaxed";
  const std::string swap =
      fmt::format("atom.{}.{}{}.cas.b32 %x, {}", order, kScopes[static_cast<int>(step.scope)],
                  space(step), lock_word(step));
  if (program_.has_free_locks) {
    line("add.u32 %v, %turn, 1;");
    guarded(swap + ", %turn, %v;");
    line("setp.ne.u32 %p, %x, %turn; @%p add.u32 %turn, %x, 1; @%p and.b32 %turn, %turn, -2;");
    line(fmt::format("@%p bra L{}; st.global.u32 [%cells+{}], %turn;", label, kLogAt + 4 * index_));
  } else {
    guarded(swap + fmt::format(", {}, {};", 2 * step.count, 2 * step.count + 1));
    line(fmt::format("setp.ne.u32 %p, %x, {}; @%p bra L{};", 2 * step.count, label));
  }
  line(fmt::format("L{}_over:", label));
}

void Writer::unlock(const Step& step) {
  const char* scope = kScopes[static_cast<int>(step.scope)];
  const char* order = step.strength == Strength::ordered ? "release" : "relaxed";
  if (program_.has_free_locks)
    line("add.u32 %v, %turn, 2;");
  else
    line(fmt::format("mov.u32 %v, {};", 2 * step.count + 2));
  if (step.variant == 0)
    guarded(
        fmt::format("st{}{}.u32 {}, %v;", strength(step, "release"), space(step), lock_word(step)));
  else if (step.variant == 1)
    guarded(fmt::format("atom.{}.{}{}.exch.b32 %x, {}, %v;", order, scope, space(step),
                        lock_word(step)));
  else
    guarded(fmt::format("red.{}.{}{}.add.u32 {}, 1;", order, scope, space(step), lock_word(step)));
}

}  // namespace lanescope::emulator::races
