// SPDX-License-Identifier: MIT
// An event that the format cannot hold is a mistake of who made it: the program stops, and says
// which value it was.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "tests/trace/sample.hpp"
#include "trace/line.hpp"

using namespace lanescope::trace;

namespace {

// What a process says that writes such an event, and is stopped by it.
std::string words_of_who_writes(const Event& event) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // doctest's would report a test
    dup2(ends[1], STDERR_FILENO);
    const std::string line = to_line(event);
    _exit(line.empty() ? 1 : 0);
  }
  close(ends[1]);
  std::string words;
  char part[512];
  for (ssize_t size; (size = read(ends[0], part, sizeof part)) > 0;)
    words.append(part, static_cast<std::size_t>(size));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  return words;
}

void stops(const Event& event, const std::string& why) {
  const std::string words = words_of_who_writes(event);
  CAPTURE(words);
  CHECK(words == "lanescope: a trace event that the format cannot hold: " + why +
                     "; see docs/trace_format.md\n");
}

}  // namespace

TEST_CASE("a fragment has registers, of 32 or 128 lanes all, and no word is wider than they are") {
  Fragment none = sample::fragment();
  none.registers.clear();
  stops(none, "a fragment without registers");
  for (const std::size_t lanes : {0u, 31u, 33u, 127u}) {
    Fragment few = sample::fragment();
    for (auto& words : few.registers) words.resize(lanes);
    stops(few,
          "fragment A k=16 has a register of " + std::to_string(lanes) + " lanes, not 32 or 128");
  }
  Fragment uneven = sample::fragment();
  uneven.registers[3].resize(128);
  stops(uneven, "fragment A k=16 has a register of 128 lanes, not 32 or 128");
  Fragment wide = sample::fragment();
  wide.registers[1][7] = 0x100000000u;
  stops(wide, "lane 7 holds 0x100000000, more than 32 bits");
}

TEST_CASE("a tile has rows and columns, and as many bytes in each row") {
  const auto tile = [](int rows, int cols, std::size_t bytes) {
    Memory memory = sample::memory();
    memory.rows = rows;
    memory.cols = cols;
    memory.bytes.resize(bytes);
    return memory;
  };
  stops(tile(0, 5, 30), "memory tile has 30 bytes in 0 rows of 5");
  stops(tile(3, 0, 30), "memory tile has 30 bytes in 3 rows of 0");
  stops(tile(3, 5, 0), "memory tile has 0 bytes in 3 rows of 5");
  stops(tile(3, 5, 31), "memory tile has 31 bytes in 3 rows of 5");
}

TEST_CASE("a step writes and an access has 32 lanes") {
  Step step = sample::step();
  step.writes[1].lanes.resize(31);
  stops(step, "%rs1 is written in 31 lanes, not 32");
  Step predicate = sample::step();
  predicate.writes[0].lanes[31] = 2;
  stops(predicate, "lane 31 holds 0x2, more than 1 bits");
  Access access = sample::access();
  access.addresses.resize(33);
  stops(access, "an access of 33 addresses, not 32 a piece");
}
