// SPDX-License-Identifier: MIT
// What the checker has to know of each instruction of a program: made once a program, beside a copy
// of its code in which these instructions go through the checker (run_memory.cpp, run_order.cpp).
//
// A launch that is not checked runs the code as it was decoded and never comes here.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/check/dropped.hpp"
#include "emulator/check/sources.hpp"
#include "emulator/decode/program.hpp"

namespace lanescope::emulator {

enum class SiteKind : std::uint8_t {
  none,
  load,
  store,
  atomic,
  vector_atomic,
  matrix_load,
  matrix_store,
  wmma_transfer,
  map_replace,  // tensormap.replace
  map_copy,     // tensormap.cp_fenceproxy
  async_copy,
  async_store,  // st.async, red.async
  bulk_store,   // st.bulk
  async_wait,
  warp_barrier,
  exchange,  // between lanes: shfl, vote, match, redux
  barrier,
  memory_fence,
  proxy_fence,
  map_fence,  // fence.proxy.tensormap::generic
  barrier_init_fence,
  grid_wait,  // griddepcontrol.wait
  mbarrier_init,
  mbarrier_invalidate,
  mbarrier_arrive,
  mbarrier_wait,
  cluster_arrive,
  cluster_wait,
  wgmma,
  wgmma_fence,
  wgmma_commit,
  wgmma_wait,
  bulk_wait,
};

struct Site {
  SiteKind kind = SiteKind::none;
  bool is_strong = false;     // atomic, volatile, relaxed ...: does not race with its like
  bool synchronises = false;  // of an mbarrier or barrier.cluster: not .relaxed
  bool releases = false;      // .release, .acq_rel
  bool acquires = false;      // .acquire, .acq_rel, .sc, membar
  bool is_guess = false;      // a load that a compare-and-swap proves right or wrong
  bool is_by_nc = false;      // ld.global.nc
  bool is_cached = false;     // a load that may leave a copy in the L1: not .cg, .cv, strong ...
  bool passes_l1 = false;     // cp.async.cg
  bool is_volatile = false;
  bool decides_nothing = false;  // a volatile load of data: decided.hpp
  bool answers = false;          // an atom whose thread looks at what was there: not red
  bool is_far = false;           // a fence or access of .gpu or .sys: it reaches other clusters
  bool waits_for_reads = false;  // wait_group.read: of the sources alone
  bool of_shared = false;        // a fence of proxies: which memory it is for
  bool of_global = false;
  bool is_move = false;       // mov of a register: a compiler's copy
  std::uint8_t flags = 1;     // of a strong vector access: its elements
  std::uint8_t elements = 1;  // of a vector load
  std::uint8_t dropped = 0;   // those that nobody reads, a bit each
  Copying copying = Copying::no;
  bool keeps_where_false = false;  // which lanes keep what they load: speculated.hpp
  std::uint32_t kept_by = kNoRow;  // the predicate's row; none: all
  std::uint32_t first_use = 0;     // registers that a wgmma may own: rows in CheckPlan::rows
  std::uint16_t uses = 0;
  std::uint16_t writes = 0;  // of the uses, the first that many are written
  SourceMask sources = 0;    // where a global address may come from
};

struct CheckPlan {
  std::vector<Instruction> code;
  std::vector<Site> sites;  // by pc
  std::vector<std::uint32_t> rows;
  std::vector<SourceMask> written;  // by function: what it may write
  std::vector<bool> has_flags;      // by function: strong accesses outside of shared memory
  std::vector<bool> lets_begin;     // by function: griddepcontrol.launch_dependents
  bool has_async_proxy = false;     // wgmma or bulk copies: fence.proxy.async matters
  bool has_bulk_copies = false;
  bool has_copies_in = false;  // bulk copies into shared memory: they overwrite
  bool has_releases = false;   // memory fences, .release: flags may mean something
  // Bytes at the beginning of shared memory that are the system's; 0 where the program asks where
  // they are (%reserved_smem_offset_0), as cooperative groups do, which may use them.
  int reserved_bytes = 0;
};

CheckPlan plan_checks(const Program& program);

/// What code[pc].handler is wherever there is a site (run_memory.cpp, run_order.cpp).
Handler checked_handler(SiteKind kind);

}  // namespace lanescope::emulator
