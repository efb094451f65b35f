// SPDX-License-Identifier: MIT
// See context.hpp.
#include "cudart/context.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "cudart/environment.hpp"
#include "cudart/graph/capture_rules.hpp"
#include "cudart/shown.hpp"

namespace lanescope::cudart {

namespace {

constexpr unsigned kMostThreads = 256;

/// A whole number from the environment; `otherwise` when it is not there or not one in range.
std::uint64_t number_from(const char* variable, std::uint64_t otherwise, std::uint64_t most) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return otherwise;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end != 0 || text[0] == '-' || value < 1 || value > most) {
    say(fmt::format("{}={} is not a number from 1 to {}; using {}", variable, text, most,
                    otherwise));
    return otherwise;
  }
  return value;
}

}  // namespace

void say(const std::string& text) {
  const std::string line = from_here("lanescope: " + text + "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);  // one write: lines of threads do not mix
}

namespace {
thread_local const char* answered = nullptr;
}

Answering::Answering(const char* function) : is_outermost_(answered == nullptr) {
  if (is_outermost_) answered = function;
}

Answering::~Answering() {
  if (is_outermost_) answered = nullptr;
}

cudaError refuse(const Context&, cudaError error, const std::string& why) {
  std::string_view name = answered == nullptr ? "" : answered;
  name = name.substr(0, name.find("_v"));  // cuMemAlloc_v2 is cuMemAlloc in cuda.h
  say(fmt::format("{}: {}", name, why));
  last_refusal() = why;
  return error;
}

std::string& last_refusal() {
  thread_local std::string text;
  return text;
}

cudaError& last_error() {
  thread_local cudaError error = cudaSuccess;
  return error;
}

namespace {
std::atomic<Context*> the_context{nullptr};
}

Context& context() {
  static Context* const the_one = the_context = new Context;  // never destroyed, see context.hpp
  return *the_one;
}

const Context* context_if_used() { return the_context; }

Context::Context() {
  const char* asked = std::getenv(kArchVariable);
  const std::string name = asked && *asked ? asked : kDefaultArch;
  arch = parse_target(name);
  card = find_card(arch);
  if (!card) {
    say(fmt::format("{}={} is no architecture of the emulator; use one of {}", kArchVariable, name,
                    known_archs()));
    return;
  }
  emulator::Options options;
  options.arch = to_string(arch);
  const std::uint64_t cores = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
  options.threads = static_cast<int>(number_from(kThreadsVariable, cores, kMostThreads));
  options.memory_bytes = number_from(kMemoryVariable, options.memory_bytes >> 20, 1 << 24) << 20;
  machine = std::make_unique<emulator::Machine>(options);
  checking = std::make_unique<Checking>();
  tracing = std::make_unique<Tracing>(options.arch);
  saving = std::make_unique<Saving>();
  static constexpr auto kFinish = [](int status, void*) {
    cudart::context().exit_status = status;
    cudart::context().tracing->finish();
    cudart::context().saving->finish();
  };
#ifdef __EMSCRIPTEN__
  std::atexit([] { kFinish(0, nullptr); });  // which is told no status
#else
  on_exit(kFinish, nullptr);
#endif
}

namespace {

// The very end of the process: the program's own exit handlers and destructors have run. What the
// checker has found is the program's failure, and a program that has failed has its own code; but
// a trace that is not there must not look like success.
__attribute__((destructor)) void leave() {
  const Context* used = context_if_used();
  if (used == nullptr || !used->card) return;
  if (used->checking->is_on()) used->checking->finish();
  const bool lost = (used->tracing->is_lost() || used->saving->is_lost()) && used->exit_status == 0;
  const int status = used->checking->found_any() ? 1 : lost ? 2 : 0;
  if (status == 0) return;
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

cudaError Context::enter() {
  if (!card) return cudaErrorNoDevice;
  if (find_context_for(answered)) has_primary = true;
  if (fault == cudaSuccess) fault = pending;
  if (fault != cudaSuccess || graphs.captures.empty() || answered == nullptr) return fault;
  return forbid_while_captured(*this, answered);
}

cudaError Context::settle() {
  last_kernel_in.reset();
  flush_printed();
  for (auto& [number, pool] : pools) pool.trim(pool.threshold_bytes);
  return launched();
}

void Context::flush_printed() {
  if (printed.empty()) return;
  std::fwrite(printed.data(), 1, printed.size(), stdout);
  std::fflush(stdout);
  printed.clear();
}

Function* Context::find_function(const void* stub_or_handle) {
  if (const auto found = functions.find(stub_or_handle); found != functions.end())
    return found->second.get();
  const auto found = function_handles.find(reinterpret_cast<std::uintptr_t>(stub_or_handle));
  return found == function_handles.end() ? nullptr : found->second;
}

const void* Context::stub_of(const void* stub_or_handle) {
  const Function* function = find_function(stub_or_handle);
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const auto& known) {
    return known.second.get() == function;
  });
  return found == functions.end() ? stub_or_handle : found->first;
}

Binary* Context::find_binary(const void* handle) {
  const auto found = std::find_if(binaries.begin(), binaries.end(),
                                  [&](const auto& binary) { return binary.get() == handle; });
  return found == binaries.end() ? nullptr : found->get();
}

Symbol* Context::find_symbol(const void* named) {
  if (const auto found = symbols.find(named); found != symbols.end()) return &found->second;
  for (auto& [shadow, symbol] : symbols)
    if (symbol.managed_pointer && *symbol.managed_pointer == named && named) return &symbol;
  return nullptr;
}

bool Context::is_stream(cudaStream_t stream) const {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  constexpr std::uintptr_t kPerThread = 2;  // 0 default, 1 cudaStreamLegacy, 2 cudaStreamPerThread
  return handle <= kPerThread || streams.count(handle) != 0;
}

}  // namespace lanescope::cudart
