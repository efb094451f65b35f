// SPDX-License-Identifier: MIT
// A matrix in shared memory as a layout of CuTe's says, as it is asked for, and what is to be said
// of it. Pure model, no Dear ImGui. Bytes, banks and passes are common/layout's; `lanescope
// swizzle` prints the same.
//
//   Sw<3,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)
//   (64,33):(33,1) bits=32 access=D mma.m16n8k16.f32.f16
//   (16,64):(64,1) access=((8,16),8):((128,1),16) access=A mma.m16n8k16.f32.f16
//                  threads and values of one's own, and another access
//   (64,64):(64,1) access=make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
//                  Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layout/shared_matrix.hpp"
#include "panels/forms/tile_form.hpp"

namespace lanescope::viz {

struct CuteTile {
  layout::SharedMatrix matrix;
  struct Asked {
    std::string words;  // behind access=
    std::string name;   // what it is called where that is long; "": its words
    layout::ThreadValues moved;
    friend bool operator==(const Asked& a, const Asked& b) { return a.words == b.words; }
  };
  std::vector<Asked> asked;
  friend bool operator==(const CuteTile&, const CuteTile&) = default;
};

/// Reads words that layout::is_cute_layout() takes for a layout; a line that says what is wrong, or
/// "". A matrix of more rows or columns than kMostAcross, or with more bytes than shared memory
/// has, is wrong.
std::string read_words(std::string_view words, CuteTile& tile);
std::string words_of(const CuteTile& tile);
/// One of wgmma's tiles as such words: "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64))".
/// Sizes that are no multiples of an atom's, and atoms of 32 bytes, have none that can be read.
std::string cute_words(const TileForm& form);

/// "64 x 64 elements of 16 bits in 8192 bytes", "neighbours of a row lie next to each other", ...
std::vector<std::string> facts_of(const CuteTile& tile);

/// What warps may do with it, all that was asked for in front.
std::vector<layout::WarpAccess> accesses_of(const CuteTile& tile, bool applied);
/// "1 pass: no conflict", "2 to 8 passes for each 8 lanes", "none: ..."
std::string passes_text(const layout::WarpAccess& access);

/// Layouts of the same matrix in which what was asked for takes one pass, or where nothing was,
/// ldmatrix and 16 bytes a lane.
struct CuteRemedy {
  std::string layout;
  std::string words;  // of that, with all that was asked for
  std::string what;   // "wgmma's 128B, K-major"; "1008 bytes more"; or ""
};
struct Remedies {
  bool needed = false;
  std::string of;  // "ldmatrix and 16 bytes a lane"
  std::vector<CuteRemedy> found;
};
Remedies remedies_of(const CuteTile& tile);

/// "(0,0), (8,0), (16,0) and 5 more want bank 0", of lanes that need most passes; "".
std::string clash_text(const CuteTile& tile, const layout::WarpAccess& access, bool applied);

/// What is to be said about an element.
PlaceFacts place_facts(const CuteTile& tile, int row, int col, bool applied);

}  // namespace lanescope::viz
