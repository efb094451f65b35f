// SPDX-License-Identifier: MIT
// Random command lines for the programs of lessons: what they take is what stands there, and what
// they refuse is refused in one line, with status 2. The parser ends the program, so each line is
// read in a child. LANESCOPE_FUZZ_ROUNDS=100000 for a long run; the seed is written here.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/device/arguments.cuh"

namespace {

constexpr std::uint32_t kSeed = 20261124;
constexpr int kRounds = 600, kLeast = 1, kMost = 1000, kOtherwise = 5;

using Words = std::vector<std::string>;

Words some_words(std::mt19937& random) {
  const Words pool{"--trace", "--size",  "--bench", "--siz", "--size=4", "-",           "--",
                   "",        "f.lanes", "7",       "1000",  "1001",     "0",           "-3",
                   "4x",      " 5",      "0x10",    "1e3",   "nan",      "99999999999", "%s%n",
                   "\xff",    "a b",     "--Bench", "a\nb",  "4\n",      "\r"};
  Words words{"program"};
  for (std::size_t left = random() % 6; left > 0; --left) {
    words.push_back(pool[random() % pool.size()]);
    if (random() % 4 == 0) words.back() += static_cast<char>('!' + random() % 94);
    if (random() % 64 == 0) words.back().append(70000, 'x');
  }
  return words;
}

struct Read {
  int status = -1;
  std::string said;  // standard error
};

/// What a lesson's main does; a value that is not what stands there is status 3.
[[noreturn]] void read_in_child(const Words& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  const int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  only_arguments(argc, argv.data(), {"--trace", "--size"}, {"--bench"});
  const auto value_of = [&](const char* name) -> const char* {
    const auto at = std::find(words.begin() + 1, words.end(), name);
    return at == words.end() || at + 1 == words.end() ? nullptr : (at + 1)->c_str();
  };
  const char* trace = argument_value(argc, argv.data(), "--trace");
  const int size = argument_number(argc, argv.data(), "--size", kOtherwise, kLeast, kMost);
  const char* text = value_of("--size");
  // A name twice, or a name for a value: that one of them counted would be said by nobody.
  bool once = true;
  for (const char* name : {"--trace", "--size"}) {
    once = once && std::count(words.begin() + 1, words.end(), name) <= 1;
    once = once && (value_of(name) == nullptr || std::strncmp(value_of(name), "--", 2) != 0);
  }
  const bool right = once && trace == value_of("--trace") && size >= kLeast && size <= kMost &&
                     size == (text == nullptr ? kOtherwise : std::atoi(text)) &&
                     argument_given(argc, argv.data(), "--bench") ==
                         (std::count(words.begin() + 1, words.end(), "--bench") > 0);
  _exit(right ? 0 : 3);
}

Read read(const Words& words) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);  // a child that ends by exit() would print it once more
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Ends at once: a sanitizer would look for leaks in each of hundreds.
    on_exit(
        [](int status, void*) {
          std::fflush(nullptr);
          _exit(status);
        },
        nullptr);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]), close(ends[1]);
    read_in_child(words);
  }
  close(ends[1]);
  Read result;
  char part[4096];
  for (ssize_t count; (count = ::read(ends[0], part, sizeof part)) > 0;)
    result.said.append(part, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace

TEST_CASE("a lesson takes what stands in its command line, or says in a line what is wrong") {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  std::mt19937 random(kSeed);
  int taken = 0, refused = 0;
  for (int round = asked != nullptr ? std::atoi(asked) : kRounds; round > 0; --round) {
    const Words words = some_words(random);
    std::string line;
    for (const std::string& word : words) line += " '" + word.substr(0, 40) + "'";
    CAPTURE(line);
    const Read result = read(words);
    CAPTURE(result.said.substr(0, 400));
    REQUIRE((result.status == 0 || result.status == 2));
    ++(result.status == 0 ? taken : refused);
    if (result.status == 0) {
      CHECK(result.said.empty());
    } else {
      CHECK(result.said.rfind("lesson: ", 0) == 0);
      CHECK(result.said.find('\n') == result.said.size() - 1);
    }
  }
  CHECK(taken > 20);
  CHECK(refused > 20);
}

TEST_CASE("what is refused, in its words") {
  const auto said = [](const Words& words) { return read(words).said; };
  CHECK(said({"p", "--size", "4", "--size", "5"}) ==
        "lesson: --size is there twice: give it one value\n");
  CHECK(said({"p", "--trace", "--bench"}) == "lesson: --trace needs a value: --trace VALUE\n");
  CHECK(said({"p", "--size"}) == "lesson: --size needs a value: --size VALUE\n");
  CHECK(said({"p", "a\nb"}) ==
        "lesson: unknown argument 'a?b'; this program takes: --trace VALUE --size VALUE --bench\n");
  CHECK(said({"p", "--size", "4\n"}) ==
        "lesson: --size 4?: wanted is a whole number from 1 to 1000\n");
}
