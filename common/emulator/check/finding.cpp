// SPDX-License-Identifier: MIT
// The words for what the checker may find: the name of the mistake, and what to do.
#include "emulator/check/finding.hpp"

#include <cstddef>
#include <iterator>

namespace lanescope::emulator {
namespace {

constexpr const char* kBetweenCtas =
    ", and nothing orders the two; let the first say so with __threadfence() and then an atomic or "
    "volatile flag that the second waits for, or with grid.sync(), or make it two launches";

constexpr const char* kBetweenLanes =
    ", and nothing orders the two: lanes need not run in step; put __syncwarp() between them";

constexpr const char* kBetweenPeers =
    ", and nothing orders the two: __syncthreads() is for one CTA; put barrier.cluster between "
    "them";

constexpr const char* kAfterCopy =
    " wrote, and nothing orders the two; the thread that copies must wait with "
    "cp.async.bulk.wait_group, "
    "without .read, and then say so: to its CTA by a barrier, to others by __threadfence() and a "
    "flag";

constexpr const char* kMayBeginEarly =
    ", and which may still run: this launch is allowed to begin early (programmatic stream "
    "serialization); put griddepcontrol.wait (cudaGridDependencySynchronize()) before it";

constexpr const char* kGlobalProxies =
    ", and between the proxies stands no fence for global memory; put fence.proxy.async or "
    "fence.proxy.async.global (not .shared::cta) into the thread that copies, behind its wait, or "
    "behind the access, before its thread tells of it";

}  // namespace

const Wording& wording(FindingKind kind) {
  static constexpr Wording kWordings[] = {
      {"uninitialised-shared", "reads shared memory that nothing in this launch has written",
       "; write it first, or check the index"},
      {"reserved-shared", "touches the first 1024 bytes of shared memory, which are the system's",
       "; is the address of the variable missing? The kernel's own bytes begin behind them"},
      {"missing-cp-async-wait", "touches shared memory that the cp.async at ",
       " is still filling; wait for it with cp.async.wait_group, then __syncthreads() if other "
       "threads copied"},
      {"missing-cp-async-wait", "touches shared memory that the cp.async at ",
       " is still filling, and no cp.async.commit_group has put that copy into a group yet, which "
       "is what cp.async.wait_group waits for; commit it, then wait"},
      {"missing-bulk-wait", "touches shared memory that the bulk copy at ",
       " is still filling; wait for the phase of its mbarrier first"},
      {"race-read-after-write", "reads shared memory that was written at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"race-write-after-read", "overwrites shared memory that was read at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"race-write-after-write", "overwrites shared memory that was written at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"race-read-after-write", "reads shared memory that another lane of the warp wrote at ",
       kBetweenLanes},
      {"race-write-after-read", "overwrites shared memory that another lane of the warp read at ",
       kBetweenLanes},
      {"race-write-after-write", "overwrites shared memory that another lane of the warp wrote at ",
       kBetweenLanes},
      {"race-read-after-write", "reads shared memory that another CTA of the cluster wrote at ",
       kBetweenPeers},
      {"race-write-after-read", "overwrites shared memory that another CTA of the cluster read at ",
       kBetweenPeers},
      {"race-write-after-write",
       "overwrites shared memory that another CTA of the cluster wrote at ", kBetweenPeers},
      {"missing-proxy-fence", "reads through the async proxy what was stored at ",
       "; the threads that stored it need fence.proxy.async before the barrier"},
      {"missing-proxy-fence", "overwrites through the async proxy what was stored at ",
       "; the threads that stored it need fence.proxy.async before the barrier"},
      {"late-read", "overwrites through the async proxy what was read at ",
       ", a read that may still be under way: between the proxies a barrier or wait alone orders "
       "nothing; put fence.proxy.async behind the wait of the thread that copies, or before those "
       "that read arrive"},
      {"missing-proxy-fence", "reads global memory through the async proxy that was stored at ",
       kGlobalProxies},
      {"missing-proxy-fence",
       "overwrites global memory through the async proxy that was stored at ", kGlobalProxies},
      {"late-read", "overwrites global memory through the async proxy that was read at ",
       kGlobalProxies},
      {"missing-grid-wait", "reads global memory that the kernel before wrote at ", kMayBeginEarly},
      {"missing-grid-wait", "overwrites global memory that the kernel before wrote at ",
       kMayBeginEarly},
      {"missing-grid-wait", "overwrites global memory that the kernel before read at ",
       kMayBeginEarly},
      {"missing-grid-wait", "touches global memory that an earlier kernel touched at ",
       ", and which may still run, whether this kernel waits or not: the one between the two began "
       "early and did not wait; put griddepcontrol.wait (cudaGridDependencySynchronize()) into "
       "that "
       "one, too"},
      {"missing-proxy-fence", "goes by a tensor map that was changed at ",
       ", and in this CTA no fence.proxy.tensormap::generic.acquire of the map has followed; put "
       "it "
       "behind what tells that the map is ready, or the copy may go by what the map was before"},
      {"missing-proxy-fence", "goes by a tensor map that was changed at ",
       ", and no fence.proxy.tensormap::generic.release has followed there; put it behind the "
       "change, or the copy may go by what the map was before"},
      {"missing-proxy-fence", "goes by a tensor map in global memory",
       "; that memory may have held another one: each CTA needs "
       "fence.proxy.tensormap::generic.acquire with the map's address and 128 before its first "
       "copy, "
       "or the map as a __grid_constant__ parameter"},
      {"missing-wgmma-fence", "is the first of its warp, and no wgmma.fence has come before it",
       "; put wgmma.fence in front of it"},
      {"missing-wgmma-fence", "uses registers that were written at ",
       "; put wgmma.fence between the two"},
      {"missing-wgmma-fence", "uses registers that were read at ",
       "; put wgmma.fence between the two"},
      {"accumulator-in-flight", "has D in registers that the wgmma at ",
       " still owns, in another order or number; name them in the same order, or put "
       "wgmma.commit_group, wgmma.wait_group and wgmma.fence between the two"},
      {"accumulator-in-flight", "touches a register that the wgmma at ",
       " still owns; wgmma.wait_group must come first, and cover its group"},
      {"accumulator-in-flight", "touches a register that the wgmma at ",
       " still owns: no wgmma.commit_group has followed it, so that no wait can cover it; put "
       "wgmma.commit_group behind it, and wgmma.wait_group"},
      {"descriptor",
       "has a matrix descriptor of a swizzled tile that does not begin where its "
       "pattern does",
       "; align the tile to 8 rows of the swizzle (1024, 512 or 256 bytes), or set the base offset "
       "to its first row"},
      {"barrier", "comes to a barrier that those have filled who came at ",
       ", and nothing keeps it behind them: it may be counted in their place; give each group of "
       "threads a barrier of its own, or put another barrier between the two"},
      {"mbarrier-before-init", "uses an mbarrier whose initialisation at ",
       " this thread need not have seen; put a barrier after it"},
      {"mbarrier", "initialises an mbarrier that is in use since its initialisation at ",
       "; initialise it once, in one thread; before another use of its place comes mbarrier.inval"},
      {"mbarrier", "waits at an mbarrier that is invalidated at ",
       ", and nothing keeps that behind the wait; put a barrier in front of mbarrier.inval"},
      {"mbarrier", "ends an mbarrier that is in use at ",
       ", and nothing orders the two; put a barrier or wait between them"},
      {"mbarrier", "overwrites the mbarrier initialised at ",
       ", which a card may write over this again; mbarrier.inval must come first, and a barrier "
       "between the two"},
      {"mbarrier", "names an mbarrier of another CTA than the one its bytes go to",
       "; PTX wants both in one CTA: take the mbarrier's address from mapa with the destination's "
       "rank"},
      {"mbarrier",
       "waits for a phase by its parity, and need not have seen that the one before it, which the "
       "arrival at ",
       " ended, is complete: by its parity it may be the one two phases before; wait for every "
       "phase, and let who "
       "arrives for the next one wait until this one has been seen, as a producer waits for an "
       "empty stage"},
      {"missing-proxy-fence", "lets a bulk copy signal the mbarrier initialised at ",
       "; fence.mbarrier_init or fence.proxy.async must follow the initialisation"},
      {"missing-bulk-wait", "is not waited for before its CTA ends and its source with it",
       "; cp.async.bulk.commit_group and cp.async.bulk.wait_group(.read) 0 come first"},
      {"missing-bulk-wait", "is not waited for before the CTA ends whose shared memory it fills",
       "; let a thread of that CTA wait for the phase of its mbarrier first"},
      {"missing-bulk-wait", "need not be over when its CTA ends and its source with it",
       "; wait there for the phase of its mbarrier, or let who has waited for it tell this CTA, as "
       "by "
       "barrier.cluster at the end"},
      {"cluster-exit", "touches shared memory of another CTA, which may have exited",
       "; end with barrier.cluster in every CTA, whose arrival is not .relaxed"},
      {"cluster-start", "touches shared memory of a CTA that may not have started",
       "; begin with barrier.cluster in every CTA"},
      {"warpgroup-lockstep", "is ordered with ",
       " only if the four warps of a warpgroup run together; PTX promises that of a warp, put a "
       "barrier between them"},
      {"missing-acquire", "touches memory that was accessed at ",
       ", of which a flag or mbarrier has told it without an acquire; look there with .acquire, or "
       "put a fence (__threadfence()) behind the look"},
      {"missing-acquire", "loads global memory that another CTA wrote at ",
       " and this one had loaded before, it or something of the 32 bytes around it: nothing has "
       "emptied its L1 since, which may still have what was there; put a fence (__threadfence()) "
       "behind the look at the flag, or load by "
       "__ldcg()"},
      {"narrow-scope", "meets an access by another CTA at ",
       ", and the scope of one of the two does not reach the other (.cta, .cluster), so that "
       "nothing "
       "orders them; take .gpu for both, as atomicAdd() has it and atomicAdd_block() has not"},
      {"non-coherent-read", "reads by the non-coherent cache what this launch has written at ",
       "; that cache may hold what was there before, whatever orders the two: read it with a plain "
       "load, without __ldg() "
       "and without const __restrict__ on a pointer to memory that another one stores to"},
      {"tensor-in-flight", "touches tensor memory that the tcgen05 at ",
       " may still be working on; wait for the phase of the mbarrier that its tcgen05.commit "
       "arrives "
       "at"},
      {"race-read-after-write", "reads tensor memory that was written at ",
       ", and nothing orders the two; put tcgen05.wait::st and a barrier between them"},
      {"race-write-after-write", "overwrites tensor memory that was written at ",
       ", and nothing orders the two; put tcgen05.wait::st and a barrier between them"},
      {"race-write-after-read", "overwrites tensor memory that was read at ",
       ", and nothing orders the two; put tcgen05.wait::ld and a barrier between them"},
      {"missing-tensor-wait", "touches tensor memory that the tcgen05.st at ",
       " is still filling; tcgen05.wait::st must come first"},
      {"missing-tensor-wait", "touches a register that the tcgen05.ld at ",
       " is still filling; tcgen05.wait::ld must come first"},
      {"missing-tensor-fence", "touches tensor memory that was touched at ",
       ", and behind the wait or barrier that orders the two comes no "
       "tcgen05.fence::after_thread_sync; put it there"},
      {"tensor-memory", "has columns of tensor memory that nobody gives back before the CTA ends",
       "; tcgen05.dealloc with the same address and number of columns"},
      {"tensor-memory", "takes more columns of tensor memory than the tcgen05.alloc at ",
       " did; the ISA wants no CTA to take more than the time before: take the larger part first"},
      {"race-read-after-write", "reads global memory that was written at ",
       ", and nothing orders the two; put a barrier between them"},
      {"race-write-after-read", "overwrites global memory that was read at ",
       ", and nothing orders the two; put a barrier between them"},
      {"race-write-after-write", "overwrites global memory that was written at ",
       ", and nothing orders the two; put a barrier between them"},
      {"race-read-after-write", "reads global memory that another lane of the warp wrote at ",
       kBetweenLanes},
      {"race-write-after-read", "overwrites global memory that another lane of the warp read at ",
       kBetweenLanes},
      {"race-write-after-write", "overwrites global memory that another lane of the warp wrote at ",
       kBetweenLanes},
      {"race-read-after-write", "reads global memory that another CTA wrote at ", kBetweenCtas},
      {"race-write-after-read", "overwrites global memory that another CTA read at ", kBetweenCtas},
      {"race-write-after-write", "overwrites global memory that another CTA wrote at ",
       kBetweenCtas},
      {"race-read-after-write", "reads global memory that another CTA of the cluster wrote at ",
       kBetweenPeers},
      {"race-write-after-read", "overwrites global memory that another CTA of the cluster read at ",
       kBetweenPeers},
      {"race-write-after-write",
       "overwrites global memory that another CTA of the cluster wrote at ", kBetweenPeers},
      {"race-read-after-write", "reads global memory that the copy at ", kAfterCopy},
      {"race-write-after-write", "overwrites global memory that the copy at ", kAfterCopy},
      {"race-write-after-read", "overwrites global memory that the copy at ",
       " reads, and nothing orders the two; wait for the phase of its mbarrier first, and let who "
       "has waited say so"},
  };
  static_assert(std::size(kWordings) ==
                static_cast<std::size_t>(FindingKind::copy_write_after_read) + 1);
  return kWordings[static_cast<std::size_t>(kind)];
}

}  // namespace lanescope::emulator
