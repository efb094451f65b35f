// SPDX-License-Identifier: MIT
// Damages PTX (bytes, tokens, lines) and loads and launches what is left, with a limit on the
// instructions: whatever comes, no crash, no hang, no sanitizer report; an error has a text of one
// line, and memory is given back.
//
//     ptx_fuzz [COUNT] [SEED] [FILE.ptx ...]
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/machine.hpp"
#include "tests/emulator/snippet.hpp"

namespace {

using namespace lanescope::emulator;
using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void damage_byte(std::string& text, Random& random) {
  constexpr std::string_view kLikely = "0123456789%.,;[]{}()@!|:_-+<>\"/* \nrpfdbusx";
  const std::size_t at = below(random, text.size());
  switch (below(random, 3)) {
    case 0:
      text[at] = kLikely[below(random, kLikely.size())];
      break;
    case 1:
      text.erase(at, 1 + below(random, 4));
      break;
    default:
      text.insert(at, 1, static_cast<char>(random()));
      break;
  }
}

// A word of the text, or something that is often special, in another word's place.
void damage_token(std::string& text, Random& random) {
  constexpr const char* kWords[] = {"0",        "-1",           "0x7fffffff", "0xffffffffffffffff",
                                    "%r1",      "%rd1",         "%p1",        ".u64",
                                    ".b8",      ".f16x2",       ".shared",    ".local",
                                    ".v4",      ".trans",       "_",          "{%r1, %r2}",
                                    "[%rd0+4]", "%tid.x",       "bar.sync",   "exit",
                                    "ret",      "bra",          "ldmatrix",   "cp.async.wait_all",
                                    "words[2]", "words[%r1+1]", "triangle",   "vote.ballot.b32",
                                    "[2][2]",   "(%r1)",        "{{1}, {2}}", "call"};
  const auto word_at = [&](std::size_t& from, std::size_t& size) {
    from = below(random, text.size());
    from = text.find_first_not_of(" \t\n,;", from);
    if (from == std::string::npos) return false;
    const std::size_t end = text.find_first_of(" \t\n,;", from);
    size = (end == std::string::npos ? text.size() : end) - from;
    return true;
  };
  std::size_t from = 0, size = 0, other = 0, other_size = 0;
  if (!word_at(from, size) || !word_at(other, other_size)) return;
  const std::string with = below(random, 2) == 0 ? text.substr(other, other_size)
                                                 : kWords[below(random, std::size(kWords))];
  text.replace(from, size, with);
}

void damage_lines(std::string& text, Random& random) {
  std::vector<std::string> lines = split_lines(text);
  if (lines.empty()) return;
  const std::size_t a = below(random, lines.size());
  const std::size_t b = below(random, lines.size());
  switch (below(random, 3)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(a), std::string(lines[b]));
      break;
    default:
      std::swap(lines[a], lines[b]);
      break;
  }
  text.clear();
  for (const std::string& line : lines) text += line + "\n";
}

void launch_all(Machine& machine, ModuleId module, std::uint64_t memory) {
  for (const char* name : {"snippet", "registers_f16", "registers_bf16", "registers_e4m3", "chain",
                           "ragged_hgemm", "staged_hgemm", "k"}) {
    const Kernel* kernel = machine.find_kernel(module, name);
    if (kernel == nullptr) continue;
    std::vector<std::byte> parameters(4096);
    for (std::size_t at = 0; at + 8 <= 32; at += 8) std::memcpy(parameters.data() + at, &memory, 8);
    LaunchRequest request;
    request.kernel = kernel;
    request.grid = {2, 1, 1};
    request.block = {40, 1, 1};
    request.dynamic_shared_bytes = 1024;
    request.parameters = parameters;
    request.instruction_limit = 20'000;
    const LaunchReport report = machine.launch(request);
    if (report.error && report.error.message.empty()) std::abort();
    if (report.error.message.find('\n') != std::string::npos) std::abort();
  }
}

struct Totals {
  int refused = 0;
  int loaded = 0;
};

void try_text(const std::string& text, Totals& totals) {
  std::string arch = "sm_90a";
  for (const char* blackwell : {"sm_100", "sm_120"})  // .target sm_100 and sm_100a
    if (text.find(std::string(".target ") + blackwell) != std::string::npos)
      arch = std::string(blackwell) + "a";
  Machine machine({.arch = arch, .memory_bytes = 1 << 26});
  const auto memory = machine.allocate(1 << 16);
  auto module = machine.load(text, "fuzz");
  if (!module.ok()) {
    if (module.error.message.empty() || machine.allocated_bytes() != 1 << 16) {
      std::fputs(text.c_str(), stderr);
      std::abort();
    }
    // Of some a kernel is asked for that is wrong: what refuses the module may refuse it alone.
    if (++totals.refused % 4 != 0) return;
    module = machine.load(text, "fuzz", {}, Reading::when_asked);
    if (module.ok()) launch_all(machine, module.value, memory.value);
    return;
  }
  ++totals.loaded;
  launch_all(machine, module.value, memory.value);
}

std::vector<std::string> seeds(int argc, char** argv) {
  std::vector<std::string> all;
  for (const auto& group : test::all_snippets())
    for (const test::Snippet& snippet : group)
      all.push_back(test::module_of(snippet.body, snippet.arch));
  for (int k = 3; k < argc; ++k) {
    std::ifstream in(argv[k]);
    std::stringstream text;
    text << in.rdbuf();
    if (!text.str().empty()) all.push_back(text.str());
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2000;
  const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  const std::vector<std::string> all = seeds(argc, argv);
  Random random(seed);
  Totals totals;
  for (int k = 0; k < count; ++k) {
    std::string text = all[below(random, all.size())];
    for (std::size_t times = below(random, 4) == 0 ? 3 : 1; times > 0 && !text.empty(); --times) {
      switch (below(random, 3)) {
        case 0:
          damage_byte(text, random);
          break;
        case 1:
          damage_token(text, random);
          break;
        default:
          damage_lines(text, random);
          break;
      }
    }
    try_text(text, totals);
  }
  fmt::print("ptx_fuzz: {} texts from {} seeds (seed {}): {} refused, {} loaded and run\n", count,
             all.size(), seed, totals.refused, totals.loaded);
  return totals.loaded > 0 && totals.refused > 0 ? 0 : 1;
}
