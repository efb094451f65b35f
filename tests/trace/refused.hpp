// SPDX-License-Identifier: MIT
// What the tests of the reader share: a file of one good line and one that is to be refused, for
// the reason that is given, whole.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/trace/sample.hpp"
#include "trace/line.hpp"
#include "trace/reader.hpp"

namespace lanescope::trace {

inline const std::string kHeader =
    R"({"lanescope_trace":1,"producer":"gpu","device":"d","arch":"sm_80","program":"p"})";

inline ReadResult read_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return read_bytes(text);
}

// `text` with the first `from` replaced; the test is wrong when there is none.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from);
  return text.replace(at, from.size(), to);
}

// A file whose second line is fine and whose third is `line`: refused there, for that reason,
// whole.
inline void refuses(const std::string& line, const std::string& reason) {
  CAPTURE(line);
  CAPTURE(reason);
  const ReadResult result = read_lines({kHeader, to_line(Event{sample::access()}), line});
  REQUIRE_FALSE(result.ok());
  CHECK(result.error->line == 3);
  CHECK(result.error->reason.find(reason) != std::string::npos);
  CHECK_MESSAGE(result.trace.events.empty(), "nothing of a refused file is handed out");
  CAPTURE(result.error->reason);
  CHECK(result.error->reason.find('\n') == std::string::npos);
}

inline void refuses(const Event& event, const std::string& from, const std::string& to,
                    const std::string& reason) {
  const std::string line = to_line(event);
  REQUIRE(read_lines({kHeader, line}).ok());
  refuses(with(line, from, to), reason);
}

inline void refuses_file(const std::string& bytes, int line, const std::string& reason) {
  CAPTURE(reason);
  const ReadResult result = read_bytes(bytes);
  REQUIRE_FALSE(result.ok());
  CAPTURE(result.error->reason);
  CHECK(result.error->line == line);
  CHECK(result.error->reason.find(reason) != std::string::npos);
}

}  // namespace lanescope::trace
