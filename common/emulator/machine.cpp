// SPDX-License-Identifier: MIT
#include "emulator/machine.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "emulator/device_heap.hpp"
#include "emulator/memory.hpp"
#include "emulator/module.hpp"
#include "emulator/report.hpp"
#include "emulator/run/launch.hpp"
#include "emulator/texture/texture.hpp"

namespace lanescope::emulator {

struct Machine::State {
  Options options;
  Memory memory;
  TextureTable textures;
  std::map<ModuleId, std::unique_ptr<LoadedModule>> modules;
  std::unordered_map<const Kernel*, LoadedModule*> module_of;  // thousands, asked at every launch
  ModuleId next_module = 1;
  std::shared_ptr<const EarlierLaunch> last;  // if it was checked: until memory or code goes
};

Machine::Machine(Options options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
}
Machine::~Machine() = default;

const Options& Machine::options() const { return state_->options; }

Result<std::uint64_t> Machine::allocate(std::uint64_t bytes) {
  return state_->memory.allocate(bytes, state_->options.memory_bytes);
}
Error Machine::free(std::uint64_t address) {
  state_->last = nullptr;
  return state_->memory.free(address);
}
Error Machine::adopt(std::uint64_t address, std::uint64_t bytes) {
  return state_->memory.adopt(address, bytes);
}
Error Machine::disown(std::uint64_t address) {
  state_->last = nullptr;
  return state_->memory.disown(address);
}
TextureTable& Machine::textures() { return state_->textures; }
std::uint64_t Machine::allocated_bytes() const { return state_->memory.allocated_bytes(); }
std::vector<trace::Allocation> Machine::oldest_allocations(std::size_t most) const {
  return state_->memory.oldest(most);
}

Result<ModuleId> Machine::load(std::string_view ptx, std::string_view name,
                               std::string_view ptxas_options, Reading reading) {
  Result<ModuleId> result;
  auto loaded = std::make_unique<LoadedModule>();
  result.error =
      load_module(ptx, name, ptxas_options, reading, state_->options, state_->memory, *loaded);
  if (!result.ok()) return result;
  result.value = state_->next_module++;
  for (const auto& [kernel_name, kernel] : loaded->kernels)
    state_->module_of[&kernel] = loaded.get();
  state_->modules[result.value] = std::move(loaded);
  return result;
}

Error Machine::unload(ModuleId module) {
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end())
    return plain_error(ErrorCode::invalid_value, fmt::format("there is no module {}", module));
  state_->last = nullptr;
  for (const std::uint64_t address : found->second->owned) state_->memory.free(address);
  if (const auto& heap = found->second->program.heap; heap != nullptr)
    state_->memory.free(heap->begin());
  for (const auto& [name, kernel] : found->second->kernels) state_->module_of.erase(&kernel);
  state_->modules.erase(found);
  return {};
}

const Kernel* Machine::find_kernel(ModuleId module, std::string_view name) const {
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end()) return nullptr;
  return kernel_of(*found->second, name, state_->options, state_->memory);
}

std::vector<std::string> Machine::kernel_names(ModuleId module) const {
  std::vector<std::string> names;
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end()) return names;
  for (const auto& [name, kernel] : found->second->kernels) names.push_back(name);
  return names;
}

std::map<std::string, Machine::Variable, std::less<>> Machine::variables(ModuleId module) const {
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end()) return {};
  return found->second->variables;
}

Result<Machine::Variable> Machine::find_variable(ModuleId module, std::string_view name) const {
  Result<Variable> result;
  const auto found = state_->modules.find(module);
  if (found != state_->modules.end()) {
    const auto variable = found->second->variables.find(name);
    if (variable != found->second->variables.end()) {
      result.value = variable->second;
      return result;
    }
  }
  result.error =
      plain_error(ErrorCode::invalid_value, fmt::format("there is no variable {}", name));
  return result;
}

bool Machine::forget_heaps() {
  for (const auto& [id, module] : state_->modules)
    if (module->program.heap != nullptr && module->program.heap->was_used()) return false;
  for (const auto& [id, module] : state_->modules) {
    if (module->program.heap == nullptr) continue;
    state_->memory.free(module->program.heap->begin());
    module->program.heap = nullptr;
  }
  return true;
}

LaunchReport Machine::launch(const LaunchRequest& request) {
  LaunchReport report;
  const auto found = state_->module_of.find(request.kernel);
  if (found == state_->module_of.end()) {
    report.error = plain_error(ErrorCode::invalid_value, "the kernel is of no loaded module");
    return report;
  }
  LoadedModule& module = *found->second;
  if (module.program.has_heap && module.program.heap == nullptr)
    report.error =
        make_heap(request.heap_bytes != 0 ? request.heap_bytes : state_->options.heap_bytes,
                  state_->options, state_->memory, module);
  if (report.error) return report;
  return run_launch(module.program, *request.kernel, state_->memory, state_->textures,
                    state_->options, request, state_->last);
}

}  // namespace lanescope::emulator
