// SPDX-License-Identifier: MIT
// Who wrote the bytes of a block's shared memory, and when: the recorded steps' stores and
// cp.async, the bulk copies of the block, and those that other CTAs of its cluster sent here. Asked
// often, so it is put together once. Pure model, no Dear ImGui.
//
//   byte 0x6c2   cp.async.bulk.tensor of warp 8, landed before step 121   <- last(0x6c2, step 121)
//                cp.async.bulk.tensor of warp 8, landed later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "panels/steps/steps.hpp"

namespace lanescope::viz {

/// Whether an instruction writes what its lanes' addresses lead to.
bool writes_memory(std::string_view instruction);

/// Bytes that came to shared memory.
struct Arrival {
  // The event that brought them: its address in the trace; of cp.async the wait for its group.
  const void* when = nullptr;
  const void* began = nullptr;  // of a copy: the event that began it; nullptr: another CTA did
  const trace::Sync* copy = nullptr;  // a bulk copy; nullptr: an access of a step
  int warp = -1, item = -1;           // the step, in the StepList; -1: it is not recorded
  int lane = -1;                      // whose access it is
  std::uint64_t begin = 0, end = 0;
};

class SharedHistory {
 public:
  SharedHistory(const trace::Trace& trace, const StepList& steps, int launch,
                const std::array<int, 3>& block);

  /// Else there may be writers of which the trace does not tell.
  bool sees_all_warps() const { return sees_all_warps_; }
  /// All that the block's warps did, from their first steps on to an event of the trace: what has
  /// no arrival by then is not written.
  bool sees_all(const void* until) const { return sees_beginnings_ && sees_until(until); }
  /// All that they did between two events: nothing else has come in between.
  bool sees_between(const void* from, const void* until) const;
  /// The last that wrote a byte before an event of the trace; nullptr: it is not recorded.
  const Arrival* last(std::uint64_t byte, const void* before) const;
  /// The first that wrote a byte after an event of the trace; nullptr: none is recorded.
  const Arrival* next(std::uint64_t byte, const void* after) const;
  /// A copy to it that had begun before an event, and landed after it; nullptr: there is none.
  const Arrival* under_way(std::uint64_t byte, const void* at) const;
  /// A copy of the tensor that begins there, whose step is recorded; nullptr: there is none.
  const Arrival* of_tensor(std::uint64_t global) const;
  /// All of them, in the order of the trace.
  std::vector<const Arrival*> all(std::uint64_t byte) const;

 private:
  void add_accesses(const StepList& steps, int launch, const std::array<int, 3>& block);
  void land_at_waits(const trace::Trace& trace, const StepList& steps, int launch,
                     const std::array<int, 3>& block);
  void add_copies(const trace::Trace& trace, const StepList& steps, int launch,
                  const std::array<int, 3>& block);
  const std::vector<std::uint32_t>& of(std::uint64_t byte) const;
  void note_ends(const StepWarp& warp);
  bool sees_until(const void* event) const;

  bool sees_all_warps_ = true, sees_beginnings_ = true;
  const void* all_begun_ = nullptr;  // the first step of the last warp to have one that is recorded
  const void* first_cut_ = nullptr;  // the last recorded step of the first warp that goes on
  std::vector<Arrival> arrivals_;
  std::vector<std::vector<std::uint32_t>> chunks_;  // of kChunk bytes: what wrote there
};

/// How many bytes of shared memory a bulk copy is about, from its first on.
std::uint64_t bulk_extent(const trace::Sync& copy);

/// Where in global memory a byte lies that a bulk copy has brought, or takes there.
struct BulkSource {
  std::uint64_t address = 0;
  bool inside = true;                 // of the tensor: else it was filled up with zeros
  std::vector<std::int64_t> element;  // through a tensor map: its coordinates, the fastest first
  std::int64_t along_bytes = 0;       // and how far along the fastest dimension that is
};

/// Nothing where the trace does not say it, or the copy is not about that byte.
std::optional<BulkSource> bulk_source(const trace::Sync& copy, std::uint64_t byte);
/// The same where `tensor` should have been the copy's.
std::optional<BulkSource> bulk_source(const trace::Sync& copy, const trace::TensorBox& tensor,
                                      std::uint64_t byte);

/// "{64, 128}"
std::string coordinates_text(const std::vector<std::int64_t>& at);

}  // namespace lanescope::viz
