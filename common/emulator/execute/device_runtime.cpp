// SPDX-License-Identifier: MIT
// See device_runtime.hpp: carries the calls of lanes to the runtime, and its answers back.
#include "emulator/device_runtime.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/execute/generic_bytes.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/machine.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::string_view kPrefix = "__cudaCDP2";
constexpr std::uint64_t kNotSupported = 801;  // cudaErrorNotSupported

constexpr std::array kFunctions{
    RuntimeFunction{"GetParameterBufferV2", "pddi", 8},
    RuntimeFunction{"LaunchDeviceV2", "pp"},
    RuntimeFunction{"StreamCreateWithFlags", "oi"},
    RuntimeFunction{"StreamDestroy", "p"},
    RuntimeFunction{"StreamWaitEvent", "ppi"},
    RuntimeFunction{"EventCreateWithFlags", "oi"},
    RuntimeFunction{"EventRecord", "pp"},
    RuntimeFunction{"EventRecordWithFlags", "ppi"},
    RuntimeFunction{"EventDestroy", "p"},
    RuntimeFunction{"GetLastError", ""},
    RuntimeFunction{"PeekAtLastError", ""},
    RuntimeFunction{"GetErrorString", "i", 8},
    RuntimeFunction{"GetErrorName", "i", 8},
    RuntimeFunction{"GetDevice", "o"},
    RuntimeFunction{"GetDeviceCount", "o"},
    RuntimeFunction{"DeviceGetAttribute", "oii"},
    RuntimeFunction{"DeviceGetLimit", "oi"},
    RuntimeFunction{"RuntimeGetVersion", "o"},
    RuntimeFunction{"MemcpyAsync", "pppip"},
    RuntimeFunction{"MemsetAsync", "pipp"},
    RuntimeFunction{"Malloc", "op"},
    RuntimeFunction{"Free", "p"},
};

std::uint64_t thread_number(const Warp& w, int lane) {
  const auto threads = static_cast<std::uint64_t>(w.cta->launch->threads);
  return w.cta->number * threads + static_cast<std::uint64_t>(w.index * kLanes + lane);
}

/// Reads what the lane passes; `where` is the address that an answer goes to.
DeviceCall read_call(const Warp& w, const Instruction& i, int lane, std::uint64_t& where) {
  const Program& program = *w.cta->launch->program;
  const RuntimeFunction& function = kFunctions[i.target];
  DeviceCall call{function.name, {}, {}, thread_number(w, lane)};
  const std::byte* own = w.frame->parameters.data() + lane * w.frame->function->parameter_bytes;
  std::size_t next = 0;
  for (std::size_t k = 0; k < function.arguments.size(); ++k) {
    const char letter = function.arguments[k];
    const std::size_t bytes = letter == 'i' || letter == 'd' ? 4 : 8;
    for (std::size_t part = 0; part < (letter == 'd' ? 3 : 1); ++part)
      std::memcpy(&call.arguments[next++], own + program.rows[i.list + k] + 4 * part, bytes);
    if (letter == 'o') where = call.arguments[next - 1];
  }
  const int pointed = program.function_of_address(call.arguments[0]);
  if (pointed >= 0) call.kernel = program.functions[static_cast<std::size_t>(pointed)].name;
  return call;
}

}  // namespace

std::span<const RuntimeFunction> runtime_functions() { return kFunctions; }

int find_runtime_function(std::string_view name) {
  if (name.substr(0, kPrefix.size()) != kPrefix) return -1;
  name.remove_prefix(kPrefix.size());
  constexpr std::string_view kPerThread = "_ptsz";  // of --default-stream per-thread
  if (name.size() > kPerThread.size() && name.substr(name.size() - kPerThread.size()) == kPerThread)
    name.remove_suffix(kPerThread.size());
  const auto* found =
      std::find_if(kFunctions.begin(), kFunctions.end(),
                   [&](const RuntimeFunction& known) { return known.name == name; });
  return found == kFunctions.end() ? -1 : static_cast<int>(found - kFunctions.begin());
}

Flow run_runtime_call(Warp& w, const Instruction& i, std::uint32_t active) {
  const DeviceRuntime* runtime = w.cta->launch->request->device;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    std::uint64_t where = 0;
    const DeviceCall call = read_call(w, i, lane, where);
    const DeviceAnswer answer =
        runtime != nullptr ? runtime->answer(runtime->context, call) : DeviceAnswer{kNotSupported};
    if (answer.value_bytes != 0 &&
        !write_generic(w, lane, where, &answer.value, static_cast<std::size_t>(answer.value_bytes)))
      return Flow::fault;
    if (i.immediate >= 0)
      std::memcpy(
          w.frame->parameters.data() + lane * w.frame->function->parameter_bytes + i.immediate,
          &answer.result, static_cast<std::size_t>(kFunctions[i.target].result_bytes));
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
