// SPDX-License-Identifier: MIT
// The exercises in PTX, for the bench of the page: what the course's own code reads of them, and
// what it says of an answer. What bench.js is given stays until the next call of the same function.
#include <emscripten/emscripten.h>

#include <filesystem>
#include <optional>
#include <string>

#include "guide/course.hpp"
#include "guide/exercise.hpp"
#include "guide/file.hpp"
#include "guide/hints.hpp"
#include "guide/ptx_task.hpp"
#include "trace/json_line.hpp"

namespace {

using namespace lanescope;

// A list of JSON: an object for each lesson that has one. The folder is the page's own.
std::string exercises() {
  std::string all = "[";
  const std::filesystem::path lessons = "lessons";
  for (const guide::Lesson& lesson : guide::course(lessons)) {
    const auto read = [&](const char* file) {
      return guide::contents_of(lessons / lesson.name / file).value_or("");
    };
    const std::string solution = read(guide::kPtx.solution);
    const std::optional<guide::Parts> parts = guide::take_apart(solution);
    if (!parts) continue;
    const guide::PtxTask task = guide::ptx_task(solution);
    if (all.size() > 1) all += ',';
    trace::Line line(all);
    line.number("number", lesson.number);
    line.string("title", lesson.title.substr(0, lesson.title.find(':')));
    line.string("solution", solution);
    line.string("fresh", parts->before + parts->after);
    line.string("gap", parts->gap);
    line.strings("launches", task.launches);
    line.number("isStrict", task.is_strict ? 1 : 0);
    line.number("freeOfConflicts", task.no_conflicts ? 1 : 0);
    line.strings("hints", guide::hints_of(read(guide::kPtx.hints)));
    all += '}';
  }
  return all + ']';
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* lanescope_exercises() {
  static std::string text;
  text = exercises();
  return text.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* lanescope_wrong_with(int good, const char* printed) {
  static std::string text;
  text = guide::wrong_with(good != 0, printed);
  return text.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* lanescope_conflicts_in(const char* solution, const char* printed) {
  static std::string text;
  text = guide::conflicts_in(guide::ptx_task(solution), printed);
  return text.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* lanescope_not_used(const char* solution, const char* answer) {
  static std::string text;
  text = guide::not_used(guide::ptx_task(solution), answer);
  return text.c_str();
}
}
