// SPDX-License-Identifier: MIT
// How text is fitted into a terminal: no line too long, nothing lost; and into a pipe it goes as it
// is.
#include "cli/terminal.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "cli/printable.hpp"
#include "cli/suggest.hpp"
#include "tests/cli/process.hpp"

using namespace lanescope;
using test::run_lanescope;
using test::Setting;
using Words = std::vector<std::string>;

namespace {

// What a terminal of `columns` is sent, without colours and the terminal's own carriage returns.
std::string in_terminal(const Words& arguments, unsigned short columns,
                        const std::string& variable = "") {
  Setting setting;
  setting.terminal = true;
  setting.columns = columns;
  setting.environment = {{"NO_COLOR", "1"}, {"COLUMNS", variable}};
  const test::Outcome outcome = run_lanescope(arguments, setting);
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  std::string text = outcome.out;
  text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
  return text;
}

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) {
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    longest = std::max<std::size_t>(
        longest, static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins)));
  }
  return longest;
}

Words words_in(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

const char* kMma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const std::string kSteps = LANESCOPE_SOURCE_DIR "/lessons/04_banks_and_swizzle/recorded.lanes";

}  // namespace

TEST_CASE("paragraphs broken by hand are joined for a narrower terminal; code is not") {
  const std::string hint = "one two three\nfour five\n\n    code(1)\n    code(2)\n\nsix\nseven";
  CHECK(cli::joined_paragraphs(hint, 0) == hint);
  CHECK(cli::joined_paragraphs(hint, 13) == hint);
  CHECK(cli::joined_paragraphs(hint, 12) ==
        "one two three four five\n\n    code(1)\n    code(2)\n\nsix seven");
  CHECK(cli::joined_paragraphs("\none two", 3) == "\none two");
  CHECK(cli::joined_paragraphs("", 3) == "");
}

TEST_CASE("lines that are too long are broken at blanks, under what they continue") {
  CHECK(cli::wrapped("short\n\nlines\n", 40) == "short\n\nlines\n");
  CHECK(cli::wrapped("why: lanes 0 to 7 want eight words of bank 4, each", 40) ==
        "why: lanes 0 to 7 want eight words of\n  bank 4, each");
  CHECK(cli::wrapped("  in the first warp, which is long enough to be broken\n", 40) ==
        "  in the first warp, which is long\n    enough to be broken\n");
  CHECK(cli::wrapped("     12     :34  mma.sync.aligned {%f1, %f2}, {%r1};  -> %f1 %f2\n", 60) ==
        "     12     :34  mma.sync.aligned {%f1, %f2}, {%r1};  -> %f1\n"
        "                 %f2\n");
  // What has no blank stays whole; characters are counted, not bytes.
  const std::string name(70, 'x');
  CHECK(cli::wrapped("of " + name + " and more", 40) == "of\n  " + name + "\n  and more");
  CHECK(cli::wrapped("20 × 20 × 20 × 20 × 20 × 20 × 20 × 20 20", 40) ==
        "20 × 20 × 20 × 20 × 20 × 20 × 20 × 20 20");
  CHECK(cli::wrapped("\x1b[48;5;16m" + name + " " + name, 40) ==
        "\x1b[48;5;16m" + name + " " + name);
  CHECK(cli::wrapped("a b", 0) == "a b");
}

TEST_CASE("whatever a line is, its words are all there, and it comes to an end") {
  std::uint32_t state = 1;  // a fixed seed
  const auto next = [&] { return (state = state * 1664525 + 1013904223) >> 16; };
  for (int round = 0; round < 2000; ++round) {
    std::string line;
    for (std::uint32_t k = next() % 40; k > 0; --k)
      line += std::string(next() % 5, ' ') + std::string(next() % 30, "ab\xc3\x97"[next() % 4]);
    const int columns = 40 + static_cast<int>(next() % 60);
    CHECK(words_in(cli::wrapped(line, columns)) == words_in(line));
  }
}

TEST_CASE("a terminal is never written over its right edge") {
  for (const Words& arguments : {Words{"--help"},
                                 {"view", "--help"},
                                 {"layout", kMma},
                                 {"layout", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
                                 {"layout", "movmatrix"},
                                 {"layout", kMma, "--explain", "9,5", "--operand", "A"},
                                 {"layout", "--list", "m16n8", "s4"},
                                 {"output", kMma, "3,4"},
                                 {"swizzle"},
                                 {"descriptor", "--tile", "64x64"},
                                 {"view", "--text", "--descriptor", "128B", "K", "16", "64x64"},
                                 {"view", kSteps, "--text"},
                                 {"view", kSteps, "--text", "--panel", "steps"},
                                 {"view", kSteps, "--text", "--panel", "memory"}}) {
    for (const unsigned short columns : {80, 100}) {
      CAPTURE(arguments[0] + " " + arguments.back());
      CAPTURE(columns);
      CHECK(longest_line(in_terminal(arguments, columns)) <= columns);
    }
  }
}

TEST_CASE("a narrower terminal is told the same") {
  const std::string piped = run_lanescope({"layout", kMma}).out;
  CHECK(longest_line(piped) > 100);
  const std::string wide = in_terminal({"layout", kMma}, 200);
  CHECK(wide == piped);
  Words cells = words_in(in_terminal({"layout", kMma}, 80)), all = words_in(piped);
  const auto is_cell = [](const std::string& word) {
    return word.find(':') != std::string::npos &&
           word.find_first_not_of("0123456789:.") == word.npos;
  };
  for (Words* words : {&cells, &all}) {
    words->erase(std::remove_if(words->begin(), words->end(), std::not_fn(is_cell)), words->end());
    std::sort(words->begin(), words->end());
  }
  CHECK(all.size() == 256 + 128 + 128);  // A, B, C and D
  CHECK(cells == all);
  const std::string steps = in_terminal({"view", kSteps, "--text", "--panel", "steps"}, 80);
  CHECK(words_in(steps) ==
        words_in(run_lanescope({"view", kSteps, "--text", "--panel", "steps"}).out));
}

TEST_CASE("a text of more than a screen is cut, with the command that shows the rest") {
  CHECK(cli::first_rows("a\nb\nc\n", 0, 3, "more") == "a\nb\nc\n");
  CHECK(cli::first_rows("a\nb\nc\n", 0, 2, "more") == "a\n... and 2 lines more: more\n");
  CHECK(cli::first_rows("", 0, 2, "more") == "");
  // Lines as the terminal shows them.
  CHECK(cli::first_rows("one two three\nfour\n", 8, 3, "more") == "one two\n  three\nfour\n");
  CHECK(cli::first_rows("one two three\nfour\n", 8, 2, "more") ==
        "one two\n... and 2 lines more: more\n");
}

TEST_CASE("COLUMNS is asked before the terminal, and a terminal that says nothing has 80") {
  CHECK(longest_line(in_terminal({"layout", kMma}, 200, "70")) <= 70);
  CHECK(longest_line(in_terminal({"layout", kMma}, 0)) <= 80);
  CHECK(longest_line(in_terminal({"layout", kMma}, 80, "nonsense")) <= 80);
  CHECK(longest_line(in_terminal({"layout", kMma}, 80, "99999999999999999999")) > 100);
  Setting piped;
  piped.environment = {{"COLUMNS", "60"}};
  CHECK(run_lanescope({"layout", kMma}, piped).out == run_lanescope({"layout", kMma}).out);
}

TEST_CASE("what a terminal obeys is no part of a text, be it written in one byte or in two") {
  const auto printable = [](const std::string& title) {
    trace::Trace trace;
    trace.events.push_back(trace::View{title, {}, "", ""});
    cli::make_printable(trace);
    return std::get<trace::View>(trace.events[0]).title;
  };
  CHECK(printable("a\x1b[2J\x07\x7f\nb") == "a?[2J??\nb");
  CHECK(printable("\xc2\x9b"
                  "2J \xc2\x80\xc2\x9f") == "?2J ??");  // U+009B is ESC [
  CHECK(printable("\xc2\xa0\xc3\xa4 \xe2\x82\x9b \xc2") == "\xc2\xa0\xc3\xa4 \xe2\x82\x9b \xc2");
  // U+202E, U+2066, U+200F, U+061C and U+2028, but not U+2026 and U+2070.
  CHECK(printable("a\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c\xe2\x80\xa8z") == "a?????z");
  CHECK(printable("\xe2\x80\xa6\xe2\x81\xb0\xd8\x9b") == "\xe2\x80\xa6\xe2\x81\xb0\xd8\x9b");
  trace::Trace race;
  race.events.push_back(
      trace::Diagnostic{{}, "k", "m", {}, 0, {}, {{{}, 0, 0, "\x1b", 0, {"\x1b", 1}}}});
  cli::make_printable(race);
  const trace::OtherAccess& other = std::get<trace::Diagnostic>(race.events[0]).against[0];
  CHECK(other.ptx + other.source.file == "??");
  CHECK(cli::one_line("a\r\nb \xc2\x9b"
                      "2J\xc3\xa4\n") == "a  b  2J\xc3\xa4");
}
