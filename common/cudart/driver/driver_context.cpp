// SPDX-License-Identifier: MIT
// The contexts of the driver API: made, pushed, asked. What an H200 answers is the source.
#include <bit>

#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/driver/driver_older.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

// CU_CTX_...: how threads wait, one of 0, 1, 2 and 4; mapped memory, local memory, core dumps of
// the device and the user, synchronous copies. Dumps are not made.
constexpr unsigned kSchedule = 7, kSynchronous = 128, kKnownFlags = 0xff;
constexpr int kNoLimit = 9;  // that a card has
constexpr unsigned kKept = kSchedule | kResizesLocal | kSynchronous;

bool are_flags(unsigned flags) {
  return (flags & ~kKnownFlags) == 0 && std::popcount(flags & kSchedule) <= 1;
}

bool is_context(CUhandle asked) {
  return number(asked) == kPrimaryContext || context().contexts.contains(number(asked));
}

/// The flags of the primary context are the runtime's, too.
unsigned& flags_of(std::uint64_t made) {
  return made == kPrimaryContext ? context().device_flags : context().contexts[made];
}

CUresult refused(cudaError error) { return to_driver(error); }

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUhandle* made, CUdevice device) {
  if (!made) return refused(cudaErrorInvalidValue);
  if (device != 0) return refused(cudaErrorInvalidDevice);
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  if (!state.has_primary) state.device_flags |= kResizesLocal;
  state.has_primary = true;
  *made = handle(kPrimaryContext);
  return 0;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return device == 0 ? 0 : refused(cudaErrorInvalidDevice);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return device == 0 ? 0 : refused(cudaErrorInvalidDevice);
}

// Memory can always be mapped, which nobody may ask for; how local memory grows stays as it was.
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  if (device != 0) return refused(cudaErrorInvalidDevice);
  if (!are_flags(flags) || (flags & kMapsHost) != 0) return refused(cudaErrorInvalidValue);
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  state.primary_flags = flags & kKept;
  state.device_flags = state.primary_flags | (state.device_flags & kResizesLocal);
  return 0;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  if (device != 0) return refused(cudaErrorInvalidDevice);
  if (!flags || !active) return refused(cudaErrorInvalidValue);
  *flags = context().primary_flags;
  *active = 1;
  return 0;
}

CUresult cuCtxCreate_v2(CUhandle* made, unsigned flags, CUdevice device) {
  if (!made) return refused(cudaErrorInvalidValue);
  if (device != 0) return refused(cudaErrorInvalidDevice);
  if (!are_flags(flags)) return refused(cudaErrorInvalidValue);
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  if (!state.card) return refused(cudaErrorNoDevice);
  const std::uint64_t number = state.next_handle++;
  state.contexts[number] = flags & (kKept | kMapsHost);
  pushed_contexts().push_back(number);
  *made = handle(number);
  return 0;
}

CUresult cuCtxCreate_v4(CUhandle* made, const CUctxCreateParams* how, unsigned flags,
                        CUdevice device) {
  constexpr CUresult kUnsupportedAffinity = 224;  // a part of the multiprocessors
  if (device != 0) return refused(cudaErrorInvalidDevice);
  if (is_mapped(how, sizeof *how) && how->affinities > 0) return kUnsupportedAffinity;
  return cuCtxCreate_v2(made, flags, device);
}

CUresult cuCtxDestroy_v2(CUhandle asked) {
  if (!asked) return refused(cudaErrorInvalidValue);
  if (!is_context(asked)) return kInvalidContext;
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  state.contexts.erase(number(asked));
  if (current_context() == number(asked) && number(asked) != kPrimaryContext)
    pushed_contexts().pop_back();
  return 0;
}

CUresult cuCtxAttach(CUhandle* found, unsigned flags) {
  return drive([&] {
    if (!found || flags != 0) return cudaErrorInvalidValue;
    *found = handle(current_context());
    return cudaSuccess;
  });
}

CUresult cuCtxDetach(CUhandle asked) { return is_context(asked) ? 0 : kInvalidContext; }

CUresult cuCtxPushCurrent_v2(CUhandle asked) {
  if (!asked) return refused(cudaErrorInvalidValue);
  if (!is_context(asked)) return kInvalidContext;
  pushed_contexts().push_back(number(asked));
  return 0;
}

/// In the place of the current one; none takes that one away.
CUresult cuCtxSetCurrent(CUhandle asked) {
  if (asked && !is_context(asked)) return kInvalidContext;
  if (!pushed_contexts().empty()) pushed_contexts().pop_back();
  if (asked) pushed_contexts().push_back(number(asked));
  return 0;
}

CUresult cuCtxPopCurrent_v2(CUhandle* found) {
  if (pushed_contexts().empty()) return kInvalidContext;
  if (found) *found = handle(current_context());
  pushed_contexts().pop_back();
  return 0;
}

CUresult cuCtxGetCurrent(CUhandle* found) {
  if (!found) return refused(cudaErrorInvalidValue);
  *found = handle(current_context());
  return 0;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return current_context() != 0 ? cuDeviceGet(device, 0) : kInvalidContext;
}

CUresult cuCtxSynchronize() {
  return drive([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxGetApiVersion(CUhandle asked, unsigned* version) {
  constexpr unsigned kSince = 3020;  // that contexts are as they are
  if (!version) return refused(cudaErrorInvalidValue);
  if (!asked ? current_context() == 0 : !is_context(asked)) return kInvalidContext;
  *version = kSince;
  return 0;
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return drive([&] {
    if (!flags) return cudaErrorInvalidValue;
    const bool is_primary = current_context() == kPrimaryContext;
    *flags = (flags_of(current_context()) & (kKept | kMapsHost)) | (is_primary ? kMapsHost : 0);
    return cudaSuccess;
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return drive([&] {
    if (!are_flags(flags)) return cudaErrorInvalidValue;
    flags_of(current_context()) = (flags & kKept) | kMapsHost;
    if (current_context() == kPrimaryContext)
      context().primary_flags = (context().primary_flags & ~kSynchronous) | (flags & kSynchronous);
    return cudaSuccess;
  });
}

// All multiprocessors are the context's, says an H200.
CUresult cuCtxGetExecAffinity(CUexecAffinityParam* affinity, int type) {
  constexpr CUresult kUnsupportedAffinity = 224;
  if (current_context() == 0) return kInvalidContext;
  if (!affinity) return to_driver(cudaErrorInvalidValue);
  if (type != 0) return kUnsupportedAffinity;
  if (!context().card) return to_driver(cudaErrorNoDevice);
  *affinity = {type, static_cast<unsigned>(context().card->multiprocessors)};
  return 0;
}

CUresult cuCtxGetId(CUhandle asked, unsigned long long* id) {
  const bool is_there = asked ? is_context(asked) : current_context() != 0;
  if (!id || !is_there) return asked || !id ? refused(cudaErrorInvalidValue) : kInvalidContext;
  *id = asked ? number(asked) : current_context();
  return 0;
}

CUresult cuCtxResetPersistingL2Cache() {
  return drive([] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuCtxGetLimit(std::size_t* value, int limit) {
  return drive([&] {
    return limit == kNoLimit ? cudaErrorUnsupportedLimit : cudaDeviceGetLimit(value, limit);
  });
}

CUresult cuCtxSetLimit(int limit, std::size_t value) {
  return drive([&] {
    return limit == kNoLimit ? cudaErrorUnsupportedLimit : cudaDeviceSetLimit(limit, value);
  });
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
