// SPDX-License-Identifier: MIT
// The command that the window copies, given to the window again, shows the same.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/session.hpp"
#include "app/window.hpp"
#include "panels/panels.hpp"
#include "tests/build_folder.hpp"
#include "tests/viz/recorded.hpp"
#include "trace/writer.hpp"

namespace lanescope::viz {
namespace {

// As a shell splits it: blanks, and single quotes around what is one word.
std::vector<std::string> words_in(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

WindowOptions options_of(const std::string& command) {
  const std::vector<std::string> words = words_in(command);
  REQUIRE(words.size() > 2);
  CHECK(words[0] == "lanescope");
  CHECK(words[1] == "view");
  WindowOptions o;
  for (std::size_t k = 2; k < words.size(); ++k) {
    if (words[k].rfind("--", 0) != 0) {
      (o.page.empty() ? o.trace : o.page_words) = words[k];
      continue;
    }
    const std::string option = words[k].substr(2);
    if (option == "atlas" || option == "swizzle" || option == "descriptor") {
      o.page = option;
      continue;
    }
    REQUIRE(k + 1 < words.size());
    const std::string& value = words[++k];
    if (option == "panel") o.panel = value;
    if (option == "select") o.selection = value;
    if (option == "product") {
      o.product = std::stoi(value);
      if (const std::size_t comma = value.find(','); comma != std::string::npos)
        o.beside = std::stoi(value.substr(comma + 1));
    }
  }
  return o;
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

}  // namespace lanescope::viz
