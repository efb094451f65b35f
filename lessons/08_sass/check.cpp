// SPDX-License-Identifier: MIT
// Check of exercise 08. It knows no answers: which line of PTX a line of SASS is from is what the
// disassembler recorded (listings/), from the line table that ptxas wrote.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "listing.hpp"

// exercise.cu or solution.cu
std::string answers();

namespace {

constexpr int kShown = 3;

struct Question {
  const char *arch, *kernel, *sass;
  const char* clue;
};

const std::vector<Question> kQuestions{
    {"sm_90a", "multiply_f16", "S2R", "S2R reads a special register"},
    {"sm_90a", "multiply_f16", "LDGSTS.E.BYPASS.128",
     "LDG loads from global memory, STS stores to shared memory, 128 bits past the L1"},
    {"sm_90a", "multiply_f16", "LDGDEPBAR",
     "it ties the LDGSTS before it to a scoreboard: look for what closes a group"},
    {"sm_90a", "multiply_f16", "DEPBAR.LE",
     "it waits until the scoreboard of number 2 is less or equal 0: look for what waits for the "
     "groups of copies"},
    {"sm_90a", "multiply_f16", "LDSM.16.MT88.2",
     "LDSM loads matrices from shared memory, M88 is 8 x 8; T, and 2 of them"},
    {"sm_90a", "multiply_f16", "LDSM.16.M88.4",
     "LDSM loads matrices from shared memory, M88 is 8 x 8; 4 of them"},
    {"sm_89", "multiply_e4m3", "QMMA.16832.F32.E4M3.E4M3",
     "an MMA of quarter precision, 16 x 8 x 32"},
    {"sm_90a", "multiply_e4m3", "F2FP.F16.E4M3.UNPACK_B",
     "it makes f16 of e4m3: Hopper's mma.sync has no 8-bit floats of its own"},
    {"sm_90a", "multiply_wgmma", "WARPGROUP.ARRIVE",
     "a warpgroup arrives, its registers are ready: look for what precedes a wgmma"},
    {"sm_90a", "multiply_wgmma", "WARPGROUP.DEPBAR.LE",
     "as number 3, for the scoreboard of HGMMA: look for what waits for wgmma's groups"},
};

const std::vector<std::string> kCandidates{
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "cp.async.wait_group",
    "wgmma.wait_group.sync.aligned",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "mov.u32",
    "cp.async.commit_group",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
    "bar.warp.sync",
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
    "cp.async.cg.shared.global",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
    "wgmma.fence.sync.aligned",
    "bar.sync",
};

/// The first such line of the listing.
const Sass& line_of(const Question& question) {
  for (const Listing& listing : listings())
    for (const Sass& sass : listing.lines)
      if (listing.arch == question.arch && sass.kernel == question.kernel &&
          sass.name() == question.sass)
        return sass;
  REQUIRE_MESSAGE(false, "the listings have no " << question.sass << "; record them again");
  return listings()[0].lines[0];
}

/// 0 for 'a'; -1 for what is no letter of the list.
int candidate(char letter) {
  const int index = letter - 'a';
  return index >= 0 && index < static_cast<int>(kCandidates.size()) ? index : -1;
}

bool right(std::size_t number, char letter) {
  const int index = candidate(letter);
  return index >= 0 && is_instruction(line_of(kQuestions[number]).ptx,
                                      kCandidates[static_cast<std::size_t>(index)]);
}

std::string diagnosis(const std::string& letters) {
  constexpr const char* kTodo = ".\n  What to do: ";
  const std::size_t size = kQuestions.size();
  if (letters == "??????????")
    return std::string("The gap is still empty, or does not set `letters`") + kTodo +
           "lessons/08_sass/exercise.cu, between the two `your code` lines.";
  if (letters.size() != size)
    return "`letters` has " + std::to_string(letters.size()) + " letters" + kTodo +
           "one letter for each of the ten lines, in their order, nothing between them.";
  if (const std::size_t open = letters.find('?'); open != std::string::npos)
    return "Number " + std::to_string(open) + " has no letter yet" + kTodo + kQuestions[open].clue +
           ".";
  for (const char letter : letters)
    if (candidate(letter) < 0)
      return std::string("There is no line of PTX '") + letter + "'" + kTodo +
             "the letters go from a to m, small ones.";
  if (letters.find_first_not_of(letters[0]) == std::string::npos)
    return std::string("It looks as if all ten lines are from the same one") + kTodo +
           "begin with the ones whose name says it.";
  bool to_right = true, to_left = true, backwards = true;
  for (std::size_t i = 0; i < size; ++i) {
    to_right = to_right && (i + 1 == size || right(i, letters[i + 1]));
    to_left = to_left && (i == 0 || right(i, letters[i - 1]));
    backwards = backwards && right(i, letters[size - 1 - i]);
  }
  if (to_right || to_left)
    return std::string("It looks as if all letters are one place too far to the ") +
           (to_right ? "right" : "left") + kTodo + "the first letter belongs to number 0.";
  if (backwards)
    return std::string("It looks as if the letters stand backwards") + kTodo +
           "the first letter belongs to number 0.";
  if (right(6, letters[6]) != right(7, letters[7]))
    return std::string("One line of PTX, two architectures: of numbers 6 and 7 one is right") +
           kTodo + "QMMA on sm_89 and the unpacking on sm_90a do the same work.";
  // What if two of them have changed places?
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i + 1; j < size; ++j)
      if (!right(i, letters[i]) && !right(j, letters[j]) && right(i, letters[j]) &&
          right(j, letters[i]))
        return "It looks as if " + std::to_string(i) + " and " + std::to_string(j) +
               " have changed places" + kTodo + kQuestions[i].clue + ".";
  for (std::size_t i = 0; i < size; ++i)
    if (!right(i, letters[i]))
      return "Look again at number " + std::to_string(i) + kTodo + kQuestions[i].clue + ".";
  return "";
}

}  // namespace

TEST_CASE("ten lines of SASS and where they came from") {
  const std::string letters = answers();
  int wrong = 0;
  std::string shown;
  for (std::size_t i = 0; i < kQuestions.size(); ++i) {
    const char letter = i < letters.size() ? letters[i] : '?';
    if (right(i, letter)) continue;
    if (wrong++ >= kShown) continue;
    const int index = candidate(letter);
    shown += "  " + std::to_string(i) + "  " + line_of(kQuestions[i]).text + "\n      expected " +
             (index < 0 ? std::string("a letter from a to m")
                        : std::string("another line than ") + letter) +
             ", found " +
             (index < 0 ? std::string("'") + letter + "'"
                        : kCandidates[static_cast<std::size_t>(index)]) +
             "\n";
  }
  if (wrong > kShown) shown += "  ... and " + std::to_string(wrong - kShown) + " more\n";
  if (wrong == 0 && letters.size() > kQuestions.size())
    wrong = 1, shown = "  expected 10 letters, found " + std::to_string(letters.size()) + "\n";
  if (wrong == 0) return;
  std::string problem = "\n" + std::to_string(wrong) + " of 10 lines are not from there:\n" +
                        shown + "\n" + diagnosis(letters) + "\n";
  problem +=
      "  The whole listing, PTX above SASS: lessons/08_sass/listings/sm_90a.inc; what the "
      "lesson says: ./learn lesson 8\n";
  FAIL(problem);
}
