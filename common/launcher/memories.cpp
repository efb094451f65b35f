// SPDX-License-Identifier: MIT
#include "launcher/memories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "launcher/driver.hpp"
#include "launcher/stop.hpp"

namespace lanescope::launcher {
namespace {

void encode_map(Memory& memory) {
  const Argument& argument = *memory.argument;
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
         fmt::format("{}, '{}': the driver takes no such tensor map; rows of whole 16 "
                     "bytes, at most 256 elements of a box in each dimension, and no more bytes of "
                     "its rows than the swizzle has",
                     memory.name, argument.word));
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

// parameter_2.bin in a folder.
std::string file_of(const Memory& memory, const std::string& folder) {
  std::string name = memory.name + ".bin";
  std::replace(name.begin(), name.end(), ' ', '_');
  return std::filesystem::path(folder) / name;
}

// [3][5] for the element so many places behind the first.
std::string place_of(const Argument& argument, std::uint64_t at) {
  std::string place;
  for (auto size = argument.shape.rbegin(); size != argument.shape.rend(); at /= *size++)
    place = fmt::format("[{}]{}", at % *size, place);
  return place;
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
  std::vector<Memory> all;
  for (std::size_t i = 0; i < wanted.parameters.size(); ++i)
    for (const Argument& argument : wanted.parameters[i].members) {
      Memory& memory = all.emplace_back();
      memory.argument = &argument;
      const auto member = static_cast<std::size_t>(&argument - wanted.parameters[i].members.data());
      memory.name = name_of(wanted.parameters[i], i, member);
      if (argument.kind == Argument::Kind::number) continue;
      const std::string what = fmt::format("{}, '{}'", memory.name, argument.word);
      must(cuMemAlloc_v2(&memory.address, static_cast<std::size_t>(argument.bytes())), what,
           kWrongUsage);
      const int number = static_cast<int>(all.size()) - 1;
      if (const std::string why = fill(argument, number, memory.before); !why.empty())
        stop(kWrongUsage, fmt::format("{}: {}", memory.name, why));
      must(cuMemcpyHtoD_v2(memory.address, memory.before.data(), memory.before.size()), what);
      if (argument.kind == Argument::Kind::tensor_map) encode_map(memory);
    }
  return all;
}

std::vector<std::vector<std::byte>> parameter_values(const Wanted& wanted,
                                                     const std::vector<Memory>& memories,
                                                     const std::vector<std::size_t>& sizes) {
  std::vector<std::vector<std::byte>> values;
  auto memory = memories.begin();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Parameter& parameter = wanted.parameters[i];
    std::vector<std::byte>& value = values.emplace_back(sizes[i]);
    if (!parameter.file.empty()) {
      const std::string why = read_file(parameter.file, "the kernel's", value);
      if (!why.empty()) stop(kWrongUsage, fmt::format("parameter {}: {}", i, why));
    }
    const std::vector<std::size_t> offsets = parameter.offsets();
    for (std::size_t k = 0; k < parameter.members.size(); ++k, ++memory) {
      const Argument& argument = parameter.members[k];
      const void* from = argument.kind == Argument::Kind::number ? &argument.number
                         : argument.kind == Argument::Kind::memory
                             ? &memory->address
                             : static_cast<const void*>(memory->map.data());
      std::memcpy(value.data() + offsets[k], from, argument.parameter_bytes());
    }
  }
  return values;
}

void show(const Wanted& wanted, std::vector<Memory>& memories) {
  for (Memory& memory : memories) {
    const Argument& argument = *memory.argument;
    if (argument.kind == Argument::Kind::number) continue;
    memory.after.resize(memory.before.size());
    must(cuMemcpyDtoH_v2(memory.after.data(), memory.address, memory.after.size()), argument.word);
    if (memory.after == memory.before) {
      fmt::print("{}, {}: unchanged\n", memory.name, argument.word);
      continue;
    }
    const std::uint64_t count = argument.count();
    const std::uint64_t cols = argument.shape.back();
    fmt::print("{}, {}: changed, bits {:016x}", memory.name, argument.word, bits_of(memory.after));
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

void write_files(const Wanted& wanted, const std::vector<Memory>& memories) {
  for (const Memory& memory : memories) {
    if (memory.argument->kind == Argument::Kind::number) continue;
    const std::string path = file_of(memory, wanted.folder);
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(memory.after.data()),
              static_cast<std::streamsize>(memory.after.size()));
    out.close();
    if (!out)
      stop(kWrongUsage,
           fmt::format("--write: {} cannot be written: {}", path, std::strerror(errno)));
  }
}

void compare_files(const Wanted& wanted, const std::vector<Memory>& memories) {
  for (const Memory& memory : memories) {
    const Argument& argument = *memory.argument;
    if (argument.kind == Argument::Kind::number) continue;
    const std::string path = file_of(memory, wanted.like);
    std::vector<std::byte> right(memory.after.size());
    if (const std::string why = read_file(path, argument.word, right); !why.empty())
      stop(kWrongUsage, fmt::format("--like: {}; --write makes such files", why));
    const auto size = static_cast<std::size_t>(argument.element->bytes);
    std::uint64_t first = argument.count(), others = 0;
    for (std::uint64_t k = argument.count(); k-- > 0;) {
      if (std::memcmp(&memory.after[k * size], &right[k * size], size) == 0) continue;
      first = k;
      ++others;
    }
    if (others == 0) continue;
    stop(kFailed,
         fmt::format("{}, {}: {} of {} element{} not as in {}, first {}: {} instead of {}",
                     memory.name, argument.word, others, argument.count(),
                     others == 1 ? " is" : "s are", path, place_of(argument, first),
                     row_of(argument, memory.after, first, 1), row_of(argument, right, first, 1)));
  }
  fmt::print("all memory is as in {}\n", wanted.like);
}

}  // namespace lanescope::launcher
