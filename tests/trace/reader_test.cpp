// SPDX-License-Identifier: MIT
// Which lines and files are refused, with which reason, and what is forgiven. What may be in an
// event: events_test.cpp.
#include "trace/reader.hpp"

#include "tests/trace/refused.hpp"

using namespace lanescope::trace;

TEST_CASE("a file of the first line alone is a trace without events") {
  const ReadResult result = read_lines({kHeader});
  REQUIRE(result.ok());
  CHECK(result.trace.header == Header{1, "gpu", "d", "sm_80", "p", ""});
  CHECK(result.trace.events.empty());
}

TEST_CASE("foreign files") {
  refuses_file("", 0, "is empty");
  refuses_file("\n", 0, "is no trace");
  refuses_file("hello\n", 0, "is no trace");
  refuses_file(std::string(1000, '\0'), 0, "is no trace");
  refuses_file("\xef\xbb\xbf" + kHeader + "\n", 0, "is no trace");
  refuses_file(" " + kHeader + "\n", 0, "is no trace");
  refuses_file("{}\n", 0, "is no trace");
  refuses_file(R"({"event":"view","title":"t"})"
               "\n",
               0, "is no trace");
  refuses_file("[1,2]\n", 0, "is no trace");
}

TEST_CASE("a file that cannot be read says what to do") {
  const std::string run = "; `lanescope run --trace F -- PROGRAM` writes one";
  const std::string mend = "; record it again, or mend the line by docs/trace_format.md";
  refuses_file("{}\n", 0, run);
  refuses_file(kHeader + "\nnot even JSON\n", 2, mend);
  refuses_file(kHeader + "\n{\"event\":\"view\"}\n", 2, "\"title\" is missing" + mend);
  refuses_file(with(kHeader, "\"gpu\"", "\"tpu\"") + "\n", 1, mend);
  const ReadResult newer = read_bytes(with(kHeader, "e\":1", "e\":2") + "\n");
  REQUIRE(newer.error.has_value());
  CHECK(newer.error->reason.find(mend) == std::string::npos);  // there is nothing to mend in it
}

TEST_CASE("the first line") {
  const auto first = [](const std::string& from, const std::string& to, const std::string& reason) {
    refuses_file(with(kHeader, from, to) + "\n", 1, reason);
  };
  first("e\":1", "e\":2", "of version 2, this Lanescope knows version 1: update Lanescope");
  first("e\":1", "e\":2000000000", "of version 2000000000");
  first("e\":1", "e\":99999999999", "\"lanescope_trace\" is not from 0 to");
  first("e\":1", "e\":0", "of version 0, which never was");
  first("e\":1", "e\":-1", "\"lanescope_trace\" is not from 0");
  first("e\":1", "e\":1.0", "\"lanescope_trace\" is a fraction, not a whole number");
  first("e\":1", "e\":\"1\"", "\"lanescope_trace\" is a string");
  first("\"gpu\"", "\"tpu\"", "\"producer\" is neither");
  first("\"gpu\"", "null", "\"producer\" is null");
  first("\"arch\":\"sm_80\",", "", "\"arch\" is missing");
  first("\"device\":\"d\",", "", "\"device\" is missing");
  first(",\"program\":\"p\"", "", "\"program\" is missing");
  first("\"d\"", "\"d", "no JSON");
}

TEST_CASE("a newer version is told before anything else that is strange about it") {
  refuses_file("{\"lanescope_trace\":7}\nnot even JSON\n", 1, "of version 7");
}

TEST_CASE("cut off files") {
  const std::string text = to_text(sample::trace());
  int line = 1;
  for (std::size_t size = 1; size < text.size(); ++size) {
    if (text[size - 1] == '\n') {
      ++line;
      continue;  // at the end of a line it is a shorter run
    }
    if (size < 18) continue;  // not even the magic
    const ReadResult result = read_bytes(std::string_view(text).substr(0, size));
    REQUIRE_FALSE(result.ok());
    REQUIRE(result.error->line == line);
    REQUIRE(result.error->reason.find("is cut off after") != std::string::npos);
  }
  CHECK(line == 1 + static_cast<int>(sample::trace().events.size()));
}

TEST_CASE("lines that are no event") {
  refuses("", "is empty");
  refuses("   ", "is empty");
  refuses("\r", "is empty");
  refuses("{", "no JSON");
  refuses("{}", "\"event\" is missing");
  refuses("[]", "the line is a list, not an object");
  refuses("17", "the line is a whole number, not an object");
  refuses("\"event\"", "the line is a string, not an object");
  refuses(R"({"event":17})", "\"event\" is a whole number, not a string");
  refuses(R"({"event":"view","title":"t"} x)", "no JSON");
  refuses(R"({"event":"view","title":"t"}{"event":"view","title":"t"})", "no JSON");
  refuses(R"({"event":"view","title":"t",})", "no JSON");
  refuses("{\"event\":\"view\",\"title\":\"\xff\"}", "no JSON");
  refuses(std::string("{\"event\":\"view\",\"title\":\"\0\"}", 28), "no JSON");
  refuses(std::string(5000, '['), "no JSON");
  refuses(kHeader, "\"event\" is missing");
}

TEST_CASE("a reason that quotes the file is one line and sends no control characters") {
  refuses("{\"event\":\"view\",\"a\\n\\u001b[31m\":1,\"a\\n\\u001b[31m\":2}",
          "\"a??[31m\" is there twice");
}

TEST_CASE("a line longer than 64 MiB") {
  std::string line = R"({"event":"view","title":")";
  line += std::string(Limits::kLineBytes, 'x') + "\"}";
  const ReadResult result = read_lines({kHeader, line});
  REQUIRE_FALSE(result.ok());
  CHECK(result.error->line == 2);
  CHECK(result.error->reason.find("64 MiB") != std::string::npos);
}

TEST_CASE("unknown keys do not matter, unknown events are counted and left out") {
  const ReadResult result = read_lines({with(kHeader, "}", ",\"weather\":{\"rain\":[1,2.5,null]}}"),
                                        R"({"event":"hologram","depth":3})",
                                        with(to_line(Event{sample::access()}), "}", ",\"x\":1}"),
                                        R"({"event":"hologram"})", R"({"event":""})"});
  REQUIRE(result.ok());
  CHECK(result.unknown_events == 3);
  REQUIRE(result.trace.events.size() == 1);
  CHECK(result.trace.events[0] == Event{sample::access()});
}

TEST_CASE("keys in any order, blanks between them, and CRLF are read") {
  const ReadResult result = read_lines(
      {kHeader + "\r",
       R"( { "shared_bytes" : 0 , "block":[1, 1,1], "kernel":"k","grid":[1,1,1],"launch":0,)"
       R"("event":"launch"} )"});
  REQUIRE(result.ok());
  CHECK(result.trace.events.at(0) == Event{Launch{0, "k", {1, 1, 1}, {1, 1, 1}, 0, {}}});
}

TEST_CASE("a message names the file and the line") {
  CHECK(ReadError{17, "\"warp\" is missing"}.message("t.lanes") ==
        "t.lanes:17: \"warp\" is missing");
  CHECK(ReadError{0, "is empty"}.message("t.lanes") == "t.lanes is empty");
}
