// SPDX-License-Identifier: MIT
// What the runtime has handed out: which addresses are device memory, pinned, managed, registered
// or a __device__ variable. Not the memory itself (the emulator has that): the list that every
// pointer of a call is looked up in.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lanescope::cudart {

enum class MemoryKind : std::uint8_t { device, managed, pinned, registered, symbol };

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  unsigned flags = 0;
  std::uint64_t pool = 0;  // that it is from, if any
  /// Memory that the host may touch as well.
  bool on_host() const { return kind != MemoryKind::device && kind != MemoryKind::symbol; }
};

/// What was said of a page of managed memory by cudaMemAdvise and cudaMemPrefetchAsync.
struct PageAdvice {
  static constexpr std::uint64_t kBytes = 4096;
  struct Where {
    int type = 0;  // cudaMemLocationType
    int id = -2;   // as cudaMemRangeGetAttribute has it: -1 the host, -2 none
    bool operator==(const Where&) const = default;
  };
  bool read_mostly = false;
  bool by_card = false;  // cudaMemAdviseSetAccessedBy
  bool by_host = false;
  Where preferred, prefetched;
};

class MemoryTable {
 public:
  void add(const Allocation& allocation) { by_address_[allocation.address] = allocation; }
  void remove(std::uint64_t address) { by_address_.erase(address); }
  void put_into_pool(std::uint64_t address, std::uint64_t pool) {
    by_address_[address].pool = pool;
  }

  /// The allocation that begins at `address`; nullptr if none does.
  const Allocation* starting_at(std::uint64_t address) const;
  /// The allocation that `address` lies in; nullptr if none.
  const Allocation* containing(std::uint64_t address) const;
  /// The first allocation that [address, address + bytes) touches; nullptr if none.
  const Allocation* touching(std::uint64_t address, std::uint64_t bytes) const;
  /// Whether all of [address, address + bytes) lies in one allocation.
  bool covers(std::uint64_t address, std::uint64_t bytes) const;

  /// "... lies 16 bytes past the end of the 400 bytes allocated at 0x7f..", for error messages.
  std::string explain(std::uint64_t address, std::uint64_t bytes) const;

 private:
  std::map<std::uint64_t, Allocation> by_address_;
};

}  // namespace lanescope::cudart
