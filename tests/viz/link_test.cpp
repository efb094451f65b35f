// SPDX-License-Identifier: MIT
// The command that the window copies, given to the window again, shows the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session.hpp"
#include "app/view_words.hpp"
#include "app/window.hpp"
#include "panels/look/shell_word.hpp"
#include "panels/panels.hpp"
#include "tests/build_folder.hpp"
#include "tests/viz/recorded.hpp"
#include "trace/writer.hpp"

namespace lanescope::viz {
namespace {

WindowOptions options_of(const std::string& command) {
  const std::string view = "lanescope view ";
  CHECK(command.rfind(view, 0) == 0);
  WindowOptions options;
  CHECK(read_view_words(command.substr(std::min(view.size(), command.size())), options) == "");
  return options;
}

/// What its command opens says of itself what this one says, and has the same command.
void comes_back(const Workspace& ws) {
  const std::string command = link_of(ws);
  CAPTURE(command);
  Workspace again;
  CHECK(begin_session(again, options_of(command)) == "");
  CHECK(selected_words(again) == selected_words(ws));
  CHECK(again.page == ws.page);
  CHECK(again.shows == ws.shows);
  CHECK(again.current == ws.current);
  CHECK(again.memory.current == ws.memory.current);
  if (ws.shows == Shows::memory) CHECK(again.memory.beside == ws.memory.beside);
  CHECK(link_of(again) == command);
}

}  // namespace

TEST_CASE("the command of what is shown shows it again: views of a trace") {
  const std::filesystem::path folder = tests::build_folder() / "tests/viz link";
  std::filesystem::create_directories(folder);
  const std::string path = folder / "it is here.lanes";
  const trace::Trace made = recorded::everything();
  trace::Writer writer(path, made.header);
  for (const trace::Event& event : made.events) REQUIRE(writer.add(event));
  REQUIRE(!writer.finish());
  Workspace ws;
  WindowOptions options;
  options.trace = path;
  REQUIRE(begin_session(ws, options) == "");
  comes_back(ws);
  for (const char* words : {"A 9,5", "lane 13", "lane 13 A.r1", "A.r1.hi"}) {
    show(ws, Shows::fragments);
    REQUIRE(search(ws, words));
    comes_back(ws);
  }
  REQUIRE(show(ws, Shows::memory));
  comes_back(ws);
  REQUIRE(search(ws, "9,5"));
  comes_back(ws);
  show_beside(ws, 1);
  comes_back(ws);
  REQUIRE(show(ws, Shows::steps));
  REQUIRE(search(ws, "warp 3"));
  REQUIRE(search(ws, "step 11"));
  comes_back(ws);
  REQUIRE(show(ws, Shows::pipeline));
  comes_back(ws);
  REQUIRE(search(ws, "copy 256"));
  comes_back(ws);
  CHECK(link_of(ws).find("--panel pipeline --select 'copy 256'") != std::string::npos);
}

TEST_CASE("the command of what is shown shows it again: the atlas's pages") {
  Workspace ws;
  open_atlas(ws, "m16n8 s4");
  comes_back(ws);
  for (const auto& [name, words] :
       {std::pair<const char*, const char*>{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                                            "B 2,1"},
        {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "lane 13"},
        {"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "D 41,9"}}) {
    CAPTURE(name);
    open_atlas(ws, name);
    REQUIRE(ws.page == Page::entry);
    comes_back(ws);
    REQUIRE(search(ws, words));
    comes_back(ws);
  }
  go_to(ws, Page::swizzle);
  comes_back(ws);
  REQUIRE(search(ws, "64B MN 16 64x16"));
  comes_back(ws);
  REQUIRE(search(ws, "3,5"));
  comes_back(ws);
  CHECK(link_of(ws) == "lanescope view --swizzle '64B MN 16 64x16' --select 3,5");
  REQUIRE(search(ws, "Sw<3,3,3> o 0 o (16,64):(64,1) bits=16 access=A mma.m16n8k16.f32.f16"));
  comes_back(ws);
  REQUIRE(search(ws, "3,5"));
  comes_back(ws);
  CHECK(link_of(ws) ==
        "lanescope view --swizzle 'Sw<3,3,3> o 0 o (16,64):(64,1) access=A mma.m16n8k16.f32.f16' "
        "--select 3,5");
  go_to(ws, Page::descriptor);
  REQUIRE(search(ws, "128B K 16 64x64 sbo=512"));
  comes_back(ws);
  REQUIRE(search(ws, "8,0"));
  comes_back(ws);
}

TEST_CASE("the words of an address: a lesson by its number or name, options, and what is wrong") {
  const std::string lessons = LANESCOPE_SOURCE_DIR "/lessons";
  const auto read = [&](std::string_view text, WindowOptions& options) {
    options.lessons_folder = lessons;
    return read_view_words(text, options);
  };
  WindowOptions options;
  REQUIRE(read("12 --panel pipeline --product 2,1 --tab source --light", options) == "");
  CHECK(options.trace == lessons + "/12_tma_mbarrier/recorded.lanes");
  CHECK(options.panel == "pipeline");
  CHECK(options.product == 2);
  CHECK(options.beside == 1);
  CHECK(options.tab == "source");
  CHECK(options.light);
  WindowOptions two;
  REQUIRE(read("ldmatrix 4", two) == "");
  CHECK(two.trace == lessons + "/03_ldmatrix/recorded.lanes");
  CHECK(two.other == lessons + "/04_banks_and_swizzle/recorded.lanes");
  WindowOptions maps;
  REQUIRE(read("--atlas m16n8k8 f16 --beside m16n8k16 f16 --select 'A 1,2'", maps) == "");
  CHECK(maps.page == "atlas");
  CHECK(maps.page_words == "m16n8k8 f16");
  CHECK(maps.page_beside == "m16n8k16 f16");
  CHECK(maps.selection == "A 1,2");
  CHECK(read("", maps) == "");
  WindowOptions behind;
  REQUIRE(read("--panel steps 3", behind) == "");
  CHECK(behind.panel == "steps");
  CHECK(behind.trace == lessons + "/03_ldmatrix/recorded.lanes");

  for (const auto& [text, says] : {std::pair{"99", "'99' is no lesson and no trace"},
                                   {"0", "'0' is no lesson"},
                                   {"a", "'a' is no lesson"},  // a letter of many
                                   {"no/such.lanes", "no trace that is here"},
                                   {"1 2 3", "'3': a third trace"},
                                   {"1 --speed", "'--speed' is not known here"},
                                   {"1 --select", "--select: what?"},
                                   {"1 --product", "--product: what?"},
                                   {"1 --product 0", "--product 0: a number"},
                                   {"1 --product 1,", "--product 1,: a number"},
                                   {"1 --product 99999999999", "a number"},
                                   {"1 --atlas m16n8", "either --atlas or a trace"}}) {
    CAPTURE(std::string(text));
    WindowOptions wrong;
    const std::string problem = read(text, wrong);
    CHECK_MESSAGE(problem.find(says) != std::string::npos, problem);
    CHECK(problem.find('\n') == std::string::npos);
  }
}

TEST_CASE("an address that was torn or mistyped is a line, or a view") {
  std::minstd_rand random(7);
  const auto below = [&random](std::size_t most) { return random() % most; };
  const std::array<std::string, 5> good{
      "12 --panel pipeline --select 'copy 64'", "--atlas m16n8k8 f16 --beside m16n8k16 f16", "3 4",
      "--swizzle '64B MN 16 64x16' --select 3,5", "ldmatrix --product 2,1 --tab source --light"};
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good[below(good.size())];
    for (std::size_t change = below(4) + 1; change > 0; --change) {
      const std::size_t at = below(text.size() + 1);
      const std::string& other = good[below(good.size())];
      if (below(3) == 0) text.resize(at);
      if (below(3) == 0) text.insert(at, 1, static_cast<char>(below(256)));
      if (below(3) == 0) text.insert(std::min(at, text.size()), other.substr(below(other.size())));
    }
    CAPTURE(text);
    WindowOptions options;
    options.lessons_folder = LANESCOPE_SOURCE_DIR "/lessons";
    const std::string problem = read_view_words(text, options);
    if (text.find('\n') == text.npos) CHECK(problem.find('\n') == std::string::npos);
    refused += problem.empty() ? 0 : 1;
  }
  CHECK(refused > 1000);
  CHECK(refused < 3000);
}

TEST_CASE("words that are quoted are read as they were") {
  for (const char* word : {"a", "A 9,5", "", "it's", "''", "\\", "a\\'b", "  ", "(16,64):(64,1)"})
    for (const char* other : {"x", "y z", "'"}) {
      CAPTURE(word);
      const std::vector<std::string> both = shell_words(shell_word(word) + " " + shell_word(other));
      REQUIRE(both.size() == 2);
      CHECK(both[0] == word);
      CHECK(both[1] == other);
    }
  CHECK(shell_words(" \t\n").empty());
  CHECK(shell_words("'a b").front() == "a b");
  CHECK(shell_words("a\\").front() == "a\\");
}

}  // namespace lanescope::viz
