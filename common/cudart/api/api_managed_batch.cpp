// SPDX-License-Identifier: MIT
// Batches of prefetches and discards of managed memory. Nothing moves here (api_advice.cpp); what
// is discarded is overwritten.
#include <cstring>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/graph/graph.hpp"
#include "cudart/managed.hpp"
#include "cudart/stream.hpp"
#include "emulator/memory.hpp"

namespace lanescope::cudart {

namespace {

/// Ranges of managed memory, and where to: places[k] from range first[k] on. No places: nowhere.
struct Batch {
  void** pointers;
  std::size_t* bytes;
  std::size_t count;
  cudaMemLocation* places = nullptr;
  std::size_t* first = nullptr;
  std::size_t place_count = 0;
  bool goes_somewhere = true;

  cudaError look(Context& state, unsigned long long flags, cudaStream_t stream) const;
  cudaError look_at_places() const;
  void prefetch(Context& state) const;
  /// What was there is nobody's: as fresh memory is filled, so that a read of it shows.
  void discard() const {
    for (std::size_t k = 0; k < count; ++k) std::memset(pointers[k], emulator::kPoison, bytes[k]);
  }
};

cudaError Batch::look_at_places() const {
  if (!is_mapped(places, place_count * sizeof *places) ||
      !is_mapped(first, place_count * sizeof *first) || place_count == 0 || place_count > count)
    return cudaErrorInvalidValue;
  for (std::size_t k = 0; k < place_count; ++k) {
    if (k == 0 ? first[0] != 0 : first[k] <= first[k - 1] || first[k] >= count)
      return cudaErrorInvalidValue;
    if (!is_place(places[k])) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError Batch::look(Context& state, unsigned long long flags, cudaStream_t stream) const {
  constexpr std::uintptr_t kLegacy = 1;
  if (reinterpret_cast<std::uintptr_t>(stream) <= kLegacy || flags != 0 || count == 0 ||
      !is_mapped(pointers, count * sizeof *pointers) || !is_mapped(bytes, count * sizeof *bytes))
    return cudaErrorInvalidValue;
  if (is_captured(state, stream)) return invalidate(state, stream);
  if (goes_somewhere)
    if (const cudaError error = look_at_places(); error != cudaSuccess) return error;
  for (std::size_t k = 0; k < count; ++k)
    if (!is_managed(state, pointers[k], bytes[k])) return cudaErrorInvalidValue;
  return cudaSuccess;
}

void Batch::prefetch(Context& state) const {
  std::size_t place = 0;  // its id is told as it was given, of the host, too
  for (std::size_t k = 0; k < count; ++k) {
    if (place + 1 < place_count && first[place + 1] == k) ++place;
    state.advice.change(address_of(pointers[k]), bytes[k], [&](PageAdvice& page) {
      page.prefetched = {places[place].type, places[place].id};
    });
  }
}

}  // namespace

cudaError cudaMemPrefetchBatchAsync(void** pointers, std::size_t* bytes, std::size_t count,
                                    cudaMemLocation* places, std::size_t* first,
                                    std::size_t place_count, unsigned long long flags,
                                    cudaStream_t stream) {
  return with_stream("cudaMemPrefetchBatchAsync", stream, [&](Context& state) {
    const Batch batch{pointers, bytes, count, places, first, place_count};
    if (const cudaError error = batch.look(state, flags, stream); error != cudaSuccess)
      return error;
    batch.prefetch(state);
    return cudaSuccess;
  });
}

cudaError cudaMemDiscardBatchAsync(void** pointers, std::size_t* bytes, std::size_t count,
                                   unsigned long long flags, cudaStream_t stream) {
  return with_stream("cudaMemDiscardBatchAsync", stream, [&](Context& state) {
    const Batch batch{pointers, bytes, count, nullptr, nullptr, 0, false};
    if (const cudaError error = batch.look(state, flags, stream); error != cudaSuccess)
      return error;
    batch.discard();
    return cudaSuccess;
  });
}

cudaError cudaMemDiscardAndPrefetchBatchAsync(void** pointers, std::size_t* bytes,
                                              std::size_t count, cudaMemLocation* places,
                                              std::size_t* first, std::size_t place_count,
                                              unsigned long long flags, cudaStream_t stream) {
  return with_stream("cudaMemDiscardAndPrefetchBatchAsync", stream, [&](Context& state) {
    const Batch batch{pointers, bytes, count, places, first, place_count};
    if (const cudaError error = batch.look(state, flags, stream); error != cudaSuccess)
      return error;
    batch.discard();
    batch.prefetch(state);
    return cudaSuccess;
  });
}

LANESCOPE_TWIN(cudaMemPrefetchBatchAsync, _ptsz);
LANESCOPE_TWIN(cudaMemDiscardBatchAsync, _ptsz);
LANESCOPE_TWIN(cudaMemDiscardAndPrefetchBatchAsync, _ptsz);

}  // namespace lanescope::cudart
