// SPDX-License-Identifier: MIT
// What a launch executed, where somebody can say: on the emulator. On a GPU ncu can.
//
//     counts::Block block;
//     counts::start();                       // from now on
//     kernel<<<grid, threads>>>(...);
//     if (counts::of_last_launch(block)) ... // of its first block
//
// The emulator's runtime has one function more than NVIDIA's, which is looked for when the program
// runs: without it nothing is counted and nothing is missing.
//
// Source: docs/runtime.md, "Counting".
#pragma once

#include <dlfcn.h>

#include <cstdint>

namespace counts {

/// Of the warps of block 0 of a launch. The emulator's runtime knows this struct by its order.
struct Block {
  std::uint64_t instructions = 0;     // PTX instructions, each counted once a warp
  std::uint64_t mma = 0;              // of these mma.sync
  std::uint64_t global_loads = 0;     // ld.global and cp.async
  std::uint64_t shared_accesses = 0;  // instructions that touch shared memory
  std::uint64_t passes = 0;           // times the banks were gone to for them
  std::uint64_t least_passes = 0;     // ... if no two lanes had met at a bank
};

using Function = int (*)(int start, Block* block);

inline Function function() {
  static const auto found = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "lanescopeCountBlock"));
  return found;
}

inline bool there() { return function() != nullptr; }

inline void start() {
  if (there()) function()(1, nullptr);
}

inline bool of_last_launch(Block& block) { return there() && function()(0, &block) != 0; }

}  // namespace counts
