// SPDX-License-Identifier: MIT
// A matrix that lies in shared memory as a layout of CuTe's says: which byte has what, how often a
// warp must go to the banks for it, and whether wgmma can read it.
//
//   Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)     rows of 128 bytes, their units swizzled
//   (64,33):(33,1), 32 bits                              rows of 132 bytes: padded by a word
//
// Its rows are mode 0, its columns mode 1; of further modes (the stages of a ring, say) the first
// coordinate is meant. A layout with one mode is a row.
//
// Sources: banks.hpp, swizzle.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layout/cute_layout.hpp"
#include "layout/fragment.hpp"
#include "layout/swizzle.hpp"

namespace lanescope::layout {

struct SharedMatrix {
  CuteLayout layout;
  int bits = 16;  // of an element: 1, 2, 4, 6, 8, 16, 32, 64 or 128

  friend bool operator==(const SharedMatrix&, const SharedMatrix&) = default;
};
int rows(const SharedMatrix& matrix);
int cols(const SharedMatrix& matrix);
/// The byte at which an element begins, with the swizzle or without. 0 <= row < rows(matrix), and
/// so on.
std::int64_t byte_of(const SharedMatrix& matrix, int row, int col, bool applied = true);
/// The same of all elements, row after row: each mode is gone through once.
std::vector<std::uint32_t> bytes_of_elements(const SharedMatrix& matrix, bool applied = true);
/// How many bytes it takes, to the end of its last element.
std::int64_t bytes_of(const SharedMatrix& matrix);

/// Where neighbours lie next to each other: along a row, down a column, or neither.
enum class Run : std::uint8_t { along_row, down_column, neither };
Run run_of(const SharedMatrix& matrix);

/// Two elements that lie in the same byte, as layouts with a stride of 0 have them.
struct Clash {
  int row = 0, col = 0, other_row = 0, other_col = 0;
};
std::optional<Clash> clash(const SharedMatrix& matrix);

/// A way in which warps may go to shared memory for all of a matrix. Passes are those of loads and
/// stores alike: where lanes want the same two by two, a load of 8 or 16 bytes takes half
/// (lanes_per_phase_of_load in banks.hpp).
struct WarpAccess {
  std::string name{};
  int bytes = 0;   // that a lane moves at once
  int lanes = 32;  // that are served together
  // What each lane moves begins with this; so many lanes after one another are served together. Row
  // -1: no lane.
  std::vector<Element> firsts{};
  int least = 0, most = 0;  // passes for those served together; 0: there is no such access
  std::string none{};       // why not
};
/// ldmatrix (or .trans), 16 bytes a lane, a warp along a row, a warp down a column.
std::vector<WarpAccess> warp_accesses(const SharedMatrix& matrix, bool applied = true);

/// Those that are served together with whoever moves an element, itself among them.
struct ServedLane {
  int lane = 0;
  Element first;
  std::int64_t byte = 0;  // from here on
  bool clashes = false;   // wants another word of a bank that the element's own lane wants, too
};
std::vector<ServedLane> served_with(const SharedMatrix& matrix, const WarpAccess& access, int row,
                                    int col, bool applied = true);
/// Of the lanes that need most passes, those that want the same bank; none where one pass does.
std::vector<ServedLane> worst_clash(const SharedMatrix& matrix, const WarpAccess& access,
                                    bool applied = true);

/// Which elements of a matrix each value of each thread is.
struct ThreadValues {
  int threads = 0, values = 0;    // of each thread
  int rows = 0, cols = 0;         // of the matrix
  int bits = 0;                   // of an element; 0: of any
  std::vector<Element> elements;  // thread after thread
  int copy_bits = 0;              // that a thread moves at once; 0: as many as lie together

  const Element& at(int thread, int value) const {
    return elements[static_cast<std::size_t>(thread * values + value)];
  }
};
/// A fragment of one matrix that all lanes provide. Of B it is n x k, as CuTe has it.
ThreadValues thread_values(const Fragment& fragment);
/// A layout from (thread, value) to m + rows * k; it must have two modes and indices below rows *
/// cols.
ThreadValues thread_values(const CuteLayout& layout, int rows, int cols);
/// Warps that load or store these, as many of a thread's values at once as are neighbours in memory
/// (16 bytes at most) or as its copy_bits say, wherever the matrix has room for all of them: at
/// multiples of their rows and columns.
WarpAccess warp_access(const SharedMatrix& matrix, const ThreadValues& moved, bool applied = true);

/// Another layout of the same matrix in which all of some accesses take one pass.
struct Remedy {
  SharedMatrix matrix;
  std::int64_t more_bytes = 0;  // that it takes
};
/// Swizzles Sw<B,M,S> that leave together what a lane moves at once, `most` of them: first those of
/// wgmma's tiles, then those with few bits. And the least padding of rows (of columns, where their
/// elements are neighbours) that does it, where the layout has two plain modes. `accesses` are
/// those of the matrix as it is, without its swizzle.
std::vector<Remedy> remedies(const SharedMatrix& matrix, const std::vector<WarpAccess>& accesses,
                             std::size_t most = 3);

/// The tile of wgmma's descriptors that this is, with the strides that its descriptor needs; or
/// nothing.
std::optional<Tile> as_tile(const SharedMatrix& matrix);

/// How its byte comes about: coordinate, index, swizzle. In lines.
std::vector<std::string> derivation(const SharedMatrix& matrix, int row, int col);

/// What lies in 16 bytes: the element that begins first there, and "(3,8..15)", "(0..7,2)", or
/// "(3,8)+" where they are no neighbours; row -1 and "" where none begins.
struct SharedUnit {
  int row = -1, col = -1;
  std::string name{};
};
/// All of them, from byte 0 on.
std::vector<SharedUnit> units_of(const SharedMatrix& matrix, bool applied = true);

}  // namespace lanescope::layout
