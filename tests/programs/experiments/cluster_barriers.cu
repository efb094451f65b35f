// SPDX-License-Identifier: MIT
// Whose mbarrier hears of what comes into another CTA's shared memory, and what mbarrier
// instructions do with another CTA's address. The CTA of rank 1 of a cluster of four does it; every
// CTA has an mbarrier at the same place, and says whether its phase completed and what lies in its
// box.
//
// PTX ISA 9.2, 9.7.9.25 (bulk copies), 9.7.9.12 (st.async), 9.7.13.15 (mbarrier). The answer is
// docs/experiments/cluster_barriers.md.
#include "../tensor_map.cuh"
#include "one_by_one.cuh"
#include "ptx/cluster.cuh"
#include "ptx/tma.cuh"

constexpr int kRanks = 4, kIssuer = 1, kWords = 64, kLooks = 2000;

enum Form {  // what copies
  kBulk,
  kBulkOwn,
  kBulkShared,
  kBulkReduce,
  kTensor,
  kStore,
  kStoreVector,
  kReduce,
  kMulticast,
  kTensorMulticast,
  kForms
};
const char* const kFormNames[] = {"cp.async.bulk.shared::cluster.global",
                                  "cp.async.bulk.shared::cta.global",
                                  "cp.async.bulk.shared::cluster.shared::cta",
                                  "cp.reduce.async.bulk.shared::cluster.shared::cta.add",
                                  "cp.async.bulk.tensor.2d.shared::cluster.global",
                                  "st.async.b32",
                                  "st.async.v4.b32",
                                  "red.async.add.u32",
                                  "cp.async.bulk.shared::cluster.global.multicast",
                                  "cp.async.bulk.tensor.2d.shared::cluster.global.multicast"};
__host__ __device__ constexpr int words_of(int form) {
  return form == kStore || form == kReduce ? 1 : form == kStoreVector ? 4 : kWords;
}

struct Answer {
  int complete, words, state;
};
struct Place {
  int to, barrier, mask;
};

__device__ std::uint32_t there(const void* mine, int rank) {
  std::uint32_t address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(address)
      : "r"(ptx::shared_address(mine)), "r"(rank));
  return address;
}
__device__ std::uint64_t generic_there(void* mine, int rank) {
  std::uint64_t address;
  asm("mapa.u64 %0, %1, %2;"
      : "=l"(address)
      : "l"(reinterpret_cast<std::uint64_t>(mine)), "r"(rank));
  return address;
}

// Looks for a while, and gives up.
__device__ int completes(std::uint64_t* barrier) {
  for (int look = 0; look < kLooks; ++look) {
    if (ptx::mbarrier_test_wait_parity_shared_b64(barrier, 0)) return 1;
    __nanosleep(500);
  }
  return 0;
}

template <int kForm>
__device__ void issue(const CUtensorMap* map, const int* global, const int* shared,
                      std::uint32_t to, std::uint32_t barrier, std::uint16_t mask) {
  const std::uint64_t from = __cvta_generic_to_global(global);
  const std::uint32_t own = ptx::shared_address(shared);
#define BYTES "mbarrier::complete_tx::bytes"
  if constexpr (kForm == kBulk)
    asm volatile("cp.async.bulk.shared::cluster.global." BYTES " [%0], [%1], 256, [%2];" ::"r"(to),
                 "l"(from), "r"(barrier)
                 : "memory");
  if constexpr (kForm == kBulkOwn)
    asm volatile("cp.async.bulk.shared::cta.global." BYTES " [%0], [%1], 256, [%2];" ::"r"(to),
                 "l"(from), "r"(barrier)
                 : "memory");
  if constexpr (kForm == kBulkShared)
    asm volatile("cp.async.bulk.shared::cluster.shared::cta." BYTES
                 " [%0], [%1], 256, [%2];" ::"r"(to),
                 "r"(own), "r"(barrier)
                 : "memory");
  if constexpr (kForm == kBulkReduce)
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta." BYTES
                 ".add.u32 [%0], [%1], 256, [%2];" ::"r"(to),
                 "r"(own), "r"(barrier)
                 : "memory");
  if constexpr (kForm == kTensor)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile." BYTES
                 " [%0], [%1, {%2, %2}], [%3];" ::"r"(to),
                 "l"(map), "r"(0), "r"(barrier)
                 : "memory");
  if constexpr (kForm == kStore)
    asm volatile("st.async.shared::cluster." BYTES ".b32 [%0], %1, [%2];" ::"r"(to), "r"(1000),
                 "r"(barrier)
                 : "memory");
  if constexpr (kForm == kStoreVector)
    asm volatile("st.async.shared::cluster." BYTES
                 ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
                 "r"(1000), "r"(1001), "r"(1002), "r"(1003), "r"(barrier)
                 : "memory");
  if constexpr (kForm == kReduce)
    asm volatile("red.async.relaxed.cluster.shared::cluster." BYTES
                 ".add.u32 [%0], %1, [%2];" ::"r"(to),
                 "r"(1001), "r"(barrier)
                 : "memory");
  if constexpr (kForm == kMulticast)
    asm volatile("cp.async.bulk.shared::cluster.global." BYTES
                 ".multicast::cluster [%0], [%1], 256, [%2], %3;" ::"r"(to),
                 "l"(from), "r"(barrier), "h"(mask)
                 : "memory");
  if constexpr (kForm == kTensorMulticast)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile." BYTES
                 ".multicast::cluster [%0], [%1, {%2, %2}], [%3], %4;" ::"r"(to),
                 "l"(map), "r"(0), "r"(barrier), "h"(mask)
                 : "memory");
}

template <int kForm>
__global__ void __cluster_dims__(kRanks) copies(const __grid_constant__ CUtensorMap map,
                                                const int* global, Place place, Answer* answers) {
  __shared__ __align__(1024) int box[kWords];
  __shared__ __align__(128) int from[kWords];
  __shared__ __align__(8) std::uint64_t barrier;
  const int rank = ptx::cluster_ctarank();
  for (int i = static_cast<int>(threadIdx.x); i < kWords; i += 32) {
    box[i] = -1;
    from[i] = (kForm == kBulkReduce ? 1001 : 1000) + i;
  }
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, 1);
    ptx::fence_mbarrier_init_release_cluster();
    ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, 4 * words_of(kForm));
  }
  ptx::fence_proxy_async();
  ptx::cluster_sync();
  if (rank == kIssuer && threadIdx.x == 0)
    issue<kForm>(&map, global, from, there(box, place.to), there(&barrier, place.barrier),
                 static_cast<std::uint16_t>(place.mask));
  const int complete = completes(&barrier);
  ptx::cluster_sync();
  if (threadIdx.x != 0) return;
  int words = 0;
  for (int i = 0; i < kWords; ++i) words += box[i] == 1000 + i;
  answers[rank] = {complete, words, 0};
}

// ---- mbarrier instructions with another CTA's address ------------------------------------------

enum Act {
  kExpectCta,
  kExpectCluster,
  kExpectGeneric,
  kCompleteCta,
  kCompleteCluster,
  kArriveCta,
  kArriveCtaState,
  kArriveCluster,
  kArriveGeneric,
  kArriveGenericState,
  kArriveExpectCta,
  kArriveExpectCluster,
  kDropCta,
  kDropCluster,
  kTestCta,
  kTestGeneric,
  kTryCta,
  kInitCta,
  kInitGeneric,
  kCopyArriveCta,
  kArriveExpectGeneric,
  kDropGeneric,
  kCopyArriveGeneric,
  kActs
};
const char* const kActNames[] = {"expect_tx.relaxed.cta.shared::cta",
                                 "expect_tx.relaxed.cluster.shared::cluster",
                                 "expect_tx.relaxed.cluster (generic)",
                                 "complete_tx.relaxed.cta.shared::cta",
                                 "complete_tx.relaxed.cluster.shared::cluster",
                                 "arrive.shared::cta _",
                                 "arrive.shared::cta state",
                                 "arrive.shared::cluster _",
                                 "arrive (generic) _",
                                 "arrive (generic) state",
                                 "arrive.expect_tx.shared::cta _",
                                 "arrive.expect_tx.shared::cluster _",
                                 "arrive_drop.shared::cta _",
                                 "arrive_drop.shared::cluster _",
                                 "test_wait.parity.shared::cta",
                                 "test_wait.parity (generic)",
                                 "try_wait.parity.shared::cta",
                                 "init.shared::cta 2",
                                 "init (generic) 2",
                                 "(cp.async.) arrive.noinc.shared::cta",
                                 "arrive.expect_tx (generic) _",
                                 "arrive_drop (generic) _",
                                 "(cp.async.) arrive.noinc (generic)"};

#define BARE(text) asm volatile(text " [%0];" ::"r"(at) : "memory")
#define SUNK(text) asm volatile(text " _, [%0];" ::"r"(at) : "memory")
#define BYTES16(text) asm volatile(text " [%0], 16;" ::"r"(at) : "memory")
#define ASKED(text, kind, where)                                              \
  asm volatile("{ .reg .pred p; " text " p, [%1], 0; selp.u32 %0, 1, 0, p; }" \
               : "=r"(answer)                                                 \
               : kind(where)                                                  \
               : "memory")
#define STATE(text, kind, where) \
  asm volatile(text " %0, [%1];" : "=l"(state) : kind(where) : "memory")

// What came back: of a state the arrivals that were pending, of a wait its answer.
template <int kAct>
__device__ int act(std::uint32_t at, std::uint64_t generic) {
  std::uint64_t state = 0;
  std::uint32_t answer = 0;
  if constexpr (kAct == kExpectCta) BYTES16("mbarrier.expect_tx.relaxed.cta.shared::cta.b64");
  if constexpr (kAct == kExpectCluster)
    BYTES16("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64");
  if constexpr (kAct == kExpectGeneric)
    asm volatile("mbarrier.expect_tx.relaxed.cluster.b64 [%0], 16;" ::"l"(generic) : "memory");
  if constexpr (kAct == kCompleteCta) BYTES16("mbarrier.complete_tx.relaxed.cta.shared::cta.b64");
  if constexpr (kAct == kCompleteCluster)
    BYTES16("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64");
  if constexpr (kAct == kArriveCta) SUNK("mbarrier.arrive.shared::cta.b64");
  if constexpr (kAct == kArriveCtaState) STATE("mbarrier.arrive.shared::cta.b64", "r", at);
  if constexpr (kAct == kArriveCluster) SUNK("mbarrier.arrive.release.cluster.shared::cluster.b64");
  if constexpr (kAct == kArriveGeneric)
    asm volatile("mbarrier.arrive.b64 _, [%0];" ::"l"(generic) : "memory");
  if constexpr (kAct == kArriveGenericState) STATE("mbarrier.arrive.b64", "l", generic);
  if constexpr (kAct == kArriveExpectCta)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(at) : "memory");
  if constexpr (kAct == kArriveExpectCluster)
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], 16;" ::"r"(at)
        : "memory");
  if constexpr (kAct == kDropCta) SUNK("mbarrier.arrive_drop.shared::cta.b64");
  if constexpr (kAct == kDropCluster)
    SUNK("mbarrier.arrive_drop.release.cluster.shared::cluster.b64");
  if constexpr (kAct == kTestCta) ASKED("mbarrier.test_wait.parity.shared::cta.b64", "r", at);
  if constexpr (kAct == kTestGeneric) ASKED("mbarrier.test_wait.parity.b64", "l", generic);
  if constexpr (kAct == kTryCta) ASKED("mbarrier.try_wait.parity.shared::cta.b64", "r", at);
  if constexpr (kAct == kInitCta)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(at) : "memory");
  if constexpr (kAct == kInitGeneric)
    asm volatile("mbarrier.init.b64 [%0], 2;" ::"l"(generic) : "memory");
  if constexpr (kAct == kCopyArriveCta) BARE("cp.async.mbarrier.arrive.noinc.shared::cta.b64");
  if constexpr (kAct == kArriveExpectGeneric)
    asm volatile("mbarrier.arrive.expect_tx.b64 _, [%0], 16;" ::"l"(generic) : "memory");
  if constexpr (kAct == kDropGeneric)
    asm volatile("mbarrier.arrive_drop.b64 _, [%0];" ::"l"(generic) : "memory");
  if constexpr (kAct == kCopyArriveGeneric)
    asm volatile("cp.async.mbarrier.arrive.noinc.b64 [%0];" ::"l"(generic) : "memory");
  if constexpr (kAct == kArriveCtaState || kAct == kArriveGenericState)
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(answer) : "l"(state));
  return static_cast<int>(answer);
}

__device__ void complete_16(std::uint64_t* barrier) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(
                   ptx::shared_address(barrier))
               : "memory");
}

__host__ __device__ constexpr bool is_one_of(int act, int a, int b, int c = -1) {
  return act == a || act == b || act == c;
}
__host__ __device__ constexpr bool arrives(int act) {
  return (act >= kArriveCta && act <= kDropCluster) || act >= kCopyArriveCta;
}

// Before and after the act every CTA does to its own mbarrier what shows where the act went.
template <int kAct>
__global__ void __cluster_dims__(kRanks) acts(Place place, Answer* answers) {
  constexpr bool kCompletes = is_one_of(kAct, kCompleteCta, kCompleteCluster);
  constexpr bool kArrivesExpecting =
      is_one_of(kAct, kArriveExpectCta, kArriveExpectCluster, kArriveExpectGeneric);
  constexpr bool kAsks = is_one_of(kAct, kTestCta, kTestGeneric, kTryCta);
  constexpr bool kDrops = is_one_of(kAct, kDropCta, kDropCluster, kDropGeneric);
  __shared__ __align__(8) std::uint64_t barrier;
  const int rank = ptx::cluster_ctarank();
  int answer = 0;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init_shared_b64(&barrier, kDrops ? 2 : 1);
    ptx::fence_mbarrier_init_release_cluster();
    if (kCompletes) ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, 16);
    if (kAsks && rank == place.mask) ptx::mbarrier_arrive_shared_b64(&barrier);
  }
  ptx::cluster_sync();
  if (rank == kIssuer && threadIdx.x == 0)
    answer = act<kAct>(there(&barrier, place.barrier), generic_there(&barrier, place.barrier));
  asm volatile("cp.async.wait_all;" ::: "memory");
  ptx::cluster_sync();
  if (threadIdx.x == 0) {
    if (kArrivesExpecting) complete_16(&barrier);
    if (kDrops || (!arrives(kAct) && !kCompletes && !kAsks))
      ptx::mbarrier_arrive_shared_b64(&barrier);
  }
  ptx::cluster_sync();
  const int complete = completes(&barrier);
  ptx::cluster_sync();
  if (threadIdx.x == 0) answers[rank] = {complete, 0, answer};
}

// ---- the questions ------------------------------------------------------------------------------

struct Question {
  bool copies;
  int form;
  Place place;
};

using CopyKernel = void (*)(const CUtensorMap, const int*, Place, Answer*);
using ActKernel = void (*)(Place, Answer*);
template <int... kForm>
CopyKernel copy_kernel(int form, std::integer_sequence<int, kForm...>) {
  static const CopyKernel all[] = {copies<kForm>...};
  return all[form];
}
template <int... kAct>
ActKernel act_kernel(int act, std::integer_sequence<int, kAct...>) {
  static const ActKernel all[] = {acts<kAct>...};
  return all[act];
}

std::vector<Question> questions() {
  std::vector<Question> all;
  for (int form = 0; form < kMulticast; ++form)
    for (const auto& [to, barrier] : {std::pair{1, 1}, {1, 2}, {2, 2}, {2, 1}, {2, 3}})
      all.push_back({true, form, {to, barrier, 0}});
  for (const int form : {kMulticast, kTensorMulticast}) {
    for (const auto& [to, barrier] : {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 3}})
      for (const int mask : {0b0101, 0b1010}) all.push_back({true, form, {to, barrier, mask}});
    for (const int mask : {0b0000, 0b10000, 0b10010}) all.push_back({true, form, {1, 1, mask}});
  }
  for (int form = 0; form < kActs; ++form) {
    const bool asks = is_one_of(form, kTestCta, kTestGeneric, kTryCta);
    for (const int barrier : {1, 2})
      for (const int completed : {1, 2})
        if (asks || completed == 1) all.push_back({false, form, {0, barrier, completed}});
  }
  return all;
}

void print_ranks(const char* what, const std::vector<Answer>& answers, bool words) {
  std::printf("%s", what);
  for (int rank = 0; rank < kRanks; ++rank) {
    if (words && answers[rank].words > 0) std::printf(" %d (%d)", rank, answers[rank].words);
    if (!words && answers[rank].complete != 0) std::printf(" %d", rank);
  }
}

bool ask(const Question& q) {
  std::vector<int> source(kWords);
  for (int i = 0; i < kWords; ++i) source[i] = 1000 + i;
  int* global = to_device(source);
  Answer* device = to_device(std::vector<Answer>(kRanks, Answer{-1, 0, 0}));
  if (q.copies) {
    CUtensorMap map;
    const std::uint64_t size[2] = {8, 8};
    const std::uint32_t box[2] = {8, 8};
    if (!make_map(map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, global, size, box,
                  CU_TENSOR_MAP_SWIZZLE_NONE))
      return false;
    std::printf("%s into %d, mbarrier of %d", kFormNames[q.form], q.place.to, q.place.barrier);
    if (q.form >= kMulticast) {
      std::printf(", mask ");
      for (int rank = q.place.mask > 15 ? 4 : 3; rank >= 0; --rank)
        std::printf("%d", q.place.mask >> rank & 1);
    }
    copy_kernel(q.form, std::make_integer_sequence<int, kForms>())<<<kRanks, 32>>>(map, global,
                                                                                   q.place, device);
  } else {
    std::printf("mbarrier %s of %d", kActNames[q.form], q.place.barrier);
    if (is_one_of(q.form, kTestCta, kTestGeneric, kTryCta))
      std::printf(", where that of %d is complete", q.place.mask);
    act_kernel(q.form, std::make_integer_sequence<int, kActs>())<<<kRanks, 32>>>(q.place, device);
  }
  std::printf(":");
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf(" %s\n", cudaGetErrorString(error));
    return false;
  }
  const std::vector<Answer> answers = from_device(device, kRanks);
  if (q.copies) print_ranks(" words in", answers, true);
  print_ranks(q.copies ? "; complete" : " complete", answers, false);
  if (!q.copies) std::printf("; answer %d", answers[kIssuer].state);
  std::printf("\n");
  CHECK(cudaFree(device));
  CHECK(cudaFree(global));
  return true;
}

int main(int argc, char** argv) {
  const std::vector<Question> all = questions();
  if (argc > 1) return ask(all.at(static_cast<std::size_t>(std::atoi(argv[1])))) ? 0 : 1;
  return ask_one_by_one(0, static_cast<int>(all.size()),
                        [&](int k) { return ask(all[static_cast<std::size_t>(k)]); });
}
