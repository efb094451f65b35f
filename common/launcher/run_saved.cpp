// SPDX-License-Identifier: MIT
#include "launcher/run_saved.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "launcher/driver.hpp"
#include "launcher/memories.hpp"
#include "launcher/saved_launch.hpp"
#include "launcher/start.hpp"
#include "launcher/stop.hpp"

namespace lanescope::launcher {
namespace {

SavedLaunch read(const std::string& ptx, const std::string& file) {
  const auto beside = std::filesystem::path(file).replace_extension(".memory");
  std::ifstream in(beside, std::ios::binary);
  if (!in)
    stop(kWrongUsage, fmt::format("cannot read {}, which was saved with {}: the memory that the "
                                  "launch reads; put it beside",
                                  beside.string(), file));
  const std::string memory{std::istreambuf_iterator<char>(in), {}};
  SavedLaunch launch;
  if (const std::string why = read_saved_launch(ptx, memory, launch); !why.empty())
    stop(kWrongUsage, fmt::format("{}: {}; save the launch once more", file, why));
  return launch;
}

void place(SavedMemory& memory, void* module) {
  if (memory.variable.empty()) {
    must(cuMemAlloc_v2(&memory.now, memory.bytes.size()),
         fmt::format("{} bytes of memory", memory.bytes.size()), kWrongUsage);
    return;
  }
  std::size_t bytes = 0;
  must(cuModuleGetGlobal_v2(&memory.now, &bytes, module, memory.variable.c_str()),
       fmt::format("the variable {}", memory.variable), kWrongUsage);
  if (bytes != memory.bytes.size())
    stop(kWrongUsage, fmt::format("the variable {} has {} bytes, {} were saved", memory.variable,
                                  bytes, memory.bytes.size()));
}

std::vector<void*> parameters_of(void* function, SavedLaunch& launch) {
  std::vector<void*> parameters;
  std::size_t offset = 0, bytes = 0, end = 0;
  while (parameters.size() < 4096 &&
         cuFuncGetParamInfo(function, parameters.size(), &offset, &bytes) == 0) {
    end = offset + bytes;
    if (end > launch.parameters.size()) break;
    parameters.push_back(launch.parameters.data() + offset);
  }
  if (end != launch.parameters.size())
    stop(kWrongUsage,
         fmt::format("the kernel's parameters are not the {} bytes that were saved: was its .entry "
                     "changed?",
                     launch.parameters.size()));
  return parameters;
}

// Whether it has changed, and then a line.
bool show(const SavedLaunch& launch, std::size_t index, std::vector<std::byte>& after) {
  const SavedMemory& memory = launch.memories[index];
  move_addresses(launch, after, true);
  if (after == memory.bytes) return false;
  const auto first = std::mismatch(after.begin(), after.end(), memory.bytes.begin()).first;
  const auto last = std::mismatch(after.rbegin(), after.rend(), memory.bytes.rbegin()).first;
  fmt::print("{} of {} bytes: changed from byte {} to {}, bits {:016x}\n",
             memory.variable.empty()
                 ? fmt::format("memory {}", index)
                 : fmt::format("memory {}, variable {}", index, memory.variable),
             after.size(), first - after.begin(), last.base() - after.begin() - 1, bits_of(after));
  return true;
}

}  // namespace

void run_saved(void* module, void* function, const std::string& ptx, const Wanted& wanted) {
  SavedLaunch launch = read(ptx, wanted.file);
  for (SavedMemory& memory : launch.memories) place(memory, module);
  for (const SavedMemory& memory : launch.memories) {
    std::vector<std::byte> moved = memory.bytes;
    move_addresses(launch, moved);
    must(cuMemcpyHtoD_v2(memory.now, moved.data(), moved.size()), wanted.file);
  }
  move_addresses(launch, launch.parameters);
  start(function, {launch.grid, launch.block, launch.cluster, launch.shared_bytes},
        parameters_of(function, launch), wanted.file);
  bool is_changed = false;
  for (std::size_t i = 0; i < launch.memories.size(); ++i) {
    std::vector<std::byte> after(launch.memories[i].bytes.size());
    must(cuMemcpyDtoH_v2(after.data(), launch.memories[i].now, after.size()), wanted.file);
    is_changed = show(launch, i, after) || is_changed;
  }
  if (!is_changed) fmt::print("no memory has changed\n");
}

}  // namespace lanescope::launcher
