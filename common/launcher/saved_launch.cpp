// SPDX-License-Identifier: MIT
#include "launcher/saved_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace lanescope::launcher {
namespace {

constexpr std::string_view kBegin = "//@launch ";
constexpr std::string_view kMemoryBegins = "lanescope memory 1\n";
constexpr std::uint64_t kMostSaved = std::uint64_t{1} << 34;

/// The text up to `end`, which is taken away with it.
std::string_view take(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

template <class Number>
bool read(std::string_view text, Number& number, int base = 10) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number, base);
  return result.ec == std::errc() && result.ptr == end;
}

bool read_shape(std::string_view text, std::array<unsigned, 3>& sizes) {
  for (unsigned& size : sizes)
    if (!read(take(text, ','), size) || size == 0) return false;
  return text.empty();
}

bool read_bytes(std::string_view text, std::vector<std::byte>& bytes) {
  bytes.clear();
  for (; text.size() >= 2; text.remove_prefix(2)) {
    unsigned value = 0;
    if (!read(text.substr(0, 2), value, 16)) return false;
    bytes.push_back(static_cast<std::byte>(value));
  }
  return text.empty();
}

/// ADDRESS BYTES [NAME]
bool read_memory(std::string_view text, bool is_variable, SavedLaunch& launch) {
  SavedMemory memory;
  std::uint64_t bytes = 0;
  if (!read(take(text, ' '), memory.address, 16) || !read(take(text, ' '), bytes) || bytes == 0 ||
      bytes > kMostSaved || memory.address > ~bytes || text.empty() == is_variable)
    return false;
  memory.variable = text;
  memory.bytes.assign(bytes, kNeverWritten);
  launch.memories.push_back(std::move(memory));
  return true;
}

bool read_line(std::string_view key, std::string_view value, SavedLaunch& launch) {
  if (key == "grid") return read_shape(value, launch.grid);
  if (key == "block") return read_shape(value, launch.block);
  if (key == "cluster") return read_shape(value, launch.cluster);
  if (key == "shared") return read(value, launch.shared_bytes);
  if (key == "parameters") return read_bytes(value, launch.parameters);
  if (key == "memory" || key == "variable") return read_memory(value, key == "variable", launch);
  return false;
}

/// The memory in which that address lies, or nullptr.
template <class Memories>
auto* find(Memories& memories, std::uint64_t address) {
  const auto after = std::upper_bound(
      memories.begin(), memories.end(), address,
      [](std::uint64_t at, const SavedMemory& memory) { return at < memory.address; });
  auto* found = after == memories.begin() ? nullptr : &*std::prev(after);
  return found && address - found->address < found->bytes.size() ? found : nullptr;
}

std::string read_pieces(std::string_view memory, SavedLaunch& launch) {
  if (!memory.starts_with(kMemoryBegins)) return "the file of its memory begins with other words";
  memory.remove_prefix(kMemoryBegins.size());
  while (!memory.empty()) {
    std::uint64_t where[2];
    if (memory.size() < sizeof where) return "the file of its memory ends too early";
    std::memcpy(where, memory.data(), sizeof where);
    memory.remove_prefix(sizeof where);
    const auto [address, bytes] = where;
    SavedMemory* found = find(launch.memories, address);
    if (!found || bytes > found->bytes.size() - (address - found->address))
      return fmt::format("{} bytes at 0x{:x} are in none of its allocations", bytes, address);
    if (bytes > memory.size()) return "the file of its memory ends too early";
    std::memcpy(found->bytes.data() + (address - found->address), memory.data(), bytes);
    memory.remove_prefix(bytes);
  }
  return {};
}

}  // namespace

bool is_saved_launch(std::string_view ptx) { return ptx.starts_with(kBegin); }

std::string read_saved_launch(std::string_view ptx, std::string_view memory, SavedLaunch& launch) {
  launch = {};
  std::string_view line = take(ptx, '\n');
  if (line != std::string(kBegin) + "1")
    return fmt::format("line 1, '{}', is no launch that this version reads", line.substr(0, 40));
  for (int number = 2; ptx.starts_with("//@"); ++number) {
    line = take(ptx, '\n').substr(3);
    const std::string_view key = take(line, ' ');
    if (!read_line(key, line, launch))
      return fmt::format("line {}, '//@{} {}', is not as it was saved", number, key.substr(0, 40),
                         line.substr(0, 40));
  }
  if (launch.grid[0] == 0 || launch.block[0] == 0) return "it does not say //@grid and //@block";
  std::sort(launch.memories.begin(), launch.memories.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  for (std::size_t i = 1; i < launch.memories.size(); ++i)
    if (launch.memories[i].address - launch.memories[i - 1].address <
        launch.memories[i - 1].bytes.size())
      return fmt::format("two of its allocations overlap at 0x{:x}", launch.memories[i].address);
  return read_pieces(memory, launch);
}

void move_addresses(const SavedLaunch& launch, std::span<std::byte> bytes, bool back) {
  const auto move = [&](std::uint64_t word) {
    if (!back) {
      const SavedMemory* memory = find(launch.memories, word);
      return memory ? word - memory->address + memory->now : word;
    }
    for (const SavedMemory& memory : launch.memories)
      if (word >= memory.now && word - memory.now < memory.bytes.size())
        return word - memory.now + memory.address;
    return word;
  };
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    const std::uint64_t moved = move(word);
    if (moved != word) std::memcpy(bytes.data() + at, &moved, 8);
  }
}

}  // namespace lanescope::launcher
