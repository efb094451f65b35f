// SPDX-License-Identifier: MIT
// CUDA_CHECK(call): every CUDA call of a lesson goes through it. A call that failed ends the
// program with one line: what failed, where, and what to do about it. Not for device code.
//
//     CUDA_CHECK(cudaMalloc(&pointer, bytes));
//     kernel<<<1, 32>>>(pointer);
//     CUDA_CHECK(cudaGetLastError());        // did the launch itself fail?
//     CUDA_CHECK(cudaDeviceSynchronize());   // did the kernel?
//
// The emulator names the line of a kernel that stopped before it returns the error: then nothing is
// said here.
//
// Source: CUDA Runtime API, cudaError_t; docs/runtime.md (what the emulator's runtime has besides).
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) checking::stop_on_error((call), #call, __FILE__, __LINE__)

namespace checking {

// What a reader can do about the errors a lesson meets; "" when the error's own words say it all.
inline const char* advice(cudaError_t error) {
  switch (error) {
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
      return "no GPU, or a driver older than the toolkit; "
             "`lanescope lesson N --device cpu` runs it on the emulator";
    case cudaErrorNoKernelImageForDevice:
      return "the program has no code for this card; compile it with -arch=native";
    case cudaErrorUnsupportedPtxVersion:
      return "the driver is older than the toolkit; update it, or compile with -arch=native";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorAssert:
      return "a kernel stopped; `lanescope run -- PROGRAM` names the line, "
             "on a GPU `compute-sanitizer PROGRAM` does";
    case cudaErrorInvalidConfiguration:
      return "the grid, the block or the shared memory is too large; look at the <<<...>>>";
    case cudaErrorMemoryAllocation:
      return "the card's memory is full; `nvidia-smi` says by whom";
    default:
      return "";
  }
}

inline bool on_emulator() { return dlsym(RTLD_DEFAULT, "lanescopeCountBlock") != nullptr; }

// Errors that the emulator puts into words of its own, with the source line.
inline bool is_said_by_emulator(cudaError_t error) {
  switch (error) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
      return on_emulator();
    default:
      return false;
  }
}

inline void stop_on_error(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  const char* hint = advice(error);
  std::fflush(stdout);
  if (is_said_by_emulator(error)) std::exit(1);
  std::fprintf(stderr, "lesson: %s failed: %s (%s), at %s:%d%s%s\n", call,
               cudaGetErrorString(error), cudaGetErrorName(error), file, line,
               *hint != '\0' ? "; " : "", hint);
  std::exit(1);
}

}  // namespace checking
