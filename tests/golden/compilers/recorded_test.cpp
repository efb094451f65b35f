// SPDX-License-Identifier: MIT
// Kernels that Triton made (cases.py), and other compilers (others.py), as an H200 ran them: the
// emulator's results against the card's, and what the checker and diagnose say of them. Those for
// newer cards have no witness but their twins.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"
#include "tests/sample.hpp"

using namespace lanescope;

namespace {

// "NAME": the other words of its line.
std::multimap<std::string, std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path);
  std::multimap<std::string, std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (const std::size_t blank = line.find(' '); line.rfind('#', 0) != 0)
      lines.emplace(line.substr(0, blank), line.substr(blank + 1));
  return lines;
}

const std::string kTriton = "kernels", kOthers = "others";  // folders
std::string kernels(const std::string& of = kTriton) {
  return tests::build_folder() / "tests/golden/compilers" / of;
}
std::multimap<std::string, std::string> launches(const std::string& of = kTriton) {
  return lines_of(kernels(of) + "/launches.txt");
}
std::multimap<std::string, std::string> of_card(const std::string& answers = "h200.txt") {
  return lines_of(std::string(LANESCOPE_ANSWERS) + "/" + answers);
}

std::string text_of(const std::string& name) {
  std::ifstream file(kernels() + "/" + name + ".ptx");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

tests::Finished launch(const std::string& name, const std::string& words,
                       const std::vector<std::string>& options = {},
                       const std::string& of = kTriton) {
  std::vector<std::string> arguments;
  std::istringstream in(words);
  for (std::string word; in >> word;) arguments.push_back(word);
  return tests::emulate(kernels(of) + "/" + name + ".ptx", options, arguments);
}

// What a kernel changed: the launcher's lines without the numbers that they end with, and without
// scratch memory, b8, where addresses lie.
std::set<std::string> changes(const std::string& out) {
  std::set<std::string> all;
  std::istringstream in(out);
  for (std::string line; std::getline(in, line);)
    if (line.find(": changed") != line.npos && line.find(", b8:") == line.npos)
      all.insert(line.substr(0, line.find(", begins")));
  return all;
}

std::set<std::string> said(const std::multimap<std::string, std::string>& lines,
                           const std::string& name) {
  std::set<std::string> all;
  const auto [begin, end] = lines.equal_range(name);
  for (auto at = begin; at != end; ++at) all.insert(at->second);
  return all;
}

bool ends_with(const std::string& name, const char* end) { return name.ends_with(end); }
bool is_for_blackwell(const std::string& name) {
  return ends_with(name, "_sm100") || ends_with(name, "_sm120");
}

// Wrong on the card, more often than not (docs/experiments/mbarrier_reuse.md).
const std::string kWrongThere = "attention_tma_roles_sm90";

// The kinds of report that the checker has of a kernel.
std::set<std::string> kinds(const std::string& err) {
  constexpr std::string_view kReport = "lanescope: check: ";
  std::set<std::string> all;
  std::istringstream in(err);
  for (std::string line; std::getline(in, line);)
    if (line.rfind(kReport, 0) == 0)
      all.insert(line.substr(kReport.size(), line.find(": ", kReport.size()) - kReport.size()));
  return all;
}

// Of "160 operands compared, by where their elements came from; all are right" the number.
int compared(const std::string& out) {
  const std::size_t at = out.find(" compared, by where their elements came from; all are right");
  const std::size_t begin = out.rfind('\n', at) + 1;
  return at == out.npos ? -1 : std::atoi(out.c_str() + begin);
}

}  // namespace

TEST_CASE("kernels of Triton give an H200's bits" * doctest::test_suite("twice")) {
  const auto card = of_card();
  int compared = 0;
  for (const auto& [name, words] : launches()) {
    if (is_for_blackwell(name) || name == kWrongThere) continue;
    const tests::Finished ran = launch(name, words);
    CHECK_MESSAGE(ran.exit_code == 0, name, ": ", ran.err);
    CHECK_MESSAGE(changes(ran.out) == said(card, name), name, ": ", ran.out);
    CHECK_MESSAGE(!said(card, name).empty(), name);
    ++compared;
  }
  CHECK(compared > 140);
}

TEST_CASE("kernels of XLA, Inductor and Numba give an H200's bits" * doctest::test_suite("twice")) {
  const auto card = of_card("others_h200.txt");
  int compared = 0;
  for (const auto& [name, words] : launches(kOthers)) {
    const tests::Finished ran = launch(name, words, {}, kOthers);
    CHECK_MESSAGE(ran.exit_code == 0, name, ": ", ran.err);
    CHECK_MESSAGE(changes(ran.out) == said(card, name), name, ": ", ran.out);
    CHECK_MESSAGE(!said(card, name).empty(), name);
    ++compared;
  }
  CHECK(compared == 48);
}

TEST_CASE("kernels of Triton for Blackwell run, and round as their twins where both cards do") {
  const auto card = of_card();
  const int each = tests::one_in(3);
  int same = 0, seen = 0;
  for (const auto& [name, words] : launches()) {
    if (!is_for_blackwell(name) || seen++ % each != 0) continue;
    const tests::Finished ran = launch(name, words);
    CHECK_MESSAGE(ran.exit_code == 0, name, ": ", ran.err);
    const std::set<std::string> twin = said(card, name.substr(0, name.rfind('_')) + "_sm90");
    REQUIRE_MESSAGE(!twin.empty(), name);
    // fp8 keeps more bits there; what is behind an exponential function is made otherwise.
    const bool rounds_otherwise =
        name.find("e4m3") != name.npos || name.find("e5m2") != name.npos ||
        name.find("scaled") != name.npos || name.rfind("attention", 0) == 0;
    if (rounds_otherwise) continue;
    CHECK_MESSAGE(changes(ran.out) == twin, name, ": ", ran.out);
    ++same;
  }
  CHECK(same > 25 / each);
}

// What they multiply is followed from global memory and back there, whatever is in between:
// cp.async or TMA, ldmatrix or descriptors, tensor memory, registers that lanes give each other.
TEST_CASE("diagnose finds no mistake in Triton's kernels, and most of them right") {
  const std::map<std::string, int> operands{
      // that are right
      {"matmul_small_sm80", 18},     {"matmul_f16_sm80", 160},       {"matmul_f16_sm90", 3},
      {"matmul_f16_f16_sm90", 9},    {"matmul_f16_sm100", 3},        {"matmul_e4m3_sm89", 160},
      {"matmul_e4m3_sm100", 3},      {"matmul_two_ctas_sm90", 6},    {"tma_f16_sm90", 18},
      {"tma_f16_sm100", 9},          {"tma_f16_sm120", 384},         {"tma_ragged_sm100", 11},
      {"gluon_f16_sm90", 11},        {"gluon_n64_w4_regs_sm90", 6},  {"attention_f16_64_sm80", 160},
      {"attention_f16_64_sm90", 13}, {"attention_f16_64_sm100", 10}, {"chained_sm100", 2},
      {"quantized_sm80", 32}};
  const auto all = launches();
  int seen = 0;
  for (const auto& [name, count] : operands) {
    if (seen++ % tests::one_in(5) != 0) continue;
    REQUIRE_MESSAGE(all.count(name) == 1, name);
    const std::string trace = kernels() + "/" + name + ".lanes";
    const tests::Finished ran =
        launch(name, all.find(name)->second, {"--steps", "all", "--trace", trace});
    REQUIRE_MESSAGE(ran.exit_code == 0, name, ": ", ran.err);
    const tests::Finished found =
        tests::run_process({tests::build_folder() / "bin/lanescope", "diagnose", trace});
    CHECK_MESSAGE(found.exit_code == 0, name, ": ", found.out);
    CHECK_MESSAGE(compared(found.out) == count, name, ": ", found.out);
  }
}

// A trace may have one warp of several, or begin in the middle of a loop: what other warps, or
// earlier steps, left in shared memory is not known then.
TEST_CASE("diagnose accuses none of Triton's kernels, whichever of its steps are recorded") {
  const auto all = launches();
  int seen = 0;
  for (const auto& [name, steps] : {std::pair{"attention_bf16_128_causal_sm80", "launch=0"},
                                    {"attention_bf16_128_causal_sm80", "warp=0"},
                                    {"attention_bf16_128_causal_sm80", "from=60"},
                                    {"attention_f16_64_sm80", "warp=0"},
                                    {"attention_f16_64_sm80", "from=200"},
                                    {"chained_bf16_sm80", "from=60"}}) {
    if (seen++ % tests::one_in(3) != 0) continue;
    REQUIRE_MESSAGE(all.count(name) == 1, name);
    const std::string trace = kernels() + "/" + name + ".part.lanes";
    launch(name, all.find(name)->second, {"--steps", steps, "--trace", trace});
    const tests::Finished found =
        tests::run_process({tests::build_folder() / "bin/lanescope", "diagnose", trace});
    CHECK_MESSAGE(found.exit_code != 1, name, ", ", steps, ": ", found.out);
    CHECK_MESSAGE(found.out.size() > 0, name, ", ", steps);
  }
}

// By selp and shfl, by st.shared and ldmatrix, by tcgen05.ld and both.
TEST_CASE("the way of D in Triton's kernels ends where it is stored") {
  const std::map<std::string, std::string> products{
      {"matmul_f16_sm80", "457"}, {"matmul_f16_sm90", "1"}, {"matmul_f16_sm100", "1"}};
  const auto all = launches();
  for (const auto& [name, product] : products) {
    const std::string trace = kernels() + "/" + name + ".way.lanes";
    launch(name, all.find(name)->second, {"--steps", "all", "--trace", trace});
    const tests::Finished seen =
        tests::run_process({tests::build_folder() / "bin/lanescope", "view", "--text", trace,
                            "--product", product, "--select", "D 9,1"});
    // D has rows of 256 f16: row 9, column 1.
    CHECK_MESSAGE(seen.out.find("st.global: lane 8 writes it to global memory, byte 4610 behind "
                                "parameter 2\n") != std::string::npos,
                  name, ": ", seen.out);
  }
}

TEST_CASE("what the checker says of Triton's kernels" * doctest::test_suite("twice")) {
  // By the ISA's word: cp.async and then wgmma, tensormap.cp_fenceproxy behind one lane's
  // replacements, f16 sums taken apart before the wait.
  const std::set<std::string> everywhere{"missing-proxy-fence", "race-read-after-write",
                                         "accumulator-in-flight"};
  int clean = 0;
  for (const auto& [name, words] : launches()) {
    std::set<std::string> found = kinds(launch(name, words, {"--check"}).err);
    if (found.empty()) ++clean;
    if (ends_with(name, "_sm80")) CHECK_MESSAGE(found.empty(), name);
    // Of sm_90 mbarriers begun and never ended; of sm_100 ended with a commit on its way.
    const bool has_roles = name.find("roles") != name.npos && name.find("gluon") == name.npos;
    CHECK_MESSAGE((found.erase("mbarrier") == 1) == has_roles, name);
    // Between the wait for a commit and tcgen05.ld.
    const bool multiplies = text_of(name).find("tcgen05.mma") != std::string::npos;
    CHECK_MESSAGE((found.erase("missing-tensor-fence") == 1) == multiplies, name);
    // Of the bytes that tensormap.cp_fenceproxy took from shared memory.
    CHECK_MESSAGE((found.erase("late-read") == 1) == (has_roles && ends_with(name, "_sm100")),
                  name);
    for (const std::string& kind : found)
      CHECK_MESSAGE(everywhere.count(kind) == 1, name, ": ", kind);
  }
  CHECK(clean > 100);
}
