// SPDX-License-Identifier: MIT
// The commands of `lanescope`: what each takes, already parsed. main.cpp reads the command line and
// calls one of these; each returns the exit code (0 fine, 1 the check or program failed, 2 wrong
// usage or unreadable input) and has said on stderr, in one line, why it is not 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanescope::cli {

// layout_command.cpp: the atlas, asked in both directions.
struct LayoutOptions {
  std::vector<std::string> words;  // a mnemonic, or parts of one
  bool list = false;
  std::string operand;
  std::optional<int> lane;
  std::optional<int> register_index;
  std::string element;  // "9,5"
  std::string format = "table";  // table, csv, json, markdown
};
int layout(const LayoutOptions& options);

// view_command.cpp: a trace in the window, in the terminal, or as a picture.
struct ViewOptions {
  std::string target;      // a lesson's number or a trace's path; "" for the newest trace
  bool text = false;
  std::string screenshot;  // PNG path
  std::string selection;   // overrides the trace's own: "A 9,5"
  bool light = false;
  float scale = 0;         // 0: from the display
  int width = 1440, height = 920;
  std::string log_selection;  // for tests: a line a change of selection goes to this file
};
int view(const ViewOptions& options);

// run_command.cpp: a program on the emulator.
struct RunOptions {
  std::vector<std::string> program;  // path and arguments
  std::string arch = "sm_90a";
  std::string trace;
};
int run(const RunOptions& options);

// lesson_command.cpp: the course.
struct LessonOptions {
  int number = 0;  // 0: the next one
  std::string device = "auto";
  std::string arch = "sm_90a";
};
int lesson(const LessonOptions& options);
int check(int number);
int start();     // what ./learn alone does
int progress();  // what `lanescope` alone does

// diff_command.cpp
int diff(const std::string& a, const std::string& b);

}  // namespace lanescope::cli
