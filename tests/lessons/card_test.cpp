// SPDX-License-Identifier: MIT
// What check and lesson do where there is a card. None is here: the emulator is put where the
// toolkit's libcudart and the driver would be, and is one (LANESCOPE_ARCH says which).
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/build_folder.hpp"
#include "tests/lessons/loop_project.hpp"
#include "tests/lessons/planted.hpp"

using namespace lanescope::lessons_test;
namespace fs = std::filesystem;

namespace {

/// A project whose toolkit is the emulator.
Project with_card(const std::string& name) {
  const Project project(name);
  const fs::path cache = project.folder / "build" / "CMakeCache.txt";
  std::string text = read(cache);
  const std::string begin = "LANESCOPE_CUDART:FILEPATH=";
  const std::size_t at = text.find(begin) + begin.size();
  const fs::path runtime = lanescope::tests::build_folder() / "lib/lanescope/libcudart.so";
  write(cache, text.replace(at, text.find('\n', at) - at, runtime.string()));
  return project;
}

Ran on_card(const Project& project, const std::string& arch, const std::string& arguments) {
  return run(with_driver(arch) + project.command(arguments));
}

constexpr const char* kOnCard = "\nAnd on this machine's card, Lanescope emulator:\n";

}  // namespace

TEST_CASE("what is right on the emulator is checked on the card as well") {
  const Project project = with_card("card_right");
  project.solve();
  const Ran ran = on_card(project, "sm_89", "check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, kOnCard) == 1);
  CHECK(count(ran, " right\n") % 2 == 0);  // each line twice
  CHECK(ran.output.find(" right\n") < ran.output.find(kOnCard));
  CHECK(ran.output.rfind(" right\n") > ran.output.find(kOnCard));
  CHECK(says(ran, "Passed: lesson 1"));
}

TEST_CASE("what is wrong on the emulator is wrong, whatever a card would say") {
  const Ran ran = on_card(with_card("card_wrong"), "sm_89", "check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "The gap is still empty"));
  CHECK(!says(ran, "this machine's card"));
}

TEST_CASE("what the card alone finds wrong is not passed, and where to look is said") {
  const Project project = with_card("card_alone");
  // The picture is the emulator's: where there is none to make, this is the card.
  std::string answer = read(project.lesson() / "solution.cu");
  const std::string host = "\n// check.cpp calls this";
  REQUIRE(answer.find(host) != std::string::npos);
  answer.insert(answer.find(host),
                "\n#include <cstdlib>\nstatic const bool on_card = [] {\n"
                "  if (std::getenv(\"LANESCOPE_CHECK_TRACE\") == nullptr) std::exit(1);\n"
                "  return true;\n}();\n");
  write(project.exercise(), answer);
  const Ran ran = on_card(project, "sm_90a", "check 1");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "lanescope: right on the emulator and wrong on Lanescope emulator: "));
  CHECK(says(ran, "lanescope: lesson 1 is not passed yet"));
  CHECK(project.progress().empty());
}

TEST_CASE("a card that lacks the instructions is not asked") {
  const Project project = with_card("card_old");
  project.solve();
  const Ran check = on_card(project, "sm_75", "check 1");
  CAPTURE(check.output);
  CHECK(check.status == 0);
  CHECK(!says(check, "this machine's card"));
  const Ran hopper =
      run("LANESCOPE_PROJECT=" + shell_word(scratch_project("card_lesson")) + " " +
          with_driver("sm_89") +
          shell_word(lanescope::tests::build_folder() / "bin" / "lanescope") + " lesson 10");
  CAPTURE(hopper.output);
  CHECK(hopper.status == 0);
  CHECK(says(hopper, "On the emulator: Lanescope emulator is sm_89 and lacks the instructions.\n"));
  CHECK(says(hopper, "traces/10_descriptors.cpu.lanes"));
}
