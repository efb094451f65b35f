// SPDX-License-Identifier: MIT
// The state of the window and the frame that arranges its panels. Knows nothing of GLFW or OpenGL:
// whoever owns the window feeds input to Dear ImGui, calls draw_workspace, and obeys the requests.
//
//   +--------------------------- bar: title, instruction, search, labels ----------------------+
//   |  warp  |  B   |  inspector  |  lesson / source / trace                                    |
//   |  A     |  D   |             |  registers of the lane                                      |
//   +--------------------------- status: what is selected, keys --------------------------------+
#pragma once

#include <map>
#include <string>
#include <vector>

#include "panels/cross_geometry.hpp"
#include "panels/facts.hpp"
#include "panels/theme.hpp"

namespace lanescope::viz {

/// What a cell says: its lane; lane and register; its value; its bits; lane and value.
enum class LabelMode { lane, reg, value, hex, both };
enum class TextTab { lesson, source, trace };

/// A text shown beside the cross: the lesson's README, a source file.
struct Document {
  std::string name;
  std::vector<std::string> lines;
};

/// A line of the list of traces.
struct TraceFile {
  std::string path, name, detail;
};

/// Where things were drawn in the last frame, by name: "A 3,4", "lane 13", "search", "label value".
/// Only filled where tests ask for it.
struct Probes {
  std::map<std::string, Box> boxes;
};

/// The words of every cell, made once for a multiplication and a label mode.
struct Labels {
  struct Words {
    std::string first, second;
  };
  struct Operand {
    std::vector<Words> cells;  // row after row
    int longest_first = 0, longest_second = 0;
  };
  std::array<Operand, 4> operands;
  const void* made_for = nullptr;
  LabelMode mode = LabelMode::lane;
  std::uint64_t revision = 0;
};

struct Workspace {
  Model model;
  std::vector<Multiplication> fallback;  // one map without data, while no trace has a fragment
  std::size_t current = 0;
  std::string trace_path;
  std::uint64_t revision = 0;  // counts the traces opened

  Selection selection;
  Hover hover;
  int hover_lane = -1;
  char result = 'D';  // C or D in the fourth corner
  LabelMode labels = LabelMode::lane;
  float zoom = 1;
  bool dark = true;
  TextTab tab = TextTab::lesson;

  Document lesson;
  std::map<std::string, Document> sources;  // by the name the trace uses
  std::vector<TraceFile> traces;

  std::array<char, 128> search{};
  bool focus_search = false;
  bool searching = false;
  bool show_keys = false;
  bool show_traces = false;
  bool reveal = false;  // scroll the cross to the selection
  std::string message;
  bool message_is_error = false;

  std::string open_request;  // a trace to open; whoever draws takes and clears it
  bool theme_changed = false;

  Labels label_cache;
  Probes* probes = nullptr;

  bool has_trace() const { return !trace_path.empty(); }
  /// The multiplication shown; nullptr when there is not even a map.
  const Multiplication* shown() const;
};

/// Replaces the model: first multiplication, the trace's own first selection, nothing else kept.
void show_model(Workspace& workspace, Model model, std::string trace_path);
/// A trace could not be read: its message is shown, what was shown before stays.
void show_error(Workspace& workspace, std::string message);
/// Selects by words, as the search box does; false, and the message says why, when they mean
/// nothing.
bool search(Workspace& workspace, std::string_view words);
void show_multiplication(Workspace& workspace, std::size_t index);
/// The keys of the window; not called while words are typed.
void handle_keys(Workspace& workspace);

/// One frame over the whole display.
void draw_workspace(Workspace& workspace, const Fonts& fonts);

/// Notes where the last item, or a box, was drawn.
void probe(Workspace& workspace, const std::string& name);
void probe(Workspace& workspace, const std::string& name, Box box);

}  // namespace lanescope::viz
