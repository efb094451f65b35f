// SPDX-License-Identifier: MIT
#include "cli/terminal_view.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "cli/course_tools.hpp"
#include "cli/printable.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_text.hpp"
#include "panels/memory/memory_tile.hpp"
#include "panels/memory/touches.hpp"
#include "panels/pipeline/pipeline_text.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/steps/step_search.hpp"
#include "panels/steps/step_text.hpp"
#include "trace/beside.hpp"
#include "trace/reader.hpp"

namespace lanescope::cli {
namespace {

// https://no-color.org: any text in NO_COLOR means no.
bool wants_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

// As wide as the terminal; into a file or a pipe 100 columns.
int columns() {
  const int terminal = terminal_columns();
  return terminal == 0 ? 100 : terminal;
}

int printed(const std::string& text, const ViewOptions& options) {
  write_lines(options.rows == 0 ? text
                                : first_rows(text, terminal_columns(), options.rows, options.rest));
  return 0;
}

// Which of `all` things, counted from 1, is asked for; "" or why there is none.
std::string wrong_number(const std::string& product, std::size_t all, const char* one,
                         const char* many) {
  const int most = std::max(product_number(product), second_product(product));
  if (most <= 0 || static_cast<std::size_t>(most) <= all) return {};
  return fmt::format("--product {}: the trace has {}", product, count(all, one, many));
}

/// The lesson whose program wrote the trace, where that lesson has its steps recorded; else 0.
int lesson_with_steps(const std::string& program) {
  const Course course;
  for (const guide::Lesson& lesson : course.lessons) {
    if (lesson.name != program) continue;
    return steps_asked_for(lesson).empty() ? 0 : lesson.number;
  }
  return 0;
}

std::string how_to_record(const viz::Model& model, const char* what) {
  if (!model.from_emulator())
    return "no GPU does: run it on the emulator, ./learn lesson N --device cpu or lanescope run "
           "--steps";
  const int lesson = lesson_with_steps(model.trace.header.program);
  if (lesson != 0)
    return fmt::format("{} lesson {} --device cpu records {}", learn(), lesson, what);
  return "record it with lanescope run --steps";
}

// The same beside "a GPU tells no steps".
std::string recorder_of_steps(const viz::Model& model) {
  return model.from_emulator()
             ? how_to_record(model, "them")
             : "the emulator does: ./learn lesson N --device cpu, or lanescope run --steps";
}

int fragments_text(const viz::Model& model, std::int64_t unknown, const ViewOptions& options,
                   const TextStyle& style) {
  if (const std::string why =
          wrong_number(options.product, model.multiplications.size(), "product", "products");
      !why.empty())
    return refuse(why);
  if (second_product(options.product) > 0)
    return refuse(fmt::format(
        "--product {}: two beside each other are tiles of memory, and the trace has none",
        options.product));
  const int number = product_number(options.product);
  if (!options.selection.empty()) {
    const SelectionText selected =
        selected_text(model, options.selection, number, recorder_of_steps(model));
    if (!selected.problem.empty()) return refuse("--select: " + selected.problem);
    return printed(summary_text(model, unknown) + "\n" + selected.text, options);
  }
  if (number > 0)
    return printed(product_text(model, static_cast<std::size_t>(number - 1), style), options);
  return printed(trace_text(model, unknown, style), options);
}

// The element that the words name, and who wrote and read it; "" and `why`.
std::string element_text(Steps& steps, const trace::Memory& tile, std::string_view words,
                         layout::Swizzle mode, std::string& why) {
  int row = 0, col = 0;
  if (!viz::read_element(tile, words, row, col, why)) return {};
  const viz::TileFacts facts = viz::tile_facts(tile, row, col, mode);
  std::string text = fmt::format("{} = {}\n", facts.title, facts.value);
  for (const std::string& line : facts.lines) text += "  " + line + "\n";
  constexpr std::size_t kMost = 8;  // as many as the window lists
  const viz::TileSpot at = viz::through(mode, tile, row, col);
  for (const viz::Touch& touch :
       viz::touches(steps.trace(), steps.history(), tile, at.row, at.col, kMost))
    text += fmt::format("  {}: {}\n", viz::touch_place(steps.list(), touch),
                        viz::touch_text(steps.list(), touch, viz::element_bits(tile)));
  return text;
}

// The tiles that are asked for, by index: of whole tiles all, of an element's the first.
std::vector<std::size_t> asked_tiles(const ViewOptions& options, std::size_t all, bool element) {
  const int first = product_number(options.product), second = second_product(options.product);
  std::vector<std::size_t> asked;
  for (const int number : {first, second})
    if (number > 0) asked.push_back(static_cast<std::size_t>(number - 1));
  if (asked.empty()) asked.resize(element && first != kAllProducts ? 1 : all);
  if (first <= 0) std::iota(asked.begin(), asked.end(), std::size_t{0});
  return asked;
}

int memory_text(const viz::Model& model, const ViewOptions& options, const TextStyle& style) {
  const auto tiles = viz::tiles_of(model.trace);
  if (tiles.empty())
    return refuse("--panel memory: the trace has no tile of memory; RECORD_TILE records one");
  if (const std::string why = wrong_number(options.product, tiles.size(), "tile", "tiles");
      !why.empty())
    return refuse(why);
  std::string_view words = options.selection;
  layout::Swizzle mode = layout::Swizzle::none;
  const bool read = viz::take_reading(words, mode);
  std::string text;
  Steps steps(model.trace);
  const std::vector<std::string> kernels = viz::kernels_of(model.trace, tiles);
  for (const std::size_t k : asked_tiles(options, tiles.size(), !words.empty())) {
    std::string why;
    if (words.empty()) {
      text += text.empty() ? "" : "\n";
      if (read) text += fmt::format("read through {}: ", layout::name(mode));
      text += tile_text(viz::as_read(*tiles[k], mode), style, kernels[k]);
    } else {
      text += element_text(steps, *tiles[k], words, mode, why);
    }
    if (!why.empty()) return refuse("--select: " + why);
  }
  return printed(text, options);
}

int step_list_text(const viz::Model& model, const ViewOptions& options) {
  const viz::StepList steps = viz::make_steps(model.trace);
  if (steps.empty())
    return refuse(
        fmt::format("--panel steps: the trace has no steps; {}", how_to_record(model, "them")));
  if (options.selection.empty()) return printed(viz::steps_text(steps), options);
  const viz::StepPlace place = viz::find_step(steps, {}, options.selection);
  if (!place.error.empty()) return refuse("--select: " + place.error);
  const trace::Step& step = *steps.warps[static_cast<std::size_t>(place.warp)]
                                 .items[static_cast<std::size_t>(place.item)]
                                 .step;
  const int product = viz::product_at(model, step);
  return printed(viz::step_text(steps, place) +
                     (product < 0 ? "" : fmt::format("its matrices: --product {}\n", product + 1)),
                 options);
}

}  // namespace

int product_number(const std::string& product) {
  if (product == "all") return kAllProducts;
  return product.empty() ? kFirstProduct : std::atoi(product.c_str());
}

int second_product(const std::string& product) {
  const std::size_t comma = product.find(',');
  return comma == std::string::npos ? 0 : std::atoi(product.c_str() + comma + 1);
}

int view_text(const std::string& path, const ViewOptions& options) {
  trace::ReadResult result = trace::read_file(path);
  if (!result.ok()) return refuse(result.error->message(path));
  const bool of_steps = options.panel == "steps" || options.panel == "pipeline";
  const std::string problem = trace::add_steps_beside(result.trace, path);
  if (of_steps && !problem.empty()) return refuse(problem);
  make_printable(result.trace);
  const viz::Model model = viz::make_model(std::move(result.trace));
  const TextStyle style{wants_colour(), columns()};
  // Two beside each other are tiles, whoever asks for them.
  const bool tiles = options.panel.empty() && second_product(options.product) > 0 &&
                     !viz::tiles_of(model.trace).empty();
  if (options.panel == "memory" || tiles) return memory_text(model, options, style);
  if (of_steps)
    if (const std::string why =
            wrong_number(options.product, model.multiplications.size(), "product", "products");
        !why.empty())
      return refuse(why);
  if (options.panel == "steps") return step_list_text(model, options);
  if (options.panel == "pipeline") {
    int ticks = viz::kUsualCopyTicks;
    if (!options.selection.empty())
      if (const std::string why = viz::read_copy_ticks(options.selection, ticks); !why.empty())
        return refuse("--select: " + why);
    const viz::Pipeline pipeline = viz::make_pipeline(model.trace, ticks);
    if (!pipeline.empty()) return printed(viz::pipeline_text(pipeline, style.columns), options);
    if (!viz::make_steps(model.trace).empty())
      return refuse("--panel pipeline: in the steps of this trace nobody copies or waits");
    // A lesson's run brings steps; that somebody waits in them is not promised.
    return refuse(
        fmt::format("--panel pipeline: the trace has no steps, so nobody is seen to wait; {}",
                    how_to_record(model, "them, and waits if there are any")));
  }
  return fragments_text(model, result.unknown_events, options, style);
}

}  // namespace lanescope::cli
