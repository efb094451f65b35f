// SPDX-License-Identifier: MIT
#include "cli/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

#include "layout/picture.hpp"
#include "panels/facts.hpp"
#include "panels/memory_tile.hpp"
#include "panels/palette.hpp"
#include "panels/step_search.hpp"
#include "panels/steps.hpp"

namespace lanescope::cli {
namespace {

constexpr int kRowHeader = 4;      // "127 "
constexpr int kMostTileRows = 64;  // of a tile of memory; more is for the file
constexpr int kMostTileCols = 64;

std::string right(const std::string& text, int width) { return fmt::format("{:>{}}", text, width); }

std::string count(std::size_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

/// The 6x6x6 colours that every terminal of today has (xterm's 256).
int terminal_colour(viz::Rgb colour) {
  const auto level = [](std::uint8_t channel) {
    return channel < 48 ? 0 : channel < 115 ? 1 : (channel - 35) / 40;
  };
  return 16 + 36 * level(colour.red) + 6 * level(colour.green) + level(colour.blue);
}

std::string coloured(const std::string& text, int lane, bool bright, const TextStyle& style) {
  if (!style.colour) return text;
  const viz::Rgb fill =
      viz::lane_colour(lane, false, bright ? viz::Shade::bright : viz::Shade::normal);
  return fmt::format("\x1b[48;5;{};38;5;16m{}\x1b[0m", terminal_colour(fill), text);
}

/// How many columns of cells fit: all of them, or else a power of two, so that no register is torn.
int columns_that_fit(int cols, int cell, const TextStyle& style) {
  const int most = std::max(1, (style.columns - kRowHeader) / cell);
  if (cols <= most) return cols;
  int fit = 1;
  while (2 * fit <= most) fit *= 2;
  return fit;
}

std::string column_numbers(int first, int last, int cell) {
  std::string line(kRowHeader, ' ');
  for (int col = first; col < last; ++col) line += right(std::to_string(col), cell);
  return line + "\n";
}

std::string source_text(const trace::SourceLine& source) {
  if (source.file.empty()) return {};
  return source.line > 0 ? fmt::format("{}:{}", source.file, source.line) : source.file;
}

std::string place_or_first(const trace::Place& place) {
  const std::string text = viz::place_text(place);
  return text.empty() ? "the first warp" : text;
}

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

/// Text of a file, which may hold anything, must not command the terminal.
void make_printable(std::string& text) {
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = '?';
}

struct MakePrintable {
  void operator()(trace::View& e) const {
    make_printable(e.title);
    make_printable(e.caption);
  }
  void operator()(trace::Launch& e) const { make_printable(e.kernel); }
  void operator()(trace::Fragment& e) const {
    for (std::string* text : {&e.name, &e.instruction, &e.operand, &e.source.file})
      make_printable(*text);
  }
  void operator()(trace::Memory& e) const {
    for (std::string* text : {&e.name, &e.type}) make_printable(*text);
  }
  void operator()(trace::Diagnostic& e) const {
    for (std::string* text : {&e.kind, &e.message, &e.source.file}) make_printable(*text);
    for (std::string& detail : e.details) make_printable(detail);
  }
  void operator()(trace::Step& e) const {
    for (std::string* text : {&e.ptx, &e.source.file}) make_printable(*text);
    for (trace::Write& write : e.writes)
      for (std::string* text : {&write.name, &write.watch}) make_printable(*text);
  }
  void operator()(trace::Access& e) const { make_printable(e.instruction); }
  void operator()(trace::Sync& e) const {
    for (std::string* text : {&e.action, &e.object, &e.source.file}) make_printable(*text);
  }
};

std::string multiplication_text(const viz::Multiplication& in, const TextStyle& style) {
  std::string text =
      fmt::format("{}\n{}; {}, {}\n", in.instruction->mnemonic, place_or_first(in.place),
                  in.instruction->source, viz::standing_text(*in.instruction));
  for (const char operand : viz::kOperands)
    if (in.fragment(operand) != nullptr) text += "\n" + operand_text(in, operand, style);
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

void make_printable(trace::Trace& trace) {
  trace::Header& header = trace.header;
  for (std::string* text : {&header.device, &header.arch, &header.program, &header.command})
    make_printable(*text);
  for (trace::Event& event : trace.events) std::visit(MakePrintable{}, event);
}

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

std::string operand_text(const viz::Multiplication& in, char operand, const TextStyle& style) {
  const layout::Fragment* map = in.map(operand);
  const trace::Fragment* fragment = in.fragment(operand);
  if (map == nullptr || fragment == nullptr) return {};
  std::vector<std::string> labels, values;
  std::vector<int> lanes;
  std::size_t longest = 0;
  for (int row = 0; row < map->rows; ++row)
    for (int col = 0; col < map->cols; ++col) {
      const layout::Holder holder = in.holder(operand, row, col);
      lanes.push_back(holder.thread);
      labels.push_back(fmt::format("{}.r{}", holder.thread, holder.register_index));
      values.push_back(viz::value_text(in, operand, holder));
      longest = std::max({longest, labels.back().size(), values.back().size()});
    }
  const int cell = static_cast<int>(longest) + 1;

  const std::string source = source_text(fragment->source);
  std::string text = fmt::format(
      "{}  {} x {}, {}, {} a lane", operand, map->rows, map->cols, layout::name(map->type),
      count(static_cast<std::size_t>(map->registers()), "register", "registers"));
  if (fragment->name != fragment->operand) text += fmt::format(", \"{}\"", fragment->name);
  if (!source.empty()) text += ", recorded at " + source;
  text += "\n";
  if (map->values_per_register() > 1)
    text +=
        fmt::format("a cell is lane.register; lane 0's r0, from its low bits up, is (row,col) {}\n",
                    layout::element_ranges(*map, 0, 0));
  const int fit = columns_that_fit(map->cols, cell, style);
  for (int first = 0; first < map->cols; first += fit) {
    const int last = std::min(first + fit, map->cols);
    text += column_numbers(first, last, cell);
    for (int row = 0; row < map->rows; ++row) {
      std::string upper(kRowHeader, ' ');
      std::string lower = fmt::format("{:<{}}", row, kRowHeader);
      for (int col = first; col < last; ++col) {
        const auto at = static_cast<std::size_t>(row * map->cols + col);
        upper += coloured(right(labels[at], cell), lanes[at], false, style);
        lower += coloured(right(values[at], cell), lanes[at], true, style);
      }
      text += upper + "\n" + lower + "\n";
    }
  }
  return text;
}

std::string tile_text(const trace::Memory& memory, const TextStyle& style) {
  const int rows = std::min(memory.rows, kMostTileRows);
  const int cols = std::min(memory.cols, kMostTileCols);
  std::size_t longest = 2;
  std::vector<std::string> values;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      values.push_back(viz::element_text(memory, row, col));
      longest = std::max(longest, values.back().size());
    }
  const int cell = static_cast<int>(longest) + 1;
  std::string text =
      fmt::format("tile {}  {} x {}, {}, {} memory at 0x{:x}, {} bytes from row to row; {}\n",
                  memory.name, memory.rows, memory.cols, memory.type, memory.space, memory.address,
                  memory.row_stride_bytes, place_or_first(memory.place));
  const int fit = columns_that_fit(cols, cell, style);
  for (int first = 0; first < cols; first += fit) {
    const int last = std::min(first + fit, cols);
    text += column_numbers(first, last, cell);
    for (int row = 0; row < rows; ++row) {
      text += fmt::format("{:<{}}", row, kRowHeader);
      for (int col = first; col < last; ++col)
        text += right(values[static_cast<std::size_t>(row * cols + col)], cell);
      text += "\n";
    }
  }
  if (rows < memory.rows || cols < memory.cols)
    text += fmt::format("(the first {} x {} of {} x {}; the file has the rest)\n", rows, cols,
                        memory.rows, memory.cols);
  return text;
}

std::string raw_text(const trace::Fragment& fragment, const TextStyle& style) {
  const std::size_t lanes = fragment.registers.empty() ? 0 : fragment.registers[0].size();
  const int cell = fragment.register_bits / 4 + 2;
  const int registers = static_cast<int>(fragment.registers.size());
  const std::string source = source_text(fragment.source);
  std::string text =
      fmt::format("{}  {} of {} bits, {} lanes, as they are: the atlas does not know {}{}{}\n",
                  fragment.name.empty() ? "registers" : fragment.name,
                  count(fragment.registers.size(), "register", "registers"), fragment.register_bits,
                  lanes, fragment.instruction.empty() ? "their instruction" : fragment.instruction,
                  source.empty() ? "" : ", recorded at ", source);
  const int fit = columns_that_fit(registers, cell, style);
  for (int first = 0; first < registers; first += fit) {
    const int last = std::min(first + fit, registers);
    text += "lane";
    for (int r = first; r < last; ++r) text += right(fmt::format("r{}", r), cell);
    text += "\n";
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      text += fmt::format("{:<{}}", lane, kRowHeader);
      for (int r = first; r < last; ++r)
        text += coloured(
            right(fmt::format("{:0{}x}", fragment.registers[static_cast<std::size_t>(r)][lane],
                              fragment.register_bits / 4),
                  cell),
            static_cast<int>(lane), false, style);
      text += "\n";
    }
  }
  return text;
}

namespace {

std::string kernel_text(const trace::Launch& l) {
  return fmt::format("{}<<<{}x{}x{}, {}x{}x{}, {}>>>\n", l.kernel, l.grid[0], l.grid[1], l.grid[2],
                     l.block[0], l.block[1], l.block[2], l.shared_bytes);
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
    if (count > 0 && kernel == last && launch->launch == first + count) {
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
  if (model.multiplications.size() > 1) text += products_text(model);
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

std::string selected_of(const viz::Model& model, const viz::StepList& steps,
                        const viz::Multiplication& in, const viz::Selection& selection) {
  std::string text = fmt::format("{}; {}\n", in.instruction->mnemonic, place_or_first(in.place));
  text += viz::selection_text(model, in, selection);
  const trace::Fragment* fragment = in.fragment(selection.operand);
  const bool one_operand = selection.picked != viz::Picked::lane;
  if (one_operand && fragment != nullptr && !source_text(fragment->source).empty())
    text += "  recorded at " + source_text(fragment->source) + "\n";
  const bool one_register =
      selection.picked == viz::Picked::element || selection.picked == viz::Picked::reg;
  if (one_register && fragment != nullptr && selection.register_index >= 0) {
    const viz::StepPlace by =
        viz::written_by(steps, fragment->place, fragment->place.warp + selection.thread / 32,
                        fmt::format("{}.r{}", selection.operand, selection.register_index));
    if (by.item >= 0) text += fmt::format("  written by {}\n", viz::step_name(steps, by));
  }
  return text;
}

}  // namespace

SelectionText selected_text(const viz::Model& model, const std::string& words, int product) {
  const auto& all = model.multiplications;
  if (all.empty())
    return {{},
            "nothing can be selected: the trace has no fragment whose instruction is in the atlas"};
  std::string problem, text;
  const viz::StepList steps = viz::make_steps(model.trace);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (product > 0 && static_cast<std::size_t>(product) != k + 1) continue;
    const viz::Parsed parsed = viz::parse_selection(words, all[k]);
    if (!parsed.ok()) {
      if (problem.empty()) problem = parsed.error;
      continue;
    }
    if (all.size() > 1)
      text += fmt::format("{}product {} of {}\n", text.empty() ? "" : "\n", k + 1, all.size());
    text += selected_of(model, steps, all[k], parsed.selection);
    if (product == kFirstProduct) break;
  }
  if (text.empty()) return {{}, problem};
  return {text, {}};
}

}  // namespace lanescope::cli
