// SPDX-License-Identifier: MIT
// A tile in shared memory: its elements coloured by bank, how often eight lanes must go there, and
// the same bytes as they lie, 128 (all 32 banks) a line. MN-major tiles are drawn with MN across:
// what is contiguous always runs from left to right.
#include <fmt/format.h>

#include <algorithm>

#include "layout/banks.hpp"
#include "panels/look/cell_grid.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr float kIndent = 2.6f, kBeside = 1.3f, kGap = 0.3f;  // em: left, right, between units

class TilePainter {
 public:
  TilePainter(Workspace& ws, const Look& look)
      : ws_(ws),
        s_(ws.swizzle),
        look_(look),
        t_(look.theme),
        tile_(tile_of(s_.form)),
        K_(s_.form.major == layout::Major::K),
        T_(layout::elements_per_unit(s_.form.bits)) {}

  void draw() {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    begin_child("tile", room, false, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    lay_out(room);
    point();
    elements();
    passes();
    memory();
    reveal(room);
    ImGui::EndChild();
  }

 private:
  int across() const { return K_ ? s_.form.rows : s_.form.cols; }
  int along() const { return K_ ? s_.form.cols : s_.form.rows; }
  int mn(int row, int col) const { return K_ ? row : col; }
  int k(int row, int col) const { return K_ ? col : row; }
  int row_of(int mn, int k) const { return K_ ? mn : k; }
  int col_of(int mn, int k) const { return K_ ? k : mn; }

  void lay_out(ImVec2 room) {
    const float em = look_.em;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float indent = kIndent * em;
    grid_.rows = across();
    grid_.cols = along();
    grid_.rows_in_group = 8;
    grid_.row_gap = 1.5f * em;
    grid_.cols_in_group = T_;
    grid_.col_gap = kGap * em;
    const Units units = units_of(s_.form);
    const float free = room.x - indent - kBeside * em -
                       grid_.col_gap * static_cast<float>(std::max(units.units - 1, 0));
    grid_.cell_width =
        std::max(std::floor(free / static_cast<float>(along())), least_tile_cell(s_, em));
    grid_.cell_width = std::min(grid_.cell_width, std::floor(3.2f * em));
    remember_memory();
    lines_.rows = static_cast<int>((s_.memory.size() + 7) / 8);
    const float rows = static_cast<float>(across() + lines_.rows);
    const float free_height = room.y - 9 * em - grid_.row_gap * static_cast<float>(units.blocks);
    grid_.cell_height = lines_.cell_height =
        std::floor(std::clamp(free_height / rows, 1.3f * em, 2.1f * em));
    grid_.at = ImVec2(origin.x + indent, origin.y + 3.0f * em);
    lines_.cols = 8;
    lines_.cell_width =
        std::clamp(std::floor((room.x - indent - 1.2f * em) / 8), 6.0f * em, 9.0f * em);
    // A row of 128 bytes is a line of memory: their units stand below each other.
    const float unit = grid_.cell_width * static_cast<float>(T_);
    if (units.units == lines_.cols && unit >= 5.5f * em) {
      lines_.cell_width = unit;
      lines_.cols_in_group = 1;
      lines_.col_gap = grid_.col_gap;
    }
    lines_.at = ImVec2(origin.x + indent, grid_.at.y + grid_.height() + 5.2f * em);
    const float right = std::max(grid_.at.x + grid_.width(), lines_.at.x + lines_.width());
    ImGui::InvisibleButton("cells", ImVec2(std::max(right - origin.x, 1.0f) + 0.3f * em,
                                           lines_.at.y + lines_.height() - origin.y + 0.5f * em));
  }

  void remember_memory() {
    if (!s_.memory.empty() && s_.memory_of == s_.form && s_.memory_applied == s_.applied) return;
    s_.memory = memory_order(tile_, s_.applied);
    s_.memory_of = s_.form;
    s_.memory_applied = s_.applied;
  }

  void point() {
    s_.hover_mn = s_.hover_k = -1;
    if (!ImGui::IsItemHovered()) return;
    int row = 0, col = 0;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (grid_.find(mouse, row, col)) {
      s_.hover_mn = mn(row, col);
      s_.hover_k = k(row, col);
    } else if (lines_.find(mouse, row, col)) {
      const auto at = static_cast<std::size_t>(row * 8 + col);
      if (at < s_.memory.size()) s_.hover_mn = s_.memory[at].mn, s_.hover_k = s_.memory[at].k;
    }
    if (!ImGui::IsMouseClicked(0)) return;
    s_.mn = s_.hover_mn;
    s_.k = s_.hover_k;
    ws_.message.clear();
  }

  bool focus(int& row, int& col) const {
    const bool hovered = s_.hover_mn >= 0;
    const int at_mn = hovered ? s_.hover_mn : s_.mn;
    const int at_k = hovered ? s_.hover_k : s_.k;
    row = row_of(at_mn, at_k);
    col = col_of(at_mn, at_k);
    return at_mn >= 0 && at_mn < s_.form.rows && at_k >= 0 && at_k < s_.form.cols;
  }

  // In the column of eight rows and 16 bytes that is in focus?
  bool in_column(int row, int col) const {
    int at_row = 0, at_col = 0;
    return focus(at_row, at_col) && row / 8 == at_row / 8 && col / T_ == at_col / T_;
  }

  CellPaint paint(int row, int col, int bank, std::string label) const {
    int at_row = 0, at_col = 0;
    const Shade shade = !focus(at_row, at_col) ? Shade::normal
                        : in_column(row, col)  ? Shade::bright
                                               : Shade::dim;
    const Rgb fill = lane_colour(bank, t_.dark, shade);
    return {fill, shade == Shade::dim ? t_.dim : text_on(fill), std::move(label)};
  }

  void elements() {
    const float top = grid_.at.y - 2.9f * look_.em;
    heading(top, "Tile",
            fmt::format("{} × {} of {} bits; {} downwards, {} to the right; colour and number: {}",
                        s_.form.rows, s_.form.cols, s_.form.bits, K_ ? "rows" : "k",
                        K_ ? "k" : "rows", s_.offsets ? "bank, byte offset" : "bank"));
    const std::size_t longest = s_.offsets ? 5 : 2;
    draw_cells(look_, grid_, cell_font(look_, grid_, longest), [&](int row, int col) {
      const std::uint32_t offset = offset_of(tile_, mn(row, col), k(row, col), s_.applied);
      if (ws_.probes != nullptr)
        probe(ws_, fmt::format("element {},{}", mn(row, col), k(row, col)), grid_.cell(row, col));
      return paint(row, col, layout::bank(offset),
                   fmt::format("{}", s_.offsets ? static_cast<int>(offset) : layout::bank(offset)));
    });
    IndexNumbers numbers;
    int row = 0, col = 0;
    if (focus(row, col)) {
      numbers.focus_row = row;
      numbers.focus_col = col;
      frame_cells(look_, grid_, row, col, row, col, t_.outline);
    }
    draw_indices(look_, grid_, numbers);
  }

  // Below each eight rows: in how many passes eight lanes get their 16 bytes of each.
  void passes() {
    const Units units = units_of(s_.form);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const auto rows = grid_.rows_between(draw->GetClipRectMin().y, draw->GetClipRectMax().y);
    const auto cols = grid_.cols_between(draw->GetClipRectMin().x, draw->GetClipRectMax().x);
    for (int block = rows.first / 8; block < std::min(units.blocks, rows.second / 8 + 1); ++block)
      for (int unit = cols.first / T_; unit < std::min(units.units, cols.second / T_ + 1); ++unit) {
        if (!has_eight(s_.form, block)) continue;
        const int count = eight_lanes(tile_, block, unit, s_.applied).passes;
        const int row = block * 8 + 7;
        passes_bar(ws_, look_, block, unit, grid_.cell(row, unit * T_),
                   grid_.cell(row, std::min((unit + 1) * T_, along()) - 1), count);
      }
  }

  void memory() {
    heading(lines_.at.y - 2.9f * look_.em, "Shared memory",
            "a line is 128 bytes, all 32 banks; a cell is 16 bytes: (mn, k) of its first element");
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Font& small = look_.fonts.cell[3];
    for (int unit = 0; unit < 8; ++unit) {
      const Box box = lines_.cell(0, unit);
      text_at(draw, small, ImVec2(box.left + 2, lines_.at.y - small.size - 0.15f * look_.em),
              t_.faint, fmt::format("banks {} to {}", unit * 4, unit * 4 + 3));
    }
    draw_cells(look_, lines_, cell_font(look_, lines_, 9), [&](int line, int unit) {
      const auto at = static_cast<std::size_t>(line * 8 + unit);
      if (ws_.probes != nullptr) probe(ws_, fmt::format("unit {}", at), lines_.cell(line, unit));
      if (at >= s_.memory.size() || s_.memory[at].mn < 0) return CellPaint{t_.raised, t_.faint, ""};
      const UnitAt& from = s_.memory[at];
      return paint(row_of(from.mn, from.k), col_of(from.mn, from.k), unit * 4 + 1,
                   fmt::format("{}, {}", from.mn, from.k));
    });
    draw_line_bytes(look_, lines_);
    int row = 0, col = 0;
    if (!focus(row, col)) return;
    const int offset =
        static_cast<int>(offset_of(tile_, mn(row, col), k(row, col), s_.applied) / 16);
    frame_cells(look_, lines_, offset / 8, offset % 8, offset / 8, offset % 8, t_.outline);
  }

  void heading(float top, const char* name, const std::string& words) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    text_at(draw, look_.fonts.strong, ImVec2(grid_.at.x, top), t_.text, name);
    // What has no room ends where a part of it does, as far as it can.
    const float left = grid_.at.x + text_width(look_.fonts.strong, name) + 0.6f * look_.em;
    const float room = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() -
                       ImGui::GetStyle().ScrollbarSize - left + ImGui::GetScrollX();
    std::string_view shown = words;
    while (text_width(look_.fonts.text, shown) > room) {
      const std::size_t end = shown.find_last_of(";:");
      if (end == std::string_view::npos) break;
      shown = shown.substr(0, end);
    }
    text_at(draw, look_.fonts.text, ImVec2(left, top + 0.5f), t_.dim, shown);
  }

  void reveal(ImVec2 room) {
    if (!s_.reveal || s_.mn < 0) return;
    s_.reveal = false;
    scroll_to(grid_.cell(row_of(s_.mn, s_.k), col_of(s_.mn, s_.k)), room);
  }

  Workspace& ws_;
  SwizzleState& s_;
  const Look& look_;
  const Theme& t_;
  const layout::Tile tile_;
  const bool K_;
  const int T_;
  CellGrid grid_, lines_;
};

}  // namespace

float least_tile_cell(const SwizzleState& s, float em) {
  return std::floor((s.offsets ? 2.1f : 0.82f) * em);
}

float swizzle_width(const SwizzleState& s, float em) {
  if (s.cute) return cute_tile_width(s, em);
  const int along = s.form.major == layout::Major::K ? s.form.cols : s.form.rows;
  const auto gaps = static_cast<float>(std::max(units_of(s.form).units - 1, 0));
  return static_cast<float>(along) * least_tile_cell(s, em) +
         (kIndent + kBeside + kGap * gaps) * em;
}

void draw_swizzle(Workspace& ws, const Look& look) {
  if (ws.swizzle.cute) return draw_cute_tile(ws, look);
  draw_swizzle_form(ws, look);
  gap(look, 0.3f);
  TilePainter(ws, look).draw();
}

}  // namespace lanescope::viz
