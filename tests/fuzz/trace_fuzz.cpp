// SPDX-License-Identifier: MIT
// Damages valid trace files at random (from a written seed) and reads them. What must hold whatever
// the bytes are: the reader returns; a refusal has a reason of one line and a line that exists, and
// hands out nothing; what is accepted can be written, is read back as the same trace, and can be
// compared. Crashes and sanitizer reports fail by themselves.
//
//     lanescope_trace_fuzz [COUNT [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/damage.hpp"
#include "tests/trace/sample.hpp"
#include "trace/diff.hpp"
#include "trace/file.hpp"
#include "trace/line.hpp"
#include "trace/reader.hpp"

using namespace lanescope::trace;

namespace {

struct Fuzz : lanescope::tests::Damage {
  long accepted = 0, refused = 0, changed = 0;
};

[[noreturn]] void fail(const char* what, long round, const std::string& bytes) {
  std::fprintf(stderr, "trace_fuzz: round %ld: %s\n", round, what);
  if (std::FILE* file = std::fopen("trace_fuzz.failed.lanes", "wb")) {
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
    std::fprintf(stderr, "trace_fuzz: the file is trace_fuzz.failed.lanes\n");
  }
  std::exit(1);
}

void check(Fuzz& fuzz, const Trace& original, const std::string& bytes, bool packed, long round) {
  const ReadResult result = read_bytes(bytes);
  if (!result.ok()) {
    ++fuzz.refused;
    const std::string& reason = result.error->reason;
    if (reason.empty() || reason.find('\n') != std::string::npos)
      fail("a bad reason", round, bytes);
    if (!result.trace.events.empty()) fail("a refused file hands out events", round, bytes);
    const auto lines = std::count(bytes.begin(), bytes.end(), '\n') + 1;
    if (result.error->line < 0 || (!packed && result.error->line > lines))
      fail("a refusal names a line that is not there", round, bytes);
    return;
  }
  ++fuzz.accepted;
  const ReadResult again = read_bytes(to_text(result.trace));
  if (!again.ok()) fail("what was accepted is refused when written again", round, bytes);
  if (!(again.trace == result.trace)) fail("what was accepted changes when written", round, bytes);
  if (first_difference(result.trace, again.trace))
    fail("a trace differs from itself", round, bytes);
  if (first_difference(original, result.trace)) ++fuzz.changed;
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 30000;
  const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  Fuzz fuzz;
  fuzz.random.seed(seed);
  const Trace original = sample::trace();
  const std::string text = to_text(original);
  const std::string packed = compress(text);
  for (long round = 0; round < count; ++round) {
    switch (round % 4) {
      case 0:
        check(fuzz, original, fuzz.damaged(packed), true, round);
        break;
      case 1:
        check(fuzz, original, compress(fuzz.damaged(text)), true, round);
        break;
      default:
        check(fuzz, original, fuzz.damaged(text), false, round);
        break;
    }
  }
  std::printf("trace_fuzz: seed %lu: %ld files, %ld refused, %ld read (%ld of them differ)\n", seed,
              count, fuzz.refused, fuzz.accepted, fuzz.changed);
  // A fuzzer whose every file is refused tests only the refusals.
  if (count >= 1000 && (fuzz.accepted < count / 100 || fuzz.refused < count / 100)) {
    std::fprintf(stderr,
                 "trace_fuzz: nearly all files fare the same: the damage is badly chosen\n");
    return 1;
  }
  return 0;
}
