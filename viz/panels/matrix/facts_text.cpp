// SPDX-License-Identifier: MIT
// Facts as text, and on what a map rests.
#include <fmt/format.h>

#include "panels/matrix/facts.hpp"

namespace lanescope::viz {

std::string standing_text(layout::Standing standing) {
  return standing == layout::Standing::verified
             ? std::string(layout::name(standing))
             : fmt::format("{}, not verified on a card", layout::name(standing));
}

std::string standing_text(const layout::Instruction& instruction) {
  return standing_text(instruction.standing);
}

std::string agreement_text(const Model& model) {
  if (!model.from_emulator()) return {};
  return "the emulator reads the same table: agrees by construction";
}

std::string to_text(const Facts& facts) {
  if (facts.title.empty()) return {};
  std::string text = fmt::format("{}  {}\n", facts.title, facts.where);
  if (!facts.type.empty()) text += fmt::format("  {}\n", facts.type);
  if (!facts.scale.empty()) text += fmt::format("  its scale: {}\n", facts.scale);
  for (const RegisterFacts& reg : facts.registers) {
    text += fmt::format("  {}{}{}\n", reg.name, reg.bits.empty() ? "" : "  ", reg.bits);
    for (const Part& part : reg.parts) {
      const std::string label = part.label.empty() ? "" : part.label + "  ";
      const bool chosen =
          facts.part >= 0 && &part == &reg.parts[static_cast<std::size_t>(facts.part)];
      text += fmt::format("  {} {}{}", chosen ? ">" : " ", label, part.name);
      if (!part.bits.empty()) text += fmt::format("  {} = {}", part.bits, part.value);
      text += '\n';
    }
    for (const std::string& note : reg.notes) text += fmt::format("    {}\n", note);
  }
  for (const auto* lines : {&facts.why, &facts.makes})
    for (const std::string& line : *lines) text += "  " + line + "\n";
  for (std::size_t i = 0; i < facts.cute.size(); ++i)
    text += fmt::format("  {}{}\n", i == 0 ? "CuTe: " : "    ", facts.cute[i]);
  text += fmt::format("  {}, {}\n", facts.source, facts.standing);
  if (!facts.note.empty()) text += fmt::format("  {}\n", facts.note);
  if (!facts.agreement.empty()) text += "  " + facts.agreement + "\n";
  return text;
}

std::string selection_text(const Model& model, const Multiplication& in,
                           const Selection& selection) {
  return to_text(facts(model, in, selection));
}

}  // namespace lanescope::viz
