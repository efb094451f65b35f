// SPDX-License-Identifier: MIT
// Two functions of NVRTC, before those of NVIDIA's own library: a program that compiles for sm_90
// takes machine code from nvrtcGetCUBIN, which no emulator of PTX runs. NVRTC has the PTX of the
// same program, too, and everything that loads a cubin takes PTX.
//
// Only for programs that are linked with NVRTC: one that opens it by itself finds NVIDIA's.
#include <dlfcn.h>

#include <atomic>
#include <cstddef>

#include "cudart/context.hpp"

namespace lanescope::cudart {
namespace {

using GetSize = int (*)(void* program, std::size_t* bytes);
using GetImage = int (*)(void* program, char* image);

constexpr int kInternalError = 11;  // NVRTC_ERROR_INTERNAL_ERROR

// NVRTC's own, or nullptr: nobody has loaded it.
template <class Call>
Call nvrtc(const char* name) {
  return reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
}

// Where NVRTC has no machine code, for compute_90, it answers as it always does.
bool has_machine_code(void* program) {
  const auto get = nvrtc<GetSize>("nvrtcGetCUBINSize");
  std::size_t bytes = 0;
  return get != nullptr && get(program, &bytes) == 0 && bytes > 0;
}

}  // namespace

LANESCOPE_API int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
  const bool instead = bytes != nullptr && has_machine_code(program);
  const auto get = nvrtc<GetSize>(instead ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize");
  return get != nullptr ? get(program, bytes) : kInternalError;
}

LANESCOPE_API int nvrtcGetCUBIN(void* program, char* image) {
  const bool instead = image != nullptr && has_machine_code(program);
  static std::atomic<bool> said{false};
  if (instead && !said.exchange(true))
    say("nvrtcGetCUBIN gives this program PTX: machine code does not run here");
  const auto get = nvrtc<GetImage>(instead ? "nvrtcGetPTX" : "nvrtcGetCUBIN");
  return get != nullptr ? get(program, image) : kInternalError;
}

}  // namespace lanescope::cudart
