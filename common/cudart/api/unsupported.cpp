// SPDX-License-Identifier: MIT
// Every other function of libcudart.so.13 and of libcuda.so.1: it is there, so that programs load,
// names itself once on stderr and answers cudaErrorNotSupported, which the driver's functions call
// CUDA_ERROR_NOT_SUPPORTED. The names are in unsupported.inc and unsupported_driver.inc.
//
// The real functions take arguments; on this ABI the caller owns them, so ignoring them is
// harmless.
#include <fmt/format.h>

#include <atomic>

#include "cudart/abi.hpp"
#include "cudart/context.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

namespace {
/// What to do instead, where there is something.
const char* advice_for(std::string_view name) {
  if (name.find("Ipc") != name.npos)
    return "; what is here belongs to one process: let its threads share it";
  return "";
}

cudaError not_supported(const char* name, std::atomic<bool>& said) {
  const bool of_runtime = std::string_view(name).starts_with("cuda");
  if (!said.exchange(true))
    say(fmt::format("{} is not emulated; it answers {} (see docs/runtime.md){}", name,
                    of_runtime ? "cudaErrorNotSupported" : "CUDA_ERROR_NOT_SUPPORTED",
                    advice_for(name)));
  if (of_runtime) last_error() = cudaErrorNotSupported;  // of the driver's errors it does not hear
  return cudaErrorNotSupported;
}
}  // namespace

#define LANESCOPE_UNSUPPORTED(name)       \
  LANESCOPE_API cudaError name() {        \
    static std::atomic<bool> said{false}; \
    return not_supported(#name, said);    \
  }
#include "cudart/api/unsupported.inc"
#include "cudart/driver/unsupported_driver.inc"
#undef LANESCOPE_UNSUPPORTED

void* find_unsupported_driver_function(std::string_view name) {
  struct Entry {
    std::string_view name;
    cudaError (*function)();
  };
  static constexpr Entry kEntries[] = {
#define LANESCOPE_UNSUPPORTED(name) {#name, &name},
#include "cudart/driver/unsupported_driver.inc"
#undef LANESCOPE_UNSUPPORTED
  };
  // The plain name means the newest of cuMemCreate, cuMemCreate_v2, ...
  void* found = nullptr;
  for (const Entry& entry : kEntries) {
    const bool is_version = entry.name.size() == name.size() + 3 &&
                            entry.name.substr(0, name.size()) == name &&
                            entry.name.substr(name.size(), 2) == "_v";
    if (!name.empty() && (entry.name == name || is_version))
      found = reinterpret_cast<void*>(entry.function);
  }
  return found;
}

}  // namespace lanescope::cudart
