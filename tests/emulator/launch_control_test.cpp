// SPDX-License-Identifier: MIT
// clusterlaunchcontrol: who runs takes over clusters of the grid that have not begun, and what is
// wrong with that, st.bulk and their like (PTX ISA 9.2, 9.7.13.17). No card has been asked.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

// Each CTA adds 1 to the word of its own index, and of those that it takes over; the second word
// says who did it. %r20, %r21: the CTA's part of its index within its cluster.
std::string taking_over(bool multicast, const char* fence = "fence.proxy.async.shared::cta; ") {
  const std::string all = multicast ? ".multicast::cluster::all" : "";
  return "{ .reg .b128 %q<2>; .reg .b32 %c<9>; .shared .align 16 .b8 answer[16]; "
         ".shared .align 8 .b64 full; mov.u32 %c0, full; mov.u32 %c1, answer; "
         "ld.param.u64 %rd1, [out]; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; "
         "mov.u32 %r20, %cluster_ctaid.x; mov.u32 %r6, 0; setp.eq.u32 %p0, %r0, 0; "
         "@%p0 mbarrier.init.shared.b64 [%c0], 1; fence.mbarrier_init.release.cluster; "
         "barrier.cluster.arrive; barrier.cluster.wait;\n"
         "AGAIN: mov.u32 %r7, %nctaid.x; mad.lo.u32 %r7, %r5, %r7, %r4; "
         "mad.wide.u32 %rd2, %r7, 8, %rd1; mov.u32 %r8, %ctaid.x; "
         "@%p0 red.global.add.u32 [%rd2], 1; @%p0 st.global.u32 [%rd2+4], %r8; "
         "barrier.cluster.arrive; barrier.cluster.wait; "
         "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%c0], 16; "
         "barrier.cluster.arrive; barrier.cluster.wait; "
         "mov.pred %p1, %p0; " +
         (multicast
              ? std::string("mov.u32 %r9, %cluster_ctarank; setp.eq.and.u32 %p1, %r9, 0, %p0; ")
              : std::string()) +
         "@%p1 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes" +
         all +
         ".b128 [%c1], [%c0];\n"
         "W: mbarrier.try_wait.parity.shared.b64 %p2, [%c0], %r6; @!%p2 bra W; xor.b32 %r6, %r6, "
         "1; ld.shared.b128 %q1, [%c1]; "
         "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q1; @!%p3 bra END; "
         "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r4, %r5, %r10, _}, %q1; "
         "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r11, %q1; "
         "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r12, %q1; "
         "clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %r13, %q1; "
         "setp.ne.u32 %p4, %r4, %r11; @%p4 trap; setp.ne.u32 %p4, %r5, %r12; @%p4 trap; "
         "setp.ne.u32 %p4, %r10, %r13; @%p4 trap; " +
         std::string(fence) + "add.u32 %r4, %r4, %r20; bra AGAIN;\nEND: }";
}

struct Done {
  LaunchReport report;
  std::vector<std::uint32_t> words;
};

Done run(const std::string& body, std::array<int, 3> grid, int cluster, int threads = 1) {
  Machine machine({.arch = "sm_100a", .threads = threads});
  std::string text = module_of(body, "sm_100a");
  const auto module = machine.load(text, "control");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto ctas = static_cast<std::size_t>(grid[0] * grid[1]);
  const auto out = machine.allocate(ctas * 8);
  std::memset(reinterpret_cast<void*>(out.value), 0, ctas * 8);
  std::byte parameters[16] = {};
  std::memcpy(parameters, &out.value, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "snippet");
  request.grid = grid;
  request.cluster = {cluster, 1, 1};
  request.block = {32, 1, 1};
  request.parameters = parameters;
  request.checks.races = true;
  Done done{machine.launch(request), {}};
  done.words.resize(ctas * 2);
  std::memcpy(done.words.data(), reinterpret_cast<const void*>(out.value), ctas * 8);
  return done;
}

}  // namespace

TEST_CASE("clusterlaunchcontrol: a CTA takes over those that have not begun, each once") {
  if (has_ptxas())
    CHECK(refusal_of_ptxas(module_of(taking_over(false), "sm_100a"), "sm_100a") == "");
  for (const int threads : {1, 4}) {
    const Done done = run(taking_over(false), {5, 3, 1}, 1, threads);
    REQUIRE_MESSAGE(done.report.error.message.empty(), done.report.error.message);
    for (const CheckReport& found : done.report.reports) FAIL_CHECK(found.diagnostic.message);
    for (std::size_t cta = 0; cta < 15; ++cta) {
      CHECK(done.words[2 * cta] == 1);
      CHECK(done.words[2 * cta + 1] == 0);  // the first, that has begun before the others
    }
  }
}

TEST_CASE(
    "clusterlaunchcontrol: an answer overwrites one that was read, unless a fence is between") {
  const Done done = run(taking_over(false, ""), {3, 1, 1}, 1);
  REQUIRE(done.report.reports.size() == 1);
  CHECK(contains(done.report.reports[0].diagnostic.message, "overwrites through the async proxy"));
}

TEST_CASE("clusterlaunchcontrol: a cluster takes over clusters, and all of its CTAs hear of it") {
  if (has_ptxas())
    CHECK(refusal_of_ptxas(module_of(taking_over(true), "sm_100a"), "sm_100a") == "");
  const Done done = run(taking_over(true), {6, 2, 1}, 2);
  REQUIRE_MESSAGE(done.report.error.message.empty(), done.report.error.message);
  for (const CheckReport& found : done.report.reports) FAIL_CHECK(found.diagnostic.message);
  for (std::size_t cta = 0; cta < 12; ++cta) {
    CHECK(done.words[2 * cta] == 1);
    CHECK(done.words[2 * cta + 1] == cta % 6 % 2);
  }
}

TEST_CASE("st.bulk, cvt.rs and clusterlaunchcontrol used wrongly") {
  const auto stops = [](const char* body, std::string_view part) {
    const Run run = run_body(body, "sm_100a");
    CAPTURE(run.load_error.message + run.report.error.message);
    CHECK(contains(run.load_error.message + run.report.error.message, part));
  };
  const std::string place = "mov.u32 %r1, tile; ";
  stops((place + "st.bulk.shared::cta [%r1], 12, 0;").c_str(), "st.bulk of 12 bytes");
  stops((place + "st.bulk.shared::cta [%r1+4], 16, 0;").c_str(), "not a multiple of 8");
  stops((place + "st.bulk.shared::cta [%r1], 4096, 0;").c_str(), "");
  stops((place + "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes."
                 "b128 [%r1], [%r1+64];")
            .c_str(),
        "no mbarrier");
  // As ptxas refuses them.
  for (const char* body :
       {"st.bulk.shared::cta [%r1], 16, 1;", "cvt.rs.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2;",
        "cvt.rs.f16x2.f32 %r1, %f1, %f2;", "redux.sync.add.f32 %f1, %f2, -1;",
        "stmatrix.sync.aligned.m16n8.x2.shared.b8 [%r1], {%r2, %r3};", "min.abs.f32 %f1, %f2, %f3;",
        "max.xorsign.f32 %f1, %f2, %f3;", "max.abs.f16 %h1, %h2, %h3;",
        "ld.shared.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%r1];",
        "red.async.mmio.release.sys.global.inc.f32 [%rd0], %f1;"}) {
    CAPTURE(body);
    CHECK(!Machine({.arch = "sm_100a"}).load(module_of(body, "sm_100a"), "p").ok());
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, "sm_100a"), "sm_100a") != "");
  }
}

TEST_CASE("256 bits at once go through a generic address, too") {
  const std::string text = module_of("ld.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd0];", "sm_100");
  CHECK(Machine({.arch = "sm_100a"}).load(text, "p").error.message == "");
  if (has_ptxas()) CHECK(refusal_of_ptxas(text, "sm_100") == "");
}

TEST_CASE("a tensor copy's .cta_group is not for sm_120a, which has no tensor memory") {
  const char* body =
      "cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes.cta_group::1 "
      "[%r1], [%rd1, {%r2}], [%r3];";
  for (const char* target : {"sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a"}) {
    CAPTURE(std::string(target));
    const std::string text = module_of(body, target);
    const bool taken = Machine({.arch = target}).load(text, "p").ok();
    CHECK(taken == (std::string(target) < "sm_120a"));
    if (has_ptxas()) CHECK((refusal_of_ptxas(text, target) == "") == taken);
  }
}

TEST_CASE("redux of f32 and cvt.rs are not for every target of sm_100's kin") {
  for (const char* target : {"sm_100a", "sm_103a", "sm_110a", "sm_120a"})
    for (const char* body :
         {"redux.sync.min.f32 %f1, %f2, -1;", "cvt.rs.f16x2.f32 %r1, %f1, %f2, %r2;"}) {
      CAPTURE(std::string(target));
      CAPTURE(body);
      const std::string text = module_of(body, target);
      const bool taken = Machine({.arch = target}).load(text, "p").ok();
      CHECK(taken == (std::string(target) < "sm_110a"));
      if (has_ptxas()) CHECK((refusal_of_ptxas(text, target) == "") == taken);
    }
}

}  // namespace lanescope::emulator::test
