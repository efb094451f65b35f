// SPDX-License-Identifier: MIT
// Where the words of a lesson's page lead: to an element, another view of its trace, the atlas.
#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

// The one that is shown, or the first of the trace that has the element; -1: none has.
int multiplication_with(Workspace& ws, const std::string& words) {
  const auto has_it = [&](std::size_t at) {
    return parse_selection(words, ws.model.multiplications[at]).ok();
  };
  const std::size_t count = ws.model.multiplications.size();
  if (ws.page == Page::trace && ws.current < count && has_it(ws.current))
    return static_cast<int>(ws.current);
  LessonElements& known = ws.lesson_elements;
  if (known.revision != ws.revision) known = {ws.revision, {}};
  const auto [found, is_new] = known.first_with.try_emplace(words, -1);
  for (std::size_t at = 0; is_new && at < count && found->second < 0; ++at)
    if (has_it(at)) found->second = static_cast<int>(at);
  return found->second;
}

void select_element(Workspace& ws, const std::string& words) {
  const int found = multiplication_with(ws, words);
  if (found < 0) return say(ws, fmt::format("{} is not in this trace", words));
  show(ws, Shows::fragments);
  ws.map = {};
  if (static_cast<std::size_t>(found) != ws.current)
    show_multiplication(ws, static_cast<std::size_t>(found));
  search(ws, words);
}

void follow_view(Workspace& ws, const LessonLink& link) {
  for (const Shows shows : {Shows::fragments, Shows::memory, Shows::steps, Shows::pipeline})
    if (link.panel == name_of(shows) && !show(ws, shows)) return;
  if (link.panel.empty() && !show(ws, views_of(ws).front())) return;
  const auto product = static_cast<std::size_t>(std::max(0, link.product - 1));
  if (link.product > 0 && ws.shows == Shows::memory) {
    choose_tile(ws, std::min(product, ws.memory.tiles.size() - 1));
    show_beside(ws, std::min(link.beside, static_cast<int>(ws.memory.tiles.size())) - 1);
  } else if (link.product > 0 && product < ws.model.multiplications.size()) {
    show_multiplication(ws, product);
  }
  const bool element = ws.shows == Shows::fragments || link.select.find(' ') == 1;
  if (link.select.empty()) return;
  if (element && ws.shows != Shows::steps)
    select_element(ws, link.select);
  else
    search(ws, link.select);
}

}  // namespace

int lesson_number(std::string_view program) {
  if (program.size() < 3 || program.find_first_not_of("0123456789") != 2 || program[2] != '_')
    return 0;
  return (program[0] - '0') * 10 + (program[1] - '0');
}

bool leads(Workspace& ws, const LessonLink& link) {
  if (link.to == LessonLink::To::element) return multiplication_with(ws, link.words) >= 0;
  if (link.to == LessonLink::To::exercise) return ws.has_bench;
  return link.to != LessonLink::To::nowhere;
}

void follow(Workspace& ws, const LessonLink& link) {
  say(ws, {});
  switch (link.to) {
    case LessonLink::To::element:
      select_element(ws, link.words);
      break;
    case LessonLink::To::view:
      follow_view(ws, link);
      break;
    case LessonLink::To::atlas:
      if (!link.other.empty()) {
        const std::string problem = show_maps(ws, only_entry(link.words), only_entry(link.other));
        ws.atlas.from_lesson = problem.empty();
        return problem.empty() ? void() : say(ws, problem);
      }
      open_atlas(ws, link.words);
      ws.atlas.from_lesson = ws.page == Page::entry;
      if (ws.page == Page::entry && !link.select.empty()) search(ws, link.select);
      break;
    case LessonLink::To::swizzle:
    case LessonLink::To::descriptor:
      go_to(ws, link.to == LessonLink::To::swizzle ? Page::swizzle : Page::descriptor);
      if (!link.words.empty()) search(ws, link.words);
      break;
    case LessonLink::To::exercise:
      ws.bench_request = "exercise " + link.words;
      break;
    default:
      break;
  }
}

}  // namespace lanescope::viz
