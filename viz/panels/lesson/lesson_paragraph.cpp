// SPDX-License-Identifier: MIT
// A paragraph of a lesson: its words in the fonts that they ask for, its elements and commands to
// be clicked. What they lead to: lesson_links.hpp.
#include "panels/lesson/lesson_paragraph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

/// A word, or a part of one, where it is drawn; of a span.
struct WordPiece {
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
  std::vector<WordPiece> done() {
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
      WordPiece& piece = pieces_[begun_];
      if (wide > width_) break_before(piece.width);
      piece.at = at_;
      at_.x += piece.width;
    }
  }

  float width_, height_;
  std::vector<WordPiece> pieces_;
  ImVec2 at_{0, 0};
  std::size_t begun_ = 0;  // the first piece of the word that is not yet ended
  float space_ = 0;        // before that word
};

/// A span's pieces beside each other touch: what is between them is of the span, too.
void close_gaps(std::vector<WordPiece>& pieces) {
  for (std::size_t k = 0; k + 1 < pieces.size(); ++k)
    if (pieces[k].span == pieces[k + 1].span && pieces[k].at.y == pieces[k + 1].at.y)
      pieces[k].width = pieces[k + 1].at.x - pieces[k].at.x;
}

std::vector<WordPiece> laid_out(const Look& look, const std::vector<LessonSpan>& spans, float width,
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
  std::vector<WordPiece> pieces = lines.done();
  close_gaps(pieces);
  return pieces;
}

}  // namespace

void draw_paragraph(Workspace& ws, const Look& look, std::vector<LessonSpan> spans, float width) {
  for (LessonSpan& span : spans)
    if (!leads(ws, span.link)) span.link = {};
  const float line = look.fonts.text.size;
  const std::vector<WordPiece> pieces = laid_out(look, spans, width, line);
  if (pieces.empty()) return;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto box = [&](const WordPiece& piece) {
    return Box{origin.x + piece.at.x, origin.y + piece.at.y, piece.width, line};
  };
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const LessonLink* pointed = nullptr;
  if (ImGui::IsWindowHovered())
    for (const WordPiece& piece : pieces)
      if (spans[piece.span].link.to != LessonLink::To::nowhere &&
          box(piece).contains(mouse.x, mouse.y))
        pointed = &spans[piece.span].link;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const WordPiece& piece : pieces) {
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
  for (const WordPiece& piece : pieces) widest = std::max(widest, piece.at.x + piece.width);
  ImGui::Dummy(ImVec2(widest, pieces.back().at.y + line));
}

}  // namespace lanescope::viz
