// SPDX-License-Identifier: MIT
#include "cli/page_file.hpp"

#include <cstdint>
#include <filesystem>

#include "cli/project.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlace = "<!-- traces -->";

std::string in_attribute(std::string_view text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '<':
        safe += "&lt;";
        break;
      default:
        safe += c;
    }
  return safe;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < count ? static_cast<unsigned char>(bytes[at + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string page_with(std::string_view empty, const std::vector<CarriedFile>& files,
                      std::string_view words) {
  const std::size_t place = empty.find(kPlace);
  if (place == empty.npos) return {};
  std::string page(empty.substr(0, place));
  page += "<script type=\"text/plain\" data-words=\"" + in_attribute(words) + "\"></script>\n";
  for (const CarriedFile& file : files)
    page += "<script type=\"text/plain\" data-file=\"" + in_attribute(file.name) + "\">" +
            base64(file.bytes) + "</script>\n";
  page += empty.substr(place);
  return page;
}

std::string empty_page() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  for (const fs::path& page :
       {fs::path(project_folder()) / "build-web" / "lanescope.html",
        program.parent_path().parent_path() / "share" / "lanescope" / "lanescope.html"})
    if (fs::is_regular_file(page, none)) return page.string();
  return {};
}

}  // namespace lanescope::cli
