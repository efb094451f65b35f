// SPDX-License-Identifier: MIT
#include "emulator/execute/handlers.hpp"

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

const HandlerSet& handlers([[maybe_unused]] Host host) {
#if defined(LANESCOPE_VECTOR_HANDLERS)
  if (host == Host::avx512) return avx512::handler_set();
  if (host != Host::baseline) return avx2::handler_set();
#endif
  return baseline::handler_set();
}

const HandlerSet& handlers(const Warp& warp) { return handlers(warp.cta->launch->program->host); }

}  // namespace lanescope::emulator
