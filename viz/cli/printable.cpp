// SPDX-License-Identifier: MIT
#include "cli/printable.hpp"

#include <variant>

namespace lanescope::cli {
namespace {

void make_printable(std::string& text) {
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = '?';
}

struct MakePrintable {
  void operator()(trace::View& e) const {
    make_printable(e.title);
    make_printable(e.caption);
  }
  void operator()(trace::Launch& e) const { make_printable(e.kernel); }
  void operator()(trace::Fragment& e) const {
    for (std::string* text : {&e.name, &e.instruction, &e.operand, &e.source.file})
      make_printable(*text);
  }
  void operator()(trace::Memory& e) const {
    for (std::string* text : {&e.name, &e.type}) make_printable(*text);
  }
  void operator()(trace::Diagnostic& e) const {
    for (std::string* text : {&e.kind, &e.message, &e.source.file}) make_printable(*text);
    for (std::string& detail : e.details) make_printable(detail);
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
