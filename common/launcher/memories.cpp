// SPDX-License-Identifier: MIT
#include "launcher/memories.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/driver.hpp"
#include "launcher/stop.hpp"

namespace lanescope::launcher {
namespace {

void encode_map(const Argument& argument, Memory& memory, std::size_t number) {
  std::vector<std::uint64_t> size(argument.shape.rbegin(), argument.shape.rend()), strides;
  std::vector<std::uint32_t> box(argument.box.rbegin(), argument.box.rend());
  const std::vector<std::uint32_t> steps(size.size(), 1);
  std::uint64_t bytes = static_cast<std::uint64_t>(argument.element->bytes);
  for (const std::uint64_t count : size) strides.push_back(bytes *= count);
  if (cuTensorMapEncodeTiled(memory.map.data(), argument.element->map_type,
                             static_cast<std::uint32_t>(size.size()),
                             reinterpret_cast<void*>(memory.address), size.data(), strides.data(),
                             box.data(), steps.data(), 0, argument.swizzle, 2, 0) != 0)
    stop(kWrongUsage,
         fmt::format("parameter {}, '{}': the driver takes no such tensor map; rows of whole 16 "
                     "bytes, at most 256 elements of a box in each dimension, and no more bytes of "
                     "its rows than the swizzle has",
                     number, argument.word));
}

std::string row_of(const Argument& argument, const std::vector<std::byte>& bytes,
                   std::uint64_t begin, std::uint64_t count) {
  std::string row;
  const auto size = static_cast<std::size_t>(argument.element->bytes);
  for (std::uint64_t k = begin; k < begin + count; ++k)
    row += (row.empty() ? "" : " ") +
           text_of(*argument.element, load(*argument.element, bytes.data() + k * size));
  return row;
}

}  // namespace

void must(int error, const std::string& what, int code, bool is_told) {
  if (error == 0) return;
  const char* text = nullptr;
  cuGetErrorString(error, &text);
  stop(code, fmt::format("{}: {}", what, text == nullptr ? "unknown error" : text), is_told);
}

std::uint64_t bits_of(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::byte byte : bytes)
    hash = (hash ^ std::to_integer<unsigned>(byte)) * 1099511628211u;
  return hash;
}

std::vector<Memory> make_memories(const Wanted& wanted) {
  std::vector<Memory> all(wanted.arguments.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Argument& argument = wanted.arguments[i];
    if (argument.kind == Argument::Kind::number) continue;
    Memory& memory = all[i];
    const std::string what = fmt::format("parameter {}, '{}'", i, argument.word);
    must(cuMemAlloc_v2(&memory.address, static_cast<std::size_t>(argument.bytes())), what,
         kWrongUsage);
    if (const std::string why = fill(argument, static_cast<int>(i), memory.before); !why.empty())
      stop(kWrongUsage, fmt::format("parameter {}: {}", i, why));
    must(cuMemcpyHtoD_v2(memory.address, memory.before.data(), memory.before.size()), what);
    if (argument.kind == Argument::Kind::tensor_map) encode_map(argument, memory, i);
  }
  return all;
}

void show(const Wanted& wanted, std::vector<Memory>& memories) {
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const Argument& argument = wanted.arguments[i];
    Memory& memory = memories[i];
    if (argument.kind == Argument::Kind::number) continue;
    memory.after.resize(memory.before.size());
    must(cuMemcpyDtoH_v2(memory.after.data(), memory.address, memory.after.size()), argument.word);
    if (memory.after == memory.before) {
      fmt::print("parameter {}, {}: unchanged\n", i, argument.word);
      continue;
    }
    const std::uint64_t count = argument.count();
    const std::uint64_t cols = argument.shape.back();
    fmt::print("parameter {}, {}: changed, bits {:016x}", i, argument.word, bits_of(memory.after));
    if (!wanted.prints) {
      constexpr std::uint64_t kFew = 6;
      fmt::print(", begins {}{}\n", row_of(argument, memory.after, 0, std::min(count, kFew)),
                 count > kFew ? " ..." : "");
      continue;
    }
    fmt::print("\n");
    for (std::uint64_t at = 0; at < count; at += cols)
      fmt::print("  {}\n", row_of(argument, memory.after, at, cols));
  }
}

}  // namespace lanescope::launcher
