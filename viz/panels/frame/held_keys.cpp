// SPDX-License-Identifier: MIT
// A key that is held sends its character again and again. That is wanted where one goes on step by
// step, and in the field that it is written into; elsewhere it would flip pages and colours, or
// fill a field that the key itself has opened.
#include <string_view>

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

constexpr std::u32string_view kGoOn = U"+-[]nk";

bool takes_character(Workspace& ws, char32_t character, bool again) {
  if (!again) {
    ws.pressed_in_field = ws.searching;
    return true;
  }
  if (ws.searching || ws.focus_search || ws.quiz.open) return ws.pressed_in_field;
  return kGoOn.find(character) != kGoOn.npos;
}

}  // namespace lanescope::viz
