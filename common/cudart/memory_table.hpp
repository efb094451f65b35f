// SPDX-License-Identifier: MIT
// What the runtime has handed out: which addresses are device memory, pinned, managed, registered
// or a __device__ variable. Not the memory itself (the emulator has that): the list that every
// pointer of a call is looked up in.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>

namespace lanescope::cudart {

enum class MemoryKind : std::uint8_t { device, managed, pinned, registered, symbol };

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  unsigned flags = 0;
  std::uint64_t pool = 0;               // that it is from, if any
  std::optional<bool> orders_copies{};  // cuPointerSetAttribute
  /// Memory that the host may touch as well.
  bool on_host() const { return kind != MemoryKind::device && kind != MemoryKind::symbol; }
};

inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// What was said of a page of managed memory by cudaMemAdvise and cudaMemPrefetchAsync.
struct PageAdvice {
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

/// Of which pages that was said, at the cost of how often, not of how many. `bytes` is not 0.
class AdviceTable {
 public:
  /// act(advice) for each run of pages of which the same may have been said.
  template <class Act>
  void each(std::uint64_t address, std::uint64_t bytes, Act act) const {
    const std::uint64_t first = address / kPageBytes, end = end_of(address, bytes);
    act(at(first));
    for (auto next = from_.upper_bound(first); next != from_.end() && next->first < end; ++next)
      act(next->second);
  }
  template <class Change>
  void change(std::uint64_t address, std::uint64_t bytes, Change change) {
    const std::uint64_t first = address / kPageBytes, end = end_of(address, bytes);
    from_.emplace(first, at(first));
    from_.emplace(end, at(end));
    for (auto page = from_.find(first); page->first != end; ++page) change(page->second);
  }
  void forget(std::uint64_t address, std::uint64_t bytes) {
    if (!from_.empty()) change(address, bytes, [](PageAdvice& page) { page = {}; });
  }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static std::uint64_t end_of(std::uint64_t address, std::uint64_t bytes) {
    return (address + bytes - 1) / kPageBytes + 1;
  }
  PageAdvice at(std::uint64_t page) const {
    const auto after = from_.upper_bound(page);
    return after == from_.begin() ? PageAdvice{} : std::prev(after)->second;
  }

  std::map<std::uint64_t, PageAdvice> from_;  // by page: from it on, to the next entry's
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
