// SPDX-License-Identifier: MIT
// Beginnings and middles of bodies (snippet.hpp) that fetch something by a bulk copy and wait for
// it.
#pragma once

#include <string>

namespace lanescope::emulator::test {

// %r2: shared memory, an mbarrier at [%r2+1024], 2048 bytes in all; %p0: thread 0.
inline const std::string kInit =
    "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0; and.b64 %rd2, %rd0, -2048;\n"
    "@%p0 mbarrier.init.shared.b64 [%r2+1024], 1;\n";
inline const std::string kSync = "fence.proxy.async; bar.sync 0;\n";
inline const std::string kFetch =
    "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1024], 256;\n"
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd0], 256, "
    "[%r2+1024];\n";
inline const std::string kWait =
    "W: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 0; @!%p1 bra W;\n";
inline const std::string kRead = "mad.lo.u32 %r3, %r1, 4, %r2; ld.shared.u32 %r4, [%r3];\n";
// Thread 0 begins and ends an mbarrier at [%r2+2032] so many times; `use` stands between.
inline std::string renewals(int count, const std::string& use = "") {
  return "mov.u32 %r20, " + std::to_string(count) +
         ";\nR: @%p0 mbarrier.init.shared.b64 [%r2+2032], 1;\n" + use +
         "@%p0 mbarrier.inval.shared.b64 [%r2+2032];\n"
         "sub.u32 %r20, %r20, 1; setp.ne.u32 %p9, %r20, 0; @%p9 bra R;\n";
}

}  // namespace lanescope::emulator::test
