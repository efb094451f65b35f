// SPDX-License-Identifier: MIT
// What one grid's threads ask of the runtime: kernels that launch kernels, copies and fills that
// they order, streams, events and errors of their own.
//
// Nothing of it is done before the grid has ended. A card may begin earlier, and promises no more:
// a grid cannot wait for what it has launched (CUDA 12 and later), so that every order in which
// each grid's own come after it, and before what follows it in its stream, is one of a card's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "cudart/launch.hpp"
#include "emulator/device_runtime.hpp"

namespace lanescope::cudart {

/// A kernel, or a copy or fill, that a thread of a kernel has asked for.
struct DeviceWork {
  std::optional<KernelWork> kernel;
  std::function<cudaError(Context&)> other;
};

class DeviceLaunches {
 public:
  /// Of a grid of `binary`.
  DeviceLaunches(Context& context, Binary* binary);
  ~DeviceLaunches();
  DeviceLaunches(const DeviceLaunches&) = delete;  // the request points here
  DeviceLaunches& operator=(const DeviceLaunches&) = delete;

  const emulator::DeviceRuntime* runtime() const { return &runtime_; }
  /// What is to be done now that the grid has ended, in reverse: what comes first stands last.
  std::vector<DeviceWork> take();

 private:
  static emulator::DeviceAnswer answer(void* self, const emulator::DeviceCall& call);
  emulator::DeviceAnswer ask(const emulator::DeviceCall& call);
  cudaError ask(const emulator::DeviceCall& call, emulator::DeviceAnswer& answer);
  std::uint64_t buffer(const emulator::DeviceCall& call, cudaError& error);
  cudaError launch(std::uint64_t buffer, std::uint64_t stream);
  std::uint64_t shown(const char* text);

  Context& context_;
  Binary* binary_;
  emulator::DeviceRuntime runtime_;
  std::map<std::uint64_t, KernelWork> prepared_;  // by the buffer of its parameters
  std::map<std::uint64_t, cudaError> errors_;     // by thread
  std::vector<std::uint64_t> memory_;             // for this grid alone
  std::vector<DeviceWork> soon_, at_the_end_;
};

/// A kernel of the program, as device code names it.
Function& device_function(Context& context, Binary* binary, std::string_view name);

}  // namespace lanescope::cudart
