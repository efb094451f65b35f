// SPDX-License-Identifier: MIT
// Streams and events of the driver API.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/handle.hpp"

namespace lanescope::cudart {

CUresult cuStreamCreate(CUhandle* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamCreateWithPriority(CUhandle* stream, unsigned flags, int priority) {
  if ((flags & ~kStreamFlags) == 0 && current_context() == 0) return kInvalidContext;
  return drive([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy_v2(CUhandle stream) {
  if (!stream) return to_driver(cudaErrorInvalidResourceHandle);
  return drive_in(stream, [&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUhandle stream) {
  return drive_in(stream, [&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUhandle stream) {
  return drive_in(stream, [&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUhandle stream, CUhandle event, unsigned flags) {
  return drive_in(stream, [&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamGetFlags(CUhandle stream, unsigned* flags) {
  return drive_in(stream, [&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetPriority(CUhandle stream, int* priority) {
  return drive_in(stream, [&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetId(CUhandle stream, unsigned long long* id) {
  return drive_in(stream, [&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetDevice(CUhandle stream, CUdevice* device) {
  return drive_in(stream, [&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamGetAttribute(CUhandle stream, int attribute, void* value) {
  return drive_in(stream, [&] { return cudaStreamGetAttribute(stream, attribute, value); });
}

CUresult cuStreamSetAttribute(CUhandle stream, int attribute, const void* value) {
  return drive_in(stream, [&] { return cudaStreamSetAttribute(stream, attribute, value); });
}

CUresult cuStreamCopyAttributes(CUhandle to, CUhandle from) {
  const CUhandle one = is_default_stream(from) ? from : to;
  return drive_in(one, [&] { return cudaStreamCopyAttributes(to, from); });
}

CUresult cuStreamAttachMemAsync(CUhandle stream, CUdeviceptr address, std::size_t bytes,
                                unsigned flags) {
  return drive_in(stream, [&] {
    return cudaStreamAttachMemAsync(stream, reinterpret_cast<void*>(address), bytes, flags);
  });
}

// Of a stream that was made it is the one that it was made in; here one is as good as another.
CUresult cuStreamGetCtx(CUhandle stream, CUhandle* found) {
  return drive_in(stream, [&] {
    if (!found) return cudaErrorInvalidValue;
    *found = handle(current_context() != 0 ? current_context() : kPrimaryContext);
    return cudaSuccess;
  });
}

CUresult cuStreamAddCallback(CUhandle stream, cudaStreamCallback_t function, void* data,
                             unsigned flags) {
  if (!function || flags != 0) return to_driver(cudaErrorInvalidValue);
  return drive_in(stream, [&] { return cudaStreamAddCallback(stream, function, data, flags); });
}

CUresult cuEventCreate(CUhandle* event, unsigned flags) {
  return drive([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventDestroy_v2(CUhandle event) {
  return drive([&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecord(CUhandle event, CUhandle stream) {
  return drive_in(stream, [&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventRecordWithFlags(CUhandle event, CUhandle stream, unsigned flags) {
  return drive_in(stream, [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventSynchronize(CUhandle event) {
  return drive([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventQuery(CUhandle event) {
  return drive([&] { return cudaEventQuery(event); });
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUhandle start, CUhandle end) {
  return drive([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUhandle start, CUhandle end) {
  return drive([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

LANESCOPE_TWIN(cuEventRecordWithFlags, _ptsz);
LANESCOPE_TWIN(cuEventRecord, _ptsz);
LANESCOPE_TWIN(cuStreamAddCallback, _ptsz);
LANESCOPE_TWIN(cuStreamAttachMemAsync, _ptsz);
LANESCOPE_TWIN(cuStreamCopyAttributes, _ptsz);
LANESCOPE_TWIN(cuStreamGetAttribute, _ptsz);
LANESCOPE_TWIN(cuStreamGetCtx, _ptsz);
LANESCOPE_TWIN(cuStreamGetDevice, _ptsz);
LANESCOPE_TWIN(cuStreamGetFlags, _ptsz);
LANESCOPE_TWIN(cuStreamGetId, _ptsz);
LANESCOPE_TWIN(cuStreamGetPriority, _ptsz);
LANESCOPE_TWIN(cuStreamQuery, _ptsz);
LANESCOPE_TWIN(cuStreamSetAttribute, _ptsz);
LANESCOPE_TWIN(cuStreamSynchronize, _ptsz);
LANESCOPE_TWIN(cuStreamWaitEvent, _ptsz);

}  // namespace lanescope::cudart
