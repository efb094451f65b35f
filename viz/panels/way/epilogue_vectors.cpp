// SPDX-License-Identifier: MIT
// A bias or a scale that is given to D by row or by column: whether each line of D gets its own
// element. See epilogue_checks.hpp.
#include <fmt/format.h>

#include "panels/way/epilogue_checks.hpp"

namespace lanescope::viz {
namespace {

class VectorJudge {
 public:
  VectorJudge(EpilogueCheck& check, const trace::Trace& trace, const TileOfD& d, const Stream& one,
              const TakenFrom& from)
      : check_(check),
        d_(d),
        from_(from),
        name_(name_of(one.like)),
        base_(one.like.base),
        bytes_(one.like.bytes),
        by_col_(from.shape == TakenFrom::Shape::by_col) {
    if (base_ != 0) elements_ = allocated_at(trace, d.in->place.launch, base_) / bytes_;
  }

  std::string text() {
    const bool is_named = name_order() || name_axis();
    const std::string by = fmt::format(" by {}", line_);
    if (from_.each > 1) return fmt::format("{}, one for {} of them", by, from_.each);
    if (from_.apart == 0) {
      if (!is_named)
        check_.leave_open(
            name_, fmt::format("D is given {} in another order than its {}s have: right if it was "
                               "put so before, wrong if not",
                               name_, line_));
      return by;
    }
    if (from_.apart != bytes_) return fmt::format("{}, {} bytes apart", by, from_.apart);
    return is_named || base_ == 0 ? by : by + begins_at();
  }

 private:
  bool has_one_each() const { return elements_ > 0 && elements_ == lines_; }

  // Lines of D that share an element, of a vector that has one for each.
  bool name_order() {
    if (!has_one_each() || (!from_.same && from_.each == 1)) return false;
    check_.call_wrong(
        "epilogue-order",
        from_.same ? fmt::format("{}s {} and {} of a tile of D are given the same element of {}",
                                 line_, from_.same->first, from_.same->second, name_)
                   : fmt::format("{} {}s of D are given one element of {}, which has one for each",
                                 from_.each, line_, name_),
        fmt::format("which {}s of D does a lane hold? `lanescope layout` says it", line_));
    return true;
  }

  // A vector of rows that is given to columns, or the other way round.
  bool name_axis() {
    if (elements_ == 0 || elements_ != others_ || others_ == lines_ || from_.apart == 0)
      return false;
    check_.call_wrong(
        "epilogue-axis",
        fmt::format("{} has {} elements, as many as D has {}s, and D is given them {} by {}", name_,
                    elements_, across_, line_, line_),
        fmt::format("row and column are exchanged in its index; D has {} {}s", lines_, line_));
    return true;
  }

  // Its element against the row or column that is given it. ", anew every 32": what is right all
  // the same.
  std::string begins_at() {
    const std::optional<std::int64_t>& own = by_col_ ? d_.col : d_.row;
    const auto offset = static_cast<std::int64_t>(from_.first - base_);
    const std::int64_t element = offset / bytes_;
    if (!own || *own == element || offset % bytes_ != 0) return {};
    const std::int64_t all = by_col_ ? d_.stored.cols : d_.stored.rows, before = element - *own;
    if (elements_ > 0 && elements_ < all && element == *own % elements_)
      return fmt::format(", anew every {}", elements_);
    // One for each line behind others: a header, or those of other steps of k.
    if (all > 0 && elements_ > all && before > 0 &&
        (before == elements_ - all || (elements_ % all == 0 && before % all == 0)))
      return fmt::format(", behind {} others", before);
    name_place(*own, element);
    return {};
  }

  void name_place(std::int64_t own, std::int64_t element) {
    const layout::Fragment& map = *d_.in->map('D');
    const int count = by_col_ ? map.cols : map.rows;
    const std::optional<std::int64_t>& other = by_col_ ? d_.row : d_.col;
    const std::string given =
        fmt::format("{}s {} of D are given elements {} of {}", line_, range_text(own, count),
                    range_text(element, count), name_);
    if (has_one_each())
      check_.call_wrong(
          "epilogue-place", fmt::format("{}, which has one for each {}", given, line_),
          other && *other == element
              ? fmt::format("its index begins with the tile's {}, and goes on by {}", across_,
                            line_)
              : fmt::format("the {} is that of the block, of its warp, of the tile in the warp",
                            line_));
    else
      check_.leave_open(
          name_, fmt::format("{}: right if {}, wrong if it has one element for each {}", given,
                             element < own ? "it begins anew every so many of them"
                                           : "something else lies in front of them",
                             line_));
  }

  EpilogueCheck& check_;
  const TileOfD& d_;
  const TakenFrom& from_;
  std::string name_;
  std::uint64_t base_;
  int bytes_;
  bool by_col_;
  const char* line_ = by_col_ ? "column" : "row";
  const char* across_ = by_col_ ? "row" : "column";
  std::int64_t lines_ = by_col_ ? d_.extent.cols : d_.extent.rows;  // that D has
  std::int64_t others_ = by_col_ ? d_.extent.rows : d_.extent.cols;
  std::int64_t elements_ = 0;  // that the vector has; 0: not known
};

}  // namespace

std::string vector_text(EpilogueCheck& check, const trace::Trace& trace, const TileOfD& d,
                        const Stream& one, const TakenFrom& from) {
  return VectorJudge(check, trace, d, one, from).text();
}

}  // namespace lanescope::viz
