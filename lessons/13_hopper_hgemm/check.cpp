// SPDX-License-Identifier: MIT
// Check of exercise 13: what both blocks of the cluster answer for all 128 threads of a consumer,
// against what the two barriers of a stage need. Only then the kernel is run: with a wrong count it
// would wait for ever, on a card without a word.
//
// Source: PTX ISA 9.2, 9.7.9.25.5 (multicast: each block's mbarrier gets the bytes that land in
// it), 9.7.13.15.9 (mbarrier.init: arrivals of a phase).
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

// exercise.cu or solution.cu
std::vector<int> share_on_device(const std::vector<std::uint16_t>& a,
                                 const std::vector<std::uint16_t>& b, const char* trace);

namespace {

constexpr int kBlocks = 2, kConsumers = 2, kThreads = 128;
constexpr int kBlockM = 128, kBlockN = 192, kRowBytes = 128, kHalf = kBlockN / kBlocks;

struct Sharing {
  int arrivals = 0, bytes = 0, first_row = 0, tells = 0;
};

struct Answer {
  std::vector<Sharing> all;  // of block 0, then of block 1

  const Sharing& of(int rank, int thread) const {
    return all.at(static_cast<std::size_t>(rank * kThreads + thread));
  }
  /// How often block `told` hears of a stage from one consumer of block `by`.
  int arrivals_at(int told, int by) const {
    int count = 0;
    for (int thread = 0; thread < kThreads; ++thread) count += of(by, thread).tells == told;
    return count;
  }
  /// The same in all threads and blocks?
  bool everywhere(int Sharing::*number) const {
    for (const Sharing& s : all)
      if (s.*number != all[0].*number) return false;
    return true;
  }
};

Answer ask() {
  const std::vector<int> numbers = share_on_device({}, {}, nullptr);
  REQUIRE(numbers.size() == kBlocks * kThreads * 4);
  Answer answer;
  for (std::size_t i = 0; i < numbers.size(); i += 4)
    answer.all.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
  return answer;
}

// ---- What is wrong, and what mistake is it? -----------------------------------------------------

struct Finding {
  std::string expected, found, looks_like, advice;
};

std::string number(int n) { return std::to_string(n); }

constexpr int kNotSet = -1, kAnother = -2;

/// "It looks as if ..." by the wrong number; the first that fits.
struct Mistake {
  int number;
  const char* name;
  const char* advice;
};
Finding named(const std::string& expected, const std::string& found, int wrong,
              const std::vector<Mistake>& mistakes, const char* otherwise) {
  if (wrong == kNotSet)
    return {expected, found,
            "Not everything is set: " + expected.substr(0, expected.find(' ')) + " stays as it was",
            "four numbers, for every thread of a consumer in both blocks"};
  for (const Mistake& mistake : mistakes)
    if (mistake.number == wrong)
      return {expected, found, std::string("It looks as if ") + mistake.name, mistake.advice};
  return {expected, found, "This is not one of the mistakes this check knows", otherwise};
}

const std::vector<Mistake> kBytes{
    {kBlockM * kRowBytes + kHalf * kRowBytes, "bytes were what this block loads itself",
     "full counts what lands in this block: the other block's half of B lands here too"},
    {2 * kBlockM * kRowBytes + kBlockN * kRowBytes, "bytes were what the whole cluster loads",
     "the other block's rows of A do not come here"},
    {kBlockM * kRowBytes + 2 * kBlockN * kRowBytes, "B's tile came twice",
     "the two halves together are one tile"},
    {(kBlockM + kBlockN) * kRowBytes / 2, "bytes were elements", "an f16 is two bytes"},
    {kBlockN * kRowBytes, "only B's bytes were counted", "A's tile comes to the same barrier"},
    {(kBlockM / kConsumers + kBlockN) * kRowBytes, "one consumer's rows of A were counted",
     "a stage has the rows of both consumers"},
    {(kBlockM + kBlockN) * kRowBytes * 2, "an element had four bytes", "an f16 is two bytes"},
    {3 * (kBlockM + kBlockN) * kRowBytes, "all three stages were announced at once",
     "every stage has an mbarrier of its own: what comes into this one"},
    {kBlockM * kRowBytes, "only A's bytes were counted", "B's tile comes to the same barrier"},
};

bool bytes_are_wrong(const Answer& answer, Finding& finding) {
  constexpr int kRight = (kBlockM + kBlockN) * kRowBytes;
  if (answer.all[0].bytes == kRight && answer.everywhere(&Sharing::bytes)) return false;
  int wrong = answer.all[0].bytes;
  for (const Sharing& s : answer.all)
    if (s.bytes != kRight) wrong = s.bytes;
  finding = named("bytes " + number(kRight), number(wrong), wrong, kBytes,
                  "add up what TMA brings into one stage of one block, whoever asked for it");
  return true;
}

bool halves_are_wrong(const Answer& answer, Finding& finding) {
  const int first = answer.of(0, 0).first_row, second = answer.of(1, 0).first_row;
  if ((first == 0 && second == kHalf) || (first == kHalf && second == 0)) return false;
  const std::string expected = "first_row 0 in one block and " + number(kHalf) + " in the other",
                    found = number(first) + " and " + number(second);
  const char* otherwise = "two halves of 96 rows: say with which row each begins";
  if (first == second && first != kNotSet)
    finding = {expected, found, "It looks as if both blocks loaded the same half",
               "the other half would never come; the block's rank tells them apart"};
  else
    finding = named(
        expected, found,
        first == kNotSet || second == kNotSet ? kNotSet
        : first == 0                          ? second
                                              : kAnother,
        {{kBlockN, "a block's share were a whole tile of B",
          "one tile of 192 rows for both: each loads half of it"},
         {kHalf * kRowBytes, "first_row were counted in bytes", "in rows of B's tile"},
         {kHalf * kRowBytes / 2, "first_row were counted in elements", "in rows of B's tile"},
         {kBlockM / kBlocks, "the half were half of A's tile", "B's tile has 192 rows, A's 128"},
         {1, "first_row were the block's rank", "rank times the rows of a half"}},
        otherwise);
  return true;
}

bool telling_is_wrong(const Answer& answer, Finding& finding) {
  const std::string expected = "every consumer to arrive at empty in block 0 and in block 1";
  int counts[kBlocks][kBlocks];
  for (int by = 0; by < kBlocks; ++by)
    for (int told = 0; told < kBlocks; ++told) counts[by][told] = answer.arrivals_at(told, by);
  const std::string found = "one of block 0 arrives " + number(counts[0][0]) + " and " +
                            number(counts[0][1]) + " times, one of block 1 " +
                            number(counts[1][0]) + " and " + number(counts[1][1]) + " times";
  for (const Sharing& s : answer.all)
    if (s.tells < -1 || s.tells >= kBlocks) {
      finding = {expected, "a thread that tells block " + number(s.tells),
                 "It looks as if there were more blocks than two",
                 "the blocks of this cluster are 0 and 1, -1 is none"};
      return true;
    }
  if (counts[0][0] > 0 && counts[0][1] > 0 && counts[1][0] > 0 && counts[1][1] > 0) return false;
  const bool own = counts[0][0] > 0 && counts[1][1] > 0,
             other = counts[0][1] > 0 && counts[1][0] > 0;
  if (own && !other)
    finding = {expected, found, "It looks as if a consumer told only its own block",
               "the other block loads half of its B: it has to know as well"};
  else if (other && !own)
    finding = {expected, found, "It looks as if a consumer told only the other block",
               "its own block loads A and half of B for it: it has to know as well"};
  else if (counts[0][1] + counts[1][1] == 0 && counts[0][0] > 0)
    finding = {expected, found, "It looks as if everybody told block 0",
               "each of the two blocks waits at an empty of its own"};
  else if (counts[0][0] + counts[1][0] == 0 && counts[0][1] > 0)
    finding = {expected, found, "It looks as if everybody told block 1",
               "each of the two blocks waits at an empty of its own"};
  else if (counts[0][0] + counts[0][1] + counts[1][0] + counts[1][1] == 0)
    finding = {expected, found, "Nobody tells anybody: then each stage is filled once, never again",
               "let one thread of the 128 tell block 0, and another one block 1"};
  else if (counts[0][0] + counts[0][1] == 0 || counts[1][0] + counts[1][1] == 0)
    finding = {expected, found, "It looks as if the consumers of one block alone told anybody",
               "those of both blocks read what either loads: `rank` is not to decide who tells"};
  else
    finding = {expected, found, "This is not one of the mistakes this check knows",
               "let one thread of the 128 tell block 0, and another one block 1"};
  return true;
}

bool arrivals_are_wrong(const Answer& answer, Finding& finding) {
  const auto wanted = [&answer](int rank) {
    return kConsumers * (answer.arrivals_at(rank, 0) + answer.arrivals_at(rank, 1));
  };
  int right = -1, wrong = -1;
  for (int rank = kBlocks; rank-- > 0;)
    for (int thread = 0; thread < kThreads; ++thread)
      if (const int is = answer.of(rank, thread).arrivals; is != wanted(rank))
        right = wanted(rank), wrong = is;
  if (right < 0) return false;
  finding = named(
      "arrivals " + number(right) + ", as your consumers tell it", number(wrong), wrong,
      {{right / 2, "only one block's consumers were waited for",
        "two consumers in each of two blocks read what this block sends"},
       {1, "the first arrival were enough", "a stage is empty when all its readers are done"},
       {kConsumers * kBlocks * kThreads, "every thread of a consumer arrived",
        "as your tells has it, only some of the 128 do"},
       {kConsumers * kBlocks, "one thread of each consumer told each block",
        "as your tells has it, more of them do: let one tell, or wait for all"},
       {kConsumers * kThreads, "every thread of one block's consumers arrived",
        "as your tells has it, only some of the 128 do, and those of both blocks"},
       {kThreads, "every thread of one consumer arrived",
        "as your tells has it, only some of the 128 do, of two consumers in two blocks"},
       {right * 2, "twice as many arrived as do",
        "count: consumers of a block, blocks, threads of a consumer that tell this block"},
       {right + 1, "the producer arrived, too", "it waits; it reads nothing"},
       {right + kBlocks, "both blocks' producers arrived, too", "they wait; they read nothing"},
       {3 * right, "the arrivals of all three stages were counted",
        "every stage has an empty of its own"}},
      "count: consumers of a block, blocks, threads of a consumer that tell this block");
  return true;
}

std::string say(const Finding& finding) {
  return "\n  expected " + finding.expected + ", found " + finding.found + "\n\n" +
         finding.looks_like + ".\n  What to do: " + finding.advice +
         ".\n  The lesson's own: `share` is Member of shape.cuh and release of kernel.cuh; ./learn "
         "lesson 13\n";
}

void check_numbers() {
  const Answer answer = ask();
  bool untouched = true;
  for (const Sharing& s : answer.all)
    untouched =
        untouched && s.arrivals == -1 && s.bytes == -1 && s.first_row == -1 && s.tells == -1;
  if (untouched)
    FAIL(
        "\nThe gap is still empty.\n  What to do: lessons/13_hopper_hgemm/exercise.cu, between the "
        "two `your code` lines.\n");
  Finding finding;
  if (bytes_are_wrong(answer, finding) || halves_are_wrong(answer, finding) ||
      telling_is_wrong(answer, finding) || arrivals_are_wrong(answer, finding))
    FAIL(say(finding));
}

// ---- The kernel ---------------------------------------------------------------------------------

// f16 of the whole numbers 0 to 3.
std::uint16_t f16(int n) {
  constexpr std::uint16_t kBits[] = {0x0000, 0x3c00, 0x4000, 0x4200};
  return kBits[n];
}

void check_product() {
  constexpr int kRows = kBlocks * kBlockM, kK = 6 * 64;  // twice round the ring
  const auto element = [](int row, int k, int seed) {
    return (row * 7 + k * 5 + row * k + seed) % 4;
  };
  std::vector<std::uint16_t> a, b;
  for (int row = 0; row < kRows; ++row)
    for (int k = 0; k < kK; ++k) a.push_back(f16(element(row, k, 1)));
  for (int col = 0; col < kBlockN; ++col)
    for (int k = 0; k < kK; ++k) b.push_back(f16(element(col, k, 2)));
  const char* trace = std::getenv("LANESCOPE_CHECK_TRACE");  // set by `lanescope check`
  const std::vector<int> found = share_on_device(a, b, trace);
  REQUIRE(found.size() == kRows * kBlockN);
  int wrong = 0;
  std::string first;
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kBlockN; ++col) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) sum += element(row, k, 1) * element(col, k, 2);
      const int is = found[static_cast<std::size_t>(row * kBlockN + col)];
      if (is != sum && wrong++ == 0)
        first = "D[" + number(row) + "][" + number(col) + "]: expected " + number(sum) +
                ", found " + number(is);
    }
  if (wrong > 0)
    FAIL("\n"
         << wrong << " of " << kRows * kBlockN << " elements are wrong, the first of them " << first
         << "\n  What to do: `./learn run --check` on build/lessons/13_hopper_hgemm/"
            "check_exercise says who raced.\n");
}

}  // namespace

TEST_CASE("bytes, halves, arrivals, and who is told") { check_numbers(); }
TEST_CASE("the cluster's product") { check_product(); }
