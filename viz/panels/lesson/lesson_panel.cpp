// SPDX-License-Identifier: MIT
// A lesson's page beside the picture: its words in the fonts that they ask for, its elements and
// commands to be clicked. What they lead to: lesson_links.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "panels/lesson/lesson_links.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

/// A word, or a part of one, where it is drawn; of a span.
struct Piece {
  std::string_view words;
  std::size_t span = 0;
  ImVec2 at;  // from the paragraph's beginning
  float width = 0;
};

const Font& font_of(const Look& look, Ink ink) {
  return ink == Ink::code     ? look.fonts.mono
         : ink == Ink::strong ? look.fonts.strong
                              : look.fonts.text;
}

Rgb ink_of(const Look& look, const LessonSpan& span) {
  if (span.link.to != LessonLink::To::nowhere) return look.theme.link;
  return span.ink == Ink::code ? look.theme.code : look.theme.text;
}

/// How many bytes of a word fit into `width`; at least one.
std::size_t that_fit(const Font& font, std::string_view words, float width) {
  const char* rest = nullptr;
  font.font->CalcTextSizeA(font.size, width, 0, words.data(), words.data() + words.size(), &rest);
  return std::max<std::size_t>(1, static_cast<std::size_t>(rest - words.data()));
}

/// Words side by side as far as they fit, the rest below. A word may be of two spans, **so**; one
/// that is longer than a line is broken.
class Lines {
 public:
  Lines(float width, float height) : width_(width), height_(height) {}

  void space(float width) {
    end_word();
    space_ = at_.x > 0 ? width : 0;
  }
  void add(const Font& font, std::string_view words, std::size_t span) {
    while (!words.empty()) {
      const std::size_t count = that_fit(font, words, width_);
      const std::string_view piece = words.substr(0, count);
      pieces_.push_back({piece, span, {}, text_width(font, piece)});
      words.remove_prefix(count);
    }
  }
  std::vector<Piece> done() {
    end_word();
    return std::move(pieces_);
  }

 private:
  void break_before(float wide) {
    if (at_.x > 0 && at_.x + space_ + wide > width_) at_ = ImVec2(0, at_.y + height_), space_ = 0;
    at_.x += std::exchange(space_, 0.0f);
  }
  void end_word() {
    float wide = 0;
    for (std::size_t k = begun_; k < pieces_.size(); ++k) wide += pieces_[k].width;
    if (begun_ < pieces_.size()) break_before(std::min(wide, width_));
    for (; begun_ < pieces_.size(); ++begun_) {
      Piece& piece = pieces_[begun_];
      if (wide > width_) break_before(piece.width);
      piece.at = at_;
      at_.x += piece.width;
    }
  }

  float width_, height_;
  std::vector<Piece> pieces_;
  ImVec2 at_{0, 0};
  std::size_t begun_ = 0;  // the first piece of the word that is not yet ended
  float space_ = 0;        // before that word
};

/// A span's pieces beside each other touch: what is between them is of the span, too.
void close_gaps(std::vector<Piece>& pieces) {
  for (std::size_t k = 0; k + 1 < pieces.size(); ++k)
    if (pieces[k].span == pieces[k + 1].span && pieces[k].at.y == pieces[k + 1].at.y)
      pieces[k].width = pieces[k + 1].at.x - pieces[k].at.x;
}

std::vector<Piece> laid_out(const Look& look, const std::vector<LessonSpan>& spans, float width,
                            float height) {
  Lines lines(width, height);
  for (std::size_t k = 0; k < spans.size(); ++k) {
    const Font& font = font_of(look, spans[k].ink);
    const std::string_view words = spans[k].words;
    for (std::size_t begin = 0; begin < words.size();) {
      if (words[begin] == ' ') {
        lines.space(text_width(font, " "));
        ++begin;
        continue;
      }
      const std::size_t end = std::min(words.find(' ', begin), words.size());
      lines.add(font, words.substr(begin, end - begin), k);
      begin = end;
    }
  }
  std::vector<Piece> pieces = lines.done();
  close_gaps(pieces);
  return pieces;
}

/// Draws spans as a paragraph; what is clicked of them is noted.
void paragraph(Workspace& ws, const Look& look, std::vector<LessonSpan> spans, float width) {
  for (LessonSpan& span : spans)
    if (!leads(ws, span.link)) span.link = {};
  const float line = look.fonts.text.size;
  const std::vector<Piece> pieces = laid_out(look, spans, width, line);
  if (pieces.empty()) return;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto box = [&](const Piece& piece) {
    return Box{origin.x + piece.at.x, origin.y + piece.at.y, piece.width, line};
  };
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const LessonLink* pointed = nullptr;
  if (ImGui::IsWindowHovered())
    for (const Piece& piece : pieces)
      if (spans[piece.span].link.to != LessonLink::To::nowhere &&
          box(piece).contains(mouse.x, mouse.y))
        pointed = &spans[piece.span].link;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const Piece& piece : pieces) {
    const LessonSpan& span = spans[piece.span];
    const Font& font = font_of(look, span.ink);
    const Box b = box(piece);
    const Rgb ink = &span.link == pointed ? look.theme.text : ink_of(look, span);
    text_at(draw, font, ImVec2(b.left, std::floor(b.top + (line - font.size) / 2)), ink,
            piece.words);
    if (&span.link == pointed)
      draw->AddLine(ImVec2(b.left, b.top + line), ImVec2(b.left + b.width, b.top + line),
                    colour(ink));
    if (span.link.to == LessonLink::To::nowhere) continue;
    probe(ws, "link " + span.words, b);
    if (&piece != pieces.data() && (&piece - 1)->span == piece.span) continue;  // the same link
    const std::string id = fmt::format("{} {} {}", span.words, ImGui::GetCursorPosY(), piece.at.x);
    if (in_ring(ws, ImGui::GetID(id.c_str()), b)) ws.follow = span.link;
  }
  if (pointed != nullptr) {
    ws.hint = does(*pointed);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(0)) ws.follow = *pointed;
  }
  float widest = 0;
  for (const Piece& piece : pieces) widest = std::max(widest, piece.at.x + piece.width);
  ImGui::Dummy(ImVec2(widest, pieces.back().at.y + line));
}

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
      if (line.starts_with("|")) {
        flush();
        row(line);
      } else if (line.starts_with("#")) {
        flush();
        heading(line);
      } else if (line.empty()) {
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
      paragraph(ws_, look_, lesson_spans(paragraph_, number_), ImGui::GetContentRegionAvail().x);
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
    if (wide) ImGui::EndChild();
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
    paragraph(ws_, look_, {{command, Ink::code, link}}, 1e6f);
    ImGui::SetCursorScreenPos(after);
  }

  // A line of a table: what it is about, then the rest, below each other.
  void row(const std::string& line) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.empty() || cells[0].find_first_not_of("-: ") == std::string::npos) return;
    const float width = ImGui::GetContentRegionAvail().x;
    text(look_.fonts.mono, look_.theme.code, plain(cells[0]), width);
    std::string rest;
    for (std::size_t at = 1; at < cells.size(); ++at)
      rest += (rest.empty() ? "" : "; ") + cells[at];
    if (rest.empty()) return;
    ImGui::Indent(look_.em);
    paragraph(ws_, look_, lesson_spans(rest, number_), width - look_.em);
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
  std::vector<std::string> code_;
  bool fenced_ = false;  // between ``` and ```
};

}  // namespace

void draw_lesson(Workspace& ws, const Look& look) { Lesson(ws, look).draw(ws.lesson); }

}  // namespace lanescope::viz
