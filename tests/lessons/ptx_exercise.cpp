// SPDX-License-Identifier: MIT
// See ptx_exercise.hpp.
#include "tests/lessons/ptx_exercise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "guide/exercise.hpp"
#include "guide/ptx_task.hpp"
#include "launcher/argument.hpp"
#include "numeric/format.hpp"

namespace lanescope::lessons_test {
namespace {

namespace fs = std::filesystem;
using launcher::Argument;

double number_of(const launcher::Element& element, std::uint64_t pattern) {
  if (element.kind == launcher::Element::Kind::natural) return static_cast<double>(pattern);
  const int shift = 64 - 8 * element.bytes;
  if (element.kind == launcher::Element::Kind::whole)
    return static_cast<double>(static_cast<std::int64_t>(pattern << shift) >> shift);
  return numeric::decode(*numeric::find_format(element.name), static_cast<std::uint32_t>(pattern));
}

std::vector<double> numbers(const Argument& argument, const fs::path& file) {
  const std::string bytes = read(file);
  REQUIRE(bytes.size() == argument.bytes());
  std::vector<double> all;
  const auto size = static_cast<std::size_t>(argument.element->bytes);
  for (std::size_t at = 0; at < bytes.size(); at += size)
    all.push_back(number_of(
        *argument.element,
        launcher::load(*argument.element, reinterpret_cast<const std::byte*>(bytes.data() + at))));
  return all;
}

/// The parameters among the words of a launch: those that are no options.
std::vector<Argument> arguments_of(const std::string& words) {
  std::vector<Argument> all;
  std::size_t at = 0;
  for (bool is_value = false; (at = words.find_first_not_of(' ', at)) != words.npos;) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end;
    if (is_value || word.rfind("--", 0) == 0) {
      is_value = !is_value;  // an option's value follows
      continue;
    }
    REQUIRE(launcher::read_argument(word, all.emplace_back()) == "");
  }
  return all;
}

}  // namespace

std::vector<std::string> PtxExercise::launches() const {
  return guide::ptx_task(solution_).launches;
}

PtxExercise::PtxExercise(const std::string& lesson)
    : lesson_(lesson),
      solution_(read(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson / "solution.ptx")),
      folder_(scratch() / ("ptx_" + lesson)),
      parts_(take_apart(solution_)) {
  const fs::path mine = folder_ / "lessons" / lesson;
  fs::create_directories(mine);
  write(mine / "solution.ptx", solution_);
  // Says which card the emulator is for it.
  fs::copy_file(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson / "lesson.cu",
                mine / "lesson.cu", fs::copy_options::overwrite_existing);
  write(mine / "README.md", "# " + lesson.substr(0, 2) + " A lesson\n");
}

Ran PtxExercise::check(const std::string& text, const std::string& environment) const {
  write(folder_ / "lessons" / lesson_ / "exercise.ptx", text);
  return run(environment + "LANESCOPE_PROJECT=" + shell_word(folder_) + " " + lanescope_command() +
             " check " + lesson_.substr(0, 2) + " --ptx");
}

Ran PtxExercise::check_gap(const std::string& gap) const {
  return check(parts_.before + gap + (gap.empty() || gap.back() == '\n' ? "" : "\n") +
               parts_.after);
}

std::string PtxExercise::edited(const Edits& edits) const {
  std::string gap;
  std::istringstream lines(parts_.gap);
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find("//"), line.size()));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) gap += line.substr(line.find_first_not_of(' ')) + '\n';
  }
  for (const auto& [from, to] : edits) {
    CAPTURE(from);
    const std::size_t at = gap.find(from);
    REQUIRE(at != gap.npos);
    REQUIRE(gap.find(from, at + 1) == gap.npos);
    gap.replace(at, from.size(), to);
  }
  return gap;
}

void PtxExercise::passes(const std::string& name, const std::string& gap) const {
  CAPTURE(name);
  const Ran ran = check_gap(gap);
  CHECK_MESSAGE(ran.status == 0, ran.output);
  CHECK_MESSAGE(ran.output.find("\nPassed: lesson ") != std::string::npos, ran.output);
}

void PtxExercise::fails(const std::string& name, const std::string& gap,
                        const std::string& says) const {
  CAPTURE(name);
  const Ran ran = check_gap(gap);
  CHECK_MESSAGE(ran.status == 1, ran.output);
  CHECK_MESSAGE(ran.output.find("WRONG") != std::string::npos, ran.output);
  CHECK_MESSAGE(ran.output.find(says) != std::string::npos, ran.output);
}

std::vector<Memories> PtxExercise::solved() const {
  std::vector<Memories> all;
  const fs::path left = folder_ / "left";
  fs::create_directories(left);
  for (const std::string& words : launches()) {
    CAPTURE(words);
    const Ran ran = run(lanescope_command() + " run " +
                        shell_word(folder_ / "lessons" / lesson_ / "solution.ptx") + " " + words +
                        " --write " + shell_word(left));
    REQUIRE_MESSAGE(ran.status == 0, ran.output);
    Memories memories;
    for (const Argument& argument : arguments_of(words))
      memories.push_back(
          argument.kind == Argument::Kind::number
              ? std::vector<double>()
              : numbers(argument,
                        left / ("parameter_" + std::to_string(memories.size()) + ".bin")));
    all.push_back(memories);
  }
  REQUIRE(!all.empty());
  return all;
}

}  // namespace lanescope::lessons_test
