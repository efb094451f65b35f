// SPDX-License-Identifier: MIT
// See device_launches.hpp. The functions are those of the toolkit's cuda_device_runtime_api.h, the
// errors an H200's (driver 580.159.04, CUDA 13.0; tests/programs/dynamic.cu).
#include "cudart/device_launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cudart/api/api.hpp"
#include "cudart/errors.hpp"
#include "cudart/handle.hpp"
#include "cudart/host_memory.hpp"
#include "emulator/memory.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cudart {
namespace {

constexpr std::uint64_t kDeviceRuntimeVersion = 6000;  // an H200's answer, CUDA 13.0
constexpr std::uint64_t kTailLaunch = 3;               // cudaStreamTailLaunch
constexpr std::uint64_t kUsualHeap = std::uint64_t{8} << 20;
constexpr unsigned kNonBlocking = 1, kDisableTiming = 2;

dim3 size_at(const emulator::DeviceCall& call, std::size_t first) {
  const auto part = [&](std::size_t k) { return static_cast<unsigned>(call.arguments[first + k]); };
  return {part(0), part(1), part(2)};
}

// The CUDA Programming Guide forbids it, and the address means another thread's memory there: once
// a kernel.
void name_private(const KernelWork& work) {
  int index = -1;
  for (const auto& parameter : work.function->kernel->parameters) {
    ++index;
    if (parameter.size_bytes != 8 || work.function->was_given_private) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, work.parameters.data() + parameter.offset_bytes, sizeof value);
    const bool local = value - emulator::kLocalWindow < emulator::kWindowBytes;
    if (!local && value - emulator::kSharedWindow >= emulator::kWindowBytes) continue;
    work.function->was_given_private = true;
    say(fmt::format(
        "{}: parameter {} is a pointer to {} memory of the thread that launches it, which no other "
        "grid can reach; pass one to global memory (cudaMalloc, __device__)",
        trace::as_written(work.function->kernel->name), index, local ? "local" : "shared"));
  }
}

}  // namespace

Function& device_function(Context& context, Binary* binary, std::string_view name) {
  std::shared_ptr<Function>& known = binary->by_kernels[std::string(name)];
  if (known != nullptr) return *known;
  for (const auto& [stub, function] : context.functions)  // what the host has set counts
    if (function->binary == binary && function->name == name)
      return *(known = {std::shared_ptr<void>(), function.get()});
  known = std::make_shared<Function>();
  known->binary = binary;
  known->name = name;
  return *known;
}

DeviceLaunches::DeviceLaunches(Context& context, Binary* binary)
    : context_(context), binary_(binary), runtime_{this, &answer} {}

DeviceLaunches::~DeviceLaunches() {
  for (const std::uint64_t address : memory_) context_.machine->free(address);
}

std::vector<DeviceWork> DeviceLaunches::take() {
  std::vector<DeviceWork> all = std::move(at_the_end_);
  std::reverse(all.begin(), all.end());
  std::move(soon_.rbegin(), soon_.rend(), std::back_inserter(all));
  return all;
}

emulator::DeviceAnswer DeviceLaunches::answer(void* self, const emulator::DeviceCall& call) {
  return static_cast<DeviceLaunches*>(self)->ask(call);
}

// A function's own error is the thread's last one, too.
emulator::DeviceAnswer DeviceLaunches::ask(const emulator::DeviceCall& call) {
  emulator::DeviceAnswer answer;
  if (call.function == "PeekAtLastError" || call.function == "GetLastError") {
    const auto found = errors_.find(call.thread);
    if (found == errors_.end()) return answer;
    answer.result = static_cast<std::uint64_t>(found->second);
    if (call.function == "GetLastError") errors_.erase(found);
    return answer;
  }
  if (call.function == "GetErrorString" || call.function == "GetErrorName") {
    const int code = static_cast<int>(call.arguments[0]);
    answer.result = shown(call.function == "GetErrorName" ? error_name(code) : error_text(code));
    return answer;
  }
  cudaError error = cudaSuccess;
  if (call.function == "GetParameterBufferV2") {
    answer.result = buffer(call, error);
  } else {
    error = ask(call, answer);
    answer.result = static_cast<std::uint64_t>(error);
  }
  if (error != cudaSuccess) errors_[call.thread] = error;
  return answer;
}

cudaError DeviceLaunches::ask(const emulator::DeviceCall& call, emulator::DeviceAnswer& answer) {
  const auto& [first, second, third, fourth, fifth, sixth, seventh, eighth] = call.arguments;
  const auto give = [&](std::uint64_t value, int bytes) {
    answer.value = value;
    answer.value_bytes = bytes;
    return cudaSuccess;
  };
  const std::string_view asked = call.function;
  if (asked == "LaunchDeviceV2") return launch(first, second);
  if (asked == "StreamCreateWithFlags")
    return second > kNonBlocking ? cudaErrorInvalidValue : give(context_.next_handle++, 8);
  if (asked == "EventCreateWithFlags")
    return second != kDisableTiming ? cudaErrorInvalidValue : give(context_.next_handle++, 8);
  if (asked == "GetDevice") return give(0, 4);
  if (asked == "GetDeviceCount") return give(1, 4);
  if (asked == "RuntimeGetVersion") return give(kDeviceRuntimeVersion, 4);
  if (asked == "DeviceGetAttribute") {
    int value = 0;
    const cudaError error =
        cudaDeviceGetAttribute(&value, static_cast<int>(second), static_cast<int>(third));
    return error != cudaSuccess ? error : give(static_cast<std::uint64_t>(value), 4);
  }
  if (asked == "DeviceGetLimit") {
    std::size_t value = 0;
    const cudaError error = cudaDeviceGetLimit(&value, static_cast<int>(second));
    return error != cudaSuccess ? error : give(value, 8);
  }
  if (asked == "MemcpyAsync" || asked == "MemsetAsync") {
    const bool copies = asked == "MemcpyAsync";
    DeviceWork work;
    work.other = [to = first, from = second, bytes = third, copies](Context& state) {
      const bool is_there =
          is_mapped(handle(to), bytes) && (!copies || is_mapped(handle(from), bytes));
      if (!is_there) {
        say("a copy or fill that a kernel ordered reaches memory that is not there");
        state.pending = cudaErrorIllegalAddress;
      } else if (copies) {
        std::memmove(handle(to), handle(from), bytes);
      } else {
        std::memset(handle(to), static_cast<int>(from), bytes);
      }
      return cudaSuccess;
    };
    ((copies ? fifth : fourth) == kTailLaunch ? at_the_end_ : soon_).push_back(std::move(work));
    return cudaSuccess;
  }
  if (asked == "Malloc") {
    const auto heap = context_.limits.find(kLimitHeap);
    const std::uint64_t room = heap != context_.limits.end() ? heap->second : kUsualHeap;
    const auto made = context_.machine->allocate(second <= room ? second : 0);
    if (!made.ok() || made.value == 0) return cudaErrorMemoryAllocation;
    return give(made.value, 8);
  }
  if (asked == "Free" && first != 0)
    return context_.machine->free(first) ? cudaErrorInvalidValue : cudaSuccess;
  return cudaSuccess;  // streams and events: everything is done in its order
}

// Where a kernel can read it.
std::uint64_t DeviceLaunches::shown(const char* text) {
  std::uint64_t& address = context_.texts[text];
  if (address == 0) {
    address = context_.machine->allocate(std::strlen(text) + 1).value;
    if (address != 0) std::strcpy(static_cast<char*>(handle(address)), text);
  }
  return address;
}

std::uint64_t DeviceLaunches::buffer(const emulator::DeviceCall& call, cudaError& error) {
  if (call.kernel.empty()) {
    error = cudaErrorInvalidDeviceFunction;
    return 0;
  }
  Function& function = device_function(context_, binary_, call.kernel);
  LaunchShape shape{
      size_at(call, 1), size_at(call, 4), {}, static_cast<std::size_t>(call.arguments[7])};
  KernelWork work;
  if (check_launch(context_, function, shape) != cudaSuccess) {
    error = cudaErrorInvalidConfiguration;  // an H200 says so of whatever it is
    return 0;
  }
  work = {&function, shape, {}};
  work.parameters.resize(parameter_bytes(*function.kernel));
  const auto made = context_.machine->allocate(std::max<std::size_t>(work.parameters.size(), 16));
  if (!made.ok()) {
    error = cudaErrorLaunchOutOfResources;
    return 0;
  }
  memory_.push_back(made.value);
  prepared_[made.value] = std::move(work);
  return made.value;
}

cudaError DeviceLaunches::launch(std::uint64_t buffer, std::uint64_t stream) {
  const auto found = prepared_.find(buffer);
  if (found == prepared_.end()) return cudaErrorInvalidValue;
  DeviceWork work;
  work.kernel = std::move(found->second);
  std::memcpy(work.kernel->parameters.data(), handle(buffer), work.kernel->parameters.size());
  prepared_.erase(found);
  name_private(*work.kernel);
  (stream == kTailLaunch ? at_the_end_ : soon_).push_back(std::move(work));
  return cudaSuccess;
}

}  // namespace lanescope::cudart
