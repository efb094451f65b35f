// SPDX-License-Identifier: MIT
// The rows of a pipeline against time: above the warps, which run or wait; below the stages in
// shared memory, which are filled, full, in use, empty. A wait that is chosen points at what ended
// it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"
#include "panels/pipeline/pipeline_paint.hpp"
#include "panels/pipeline/pipeline_text.hpp"

namespace lanescope::viz {
namespace {

const char* name_of(StageState state) {
  return state == StageState::filling ? "filling" : state == StageState::full ? "full" : "in use";
}

// Ticks from one label to the next: 1, 2 or 5 times a power of ten, so that labels have room.
double grid_step(double per_pixel, float room) {
  double step = 1;
  while (true) {
    for (const double factor : {1.0, 2.0, 5.0})
      if (step * factor / per_pixel >= room) return step * factor;
    step *= 10;
  }
}

class Painter {
 public:
  Painter(Workspace& ws, const Look& look)
      : ws_(ws), s_(ws.pipeline), p_(ws.pipeline.made), look_(look), t_(look.theme) {}

  void draw() {
    names_width_ = 3 * look_.em;
    for (const StageLine& line : p_.stages)
      names_width_ = std::max(names_width_, text_width(look_.fonts.mono, line.name));
    names_width_ =
        std::max(names_width_, text_width(look_.fonts.mono, "warp 00")) + 1.2f * look_.em;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const auto rows = static_cast<float>(p_.warps.size() + p_.stages.size());
    const float most = std::clamp(room.y / 9, 2.6f * look_.em, 4.2f * look_.em);
    row_ = std::floor(
        std::clamp((room.y - 6.5f * look_.em) / std::max(rows, 1.0f), 1.5f * look_.em, most));
    corner_ = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(names_width_, 1));
    ImGui::SameLine(0, 0);
    begin_child("time", ImVec2(room.x - names_width_, room.y), false,
                ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
    draw_ = ImGui::GetWindowDrawList();
    const ImVec2 low = draw_->GetClipRectMin(), high = draw_->GetClipRectMax();
    probe(ws_, "timeline", {low.x, low.y, high.x - low.x, high.y - low.y});
    lay_out(room);
    ruler();
    for (int row = 0; row < row_count(); ++row) spans(row);
    arrow();
    now();
    ImGui::EndChild();
    draw_ = ImGui::GetWindowDrawList();
    row_names(room);
  }

 private:
  int warps() const { return static_cast<int>(p_.warps.size()); }
  int row_count() const { return warps() + static_cast<int>(p_.stages.size()); }
  float top_of(int row) const {
    return origin_.y + 2.1f * look_.em + row_ * static_cast<float>(row) +
           (row >= warps() ? 2.0f * look_.em : 0);
  }
  float left_of(double time) const { return origin_.x + static_cast<float>(time / per_pixel_); }

  void lay_out(ImVec2 room) {
    origin_ = ImGui::GetCursorScreenPos();
    const float width = std::max(room.x - names_width_ - 1.2f * look_.em, look_.em);
    per_pixel_ = std::max(p_.end, 1.0) / static_cast<double>(width * s_.zoom);
    const float height = top_of(row_count()) - origin_.y + 0.3f * look_.em;
    ImGui::InvisibleButton("timeline", ImVec2(width * s_.zoom, height));
    point();
    if (s_.reveal) reveal();
    s_.reveal = false;
  }

  // What was chosen by a key, where it has been zoomed out of sight.
  void reveal() {
    double begin = -1;
    const auto find = [&](const auto& all) {
      if (s_.span >= 0 && s_.span < static_cast<int>(all.size()))
        begin = all[static_cast<std::size_t>(s_.span)].begin;
    };
    if (s_.row < 0 || s_.row >= row_count()) return;
    if (s_.row < warps())
      find(p_.warps[static_cast<std::size_t>(s_.row)].waits);
    else
      find(p_.stages[static_cast<std::size_t>(s_.row - warps())].spans);
    const float inside = static_cast<float>(begin / per_pixel_), room = ImGui::GetWindowWidth();
    if (begin >= 0 && (inside < ImGui::GetScrollX() || inside > ImGui::GetScrollX() + room * 0.9f))
      ImGui::SetScrollX(std::max(0.0f, inside - room * 0.3f));
  }

  void point() {
    s_.hover_row = s_.hover_span = -1;
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    zoom(mouse);
    // Above the rows stands the time: who presses there looks at that tick, and drags it along.
    if (ImGui::GetIO().MouseClickedPos[0].y < origin_.y + 1.6f * look_.em) {
      if (ImGui::IsItemActive())
        s_.now = std::clamp(static_cast<double>(mouse.x - origin_.x) * per_pixel_, 0.0, p_.end);
      if (ImGui::IsItemActive() || mouse.y < origin_.y + 1.6f * look_.em) return;
    }
    for (int row = 0; row < row_count(); ++row)
      if (mouse.y >= top_of(row) && mouse.y < top_of(row) + row_) s_.hover_row = row;
    const double time = static_cast<double>(mouse.x - origin_.x) * per_pixel_;
    s_.hover_span = span_at(s_.hover_row, time);
    if (s_.hover_span < 0) s_.hover_row = -1;
    if (!ImGui::IsMouseClicked(0)) return;
    s_.row = s_.hover_row;
    s_.span = s_.hover_span;
    ws_.message.clear();
  }

  // Ctrl and the wheel; what is under the pointer stays there.
  void zoom(ImVec2 mouse) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!io.KeyCtrl || io.MouseWheel == 0) return;
    const float before = s_.zoom;
    s_.zoom = std::clamp(s_.zoom * std::pow(1.25f, io.MouseWheel), 1.0f, 64.0f);
    const float inside = mouse.x - origin_.x;
    ImGui::SetScrollX(std::max(0.0f, ImGui::GetScrollX() + inside * (s_.zoom / before - 1)));
  }

  int span_at(int row, double time) const {
    const double reach = 3 * per_pixel_;  // thin ones can be met, too
    const auto find = [&](const auto& all) {
      for (std::size_t k = 0; k < all.size(); ++k)
        if (time >= all[k].begin - reach && time <= all[k].end + reach) return static_cast<int>(k);
      return -1;
    };
    if (row < 0) return -1;
    if (row < warps()) return find(p_.warps[static_cast<std::size_t>(row)].waits);
    return find(p_.stages[static_cast<std::size_t>(row - warps())].spans);
  }

  void ruler() {
    const Font& small = look_.fonts.cell[3];
    const double step = grid_step(per_pixel_, 5 * look_.em);
    const float bottom = top_of(row_count());
    for (double time = 0; time <= p_.end; time += step) {
      const float left = std::round(left_of(time));
      draw_->AddLine(ImVec2(left, origin_.y + 1.5f * look_.em), ImVec2(left, bottom),
                     colour(t_.border, 0.8f));
      // Behind its line, but for the last one where there is no room.
      const std::string words = fmt::format("{:.0f}", time);
      const float width = text_width(small, words);
      const bool fits = left + 2 + width <= draw_->GetClipRectMax().x;
      const ImVec2 at(fits ? left + 2 : left - 2 - width, origin_.y + 0.3f * look_.em);
      text_at(draw_, small, at, t_.faint, words);
      probe(ws_, "tick", {at.x, at.y, width, small.size});
    }
  }

  void bar(int row, double begin, double end, Rgb fill, int span, std::string words = {},
           const std::string& shorter = {}, bool hatched = false) {
    const float low = left_of(begin);
    const float high = std::max(left_of(end), low + 2);
    const float clip_low = draw_->GetClipRectMin().x, clip_high = draw_->GetClipRectMax().x;
    if (high < clip_low || low > clip_high) return;
    const float top = top_of(row) + 0.14f * row_;
    const float bottom = top_of(row) + 0.86f * row_;
    const bool chosen = span >= 0 && s_.row == row && s_.span == span;
    const bool hovered = span >= 0 && s_.hover_row == row && s_.hover_span == span;
    // Thousands of spans in a row: what would cover a pixel that is covered already is left out.
    if (span == 0 || fill.red != last_fill_.red || fill.green != last_fill_.green) covered_ = -1e9f;
    if (span >= 0 && high <= covered_ && !chosen && !hovered) return;
    covered_ = std::floor(high) + 1;
    last_fill_ = fill;
    const float rounding = high - low > 8 ? 3.0f : 0.0f;
    draw_->AddRectFilled(ImVec2(low, top), ImVec2(high - 1, bottom), colour(fill), rounding);
    if (chosen || hovered)
      draw_->AddRect(ImVec2(low - 1, top - 1), ImVec2(high, bottom + 1),
                     colour(chosen ? t_.accent : t_.outline), 3, 0, 0.12f * look_.em);
    if (span >= 0 && ws_.probes != nullptr)
      probe(ws_, fmt::format("span {},{}", row, span), {low, top, high - low, bottom - top});
    if (hatched && high - low > 0.5f * look_.em)
      hatch(draw_, look_, Box{low, top, high - 1 - low, bottom - top}, fill);
    const Font& font = look_.fonts.cell[4];
    const float pad = std::round(0.25f * look_.em);
    const auto fits = [&](const std::string& of) {
      return text_width(font, of) <= high - low - 2 * pad;
    };
    if (!fits(words)) words = shorter;
    if (words.empty() || !fits(words)) return;
    text_at(draw_, font, ImVec2(std::round(low + pad), std::round((top + bottom - font.size) / 2)),
            text_on(fill), words);
  }

  void spans(int row) {
    if (row >= warps()) {
      const StageLine& line = p_.stages[static_cast<std::size_t>(row - warps())];
      const float top = top_of(row) + 0.14f * row_;
      draw_->AddRectFilled(ImVec2(left_of(0), top), ImVec2(left_of(p_.end), top + 0.72f * row_),
                           colour(t_.raised, 0.5f), 3);
      for (std::size_t k = 0; k < line.spans.size(); ++k) {
        const StageSpan& span = line.spans[k];
        bar(row, span.begin, span.end, colour_of(span.state, t_), static_cast<int>(k),
            fmt::format("{} {}", name_of(span.state), span.phase), fmt::format("{}", span.phase));
      }
      return;
    }
    const WarpLine& line = p_.warps[static_cast<std::size_t>(row)];
    bar(row, 0, line.end, running(t_), -1);
    for (std::size_t k = 0; k < line.waits.size(); ++k) {
      const WaitSpan& wait = line.waits[k];
      bar(row, wait.begin, wait.end, wait.for_ever ? t_.bad : waiting(t_), static_cast<int>(k),
          wait.object, "", true);
    }
  }

  // From who ended the chosen wait to its end.
  void arrow() {
    if (s_.row < 0 || s_.row >= warps()) return;
    const auto& waits = p_.warps[static_cast<std::size_t>(s_.row)].waits;
    if (s_.span < 0 || s_.span >= static_cast<int>(waits.size())) return;
    const WaitSpan& wait = waits[static_cast<std::size_t>(s_.span)];
    if (wait.cause < 0) return;
    const double start = wait.by_copy ? wait.end - p_.copy_ticks : wait.end;
    const ImVec2 from(left_of(start), top_of(wait.cause) + row_ / 2);
    const ImVec2 to(left_of(wait.end), top_of(s_.row) + row_ / 2);
    const float bend = std::max(2.2f * look_.em, std::abs(to.x - from.x) * 0.4f);
    const ImU32 ink = colour(t_.accent);
    draw_->AddBezierCubic(from, ImVec2(from.x + bend, from.y), ImVec2(to.x - bend, to.y), to, ink,
                          0.13f * look_.em);
    draw_->AddCircleFilled(from, 0.28f * look_.em, ink);
    const float head = 0.5f * look_.em;
    draw_->AddTriangleFilled(ImVec2(to.x - head, to.y - head * 0.6f),
                             ImVec2(to.x - head, to.y + head * 0.6f), to, ink);
  }

  // The tick that is looked at; what comes later is veiled.
  void now() {
    probe(ws_, "ruler", {origin_.x, origin_.y, left_of(p_.end) - origin_.x, 1.5f * look_.em});
    if (s_.now < 0) return;
    const float left = std::round(left_of(s_.now)), bottom = top_of(row_count());
    const float inside = left - origin_.x, room = ImGui::GetWindowWidth();
    if (ws_.play.on && (inside < ImGui::GetScrollX() || inside > ImGui::GetScrollX() + room * 0.9f))
      ImGui::SetScrollX(std::max(0.0f, inside - room * 0.1f));
    draw_->AddRectFilled(ImVec2(left, origin_.y + 1.5f * look_.em),
                         ImVec2(std::max(left, left_of(p_.end)), bottom),
                         colour(t_.background, 0.6f));
    draw_->AddRectFilled(ImVec2(left - 1, origin_.y + 1.2f * look_.em), ImVec2(left + 1, bottom),
                         colour(t_.accent));
    const float size = 0.45f * look_.em, tip = origin_.y + 1.5f * look_.em;
    draw_->AddTriangleFilled(ImVec2(left - size, tip - size), ImVec2(left + size, tip - size),
                             ImVec2(left, tip), colour(t_.accent));
    probe(ws_, "now", {left - 1, tip, 2, bottom - tip});
  }

  void row_names(ImVec2 room) {
    draw_->PushClipRect(corner_, ImVec2(corner_.x + names_width_, corner_.y + room.y), true);
    const float shift = corner_.x - origin_.x;
    for (int row = 0; row < row_count(); ++row) {
      const bool focus = row == s_.row || row == s_.hover_row;
      const std::string name = row < warps()
                                   ? warp_name(p_, row)
                                   : p_.stages[static_cast<std::size_t>(row - warps())].name;
      text_at(
          draw_, look_.fonts.mono,
          ImVec2(origin_.x + shift, std::round(top_of(row) + (row_ - look_.fonts.mono.size) / 2)),
          focus ? t_.accent : t_.text, name);
    }
    text_at(draw_, look_.fonts.cell[3], ImVec2(corner_.x, origin_.y + 0.3f * look_.em), t_.faint,
            "ticks");
    if (!p_.stages.empty())
      text_at(draw_, look_.fonts.strong, ImVec2(corner_.x, top_of(warps()) - 1.5f * look_.em),
              t_.dim, "stages");
    draw_->PopClipRect();
  }

  Workspace& ws_;
  PipelineState& s_;
  const Pipeline& p_;
  const Look& look_;
  const Theme& t_;
  ImDrawList* draw_ = nullptr;
  ImVec2 corner_{}, origin_{};
  float names_width_ = 0, row_ = 0;
  float covered_ = -1e9f;  // the pixels of this row that have this colour already
  Rgb last_fill_;
  double per_pixel_ = 1;
};

}  // namespace

void draw_timeline(Workspace& ws, const Look& look) { Painter(ws, look).draw(); }

}  // namespace lanescope::viz
