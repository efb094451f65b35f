// SPDX-License-Identifier: MIT
// What kernels may ask of the CUDA runtime: kernels that launch kernels (dynamic parallelism). The
// emulator only carries questions and answers; what a launch, a stream or an error is the runtime
// knows that made the LaunchRequest (cudart/device_launches.cpp).
//
// Source: the toolkit's cuda_device_runtime_api.h, whose functions become calls of __cudaCDP2NAME.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::emulator {

/// `arguments`, a letter each: p and o of 8 bytes, o the address of what the function gives back;
/// i of 4 bytes; d a dim3, which becomes three.
struct RuntimeFunction {
  std::string_view name;  // behind "__cudaCDP2"
  std::string_view arguments;
  int result_bytes = 4;
};

/// Those that are modelled.
std::span<const RuntimeFunction> runtime_functions();
/// By its whole name; -1 for others.
int find_runtime_function(std::string_view name);

struct DeviceCall {
  std::string_view function;  // RuntimeFunction::name
  std::array<std::uint64_t, 8> arguments{};
  std::string_view kernel;   // that the first argument is the address of
  std::uint64_t thread = 0;  // counts all of the grid
};

struct DeviceAnswer {
  std::uint64_t result = 0;
  std::uint64_t value = 0;  // for the address that is the function's `o`
  int value_bytes = 0;      // 0: nothing is written there
};

struct DeviceRuntime {
  void* context = nullptr;
  DeviceAnswer (*answer)(void* context, const DeviceCall& call) = nullptr;
};

}  // namespace lanescope::emulator
