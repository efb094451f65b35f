// SPDX-License-Identifier: MIT
// The state of the window and the frame that arranges its panels. Knows nothing of GLFW or OpenGL:
// whoever owns the window feeds input to Dear ImGui, calls draw_workspace, and obeys the requests.
//
//   +--------------------------- bar: title, instruction, search, labels ----------------------+
//   |  warp  |  B   |  inspector  |  lesson / source / trace                                    |
//   |  A     |  D   |             |  registers of the lane                                      |
//   +--------------------------- status: what is selected, keys --------------------------------+
//
// That is the page of a trace's fragments, and of an instruction of the atlas. A trace may also
// show its tiles of memory, its steps, and its pipeline (trace_views.cpp). The other pages
// (pages.cpp): the list of the atlas, a swizzled tile, a descriptor.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "layout/scales.hpp"
#include "panels/atlas_list.hpp"
#include "panels/compare.hpp"
#include "panels/cross_geometry.hpp"
#include "panels/facts.hpp"
#include "panels/map_pick.hpp"
#include "panels/memory_tile.hpp"
#include "panels/pipeline.hpp"
#include "panels/quiz.hpp"
#include "panels/step_reads.hpp"
#include "panels/steps.hpp"
#include "panels/tcgen05_form.hpp"
#include "panels/theme.hpp"
#include "panels/tile_form.hpp"
#include "panels/touches.hpp"

namespace lanescope::viz {

/// What a cell says: its lane; lane and register; its value; its bits; lane and value.
enum class LabelMode { lane, reg, value, hex, both };
enum class TextTab { lesson, source, trace };
enum class Page { trace, atlas, entry, swizzle, descriptor, compare };
/// What the page of a trace shows.
enum class Shows { fragments, memory, steps, pipeline };

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

/// The list of the atlas, and the entry that is open.
struct AtlasState {
  AtlasFilter filter;
  std::array<char, 256> words{};
  std::vector<Entry> found;
  std::vector<std::string> near;  // where nothing was found
  bool asked = false;             // `found` is for `asked_for`
  AtlasFilter asked_for;
  int row = 0;  // which line the keys are on
  bool reveal = false;
  Entry entry;
  Model model;  // of the entry, where it is an instruction: maps without data
};

/// An operand or a mover seen from both sides.
struct MapState {
  char operand = 0;  // 'E', 'S' or 'T' instead of the matrices; 0: the matrices
  int selector = 0;
  MapPick pick, hover;
  layout::ScaleSelector scale = {};             // of S and T: which lanes and bytes
  const layout::Instruction* scaled = nullptr;  // with its scales taken so
};

using FieldText = std::array<char, 32>;

struct SwizzleState {
  TileForm form;
  bool applied = true, offsets = false;  // the swizzle; label cells with offsets instead of banks
  FieldText rows{}, cols{};
  int mn = -1, k = -1, hover_mn = -1, hover_k = -1;  // element picked, and under the pointer
  bool reveal = false;
  std::vector<UnitAt> memory;
  TileForm memory_of;
  bool memory_applied = true;
};

struct DescriptorState {
  DescriptorForm form;
  Tcgen05Form tcgen05;  // which of the two is shown, its reading says
  FieldText words{}, hex{}, start{}, lbo{}, sbo{}, base{}, rows{}, cols{};
  bool begun = false;
  bool bytes = false;  // label cells with bytes instead of elements
  int row = -1, col = -1, hover_row = -1, hover_col = -1;
  bool reveal = false;
  Fetch fetch;
  DescriptorForm fetch_of;
};

/// The tiles of memory; pointers into the trace.
struct MemoryState {
  std::vector<const trace::Memory*> tiles;
  std::size_t current = 0;
  int row = -1, col = -1, hover_row = -1, hover_col = -1;
  int label = 0;  // value, bank, byte
  // How it is read: rows and columns here, and those picked, are of the tile read through that.
  layout::Swizzle reading = layout::Swizzle::none;
  bool reveal = false;
  // Who wrote and read the element that is looked at: found anew when that is another.
  std::vector<Touch> touched;
  const trace::Memory* touched_tile = nullptr;
  int touched_row = -1, touched_col = -1;
};

struct StepsState {
  StepList list;
  StepPlace place;
  bool reveal = false;  // scroll the list to the step
  bool bits = false;    // values as bits
  // The lane that is clicked, and the one under the pointer: framed in every register. What the
  // line below says of them.
  int lane = -1, hover_lane = -1, next_hover_lane = -1;
  std::string lane_words, hover_words;
  std::vector<Read> reads;  // of the step shown
  int reads_warp = -1, reads_item = -1;
  Writers writers;  // of that warp
  // Who wrote the register that is selected among the fragments: found anew when that is another.
  StepPlace written;
  const trace::Fragment* written_of = nullptr;
  int written_thread = -1, written_register = -1;
};

struct PipelineState {
  Pipeline made;
  bool there = false;  // the trace has such events
  int copy_ticks = kUsualCopyTicks;
  float zoom = 1;
  int row = -1, span = -1;  // selected: warps first, then stages
  bool reveal = false;      // scroll to it
  int hover_row = -1, hover_span = -1;
};

/// Two traces beside each other.
struct CompareState {
  bool there = false;  // two traces were opened
  Comparison made;
  std::size_t current = 0;  // which difference
  Compared shown;
  std::size_t longest = 1;  // of its labels
  int row = -1, col = -1;
  // Under the pointer in the last frame: a is drawn before b is asked.
  int hover_row = -1, hover_col = -1, next_hover_row = -1, next_hover_col = -1;
  bool reveal = false, reveal_line = false;
  // Both sides are scrolled together: by the one that the pointer is over.
  ImVec2 scroll{};
  int leader = 0;
};

/// Prediction mode, over everything else.
struct QuizState {
  bool open = false;
  int lesson = 1;
  std::uint64_t seed = 1;
  Quiz quiz;
  std::array<char, 128> answer{};
  std::string problem;  // what is wrong with what was typed
  bool focus = false;   // the field wants the keyboard
  bool reveal = false;  // scroll to the element that was asked for
};

struct Workspace {
  Page page = Page::trace;
  Shows shows = Shows::fragments;
  MemoryState memory;
  StepsState steps;
  PipelineState pipeline;
  AtlasState atlas;
  MapState map;
  // Instructions with their scales taken otherwise, by selector: kept, because views point into
  // them to the end of a frame in which another may have been chosen.
  std::map<std::tuple<const layout::Instruction*, int, int>, layout::Instruction> scaled;
  SwizzleState swizzle;
  DescriptorState descriptor;
  CompareState compare;
  QuizState quiz;
  // What the page of the trace shows while an entry is open.
  struct Kept {
    std::size_t current = 0;
    Selection selection;
    LabelMode labels = LabelMode::lane;
    char result = 'D';
  } kept;

  Model model;
  std::vector<Multiplication> fallback;  // one map without data, while no trace has a fragment
  std::size_t current = 0;
  std::string trace_path;
  std::string steps_problem;   // what is wrong with the file of steps beside the trace
  std::uint64_t revision = 0;  // counts the traces opened

  Selection selection;
  Hover hover;
  int hover_lane = -1;
  char result = 'D';  // C or D in the fourth corner
  LabelMode labels = LabelMode::lane;
  float zoom = 1;
  float text_scale = 1;    // of everything, besides the display's
  float wider = 0;         // em that the rightmost panel was given besides its usual width
  float scroll_words = 0;  // screens to go down in the text panel, this frame
  bool dark = true;
  TextTab tab = TextTab::lesson;
  // Where the words and the registers share one panel, the registers are a tab of it.
  bool registers_tab = false, registers_shown = true;

  Document lesson;
  std::map<std::string, Document> sources;  // by the name the trace uses
  std::vector<TraceFile> traces;

  std::array<char, 128> search{};
  bool focus_search = false;
  bool searching = false;  // words are being typed, here or in a field
  std::string typed_in;    // the field they are typed into
  bool show_keys = false;
  bool show_traces = false;
  int trace_row = 0;  // of their list: the one that Enter opens
  bool reveal_trace = false;
  bool reveal = false;  // scroll the cross to the selection
  std::string message;
  bool message_is_error = false;

  std::string open_request;     // a trace to open; whoever draws takes and clears it
  std::string compare_request;  // a trace to compare with the one that is open, as well
  // Where a trace that is opened from a comparison opens: an event of it, words of its view.
  int open_event = -1;
  std::string open_words;
  int open_entry_request = -1;  // a line of the atlas's list, or of what was near
  int open_near_request = -1;
  bool theme_changed = false;
  bool picture_request = false;  // a picture of the window, as it is
  bool svg_request = false;      // ... or a drawing of its maps

  Labels label_cache;
  Probes* probes = nullptr;

  bool has_trace() const { return !trace_path.empty(); }
  /// A source file is known that some step is of.
  bool steps_have_source() const;
  /// The trace's model, or that of the entry that is open.
  const Model& about() const { return page == Page::entry ? atlas.model : model; }
  /// The multiplication shown; nullptr when there is not even a map.
  const Multiplication* shown() const;
};

/// Replaces the model: first multiplication, the trace's own first selection, nothing else kept.
void show_model(Workspace& workspace, Model model, std::string trace_path);
/// Shows an event of the trace, by its number: its fragment, tile or step, and selects by words.
void show_event(Workspace& workspace, int event, const std::string& words);
// trace_views.cpp
/// What this trace has to show, most important first; never empty.
std::vector<Shows> views_of(const Workspace& workspace);
const char* name_of(Shows shows);
/// Shows that, where the trace has it.
bool show(Workspace& workspace, Shows shows);
/// A sentence about what is shown: the trace's own, but for steps, which kernel they are of.
std::string caption_of(const Workspace& workspace);
/// Why the view that is chosen has nothing to show: the trace is of a GPU. "" where it has.
std::string why_nothing(const Workspace& workspace);
/// The pipeline anew, where a copy takes so many ticks.
void set_copy_ticks(Workspace& workspace, int ticks);

/// A trace could not be read: its message is shown, what was shown before stays.
void show_error(Workspace& workspace, std::string message);
/// Selects by words, as the search box does; false, and the message says why, when they mean
/// nothing.
bool search(Workspace& workspace, std::string_view words);
void show_multiplication(Workspace& workspace, std::size_t index);
/// Larger (+1) and smaller (-1) text, as it was (0).
void change_text_size(Workspace& workspace, int steps);
/// The keys of the window; not called while words are typed.
void handle_keys(Workspace& workspace);

// compare_panel.cpp
/// Shows two traces beside each other, from their first difference on.
void show_comparison(Workspace& workspace, Comparison comparison);
void show_difference(Workspace& workspace, std::size_t index);

// pages.cpp
/// Goes to a page; an entry that was open is closed, the trace is as it was.
void go_to(Workspace& workspace, Page page);
/// Opens an entry of the atlas in the panels.
void open_entry(Workspace& workspace, const Entry& entry);
/// The list narrowed down by words; opens the entry at once where there is only one.
void open_atlas(Workspace& workspace, std::string_view words);
/// The map that is seen from both sides: E or a scale of what is shown, a mover; map nullptr if
/// none.
MapView map_view(const Workspace& workspace);
/// What is selected on this page, in the words that `search` reads.
std::string selected_words(const Workspace& workspace);

/// One frame over the whole display.
void draw_workspace(Workspace& workspace, const Fonts& fonts);

/// Notes where the last item, or a box, was drawn.
void probe(Workspace& workspace, const std::string& name);
void probe(Workspace& workspace, const std::string& name, Box box);

}  // namespace lanescope::viz
