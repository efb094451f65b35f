// SPDX-License-Identifier: MIT
// A lesson's page beside the picture: its headings, tables and blocks, line after line. What
// stands in between, and what is clicked of it: lesson_paragraph.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "panels/lesson/lesson_links.hpp"
#include "panels/lesson/lesson_paragraph.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

class Lesson {
 public:
  Lesson(Workspace& ws, const Look& look)
      : ws_(ws), look_(look), number_(lesson_number(ws.model.trace.header.program)) {}

  void draw(const Document& document) {
    for (const std::string& line : document.lines) {
      if (line.starts_with("```")) {
        flush();
        fenced_ = !fenced_;
        continue;
      }
      if (fenced_ || line.starts_with("    ")) {
        if (code_.empty()) flush();
        code_.push_back(line);
        continue;
      }
      if (!code_.empty()) flush();
      if (!line.starts_with("|")) columns_.clear();
      if (line.starts_with("|")) {
        flush();
        row(line);
      } else if (line.starts_with("#")) {
        flush();
        heading(line);
      } else if (line.find_first_not_of(' ') == std::string::npos) {
        flush();
        gap(look_, 0.3f);
      } else if (line.starts_with("- ") || line.starts_with("* ")) {
        flush();
        paragraph_ = "\u2022  " + line.substr(2);
      } else if (is_numbered(line)) {
        flush();
        paragraph_ = line;
      } else {
        paragraph_ += (paragraph_.empty() ? "" : " ") + line.substr(line.find_first_not_of(' '));
      }
    }
    flush();
  }

 private:
  // The lines of a paragraph are one text that wraps at the panel's edge; those of a block stay as
  // they are.
  void flush() {
    if (!paragraph_.empty())
      draw_paragraph(ws_, look_, lesson_spans(paragraph_, number_),
                     ImGui::GetContentRegionAvail().x);
    paragraph_.clear();
    if (!code_.empty()) block();
    code_.clear();
  }

  // What is wider than the page is moved sideways alone: the words around it stay.
  void block() {
    float widest = 0;
    for (const std::string& line : code_)
      widest = std::max(widest, text_width(look_.fonts.mono, line));
    const bool wide = widest > ImGui::GetContentRegionAvail().x;
    if (wide) {
      const ImGuiStyle& style = ImGui::GetStyle();
      const float lines = (look_.fonts.mono.size + style.ItemSpacing.y) * float(code_.size());
      const std::string id = fmt::format("block {}", ImGui::GetCursorPosY());
      begin_child(id.c_str(), ImVec2(0, lines + style.ScrollbarSize), false,
                  ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    }
    for (const std::string& line : code_) code(line);
    if (!wide) return;
    end_at_cursor();
    ImGui::EndChild();
  }

  // A line of it; a command that the window can obey leads there.
  void code(const std::string& line) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const LessonLink link = link_of(std::string_view(line).substr(begin), number_);
    if (link.to == LessonLink::To::nowhere) return text(look_.fonts.mono, look_.theme.code, line);
    const std::size_t comment = std::min(line.find(" #"), line.size());
    const std::size_t end = line.find_last_not_of(' ', comment == 0 ? 0 : comment - 1) + 1;
    const std::string command = line.substr(0, end);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    text(look_.fonts.mono, look_.theme.code,
         std::string(end, ' ') + line.substr(end));  // the comment, where it stands
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(at);
    draw_paragraph(ws_, look_, {{command, Ink::code, link}}, 1e6f);
    ImGui::SetCursorScreenPos(after);
  }

  // A line of a table: what it is about, then the rest, below each other.
  void row(const std::string& line) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.empty()) return;
    if (cells[0].empty()) columns_ = cells;  // its lines have names, and its columns as well
    if (cells[0].find_first_not_of("-: ") == std::string::npos) return;
    const float width = ImGui::GetContentRegionAvail().x;
    text(look_.fonts.mono, look_.theme.code, plain(cells[0]), width);
    const std::string rest = behind_first(cells, columns_);
    if (rest.empty()) return;
    ImGui::Indent(look_.em);
    draw_paragraph(ws_, look_, lesson_spans(rest, number_), width - look_.em);
    if (ws_.probes != nullptr) probe(ws_, "row: " + plain(rest));
    ImGui::Unindent(look_.em);
  }

  void heading(const std::string& line) {
    const std::size_t level = line.find_first_not_of('#');
    const std::string words = plain(level == std::string::npos ? "" : line.substr(level + 1));
    gap(look_, 0.3f);
    text(look_.fonts.strong, level == 1 ? look_.theme.accent : look_.theme.text, words,
         ImGui::GetContentRegionAvail().x);
  }

  Workspace& ws_;
  const Look& look_;
  int number_;
  std::string paragraph_;
  std::vector<std::string> code_, columns_;
  bool fenced_ = false;  // between ``` and ```
};

}  // namespace

void draw_lesson(Workspace& ws, const Look& look) { Lesson(ws, look).draw(ws.lesson); }

}  // namespace lanescope::viz
