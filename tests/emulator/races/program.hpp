// SPDX-License-Identifier: MIT
// A small random program of several warps: accesses to a few cells of memory, and what orders
// them. A list of steps, each an instruction of some lanes of one warp (a barrier: of several
// warps). Every warp runs its own steps in the list's order; a step waits for earlier ones alone,
// so that no program hangs. Behind next_kernel the rest is another launch of the same shape.
//
//     shared memory of a CTA   16 cells of 16 bytes | 8 mbarriers | flags | locks
//     global memory            16 cells of 16 bytes | flags | locks | log | what copies bring
//     (never written)
//
// Threads of a warp: lanes 0 to 3, and the 28 others, who always act together and never write.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::emulator::races {

constexpr int kAgents = 5;  // of a warp
constexpr unsigned kAllAgents = (1u << kAgents) - 1;
constexpr int kWarps = 4, kCtas = 2;  // at most
constexpr int kCells = 16, kCellBytes = 16, kMbarriers = 4, kFlags = 16;
constexpr int kLocks = 4;
constexpr int kMbarriersAt = kCells * kCellBytes, kFlagsAt = kMbarriersAt + 64;
constexpr int kSharedBytes = kFlagsAt + 4 * (kFlags + kLocks);
constexpr int kSourceBytes = 64;  // of a step
constexpr int kMostSteps = 128;
constexpr int kLogAt = 512;  // of locks in free order: a word a step, twice the turn that it got
constexpr int kGlobalBytes = kLogAt + 4 * kMostSteps;

enum class Op : std::uint8_t {
  load,
  store,
  atomic,
  matrix_load,   // ldmatrix
  matrix_store,  // stmatrix
  copy,          // cp.async
  copy_commit,
  copy_wait,
  copy_arrive,  // cp.async.mbarrier.arrive
  bulk_load,    // cp.async.bulk global -> shared, with its thread's arrive.expect_tx
  bulk_send,    // shared -> the other CTA's shared
  bulk_store,   // shared -> global
  bulk_commit,
  bulk_wait,
  async_store,   // st.async
  barrier,       // bar.sync and bar.arrive
  warp_barrier,  // bar.warp.sync
  vote,
  arrive,
  wait,
  renew,  // mbarrier.inval and mbarrier.init with another count
  proxy_fence,
  fence,   // fence.acq_rel, membar
  signal,  // sets a flag or counts it up
  await,   // polls until all signals so far are there
  lock,    // spins on a compare-and-swap
  unlock,
  cluster_arrive,
  cluster_wait,
  wgmma,
  wgmma_wait,
  next_kernel,
};
constexpr int kOps = static_cast<int>(Op::next_kernel) + 1;
constexpr int kKernels = 4;  // at most

enum class Place : std::uint8_t { own, peer, global };  // shared memory of whom
enum class Strength : std::uint8_t { plain, relaxed, is_volatile, ordered };  // .release, .acquire
enum class Scope : std::uint8_t { cta, cluster, gpu };

struct Step {
  Op op = Op::load;
  int cta = 0, warp = 0;
  unsigned lanes = 1;  // agents
  Place place = Place::own;
  int offset = 0, bytes = 4, stride = 0;  // lane k: at offset + k * stride
  int object = 0;                         // barrier, mbarrier, flag
  int count = 0;                          // groups that may be pending; a wait's phase; arrivals
  int variant = 0;                        // spellings, and kMulticast, kGlobalProxy
  Strength strength = Strength::plain;
  Scope scope = Scope::cta;
  unsigned warps = 0, arrivers = 0;  // of a barrier: who waits, who only arrives
  unsigned cells = 0;                // rows of ldmatrix and stmatrix
  bool is_tensor = false;            // a bulk copy by a tensor map
  bool is_from_cells = false;        // a bulk_load: of global memory, from `stride` on
};

struct Program {
  std::uint64_t seed = 0;
  int ctas = 1, warps = 2;
  bool is_cluster = false;                  // the CTAs are one
  std::array<int, kMbarriers> arrivals{1};  // of a phase
  // Locks are taken in the order of the steps; or as it comes: then nobody waits for anything
  // between a lock and its unlock.
  bool has_free_locks = false;
  // Nobody waits for copies behind the last step of a kernel, nor for the other CTA.
  bool ends_at_once = false;
  std::vector<Step> steps;

  int peer_of(const Step& step) const { return ctas - 1 - step.cta; }
  /// The CTA whose shared memory a step means.
  int home_of(const Step& step) const {
    return step.place == Place::peer ? peer_of(step) : step.cta;
  }
};

// Tensor maps: of what copies bring and of the global cells, rows of 16 bytes, boxes of 1 and of 2.
constexpr int kMaps = 4, kMapBytes = 128;
constexpr int kTensorAlignment = 128;
constexpr int kMulticast = 9;    // of a bulk_load: to both CTAs
constexpr int kGlobalProxy = 9;  // of a proxy_fence: .global
constexpr int kSharedProxy = 1;  // .shared::cta
constexpr int kNoAnswer = 1;     // of an atomic: red
constexpr int kReleasesToo = 1;  // of a lock: .acq_rel
constexpr int kFenced = 1;       // of a renew: fence.mbarrier_init follows

/// Its PTX, and which step each line belongs to (-1: none). The kernels are races0, races1 ...
struct Text {
  std::string ptx;
  int kernels = 1;
  std::vector<int> steps;  // by line, from 1 on
};
Text write(const Program& program);

/// What is random about programs: how many races are let in.
enum class Races : std::uint8_t { none, one, any };
Program make_program(std::uint64_t seed);
/// In which way the seed's program was made.
Races races_of(std::uint64_t seed);

/// For people: the steps, a line each.
std::string describe(const Program& program);

}  // namespace lanescope::emulator::races
