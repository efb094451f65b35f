// SPDX-License-Identifier: MIT
// Whether sums are made of what they should be, and stored where they belong: the loop along k, C
// before it, D behind it. The mma of a warp, the wgmma of a warpgroup, that add to one another are
// one sum; what A and B of each are (origins.hpp, descriptor_origins.hpp) is held against each
// other, then where D goes (sum_stores.hpp) against rows of A and columns of B. Pure model, no Dear
// ImGui.
//
//   C -> mma, k 0 to 15 -> mma, k 16 to 31 -> ... -> mma, k 48 to 63 -> D -> st.global
//   set?   the same rows and columns, no k twice, none left out       the right place, once
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "panels/way/epilogue_checks.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/scores.hpp"
#include "panels/way/sum_stores.hpp"

namespace lanescope::viz {

/// What is said of D of a product: the last of its sum, or the one with which it goes wrong.
struct SumCheck {
  int product = 0;
  char operand = 'D';  // or C, where that is wrong
  OriginCheck check;
  std::vector<int> products{};  // of which the sum is made
};

/// A mistake of a product's D.
SumCheck mistaken_sum(int product, const char* kind, std::string words, std::string advice);

/// A tile of D held against its rows of A and columns of B: "D is stored at row 0, column 64; its
/// rows of A begin at 64, ..."; "": it is where it belongs, or that is not known. `any_exchanged`:
/// whether row and column of a tile of the kernel were exchanged.
std::string misplaced_tile(const TileAt& a, const TileAt& b, const TileAt& d, bool& any_exchanged);

class SumChecks {
 public:
  SumChecks(const Model& model, RegisterHistory& history);

  /// What A and B of a product are; of others it is taken from their first elements, and from how
  /// their matrices lie in those that were added. Of one that is wrong in itself nothing is known.
  void add(int product, const OriginCheck& a, const OriginCheck& b, bool in_order = false);
  /// Of all sums; what is not known is left out.
  std::vector<SumCheck> judged();
  /// Operands that can be read in two ways (OriginCheck::turned): whether it is the other way in
  /// which they go on along k. Known when the sums are judged.
  using Turns = std::map<std::pair<int, char>, bool>;  // by product and operand
  const Turns& turns() const { return turns_; }
  /// Operands that are wrong unless their rows, or columns, come in pieces: how these lie, and
  /// whether they do; else that cannot be known.
  struct Decided {
    InPieces pieces;
    bool is_known = false;
    std::size_t unstored = 0;  // so many are not stored, and the others lie in lines
  };
  using Cut = std::map<std::pair<int, char>, Decided>;
  const Cut& cut() const { return cut_; }
  SumStores& stores() { return stores_; }
  /// Whether of D of the sum that a product is part of any of these rows ('A'), or columns ('B'),
  /// is stored; nothing where none of its elements is.
  std::optional<bool> stores_lines(int product, char operand, const std::vector<int>& lines) const;

 private:
  /// One product of a sum.
  struct Slice {
    int product = 0;
    std::optional<TileAt> a, b;
    std::int64_t ks = 0;  // of k; 0: not known
    // Which these are, counted from the first, where others of k are between them.
    std::vector<int> apart{};
  };
  struct Sum {
    std::vector<Slice> slices;
    std::optional<TileAt> d;
    bool whole = true;  // its beginning is among the products
    const Slice& last() const { return slices.back(); }
  };
  using Tiles = std::map<int, TileAt>;  // by product

  // Where A and B come from: sum_checks.cpp.
  void place_tiles(char operand, Tiles& tiles);
  Way way_to_first(int product, char operand);
  std::optional<TileAt> first_of(int product, char operand, const Tiles& tiles);
  std::vector<std::string_view> registers_of(int product, char operand) const;
  // What they begin with, and what is added to them in the loop: sum_begun.cpp.
  const std::optional<Stream>& begun_with(const Sum& sum);
  Extent counted(const Sum& sum) const;
  std::optional<SumCheck> of_c(const Sum& sum, const Stream& begun);
  std::optional<SumCheck> added_again(const Sum& sum);
  // Which are one sum: sum_collect.cpp.
  void collect();
  void decide_turns(const Sum& sum);
  Slice slice_of(int product) const;
  // Its mma, or the first of its wgmmas, and the registers of the sums that this adds to.
  struct Addition {
    StepPlace place;
    std::vector<std::string_view> names;
  };
  Addition addition_of(int product);
  int goes_on_from(int product, bool& whole);
  static bool is_in_blocks(const Sum& sum, char operand);
  // Whether rows of A, columns of B come in pieces: sum_pieces.cpp.
  void decide_pieces();
  const InPieces* in_pieces(const Slice& one, char operand) const;
  bool complete(const Sum& sum, char operand);
  bool is_longer(const Sum& sum, char operand, const Addresses& of_d);
  bool decide_unstored(const Sum& sum, char operand, const Addresses& of_d);
  bool is_cut_at_zeros(const Sum& sum) const;
  bool comes_back(const Sum& sum, char operand) const;
  void decide_as(const Sum& sum, char operand, bool is_known);
  const InPieces* open_in(const Sum& sum, char operand) const;
  bool slides(const Sum& sum, char operand) const;
  Addresses stored_begins(const Sum& sum, char operand) const;
  bool is_cut_alike(const Sum& sum, OriginCheck& d) const;
  // The taps of a convolution's filter: sum_taps.cpp.
  struct TapPart {
    int product = 0;
    std::int64_t k = 0, ks = 0;
    std::int64_t begins = 0;  // so many bytes behind the first product, and its own k
  };
  std::vector<TapPart> parts_of_taps(const Sum& sum) const;
  std::optional<SumCheck> off_tap_of(const Sum& sum) const;
  // Along k: sum_loop.cpp.
  std::string along_k(const Sum& sum) const;
  std::optional<SumCheck> never_set(const Sum& sum);
  std::optional<SumCheck> dropped(const Sum& sum);
  std::optional<SumCheck> overwritten(const Sum& sum);
  bool begins_again(const Sum& sum) const;
  // A slice against the first of its sum, in elements.
  struct Moved {
    std::int64_t m = 0, n = 0, k_of_a = 0, k_of_b = 0;
    bool again = false;  // its k was added before
  };
  static bool share_k(const Slice& one, const Slice& other);
  static std::string ks_text(const Slice& one, std::int64_t from);
  std::optional<Moved> moved(const Sum& sum, std::size_t slice) const;
  std::optional<SumCheck> sideways(const Sum& sum, const Slice& one, const Moved& by);
  std::optional<SumCheck> apart_along_k(const Sum& sum);
  bool is_read(int product, std::string_view name);
  // As itself from product to product, and once: sum_carried.cpp.
  struct Carried {
    int index = 0;           // of the register of C
    layout::Element wanted;  // there
    SumElement from;         // what is there, if it was only moved on the way
    bool begins_anew;        // it is made of no product's sums
  };
  std::vector<Carried> carried_to(int product);
  static std::optional<SumCheck> exchanged_on_the_way(int product, int before,
                                                      const std::vector<Carried>& all);
  static std::optional<SumCheck> strayed(int product, int before, const std::vector<Carried>& all);
  std::optional<SumCheck> carried_wrongly(const Sum& sum);
  static bool same_tiles(const Slice& one, const Slice& other);
  bool is_of_another(const Sum& sum, const Slice& one) const;
  std::optional<SumCheck> made_twice(const Sum& sum) const;
  // What it is scaled by on the way from one product to the next: sum_scaled.cpp.
  std::optional<SumCheck> scaled_wrongly(const Sum& sum);
  std::optional<int> scaled_by_row(const Earlier& at, int row);
  Earlier register_of_c(int product, int row) const;
  // Where it ends: sum_end.cpp.
  std::int64_t ends_at(const Sum& sum) const;
  // What lies around the sums in the steps and may explain where one ends.
  struct Surroundings {
    std::set<std::uint64_t> parameters;           // what the kernel was told
    bool meets_other_blocks = false;              // waits for them, or adds to what is theirs, too
    std::map<std::int64_t, std::int64_t> last_k;  // by row of A: where the last product begins
  };
  const Surroundings& surroundings();
  bool is_told(std::int64_t number);
  bool may_go_on(const Sum& sum) const;
  std::int64_t length_of_k(const Sum& sum) const;
  bool memory_ends(const Sum& sum) const;
  std::optional<SumCheck> over_the_end(const Sum& sum) const;
  std::optional<SumCheck> too_short(const Sum& sum);
  std::int64_t skipped(const Sum& sum) const;
  bool works_with_others(const Sum& sum);
  // Where D goes: sum_stored.cpp.
  std::optional<SumCheck> places(Sum& sum);
  bool hangs_over(const Slice& one) const;
  std::optional<SumCheck> begins_before(const Sum& sum);
  std::optional<SumCheck> not_stored(const Sum& sum);
  bool stays(const Sum& sum) const;
  std::string misplaced(const Sum& sum, const Sum& by) const;
  std::string misplaced(const Sum& sum);
  bool is_in_layers(int launch) const;
  // Rows that are found by numbers in memory, of A against D and along k: sum_gathered.cpp.
  std::optional<SumCheck> row_left_behind(const Sum& sum) const;
  std::optional<SumCheck> rows_apart(const Sum& sum);
  // D by such numbers: sum_scattered.cpp.
  Numbers numbers_of(const StoredElement& stored);
  std::optional<OriginCheck> scattered(const std::vector<const StoredElement*>& all,
                                       const Multiplication& in);
  void judge_place(SumCheck& where, const Sum& sum, const Sum*& by);
  // How long D's rows are: sum_rows.cpp.
  std::optional<std::int64_t> excess_of(const Sum& sum) const;
  std::int64_t line_of(const Sum& sum) const;
  bool is_part_of_A(const Sum& sum) const;
  std::string other_rows(const Sum& sum) const;
  // What it meets on the way: sum_epilogue.cpp.
  std::optional<SumCheck> divided_wrongly(const Sum& sum);
  void judge_epilogue(SumCheck& where, const Sum& sum, std::optional<Stream> begun,
                      std::vector<SumCheck>& all);

  const Multiplication& at(int product) const {
    return model_.multiplications[static_cast<std::size_t>(product)];
  }

  /// Else of a warpgroup's wgmma.
  bool is_of_warp(int product) const { return at(product).threads() == 32; }

  const Model& model_;
  RegisterHistory& history_;
  SumSources sources_;
  SumStores stores_;
  Epilogue epilogue_;
  Scores scores_;
  NumbersBehind numbers_;
  Tiles a_, b_;
  std::map<std::pair<int, char>, std::vector<Numbers>> gathered_;  // by product and operand
  std::map<std::pair<int, char>, TileAt> in_two_ways_;
  Turns turns_;
  std::map<std::pair<int, char>, InPieces> in_pieces_;
  Cut cut_;
  std::set<int> whole_;                    // products of whose A and B every element is known
  std::map<int, std::vector<int>> apart_;  // those whose k have others between them: which they are
  std::vector<Sum> sums_;
  std::map<int, std::optional<Stream>> begun_;  // by a sum's first product, once asked for
  std::optional<Surroundings> around_;
  std::set<std::pair<int, std::string>> unsure_;  // of which launch and what it was said
  bool exchanged_ = false;                        // row and column of a tile were
};

/// The mistakes of sums, for `--list`; of a filter's taps; of the end of k, and of the length of
/// D's rows.
const std::vector<trace::KnownMistake>& known_sum_mistakes();
const std::vector<trace::KnownMistake>& known_tap_mistakes();
const std::vector<trace::KnownMistake>& known_edge_mistakes();
/// Of rows that are found by numbers in memory.
const std::vector<trace::KnownMistake>& known_gathered_mistakes();

}  // namespace lanescope::viz
