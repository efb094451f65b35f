// SPDX-License-Identifier: MIT
#include "app/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lanescope::viz {

Settings settings_of(const Workspace& ws) { return {!ws.dark, ws.text_scale, ws.wider}; }

void apply(Workspace& ws, const Settings& s) {
  ws.dark = !s.light;
  ws.text_scale = s.text_scale;
  ws.wider = s.wider;
}

Settings read_settings(const std::string& path) {
  Settings s;
  if (path.empty()) return s;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string name;
    float number = 0;
    if (!(words >> name >> number)) continue;
    if (name == "light") s.light = number != 0;
    if (name == "text") s.text_scale = std::clamp(number, kLeastText, kMostText);
    if (name == "words") s.wider = std::clamp(number, -kMostWider, kMostWider);
  }
  return s;
}

void write_settings(const std::string& path, const Settings& s) {
  if (path.empty()) return;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  std::ofstream(path) << fmt::format("light {}\ntext {}\nwords {}\n", s.light ? 1 : 0, s.text_scale,
                                     s.wider);
}

}  // namespace lanescope::viz
