// SPDX-License-Identifier: MIT
// Small things that several panels share: choices, fields to type into, headings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// The search box, noted; under the pointer it says what can be found in it: in the steps, the
/// atlas.
void probe_search(Workspace& workspace, const std::string& in);
/// A row of buttons of which one is chosen; true when another was clicked. Probes "KIND NAME".
bool choices(Workspace& workspace, const Look& look, const char* kind,
             const std::vector<std::string>& names, int& chosen);

/// A one-line text field with its name before it. It shows `now` until somebody types into it; true
/// when its text was edited. Probe "field NAME".
bool field(Workspace& workspace, const Look& look, const char* name, FieldText& text,
           std::string_view now, float width);

/// A descriptor's bits, highest first, 32 a line, in the colours of their fields; bits of a field
/// without a name are no field's.
struct StripField {
  std::string name;
  int from = 0, width = 0;
};
void bit_strip(const Look& look, std::uint64_t bits, int count,
               const std::vector<StripField>& fields);
/// The colour of the field with this index in the strip.
Rgb strip_colour(const Theme& theme, std::size_t index, bool set);

/// A thin line across the panel and a dim heading below it.
void section(const Look& look, const char* name);
void gap(const Look& look, float ems);
/// The window that is drawn into, by so many of its heights.
void scroll_by(float heights);
/// ... so that a line of a list is in sight that is not.
void scroll_to_line(int line, float height);
/// What is left of a card, up to its edges: of a child window that scrolls, so that its bars stand
/// at the edges and its words are cut by them alone.
ImVec2 room_to_edges(const Look& look);
/// A formula in lines of at most so many characters: broken before a + where there is one, what
/// follows below what stands behind the =.
std::vector<std::string> folded(std::string_view formula, std::size_t columns);
/// Lines of code or formulas, folded.
void mono_lines(const Look& look, const std::vector<std::string>& lines, Rgb ink);

/// A bar below the cells from `first` to `last`, which eight lanes read, and how often these lanes
/// go to the banks for it. Probe "passes BLOCK,UNIT".
void passes_bar(Workspace& workspace, const Look& look, int block, int unit, Box first, Box last,
                int passes, std::string_view how = {});

/// Notes that the last item takes what is typed: keys of the window do nothing meanwhile.
void note_typing(Workspace& workspace);

}  // namespace lanescope::viz
