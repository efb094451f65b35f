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
  std::string words, brief;  // where there is no room for all of them
};

// What `cells_say` says, without the colour: it is the same in every mode.
std::string cells_say_briefly(const Workspace& ws, Labelled labelled, const char* holder) {
  if (labelled == Labelled::no) return "+ zooms in";
  if (labelled == Labelled::second)
    return fmt::format("{}; + zooms in", ws.labels == LabelMode::reg ? "register" : "value");
  switch (ws.labels) {
    case LabelMode::reg:
      return fmt::format("{}, register", holder);
    case LabelMode::value:
      return "number: value";
    case LabelMode::hex:
      return "digits: bits";
    case LabelMode::both:
      return fmt::format("{}, value", holder);
    default:
      return fmt::format("number: {}", holder);
  }
}

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
Piece line_says(const Workspace& ws, const Multiplication& in) {
  const bool selected = ws.selection.picked == Picked::element;
  const char of = ws.hover.operand != 0 ? ws.hover.operand : selected ? ws.selection.operand : '\0';
  if (of == '\0') return {};
  const bool result = of == 'C' || of == 'D';
  if (result && !in.is_drawn('A') && !in.is_drawn('B')) return {};
  if (result) return {Mark::line, "what makes it", "makes it"};
  if (in.map('B') == nullptr) return {Mark::line, "what it makes", "it makes"};
  return {Mark::line, "meets it, or is made", "meets it"};
}

std::vector<Piece> pieces(Workspace& ws, const Multiplication& in, Labelled labelled) {
  const char* holder = holder_word(in);
  std::vector<Piece> all{
      {Mark::none, cells_say(ws, labelled, holder), cells_say_briefly(ws, labelled, holder)}};
  const auto add = [&](Mark mark, const std::string& words, const std::string& brief = {}) {
    all.push_back({mark, words, brief.empty() ? words : brief});
  };
  const Selection& s = ws.selection;
  if (s.picked == Picked::nothing)
    add(Mark::none, fmt::format("click a cell or a {}", holder));
  else if (const ShownVerdict* said = marked_verdict(ws, in);
           said != nullptr && !said->wrong.empty())
    add(Mark::wrong, "not where it belongs", "misplaced");
  if (s.picked == Picked::element) {
    add(Mark::selected, "selected");
    add(Mark::lane, fmt::format("same {}", holder));
  } else if (s.picked != Picked::nothing) {
    add(Mark::lane, s.picked == Picked::lane
                        ? fmt::format("what {} holds", holder_name(in, s.thread))
                        : std::string("what the register holds"));
  }
  if (Piece line = line_says(ws, in); !line.words.empty()) all.push_back(std::move(line));
  return all;
}

}  // namespace

void draw_legend(Workspace& ws, const Multiplication& in, const Look& look, Labelled labelled,
                 Box box) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& font = look.fonts.text;
  const float em = look.em;
  const float mark = 0.8f * em;
  float between = 1.3f * em;
  const auto width = [&](const Piece& piece) {
    const float frame = mark * (piece.mark == Mark::line ? 1.6f : 1.0f) + 0.4f * em;
    return text_width(font, piece.words) + (piece.mark == Mark::none ? 0 : frame);
  };
  std::vector<Piece> all = pieces(ws, in, labelled);
  float needed = -between;
  for (const Piece& piece : all) needed += width(piece) + between;
  if (needed > box.width) {
    between = 0.9f * em;
    for (Piece& piece : all) piece.words = piece.brief;
  }
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
