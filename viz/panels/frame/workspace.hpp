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

#include "panels/frame/page_states.hpp"
#include "panels/lesson/lesson_links.hpp"
#include "panels/look/theme.hpp"
#include "panels/matrix/cross_geometry.hpp"
#include "panels/matrix/facts.hpp"

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

/// Where the elements are that a lesson's words name: found once for what is shown.
struct LessonElements {
  std::uint64_t revision = 0;
  std::map<std::string, int> first_with;  // "A 9,5" -> a multiplication, -1: none
};

/// What was looked at: a page, what it shows, what is selected there. What a page has not is as it
/// is here.
struct Visit {
  Page page = Page::trace;
  Shows shows = Shows::fragments;
  std::size_t current = 0, tile = 0;
  Selection selection;
  char operand = 0;
  int selector = 0;
  MapPick pick;
  int tile_row = -1, tile_col = -1;
  layout::Swizzle reading = layout::Swizzle::none;
  int warp = 0, item = 0;   // of the steps
  int row = -1, span = -1;  // of the pipeline, a tile, a descriptor, a comparison
  Entry entry;
  TileForm swizzle;
  std::optional<CuteTile> cute;
  DescriptorForm descriptor;
  friend bool operator==(const Visit&, const Visit&) = default;
};
struct History {
  std::vector<Visit> all;
  std::size_t at = 0;
  double changed = 0;   // when, in seconds
  bool moving = false;  // the last was a move by keys, to be joined with the next
};

/// The button that the keyboard is at (key_ring.cpp).
struct KeyRing {
  bool on = false;
  ImGuiID at = 0;
  struct Stop {
    ImGuiID id = 0;
    Box box;
  };
  std::vector<Stop> all, drawn;  // of the frame before, and of this one so far
  bool press = false, reveal = false;
};

struct Workspace {
  Page page = Page::trace;
  Shows shows = Shows::fragments;
  MemoryState memory;
  StepsState steps;
  PipelineState pipeline;
  PlayState play;
  AtlasState atlas;
  MapState map;
  // Instructions with their scales taken otherwise, by selector: kept, because views point into
  // them to the end of a frame in which another may have been chosen.
  std::map<std::tuple<const layout::Instruction*, int, int>, layout::Instruction> scaled;
  SwizzleState swizzle;
  DescriptorState descriptor;
  CompareState compare;
  QuizState quiz;
  History history;
  KeyRing ring;
  // What the page of the trace shows while an entry is open.
  struct Kept {
    std::size_t current = 0;
    Selection selection;
    LabelMode labels = LabelMode::lane;
    char result = 'D';
    float zoom = 1;
  } kept;

  Model model;
  std::vector<Multiplication> fallback;  // one map without data, while no trace has a fragment
  std::size_t current = 0;
  std::string trace_path;
  std::string trace_stamp;     // of its files, as they were when they were read
  std::string steps_problem;   // what is wrong with the file of steps beside the trace
  std::uint64_t revision = 0;  // counts the traces opened

  Selection selection;
  Hover hover;
  int hover_lane = -1;
  char result = 'D';       // C or D in the fourth corner
  bool b_on_side = false;  // k to the right in B, too; as it was drawn last
  LabelMode labels = LabelMode::lane;
  float zoom = 1;
  float text_scale = 1;     // of everything, besides the display's
  float wider = 0;          // em that the rightmost panel was given besides its usual width
  bool reading = false;     // the words have all the room beside the picture, until it is clicked
  bool words_shown = true;  // in the frame before; words_drawn: in this one
  bool words_drawn = false;
  float scroll_words = 0;  // screens to go down in the text panel, this frame
  float scroll_facts = 0;  // ... in what is said of the selection or of the step
  bool dark = true;
  TextTab tab = TextTab::lesson;
  // Where the words and the registers share one panel, the registers are a tab of it.
  bool registers_tab = false, registers_shown = true;

  Document lesson;
  std::map<std::string, Document> sources;  // by the name the trace uses
  std::vector<TraceFile> traces;

  std::array<char, 256> search{};
  bool focus_search = false;
  bool search_below = false;      // the bar has no room for the box: it is in the line below
  bool searching = false;         // words are being typed, here or in a field
  std::string typed_in;           // the field they are typed into
  bool pressed_in_field = false;  // the key that was pressed last was typed into one
  bool show_keys = false;
  bool show_traces = false;
  int trace_row = 0;  // of their list: the one that Enter opens
  bool reveal_trace = false;
  bool reveal = false;  // scroll the cross to the selection
  std::string message;
  bool message_is_error = false;
  std::string hint;  // what the button under the pointer does
  LessonElements lesson_elements;
  LessonLink follow;  // what was clicked in the lesson's words; obeyed before the next frame

  std::string open_request;     // a trace to open; whoever draws takes and clears it
  std::string compare_request;  // a trace to compare with the one that is open, as well
  // Where a trace that is opened from a comparison opens: an event of it, words of its view.
  int open_event = -1;
  std::string open_words;
  int open_entry_request = -1;  // a line of the atlas's list, or of what was near
  int open_near_request = -1;
  int beside_request = -1;  // a line to be laid beside the entry that was open last
  bool theme_changed = false;
  bool has_bench = false;        // beside it PTX is edited and run, as in the web page
  std::string bench_request;     // "exercise 3": to be put there
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

/// The trace has no fragments: a map is shown in their place, and nobody ran it.
bool shows_no_run(const Workspace& workspace);
/// Replaces the model: first multiplication, the trace's own first selection, nothing else kept.
void show_model(Workspace& workspace, Model model, std::string trace_path);
/// The trace that is open, written anew: what was looked at is looked at again, as far as it is
/// there (history.cpp).
void show_model_again(Workspace& workspace, Model model);
/// Shows an event of the trace, by its number: its fragment, tile or step, and selects by words.
void show_event(Workspace& workspace, int event, const std::string& words);
// trace_views.cpp
bool has(const Workspace& workspace, Shows shows);
/// What this trace has to show, most important first; never empty.
std::vector<Shows> views_of(const Workspace& workspace);
const char* name_of(Shows shows);
/// Shows that, where the trace has it.
bool show(Workspace& workspace, Shows shows);
/// The same; from the step of an mma to the fragments that were put together from it, and back.
void look_at(Workspace& workspace, Shows shows);
/// A sentence about what is shown: the trace's own, but for steps, which kernel they are of.
std::string caption_of(const Workspace& workspace);
/// Why the view that is chosen has nothing to show: the trace is of a GPU. "" where it has.
std::string why_nothing(const Workspace& workspace);
/// Who records steps: of a lesson whose page is beside it its run.
std::string recorder_of_steps(const Workspace& workspace);
/// The pipeline anew, where a copy takes so many ticks.
void set_copy_ticks(Workspace& workspace, int ticks);

/// What is wrong with what was just done, in the line of status; "": nothing.
void say(Workspace& workspace, std::string error);
/// A trace could not be read: its message is shown, what was shown before stays.
void show_error(Workspace& workspace, std::string message);
/// Selects by words, as the search box does; false, and the message says why, when they mean
/// nothing.
bool search(Workspace& workspace, std::string_view words);
void show_multiplication(Workspace& workspace, std::size_t index);
inline constexpr float kLeastText = 0.6f, kMostText = 3;  // of Workspace::text_scale
inline constexpr float kMostWider = 200;                  // em, of Workspace::wider, both ways
/// Larger (+1) and smaller (-1) text, as it was (0).
void change_text_size(Workspace& workspace, int steps);
/// The keys of the window; not called while words are typed.
void handle_keys(Workspace& workspace);
/// held_keys.cpp: whether a character is obeyed; `again`: its key is held, and it was typed before.
bool takes_character(Workspace& workspace, char32_t character, bool again);

// compare_panel.cpp, compare_atlas.cpp
/// Shows two traces, or two maps, beside each other, from their first difference on.
void show_comparison(Workspace& workspace, Comparison comparison);
/// The two that are shown, one of them written anew: the difference and the cell that were looked
/// at, as far as they are there.
void show_comparison_again(Workspace& workspace, Comparison comparison);
void show_difference(Workspace& workspace, std::size_t index);
/// Two entries of the atlas; "" or why they cannot be.
std::string show_maps(Workspace& workspace, const Entry& a, const Entry& b);
/// A line of the atlas's list beside the entry that was open last.
void lay_beside(Workspace& workspace, int row);

// pages.cpp, page_words.cpp
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

// lesson_follow.cpp
/// 5 of "05_cp_async"; 0 of a program that is no lesson.
int lesson_number(std::string_view program);
/// Whether there is something where a link leads: a trace need not have the element.
bool leads(Workspace& workspace, const LessonLink& link);
/// Goes where a lesson's words lead.
void follow(Workspace& workspace, const LessonLink& link);

/// One frame over the whole display.
void draw_workspace(Workspace& workspace, const Fonts& fonts);

/// Notes where the last item, or a box, was drawn; of an item under the pointer, what it does.
void probe(Workspace& workspace, const std::string& name);
void probe(Workspace& workspace, const std::string& name, Box box);

}  // namespace lanescope::viz
