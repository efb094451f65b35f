// SPDX-License-Identifier: MIT
// The checker on mbarriers themselves: who may use one, who may end it.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/check.hpp"
#include "tests/emulator/mbarrier_pieces.hpp"

namespace lanescope::emulator::test {

TEST_CASE("an mbarrier is used only where its initialisation has been seen") {
  const Checked run = check_body(
      kInit + "setp.eq.u32 %p3, %r1, 32; @%p3 mbarrier.arrive.shared.b64 %rd1, [%r2+1024];", 64);
  CHECK(run.kinds() == "mbarrier-before-init");
  CHECK(run.says("mbarrier.init.shared.b64"));
  // Cards see it after the next barrier; PTX wants a fence before the copy engine does.
  const std::string no_fence = kInit + "bar.sync 0;\n" + kFetch + kWait + kRead;
  CHECK(check_body(no_fence, 64).kinds() == "");
  CHECK(check_body(no_fence, 64, 1, true).kinds() == "missing-proxy-fence");
}

TEST_CASE("an mbarrier is invalidated behind everybody's wait") {
  const std::string begin = kInit + kSync + kFetch + kWait;
  const std::string end = "@%p0 mbarrier.inval.shared.b64 [%r2+1024];\n" + kRead;
  CHECK(check_body(begin + "bar.sync 0;\n" + end, 64).kinds() == "");
  const Checked run = check_body(begin + end, 64);  // the bytes are waited for all the same
  CHECK(run.kinds() == "mbarrier, mbarrier");       // of lanes before it, and behind it
  CHECK(run.says("ends an mbarrier that is in use at"));
  CHECK(run.says("waits at an mbarrier that is invalidated at"));
  // Not a wait on the way out, but one that has yet to begin.
  const Checked late = check_body(begin +
                                      "@%p0 mbarrier.inval.shared.b64 [%r2+1024]; bar.sync 0;\n"
                                      "mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 1;",
                                  64);
  CHECK(late.says("there is no mbarrier at shared address 0x800"));
}

// docs/experiments/mbarrier_reuse.md
TEST_CASE("an mbarrier is invalidated before its memory is used for something else") {
  const std::string end = "@%p0 mbarrier.inval.shared.b64 [%r2+1024];\n";
  const std::string store = "bar.sync 0; mad.lo.u32 %r3, %r1, 4, %r2; ";
  // A thread's word, half of it; sixteen bytes that begin before it; a bulk copy's; beside it.
  for (const char* write :
       {"st.shared.u32 [%r3+1024], %r1;", "st.shared.u8 [%r2+1031], %r1;",
        "@%p0 st.shared.v4.u32 [%r2+1024], {%r1, %r1, %r1, %r1};",
        "@%p0 cp.async.ca.shared.global [%r2+1024], [%rd0], 16; cp.async.wait_all;",
        "@%p0 mbarrier.init.shared.b64 [%r2+1000], 1; fence.proxy.async;\n"
        "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1000], 16;\n"
        "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+1024], "
        "[%rd0], 16, [%r2+1000];\n"
        "V: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1000], 0; @!%p1 bra V;"}) {
    CAPTURE(write);
    const Checked run = check_body(kInit + store + write, 32);
    CHECK(run.kinds().substr(0, 8) == "mbarrier");
    CHECK(run.says("overwrites the mbarrier initialised at"));
    CHECK(!check_body(kInit + end + store + write, 32).says("overwrites the mbarrier"));
  }
  CHECK(check_body(kInit + store + "st.shared.u32 [%r3+1032], %r1;", 32).kinds() == "");
  CHECK(check_body(kInit + store + "@%p0 mbarrier.init.shared.b64 [%r2+1024], 2;", 32).kinds() ==
        "");
}

TEST_CASE("an mbarrier is ended behind every use, whichever comes first") {
  // Warp 0 comes first, and is past its wait, its arrival or its question when thread 32 ends it.
  const std::string other = "setp.eq.u32 %p3, %r1, 32;\n";
  const std::string end = "@%p3 mbarrier.inval.shared.b64 [%r2+1024];\n";
  const std::string again = "@%p3 mbarrier.init.shared.b64 [%r2+1024], 64;\n";
  const std::string arrive = "@%p0 mbarrier.arrive.shared.b64 %rd1, [%r2+1024];\n";
  const std::string ask = "@%p0 mbarrier.test_wait.parity.shared.b64 %p1, [%r2+1024], 1;\n";
  const std::string begin = kInit + other + kSync;
  for (const std::string& use : {arrive + kWait, kFetch + kWait, arrive, ask}) {
    CAPTURE(use);
    for (const std::string& ends : {end, again}) {
      const Checked run = check_body(begin + use + ends, 64);
      CHECK(run.kinds().substr(0, 8) == "mbarrier");
      CHECK(run.says("ends an mbarrier that is in use at"));
      CHECK(check_body(begin + use + "bar.sync 0;\n" + ends, 64).kinds() == "");
    }
  }
  // A copy under way will come to it, even if its thread ends it.
  const std::string own = "@%p0 mbarrier.inval.shared.b64 [%r2+1024];\n";
  CHECK(check_body(begin + kFetch + own, 64).says("against a copy"));
  CHECK(check_body(begin + "@%p0 cp.async.mbarrier.arrive.noinc.shared.b64 [%r2+1024];\n" + own, 64)
            .says("against a copy"));
  // Who ends it, or begins another in its place, has seen how it began, and ended.
  CHECK(check_body(kInit + other + end, 64).kinds() == "mbarrier-before-init");
  CHECK(check_body(begin + own + again, 64).says("ends an mbarrier that is in use at"));
  CHECK(check_body(begin + own + "bar.sync 0;\n" + again, 64).kinds() == "");
}

TEST_CASE("who uses an mbarrier that was initialised anew has seen that, too") {
  const std::string anew =
      "@%p0 mbarrier.inval.shared.b64 [%r2+1024]; @%p0 mbarrier.init.shared.b64 [%r2+1024], 2;\n";
  for (const std::string use :
       {"@%p3 mbarrier.arrive.shared.b64 %rd1, [%r2+1024];\n",
        "@%p3 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r2+1024], 16;\n",
        "@%p3 mbarrier.test_wait.parity.shared.b64 %p1, [%r2+1024], 1;\n",
        "@%p3 cp.async.mbarrier.arrive.noinc.shared.b64 [%r2+1024];\n"}) {
    CAPTURE(use);
    const std::string begin = kInit + kSync + "setp.eq.u32 %p3, %r1, 32;\n" + anew;
    CHECK(check_body(begin + use, 64).kinds() == "mbarrier-before-init");
    CHECK(check_body(begin + "bar.sync 0;\n" + use, 64).kinds() == "");
  }
}

TEST_CASE("a relaxed arrival releases what a fence before it covers, a fence acquires a wait") {
  const std::string begin = kInit +
                            "bar.sync 0; setp.ge.u32 %p3, %r1, 32; @%p3 bra.uni OTHER;\n"
                            "@%p0 st.shared.u32 [%r2], %r1;\n";
  const std::string fence = "fence.acq_rel.cta;\n";
  const auto arrive = [](const std::string& how) {
    return "@%p0 mbarrier.arrive" + how + ".shared.b64 %rd1, [%r2+1024]; bra.uni END;\nOTHER:\n";
  };
  const auto wait = [](const std::string& how) {
    return "W: mbarrier.try_wait.parity" + how + ".shared.b64 %p1, [%r2+1024], 0; @!%p1 bra W;\n";
  };
  const std::string look = "ld.shared.u32 %r4, [%r2];\nEND:\n";
  const std::string relaxed = ".relaxed.cta";
  for (const bool strict : {false, true}) {
    const auto kinds = [&](const std::string& body) {
      return check_body(begin + body + look, 64, 1, strict).kinds();
    };
    CHECK(kinds(arrive("") + wait("")) == "");
    CHECK(kinds(fence + arrive(relaxed) + wait("")) == "");
    CHECK(kinds(arrive("") + wait(relaxed) + fence) == "");
    CHECK(kinds(fence + arrive(relaxed) + wait(relaxed) + fence) == "");
    CHECK(kinds(arrive(relaxed) + wait("")) == "race-read-after-write");
    CHECK(kinds(fence + "@%p0 st.shared.u32 [%r2], %r2;\n" + arrive(relaxed) + wait("")) ==
          "race-read-after-write");
    CHECK(kinds(arrive(relaxed) + wait(relaxed) + fence) == "race-read-after-write");
    CHECK(kinds(arrive("") + wait(relaxed)) == "missing-acquire");
  }
}

TEST_CASE("who does not ask again when a try_wait gives up goes on without an answer") {
  const std::string once = "mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1024], 0;\n";
  CHECK(check_body(kInit + kSync + kFetch + kWait + kRead, 64).kinds() == "");
  CHECK(check_body(kInit + kSync + kFetch + once + kRead, 64).kinds() == "missing-bulk-wait");
  // Looking once before the loop, as CUTLASS does.
  CHECK(
      check_body(kInit + kSync + kFetch + once + "@%p1 bra OVER;\n" + kWait + "OVER:\n" + kRead, 64)
          .kinds() == "");
}

TEST_CASE("by its parity a phase is told from the one two before where the one between was seen") {
  // Warp 1 ends three phases, warp 0 waits: for the last one, or for each.
  const std::string begin = kInit +
                            "@%p0 mbarrier.init.shared.b64 [%r2+1032], 32; setp.eq.u32 %p5, %r1, "
                            "32; setp.lt.u32 %p6, %r1, 32; bar.sync 0; @%p6 bra WAITS;\n";
  const std::string arrive = "@%p5 mbarrier.arrive.shared.b64 _, [%r2+1024];\n";
  const auto wait = [](const std::string& at, int parity) {
    static int labels = 0;
    const std::string label = "W" + std::to_string(labels++);
    return label + ": mbarrier.try_wait.parity.shared.b64 %p1, [%r2+" + at + "], " +
           std::to_string(parity) + "; @!%p1 bra " + label + ";\n";
  };
  const auto run = [&](const std::string& one, const std::string& other) {
    return check_body(begin + one + "bra END;\nWAITS:\n" + other + "END:\n", 64);
  };
  const std::string meet = "bar.sync 1, 64;\n";
  const Checked missed = run(arrive + arrive + arrive, wait("1024", 0));
  CHECK(missed.kinds() == "mbarrier");
  CHECK(missed.says("need not have seen that the one before it"));
  CHECK(run(arrive + arrive + arrive + meet, meet + wait("1024", 0)).kinds() == "");
  CHECK(run(arrive, wait("1024", 0)).kinds() == "");
  // Or that it was is heard from who has waited, or waited for without an acquire.
  const std::string back = "mbarrier.arrive.shared.b64 _, [%r2+1032];\n";
  const std::string relaxed =
      "R: mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p1, [%r2+1024], 1; @!%p1 bra R;\n";
  const std::string ends = arrive + wait("1032", 0) + arrive + wait("1032", 1) + arrive;
  CHECK(run(ends, wait("1024", 0) + back + wait("1024", 1) + back + wait("1024", 0)).kinds() == "");
  CHECK(run(ends, wait("1024", 0) + back + relaxed + back + wait("1024", 0)).kinds() == "");
}

TEST_CASE("two mbarriers are told apart behind thousands of others") {
  // Two copies, an mbarrier each. Who has waited for the second alone knows nothing of the first.
  const auto body = [](const std::string& before) {
    return kInit + before +
           "@%p0 mbarrier.init.shared.b64 [%r2+1032], 1;\n"
           "@%p0 mbarrier.inval.shared.b64 [%r2+1024];\n"
           "@%p0 mbarrier.init.shared.b64 [%r2+1024], 1;\n" +
           kSync + kFetch +
           "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1032], 256;\n"
           "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+512], "
           "[%rd0], 256, [%r2+1032];\n"
           "V: mbarrier.try_wait.parity.shared.b64 %p1, [%r2+1032], 0; @!%p1 bra V;\n";
  };
  for (const int renewed : {1, 3000, 6000}) {
    CAPTURE(renewed);
    const std::string begin = body(renewals(renewed));
    CHECK(check_body(begin + kRead, 64).kinds() == "missing-bulk-wait");
    CHECK(check_body(begin + kWait + kRead, 64).kinds() == "");
  }
}

TEST_CASE("a phase that never completes names its line") {
  const Checked run = check_body(kInit + kSync + kWait, 32);
  CHECK(run.kinds() == "deadlock");
  CHECK(run.says("misses 1 of 1 arrivals"));
  CHECK(run.reports.at(0).diagnostic.ptx_line > 0);
}

TEST_CASE("an mbarrier that another CTA has not initialised is named with the CTA") {
  const Checked run = check_body(
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.u32 %r2, tile; mov.u32 "
      "%r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; mapa.shared::cluster.u32 %r8, %r2, %r7; "
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];",
      32, 2);
  CHECK(run.kinds() == "mbarrier");
  CHECK(run.says("no mbarrier at shared address 0x400 of CTA rank 1"));
}

TEST_CASE("a copy names the mbarrier of the CTA that its bytes go to") {
  const std::string sync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
  // %r8 and %r9: the box and the mbarrier of the other CTA; its thread 0 waits for 16 bytes.
  const std::string begin =
      kInit + "@%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+1024], 16;\n" +
      "st.shared.v4.u32 [%r2+512], {%r1, %r1, %r1, %r1}; fence.proxy.async;\n" + sync +
      "mov.u32 %r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; add.u32 %r10, %r2, 1024;\n"
      "mapa.shared::cluster.u32 %r8, %r2, %r7; mapa.shared::cluster.u32 %r9, %r10, %r7;\n";
  const std::string end = kWait + sync;
  const auto checked = [&](const std::string& copy) {
    return check_body(begin + "@%p0 " + copy + ";\n" + end, 32, 2);
  };
  const std::string bytes = ".mbarrier::complete_tx::bytes";
  const std::string shared = "cp.async.bulk.shared::cluster.shared::cta" + bytes;
  const std::string store = "st.async.shared::cluster" + bytes + ".v4.b32";
  const std::string four = "{%r1, %r1, %r1, %r1}";
  CHECK(checked(shared + " [%r8], [%r2+512], 16, [%r9]").kinds() == "");
  CHECK(checked(store + " [%r8], " + four + ", [%r9]").kinds() == "");
  const Checked copied = checked(shared + " [%r8], [%r2+512], 16, [%r10]");
  CHECK(copied.kinds() == "mbarrier");
  CHECK(copied.says("cp.async.bulk names an mbarrier of another CTA"));
  CHECK(copied.says("shared address 0x800 of CTA rank 0, bytes for CTA rank 1"));
  const Checked stored = checked(store + " [%r8], " + four + ", [%r10]");
  CHECK(stored.kinds() == "mbarrier");
  CHECK(stored.says("st.async names an mbarrier of another CTA"));
  const Checked added = checked(
      "st.shared.u32 [%r2+768], %r1; setp.lt.u32 %p3, %r1, 4; @%p3 red.async.relaxed.cluster"
      ".shared::cluster" +
      bytes + ".add.u32 [%r8+512], %r1, [%r10]");
  CHECK(added.kinds() == "mbarrier");
  CHECK(added.says("red.async names an mbarrier of another CTA"));
  // Home, with the other's mbarrier.
  CHECK(checked(shared + " [%r2], [%r2+512], 16, [%r9]").kinds() == "mbarrier");
  // Of a multicast both addresses are offsets.
  CHECK(checked("mov.u32 %r11, 1; shl.b32 %r11, %r11, %r7; cvt.u16.u32 %h1, %r11; @%p0 "
                "cp.async.bulk.shared::cluster.global" +
                bytes + ".multicast::cluster [%r2], [%rd0], 16, [%r9], %h1")
            .kinds() == "");
}

}  // namespace lanescope::emulator::test
