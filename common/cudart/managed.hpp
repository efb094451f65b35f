// SPDX-License-Identifier: MIT
// Ranges of managed memory, and the places that may be told of them.
#pragma once

#include "cudart/context.hpp"
#include "cudart/host_memory.hpp"

namespace lanescope::cudart {

enum Place : int { kNowhere = 0, kCard = 1, kHost = 2, kHostNuma = 3, kHostNumaCurrent = 4 };
constexpr int kIdOfHost = -1;

inline bool is_managed(const Context& state, const void* pointer, std::size_t bytes) {
  const Allocation* found = state.memory.containing(address_of(pointer));
  return found && found->kind == MemoryKind::managed && bytes != 0 &&
         state.memory.covers(address_of(pointer), bytes);
}

inline bool is_place(const cudaMemLocation& place) {
  if (place.type == kCard || place.type == kHostNuma) return place.id == 0;
  return place.type == kHost || place.type == kHostNumaCurrent;
}

inline PageAdvice::Where where(const cudaMemLocation& place) {
  return {place.type, place.type == kHost ? kIdOfHost : place.id};
}

}  // namespace lanescope::cudart
