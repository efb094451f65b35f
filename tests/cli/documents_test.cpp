// SPDX-License-Identifier: MIT
// The commands that the documents show are understood: every command and every option of theirs is
// in the program's own help, and questions to the atlas get an answer.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/process.hpp"
#include "tests/contents.hpp"

using namespace lanescope::test;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = LANESCOPE_SOURCE_DIR;

struct Shown {
  std::string where, command;  // "README.md", "layout --list"
};

/// Every `lanescope ...` and `./learn ...` of the documents, in code blocks and in code type.
std::vector<Shown> shown_commands() {
  std::vector<fs::path> documents{kSource / "README.md", kSource / "CONTRIBUTING.md"};
  for (const char* folder : {"docs", "lessons", "tests/golden"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      if (entry.path().extension() == ".md") documents.push_back(entry.path());
  const std::regex command(
      R"((?:^|[ `(])(?:lanescope|\./learn|build/bin/lanescope) ([^ `\n][^`\n]*))");
  std::vector<Shown> found;
  for (const fs::path& path : documents) {
    std::istringstream text(lanescope::tests::contents_of(path));
    bool block = false;
    for (std::string line; std::getline(text, line);) {
      if (line.rfind("```", 0) == 0) block = !block;
      const bool code = block || line.rfind("    ", 0) == 0 || line.find('`') != line.npos;
      if (!code) continue;
      for (std::sregex_iterator at(line.begin(), line.end(), command), end; at != end; ++at)
        found.push_back({path.lexically_relative(kSource).string(), (*at)[1].str()});
    }
  }
  return found;
}

bool has_option(const std::string& help, const std::string& option) {
  return std::regex_search(help, std::regex("(^|[ ,])" + option + "($|[ ,\n])"));
}

}  // namespace

TEST_CASE("every command and option that a document shows is there") {
  const std::string help = run_lanescope({"--help"}).out;
  std::map<std::string, std::string> help_of;
  int checked = 0, options = 0;
  for (const Shown& shown : shown_commands()) {
    const std::vector<std::string> words = shell_words(shown.command);
    if (words.empty() || !std::islower(static_cast<unsigned char>(words[0][0]))) continue;
    CAPTURE(shown.where);
    CAPTURE(shown.command);
    static const std::set<std::string> learns_own{"build", "test", "web"};  // of ./learn
    if (learns_own.count(words[0]) == 1) continue;
    if (!std::regex_search(help, std::regex("\n  " + words[0] + " "))) {
      // A sentence that goes on behind the program's name, or a command that is not there.
      const bool sentence = shown.command.find(" --") == std::string::npos &&
                            std::regex_match(words[0], std::regex("(and|is|can|says|named?)"));
      CHECK_MESSAGE(sentence, "no such command");
      continue;
    }
    ++checked;
    std::string& text = help_of[words[0]];
    if (text.empty()) text = run_lanescope({words[0], "--help"}).out;
    for (std::size_t at = 1; at < words.size() && words[at] != "--"; ++at) {
      if (words[at].rfind("--", 0) != 0) continue;
      const std::string option = words[at].substr(0, words[at].find_first_of("=,.:)"));
      CHECK_MESSAGE(has_option(text, option), option);
      ++options;
    }
  }
  CHECK(checked > 150);
  CHECK(options > 90);
}

TEST_CASE("questions to the atlas, as the documents ask them, get an answer") {
  const std::set<std::string> asking{"layout", "output", "swizzle", "descriptor"};
  int asked = 0;
  std::set<std::string> done;
  for (const Shown& shown : shown_commands()) {
    const std::vector<std::string> words = shell_words(shown.command);
    if (words.size() < 2 || asking.count(words[0]) == 0 || !done.insert(shown.command).second)
      continue;
    if (shown.command.find("...") != std::string::npos) continue;
    if (words.back().rfind("--", 0) == 0 && shown.where == "docs/hopper.md") continue;  // a name
    // I stands for an instruction (one with metadata, where these are asked for), other words in
    // capitals for other things.
    const bool sparse = shown.command.find("--selector") != std::string::npos;
    const char* instruction = sparse ? "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                                     : "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    std::vector<std::string> arguments;
    bool example = true;
    for (const std::string& word : words) {
      const bool capitals = std::regex_match(word, std::regex("[A-Z][A-Z-]+"));
      example = example && (!capitals || word == "MN");
      arguments.push_back(word == "I" ? instruction : word);
    }
    if (!example) continue;
    CAPTURE(shown.where);
    CAPTURE(shown.command);
    const Outcome outcome = run_lanescope(arguments);
    CHECK_MESSAGE(outcome.code == 0, outcome.err);
    CHECK(outcome.out.size() > 20);
    ++asked;
  }
  CHECK(asked > 25);
}
