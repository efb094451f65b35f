// SPDX-License-Identifier: MIT
// Prediction mode in the window: q opens it over everything, answers are marked and shown, and no
// key of the window does anything meanwhile.
#include <doctest/doctest.h>

#include <string>

#include "tests/viz/ui_fixture.hpp"

namespace lanescope::viz {
namespace {

std::string right_answer(const QuizQuestion& question) {
  std::string words;
  for (const int number : question.answers[0]) words += std::to_string(number) + " ";
  return words;
}

void answer(Ui& ui, const std::string& words) {
  ui.step();
  ui.step();  // the field has the keyboard now
  ui.type(words);
  ui.press(Key::enter);
}

TEST_CASE("in a small window every lesson's button is whole") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  for (const float width : {1280.0f, 640.0f, 400.0f}) {
    ui.resize(width, 400);
    CAPTURE(width);
    for (int lesson = 1; lesson <= kQuizLessons; ++lesson) {
      const Box button = ui.where("quiz lesson " + std::to_string(lesson));
      CHECK(button.left + button.width <= width);
    }
    CHECK(ui.where("quiz close").left + ui.where("quiz close").width <= width);
  }
}

TEST_CASE("the field of an answer has room for what is expected, with the example") {
  Ui ui(1600, 800);
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  int longer = 0;  // than a field usually is
  for (int lesson = 1; lesson <= kQuizLessons; ++lesson) {
    ui.step();
    ui.click("quiz lesson " + std::to_string(lesson));
    ui.step();
    const QuizQuestion& question = ui.ws.quiz.quiz.question();
    const float width =
        ImGui::GetIO().Fonts->Fonts[0]->CalcTextSizeA(16, 1e6f, 0, question.expects.c_str()).x;
    CAPTURE(question.expects);
    CHECK(ui.where("quiz answer").width >= width + 2 * ImGui::GetStyle().FramePadding.x);
    longer += width > 24 * 16;
  }
  CHECK(longer > 0);
}

TEST_CASE("q asks, a right answer is right, Enter asks the next") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  ui.step();
  REQUIRE(ui.ws.quiz.open);
  CHECK(ui.drawn("quiz answer"));
  CHECK(ui.ws.quiz.quiz.questions.size() == 10);
  answer(ui, right_answer(ui.ws.quiz.quiz.question()));
  CHECK(ui.ws.quiz.quiz.revealed);
  CHECK(ui.drawn("quiz right"));
  CHECK(ui.ws.quiz.quiz.right == 1);
  ui.press(Key::enter);
  CHECK(ui.ws.quiz.quiz.at == 1);
  CHECK(!ui.ws.quiz.quiz.revealed);
}

TEST_CASE("the first questions are about the lesson whose trace is open") {
  for (const auto& [program, lesson] :
       {std::pair{"05_cp_async", 5}, std::pair{"my_program", 1}, std::pair{"99_none", 1},
        std::pair{"1_", 1}, std::pair{"", 1}}) {
    Ui ui;
    trace::Trace trace = synthetic::trace_of({synthetic::kF16});
    trace.header.program = program;
    ui.open(std::move(trace));
    ui.type("q");
    ui.step();
    CHECK(ui.ws.quiz.lesson == lesson);
    CHECK(ui.ws.quiz.quiz.lesson == lesson);
  }
}

TEST_CASE("another lesson's trace brings its questions, the same one keeps them where they were") {
  Ui ui;
  const auto open = [&](const char* program) {
    trace::Trace trace = synthetic::trace_of({synthetic::kF16});
    trace.header.program = program;
    ui.open(std::move(trace));
    ui.type("q");
    ui.step();
  };
  open("05_cp_async");
  ui.click("quiz lesson 4");
  answer(ui, "");
  ui.press(Key::enter);
  CHECK(ui.ws.quiz.quiz.at == 1);
  ui.press(Key::escape);
  CHECK(!ui.ws.quiz.open);
  ui.type("q");
  CHECK(ui.ws.quiz.lesson == 4);
  CHECK(ui.ws.quiz.quiz.at == 1);
  answer(ui, "banana");  // the field has the keyboard again
  CHECK(ui.ws.quiz.problem.find("'banana'") == 0);
  ui.press(Key::escape);
  open("06_naive_hgemm");
  CHECK(ui.ws.quiz.lesson == 6);
  CHECK(ui.ws.quiz.quiz.lesson == 6);
}

TEST_CASE("nonsense asks again, an empty answer shows, the button goes on") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  answer(ui, "banana");
  CHECK(!ui.ws.quiz.quiz.revealed);
  CHECK(ui.ws.quiz.problem.find("'banana'") == 0);
  CHECK(ui.drawn("quiz answer"));
  ui.ws.quiz.answer = {};
  ui.press(Key::enter);
  CHECK(ui.ws.quiz.quiz.revealed);
  CHECK(ui.drawn("quiz wrong"));
  ui.click("quiz next");
  CHECK(ui.ws.quiz.quiz.at == 1);
}

TEST_CASE("the lanes come with the answer; a wrong one is marked where it would be right") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  ui.step();
  const QuizQuestion question = ui.ws.quiz.quiz.question();
  const layout::Element asked = question.matrix.element;
  const layout::Fragment* map = question.matrix.map;
  REQUIRE(map != nullptr);
  const int lane = question.answers[0][0], other = (lane + 5) % 32;
  const auto cell = [](const char* what, layout::Element e) {
    return std::string(what) + std::to_string(e.row) + "," + std::to_string(e.col);
  };
  const std::string right = cell(("quiz lane " + std::to_string(lane) + " at ").c_str(), asked);
  CHECK_FALSE(ui.drawn(right));
  answer(ui, std::to_string(other) + right_answer(question).substr(std::to_string(lane).size()));
  ui.step();
  CHECK(ui.drawn("quiz wrong"));
  CHECK(ui.drawn(right));
  const int value = question.answers[0][1] * map->values_per_register() +
                    (question.answers[0].size() > 2 ? question.answers[0][2] : 0);
  CHECK(ui.drawn(cell("quiz given ", map->element(other, value))));
  CHECK_FALSE(ui.drawn(cell("quiz given ", asked)));
  ui.press(Key::enter);
  ui.step();
  CHECK_FALSE(ui.drawn(right));
  answer(ui, right_answer(ui.ws.quiz.quiz.question()));
  CHECK(given_text(ui.ws.quiz.quiz) == "");
}

TEST_CASE("the matrix stands beside the question where there is room, else below it") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  ui.step();
  ui.ws.quiz.quiz = begin_quiz(1, 5, 10);
  answer(ui, "");
  ui.step();
  const layout::Element asked = ui.ws.quiz.quiz.question().matrix.element;
  const int lane = ui.ws.quiz.quiz.question().answers[0][0];
  const std::string cell = "quiz lane " + std::to_string(lane) + " at " +
                           std::to_string(asked.row) + "," + std::to_string(asked.col);
  CHECK(ui.where(cell).left > ui.where("quiz next").left + ui.where("quiz next").width);
  CHECK(ui.where(cell).width > 40);
  CHECK(ui.where(cell).height > 30);
  ui.resize(700, 900);
  CHECK(ui.where(cell).top > ui.where("quiz next").top + ui.where("quiz next").height);
  for (float width = 1000; width > 400; width -= 50) {  // no button beyond the edge
    ui.resize(width, 900);
    CHECK(ui.where("quiz close").left + ui.where("quiz close").width < width);
  }
}

TEST_CASE("a key that is held opens a field and does not fill it") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  const auto key = [&ui](char character, int again) {
    for (int times = 0; times <= again; ++times) {
      if (takes_character(ui.ws, static_cast<char32_t>(character), times > 0))
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(character));
      ui.step();
      ui.step();
    }
  };
  key('q', 9);
  REQUIRE(ui.ws.quiz.open);
  CHECK(ui.ws.quiz.answer[0] == '\0');
  key('3', 2);  // what is pressed in the field is written into it
  CHECK(std::string(ui.ws.quiz.answer.data()) == "333");
  ui.press(Key::escape);
  key('/', 9);
  CHECK(ui.ws.search[0] == '\0');
  key('q', 1);
  CHECK(std::string(ui.ws.search.data()) == "qq");
  ui.press(Key::escape);
  ui.step();
  const bool dark = ui.ws.dark;
  key('t', 4);
  CHECK(ui.ws.dark != dark);  // once
  const float zoom = ui.ws.zoom;
  key('+', 2);
  CHECK(ui.ws.zoom > 1.9f * zoom);  // three times
}

TEST_CASE("the map below is hidden and untouched: keys and clicks go to the quiz") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  const std::string before = ui.selected();
  const LabelMode labels = ui.ws.labels;
  ui.type("q");
  ui.step();
  ui.ws.quiz.focus = false;
  ui.click("quiz lesson 2");
  CHECK(ui.ws.quiz.lesson == 2);
  CHECK(ui.ws.quiz.quiz.lesson == 2);
  ui.type("v");
  ui.press(Key::down);
  CHECK(ui.selected() == before);
  CHECK(ui.ws.labels == labels);
}

TEST_CASE("other questions come from the next seed; Esc closes") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  ui.step();
  const std::string first = ui.ws.quiz.quiz.question().asks;
  ui.click("quiz again");
  CHECK(ui.ws.quiz.quiz.seed == 2);
  CHECK(draw_quiz(1, 1, 1)[0].asks == first);
  ui.click("quiz close");
  CHECK(!ui.ws.quiz.open);
  ui.type("q");
  ui.step();
  CHECK(ui.ws.quiz.open);
  ui.press(Key::escape);
  ui.press(Key::escape);  // the first one may be the field's
  CHECK(!ui.ws.quiz.open);
}

TEST_CASE("at the end there is the score") {
  Ui ui;
  ui.open(synthetic::trace_of({synthetic::kF16}));
  ui.type("q");
  ui.step();
  while (!ui.ws.quiz.quiz.over()) next_question(ui.ws.quiz.quiz);
  ui.step();
  CHECK(ui.drawn("quiz over"));
  CHECK(!ui.drawn("quiz answer"));
}

TEST_CASE("every lesson's questions are drawn, hidden and revealed, in small windows too") {
  for (const float width : {320.0f, 1440.0f}) {
    Ui ui(width, width == 320 ? 240 : 920);
    ui.open(synthetic::trace_of({synthetic::kF16}));
    for (int lesson = 1; lesson <= 13; ++lesson) {
      ui.ws.quiz = {};
      ui.ws.quiz.lesson = lesson;
      ui.ws.quiz.open = true;
      ui.step();
      give_answer(ui.ws.quiz.quiz, "");
      ui.step();
      CHECK(ui.vertices > 0);
      CHECK(ui.drawn("quiz next"));
    }
  }
}

}  // namespace
}  // namespace lanescope::viz
