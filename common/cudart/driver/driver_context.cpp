// SPDX-License-Identifier: MIT
// The context of the driver API: there is one, number 1.
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::uintptr_t kContext = 1;

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

CUresult cuCtxAttach(CUhandle* found, unsigned flags) {
  return flags == 0 ? current_context(found, 0) : to_driver(cudaErrorInvalidValue);
}

CUresult cuCtxDetach(CUhandle asked) { return cuCtxDestroy_v2(asked); }

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

CUresult cuCtxSetFlags(unsigned flags) {
  return drive([&] { return cudaSetDeviceFlags(flags); });
}

// All multiprocessors are the context's, says an H200.
CUresult cuCtxGetExecAffinity(CUexecAffinityParam* affinity, int type) {
  constexpr CUresult kUnsupportedAffinity = 224;
  if (!affinity) return to_driver(cudaErrorInvalidValue);
  if (type != 0) return kUnsupportedAffinity;
  if (!context().card) return to_driver(cudaErrorNoDevice);
  *affinity = {type, static_cast<unsigned>(context().card->multiprocessors)};
  return 0;
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

}  // namespace lanescope::cudart
