// SPDX-License-Identifier: MIT
// The inspector where nothing is selected: what the instruction is, and what one can do.
#include <fmt/format.h>

#include "layout/formula.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

void what_it_is(Workspace& ws, const Multiplication& in, const Look& look, float width) {
  const layout::Instruction& i = *in.instruction;
  text(look.fonts.big, look.theme.accent,
       fmt::format("m{}n{}{}", i.M, i.N, i.K > 0 ? fmt::format("k{}", i.K) : ""));
  text(look.fonts.mono, look.theme.text, i.mnemonic, width);
  gap(look, 0.2f);
  if (ws.has_trace() && shows_no_run(ws)) {
    text(look.fonts.text, look.theme.warn,
         "This trace has no fragments: here is a map alone, of an instruction that the trace need "
         "not have. "
         "RECORD in a kernel, or `lanescope run --steps`, brings some.",
         width);
    probe(ws, "no fragments");
  }
  if (const trace::View* view = ws.about().view(); view != nullptr && !view->caption.empty()) {
    text(look.fonts.text, look.theme.text, view->caption, width);
  }
}

void operands(const Multiplication& in, const Look& look, float width) {
  const char* place = in.tensor != nullptr ? "column" : "register";
  for (const char operand : kOperands) {
    const layout::Fragment* map = in.map(operand);
    if (map == nullptr) continue;
    text(look.fonts.mono, look.theme.text,
         fmt::format("{}  {} x {} {}: {} {}{}, {} value{}", operand, map->rows, map->cols,
                     layout::name(map->type), map->registers(), place,
                     map->registers() == 1 ? "" : "s", map->values, map->values == 1 ? "" : "s"),
         width);
  }
}

// Which element is where, as formulas.
std::vector<std::string> rules_of(const Multiplication& in) {
  if (in.tensor != nullptr) return tensor_rules(*in.tensor);
  std::vector<std::string> rules{"groupID = lane >> 2", "threadID_in_group = lane % 4"};
  if (in.threads() > 32) rules.clear();
  for (const char operand : {'A', 'B', 'D'})
    if (const layout::Fragment* map = in.map(operand); map != nullptr) {
      rules.push_back(
          fmt::format("{} row = {}", operand, layout::formula(*map, layout::Axis::row)));
      rules.push_back(fmt::format("  col = {}", layout::formula(*map, layout::Axis::col)));
    }
  return rules;
}

}  // namespace

void draw_standing(const Look& look, const Facts& facts) {
  const float width = ImGui::GetContentRegionAvail().x;
  text(look.fonts.text, look.theme.dim, facts.source, width);
  text(look.fonts.text, facts.verified ? look.theme.good : look.theme.warn, facts.standing, width);
  if (!facts.note.empty()) text(look.fonts.text, look.theme.warn, facts.note, width);
  if (!facts.agreement.empty()) text(look.fonts.text, look.theme.dim, facts.agreement, width);
}

void draw_overview(Workspace& ws, const Multiplication& in, const Look& look) {
  const layout::Instruction& i = *in.instruction;
  const float width = ImGui::GetContentRegionAvail().x;
  const char* holder = holder_word(in);
  what_it_is(ws, in, look, width);
  section(look, fmt::format("in every {}", holder).c_str());
  operands(in, look, width);
  section(look, in.tensor != nullptr
                    ? "where D[row][col] lies"
                    : fmt::format("which element is value i of a {}", holder).c_str());
  mono_lines(look, rules_of(in), look.theme.text);
  Facts facts;
  facts.source = i.source;
  facts.note = i.note;
  facts.standing = standing_text(i);
  facts.verified = i.standing == layout::Standing::verified;
  facts.agreement = agreement_text(ws.about());
  gap(look, 0.15f);
  draw_standing(look, facts);
  section(look, "look closer");
  const char* makers =
      in.map('B') != nullptr
          ? "Hover an element of D to see the row of A and the column of B that make it. "
      : in.is_drawn('A') ? "Hover an element of D to see the row of A that makes it. "
      : in.tensor != nullptr
          ? "A and B lie in shared memory: A 0,0 finds an element, and its way there. "
          : "";
  text(look.fonts.text, look.theme.dim,
       fmt::format(
           "Click a cell or a {0}. {1}Press / and write {2} or {0} 13. Press ? for all keys.",
           holder, makers, example_of(in)),
       width);
}

}  // namespace lanescope::viz
