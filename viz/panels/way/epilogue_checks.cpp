// SPDX-License-Identifier: MIT
// See epilogue_checks.hpp.
#include "panels/way/epilogue_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/way/places.hpp"

namespace lanescope::viz {
namespace {

using Role = Ingredient::Role;
using Shape = TakenFrom::Shape;

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
      check_.leave_open(
          "alpha",
          fmt::format("the sums are scaled by parameter {}, what is added to them by parameter "
                      "{}: right if beta comes before alpha, wrong if they are exchanged",
                      alpha, beta));
  }

  // Of what numbers in memory have found, and D not, the place in its matrix says nothing.
  std::string shape_of(const Stream& one) {
    const bool was_right = !check_.mistake;
    std::string words = own_shape_of(one);
    if (one.like.numbers.empty() || one.like.numbers == d_.at.numbers || !was_right ||
        !check_.mistake)
      return words;
    check_.mistake.reset();
    const std::string name = name_of(one.like);
    check_.leave_open(name,
                      fmt::format("what D is given of {} is found by numbers in memory: right if "
                                  "these are of its own rows and columns",
                                  name));
    return words;
  }

  // " by column, in 64 of 128 elements"; "" of a parameter.
  std::string own_shape_of(const Stream& one) {
    if (one.like.address == 0) return {};
    const layout::Fragment& map = *d_.in->map('D');
    const TakenFrom from = taken_from(one.at, map.rows, map.cols, one.like.bytes);
    std::string words;
    if (from.shape == Shape::one)
      words = ", one number of it";
    else if (from.shape == Shape::matrix)
      words = of_matrix(one);
    else
      words = vector_text(check_, trace_, d_, one, from);
    const int all = map.rows * map.cols;
    return one.there == all ? words : words + fmt::format(", in {} of {}", one.there, all);
  }

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
      check_.call_wrong("epilogue-order",
                        fmt::format("what D is given of {} is not its own: {}", name,
                                    d.verdict == trace::Verdict::mistake ? d.mistake : check.first),
                        d.advice);
    else if (d.verdict != trace::Verdict::right)
      check_.leave_open(
          name,
          fmt::format("what D is given of {} lies in an order of its own: right if that is D's, "
                      "wrong if it lies {}",
                      name, line_after_line(d_.at.columns)));
    else if (check.tile)
      beside_d(*check.tile, name);
    return check.tile && d.verdict == trace::Verdict::right
               ? fmt::format(" ({})", lines_apart(check.tile->columns, check.tile->apart))
               : " by element";
  }

  // Its lines may be padded where it has as many of them.
  bool is_of_its_shape(const TileAt& c) const {
    return has_as_many_elements(c) || (is_padded(c) && fills(c).value_or(false));
  }
  bool has_as_many_elements(const TileAt& c) const {
    return c.base != 0 && d_.extent.is_known() &&
           allocated_at(trace_, d_.in->place.launch, c.base) / c.bytes ==
               d_.extent.rows * d_.extent.cols;
  }
  bool is_padded(const TileAt& c) const {
    const std::int64_t along = c.columns ? d_.counted.rows : d_.counted.cols;
    return along <= c.line_length() && c.line_length() < 2 * along;
  }
  std::optional<bool> fills(const TileAt& c) const {
    return fills_memory(trace_, d_.in->place.launch, c, d_.counted);
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

  // Its memory has as many lines as D if they are so far apart, and otherwise it ends within one of
  // them, or before the last; 0: none of that. Allocators round up to 512 bytes.
  std::int64_t other_apart(const TileAt& c) const {
    constexpr std::int64_t kRounded = 512;
    const std::int64_t all = allocated_at(trace_, d_.in->place.launch, c.base),
                       lines = c.columns ? d_.counted.cols : d_.counted.rows,
                       needed = (c.columns ? d_.counted.rows : d_.counted.cols) * c.bytes;
    if (c.base == 0 || all == 0 || lines == 0 || all % (lines * c.bytes) != 0) return 0;
    const std::int64_t apart = all / lines;
    if (apart == c.apart || apart < needed || apart >= 2 * std::max(needed, c.apart)) return 0;
    const bool is_rounded = (c.apart * lines + kRounded - 1) / kRounded * kRounded == all;
    const bool is_cut = apart > c.apart ? all % c.apart != 0 && !is_rounded
                                        : c.apart * (lines - 1) + std::max(needed, apart / 2) > all;
    return is_cut ? apart : 0;
  }

  void beside_d(const TileAt& c, const std::string& name) {
    const TileAt& d = d_.at;
    const bool of_its_shape = is_of_its_shape(c);
    const std::int64_t wanted = c.columns ? d_.extent.rows : d_.extent.cols;
    const std::optional<bool> lies_so = fills(c);
    if (has_as_many_elements(c) && c.line_length() != wanted) {
      const bool turned = c.line_length() == (c.columns ? d_.extent.cols : d_.extent.rows);
      check_.call_wrong(
          turned ? "epilogue-axis" : "epilogue-rows",
          fmt::format("{} is read {}; it has as many elements as D, which has {} rows of {}", name,
                      lines_apart(c.columns, c.apart), d_.extent.rows, d_.extent.cols),
          turned ? "row and column are exchanged in its index" : "which is its leading dimension?");
    } else if (const std::int64_t apart = other_apart(c); apart != 0) {
      check_.call_wrong(
          "epilogue-rows",
          fmt::format(
              "{} is read {}; its memory has as many as D has {}, if they are {} bytes apart", name,
              lines_apart(c.columns, c.apart), c.columns ? "columns" : "rows", apart),
          "which is its leading dimension?");
    } else if (c.base == 0 || d.base == 0 || (c.row == d.row && c.col == d.col)) {
      if (c.columns != d.columns && lies_so == false)
        check_.call_wrong(
            "epilogue-axis",
            fmt::format("{} is read {}; it has as many such lines as D has {}", name,
                        lines_apart(c.columns, c.apart), c.columns ? "rows" : "columns"),
            "row and column are exchanged in its index");
      else if (c.columns != d.columns && !lies_so &&
               !(of_its_shape && d_.extent.rows != d_.extent.cols))
        check_.leave_open(
            name, fmt::format("D is stored {}, and given {} {}: right if that lies so",
                              line_after_line(d.columns), name, line_after_line(c.columns)));
    } else if (of_its_shape) {
      check_.call_wrong(
          "epilogue-place",
          fmt::format("D's tile at row {}, column {} is given that at row {}, column {} of {}",
                      d.row, d.col, c.row, c.col, name),
          "row and column of a tile: those of its block, of its warp, of the tile in the warp");
    } else {
      check_.leave_open(
          name,
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

std::string name_of(const Ingredient& one) {
  return !one.parameter.empty()
             ? fmt::format("parameter {}", one.parameter)
             : fmt::format("memory at 0x{:x}", one.base ? one.base : one.address);
}

void EpilogueCheck::call_wrong(const char* kind, std::string what, std::string advice) {
  if (!mistake) name_mistake(mistake.emplace(), kind, std::move(what), std::move(advice));
}

void EpilogueCheck::leave_open(std::string of, std::string why) {
  unsure.emplace_back(std::move(of), std::move(why));
}

EpilogueCheck check_epilogue(const trace::Trace& trace, const TileOfD& d,
                             const std::vector<Stream>& streams) {
  return Judge(trace, d).judged(streams);
}

const std::vector<trace::KnownMistake>& known_epilogue_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"epilogue-place", "a bias, a scale or a residual of other rows or columns than D's"},
      {"epilogue-order", "rows or columns of a tile that are given each other's bias or scale"},
      {"epilogue-axis", "a vector of rows that is read by column, a residual read transposed"},
      {"epilogue-rows", "a residual that is read in rows of another length than it has"},
      {"added-again", "a C, a bias or a residual that is added once more in every step of k"}};
  return all;
}

}  // namespace lanescope::viz
