// SPDX-License-Identifier: MIT
// Beside a map seen from both sides: what is picked and why, or what the map is. And the switch
// between the matrices of an instruction, its metadata and its scales.
#include <fmt/format.h>

#include <algorithm>

#include "layout/formula.hpp"
#include "layout/instruction.hpp"
#include "panels/look/widgets.hpp"
#include "panels/matrix/kept.hpp"
#include "panels/matrix/scaled.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

using layout::Fragment;

std::string what_it_is(const MapView& view) {
  const Fragment& f = *view.map;
  if (view.mover == nullptr) {
    if (f.operand == 'E')
      return "Which of every group of columns of A were kept: an index of so many bits for each "
             "element. The selector says which lanes hand the register in.";
    return "A scale for each row of A (SFA) or column of B (SFB) and chunk of K.";
  }
  if (view.mover->family == "movmatrix")
    return "Every lane gives one register and gets one back: the matrix is transposed between "
           "them.";
  const bool stores = view.mover->family == "stmatrix" || view.mover->family == "tcgen05.st";
  const std::string direction = stores
                                    ? "The registers at the right go to the elements at the left."
                                    : "The elements at the left go to the registers at the right.";
  if (view.mover->memory == layout::MoverMemory::result)
    return fmt::format(
        "Where tcgen05.mma leaves D: at the left D, each element with its lane of tensor memory; "
        "at "
        "the right tensor memory{}, each place with its element. An element has a column of 32 "
        "bits{}. Warp w of a warpgroup reads lanes 32w to 32w + 31.",
        f.threads() > 128 ? " of both CTAs" : "",
        f.type == layout::ElementType::f16 ? ", of which it fills the low half" : "");
  if (view.mover->memory == layout::MoverMemory::factors)
    return fmt::format(
        "Where a block-scaled tcgen05.mma finds the scale factors of {}: at the left the factors, "
        "each with its lane of tensor memory; at the right tensor memory{}, four bytes to a column "
        "of 32 bits. Every 32 lanes have the same.",
        f.operand == 'S' ? "A" : "B", f.threads() > 128 ? " of both CTAs" : "");
  if (view.mover->memory == layout::MoverMemory::metadata)
    return fmt::format(
        "Where tcgen05.mma.sp finds which elements of A were kept: at the left an index of {} bits "
        "for each {}, with its lane of tensor memory; at the right tensor memory{}, low bits "
        "first.",
        f.element_bits,
        view.mover->mnemonic.find(".mxf4") != std::string::npos ? "pair" : "element",
        f.threads() > 128 ? " of both CTAs" : "");
  if (view.mover->memory == layout::MoverMemory::tensor)
    return (f.matrices > 1
                ? "Two places of tensor memory, as many columns apart as the last operand "
                  "says. "
                : "A place of tensor memory: ") +
           fmt::format(
               "{} of its lanes, {} columns of 32 bits, counted from the address. Warp w of a "
               "warpgroup reaches lanes 32w to 32w + 31. ",
               f.rows, f.cols) +
           direction;
  const std::string rows =
      fmt::format("Each lane from 0 to {} hands in the address of one row of 16 bytes. ",
                  f.matrices * f.rows - 1);
  return rows + direction;
}

// What the trace has in the metadata that are picked.
std::vector<std::string> said_by_metadata(Workspace& ws, const MapView& view, const MapPick& pick) {
  const Multiplication* in = ws.page == Page::trace ? ws.shown() : nullptr;
  if (in != nullptr && (ws.map.operand == 'S' || ws.map.operand == 'T'))
    return said_by_scales(*in, *view.map, pick.kind == MapPick::Kind::element, pick.element,
                          pick.lane);
  if (in == nullptr || in->metadata == nullptr || view.selector != in->selector) return {};
  if (pick.kind == MapPick::Kind::element)
    return {stands_for(*in, pick.element.row, pick.element.col)};
  std::vector<std::string> lines = metadata_lines(*in, pick.lane);
  lines.insert(lines.begin(),
               hex(in->metadata->registers[0][static_cast<std::size_t>(pick.lane)], 32));
  return lines;
}

// Nothing is picked: what the map is.
void whole_map(const MapView& view, const Look& look, float width) {
  const Fragment& f = *view.map;
  text(look.fonts.big, look.theme.accent, map_title(view));
  text(look.fonts.text, look.theme.text, what_it_is(view), width);
  const bool result = view.memory() == layout::MoverMemory::result;
  const bool feeds = view.mover != nullptr && view.mover->feeds_product();
  section(look, result                  ? "where D[row][col] is"
                : feeds                 ? "where they are"
                : view.mover != nullptr ? "which element is value i of a lane"
                                        : "which element is part i of the register");
  std::vector<std::string> rules{"row = " + layout::formula(f, layout::Axis::row),
                                 "col = " + layout::formula(f, layout::Axis::col)};
  if (view.mover != nullptr && view.mover->in_tensor_lanes()) {
    rules = {"lane = " + view.mover->rules.lane, "column = " + view.mover->rules.column};
    if (f.threads() > 128) rules.insert(rules.begin(), "CTA = " + view.mover->rules.cta);
  }
  if (f.matrices > 1) rules.push_back("matrix = " + layout::formula(f, layout::Axis::matrix));
  mono_lines(look, rules, look.theme.text);
  if (result || feeds) {
    section(look, "what lies where");
    for (const std::string& line : layout::tensor_memory_lines(*view.mover))
      text(look.fonts.text, look.theme.text, line, width);
  }
}

void picked(Workspace& ws, const MapView& view, const Look& look, const MapPick& pick,
            const MapFacts& facts) {
  text(look.fonts.big, look.theme.accent, facts.title);
  text(look.fonts.text, look.theme.text, facts.where, ImGui::GetContentRegionAvail().x);
  gap(look, 0.2f);
  mono_lines(look, facts.lines, look.theme.text);
  if (const std::vector<std::string> said = said_by_metadata(ws, view, pick); !said.empty()) {
    section(look, "in this trace");
    mono_lines(look, said, look.theme.text);
    probe(ws, "metadata");
  }
  section(look, "why");
  mono_lines(look, facts.why, look.theme.text);
}

}  // namespace

void draw_map_inspector(Workspace& ws, const MapView& view, const Look& look) {
  const MapPick& pick = ws.map.pick.kind != MapPick::Kind::nothing ? ws.map.pick : ws.map.hover;
  const MapFacts facts = map_facts(view, pick);
  const float width = ImGui::GetContentRegionAvail().x;
  const Fragment& f = *view.map;
  if (facts.title.empty())
    whole_map(view, look, width);
  else
    picked(ws, view, look, pick, facts);
  const layout::Standing standing =
      view.mover != nullptr ? view.mover->standing : view.instruction->standing;
  gap(look, 0.15f);
  text(look.fonts.text, look.theme.dim,
       view.mover != nullptr ? view.mover->source : view.instruction->source, width);
  text(look.fonts.text, standing == layout::Standing::verified ? look.theme.good : look.theme.warn,
       standing_text(standing), width);
  if (view.addresses() && f.rows == 8)
    text(look.fonts.text, look.theme.dim,
         "That each matrix is a phase of eight lanes is what an H200 does; the ISA does not say.",
         width);
  const bool scales = f.operand == 'S' || f.operand == 'T';  // the switch above says which
  if (view.mover == nullptr && !scales && !view.instruction->note.empty())
    text(look.fonts.text, look.theme.warn, view.instruction->note, width);
  if (!facts.title.empty()) return;
  section(look, "look closer");
  text(look.fonts.text, look.theme.dim,
       fmt::format("Hover or click an element on either side, or a name in the middle: the other "
                   "side has it, too. Press / and write {}.",
                   examples_of(view, " or ")),
       width);
}

namespace {

// thread-id: which lanes of a quad hand the scales in; byte-id: in which bytes of their words.
void scale_switch(Workspace& ws, const Look& look) {
  const auto all = layout::scale_selectors(*ws.shown()->instruction, ws.map.operand);
  const auto one = [&](const char* name, int layout::ScaleSelector::*which) {
    std::vector<std::string> names;
    std::vector<int> values;
    int chosen = 0;
    for (const layout::ScaleSelector& each : all) {
      if (std::find(values.begin(), values.end(), each.*which) != values.end()) continue;
      if (each.*which == ws.map.scale.*which) chosen = static_cast<int>(values.size());
      values.push_back(each.*which);
      names.push_back(fmt::format("{}", each.*which));
    }
    ImGui::SameLine(0, 1.5f * look.em);
    ImGui::AlignTextToFramePadding();
    text(look.fonts.text, look.theme.dim, name);
    ImGui::SameLine(0, 0.5f * look.em);
    layout::ScaleSelector selector = ws.map.scale;
    if (!choices(ws, look, name, names, chosen)) return;
    selector.*which = values[static_cast<std::size_t>(chosen)];
    choose_scale(ws, selector);
  };
  one("thread-id", &layout::ScaleSelector::thread_id);
  one("byte-id", &layout::ScaleSelector::byte_id);
}

}  // namespace

void draw_operand_switch(Workspace& ws, const Look& look) {
  const layout::Instruction& i = *ws.shown()->instruction;
  std::vector<std::string> names{"matrices"};
  std::string letters(1, '\0');
  for (const char operand : {'E', 'S', 'T'})
    if (i.operand(operand) != nullptr) {
      names.emplace_back(operand == 'E' ? "E metadata" : layout::operand_name(operand));
      letters += operand;
    }
  int chosen = static_cast<int>(std::max(letters.find(ws.map.operand), std::size_t{0}));
  if (choices(ws, look, "operand", names, chosen))
    ws.map = {letters[static_cast<std::size_t>(chosen)], 0, {}, {}};
  if (ws.map.operand == 'S' || ws.map.operand == 'T') return scale_switch(ws, look);
  if (ws.map.operand != 'E' || i.E.size() < 2) return;
  ImGui::SameLine(0, 1.5f * look.em);
  ImGui::AlignTextToFramePadding();
  text(look.fonts.text, look.theme.dim, "selector");
  ImGui::SameLine(0, 0.5f * look.em);
  std::vector<std::string> selectors;
  for (std::size_t at = 0; at < i.E.size(); ++at) selectors.push_back(fmt::format("{}", at));
  if (choices(ws, look, "selector", selectors, ws.map.selector))
    ws.map.pick = carried_over(ws.map.pick, map_view(ws));
}

}  // namespace lanescope::viz
