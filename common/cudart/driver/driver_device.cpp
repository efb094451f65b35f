// SPDX-License-Identifier: MIT
// Device and context of the driver API. There is one context, number 1.
#include <cstdio>
#include <cstring>

#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::uintptr_t kContext = 1;

template <class Body>
CUresult with_properties(CUdevice device, Body&& body,
                         const char* function_called = __builtin_FUNCTION()) {
  cudaDeviceProp found;
  const auto look = [&] {
    const cudaError error = cudaGetDeviceProperties(&found, device);
    return error != cudaSuccess ? error : body(found);
  };
  return drive(look, function_called);
}

CUresult current_context(CUhandle* made, CUdevice device) {
  if (!made) return to_driver(cudaErrorInvalidValue);
  if (device != 0) return to_driver(cudaErrorInvalidDevice);
  *made = reinterpret_cast<CUhandle>(kContext);
  return 0;
}

bool is_context(CUhandle asked, bool or_none = false) {
  return reinterpret_cast<std::uintptr_t>(asked) == kContext || (or_none && !asked);
}

}  // namespace

CUresult cuInit(unsigned flags) {
  if (flags != 0) return to_driver(cudaErrorInvalidValue);
  return context().card ? 0 : to_driver(cudaErrorNoDevice);
}

CUresult cuDriverGetVersion(int* version) {
  return drive([&] { return cudaDriverGetVersion(version); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (!device) return to_driver(cudaErrorInvalidValue);
  if (ordinal != 0) return to_driver(cudaErrorInvalidDevice);
  *device = 0;
  return 0;
}

CUresult cuDeviceGetCount(int* count) {
  return drive([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return with_properties(device, [&](const cudaDeviceProp& found) {
    if (!name || length < 1) return cudaErrorInvalidValue;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", found.name);
    return cudaSuccess;
  });
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  return with_properties(device, [&](const cudaDeviceProp& found) {
    if (!bytes) return cudaErrorInvalidValue;
    *bytes = found.totalGlobalMem;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetUuid_v2(void* uuid, CUdevice device) {
  return with_properties(device, [&](const cudaDeviceProp& found) {
    if (!uuid) return cudaErrorInvalidValue;
    std::memcpy(uuid, found.uuid, sizeof found.uuid);
    return cudaSuccess;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return with_properties(device, [&](const cudaDeviceProp& found) {
    if (!major || !minor) return cudaErrorInvalidValue;
    *major = found.major;
    *minor = found.minor;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  return drive([&] { return cudaDeviceGetAttribute(value, attribute, device); });
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return drive([&] { return cudaDeviceGetPCIBusId(text, length, device); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return drive([&] {
    const cudaError error = cudaDeviceGetByPCIBusId(device, text);
    return error == cudaErrorInvalidDevice ? cudaErrorInvalidValue : error;  // as an H200's driver
  });
}

// Only a part of the multiprocessors for a context: on no card that has not been divided.
CUresult cuDeviceGetExecAffinitySupport(int* supported, int, CUdevice device) {
  if (!supported) return to_driver(cudaErrorInvalidValue);
  if (device != 0) return to_driver(cudaErrorInvalidDevice);
  *supported = 0;
  return 0;
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return drive([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

CUresult cuDevicePrimaryCtxRetain(CUhandle* made, CUdevice device) {
  return current_context(made, device);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return device == 0 ? 0 : to_driver(cudaErrorInvalidDevice);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return device == 0 ? 0 : to_driver(cudaErrorInvalidDevice);
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned) {
  return device == 0 ? 0 : to_driver(cudaErrorInvalidDevice);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  if (device != 0) return to_driver(cudaErrorInvalidDevice);
  if (!flags || !active) return to_driver(cudaErrorInvalidValue);
  *flags = 0;
  *active = 1;
  return 0;
}

CUresult cuCtxCreate_v2(CUhandle* made, unsigned, CUdevice device) {
  return current_context(made, device);
}

CUresult cuCtxCreate_v4(CUhandle* made, const void*, unsigned, CUdevice device) {
  return current_context(made, device);
}

CUresult cuCtxDestroy_v2(CUhandle asked) {
  return is_context(asked) ? 0 : to_driver(cudaErrorDeviceUninitialized);
}

CUresult cuCtxPushCurrent_v2(CUhandle asked) {
  return is_context(asked) ? 0 : to_driver(cudaErrorDeviceUninitialized);
}

CUresult cuCtxSetCurrent(CUhandle asked) {
  return is_context(asked, true) ? 0 : to_driver(cudaErrorDeviceUninitialized);
}

CUresult cuCtxPopCurrent_v2(CUhandle* found) { return current_context(found, 0); }

CUresult cuCtxGetCurrent(CUhandle* found) { return current_context(found, 0); }

CUresult cuCtxGetDevice(CUdevice* device) { return cuDeviceGet(device, 0); }

CUresult cuCtxSynchronize() {
  return drive([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxGetApiVersion(CUhandle, unsigned* version) {
  if (!version) return to_driver(cudaErrorInvalidValue);
  *version = kRuntimeVersion;
  return 0;
}

CUresult cuCtxGetFlags(unsigned* flags) {
  constexpr unsigned kMapsHost = 8;  // always, says an H200
  const CUresult result = drive([&] { return cudaGetDeviceFlags(flags); });
  if (result == 0) *flags |= kMapsHost;
  return result;
}

CUresult cuCtxGetId(CUhandle asked, unsigned long long* id) {
  if (!id || !is_context(asked, true)) return to_driver(cudaErrorInvalidValue);
  *id = kContext;
  return 0;
}

CUresult cuCtxResetPersistingL2Cache() {
  return drive([] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuCtxGetLimit(std::size_t* value, int limit) {
  return drive([&] { return cudaDeviceGetLimit(value, limit); });
}

CUresult cuCtxSetLimit(int limit, std::size_t value) {
  return drive([&] { return cudaDeviceSetLimit(limit, value); });
}

CUresult cuCtxGetCacheConfig(int* config) {
  return drive([&] { return cudaDeviceGetCacheConfig(config); });
}

CUresult cuCtxSetCacheConfig(int config) {
  return drive([&] { return cudaDeviceSetCacheConfig(config); });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return drive([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuProfilerStart() { return 0; }

CUresult cuProfilerStop() { return 0; }

}  // namespace lanescope::cudart
