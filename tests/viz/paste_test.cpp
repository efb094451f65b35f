// SPDX-License-Identifier: MIT
// What a field gets of a clipboard.
#include "panels/look/paste.hpp"

#include <doctest/doctest.h>
#include <imgui.h>

#include <string>

namespace lanescope::viz {
namespace {

TEST_CASE("of a clipboard a field gets the first line that says anything") {
  CHECK(pasted("A 9,5") == "A 9,5");
  CHECK(pasted("A 9,5\nlane 13\n") == "A 9,5");
  CHECK(pasted("\r\n  \t\n  A 9,5 \r\nlane 13") == "A 9,5");
  CHECK(pasted("lane\t13") == "lane 13");
  CHECK(pasted("") == "");
  CHECK(pasted(" \n\t\n") == "");
}

TEST_CASE("of a long line it gets the beginning, whole characters of it") {
  CHECK(pasted(std::string(150'000, 'x')) == std::string(240, 'x'));
  std::string euros = "a";
  for (int times = 0; times < 100; ++times) euros += "\xe2\x82\xac";
  CHECK(pasted(euros) == euros.substr(0, 238));  // 1 + 79 * 3
  CHECK(pasted("b" + euros).size() == 239);
  CHECK(pasted(std::string(400, '\x80')).size() <= 240);  // no UTF-8 at all
}

TEST_CASE("whoever provides the clipboard, fields get that line of it") {
  ImGui::CreateContext();
  ImGui::SetClipboardText("\nA 9,5\nlane 13");
  CHECK(std::string(ImGui::GetClipboardText()) == "\nA 9,5\nlane 13");
  paste_one_line();
  paste_one_line();  // once is enough
  CHECK(std::string(ImGui::GetClipboardText()) == "A 9,5");
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace lanescope::viz
