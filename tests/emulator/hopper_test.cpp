// SPDX-License-Identifier: MIT
// Clusters, and everything that can go wrong with mbarriers and bulk copies.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

struct Wrong {
  std::string_view body;
  ErrorCode code;
  std::vector<std::string_view> parts;
};

void check(const Wrong& wrong, int threads = 32) {
  const Run run = run_body(wrong.body, "sm_90a", threads);
  REQUIRE_MESSAGE(run.load_error.message.empty(), run.load_error.message);
  const std::string& message = run.report.error.message;
  CAPTURE(message);
  CHECK(run.report.error.code == wrong.code);
  for (const std::string_view part : wrong.parts)
    CHECK_MESSAGE(message.find(part) != std::string::npos, part);
}

// Runs a body in clusters; every CTA has 64 bytes of output a lane.
std::vector<std::uint32_t> run_clusters(std::string_view body, std::array<int, 3> grid,
                                        std::array<int, 3> cluster,
                                        std::string_view attributes = "",
                                        ErrorCode code = ErrorCode::none,
                                        std::string_view part = "") {
  std::string text = module_of(body, "sm_90a");
  const std::string offset = "mad.wide.u32 %rd0, %r0, 64, %rd0;";
  text.insert(text.find(offset) + offset.size(),
              "\n mov.u32 %r59, %ctaid.y; mov.u32 %r58, %nctaid.x; mul.lo.u32 %r59, %r59, %r58; "
              "mov.u32 %r58, %ctaid.x; add.u32 %r59, %r59, %r58; mad.wide.u32 %rd0, %r59, 2048, "
              "%rd0;");
  text.insert(text.find("\n{", text.find(".entry")), attributes);
  Machine machine({});
  const auto module = machine.load(text, "cluster");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto ctas = static_cast<std::size_t>(grid[0] * grid[1]);
  const auto out = machine.allocate(ctas * 2048);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.grid = grid;
  request.cluster = cluster;
  request.block = {32, 1, 1};
  request.parameters = parameters;
  request.instruction_limit = 1'000'000;
  const LaunchReport report = machine.launch(request);
  CAPTURE(report.error.message);
  CHECK(report.error.code == code);
  CHECK(report.error.message.find(part) != std::string::npos);
  std::vector<std::uint32_t> words(ctas * 512);
  std::memcpy(words.data(), reinterpret_cast<const void*>(out.value), words.size() * 4);
  return words;
}

}  // namespace

TEST_CASE("a phase that never completes says who waits for what") {
  check(
      {"mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2+8], 2; bar.warp.sync -1; setp.eq.u32 "
       "%p0, %r0, 0; @%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2+8], 64;\nW: "
       "mbarrier.try_wait.parity.shared.b64 %p1, [%r2+8], 0; @!%p1 bra W;",
       ErrorCode::launch_timeout,
       {"deadlock", "warp 0 waits for parity 0 at the mbarrier at shared address 0x408",
        "misses 1 of 2 arrivals and 64 bytes", "phase 0 (parity 0)"}});
}

TEST_CASE("a loop around test_wait that nobody ends is a deadlock, too") {
  const Run run = run_body(
      "mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2+8], 2; W: "
      "mbarrier.test_wait.parity.shared.b64 %p1, [%r2+8], 0; @!%p1 bra W;",
      "sm_90a", 32, 0);
  CHECK(run.report.error.code == ErrorCode::launch_timeout);
  CHECK_MESSAGE(
      run.report.error.message.find("deadlock: warp 0 waits for parity 0 at the mbarrier at shared "
                                    "address 0x408") != std::string::npos,
      run.report.error.message);
}

TEST_CASE("a thread may give up waiting") {
  const Run run = run_body(
      "mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2], 2; mov.u32 %r3, 0; W: "
      "mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, "
      "%r3, 5; @%p2 bra W; st.global.u32 [%rd0], %r3;",
      "sm_90a");
  CHECK(run.report.error.message == "");
  CHECK(run.words[0] == 5);
}

TEST_CASE("who slept at an mbarrier has seen its phase, though another invalidates it at once") {
  const Run run = run_body(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; setp.eq.u32 %p0, %r1, 0; setp.ge.u32 %p2, %r1, 32; "
      "@%p0 mbarrier.init.shared.b64 [%r2], 64; bar.sync 0; mbarrier.arrive.shared.b64 %rd1, "
      "[%r2]; W: mbarrier.try_wait.shared.b64 %p1, [%r2], %rd1; @!%p1 bra W; @%p0 "
      "mbarrier.inval.shared.b64 [%r2]; @%p2 st.global.u32 [%rd0], %r1;",
      "sm_90a", 64);
  CHECK(run.report.error.message == "");
  CHECK(run.words[31 * 16] == 63);
}

TEST_CASE("mbarriers that are misused are named") {
  check({"mov.u32 %r2, tile; mbarrier.arrive.shared.b64 %rd1, [%r2+16];",
         ErrorCode::illegal_instruction,
         {"no mbarrier at shared address 0x410", "initialise it", "lane 0"}});
  check(
      {"mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2], 3; bar.warp.sync -1; "
       "mbarrier.arrive.shared.b64 %rd1, [%r2], 4;",
       ErrorCode::illegal_instruction,
       {"4 arrivals", "waits for 3 of 3"}});
  check({"mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2], 0;",
         ErrorCode::illegal_instruction,
         {"a count of 0"}});
  check({"mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2+4], 1;",
         ErrorCode::misaligned_address,
         {"0x404", "multiple of 8"}});
  check({"mbarrier.init.b64 [%rd0], 1;", ErrorCode::illegal_address, {"not in shared memory"}});
}

TEST_CASE("bulk copies that cannot be are named") {
  const std::string begin =
      "mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2], 1; bar.warp.sync -1; setp.eq.u32 %p0, "
      "%r0, 0; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
  check({begin + "[%r2+16], [%rd0], 24, [%r2];",
         ErrorCode::illegal_instruction,
         {"a bulk copy of 24 bytes", "multiple of 16"}});
  check({begin + "[%r2+16], [%rd0+2048], 16, [%r2];",
         ErrorCode::illegal_address,
         {"read of 16 bytes", "out of bounds"}});
  check({begin + "[%r2+2048], [%rd0], 16, [%r2];", ErrorCode::illegal_address, {"0xc00"}});
  check(
      {begin + "[%r2+24], [%rd0], 16, [%r2];", ErrorCode::misaligned_address, {"multiple of 16"}});
  check({begin + "[%r2+16], [%rd0], 16, [%r2+8];",
         ErrorCode::illegal_instruction,
         {"no mbarrier at shared address 0x408"}});
  check(
      {"mov.u32 %r2, tile; mbarrier.init.shared.b64 [%r2], 1; bar.warp.sync -1; "
       "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+128], "
       "[%rd0, {%r0}], [%r2];",
       ErrorCode::illegal_instruction,
       {"cuTensorMapEncodeTiled"}});
}

TEST_CASE("CTAs of a cluster see each other's shared memory") {
  // Every CTA reads what its right neighbour wrote, and adds to the first word of rank 0.
  const auto words = run_clusters(
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r0, 4, %r2; mad.lo.u32 %r4, %r1, "
      "100, %r0; st.shared.u32 [%r3], %r4; st.shared.u32 [%r2+1024], 0; "
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.u32 %r5, "
      "%cluster_ctarank; "
      "add.u32 %r6, %r5, 1; and.b32 %r6, %r6, 3; mapa.shared::cluster.u32 %r7, %r3, %r6; "
      "ld.shared::cluster.u32 %r8, [%r7]; cvt.u64.u32 %rd1, %r2; cvta.shared.u64 %rd1, %rd1; "
      "mapa.u64 %rd2, %rd1, 0; atom.add.u32 %r9, [%rd2+1024], 1; barrier.cluster.arrive.aligned; "
      "barrier.cluster.wait.aligned; ld.u32 %r10, [%rd2+1024]; st.global.v2.u32 [%rd0], {%r8, "
      "%r10}; mov.u32 %r11, %clusterid.x; mov.u32 %r12, %cluster_ctaid.x; st.global.v2.u32 "
      "[%rd0+8], {%r11, %r12}; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
      {8, 1, 1}, {4, 1, 1});
  for (std::uint32_t cta = 0; cta < 8; ++cta) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t* found = words.data() + cta * 512 + lane * 16;
      CHECK(found[0] == (cta / 4 * 4 + (cta + 1) % 4) * 100 + lane);
      CHECK(found[1] == 4 * 32);
      CHECK(found[2] == cta / 4);
      CHECK(found[3] == cta % 4);
    }
  }
}

TEST_CASE("a shared address has the rank of its CTA in the highest byte, as on an H200") {
  // tile; its generic address less that of rank 0; mapa to rank 3; whose the two are, and whose
  // without that byte; what direct, generic, ldmatrix' and cp.async' addresses find there.
  const auto words = run_clusters(
      "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, tile; mov.u64 %rd1, tile; cvta.shared.u64 %rd1, "
      "%rd1; mapa.u64 %rd2, %rd1, 0; sub.u64 %rd2, %rd1, %rd2; cvt.u32.u64 %r3, %rd2; "
      "mapa.shared::cluster.u32 %r4, %r2, 3; getctarank.shared::cluster.u32 %r5, %r2; "
      "getctarank.u64 %r6, %rd1; and.b32 %r7, %r2, 0xffffff; getctarank.shared::cluster.u32 %r8, "
      "%r7; st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5}; st.global.v2.u32 [%rd0+16], {%r6, %r8};"
      "mad.lo.u32 %r9, %r1, 100, %r0; mad.lo.u32 %r10, %r0, 16, %r2; st.shared.u32 [tile+600], %r9;"
      "st.shared.u32 [%r10+1024], %r9; bar.warp.sync -1; ld.shared.u32 %r3, [%r2+600]; "
      "ld.u32 %r4, [%rd1+600]; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, "
      "[%r10+1024]; cp.async.ca.shared.global [%r10], [%rd0], 16; cp.async.wait_all; "
      "ld.shared.u32 %r9, [%r10+8]; st.global.v4.u32 [%rd0+32], {%r3, %r4, %r5, %r8}; "
      "st.global.u32 [%rd0+48], %r9;",
      {4, 1, 1}, {4, 1, 1});
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t* found = words.data() + rank * 512 + lane * 16;
      CHECK(found[0] == (rank << 24 | 0x400));
      CHECK(found[1] == rank << 24);
      CHECK(found[2] == 0x3000400);
      CHECK(found[3] == rank);
      CHECK(found[4] == rank);
      CHECK(found[5] == 0);
      CHECK(found[8] == found[9]);
      CHECK(found[8] / 100 == rank);
      if (lane % 4 == 0) CHECK(found[10] == rank * 100 + lane / 4);
      if (lane % 4 == 0) CHECK(found[11] == rank * 100 + 24 + lane / 4);
      CHECK(found[12] == 0x3000400);
    }
  }
  // Messages say the offset, and whose it is where that is another's.
  const auto refused = [](const char* body, ErrorCode code, const char* part) {
    const std::string begin = "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p0, %r1, 1; ";
    run_clusters(begin + "mov.u32 %r2, tile; " + body, {2, 1, 1}, {2, 1, 1}, "", code, part);
  };
  refused("@%p0 ld.shared.u32 %r3, [%r2+65536];", ErrorCode::illegal_address,
          "access of 4 bytes at shared address 0x10400 is out of bounds");
  refused("mapa.shared::cluster.u32 %r2, %r2, 0; @%p0 ld.shared::cluster.u32 %r3, [%r2+65536];",
          ErrorCode::illegal_address,
          "access of 4 bytes at shared address 0x10400 of CTA rank 0 is out of bounds");
  refused("@%p0 st.shared.u32 [%r2+2], %r3;", ErrorCode::misaligned_address,
          "at shared address 0x402 is not a multiple of 4");
  // .shared is .shared::cta, and reaches no further.
  for (const char* body :
       {"ld.shared.u32 %r3, [%r2];", "ld.shared::cta.u32 %r3, [%r2];", "st.shared.u32 [%r2], %r3;",
        "atom.shared.add.u32 %r3, [%r2], 1;", "mbarrier.init.shared.b64 [%r2], 1;",
        "cp.async.ca.shared.global [%r2], [%rd0], 4;"})
    refused((std::string("and.b32 %r2, %r2, 0xffffff; @%p0 ") + body).c_str(),
            ErrorCode::illegal_instruction, "by an instruction that reaches its own CTA's only");
  refused("mapa.shared::cluster.u32 %r2, %r2, 16; @%p0 ld.shared::cluster.u32 %r3, [%r2];",
          ErrorCode::illegal_instruction, "of the CTA of rank 16 in a cluster of 2");
  refused("mapa.shared::cluster.u32 %r2, %r2, 63; @%p0 ld.shared::cluster.u32 %r3, [%r2];",
          ErrorCode::illegal_instruction, "shared address 0x3f000400 is out of bounds");
}

TEST_CASE("isspacep.shared means the own CTA, .shared::cluster anybody's") {
  const auto words = run_clusters(
      "mov.u64 %rd1, tile; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, 1; isspacep.shared "
      "%p0, %rd2; isspacep.shared::cta %p1, %rd2; isspacep.shared::cluster %p2, %rd2; selp.u32 "
      "%r1, 1, 0, %p0; selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 1, 0, %p2; st.global.v2.u32 [%rd0], "
      "{%r1, %r2}; st.global.u32 [%rd0+8], %r3;",
      {2, 1, 1}, {2, 1, 1});
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    CHECK(words[rank * 512] == rank);
    CHECK(words[rank * 512 + 1] == rank);
    CHECK(words[rank * 512 + 2] == 1);
  }
}

TEST_CASE("clusters in two dimensions, named by the kernel") {
  const auto words = run_clusters(
      "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_ctaid.y; mov.u32 %r3, %clusterid.y; "
      "mov.u32 %r4, %cluster_nctaid.y; st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};",
      {4, 4, 1}, {1, 1, 1}, "\n.explicitcluster\n.reqnctapercluster 2, 2, 1");
  for (std::uint32_t cta = 0; cta < 16; ++cta) {
    const std::uint32_t col = cta % 4, row = cta / 4;
    CHECK(words[cta * 512] == row % 2 * 2 + col % 2);
    CHECK(words[cta * 512 + 1] == row % 2);
    CHECK(words[cta * 512 + 2] == row / 2);
    CHECK(words[cta * 512 + 3] == 2);
  }
  run_clusters("st.global.u32 [%rd0], %r0;", {3, 1, 1}, {2, 1, 1}, "",
               ErrorCode::invalid_configuration);
  run_clusters("st.global.u32 [%rd0], %r0;", {34, 1, 1}, {17, 1, 1}, "",
               ErrorCode::invalid_configuration);
  const char* store = "st.global.u32 [%rd0], %r0;";
  run_clusters(store, {4, 1, 1}, {2, 1, 1}, "\n.maxclusterrank 2");
  run_clusters(store, {4, 1, 1}, {4, 1, 1}, "\n.maxclusterrank 2", ErrorCode::invalid_configuration,
               "the kernel has .maxclusterrank 2");
  run_clusters(store, {4, 1, 1}, {4, 1, 1}, "\n.explicitcluster");
  run_clusters(store, {4, 1, 1}, {1, 1, 1}, "\n.explicitcluster", ErrorCode::invalid_configuration,
               "the launch names no cluster");
  // As on an H200: nothing happens until the address is used.
  run_clusters("mapa.shared::cluster.u32 %r1, %r0, 2;", {2, 1, 1}, {2, 1, 1}, "");
  run_clusters(
      "mov.u32 %r2, tile; mapa.shared::cluster.u32 %r1, %r2, 2; ld.shared::cluster.u32 %r3, [%r1];",
      {2, 1, 1}, {2, 1, 1}, "", ErrorCode::illegal_instruction);
}

TEST_CASE("a remote arrival, and a bulk copy into another CTA") {
  // Rank 1 sends 128 bytes to rank 0, which waits for them at its own mbarrier.
  const auto words = run_clusters(
      "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, tile; setp.eq.u32 %p0, %r0, 0; @%p0 "
      "mbarrier.init.shared.b64 [%r2], 2; fence.mbarrier_init.release.cluster; mad.lo.u32 %r3, "
      "%r0, "
      "4, %r2; mad.lo.u32 %r4, %r1, 1000, %r0; st.shared.u32 [%r3+256], %r4; "
      "fence.proxy.async.shared::cta; barrier.cluster.arrive.aligned; "
      "barrier.cluster.wait.aligned; "
      "setp.eq.u32 %p1, %r1, 0; mapa.shared::cluster.u32 %r5, %r2, 0; @%p1 bra RECEIVES; @%p0 "
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5]; add.u32 %r6, %r2, 256; @%p0 "
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5+512], [%r6], "
      "128, [%r5]; bra DONE; RECEIVES: @%p0 mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2], 128; "
      "W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra W; "
      "ld.shared.u32 %r7, [%r3+512]; st.global.u32 [%rd0], %r7; DONE: "
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
      {2, 1, 1}, {2, 1, 1});
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(words[lane * 16] == 1000 + lane);
}

TEST_CASE("a cluster's barrier waits for the late, whoever has arrived and left") {
  // The upper lanes of rank 0 arrive and end, those of rank 1 bring 42 to rank 0 before they come.
  const auto words = run_clusters(
      "mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, tile; setp.ge.u32 %p1, %r0, 16; mov.u32 %r3, 0;"
      "setp.eq.u32 %p0, %r1, 0; mov.u32 %r4, 42; st.shared.u32 [%r2], 0; barrier.cluster.arrive;"
      "barrier.cluster.wait; @!%p1 bra MEET; @!%p0 bra LATE; barrier.cluster.arrive; exit;"
      "LATE: nanosleep.u32 100; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 50; @%p2 bra LATE;"
      "mapa.shared::cluster.u32 %r5, %r2, 0; st.shared::cluster.u32 [%r5], %r4;"
      "MEET: barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r6, [%r2];"
      "st.global.u32 [%rd0], %r6; barrier.cluster.arrive; barrier.cluster.wait;",
      {2, 1, 1}, {2, 1, 1});
  for (std::uint32_t lane = 0; lane < 16; ++lane) CHECK(words[lane * 16] == 42);
}

TEST_CASE("a cluster's barrier that somebody never reaches") {
  run_clusters(
      "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p0, %r1, 0; mov.u32 %r2, tile; "
      "mbarrier.init.shared.b64 [%r2], 1; @%p0 bra A; W: "
      "mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra W; A: "
      "barrier.cluster.arrive; barrier.cluster.wait;",
      {2, 1, 1}, {2, 1, 1}, "", ErrorCode::launch_timeout);
}

}  // namespace lanescope::emulator::test
