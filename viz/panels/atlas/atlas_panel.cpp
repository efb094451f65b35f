// SPDX-License-Identifier: MIT
// The list of the atlas: facets at the left, the entries at the right. Thousands of lines cost
// nothing: only those in sight are drawn.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "layout/query.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// One facet: a heading and its choices; a click on the chosen one gives it up.
void facet(Workspace& ws, const Look& look, const char* name, const std::vector<Choice>& all,
           std::string& chosen, int columns) {
  text(look.fonts.text, look.theme.dim, name);
  gap(look, 0.05f);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float width = std::floor(ImGui::GetContentRegionAvail().x / static_cast<float>(columns));
  const float height = 1.5f * look.em;
  const float left = ImGui::GetCursorPosX();
  float top = ImGui::GetCursorPosY();
  ImGui::PushID(name);
  for (std::size_t at = 0; at < all.size(); ++at) {
    const Choice& choice = all[at];
    const bool now = chosen == choice.name;
    const int column = static_cast<int>(at) % columns;
    ImGui::SetCursorPos(ImVec2(left + width * static_cast<float>(column), top));
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(choice.name.c_str(), ImVec2(width - 3, height)))
      chosen = now ? "" : choice.name;
    probe(ws, fmt::format("{} {}", name, choice.name));
    if (now || ImGui::IsItemHovered())
      draw->AddRectFilled(corner, ImVec2(corner.x + width - 3, corner.y + height),
                          colour(now ? look.theme.chosen : look.theme.raised), 0.28f * look.em);
    const float baseline = corner.y + (height - look.fonts.mono.size) / 2;
    text_at(draw, look.fonts.mono, ImVec2(corner.x + 0.5f * look.em, baseline),
            now ? text_on(look.theme.chosen) : look.theme.text, choice.name);
    const std::string count = fmt::format("{}", choice.count);
    const Font& small = look.fonts.cell[3];
    const float count_left = corner.x + width - 3 - 0.5f * look.em - text_width(small, count);
    if (count_left > corner.x + 0.8f * look.em + text_width(look.fonts.mono, choice.name))
      text_at(draw, small, ImVec2(count_left, corner.y + (height - small.size) / 2),
              now ? text_on(look.theme.chosen) : look.theme.faint, count);
    if (column == columns - 1 || at + 1 == all.size()) top += height + 2;
  }
  ImGui::PopID();
  ImGui::SetCursorPos(ImVec2(left, top));
  gap(look, 0.45f);
}

void facets(Workspace& ws, const Look& look) {
  AtlasFilter& filter = ws.atlas.filter;
  const int columns = ImGui::GetContentRegionAvail().x > 15 * look.em ? 2 : 1;
  facet(ws, look, "family", families(), filter.family, columns);
  facet(ws, look, "type", types(), filter.type, columns);
  facet(ws, look, "arch", arches(), filter.arch, columns);
}

Rgb standing_ink(const Theme& t, layout::Standing standing) {
  return standing == layout::Standing::verified    ? t.good
         : standing == layout::Standing::specified ? t.dim
                                                   : t.warn;
}

// The mnemonic with the words that were looked for in another colour.
void mnemonic(Workspace& ws, const Look& look, int index, ImVec2 at, std::string_view name,
              float room) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Font& font = look.fonts.mono;
  const float advance = text_width(font, "0");
  const std::string shown =
      shortened_mnemonic(name, static_cast<std::size_t>(std::max(room, 0.0f) / advance));
  text_at(draw, font, at, look.theme.text, shown);
  if (ws.probes != nullptr) probe(ws, fmt::format("entry {} as {}", index, shown), {});
  const std::string_view words = ws.atlas.filter.words;
  for (std::size_t from = 0; from < words.size();) {
    const std::size_t end = std::min(words.find(' ', from), words.size());
    const std::string_view word = words.substr(from, end - from);
    from = end + 1;
    if (word.empty()) continue;
    const std::size_t found = layout::place_of(shown, word);
    if (found == std::string_view::npos) continue;
    const float before = text_width(font, std::string_view(shown).substr(0, found));
    text_at(draw, font, ImVec2(at.x + before, at.y), look.theme.accent,
            std::string_view(shown).substr(found, word.size()));
  }
}

// Where the columns behind the name stand, from the right: of the heading and of every line,
// whether the list has a scrollbar or not. ems 0: no room for it.
struct Column {
  const char* name;
  float ems, left;
};
using Columns = std::array<Column, 3>;

Columns columns_of(const Look& look, float left, float width) {
  Columns all{{{"standing", 5, 0}, {"since", 4.4f, 0}, {"runs from", 12.5f, 0}}};
  if (width <= 55 * look.em) all[2].ems = 4.2f;
  float right = left + width - 0.8f * look.em - ImGui::GetStyle().ScrollbarSize;
  for (Column& column : all) {
    if (right - left - column.ems * look.em < 22 * look.em) column.ems = 0;
    right -= column.ems * look.em;
    column.left = right;
  }
  return all;
}

void line(Workspace& ws, const Look& look, const Columns& columns, int index, const Entry& entry,
          float height) {
  AtlasState& atlas = ws.atlas;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  // Behind the name of a line under the pointer or the keys: beside the one that was open last.
  const float word = text_width(look.fonts.text, "beside");
  const float beside_left = columns.back().left - 1.4f * look.em - word;
  const bool may_stand_beside = !atlas.entry.empty() && !(atlas.entry == entry);
  ImGui::PushID(index);
  const bool clicked = ImGui::InvisibleButton("entry", ImVec2(std::max(width, 1.0f), height));
  ImGui::PopID();
  const float pointed = ImGui::GetIO().MousePos.x;
  const bool on_beside = may_stand_beside && ImGui::IsItemHovered() && pointed > beside_left &&
                         pointed < beside_left + word;
  if (clicked) {
    atlas.row = index;
    (on_beside ? ws.beside_request : ws.open_entry_request) = index;
  }
  probe(ws, fmt::format("entry {}", index));
  if (may_stand_beside)
    probe(ws, fmt::format("entry {} beside", index), {beside_left, at.y, word, height});
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const bool here = index == atlas.row;
  if (here || ImGui::IsItemHovered())
    draw->AddRectFilled(at, ImVec2(at.x + width, at.y + height), colour(look.theme.raised),
                        0.28f * look.em);
  if (here)
    draw->AddRectFilled(at, ImVec2(at.x + 0.2f * look.em, at.y + height), colour(look.theme.accent),
                        0.1f * look.em);
  const float baseline = at.y + (height - look.fonts.mono.size) / 2;
  const float pad = 0.8f * look.em;
  const std::string_view standing = layout::name(entry.standing());  // its first word
  const std::string since = fmt::format("PTX {}", entry.ptx());
  const std::array<std::pair<std::string_view, Rgb>, 3> words{
      {{standing.substr(0, standing.find(' ')), standing_ink(look.theme, entry.standing())},
       {since, look.theme.faint},
       {entry.target(), look.theme.dim}}};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& column = columns[k];
    if (column.ems == 0) continue;
    text_at(draw, look.fonts.text, ImVec2(column.left, baseline), words[k].second,
            fitted(look.fonts.text, words[k].first, (column.ems - 0.6f) * look.em));
    probe(ws, fmt::format("entry {} {}", index, column.name),
          {column.left, at.y, column.ems * look.em, height});
  }
  const bool with_word = may_stand_beside && (here || ImGui::IsItemHovered());
  mnemonic(ws, look, index, ImVec2(at.x + pad, baseline), entry.mnemonic(),
           (with_word ? beside_left - pad : columns.back().left) - at.x - 1.4f * look.em);
  if (with_word)
    text_at(draw, look.fonts.text, ImVec2(beside_left, baseline),
            on_beside ? look.theme.text : look.theme.link, "beside");
}

void nothing(Workspace& ws, const Look& look) {
  const float width = ImGui::GetContentRegionAvail().x;
  AtlasState& atlas = ws.atlas;
  const std::string why = layout::not_in_atlas(atlas.filter.words);
  text(look.fonts.text, look.theme.warn,
       why.empty() ? "No instruction of the atlas is like that." : "Not in the atlas: " + why,
       width);
  if (!atlas.filter.family.empty() || !atlas.filter.type.empty() || !atlas.filter.arch.empty()) {
    gap(look, 0.3f);
    if (button(look, "every", "search every family, type and arch"))
      atlas.filter = {atlas.filter.words, "", "", ""};
    probe(ws, "every");
  }
  gap(look, 0.3f);
  text(look.fonts.text, look.theme.dim,
       "PTX names, parts of them, and what others call them: m16n8k16 bf16, fp8 16x8, sparse int8, "
       "HMMA.16816.F32, SM80_16x8x16_F32F16F16F32_TN, LDSM.",
       width);
  if (atlas.near.empty() || !why.empty()) return;
  gap(look, 0.5f);
  text(look.fonts.text, look.theme.dim, "Near it:");
  for (std::size_t at = 0; at < atlas.near.size(); ++at) {
    const std::string name = atlas.near[at];
    ImGui::PushID(static_cast<int>(at));
    if (button(look, "near", name)) ws.open_near_request = static_cast<int>(at);
    ImGui::PopID();
    probe(ws, fmt::format("near {}", at));
  }
}

void list(Workspace& ws, const Look& look) {
  AtlasState& atlas = ws.atlas;
  const std::vector<Entry>& found = found_entries(ws);
  text(look.fonts.text, look.theme.dim,
       found.size() == entry_count()
           ? fmt::format("{} entries", found.size())
           : fmt::format("{} of {} entries", found.size(), entry_count()));
  const ImVec2 at = ImGui::GetItemRectMin();
  const Columns columns = columns_of(look, at.x, ImGui::GetContentRegionAvail().x);
  for (const Column& column : columns) {
    if (found.empty() || column.ems == 0) continue;
    text_at(ImGui::GetWindowDrawList(), look.fonts.text, ImVec2(column.left, at.y), look.theme.dim,
            fitted(look.fonts.text, column.name, (column.ems - 0.2f) * look.em));
    probe(ws, fmt::format("column {}", column.name),
          {column.left, at.y, column.ems * look.em, look.em});
  }
  gap(look, 0.1f);
  begin_child("entries", ImVec2(0, 0), false, ImGuiWindowFlags_NoNav);
  if (found.empty()) nothing(ws, look);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float height = std::floor(1.7f * look.em);
  if (std::exchange(atlas.reveal, false)) scroll_to_line(atlas.row, height);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found.size()), height);
  while (clipper.Step())
    for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at)
      line(ws, look, columns, at, found[static_cast<std::size_t>(at)], height);
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace

void draw_atlas(Workspace& ws, const Look& look) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float wide = std::clamp(room.x * 0.22f, 10 * look.em, 21 * look.em);
  if (room.x > 30 * look.em) {
    begin_child("facets", ImVec2(wide, 0), false, ImGuiWindowFlags_NoNav);
    facets(ws, look);
    ImGui::EndChild();
    ImGui::SameLine(0, 1.2f * look.em);
  }
  // On a wide window the columns stay near the names.
  const float list_width = std::min(ImGui::GetContentRegionAvail().x, 84 * look.em);
  begin_child("list", ImVec2(list_width, 0), false, ImGuiWindowFlags_NoNav);
  list(ws, look);
  ImGui::EndChild();
  // Opened when all is drawn: the list may not change under the clipper.
  if (ws.open_entry_request >= 0) {
    const auto at = static_cast<std::size_t>(ws.open_entry_request);
    if (at < ws.atlas.found.size()) open_entry(ws, Entry(ws.atlas.found[at]));
  } else if (ws.open_near_request >= 0) {
    open_entry(ws, only_entry(ws.atlas.near[static_cast<std::size_t>(ws.open_near_request)]));
  } else if (ws.beside_request >= 0) {
    lay_beside(ws, ws.beside_request);
  }
  ws.open_entry_request = ws.open_near_request = ws.beside_request = -1;
}

}  // namespace lanescope::viz
