// SPDX-License-Identifier: MIT
// The device of the driver API.
#include <cstdio>
#include <cstring>

#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

namespace {

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
    if (!name || length == 0) return cudaErrorInvalidValue;
    const std::size_t room = length < 0 ? 1 : static_cast<std::size_t>(length);
    std::snprintf(name, room, "%s", found.name);
    return cudaSuccess;
  });
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  clear(bytes);
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
  return drive([&] { return cudaDeviceGetByPCIBusId(device, text); });
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

// Of two devices, and there is one.
CUresult cuDeviceGetP2PAttribute(int* value, int attribute, CUdevice device, CUdevice peer) {
  return drive([&] { return cudaDeviceGetP2PAttribute(value, attribute, device, peer); });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return with_properties(device, [&](const cudaDeviceProp& found) {
    if (!properties) return cudaErrorInvalidValue;
    *properties = {found.maxThreadsPerBlock,
                   {found.maxThreadsDim[0], found.maxThreadsDim[1], found.maxThreadsDim[2]},
                   {found.maxGridSize[0], found.maxGridSize[1], found.maxGridSize[2]},
                   static_cast<int>(found.sharedMemPerBlock),
                   static_cast<int>(found.totalConstMem),
                   found.warpSize,
                   static_cast<int>(found.memPitch),
                   found.regsPerBlock,
                   0,
                   static_cast<int>(found.textureAlignment)};
    return cudaSuccess;
  });
}

CUresult cuProfilerStart() { return current_context() != 0 ? 0 : kInvalidContext; }

CUresult cuProfilerStop() { return cuProfilerStart(); }

}  // namespace lanescope::cudart
