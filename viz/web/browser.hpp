// SPDX-License-Identifier: MIT
// What the page asks of the browser: its title, its address, the clipboard, what is kept, files
// that are saved. The JavaScript of it is in page.html.
#pragma once

#include <string>

namespace lanescope::viz {

void set_title(const std::string& title);
/// What stands behind the page's #; no entry in the history of the browser.
void set_address(const std::string& words);
/// The page's own fields are as dark, or as light.
void set_colours(bool dark);
void set_clipboard(const std::string& text);

/// Words are typed into a field of the page's own, beside the canvas.
bool types_elsewhere();
/// Where the canvas begins, in the browser's pixels.
double canvas_left();

/// The canvas as it was drawn in this very frame, as a PNG.
void save_canvas(const std::string& name);
void save_text(const std::string& name, const std::string& text);

/// A file of the page's, kept for the next time, and put back; where the browser keeps nothing it
/// is as new.
void keep_settings(const std::string& path);
void fetch_settings(const std::string& path);

/// What is wrong with the products of the kernel that was run, and how many operands are right.
void say_diagnosis(const std::string& wrong, int right);

/// "exercise 3": opens the bench with it.
void put_on_bench(const std::string& words);

/// The line of the bench's text whose instruction the window shows.
void show_line(int line);

/// The page is there: "", or why it is not, which stands in its middle then.
void say_started(const std::string& problem);

}  // namespace lanescope::viz
