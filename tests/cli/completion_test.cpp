// SPDX-License-Identifier: MIT
// What Tab offers, asked as the shell asks it, and once by a real bash.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/build_folder.hpp"
#include "tests/cli/process.hpp"
#include "tests/lines_of.hpp"

using namespace lanescope::test;
using lanescope::tests::lines_of;

namespace {

using Words = std::vector<std::string>;

Words offered(const std::string& line) {
  const Outcome outcome = run_lanescope({"completion", "--line", line});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  return lines_of(outcome.out);
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("Tab: commands, options, values, lessons") {
  CHECK(offered("lanescope lay") == Words{"layout"});
  CHECK(offered("./learn wa") == Words{"watch"});
  CHECK(has(offered("lanescope "), "descriptor"));
  CHECK(offered("lanescope help swi") == Words{"swizzle"});
  CHECK(offered("lanescope layout --ele") == Words{"--element"});
  CHECK_FALSE(has(offered("lanescope view --"), "--log-selection"));  // hidden
  CHECK(offered("lanescope view 1 --panel ") == Words{"fragments", "memory", "pipeline", "steps"});
  CHECK(offered("lanescope view 1 --panel st") == Words{"steps"});
  CHECK(offered("lanescope lesson 04") == Words{"04_banks_and_swizzle"});
  CHECK(has(offered("lanescope view "), "12_tma_mbarrier"));
  CHECK(offered("lanescope layout --lane ").empty());
  CHECK(offered("lanescope nonsense ").empty());
  CHECK(offered("lanescope").empty());
}

TEST_CASE("Tab behind the program of `run`: its own words, or the launcher's behind a PTX file") {
  CHECK(has(offered("lanescope run --"), "--steps"));
  CHECK(has(offered("lanescope run --seed 7 --"), "--steps"));
  CHECK(offered("lanescope run ./gemm --").empty());
  CHECK(offered("lanescope run --check -- ./gemm --").empty());
  const Words launcher{"--block", "--cluster", "--grid",   "--kernel",
                       "--like",  "--print",   "--shared", "--write"};
  CHECK(offered("lanescope run kernel.ptx --") == launcher);
  CHECK(offered("lanescope run --seed 7 -- kernel.ptx f32:4 --") == launcher);
  CHECK(offered("lanescope run kernel.ptx --gr") == Words{"--grid"});
  const Folder folder;
  folder.put("two.ptx", ".entry one() { ret; }\n.entry other() { ret; }\n");
  const std::string file = "lanescope run '" + folder.path() + "/two.ptx' --kernel ";
  CHECK(offered(file) == Words{"one", "other"});
  CHECK(offered(file + "ot") == Words{"other"});
  // A blank that the shell keeps in a word is none between two.
  CHECK(has(offered("lanescope run --trace 'a b.lanes' --"), "--steps"));
  CHECK(has(offered("lanescope run --trace a\\ b.lanes --"), "--steps"));
  CHECK(has(offered("lanescope run --trace \"a 'b\" --"), "--steps"));
  CHECK(offered("lanescope run /nonexistent/two.ptx --kernel ").empty());
}

TEST_CASE("Tab: instructions, up to their next dot") {
  CHECK(offered("lanescope layout mma") == Words{"mma."});
  CHECK(has(offered("lanescope layout mma."), "mma.sp::ordered_metadata."));
  CHECK(offered("lanescope layout mma.sync.aligned.m16n8k16.row.col.f32.f16") ==
        Words{"mma.sync.aligned.m16n8k16.row.col.f32.f16."});
  CHECK(offered("lanescope output mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.") ==
        Words{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"});
  CHECK(offered("lanescope view --atlas ldmatrix.sync.aligned.m8n8.x4.trans.shared.b1") ==
        Words{"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"});
  for (const char* begin : {"layout movmatrix --beside ", "view --atlas movmatrix --beside "})
    CHECK(offered(std::string("lanescope ") + begin + "movm") == Words{"movmatrix."});
}

TEST_CASE("the script may be asked for by its shell's name; there is bash's alone") {
  const Outcome named = run_lanescope({"completion", "bash"});
  CHECK(named.code == 0);
  CHECK(named.out == run_lanescope({"completion"}).out);
  CHECK(named.out.find("complete -") != std::string::npos);
  const Outcome other = run_lanescope({"completion", "zsh"});
  CHECK(other.code == 2);
  CHECK(other.out.empty());
  CHECK(other.err == "lanescope: completion: there is a script for bash alone, none for 'zsh'\n");
}

TEST_CASE("Tab, pressed in bash") {
  const Folder folder;
  // COMP_WORDS as bash makes them: a colon is a word of its own.
  folder.put("press", "eval \"$('" + (lanescope::tests::build_folder() / "bin/lanescope").string() +
                          "' completion)\"\n"
                          "press() {\n"
                          "  COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()\n"
                          "  _lanescope lanescope\n"
                          "  echo \"${COMPREPLY[*]}\"\n"
                          "}\n"
                          "press 'lanescope desc'\n"
                          "press 'lanescope layout mma.sp::ord'\n"
                          "complete -p lanescope\n");
  const std::string command = "bash '" + folder / "press" + "' >'" + folder / "said" + "' 2>&1";
  CHECK(std::system(command.c_str()) == 0);
  std::ifstream said(folder / "said");
  std::string line;
  std::getline(said, line);
  CHECK(line == "descriptor");
  std::getline(said, line);
  CHECK(line == "ordered_metadata.");
  std::getline(said, line);
  CHECK(line == "complete -o default -F _lanescope lanescope");
}
