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
constexpr int kFound = 0, kNotFound = 1;  // cudaDriverEntryPointQueryResult

struct DriverError {
  CUresult code;
  const char* name;
};
// Of cuda.h; the texts are the runtime's.
constexpr DriverError kDriverErrors[] = {
    {0, "CUDA_SUCCESS"},
    {1, "CUDA_ERROR_INVALID_VALUE"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY"},
    {3, "CUDA_ERROR_NOT_INITIALIZED"},
    {100, "CUDA_ERROR_NO_DEVICE"},
    {101, "CUDA_ERROR_INVALID_DEVICE"},
    {200, "CUDA_ERROR_INVALID_IMAGE"},
    {201, "CUDA_ERROR_INVALID_CONTEXT"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {215, "CUDA_ERROR_UNSUPPORTED_LIMIT"},
    {218, "CUDA_ERROR_INVALID_PTX"},
    {301, "CUDA_ERROR_FILE_NOT_FOUND"},
    {400, "CUDA_ERROR_INVALID_HANDLE"},
    {401, "CUDA_ERROR_ILLEGAL_STATE"},
    {500, "CUDA_ERROR_NOT_FOUND"},
    {600, "CUDA_ERROR_NOT_READY"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {710, "CUDA_ERROR_ASSERT"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {719, "CUDA_ERROR_LAUNCH_FAILED"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    {801, "CUDA_ERROR_NOT_SUPPORTED"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
    {902, "CUDA_ERROR_STREAM_CAPTURE_MERGE"},
    {903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
    {904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
    {905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
    {906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
    {907, "CUDA_ERROR_CAPTURED_EVENT"},
    {908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD"},
    {910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
    {999, "CUDA_ERROR_UNKNOWN"},
};

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

void* find_form(const char* symbol, int version, std::uint64_t flags) {
  const OlderForm older = older_form(symbol, version);
  void* found = older.is_asked ? older.function : find_driver_function(symbol);
  void* twin = (flags & kPerThreadFlag) != 0 ? find_twin(found) : nullptr;
  return twin ? twin : found;
}

}  // namespace

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

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, std::uint64_t flags,
                             int* status) {
  if (!is_mapped(symbol, 1) || !is_mapped(function, sizeof *function)) return kDriverInvalidValue;
  // Whoever asks for everything at its start, as cuBLAS does, is only told what it calls.
  *function = find_form(symbol, version, flags);
  if (!*function) *function = find_unsupported_driver_function(symbol);
  // The status says it, as on an H200, and without one the error.
  if (status) *status = *function ? kFound : kNotFound;
  return *function || status ? kDriverSuccess : static_cast<CUresult>(cudaErrorSymbolNotFound);
}

namespace {

cudaError find_entry(const char* symbol, void** function, int version, std::uint64_t flags,
                     int* status) {
  return call("cudaGetDriverEntryPoint", [&](Context& state) {
    if (!symbol || !function) return cudaErrorInvalidValue;
    *function = find_form(symbol, version, flags);
    if (status) *status = *function ? kFound : kNotFound;
    if (*function) return cudaSuccess;
    // As the runtime does: the status says it, and without one the error.
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
