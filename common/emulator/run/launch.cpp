// SPDX-License-Identifier: MIT
// What a launch starts with: the request, the kernel's code, its local and shared memory, who looks
// on.
#include "emulator/run/launch.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/check/collect.hpp"
#include "emulator/decode/fidelity.hpp"
#include "emulator/record/step_recorder.hpp"
#include "emulator/report.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/grid_runner.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::int64_t kStackBytes = 16384;  // for calls, beyond the kernel's own local memory

const CheckPlan* checks_of(const Program& program) {
  if (program.checks == nullptr)
    program.checks = std::make_shared<const CheckPlan>(plan_checks(program));
  return program.checks.get();
}

constexpr int kPointer = -1;  // as Function::callees has it

// What a call takes of a thread's local memory, with what may be left out before it.
std::int64_t frame_bytes(const Function& function) {
  constexpr std::int64_t kEndsAt = 16;  // what its caller's are a multiple of (place.cpp)
  return function.local_bytes + function.local_alignment_bytes - kEndsAt;
}

// What the calls below a function take of a thread's local memory: the most that one leads to; a
// call through a pointer to any function whose address somebody has. Of recursion nobody knows.
std::int64_t bytes_below(const Program& program, int caller, int depth,
                         std::vector<std::int64_t>& known) {
  constexpr std::int64_t kUnknown = -1;
  constexpr int kDeepest = 1000;
  if (depth > kDeepest) return 0;
  std::int64_t& here =
      known[caller == kPointer ? program.functions.size() : static_cast<std::size_t>(caller)];
  if (here != kUnknown) return here;
  here = 0;  // for those that come back to it
  std::int64_t most = 0;
  const auto calls = [&](int callee) {
    const std::int64_t own =
        callee == kPointer ? 0 : frame_bytes(program.functions[static_cast<std::size_t>(callee)]);
    most = std::max(most, own + bytes_below(program, callee, depth + 1, known));
  };
  if (caller != kPointer) {
    for (const int callee : program.functions[static_cast<std::size_t>(caller)].callees)
      calls(callee);
    return here = most;
  }
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (program.functions[f].is_pointed_at) calls(static_cast<int>(f));
  return here = most;
}

}  // namespace

LaunchReport run_launch(const Program& program, const Kernel& kernel, const Memory& memory,
                        const TextureTable& textures, const Options& options,
                        const LaunchRequest& asked, std::shared_ptr<const EarlierLaunch>& last) {
  const std::shared_ptr<const EarlierLaunch> before =
      asked.may_begin_early ? std::move(last) : nullptr;
  last = nullptr;
  LaunchReport report;
  LaunchRequest request = asked;
  if (kernel.required_cluster[0] != 0 && request.cluster == std::array<int, 3>{1, 1, 1})
    request.cluster = kernel.required_cluster;  // <<<>>> does not name it
  request.names_cluster = request.names_cluster || kernel.required_cluster[0] != 0 ||
                          request.cluster != std::array<int, 3>{1, 1, 1};
  report.error = check_request(kernel, options, request);
  if (report.error) return report;
  LaunchState launch;
  launch.program = &program;
  for (const Function& function : program.functions)
    if (function.name == kernel.name) launch.function = &function;
  report.error = launch.function->refusal;
  if (report.error) return report;
  const CheckPlan* checks = request.checks.any() ? checks_of(program) : nullptr;
  launch.code = checks != nullptr ? checks->code.data() : program.code.data();
  launch.memory = &memory;
  launch.textures = &textures;
  launch.request = &request;
  launch.parameters.assign(request.parameters.begin(), request.parameters.end());
  launch.shared_bytes = launch.function->dynamic_shared_offset + request.dynamic_shared_bytes;
  std::vector<std::int64_t> known(program.functions.size() + 1, -1);
  const std::int64_t stack_bytes = std::max(
      request.stack_bytes > 0 ? request.stack_bytes : kStackBytes,
      bytes_below(program, static_cast<int>(launch.function - program.functions.data()), 0, known));
  launch.local_bytes =
      launch.function->local_bytes + (launch.function->needs_stack ? stack_bytes : 0);
  launch.threads = request.block[0] * request.block[1] * request.block[2];
  launch.warps = (launch.threads + kLanes - 1) / kLanes;
  std::optional<StepRecorder> steps;
  if (request.steps != nullptr) steps.emplace(*request.steps, program, launch.warps);
  launch.steps = steps ? &*steps : nullptr;
  std::vector<std::uint64_t> counts(request.counts_instructions ? program.code.size() : 0);
  launch.counts = counts.empty() ? nullptr : counts.data();
  launch.before = before.get();
  const bool in_order = launch.function->is_ordered || request.counts_instructions;
  std::shared_ptr<const GlobalWatch> touched;
  report = run_grid(launch, checks, in_order ? 1 : options.threads, touched);
  if (touched != nullptr)
    last = std::make_shared<const EarlierLaunch>(EarlierLaunch{
        touched, &program, as_written(kernel.name), touched->has_waited ? nullptr : before});
  if (request.counts_instructions) report.executed = executed(program, counts);
  return report;
}

}  // namespace lanescope::emulator
