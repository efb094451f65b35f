// SPDX-License-Identifier: MIT
#include "cudart/host_memory.hpp"

#ifdef __EMSCRIPTEN__
#include <emscripten/heap.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>

namespace lanescope::cudart {

#ifdef __EMSCRIPTEN__
// One memory, which begins at 0 and is there to its end.
bool is_mapped(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t end = emscripten_get_heap_size();
  return first != 0 && first <= end && bytes <= end - first;
}
#else
bool is_mapped(const void* address, std::size_t bytes) {
  static const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (first < page || first > UINTPTR_MAX - page || bytes > UINTPTR_MAX - page - first)
    return false;  // the null page, or around the end of the address space
  std::uintptr_t at = first & ~(page - 1);
  const std::uintptr_t end = (first + bytes + page - 1) & ~(page - 1);
  std::array<unsigned char, 4096> resident;  // mincore's answer, one byte a page: not needed
  while (at < end) {
    const std::size_t step = std::min<std::size_t>(end - at, resident.size() * page);
    if (mincore(reinterpret_cast<void*>(at), step, resident.data()) != 0) return false;
    at += step;
  }
  return true;
}
#endif

}  // namespace lanescope::cudart
