// SPDX-License-Identifier: MIT
// The window, and a picture of it where there is no display. Built only where Dear ImGui, GLFW,
// glad and OpenGL are found (LANESCOPE_HAS_WINDOW); everything it shows, the terminal can print
// too.
#pragma once

#include <string>

namespace lanescope::viz {

inline constexpr int kUsualWidth = 1440, kUsualHeight = 920;

struct WindowOptions {
  std::string trace;                     // path of a trace; "" opens on the list of traces
  std::string other;                     // another to compare it with
  std::string traces_folder = "traces";  // what the list of traces shows
  std::string lessons_folder;  // where NN_name/README.md and the sources lie; "" shows neither
  std::string selection;       // overrides the trace's own: "A 9,5"
  std::string panel;           // "fragments", "memory", "steps", "pipeline"; "": the trace's own
  int product = 0;             // which multiplication or tile, from 1 on; 0: the first
  int beside = 0;              // another tile beside it; 0: none
  std::string tab;             // "lesson", "source" or "trace": the words beside the picture
  std::string page;            // "atlas", "swizzle" or "descriptor" instead of a trace
  std::string page_words;      // what its search box would take
  std::string page_beside;     // of the atlas: another instruction beside that one
  bool light = false;
  float scale = 0;  // 0: from the display (Xft.dpi)
  // In pixels; 0: of a picture kUsualWidth, kUsualHeight, as large as the scale says; of a window
  // what side_for_display makes of them.
  int width = 0, height = 0;
  std::string settings;       // file that keeps how the window looks; "" for none
  std::string log_selection;  // file that gets one line a change of selection; "" for none
};

/// A side of a window for a display that has so many pixels there (0: not known), in units of its
/// scale: what fits on it, at most a fifth more than usual.
int side_for_display(int room_px, int usual, float scale);
/// How large a window or a picture becomes: what was asked for, else the usual side times the
/// scale.
int pixels_of(int asked, int usual, float scale);

/// Opens the window and returns when it is closed: "", or why it could not be opened (no display,
/// no OpenGL 3.3, the trace cannot be read).
std::string run_window(const WindowOptions& options);

/// Draws one frame without a display (EGL) into a PNG; where the path ends in .svg, its maps into
/// that. "", or why it could not.
std::string screenshot(const WindowOptions& options, const std::string& path);

}  // namespace lanescope::viz
