// SPDX-License-Identifier: MIT
// A line of JSON while it is written, by hand: the order of keys is part of the format, and speed
// matters (a run of 100,000 steps is 40 MB). Which keys an event has: line.cpp.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trace/event.hpp"
#include "trace/utf8.hpp"

namespace lanescope::trace {

/// An event that no file may hold: who made it has a mistake.
[[noreturn]] inline void broken(std::string_view what) {
  fmt::print(stderr, "lanescope: a trace event that the format cannot hold: {}; {}\n", what,
             "see docs/trace_format.md");
  std::abort();
}

inline void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
      return;
  }
}

inline void append_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    std::size_t length = 1;
    if (c >= 0x80) {
      length = utf8_length(text);
      if (length == 0) out += "\xef\xbf\xbd";  // U+FFFD
    } else if (c < 0x20 || c == '"' || c == '\\') {
      append_escaped(out, c);
      length = 0;
    }
    out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

inline void put_hex(char* to, std::uint64_t word, int digits) {
  for (int at = digits - 1; at >= 0; --at, word >>= 4) to[at] = "0123456789abcdef"[word & 15];
}

inline void append_hex(std::string& out, std::uint64_t word, int digits) {
  const std::size_t at = out.size();
  out.resize(at + static_cast<std::size_t>(digits));
  put_hex(out.data() + at, word, digits);
}

/// One line being written: `key` puts the comma and the name.
struct Line {
  std::string& text;
  explicit Line(std::string& out) : text(out) { text += '{'; }

  void key(std::string_view name) {
    if (text.back() != '{') text += ',';
    text += '"';
    text += name;
    text += "\":";
  }
  void string(std::string_view name, std::string_view value) {
    key(name);
    append_string(text, value);
  }
  void optional_string(std::string_view name, std::string_view value) {
    if (!value.empty()) string(name, value);
  }
  void number(std::string_view name, std::int64_t value) {
    key(name);
    text += std::to_string(value);
  }
  void triple(std::string_view name, const std::array<int, 3>& values) {
    key(name);
    text += fmt::format("[{},{},{}]", values[0], values[1], values[2]);
  }
  void strings(std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    key(name);
    char separator = '[';
    for (const std::string& value : values) {
      text += separator;
      append_string(text, value);
      separator = ',';
    }
    text += ']';
  }
  void numbers(std::string_view name, const std::vector<std::int64_t>& values) {
    key(name);
    text += fmt::format("[{}]", fmt::join(values, ","));
  }
  void mask(std::string_view name, std::uint32_t value) {
    key(name);
    text += '"';
    append_hex(text, value, 8);
    text += '"';
  }
  void place(const Place& place) {
    number("launch", place.launch);
    triple("block", place.block);
    number("warp", place.warp);
  }
  void source(const SourceLine& source) {
    optional_string("file", source.file);
    if (source.line != 0) number("line", source.line);
  }

  template <class Word>
  void words(const std::vector<Word>& lanes, int bits) {
    const int digits = (bits + 3) / 4;
    const std::size_t width = static_cast<std::size_t>(digits) + 1;
    const std::size_t first = text.size() + 1;
    text.resize(text.size() + 1 + lanes.size() * width, ' ');
    text[first - 1] = '"';
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (bits < 64 && static_cast<std::uint64_t>(lanes[lane]) >> bits != 0)
        broken(fmt::format("lane {} holds 0x{:x}, more than {} bits", lane, lanes[lane], bits));
      put_hex(text.data() + first + lane * width, lanes[lane], digits);
    }
    text.back() = '"';
  }
};

}  // namespace lanescope::trace
