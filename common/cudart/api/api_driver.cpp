// SPDX-License-Identifier: MIT
// The driver's errors, and how programs ask for the driver's functions.
//
// Source: CUDA runtime API, cudaGetDriverEntryPoint.
#include <fmt/format.h>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/driver/driver_older.hpp"
#include "cudart/errors.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

constexpr CUresult kDriverSuccess = 0, kDriverInvalidValue = 1;
constexpr int kOfThisRuntime = 13000;
constexpr int kFound = 0, kNotFound = 1, kLater = 2;  // cudaDriverEntryPointQueryResult

struct DriverError {
  CUresult code;
  const char* name;
};
#define LANESCOPE_DRIVER_ERROR(code, name) {code, #name},
constexpr DriverError kDriverErrors[] = {
#include "cudart/driver/driver_errors.inc"
};
#undef LANESCOPE_DRIVER_ERROR

const DriverError* find_driver_error(CUresult code) {
  for (const DriverError& error : kDriverErrors)
    if (error.code == code) return &error;
  return nullptr;
}

}  // namespace

CUresult to_driver(cudaError error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidFilterSetting:
    case cudaErrorInvalidNormSetting:
      return kDriverInvalidValue;
    case cudaErrorInvalidDeviceFunction:
      return cudaErrorInvalidResourceHandle;
    case cudaErrorInvalidSymbol:
      return cudaErrorSymbolNotFound;
    default:
      return error;  // the same number
  }
}

CUresult cuGetErrorName(CUresult code, const char** text) {
  if (!is_mapped(text, sizeof *text)) return kDriverInvalidValue;
  const DriverError* found = find_driver_error(code);
  *text = found ? found->name : nullptr;
  return found ? kDriverSuccess : kDriverInvalidValue;
}

CUresult cuGetErrorString(CUresult code, const char** text) {
  if (!is_mapped(text, sizeof *text)) return kDriverInvalidValue;
  const DriverError* found = find_driver_error(code);
  *text = found ? error_text(code) : nullptr;
  return found ? kDriverSuccess : kDriverInvalidValue;
}

namespace {

// Of cuGetProcAddress and cudaGetDriverEntryPoint. A program built with --default-stream per-thread
// says kPerThread, or calls cudaGetDriverEntryPoint_ptsz.
constexpr std::uint64_t kPerThreadFlag = 2;

struct Found {
  void* function = nullptr;
  int status = kNotFound;
};

Found find_form(const char* symbol, int version, std::uint64_t flags) {
  const bool per_thread = (flags & kPerThreadFlag) != 0;
  if (is_later_than(version, symbol, per_thread)) return {nullptr, kLater};
  const OlderForm older = older_form(symbol, version);
  void* found = older.is_asked ? older.function : find_driver_function(symbol);
  void* twin = per_thread ? find_twin(found) : nullptr;
  return {twin ? twin : found, found ? kFound : kNotFound};
}

}  // namespace

#ifdef __EMSCRIPTEN__
void* find_twin(const void*) { return nullptr; }
#else
struct FunctionAndTwin {
  const void* function;
  void* twin;
};
extern "C" {
// Where the section of LANESCOPE_TWIN begins and ends: the linker's names.
extern __attribute__((visibility("hidden"))) const FunctionAndTwin __start_lanescope_twins[];
extern __attribute__((visibility("hidden"))) const FunctionAndTwin __stop_lanescope_twins[];
}

void* find_twin(const void* function) {
  for (const auto* pair = __start_lanescope_twins; pair != __stop_lanescope_twins; ++pair)
    if (pair->function == function) return pair->twin;
  return nullptr;
}
#endif

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, std::uint64_t flags,
                             int* status) {
  constexpr std::uint64_t kFlags = 3;  // which default stream
  if (!is_mapped(symbol, 1) || !is_mapped(function, sizeof *function) || flags > kFlags ||
      version > kOfThisRuntime)
    return kDriverInvalidValue;
  if (version < 0) version = kOfThisRuntime;
  // Whoever asks for everything at its start, as cuBLAS does, is only told what it calls.
  Found found = find_form(symbol, version, flags);
  if (found.status == kNotFound) {
    found.function = find_unsupported_driver_function(symbol);
    if (found.function) found.status = kFound;
  }
  *function = found.function;
  // The status says it, as on an H200, and without one the error.
  if (status) *status = found.status;
  return *function || status ? kDriverSuccess : static_cast<CUresult>(cudaErrorSymbolNotFound);
}

namespace {

cudaError find_entry(const char* symbol, void** function, int version, std::uint64_t flags,
                     int* status) {
  return call("cudaGetDriverEntryPoint", [&](Context& state) {
    if (!symbol || !function) return cudaErrorInvalidValue;
    *function = nullptr;
    if (status) *status = kFound;
    if (version > kOfThisRuntime) return cudaErrorInvalidValue;
    const Found found = find_form(symbol, version, flags);
    *function = found.function;
    if (status) *status = found.status;
    if (*function) return cudaSuccess;
    // As the runtime does: the status says it, and without one the error.
    if (status && found.status == kLater) return cudaSuccess;
    if (status) {
      say(fmt::format("cudaGetDriverEntryPoint: {} is not emulated", symbol));
      return cudaSuccess;
    }
    return refuse(state, cudaErrorSymbolNotFound, fmt::format("{} is not emulated", symbol));
  });
}

}  // namespace

cudaError cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                  int* status) {
  return find_entry(symbol, function, kOfThisRuntime, flags, status);
}

cudaError cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                           unsigned long long flags, int* status) {
  return find_entry(symbol, function, static_cast<int>(version), flags, status);
}

cudaError cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                       unsigned long long flags, int* status) {
  return find_entry(symbol, function, kOfThisRuntime, flags ? flags : kPerThreadFlag, status);
}

cudaError cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                unsigned version, unsigned long long flags,
                                                int* status) {
  return find_entry(symbol, function, static_cast<int>(version), flags ? flags : kPerThreadFlag,
                    status);
}

}  // namespace lanescope::cudart
