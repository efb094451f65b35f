// SPDX-License-Identifier: MIT
#include "panels/look/paste.hpp"

#include <imgui.h>

namespace lanescope::viz {
namespace {

constexpr std::size_t kMost = 240;  // bytes

// Dear ImGui keeps a pointer to what a provider gave until it asks again: so does this.
template <class Of>
struct Provider {
  using Get = const char* (*)(Of);
  static inline Get given = nullptr;
  static const char* get(Of of) {
    static std::string kept;
    const char* all = given(of);
    if (all == nullptr) return nullptr;
    kept = pasted(all);
    return kept.c_str();
  }
  static void take_over(Get& provider) {
    if (provider == nullptr || provider == get) return;
    given = provider;
    provider = get;
  }
};

}  // namespace

std::string pasted(std::string_view clipboard) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = clipboard.find_first_not_of(kBlank);
  if (begin == clipboard.npos) return {};
  std::string line(clipboard.substr(begin, clipboard.find_first_of("\r\n", begin) - begin));
  if (line.size() > kMost) {
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0u) == 0x80u) --end;
    line.resize(end);
  }
  for (char& c : line)
    if (c == '\t') c = ' ';
  line.resize(line.find_last_not_of(kBlank) + 1);
  return line;
}

void paste_one_line() {
#if IMGUI_VERSION_NUM >= 19110
  Provider<ImGuiContext*>::take_over(ImGui::GetPlatformIO().Platform_GetClipboardTextFn);
#else
  Provider<void*>::take_over(ImGui::GetIO().GetClipboardTextFn);
#endif
}

}  // namespace lanescope::viz
