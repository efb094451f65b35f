// SPDX-License-Identifier: MIT
// Streams and events of the driver API.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

CUresult cuStreamCreate(CUhandle* stream, unsigned flags) {
  return drive([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUhandle* stream, unsigned flags, int priority) {
  return drive([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy_v2(CUhandle stream) {
  return drive([&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUhandle stream) {
  return drive([&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUhandle stream) {
  return drive([&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUhandle stream, CUhandle event, unsigned flags) {
  return drive([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamGetFlags(CUhandle stream, unsigned* flags) {
  return drive([&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetPriority(CUhandle stream, int* priority) {
  return drive([&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetId(CUhandle stream, unsigned long long* id) {
  return drive([&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetDevice(CUhandle stream, CUdevice* device) {
  return drive([&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamGetAttribute(CUhandle stream, int attribute, void* value) {
  return drive([&] { return cudaStreamGetAttribute(stream, attribute, value); });
}

CUresult cuStreamSetAttribute(CUhandle stream, int attribute, const void* value) {
  return drive([&] { return cudaStreamSetAttribute(stream, attribute, value); });
}

CUresult cuStreamCopyAttributes(CUhandle to, CUhandle from) {
  return drive([&] { return cudaStreamCopyAttributes(to, from); });
}

CUresult cuStreamAttachMemAsync(CUhandle stream, CUdeviceptr address, std::size_t bytes,
                                unsigned flags) {
  return drive([&] {
    return cudaStreamAttachMemAsync(stream, reinterpret_cast<void*>(address), bytes, flags);
  });
}

CUresult cuStreamGetCtx(CUhandle, CUhandle* found) { return cuCtxGetCurrent(found); }

CUresult cuStreamAddCallback(CUhandle stream, cudaStreamCallback_t function, void* data,
                             unsigned flags) {
  return drive([&] { return cudaStreamAddCallback(stream, function, data, flags); });
}

CUresult cuEventCreate(CUhandle* event, unsigned flags) {
  return drive([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventDestroy_v2(CUhandle event) {
  return drive([&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecord(CUhandle event, CUhandle stream) {
  return drive([&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventRecordWithFlags(CUhandle event, CUhandle stream, unsigned flags) {
  return drive([&] { return cudaEventRecordWithFlags(event, stream, flags); });
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
