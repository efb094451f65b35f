// SPDX-License-Identifier: MIT
// What a lesson's page speaks of and the window can show: an element A[9][5], and the commands that
// look at something. Pure text, no Dear ImGui.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "panels/lesson/markdown.hpp"

namespace lanescope::viz {

/// Where a click leads.
struct LessonLink {
  enum class To { nowhere, element, view, atlas, swizzle, descriptor, exercise };
  To to = To::nowhere;
  std::string words;   // "A 9,5"; the words of the atlas or of a tile; the exercise's number
  std::string panel;   // view: "steps"; "" as the trace says
  std::string select;  // view: what to select there; atlas: "B 9,5"
  int product = 0;     // view: which, from 1 on; a tile of memory also beside another
  int beside = 0;
  std::string other{};  // atlas: another instruction beside that one
  friend bool operator==(const LessonLink&, const LessonLink&) = default;
};

struct LessonSpan {
  std::string words;
  Ink ink = Ink::text;
  LessonLink link;
};

/// A paragraph, with what of it leads somewhere. `lesson`: its number; commands about another one
/// lead nowhere.
std::vector<LessonSpan> lesson_spans(std::string_view paragraph, int lesson);

/// "./learn view 5 --panel pipeline", after a "$ " and before a comment too; or "--panel steps"
/// alone. What needs a terminal leads nowhere.
LessonLink link_of(std::string_view command, int lesson);

/// For the line below: "shows A[9][5]"; "" of a link that leads nowhere.
std::string does(const LessonLink& link);

}  // namespace lanescope::viz
