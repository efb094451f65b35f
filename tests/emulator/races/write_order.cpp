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

}  // namespace lanescope::emulator::races
