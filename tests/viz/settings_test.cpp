// SPDX-License-Identifier: MIT
// What the window keeps for the next time, and what it makes of a file that is none of its own.
#include "app/settings.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <locale>
#include <string>

#include "tests/build_folder.hpp"

namespace lanescope::viz {
namespace {

std::string path_in(const char* folder) {
  const std::filesystem::path all = tests::build_folder() / "tests" / folder;
  std::filesystem::remove_all(all);
  return (all / "window.txt").string();
}

}  // namespace

TEST_CASE("the window looks as it did when it was closed") {
  const std::string path = path_in("viz settings");
  Workspace ws;
  CHECK(read_settings(path) == settings_of(ws));  // nothing is kept yet: as usual
  CHECK(read_settings("") == Settings{});
  ws.dark = false;
  change_text_size(ws, 1);
  ws.wider = -6;
  write_settings(path, settings_of(ws));  // its folder is made
  Workspace next;
  apply(next, read_settings(path));
  CHECK_FALSE(next.dark);
  CHECK(next.text_scale == ws.text_scale);
  CHECK(next.wider == -6);
  ws.dark = true;
  write_settings(path, settings_of(ws));
  CHECK_FALSE(read_settings(path).light);
}

TEST_CASE("settings that make no sense are as usual, those too large as large as can be") {
  const std::string path = path_in("viz settings wrong");
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  using std::string_literals::operator""s;
  for (const std::string& words :
       {""s, "light"s, "light x\ntext \nwords nan-\n"s, "\0\xff\n\n{}"s, "text nan"s}) {
    std::ofstream(path) << words;
    CHECK(read_settings(path) == Settings{});
  }
  std::ofstream(path) << "text 1e30\nother 3\nwords -1e9\nlight 1\n";
  CHECK(read_settings(path) == Settings{true, 3, -200});
  std::ofstream(path) << "text x\n\nwords 1e9\n";  // what is behind a senseless line counts
  CHECK(read_settings(path) == Settings{false, 1, 200});
  std::ofstream(path) << "text 0\n";
  CHECK(read_settings(path).text_scale == doctest::Approx(0.6));
  write_settings("/proc/nowhere/window.txt", Settings{});  // no crash, no word
}

TEST_CASE("where numbers are written with a comma the settings are read, too") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::string path = path_in("viz settings comma");
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  write_settings(path, Settings{false, 1.25f, -6.5f});
  const Settings read = read_settings(path);
  std::locale::global(before);
  CHECK(read == Settings{false, 1.25f, -6.5f});
}

}  // namespace lanescope::viz
