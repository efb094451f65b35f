// SPDX-License-Identifier: MIT
#include "launcher/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "launcher/stop.hpp"

namespace lanescope::launcher {
namespace {

constexpr std::uint64_t kLargestGrid = 2147483647;    // in x; the launch knows the other limits
constexpr std::uint64_t kMostShared_bytes = 1 << 20;  // more than any card has

std::array<unsigned, 3> read_size(const std::string& option, const std::string& text) {
  std::array<unsigned, 3> size{1, 1, 1};
  std::istringstream in(text);
  std::size_t d = 0;
  for (std::string part; d < 3 && std::getline(in, part, ','); ++d) {
    const auto number = read_number(*find_element("u32"), part);
    size[d] = number && *number <= kLargestGrid ? static_cast<unsigned>(*number) : 0;
    if (size[d] == 0) d = 3;
  }
  if (d == 0 || d > 3 || in.peek() != EOF || (!text.empty() && text.back() == ','))
    stop(kWrongUsage, fmt::format("{} '{}': write {} 4 or {} 4,2,1", option, text, option, option));
  return size;
}

// Takes an option's value.
void take(Wanted& wanted, const std::string& option, const std::string& value) {
  if (option == "--kernel") wanted.kernel = value;
  if (option == "--write") wanted.folder = value;
  if (option == "--like") wanted.like = value;
  if (option == "--grid") wanted.grid = read_size(option, value);
  if (option == "--block") wanted.block = read_size(option, value);
  if (option == "--cluster") wanted.cluster = read_size(option, value);
  if (option != "--shared") return;
  const auto bytes = read_number(*find_element("u32"), value);
  if (!bytes || *bytes > kMostShared_bytes)
    stop(kWrongUsage,
         fmt::format("--shared '{}': write a number of bytes, 0 to {}", value, kMostShared_bytes));
  wanted.shared_bytes = static_cast<long>(*bytes);
}

}  // namespace

Wanted read_command(const std::vector<std::string>& words) {
  Wanted wanted;
  if (words.empty()) stop(kWrongUsage, "which file? KERNEL.ptx");
  wanted.file = words[0];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.rfind("--", 0) == 0 && word != "--kernel" && wanted.shaped_by.empty())
      wanted.shaped_by = word;
    if (word == "--print") {
      wanted.prints = true;
      continue;
    }
    if (word.rfind("--", 0) == 0) {
      if (std::find(kOptions.begin(), kOptions.end(), word) == kOptions.end())
        stop(kWrongUsage,
             fmt::format("'{}', behind {}: there are --kernel, --grid, --block, --cluster, "
                         "--shared, --print, --write and --like; lanescope's own options come "
                         "before the file",
                         word, wanted.file));
      if (++i >= words.size()) stop(kWrongUsage, fmt::format("{}: a value must follow", word));
      take(wanted, word, words[i]);
      continue;
    }
    const std::size_t number = wanted.parameters.size();
    if (const std::string why = read_parameter(word, number, wanted.parameters.emplace_back());
        !why.empty())
      stop(kWrongUsage, why);
  }
  return wanted;
}

}  // namespace lanescope::launcher
