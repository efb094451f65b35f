// SPDX-License-Identifier: MIT
// What each page and each view of a trace keeps: what it shows, what is picked and pointed at
// there, and what was worked out for it. Data alone; the panels of the page draw and change it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout/scales.hpp"
#include "panels/atlas/atlas_list.hpp"
#include "panels/atlas/map_pick.hpp"
#include "panels/compare/compare.hpp"
#include "panels/forms/cute_tile.hpp"
#include "panels/forms/tcgen05_form.hpp"
#include "panels/forms/tile_form.hpp"
#include "panels/look/theme.hpp"
#include "panels/memory/memory_tile.hpp"
#include "panels/memory/touches.hpp"
#include "panels/pipeline/pipeline.hpp"
#include "panels/quiz/quiz.hpp"
#include "panels/steps/sector_facts.hpp"
#include "panels/steps/step_reads.hpp"
#include "panels/steps/steps.hpp"
#include "panels/way/verdicts.hpp"
#include "panels/way/way.hpp"

namespace lanescope::viz {

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
  bool from_lesson = false;  // the entry was opened by a lesson's words: the way back leads there
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
  std::optional<CuteTile> cute;  // what is shown instead of it; mn and k are its row and column
  bool applied = true, offsets = false;  // the swizzle; label cells with offsets instead of banks
  FieldText rows{}, cols{};
  int mn = -1, k = -1, hover_mn = -1, hover_k = -1;  // element picked, and under the pointer
  bool reveal = false;
  std::vector<UnitAt> memory;
  TileForm memory_of;
  bool memory_applied = true;
  int access = 0;  // of `cute`: whose lanes are shown
  // What is reckoned once of `cute`.
  struct Reckoned {
    CuteTile of;
    bool applied = true;
    std::vector<std::string> facts;
    std::vector<layout::WarpAccess> accesses;
    std::vector<std::uint32_t> bytes;  // row after row
    std::vector<layout::SharedUnit> units;
    Remedies remedies;
  };
  std::optional<Reckoned> reckoned;

  int row_count() const { return cute ? layout::rows(cute->matrix) : form.rows; }
  int col_count() const { return cute ? layout::cols(cute->matrix) : form.cols; }
  std::string words() const { return cute ? words_of(*cute) : words_of(form); }
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
  std::vector<std::string> kernels;  // of each: whose launch left it
  std::size_t current = 0;
  int row = -1, col = -1, hover_row = -1, hover_col = -1;
  int label = 0;  // value, bank, byte
  // How it is read: rows and columns here, and those picked, are of the tile read through that.
  layout::Swizzle reading = layout::Swizzle::none;
  bool reveal = false;
  // Another tile that stands beside it, read through its own swizzle; what is picked is picked in
  // both. -1: none.
  int beside = -1;
  layout::Swizzle beside_reading = layout::Swizzle::none;
  int next_hover_row = -1, next_hover_col = -1;  // the first is drawn before the second is asked
  int hover_which = 0, next_hover_which = 0;     // of the two
  // Both are scrolled together: by the one that the pointer is over.
  ImVec2 scroll{};
  int leader = 0;
  // Who wrote and read the element that is looked at: found anew when that is another.
  std::vector<Touch> touched;
  std::shared_ptr<RegisterHistory> history;  // of the steps, made when it is asked for first
  const trace::Memory* touched_tile = nullptr;
  int touched_row = -1, touched_col = -1;
};

/// What diagnose says of the selected operand: found anew when that is another.
struct VerdictState {
  std::shared_ptr<Verdicts> all;  // made when it is asked for first
  std::optional<ShownVerdict> shown;
  const Multiplication* of = nullptr;
  char operand = 0;
};

struct StepsState {
  StepList list;
  StepPlace place;
  bool reveal = false;  // scroll the list to the step
  float list_room = 0;  // its height in the last frame
  bool bits = false;    // values as bits
  // The lane that is clicked, and the one under the pointer: framed in every register. What the
  // line below says of them.
  int lane = -1, hover_lane = -1, next_hover_lane = -1;
  std::string lane_words, hover_words;
  // The register in which that lane was clicked, as the step left it or as it found it; and the
  // ways of what stood there, found anew when that is another.
  std::string lane_register;
  bool lane_written = false;
  std::vector<Way> ways;
  std::string ways_of;
  std::vector<Read> reads;  // of the step shown
  std::optional<SectorFacts> sectors;
  int reads_warp = -1, reads_item = -1;
  int product = -1;  // the one that was put together from the step shown; -1: none
  Writers writers;   // of that warp
  // Who wrote the register that is selected among the fragments: found anew when that is another.
  StepPlace written;
  const trace::Fragment* written_of = nullptr;
  int written_thread = -1, written_register = -1;
  // The way of the selected element: found anew when that is another.
  Way way;
  std::string no_way;  // why it has no stops
  const Multiplication* way_of = nullptr;
  Selection way_selection;
  VerdictState verdict;
};

struct PipelineState {
  Pipeline made;
  bool there = false;  // the trace has such events
  int copy_ticks = kUsualCopyTicks;
  float zoom = 1;
  int row = -1, span = -1;  // selected: warps first, then stages
  bool reveal = false;      // scroll to it
  int hover_row = -1, hover_span = -1;
  double now = -1;  // the tick that is looked at; -1: none
};

/// Steps, or the time of a pipeline, that go on by themselves.
struct PlayState {
  bool on = false;
  int faster = 0;   // how often the usual pace was doubled
  double owed = 0;  // steps or ticks that are due
  // Where it went on last: if something else has moved that since, it stops.
  StepPlace place;
  double now = -1;
  int copy_ticks = 0;
};

/// Two traces, or two maps of the atlas, beside each other.
struct CompareState {
  bool there = false;  // two were opened
  std::string stamp;   // of their files, as they were when they were read
  Comparison made;
  std::size_t current = 0;  // which difference
  Compared shown;
  std::size_t longest = 1;  // of its labels
  int row = -1, col = -1;
  int lane = -1, hover_lane = -1;  // of maps: picked instead of a cell, under the pointer
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
  int trace_lesson = 0;  // of the trace that was open when it began
  std::uint64_t seed = 1;
  Quiz quiz;
  std::array<char, 128> answer{};
  std::string problem;  // what is wrong with what was typed
  bool focus = false;   // the field wants the keyboard
  bool reveal = false;  // scroll to the element that was asked for
};

}  // namespace lanescope::viz
