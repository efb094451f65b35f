// SPDX-License-Identifier: MIT
// How the access of a step to shared memory falls into phases and banks, and why there is a
// conflict; and to how many sectors of global memory one goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/cell_grid.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {

namespace {

// What memory it is of, and what is said of the access: beside it, or below where there is no room.
void draw_title(const Look& look, const char* memory, const std::string& title, bool loses) {
  text(look.fonts.strong, look.theme.text, memory);
  if (text_width(look.fonts.strong, memory) + text_width(look.fonts.text, title) + look.em <
      ImGui::GetContentRegionAvail().x)
    ImGui::SameLine(0, 0.7f * look.em);
  text(look.fonts.text, loses ? look.theme.bad : look.theme.good, title,
       ImGui::GetContentRegionAvail().x);
}

}  // namespace

void draw_sectors(Workspace& ws, const Look& look, const SectorFacts& facts) {
  draw_title(look, "Global memory", facts.title, facts.loses());
  probe(ws, "sectors");
}

// Banks from left to right, a line a phase; a number says how many words are wanted of one bank.
void draw_access(Workspace& ws, const Look& look, const trace::Access& access) {
  const AccessFacts facts = access_facts(access);
  const Theme& t = look.theme;
  draw_title(look, "Shared memory", facts.title, facts.conflicts > 0);
  if (facts.phases.empty()) return;
  CellGrid grid;
  grid.rows = static_cast<int>(facts.phases.size());
  constexpr int kBanks = 32;
  grid.cols = kBanks;
  grid.cols_in_group = 8;
  grid.col_gap = 0.3f * look.em;
  const float indent = 5.4f * look.em;
  const float width = ImGui::GetContentRegionAvail().x - indent - look.em;
  grid.cell_width = std::floor(std::clamp(width / kBanks, 0.5f * look.em, 1.4f * look.em));
  grid.cell_height = std::floor(1.1f * look.em);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  grid.at = ImVec2(at.x + indent, at.y + 1.1f * look.em);
  ImGui::Dummy(ImVec2(grid.width() + indent, grid.height() + 1.7f * look.em));
  draw_cells(look, grid, cell_font(look, grid, 1), [&](int row, int col) {
    const AccessPhase& phase = facts.phases[static_cast<std::size_t>(row)];
    const int words = phase.words[static_cast<std::size_t>(col)];
    if (ws.probes != nullptr)
      probe(ws, fmt::format("phase {} bank {}", row, col), grid.cell(row, col));
    if (words == 0) return CellPaint{t.raised, t.faint, ""};
    const Rgb fill = words > 1 ? mix(t.bad, t.panel, t.dark ? 0.25f : 0.1f)
                               : lane_colour(col, t.dark, Shade::normal);
    return CellPaint{fill, text_on(fill), words > 1 ? fmt::format("{}", words) : ""};
  });
  IndexNumbers numbers;
  numbers.has_rows = false;  // a line is called by its lanes
  draw_indices(look, grid, numbers);
  BankPlace place = worst_bank(facts);
  BankPlace under;
  if (ImGui::IsItemHovered() && grid.find(ImGui::GetIO().MousePos, under.phase, under.bank)) {
    place = under;
    frame_cells(look, grid, place.phase, place.bank, place.phase, place.bank, t.outline);
  }
  const Font& small = look.fonts.cell[3];
  text_at(ImGui::GetWindowDrawList(), small,
          ImVec2(at.x, std::round(grid.at.y - small.size - 0.12f * look.em)), t.faint, "bank");
  for (int row = 0; row < grid.rows; ++row) {
    const std::uint32_t lanes = facts.phases[static_cast<std::size_t>(row)].lanes;
    const int first = lanes == 0 ? 0 : __builtin_ctz(lanes);
    const int last = lanes == 0 ? 0 : 31 - __builtin_clz(lanes);
    const std::string words = fmt::format("lanes {}-{}", first, last);
    const Box box = grid.cell(row, 0);
    text_at(ImGui::GetWindowDrawList(), small,
            ImVec2(at.x, std::round(box.top + (box.height - 1 - small.size) / 2)), t.faint, words);
  }
  // Why there is a conflict; of the bank under the pointer, who wants what of it.
  if (const std::string why = bank_text(access, facts, place); !why.empty()) {
    text(look.fonts.text, t.dim, why, ImGui::GetContentRegionAvail().x);
    probe(ws, "why");
  }
}

}  // namespace lanescope::viz
