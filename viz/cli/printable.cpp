// SPDX-License-Identifier: MIT
#include "cli/printable.hpp"

#include <variant>

namespace lanescope::cli {

std::size_t control_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  if (byte(at) < 0x20 || byte(at) == 0x7f) return 1;
  if (byte(at) == 0xc2 && byte(at + 1) >= 0x80 && byte(at + 1) < 0xa0) return 2;
  // What turns the direction of the text around it, U+061C, U+200E, U+200F, U+202A to U+202E and
  // U+2066 to U+2069, and other ends of lines, U+2028 and U+2029.
  if (byte(at) == 0xd8 && byte(at + 1) == 0x9c) return 2;
  if (byte(at) != 0xe2) return 0;
  const unsigned two = byte(at + 1) << 8 | byte(at + 2);
  const bool turns = two == 0x808e || two == 0x808f || (two >= 0x80a8 && two <= 0x80ae) ||
                     (two >= 0x81a6 && two <= 0x81a9);
  return turns ? 3 : 0;
}

namespace {

void make_printable(std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (const std::size_t length = control_length(text, at); length > 0 && text[at] != '\n')
      text.replace(at, length, "?");
}

struct MakePrintable {
  void operator()(trace::View& e) const {
    for (std::string* text : {&e.title, &e.selection, &e.caption}) make_printable(*text);
    for (std::string& panel : e.panels) make_printable(panel);
  }
  void operator()(trace::Launch& e) const {
    make_printable(e.kernel);
    for (std::string& parameter : e.parameters) make_printable(parameter);
  }
  void operator()(trace::Fragment& e) const {
    for (std::string* text : {&e.name, &e.instruction, &e.operand, &e.source.file})
      make_printable(*text);
  }
  void operator()(trace::Memory& e) const {
    for (std::string* text : {&e.name, &e.type, &e.source.file}) make_printable(*text);
  }
  void operator()(trace::Diagnostic& e) const {
    for (std::string* text : {&e.kind, &e.message, &e.source.file}) make_printable(*text);
    for (std::string& detail : e.details) make_printable(detail);
    for (trace::OtherAccess& other : e.against)
      for (std::string* text : {&other.ptx, &other.source.file}) make_printable(*text);
  }
  void operator()(trace::Step& e) const {
    for (std::string* text : {&e.ptx, &e.source.file}) make_printable(*text);
    for (trace::Write& write : e.writes)
      for (std::string* text : {&write.name, &write.watch}) make_printable(*text);
  }
  void operator()(trace::Access& e) const { make_printable(e.instruction); }
  void operator()(trace::Sync& e) const {
    for (std::string* text : {&e.action, &e.object, &e.source.file}) make_printable(*text);
  }
};

}  // namespace

void make_printable(trace::Trace& trace) {
  trace::Header& header = trace.header;
  for (std::string* text : {&header.device, &header.arch, &header.program, &header.command})
    make_printable(*text);
  for (trace::Event& event : trace.events) std::visit(MakePrintable{}, event);
}

}  // namespace lanescope::cli
