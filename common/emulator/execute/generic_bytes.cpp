// SPDX-License-Identifier: MIT
#include "emulator/execute/generic_bytes.hpp"

#include <cstring>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

// Where the bytes lie in the host's memory, or nullptr.
std::byte* find_generic(Warp& w, int lane, std::uint64_t address, std::size_t bytes,
                        bool is_store) {
  if (address - kLocalWindow < kWindowBytes) {
    const std::uint64_t offset = address - kLocalWindow;
    const auto limit = static_cast<std::uint64_t>(w.local_bytes);
    if (offset <= limit && bytes <= limit - offset)
      return w.local.data() + lane * w.local_bytes + offset;
    refuse_access(w, lane, Space::local, offset, static_cast<int>(bytes));
    return nullptr;
  }
  if (address - kSharedWindow < kWindowBytes) {
    SharedPlace place;
    if (!find_shared(w, lane, Space::generic, address, bytes, 1, place)) return nullptr;
    return place.host();
  }
  if (!w.hit.contains(address, bytes) &&
      !check_global(w, lane, address, static_cast<int>(bytes), is_store))
    return nullptr;
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace

bool read_generic(Warp& w, int lane, std::uint64_t address, void* to, std::size_t bytes) {
  const std::byte* from = find_generic(w, lane, address, bytes, false);
  if (from != nullptr) std::memcpy(to, from, bytes);
  return from != nullptr;
}

bool write_generic(Warp& w, int lane, std::uint64_t address, const void* from, std::size_t bytes) {
  std::byte* to = find_generic(w, lane, address, bytes, true);
  if (to != nullptr) std::memcpy(to, from, bytes);
  return to != nullptr;
}

}  // namespace lanescope::emulator
