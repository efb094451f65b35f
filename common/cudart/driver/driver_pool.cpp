// SPDX-License-Identifier: MIT
// Pools of memory, managed memory, and copies between devices, of the driver API.
#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"

namespace lanescope::cudart {

namespace {

void* at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
void** as_pointers(CUdeviceptr* made) { return reinterpret_cast<void**>(made); }

}  // namespace

CUresult cuDeviceGetDefaultMemPool(CUhandle* pool, CUdevice device) {
  return drive([&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}

CUresult cuDeviceGetMemPool(CUhandle* pool, CUdevice device) {
  return drive([&] { return cudaDeviceGetMemPool(pool, device); });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUhandle pool) {
  return drive([&] { return cudaDeviceSetMemPool(device, pool); });
}

CUresult cuMemPoolCreate(CUhandle* pool, const cudaMemPoolProps* properties) {
  return drive([&] { return cudaMemPoolCreate(pool, properties); });
}

CUresult cuMemPoolDestroy(CUhandle pool) {
  return drive([&] { return cudaMemPoolDestroy(pool); });
}

CUresult cuMemPoolTrimTo(CUhandle pool, std::size_t bytes) {
  return drive([&] { return cudaMemPoolTrimTo(pool, bytes); });
}

CUresult cuMemPoolSetAttribute(CUhandle pool, int attribute, void* value) {
  return drive([&] { return cudaMemPoolSetAttribute(pool, attribute, value); });
}

CUresult cuMemPoolGetAttribute(CUhandle pool, int attribute, void* value) {
  return drive([&] { return cudaMemPoolGetAttribute(pool, attribute, value); });
}

CUresult cuMemPoolSetAccess(CUhandle pool, const cudaMemAccessDesc* access, std::size_t count) {
  return drive([&] { return cudaMemPoolSetAccess(pool, access, count); });
}

CUresult cuMemPoolGetAccess(int* access, CUhandle pool, cudaMemLocation* where) {
  return drive([&] { return cudaMemPoolGetAccess(access, pool, where); });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* made, std::size_t bytes, CUhandle pool,
                                 CUhandle stream) {
  clear(made);
  return drive_in(stream,
                  [&] { return cudaMallocFromPoolAsync(as_pointers(made), bytes, pool, stream); });
}

CUresult cuMemAdvise_v2(CUdeviceptr address, std::size_t bytes, int advice,
                        cudaMemLocation location) {
  return drive([&] { return cudaMemAdvise(at(address), bytes, advice, location); });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, std::size_t bytes, cudaMemLocation location,
                               unsigned flags, CUhandle stream) {
  return drive_in(
      stream, [&] { return cudaMemPrefetchAsync(at(address), bytes, location, flags, stream); });
}

CUresult cuMemRangeGetAttribute(void* data, std::size_t data_bytes, int asked, CUdeviceptr address,
                                std::size_t bytes) {
  return drive(
      [&] { return cudaMemRangeGetAttribute(data, data_bytes, asked, at(address), bytes); });
}

CUresult cuMemRangeGetAttributes(void** data, std::size_t* data_bytes, int* asked,
                                 std::size_t count, CUdeviceptr address, std::size_t bytes) {
  return drive([&] {
    return cudaMemRangeGetAttributes(data, data_bytes, asked, count, at(address), bytes);
  });
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUhandle, CUdeviceptr from, CUhandle, std::size_t bytes) {
  return drive([&] { return cudaMemcpyPeer(at(to), 0, at(from), 0, bytes); });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUhandle, CUdeviceptr from, CUhandle, std::size_t bytes,
                           CUhandle stream) {
  return drive_in(stream,
                  [&] { return cudaMemcpyPeerAsync(at(to), 0, at(from), 0, bytes, stream); });
}

LANESCOPE_TWIN(cuMemAllocFromPoolAsync, _ptsz);
LANESCOPE_TWIN(cuMemPrefetchAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpyPeerAsync, _ptsz);
LANESCOPE_TWIN(cuMemcpyPeer, _ptds);

}  // namespace lanescope::cudart
