// SPDX-License-Identifier: MIT
#include "cudart/step_selection.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "trace/kernel_name.hpp"

namespace lanescope::cudart {
namespace {

constexpr std::string_view kHow =
    "write kernel=NAME,launch=N,block=X,Y,Z,warp=W,from=STEP,count=STEPS, or a part of it, or mma";

bool read_number(std::string_view text, std::int64_t most, std::int64_t& number) {
  if (text.empty() || text.size() > 15) return false;
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
  }
  number = value;
  return value <= most;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// block=1,0,0 has commas of its own: words without a key belong to the key before, but for `mma`.
std::vector<std::string> settings(std::string_view words) {
  std::vector<std::string> all;
  for (const std::string_view part : split(words, ',')) {
    if (part.find('=') != std::string_view::npos || part == "mma" || all.empty())
      all.emplace_back(part);
    else
      all.back() += "," + std::string(part);
  }
  return all;
}

std::string read_block(std::string_view value, std::array<int, 3>& block) {
  const auto parts = split(value, ',');
  std::array<int, 3> read{0, 0, 0};
  bool good = parts.size() <= 3;
  for (std::size_t axis = 0; good && axis < parts.size(); ++axis) {
    std::int64_t number = 0;
    good = read_number(parts[axis], std::numeric_limits<int>::max(), number);
    read[axis] = static_cast<int>(number);
  }
  if (!good) return fmt::format("block={} is no block; {}", value, kHow);
  block = read;
  return {};
}

}  // namespace

std::string read_selection(std::string_view words, StepSelection& selection) {
  StepSelection read;
  if (words.empty() || words == "all") return selection = read, std::string();
  for (const std::string& setting : settings(words)) {
    const std::size_t equals = setting.find('=');
    const std::string_view key = std::string_view(setting).substr(0, equals);
    const std::string_view value = equals == std::string::npos
                                       ? std::string_view()
                                       : std::string_view(setting).substr(equals + 1);
    constexpr std::int64_t kMost = 1'000'000'000'000;
    std::int64_t number = 0;
    if (key == "kernel" && !value.empty()) {
      read.kernel = value;
    } else if (setting == "mma") {
      read.mma = true;
    } else if (key == "block") {
      if (std::string why = read_block(value, read.block); !why.empty()) return why;
    } else if (key == "warp" && read_number(value, 31, number)) {
      read.warp = static_cast<int>(number);
    } else if (key == "warp" && value == "all") {
      read.warp = -1;
    } else if (key == "launch" && read_number(value, std::numeric_limits<int>::max(), number)) {
      read.launch = static_cast<int>(number);
    } else if (key == "from" && read_number(value, kMost, number)) {
      read.from = number;
    } else if (key == "count" && read_number(value, kMost, number) && number > 0) {
      read.count = number;
    } else {
      return fmt::format("'{}' is no selection of steps; {}", setting, kHow);
    }
  }
  selection = read;
  return {};
}

bool selects(const StepSelection& selection, const std::string& kernel, bool multiplies,
             int launch) {
  if (selection.mma && !multiplies) return false;
  if (selection.launch >= 0 && selection.launch != launch) return false;
  return kernel.find(selection.kernel) != std::string::npos ||
         trace::as_written(kernel).find(selection.kernel) != std::string::npos;
}

std::string words_of(const StepSelection& selection) {
  const StepSelection usual;
  std::string words;
  const auto add = [&words](const std::string& word) {
    words += (words.empty() ? "" : ",") + word;
  };
  if (selection.mma) add("mma");
  if (!selection.kernel.empty()) add("kernel=" + selection.kernel);
  if (selection.launch >= 0) add(fmt::format("launch={}", selection.launch));
  if (selection.block != usual.block)
    add(fmt::format("block={},{},{}", selection.block[0], selection.block[1], selection.block[2]));
  if (selection.warp >= 0) add(fmt::format("warp={}", selection.warp));
  if (selection.from != usual.from) add(fmt::format("from={}", selection.from));
  if (selection.count != usual.count) add(fmt::format("count={}", selection.count));
  return words;
}

}  // namespace lanescope::cudart
