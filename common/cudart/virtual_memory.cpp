// SPDX-License-Identifier: MIT
// See virtual_memory.hpp.
#include "cudart/virtual_memory.hpp"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <iterator>

#include "cudart/context.hpp"
#include "cudart/errors.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kPoison = 0xa5;  // of memory that nobody wrote, as cudaMalloc's
constexpr int kReserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

bool VirtualMemory::reserves(std::uint64_t address) const {
  const auto after = reservations.upper_bound(address);
  return after != reservations.begin() &&
         address - std::prev(after)->first < std::prev(after)->second.bytes;
}

std::map<std::uint64_t, Reservation>::iterator VirtualMemory::around(std::uint64_t address,
                                                                     std::uint64_t bytes) {
  const auto after = reservations.upper_bound(address);
  if (after == reservations.begin()) return reservations.end();
  const auto below = std::prev(after);
  const std::uint64_t into = address - below->first, size = below->second.bytes;
  return into < size && bytes <= size - into ? below : reservations.end();
}

const Mapping* VirtualMemory::at(std::uint64_t address, std::uint64_t& begin) {
  const auto found = around(address, 1);
  if (found == reservations.end()) return nullptr;
  const auto& mappings = found->second.mappings;
  const auto after = mappings.upper_bound(address);
  if (after == mappings.begin()) return nullptr;
  const auto below = std::prev(after);
  begin = below->first;
  return address - begin < below->second.bytes ? &below->second : nullptr;
}

int new_memory_file(std::uint64_t bytes) {
  const int file = memfd_create("lanescope", MFD_CLOEXEC);
  if (file < 0) return -1;
  void* seen = ftruncate(file, static_cast<off_t>(bytes)) == 0
                   ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
  if (seen == MAP_FAILED) {
    close(file);
    return -1;
  }
  std::memset(seen, kPoison, bytes);
  munmap(seen, bytes);
  return file;
}

void let_go(Context& state, std::uint64_t handle) {
  auto& all = state.virtual_memory.memory;
  const auto found = all.find(handle);
  if (found->second.holders != 0 || found->second.places != 0) return;
  close(found->second.file);
  state.device_bytes -= found->second.bytes;
  all.erase(found);
}

cudaError keep(Context& state, unsigned long long* made, const PhysicalMemory& memory) {
  *made = state.next_handle++;
  state.virtual_memory.memory[*made] = memory;
  state.device_bytes += memory.bytes;
  return cudaSuccess;
}

cudaError show(Context& state, Reservation& reservation) {
  for (const auto& [address, bytes] : reservation.visible) {
    state.machine->disown(address);
    state.memory.remove(address);
  }
  reservation.visible.clear();
  std::uint64_t end = 0;
  for (const auto& [address, mapping] : reservation.mappings) {
    if (mapping.access == 0) continue;
    if (address == end)
      std::prev(reservation.visible.end())->second += mapping.bytes;
    else
      reservation.visible[address] = mapping.bytes;
    end = address + mapping.bytes;
  }
  for (const auto& [address, bytes] : reservation.visible) {
    if (const auto error = state.machine->adopt(address, bytes)) return to_cuda(error.code);
    state.memory.add({.address = address, .bytes = bytes, .kind = MemoryKind::device});
  }
  return cudaSuccess;
}

bool fills(const Reservation& reservation, std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t next = address;
  for (auto place = reservation.mappings.find(address);
       place != reservation.mappings.end() && place->first == next && next < address + bytes;
       ++place)
    next += place->second.bytes;
  return next == address + bytes;
}

bool cuts(const Reservation& reservation, std::uint64_t address, std::uint64_t bytes) {
  return std::any_of(reservation.mappings.begin(), reservation.mappings.end(),
                     [&](const auto& place) {
                       const std::uint64_t begin = place.first, end = begin + place.second.bytes;
                       const bool is_touched = begin < address + bytes && end > address;
                       return is_touched && (begin < address || end > address + bytes);
                     });
}

bool is_bare(const Reservation& reservation, std::uint64_t address, std::uint64_t bytes) {
  const auto next = reservation.mappings.lower_bound(address);
  if (next != reservation.mappings.end() && next->first < address + bytes) return false;
  return next == reservation.mappings.begin() ||
         std::prev(next)->first + std::prev(next)->second.bytes <= address;
}

std::uint64_t reserve_addresses(std::uint64_t bytes, std::uint64_t alignment,
                                std::uint64_t wanted) {
  void* whole = mmap(at(wanted), bytes + alignment, PROT_NONE, kReserved, -1, 0);
  if (whole == MAP_FAILED) return 0;
  const auto begin = reinterpret_cast<std::uint64_t>(whole);
  const std::uint64_t first = (begin + alignment - 1) / alignment * alignment;
  if (first != begin) munmap(whole, first - begin);
  if (first - begin < alignment) munmap(at(first + bytes), alignment - (first - begin));
  return first;
}

bool lay(std::uint64_t address, std::uint64_t bytes, int file) {
  return mmap(at(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
         MAP_FAILED;
}

void take_away(std::uint64_t address, std::uint64_t bytes) {
  mmap(at(address), bytes, PROT_NONE, kReserved | MAP_FIXED, -1, 0);
}

void give_back_addresses(std::uint64_t address, std::uint64_t bytes) { munmap(at(address), bytes); }

}  // namespace lanescope::cudart
