// SPDX-License-Identifier: MIT
// From files to lines. Every line is parsed on its own, so that what is wrong has a line number;
// the lines behind it are the padding that the JSON parser may read. What is in a line: events.cpp.
#include "trace/reader.hpp"

#include <fmt/format.h>

#include <exception>

#include "trace/events.hpp"
#include "trace/fields.hpp"
#include "trace/file.hpp"

namespace lanescope::trace {
namespace {

using simdjson::dom::element;

constexpr const char* kMend = "; record it again, or mend the line by docs/trace_format.md";
const std::string kTooMany = fmt::format(
    "the file has more than {} events, more than a trace may have: record fewer, as of one block "
    "or warp: lanescope run --steps kernel=NAME,block=1,0,0,warp=2",
    Limits::kEvents);
constexpr std::string_view kMagic = "{\"lanescope_trace\"";

// One line without its newline; `text` goes on for at least kPaddingBytes behind it.
std::string read_line(simdjson::dom::parser& parser, std::string_view text, bool first,
                      ReadResult& result) {
  if (text.size() > Limits::kLineBytes) return "the line is longer than 64 MiB";
  if (text.find_first_not_of(" \t\r") == std::string_view::npos)
    return "the line is empty, an event belongs there";
  element document;
  const simdjson::error_code code = parser.parse(text.data(), text.size(), false).get(document);
  if (code != simdjson::SUCCESS)
    return fmt::format("the line is no JSON ({})", simdjson::error_message(code));
  std::string problem;
  Fields fields(problem);
  fields.take(document, "the line");
  if (first)
    read_header(fields, result.trace.header);
  else if (!read_event(fields, result.trace))
    ++result.unknown_events;
  return problem;
}

std::string cut_off(std::string_view rest) {
  return fmt::format(
      "the file is cut off after {} bytes of this line: the program that wrote it did "
      "not finish; run it again",
      rest.size());
}

// A reason may quote the file; it stays one line whatever is quoted.
ReadResult failed(int line, std::string reason) {
  for (char& c : reason)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  ReadResult result;
  result.error = ReadError{line, std::move(reason)};
  return result;
}

// What an event counts towards Limits::kEvents.
std::size_t entries_of(const Event& event) {
  if (const auto* view = std::get_if<View>(&event)) return 1 + view->panels.size();
  if (const auto* found = std::get_if<Diagnostic>(&event))
    return 1 + found->details.size() + found->against.size();
  return 1;
}

ReadResult read_text(const Bytes& bytes) {
  const std::string_view text{bytes.text.data(), bytes.size};
  if (text.empty())
    return failed(0, "is empty: the program that wrote it did not finish; run it again");
  if (text.substr(0, kMagic.size()) != kMagic)
    return failed(0, fmt::format("is no trace: it does not begin with {}{}", kMagic, kWritesOne));
  ReadResult result;
  simdjson::dom::parser parser;
  int line = 0;
  std::size_t entries = 0;
  for (std::size_t at = 0; at < text.size();) {
    ++line;
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return failed(line, cut_off(text.substr(at)));
    const std::size_t before = result.trace.events.size();
    std::string problem = read_line(parser, text.substr(at, end - at), line == 1, result);
    // Of another version of the format, nothing in the file is to be mended.
    const bool mendable = line > 1 || result.trace.header.version == kVersion;
    if (!problem.empty()) return failed(line, problem + (mendable ? kMend : ""));
    if (result.trace.events.size() > before) entries += entries_of(result.trace.events.back());
    if (entries > Limits::kEvents) return failed(line, kTooMany);
    at = end + 1;
  }
  return result;
}

ReadResult read_loaded(Bytes bytes) {
  if (bytes.problem.empty() && is_zstd({bytes.text.data(), bytes.size}))
    bytes = decompress({bytes.text.data(), bytes.size});
  if (!bytes.problem.empty()) return failed(0, std::move(bytes.problem));
  return read_text(bytes);
}

// The standard library throws when memory runs out; nobody above needs to know.
template <class Read>
ReadResult guarded(const Read& read) {
  try {
    return read();
  } catch (const std::exception& problem) {
    return failed(0, fmt::format("cannot be read: {}", problem.what()));
  }
}

}  // namespace

std::string ReadError::message(std::string_view path) const {
  if (line == 0) return fmt::format("{} {}", path, reason);
  return fmt::format("{}:{}: {}", path, line, reason);
}

ReadResult read_file(const std::string& path) {
  return guarded([&] { return read_loaded(load(path)); });
}

ReadResult read_bytes(std::string_view bytes) {
  return guarded([&] {
    Bytes copy{std::string(bytes), bytes.size(), {}};
    copy.text.resize(bytes.size() + kPaddingBytes);
    return read_loaded(std::move(copy));
  });
}

}  // namespace lanescope::trace
