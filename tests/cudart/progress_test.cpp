// SPDX-License-Identifier: MIT
// What a launch that takes long says, when, and what it is told.
#include "cudart/progress.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace lanescope::cudart;
using lanescope::emulator::LaunchRequest;
using lanescope::emulator::Machine;
using lanescope::emulator::Progress;
using lanescope::emulator::ProgressListener;

TEST_CASE("lines of progress come on a terminal, elsewhere where they are asked for") {
  CHECK(seconds_until_progress("", true) == 20);
  CHECK(seconds_until_progress("", false) == 0);
  CHECK(seconds_until_progress("0", true) == 0);
  CHECK(seconds_until_progress("0.5", false) == 0.5);
  CHECK(seconds_until_progress("soon", true) == 0);
}

TEST_CASE("a line says how many CTAs are done, and how long the others take") {
  CHECK(progress_line("gemm<3>", 20.4, {0, 64, 1'234'567'890}) ==
        "kernel gemm<3>: 0 of 64 CTAs done in 20 s, 1234 million warp instructions; a smaller size "
        "or fewer turns of its loop show the same");
  CHECK(progress_line("gemm", 40, {1, 4, 5}) ==
        "kernel gemm: 1 of 4 CTAs done in 40 s, the others take about 2 min; a smaller grid shows "
        "the same");
  CHECK(progress_line("gemm", 20, {1, 1000, 5}).find("about 6 h;") != std::string::npos);
  CHECK(progress_line("gemm", 20, {1, 100000, 5}).find("about 23 days;") != std::string::npos);
}

TEST_CASE("who listens is told, and hears of more CTAs every time") {
  Machine machine({});
  const auto module = machine.load(R"(.version 9.0
.target sm_80
.address_size 64
.visible .entry spin() {
	.reg .b32 %r<2>;
	.reg .pred %p<2>;
	mov.u32 %r1, 500000;
AGAIN:
	sub.u32 %r1, %r1, 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra AGAIN;
	ret;
})",
                                   "spin");
  REQUIRE(module.ok());
  std::vector<Progress> told;
  const ProgressListener listener{
      &told, [](void* context, const Progress& progress) {
        static_cast<std::vector<Progress>*>(context)->push_back(progress);
      }};
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "spin");
  request.grid = {6, 1, 1};
  request.cluster = {2, 1, 1};
  request.progress = &listener;
  CHECK(!machine.launch(request).error);
  REQUIRE(told.size() == 2);  // a cluster has three million; not of the end
  for (std::size_t turn = 0; turn < told.size(); ++turn) {
    CHECK(told[turn].ctas == 6);
    CHECK(told[turn].ctas_done == 2 * (turn + 1));
    CHECK(told[turn].warp_instructions > 3'000'000 * (turn + 1));
  }
}
