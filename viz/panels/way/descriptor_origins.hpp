// SPDX-License-Identifier: MIT
// Whether A and B of a wgmma are where they belong when it reads them from shared memory: every
// element's byte is followed to global memory (way_back.hpp), where a matrix lies line after line.
// Where it is not so, what else the descriptor, or the copy, could have said is tried: the first
// change of one thing after which every element is where it belongs names the mistake
// (descriptor_mistakes.cpp). Pure model, no Dear ImGui.
//
//   alone      a wgmma's A is a part of a matrix: rows a fixed distance apart, or columns
//   together   wgmmas that add to the same sums read the same rows, and of k one step after the
//              other; A's k goes on as B's does
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "panels/way/descriptor_reads.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/tensor_reads.hpp"
#include "panels/way/way.hpp"

namespace lanescope::viz {

/// Where an element lies in global memory.
struct Origin {
  bool known = false;
  std::uint64_t address = 0;
  std::uint64_t base = 0;  // of its matrix; 0: not known
  // Bytes along a tensor's fastest dimension, where it came through a tensor map: behind the edge,
  // too, where the address is the next line's.
  std::optional<std::int64_t> along;
  int bytes = 0;  // of an element there: 4 of an f32 that was rounded on its way
  std::optional<GlobalAccess> access{};  // who took it from there
  const Arrival* copy = nullptr;         // or which copy through a tensor map
};

/// What wgmmas read that add to the same sums, of one operand, in their order.
struct ReadAt {
  DescriptorRead read;
  int nth = 0;  // which one since the sums arrived the last time
};
using Reads = std::vector<ReadAt>;
/// Those since the sums arrived the last time are a product's own: the first of them.
std::size_t first_own(const Reads& reads);

/// Something that could have been otherwise; a default one is how it was.
struct Change {
  std::string kind, words, advice;
  std::function<void(DescriptorRead&, std::size_t index)> read;  // the descriptor
  std::function<void(trace::TensorBox&)> tensor;                 // the copy that brought it
  bool awaits = false;  // what was on its way there when it was read
  bool is_of_copy() const { return tensor != nullptr || awaits; }
};

/// What a read would have been, were it changed so.
DescriptorRead changed(const ReadAt& at, const Change& change, std::size_t index);
/// Lines of a tensor go along its fastest dimension, and nothing lies between two of them: not so
/// where another dimension goes on along a line, as of a matrix cut into columns of 64.
bool has_lines(const trace::TensorBox& tensor);

/// A wgmma's part of a matrix that lies line after line.
struct MatrixPart {
  std::uint64_t first = 0, base = 0;  // of element (0, 0), and of the matrix
  std::int64_t apart = 0;             // bytes, from line to line
  bool along_k = false;               // a line goes along K
  std::optional<std::int64_t> along;  // Origin::along of element (0, 0)
  int bytes = 2;                      // of an element
  int ks = 1;                         // how many of k it has
  std::int64_t mn = 0, k = 0;         // its place in the matrix
  Numbers numbers{};                  // that it was found by
  std::optional<LaidAnew> anew{};     // where each of its lines was, by its own (gathered.hpp)
};

/// Puts its element (0, 0) where it is in a matrix that begins at `begin`.
void place_in(MatrixPart& part, std::uint64_t begin);
TileAt tile_of(const MatrixPart& part, const DescriptorRead& read);
/// The same of several, where they lie one behind the other along k; else of the first.
TileAt tile_of(std::vector<MatrixPart> parts, const DescriptorRead& read);
/// What speaks against parts of one sum: of one matrix the same rows, and no k twice; "": nothing.
std::string against_each_other(const std::vector<MatrixPart>& all, const DescriptorRead& read);
/// A's k goes on as B's does; of a sparse A, which keeps half of it, half as far.
bool go_together(const std::vector<MatrixPart>& one, const std::vector<MatrixPart>& other);

class DescriptorOrigins {
 public:
  DescriptorOrigins(const trace::Trace& trace, RegisterHistory& history)
      : trace_(trace), history_(history), numbers_(trace, history) {}

  /// A and B of a product of steps; nothing of what is not behind a descriptor.
  struct Checks {
    std::optional<OriginCheck> a, b;
  };
  Checks check(const Multiplication& in);
  /// Of tcgen05.mma that add to the same sums: both.
  Checks check(const TensorSum& sum);
  /// Of a byte of shared memory that is read so.
  Origin origin_of(const DescriptorRead& read, std::uint32_t byte) {
    return origin(read, byte, {});
  }

 private:
  Checks check(const Reads& a, const Reads& b);
  struct Parts {
    std::vector<MatrixPart> all;  // fewer: the next one lies in no lines
    std::string together;         // what speaks against them as parts of one product; "": nothing
    bool right(const Reads& reads) const { return all.size() == reads.size() && together.empty(); }
  };
  const Arrival* arrival(const DescriptorRead& read, std::uint32_t byte, const Change& change);
  Origin origin(const DescriptorRead& read, std::uint32_t byte, const Change& change);
  std::optional<MatrixPart> part(const DescriptorRead& read, const Change& change);
  // Its elements, those of a row, or of k, one behind the other.
  using OriginAt = std::function<Origin(int mn, int k)>;
  std::optional<MatrixPart> in_lines(const DescriptorRead& read, const OriginAt& at) const;
  // By which numbers in memory they were found: descriptor_gathered.cpp.
  Numbers numbers_of(const Origin& origin);
  Numbers edge_numbers(const DescriptorRead& read, const OriginAt& at);
  std::vector<std::optional<FoundBy>> found_by(const DescriptorRead& read, const OriginAt& at);
  std::optional<MatrixPart> gathered(const DescriptorRead& read, const OriginAt& at, bool is_tried);
  std::string why_gathered(const DescriptorRead& read);
  Parts parts(const Reads& reads, const Change& change);
  bool is_copied_whole(const Reads& reads);
  // One that reads otherwise than the others: descriptor_odd.cpp.
  std::optional<OriginCheck> turned_one(const Reads& reads, const Parts& parts);
  std::optional<OriginCheck> outside_one(const Reads& reads, const Parts& parts);
  OriginCheck verdict(const Reads& reads, const Parts& as_is, const std::optional<Change>& found);
  void count_wrong(OriginCheck& check, const Reads& reads, const Change& found, std::size_t first);
  std::string first_text(const DescriptorRead& read, int mn, int k, const Origin& here,
                         const std::optional<MatrixPart>& right);
  std::string lies(const Reads& reads, const Change& change);
  std::vector<Change> changes(const Reads& reads);
  const trace::Sync* copy_of(const DescriptorRead& read);
  Way way(const DescriptorRead& read, int mn, int k);

  const trace::Trace& trace_;
  RegisterHistory& history_;
  NumbersBehind numbers_;
  std::map<std::pair<const Arrival*, std::uint32_t>, Origin> known_;
};

/// What may have been otherwise about a descriptor, or about the copy (nullptr: it was none through
/// a tensor map) that brought what it reads; the likeliest first.
std::vector<Change> descriptor_changes(const Reads& reads, const trace::Sync* copy);
/// Their kinds, but for those that trace::known_mistakes() has, too.
const std::vector<trace::KnownMistake>& known_descriptor_mistakes();
/// Of the one operand if it was read through the other one's descriptors.
Change exchanged(const Reads& with);

}  // namespace lanescope::viz
