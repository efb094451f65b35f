// SPDX-License-Identifier: MIT
// Addresses apart from the memory behind them, as cuMemAddressReserve, cuMemCreate and cuMemMap
// have it. Memory is a file that no folder has (memfd_create): it can be seen at two places, and by
// another process. What lies side by side and may be accessed is one allocation for everybody else.
#pragma once

#include <cstdint>
#include <map>

#include "cudart/abi.hpp"

namespace lanescope::cudart {

struct Context;

/// Made by cuMemCreate. Goes when nobody holds or maps it.
struct PhysicalMemory {
  int file = -1;
  std::uint64_t bytes = 0;
  int handle_types = 0;                             // that it may be exported as
  bool compression = false, direct_access = false;  // was asked for, and changes nothing
  std::uint64_t holders = 1, places = 0;
};

struct Mapping {
  std::uint64_t bytes = 0, memory = 0;  // of which handle
  int access = 0;                       // CUmemAccess_flags: 0, 1 or 3
};

struct Reservation {
  std::uint64_t bytes = 0;
  std::map<std::uint64_t, Mapping> mappings;       // by address
  std::map<std::uint64_t, std::uint64_t> visible;  // to kernels and copies: address, bytes
};

struct VirtualMemory {
  static constexpr std::uint64_t kGranularity = std::uint64_t{2} << 20;

  std::map<std::uint64_t, PhysicalMemory> memory;     // by handle
  std::map<std::uint64_t, Reservation> reservations;  // by address

  /// Whether an address is reserved, with memory behind it or without.
  bool reserves(std::uint64_t address) const;
  /// The reservation that all of this lies in, as an iterator; end() if none.
  std::map<std::uint64_t, Reservation>::iterator around(std::uint64_t address, std::uint64_t bytes);
  /// The mapping that an address lies in, or nullptr; `begin` is its first address.
  const Mapping* at(std::uint64_t address, std::uint64_t& begin);
};

/// A file of poison; -1: the host has no room.
int new_memory_file(std::uint64_t bytes);
/// Writes memory down that its first holder has from now on.
cudaError keep(Context& context, unsigned long long* made, const PhysicalMemory& memory);
/// Nobody holds it and it lies nowhere: it goes.
void let_go(Context& context, std::uint64_t handle);
/// What kernels and copies may see of a reservation: runs of mappings side by side.
cudaError show(Context& context, Reservation& reservation);
/// Whether mappings fill [address, address + bytes), from the first one's begin to the last one's
/// end.
bool fills(const Reservation& reservation, std::uint64_t address, std::uint64_t bytes);

/// Whether a mapping lies there in part.
bool cuts(const Reservation& reservation, std::uint64_t address, std::uint64_t bytes);
/// Whether nothing is mapped there.
bool is_bare(const Reservation& reservation, std::uint64_t address, std::uint64_t bytes);

/// Addresses alone; 0: the host has none. `wanted` is a wish.
std::uint64_t reserve_addresses(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t wanted);
void give_back_addresses(std::uint64_t address, std::uint64_t bytes);
/// Lays a file's bytes there; takes them away again.
bool lay(std::uint64_t address, std::uint64_t bytes, int file);
void take_away(std::uint64_t address, std::uint64_t bytes);

}  // namespace lanescope::cudart
