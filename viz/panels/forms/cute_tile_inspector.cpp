// SPDX-License-Identifier: MIT
// Beside a layout of CuTe's in shared memory: what it is, or why an element lies where it does, who
// is served together with it, and how often a warp goes to the banks.
#include <fmt/format.h>

#include "panels/forms/cute_tile_view.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

const SwizzleState::Reckoned& reckoned(SwizzleState& s) {
  if (!s.reckoned || !(s.reckoned->of == *s.cute) || s.reckoned->applied != s.applied)
    s.reckoned = {*s.cute,
                  s.applied,
                  facts_of(*s.cute),
                  accesses_of(*s.cute, s.applied),
                  layout::bytes_of_elements(s.cute->matrix, s.applied),
                  layout::units_of(s.cute->matrix, s.applied),
                  remedies_of(*s.cute)};
  return *s.reckoned;
}

const layout::WarpAccess* shown_access(SwizzleState& s) {
  const std::vector<layout::WarpAccess>& all = reckoned(s).accesses;
  const auto possible = [&](int at) { return all[static_cast<std::size_t>(at)].most > 0; };
  const int count = static_cast<int>(all.size());
  if (s.access >= count || !possible(s.access)) s.access = 0;
  while (s.access < count && !possible(s.access)) ++s.access;
  return s.access < count ? &all[static_cast<std::size_t>(s.access)] : nullptr;
}

bool focus(const SwizzleState& s, int& row, int& col) {
  row = s.hover_mn >= 0 ? s.hover_mn : s.mn;
  col = s.hover_mn >= 0 ? s.hover_k : s.k;
  return row >= 0 && row < s.row_count() && col >= 0 && col < s.col_count();
}

namespace {

// How often a warp goes to the banks; a click chooses the access whose lanes are shown.
void access_list(Workspace& ws, const Look& look, float width) {
  SwizzleState& s = ws.swizzle;
  section(look, "how often a warp goes to the banks");
  const layout::WarpAccess* shown = shown_access(s);
  const std::vector<layout::WarpAccess>& all = reckoned(s).accesses;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const layout::WarpAccess& each = all[i];
    int chosen = &each == shown ? 0 : -1;
    if (each.most == 0)
      text(look.fonts.text, look.theme.dim, each.name, width);
    else if (choices(ws, look, "access", {each.name}, chosen))
      s.access = static_cast<int>(i);
    text(look.fonts.text,
         each.most == 0   ? look.theme.dim
         : each.most == 1 ? look.theme.good
                          : look.theme.bad,
         passes_text(each), width);
    gap(look, 0.25f);
  }
  probe(ws, "accesses");
}

// Layouts without conflicts; a click shows one.
void remedy_list(Workspace& ws, const Look& look, float width) {
  SwizzleState& s = ws.swizzle;
  const Remedies remedies = reckoned(s).remedies;
  if (!remedies.needed) return;
  section(look, "one pass");
  text(look.fonts.text, look.theme.dim, "for " + remedies.of, width);
  if (remedies.found.empty())
    text(look.fonts.text, look.theme.text, "no swizzle Sw<B,M,S> and no padding of rows", width);
  for (const CuteRemedy& remedy : remedies.found) {
    int chosen = -1;
    if (choices(ws, look, "remedy", {remedy.layout}, chosen)) search(ws, remedy.words);
    if (!remedy.what.empty()) text(look.fonts.text, look.theme.good, remedy.what, width);
    gap(look, 0.25f);
  }
  probe(ws, "remedies");
}

// Of the element in focus: whose lane moves it, and with how many others.
void lanes_of(Workspace& ws, const Look& look, int row, int col, float width) {
  SwizzleState& s = ws.swizzle;
  const layout::WarpAccess* shown = shown_access(s);
  if (shown == nullptr) return;
  section(look, "who is served together with it");
  const auto served = layout::served_with(s.cute->matrix, *shown, row, col, s.applied);
  std::string others;
  for (const layout::ServedLane& lane : served)
    if (lane.clashes)
      others +=
          fmt::format("{}({},{})", others.empty() ? "" : ", ", lane.first.row, lane.first.col);
  const bool clash = !others.empty();
  text(look.fonts.text, look.theme.text, shown->name, width);
  text(look.fonts.text,
       served.empty() ? look.theme.dim
       : clash        ? look.theme.bad
                      : look.theme.good,
       served.empty() ? "nobody moves this element"
       : clash        ? "want the same banks: " + others
                      : fmt::format("{} lanes, none of which wants its banks", served.size()),
       width);
  probe(ws, "served");
}

}  // namespace

void draw_cute_inspector(Workspace& ws, const Look& look) {
  SwizzleState& s = ws.swizzle;
  const float width = ImGui::GetContentRegionAvail().x;
  int row = 0, col = 0;
  if (focus(s, row, col)) {
    const PlaceFacts facts = place_facts(*s.cute, row, col, s.applied);
    text(look.fonts.big, look.theme.accent, facts.title);
    text(look.fonts.text, look.theme.text, facts.where, width);
    section(look, "why");
    mono_lines(look, facts.lines, look.theme.text);
    lanes_of(ws, look, row, col, width);
  } else {
    text(look.fonts.big, look.theme.accent, "a layout of CuTe's");
    for (const std::string& fact : reckoned(s).facts)
      text(look.fonts.text, look.theme.text, fact, width);
    probe(ws, "layout facts");
  }
  access_list(ws, look, width);
  remedy_list(ws, look, width);
  section(look, "another access");
  text(look.fonts.text, look.theme.dim,
       "Press / and write the layout again with access=D mma.m16n8k16.f32.f16, or with threads and "
       "values of your own: access=((8,16),8):((128,1),16). bits=32 says how wide an element is.",
       width);
  section(look, "in the terminal");
  mono_lines(look, {fmt::format("lanescope swizzle \"{}\"", words_of(*s.cute))}, look.theme.code);
}

}  // namespace lanescope::viz
