// SPDX-License-Identifier: MIT
// One frame: which panels there are on a page, and where they stand at this size of the window.
#include <algorithm>
#include <cmath>
#include <utility>

#include "panels/atlas/map_grids.hpp"
#include "panels/frame/arrangement.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// What is behind a panel: nothing, or a card; and what is too high for it is scrolled by the panel,
// or by a window of its own in it.
enum class Back { none, card, whole_card };

// A panel: a child window at its place.
template <class Draw>
void panel(const Look& look, const char* name, const Box& box, Back back, Draw draw) {
  const bool card = back != Back::none;
  if (box.width < 2 * look.em || box.height < look.em) return;
  ImGui::SetCursorPos(ImVec2(std::floor(box.left), std::floor(box.top)));
  const ImVec2 size(std::floor(box.width), std::floor(box.height));
  if (card) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 to(at.x + size.x, at.y + size.y);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, to, colour(look.theme.panel), 0.45f * look.em);
    list->AddRect(at, to, colour(look.theme.border), 0.45f * look.em);
  }
  const float pad = card ? 0.95f * look.em : 0;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, 0.8f * pad));
  const int scrolls =
      back == Back::card ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  begin_child(name, size, card,
              ImGuiWindowFlags_NoNav | (card ? scrolls : ImGuiWindowFlags_NoScrollbar));
  ImGui::PopStyleVar();
  draw();
  ImGui::EndChild();
}

bool has_extra_operands(const layout::Instruction& i) {
  for (const char operand : {'E', 'S', 'T'})
    if (const layout::Fragment* map = i.operand(operand)) return map->values > 0;
  return false;
}

// Beside the picture: the words of a trace, or what is known of an entry.
void draw_words(Workspace& ws, const Multiplication* in, const Look& look) {
  if (ws.page == Page::entry)
    scroll_by(ws.scroll_words), draw_entry(ws, look);
  else
    draw_text_panel(ws, in, look);
}

// The page of an entry is scrolled as a whole, the tabs of a trace's words stay.
Back words_back(const Workspace& ws) {
  return ws.page == Page::entry ? Back::card : Back::whole_card;
}

Box around(const Box& a, const Box& b) {
  if (b.width <= 0) return a;
  const float left = std::min(a.left, b.left), top = std::min(a.top, b.top);
  return {left, top, std::max(a.left + a.width, b.left + b.width) - left,
          std::max(a.top + a.height, b.top + b.height) - top};
}

// Who clicks into the picture wants to see what that is.
void end_reading(Workspace& ws, const Box& picture) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  const bool covered = ws.show_keys || ws.show_traces || ws.quiz.open;
  if (!covered && ImGui::IsMouseClicked(0) && picture.contains(at.x, at.y)) ws.reading = false;
}

void side(Workspace& ws, const Multiplication& in, const Look& look, const Box& box) {
  ws.registers_tab = false;
  const int thread = ws.selection.thread >= 0 ? ws.selection.thread : ws.hover_lane;
  if (thread < 0 || thread >= in.threads())
    return panel(look, "words", box, words_back(ws), [&] { draw_words(ws, &in, look); });
  if (box.height < 34 * look.em) {  // no room for both: the lane comes first
    if (ws.page == Page::entry)
      return panel(look, "registers", box, Back::whole_card,
                   [&] { draw_registers(ws, in, look, true); });
    ws.registers_tab = true;
    return panel(look, "words", box, Back::whole_card,
                 [&] { draw_text_panel(ws, &in, look, true); });
  }
  // The registers take what they need, but leave room to read in.
  float lines = 3.2f;
  for (const char operand : kOperands)
    if (const layout::Fragment* map = in.map(operand))
      lines +=
          static_cast<float>(map->registers() * std::max(map->values_per_register() / 2, 1)) + 0.3f;
  const float gap = 0.7f * look.em;
  const float most = std::max(box.height * 0.45f, box.height - gap - 20 * look.em);
  const float lower = std::min(lines * look.fonts.mono.size * 1.3f, most);
  const Box above{box.left, box.top, box.width, box.height - lower - gap};
  panel(look, "words", above, words_back(ws), [&] { draw_words(ws, &in, look); });
  panel(look, "registers", {box.left, box.top + box.height - lower, box.width, lower},
        Back::whole_card, [&] { draw_registers(ws, in, look, true); });
}

// The width at which the cross has readable labels.
float cross_width(Workspace& ws, const Look& look) {
  const Multiplication* in = ws.shown();
  if (in == nullptr) return 0;
  const Labels& made = labels(ws, *in);
  // A warpgroup stands beside its rows, where B is not above them: columns are all it has to
  // shrink.
  const bool stacked = in->threads() > 32 && !in->is_drawn('B');
  const float advance = text_width(look.fonts.cell[stacked ? 0 : 2], "0");
  const auto need = [&](char operand) {
    const layout::Fragment* map = in->map(operand);
    if (!in->is_drawn(operand)) return 0.0f;
    const Labels::Operand& o = made.operands[static_cast<std::size_t>(operand_index(operand))];
    const auto longest = static_cast<float>(std::max(o.longest_first, o.longest_second));
    return static_cast<float>(map->cols) * std::max(longest * advance + 3, 1.1f * look.em);
  };
  const float warps = stacked ? 13 * look.em : 0;
  return need('A') + std::max({need('B'), need('C'), need('D')}) + warps + 5 * look.em;
}

// How much of the width the left side asks for; without it the panels beside it go below.
float room_for(Workspace& ws, const MapView& view, const Look& look) {
  const float least = 46 * look.em;
  if (view.map != nullptr) return std::max(least, map_needs(view, look));
  if (ws.page == Page::swizzle) return least;
  return ws.page != Page::trace && ws.page != Page::entry ? 0 : cross_width(ws, look);
}

// The list of steps, the one that is chosen, its source.
void draw_steps_view(Workspace& ws, const Look& look, const Box& whole) {
  const StepsArrangement a = arrange_steps(whole, look.em, ws.steps_have_source(), ws.wider);
  const auto words = [&] { draw_text_panel(ws, nullptr, look); };
  panel(look, "scrub", a.scrub, Back::none, [&] { draw_scrub(ws, look); });
  if (!ws.reading) draw_split(ws, look, a.split);
  panel(look, "step list", a.list, Back::whole_card, [&] { draw_step_list(ws, look); });
  end_reading(ws, {whole.left, whole.top, a.list.width, a.list.top + a.list.height - whole.top});
  if (ws.reading) return panel(look, "words", around(a.step, a.words), Back::whole_card, words);
  panel(look, "step", a.step, Back::card, [&] { draw_step(ws, look); });
  if (a.words.width > 0) panel(look, "words", a.words, Back::whole_card, words);
}

// Memory or the pipeline: the picture, beside it what is picked in it and the lesson's words.
void draw_picture_view(Workspace& ws, const Look& look, const Box& whole) {
  const bool memory = ws.shows == Shows::memory, lesson = !ws.lesson.lines.empty();
  const PictureArrangement a = arrange_picture(whole, look.em, lesson, ws.wider);
  const auto words = [&] { draw_text_panel(ws, nullptr, look); };
  draw_split(ws, look, a.split);
  panel(look, "picture", a.picture, Back::none,
        [&] { memory ? draw_memory(ws, look) : draw_pipeline(ws, look); });
  end_reading(ws, a.picture);
  if (ws.reading && lesson)
    return panel(look, "words", around(a.inspector, a.words), Back::whole_card, words);
  panel(look, "inspector", a.inspector, Back::card, [&] {
    scroll_by(ws.scroll_facts);
    memory ? draw_memory_inspector(ws, look) : draw_pipeline_inspector(ws, look);
  });
  if (a.words.width > 0) panel(look, "words", a.words, Back::whole_card, words);
}

// What a trace shows besides fragments.
void draw_trace_view(Workspace& ws, const Look& look, const Box& whole) {
  if (const std::string why = why_nothing(ws); !why.empty())
    return panel(look, "nothing", whole, Back::card, [&] {
      text(look.fonts.text, look.theme.dim, why, ImGui::GetContentRegionAvail().x);
      probe(ws, "nothing");
    });
  ws.shows == Shows::steps ? draw_steps_view(ws, look, whole) : draw_picture_view(ws, look, whole);
}

// Left of the inspector: the cross, or one operand seen from both sides.
void matrices(Workspace& ws, const MapView& view, const Look& look, const Box& box) {
  const Multiplication* in = ws.shown();
  const bool several = in != nullptr && has_extra_operands(*in->instruction);
  Box below = box;
  if (several) {
    const float line = std::min(2.5f * look.em, box.height);
    const float indent = look.em;
    panel(look, "operands", {box.left + indent, box.top, box.width - indent, line}, Back::none,
          [&] { draw_operand_switch(ws, look); });
    below = {box.left, box.top + line, box.width, box.height - line};
  }
  panel(look, "matrices", below, Back::none, [&] {
    if (view.map != nullptr)
      draw_map(ws, view, look);
    else
      draw_cross(ws, *in, look);
  });
}

// Two columns: the inspector takes what the side has, too, but for what the tile lacks.
void draw_swizzle_page(Workspace& ws, const Look& look, const Arrangement& a) {
  const float gap_px = 0.7f * look.em, least = 19 * look.em;
  Box left = a.cross, right = a.inspector;
  if (a.side.top == a.inspector.top && a.side.width > 0) left.width += a.side.width + gap_px;
  if (a.side.top == a.inspector.top && a.side.width > 0)
    right.left = a.side.left - (right.width - a.side.width);
  if (a.side.top > a.inspector.top) right.height += a.side.height + gap_px;
  left.left += look.em;
  left.width -= look.em;
  const float lacks = swizzle_width(ws.swizzle, look.em) - left.width;
  if (lacks > 0 && right.top == left.top && right.width - lacks >= least)
    left.width += lacks, right.left += lacks, right.width -= lacks;
  panel(look, "swizzle", left, Back::none, [&] { draw_swizzle(ws, look); });
  panel(look, "inspector", right, Back::card, [&] {
    scroll_by(ws.scroll_facts);
    draw_swizzle_inspector(ws, look);
  });
}

void draw_page(Workspace& ws, const MapView& view, const Look& look, const Arrangement& a) {
  const Box whole{look.em, a.cross.top, a.bar.width - 2 * look.em,
                  a.status.top - a.cross.top - 0.2f * look.em};
  const float gap_px = 0.7f * look.em;
  if (ws.page == Page::atlas)
    return panel(look, "atlas", whole, Back::none, [&] { draw_atlas(ws, look); });
  if (ws.page == Page::compare)
    return panel(look, "compare", whole, Back::none, [&] { draw_compare(ws, look); });
  if (ws.page == Page::swizzle) return draw_swizzle_page(ws, look, a);
  if (ws.page == Page::descriptor) {
    const bool wide = whole.width > 56 * look.em;
    const float form = std::min(wide ? 33 * look.em : whole.width, whole.width);
    const float upper = wide ? whole.height : whole.height * 0.62f;
    panel(look, "form", {whole.left - 0.3f * look.em, whole.top, form, upper}, Back::card, [&] {
      scroll_by(ws.scroll_facts);
      draw_descriptor_form(ws, look);
    });
    const Box grid =
        wide ? Box{whole.left + form + gap_px, whole.top, whole.width - form - gap_px, whole.height}
             : Box{whole.left, whole.top + upper + gap_px, whole.width,
                   whole.height - upper - gap_px};
    return panel(look, "fetched", grid, Back::none, [&] { draw_fetch(ws, look); });
  }
  if (ws.page == Page::trace && ws.shows != Shows::fragments)
    return draw_trace_view(ws, look, whole);
  const Multiplication* in = ws.shown();
  if (in == nullptr && view.map == nullptr)
    return panel(look, "words", whole, Back::whole_card,
                 [&] { draw_text_panel(ws, nullptr, look); });
  draw_split(ws, look, a.split);
  matrices(ws, view, look, a.cross);
  end_reading(ws, a.cross);
  if (ws.reading && ws.page == Page::trace && view.map == nullptr) {
    ws.registers_tab = false;
    return panel(look, "words", around(a.inspector, a.side), words_back(ws),
                 [&] { draw_words(ws, in, look); });
  }
  panel(look, "inspector", a.inspector, Back::card, [&] {
    scroll_by(ws.scroll_facts);
    if (view.map != nullptr)
      draw_map_inspector(ws, view, look);
    else
      draw_inspector(ws, *in, look);
  });
  if (in != nullptr && view.map == nullptr) return side(ws, *in, look, a.side);
  panel(look, "words", a.side, words_back(ws), [&] { draw_words(ws, in, look); });
}

void strip(const Look& look, const Box& box, bool line_below) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(box.left, box.top), ImVec2(box.left + box.width, box.top + box.height),
                      colour(look.theme.panel));
  const float edge = line_below ? box.top + box.height - 1 : box.top;
  draw->AddRectFilled(ImVec2(box.left, edge), ImVec2(box.left + box.width, edge + 1),
                      colour(look.theme.border));
}

}  // namespace

void draw_workspace(Workspace& ws, const Fonts& fonts) {
  const Look look{theme(ws.dark), fonts, fonts.text.size};
  if (ws.probes != nullptr) ws.probes->boxes.clear();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  go_on(ws, ImGui::GetIO().DeltaTime);
  begin_ring(ws, 2.9f * look.em);
  // The buttons at a mouse's side, as in a browser.
  const bool covered = ws.show_keys || ws.show_traces || ws.quiz.open;
  if (!covered && ImGui::IsMouseClicked(3)) go_back(ws, -1);
  if (!covered && ImGui::IsMouseClicked(4)) go_back(ws, 1);
  if (!ws.searching && !ws.focus_search) handle_keys(ws);
  ws.hint.clear();
  if (const LessonLink link = std::exchange(ws.follow, {}); link.to != LessonLink::To::nowhere)
    follow(ws, link);
  ws.searching = false;  // until a field says that it is typed into
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("workspace", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBackground |  // the frame was cleared with that colour
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const MapView view = map_view(ws);
  const Arrangement a = arrange(size, look.em, room_for(ws, view, look), ws.wider);
  strip(look, a.bar, true);
  strip(look, a.status, false);
  panel(look, "bar", a.bar, Back::none, [&] { draw_bar(ws, look); });
  ws.focus_search = false;  // a window too small for the box must not wait for it
  draw_page(ws, view, look, a);
  panel(look, "status", a.status, Back::none, [&] { draw_status(ws, look); });
  ws.scroll_words = ws.scroll_facts = 0;
  ws.words_shown = std::exchange(ws.words_drawn, false);
  ImGui::End();
  if (ws.show_traces) draw_trace_list(ws, look);
  if (ws.quiz.open) draw_quiz(ws, look);
  if (ws.show_keys) draw_keys(ws, look);
  note_visit(ws);
}

}  // namespace lanescope::viz
