// SPDX-License-Identifier: MIT
// Events as lines of JSON: their keys, in the order that the format has.
#include "trace/line.hpp"

#include <fmt/format.h>

#include "trace/json_line.hpp"

namespace lanescope::trace {
namespace {

void write(Line& line, const Allocation& allocation) {
  line.string("address", fmt::format("0x{:x}", allocation.address));
  line.number("bytes", static_cast<std::int64_t>(allocation.bytes));
}

void write(Line& line, const Write& written) {
  if (written.lanes.size() != 32)
    broken(fmt::format("{} is written in {} lanes, not 32", written.name, written.lanes.size()));
  line.string("name", written.name);
  line.optional_string("watch", written.watch);
  line.number("bits", written.bits);
  line.key("lanes");
  line.words(written.lanes, written.bits);
}

void write(Line& line, const OtherAccess& other) {
  if (other.warp >= 0) line.triple("block", other.block);
  if (other.warp >= 0) line.number("warp", other.warp);
  if (other.lane >= 0) line.number("lane", other.lane);
  line.string("ptx", other.ptx);
  if (other.ptx_line != 0) line.number("ptx_line", other.ptx_line);
  line.source(other.source);
}

/// Objects; of none there is no key.
template <class Entry>
void write_list(Line& line, const char* key, const std::vector<Entry>& list) {
  if (list.empty()) return;
  line.key(key);
  line.text += '[';
  for (const Entry& entry : list) {
    line.text += line.text.back() == '[' ? "{" : ",{";
    write(line, entry);
    line.text += '}';
  }
  line.text += ']';
}

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
  write_list(line, "allocations", launch.allocations);
  line.strings("parameters", launch.parameters);
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
  write_list(line, "writes", step.writes);
}

void write(Line& line, const Access& access) {
  constexpr std::size_t kLanes = 32;
  const auto& all = access.addresses;
  if (all.empty() || all.size() % kLanes != 0)
    broken(fmt::format("an access of {} addresses, not 32 a piece", all.size()));
  line.string("event", "access");
  line.place(access.place);
  line.number("step", access.step);
  line.string("instruction", access.instruction);
  line.number("bytes_per_lane", access.bytes_per_lane);
  line.mask("active", access.active);
  line.key("addresses");
  if (all.size() == kLanes) return line.words(all, 32);
  for (auto piece = all.begin(); piece != all.end(); piece += kLanes) {
    if (piece == all.begin() + kLanes) {
      line.key("more");
      line.text += '[';
    } else if (piece != all.begin()) {
      line.text += ',';
    }
    line.words(std::vector<std::uint32_t>(piece, piece + kLanes), 32);
  }
  line.text += ']';
}

void write(Line& line, const TensorBox& tensor) {
  line.number("element_bytes", tensor.element_bytes);
  line.string("swizzle", tensor.swizzle);
  line.numbers("size", tensor.size);
  line.numbers("strides", tensor.strides_bytes);
  line.numbers("box", tensor.box);
  line.numbers("at", tensor.at);
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
  if (sync.global != 0) line.optional_string("global", fmt::format("0x{:x}", sync.global));
  for (const TensorBox& tensor : sync.tensor) write(line, tensor);
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
  write_list(line, "against", diagnostic.against);
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
