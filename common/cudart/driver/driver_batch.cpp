// SPDX-License-Identifier: MIT
#include "cudart/driver/driver_batch.hpp"

#include <algorithm>
#include <span>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

namespace {

enum Operation : unsigned { kWait32 = 1, kWrite32, kFlush, kWait64, kWrite64, kBarrier };

constexpr unsigned kOfCard = 1;  // a barrier for the card alone, not for the system

CUresult operate(CUhandle stream, const CUstreamOperation& asked) {
  const auto low = static_cast<std::uint32_t>(asked.value);
  switch (asked.operation) {
    case kWait32:
      return cuStreamWaitValue32_v2(stream, asked.address, low, asked.flags);
    case kWrite32:
      return cuStreamWriteValue32_v2(stream, asked.address, low, asked.flags);
    case kWait64:
      return cuStreamWaitValue64_v2(stream, asked.address, asked.value, asked.flags);
    case kWrite64:
      return cuStreamWriteValue64_v2(stream, asked.address, asked.value, asked.flags);
    case kFlush:
      return to_driver(cudaErrorNotSupported);  // by the card
    default:                                    // what came before has been done
      return asked.short_flags > kOfCard ? to_driver(cudaErrorInvalidValue) : 0;
  }
}

/// The addresses as the runtime has them.
void** pointers(CUdeviceptr* addresses) { return reinterpret_cast<void**>(addresses); }

}  // namespace

CUresult cuStreamBatchMemOp_v2(CUhandle stream, unsigned count, const CUstreamOperation* operations,
                               unsigned flags) {
  constexpr unsigned kMost = 256;
  if (current_context() == 0 && is_default_stream(stream)) return kInvalidContext;
  const bool is_there = count <= kMost && is_mapped(operations, count * sizeof *operations);
  if (flags != 0 || !is_there) return to_driver(cudaErrorInvalidValue);
  const std::span all(operations, count);
  const auto is_known = [](const CUstreamOperation& asked) {
    return asked.operation >= kWait32 && asked.operation <= kBarrier;
  };
  if (!std::all_of(all.begin(), all.end(), is_known)) return to_driver(cudaErrorInvalidValue);
  for (const CUstreamOperation& asked : all)
    if (const CUresult result = operate(stream, asked); result != 0) return result;
  return 0;
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes,
                               std::size_t count, cudaMemcpyAttributes* attributes,
                               std::size_t* first_copies, std::size_t attribute_count,
                               CUhandle stream) {
  return drive([&] {
    return cudaMemcpyBatchAsync(pointers(to), pointers(from), bytes, count, attributes,
                                first_copies, attribute_count, stream);
  });
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr* addresses, std::size_t* bytes, std::size_t count,
                                 cudaMemLocation* places, std::size_t* first,
                                 std::size_t place_count, unsigned long long flags,
                                 CUhandle stream) {
  return drive([&] {
    return cudaMemPrefetchBatchAsync(pointers(addresses), bytes, count, places, first, place_count,
                                     flags, stream);
  });
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr* addresses, std::size_t* bytes, std::size_t count,
                                unsigned long long flags, CUhandle stream) {
  return drive(
      [&] { return cudaMemDiscardBatchAsync(pointers(addresses), bytes, count, flags, stream); });
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* addresses, std::size_t* bytes,
                                           std::size_t count, cudaMemLocation* places,
                                           std::size_t* first, std::size_t place_count,
                                           unsigned long long flags, CUhandle stream) {
  return drive([&] {
    return cudaMemDiscardAndPrefetchBatchAsync(pointers(addresses), bytes, count, places, first,
                                               place_count, flags, stream);
  });
}

LANESCOPE_TWIN(cuStreamBatchMemOp_v2, _ptsz);
LANESCOPE_TWIN(cuMemcpyBatchAsync_v2, _ptsz);
LANESCOPE_TWIN(cuMemPrefetchBatchAsync, _ptsz);
LANESCOPE_TWIN(cuMemDiscardBatchAsync, _ptsz);
LANESCOPE_TWIN(cuMemDiscardAndPrefetchBatchAsync, _ptsz);

}  // namespace lanescope::cudart
