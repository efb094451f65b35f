// SPDX-License-Identifier: MIT
#include "emulator/handlers.hpp"

namespace lanescope::emulator {

const HandlerSet& handlers() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return avx2::handler_set();
#endif
  return baseline::handler_set();
}

}  // namespace lanescope::emulator
