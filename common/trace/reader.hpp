// SPDX-License-Identifier: MIT
// Traces from files: strict, whole or not at all. The rules are in docs/trace_format.md.
//
//     ReadResult result = read_file("a.lanes");
//     if (!result.ok()) say(result.error.message("a.lanes"));
//     use(result.trace);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace/event.hpp"

namespace lanescope::trace {

/// Sizes beyond which a file is taken for damaged.
struct Limits {
  static constexpr std::size_t kLineBytes = std::size_t{64} << 20;
  static constexpr int kKeys = 64;
  static constexpr int kRegisters = 256;
  static constexpr int kWrites = 256;
  static constexpr int kListed = 4096;  // panels, details
  static constexpr int kRows = 1 << 20;
  static constexpr int kCols = 1 << 20;
  // Events, and the entries of their lists of strings: 1 GiB of text can hold forty million empty
  // ones, of 200 bytes of memory each; of steps as they are recorded it holds three million.
  static constexpr std::size_t kEvents = std::size_t{4} << 20;
};

/// Why a trace was refused. `line` is 0 when it is about the whole file.
struct ReadError {
  int line = 0;
  std::string reason;  // what, and what to do

  /// "trace.lanes:17: reason", or "trace.lanes reason" for the whole file.
  std::string message(std::string_view path) const;
};

struct ReadResult {
  Trace trace;
  std::int64_t unknown_events = 0;  // of kinds this version does not know, left out
  std::optional<ReadError> error;
  bool ok() const { return !error.has_value(); }
};

/// The trace in `path`, plain or compressed.
ReadResult read_file(const std::string& path);

/// The same from the bytes of a file.
ReadResult read_bytes(std::string_view bytes);

}  // namespace lanescope::trace
