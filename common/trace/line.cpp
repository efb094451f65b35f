// SPDX-License-Identifier: MIT
// Events spelled as JSON, by hand: the keys' order is part of the format, and speed matters (a run
// of 100,000 steps is 40 MB).
#include "trace/line.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "trace/utf8.hpp"

namespace lanescope::trace {
namespace {

[[noreturn]] void broken(std::string_view what) {
  fmt::print(stderr, "lanescope: a trace event that the format cannot hold: {}; {}\n", what,
             "see docs/trace_format.md");
  std::abort();
}

void append_escaped(std::string& out, unsigned char c) {
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

void append_string(std::string& out, std::string_view text) {
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

void put_hex(char* to, std::uint64_t word, int digits) {
  for (int at = digits - 1; at >= 0; --at, word >>= 4) to[at] = "0123456789abcdef"[word & 15];
}

void append_hex(std::string& out, std::uint64_t word, int digits) {
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

void write(Line& line, const View& view) {
  line.string("event", "view");
  line.string("title", view.title);
  line.strings("panels", view.panels);
  line.optional_string("selection", view.selection);
  line.optional_string("caption", view.caption);
}

void write(Line& line, const Launch& launch) {
  line.string("event", "launch");
  line.number("launch", launch.launch);
  line.string("kernel", launch.kernel);
  line.triple("grid", launch.grid);
  line.triple("block", launch.block);
  line.number("shared_bytes", launch.shared_bytes);
}

void write(Line& line, const Fragment& fragment) {
  if (fragment.registers.empty()) broken("a fragment without registers");
  line.string("event", "fragment");
  line.place(fragment.place);
  line.string("name", fragment.name);
  line.string("instruction", fragment.instruction);
  line.string("operand", fragment.operand);
  line.number("register_bits", fragment.register_bits);
  line.key("registers");
  const std::size_t lanes = fragment.registers.front().size();
  char separator = '[';
  for (const std::vector<std::uint64_t>& words : fragment.registers) {
    if (words.size() != lanes || (lanes != 32 && lanes != 128))
      broken(fmt::format("fragment {} has a register of {} lanes, not 32 or 128", fragment.name,
                         words.size()));
    line.text += separator;
    line.words(words, fragment.register_bits);
    separator = ',';
  }
  line.text += ']';
  line.source(fragment.source);
}

void write(Line& line, const Memory& memory) {
  const std::size_t rows = static_cast<std::size_t>(memory.rows);
  if (memory.rows < 1 || memory.cols < 1 || memory.bytes.empty() || memory.bytes.size() % rows != 0)
    broken(fmt::format("memory {} has {} bytes in {} rows of {}", memory.name, memory.bytes.size(),
                       memory.rows, memory.cols));
  line.string("event", "memory");
  line.place(memory.place);
  line.string("name", memory.name);
  line.string("space", memory.space);
  line.string("type", memory.type);
  line.number("rows", memory.rows);
  line.number("cols", memory.cols);
  line.key("address");
  line.text += fmt::format("\"0x{:x}\"", memory.address);
  line.number("row_stride_bytes", memory.row_stride_bytes);
  line.key("bytes");
  const std::size_t row_bytes = memory.bytes.size() / rows;
  for (std::size_t at = 0; at < memory.bytes.size(); ++at) {
    if (at % row_bytes == 0) line.text += at == 0 ? "[\"" : "\",\"";
    append_hex(line.text, memory.bytes[at], 2);
  }
  line.text += "\"]";
  line.source(memory.source);
}

void write(Line& line, const Step& step) {
  line.string("event", "step");
  line.place(step.place);
  line.number("step", step.step);
  line.string("ptx", step.ptx);
  if (step.ptx_line != 0) line.number("ptx_line", step.ptx_line);
  line.source(step.source);
  line.mask("active", step.active);
  if (step.writes.empty()) return;
  line.key("writes");
  line.text += '[';
  for (const Write& written : step.writes) {
    if (written.lanes.size() != 32)
      broken(fmt::format("{} is written in {} lanes, not 32", written.name, written.lanes.size()));
    line.text += line.text.back() == '[' ? "{" : ",{";
    line.string("name", written.name);
    line.optional_string("watch", written.watch);
    line.number("bits", written.bits);
    line.key("lanes");
    line.words(written.lanes, written.bits);
    line.text += '}';
  }
  line.text += ']';
}

void write(Line& line, const Access& access) {
  if (access.addresses.size() != 32)
    broken(fmt::format("an access of {} lanes, not 32", access.addresses.size()));
  line.string("event", "access");
  line.place(access.place);
  line.number("step", access.step);
  line.string("instruction", access.instruction);
  line.number("bytes_per_lane", access.bytes_per_lane);
  line.mask("active", access.active);
  line.key("addresses");
  line.words(access.addresses, 32);
}

void write(Line& line, const Sync& sync) {
  line.string("event", "sync");
  line.place(sync.place);
  line.number("step", sync.step);
  line.string("action", sync.action);
  line.string("object", sync.object);
  line.number("phase", sync.phase);
  if (sync.count != 0) line.number("count", sync.count);
  if (sync.bytes != 0) line.number("bytes", sync.bytes);
  if (sync.address >= 0) line.optional_string("address", fmt::format("0x{:x}", sync.address));
  line.source(sync.source);
}

void write(Line& line, const Diagnostic& diagnostic) {
  line.string("event", "diagnostic");
  line.place(diagnostic.place);
  line.string("kind", diagnostic.kind);
  line.string("message", diagnostic.message);
  line.strings("details", diagnostic.details);
  if (diagnostic.ptx_line != 0) line.number("ptx_line", diagnostic.ptx_line);
  line.source(diagnostic.source);
}

}  // namespace

std::string to_line(const Header& header) {
  std::string text;
  Line line(text);
  line.number("lanescope_trace", header.version);
  line.string("producer", header.producer);
  line.string("device", header.device);
  line.string("arch", header.arch);
  line.string("program", header.program);
  line.optional_string("command", header.command);
  return text + '}';
}

std::string to_line(const Event& event) {
  std::string text;
  append_line(text, event);
  text.pop_back();
  return text;
}

void append_line(std::string& text, const Event& event) {
  Line line(text);
  std::visit([&line](const auto& e) { write(line, e); }, event);
  text += "}\n";
}

std::string to_text(const Trace& trace) {
  std::string text = to_line(trace.header) + '\n';
  for (const Event& event : trace.events) append_line(text, event);
  return text;
}

}  // namespace lanescope::trace
