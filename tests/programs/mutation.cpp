// SPDX-License-Identifier: MIT
#include "tests/programs/mutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

namespace lanescope::tests {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Rule {
  const char* name;
  const char* word;     // a line without it need not be matched: that takes a hundred times as long
  const char* pattern;  // group 1: a guard, kept or dropped; others as the replacement needs
  const char* replacement;
};

// A guard (@%p1) goes with what is deleted. $1 ... are the groups of the pattern.
#define GUARD R"((@!?%?\w+\s+)?)"
const Rule kRules[] = {
    {"delete bar.sync", ".sync", GUARD R"(\b(bar\.sync|barrier\.sync(\.aligned)?)\s[^;]*;)", ""},
    {"delete bar.arrive", ".arrive", GUARD R"(\b(bar\.arrive|barrier\.arrive(\.aligned)?)\s[^;]*;)",
     ""},
    {"delete bar.warp.sync", "bar.warp.sync", GUARD R"(\bbar\.warp\.sync\s[^;]*;)", ""},
    {"delete cp.async.wait", "cp.async.wait_", GUARD R"(\bcp\.async\.wait_(group\s[^;]*|all\s*);)",
     ""},
    {"weaken cp.async.wait_group", "cp.async.wait_group", R"(\bcp\.async\.wait_group\s+0\s*;)",
     "cp.async.wait_group 1;"},
    {"weaken cp.async.wait_group", "cp.async.wait_group", R"(\bcp\.async\.wait_group\s+1\s*;)",
     "cp.async.wait_group 2;"},
    {"weaken cp.async.wait_group", "cp.async.wait_group", R"(\bcp\.async\.wait_group\s+2\s*;)",
     "cp.async.wait_group 3;"},
    {"delete cp.async.commit_group", "cp.async.commit_group",
     GUARD R"(\bcp\.async\.commit_group\s*;)", ""},
    {"delete cp.async.mbarrier.arrive", "cp.async.mbarrier.arrive",
     GUARD R"(\bcp\.async\.mbarrier\.arrive[^;]*;)", ""},
    {"never wait at an mbarrier", "_wait",
     R"(\bmbarrier\.(try|test)_wait[.\w:]*\s+(%?\w+)\s*,[^;]*;)", "setp.eq.u32 $2, 0, 0;"},
    {"wait for the other parity", "_wait.parity",
     R"((\bmbarrier\.(try|test)_wait\.parity[.\w:]*\s+%?\w+\s*,\s*\[[^\]]*\]\s*,\s*)(%\w+)([^;]*);)",
     "{ .reg .b32 other_parity; xor.b32 other_parity, $3, 1; $1 other_parity$4; }"},
    {"delete mbarrier.arrive", "mbarrier.arrive", GUARD R"(\bmbarrier\.arrive[^;]*;)", ""},
    {"delete mbarrier.expect_tx", "mbarrier.expect_tx", GUARD R"(\bmbarrier\.expect_tx[^;]*;)", ""},
    {"delete mbarrier.init", "mbarrier.init", GUARD R"(\bmbarrier\.init[^;]*;)", ""},
    {"one more in mbarrier.init", "mbarrier.init", R"((\bmbarrier\.init[^;,]*,\s*)([\w%]+)\s*;)",
     "{ .reg .b32 one_more; add.u32 one_more, $2, 1; $1 one_more; }"},
    {"delete fence.proxy.async", "fence.proxy.async", GUARD R"(\bfence\.proxy\.async[^;]*;)", ""},
    {"delete fence.proxy.tensormap", "fence.proxy.tensormap",
     GUARD R"(\bfence\.proxy\.tensormap[^;]*;)", ""},
    {"delete fence.mbarrier_init", "fence.mbarrier_init", GUARD R"(\bfence\.mbarrier_init[^;]*;)",
     ""},
    {"delete wgmma.fence", "wgmma.fence", GUARD R"(\bwgmma\.fence[^;]*;)", ""},
    {"delete wgmma.commit_group", "wgmma.commit_group", GUARD R"(\bwgmma\.commit_group[^;]*;)", ""},
    {"delete wgmma.wait_group", "wgmma.wait_group", GUARD R"(\bwgmma\.wait_group[^;]*;)", ""},
    {"weaken wgmma.wait_group", "wgmma.wait_group", R"((\bwgmma\.wait_group[.\w]*\s+)0\s*;)",
     "$1 1;"},
    {"weaken wgmma.wait_group", "wgmma.wait_group", R"((\bwgmma\.wait_group[.\w]*\s+)1\s*;)",
     "$1 2;"},
    {"delete cp.async.bulk.commit_group", "cp.async.bulk.commit_group",
     GUARD R"(\bcp\.async\.bulk\.commit_group[^;]*;)", ""},
    {"delete cp.async.bulk.wait_group", "cp.async.bulk.wait_group",
     GUARD R"(\bcp\.async\.bulk\.wait_group[^;]*;)", ""},
    {"weaken cp.async.bulk.wait_group", "cp.async.bulk.wait_group",
     R"((\bcp\.async\.bulk\.wait_group[.\w]*\s+)0\s*;)", "$1 1;"},
    {"delete tcgen05.wait::ld", "tcgen05.wait::ld", GUARD R"(\btcgen05\.wait::ld[^;]*;)", ""},
    {"delete tcgen05.wait::st", "tcgen05.wait::st", GUARD R"(\btcgen05\.wait::st[^;]*;)", ""},
    {"delete tcgen05.fence::after_thread_sync", "tcgen05.fence::after",
     GUARD R"(\btcgen05\.fence::after[^;]*;)", ""},
    {"delete tcgen05.commit", "tcgen05.commit", GUARD R"(\btcgen05\.commit[^;]*;)", ""},
    {"delete tcgen05.dealloc", "tcgen05.dealloc", GUARD R"(\btcgen05\.dealloc[^;]*;)", ""},
    {"delete barrier.cluster.arrive", "barrier.cluster.arrive",
     GUARD R"(\bbarrier\.cluster\.arrive[^;]*;)", ""},
    {"delete barrier.cluster.wait", "barrier.cluster.wait",
     GUARD R"(\bbarrier\.cluster\.wait[^;]*;)", ""},
    {"delete griddepcontrol", "griddepcontrol.", GUARD R"(\bgriddepcontrol\.[^;]*;)", ""},
    {"delete membar", "membar.", GUARD R"(\bmembar\.\w+\s*;)", ""},
    {"delete membar", "fence.acq_rel", GUARD R"(\bfence\.acq_rel[.\w]*\s*;)", ""},
    {"delete membar", "fence.sc", GUARD R"(\bfence\.sc[.\w]*\s*;)", ""},
};

bool is_code(const std::string& line) {
  static const char* const kWords[] = {"bar", "wait", "fence", "commit", "griddep", "dealloc"};
  if (std::none_of(std::begin(kWords), std::end(kWords),
                   [&](const char* word) { return line.find(word) != std::string::npos; }))
    return false;  // the patterns need not look
  const std::size_t at = line.find_first_not_of(" \t");
  return at != std::string::npos && line.compare(at, 2, "//") != 0 && line[at] != '.';
}

std::vector<Loop> loops_of(const Lines& lines) {
  static const std::regex label(R"(^\s*(\$?[\w$]+):)");
  static const std::regex branch(R"(\bbra(\.uni)?\s+(\$?[\w$]+)\s*;)");
  std::map<std::string, int> labels;
  std::vector<Loop> loops;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::smatch match;
    const int line = static_cast<int>(k) + 1;
    const auto holds = [&](const char* text) { return lines[k].find(text) != std::string::npos; };
    if (holds(".entry")) labels.clear();
    if (holds(":") && std::regex_search(lines[k], match, label)) labels[match[1]] = line;
    if (holds("bra") && std::regex_search(lines[k], match, branch) && labels.count(match[2]) != 0)
      loops.push_back({labels[match[2]], line});
  }
  return loops;
}

std::map<std::string, std::string> files_of(const Lines& lines) {
  static const std::regex file(R"re(^\s*\.file\s+(\d+)\s+"([^"]*)")re");
  std::map<std::string, std::string> files;
  for (const std::string& line : lines)
    if (std::smatch named;
        line.find(".file") != std::string::npos && std::regex_search(line, named, file))
      files[named[1]] = named[2];
  return files;
}

// Kernels that are not launched cannot show anything.
void blank_others(Lines& lines, const std::set<std::string>& launched) {
  static const std::regex entry(R"(\.entry\s+([\w$]+))");
  bool is_launched = true;
  for (std::string& line : lines) {
    std::smatch match;
    if (line.find(".func") != std::string::npos) is_launched = true;
    if (line.find(".entry") != std::string::npos && std::regex_search(line, match, entry))
      is_launched = launched.count(match[1]) != 0;
    if (!is_launched) line.clear();
  }
}

}  // namespace

Ptx::Ptx(const std::string& text)
    : lines(lines_of(text)), loops(loops_of(lines)), files(files_of(lines)) {}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  const std::size_t last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<Mutant> mutants_of(const Ptx& ptx, const std::set<std::string>& launched) {
  Lines lines = ptx.lines;
  blank_others(lines, launched);
  std::vector<std::size_t> code;
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (is_code(lines[k])) code.push_back(k);
  std::vector<Mutant> mutants;
  for (const Rule& rule : kRules) {
    const std::regex pattern(rule.pattern);
    for (const std::size_t k : code) {
      if (lines[k].find(rule.word) == std::string::npos) continue;
      const auto begin = std::sregex_iterator(lines[k].begin(), lines[k].end(), pattern);
      for (auto at = begin; at != std::sregex_iterator(); ++at) {
        const std::string before = at->prefix().str();
        if (!before.empty() && before.back() == '.') continue;  // cp.async.mbarrier.arrive
        Mutant made;
        made.operation = rule.name;
        made.ptx_line = static_cast<int>(k) + 1;
        made.statement = trimmed(at->str());
        made.changed = at->prefix().str() + at->format(rule.replacement) + at->suffix().str();
        mutants.push_back(std::move(made));
      }
    }
  }
  return mutants;
}

std::string apply(const Ptx& ptx, const Mutant& mutant) {
  std::string text;
  int number = 0;
  for (const std::string& line : ptx.lines) {
    text += ++number == mutant.ptx_line ? mutant.changed : line;
    text += '\n';
  }
  return text;
}

bool lies_between(const Ptx& ptx, int changed, int first, int second) {
  if (first > second) std::swap(first, second);
  if (first <= changed && changed <= second) return true;
  for (const Loop& loop : ptx.loops) {
    const auto holds = [&](int line) { return loop.first <= line && line <= loop.last; };
    if (holds(changed) && (holds(first) || holds(second))) return true;
  }
  return false;
}

SourcePlace source_of(const Ptx& ptx, int line) {
  static const std::regex loc(R"(^\s*\.loc\s+(\d+)\s+(\d+)\s+\d+(.*inlined_at\s+(\d+)\s+(\d+))?)");
  for (int k = line - 1; k >= 0; --k) {
    const std::string& text = ptx.lines[static_cast<std::size_t>(k)];
    std::smatch match;
    if (text.find(".entry") != std::string::npos) return {};
    if (text.find(".loc") == std::string::npos || !std::regex_search(text, match, loc)) continue;
    const bool inlined = match[3].matched;
    const auto file = ptx.files.find(match[inlined ? 4 : 1]);
    return {file == ptx.files.end() ? "" : file->second, std::stoi(match[inlined ? 5 : 2])};
  }
  return {};
}

}  // namespace lanescope::tests
