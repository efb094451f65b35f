// SPDX-License-Identifier: MIT
// What a launch of a kernel takes, and how many of its blocks fit on a multiprocessor.
// Source: CUDA C++ Programming Guide, 5.2.3 (occupancy), and cuda_occupancy.h.
#include "cudart/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "cudart/binary/ask_ptxas.hpp"
#include "cudart/environment.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kParts = 4, kRegistersPerPart = 16384, kRegisterUnit = 256;

/// Registers are given to warps, 256 at a time, and lie in the four parts of a multiprocessor. 0:
/// nobody knows how many the kernel has.
int warps_with_registers(const Function& function) {
  const int registers = registers_of(function);
  if (registers == 0) return 0;
  const int of_warp = (32 * registers + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  return kRegistersPerPart / of_warp * kParts;
}

/// Of a kernel that has no SASS. A driver compiles PTX that names no card of its own kind for the
/// card without one.
int asked_registers(const Function& function) {
  const Binary& binary = *function.binary;
  const Target named = target_of(binary.ptx);
  const Target arch = named.suffix != 0 ? named : Target{context().arch.number, 0};
  const AskedRegisters asked = ask_ptxas(binary.ptx, arch, function.name, binary.ptxas_options);
  static std::set<std::string> said;  // under the context's lock
  if (asked.count == 0 && said.insert(asked.problem).second)
    say(fmt::format("--registers: {}: {}", trace::as_written(function.name), asked.problem));
  return asked.count;
}

}  // namespace

std::array<int, 3> required_cluster(const Function& function) {
  const std::array<int, 3>& asked = function.asked_cluster;
  if (function.kernel->required_cluster[0] != 0 || asked == std::array<int, 3>{0, 0, 0})
    return function.kernel->required_cluster;
  return {std::max(asked[0], 1), std::max(asked[1], 1), std::max(asked[2], 1)};
}

namespace {

/// As a launch may say it: what is too large stays too large.
unsigned times(unsigned count, int factor) {
  return static_cast<unsigned>(
      std::min(std::uint64_t{count} * static_cast<unsigned>(factor), std::uint64_t{~0u}));
}

}  // namespace

void complete_shape(const Function& function, LaunchShape& shape) {
  shape.asked_grid = shape.grid;
  shape.asked_block = shape.block;
  if (const emulator::Kernel& kernel = *function.kernel; kernel.blocks_are_clusters) {
    const auto& each = kernel.required_cluster;
    const auto& block = kernel.required_threads;
    shape.grid = {times(shape.grid.x, each[0]), times(shape.grid.y, each[1]),
                  times(shape.grid.z, each[2])};
    if (volume(shape.block, 1) == 1)
      shape.block = {static_cast<unsigned>(block[0]), static_cast<unsigned>(block[1]),
                     static_cast<unsigned>(block[2])};
  }
  const std::array<int, 3> cluster = required_cluster(function);
  if (shape.names_cluster || cluster[0] == 0) return;
  shape.cluster = {static_cast<unsigned>(cluster[0]), static_cast<unsigned>(cluster[1]),
                   static_cast<unsigned>(cluster[2])};
}

int volume(const dim3& size, int most) {
  std::uint64_t product = 1;
  for (const unsigned extent : {size.x, size.y, size.z})
    product = std::min(product * extent, static_cast<std::uint64_t>(most) + 1);
  return static_cast<int>(product);
}

int threads_of(const dim3& block) { return static_cast<int>(block.x * block.y * block.z); }

int most_cluster_blocks(const Function& function) {
  return function.nonportable_cluster != 0 ? 16 : 8;
}

std::int64_t dynamic_shared_limit(const Function& function) {
  const std::int64_t usual =
      std::max(kSharedBytesPerBlock - function.kernel->static_shared_bytes, 0);
  return std::max(usual, function.dynamic_shared_limit_bytes);  // less can be asked for in vain
}

void keep_for_ptxas(Binary& binary, std::string_view ptx, std::string_view options) {
  if (setting(kRegistersVariable) != "1") return;
  binary.ptx = ptx;
  binary.ptxas_options = options;
}

int registers_of(const Function& function) {
  Binary& binary = *function.binary;
  const auto found = binary.registers.find(function.name);
  if (found != binary.registers.end()) return found->second;
  return binary.ptx.empty() ? 0 : binary.registers[function.name] = asked_registers(function);
}

int most_threads(const Function& function) {
  const int warps = warps_with_registers(function);
  const int most = function.kernel->max_threads_per_block;
  return warps == 0 ? most : std::min(most, 32 * warps);
}

int shared_bytes_for(const Context& context, const Function& function, int block_bytes) {
  constexpr int kPercent[] = {-1, 100, 0, 50};  // of cudaFuncCache
  int percent = function.carveout;
  if (percent < 0)
    percent = kPercent[function.cache_config != 0 ? function.cache_config : context.cache_config];
  return shared_bytes_of_multiprocessor(*context.card, percent, block_bytes);
}

int blocks_per_multiprocessor(const Context& context, const Function& function, int block_threads,
                              std::size_t dynamic_shared_bytes) {
  const Card& card = *context.card;
  // A card does not look at __launch_bounds__ here, only at registers.
  if (block_threads < 1 || block_threads > kMaxThreadsPerBlock) return 0;
  // Whole warps are allocated.
  const int warp_threads = (block_threads + 31) / 32 * 32;
  if (dynamic_shared_bytes > static_cast<std::uint64_t>(dynamic_shared_limit(function))) return 0;
  const int by_threads = card.threads_per_multiprocessor / warp_threads;
  int by_registers = card.blocks_per_multiprocessor;
  if (const int warps = warps_with_registers(function); warps > 0)
    by_registers = warps * 32 / warp_threads;
  const int wanted = function.kernel->static_shared_bytes + static_cast<int>(dynamic_shared_bytes) +
                     card.reserved_shared_bytes();
  const int given = (wanted + kSharedUnit - 1) / kSharedUnit * kSharedUnit;
  int by_shared = card.blocks_per_multiprocessor;
  if (given > 0) by_shared = shared_bytes_for(context, function, given) / given;
  return std::min({by_threads, by_registers, by_shared, card.blocks_per_multiprocessor});
}

std::int64_t resident_blocks(const Context& context, const Function& function,
                             const LaunchShape& shape) {
  return std::int64_t{context.card->multiprocessors} *
         blocks_per_multiprocessor(context, function, threads_of(shape.block),
                                   shape.dynamic_shared_bytes);
}

}  // namespace lanescope::cudart
