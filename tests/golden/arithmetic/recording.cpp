// SPDX-License-Identifier: MIT
#include "tests/golden/arithmetic/recording.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "tests/golden/unpack.hpp"

namespace lanescope::golden {
namespace {

/// "INSTRUCTION|FULL|FINGERPRINTS|BYTES", or what is wrong with it.
std::string parse_line(const std::string& line, RecordedCase& out) {
  const std::size_t bar = line.find('|');
  unsigned long bytes = 0;
  if (bar == std::string::npos ||
      std::sscanf(line.c_str() + bar, "|%d|%d|%lu", &out.full, &out.prints, &bytes) != 3 ||
      out.full < 0 || out.prints < 0)
    return fmt::format("'{}' is no instruction with its counts", line.substr(0, 80));
  out.what = parse_case(line.substr(0, bar));
  out.tile_bytes = bytes;
  if (out.what.a == nullptr || out.what.M == 0)
    return fmt::format("'{}' is not an instruction", line.substr(0, bar));
  if (bytes != static_cast<std::size_t>(out.what.M * out.what.N * out.what.d_bytes()))
    return fmt::format("tiles of {} bytes for {}", bytes, out.what.name);
  return {};
}

}  // namespace

Recording parse_recording(std::string bytes) {
  Recording result;
  result.bytes = std::move(bytes);
  const std::string& text = result.bytes;
  std::size_t at = text.find('\n');
  result.header = text.substr(0, at);
  if (at == std::string::npos || result.header.rfind("lanescope arithmetic 1|", 0) != 0) {
    result.problem = "not a recording of arithmetic";
    return result;
  }
  for (++at; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    RecordedCase one;
    result.problem = end == std::string::npos ? "the last line is cut off"
                                              : parse_line(text.substr(at, end - at), one);
    if (!result.problem.empty()) return result;
    one.first_tile = end + 1;
    one.first_print = one.first_tile + one.tile_bytes * static_cast<std::size_t>(one.full);
    at = one.first_print + 4 * static_cast<std::size_t>(one.prints);
    if (at > text.size()) {
      result.problem = "cut off in " + one.what.name;
      return result;
    }
    result.cases.push_back(std::move(one));
  }
  return result;
}

Recording read_recording(const std::string& path) {
  Unpacked packed = unpacked(path);
  if (packed.problem.empty()) return parse_recording(std::move(packed.bytes));
  Recording failed;
  failed.problem = std::move(packed.problem);
  return failed;
}

}  // namespace lanescope::golden
