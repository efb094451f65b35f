// SPDX-License-Identifier: MIT
// Damages what people type, paste or write by hand: words for the atlas, for swizzles, descriptors
// and answers of the quiz; lessons, hints, exercises and the file of progress. Whatever stands
// there, it is read or refused in one line, and what was read says the same when it is read again.
// Run it sanitized. LANESCOPE_FUZZ_ROUNDS=1000000 for a long run; the seed is written here.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "guide/course.hpp"
#include "guide/exercise.hpp"
#include "guide/hints.hpp"
#include "guide/progress.hpp"
#include "layout/query.hpp"
#include "panels/atlas/map_pick.hpp"
#include "panels/forms/cute_tile.hpp"
#include "panels/forms/tcgen05_form.hpp"
#include "panels/lesson/code_rows.hpp"
#include "panels/lesson/lesson_links.hpp"
#include "panels/quiz/quiz.hpp"

namespace lanescope::viz {
namespace {

constexpr unsigned long kSeed = 20261124;
constexpr int kRounds = 500;

const std::vector<std::string> kTyped{
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "m16n8k16 bf16",
    "SM80_16x8x16_F32F16F16F32_TN",
    "HMMA.16816.F32",
    "wmma::fragment<matrix_a, 16, 16, 16, half>",
    "ldmatrix x4 trans",
    "128B K 16 8x64",
    "128B/32B MN 32 64x8",
    "((4,8),(2,2,2)):((32,1),(16,8,128))",
    "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
    "(16,64):(72,1) access=A m16n8k16 access=((8,16),8):((128,1),16)",
    "(16,64) access=make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>, (4,8):(8,1), "
    "(1,4))",
    "tile_to_shape(GMMA::Layout_K_SW64_Atom<int8_t>, (16,128))",
    "make_tiled_mma(mma.m16n8k32.s8, Layout<Shape<_2,_2>>{}, (64,32,32))",
    "make_tiled_mma(mma.m16n8k32.s8, (2,2), Tile<_32,Layout<Shape<_8,_2,_2>,Stride<_1,_16,_8>>,_>)",
    "make_layout(make_shape(_8, Int<4>{}), LayoutRight{}) bits=32",
    "zipped_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
    "left_inverse(raked_product((2,5):(5,1), complement((3,4):(1,6), 96)))",
    "wgmma 128B K 16 64x64 step 2",
    "tcgen05 0x4000404000010000",
    "instruction f16 m=128 n=256 d=f32 a=bf16 ta=0",
    "start=1024 lbo=16 sbo=1024 base=0 mode=128B",
    "lane 13 r1 hi",
    "A 9,5",
    "CTA 1 lane 13",
    "6 r1 hi"};
const std::vector<std::string> kWritten{
    "# 01 Fragment layout: who **holds** which `element`\n\n| a | `b|c` |\n|---|---|\n1. one\n",
    "Type `lanescope layout m16n8k16 --element 9,5 --operand A`, then `view 3 --panel steps`.\n",
    "## 1\nlook at `%laneid`\n\n## 2\n\nno\n## \n",
    "// lesson\n//   Steps:    kernel=ring  (why)\n//   Arch:     sm_100a\n#include <x>\n",
    "a\n  // ---- your code begins ----\n  int x;\n  // ---- your code ends ----\nb\n",
    "# passed\n01_one\n02_two hint 2\n\r\n 03_three \n01_one hint 99999999999999999999\n"};

struct Words {
  std::mt19937_64 random{kSeed};
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random() % bound; }
  const std::string& any(const std::vector<std::string>& of) { return of[below(of.size())]; }

  std::string line() {  // a field has one
    std::string text = damaged(kTyped);
    std::erase(text, '\n');
    return text;
  }

  std::string damaged(const std::vector<std::string>& of) {
    static const std::vector<std::string> kNasty{
        "",   " ",  "\t",  "\n",   "`",    "|",    "**", "-1", "99999999999999999999",
        "0x", "=",  ",",   ".",    "\xff", "\xc3", "x",  "<",  "18446744073709551616",
        "(",  "{",  "nan", "1e99", "## ",  "// ",  "e2", "::", "4294967295",
        "_",  "\\", ":",   "%",    "hint", "lane", "r",  "^",  std::string(1, '\0')};
    std::string text = any(of);
    for (std::size_t times = 1 + below(4); times > 0; --times) {
      const std::size_t at = below(text.size() + 1);
      const std::size_t length = std::min(below(9), text.size() - at);
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, any(kNasty));
          break;
        case 2: {
          const std::string& other = any(of);
          const std::size_t from = below(other.size());
          text.replace(at, length, other.substr(from, below(30)));
          break;
        }
        default:
          if (at < text.size()) text[at] = static_cast<char>(random());
      }
    }
    return text;
  }
};

bool is_one_line(const std::string& text) { return text.find('\n') == std::string::npos; }

// tcgen05 alone has atoms of 32 bytes; its words are the 64 bits, and no tile.
bool is_tcgen05s(const DescriptorForm& form) { return form.wide || form.tile.wide; }
bool is_tcgen05s(const TileForm&) { return false; }
bool is_tcgen05s(const CuteTile&) { return false; }

template <class Form>
void check_form(const std::string& words, Form form) {
  const std::string problem = read_words(words, form);
  CHECK_MESSAGE(is_one_line(problem), problem);
  Form again{};
  if (problem.empty() && !is_tcgen05s(form)) {
    CHECK_MESSAGE(read_words(words_of(form), again) == "", words_of(form));
    CHECK_MESSAGE(again == form, words << " gives " << words_of(form));
  }
}

void check_typed(const std::string& words, Words& some, const std::vector<QuizQuestion>& quiz) {
  const layout::Found found = layout::look_up(words);
  if (found.count() == 0) CHECK(layout::nearest(words, 3).size() <= 3);
  CHECK(is_one_line(layout::not_in_atlas(words)));
  check_form(words, TileForm{});
  check_form(words, CuteTile{});
  if (CuteTile tile; read_words(words, tile).empty()) {
    CHECK(!facts_of(tile).empty());
    for (const layout::WarpAccess& access : accesses_of(tile, true))
      CHECK((access.most == 0) == !access.none.empty());
    CHECK(remedies_of(tile).found.size() <= 4);
  }
  check_form(words, DescriptorForm{});
  Tcgen05Form tcgen05;
  DescriptorForm descriptor;
  CHECK(is_one_line(read_words(words, tcgen05, descriptor)));
  std::uint32_t bits = 0;
  CHECK(
      is_one_line(layout::set_instruction_fields(layout::Tcgen05Kind(some.below(6)), words, bits)));
  if (!found.instructions.empty()) {
    const layout::Instruction& one = *found.instructions[some.below(found.instructions.size())];
    for (const char operand : {'A', 'B', 'C', 'D', 'E'}) {
      const MapView view{one.operand(operand), nullptr, &one, -1};
      if (view.map == nullptr) continue;
      const ParsedPick pick = parse_pick(some.line(), view);
      CHECK(is_one_line(pick.error));
      if (pick.ok()) CHECK(parse_pick(words_of(pick.pick, view), view).pick == pick.pick);
    }
  }
  const QuizQuestion& question = quiz[some.below(quiz.size())];
  std::string problem;
  if (const auto answer = read_answer(question, words, problem)) {
    CHECK(answer->size() == question.parts.size());
    CHECK(!mark(question, *answer).text.empty());
  } else {
    CHECK(!problem.empty());
  }
}

void check_written(const std::string& text, Words& some) {
  for (const LessonSpan& span : lesson_spans(text, 1))
    CHECK(!does(span.link).empty() == (span.link.to != LessonLink::To::nowhere));
  CHECK(plain(text).size() <= text.size());
  CHECK(cells_of(text).size() <= text.size() + 1);
  std::size_t letters = 0;
  for (const CodeRow& row : code_rows(text, 1 + some.below(40))) letters += row.text.size();
  CHECK(letters <= text.size());
  for (const std::string& hint : guide::hints_of(text))
    CHECK((hint.empty() || (hint.front() != '\n' && hint.back() != '\n')));
  if (const auto parts = guide::take_apart(text))
    CHECK(parts->before + parts->gap + parts->after == text);
  for (const std::string& line :
       {guide::title_of(text), guide::steps_of(text), guide::arch_of(text)})
    CHECK(is_one_line(line));
  guide::Progress progress;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    progress.lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  CHECK(progress.hints("09_nine") == 0);
  progress.set_hints("01_one", 2);
  progress.pass("01_one");
  CHECK(progress.hints("01_one") == 2);
  CHECK(progress.passed("01_one"));
}

}  // namespace

TEST_CASE("words that people type or write, damaged, are read or refused in a line") {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  const int rounds = asked != nullptr ? std::atoi(asked) : kRounds;
  const std::vector<QuizQuestion> quiz = draw_quiz(0, kSeed, 200);
  Words some;
  for (int k = 0; k < rounds; ++k) {
    const std::string typed = some.line();
    CAPTURE(typed);
    check_typed(typed, some, quiz);
    const std::string written = some.damaged(kWritten);
    CAPTURE(written);
    check_written(written, some);
  }
}

}  // namespace lanescope::viz
