// SPDX-License-Identifier: MIT
// What to record of a launch: the steps of one CTA, or of one of its warps. The events come out one
// by one, as docs/trace_format.md describes them: `step` (what an instruction wrote), `access`
// (shared-memory addresses of the lanes), `sync` (how the warps of the CTA wait for each other).
//
//     StepRequest steps;
//     steps.block = {1, 0, 0};
//     steps.event = [](void* context, const trace::Event& event) { ... };
//     machine.launch({.kernel = kernel, .steps = &steps});
#pragma once

#include <array>
#include <cstdint>

#include "trace/event.hpp"

namespace lanescope::emulator {

struct StepRequest {
  std::array<int, 3> block{0, 0, 0};
  int warp = -1;                 // of the block; -1: every one
  std::int64_t from = 0;         // steps of a warp left out
  std::int64_t count = 100'000;  // steps of a warp recorded after that
  int launch = 0;                // Place::launch of the events
  void* context = nullptr;
  void (*event)(void* context, const trace::Event& event) = nullptr;
};

}  // namespace lanescope::emulator
