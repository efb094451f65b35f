// SPDX-License-Identifier: MIT
// The checker on global memory: what CTAs, and warps of a CTA, hand to each other through it. The
// snippets' output is memory of 2,048 bytes (%rd0: 64 bytes a lane); %rd9 is its begin.
#include <doctest/doctest.h>

#include "tests/emulator/check.hpp"

namespace lanescope::emulator::test {
namespace {

const std::string kBegin =
    "ld.param.u64 %rd9, [out]; mov.u32 %r10, %ctaid.x; mov.u32 %r11, %tid.x;\n"
    "setp.eq.u32 %p1, %r10, 0; setp.ne.u32 %p2, %r10, 0; setp.eq.u32 %p3, %r11, 0;\n"
    "mov.pred %p4, %p1; and.pred %p4, %p4, %p3; and.pred %p5, %p2, %p3;\n";
// CTA 0 writes a word a thread, the others read those.
const std::string kData = "mad.wide.u32 %rd1, %r11, 4, %rd9;\n";
const std::string kWrite = kData + "@%p1 st.global.u32 [%rd1], %r11;\n";
const std::string kRead = "@%p2 ld.global.u32 %r20, [%rd1];\n";
// Thread 0 raises the flag; thread 0 of the others waits for it.
const std::string kRaise = "@%p4 st.volatile.global.u32 [%rd9+1024], 1;\n";
const std::string kWait =
    "@!%p5 bra SEEN;\nLOOK: ld.volatile.global.u32 %r21, [%rd9+1024]; setp.ne.u32 %p6, %r21, 1; "
    "@%p6 bra LOOK;\nSEEN:\n";
const std::string kFence = "membar.gl;\n";
const std::string kBarrier = "bar.sync 0;\n";

// Each thread reads a word by a pointer to the begin of 65 and stores by one that lies elsewhere.
std::string kinds_of_pointers(std::int64_t to_bytes, const std::string& store) {
  Machine machine({});
  const auto module = machine.load(
      ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry copy(.param .u64 from, "
      ".param .u64 to) { .reg .b32 %r<9>; .reg .b64 %rd<9>; mov.u32 %r1, %ctaid.x; mov.u32 %r2, "
      "%tid.x; mad.lo.u32 %r3, %r1, 32, %r2; ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to]; "
      "mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd1, %rd3; ld.global.u32 %r4, [%rd4+4]; " +
          store + " ret; }",
      "copy");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const std::uint64_t from = machine.allocate(65 * 4).value;
  const std::uint64_t parameters[2] = {from, from + static_cast<std::uint64_t>(to_bytes)};
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "copy");
  request.grid = {2, 1, 1};
  request.block = {32, 1, 1};
  request.parameters = {reinterpret_cast<const std::byte*>(parameters), sizeof parameters};
  request.checks.races = true;
  LaunchReport report = machine.launch(request);
  return Checked{std::move(report.error), std::move(report.reports)}.kinds();
}

}  // namespace

TEST_CASE("what a kernel stores by a pointer before or behind the allocation is watched") {
  const std::string down = "sub.u64 %rd5, %rd2, %rd3; st.global.u32 [%rd5+-4], %r3;";
  const std::string up = "add.u64 %rd5, %rd2, %rd3; st.global.u32 [%rd5+4], %r3;";
  const std::string far = "add.u64 %rd5, %rd2, %rd3; st.global.u32 [%rd5+-396], %r3;";
  CHECK(kinds_of_pointers(0, up) == "");
  CHECK(kinds_of_pointers(65 * 4, down).find("race-") != std::string::npos);
  CHECK(kinds_of_pointers(-4, up).find("race-") != std::string::npos);
  CHECK(kinds_of_pointers(65 * 4 + 136, far).find("race-") != std::string::npos);
}

TEST_CASE("CTAs that write what another reads, or writes, race") {
  CHECK(check_grid(kBegin + kWrite + kRead, 32, 1).kinds() == "");
  const Checked run = check_grid(kBegin + kWrite + kRead, 32, 2);
  REQUIRE(run.kinds() == "race-read-after-write");
  CHECK(run.reports[0].count == 32);
  CHECK(run.says("reads global memory that another CTA wrote at"));
  CHECK(run.says("__threadfence()"));
  CHECK(run.says("kernel snippet, CTA (1,0,0), warp 0, lane 0, global address 0x"));
  CHECK(run.says("0 bytes into the allocation of 2048 bytes"));
  CHECK(run.says("against warp 0 lane 0 of CTA (0,0,0)"));
  CHECK(run.says("st.global.u32 [%rd1], %r11"));
  const std::string all = kData + "mad.lo.u32 %r12, %r10, 100, %r11; st.global.u32 [%rd1], %r12;\n";
  CHECK(check_grid(kBegin + all, 32, 2).kinds() == "race-write-after-write");
  const std::string reads_first = kData + "@%p1 ld.global.u32 %r20, [%rd1];\n";
  CHECK(check_grid(kBegin + reads_first + "@%p2 st.global.u32 [%rd1], 5;\n", 32, 2).kinds() ==
        "race-write-after-read");
}

TEST_CASE("the non-coherent cache is for what the launch does not write") {
  const std::string other = "xor.b32 %r12, %r11, 31; mad.wide.u32 %rd2, %r12, 4, %rd9;\n";
  const auto kinds = [&](const std::string& how, const std::string& between) {
    return check_grid(kBegin + kData + other + "st.global.u32 [%rd1], %r11;\n" + between +
                          "ld.global" + how + ".u32 %r20, [%rd2];\n",
                      32, 1)
        .kinds();
  };
  CHECK(kinds("", kBarrier) == "");
  CHECK(kinds(".nc", kBarrier) == "non-coherent-read");
  CHECK(kinds(".nc", "") == "race-read-after-write");
  // What was read may be overwritten then.
  CHECK(check_grid(kBegin + kData + "ld.global.nc.u32 %r20, [%rd1]; st.global.u32 [%rd1], %r20;",
                   32, 1)
            .kinds() == "");
}

TEST_CASE("two CTAs of a cluster are told of its barrier") {
  const Checked run = check_body(kBegin + kWrite + "bar.sync 0;\n" + kRead, 32, 2);
  CHECK(run.kinds() == "race-read-after-write");
  CHECK(run.says("reads global memory that another CTA of the cluster wrote at"));
  CHECK(run.says("put barrier.cluster between them"));
}

TEST_CASE("the same value from everybody, and neighbouring bytes, do no harm") {
  CHECK(check_grid(kBegin + "st.global.u32 [%rd9], 7;\n", 32, 4).kinds() == "");
  CHECK(check_grid(kBegin + "mad.lo.u32 %r12, %r11, 2, %r10; cvt.u64.u32 %rd1, %r12; add.u64 %rd1, "
                            "%rd1, %rd9; st.global.u8 [%rd1], %r10;\n",
                   32, 2)
            .kinds() == "");
  CHECK(check_grid(kBegin + "cvt.u64.u32 %rd1, %r11; add.u64 %rd1, %rd1, %rd9; "
                            "st.global.u8 [%rd1], %r10;\n",
                   32, 2)
            .kinds() == "race-write-after-write");
}

TEST_CASE("a race is found where it is, whatever size the accesses have") {
  const std::string write =
      "mad.wide.u32 %rd1, %r11, 16, %rd9; @%p1 st.global.v4.u32 [%rd1], {%r11, %r11, %r11, "
      "%r11};\n";
  const auto says = [&](const std::string& body, const char* kind, const char* where) {
    const Checked run = check_grid(kBegin + write + body, 32, 2);
    return run.kinds() == kind && run.says(where);
  };
  const char* read = "race-read-after-write";
  CHECK(says("@%p5 ld.global.u8 %r20, [%rd9+21];\n", read, "21 bytes into the allocation"));
  CHECK(says("@%p5 ld.global.u32 %r20, [%rd9+36];\n", read, "36 bytes into the allocation"));
  CHECK(says("@%p5 ld.global.u64 %rd2, [%rd9+56];\n", read, "56 bytes into the allocation"));
  CHECK(says("@%p5 ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd9+64];\n", read,
             "64 bytes into the allocation"));
  CHECK(says("@%p5 st.global.u16 [%rd9+82], 1;\n", "race-write-after-write",
             "82 bytes into the allocation"));
  // Beside what was written, in cells that have become smaller, is nobody's.
  CHECK(check_grid(kBegin +
                       "@%p4 st.global.v2.u32 [%rd9+8], {%r11, %r11}; @%p5 ld.global.u32 %r20, "
                       "[%rd9+4]; @%p5 ld.global.u32 %r20, [%rd9+16];\n",
                   32, 2)
            .kinds() == "");
}

TEST_CASE("a fence and a flag hand data to another CTA, and each part of it is needed") {
  CHECK(check_grid(kBegin + kWrite + kBarrier + kFence + kRaise + kWait + kBarrier + kRead, 64, 2)
            .kinds() == "");
  // Every thread's own fence before the barrier will do, too.
  CHECK(check_grid(kBegin + kWrite + kFence + kBarrier + kRaise + kWait + kBarrier + kRead, 64, 2)
            .kinds() == "");
  const char* race = "race-read-after-write";
  CHECK(check_grid(kBegin + kWrite + kBarrier + kRaise + kWait + kBarrier + kRead, 64, 2).kinds() ==
        race);
  CHECK(check_grid(kBegin + kWrite + kFence + kRaise + kWait + kBarrier + kRead, 64, 2).kinds() ==
        race);
  CHECK(check_grid(kBegin + kWrite + kBarrier + kFence + kRaise + kWait + kRead, 64, 2).kinds() ==
        race);
  // A fence for the own CTA does not reach another.
  CHECK(check_grid(kBegin + kWrite + kBarrier + "membar.cta;\n" + kRaise + kWait + kBarrier + kRead,
                   64, 2)
            .kinds() == race);
}

TEST_CASE("release and acquire, and atomics behind a fence, do the same") {
  const std::string release = "@%p4 st.release.gpu.global.u32 [%rd9+1024], 1;\n";
  const std::string acquire =
      "@!%p5 bra SEEN;\nLOOK: ld.acquire.gpu.global.u32 %r21, [%rd9+1024]; "
      "setp.ne.u32 %p6, %r21, 1; @%p6 bra LOOK;\nSEEN:\n";
  const std::string add = "@%p4 atom.global.exch.b32 %r22, [%rd9+1024], 1;\n";
  const std::string released = "@%p4 atom.acq_rel.gpu.global.exch.b32 %r22, [%rd9+1024], 1;\n";
  const std::string relaxed = "@%p4 st.relaxed.gpu.global.u32 [%rd9+1024], 1;\n";
  const std::string end = acquire + kBarrier + kRead;
  CHECK(check_grid(kBegin + kWrite + kBarrier + release + end, 64, 2).kinds() == "");
  CHECK(check_grid(kBegin + kWrite + kBarrier + released + end, 64, 2).kinds() == "");
  CHECK(check_grid(kBegin + kWrite + kBarrier + kFence + add + end, 64, 2).kinds() == "");
  CHECK(check_grid(kBegin + kWrite + kBarrier + add + end, 64, 2).kinds() ==
        "race-read-after-write");
  CHECK(check_grid(kBegin + kWrite + kBarrier + relaxed + end, 64, 2).kinds() ==
        "race-read-after-write");
  CHECK(check_grid(kBegin + kWrite + release + end, 64, 2).kinds() == "race-read-after-write");
}

TEST_CASE("who reads too early is found by the write, unless it may have told that it has read") {
  const std::string early = kData + "@%p1 ld.global.u32 %r20, [%rd1];\n";
  const std::string late = "@%p2 st.global.u32 [%rd1], 5;\n";
  const std::string plain = "@%p4 st.global.u32 [%rd9+1024], 1;\n";
  const char* race = "race-write-after-read";
  CHECK(check_grid(kBegin + early + kRaise + kWait + late, 32, 2).kinds() == "");
  CHECK(check_grid(kBegin + early + plain + kWait + late, 32, 2).kinds() ==
        "race-read-after-write");
  CHECK(check_grid(kBegin + early + kFence + plain + kWait + late, 32, 2).kinds() == "");
  CHECK(check_grid(kBegin + kRaise + kBarrier + early + kWait + late, 32, 2).kinds() == race);
  // It has told, but whoever overwrites has not looked; or, --strict, has told without a fence.
  CHECK(check_grid(kBegin + early + kRaise + late, 32, 2).kinds() == race);
  CHECK(check_grid(kBegin + early + kRaise + kWait + late, 32, 2, true).kinds() == race);
  CHECK(check_grid(kBegin + early + kBarrier + kFence + kRaise + kWait + kFence + kBarrier + late,
                   32, 2, true)
            .kinds() == "");
}

TEST_CASE("who looks at what others have looked at may have been told that they have read") {
  // CTA 0 reads what the last CTA overwrites.
  const std::string begin =
      kBegin + kData + "setp.eq.u32 %p7, %r10, 1; setp.eq.u32 %p8, %r10, 2;\n";
  const std::string early = "@%p1 ld.global.u32 %r20, [%rd1];\n" + kBarrier;
  const std::string late = "@%p8 st.global.u32 [%rd1], 5;\n";
  const auto raise = [](const char* who, const char* flag) {
    return std::string("@") + who + " st.volatile.global.u32 [%rd9+" + flag + "], 1;\n";
  };
  const auto look = [](const char* who, const char* flag) {
    return std::string("@!") + who + " bra SEEN" + flag + ";\nLOOK" + flag +
           ": ld.volatile.global.u32 %r21, [%rd9+" + flag +
           "]; setp.ne.u32 %p6, %r21, 1; @%p6 bra LOOK" + flag + ";\nSEEN" + flag + ":\n";
  };
  const std::string raised = raise("%p1", "1024");
  const std::string handed = look("%p7", "1024") + raise("%p7", "1028");
  CHECK(check_grid(begin + early + raised + handed + look("%p8", "1028") + late, 32, 3).kinds() ==
        "");
  const std::string count =
      "@%p3 red.global.add.u32 [%rd9+1032], 1;\n@!%p8 bra SEEN;\nLOOK: ld.volatile.global.u32 "
      "%r21, [%rd9+1032]; setp.ne.u32 %p6, %r21, 0xa5a5a5a8; @%p6 bra LOOK;\nSEEN:\n";
  CHECK(check_grid(begin + early + count + late, 32, 3).kinds() == "");
}

TEST_CASE("who has looked before another reads does not know of that") {
  // CTA 1 reads and tells while CTA 0, which is to overwrite, polls what nobody has written.
  const std::string look =
      "@!%p1 bra OTHER;\nred.global.add.u32 [%rd9+1032], 1; atom.global.add.u32 %r22, [%rd9+1032], "
      "1;\n";
  const std::string idle =
      "mov.u32 %r4, 0;\nIDLE: ld.volatile.global.u32 %r21, [%rd9+1040]; add.u32 %r4, %r4, 1; "
      "setp.lt.u32 %p7, %r4, 1000; @%p7 bra IDLE;\n";
  const std::string late = "st.global.u32 [%rd1], 5; bra END;\n";
  const std::string early =
      "OTHER: ld.global.u32 %r20, [%rd1]; st.volatile.global.u32 [%rd9+1024], 1;\nEND:\n";
  const std::string begin = kBegin + kData;
  CHECK(check_grid(begin + look + idle + late + early, 32, 2).kinds() == "race-write-after-read");
  CHECK(
      check_grid(begin + look + idle + "ld.volatile.global.u32 %r21, [%rd9+1024];\n" + late + early,
                 32, 2)
          .kinds() == "");
}

TEST_CASE("a counter that one CTA resets and all use is not theirs yet") {
  const std::string reset = "@%p4 st.global.u32 [%rd9], 0;\n";
  const std::string add = kBarrier + "@%p3 atom.global.add.u32 %r20, [%rd9], 1;\n";
  const Checked run = check_grid(kBegin + reset + add, 32, 4);
  CHECK(run.kinds() == "race-write-after-write");
  CHECK(run.reports.at(0).count == 3);
  // Of sixteen bytes, of which atomics take parts.
  const std::string four = "@%p4 st.global.v4.u32 [%rd9+16], {%r11, %r11, %r11, %r11};\n";
  const auto adds = [](const std::string& who, int to) {
    return "@" + who + " red.global.add.u32 [%rd9+" + std::to_string(to) + "], 1;\n";
  };
  CHECK(check_grid(kBegin + four + adds("%p4", 20) + adds("%p5", 20), 32, 2).kinds() ==
        "race-write-after-write");
  CHECK(check_grid(kBegin + four + adds("%p4", 20) + adds("%p5", 36), 32, 2).kinds() == "");
  CHECK(check_grid(kBegin + four + kFence + kRaise + kWait + adds("%p3", 20), 32, 2).kinds() == "");
}

TEST_CASE("each element of a vector access is a flag") {
  // Written as one, of which the reader polls the second; polled as one, of which the last is set.
  const std::string pair = "@%p4 st.volatile.global.v2.u32 [%rd9+1024], {%r11, 1};\n";
  std::string second = kWait;
  second.replace(second.find("1024"), 4, "1028");
  const std::string start = kBegin + kWrite + kBarrier + kFence;
  CHECK(check_grid(start + pair + second + kBarrier + kRead, 64, 2).kinds() == "");
  std::string four = kWait;
  four.replace(four.find("u32 %r21, [%rd9+1024]"), 21,
               "v4.u32 {%r22, %r23, %r24, %r21}, [%rd9+1024]");
  std::string last = kRaise;
  last.replace(last.find("1024"), 4, "1036");
  CHECK(check_grid(start + last + four + kBarrier + kRead, 64, 2).kinds() == "");
  CHECK(check_grid(kBegin + kWrite + kBarrier + last + four + kBarrier + kRead, 64, 2).kinds() ==
        "race-read-after-write");
}

TEST_CASE("an atomic whose result nobody reads has not waited for anything") {
  const std::string start = kBegin + kWrite + kFence + kBarrier;
  const std::string tell = "@%p4 atom.global.add.u32 %r22, [%rd9+1024], 1;\n";
  const std::string look = "@%p5 atom.global.add.u32 %r23, [%rd9+1024], 1;\n";
  const std::string end = kFence + kBarrier + kRead;
  CHECK(check_grid(start + tell + look + end, 64, 2).kinds() == "race-read-after-write");
  CHECK(check_grid(start + tell + look + "setp.ne.u32 %p6, %r23, 0;\n" + end, 64, 2).kinds() == "");
}

TEST_CASE("--strict: who looks at a flag acquires what it tells") {
  const std::string start = kBegin + kWrite + kBarrier + kFence + kRaise;
  const auto strict = [&](const std::string& end) { return check_grid(start + end, 64, 2, true); };
  CHECK(check_grid(start + kWait + kBarrier + kRead, 64, 2).kinds() == "");
  const Checked run = strict(kWait + kBarrier + kRead);
  CHECK(run.kinds() == "missing-acquire");
  CHECK(run.says("of which a flag or mbarrier has told it without an acquire"));
  CHECK(run.says("against warp 0 lane 0 of CTA (0,0,0)"));
  // A fence behind the look, in its thread or behind the barrier; or the look itself.
  CHECK(strict(kWait + kFence + kBarrier + kRead).kinds() == "");
  CHECK(strict(kWait + kBarrier + kFence + kRead).kinds() == "");
  std::string acquire = kWait;
  acquire.replace(acquire.find("volatile"), 8, "acquire.gpu");
  CHECK(strict(acquire + kBarrier + kRead).kinds() == "");
  // What was looked at without one stays unknown when another look has one.
  CHECK(
      strict(kWait + "ld.acquire.gpu.global.u32 %r21, [%rd9+1028];\n" + kBarrier + kRead).kinds() ==
      "missing-acquire");
  CHECK(strict(kWait + "st.release.gpu.global.u32 [%rd9+1028], 1;\n" + kBarrier + kRead).kinds() ==
        "missing-acquire");
}

TEST_CASE("a scope that does not reach the other CTA orders nothing") {
  // A counter of .cta for one CTA, for two, and for two of which one takes .gpu.
  const std::string add = "@%p3 red.relaxed.cta.global.add.u32 [%rd9+1024], 1;\n";
  CHECK(check_grid(kBegin + add + add, 64, 1).kinds() == "");
  CHECK(check_grid(kBegin + add, 64, 2).kinds() == "narrow-scope");
  CHECK(check_grid(kBegin + "@%p4 red.relaxed.cta.global.add.u32 [%rd9+1024], 1;\n@%p5 red.global."
                            "add.u32 [%rd9+1024], 1;\n",
                   64, 2)
            .kinds() == "narrow-scope");
  const std::string told = kBegin + kWrite + kBarrier + kFence;
  const std::string seen = kBarrier + kRead;
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string race = "narrow-scope, race-read-after-write";
  CHECK(check_grid(told + with(kRaise, "volatile", "relaxed.cta") + kWait + seen, 64, 2).kinds() ==
        race);
  CHECK(check_grid(told + kRaise + with(kWait, "volatile", "acquire.cluster") + seen, 64, 2)
            .kinds() == race);
  // atom and red are of .gpu where they say nothing.
  const std::string release = "@%p4 atom.release.global.exch.b32 %r22, [%rd9+1024], 1;\n";
  const std::string acquire = with(kWait, "ld.volatile.global.u32 %r21, [%rd9+1024]",
                                   "atom.acquire.global.add.u32 %r21, [%rd9+1024], 0");
  for (const bool strict : {false, true})
    CHECK(
        check_grid(kBegin + kWrite + kBarrier + release + acquire + seen, 64, 2, strict).kinds() ==
        "");
  // A fence of .cta behind the look acquires nothing of another CTA.
  const std::string near = told + kRaise + kWait + "membar.cta;\n" + seen;
  CHECK(check_grid(near, 64, 2).kinds() == "");
  CHECK(check_grid(near, 64, 2, true).kinds() == "missing-acquire");
}

TEST_CASE("--strict: a flag in shared memory, too") {
  const std::string begin =
      "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; setp.ge.u32 %p0, %r1, 32; mov.u32 %r9, 0;\n"
      "@!%p0 st.shared.u32 [%r2], %r9; bar.sync 0; @%p0 bra.uni OTHER;\n"
      "st.shared.u32 [%r2+64], %r9; membar.cta; st.volatile.shared.u32 [%r2], 1; bra.uni END;\n"
      "OTHER: ld.volatile.shared.u32 %r3, [%r2]; setp.eq.u32 %p1, %r3, 0; @%p1 bra OTHER;\n";
  const std::string end = "ld.shared.u32 %r4, [%r2+64];\nEND:\n";
  CHECK(check_body(begin + end, 64).kinds() == "");
  CHECK(check_body(begin + end, 64, 1, true).kinds() == "missing-acquire");
  CHECK(check_body(begin + "fence.acq_rel.cta;\n" + end, 64, 1, true).kinds() == "");
}

TEST_CASE("who has seen a flag's value may set it back") {
  const std::string back = "@%p5 st.global.u32 [%rd9+1024], 0;\n";
  const std::string start = kBegin + kWrite + kBarrier + kFence + kRaise;
  CHECK(check_grid(start + kWait + back, 32, 2).kinds() == "");
  CHECK(check_grid(start + back, 32, 2).kinds() == "race-write-after-write");
}

TEST_CASE("what one CTA has heard it hands on to a third") {
  // CTA 1 passes the flag of CTA 0 on; CTA 2 waits for CTA 1's alone.
  const std::string pass =
      "setp.eq.u32 %p7, %r10, 1; and.pred %p8, %p7, %p3; setp.eq.u32 %p7, %r10, 2; and.pred %p9, "
      "%p7, %p3;\n@!%p8 bra PASSED;\nFIRST: ld.volatile.global.u32 %r21, [%rd9+1024]; "
      "setp.ne.u32 %p6, %r21, 1; @%p6 bra FIRST;\nmembar.gl; st.volatile.global.u32 "
      "[%rd9+1028], 1;\nPASSED: @!%p9 bra SEEN;\nSECOND: ld.volatile.global.u32 %r21, [%rd9+1028]; "
      "setp.ne.u32 %p6, %r21, 1; @%p6 bra SECOND;\nSEEN:\n";
  const std::string read = "@%p7 ld.global.u32 %r20, [%rd1];\n";
  CHECK(check_grid(kBegin + kWrite + kBarrier + kFence + kRaise + pass + kBarrier + read, 64, 3)
            .kinds() == "");
}

TEST_CASE("the last CTA to add to a counter may read what all wrote") {
  const std::string own =
      "mad.lo.u32 %r12, %r10, 32, %r11; mad.wide.u32 %rd1, %r12, 4, %rd9; "
      "st.global.u32 [%rd1], %r12;\n";
  const std::string count =
      "mov.u32 %r13, 9; @%p3 atom.global.add.u32 %r13, [%rd9+1024], 1; "
      "@%p3 st.shared.u32 [tile], %r13; bar.sync 0; ld.shared.u32 %r13, [tile];\n"
      "sub.u32 %r13, %r13, 0xa5a5a5a5; setp.ne.u32 %p6, %r13, 3; @%p6 bra END;\n";
  const std::string sum =
      "ld.volatile.global.u32 %r20, [%rd9]; ld.global.u32 %r20, [%rd9+128]; "
      "ld.global.u32 %r20, [%rd9+256]; ld.global.u32 %r20, [%rd9+384];\nEND:\n";
  CHECK(check_grid(kBegin + own + kFence + kBarrier + count + sum, 32, 4).kinds() == "");
  CHECK(check_grid(kBegin + own + kBarrier + "@%p3 membar.gl;" + count + sum, 32, 4).kinds() == "");
  CHECK(check_grid(kBegin + own + kBarrier + count + sum, 32, 4).kinds() ==
        "race-read-after-write");
}

TEST_CASE("a lock, in global or in shared memory, orders what it protects") {
  const std::string take =
      "@!%p3 bra DONE;\nTAKE: atom.global.cas.b32 %r21, [%rd9+1024], "
      "0xa5a5a5a5, 1; setp.ne.u32 %p6, %r21, 0xa5a5a5a5; @%p6 bra TAKE;\n";
  const std::string work =
      "ld.global.u32 %r20, [%rd9]; add.u32 %r20, %r20, 1; st.global.u32 [%rd9], %r20;\n";
  const std::string give = "atom.global.exch.b32 %r21, [%rd9+1024], 0xa5a5a5a5;\nDONE:\n";
  CHECK(check_grid(kBegin + take + work + kFence + give, 32, 4).kinds() == "");
  CHECK(check_grid(kBegin + take + work + give, 32, 4).kinds() ==
        "race-read-after-write, race-write-after-write");
  const std::string near =
      "mov.u32 %r2, tile; setp.eq.u32 %p1, %r11, 0; @%p1 st.shared.v2.u32 [%r2], {0, 0}; bar.sync "
      "0; and.b32 %r3, %r11, 31; setp.ne.u32 %p1, %r3, 0; @%p1 bra DONE;\nTAKE: "
      "atom.shared.cas.b32 %r21, [%r2], 0, 1; setp.ne.u32 %p6, %r21, 0; @%p6 bra TAKE;\n"
      "ld.shared.u32 %r20, [%r2+4]; add.u32 %r20, %r20, 1; st.shared.u32 [%r2+4], %r20;\n";
  const std::string give_near = "atom.shared.exch.b32 %r21, [%r2], 0;\nDONE:\n";
  CHECK(check_grid(kBegin + near + "membar.cta;" + give_near, 128, 1).kinds() == "");
  CHECK(check_grid(kBegin + near + give_near, 128, 1).kinds() ==
        "race-read-after-write, race-write-after-write");
}

TEST_CASE("warps of a CTA need a barrier for global memory, too, and lanes of a warp theirs") {
  const std::string write = "mad.wide.u32 %rd1, %r11, 4, %rd9; st.global.u32 [%rd1], %r11;\n";
  const std::string read =
      "xor.b32 %r12, %r11, 32; mad.wide.u32 %rd2, %r12, 4, %rd9; "
      "ld.global.u32 %r20, [%rd2];\n";
  CHECK(check_grid(kBegin + write + kBarrier + read, 64, 1).kinds() == "");
  const Checked run = check_grid(kBegin + write + read, 64, 1);
  CHECK(run.kinds() == "race-write-after-read, race-read-after-write");
  CHECK(run.says("put a barrier between them"));
  const std::string near =
      "xor.b32 %r12, %r11, 1; mad.wide.u32 %rd2, %r12, 4, %rd9; "
      "ld.global.u32 %r20, [%rd2];\n";
  CHECK(check_grid(kBegin + write + "bar.warp.sync -1;" + near, 32, 1).kinds() == "");
  CHECK(check_grid(kBegin + write + near, 32, 1).kinds() == "race-read-after-write");
  CHECK(check_grid(kBegin + write + "ld.global.u32 %r20, [%rd1];", 32, 1).kinds() == "");
}

TEST_CASE("atomics do not race with each other, but with plain accesses") {
  const std::string add = "red.global.add.u32 [%rd9], 1;\n";
  CHECK(check_grid(kBegin + add, 64, 4).kinds() == "");
  CHECK(check_grid(kBegin + add + "ld.global.u32 %r20, [%rd9];", 32, 2).kinds() ==
        "race-write-after-read, race-read-after-write");
  CHECK(check_grid(kBegin + add + "ld.relaxed.gpu.global.u32 %r20, [%rd9];", 32, 2).kinds() == "");
}

TEST_CASE("a store through a bulk copy is there after its wait, not after wait_group.read") {
  const std::string fill =
      "mov.u32 %r2, tile; mad.lo.u32 %r3, %r11, 4, %r2; st.shared.u32 [%r3], %r11; "
      "fence.proxy.async.shared::cta; bar.sync 0;\n";
  const std::string copy =
      "@!%p3 bra SENT;\ncp.async.bulk.global.shared::cta.bulk_group [%rd9], "
      "[%r2], 128; cp.async.bulk.commit_group;\n";
  const std::string wait = "cp.async.bulk.wait_group 0;\nSENT:\n";
  const std::string read = "mad.wide.u32 %rd2, %r11, 4, %rd9; ld.global.u32 %r20, [%rd2];\n";
  CHECK(check_grid(kBegin + fill + copy + wait + kBarrier + read, 32, 1).kinds() == "");
  const std::string early = "cp.async.bulk.wait_group.read 0;\nSENT:\n";
  const Checked run = check_grid(kBegin + fill + copy + early + kBarrier + read, 32, 1);
  CHECK(run.kinds() == "race-read-after-write");
  CHECK(run.says("must wait with cp.async.bulk.wait_group, without .read"));
}

TEST_CASE("who finds a lock taken has told its holder nothing") {
  // Warp 0 reads, and comes to the lock while warp 1 is yet to take it in its turn; warp 1 writes
  // what warp 0 has read.
  // %r5: what the own turn finds in the lock; %r8: what it puts there.
  const std::string begin =
      "mov.u32 %r2, tile; mov.u32 %r1, %tid.x; mov.u32 %r9, 0; setp.ne.u32 %p9, %r1, 0;\n"
      "@!%p9 st.shared.u32 [%r2], %r9; @!%p9 st.shared.u32 [%r2+64], %r9; bar.sync 0;\n"
      "shr.u32 %r7, %r1, 5; ";
  const std::string body =
      "shl.b32 %r5, %r7, 1; add.u32 %r8, %r5, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra END;\n"
      "setp.ge.u32 %p1, %r1, 32; @%p1 bra OTHER; ld.shared.u32 %r3, [%r2+64];\n"
      "A: atom.acq_rel.cta.shared.cas.b32 %r4, [%r2], %r5, %r8; setp.ne.u32 %p2, %r4, %r5; "
      "@%p2 bra A; bra.uni FREE;\n"
      "OTHER: atom.acquire.cta.shared.cas.b32 %r4, [%r2], %r5, %r8; setp.ne.u32 %p2, %r4, %r5; "
      "@%p2 bra OTHER; st.shared.u32 [%r2+64], %r1;\n"
      "FREE: add.u32 %r6, %r5, 2; st.release.cta.shared.u32 [%r2], %r6;\nEND:";
  CHECK(check_body(begin + "xor.b32 %r7, %r7, 1;\n" + body, 64).kinds() == "race-write-after-read");
  CHECK(check_body(begin + body, 64).kinds() == "");  // warp 0 first: its release tells
}

}  // namespace lanescope::emulator::test
