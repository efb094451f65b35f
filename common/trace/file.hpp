// SPDX-License-Identifier: MIT
// Trace files on the disk, plain or compressed. What is in them is read by trace/reader.hpp.
//
//     if (auto problem = write_file("a.lanes.zst", trace)) say(*problem);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace/event.hpp"

namespace lanescope::trace {

/// Writes a file whole or not at all (a temporary name, then a rename); compressed when the name
/// ends in ".zst". Returns what went wrong, in words, or nothing.
std::optional<std::string> write_file(const std::string& path, const Trace& trace);

/// Room behind the text that the JSON parser may read, never a part of it.
inline constexpr std::size_t kPaddingBytes = 64;

/// More text than this is refused: a compressed file of a few kB could otherwise fill the memory.
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;

/// Behind "is no trace": what to do.
inline constexpr std::string_view kWritesOne = "; `lanescope run --trace F -- PROGRAM` writes one";

/// Either `text`, with kPaddingBytes zeros behind its `size`, or why not, in words.
struct Bytes {
  std::string text;
  std::size_t size = 0;
  std::string problem;
};

/// A file as it is on the disk. Folders, unreadable and oversized files are problems, and so is a
/// file that begins neither as JSON nor as zstd, before the rest of it is read.
Bytes load(const std::string& path);

bool is_zstd(std::string_view bytes);
Bytes decompress(std::string_view bytes);
std::string compress(std::string_view text);

/// Where to write what is to be `path`: beside it, so that a reader never sees half a file. A
/// device or a pipe (/dev/null) is written as it is: a rename would put a file in its place.
std::string written_first(const std::string& path);

/// The file whole or not at all; what went wrong, or nothing.
std::optional<std::string> replace_file(const std::string& path, std::string_view bytes);

}  // namespace lanescope::trace
