// SPDX-License-Identifier: MIT
// The panels, one per kind of data. Each draws into the room that is left at the cursor and changes
// nothing but what is selected and how it is shown.
#pragma once

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

void draw_bar(Workspace& workspace, const Look& look);
void draw_status(Workspace& workspace, const Look& look);

/// A, B, C or D and the warp; `in` is what the workspace shows.
void draw_cross(Workspace& workspace, const Multiplication& in, const Look& look);
/// What cells had room for: no label, the second part of it alone (the register, the value), or
/// all.
enum class Labelled { no, second, whole };
/// A, B and C or D, drawn at `origin` (screen pixels).
Labelled draw_cross_cells(Workspace& workspace, const Multiplication& in, const Look& look,
                          const CrossGeometry& cross, ImVec2 origin);
/// The warp's corner of the cross, drawn at `origin` (screen pixels).
void draw_warp(Workspace& workspace, const Multiplication& in, const Look& look,
               const CrossGeometry& cross, ImVec2 origin);

/// What the cells of the cross say, in a line in `box` (screen pixels).
void draw_legend(Workspace& workspace, const Multiplication& in, const Look& look,
                 Labelled labelled, Box box);

/// The way of the selected element through the steps, found anew when that is another.
const Way& shown_way(Workspace& workspace, const Multiplication& in);
/// Its stops, below each other, each a way to its step; probes "NAME 0", "NAME 1"...
void draw_way(Workspace& workspace, const Look& look, const Way& way,
              const std::string& name = "way");
/// What the selected element leads to, each a link that selects it, below a heading or what stands
/// there; probes "closer 0"...
void draw_closer(Workspace& workspace, const Multiplication& in, const Look& look, bool heading);
/// Where that came from which the clicked lane of a step has in the clicked register: how high its
/// words are, 0 where nothing was clicked, and these.
float find_ways(Workspace& workspace, const Look& look);
void draw_ways(Workspace& workspace, const Look& look);
/// What `lanescope diagnose` says of the selected operand of a product of steps; nullptr: nothing.
const ShownVerdict* shown_verdict(Workspace& workspace, const Multiplication& in);
/// The same where it is of the operand and the product whose cells are drawn.
const ShownVerdict* marked_verdict(Workspace& workspace, const Multiplication& in);
/// What is said, in the inspector; probes "verdict: WORDS", "first wrong".
void draw_verdict(Workspace& workspace, const Look& look, const ShownVerdict& verdict);
void draw_inspector(Workspace& workspace, const Multiplication& in, const Look& look);
/// The same where nothing is selected.
void draw_overview(Workspace& workspace, const Multiplication& in, const Look& look);
/// The source of what is said, how well it is known, what is to be noted.
void draw_standing(const Look& look, const Facts& facts);
/// `card`: they have a card to themselves.
void draw_registers(Workspace& workspace, const Multiplication& in, const Look& look, bool card);
/// The lesson's page.
void draw_lesson(Workspace& workspace, const Look& look);
/// `registers`: one more tab, with the registers of the lane in focus.
void draw_text_panel(Workspace& workspace, const Multiplication* in, const Look& look,
                     bool registers = false);

// What a trace shows besides fragments.
void draw_memory(Workspace& workspace, const Look& look);
/// The tile that is shown, 0, or the one beside it, 1; nullptr: there is none.
int tile_index(const MemoryState& memory, int which);
const trace::Memory* tile_shown(const MemoryState& memory, int which);
/// Whether one of those that are shown lies in shared memory.
bool shows_banks(const MemoryState& memory);
layout::Swizzle& reading_of(MemoryState& memory, int which);
/// Its cells, into the room that is left; and how wide they are, labelled.
void draw_tile(Workspace& workspace, const Look& look, int which);
float tile_width(const trace::Memory& tile, int label, const Look& look);
/// Another of the tiles: read as the one before, unless its numbers say that it lies otherwise.
void choose_tile(Workspace& workspace, std::size_t index);
/// Another tile beside the one that is shown, by its index; -1: none.
void show_beside(Workspace& workspace, int index);
/// Reads the tile through a swizzle; what is picked stays picked.
void read_through(Workspace& workspace, layout::Swizzle mode);
void draw_memory_inspector(Workspace& workspace, const Look& look);
const StepWarp& warp_now(const StepsState& steps);
const StepItem& item_now(const StepsState& steps);
/// Of the warp that is shown.
void choose_step(Workspace& workspace, int item);
/// The same instruction in another warp.
void choose_warp(Workspace& workspace, int warp);
void draw_step_list(Workspace& workspace, const Look& look);
/// How an access falls into banks (access_panel.cpp).
void draw_access(Workspace& workspace, const Look& look, const trace::Access& access);
void draw_sectors(Workspace& workspace, const Look& look, const SectorFacts& facts);
void draw_step(Workspace& workspace, const Look& look);
void draw_scrub(Workspace& workspace, const Look& look);
void draw_pipeline(Workspace& workspace, const Look& look);
void draw_timeline(Workspace& workspace, const Look& look);
void draw_pipeline_inspector(Workspace& workspace, const Look& look);
/// fragments, memory, steps, pipeline: gives the right edge of what it drew from `left` on.
float draw_view_tabs(Workspace& workspace, const Look& look, float left, float top);
float view_tabs_width(const Workspace& workspace, const Look& look);
/// + - 0: larger and smaller cells, as they were; true where they changed, so that what is selected
/// can be kept in sight.
bool zoomed(Workspace& workspace, bool with_0 = true);
/// The same by Ctrl and the wheel, over cells.
void zoom_by_wheel(Workspace& workspace);
/// Whether a watched name is an operand's register: "A.r1".
bool names_register(std::string_view watch);
/// The fragment of that launch and block that has it, with the register selected: of a lane, and of
/// it the element that begins at `bit`; -1: every lane, the whole register.
void show_register(Workspace& workspace, const trace::Place& place, const std::string& watch,
                   int lane, int bit);
// link.cpp
/// The command that shows what the window shows: "lanescope view t.lanes --select 'A 9,5'".
std::string link_of(const Workspace& workspace);
void copy_link(Workspace& workspace);
// history.cpp
/// Keeps what is looked at; called at the end of every frame.
void note_visit(Workspace& workspace);
/// Nothing leads back to a comparison that another one replaces.
void forget_comparison(Workspace& workspace);
/// To what was looked at before (-1), and forward again (+1).
void go_back(Workspace& workspace, int by);
bool can_go_back(const Workspace& workspace, int by);
/// Their buttons, dim where nothing is there: gives the left edge of what follows.
float draw_history_buttons(Workspace& workspace, const Look& look, float left, float top);
/// A bar of this width has room for them: a narrow one keeps the tabs and the search box.
inline bool has_history_buttons(const Look& look, float width) { return width >= 72 * look.em; }
// key_ring.cpp
/// Ctrl+Tab, and the keys of the ring while it is shown; true: no other key is looked at.
bool handle_ring_keys(Workspace& workspace);
/// Called at the beginning of every frame.
void begin_ring(Workspace& workspace, float bar_height);
/// Takes what is drawn in `box` into the ring; true when it is pressed.
bool in_ring(Workspace& workspace, ImGuiID id, Box box);
/// Takes the last item into the ring, unless `name` has keys of its own.
void ring_item(Workspace& workspace, std::string_view name);
// play.cpp
/// Steps or the pipeline go on by themselves, or stop; from their end, they begin anew.
void toggle_play(Workspace& workspace);
/// Twice as fast (+1), half as fast (-1).
void change_pace(Workspace& workspace, int doublings);
/// What has become due in `seconds`; called once a frame.
void go_on(Workspace& workspace, double seconds);
void draw_play_button(Workspace& workspace, const Look& look);
/// Of the fragments, in sight.
void select(Workspace& workspace, const Selection& selection);
/// The keys of what is shown; called where it is not the fragments.
void handle_view_keys(Workspace& workspace);
bool search_view(Workspace& workspace, std::string_view words);
std::string view_words(const Workspace& workspace);

// The pages of the atlas.
void draw_atlas(Workspace& workspace, const Look& look);
void draw_entry(Workspace& workspace, const Look& look);  // what is known of the entry
void draw_map(Workspace& workspace, const MapView& view, const Look& look);
void draw_map_inspector(Workspace& workspace, const MapView& view, const Look& look);
/// Matrices, E, SFA, SFB: which of them the room of the cross shows.
void draw_operand_switch(Workspace& workspace, const Look& look);
/// Takes the scales that are shown as the selector says, where they can be.
void choose_scale(Workspace& workspace, layout::ScaleSelector selector);
void draw_swizzle(Workspace& workspace, const Look& look);
/// The room that its tile needs to be in sight whole.
float swizzle_width(const SwizzleState& swizzle, float em);
void draw_swizzle_form(Workspace& workspace, const Look& look);
void draw_swizzle_inspector(Workspace& workspace, const Look& look);
/// The width of a tile's cell that its number can be read in.
float least_tile_cell(const SwizzleState& state, float em);
/// The same of a layout of CuTe's, where the page shows one.
void draw_cute_tile(Workspace& workspace, const Look& look);
void draw_cute_inspector(Workspace& workspace, const Look& look);
float cute_tile_width(const SwizzleState& state, float em);
/// One of wgmma's tiles, or a layout of CuTe's? Where this is chosen, the same tile.
void tile_kind(Workspace& workspace, const Look& look);
void draw_descriptor_form(Workspace& workspace, const Look& look);
void draw_tcgen05_form(Workspace& workspace, const Look& look);
void draw_instruction_form(Workspace& workspace, const Look& look);
/// The fetch of the descriptor that is written in the form, made anew when that has changed.
const Fetch& fetched(DescriptorState& descriptor);
void draw_fetch(Workspace& workspace, const Look& look);
void draw_page_bar(Workspace& workspace, const Look& look);
void draw_page_status(Workspace& workspace, const Look& look);

/// Where words are typed that find something, where the cursor is.
void draw_search(Workspace& workspace, const Look& look, float width);
/// The bar has no room for it: who wants to type does so in the line below.
void search_below(Workspace& workspace);
void draw_search_below(Workspace& workspace, const Look& look);

// Two traces, or two maps of the atlas, beside each other.
void draw_compare(Workspace& workspace, const Look& look);
inline constexpr std::array<const char*, 2> kComparedSides{"a", "b"};
/// What is chosen of `side`, into the room that is left.
void draw_compared(Workspace& workspace, const Look& look, int side);
/// Its name and shape, above; its words, where it has no cells: lines that differ have a mark.
void draw_compared_heading(Workspace& workspace, const Look& look, int side);
void draw_compared_words(Workspace& workspace, const Look& look, int side);
/// What is said of the difference that is chosen.
void draw_difference(Workspace& workspace, const Look& look);
void compare_keys(Workspace& workspace);
/// Of two maps: who has the element, or what the lane has, that is chosen; their formulas.
void draw_beside_facts(const Look& look, const CompareState& compare);

/// Keys of the pages other than the trace's; true: no other key is looked at.
bool handle_page_keys(Workspace& workspace);
/// "E", "E selector 2" or "SFA" at the beginning of words shows that operand; the rest is left.
bool switch_operand(Workspace& workspace, std::string_view& words);
bool search_page(Workspace& workspace, std::string_view words);
/// The list of the atlas for its filter, found anew when that has changed.
const std::vector<Entry>& found_entries(Workspace& workspace);

/// The maps that are shown as a drawing that stands alone, labelled as in the window and with what
/// is selected framed; "" where what is shown is no map.
std::string shown_as_svg(Workspace& workspace);

void draw_quiz(Workspace& workspace, const Look& look);
/// Opens it, or what was left of it, with the keyboard in the field for the answer.
void open_quiz(Workspace& workspace);
/// Empties the field for the next answer.
void begin_answer(QuizState& quiz);
void draw_keys(Workspace& workspace, const Look& look);
void draw_trace_list(Workspace& workspace, const Look& look);

/// The labels of `in` in the workspace's mode, made anew only when something changed.
const Labels& labels(Workspace& workspace, const Multiplication& in);

}  // namespace lanescope::viz
