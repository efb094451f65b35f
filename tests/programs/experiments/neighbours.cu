// SPDX-License-Identifier: MIT
// Which multiprocessors are neighbours, and what is it worth that neighbours fetch the same at the
// same time? First each multiprocessor's clock64 at one and the same tick of globaltimer: those of
// a GPC count together. Then all of them fetch by TMA, out of the L2, random halves: each its own,
// or several the same; as fast as they can, or a step every so many clocks, some of them a little
// later. Printed are what arrives and the card's power (NVML's mean, after 1.2 s).
//
// PTX ISA 9.2, 10.7 (%smid), 10.19 (%clock64), 10.26 (%globaltimer), 9.7.9.25.5.2 (tensor copies).
// The answer is docs/experiments/shared_fetches.md.
#include <algorithm>
#include <chrono>

#include "../hopper.cuh"
#include "bench.cuh"

constexpr int kSms = 132, kStages = 4, kBoxes = 6, kBoxRows = 64, kRowBytes = 128;
constexpr int kStageRows = kBoxes * kBoxRows, kStageBytes = kStageRows * kRowBytes;
constexpr int kSteps = 4000, kRegionRows = kStageRows * 3;
constexpr int kTick = 1 << 21;  // of globaltimer, in ns: all blocks begin well before the next one

__device__ unsigned multiprocessor() {
  unsigned sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}
__device__ unsigned long long global_time() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

struct Reading {
  unsigned long long tick;
  long long clock;
};
__global__ void read_clocks(Reading* readings) {
  const unsigned long long tick = global_time() / kTick + 1;
  while (global_time() < tick * kTick) {
  }
  readings[multiprocessor()] = {tick, clock64()};
}

/// Multiprocessors whose clocks show the same, but for what reading them takes: one after the
/// other, those of a GPC together.
std::vector<int> neighbours() {
  Reading* device = to_device(std::vector<Reading>(kSms));
  CHECK(cudaFuncSetAttribute(read_clocks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kStages * kStageBytes));
  for (int again = 0; again < 2; ++again) read_clocks<<<kSms, 1, kStages * kStageBytes>>>(device);
  std::vector<Reading> readings(kSms);
  CHECK(cudaMemcpy(readings.data(), device, kSms * sizeof(Reading), cudaMemcpyDeviceToHost));
  std::vector<int> order;
  for (int sm = 0; sm < kSms; ++sm) order.push_back(sm);
  const auto clock = [&](int sm) { return readings[sm].clock; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return clock(a) < clock(b); });
  for (int first = 0; first < kSms;) {
    int end = first + 1;
    while (end < kSms && clock(order[end]) - clock(order[end - 1]) < 1000) ++end;
    const long long apart = clock(order[end - 1]) - clock(order[first]);
    std::sort(&order[first], &order[first] + (end - first));
    std::printf("%2d multiprocessors, %3lld clocks apart:", end - first, apart);
    for (; first < end; ++first) std::printf(" %d", order[first]);
    std::printf("\n");
  }
  for (const Reading& reading : readings)
    if (reading.tick != readings[0].tick) std::printf("they were not read at the same tick\n");
  return order;
}

/// Whose region a multiprocessor reads, or -1: none; and by how many clocks it begins later.
struct Task {
  int region, later;
};

__global__ void __launch_bounds__(32, 1)
    fetch(const __grid_constant__ CUtensorMap map, const Task* tasks, int pace, unsigned* arrived,
          unsigned all) {
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ std::uint64_t full[kStages];
  if (threadIdx.x != 0) return;
  for (std::uint64_t& barrier : full) init(&barrier, 1);
  fence_init();
  const Task task = tasks[multiprocessor()];
  const auto issue = [&](int step) {
    if (task.region < 0) return;
    const int stage = step % kStages;
    expect_bytes(&full[stage], kStageBytes);
    for (int box = 0; box < kBoxes; ++box)
      fetch_2d(stages + stage * kStageBytes + box * kBoxRows * kRowBytes, &map, 0,
               task.region * kRegionRows + step % 3 * kStageRows + box * kBoxRows, &full[stage]);
  };
  atomicAdd(arrived, 1u);
  while (*static_cast<volatile unsigned*>(arrived) < all) {
  }
  long long next = clock64() + task.later;
  while (clock64() < next) {
  }
  for (int step = 0; step < kSteps + kStages; ++step, next += pace) {
    if (step >= kStages && task.region >= 0) wait(&full[step % kStages], (step / kStages - 1) & 1);
    while (clock64() < next) {
    }
    if (step < kSteps) issue(step);
  }
}

void time_fetching(const char* name, const std::vector<int>& order, int sharers, int later,
                   int pace, const CUtensorMap& map, const bench::Monitor& monitor) {
  static unsigned launched = 0;
  static unsigned* arrived = to_device(std::vector<unsigned>(1));
  std::vector<Task> tasks(kSms);
  for (int i = 0; i < kSms; ++i)
    tasks[order[i]] = sharers == 0 ? Task{-1, 0} : Task{i / sharers, i % sharers * later};
  const Task* device = to_device(tasks);
  const auto launch = [&] {
    launched += kSms;
    fetch<<<kSms, 32, kStages * kStageBytes>>>(map, device, pace, arrived, launched);
  };
  const auto now = [] { return std::chrono::steady_clock::now(); };
  bench::Stopwatch watch;
  double seconds = 0, watts = 0;
  for (const auto begin = now(); now() - begin < std::chrono::milliseconds(1200);) {
    watch.start();
    for (int i = 0; i < 8; ++i) launch();
    watch.stop();
    watts = monitor.watts();  // while they run
    seconds = watch.seconds() / 8;
  }
  CHECK(cudaDeviceSynchronize());
  const double bytes = sharers == 0 ? 0 : 1.0 * kSms * kSteps * kStageBytes;
  std::printf("%-58s %6.2f TB/s %4.0f W\n", name, bytes / seconds * 1e-12, watts);
}

int main() {
  if (bench::on_emulator()) {
    std::printf("needs a GPU: on the emulator time means nothing\n");
    return 0;
  }
  const std::vector<int> by_gpc = neighbours();
  std::vector<int> scattered;  // every 33rd: no two of a GPC, or hardly, stand together
  for (int i = 0; i < kSms; ++i) scattered.push_back(by_gpc[i % 4 * 33 + i / 4]);

  std::vector<std::uint16_t> halves(std::size_t(kSms) * kRegionRows * kRowBytes / 2);
  Numbers numbers;
  for (std::uint16_t& half : halves) {  // any sign and significand, exponents from -7 to 8
    const auto bits = static_cast<unsigned>(numbers.next(32767));
    half = static_cast<std::uint16_t>((bits & 0x83ff) | (8 + (bits >> 10 & 15)) << 10);
  }
  CUtensorMap map;
  const std::uint64_t size[2] = {64, std::uint64_t(kSms) * kRegionRows};
  const std::uint32_t box[2] = {64, kBoxRows};
  if (!make_map(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, to_device(halves), size, box,
                CU_TENSOR_MAP_SWIZZLE_128B))
    return 1;
  CHECK(cudaFuncSetAttribute(fetch, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kStages * kStageBytes));
  const bench::Monitor monitor;
  constexpr int kPace = 2200;
  time_fetching("nobody fetches", by_gpc, 0, 0, kPace, map, monitor);
  time_fetching("each its own", by_gpc, 1, 0, 0, map, monitor);
  time_fetching("2 of a GPC the same", by_gpc, 2, 0, 0, map, monitor);
  time_fetching("4 of a GPC the same", by_gpc, 4, 0, 0, map, monitor);
  time_fetching("4 of several GPCs the same", scattered, 4, 0, 0, map, monitor);
  time_fetching("every 2200 clocks, each its own", by_gpc, 1, 0, kPace, map, monitor);
  time_fetching("every 2200 clocks, 2 of a GPC the same", by_gpc, 2, 0, kPace, map, monitor);
  time_fetching("every 2200 clocks, 4 of a GPC the same", by_gpc, 4, 0, kPace, map, monitor);
  time_fetching("the same, each 100 clocks after the one before", by_gpc, 4, 100, kPace, map,
                monitor);
  time_fetching("the same, each 300 clocks after the one before", by_gpc, 4, 300, kPace, map,
                monitor);
  time_fetching("every 2200 clocks, 4 of several GPCs the same", scattered, 4, 0, kPace, map,
                monitor);
}
