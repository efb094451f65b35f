// SPDX-License-Identifier: MIT
#include "cudart/driver/driver_current.hpp"

#include <algorithm>
#include <cctype>

#include "cudart/default_stream.hpp"

namespace lanescope::cudart {

std::vector<std::uint64_t>& pushed_contexts() {
  thread_local std::vector<std::uint64_t> pushed;
  return pushed;
}

std::uint64_t current_context() {
  const auto& pushed = pushed_contexts();
  return pushed.empty() ? 0 : pushed.back();
}

bool find_context_for(const char* function) {
  const std::string_view name = function == nullptr ? "" : function;
  const bool is_drivers = name.starts_with("cu") && name.size() > 2 &&
                          std::isupper(static_cast<unsigned char>(name[2]));
  if (is_drivers) return false;
  if (pushed_contexts().empty()) pushed_contexts().push_back(kPrimaryContext);
  return true;
}

// Says an H200 (driver 580.159.04). What is asked of a handle needs no context, nor do graphs,
// pools and addresses.
bool needs_context(std::string_view function) {
  const bool is_copy = function.starts_with("cuMemcpy") || function.starts_with("cuMemset");
  if (is_copy) return function.find("Async") == function.npos;
  static constexpr std::string_view kBegins[] = {"cuArrayCreate",
                                                 "cuArray3DCreate",
                                                 "cuCtxAttach",
                                                 "cuCtxGetCacheConfig",
                                                 "cuCtxGetDevice",
                                                 "cuCtxGetExecAffinity",
                                                 "cuCtxGetFlags",
                                                 "cuCtxGetLimit",
                                                 "cuCtxGetStreamPriorityRange",
                                                 "cuCtxReset",
                                                 "cuCtxSetCacheConfig",
                                                 "cuCtxSetFlags",
                                                 "cuCtxSetLimit",
                                                 "cuCtxSynchronize",
                                                 "cuEventCreate",
                                                 "cuKernelGetFunction",
                                                 "cuKernelGetParamInfo",
                                                 "cuLibraryGetGlobal",
                                                 "cuLibraryGetModule",
                                                 "cuLink",
                                                 "cuMemAllocHost",
                                                 "cuMemAllocPitch",
                                                 "cuMemAlloc_v2",
                                                 "cuMemGetAddressRange",
                                                 "cuMemGetInfo",
                                                 "cuMemHostAlloc",
                                                 "cuMemHostGet",
                                                 "cuMemHostRegister",
                                                 "cuMemRangeGet",
                                                 "cuMipmappedArrayCreate",
                                                 "cuModuleLoad",
                                                 "cuOccupancy",
                                                 "cuSurfObject",
                                                 "cuTensorMap",
                                                 "cuTexObject"};
  return std::any_of(std::begin(kBegins), std::end(kBegins),
                     [&](std::string_view begin) { return function.starts_with(begin); });
}

bool is_default_stream(CUhandle stream) {
  const std::uint64_t handle = number(stream);
  return handle == 0 || handle == kLegacyStream || handle == kPerThreadStream;
}

}  // namespace lanescope::cudart
