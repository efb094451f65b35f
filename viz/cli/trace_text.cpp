// SPDX-License-Identifier: MIT
#include "cli/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <variant>

#include "cli/terminal.hpp"
#include "panels/matrix/facts.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/look_closer.hpp"
#include "panels/way/tensor_products.hpp"
#include "panels/way/verdicts.hpp"
#include "panels/way/way.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cli {
namespace {

struct Counts {
  std::size_t launches = 0, fragments = 0, tiles = 0, steps = 0, accesses = 0, syncs = 0,
              diagnostics = 0;
};

Counts counts_of(const trace::Trace& trace) {
  Counts counts;
  for (const trace::Event& event : trace.events) {
    counts.launches += std::holds_alternative<trace::Launch>(event);
    counts.fragments += std::holds_alternative<trace::Fragment>(event);
    counts.tiles += std::holds_alternative<trace::Memory>(event);
    counts.steps += std::holds_alternative<trace::Step>(event);
    counts.accesses += std::holds_alternative<trace::Access>(event);
    counts.syncs += std::holds_alternative<trace::Sync>(event);
    counts.diagnostics += std::holds_alternative<trace::Diagnostic>(event);
  }
  return counts;
}

std::string multiplication_text(const viz::Multiplication& in, const TextStyle& style) {
  std::string text =
      fmt::format("{}\n{}; {}, {}\n", in.instruction->mnemonic, place_or_first(in.place),
                  in.instruction->source, viz::standing_text(*in.instruction));
  for (const char operand : viz::kOperands)
    if (in.fragment(operand) != nullptr) text += "\n" + operand_text(in, operand, style);
  if (in.tensor != nullptr && in.fragment('D') == nullptr)
    text += "\nD begins at " + viz::tensor_place(*in.tensor, 0, 0) +
            "; no tcgen05.ld that is recorded brings all of it\n";
  return text;
}

/// The fragments that no multiplication shows: their instruction is not in the atlas.
std::string unplaced_text(const viz::Model& model, const TextStyle& style) {
  std::set<const trace::Fragment*> placed;
  for (const viz::Multiplication& in : model.multiplications)
    placed.insert(in.data.begin(), in.data.end());
  std::string text;
  for (const trace::Event& event : model.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment != nullptr && placed.count(fragment) == 0)
      text += "\n" + raw_text(*fragment, style);
  }
  return text;
}

std::string diagnostic_text(const trace::Diagnostic& diagnostic) {
  const std::string source = source_text(diagnostic.source);
  std::string text =
      fmt::format("{}: {}\n  in {}{}{}\n", diagnostic.kind, diagnostic.message,
                  place_or_first(diagnostic.place), source.empty() ? "" : ", ", source);
  for (const std::string& detail : diagnostic.details) text += "  " + detail + "\n";
  return text;
}

}  // namespace

std::string summary_text(const viz::Model& model, std::int64_t unknown_events) {
  const trace::Header& header = model.trace.header;
  const Counts counts = counts_of(model.trace);
  std::string text = fmt::format("{} on {}, {} ({})\n", header.program, header.device, header.arch,
                                 header.producer);
  if (!header.command.empty()) text += header.command + "\n";
  if (const trace::View* view = model.view()) {
    text += view->title + "\n";
    if (!view->caption.empty()) text += view->caption + "\n";
  }
  text += fmt::format("{}, {}, {}", count(counts.launches, "launch", "launches"),
                      count(counts.fragments, "fragment", "fragments"),
                      count(counts.tiles, "tile of memory", "tiles of memory"));
  if (counts.steps > 0) text += ", " + count(counts.steps, "step", "steps");
  if (counts.accesses > 0) text += ", " + count(counts.accesses, "access", "accesses");
  if (counts.syncs > 0)
    text += ", " + count(counts.syncs, "event of a pipeline", "events of a pipeline");
  if (counts.diagnostics > 0) text += ", " + count(counts.diagnostics, "diagnostic", "diagnostics");
  text += "\n";
  if (model.is_of_steps())
    text += fmt::format("{} put together from the steps: no RECORD has written any\n",
                        count(model.multiplications.size(), "product", "products"));
  if (counts.steps + counts.syncs > 0)
    text += fmt::format("see {}{}{}\n", counts.steps > 0 ? "--panel steps" : "",
                        counts.steps > 0 && counts.syncs > 0 ? ", " : "",
                        counts.syncs > 0 ? "--panel pipeline" : "");
  if (unknown_events > 0)
    text += fmt::format("{} of a kind that this Lanescope does not know, left out\n",
                        count(static_cast<std::size_t>(unknown_events), "event", "events"));
  if (const std::string agreement = viz::agreement_text(model); !agreement.empty())
    text += "maps: " + agreement + "\n";
  return text;
}

namespace {

std::string kernel_text(const trace::Launch& l) {
  return fmt::format("{}<<<{}x{}x{}, {}x{}x{}, {}>>>\n", trace::as_written(l.kernel), l.grid[0],
                     l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2], l.shared_bytes);
}

/// A line for each launch, or for those of one kernel behind each other: lesson 11 has hundreds.
std::string launches_text(const trace::Trace& trace) {
  std::string text, last;
  int first = 0, count = 0;
  const auto put = [&] {
    if (count == 1) text += fmt::format("launch {}: {}", first, last);
    if (count > 1) text += fmt::format("launches {} to {}: {}", first, first + count - 1, last);
  };
  for (const trace::Event& event : trace.events) {
    const auto* launch = std::get_if<trace::Launch>(&event);
    if (launch == nullptr) continue;
    const std::string kernel = kernel_text(*launch);
    if (count > 0 && kernel == last && launch->launch - first == count) {
      ++count;
      continue;
    }
    put();
    first = launch->launch;
    last = kernel;
    count = 1;
  }
  put();
  return text;
}

}  // namespace

std::string trace_text(const viz::Model& model, std::int64_t unknown_events,
                       const TextStyle& style) {
  std::string text = summary_text(model, unknown_events) + launches_text(model.trace);
  for (const trace::Event& event : model.trace.events)
    if (const auto* diagnostic = std::get_if<trace::Diagnostic>(&event))
      text += diagnostic_text(*diagnostic);
  for (const std::string& remark : model.remarks) text += remark + "\n";
  const std::size_t products = model.multiplications.size();
  if (products > 1) text += products_text(model);
  // A loop has hundreds, which nobody asked for one by one.
  if (model.is_of_steps() && products > 1)
    text += "\nsee one: --product 1; an element of it: --product 1 --select \"A 0,0\"\n";
  else
    for (const viz::Multiplication& in : model.multiplications)
      text += "\n" + multiplication_text(in, style);
  text += unplaced_text(model, style);
  for (const trace::Event& event : model.trace.events)
    if (const auto* memory = std::get_if<trace::Memory>(&event))
      text += "\n" + tile_text(*memory, style);
  return text;
}

std::string product_text(const viz::Model& model, std::size_t index, const TextStyle& style) {
  return multiplication_text(model.multiplications[index], style);
}

std::string products_text(const viz::Model& model) {
  std::string text;
  for (std::size_t k = 0; k < model.multiplications.size(); ++k)
    text += fmt::format("product {}: {}\n", k + 1, viz::short_name(model.multiplications[k]));
  return text;
}

namespace {

// Which step wrote the register that is selected; "" where none is, where it is not recorded, or
// where its way says so.
std::string writer_text(Steps& steps, const viz::Multiplication& in,
                        const viz::Selection& selection, const viz::Way& way) {
  const trace::Fragment* fragment = in.fragment(selection.operand);
  if (fragment == nullptr || selection.register_index < 0) return {};
  const viz::StepPlace by =
      viz::register_step(steps.list(), in, selection.operand, std::max(selection.thread, 0),
                         selection.register_index)
          .place;
  if (by.item < 0 || viz::has_stop_at(way, by)) return {};
  return fmt::format("  written by {}\n", viz::step_name(steps.list(), by));
}

// Whatever it is written to: the matrices above are no wider.
constexpr int kColumns = 100;

// What `diagnose` says of the operand.
std::string diagnosis_text(const viz::Model& model, Steps& steps,
                           std::shared_ptr<viz::Verdicts>& verdicts, int product, char operand) {
  const auto said = viz::verdict_of(verdicts, model, steps.list(), product, operand);
  if (!said) return {};
  std::string text =
      fmt::format("  {}\n    {}\n", viz::title_of(*said, product), said->words.headline);
  for (const std::string& line : viz::lines_below(said->words))
    text += fmt::format("    {}\n", line);
  return wrapped(text, kColumns);
}

std::string selected_of(const viz::Model& model, Steps& steps,
                        std::shared_ptr<viz::Verdicts>& verdicts, int product,
                        const viz::Selection& selection, const std::string& recorder) {
  const viz::Multiplication& in = model.multiplications[static_cast<std::size_t>(product)];
  std::string text = fmt::format("{}; {}\n", in.instruction->mnemonic, place_or_first(in.place));
  text += viz::selection_text(model, in, selection);
  if (selection.picked == viz::Picked::lane) return text;
  const trace::Fragment* fragment = in.fragment(selection.operand);
  if (fragment != nullptr && !source_text(fragment->source).empty())
    text += fmt::format("  {} {}\n", in.steps[0] != nullptr ? "of" : "recorded at",
                        source_text(fragment->source));
  text += diagnosis_text(model, steps, verdicts, product, selection.operand);
  viz::Way way = viz::way_of(model.trace, steps.list(), in, selection);
  viz::lead_on(way, verdicts, model, steps.list(), product, selection);
  text +=
      writer_text(steps, in, selection, way) + wrapped(viz::way_text(steps.list(), way), kColumns);
  if (way.stops.empty())
    if (const std::string why = viz::why_no_way(model, steps.list(), in, selection, recorder);
        !why.empty())
      text += wrapped(fmt::format("  its way\n    {}\n", why), kColumns);
  for (const viz::CloserLook& closer : viz::closer_looks(in, selection))
    text +=
        wrapped(fmt::format("  see --select \"{}\": {}\n", closer.words, closer.text), kColumns);
  return text;
}

}  // namespace

SelectionText selected_text(const viz::Model& model, const std::string& words, int product,
                            const std::string& recorder) {
  const auto& all = model.multiplications;
  if (all.empty())
    return {{},
            "nothing can be selected: the trace has no fragment whose instruction is in the atlas"};
  std::string problem, text;
  Steps steps(model.trace);
  std::shared_ptr<viz::Verdicts> verdicts;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (product > 0 && static_cast<std::size_t>(product) != k + 1) continue;
    const viz::Parsed parsed = viz::parse_selection(words, all[k]);
    if (!parsed.ok()) {
      if (problem.empty()) problem = parsed.error;
      continue;
    }
    if (all.size() > 1)
      text += fmt::format("{}product {} of {}\n", text.empty() ? "" : "\n", k + 1, all.size());
    text += selected_of(model, steps, verdicts, static_cast<int>(k), parsed.selection, recorder);
    if (product == kFirstProduct) break;
  }
  if (text.empty()) return {{}, problem};
  return {text, {}};
}

}  // namespace lanescope::cli
