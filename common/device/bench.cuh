// SPDX-License-Identifier: MIT
// Measures kernels against each other: interleaved, sustained, with the spread and the clock that
// they ran at. For GPUs only: on the emulator time means nothing.
//
//     bench::Monitor monitor;                                  // NVML, where there is one
//     std::vector<bench::Contestant> contestants{{"mine", [&](int set) { mine(set); }}, ...};
//     for (const bench::Measured& one : bench::race(contestants, {}, monitor))
//       printf("%s %.1f TFLOP/s, %.0f MHz\n", ..., flop / one.seconds.median * 1e-12, one.mhz);
//
// Every contestant runs for `seconds` without a pause, then the next one, and again, in another
// order, for `rounds` rounds: what the card's temperature does to one of them it does to all. `set`
// counts up with every launch, for contestants that take turns among several copies of their
// inputs.
//
// Source: CUDA Runtime API (events); NVML API (nvmlDeviceGetClockInfo, nvmlDeviceGetPowerUsage).
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "architecture.cuh"
#include "check.cuh"

namespace bench {

struct Statistics {
  double median = 0, low = 0, high = 0;
};

inline Statistics statistics(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

/// Half of the distance from lowest to highest, in percent of the median.
inline double spread_percent(const Statistics& s) { return (s.high - s.low) / 2 / s.median * 100; }

/// The card's clock and power while kernels run, from NVML. Without NVML both are 0.
class Monitor {
 public:
  Monitor() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    int (*init)() = nullptr;
    int (*handle)(const char*, void**) = nullptr;
    find(init, "nvmlInit_v2");
    find(handle, "nvmlDeviceGetHandleByPciBusId_v2");
    find(clock_, "nvmlDeviceGetClockInfo");
    find(power_, "nvmlDeviceGetPowerUsage");
    int device = 0;
    char bus_id[32] = {};
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, device));
    if (init == nullptr || handle == nullptr || init() != 0 || handle(bus_id, &device_) != 0)
      device_ = nullptr;
  }
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  bool there() const { return device_ != nullptr; }
  double mhz() const { return read(clock_, 1); }  // NVML_CLOCK_SM
  double watts() const {
    unsigned milliwatts = 0;
    if (device_ == nullptr || power_ == nullptr || power_(device_, &milliwatts) != 0) return 0;
    return milliwatts * 1e-3;
  }

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
  }
  double read(int (*function)(void*, unsigned, unsigned*), unsigned which) const {
    unsigned value = 0;
    if (device_ == nullptr || function == nullptr || function(device_, which, &value) != 0)
      return 0;
    return value;
  }

  void* library_ = nullptr;  // stays loaded: NVML does not like to be closed
  void* device_ = nullptr;
  int (*clock_)(void*, unsigned, unsigned*) = nullptr;
  int (*power_)(void*, unsigned*) = nullptr;
};

struct Contestant {
  std::string name;
  std::function<void(int set)> launch;  // starts the work on the default stream, and returns
};

struct Options {
  int rounds = 5;
  double seconds = 0.5;  // a contestant's share of a round
  // Before that it runs as long untimed, until clock and power are its own: the card's governor
  // takes tenths of a second to forget who ran before.
  double settle_seconds = 0.4;
};

struct Measured {
  std::string name;
  Statistics seconds;         // of one launch; one value a round
  double mhz = 0, watts = 0;  // medians of what NVML said in the middle of each round
  int launches = 0;           // in a round
};

class Stopwatch {
 public:
  Stopwatch() {
    CUDA_CHECK(cudaEventCreate(&begin_));
    CUDA_CHECK(cudaEventCreate(&end_));
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start() { CUDA_CHECK(cudaEventRecord(begin_)); }
  void stop() { CUDA_CHECK(cudaEventRecord(end_)); }
  bool stopped() const { return cudaEventQuery(end_) == cudaSuccess; }
  double seconds() const {  // waits for the end
    float milliseconds = 0;
    CUDA_CHECK(cudaEventSynchronize(end_));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// Seconds of one launch, among `launches` in a row.
inline double time_launches(const Contestant& contestant, int launches) {
  Stopwatch watch;
  watch.start();
  for (int i = 0; i < launches; ++i) contestant.launch(i);
  watch.stop();
  CUDA_CHECK(cudaGetLastError());
  return watch.seconds() / launches;
}

/// Whose turn it is. Each round begins with another, every second one goes backwards: nobody always
/// runs behind the same contestant, whose heat and clock it would inherit.
inline std::size_t in_turn(int round, std::size_t turn, std::size_t count) {
  const std::size_t place = round % 2 == 0 ? turn : count - 1 - turn;
  return (place + static_cast<std::size_t>(round / 2)) % count;
}

/// Every contestant for Options::seconds, round after round. The results are in their order.
inline std::vector<Measured> race(const std::vector<Contestant>& contestants,
                                  const Options& options, const Monitor& monitor) {
  const std::size_t count = contestants.size();
  std::vector<Measured> results(count);
  std::vector<std::vector<double>> seconds(count), mhz(count), watts(count);
  for (std::size_t i = 0; i < count; ++i) {
    time_launches(contestants[i], 1);  // the first launch also loads the code
    const double one = time_launches(contestants[i], 3);
    results[i].name = contestants[i].name;
    results[i].launches = std::max(1, static_cast<int>(options.seconds / one));
  }
  for (int round = 0; round < options.rounds; ++round)
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t i = in_turn(round, turn, count);
      const int launches = results[i].launches;
      const auto settling = static_cast<int>(launches * options.settle_seconds / options.seconds);
      for (int n = 0; n < settling; ++n) contestants[i].launch(n);
      Stopwatch watch, half;
      watch.start();
      for (int n = 0; n < launches; ++n) {
        if (n == launches / 2) half.stop();
        contestants[i].launch(n);
      }
      watch.stop();
      CUDA_CHECK(cudaGetLastError());
      while (!half.stopped() && !watch.stopped()) {
      }
      if (monitor.there()) {
        mhz[i].push_back(monitor.mhz());
        watts[i].push_back(monitor.watts());
      }
      seconds[i].push_back(watch.seconds() / launches);
    }
  for (std::size_t i = 0; i < count; ++i) {
    results[i].seconds = statistics(seconds[i]);
    results[i].mhz = statistics(mhz[i]).median;
    results[i].watts = statistics(watts[i]).median;
  }
  return results;
}

/// "NVIDIA H200, 132 SMs, 60 MiB of L2, driver for CUDA 13.0, runtime 13.0, compiled by nvcc
/// 13.0.88": what has to stand beside every figure.
inline std::string card() {
  cudaDeviceProp properties{};
  int device = 0, driver = 0, runtime = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  char text[400];
  std::snprintf(text, sizeof text,
                "%s, %d SMs, %d MiB of L2, driver for CUDA %d.%d, runtime %d.%d, compiled by nvcc "
                "%d.%d.%d",
                properties.name, properties.multiProcessorCount, properties.l2CacheSize >> 20,
                driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10,
                __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
  return text;
}

inline bool on_emulator() {
  cudaDeviceProp properties{};
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  return is_emulator(properties);
}

/// Says so where there is nothing to measure.
inline bool needs_gpu() {
  if (!on_emulator()) return false;
  std::printf("--bench needs a GPU: on the emulator time means nothing.\n");
  return true;
}

}  // namespace bench
