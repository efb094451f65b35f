// SPDX-License-Identifier: MIT
// Tensor memory of a CTA, who has which of its columns, and what is under way in it.
//
//     tcgen05.mma --> work --(somebody waits at the mbarrier of a commit)--> words
//     tcgen05.st  --> stores --(the warp's wait::st)-----------------------> words
//     tcgen05.ld  <-- words, into loads --(the warp's wait::ld)--> registers
//
// Nothing of it is there before it must be: D and the registers hold what they held until the wait
// that the ISA asks for. A and B in shared memory are read when the work is done, so that who
// overwrites them earlier multiplies what he wrote.
//
// With .cta_group::2 the CTAs of ranks 2i and 2i + 1 work together: a warp of each takes columns,
// at the same place in both tensor memories, and one thread multiplies in both.
//
// Source: PTX ISA 9.2, 9.7.16.2 (tensor memory), 9.7.16.5 (CTA pairs), 9.7.16.6 (memory
// consistency). Not from a card.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/decode/tcgen05.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

struct Tcgen05Form;

struct TensorAddress {
  int lane = 0, column = 0;
};
constexpr TensorAddress tensor_address(std::uint32_t bits) {
  return {static_cast<int>(bits >> 16), static_cast<int>(bits & 0xffff)};
}

/// Issued and not done: an mma, a cp, or the commit behind them.
struct TensorWork {
  const Tcgen05Plan* plan = nullptr;  // of an mma or a cp
  const Tcgen05Form* form = nullptr;
  std::uint32_t thread = 0;
  std::uint32_t pc = 0;
  TensorAddress d, a, a_scales, b_scales, metadata;
  std::uint64_t a_descriptor = 0, b_descriptor = 0, zero_columns = 0;
  std::array<std::uint32_t, 8> disabled_lanes{};  // four for each CTA
  bool adds = false;
  // of a commit
  std::uint32_t targets = 0;  // ranks in the cluster
  std::uint32_t barrier = 0;  // offset of the mbarrier in each
  std::uint32_t time = 0;     // for the checker
  std::uint64_t number = 0;   // of the CTA's commits, from 1 on
  bool is_commit() const { return plan == nullptr; }
};

/// Registers that a tcgen05.ld will write at the wait.
struct TensorLoad {
  int warp = 0;
  std::byte* frame = nullptr;
  std::uint32_t pc = 0;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> words;  // [register][lane]
};
/// Words that a tcgen05.st will write at the wait.
struct TensorStore {
  int warp = 0;
  std::uint32_t pc = 0;
  std::uint32_t mask = 0xffffffffu;  // of each word
  std::vector<std::uint32_t> places;
  std::vector<std::uint32_t> words;
};

/// A warp that has come to alloc, dealloc or relinquish_alloc_permit of a pair, and waits for one
/// of the peer CTA.
struct TensorMeeting {
  Handler what = nullptr;
  int warp = 0;
  std::uint32_t pc = 0;
  int first = 0, columns = 0;
  bool is_met = false;  // the other one has come, and has done it for both
};

struct TensorMemory {
  TensorMemory();
  ~TensorMemory();

  struct Allocation {
    int first = 0, columns = 0;
    int warp = 0;
    std::uint32_t pc = 0;
  };
  std::vector<std::uint32_t> words;  // [column][lane]
  std::vector<Allocation> allocations;
  Allocation last;  // that was made; 0 columns: none yet
  bool relinquished = false;
  int ctas = 0;  // .cta_group of the CTA's instructions: the same in all; 0 before the first
  std::vector<TensorMeeting> meetings;
  std::deque<TensorWork> work;  // in order of issue
  std::uint64_t commits = 0;    // issued so far
  std::vector<TensorLoad> loads;
  std::vector<TensorStore> stores;
  // By .kind (with .ws 256 more, of a pair 512, with N scale factors a row 1024 N, .sp 8192) and
  // descriptor;
  // what they mean stays the same from CTA to CTA.
  std::map<std::pair<int, std::uint32_t>, std::unique_ptr<Tcgen05Form>> forms;

  /// As a CTA finds it.
  void reset();
  /// The first of `columns` free columns in a row, or -1.
  int find_free(int columns) const;
  int free_columns() const;
  bool is_allocated(int first, int columns) const;
};

/// The CTA's, made when it is first asked for.
TensorMemory& tensor_memory(Cta& cta);

/// Where an instruction with .cta_group works: in its own CTA, or in both of the pair, the even one
/// first.
struct TensorCtas {
  std::array<Cta*, 2> all{};
  int count = 0;
  Cta* const* begin() const { return all.data(); }
  Cta* const* end() const { return all.data() + count; }
};
/// Of a cluster that has them all.
TensorCtas tensor_ctas(Cta& cta, int ctas);

/// A warp's stores, its loads.
void hand_over_stores(Cta& cta, int warp);
void hand_over_loads(Cta& cta, int warp);
/// The loads of which a register is copied.
void hand_over_loaded(Warp& warp, std::uint32_t row);

/// Does the work that somebody waits for (land_tcgen05.cpp); true when there was some.
bool land_tensor_work(Cluster& cluster);

}  // namespace lanescope::emulator
