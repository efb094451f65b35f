// SPDX-License-Identifier: MIT
// What the checker remembers of the global memory that a launch may write: who wrote each word
// last, and two who have read it since.
//
//     allocation --> pages of 1 KiB --> cells of 16 or 8 bytes --refine--> words --split--> bytes
//
// A page is made when it is touched, with cells as large as what touches it, and gets smaller ones
// when somebody touches less. Unlike shared memory, where each CTA has its
// own, this is one for all clusters of a launch; a launch that is checked runs on one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/check/elsewhere.hpp"
#include "emulator/check/hearsay.hpp"
#include "emulator/check/shadow.hpp"
#include "emulator/check/site.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

/// One access to global memory. All zero: nobody's.
struct GlobalTouch {
  static constexpr std::uint32_t kStrong = 1u << 31;   // atomic, volatile, .relaxed ...
  static constexpr std::uint32_t kIsSplit = 1u << 30;  // of a word: its bytes know
  static constexpr std::uint32_t kNear = 1u << 29;     // of .cta or .cluster, if it is strong
  static constexpr std::uint32_t kUnder = 1u << 28;    // and a plain store is in GlobalWatch::under
  static constexpr std::uint32_t kAsync = 1u << 27;    // through the async proxy
  static constexpr std::uint32_t kMore = 1u << 26;     // others' strong ones: GlobalWatch::beside
  // A load that leaves a copy in its L1; of a store, what was there may be in one:
  // GlobalWatch::cached.
  static constexpr std::uint32_t kCached = 1u << 25;
  Touch touch;
  std::uint32_t mark = 0;  // cluster + 1, and those

  bool is_there() const { return mark != 0; }
  bool is_strong() const { return (mark & kStrong) != 0; }
  bool is_near() const { return (mark & kNear) != 0; }
  bool is_under() const { return (mark & kUnder) != 0; }
  bool is_async() const { return (mark & kAsync) != 0; }
  bool is_more() const { return (mark & kMore) != 0; }
  bool is_cached() const { return (mark & kCached) != 0; }
  std::uint64_t cluster() const { return (mark & (kCached - 1)) - 1; }
  static std::uint32_t mark_of(std::uint64_t cluster, bool is_strong, bool is_near) {
    return static_cast<std::uint32_t>((cluster + 1) & (kCached - 1)) | (is_strong ? kStrong : 0) |
           (is_strong && is_near ? kNear : 0);
  }
};

using GlobalReads = std::array<GlobalTouch, 2>;

class GlobalShadow {
 public:
  explicit GlobalShadow(const Memory& memory) : memory_(memory) {}

  /// Calls visit(write, reads, address, bytes) for the cells of [address, address + bytes). `reads`
  /// is nullptr where nobody has read and the caller does not `read` either.
  template <class Visit>
  void each(std::uint64_t address, std::uint64_t bytes, bool reads, Visit visit) {
    const std::uint64_t end = address + bytes;
    while (address < end) {
      Page* page = page_of(address, bytes);
      if (page == nullptr) return;
      if (reads && page->reads.empty()) page->reads.resize(page->writes.size());
      const std::uint64_t stop = std::min(end, (address / kPageBytes + 1) * kPageBytes);
      while (address < stop) {
        const std::uint32_t each_bytes = 1u << page->shift;
        const std::size_t cell = address % kPageBytes >> page->shift;
        GlobalTouch& write = page->writes[cell];
        const std::uint64_t next = (address & ~std::uint64_t{each_bytes - 1}) + each_bytes;
        const bool is_whole = address % each_bytes == 0 && next <= stop;
        if (is_whole && write.mark != GlobalTouch::kIsSplit) {
          visit(write, page->reads.empty() ? nullptr : &page->reads[cell], address, each_bytes);
          address = next;
          continue;
        }
        if (page->shift > kWordShift) {
          refine(*page);
          continue;
        }
        if (write.mark != GlobalTouch::kIsSplit) split(*page, cell);
        for (; address < next && address < stop; ++address) {
          Byte& byte = page->bytes[address % kPageBytes];
          visit(byte.write, &byte.reads, address, 1u);
        }
      }
    }
  }
  /// The same for what is there of them already, to look at.
  template <class Visit>
  void look(std::uint64_t address, std::uint64_t bytes, Visit visit) const {
    const std::uint64_t end = address + bytes;
    while (address < end) {
      const Page* page = existing_page(address);
      const std::uint64_t stop = std::min(end, (address / kPageBytes + 1) * kPageBytes);
      for (; page != nullptr && address < stop;) {
        const std::uint32_t each_bytes = 1u << page->shift;
        const std::size_t cell = address % kPageBytes >> page->shift;
        const bool is_split = page->writes[cell].mark == GlobalTouch::kIsSplit;
        const std::uint64_t next = (address & ~std::uint64_t{each_bytes - 1}) + each_bytes;
        const std::uint64_t until = is_split ? address + 1 : std::min(next, stop);
        const Byte* byte = is_split ? &page->bytes[address % kPageBytes] : nullptr;
        visit(is_split ? byte->write : page->writes[cell],
              is_split              ? &byte->reads
              : page->reads.empty() ? nullptr
                                    : &page->reads[cell],
              address, static_cast<std::uint32_t>(until - address));
        address = until;
      }
      address = stop;
    }
  }
  /// New memory: whatever was there before is nobody's.
  void forget(std::uint64_t address, std::uint64_t bytes) {
    each(address, bytes, false,
         [](GlobalTouch& write, GlobalReads* reads, std::uint64_t, std::uint32_t) {
           write = {};
           if (reads != nullptr) *reads = {};
         });
  }

  const Memory& memory() const { return memory_; }

 private:
  static constexpr std::uint64_t kPageBytes = 1024;
  struct Byte {
    GlobalTouch write;
    GlobalReads reads;
  };
  static constexpr unsigned kWordShift = 2;
  struct Page {
    unsigned shift = kWordShift;  // cells of 1 << shift bytes
    std::vector<GlobalTouch> writes;
    std::vector<GlobalReads> reads;  // when first needed
    std::vector<Byte> bytes;
  };
  struct Region {
    Range range;
    std::vector<std::unique_ptr<Page>> pages;
  };

  Page* page_of(std::uint64_t address, std::uint64_t bytes) {
    if (!last_->range.contains(address, 1) && !find(address)) return nullptr;
    std::unique_ptr<Page>& page =
        last_->pages[address / kPageBytes - last_->range.begin / kPageBytes];
    if (page == nullptr) page = new_page(address, bytes);
    return page.get();
  }
  const Page* existing_page(std::uint64_t address) const;
  static std::unique_ptr<Page> new_page(std::uint64_t address, std::uint64_t bytes);
  bool find(std::uint64_t address);
  static void refine(Page& page);
  static void split(Page& page, std::size_t word);

  const Memory& memory_;
  Region none_;
  Region* last_ = &none_;
  std::vector<std::unique_ptr<Region>> regions_;
};

/// How a tensor map was changed last in this launch.
struct MapChange {
  GlobalTouch change;
  std::uint64_t number = 0;  // of the changes of the launch
  bool is_released = false;
};
struct MapChanges {
  std::unordered_map<std::uint64_t, MapChange> last;  // by address
  std::uint64_t count = 0;
};

using TouchesOfCells = std::unordered_map<std::uint64_t, std::vector<GlobalTouch>>;  // by cell_key

/// What all clusters of a launch share.
struct GlobalWatch {
  GlobalWatch(const LaunchState& launch, const CheckPlan& plan, std::uint64_t clusters);

  GlobalShadow shadow;
  Releases releases;
  std::unordered_map<std::uint64_t, Heard> published;  // by Checker::key_of_global
  /// Plain stores that strong ones lie over, by the address of their cell when that began. Cells
  /// only become smaller.
  std::unordered_map<std::uint64_t, GlobalTouch> under;
  /// Strong stores of other clusters that a strong one lies over which did not see them, as sums:
  /// the last of each of a few; by cell.
  TouchesOfCells beside;
  /// Loads of a few CTAs that a store lies over, as their L1 may still have what was there; by
  /// cell.
  TouchesOfCells cached;
  static std::uint64_t cell_key(std::uint64_t address, std::uint32_t bytes) {
    return (address & ~std::uint64_t{bytes - 1}) * 8 +
           static_cast<std::uint64_t>(__builtin_ctz(bytes));
  }
  SourceMask written;  // parameters whose memory the kernel may write
  bool has_flags;      // CTAs may tell each other that they have read something
  Hearsay hearsay;
  MapChanges maps;
  bool lets_begin = false;  // griddepcontrol.launch_dependents: the next launch may begin
  bool has_waited = false;  // somebody has waited for the launch before
};

}  // namespace lanescope::emulator
