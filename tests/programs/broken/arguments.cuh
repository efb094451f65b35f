// SPDX-License-Identifier: MIT
// What every kernel of broken.cu is given, and what those that copy or synchronise by mbarrier
// share.
#pragma once

#include <cstdint>

#include "ptx/shared_address.cuh"

namespace {

using ptx::shared_address;

constexpr int kMap = 512;  // from this number on a tensor map of the first 64, in boxes of 64

struct Arguments {
  int* memory;  // 1024 numbers, zero, but for kMap
  int threads;
};

struct Ring {
  alignas(128) int tile[256];
  std::uint64_t barrier;
};

}  // namespace
