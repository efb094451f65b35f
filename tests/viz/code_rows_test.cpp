// SPDX-License-Identifier: MIT
// Long lines of source in rows: nothing is lost, nothing is too wide, what goes on stands deeper.
#include "panels/lesson/code_rows.hpp"

#include <doctest/doctest.h>

#include <string>

namespace lanescope::viz {
namespace {

std::string drawn(std::string_view line, std::size_t columns) {
  std::string text;
  for (const CodeRow& row : code_rows(line, columns))
    text += std::string(row.indent, ' ') + std::string(row.text) + "\n";
  return text;
}

TEST_CASE("a line that fits is a row") {
  CHECK(drawn("", 20) == "\n");
  CHECK(drawn("  int a = 1;", 12) == "  int a = 1;\n");
}

TEST_CASE("a line is broken at blanks, and goes on deeper than it begins") {
  CHECK(drawn("  for (int pair = 0; pair < count; ++pair) {", 20) ==
        "  for (int pair = 0;\n      pair < count;\n      ++pair) {\n");
  // Behind punctuation where a blank would leave next to nothing in the row.
  CHECK(drawn("x = multiply(scores[2*pair],a,b);", 20) ==
        "x = multiply(scores[\n    2*pair],a,b);\n");
}

TEST_CASE("nothing is lost and nothing too wide, whatever the line and the room") {
  const std::string lines[] = {
      std::string(100, 'x'), std::string(60, ' ') + "deep, deeper, deepest(of, them);",
      "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n",
      std::string(30, ' '), "\"\xe2\x80\xa6\xe2\x80\xa6\xe2\x80\xa6\xe2\x80\xa6\xe2\x80\xa6\""};
  const auto without_blanks = [](std::string text) {
    std::string kept;
    for (const char c : text)
      if (c != ' ') kept += c;
    return kept;
  };
  for (const std::string& line : lines)
    for (std::size_t columns = 1; columns < 90; ++columns) {
      CAPTURE(line);
      CAPTURE(columns);
      std::string all;
      for (const CodeRow& row : code_rows(line, columns)) {
        CHECK(row.indent + row.text.size() <= std::max<std::size_t>(columns, 8));
        // No character is torn.
        CHECK((row.text.empty() || (static_cast<unsigned char>(row.text[0]) & 0xc0) != 0x80));
        all += row.text;
      }
      CHECK(without_blanks(all) == without_blanks(line));
    }
}

}  // namespace
}  // namespace lanescope::viz
