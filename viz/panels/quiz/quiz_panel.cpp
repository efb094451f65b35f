// SPDX-License-Identifier: MIT
// Prediction mode in the window: a sheet over everything, so that the map is hidden; the matrix
// with the asked element marked, a field for the answer, the mark, and the map once it is revealed.
// What is asked and what is right is quiz.hpp's.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "panels/look/cell_grid.hpp"
#include "panels/look/palette.hpp"
#include "panels/look/widgets.hpp"
#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

constexpr int kQuestions = 10;

void begin(QuizState& s) {
  s.quiz = begin_quiz(s.lesson, s.seed, kQuestions);
  s.answer = {};
  s.problem.clear();
  s.focus = true;
}

// Of the trace that is open; a program of somebody's own is of none, so the first.
int lesson_of(const std::string& program) {
  const int number = lesson_number(program);
  return number >= 1 && number <= kQuizLessons ? number : 1;
}

// As large as fits; when lanes are shown, at least so large that they can be read.
CellGrid matrix_grid(const Look& look, const layout::Fragment& map, ImVec2 room, bool lanes) {
  CellGrid grid;
  grid.rows = map.rows;
  grid.cols = map.cols;
  const auto size = [&](float length, int cells, float least) {
    return std::floor(std::clamp(length / static_cast<float>(cells), least, 3 * look.em));
  };
  grid.cell_height = size(room.y, map.rows, lanes ? 0.9f * look.em : 3);
  grid.cell_width = std::min(size(room.x, map.cols, lanes ? 1.7f * look.em : 3),
                             std::max(2 * grid.cell_height, 1.7f * look.em));
  grid.cell_height = std::min(grid.cell_height, std::max(grid.cell_width, 0.9f * look.em));
  return grid;
}

// Cells without their lanes; when the answer is shown, every cell with its lane, the one asked for
// framed, and what the learner's own answer would have been right for.
void draw_matrix_cells(Workspace& ws, const Look& look, const CellGrid& grid) {
  const QuizState& s = ws.quiz;
  const layout::Fragment& map = *s.quiz.question().matrix.map;
  const layout::Element asked = s.quiz.question().matrix.element;
  const Theme& t = look.theme;
  const std::vector<int> lanes =
      s.quiz.revealed ? asked_lanes(s.quiz.question()) : std::vector<int>();
  draw_cells(look, grid, cell_font(look, grid, map.threads() > 100 ? 3 : 2), [&](int row, int col) {
    if (!s.quiz.revealed) return CellPaint{t.raised, t.faint, ""};
    const int lane = lanes[static_cast<std::size_t>(row * map.cols + col)];
    if (ws.probes != nullptr)
      probe(ws, fmt::format("quiz lane {} at {},{}", lane, row, col), grid.cell(row, col));
    const Rgb fill = lane_colour(lane, t.dark, Shade::normal);
    return CellPaint{fill, text_on(fill), std::to_string(lane)};
  });
  draw_indices(look, grid, {0, 0, asked.row, asked.col, 0});
  if (s.quiz.revealed && !s.quiz.last.right)
    for (const layout::Element e : given_elements(s.quiz)) {
      strike_cell(look, grid, e.row, e.col, t.bad);
      probe(ws, fmt::format("quiz given {},{}", e.row, e.col), grid.cell(e.row, e.col));
    }
  frame_cells(look, grid, asked.row, asked.col, asked.row, asked.col,
              s.quiz.revealed ? t.good : t.accent);
}

// The matrix in a child of its own, scrolled to what is asked when the answer is shown.
void draw_matrix(Workspace& ws, const Look& look) {
  QuizState& s = ws.quiz;
  const layout::Fragment* map = s.quiz.question().matrix.map;
  if (map == nullptr) return;
  const layout::Element asked = s.quiz.question().matrix.element;
  const float index_width = 2 * look.em, index_height = 1.2f * look.em;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < 4 * look.em || room.y < 3 * look.em) return;
  begin_child("quiz matrix", room, false,
              ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
  CellGrid grid =
      matrix_grid(look, *map, ImVec2(room.x - index_width - look.em, room.y - index_height - 2),
                  s.quiz.revealed);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  grid.at = ImVec2(at.x + index_width, at.y + index_height);
  draw_matrix_cells(ws, look, grid);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(index_width + grid.width() + 2, index_height + grid.height() + 2));
  if (s.reveal) {
    ImGui::SetScrollX(std::max(0.0f, grid.left_of(asked.col) - room.x / 2));
    ImGui::SetScrollY(std::max(0.0f, grid.top_of(asked.row) - room.y / 2));
  }
  s.reveal = false;
  ImGui::EndChild();
}

std::vector<std::string> lines_of(const std::string& words) {
  std::vector<std::string> lines;
  std::istringstream in(words);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void draw_head(Workspace& ws, const Look& look) {
  QuizState& s = ws.quiz;
  text(look.fonts.strong, look.theme.text, "Predict");
  ImGui::SameLine(0, 1.5f * look.em);
  text(look.fonts.text, look.theme.dim,
       fmt::format("lesson {}   seed {}   {}", s.lesson, s.quiz.seed, score(s.quiz)));
  std::vector<std::string> lessons;
  for (int lesson = 1; lesson <= kQuizLessons; ++lesson) lessons.push_back(std::to_string(lesson));
  int chosen = s.lesson - 1;
  if (choices(ws, look, "quiz lesson", lessons, chosen)) {
    s.lesson = chosen + 1;
    begin(s);
  }
  const float buttons =
      button_width(look, "other questions") + button_width(look, "close") + 2 * look.em;
  if (ImGui::GetItemRectMax().x + buttons < ImGui::GetWindowPos().x + ImGui::GetWindowWidth())
    ImGui::SameLine(0, 1.5f * look.em);
  if (button(look, "quiz again", "other questions")) ++s.seed, begin(s);
  probe(ws, "quiz again");
  ImGui::SameLine(0, 0.5f * look.em);
  if (button(look, "quiz close", "close")) s.open = false;
  probe(ws, "quiz close");
  gap(look, 1);
}

void draw_answer_field(Workspace& ws, const Look& look) {
  QuizState& s = ws.quiz;
  if (s.focus) focus_next_item();
  s.focus = false;
  push_font(look.fonts.mono);
  const std::string& expects = s.quiz.question().expects;
  // With its example.
  const float whole =
      text_width(look.fonts.mono, expects) + 2 * ImGui::GetStyle().FramePadding.x + 1;
  ImGui::SetNextItemWidth(
      std::min(std::max(24 * look.em, whole), ImGui::GetContentRegionAvail().x));
  const bool entered = ImGui::InputTextWithHint(
      "##quiz answer", expects.c_str(), s.answer.data(), s.answer.size(),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_typing(ws);
  probe(ws, "quiz answer");
  ImGui::PopFont();
  if (!entered) return;
  s.problem = give_answer(s.quiz, s.answer.data());
  s.focus = !s.problem.empty();
  s.reveal = s.quiz.revealed;
}

void draw_words(Workspace& ws, const Look& look) {
  QuizState& s = ws.quiz;
  const QuizQuestion& question = s.quiz.question();
  const float width = ImGui::GetContentRegionAvail().x;
  text(look.fonts.text, look.theme.dim,
       fmt::format("{} of {}: {}", s.quiz.at + 1, s.quiz.questions.size(), question.about), width);
  gap(look, 0.3f);
  text(look.fonts.strong, look.theme.text, question.asks, width);
  gap(look, 0.6f);
  if (!s.quiz.revealed) {
    draw_answer_field(ws, look);
    if (!s.problem.empty()) text(look.fonts.text, look.theme.warn, s.problem, width);
    text(look.fonts.text, look.theme.dim, "Enter answers; an empty answer shows it; Esc closes.");
  } else {
    // Who asked to see it has made no mistake.
    const Rgb ink = s.quiz.last.right     ? look.theme.good
                    : s.answer[0] == '\0' ? look.theme.text
                                          : look.theme.bad;
    text(look.fonts.strong, ink, s.quiz.last.text, width);
    probe(ws, s.quiz.last.right ? "quiz right" : "quiz wrong");
    if (const std::string given = given_text(s.quiz); !given.empty())
      text(look.fonts.text, look.theme.bad, given, width);
    gap(look, 0.3f);
    mono_lines(look, lines_of(question.reveal), look.theme.code);
    gap(look, 0.6f);
    if (button(look, "quiz next", "next  (Enter)")) next_question(s.quiz), begin_answer(s);
    probe(ws, "quiz next");
  }
}

// The words, and the matrix beside them where there is room for both, else below.
void draw_question(Workspace& ws, const Look& look) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool beside = ws.quiz.quiz.question().matrix.map != nullptr && room.x > 56 * look.em;
  if (beside) {
    const float width = std::clamp(0.4f * room.x, 27 * look.em, 40 * look.em);
    begin_child("quiz words", ImVec2(width, room.y), false, ImGuiWindowFlags_NoNav);
    draw_words(ws, look);
    ImGui::EndChild();
    ImGui::SameLine(0, 1.5f * look.em);
  } else {
    draw_words(ws, look);
    gap(look, 1);
  }
  if (!ws.quiz.quiz.over()) draw_matrix(ws, look);
}

}  // namespace

void begin_answer(QuizState& s) {
  s.answer = {};
  s.problem.clear();
  s.focus = true;
}

void open_quiz(Workspace& ws) {
  QuizState& s = ws.quiz;
  if (!s.quiz.questions.empty() && s.quiz.over()) ++s.seed, begin(s);  // all were answered
  s.open = true;
  s.focus = !s.quiz.revealed;
}

void draw_quiz(Workspace& ws, const Look& look) {
  QuizState& s = ws.quiz;
  const int lesson = lesson_of(ws.model.trace.header.program);
  if (s.quiz.questions.empty() || lesson != s.trace_lesson) {
    s.lesson = s.trace_lesson = lesson;
    begin(s);
  }
  const bool was_revealed = s.quiz.revealed, was_over = s.quiz.over();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(look.theme.panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(2 * look.em, 1.5f * look.em));
  ImGui::Begin("quiz", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  draw_head(ws, look);
  if (s.quiz.over()) {
    text(look.fonts.big, look.theme.text, score(s.quiz) + ".");
    probe(ws, "quiz over");
    gap(look, 0.4f);
    text(
        look.fonts.text, look.theme.dim,
        "Enter asks others, a number above those of another lesson; Esc leads back to the picture.",
        ImGui::GetContentRegionAvail().x);
  } else {
    draw_question(ws, look);
  }
  ImGui::End();
  if (was_over && s.quiz.over() && pressed(Key::enter, false)) {
    ++s.seed, begin(s);
  } else if (was_revealed && s.quiz.revealed && pressed(Key::enter, false)) {
    next_question(s.quiz);
    begin_answer(s);
  }
  if (pressed(Key::escape, false)) s.open = false;
}

}  // namespace lanescope::viz
