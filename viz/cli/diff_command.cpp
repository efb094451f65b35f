// SPDX-License-Identifier: MIT
// The first difference of two traces. Exit code 1 when there is one, as diff(1) does.
#include <fmt/format.h>

#include <optional>

#include "cli/commands.hpp"
#include "cli/printable.hpp"
#include "cli/project.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "panels/compare/compare.hpp"
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
  print("{}: {} ({}, {}, {})\n", name, one_line(path), header.program, header.device, header.arch);
}

}  // namespace

int diff(const std::string& a_target, const std::string& b_target) {
  const FoundTrace a_found = find_numbered(a_target), b_found = find_numbered(b_target);
  for (const FoundTrace* found : {&a_found, &b_found})
    if (!found->problem.empty()) return refuse(found->problem);
  const std::string &a_path = a_found.path, &b_path = b_found.path;
  std::optional<trace::Trace> a = read(a_path);
  if (!a) return 2;
  std::optional<trace::Trace> b = read(b_path);
  if (!b) return 2;
  say_who("a", a_path, a->header);
  say_who("b", b_path, b->header);
  const viz::Comparison compared = viz::compare(std::move(*a), std::move(*b), a_path, b_path);
  if (compared.all.empty()) {
    print("the same, {}: {}\n", compared.moved > 0 ? "but for addresses" : "bit for bit",
          trace::what_is_compared(compared.traces[0], compared.traces[1]));
    if (const std::string words = compared.left_out(); !words.empty()) print("{}\n", words);
    return 0;
  }
  print("{}\n", compared.all.front().text);
  // Launches differ in words alone: what they left behind says more.
  if (const std::size_t k = compared.first_to_show(); k > 0)
    print("the first in what they left behind: {}\n", compared.all[k].text);
  if (compared.all.size() > 1)
    print("{}; lanescope view A B shows them side by side\n", compared.verdict());
  if (const std::string words = compared.left_out(); !words.empty()) print("{}\n", words);
  return 1;
}

}  // namespace lanescope::cli
