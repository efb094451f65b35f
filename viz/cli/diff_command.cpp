// SPDX-License-Identifier: MIT
// The first difference of two traces. Exit code 1 when there is one, as diff(1) does.
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "cli/commands.hpp"
#include "cli/printable.hpp"
#include "cli/suggest.hpp"
#include "trace/diff.hpp"
#include "trace/reader.hpp"

namespace lanescope::cli {
namespace {

std::optional<trace::Trace> read(const std::string& path) {
  trace::ReadResult result = trace::read_file(path);
  if (result.ok()) {
    make_printable(result.trace);
    return std::move(result.trace);
  }
  refuse(result.error->message(path));
  return std::nullopt;
}

void say_who(const char* name, const std::string& path, const trace::Header& header) {
  fmt::print("{}: {} ({}, {}, {})\n", name, path, header.program, header.device, header.arch);
}

}  // namespace

int diff(const std::string& a_path, const std::string& b_path) {
  const std::optional<trace::Trace> a = read(a_path);
  if (!a) return 2;
  const std::optional<trace::Trace> b = read(b_path);
  if (!b) return 2;
  say_who("a", a_path, a->header);
  say_who("b", b_path, b->header);
  const std::optional<trace::Difference> difference = trace::first_difference(*a, *b);
  if (difference) {
    fmt::print("{}\n", difference->text);
    return 1;
  }
  fmt::print("the same, bit for bit: {}\n", trace::what_is_compared(*a));
  return 0;
}

}  // namespace lanescope::cli
