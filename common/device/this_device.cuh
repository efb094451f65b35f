// SPDX-License-Identifier: MIT
// The device that a lesson runs on, in the lesson's first line.
//
//     const ThisDevice device = introduce("wgmma");         // prints "wgmma: NVIDIA H200, sm_90"
//     if (device.sm / 10 != 9) return device.lacks("wgmma is an instruction of sm_90a alone", 9);
//     if (!device.emulator) ...                             // it has a clock
//
// Source: CUDA Runtime API, cudaDeviceProp.
#pragma once

#include <cstdio>
#include <string>

#include "check.cuh"

struct ThisDevice {
  std::string name;
  int sm;         // 90
  bool emulator;  // Lanescope's, not a GPU

  /// Says why the lesson cannot be run here, and where it can; gives the exit code.
  int lacks(const char* what, int lesson) const {
    std::fprintf(stderr, "lesson: %s; this is sm_%d; `./learn lesson %d %s` has it\n", what, sm,
                 lesson, emulator ? "--arch sm_90a" : "--device cpu");
    return 2;
  }
};

inline ThisDevice introduce(const char* lesson) {
  cudaDeviceProp device{};
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  const std::string name = device.name;
  const int sm = device.major * 10 + device.minor;
  std::printf("%s: %s, sm_%d\n\n", lesson, name.c_str(), sm);
  return {name, sm, name == "Lanescope emulator"};
}
