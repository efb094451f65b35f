// SPDX-License-Identifier: MIT
// The line below the cross: what a cell's number and colour say, what the frames are around, and
// what to do next. For who sees the window for the first time; it is there all the time.
#include <fmt/format.h>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

enum class Mark { none, selected, lane, line, wrong };

struct Piece {
  Mark mark = Mark::none;
  std::string words;
};

std::string cells_say(const Workspace& ws, Labelled labelled, const char* holder) {
  if (labelled == Labelled::second)
    return fmt::format("in a cell: its {}; + zooms in to the {}",
                       ws.labels == LabelMode::reg ? "register" : "value", holder);
  if (labelled == Labelled::no) return fmt::format("colour: its {}; + zooms in to numbers", holder);
  switch (ws.labels) {
    case LabelMode::reg:
      return fmt::format("in a cell: its {} and register", holder);
    case LabelMode::value:
      return fmt::format("number: its value, colour: its {}", holder);
    case LabelMode::hex:
      return fmt::format("digits: its bits, colour: its {}", holder);
    case LabelMode::both:
      return fmt::format("in a cell: its {} and value", holder);
    default:
      return fmt::format("number and colour: its {}", holder);
  }
}

// Of the element under the pointer, whatever is selected; else of the selected one.
std::string line_says(const Workspace& ws, const Multiplication& in) {
  const bool selected = ws.selection.picked == Picked::element;
  const char of = ws.hover.operand != 0 ? ws.hover.operand : selected ? ws.selection.operand : '\0';
  if (of == '\0') return {};
  if (of == 'C' || of == 'D') return in.is_drawn('A') || in.is_drawn('B') ? "what makes it" : "";
  return in.map('B') == nullptr ? "what it makes" : "meets it, or is made";
}

std::vector<Piece> pieces(Workspace& ws, const Multiplication& in, Labelled labelled) {
  const char* holder = holder_word(in);
  std::vector<Piece> all{{Mark::none, cells_say(ws, labelled, holder)}};
  const Selection& s = ws.selection;
  if (s.picked == Picked::nothing)
    all.push_back({Mark::none, fmt::format("click a cell or a {}", holder)});
  else if (const ShownVerdict* said = marked_verdict(ws, in);
           said != nullptr && !said->wrong.empty())
    all.push_back({Mark::wrong, "not where it belongs"});
  if (s.picked == Picked::element) {
    all.push_back({Mark::selected, "selected"});
    all.push_back({Mark::lane, fmt::format("same {}", holder)});
  } else if (s.picked != Picked::nothing) {
    all.push_back({Mark::lane, s.picked == Picked::lane
                                   ? fmt::format("what {} holds", holder_name(in, s.thread))
                                   : std::string("what the register holds")});
  }
  if (const std::string line = line_says(ws, in); !line.empty()) all.push_back({Mark::line, line});
  return all;
}

}  // namespace

void draw_legend(Workspace& ws, const Multiplication& in, const Look& look, Labelled labelled,
                 Box box) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& font = look.fonts.text;
  const float em = look.em;
  const float mark = 0.8f * em, between = 1.3f * em;
  const auto width = [&](const Piece& piece) {
    return text_width(font, piece.words) + (piece.mark == Mark::none ? 0 : mark + 0.4f * em);
  };
  const std::vector<Piece> all = pieces(ws, in, labelled);
  float left = box.left;
  const float top = std::round(box.top + (box.height - font.size) / 2);
  // Most important first: what has no room any more is left out.
  for (const Piece& piece : all) {
    if (left + width(piece) > box.left + box.width) break;
    if (piece.mark != Mark::none) {
      const float low = std::round(box.top + (box.height - mark) / 2);
      const float wide = piece.mark == Mark::line ? mark * 1.6f : mark;
      const Rgb ink = piece.mark == Mark::selected ? look.theme.outline
                      : piece.mark == Mark::lane   ? look.theme.accent
                                                   : look.theme.text;
      if (piece.mark == Mark::wrong)
        draw->AddTriangleFilled(ImVec2(left, low), ImVec2(left + mark, low),
                                ImVec2(left + mark, low + mark), colour(look.theme.bad));
      else
        draw->AddRect(ImVec2(left, low), ImVec2(left + wide, low + mark), colour(ink), 3, 0,
                      piece.mark == Mark::line ? 1.0f : 0.13f * em);
      left += wide + 0.4f * em;
    }
    text_at(draw, font, ImVec2(left, top), look.theme.dim, piece.words);
    if (ws.probes != nullptr) probe(ws, fmt::format("legend: {}", piece.words), box);
    left += text_width(font, piece.words) + between;
  }
  probe(ws, "legend", box);
}

}  // namespace lanescope::viz
