// SPDX-License-Identifier: MIT
#include "cudart/saving.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <vector>

#include "cudart/binary/kernel_alone.hpp"
#include "cudart/context.hpp"
#include "cudart/environment.hpp"
#include "cudart/launch.hpp"
#include "emulator/memory.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cudart {
namespace {

constexpr std::uint64_t kMostSaved = std::uint64_t{1} << 34;
constexpr std::size_t kPieceBytes = 4096;

using Bytes = std::span<const std::byte>;
/// Name by address: of an allocation "".
struct Reached {
  std::uint64_t bytes = 0;
  std::string variable;
};
using Memories = std::map<std::uint64_t, Reached>;

Bytes bytes_at(std::uint64_t address, std::uint64_t bytes) {
  return {reinterpret_cast<const std::byte*>(address), static_cast<std::size_t>(bytes)};
}

template <class Look>
void for_each_word(Bytes bytes, Look look) {
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    look(word);
  }
}

// A pointer to a function is a number of this module, which the kernel alone does not share.
bool has_functions(Bytes bytes) {
  bool found = false;
  for_each_word(bytes, [&](std::uint64_t word) {
    found |= word > emulator::kFunctionWindow &&
             word < emulator::kFunctionWindow + emulator::kWindowBytes;
  });
  return found;
}

/// What the launch can get at: where its parameters point, and the variables of its module, and
/// where these point, and so on. A number that looks like an address counts as one.
Memories reachable(const Function& function, Bytes parameters, const emulator::Machine& machine) {
  Memories all, reached;
  for (const trace::Allocation& one :
       machine.oldest_allocations(std::numeric_limits<std::size_t>::max()))
    all[one.address] = {one.bytes, ""};
  std::vector<Bytes> left{parameters};
  for (const auto& [name, variable] : machine.variables(function.binary->module)) {
    all.erase(variable.address);
    const Bytes bytes = bytes_at(variable.address, variable.bytes);
    if (variable.bytes == 0 || has_functions(bytes)) continue;
    reached[variable.address] = {variable.bytes, name};
    left.push_back(bytes);
  }
  while (!left.empty()) {
    const Bytes bytes = left.back();
    left.pop_back();
    for_each_word(bytes, [&](std::uint64_t word) {
      auto found = all.upper_bound(word);
      if (found == all.begin() || word - (--found)->first >= found->second.bytes) return;
      reached.insert(*found);
      left.push_back(bytes_at(found->first, found->second.bytes));
      all.erase(found);
    });
  }
  return reached;
}

std::string header(const LaunchShape& shape, Bytes parameters, const Memories& memories) {
  const auto size = [](const dim3& d) { return fmt::format("{},{},{}", d.x, d.y, d.z); };
  std::string text = fmt::format("//@launch 1\n//@grid {}\n//@block {}\n", size(shape.asked_grid),
                                 size(shape.block));
  if (shape.names_cluster || shape.cluster.x * shape.cluster.y * shape.cluster.z > 1)
    text += fmt::format("//@cluster {}\n", size(shape.cluster));
  text += fmt::format("//@shared {}\n//@parameters ", shape.dynamic_shared_bytes);
  for (const std::byte byte : parameters) text += fmt::format("{:02x}", byte);
  text += "\n";
  for (const auto& [address, memory] : memories)
    text += memory.variable.empty()
                ? fmt::format("//@memory {:x} {}\n", address, memory.bytes)
                : fmt::format("//@variable {:x} {} {}\n", address, memory.bytes, memory.variable);
  return text;
}

bool was_written(Bytes bytes) {
  return std::any_of(bytes.begin(), bytes.end(),
                     [](std::byte byte) { return byte != std::byte{emulator::kPoison}; });
}

void write(std::ofstream& out, std::uint64_t address, Bytes bytes) {
  const std::array<std::uint64_t, 2> where{address, bytes.size()};
  out.write(reinterpret_cast<const char*>(where.data()), sizeof where);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

/// What of the memory was written, in pieces as long as may be.
void write(std::ofstream& out, const Memories& memories) {
  out << "lanescope memory 1\n";
  for (const auto& [address, memory] : memories) {
    const Bytes all = bytes_at(address, memory.bytes);
    const auto is_piece = [&](std::size_t at) {
      return was_written(all.subspan(at, std::min(kPieceBytes, all.size() - at)));
    };
    for (std::size_t at = 0; at < all.size(); at += kPieceBytes) {
      if (!is_piece(at)) continue;
      const std::size_t begin = at;
      while (at < all.size() && is_piece(at)) at += kPieceBytes;
      write(out, address + begin, all.subspan(begin, std::min(at, all.size()) - begin));
    }
  }
}

/// One launch into `file` and its FILE.memory; why not, or "".
std::string write(const std::filesystem::path& file, const Function& function,
                  const LaunchShape& shape, Bytes parameters, const emulator::Machine& machine) {
  if (shape.cooperative)
    return "a cooperative launch cannot be saved; choose another with --launch";
  const Memories memories = reachable(function, parameters, machine);
  std::uint64_t bytes = 0;
  for (const auto& [address, memory] : memories) bytes += memory.bytes;
  if (bytes > kMostSaved)
    return fmt::format("the launch reaches {} MiB of memory, {} can be saved", bytes >> 20,
                       kMostSaved >> 20);
  const auto beside = std::filesystem::path(file).replace_extension(".memory");
  std::ofstream memory(beside, std::ios::binary);
  write(memory, memories);
  memory.close();
  std::ofstream ptx(file, std::ios::binary);
  ptx << header(shape, parameters, memories) << kernel_alone(function.binary->text, function.name);
  ptx.close();
  if (ptx && memory) return "";
  return fmt::format("{} and {} cannot be written: {}; make room there or name another file",
                     file.string(), beside.string(), std::strerror(errno));
}

/// gemm_0123456789abcdef: mangled names are longer than a file's may be.
std::string file_name(const std::string& written, const std::string& mangled) {
  std::string name = written.substr(0, written.find_first_of("<("));
  name = name.substr(name.rfind(':') + 1).substr(0, 60);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; },
      '_');
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : mangled) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return fmt::format("{}_{:016x}.ptx", name, hash);
}

}  // namespace

Saving::Saving() : path_(setting(kSaveVariable)) {
  std::error_code error;
  is_folder_ = std::filesystem::is_directory(path_, error);
  if (const std::string why = read_selection(setting(kLaunchVariable), selection_); !why.empty())
    lose(why);
}

void Saving::keep(Binary& binary, std::string_view ptx) const {
  if (is_on()) binary.text = ptx;
}

void Saving::lose(const std::string& why) {
  say(fmt::format("--save: {}", why));
  path_.clear();
  lost_ = true;
}

void Saving::begin(const Function& function, const LaunchShape& shape, Bytes parameters,
                   const emulator::Machine& machine) {
  if (!is_on()) return;
  const std::string name = trace::as_written(function.name);
  const bool is_first = kernels_.insert(name).second;
  const int number = launches_++;
  if (!selects(selection_, function.name, function.kernel->multiplies, number)) return;
  if (!is_folder_) {
    if (const std::string why = write(path_, function, shape, parameters, machine); !why.empty())
      return lose(fmt::format("{}: {}", name, why));
    say(fmt::format("launch {}, {}: saved; lanescope run {}", number, name, path_));
    path_.clear();
    return;
  }
  const auto file = std::filesystem::path(path_) / file_name(name, function.name);
  std::error_code error;
  if (std::filesystem::exists(file, error)) return;  // by this process, or another one
  if (const std::string why = write(file, function, shape, parameters, machine); why.empty())
    ++saved_;
  else if (is_first)
    say(fmt::format("--save: {}: {}", name, why));
}

void Saving::finish() {
  if (!is_on() || kernels_.empty()) return;
  if (is_folder_)
    say(fmt::format("{} of {} kernels saved in {}", saved_, kernels_.size(), path_));
  else
    lose(fmt::format("no launch is selected by --launch {}; kernels that ran: {}",
                     words_of(selection_), fmt::join(kernels_, ", ")));
}

}  // namespace lanescope::cudart
