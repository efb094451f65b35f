// SPDX-License-Identifier: MIT
// Prediction mode in the window: a sheet over everything, so that the map is hidden; the matrix
// with the asked element marked, a field for the answer, the mark, and the map once it is revealed.
// What is asked and what is right is quiz.hpp's.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace lanescope::viz {
namespace {

constexpr int kQuestions = 10;

void begin(QuizState& s) {
  s.quiz = begin_quiz(s.lesson, s.seed, kQuestions);
  s.answer = {};
  s.problem.clear();
  s.focus = true;
}

// "A 9,5": which matrix, which element.
bool asked_element(const QuizQuestion& question, char& operand, layout::Element& element) {
  if (question.instruction == nullptr || question.select.empty()) return false;
  operand = question.select[0];
  return std::sscanf(question.select.c_str() + 1, " %d,%d", &element.row, &element.col) == 2;
}

// The matrix without its lanes; with them, in their colours, when the answer is shown.
void draw_matrix(const Look& look, const QuizQuestion& question, bool revealed) {
  char operand = 0;
  layout::Element asked;
  if (!asked_element(question, operand, asked)) return;
  const layout::Fragment& map = *question.instruction->operand(operand);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float cell = std::floor(std::min(
      {room.x / static_cast<float>(map.cols), room.y / static_cast<float>(map.rows), 2 * look.em}));
  if (cell < 3) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto box = [&](int row, int col) {
    return ImVec2(at.x + static_cast<float>(col) * cell, at.y + static_cast<float>(row) * cell);
  };
  for (int row = 0; row < map.rows; ++row)
    for (int col = 0; col < map.cols; ++col) {
      const ImVec2 from = box(row, col), to(from.x + cell - 1, from.y + cell - 1);
      Rgb fill = look.theme.raised;
      if (revealed) {
        const auto holders = layout::holders(map, {row, col});
        if (!holders.empty())
          fill = lane_colour(holders.front().thread, look.theme.dark, Shade::normal);
      }
      draw->AddRectFilled(from, to, colour(fill));
    }
  const ImVec2 from = box(asked.row, asked.col);
  draw->AddRect(from, ImVec2(from.x + cell - 1, from.y + cell - 1), colour(look.theme.accent), 0, 0,
                2);
  ImGui::Dummy(ImVec2(cell * static_cast<float>(map.cols), cell * static_cast<float>(map.rows)));
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
  for (int lesson = 1; lesson <= 13; ++lesson) lessons.push_back(std::to_string(lesson));
  int chosen = s.lesson - 1;
  if (choices(ws, look, "quiz lesson", lessons, chosen)) {
    s.lesson = chosen + 1;
    begin(s);
  }
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
  if (s.focus) ImGui::SetKeyboardFocusHere();
  s.focus = false;
  push_font(look.fonts.mono);
  ImGui::SetNextItemWidth(std::min(24 * look.em, ImGui::GetContentRegionAvail().x));
  const bool entered = ImGui::InputTextWithHint(
      "##quiz answer", s.quiz.question().expects.c_str(), s.answer.data(), s.answer.size(),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  note_typing(ws);
  probe(ws, "quiz answer");
  ImGui::PopFont();
  if (!entered) return;
  s.problem = give_answer(s.quiz, s.answer.data());
  s.focus = !s.problem.empty();
}

void draw_question(Workspace& ws, const Look& look) {
  QuizState& s = ws.quiz;
  const QuizQuestion& question = s.quiz.question();
  const float width = ImGui::GetContentRegionAvail().x;
  text(look.fonts.text, look.theme.dim, fmt::format("{}. {}", s.quiz.at + 1, question.about),
       width);
  gap(look, 0.3f);
  text(look.fonts.strong, look.theme.text, question.asks, width);
  gap(look, 0.6f);
  if (!s.quiz.revealed) {
    draw_answer_field(ws, look);
    if (!s.problem.empty()) text(look.fonts.text, look.theme.warn, s.problem, width);
    text(look.fonts.text, look.theme.dim, "Enter answers; an empty answer shows it; Esc closes.");
  } else {
    text(look.fonts.strong, s.quiz.last.right ? look.theme.good : look.theme.bad, s.quiz.last.text,
         width);
    probe(ws, s.quiz.last.right ? "quiz right" : "quiz wrong");
    gap(look, 0.3f);
    mono_lines(look, lines_of(question.reveal), look.theme.code);
    gap(look, 0.6f);
    if (button(look, "quiz next", "next  (Enter)")) next_question(s.quiz), begin_answer(s);
    probe(ws, "quiz next");
    if (s.quiz.over()) return;
  }
  gap(look, 1);
  draw_matrix(look, s.quiz.question(), s.quiz.revealed);
}

}  // namespace

void begin_answer(QuizState& s) {
  s.answer = {};
  s.problem.clear();
  s.focus = true;
}

void draw_quiz(Workspace& ws, const Look& look) {
  QuizState& s = ws.quiz;
  if (s.quiz.questions.empty()) begin(s);
  const bool was_revealed = s.quiz.revealed;
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
  } else {
    draw_question(ws, look);
  }
  ImGui::End();
  if (was_revealed && s.quiz.revealed && pressed(Key::enter, false)) {
    next_question(s.quiz);
    begin_answer(s);
  }
  if (pressed(Key::escape, false)) s.open = false;
}

}  // namespace lanescope::viz
