// SPDX-License-Identifier: MIT
#include "cudart/tracing.hpp"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cudart/context.hpp"
#include "cudart/environment.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cudart {
namespace {

// That a launch lists: as many as a reader takes (trace/reader.hpp).
constexpr std::size_t kMostAllocations = 4096, kMostParameters = 4096;

// The names of a kernel's parameters, where they do not all say themselves which they are, as
// nvcc's do: gemm_param_0.
std::vector<std::string> parameter_names(const emulator::Kernel& kernel) {
  std::vector<std::string> names;
  bool say_which = true;
  for (const emulator::Kernel::Parameter& parameter : kernel.parameters) {
    say_which = say_which && parameter.name.ends_with(fmt::format("_param_{}", names.size()));
    names.push_back(parameter.name);
  }
  if (say_which || names.size() > kMostParameters) names.clear();
  return names;
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string line{std::istreambuf_iterator<char>(file), {}};
  while (!line.empty() && line.back() == '\0') line.pop_back();
  std::replace(line.begin(), line.end(), '\0', ' ');
  return line;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

bool in_grid(const std::array<int, 3>& block, const std::array<int, 3>& grid) {
  return block[0] < grid[0] && block[1] < grid[1] && block[2] < grid[2];
}

}  // namespace

Tracing::Tracing(const std::string& arch) {
  const std::string path = setting(kTraceVariable);
  if (!path.empty())
    writer_ = std::make_unique<trace::Writer>(
        path, trace::Header{trace::kVersion, "emulator", "Lanescope emulator", arch,
                            program_invocation_short_name, command_line()});
  const char* steps = std::getenv(kStepsVariable);
  if (steps != nullptr && writer_) {
    const std::string why = read_selection(steps, selection_);
    if (!why.empty()) say(why);
    records_steps_ = why.empty();
  }
  shows_fidelity_ = setting(kFidelityVariable) == "1";
  seed_ = std::strtoull(setting(kSeedVariable).c_str(), nullptr, 10);
}

void Tracing::take(void* context, const trace::Event& event) {
  auto& self = *static_cast<Tracing*>(context);
  if (!self.full_) self.full_ = !self.writer_->add(event);
}

void Tracing::record(const emulator::LaunchRequest& request) {
  recorded_ = true;
  if (setting(kWhereVariable) == "1")
    say(fmt::format("the steps go to {0}; look at them: lanescope view {0}",
                    setting(kTraceVariable)));
  const std::array<int, 3>& block = selection_.block;
  if (!in_grid(block, request.grid))
    say(fmt::format(
        "--steps: there is no block {},{},{} in the grid of {} x {} x {}; no steps are "
        "recorded",
        block[0], block[1], block[2], request.grid[0], request.grid[1], request.grid[2]));
  const int warps = (request.block[0] * request.block[1] * request.block[2] + 31) / 32;
  if (selection_.warp >= warps)
    say(fmt::format("--steps: there is no warp {} in a block of {}; no steps are recorded",
                    selection_.warp, warps));
  steps_.block = block;
  steps_.warp = selection_.warp;
  steps_.from = selection_.from;
  steps_.count = selection_.count;
  steps_.launch = launches_;
  steps_.context = this;
  steps_.event = &Tracing::take;
}

void Tracing::begin(const std::string& kernel, const emulator::Machine& machine,
                    emulator::LaunchRequest& request) {
  request.seed = seed_;
  request.counts_instructions = shows_fidelity_;
  kernels_.insert(kernel);
  const bool selected = records_steps_ && !recorded_ &&
                        selects(selection_, kernel, request.kernel->multiplies, launches_);
  if (writer_) {
    trace::Launch launch{
        launches_, kernel, request.grid, request.block, request.dynamic_shared_bytes, {}, {}};
    if (selected) {
      launch.allocations = machine.oldest_allocations(kMostAllocations);
      launch.parameters = parameter_names(*request.kernel);
    }
    writer_->add(launch);
  }
  if (!selected) return;
  record(request);
  should_multiply_ = request.kernel->multiplies;
  request.steps = &steps_;
}

/// A kernel that multiplies, recorded where it does not: in kernels that give out work as it comes
/// (stream-K), and small problems, that may be a block in the middle of the grid.
void Tracing::look_for_products(const emulator::LaunchReport& report) {
  if (report.error) return;
  if (!report.multiplying)
    return say("--steps: no block of this launch has come to its mma; their steps are recorded");
  const auto in_order = [](std::array<int, 3> block) {
    std::reverse(block.begin(), block.end());
    return block;
  };
  const std::array<int, 3>&first = *report.multiplying, &chosen = steps_.block;
  if (in_order(first) <= in_order(chosen)) return;
  say(
      fmt::format("--steps: block {},{},{} has multiplied nothing; the first that has is "
                  "block={},{},{}",
                  chosen[0], chosen[1], chosen[2], first[0], first[1], first[2]));
}

void Tracing::end(const emulator::LaunchReport& report) {
  if (std::exchange(should_multiply_, false)) look_for_products(report);
  for (const emulator::Executed& one : report.executed) {
    emulator::Executed& sum = executed_[one.instruction];
    const std::uint64_t before = sum.warp_instructions;
    sum = one;
    sum.warp_instructions += before;
  }
  if (writer_ && report.error && report.reports.empty()) {  // else it is one of them
    trace::Diagnostic diagnostic = report.error.diagnostic;
    diagnostic.place.launch = launches_;
    if (diagnostic.kind.empty()) diagnostic.kind = "launch-failed";
    writer_->add(diagnostic);
  }
  // What --check reports, each once: a kernel that is launched often makes its mistake often.
  for (const emulator::CheckReport& found : report.reports) {
    trace::Diagnostic said = found.diagnostic;
    said.place.launch = launches_;
    const bool is_new = reported_.emplace(said.kind, said.source.file, said.ptx_line).second;
    if (writer_ && is_new) writer_->add(said);
  }
  ++launches_;
  if (!writer_) return;
  if (full_ && records_steps_) {
    trace::Diagnostic full;
    full.place = {launches_ - 1, selection_.block, 0};
    full.kind = "trace-full";
    full.message = "The trace is 1 GiB of text long: the steps after that are missing.";
    writer_->add(full);
    say("--steps: the trace is full, 1 GiB of text; choose fewer steps with warp=, from= and "
        "count=");
    records_steps_ = false;
  }
  write();
}

void Tracing::write() {
  const auto problem = writer_->finish();
  if (!problem) return;
  say(fmt::format("--trace: {}; make room there or name another file, and run it again", *problem));
  writer_.reset();
  records_steps_ = false;
  lost_ = true;
}

void Tracing::counted_without_registers(const std::string& kernel) {
  without_registers_.insert(kernel);
}

void Tracing::refused(const std::string& why) { refused_.insert(why); }

void Tracing::print_fidelity() const {
  std::vector<emulator::Executed> list;
  for (const auto& entry : executed_) list.push_back(entry.second);
  // What is not exact first; then what was executed most.
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    if (a.fidelity != b.fidelity) return a.fidelity > b.fidelity;
    if (a.warp_instructions != b.warp_instructions)
      return a.warp_instructions > b.warp_instructions;
    return a.instruction < b.instruction;
  });
  std::string text = fmt::format("{:<11}  {:>16}  instruction\n", "fidelity", "warp instructions");
  for (const std::string& why : refused_)
    text += fmt::format("{:<11}  {:>16}  {}\n", "unsupported", "", why);
  for (const std::string& kernel : without_registers_)
    text += fmt::format(
        "{:<11}  {:>16}  how many blocks of {} fit: PTX does not say how many registers it has; "
        "--registers asks ptxas\n",
        "approximate", "", trace::as_written(kernel));
  for (const emulator::Executed& one : list)
    text +=
        fmt::format("{:<11}  {:>16}  {}{}{}\n", emulator::name(one.fidelity), one.warp_instructions,
                    one.instruction, one.note.empty() ? "" : ": ", one.note);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Tracing::finish() {
  if (writer_) write();
  // A program that ran no kernel at all has said why.
  if (records_steps_ && !recorded_ && !kernels_.empty()) {
    std::set<std::string> names;
    for (const std::string& kernel : kernels_) names.insert(trace::as_written(kernel));
    say(fmt::format("--steps {}: no launch is selected; kernels that ran: {}", words_of(selection_),
                    joined(names)));
  }
  if (shows_fidelity_) print_fidelity();
}

}  // namespace lanescope::cudart
