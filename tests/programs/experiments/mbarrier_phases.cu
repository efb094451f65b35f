// SPDX-License-Identifier: MIT
// What an mbarrier answers in every situation of its life: which parities a wait returns for, when
// bytes and arrivals complete a phase, in which order they may come. One thread does it all.
//
// PTX ISA 9.2, 9.7.13.15. The answer is docs/experiments/mbarrier_phases.md.
#include "../program.cuh"
#include "ptx/mbarrier.cuh"

struct Look {
  int test_0, test_1, pending;
};
constexpr int kMost = 64;

__device__ int pending_count(std::uint64_t state) {
  std::uint32_t count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return static_cast<int>(count);
}
__device__ void complete_tx(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                   ptx::shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void look(std::uint64_t* barrier, Look* looks, int& count, int pending = -1) {
  looks[count++] = {ptx::mbarrier_test_wait_parity_shared_b64(barrier, 0),
                    ptx::mbarrier_test_wait_parity_shared_b64(barrier, 1), pending};
}

__global__ void live(Look* looks) {
  __shared__ std::uint64_t barrier;
  int count = 0;
  ptx::mbarrier_init_shared_b64(&barrier, 2);
  look(&barrier, looks, count);                                     // 0 fresh, 2 arrivals
  std::uint64_t state = ptx::mbarrier_arrive_shared_b64(&barrier);  // the state before
  look(&barrier, looks, count, pending_count(state));               // 1
  state = ptx::mbarrier_arrive_shared_b64(&barrier);
  look(&barrier, looks, count, pending_count(state));  // 2 phase 0 complete
  ptx::mbarrier_arrive_shared_b64(&barrier);
  ptx::mbarrier_arrive_shared_b64(&barrier);
  look(&barrier, looks, count);  // 3 phase 1 complete
  ptx::mbarrier_arrive_shared_b64(&barrier);
  ptx::mbarrier_arrive_shared_b64(&barrier);
  look(&barrier, looks, count);  // 4 phase 2 complete

  ptx::mbarrier_inval_shared_b64(&barrier);
  ptx::mbarrier_init_shared_b64(&barrier, 1);
  ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, 64);
  look(&barrier, looks, count);  // 5 arrived, 64 bytes to come
  complete_tx(&barrier, 48);
  look(&barrier, looks, count);  // 6 16 bytes to come
  complete_tx(&barrier, 16);
  look(&barrier, looks, count);  // 7 complete
  ptx::mbarrier_expect_tx_shared_b64(&barrier, 32);
  look(&barrier, looks, count);  // 8 bytes expected, nobody arrived
  complete_tx(&barrier, 32);
  look(&barrier, looks, count);  // 9 bytes there, nobody arrived
  ptx::mbarrier_arrive_shared_b64(&barrier);
  look(&barrier, looks, count);  // 10 complete
  complete_tx(&barrier, 16);
  look(&barrier, looks, count);  // 11 bytes before anybody expects them
  ptx::mbarrier_arrive_expect_tx_shared_b64(&barrier, 16);
  look(&barrier, looks, count);  // 12 complete

  ptx::mbarrier_inval_shared_b64(&barrier);
  ptx::mbarrier_init_shared_b64(&barrier, 3);
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];"
               : "=l"(state)
               : "r"(ptx::shared_address(&barrier))
               : "memory");
  look(&barrier, looks, count, pending_count(state));  // 13 one has left for good
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 2;"
               : "=l"(state)
               : "r"(ptx::shared_address(&barrier))
               : "memory");
  look(&barrier, looks, count, pending_count(state));  // 14 two at once: complete
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], 2;"
               : "=l"(state)
               : "r"(ptx::shared_address(&barrier))
               : "memory");
  look(&barrier, looks, count, pending_count(state));  // 15 two are enough from now on
}

int main() {
  const char* const events[] = {"init 2",
                                "arrive",
                                "arrive",
                                "arrive, arrive",
                                "arrive, arrive",
                                "init 1, arrive.expect_tx 64",
                                "complete_tx 48",
                                "complete_tx 16",
                                "expect_tx 32",
                                "complete_tx 32",
                                "arrive",
                                "complete_tx 16",
                                "arrive.expect_tx 16",
                                "init 3, arrive_drop",
                                "arrive 2",
                                "arrive 2"};
  Look* device = to_device(std::vector<Look>(kMost));
  live<<<1, 1>>>(device);
  CHECK(cudaDeviceSynchronize());
  const std::vector<Look> looks = from_device(device, kMost);
  std::printf("after                        parity 0  parity 1  pending before\n");
  for (std::size_t i = 0; i < sizeof events / sizeof *events; ++i) {
    std::printf("%-28s %-9s %-9s", events[i], looks[i].test_0 ? "returns" : "waits",
                looks[i].test_1 ? "returns" : "waits");
    if (looks[i].pending >= 0) std::printf(" %d", looks[i].pending);
    std::printf("\n");
  }
}
