// SPDX-License-Identifier: MIT
// Prefetch and advice for managed memory: nothing moves here, but what was said of each
// page is remembered, and told as an H200 tells it (driver 580.159.04).
#include <cstring>
#include <optional>
#include <vector>

#include "cudart/alias.hpp"
#include "cudart/api/api.hpp"
#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"
#include "cudart/managed.hpp"
#include "cudart/stream.hpp"

namespace lanescope::cudart {

namespace {

enum Advised : int {
  kReadMostly = 1,  // the even number behind each takes it back
  kNotReadMostly,
  kPreferred,
  kNotPreferred,
  kAccessedBy,
  kNotAccessedBy,
};
enum Asked : int {
  kAskReadMostly = 1,
  kAskPreferred,
  kAskAccessedBy,
  kAskPrefetched,
  kAskPreferredType,
  kAskPreferredId,
  kAskPrefetchedType,
  kAskPrefetchedId
};
constexpr int kIdOfNone = -2;

void obey(PageAdvice& page, int advice, const cudaMemLocation& place) {
  switch (advice) {
    case kReadMostly:
    case kNotReadMostly:
      page.read_mostly = advice == kReadMostly;
      break;
    case kPreferred:  // a NUMA node's is heard, and not told of
      page.preferred = place.type <= kHost ? where(place) : PageAdvice::Where{};
      break;
    case kNotPreferred:
      page.preferred = {};
      break;
    default:
      (place.type == kCard ? page.by_card : page.by_host) = advice == kAccessedBy;
  }
}

/// What all pages say; where they differ, what a page says of which nothing was said.
PageAdvice of_range(const Context& state, const void* pointer, std::size_t bytes) {
  std::optional<PageAdvice> all;
  state.advice.each(address_of(pointer), bytes, [&](const PageAdvice& page) {
    if (!all) all = page;
    all->read_mostly &= page.read_mostly;
    all->by_card &= page.by_card;
    all->by_host &= page.by_host;
    if (page.preferred != all->preferred) all->preferred = {};
    if (page.prefetched != all->prefetched) all->prefetched = {};
  });
  return *all;
}

/// The older attributes have one number for the place: the card's, or -1 for the host.
int one_number(const PageAdvice::Where& where) {
  return where.type == kHostNuma || where.type == kHostNumaCurrent ? kIdOfHost : where.id;
}

std::vector<int> answer_of(const PageAdvice& page, int asked, std::size_t most) {
  switch (asked) {
    case kAskReadMostly:
      return {page.read_mostly};
    case kAskPreferred:
      return {one_number(page.preferred)};
    case kAskPrefetched:
      return {one_number(page.prefetched)};
    case kAskAccessedBy: {
      std::vector<int> by;
      if (page.by_card) by.push_back(0);
      if (page.by_host) by.push_back(kIdOfHost);
      by.resize(most, kIdOfNone);
      return by;
    }
    case kAskPreferredType:
      return {page.preferred.type};
    case kAskPreferredId:
      return {page.preferred.id};
    case kAskPrefetchedType:
      return {page.prefetched.type};
    default:
      return {page.prefetched.id};
  }
}

cudaError tell(Context& state, void* data, std::size_t data_bytes, int asked, const void* pointer,
               std::size_t bytes) {
  if (asked < kAskReadMostly || asked > kAskPrefetchedId || data_bytes < 4 || data_bytes % 4 != 0 ||
      (asked != kAskAccessedBy && data_bytes != 4) || !is_mapped(data, data_bytes) ||
      !is_managed(state, pointer, bytes))
    return cudaErrorInvalidValue;
  const auto answer = answer_of(of_range(state, pointer, bytes), asked, data_bytes / 4);
  std::memcpy(data, answer.data(), data_bytes);
  return cudaSuccess;
}

}  // namespace

cudaError cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation place,
                               unsigned flags, cudaStream_t stream) {
  return call("cudaMemPrefetchAsync", [&](Context& state) {
    if (const cudaError error = use_stream(state, stream); error != cudaSuccess) return error;
    if (flags != 0 || !pointer || bytes == 0) return cudaErrorInvalidValue;
    if (!is_place(place))
      return place.type == kCard ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    if (!is_managed(state, pointer, bytes)) return cudaErrorInvalidValue;
    state.advice.change(address_of(pointer), bytes,
                        [&](PageAdvice& page) { page.prefetched = where(place); });
    return cudaSuccess;
  });
}

cudaError cudaMemAdvise(const void* pointer, std::size_t bytes, int advice, cudaMemLocation place) {
  return call("cudaMemAdvise", [&](Context& state) {
    const bool is_numa = place.type == kHostNuma || place.type == kHostNumaCurrent;
    const bool needs_place = advice == kPreferred || advice >= kAccessedBy;
    if (advice < kReadMostly || advice > kNotAccessedBy ||
        (is_numa ? advice >= kAccessedBy || (needs_place && !is_place(place)) : !is_place(place)))
      return cudaErrorInvalidValue;
    // Beside a NUMA node an H200 does not look at the range.
    if (!is_managed(state, pointer, bytes)) return is_numa ? cudaSuccess : cudaErrorInvalidValue;
    state.advice.change(address_of(pointer), bytes,
                        [&](PageAdvice& page) { obey(page, advice, place); });
    return cudaSuccess;
  });
}

cudaError cudaMemRangeGetAttribute(void* data, std::size_t data_bytes, int asked,
                                   const void* pointer, std::size_t bytes) {
  return call("cudaMemRangeGetAttribute",
              [&](Context& state) { return tell(state, data, data_bytes, asked, pointer, bytes); });
}

cudaError cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes, int* asked,
                                    std::size_t count, const void* pointer, std::size_t bytes) {
  return call("cudaMemRangeGetAttributes", [&](Context& state) {
    if (count == 0 || !is_mapped(data, count * sizeof *data) ||
        !is_mapped(data_bytes, count * sizeof *data_bytes) ||
        !is_mapped(asked, count * sizeof *asked))
      return cudaErrorInvalidValue;
    for (std::size_t k = 0; k < count; ++k)
      if (const cudaError error = tell(state, data[k], data_bytes[k], asked[k], pointer, bytes);
          error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}

LANESCOPE_TWIN(cudaMemPrefetchAsync, _ptsz);

}  // namespace lanescope::cudart
