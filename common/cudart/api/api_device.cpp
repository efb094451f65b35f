// SPDX-License-Identifier: MIT
// The card and its errors. There is one card, number 0. Its settings are in api_settings.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/errors.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

/// Calls that work after a fault, too: they ask nothing of the card.
cudaError without_card(cudaError error) {
  if (error != cudaSuccess) last_error() = error;
  return error;
}

cudaError write_zero(int* where) {
  if (!where) return cudaErrorInvalidValue;
  *where = 0;
  return cudaSuccess;
}

}  // namespace

cudaError cudaDeviceSynchronize() {
  // What a kernel printed before it faulted is shown, too.
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const cudaError settled = state.settle();
  return call("cudaDeviceSynchronize", [&](Context&) { return settled; });
}

cudaError cudaDeviceReset() {
  // Memory stays: the emulator's is gone with the process, and a fault is not forgiven either.
  return cudaDeviceSynchronize();
}

cudaError cudaGetLastError() {
  const cudaError error = last_error();
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  last_error() = state.fault;  // a fault stays
  state.was_not_launched = false;
  return error;
}

cudaError cudaPeekAtLastError() { return last_error(); }

const char* cudaGetErrorName(cudaError code) { return error_name(code); }
const char* cudaGetErrorString(cudaError code) { return error_text(code); }

cudaError cudaGetDeviceCount(int* count) {
  if (!count) return without_card(cudaErrorInvalidValue);
  if (!context().card) return without_card(cudaErrorNoDevice);
  *count = 1;
  return cudaSuccess;
}

cudaError cudaGetDevice(int* device) {
  if (!device) return without_card(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError cudaSetDevice(int device) {
  return call("cudaSetDevice", [&](Context& state) {
    if (device == 0) return cudaSuccess;
    return refuse(state, cudaErrorInvalidDevice, fmt::format("no device {}, only 0", device));
  });
}

cudaError cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }

cudaError cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  if (!wanted) return without_card(cudaErrorInvalidValue);
  return call("cudaChooseDevice", [&](Context&) { return write_zero(device); });
}

cudaError cudaSetValidDevices(int* devices, int count) {
  return call("cudaSetValidDevices", [&](Context&) {
    if (count < 0 || count > 1) return cudaErrorInvalidValue;
    if (count == 1 && (!devices || devices[0] != 0)) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

cudaError cudaGetDeviceProperties(cudaDeviceProp* wanted, int device) {
  return call("cudaGetDeviceProperties", [&](Context& state) {
    if (!wanted) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *wanted = properties(*state.card, state.memory_bytes());
    return cudaSuccess;
  });
}

cudaError cudaDeviceGetAttribute(int* value, int number, int device) {
  return call("cudaDeviceGetAttribute", [&](Context& state) {
    if (!value) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const auto found = attribute(*state.card, number);
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

namespace {
constexpr char kNowhere[] = "0000:00:00.0";
}

cudaError cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call("cudaDeviceGetByPCIBusId", [&](Context&) {
    if (!device || !is_mapped(text, 1)) return cudaErrorInvalidValue;
    // "0000:00:00.0", "0000:00:00", "00:00.0" name the same card.
    const std::string_view asked(text), whole(kNowhere);
    const bool is_id = !asked.empty() && asked.find(':') != asked.npos &&
                       asked.find_first_not_of("0123456789abcdefABCDEF:.") == asked.npos;
    if (!is_id) return cudaErrorInvalidValue;
    const bool is_ours = whole == asked || whole.substr(0, 10) == asked || whole.substr(5) == asked;
    if (!is_ours) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

// There is one card, and it is no peer of its own.
cudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (peer != 0) return without_card(cudaErrorInvalidDevice);
  return without_card(flags != 0 ? cudaErrorInvalidValue : cudaErrorPeerAccessUnsupported);
}
cudaError cudaDeviceDisablePeerAccess(int peer) {
  return without_card(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  return call("cudaDeviceGetPCIBusId", [&](Context&) {
    if (!text) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    // What there is room for is written even where that is too little, and that of a negative
    // number but the last letter.
    const bool fits = bytes >= static_cast<int>(sizeof kNowhere);
    const std::size_t room =
        fits ? sizeof kNowhere
             : std::min<std::size_t>(static_cast<unsigned>(bytes), sizeof kNowhere - 1);
    if (room == 0) return cudaErrorInvalidValue;
    std::memcpy(text, kNowhere, room - 1);
    text[room - 1] = 0;
    return fits ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return without_card(cudaErrorInvalidDevice);
  return call("cudaDeviceCanAccessPeer", [&](Context&) { return write_zero(can); });
}

// There is one card, and no card is its own peer.
cudaError cudaDeviceGetP2PAttribute(int* value, int, int, int) {
  return call("cudaDeviceGetP2PAttribute", [&](Context&) {
    return value == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
  });
}

cudaError cudaDriverGetVersion(int* version) {
  if (!version) return without_card(cudaErrorInvalidValue);
  *version = kRuntimeVersion;
  return cudaSuccess;
}

cudaError cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}

}  // namespace lanescope::cudart
