// SPDX-License-Identifier: MIT
// Every other function of libcudart.so.13 and of libcuda.so.1: it is there, so that programs load, names itself once on
// stderr and answers cudaErrorNotSupported. The names are in unsupported.inc
// and unsupported_driver.inc.
//
// The real functions take arguments; on this ABI the caller owns them, so ignoring them is
// harmless.
#include <fmt/format.h>

#include <atomic>

#include "cudart/abi.hpp"
#include "cudart/context.hpp"

namespace lanescope::cudart {

namespace {
cudaError not_supported(const char* name, std::atomic<bool>& said) {
  if (!said.exchange(true))
    say(fmt::format("{} is not emulated; it answers cudaErrorNotSupported (see docs/runtime.md)",
                    name));
  return last_error() = cudaErrorNotSupported;
}
}  // namespace

#define LANESCOPE_UNSUPPORTED(name)       \
  LANESCOPE_API cudaError name() {        \
    static std::atomic<bool> said{false}; \
    return not_supported(#name, said);    \
  }
#include "cudart/unsupported.inc"
#include "cudart/unsupported_driver.inc"
#undef LANESCOPE_UNSUPPORTED

}  // namespace lanescope::cudart
