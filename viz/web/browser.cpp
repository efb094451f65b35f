// SPDX-License-Identifier: MIT
#include "web/browser.hpp"

#include <emscripten/emscripten.h>

EM_JS(void, lanescope_title, (const char* title), { document.title = UTF8ToString(title); });
EM_JS(void, lanescope_address, (const char* words),
      { Module.lanescope.address(UTF8ToString(words)); });
EM_JS(void, lanescope_colours, (int dark), { Module.lanescope.colours(dark != 0); });
EM_JS(void, lanescope_clipboard, (const char* text),
      { Module.lanescope.copy(UTF8ToString(text)); });
EM_JS(int, lanescope_typing, (), { return Module.lanescope.typing() ? 1 : 0; });
EM_JS(double, lanescope_left, (), { return canvas.getBoundingClientRect().left; });
EM_JS(void, lanescope_save_canvas, (const char* name),
      { Module.lanescope.saveCanvas(UTF8ToString(name)); });
EM_JS(void, lanescope_save_text, (const char* name, const char* text),
      { Module.lanescope.saveText(UTF8ToString(name), UTF8ToString(text)); });
EM_JS(void, lanescope_keep, (const char* path), { Module.lanescope.keep(UTF8ToString(path)); });
EM_JS(void, lanescope_fetch, (const char* path), { Module.lanescope.fetch(UTF8ToString(path)); });
EM_JS(void, lanescope_diagnosis, (const char* wrong, int right),
      { Module.lanescope.diagnosis(UTF8ToString(wrong), right); });
EM_JS(void, lanescope_bench, (const char* words),
      { Module.lanescope.bench.open(UTF8ToString(words)); });
EM_JS(void, lanescope_line, (int line), { Module.lanescope.line(line); });
EM_JS(void, lanescope_started, (const char* problem),
      { Module.lanescope.started(UTF8ToString(problem)); });

namespace lanescope::viz {

void set_title(const std::string& title) { lanescope_title(title.c_str()); }
void set_address(const std::string& words) { lanescope_address(words.c_str()); }
void set_colours(bool dark) { lanescope_colours(dark ? 1 : 0); }
void set_clipboard(const std::string& text) { lanescope_clipboard(text.c_str()); }
bool types_elsewhere() { return lanescope_typing() != 0; }
double canvas_left() { return lanescope_left(); }
void save_canvas(const std::string& name) { lanescope_save_canvas(name.c_str()); }
void save_text(const std::string& name, const std::string& text) {
  lanescope_save_text(name.c_str(), text.c_str());
}
void keep_settings(const std::string& path) { lanescope_keep(path.c_str()); }
void fetch_settings(const std::string& path) { lanescope_fetch(path.c_str()); }
void say_diagnosis(const std::string& wrong, int right) {
  lanescope_diagnosis(wrong.c_str(), right);
}
void put_on_bench(const std::string& words) { lanescope_bench(words.c_str()); }
void show_line(int line) { lanescope_line(line); }
void say_started(const std::string& problem) { lanescope_started(problem.c_str()); }

}  // namespace lanescope::viz
