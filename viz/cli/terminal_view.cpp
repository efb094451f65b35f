// SPDX-License-Identifier: MIT
#include "cli/terminal_view.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/course_tools.hpp"
#include "cli/printable.hpp"
#include "cli/suggest.hpp"
#include "cli/trace_text.hpp"
#include "panels/memory_tile.hpp"
#include "panels/pipeline_text.hpp"
#include "panels/step_search.hpp"
#include "panels/step_text.hpp"
#include "panels/touches.hpp"
#include "trace/beside.hpp"
#include "trace/reader.hpp"

namespace lanescope::cli {
namespace {

// https://no-color.org: any text in NO_COLOR means no.
bool wants_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

int print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

// Which of `count` things, counted from 1, is asked for; "" or why there is none.
std::string wrong_number(const std::string& product, std::size_t count, const char* what) {
  const int number = product_number(product);
  if (number <= 0 || static_cast<std::size_t>(number) <= count) return {};
  return fmt::format("--product {}: the trace has {} {}", number, count, what);
}

int fragments_text(const viz::Model& model, std::int64_t unknown, const ViewOptions& options,
                   const TextStyle& style) {
  if (const std::string why =
          wrong_number(options.product, model.multiplications.size(), "products");
      !why.empty())
    return refuse(why);
  const int number = product_number(options.product);
  if (!options.selection.empty()) {
    const SelectionText selected = selected_text(model, options.selection, number);
    if (!selected.problem.empty()) return refuse("--select: " + selected.problem);
    return print(summary_text(model, unknown) + "\n" + selected.text);
  }
  if (number > 0) return print(product_text(model, static_cast<std::size_t>(number - 1), style));
  return print(trace_text(model, unknown, style));
}

int memory_text(const viz::Model& model, const ViewOptions& options, const TextStyle& style) {
  const auto tiles = viz::tiles_of(model.trace);
  if (tiles.empty()) return refuse("--panel memory: the trace has no tile of memory");
  if (const std::string why = wrong_number(options.product, tiles.size(), "tiles"); !why.empty())
    return refuse(why);
  const int number = product_number(options.product);
  std::string text;
  Steps steps(model.trace);
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    if (number > 0 && static_cast<std::size_t>(number) != k + 1) continue;
    std::string_view words = options.selection;
    layout::Swizzle mode = layout::Swizzle::none;
    const bool read = viz::take_reading(words, mode);
    if (words.empty()) {
      text += text.empty() ? "" : "\n";
      if (read) text += fmt::format("read through {}: ", layout::name(mode));
      text += tile_text(viz::as_read(*tiles[k], mode), style);
      continue;
    }
    int row = 0, col = 0;
    std::string why;
    if (!viz::read_element(*tiles[k], words, row, col, why)) return refuse("--select: " + why);
    const viz::TileFacts facts = viz::tile_facts(*tiles[k], row, col, mode);
    text += fmt::format("{} = {}\n", facts.title, facts.value);
    for (const std::string& line : facts.lines) text += "  " + line + "\n";
    constexpr std::size_t kMost = 8;  // as many as the window lists
    const viz::TileSpot at = viz::through(mode, *tiles[k], row, col);
    for (const viz::Touch& touch : viz::touches(steps.list(), *tiles[k], at.row, at.col, kMost))
      text += fmt::format("  {}: {}\n", viz::touch_place(steps.list(), touch),
                          viz::touch_text(steps.list(), touch, viz::element_bits(*tiles[k])));
    if (number != kAllProducts) break;
  }
  return print(text);
}

/// The lesson whose program wrote the trace, where that lesson has its steps recorded; else 0.
int lesson_with_steps(const std::string& program) {
  const Course course;
  for (const guide::Lesson& lesson : course.lessons) {
    if (!lesson.here || lesson.name != program) continue;
    std::ifstream file(lesson_folder(lesson) / "lesson.cu");
    std::stringstream source;
    source << file.rdbuf();
    return guide::steps_of(source.str()).empty() ? 0 : lesson.number;
  }
  return 0;
}

std::string how_to_record(const viz::Model& model) {
  if (!model.from_emulator())
    return "no GPU does: run it on the emulator, ./learn lesson N --device cpu or lanescope run "
           "--steps";
  const int lesson = lesson_with_steps(model.trace.header.program);
  if (lesson != 0) return fmt::format("{} lesson {} --device cpu records them", learn(), lesson);
  return "record it with lanescope run --steps";
}

int step_list_text(const viz::Model& model, const ViewOptions& options) {
  const viz::StepList steps = viz::make_steps(model.trace);
  if (steps.empty())
    return refuse(fmt::format("--panel steps: the trace has no steps; {}", how_to_record(model)));
  if (options.selection.empty()) return print(viz::steps_text(steps));
  const viz::StepPlace place = viz::find_step(steps, {}, options.selection);
  if (!place.error.empty()) return refuse("--select: " + place.error);
  return print(viz::step_text(steps, place));
}

}  // namespace

int product_number(const std::string& product) {
  if (product == "all") return kAllProducts;
  return product.empty() ? kFirstProduct : std::atoi(product.c_str());
}

int view_text(const std::string& path, const ViewOptions& options) {
  trace::ReadResult result = trace::read_file(path);
  if (!result.ok()) return refuse(result.error->message(path));
  const bool of_steps = options.panel == "steps" || options.panel == "pipeline";
  const std::string problem = trace::add_steps_beside(result.trace, path);
  if (of_steps && !problem.empty()) return refuse(problem);
  make_printable(result.trace);
  const viz::Model model = viz::make_model(std::move(result.trace));
  const TextStyle style{wants_colour(), 100};
  if (options.panel == "memory") return memory_text(model, options, style);
  if (options.panel == "steps") return step_list_text(model, options);
  if (options.panel == "pipeline") {
    const viz::Pipeline pipeline = viz::make_pipeline(model.trace);
    if (!pipeline.empty()) return print(viz::pipeline_text(pipeline, style.columns));
    return refuse(fmt::format("--panel pipeline: the trace does not say how warps wait; {}",
                              how_to_record(model)));
  }
  return fragments_text(model, result.unknown_events, options, style);
}

}  // namespace lanescope::cli
