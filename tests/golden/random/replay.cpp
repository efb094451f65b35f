// SPDX-License-Identifier: MIT
#include "replay.hpp"

#include <array>
#include <cstring>

#include "tests/golden/scalar/operands.hpp"

namespace lanescope::golden::random {

Replay::Replay(emulator::Options options) : machine_(options) {
  constexpr std::uint64_t kThreads = kMaxThreads * kMaxBlocks;
  out_ = machine_.allocate(kThreads * kWordsOut * 8).value;
  own_ = machine_.allocate(kThreads * kOwnBytes).value;
  cells_ = machine_.allocate(kMaxBlocks * kCellBytes).value;
  const std::vector<std::uint64_t> words = input_words();
  in_ = machine_.allocate(words.size() * 8).value;
  std::memcpy(reinterpret_cast<void*>(in_), words.data(), words.size() * 8);
}

Outcome Replay::run(const Program& program, const std::set<int>& without, bool checked,
                    std::uint64_t seed) {
  Outcome outcome;
  const auto module = machine_.load(module_head() + print(program, without), program.name);
  if (!module.ok()) return outcome.problem = module.error.message, outcome;
  std::array<std::byte, 32 + 64> parameters{};
  const std::array<std::uint64_t, 4> pointers = {out_, own_, cells_, in_};
  std::memcpy(parameters.data(), pointers.data(), 32);
  for (int n = 0; n < 64; ++n)
    parameters[static_cast<std::size_t>(32 + n)] = static_cast<std::byte>(scalar::blob_byte(n));
  const std::size_t words = static_cast<std::size_t>(program.threads * program.blocks) * kWordsOut;
  std::memset(reinterpret_cast<void*>(out_), 0, words * 8);
  emulator::LaunchRequest request;
  request.kernel = machine_.find_kernel(module.value, program.name);
  request.grid = {program.blocks, 1, 1};
  if (program.is_cluster) request.cluster = {2, 1, 1};
  request.block = {program.threads, 1, 1};
  request.parameters = parameters;
  request.instruction_limit = 5000000;
  request.checks.races = checked;
  request.seed = seed;
  const emulator::LaunchReport report = machine_.launch(request);
  outcome.problem = report.error.message;
  for (const emulator::CheckReport& found : report.reports)
    outcome.findings.push_back(found.diagnostic.message);
  outcome.warp_instructions = report.warp_instructions;
  scalar::Hash hash;
  for (std::size_t n = 0; n < words; ++n) hash.add(this->words()[n]);
  outcome.hash = hash.value;
  machine_.unload(module.value);
  return outcome;
}

}  // namespace lanescope::golden::random
