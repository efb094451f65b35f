// SPDX-License-Identifier: MIT
// Reads what the card said, and runs the program.
#include "tests/programs/experiments/answers.hpp"

#include <doctest/doctest.h>

#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "tests/lines_of.hpp"

namespace lanescope::tests {

std::string answer(const std::string& name) {
  const std::string text = contents_of(std::string(LANESCOPE_ANSWERS "/") + name + ".txt");
  REQUIRE(!text.empty());
  return text;
}

Finished ask_emulator(const std::string& name, const std::vector<std::string>& arguments) {
  return emulate(build_folder() / "tests/programs/experiments/built" / name, {}, arguments);
}

void check_same(const std::string& name) {
  const Finished ran = ask_emulator(name);
  CHECK(ran.exit_code == 0);
  const std::vector<std::string> card = lines_of(answer(name)), emulator = lines_of(ran.out);
  CHECK(card.size() == emulator.size());
  int shown = 0;
  for (std::size_t i = 0; i < card.size() && i < emulator.size() && shown < 5; ++i)
    if (card[i] != emulator[i]) {
      CHECK_MESSAGE(card[i] == emulator[i], "line " << i + 1);
      ++shown;
    }
}

}  // namespace lanescope::tests
