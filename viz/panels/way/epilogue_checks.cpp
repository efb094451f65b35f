// SPDX-License-Identifier: MIT
// See epilogue_checks.hpp.
#include "panels/way/epilogue_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/way/places.hpp"

namespace lanescope::viz {
namespace {

using Role = Ingredient::Role;
using Shape = TakenFrom::Shape;

std::string name_of(const Ingredient& one) {
  return !one.parameter.empty()
             ? fmt::format("parameter {}", one.parameter)
             : fmt::format("memory at 0x{:x}", one.base ? one.base : one.address);
}

class Judge {
 public:
  Judge(const trace::Trace& trace, const TileOfD& d) : trace_(trace), d_(d) {}

  EpilogueCheck judged(const std::vector<Stream>& streams) {
    int term = -1;
    for (const Stream& one : streams) {
      const bool goes_on =
          one.like.role == role_ && (one.like.term == term || role_ == Role::factor);
      if (!goes_on) end_term();
      term = one.like.term;
      role_ = one.like.role;
      parts_.push_back(name_of(one.like) + shape_of(one));
    }
    end_term();
    in_usual_order(streams);
    return std::move(check_);
  }

 private:
  // What one instruction brings together.
  void end_term() {
    const std::string all = fmt::format("{}", fmt::join(parts_, " and "));
    if (!parts_.empty())
      check_.words += role_ == Role::initial  ? ", begun with " + all
                      : role_ == Role::factor ? ", scaled by " + all
                      : role_ == Role::added  ? fmt::format(", {} added", all)
                                              : ", with " + all;
    parts_.clear();
  }

  // alpha * A * B + beta * C: nothing but the order of the parameters says which of two is alpha.
  void in_usual_order(const std::vector<Stream>& streams) {
    const auto parameter_of = [&](Role role) {
      for (const Stream& one : streams)
        if (one.like.address == 0 && one.like.role == role)
          return whole_number(one.like.parameter).value_or(-1);
      return std::int64_t{-1};
    };
    const std::int64_t alpha = parameter_of(Role::factor), beta = parameter_of(Role::added);
    const bool scales_matrix = std::any_of(streams.begin(), streams.end(), [](const Stream& one) {
      return one.like.address != 0 && one.like.role == Role::added;
    });
    if (scales_matrix && beta >= 0 && alpha == beta + 1)
      unsure("alpha",
             fmt::format("the sums are scaled by parameter {}, what is added to them by parameter "
                         "{}: right if beta comes before alpha, wrong if they are exchanged",
                         alpha, beta));
  }

  void mistake(const char* kind, std::string words, std::string advice) {
    if (check_.mistake) return;
    check_.mistake.emplace();
    check_.mistake->verdict = trace::Verdict::mistake;
    check_.mistake->kind = kind;
    check_.mistake->mistake = std::move(words);
    check_.mistake->advice = std::move(advice);
  }
  void unsure(std::string of, std::string words) {
    check_.unsure.emplace_back(std::move(of), std::move(words));
  }

  // " by column, in 64 of 128 elements"; "" of a parameter.
  std::string shape_of(const Stream& one) {
    if (one.like.address == 0) return {};
    const layout::Fragment& map = *d_.in->map('D');
    const TakenFrom from = taken_from(one.at, map.rows, map.cols, one.like.bytes);
    std::string words;
    if (from.shape == Shape::one)
      words = ", one number of it";
    else if (from.shape == Shape::matrix)
      words = of_matrix(one);
    else
      words = of_vector(one, from);
    const int all = map.rows * map.cols;
    return one.there == all ? words : words + fmt::format(", in {} of {}", one.there, all);
  }

  // ---- Vectors ----------------------------------------------------------------------------------

  std::string of_vector(const Stream& one, const TakenFrom& from) {
    const bool by_col = from.shape == Shape::by_col;
    const char *line = by_col ? "column" : "row", *across = by_col ? "row" : "column";
    const std::string name = name_of(one.like);
    const std::int64_t own = by_col ? d_.extent.cols : d_.extent.rows;
    const std::int64_t others = by_col ? d_.extent.rows : d_.extent.cols;
    const std::int64_t elements =
        one.like.base == 0
            ? 0
            : allocated_at(trace_, d_.in->place.launch, one.like.base) / one.like.bytes;
    const bool one_each = elements > 0 && elements == own;  // an element for each line of D
    if (from.same && one_each) {
      mistake("epilogue-order",
              fmt::format("{0}s {1} and {2} of a tile of D are given the same element of {3}", line,
                          from.same->first, from.same->second, name),
              fmt::format("which {}s of D does a lane hold? `lanescope layout` says it", line));
    } else if (elements > 0 && elements == others && others != own && from.apart != 0) {
      mistake("epilogue-axis",
              fmt::format("{} has {} elements, as many as D has {}s, and D is given them {} by {}",
                          name, elements, across, line, line),
              fmt::format("row and column are exchanged in its index; D has {} {}s", own, line));
    } else if (from.each > 1) {
      if (one_each)
        mistake("epilogue-order",
                fmt::format("{} {}s of D are given one element of {}, which has one for each",
                            from.each, line, name),
                fmt::format("which {}s of D does a lane hold? `lanescope layout` says it", line));
      return fmt::format(" by {}, one for {} of them", line, from.each);
    } else if (from.apart == 0) {
      unsure(name,
             fmt::format("D is given {} in another order than its {}s have: right if it was put so "
                         "before, wrong if not",
                         name, line));
    } else if (from.apart == one.like.bytes && one.like.base != 0) {
      return fmt::format(" by {}{}", line, begins_at(one, from, elements, own));
    }
    return from.apart == 0 || from.apart == one.like.bytes
               ? fmt::format(" by {}", line)
               : fmt::format(" by {}, {} bytes apart", line, from.apart);
  }

  // The vector's element against the row or column that is given it; `elements`: 0, or how many it
  // has, `lines`: how many D has. " anew every 32": what is right all the same.
  std::string begins_at(const Stream& one, const TakenFrom& from, std::int64_t elements,
                        std::int64_t lines) {
    const bool by_col = from.shape == Shape::by_col;
    const std::optional<std::int64_t>&own = by_col ? d_.col : d_.row,
          &other = by_col ? d_.row : d_.col;
    const layout::Fragment& map = *d_.in->map('D');
    const int count = by_col ? map.cols : map.rows;
    const char *line = by_col ? "column" : "row", *across = by_col ? "row" : "column";
    const auto offset = static_cast<std::int64_t>(from.first - one.like.base);
    const std::int64_t element = offset / one.like.bytes;
    if (!own || *own == element || offset % one.like.bytes != 0) return {};
    const std::int64_t all = by_col ? d_.stored.cols : d_.stored.rows, before = element - *own;
    if (elements > 0 && elements < all && element == *own % elements)
      return fmt::format(", anew every {}", elements);
    // One for each line behind others: a header, or those of other steps of k.
    if (all > 0 && elements > all && before > 0 &&
        (before == elements - all || (elements % all == 0 && before % all == 0)))
      return fmt::format(", behind {} others", before);
    const std::string given =
        fmt::format("{}s {} of D are given elements {} of {}", line, range_text(*own, count),
                    range_text(element, count), name_of(one.like));
    if (elements > 0 && elements == lines)
      mistake(
          "epilogue-place", fmt::format("{}, which has one for each {}", given, line),
          other && *other == element
              ? fmt::format("its index begins with the tile's {}, and goes on by {}", across, line)
              : fmt::format("the {} is that of the block, of its warp, of the tile in the warp",
                            line));
    else
      unsure(name_of(one.like),
             fmt::format("{}: right if {}, wrong if it has one element for each {}", given,
                         element < *own ? "it begins anew every so many of them"
                                        : "something else lies in front of them",
                         line));
    return {};
  }

  // ---- Matrices ---------------------------------------------------------------------------------

  std::string of_matrix(const Stream& one) {
    std::vector<Came> all;
    for (const std::optional<std::uint64_t>& address : one.at) {
      Came came;
      came.address = address.value_or(0);
      came.base = one.like.base;
      came.bits = 8 * one.like.bytes;
      came.zero = !address.has_value();
      came.by_its_lane = true;
      all.push_back(std::move(came));
    }
    OriginCheck check = judge_origins(*d_.in, 'D', all);
    leave_packed(check);
    const trace::Diagnosis& d = check.diagnosis;
    const std::string name = name_of(one.like);
    if (d.verdict == trace::Verdict::mistake || is_mixed_up(check))
      mistake("epilogue-order",
              fmt::format("what D is given of {} is not its own: {}", name,
                          d.verdict == trace::Verdict::mistake ? d.mistake : check.first),
              d.advice);
    else if (d.verdict != trace::Verdict::right)
      unsure(name,
             fmt::format("what D is given of {} lies in an order of its own: right if that is D's, "
                         "wrong if it lies {}",
                         name, line_after_line(d_.at.columns)));
    else if (check.tile)
      beside_d(*check.tile, name);
    return check.tile && d.verdict == trace::Verdict::right
               ? fmt::format(" ({})", lines_apart(check.tile->columns, check.tile->apart))
               : " by element";
  }

  bool is_of_its_shape(const TileAt& c) const {
    return c.base != 0 && d_.extent.is_known() &&
           allocated_at(trace_, d_.in->place.launch, c.base) / c.bytes ==
               d_.extent.rows * d_.extent.cols;
  }

  // The elements of D's own tile, in a matrix of D's shape, but not each its own.
  bool is_mixed_up(const OriginCheck& check) const {
    if (check.diagnosis.verdict != trace::Verdict::unknown || !check.tile) return false;
    const TileAt &c = *check.tile, &d = d_.at;
    const layout::Fragment& map = *d_.in->map('D');
    return is_of_its_shape(c) && c.columns == d.columns && c.line_length() == d.line_length() &&
           c.row == d.row && c.col == d.col &&
           std::all_of(check.came_from.begin(), check.came_from.end(),
                       [&map](const layout::Element& e) { return map.contains(e); });
  }

  void beside_d(const TileAt& c, const std::string& name) {
    const TileAt& d = d_.at;
    const bool of_its_shape = is_of_its_shape(c);
    const std::int64_t wanted = c.columns ? d_.extent.rows : d_.extent.cols;
    if (of_its_shape && c.line_length() != wanted) {
      const bool turned = c.line_length() == (c.columns ? d_.extent.cols : d_.extent.rows);
      mistake(
          turned ? "epilogue-axis" : "epilogue-rows",
          fmt::format("{} is read {}; it has as many elements as D, which has {} rows of {}", name,
                      lines_apart(c.columns, c.apart), d_.extent.rows, d_.extent.cols),
          turned ? "row and column are exchanged in its index" : "which is its leading dimension?");
    } else if (c.base == 0 || d.base == 0 || (c.row == d.row && c.col == d.col)) {
      if (c.columns != d.columns && !(of_its_shape && d_.extent.rows != d_.extent.cols))
        unsure(name, fmt::format("D is stored {}, and given {} {}: right if that lies so",
                                 line_after_line(d.columns), name, line_after_line(c.columns)));
    } else if (of_its_shape) {
      mistake("epilogue-place",
              fmt::format("D's tile at row {}, column {} is given that at row {}, column {} of {}",
                          d.row, d.col, c.row, c.col, name),
              "row and column of a tile: those of its block, of its warp, of the tile in the warp");
    } else {
      unsure(name,
             fmt::format("D's tile at row {}, column {} is given that at row {}, column {} of {}: "
                         "right if it begins anew there, or is part of something larger, wrong if "
                         "it is of D's shape",
                         d.row, d.col, c.row, c.col, name));
    }
  }

  const trace::Trace& trace_;
  const TileOfD& d_;
  EpilogueCheck check_;
  Role role_ = Role::other;
  std::vector<std::string> parts_;
};

}  // namespace

EpilogueCheck check_epilogue(const trace::Trace& trace, const TileOfD& d,
                             const std::vector<Stream>& streams) {
  return Judge(trace, d).judged(streams);
}

const std::vector<trace::KnownMistake>& known_epilogue_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"epilogue-place", "a bias, a scale or a residual of other rows or columns than D's"},
      {"epilogue-order", "rows or columns of a tile that are given each other's bias or scale"},
      {"epilogue-axis", "a vector of rows that is read by column, a residual read transposed"},
      {"epilogue-rows", "a residual that is read in rows of another length than it has"}};
  return all;
}

}  // namespace lanescope::viz
