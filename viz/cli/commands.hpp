// SPDX-License-Identifier: MIT
// The commands of `lanescope`: what each takes, already parsed. main.cpp reads the command line and
// calls one of these; each returns the exit code (0 fine, 1 the check or program failed, 2 wrong
// usage, or a file that cannot be read or written) and has said on stderr, in one line, why it is
// not 0.
#pragma once

#include <cstdint>
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
  std::string selector;              // "1" of metadata, "1,0" (thread-id, byte-id) of scales
  std::string element;               // "9,5"
  std::string format = "table";      // table, csv, json, markdown, svg, cute
  std::string explain;               // "9,5": the derivation, and the expressions to paste
  std::vector<std::string> becomes;  // "A", and of which instruction: what D is handed on as
  std::vector<std::string> beside;   // another instruction, to be shown beside it
  std::string family, type, arch;    // restrict the list: "mma.sp", "s4", "sm_90a"
};
int layout(const LayoutOptions& options);

// output_command.cpp: D[row][col] as a sum with every register named.
struct OutputOptions {
  std::vector<std::string> words;  // a mnemonic or parts of one, then "3,4"
};
int output(const OutputOptions& options);

// swizzle_command.cpp: a swizzled tile.
struct SwizzleOptions {
  std::vector<std::string> words;  // "128B K 16 8x64": instead of all below but csv
  std::string mode = "128B", major = "K";
  int bits = 16;
  int rows = 0, cols = 0;  // along MN and along K; 0: one atom
  bool csv = false;
};
int swizzle(const SwizzleOptions& options);

// descriptor_command.cpp: descriptors of wgmma and of tcgen05.
struct DescriptorOptions {
  std::vector<std::string> words;  // as the window takes them, instead of all below
  std::string decode;              // "0x4000..."
  std::string encode;              // "start=1024,lbo=16,sbo=1024,mode=128B,base=0"
  std::string tile;                // "64x64", with the three below
  bool tcgen05 = false;            // not wgmma's
  std::string instruction;         // tcgen05.mma's 32 bits, or its fields, with:
  std::string kind = "f16";
  std::string mode = "128B", major = "K";
  int bits = 16;
};
int descriptor(const DescriptorOptions& options);

// view_command.cpp: a trace in the window, in the terminal, or as a picture.
struct ViewOptions {
  std::string target;               // a lesson or a trace's path; "" for the newest trace
  std::string other;                // another, to be shown beside it
  std::string page;                 // "atlas", "swizzle" or "descriptor" instead of a trace
  std::vector<std::string> words;   // what that page is asked for
  std::vector<std::string> beside;  // of the atlas: another instruction beside that one
  std::string panel;                // "fragments", "memory", "steps", "pipeline"; "": the trace's
  std::string product;              // which of the products (or tiles): "2", or "all"
  std::string tab;  // beside the picture: "lesson", "source" or "trace"; "": lesson, or registers
  bool text = false;
  std::string screenshot;  // PNG path
  std::string html;        // path of a page for browsers
  std::string selection;   // overrides the trace's own: "A 9,5"
  bool light = false;
  float scale = 0;            // 0: from the display
  int width = 0, height = 0;  // in pixels; 0: as large as the scale says
  std::string log_selection;  // for tests: a line a change of selection goes to this file
  int rows = 0;               // of text at most; 0: all
  std::string rest;           // the command that shows the others
};
int view(const ViewOptions& options);
/// page_command.cpp: these traces, or a page of the atlas, as a page for browsers.
int view_page(const std::vector<std::string>& traces, const ViewOptions& options);

// run_command.cpp: a program on the emulator.
struct RunOptions {
  std::vector<std::string> program;  // path and arguments
  std::string device = "cpu";        // or "gpu": a PTX file on this machine's card
  std::string arch;                  // "": sm_90a, or what the program has PTX for
  std::string trace;                 // the file to write; "": one of its own where there are steps
  std::string steps;                 // "kernel=..,block=x,y,z,warp=..,from=..,count=.."
  bool with_steps = false;           // --steps was given
  std::string save;                  // FILE.ptx: take a launch out of the program
  std::string launch;                // which: "kernel=..,launch=..", "mma"; "": the first
  bool fidelity = false;
  bool registers = false;
  std::string seed;      // of the order of warps
  bool check = false;    // look for races, missing waits and fences
  bool strict = false;   // and for what PTX does not promise
  bool banks = false;    // list the bank conflicts of each instruction
  bool sectors = false;  // list the sectors of global memory that each fetches in vain
};
int run(const RunOptions& options);

// lesson_command.cpp: the course.
struct LessonOptions {
  int number = 0;  // 0: the next one
  std::string device = "auto";
  std::string arch;  // of the emulator; "": sm_90a
};
int lesson(const LessonOptions& options);
int start();     // what ./learn alone does
int progress();  // what `lanescope` alone does

// exercise_command.cpp and watch_command.cpp: an exercise of a lesson.
struct ExerciseOptions {
  int number = 0;    // of the lesson
  bool ptx = false;  // the one in PTX alone, which some lessons have besides
};
int check(const ExerciseOptions& which);
int check_all(bool ptx);
int hint(const ExerciseOptions& which);      // the next one
int solution(const ExerciseOptions& which);  // after a pass
int reset(const ExerciseOptions& which);     // as it was shipped; what was there is kept beside it
int watch(const ExerciseOptions& which);     // checks at every save, until it passes

// quiz_command.cpp: predictions, asked and marked.
struct QuizOptions {
  int number = 0;  // of the lesson; 0: all
  int questions = 5;
  std::optional<std::uint64_t> seed;
  bool answers_given = false;
  std::string answers;  // "6 r1 hi; 3 r0 lo" instead of the keyboard
};
int quiz(const QuizOptions& options);

// diagnose_command.cpp: the name of the mistake in a trace.
int diagnose(const std::string& path);
int list_mistakes();

// completion_command.cpp: what a shell completes.
struct CompletionOptions {
  std::string line;            // up to the cursor; "": the script that asks
  std::string shell = "bash";  // whose script
};
int completion(const CompletionOptions& options);

// diff_command.cpp
int diff(const std::string& a, const std::string& b);

}  // namespace lanescope::cli
